// Pairs of models with poses, for judging proximity queries: every procedural model, reduced where its parameters let
// it, and shapes made to be awkward; near contact, overlapping, apart, one in the other, linked, touching exactly,
// coincident. A configuration depends on its seed alone.
import type { Pose } from '../../src/core/pose.js';
import { createRandom, type Random } from '../../src/core/random.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { models } from '../../src/models/catalogue.js';
import {
  measureByBruteForce,
  type OracleMesh,
  placeInFrame,
  prepareOracle,
  windingByRay,
} from '../oracles/mesh-distance.js';
import { boxMesh, join, mapPoints, mesh, openCube, reversed, sheet, voxelSolid } from './surfaces.js';

export interface NamedMesh {
  readonly name: string;
  readonly mesh: Mesh;
  readonly oracle: OracleMesh;
}

export interface Configuration {
  readonly kind: ConfigurationKind;
  readonly a: NamedMesh;
  readonly b: NamedMesh;
  readonly poseA: Pose;
  readonly poseB: Pose;
  /** Diagonal of the larger model's box. */
  readonly size: number;
}

export type ConfigurationKind = keyof typeof SHARES;

/** How often each kind comes, of 100. */
const SHARES = {
  near: 34,
  overlapping: 15,
  apart: 8,
  contained: 10,
  linked: 4,
  touching: 18,
  coincident: 3,
  scaled: 8,
};

/** Parameters that make the procedural models small; those without entry are small already. */
const REDUCED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  sphere: { segments: 9, rings: 6 },
  icosphere: { subdivisions: 2 },
  capsule: { segments: 8, rings: 2 },
  cone: { segments: 9, bands: 2 },
  cylinder: { segments: 10, bands: 2, capRings: 1 },
  torus: { majorSegments: 12, minorSegments: 7 },
  'wrinkled-torus': { majorSegments: 16, minorSegments: 6, wrinkles: 4 },
  'bent-torus': { majorSegments: 14, minorSegments: 6 },
  'spiral-peg': { turns: 2, segments: 20, sides: 5 },
  cup: { segments: 24, wallBands: 16, handleBands: 10 },
  'grate-large': { columns: 3, rows: 3 },
  funnel: { segments: 9, coneBands: 2, spoutBands: 1 },
  apple: { segments: 9, rings: 7 },
  snake: { waves: 1, sections: 24, sides: 6 },
  'teeth-lower': { triangles: 10000 },
  'teeth-upper': { triangles: 10000 },
  head: { triangles: 8000 },
  bunny: { triangles: 5000 },
  dragon: { triangles: 30000 },
};

/** More triangles than this, and a model is taken once in a while, against a small one. */
const LARGE = 2000;

function name(title: string, shape: Mesh): NamedMesh {
  return { name: title, mesh: shape, oracle: prepareOracle(shape.positions, shape.indices) };
}

function scaled(shape: Mesh, factor: number): Mesh {
  return { positions: shape.positions.map((x) => x * factor), indices: shape.indices };
}

/**
 * The models that configurations are drawn from. `large` false leaves out those of many thousand triangles, `clean` true
 * those whose faces cross each other or have no area, which have no convex decomposition.
 */
export class ModelPool {
  readonly procedural: readonly NamedMesh[];
  readonly large: readonly NamedMesh[];
  readonly awkward: readonly NamedMesh[];
  /** Coordinates are multiples of 1/8: placed on that lattice they touch exactly. */
  readonly lattice: readonly NamedMesh[];
  readonly specks: readonly NamedMesh[];
  readonly #byFactor = new Map<string, NamedMesh>();

