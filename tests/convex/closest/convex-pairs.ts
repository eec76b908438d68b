// Seeded pairs of convex polyhedra that are hard for closest-feature searches. Sizes are small so that brute force can
// compute the distance of every pair; about half of the pairs intersect.
import type { Random } from '../../../src/core/random.js';

/** Points of the two shapes in their own frames, and where B is in A's frame (row-major 3 × 4). */
export interface ConvexPair {
  family: string;
  pointsA: number[];
  pointsB: number[];
  placement: Float64Array;
}

type Cloud = number[];

const pick = <T>(random: Random, items: readonly T[]): T => items[random.integer(items.length)];
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

function sphere(random: Random, count: number, size = 1): Cloud {
  return times(count, () => random.direction().map((x) => size * x)).flat();
}

function ball(random: Random, count: number): Cloud {
  return times(count, () => {
    const radius = random.next() ** (1 / 3);
    return random.direction().map((x) => radius * x);
  }).flat();
}

function box(x: number, y: number, z: number): Cloud {
  return times(8, (i) => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]).flat();
}

function prism(random: Random, sides: number, height: number): Cloud {
  const turn = random.next();
  return times(sides, (i) => {
    const angle = (2 * Math.PI * (i + turn)) / sides;
    return [Math.cos(angle), Math.sin(angle), -height, Math.cos(angle), Math.sin(angle), height];
  }).flat();
}

function needle(random: Random): Cloud {
  const thin = 10 ** -random.range(2, 6);
  return times(6, () => [random.range(-1, 1), thin * random.range(-1, 1), thin * random.range(-1, 1)]).flat();
}

/** A polygon in a plane exactly: whole multiples of two whole vectors. */
function flat(random: Random): Cloud {
  const [u, v] = times(2, () => times(3, () => (random.integer(9) - 4) / 8));
  return times(3 + random.integer(6), () => [random.integer(9) - 4, random.integer(9) - 4]).flatMap(([i, j]) =>
    u.map((x, axis) => (i * x + j * v[axis]) / 4),
  );
}

function segment(random: Random): Cloud {
  return random.next() < 0.2 ? random.direction() : [...random.direction(), ...random.direction()];
}

function grid(random: Random): Cloud {
  return times(3 * (4 + random.integer(8)), () => (random.integer(5) - 2) / 2);
}

function crumbs(random: Random): Cloud {
  const points = sphere(random, 8);
  // Clusters of vertices as near as 1e-7 of the size.
  return times(16, (i) => points.slice(3 * (i % 8), 3 * (i % 8) + 3).map((x) => x + 1e-7 * random.range(-1, 1))).flat();
}

function anyCloud(random: Random): Cloud {
  const kind = random.integer(12);
  if (kind < 4) return sphere(random, 4 + random.integer(9));
  if (kind === 4) return sphere(random, random.next() < 0.1 ? 60 : 20);
  if (kind === 5) return ball(random, 8 + random.integer(20));
  if (kind === 6) return box(random.range(0.1, 1), random.range(0.1, 1), random.range(0.1, 1));
  if (kind === 7) return prism(random, 3 + random.integer(6), random.range(0.01, 1));
  if (kind === 8) return needle(random);
  if (kind === 9) return flat(random);
  if (kind === 10) return grid(random);
  return random.next() < 0.5 ? crumbs(random) : segment(random);
}

export function rotationMatrix([x, y, z, w]: readonly number[]): number[] {
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * w),
    2 * (x * z + y * w),
    2 * (x * y + z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * w),
    2 * (x * z - y * w),
    2 * (y * z + x * w),
    1 - 2 * (x * x + y * y),
  ];
}

function place(r: readonly number[], t: readonly number[]): Float64Array {
  return Float64Array.of(r[0], r[1], r[2], t[0], r[3], r[4], r[5], t[1], r[6], r[7], r[8], t[2]);
}

/** The 24 turns of a cube about its axes: exact in floating point. */
function cubeTurn(random: Random): number[] {
  const axes = random.shuffle([0, 1, 2]);
  const signs = times(3, () => pick(random, [-1, 1]));
  const matrix = new Array(9).fill(0);
  axes.forEach((axis, row) => {
    matrix[3 * row + axis] = signs[row];
  });
  const determinant =
    matrix[0] * (matrix[4] * matrix[8] - matrix[5] * matrix[7]) -
    matrix[1] * (matrix[3] * matrix[8] - matrix[5] * matrix[6]) +
    matrix[2] * (matrix[3] * matrix[7] - matrix[4] * matrix[6]);
  return determinant < 0 ? matrix.map((x) => -x) : matrix;
}

/** How far a cloud reaches along a direction. */
function reach(points: Cloud, d: readonly number[]): number {
  let most = -Infinity;
  for (let i = 0; i < points.length; i += 3) {
    most = Math.max(most, points[i] * d[0] + points[i + 1] * d[1] + points[i + 2] * d[2]);
  }
  return most;
}

function turned(points: Cloud, r: readonly number[]): Cloud {
  const result: Cloud = [];
  for (let i = 0; i < points.length; i += 3) {
    for (let row = 0; row < 3; row++) {
      result.push(r[3 * row] * points[i] + r[3 * row + 1] * points[i + 1] + r[3 * row + 2] * points[i + 2]);
    }
  }
  return result;
}

