// The files of `nearfield demo`: small samples for each command line of the README and of docs/command.md. The same bytes on
// every machine, but for the last digits of sines.
import * as pose from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import { createRandom } from '../../core/random.js';
import type { Vec3 } from '../../core/vec3.js';
import type { ModelFile, ModelPart } from '../../io/model/model-file.js';
import { writeModel } from '../../io/model/write-model.js';
import type { Mesh } from '../../mesh/mesh.js';
import { findModel } from '../../models/catalogue.js';
import { extrudePolygon } from '../../models/parts/extrude.js';
import { writePlanProblem } from '../../planning/problem/write-plan-problem.js';
import type { Mechanism } from '../../sweep/mechanism/mechanism-description.js';
import { motionSample } from '../mechanisms/motion-sample.js';
import { planningSample } from '../planning/catalogue.js';
import { buildGearbox, gear, gearOutline } from './gearbox.js';
import { ARM_FOLDER, armLink, armUrdf, cellTrajectory, robotCell } from './robot-cell.js';

/** A file to write, and what it is for. */
export interface DemoFile {
  /** With its folders, from that of the demo on. */
  readonly name: string;
  readonly description: string;
  readonly bytes: Uint8Array;
}

const IDENTITY: readonly number[] = [0, 0, 0, 0, 0, 0, 1];

/** All of them, in the order of the documentation. */
export async function makeDemoFiles(): Promise<DemoFile[]> {
  const files: DemoFile[] = [];
  const addText = (name: string, description: string, text: string): void => {
    files.push({ name, description, bytes: new TextEncoder().encode(text) });
  };
  const addJson = (name: string, description: string, value: unknown): void =>
    addText(name, description, `${JSON.stringify(value)}\n`);
  const addModel = async (name: string, description: string, model: Mesh | ModelFile): Promise<void> => {
    const format = name.slice(name.lastIndexOf('.') + 1) as 'obj' | 'stl' | 'glb';
    files.push({ name, description, bytes: await writeModel(model, format) });
  };

  await addModel('door.obj', 'a door, in meters', box(0.9, 2, 0.04, [0.45, 1, 0]));
  await addModel('frame.obj', 'the frame that the door swings in', doorFrame());
  addJson('swing.json', 'frames: the door opens; at first its edge comes within a millimeter of the frame', {
    frames: swing(),
  });
  addJson('frames.json', 'frames: the spoon of `models` falls into the cup', { frames: fall() });
  await addModel('gearbox.glb', 'an assembly of 36 parts with faults, in millimeters', buildGearbox());
  await addModel('pile.glb', 'letters that overlap each other', pile());
  await addModel('housing.stl', 'a plate with a bore, in millimeters', housing());
  await addModel('shaft.stl', 'a shaft in the bore, with little play', cylinder(8, 60));
  await addModel('gear.stl', 'a gear on the shaft, 0.2 mm too near to the plate', move(gear(24, 12), [0, 0, 15.8]));
  await addModel('scan.stl', 'a scanned rabbit, in millimeters: open below, with a hole in its back', scan());
  await addMechanisms(addJson, addModel);
  addText('floorplan.svg', 'a floor plan, in meters', floorPlan());
  addText('gear.svg', 'a gear as a drawing', drawing(gearOutline(16, 0.25)));
  addText('rack.svg', 'a rack for it', drawing(rackOutline()));
  addJson('sites.json', 'points, segments and a polygon in the plane', sites());
  addJson('scene.json', 'rigid bodies: letters and a ball fall onto a ramp', rigidScene());
  addJson('letters.json', 'rigid bodies: six letters fall', lettersScene());
  addJson('stack.json', 'rigid bodies: a stack of boxes', stackScene());
  addJson('beam.json', 'an elastic beam that swings', beamScene());
  for (const [sample, description] of [
    ['hole', 'a motion to plan: a brick through a hole in a wall'],
    ['maze', 'a motion to plan: a bar through a maze'],
  ] as const) {
    const { text, meshes } = writePlanProblem(planningSample(sample));
    const rename = (name: string): string => `${sample}-${name}`;
    const renamed = [...meshes.keys()].reduce((all, name) => all.replaceAll(`"${name}"`, `"${rename(name)}"`), text);
    addText(`${sample}.json`, description, `${renamed.trimEnd()}\n`);
    for (const [name, mesh] of meshes) await addModel(rename(name), `a model of ${sample}.json`, mesh);
  }
  addJson('cell.json', 'a motion to plan: a robot arm around a post', robotCell('post.obj'));
  addText(
    'trajectory.yaml',
    'a trajectory of that arm as MoveIt writes it: clear at its waypoints only',
    cellTrajectory(),
  );
  await addModel('post.obj', 'a model of cell.json', box(0.1, 1, 0.1, [0, 0, 0]));
  addText(`${ARM_FOLDER}/arm.urdf`, 'the arm of cell.json', armUrdf());
  await addModel(`${ARM_FOLDER}/link.stl`, 'a link of the arm', armLink());
  return files;
}

