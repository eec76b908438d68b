// A plant: bays of a hundred parts each, side by side and on top of each other. A bay has beams, braces, gratings, gears and
// runs of pipes with elbows, valves, flanges and their bolts. Joints touch, overlap a little or leave a gap. Half of the bays are
// copies of a few standard ones, to the bit; in the others each part is off by its own small amount, as built on site.
import { createRandom, type Pose, pose, quat, type Random, type Vec3 } from 'nearfield/core';
import type { ModelFile, ModelPart } from 'nearfield/io';
import {
  type PlantShape,
  pipeRadius,
  plantShapes,
  SHAPE_FAMILIES,
  type ShapeFamily,
  SIZES_A_FAMILY,
} from './assembly-shapes.js';

/** The clearance at which a plant of 100,000 parts has about a million pairs of boxes, in millimeters. */
export const PLANT_CLEARANCE = 10;
const PARTS_A_BAY = 100;
/** The side of a bay, in millimeters. */
const BAY = 1024;
/** Runs of pipes lie on a grid of this pitch: along x on even levels, along y on odd ones, along z between them. */
const PITCH = 256;
/** Braces in a bay: slanted, so that their boxes meet many others. */
const BRACES = 12;
const STANDARD_BAYS = 24;
/** The part of the bays that are copies of standard ones. */
const COPIED = 0.5;
/** How far a part built on site is off, in millimeters and in radians. */
const SITE_SHIFT = 4;
const SITE_TURN = 0.01;

interface Placed {
  readonly shape: number;
  readonly pose: Pose;
}

/** A plant as a model file: `partCount` parts, which share 200 meshes. The same seed gives the same plant. */
export function createPlant(partCount: number, seed = 1): ModelFile {
  const shapes = plantShapes();
  const random = createRandom(seed);
  const standard = Array.from({ length: STANDARD_BAYS }, () => fillBay(shapes, random));
  const bays = Math.ceil(partCount / PARTS_A_BAY);
  const side = Math.ceil(Math.cbrt(bays));
  const parts: ModelPart[] = [];
  for (let bay = 0; bay < bays; bay++) {
    const corner: Vec3 = [bay % side, Math.floor(bay / side) % side, Math.floor(bay / side / side)];
    const content = standard[random.integer(STANDARD_BAYS)];
    const copied = random.next() < COPIED;
    for (const { shape, pose: inBay } of content.slice(0, partCount - parts.length)) {
      const placed = copied ? inBay : nudge(inBay, random);
      const moved: Pose = [...placed];
      for (let k = 0; k < 3; k++) moved[k] += BAY * corner[k];
      parts.push({
        name: `bay ${bay + 1} ${shapes[shape].name}`,
        meshIndex: shape,
        transform: pose.toMatrix4(moved),
      });
    }
  }
  return { format: 'glb', meshes: shapes.map(({ name, mesh }) => ({ name, mesh })), parts };
}

function nudge(inBay: Pose, random: Random): Pose {
  const axis = random.direction();
  const turn = quat.fromAxisAngle(axis, random.range(-SITE_TURN, SITE_TURN));
  const rotation = quat.normalize(quat.multiply(turn, [inBay[3], inBay[4], inBay[5], inBay[6]]));
  const shift = (): number => random.range(-SITE_SHIFT, SITE_SHIFT);
  return [inBay[0] + shift(), inBay[1] + shift(), inBay[2] + shift(), ...rotation];
}

/** Turns the z axis to x, y or z. */
const ALONG: readonly quat.Quat[] = [
  [0.5, 0.5, 0.5, 0.5],
  [-0.5, -0.5, -0.5, 0.5],
  [0, 0, 0, 1],
];

