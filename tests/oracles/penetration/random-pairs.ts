// Pairs of small solids that are not convex, at random: stars, polycubes, letters, frames, rings, hollow boxes, several parts,
// dented boxes; turned or along the axes, deep or shallow, one inside the other. The same pair for the same seed.
import { randomOf, randomPolycube } from './box-cases.js';
import { boxUnionSolid } from './box-union.js';
import {
  box,
  dentedBox,
  extrude,
  frame,
  join,
  move,
  octahedron,
  type Point,
  type Solid,
  scale,
  sphere,
  squareFrame,
  stellate,
  tetrahedron,
  torus,
  turnInsideOut,
} from './shapes.js';

/** A pose: x, y, z, then a unit quaternion x, y, z, w. */
type Placed = [number, number, number, number, number, number, number];

export interface RandomPair {
  readonly name: string;
  readonly a: Solid;
  readonly b: Solid;
  readonly poseA: Placed;
  readonly poseB: Placed;
}

/** How two solids are put together. 'grid': integers along the axes; 'copies': a solid and itself; 'inside': small in large. */
const LAYOUTS = ['turned', 'turned', 'turned', 'turned', 'grid', 'grid', 'copies', 'inside', 'upright', 'far'] as const;

type Random = () => number;

const LETTERS: readonly (readonly (readonly [number, number])[])[] = [
  // C, L, T, U, S, Z and a hook whose arms are not parallel.
  outline('0,0 6,0 6,2 2,2 2,6 6,6 6,8 0,8'),
  outline('0,0 6,0 6,2 2,2 2,8 0,8'),
  outline('2,0 4,0 4,6 6,6 6,8 0,8 0,6 2,6'),
  outline('0,0 8,0 8,8 6,8 6,2 2,2 2,8 0,8'),
  outline('0,0 6,0 6,5 2,5 2,7 6,7 6,9 0,9 0,3 4,3 4,2 0,2'),
  outline('0,0 7,0 7,2 3,2 7,6 7,8 0,8 0,6 4,6 0,2'),
  outline('0,0 9,1 8,3 3,3 5,8 3,9'),
];

function outline(text: string): [number, number][] {
  return text.split(' ').map((point) => point.split(',').map(Number) as [number, number]);
}

const cube = box([-1, -1, -1], [1, 1, 1]);

function star(random: Random): Solid {
  const { positions, indices } = sphere(1, 1 + Math.floor(2.4 * random()));
  const grown = positions.slice();
  for (let v = 0; v < grown.length; v += 3) {
    const reach = 0.3 + 0.7 * random();
    for (let k = 0; k < 3; k++) grown[v + k] *= reach;
  }
  return { positions: grown, indices };
}

const KINDS: readonly (readonly [name: string, make: (random: Random) => Solid])[] = [
  ['star', star],
  ['star', star],
  ['spikes', (random) => stellate(random() < 0.5 ? tetrahedron(1) : octahedron(1), 0.12 + 0.8 * random())],
  ['polycube', (random) => boxUnionSolid(randomPolycube(random))],
  ['polycube', (random) => boxUnionSolid(randomPolycube(random))],
  ['letter', (random) => extrude(LETTERS[Math.floor(LETTERS.length * random())], 0, 1 + Math.floor(4 * random()))],
  ['letter', (random) => extrude(LETTERS[Math.floor(LETTERS.length * random())], 0, 1 + Math.floor(4 * random()))],
  ['frame', (random) => squareFrame(1 + Math.floor(4 * random()), 6, 1 + Math.floor(3 * random()))],
  ['bent frame', bentFrame],
  ['ring', (random) => torus(1, 0.2 + 0.4 * random(), 5 + Math.floor(3 * random()), 3 + Math.floor(2 * random()))],
  ['hollow box', (random) => join(scale(cube, 6), turnInsideOut(scale(cube, 2 + Math.floor(4 * random()))))],
  ['hollow star', hollowStar],
  ['parts', (random) => join(move(star(random), 2, 0, 0), move(star(random), -1, 2, 0), move(cube, -1, -1, 2))],
  ['boxes', (random) => join(cube, move(cube, 3 + Math.floor(2 * random()), 1, 0), move(cube, 0, 4, 1))],
  ['dented box', (random) => dentedBox([-3, -3, -3], [3, 3, 3], -2 + Math.floor(8 * random()))],
  ['cube', () => cube],
];