type AddJson = (name: string, description: string, value: unknown) => void;
type AddModel = (name: string, description: string, model: Mesh) => Promise<void>;

/** Mechanisms to sweep, and the models of their parts. */
async function addMechanisms(addJson: AddJson, addModel: AddModel): Promise<void> {
  for (const [sample, description] of [
    ['engine', 'a mechanism to sweep: an engine of one cylinder, in millimeters'],
    ['landing-gear', 'a mechanism to sweep: a landing gear that folds, in meters'],
  ] as const) {
    const { type: _, parts, ...rest } = motionSample(sample) as Mechanism;
    const named = parts.map(({ mesh, ...part }) => ({
      ...part,
      model: `${sample}-${part.name.replaceAll(' ', '-')}.stl`,
      mesh,
    }));
    addJson(`${sample}.json`, description, {
      ...{ format: 'nearfield-mechanism', version: 1, unit: sample === 'engine' ? 'mm' : 'm' },
      parts: named.map(({ mesh: __, ...part }) => part),
      ...rest,
    });
    for (const { model, mesh } of named) await addModel(model, `a model of ${sample}.json`, mesh!);
  }
}

function box(width: number, height: number, depth: number, at: Vec3): Mesh {
  return move(findModel('box').build({ width, height, depth }), at);
}

function move({ positions, indices }: Mesh, by: Vec3): Mesh {
  return { positions: positions.map((value, i) => value + by[i % 3]), indices };
}

function ring(...points: readonly (readonly [number, number])[]): Float64Array {
  return Float64Array.from(points.flat());
}

function circlePoints(radius: number, count: number, x = 0, y = 0): [number, number][] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

function cylinder(radius: number, length: number): Mesh {
  return extrudePolygon({ rings: [ring(...circlePoints(radius, 48))] }, { depth: length });
}

function housing(): Mesh {
  const outside = ring([-40, -40], [40, -40], [40, 40], [-40, 40]);
  return extrudePolygon({ rings: [outside, ring(...circlePoints(8.1, 48).reverse())] }, { depth: 20 });
}

/** Around the door, which is 0.9 wide, with 8 mm of play at the sides and at the top. */
function doorFrame(): Mesh {
  const outline = ring(
    [-0.108, 0],
    [-0.008, 0],
    [-0.008, 2.008],
    [0.908, 2.008],
    [0.908, 0],
    [1.008, 0],
    [1.008, 2.108],
    [-0.108, 2.108],
  );
  return extrudePolygon({ rings: [outline] }, { depth: 0.1 });
}