function fillBay(shapes: readonly PlantShape[], random: Random): Placed[] {
  const parts: Placed[] = [];
  const add = (shape: number, rotation: quat.Quat, at: Vec3): void => {
    // Whole eighths of a millimeter, so that places are the same numbers in every copy of the bay.
    parts.push({ shape, pose: [...(at.map((x) => Math.round(8 * x) / 8) as Vec3), ...rotation] });
  };
  for (let k = 0; k < 3; k++) add(pick('beam', random.integer(SIZES_A_FAMILY)), ALONG[k], corner(k));
  for (let i = 0; i < BRACES; i++) {
    const slanted = quat.fromAxisAngle(i % 2 === 0 ? [0, 1, 0] : [1, 0, 0], random.range(0.4, 1.2));
    const at: Vec3 = [random.range(0, BAY), random.range(0, BAY), random.range(0, BAY)];
    add(pick('long pipe', 5 * random.integer(4)), slanted, at);
  }
  for (let i = 0; i < 4; i++) {
    const at: Vec3 = [random.range(0, BAY), random.range(0, BAY), PITCH / 2];
    add(pick('plate', random.integer(SIZES_A_FAMILY)), ALONG[2], at);
  }
  addGears(add, random);
  while (parts.length < PARTS_A_BAY) addRun(shapes, add, random);
  return parts.slice(0, PARTS_A_BAY);
}

type Add = (shape: number, rotation: quat.Quat, at: Vec3) => void;

/** Gears in a row that mesh, on parallel axes. */
function addGears(add: Add, random: Random): void {
  const axis = random.integer(3);
  const at: Vec3 = [random.range(0, BAY), random.range(0, BAY), random.range(0, BAY)];
  const size = random.integer(5);
  for (let i = 0; i < 5; i++) {
    add(pick('gear', size + 5 * random.integer(4)), ALONG[axis], at);
    at[(axis + 1) % 3] += 1.86 * (40 + 20 * size);
  }
}

/** Pipes, flanges, valves and elbows along one axis, with bolts in the flanges and brackets below the pipes. */
function addRun(shapes: readonly PlantShape[], add: Add, random: Random): void {
  const axis = random.integer(3);
  const nominal = random.integer(5);
  const r = pipeRadius(nominal);
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const at: Vec3 = [0, 0, 0];
  // Levels are along z. What runs along z has its own grid in x and y.
  const slots = BAY / PITCH;
  const level = PITCH * (2 * random.integer(slots / 2) + axis);
  at[u] = u === 2 ? level : PITCH * (random.integer(slots) + (axis === 2 ? 0.5 : 0));
  at[v] = v === 2 ? level : PITCH * (random.integer(slots) + (axis === 2 ? 0.5 : 0));
  let end = 0;
  const place = (family: ShapeFamily): PlantShape => {
    const shape = pick(family, nominal + 5 * random.integer(4));
    const { half } = shapes[shape];
    at[axis] = end + half;
    end += 2 * half + joint(random);
    add(shape, ALONG[axis], at);
    return shapes[shape];
  };
  while (end < BAY) {
    const { half } = place(random.next() < 0.5 ? 'pipe' : 'long pipe');
    const below: Vec3 = [...at];
    below[v] -= r + 8 * random.integer(3);
    below[axis] -= half / 2;
    add(pick('bracket', random.integer(SIZES_A_FAMILY)), ALONG[axis], below);
    place('flange');
    const bolted = place('flange');
    for (let i = 0; i < 8; i += 2) {
      const angle = (2 * Math.PI * (i + 0.5)) / 8;
      const hole: Vec3 = [...at];
      hole[axis] -= bolted.half;
      hole[u] += 1.45 * r * Math.cos(angle);
      hole[v] += 1.45 * r * Math.sin(angle);
      add(pick('bolt', nominal + 5 * random.integer(4)), ALONG[axis], hole);
    }
    if (random.next() < 0.5) place('valve');
    if (random.next() < 0.25) {
      place('elbow');
      return;
    }
  }
}

/** Most joints touch; some overlap, some leave a gap. In millimeters. */
function joint(random: Random): number {
  const kind = random.next();
  return kind < 0.6 ? 0 : kind < 0.8 ? -0.5 - random.integer(4) : 1 + random.integer(8);
}

function pick(family: ShapeFamily, size: number): number {
  return SIZES_A_FAMILY * SHAPE_FAMILIES.indexOf(family) + size;
}

/** The middle of the edge of the bay along an axis. */
function corner(axis: number): Vec3 {
  const at: Vec3 = [0, 0, 0];
  at[axis] = BAY / 2;
  return at;
}