  constructor(options: { large: boolean; clean?: boolean }) {
    const all = models
      .filter(({ name: title }) => options.large || !LARGE_NAMES.has(title))
      .map((model) => name(model.name, model.build(REDUCED[model.name] ?? {})));
    this.procedural = all.filter(({ mesh: { indices } }) => indices.length <= 3 * LARGE);
    this.large = all.filter(({ mesh: { indices } }) => indices.length > 3 * LARGE);
    const box = boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]);
    this.lattice = [
      name('lattice box', box),
      name('lattice plate', boxMesh([-1, -1, -0.125], [1, 1, 0.125])),
      name('lattice rod', boxMesh([-1, -0.125, -0.125], [1, 0.125, 0.125])),
      name('lattice cavity', join(boxMesh([-2, -2, -2], [2, 2, 2]), reversed(boxMesh([-1, -1, -1], [1, 1, 1])))),
      name(
        'lattice pair',
        join(
          box,
          mapPoints(box, ([x, y, z]) => [x + 2, y, z]),
        ),
      ),
      name('lattice octahedron', octahedron()),
      name(
        'lattice steps',
        scaled(
          voxelSolid(3, (x, y, z) => x + y + z < 4),
          0.5,
        ),
      ),
      name(
        'lattice frame',
        scaled(
          voxelSolid(3, (x, y) => x !== 1 || y !== 1),
          0.5,
        ),
      ),
      name('lattice sheet', flatSheet(4)),
      name('lattice open cube', openCube()),
      name(
        'lattice triangle',
        mesh(
          [
            [0, 0, 0],
            [1, 0, 0.5],
            [0.25, 1, 0.75],
          ],
          [[0, 1, 2]],
        ),
      ),
    ];
    this.awkward = [
      ...this.lattice,
      name('wavy sheet', scaled(sheet(6), 0.2)),
      name(
        'sheet and box',
        join(
          flatSheet(3),
          mapPoints(box, ([x, y, z]) => [x, y, z + 2]),
        ),
      ),
      name('three parts', threeParts(box)),
      name('shell in shell', shellInShell()),
      ...(options.clean
        ? []
        : [name('degenerate faces', withDegenerateFaces(box)), name('soup', soup(40)), name('needles', needles(24))]),
    ];
    this.specks = [
      name('speck box', scaled(box, 0.01)),
      name('speck octahedron', scaled(octahedron(), 0.015)),
      name(
        'speck triangle',
        scaled(
          mesh(
            [
              [0, 0, 0],
              [1, 0, 0],
              [0, 1, 1],
            ],
            [[0, 1, 2]],
          ),
          0.01,
        ),
      ),
      name('speck sheet', scaled(flatSheet(2), 0.005)),
    ];
  }

  /** Every model that may come up unscaled. */
  get all(): NamedMesh[] {
    return [...this.procedural, ...this.large, ...this.awkward, ...this.specks];
  }

  /** The model made larger by a factor; the same object each time. */
  scaled(model: NamedMesh, factor: number): NamedMesh {
    const title = `${model.name} × ${factor}`;
    let found = this.#byFactor.get(title);
    if (found === undefined) {
      found = name(title, scaled(model.mesh, factor));
      this.#byFactor.set(title, found);
    }
    return found;
  }

  /** Any model, a large one once in forty; the partner of a large one is small. */
  pickPair(random: Random): [NamedMesh, NamedMesh] {
    const pick = (list: readonly NamedMesh[]) => list[random.integer(list.length)];
    const any = () => pick(random.next() < 0.75 ? this.procedural : this.awkward);
    if (this.large.length > 0 && random.next() < 0.025) {
      const pair: [NamedMesh, NamedMesh] = [pick(this.large), pick(this.awkward)];
      // Brought to the partner's size, else one of them would always be a speck.
      pair[1] = this.scaled(pair[1], 2 ** Math.round(Math.log2(pair[0].oracle.size / pair[1].oracle.size)));
      return random.next() < 0.5 ? pair : [pair[1], pair[0]];
    }
    return [any(), any()];
  }
}

const LARGE_NAMES = new Set(['teeth-lower', 'teeth-upper', 'head', 'bunny', 'dragon']);

function octahedron(): Mesh {
  const r = 0.5;
  const points = [
    [r, 0, 0],
    [-r, 0, 0],
    [0, r, 0],
    [0, -r, 0],
    [0, 0, r],
    [0, 0, -r],
  ];
  const faces = [];
  for (const x of [0, 1]) {
    for (const y of [2, 3]) {
      for (const z of [4, 5]) faces.push((x + y + z) % 2 === 0 ? [x, y, z] : [y, x, z]);
    }
  }
  return mesh(points, faces);
}

