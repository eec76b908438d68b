// Seeded point sets that are hard for hulls: few points each, so that brute force can check them.
import { createRandom, type Random } from '../../../src/core/random.js';

export interface PointSetFamily {
  name: string;
  /** Products of coordinates underflow: the predicates that tests take from their package are not exact here. */
  underflows?: boolean;
  make(random: Random): number[];
}

const pick = <T>(random: Random, items: readonly T[]): T => items[random.integer(items.length)];
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const bump = (value: number, ulps: number): number => {
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  bits[0] += BigInt(ulps);
  return new Float64Array(bits.buffer)[0];
};
const count = (random: Random, low = 4, high = 11): number => low + random.integer(high - low + 1);

/** Random whole coordinates from a small grid: full of coplanar, collinear and equal points. */
function grid(random: Random, size: number, points = count(random)): number[] {
  return times(3 * points, () => random.integer(size));
}

export const families: PointSetFamily[] = [
  { name: 'grid of 2', make: (random) => grid(random, 2, count(random, 1, 12)) },
  { name: 'grid of 3', make: (random) => grid(random, 3, count(random, 1, 14)) },
  { name: 'grid of 5', make: (random) => grid(random, 5, count(random, 4, 14)) },
  { name: 'grid of 60', make: (random) => grid(random, 60) },
  {
    name: 'grid too wide for floating point to be exact',
    make: (random) => grid(random, 4, count(random, 4, 12)).map((value) => value * 1000003),
  },
  {
    name: 'grid, every point several times',
    make: (random) => {
      const points = grid(random, 3, 5);
      return times(12, () => random.integer(5)).flatMap((i) => points.slice(3 * i, 3 * i + 3));
    },
  },
  {
    name: 'cube with points on its faces and edges',
    make: (random) =>
      times(count(random, 6, 14), () => pick(random, [0, 1, 2, 4])).flatMap((x) =>
        random.shuffle([x, pick(random, [0, 4]), pick(random, [0, 2, 4])]),
      ),
  },
  {
    name: 'cospherical whole numbers',
    make: (random) =>
      times(count(random), () => {
        const [x, y, z] = random.shuffle([
          ...pick(random, [
            [9, 0, 0],
            [8, 4, 1],
            [7, 4, 4],
            [6, 6, 3],
          ]),
        ]);
        return [x, y, z].map((value) => value * pick(random, [-1, 1]));
      }).flat(),
  },
  {
    name: 'in a plane, exactly',
    make: (random) => {
      const unit = pick(random, [1, 1000003]);
      const [u, v, o] = times(3, () => times(3, () => unit * (random.integer(7) - 3)));
      return times(count(random, 3, 11), () => [random.integer(5), random.integer(5)]).flatMap(([i, j]) =>
        o.map((value, axis) => value + i * u[axis] + j * v[axis]),
      );
    },
  },
  {
    name: 'in a plane but for a unit, in whole numbers of 19 bits',
    make: (random) => {
      const [u, v] = times(2, () => times(3, () => random.integer(2 ** 16)));
      return times(count(random, 4, 10), () => [random.integer(4), random.integer(4)]).flatMap(([i, j]) =>
        [0, 1, 2].map((axis) => i * u[axis] + j * v[axis] + (random.next() < 0.1 ? 1 : 0)),
      );
    },
  },
  {
    name: 'grid so small that cubes underflow',
    underflows: true,
    make: (random) => grid(random, 4).map((value) => value * 2 ** -380),
  },
  {
    name: 'on a line, exactly or but for one',
    make: (random) => {
      const direction = times(3, () => random.integer(7) - 3);
      const points = times(count(random, 1, 8), () => random.integer(9) - 4).flatMap((t) =>
        direction.map((d) => t * d),
      );
      return random.next() < 0.5 ? points : [...points, ...times(3, () => random.integer(3))];
    },
  },
  {
    name: 'in a plane but for an ulp',
    make: (random) => {
      const [a, b, c] = times(3, () => random.range(-1, 1));
      return times(count(random, 4, 10), () => {
        const [x, y] = [random.integer(4) / 3, random.integer(4) / 7];
        return [x, y, bump(a * x + b * y + c, random.integer(3) - 1)];
      }).flat();
    },
  },
  {
    name: 'on a line but for an ulp',
    make: (random) => {
      const direction = times(3, () => random.range(0.1, 1));
      return times(count(random, 4, 9), () => random.range(-1, 1)).flatMap((t) =>
        direction.map((d) => bump(t * d, random.integer(3) - 1)),
      );
    },
  },
  {
    name: 'grid, turned by floating point',
    make: (random) => {
      const [x, y, z, w] = random.rotation();
      const turn = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
      ];
      return times(count(random, 4, 10), () => times(3, () => random.integer(3))).flatMap((p) =>
        turn.map((row) => row[0] * p[0] + row[1] * p[1] + row[2] * p[2]),
      );
    },
  },
  {
    name: 'ball at some scale and offset',
    make: (random) => {
      const scale = pick(random, [1e-9, 1e-3, 1, 1e9]);
      const offset = pick(random, [0, 0, 1, 1e3, 1e9]) * scale;
      return times(count(random, 4, 10), () =>
        random.direction().map((value) => offset + scale * value * random.next()),
      ).flat();
    },
  },
  { name: 'sphere', make: (random) => times(count(random, 4, 10), () => random.direction()).flat() },
  {
    name: 'tiny beside huge offset',
    make: (random) => {
      const offset = pick(random, [2 ** 40, -(2 ** 33), 1e9]);
      const unit = pick(random, [2 ** -12, 2 ** -18]);
      return times(3 * count(random, 4, 10), () => offset + unit * random.integer(4));
    },
  },
  {
    name: 'very thin',
    make: (random) =>
      times(count(random, 4, 10), () => [random.next(), random.next(), random.range(-1, 1) * 1e-18]).flat(),
  },
  {
    name: 'where products underflow',
    underflows: true,
    make: (random) =>
      times(
        3 * count(random, 4, 8),
        () => pick(random, [0, 5e-324, 1e-310, -3e-200, 2 ** -400, 1]) * random.integer(3),
      ),
  },
  {
    name: 'where products are largest',
    make: (random) =>
      times(3 * count(random, 4, 8), () => (random.integer(5) - 2) * 4e49 + (random.integer(3) - 1) * 1e30),
  },
];

/** Point sets of one family, the same every time. */
export function* pointSets(name: string, count: number): Generator<{ seed: number; points: Float64Array }> {
  const index = families.findIndex((family) => family.name === name);
  for (let i = 0; i < count; i++) {
    const seed = 100003 * (index + 1) + i;
    yield { seed, points: Float64Array.from(families[index].make(createRandom(seed))) };
  }
}