/** The hinge is 10 mm beside the door's middle plane, so that the far edge first comes nearer to the frame. */
function swing(): unknown[] {
  return Array.from({ length: 121 }, (_, i) => {
    const angle = (Math.PI / 2) * (i / 120);
    const rotation = quat.fromAxisAngle([0, 1, 0], -angle);
    const hinge: Vec3 = [0, 0, 0.12];
    const turned = quat.rotate(rotation, hinge);
    return { A: [hinge[0] - turned[0], 0.002, hinge[2] - turned[2], ...rotation], B: IDENTITY };
  });
}

function fall(): unknown[] {
  return Array.from({ length: 81 }, (_, i) => {
    const rotation = quat.fromAxisAngle([0, 0, 1], 0.01 * i);
    return { A: IDENTITY, B: [0.004 * i, 1.2 - 0.012 * i, 0, ...rotation] };
  });
}

function pile(): ModelFile {
  const names = ['letter-p', 'letter-i', 'letter-l', 'letter-e'];
  const meshes = names.map((name) => ({ name, mesh: findModel(name).build() }));
  const parts: ModelPart[] = names.flatMap((name, meshIndex) =>
    [0, 1].map((row): ModelPart => {
      const turn = quat.fromAxisAngle([0, 0, 1], 0.4 * meshIndex - 0.5 * row);
      const at: Vec3 = [0.45 * meshIndex, 0.5 * row, 0.05 * meshIndex];
      return { name: `${name} ${row + 1}`, meshIndex, transform: pose.toMatrix4(pose.create(at, turn)) };
    }),
  );
  return { format: 'glb', meshes, parts };
}

/** Without the faces at the bottom and in a patch of the back, and with some faces turned, as scanners leave them. */
function scan(): Mesh {
  const { positions, indices } = findModel('bunny').build({ triangles: 5000, fur: 0.05 });
  let [low, high] = [Infinity, -Infinity];
  for (let i = 1; i < positions.length; i += 3)
    [low, high] = [Math.min(low, positions[i]), Math.max(high, positions[i])];
  const random = createRandom(7);
  const kept: number[] = [];
  let patch: number[] | null = null;
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [indices[i], indices[i + 1], indices[i + 2]];
    const middle = [0, 1, 2].map((k) => corners.reduce((sum, v) => sum + positions[3 * v + k], 0) / 3);
    if (middle[1] < low + 0.04 * (high - low)) continue;
    if (middle[1] > low + 0.45 * (high - low)) patch ??= middle;
    if (patch !== null && Math.hypot(...middle.map((value, k) => value - patch![k])) < 0.06 * (high - low)) continue;
    if (random.next() < 0.01) corners.reverse();
    kept.push(...corners);
  }
  return { positions: positions.map((value) => 1000 * value), indices: Uint32Array.from(kept) };
}

