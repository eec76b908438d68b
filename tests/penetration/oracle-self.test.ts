// The oracles of penetration depth checked against each other, before the library is checked against them.
import { describe, expect, test } from 'vitest';
import { grateLarge, grateSmall } from '../../src/models/objects/grates.js';
import { measureByBruteForce, prepareOracle, windingByRay } from '../oracles/mesh-distance.js';
import { boxCases, randomBoxCase, randomOf } from '../oracles/penetration/box-cases.js';
import {
  boxUnionSolid,
  type IntegerBox,
  isClosedManifold,
  measureBoxUnions,
} from '../oracles/penetration/box-union.js';
import { cgalCases } from '../oracles/penetration/cgal/cases.js';
import { measureBoxPair, measureConvexPair } from '../oracles/penetration/convex-depth.js';
import { grateBoxes } from '../oracles/penetration/grate-boxes.js';
import { ballsOf, torusMeshError } from '../oracles/penetration/round-depth.js';
import { box, move, type Solid, sphere, torus } from '../oracles/penetration/shapes.js';
import { readCgalPairs } from './cgal-pairs.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** Whether A moved by t has a point in common with B. */
function meet(a: readonly IntegerBox[], b: readonly IntegerBox[], t: readonly number[]): boolean {
  return a.some((p) => b.some((q) => [0, 1, 2].every((k) => p[k] + t[k] <= q[k + 3] && q[k] <= p[k + 3] + t[k])));
}

describe('coordinate compression', () => {
  /** All translations by whole numbers, of which one is next to a half-way translation at which nothing meets. */
  function measureByLattice(a: readonly IntegerBox[], b: readonly IntegerBox[], reach: number): number {
    let best = Infinity;
    for (let x = -reach; x <= reach; x++) {
      for (let y = -reach; y <= reach; y++) {
        for (let z = -reach; z <= reach; z++) {
          const square = x * x + y * y + z * z;
          if (square >= best) continue;
          for (let corner = 0; corner < 8; corner++) {
            const t = [x, y, z].map((value, k) => value + ((corner >> k) & 1) - 0.5);
            if (!meet(a, b, t)) best = square;
          }
        }
      }
    }
    return Math.sqrt(best);
  }

  test('finds what a search over all whole translations finds', () => {
    let deep = 0;
    const count = 12 * SOAK;
    for (let seed = 1; seed <= count; seed++) {
      const { a, b } = randomBoxCase(seed);
      const { depth } = measureBoxUnions(a, b);
      expect(measureByLattice(a, b, 18), `seed ${seed}`).toBe(depth);
      if (depth > 0) deep++;
    }
    expect(deep / count).toBeGreaterThan(0.3);
    expect(deep / count).toBeLessThan(0.7);
  });

  test('separates at its vector and not just before', () => {
    const random = randomOf(5);
    for (const { name, a, b } of boxCases) {
      const { depth, vectors } = measureBoxUnions(a, b);
      for (const vector of vectors.slice(0, 6)) {
        expect(Math.hypot(...vector), name).toBeCloseTo(depth, 12);
        if (depth === 0) continue;
        const inward = vector.map((value) => 0.999 * value + 1e-7 * (random() - 0.5));
        expect(meet(a, b, inward), name).toBe(true);
        const near = Array.from({ length: 8 }, (_, i) =>
          vector.map((value, k) => value + ((i >> k) & 1) * 1e-3 - 5e-4),
        );
        expect(
          near.every((t) => meet(a, b, t)),
          name,
        ).toBe(false);
      }
    }
  });

  test('knows C and I, zero clearance, cavities and containment by hand', () => {
    const depthOf = (name: string) => {
      const { a, b } = boxCases.find((entry) => entry.name === name)!;
      return measureBoxUnions(a, b).depth;
    };
    expect(depthOf('I in the mouth of C')).toBe(0);
    expect(depthOf('I through the back of C')).toBe(3);
    expect(depthOf('I through the back of C, nearer to the outside')).toBe(1);
    expect(depthOf('I in an arm of C')).toBe(2);
    expect(depthOf('I as tall as the mouth of C')).toBe(10);
    expect(depthOf('box that fills a cavity')).toBe(32);
    expect(depthOf('box free in a cavity')).toBe(0);
    expect(depthOf('box in the wall of a cavity, nearer to the inside')).toBe(3);
    expect(depthOf('box in the wall of a cavity, nearer to the outside')).toBe(5);
    expect(depthOf('box in the corner of a cavity')).toBe(Math.sqrt(2 ** 2 + 3 ** 2 + 4 ** 2));
    expect(depthOf('small box deep inside a large one')).toBe(13);
    expect(depthOf('touching within a cavity')).toBe(0);
  });

  test('makes closed manifolds of the boxes', () => {
    for (const { name, a, b } of boxCases) {
      for (const boxes of [a, b]) {
        const solid = boxUnionSolid(boxes);
        expect(isClosedManifold(solid), name).toBe(true);
        expect(volumeOf(solid), name).toBeGreaterThan(0);
      }
    }
  });

  test('has the grates of the catalogue as boxes', () => {
    for (const [model, { boxes, unit }] of [
      [grateSmall, grateBoxes.small],
      [grateLarge, grateBoxes.large],
    ] as const) {
      const mesh = model.build();
      const solid = boxUnionSolid(boxes);
      expect(mesh.indices.length / 3).toBe(model === grateSmall ? 444 : 1134);
      expect(volumeOf(solid) * unit ** 3).toBeCloseTo(volumeOf(mesh as Solid), 12);
      const corners = new Set<string>();
      for (let i = 0; i < solid.positions.length; i += 3) corners.add(solid.positions.subarray(i, i + 3).join());
      let found = 0;
      for (let i = 0; i < mesh.positions.length; i += 3) {
        const at = [0, 1, 2].map((k) => mesh.positions[i + k] / unit);
        if (corners.has(at.map((value) => Math.round(value) + 0).join())) found++;
        for (const value of at) expect(Math.abs(2 * value - Math.round(2 * value))).toBeLessThan(1e-12);
      }
      expect(found).toBe(corners.size);
    }
  });
});