const families: { name: string; weight: number; make(random: Random): Omit<ConvexPair, 'family'> }[] = [
  {
    name: 'anything, near each other',
    weight: 6,
    make: (random) => {
      const pointsA = anyCloud(random);
      const pointsB = anyCloud(random);
      const r = rotationMatrix(random.rotation());
      const d = random.direction();
      const apart =
        reach(pointsA, d) +
        reach(
          turned(pointsB, r),
          d.map((x) => -x),
        );
      const factor = random.range(0, 1.3);
      return {
        pointsA,
        pointsB,
        placement: place(
          r,
          d.map((x) => x * factor * apart),
        ),
      };
    },
  },
  {
    name: 'gaps and overlaps down to rounding',
    weight: 2,
    make: (random) => {
      const pointsA = anyCloud(random);
      const pointsB = anyCloud(random);
      const r = rotationMatrix(random.rotation());
      const d = random.direction();
      const apart =
        reach(pointsA, d) +
        reach(
          turned(pointsB, r),
          d.map((x) => -x),
        );
      // Vertices meet, then move apart or together by a little.
      const top = extreme(pointsA, d);
      const b = turned(pointsB, r);
      const bottom = extreme(
        b,
        d.map((x) => -x),
      );
      const gap = pick(random, [-1, 1]) * 10 ** -random.range(1, 15) * Math.max(1e-3, Math.abs(apart));
      return {
        pointsA,
        pointsB,
        placement: place(
          r,
          d.map((x, i) => top[i] - bottom[i] + gap * x),
        ),
      };
    },
  },
  {
    name: 'whole numbers: parallel, touching, coincident',
    weight: 3,
    make: (random) => {
      const cloud = (): Cloud =>
        random.next() < 0.5 ? grid(random) : pick(random, [box(1, 1, 1), box(0.5, 1, 2), box(0.25, 0.25, 2)]);
      const t = times(3, () => (random.integer(13) - 6) / 2);
      return { pointsA: cloud(), pointsB: cloud(), placement: place(cubeTurn(random), t) };
    },
  },
  {
    name: 'the same shape twice',
    weight: 1,
    make: (random) => {
      const pointsA = anyCloud(random);
      const t = pick(random, [
        [0, 0, 0],
        [0.5, 0, 0],
        [0, 2, 0],
        [0, 0, 1e-9],
        random.direction(),
        random.direction().map((x) => 2 * x),
      ]);
      return { pointsA, pointsB: pointsA.slice(), placement: place([1, 0, 0, 0, 1, 0, 0, 0, 1], t) };
    },
  },
  {
    name: 'one inside the other',
    weight: 1,
    make: (random) => {
      const pointsA = anyCloud(random);
      const shrink = random.range(0.01, 0.6);
      const pointsB = anyCloud(random).map((x) => x * shrink);
      const t = random.direction().map((x) => x * random.next() * (random.next() < 0.5 ? 0.4 : 2));
      const pair = { pointsA, pointsB, placement: place(rotationMatrix(random.rotation()), t) };
      return random.next() < 0.5 ? pair : swap(pair);
    },
  },
  {
    name: 'prisms with parallel faces',
    weight: 2,
    make: (random) => {
      const pointsA = prism(random, 3 + random.integer(8), random.range(0.01, 1));
      const pointsB = prism(random, 3 + random.integer(8), random.range(0.01, 1));
      const tilt = pick(random, [0, 0, 1e-15, 1e-12, 1e-9, 1e-6]);
      const spin = random.range(0, 2 * Math.PI);
      const r = rotationMatrix([tilt, 0, Math.sin(spin / 2), Math.cos(spin / 2)]);
      const t = [random.range(-1, 1), random.range(-1, 1), random.range(-2, 2)];
      return { pointsA, pointsB, placement: place(r, t) };
    },
  },
];

function extreme(points: Cloud, d: readonly number[]): number[] {
  let best = 0;
  for (let i = 3; i < points.length; i += 3) {
    const height = (k: number): number => points[k] * d[0] + points[k + 1] * d[1] + points[k + 2] * d[2];
    if (height(i) > height(best)) best = i;
  }
  return points.slice(best, best + 3);
}

function swap({ pointsA, pointsB, placement: m }: Omit<ConvexPair, 'family'>): Omit<ConvexPair, 'family'> {
  const r = [m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]];
  const t = [0, 1, 2].map((i) => -(r[3 * i] * m[3] + r[3 * i + 1] * m[7] + r[3 * i + 2] * m[11]));
  return { pointsA: pointsB, pointsB: pointsA, placement: place(r, t) };
}

const wheel = families.flatMap((family) => new Array<(typeof families)[number]>(family.weight).fill(family));

/** The next pair: any family, sometimes at another scale, sometimes far from the origin of A's frame. */
export function makePair(random: Random): ConvexPair {
  const family = pick(random, wheel);
  const pair = family.make(random);
  const scale = random.next() < 0.2 ? pick(random, [1e-6, 1e6]) : 1;
  const placement = pair.placement.slice();
  for (const i of [3, 7, 11]) placement[i] *= scale;
  const scaled = (points: Cloud): Cloud => (scale === 1 ? points : points.map((x) => x * scale));
  return { family: family.name, pointsA: scaled(pair.pointsA), pointsB: scaled(pair.pointsB), placement };
}

/** The pair a little later: B moved by halves of the scale, by a small turn, or by next to nothing. */
export function movePair(random: Random, placement: Float64Array, scale: number): Float64Array {
  const moved = placement.slice();
  const kind = random.integer(3);
  if (kind === 0) for (const i of [3, 7, 11]) moved[i] += ((random.integer(3) - 1) * scale) / 2;
  if (kind === 1) {
    const turn = random.direction().map((x) => 0.05 * x);
    const r = rotationMatrix([...turn, Math.sqrt(1 - 0.05 * 0.05)]);
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        moved[4 * row + column] = 0;
        for (let k = 0; k < 3; k++) moved[4 * row + column] += r[3 * row + k] * placement[4 * k + column];
      }
    }
  }
  if (kind === 2) for (const i of [3, 7, 11]) moved[i] += scale * 1e-7 * random.range(-1, 1);
  return moved;
}