function drawing(outline: readonly number[]): string {
  const points: string[] = [];
  for (let i = 0; i < outline.length; i += 2) points.push(`${outline[i].toFixed(5)} ${outline[i + 1].toFixed(5)}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 12 8"><path d="M${points.join('L')}Z"/></svg>\n`;
}

/** Teeth toward the gear of 16 teeth and module 0.25, whose pitch radius is 2. */
function rackOutline(): number[] {
  const outline: number[] = [];
  const step = 0.25 * Math.PI;
  for (let tooth = -3; tooth <= 3; tooth++) {
    const y = (tooth + 0.5) * step;
    for (const [x, half] of [
      [2.3, -0.31],
      [1.78, -0.1],
      [1.78, 0.1],
      [2.3, 0.31],
    ]) {
      outline.push(x, y + half);
    }
  }
  return [...outline, 3, 3.5 * step + 0.31, 3, -2.5 * step - 0.31];
}

function floorPlan(): string {
  const walls = [
    'M0 0H12V8H0Z M0.2 0.2V7.8H11.8V0.2Z',
    'M5 0.2H5.15V3H5Z',
    'M5 4.2H5.15V7.8H5Z',
    'M8 5H8.15V7.8H8Z',
    'M5.15 5H7V5.15H5.15Z',
    'M9.2 5H11.8V5.15H9.2Z',
  ];
  const furniture = [
    '<rect x="1" y="1" width="1.6" height="2"/>',
    '<rect x="1" y="6.2" width="2.4" height="0.9"/>',
    '<circle cx="3.6" cy="4.4" r="0.5"/>',
    '<rect x="7.4" y="1.6" width="2" height="1"/>',
    '<circle cx="10.6" cy="3.6" r="0.4"/>',
    '<rect x="9.6" y="6.4" width="1.2" height="0.8"/>',
  ];
  const paths = walls.map((d) => `<path fill-rule="evenodd" d="${d}"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12 8">\n${[...paths, ...furniture].join('\n')}\n</svg>\n`;
}

function sites(): unknown {
  return {
    box: [0, 0, 10, 8],
    sites: [
      { type: 'point', at: [2, 2] },
      { type: 'point', at: [8, 1.5] },
      { type: 'segment', a: [1, 6], b: [4, 7] },
      { type: 'segment', a: [6, 5], b: [9, 6.5] },
      { type: 'polygon', rings: [pairsOf([4, 3], [5.5, 3.4], [5, 4.6], [3.9, 4.2])] },
    ],
  };
}

function pairsOf(...points: readonly (readonly [number, number])[]): number[][] {
  return points.map(([x, y]) => [x, y]);
}

const FLOOR = { name: 'floor', shape: { box: [12, 1, 12] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true };

function rigidScene(): unknown {
  return {
    bodies: [
      FLOOR,
      { name: 'ramp', shape: { box: [3, 0.2, 2] }, pose: [0, 0.8, 0, 0, 0, 0.2164, 0.9763], fixed: true },
      { name: 'ball', shape: { sphere: 0.25 }, pose: [1, 2.4, 0, 0, 0, 0, 1], restitution: 0.4 },
      { name: 'box', shape: { box: [0.5, 0.5, 0.5] }, pose: [0.4, 2.6, 0.3, 0, 0, 0.1, 0.995], friction: 0.3 },
      { name: 'brick', shape: { box: [0.8, 0.3, 0.4] }, pose: [0.9, 3.2, -0.2, 0.2, 0, 0, 0.98] },
    ],
    probes: [{ body: 'ball', point: [1, 2.4, 0] }],
  };
}

function lettersScene(): unknown {
  const letters = [...'planar'].map((letter, i) => ({
    name: `${letter} ${i + 1}`,
    shape: { model: `letter-${letter}` },
    pose: [0.4 * (i % 3) - 0.4, 1.2 + 0.9 * i, 0.1 * i, 0.1 * i, 0.2, 0, 1],
    angularVelocity: [0.5, 0, 0.3 * i],
  }));
  return { bodies: [FLOOR, ...letters] };
}

function stackScene(): unknown {
  const boxes = Array.from({ length: 5 }, (_, i) => ({
    name: `box ${i + 1}`,
    shape: { box: [0.5, 0.5, 0.5] },
    pose: [0, 0.25 + 0.5 * i, 0, 0, 0, 0, 1],
  }));
  return { bodies: [FLOOR, ...boxes] };
}

function beamScene(): unknown {
  return {
    timestep: 0.01,
    start: 'static',
    bodies: [
      {
        name: 'beam',
        shape: { box: [1, 0.1, 0.1] },
        pose: [0.5, 0, 0, 0, 0, 0, 1],
        density: 1000,
        elastic: { young: 1e7, poisson: 0.3, damping: { mass: 0.5, stiffness: 0 }, resolution: 16 },
        hold: [{ box: [0, -1, -1, 0, 1, 1] }],
        loads: [{ box: [1, -1, -1, 1, 1, 1], force: [0, -2, 0], until: 0 }],
      },
    ],
    probes: [{ body: 'beam', point: [1, 0, 0] }],
  };
}