function bentFrame(random: Random): Solid {
  const corners = 3 + Math.floor(3 * random());
  const ring = (reach: number): [number, number][] =>
    Array.from({ length: corners }, (_, i) => {
      const angle = (2 * Math.PI * i) / corners;
      const r = reach * (0.85 + 0.3 * random());
      return [r * Math.cos(angle), r * Math.sin(angle)];
    });
  return frame(ring(0.4), ring(1), -0.2, 0.1 + 0.4 * random());
}

function hollowStar(random: Random): Solid {
  const outer = star(random);
  return join(outer, turnInsideOut(scale(outer, 0.4 + 0.4 * random())), scale(outer, 0.25));
}

/** Around the origin with a diagonal of `size`. */
function center(solid: Solid, size: number): Solid {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  solid.positions.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3], value);
    high[i % 3] = Math.max(high[i % 3], value);
  });
  const [x, y, z] = low.map((value, k) => -(value + high[k]) / 2);
  return scale(move(solid, x, y, z), size / Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]));
}

export function randomQuaternion(random: Random): [number, number, number, number] {
  for (;;) {
    const [x, y, z, w] = [0, 1, 2, 3].map(() => 2 * random() - 1);
    const length = Math.hypot(x, y, z, w);
    if (length > 0.1 && length < 1) return [x / length, y / length, z / length, w / length];
  }
}

export function randomDirection(random: Random): Point {
  for (;;) {
    const [x, y, z] = [0, 1, 2].map(() => 2 * random() - 1);
    const length = Math.hypot(x, y, z);
    if (length > 0.1 && length < 1) return [x / length, y / length, z / length];
  }
}

/** The pair of a seed. Some three of five overlap. */
export function randomPair(seed: number): RandomPair {
  const random = randomOf(Math.imul(seed, 0x9e3779b1));
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(choices.length * random())];
  const layout = pick(LAYOUTS);
  const [nameA, makeA] = pick(KINDS);
  const [nameB, makeB] = pick(KINDS);
  const name = `${seed}: ${nameA} and ${layout === 'copies' ? 'itself' : nameB}, ${layout}`;
  const still = [0, 0, 0, 1] as const;
  if (layout === 'grid') {
    const a = makeA(random);
    const b = makeB(random);
    const [x, y, z] = [0, 1, 2].map(() => Math.round(7 * (random() - 0.4)));
    return { name, a, b, poseA: [0, 0, 0, ...still], poseB: [x, y, z, ...still] };
  }
  const a = center(makeA(random), 1);
  const b = layout === 'copies' ? a : center(makeB(random), layout === 'inside' ? 0.05 + 0.15 * random() : pick(SIZES));
  const way = randomDirection(random);
  const away = (layout === 'inside' ? 0.3 : 0.7) * random();
  const base = layout === 'far' ? [1024, -512, 2048] : [0, 0, 0];
  const turnA = layout === 'upright' || layout === 'copies' ? still : randomQuaternion(random);
  const turnB = layout === 'upright' || (layout === 'copies' && random() < 0.5) ? still : randomQuaternion(random);
  const [x, y, z] = base.map((value, k) => value + away * way[k]);
  return { name, a, b, poseA: [base[0], base[1], base[2], ...turnA], poseB: [x, y, z, ...turnB] };
}

/** Diagonals of B, those of A being 1. */
const SIZES = [1, 1, 0.5, 0.3, 2];