describe('supporting planes of convex pairs', () => {
  test('agree with separating axes of turned boxes', () => {
    const random = randomOf(7);
    for (let i = 0; i < 20; i++) {
      const axes = [rotation(random), rotation(random)];
      const halves = [0, 1].map(() => [0, 1, 2].map(() => 0.2 + random()));
      const offset = [0, 1, 2].map(() => 1.6 * (random() - 0.5));
      const [a, b] = [0, 1].map((which) => cornersOf(halves[which], axes[which], which ? offset : [0, 0, 0]));
      const expected = measureBoxPair(halves[0], axes[0], halves[1], axes[1], offset);
      expect(measureConvexPair(a, b).depth).toBeCloseTo(expected, 12);
    }
  });

  test('agree with coordinate compression of single boxes', () => {
    const random = randomOf(8);
    for (let i = 0; i < 20; i++) {
      const [p, q] = [0, 1].map(() => {
        const low = [0, 1, 2].map(() => Math.floor(8 * random()));
        return [...low, ...low.map((value) => value + 1 + Math.floor(6 * random()))] as unknown as IntegerBox;
      });
      const [a, b] = [p, q].map((c) => box([c[0], c[1], c[2]], [c[3], c[4], c[5]]).positions);
      expect(measureConvexPair(a, b).depth).toBeCloseTo(measureBoxUnions([p], [q]).depth, 12);
    }
  });
});

describe('round shapes', () => {
  test('lie between their balls and tori', () => {
    const { inner, outer } = ballsOf(sphere(2, 6));
    expect(outer).toBeCloseTo(2, 14);
    expect(inner).toBeGreaterThan(1.9);
    const error = torusMeshError(3, 1, 24, 12);
    expect(error).toBeLessThan(0.15);
    const { positions, indices } = torus(3, 1, 24, 12);
    let worst = 0;
    for (let i = 0; i < indices.length; i += 3) {
      for (let u = 0; u <= 6; u++) {
        for (let v = 0; u + v <= 6; v++) {
          const [x, y, z] = [0, 1, 2].map(
            (k) =>
              ((6 - u - v) * positions[3 * indices[i] + k] +
                u * positions[3 * indices[i + 1] + k] +
                v * positions[3 * indices[i + 2] + k]) /
              6,
          );
          worst = Math.max(worst, Math.abs(Math.hypot(Math.hypot(x, y) - 3, z) - 1));
        }
      }
    }
    expect(worst).toBeLessThanOrEqual(error);
    expect(worst).toBeGreaterThan(error / 4);
  });
});

