// A small gearbox in millimeters, its shafts along z: plates, a frame, shafts, gears, bearings, sleeves, bolts, washers. With
// the faults that clash checks are for: the gears of the second stage mesh too deep, a sleeve sits in a bearing, a bolt
// misses its hole, and every bolt's head is sunk into its washer.
import * as pose from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { Vec3 } from '../../core/vec3.js';
import type { ModelFile, ModelPart } from '../../io/model/model-file.js';
import type { Mesh } from '../../mesh/mesh.js';
import { extrudePolygon } from '../../models/parts/extrude.js';
import { type ProfilePoint, revolve } from '../../models/parts/surface-of-revolution.js';

/** Chosen: millimeters between the inner faces of the plates. */
const INSIDE = 60;

/** Chosen: millimeters of thickness of a plate. */
const PLATE = 10;

/** Chosen: the module of all gears, in millimeters. */
const MODULE = 2;

/** The shafts: input, middle, output. The last two should be 62 apart for their gears. */
const SHAFTS: readonly Vec3[] = [
  [-52, 0, 0],
  [0, 0, 0],
  [61.55, 0, 0],
];

/** Chosen: the radius of the shafts, in millimeters. */
const SHAFT_RADIUS = 8;

/** Chosen: the outer radius of the bearings, in millimeters. */
const BEARING_RADIUS = 16;

const HALF: readonly [number, number] = [125, 62];
const BOLTS: readonly (readonly [number, number])[] = [
  [-115, -52],
  [-32, -52],
  [32, -52],
  [115, -52],
  [-115, 52],
  [-32, 52],
  [32, 52],
  [115, 52],
];
const DOWELS: readonly (readonly [number, number])[] = [
  [-115, 0],
  [115, 0],
];

/** Chosen: the radius of the shank of a bolt, in millimeters. */
const BOLT_RADIUS = 3;

/** Chosen: the radius of its hole, in millimeters. */
const BOLT_HOLE = 3.3;

/** Chosen: the thickness of a washer, in millimeters. */
const WASHER = 1.6;

/** Chosen: the radius of the dowels, in millimeters. */
const DOWEL_RADIUS = 2.98;

/** The profile of a bolt: its shank, then its head. */
const BOLT: readonly ProfilePoint[] = [
  [0, -2 * PLATE - INSIDE],
  [BOLT_RADIUS, -2 * PLATE - INSIDE],
  [BOLT_RADIUS, 0],
  [6, 0],
  [6, 5],
  [0, 5],
];
/** Turns y, the axis of a bolt, to z. */
const ALONG_Z = quat.fromAxisAngle([1, 0, 0], Math.PI / 2);

/**
 * A small assembly to try clash checks on: a gearbox of 36 parts in millimeters, with faults. Gears mesh too deep, a sleeve
 * sits in a bearing, a bolt misses its hole, and the heads of all bolts are sunk into their washers.
 */