function flatSheet(n: number): Mesh {
  const flat = sheet(n);
  return { positions: flat.positions.map((value, i) => (i % 3 === 2 ? 0 : value / 2)), indices: flat.indices };
}

/** A face without area along an edge, one at a point, one of a vertex twice: what files bring. */
function withDegenerateFaces(base: Mesh): Mesh {
  const { positions, indices } = base;
  const middle = [0, 1, 2].map((k) => (positions[k] + positions[3 + k]) / 2);
  return {
    positions: Float64Array.from([...positions, ...middle, ...middle]),
    indices: Uint32Array.from([...indices, 0, 1, 8, 8, 9, 8, 3, 3, 7, 8, 9, 0]),
  };
}

function soup(count: number): Mesh {
  const random = createRandom(77);
  const positions: number[] = [];
  for (let i = 0; i < count; i++) {
    const center = [0, 1, 2].map(() => random.range(-0.5, 0.5));
    for (let k = 0; k < 9; k++) positions.push(center[k % 3] + random.range(-0.2, 0.2));
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from({ length: 3 * count }, (_, i) => i) };
}

function needles(count: number): Mesh {
  const random = createRandom(78);
  const positions: number[] = [];
  for (let i = 0; i < count; i++) {
    const [from, to] = [0, 1].map(() => [0, 1, 2].map(() => random.range(-0.5, 0.5)));
    positions.push(...from, ...to, ...to.map((x) => x + 1e-7 * random.range(-1, 1)));
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from({ length: 3 * count }, (_, i) => i) };
}

function threeParts(box: Mesh): Mesh {
  const part = (x: number, y: number, z: number, s: number) =>
    mapPoints(box, ([u, v, w]) => [s * u + x, s * v + y, s * w + z]);
  return join(part(0, 0, 0, 1), part(1.5, 0.3, 0.1, 0.5), part(-0.2, 1.4, 0.7, 0.3));
}

/** A solid in the cavity of another, and a part beside them. */
function shellInShell(): Mesh {
  const cube = (half: number) => boxMesh([-half, -half, -half], [half, half, half]);
  return join(cube(1), reversed(cube(0.75)), cube(0.25), boxMesh([2, 0, 0], [2.5, 1, 1]));
}

/** The configuration of a seed. */
export function createConfiguration(pool: ModelPool, seed: number): Configuration {
  const random = createRandom(seed);
  let draw = random.next() * 100;
  let kind: ConfigurationKind = 'near';
  for (const [candidate, share] of Object.entries(SHARES) as [ConfigurationKind, number][]) {
    kind = candidate;
    draw -= share;
    if (draw < 0) break;
  }
  const { a, b, poseA, poseB } = MAKERS[kind](pool, random);
  return { kind, a, b, poseA, poseB, size: Math.max(a.oracle.size, b.oracle.size) };
}

/** Two given models near each other, overlapping or apart. */
export function createPlacement(a: NamedMesh, b: NamedMesh, seed: number): Configuration {
  const random = createRandom(seed);
  const kind = (['near', 'near', 'overlapping', 'apart'] as const)[random.integer(4)];
  const { poseA, poseB } =
    kind === 'near'
      ? bringNear([a, b], random)
      : placeBeside(a, b, random, (a.oracle.size + b.oracle.size) * (kind === 'apart' ? 1.5 : 0.15) * random.next());
  return { kind, a, b, poseA, poseB, size: Math.max(a.oracle.size, b.oracle.size) };
}

type Placed = Pick<Configuration, 'a' | 'b' | 'poseA' | 'poseB'>;

