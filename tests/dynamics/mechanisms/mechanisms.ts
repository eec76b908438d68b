// Mechanisms that nothing but contact holds together, made of few triangles: an arm on a pin, a piston, a slider, a Geneva
// wheel, two gears, a chain, a bolt in a nut.
import type { Vec3 } from '../../../src/core/index.js';
import { CollisionShape, type DynamicsMethod, RigidWorld } from '../../../src/dynamics/index.js';
import { extrudePolygon, type Mesh } from '../../../src/mesh/index.js';

type Point = readonly [number, number];

/** A mechanism and how far it has come. */
export interface Mechanism {
  readonly world: RigidWorld;
  /** What it is measured by: an angle, rad, or a way, m. */
  readonly progress: () => number;
}

export interface MechanismOptions {
  readonly timestep: number;
  readonly method?: DynamicsMethod;
  readonly substeps?: number;
}

const UPRIGHT = [0, 0, 0, 1] as const;
/** Of half a turn about z by the angle. */
const turned = (angle: number) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)] as const;

function circle(radius: number, sides: number, x = 0, y = 0): Point[] {
  return Array.from({ length: sides }, (_, i): Point => {
    const angle = (2 * Math.PI * i) / sides;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

function extrude(depth: number, outline: readonly Point[], ...holes: readonly (readonly Point[])[]): CollisionShape {
  const rings = [
    Float64Array.from(outline.flat()),
    ...holes.map((hole) => Float64Array.from([...hole].reverse().flat())),
  ];
  return CollisionShape.solid(extrudePolygon({ rings }, { depth }));
}

/** The angle about z that a body has turned from its start, rad. */
function angleOf(world: RigidWorld, body: number): number {
  const [, , , , , z, w] = world.poseOf(body);
  return 2 * Math.atan2(z, w);
}

/** Two plates that keep flat parts between them. */
function addCovers(world: RigidWorld, depth: number, gap: number): void {
  for (const side of [-1, 1]) {
    const z = side * (depth / 2 + gap + 0.05);
    world.addBody({ shape: { box: [2, 2, 0.1] }, pose: [0, 0, z, ...UPRIGHT], fixed: true, friction: 0 });
  }
}

/** An arm of 0.2 m swings on a fixed pin in a hole that is 0.4 mm wider, from level, without friction. */
export function createPendulum({ timestep, ...others }: MechanismOptions): Mechanism {
  const world = new RigidWorld({ timestep, ...others });
  const hole = circle(0.0104, 24);
  const outline: Point[] = [
    [-0.02, -0.02],
    [0.2, -0.02],
    [0.2, 0.02],
    [-0.02, 0.02],
  ];
  world.addBody({ shape: extrude(0.1, circle(0.01, 24)), fixed: true, friction: 0 });
  addCovers(world, 0.03, 1e-3);
  const arm = world.addBody({ shape: extrude(0.03, outline, hole), friction: 0 });
  return { world, progress: () => angleOf(world, arm) };
}

/** One mesh of several shapes that do not touch, each moved by an offset. */
function join(...parts: readonly (readonly [CollisionShape, Vec3])[]): CollisionShape {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [shape, offset] of parts) {
    const { mesh } = shape.model!;
    const first = positions.length / 3;
    for (let i = 0; i < mesh.positions.length; i++) positions.push(mesh.positions[i] + offset[i % 3]);
    for (const index of mesh.indices) indices.push(first + index);
  }
  return CollisionShape.solid({ positions: Float64Array.from(positions), indices: Uint32Array.from(indices) });
}

/** A pin that circles about the origin at a distance, with another one beyond the covers that balances it. */
function crankPin(radius: number, sides: number, distance: number, depth: number): CollisionShape {
  const pin = extrude(depth, circle(radius, sides));
  return join([pin, [distance, 0, 0]], [pin, [-distance, 0, 1]]);
}

/** A rod from an eye at the origin to a round end above it, on a neck that is narrower. */
function rodOutline(length: number, end: number, neck: number): Point[] {
  const open = Math.asin(neck / end);
  const arc = Array.from({ length: 17 }, (_, i): Point => {
    const angle = -Math.PI / 2 + open + ((2 * Math.PI - 2 * open) * i) / 16;
    return [end * Math.cos(angle), length + end * Math.sin(angle)];
  });
  return [[-0.02, -0.02], [0.02, -0.02], [0.02, 0.02], [neck, 0.03], ...arc, [-neck, 0.03], [-0.02, 0.02]];
}

/** A head with a socket at its origin, open below by 100 degrees, that holds the round end of a rod. */
function headOutline(half: number, socket: number): Point[] {
  const from = (220 * Math.PI) / 180;
  const arc = Array.from({ length: 17 }, (_, i): Point => {
    const angle = from - ((from + (40 * Math.PI) / 180) * i) / 16;
    return [socket * Math.cos(angle), socket * Math.sin(angle)];
  });
  const low = arc[0][1];
  return [[-half, low], ...arc, [half, low], [half, 0.04], [-half, 0.04]];
}

/** A crank of 5 cm turns once a second and moves a head up and down between walls, by a rod whose round end is in a socket. */
export function createPiston({ timestep, ...others }: MechanismOptions): Mechanism {
  const world = new RigidWorld({ timestep, ...others });
  const [length, end, half] = [0.2, 0.012, 0.03];
  world.addBody({
    shape: crankPin(0.01, 20, 0.05, 0.03),
    moves: { angularVelocity: [0, 0, 2 * Math.PI] },
    friction: 0,
  });
  addCovers(world, 0.03, 5e-4);
  for (const side of [-1, 1]) {
    const pose = [side * (half + 3e-4 + 0.05), length, 0, ...UPRIGHT] as const;
    world.addBody({ shape: { box: [0.1, 0.16, 0.029] }, pose: [...pose], fixed: true, friction: 0 });
  }
  const lean = Math.asin(0.05 / length);
  const rod = extrude(0.029, rodOutline(length, end, 0.006), circle(0.0103, 20));
  world.addBody({ shape: rod, pose: [0.05, 0, 0, ...turned(lean)], friction: 0 });
  const top = length * Math.cos(lean);
  const head = world.addBody({
    shape: extrude(0.029, headOutline(half, end + 3e-4)),
    pose: [0, top, 0, ...UPRIGHT],
    friction: 0,
  });
  return { world, progress: () => world.poseOf(head)[1] - top };
}

/** Where the head of the piston is above its start after a time, by the triangle of crank and rod. */
export function pistonLift(time: number): number {
  const angle = 2 * Math.PI * time;
  const height = (x: number, y: number) => y + Math.sqrt(0.2 * 0.2 - x * x);
  return height(0.05 * Math.cos(angle), 0.05 * Math.sin(angle)) - height(0.05, 0);
}

/** A block slides down a guide of 30 degrees in a slot that is 0.2 mm wider on each side, without friction. */
export function createSlider({ timestep, ...others }: MechanismOptions): Mechanism {
  const angle = -Math.PI / 6;
  const gravity: Vec3 = [9.81 * Math.sin(-angle), -9.81 * Math.cos(angle), 0];
  const world = new RigidWorld({ timestep, gravity, ...others });
  const guide: Point[] = [
    [-0.06, -0.03],
    [0.06, -0.03],
    [0.06, 0.03],
    [0.02, 0.03],
    [0.02, 0.0202],
    [0.0402, 0.0202],
    [0.0402, -0.0202],
    [-0.0402, -0.0202],
    [-0.0402, 0.0202],
    [-0.02, 0.0202],
    [-0.02, 0.03],
    [-0.06, 0.03],
  ];
  // Outlines are drawn in x and y and extruded along z: a quarter turn about y lays z along x.
  const along = [0, Math.SQRT1_2, 0, Math.SQRT1_2] as const;
  world.addBody({ shape: extrude(4, guide), pose: [0, 0, 0, ...along], fixed: true, friction: 0 });
  const block: Point[] = [
    [-0.04, -0.02],
    [0.04, -0.02],
    [0.04, 0.02],
    [0.0198, 0.02],
    [0.0198, 0.05],
    [-0.0198, 0.05],
    [-0.0198, 0.02],
    [-0.04, 0.02],
  ];
  const body = world.addBody({ shape: extrude(0.1, block), pose: [-1.5, 0, 0, ...along], friction: 0 });
  const start = world.centerOf(body)[0];
  return { world, progress: () => world.centerOf(body)[0] - start };
}

/** The outline of a spur gear with straight teeth that leave play. */
function gear(teeth: number, radius: number, height: number): Point[] {
  const points: Point[] = [];
  for (let i = 0; i < teeth; i++) {
    const at = (2 * Math.PI * i) / teeth;
    const pitch = (2 * Math.PI) / teeth;
    for (const [share, r] of [
      [-0.29, radius - height],
      [-0.13, radius + 0.8 * height],
      [0.13, radius + 0.8 * height],
      [0.29, radius - height],
    ]) {
      const angle = at + share * pitch;
      points.push([r * Math.cos(angle), r * Math.sin(angle)]);
    }
  }
  return points;
}

/** A gear of 12 teeth that is turned by half a turn a second drives one of 24 teeth on a pin. */
export function createGears({ timestep, ...others }: MechanismOptions): Mechanism {
  const world = new RigidWorld({ timestep, ...others });
  const pin = circle(0.01, 20);
  const eye = circle(0.0103, 20);
  world.addBody({
    shape: extrude(0.02, gear(12, 0.05, 0.006)),
    pose: [-0.15, 0, 0, ...UPRIGHT],
    moves: { angularVelocity: [0, 0, Math.PI] },
    friction: 0.1,
  });
  world.addBody({ shape: extrude(0.06, pin), fixed: true, friction: 0.1 });
  addCovers(world, 0.02, 5e-4);
  const driven = world.addBody({
    shape: extrude(0.02, gear(24, 0.1, 0.006), eye),
    pose: [0, 0, 0, ...turned(Math.PI / 24)],
    friction: 0.1,
  });
  const start = angleOf(world, driven);
  return { world, progress: () => angleOf(world, driven) - start };
}

/** The wheel of a Geneva drive of four slots: round slots from the rim, and round hollows for the disc that locks it. */
function genevaWheel(radius: number, slot: number, depth: number, lock: number, away: number): Point[] {
  const points: Point[] = [];
  for (let i = 0; i < 4; i++) {
    const turn = (Math.PI / 2) * i;
    const push = (x: number, y: number) =>
      points.push([x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn)]);
    push(radius, -slot);
    push(radius - depth, -slot);
    push(radius - depth, slot);
    push(radius, slot);
    // The hollow around the middle of a driver at 45 degrees.
    const c = away * Math.SQRT1_2;
    const steps = 10;
    const half = Math.atan2(radius * Math.SQRT1_2, away - radius * Math.SQRT1_2);
    for (let k = 0; k <= steps; k++) {
      const angle = Math.PI / 4 + Math.PI + half * (1 - (2 * k) / steps) * 0.62;
      push(c + lock * Math.cos(angle), c + lock * Math.sin(angle));
    }
  }
  return points;
}

/** A pin on a disc turns a wheel of four slots by a quarter for each turn of its own. */
export function createGeneva({ timestep, ...others }: MechanismOptions): Mechanism {
  const world = new RigidWorld({ timestep, ...others });
  const [radius, crank, pinRadius] = [0.1, 0.1, 0.008];
  const away = radius * Math.SQRT2;
  const eye = circle(0.0103, 20);
  world.addBody({ shape: extrude(0.06, circle(0.01, 20)), fixed: true, friction: 0.05 });
  addCovers(world, 0.02, 5e-4);
  const wheel = world.addBody({
    shape: extrude(0.02, genevaWheel(radius, pinRadius + 2e-4, 0.068, 0.065, away), eye),
    pose: [0, 0, 0, ...turned(Math.PI / 4)],
    friction: 0.05,
  });
  const driver = crankPin(pinRadius, 12, crank, 0.018);
  const pose = [away, 0, 0, ...turned(Math.PI + 0.9)] as const;
  world.addBody({ shape: driver, pose: [...pose], moves: { angularVelocity: [0, 0, -Math.PI] }, friction: 0.05 });
  const start = angleOf(world, wheel);
  return { world, progress: () => angleOf(world, wheel) - start };
}

/** A hanging chain of square links, every other one turned by a quarter, whose last link is heavy. */
export function createChain({ timestep, ...others }: MechanismOptions, links = 10): Mechanism {
  const world = new RigidWorld({ timestep, ...others });
  const [half, bar] = [0.05, 0.01];
  const square = (r: number): Point[] => [
    [-r, -r],
    [r, -r],
    [r, r],
    [-r, r],
  ];
  const shape = extrude(2 * bar, square(half), square(half - 2 * bar));
  const pitch = 2 * half - 4 * bar - 2e-3;
  let last = 0;
  for (let i = 0; i < links; i++) {
    const turn = i % 2 === 0 ? UPRIGHT : ([0, Math.SQRT1_2, 0, Math.SQRT1_2] as const);
    const pose = [0, -pitch * i, 0, ...turn] as const;
    if (i === 0) world.addBody({ shape, pose: [...pose], fixed: true });
    else last = world.addBody({ shape, pose: [...pose], density: i === links - 1 ? 20_000 : 1000 });
  }
  const start = world.centerOf(last)[1];
  return { world, progress: () => start - world.centerOf(last)[1] };
}

/** A row of boxes along a wall, which a heavy one hits at 20 m/s. */
export function createRow({ timestep, ...others }: MechanismOptions, count = 80): Mechanism {
  const world = new RigidWorld({ timestep, gravity: [0, 0, 0], ...others });
  const pitch = 0.505;
  world.addBody({ shape: { box: [1, 2, 2] }, pose: [-0.76, 0, 0, ...UPRIGHT], fixed: true });
  for (let i = 0; i < count; i++) {
    world.addBody({ shape: { box: [0.5, 0.5, 0.5] }, pose: [pitch * i, 0, 0, ...UPRIGHT] });
  }
  const heavy = world.addBody({
    shape: { box: [1, 1, 1] },
    pose: [pitch * count + 0.3, 0, 0, ...UPRIGHT],
    density: 20_000,
    velocity: [-20, 0, 0],
  });
  return { world, progress: () => world.centerOf(heavy)[0] };
}

const PITCH = 0.05;

/** A solid between two heights whose side is a helix of triangular profile; with an outer radius a nut with that inside. */
function thread(radius: number, height: number, outer: number | null): Mesh {
  const around = 60;
  const perTurn = 10;
  const rows = Math.round((height / PITCH) * perTurn);
  const positions: number[] = [];
  const indices: number[] = [];
  const depth = 0.006;
  for (let j = 0; j <= rows; j++) {
    const y = -height / 2 + (height * j) / rows;
    for (let i = 0; i < around; i++) {
      const phase = y / PITCH - i / around;
      const share = phase - Math.floor(phase);
      const r = radius + depth * Math.abs(1 - 2 * share);
      const angle = (2 * Math.PI * i) / around;
      positions.push(r * Math.cos(angle), y, -r * Math.sin(angle));
    }
  }
  const at = (j: number, i: number) => j * around + (i % around);
  const quad = (a: number, b: number, c: number, d: number) => indices.push(a, b, c, a, c, d);
  const inward = outer !== null;
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < around; i++) {
      // The same diagonal in both, so that the gap is even.
      const [low, next, high, top] = [at(j, i), at(j, i + 1), at(j + 1, i + 1), at(j + 1, i)];
      if (inward) quad(low, top, high, next);
      else quad(low, next, high, top);
    }
  }
  if (outer === null) {
    for (const [j, up] of [
      [0, false],
      [rows, true],
    ] as const) {
      const center = positions.length / 3;
      positions.push(0, up ? height / 2 : -height / 2, 0);
      for (let i = 0; i < around; i++) {
        const [a, b] = [at(j, i), at(j, i + 1)];
        if (up) indices.push(center, a, b);
        else indices.push(center, b, a);
      }
    }
  } else {
    const first = positions.length / 3;
    for (const y of [-height / 2, height / 2]) {
      for (let i = 0; i < around; i++) {
        const angle = (2 * Math.PI * i) / around;
        positions.push(outer * Math.cos(angle), y, -outer * Math.sin(angle));
      }
    }
    const out = (up: number, i: number) => first + up * around + (i % around);
    for (let i = 0; i < around; i++) {
      quad(out(0, i), out(0, i + 1), out(1, i + 1), out(1, i));
      quad(at(rows, i), out(1, i), out(1, i + 1), at(rows, i + 1));
      quad(at(0, i), at(0, i + 1), out(0, i + 1), out(0, i));
    }
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** A bolt without friction turns down through a fixed nut that leaves 0.8 mm. */
export function createBolt({ timestep, ...others }: MechanismOptions): Mechanism {
  const world = new RigidWorld({ timestep, ...others });
  const nut = CollisionShape.solid(thread(0.0308, 0.04, 0.06));
  const bolt = CollisionShape.solid(thread(0.03, 0.12, null));
  world.addBody({ shape: nut, fixed: true, friction: 0 });
  const screw = world.addBody({ shape: bolt, friction: 0 });
  return { world, progress: () => -world.centerOf(screw)[1] };
}