export function buildGearbox(): ModelFile {
  const bores = SHAFTS.map(([x, y]) => circle(BEARING_RADIUS, 48, x, y));
  const holes = BOLTS.map(([x, y]) => circle(BOLT_HOLE, 24, x, y));
  const pins = DOWELS.map(([x, y]) => circle(BOLT_RADIUS, 24, x, y));
  const meshes: Record<string, Mesh> = {
    plate: extrude([rectangle(...HALF), ...bores, ...holes, ...pins], PLATE),
    frame: extrude([rectangle(...HALF), rectangle(105, 42), ...holes, ...pins], INSIDE),
    shaft: extrude([circle(SHAFT_RADIUS, 48)], 2 * PLATE + INSIDE + 24),
    bearing: extrude([circle(BEARING_RADIUS - 0.02, 48), circle(SHAFT_RADIUS + 0.02, 48)], PLATE),
    'gear 20': gear(20, 14),
    'gear 32': gear(32, 14),
    'gear 24': gear(24, 16),
    'gear 38': gear(38, 16),
    sleeve: extrude([circle(12, 48), circle(SHAFT_RADIUS + 0.1, 48)], 8),
    bolt: revolve(BOLT, 24),
    washer: extrude([circle(6.5, 24), circle(BOLT_HOLE, 24)], WASHER),
    dowel: extrude([circle(DOWEL_RADIUS, 24)], 2 * PLATE + INSIDE),
  };
  const names = Object.keys(meshes);
  const parts: ModelPart[] = [];
  const place = (name: string, mesh: string, at: Vec3, rotation: quat.ReadonlyQuat = [0, 0, 0, 1]): void => {
    const transform = pose.toMatrix4(pose.create(at, rotation));
    parts.push({ name, meshIndex: names.indexOf(mesh), transform });
  };
  const face = INSIDE / 2;
  place('front plate', 'plate', [0, 0, face + PLATE / 2]);
  place('back plate', 'plate', [0, 0, -face - PLATE / 2]);
  place('frame', 'frame', [0, 0, 0]);
  for (const [i, [x, y]] of SHAFTS.entries()) {
    const name = ['input', 'middle', 'output'][i];
    place(`${name} shaft`, 'shaft', [x, y, 0]);
    place(`${name} bearing, front`, 'bearing', [x, y, face + PLATE / 2]);
    place(`${name} bearing, back`, 'bearing', [x, y, -face - PLATE / 2]);
  }
  const [input, middle, output] = SHAFTS;
  place('input gear', 'gear 20', [input[0], 0, 15]);
  place('middle gear, large', 'gear 32', [middle[0], 0, 15], aboutZ(Math.PI + Math.PI / 32));
  place('middle gear, small', 'gear 24', [middle[0], 0, -15]);
  place('output gear', 'gear 38', [output[0], 0, -15], aboutZ(Math.PI + Math.PI / 38));
  place('input sleeve', 'sleeve', [input[0], 0, 26]);
  place('output sleeve', 'sleeve', [output[0], 0, 26.4]);
  for (const [i, [x, y]] of BOLTS.entries()) {
    const aside = i === 2 ? 0.6 : 0;
    place(`bolt ${i + 1}`, 'bolt', [x + aside, y, face + PLATE + WASHER - 0.2], ALONG_Z);
    place(`washer ${i + 1}`, 'washer', [x + aside, y, face + PLATE + WASHER / 2]);
  }
  for (const [i, [x, y]] of DOWELS.entries()) place(`dowel ${i + 1}`, 'dowel', [x, y, 0]);
  return { format: 'glb', meshes: names.map((name) => ({ name, mesh: meshes[name] })), parts };
}

function aboutZ(angle: number): quat.Quat {
  return quat.fromAxisAngle([0, 0, 1], angle);
}

/** A gear of the gearbox's module on its shaft; trapezoids for teeth, with some play between two gears at their distance. */
export function gear(teeth: number, depth: number): Mesh {
  return extrude([gearOutline(teeth, MODULE), circle(SHAFT_RADIUS + 0.05, 48)], depth);
}

/** The outline of a gear, counter-clockwise: x and y of each point. A tooth points along x. */
export function gearOutline(teeth: number, module: number): number[] {
  const pitch = (module * teeth) / 2;
  const ring: number[] = [];
  for (let tooth = 0; tooth < teeth; tooth++) {
    const middle = (2 * Math.PI * tooth) / teeth;
    // Radius and half thickness of a tooth at its foot, its pitch circle and its tip; flanks of 20 degrees.
    const flank = [
      [pitch - 1.2 * module, 1.15],
      [pitch, 0.74],
      [pitch + 0.95 * module, 0.36],
    ];
    const sides = [...flank.map(([r, half]) => [r, -half]), ...flank.toReversed().map(([r, half]) => [r, half])];
    for (const [r, half] of sides) {
      const angle = middle + (half * module) / pitch;
      ring.push(r * Math.cos(angle), r * Math.sin(angle));
    }
  }
  return ring;
}

function extrude(rings: readonly (readonly number[])[], depth: number): Mesh {
  return extrudePolygon(
    { rings: rings.map((ring, i) => Float64Array.from(i === 0 ? ring : reverse(ring))) },
    { depth },
  );
}

function reverse(ring: readonly number[]): number[] {
  const turned: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) turned.push(ring[i], ring[i + 1]);
  return turned;
}

function circle(radius: number, count: number, x = 0, y = 0): number[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * (i + 0.5)) / count;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  }).flat();
}

function rectangle(halfWidth: number, halfHeight: number): number[] {
  return [-halfWidth, -halfHeight, halfWidth, -halfHeight, halfWidth, halfHeight, -halfWidth, halfHeight];
}