const MAKERS: Record<ConfigurationKind, (pool: ModelPool, random: Random) => Placed> = {
  near: (pool, random) => bringNear(pool.pickPair(random), random),
  overlapping: (pool, random) => {
    const [a, b] = pool.pickPair(random);
    const reach = 0.3 * Math.min(a.oracle.size, b.oracle.size) + 0.1 * Math.max(a.oracle.size, b.oracle.size);
    return placeBeside(a, b, random, reach * random.next());
  },
  apart: (pool, random) => {
    const [a, b] = pool.pickPair(random);
    return placeBeside(a, b, random, (a.oracle.size + b.oracle.size) * random.range(0.6, 4));
  },
  contained: contain,
  linked: (pool, random) => {
    const rings = pool.procedural.filter(({ name: title }) => /torus|letter-o|frame/.test(title));
    const [a, b] = [rings[random.integer(rings.length)], rings[random.integer(rings.length)]];
    const quarter = rotationAbout([1, 0, 0], Math.PI / 2 + random.range(-0.2, 0.2));
    const poseA = randomPose(random, a.oracle.size);
    const shift = 0.36 + random.range(-0.05, 0.05);
    return { a, b, poseA, poseB: compose(poseA, [shift, random.range(-0.05, 0.05), 0, ...quarter]) };
  },
  touching: placeOnLattice,
  coincident: (pool, random) => {
    const list = random.next() < 0.5 ? pool.procedural : pool.lattice;
    const a = list[random.integer(list.length)];
    // Copies of open surfaces coincide exactly only where nothing is rounded.
    const pose = a.oracle.closed ? randomPose(random, a.oracle.size) : latticePose(random);
    return { a, b: a, poseA: pose, poseB: [...pose] };
  },
  scaled: (pool, random) => {
    const [a, b] = pool.pickPair(random);
    const pick = random.integer(4);
    const factor = pick % 2 === 0 ? 1e6 : 1e-6;
    const pair: [NamedMesh, NamedMesh] = [
      pool.scaled(a, factor),
      pick < 2 ? pool.scaled(b, factor) : pool.scaled(b, factor === 1e6 ? 1e3 : 1e-3),
    ];
    return bringNear(pair, random);
  },
};

function randomRotation(random: Random): [number, number, number, number] {
  for (;;) {
    const q = [0, 1, 2, 3].map(() => random.range(-1, 1));
    const length = Math.hypot(...q);
    if (length > 0.1 && length < 1) return q.map((x) => x / length) as [number, number, number, number];
  }
}

function rotationAbout(axis: readonly number[], angle: number): [number, number, number, number] {
  const s = Math.sin(angle / 2);
  return [s * axis[0], s * axis[1], s * axis[2], Math.cos(angle / 2)];
}

/** Mostly any rotation, sometimes none or a half turn: then the faces of boxes and letters are parallel. */
function randomPose(random: Random, size: number): Pose {
  const q = random.next() < 0.75 ? randomRotation(random) : HALF_TURNS[random.integer(4)];
  return [size * random.range(-1, 1), size * random.range(-1, 1), size * random.range(-1, 1), ...q];
}

const HALF_TURNS: readonly (readonly [number, number, number, number])[] = [
  [0, 0, 0, 1],
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
];

function latticePose(random: Random): Pose {
  const step = () => (random.integer(33) - 16) / 8;
  return [step(), step(), step(), ...HALF_TURNS[random.integer(4)]];
}

function rotate(q: ArrayLike<number>, offset: number, v: readonly number[]): number[] {
  const [x, y, z, w] = [q[offset], q[offset + 1], q[offset + 2], q[offset + 3]];
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1],
    v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}

/** `local` seen from the frame that `outer` places. */
function compose(outer: Pose, local: readonly number[]): Pose {
  const t = rotate(outer, 3, local.slice(0, 3));
  const [a, b, c, d] = outer.slice(3);
  const [x, y, z, w] = local.slice(3);
  const q = [d * x + a * w + b * z - c * y, d * y + b * w + c * x - a * z, d * z + c * w + a * y - b * x];
  return [t[0] + outer[0], t[1] + outer[1], t[2] + outer[2], q[0], q[1], q[2], d * w - a * x - b * y - c * z];
}

function centerOf({ oracle: { positions, indices } }: NamedMesh): number[] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const v of indices) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], positions[3 * v + k]);
      high[k] = Math.max(high[k], positions[3 * v + k]);
    }
  }
  return low.map((x, k) => (x + high[k]) / 2);
}