describe('exact sums from CGAL', () => {
  const pairs = readCgalPairs();

  test('are there for every case, at least forty of them overlapping', () => {
    expect(pairs.map(({ name }) => name)).toEqual(cgalCases.map(({ name }) => name));
    for (const [i, { a, b }] of cgalCases.entries()) {
      expect([pairs[i].a, pairs[i].b]).toEqual([a, b]);
    }
    expect(pairs.filter(({ state }) => state === 'deep').length).toBeGreaterThanOrEqual(40);
    expect(pairs.filter(({ state }) => state === 'apart').length).toBeGreaterThanOrEqual(3);
    expect(pairs.filter(({ state }) => state === 'touching').length).toBeGreaterThanOrEqual(2);
  });

  test('are no more than the depth of the hulls, and often much less', () => {
    let shallower = 0;
    for (const { name, a, b, depth } of pairs) {
      const hulls = measureConvexPair(a.positions, b.positions).depth;
      expect(depth, name).toBeLessThanOrEqual(hulls * (1 + 1e-12));
      if (depth > 0 && depth < 0.9 * hulls) shallower++;
    }
    expect(shallower).toBeGreaterThanOrEqual(25);
  });

  test('agree with coordinate compression where both can tell', () => {
    let compared = 0;
    for (const { name, a, b, depth } of pairs) {
      const [p, q] = [toBoxes(a), toBoxes(b)];
      if (p === null || q === null) continue;
      compared++;
      expect(volumeOf(boxUnionSolid(p)) / 64, name).toBeCloseTo(volumeOf(a), 9);
      expect(volumeOf(boxUnionSolid(q)) / 64, name).toBeCloseTo(volumeOf(b), 9);
      expect(measureBoxUnions(p, q).depth / 4, name).toBeCloseTo(depth, 12);
    }
    expect(compared).toBeGreaterThanOrEqual(20);
  });

  test('separate the meshes just beyond the nearest point, and not just before', () => {
    for (const { name, a, b, state, nearest, depth } of pairs) {
      const oracleB = prepareOracle(b.positions, b.indices);
      const meetsAt = ([x, y, z]: readonly number[]) => {
        const moved = move(a, x, y, z);
        return measureByBruteForce(prepareOracle(moved.positions, moved.indices), oracleB).intersects;
      };
      expect(meetsAt([0, 0, 0]), name).toBe(state !== 'apart');
      if (state !== 'deep') continue;
      for (const point of nearest.slice(0, 2)) {
        expect(Math.hypot(...point), name).toBeCloseTo(depth, 12);
        expect(meetsAt(point.map((value) => 0.999 * value)), name).toBe(true);
        const around = Array.from({ length: 26 }, (_, i) => {
          const cell = i < 13 ? i : i + 1;
          return point.map((value, k) => value + 1e-4 * depth * ((Math.floor(cell / 3 ** k) % 3) - 1));
        });
        expect(around.every(meetsAt), name).toBe(false);
      }
    }
  });
});

/** The cells within a solid whose faces are all upright on the axes, in quarters; null for any other solid. */
function toBoxes({ positions, indices }: Solid): IntegerBox[] | null {
  for (let i = 0; i < indices.length; i += 3) {
    const isFlat = [0, 1, 2].some((k) => {
      const [u, v, w] = [0, 1, 2].map((c) => positions[3 * indices[i + c] + k]);
      return u === v && v === w;
    });
    if (!isFlat) return null;
  }
  const axes = [0, 1, 2].map((k) =>
    [...new Set(Array.from(indices, (v) => positions[3 * v + k]))].sort((u, v) => u - v),
  );
  const boxes: IntegerBox[] = [];
  for (let x = 1; x < axes[0].length; x++) {
    for (let y = 1; y < axes[1].length; y++) {
      for (let z = 1; z < axes[2].length; z++) {
        const low = [axes[0][x - 1], axes[1][y - 1], axes[2][z - 1]];
        const high = [axes[0][x], axes[1][y], axes[2][z]];
        // Off the middle, where diagonals of the faces do not pass.
        const [px, py, pz] = [0.5, 0.4375, 0.40625].map((share, k) => low[k] + share * (high[k] - low[k]));
        if (windingByRay(positions, indices, px, py, pz) === 0) continue;
        boxes.push([...low, ...high].map((value) => 4 * value) as unknown as IntegerBox);
      }
    }
  }
  return boxes;
}

function volumeOf({ positions, indices }: { positions: ArrayLike<number>; indices: ArrayLike<number> }): number {
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [u, v, w] = [0, 1, 2].map((c) => [0, 1, 2].map((k) => positions[3 * indices[i + c] + k]));
    sum += u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
  }
  return sum / 6;
}

/** Three unit vectors at right angles. */
function rotation(random: () => number): number[][] {
  const q = [0, 1, 2, 3].map(() => random() - 0.5);
  const length = Math.hypot(...q);
  const [x, y, z, w] = q.map((value) => value / length);
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
}

function cornersOf(half: readonly number[], axes: readonly (readonly number[])[], center: readonly number[]): number[] {
  const points: number[] = [];
  for (let i = 0; i < 8; i++) {
    for (let k = 0; k < 3; k++) {
      let value = center[k];
      for (let axis = 0; axis < 3; axis++) value += ((i >> axis) & 1 ? 1 : -1) * half[axis] * axes[axis][k];
      points.push(value);
    }
  }
  return points;
}