/** The centers of the boxes this far from each other. */
function placeBeside(a: NamedMesh, b: NamedMesh, random: Random, far: number): Placed {
  const poseA = randomPose(random, a.oracle.size);
  const poseB = randomPose(random, 0);
  if (random.next() < 0.3) poseA.splice(3, 4, ...poseB.slice(3));
  const [p, q] = [rotate(poseA, 3, centerOf(a)), rotate(poseB, 3, centerOf(b))];
  const direction = rotate(randomRotation(random), 0, [1, 0, 0]);
  for (let k = 0; k < 3; k++) poseB[k] = poseA[k] + p[k] - q[k] + far * direction[k];
  return { a, b, poseA, poseB };
}

/** Moved along the shortest way until a small gap is left, or a small overlap. */
function bringNear([a, b]: [NamedMesh, NamedMesh], random: Random): Placed {
  const far = random.range(0.2, 0.7) * (a.oracle.size + b.oracle.size);
  const placed = placeBeside(a, b, random, far);
  const { poseA, poseB } = placed;
  const gap = 10 ** random.range(-9, -1) * Math.min(a.oracle.size, b.oracle.size) * (random.next() < 0.65 ? 1 : -1);
  const start = measureByBruteForce(a.oracle, b.oracle, placeInFrame(b.oracle.positions, poseA, poseB));
  if (start.intersects || !(start.distance > 0)) return placed;
  const way = rotate(
    poseA,
    3,
    start.pointA.map((x, k) => x - start.pointB[k]),
  );
  for (let k = 0; k < 3; k++) poseB[k] += (way[k] / start.distance) * (start.distance - gap);
  return placed;
}

/** A small model somewhere in the box of a larger one: in its solid, its cavity, its shell, or beside its walls. */
function contain(pool: ModelPool, random: Random): Placed {
  const pick = (list: readonly NamedMesh[]) => list[random.integer(list.length)];
  const large = random.next() < 0.6 ? pick(pool.procedural) : pick(pool.awkward);
  const small = pool.scaled(pick(pool.specks), 2 ** Math.round(Math.log2(large.oracle.size)));
  const { positions, indices, closed } = large.oracle;
  const wantInside = closed && random.next() < 0.8;
  const center = centerOf(large);
  let at = center;
  for (let attempt = 0; attempt < 30; attempt++) {
    const v = 3 * indices[random.integer(indices.length)];
    const t = random.next();
    at = center.map((x, k) => x + t * (positions[v + k] - x) + 0.1 * large.oracle.size * random.range(-1, 1));
    if (!wantInside || windingByRay(positions, indices, at[0], at[1], at[2]) >= 1) break;
  }
  const poseLarge = randomPose(random, large.oracle.size);
  const poseSmall = compose(poseLarge, [at[0], at[1], at[2], ...randomRotation(random)]);
  return random.next() < 0.5
    ? { a: large, b: small, poseA: poseLarge, poseB: poseSmall }
    : { a: small, b: large, poseA: poseSmall, poseB: poseLarge };
}

/** On a lattice nothing is rounded, so that corners, edges and faces touch exactly, or miss by a whole step. */
function placeOnLattice(pool: ModelPool, random: Random): Placed {
  const pick = () => pool.lattice[random.integer(pool.lattice.length)];
  const [a, b] = [pick(), pick()];
  const [poseA, poseB] = [latticePose(random), latticePose(random)];
  // A corner of B goes to a corner of A, sometimes moved on by a step or two along an axis.
  const corner = ({ mesh: { positions } }: NamedMesh, pose: Pose) => {
    const v = 3 * random.integer(positions.length / 3);
    return rotate(pose, 3, [positions[v], positions[v + 1], positions[v + 2]]);
  };
  const [p, q] = [corner(a, poseA), corner(b, poseB)];
  for (let k = 0; k < 3; k++) poseB[k] = poseA[k] + p[k] - q[k];
  if (random.next() < 0.8) poseB[random.integer(3)] += (random.integer(33) - 16) / 8;
  return { a, b, poseA, poseB };
}
