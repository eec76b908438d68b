import { describe, expect, test } from 'vitest';
import { featureVertices } from '../../../src/convex/closest/feature.js';
import { buildMinkowskiSum, type MinkowskiSum } from '../../../src/convex/minkowski/minkowski-sum.js';
import { createRandom } from '../../../src/core/random.js';
import { minkowskiBoundary } from '../../oracles/minkowski-sum.js';
import { makePair, rotationMatrix } from '../closest/convex-pairs.js';
import { IDENTITY, isRigid, makeCase, placementOf, type SumCase, sumOf } from './check-sum.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

function build({ setA, setB, placement }: SumCase, method: 'hull' | 'fans'): MinkowskiSum {
  return buildMinkowskiSum(setA, 0, setB, 0, placement, { method });
}

/** A closed surface of polygons, each edge once each way, of Euler characteriztic two. */
function checkSurface(sum: MinkowskiSum): void {
  const edges = new Set<string>();
  const facets = sum.facetStart.length - 1;
  for (let f = 0; f < facets; f++) {
    const loop = sum.facetVertices.subarray(sum.facetStart[f], sum.facetStart[f + 1]);
    expect(loop.length).toBeGreaterThan(2);
    loop.forEach((v, i) => {
      const key = `${v},${loop[(i + 1) % loop.length]}`;
      expect(edges.has(key), `edge ${key} twice`).toBe(false);
      edges.add(key);
    });
  }
  for (const key of edges) expect(edges.has(key.split(',').reverse().join()), `edge ${key} alone`).toBe(true);
  expect(sum.points.length / 3 - edges.size / 2 + facets).toBe(2);
}

/** Points come from their vertices, corners lie in their planes, the turn is outward, and the features' vertices are among the corners. */
function checkCorners({ setA, setB, p, q, size }: SumCase, sum: MinkowskiSum): void {
  for (let v = 0; v < sum.points.length / 3; v++) {
    for (let axis = 0; axis < 3; axis++) {
      const difference = p[3 * sum.vertexA[v] + axis] + q[3 * sum.vertexB[v] + axis];
      expect(Math.abs(sum.points[3 * v + axis] - difference)).toBeLessThanOrEqual(1e-15 * size);
    }
  }
  for (let f = 0; f < sum.facetStart.length - 1; f++) {
    const [x, y, z, c] = sum.planes.subarray(4 * f, 4 * f + 4);
    const loop = sum.facetVertices.subarray(sum.facetStart[f], sum.facetStart[f + 1]);
    const area = [0, 0, 0];
    const corner = (i: number): number[] => [
      ...sum.points.subarray(3 * loop[i % loop.length], 3 * loop[i % loop.length] + 3),
    ];
    for (let i = 0; i < loop.length; i++) {
      const [u, v, w] = corner(i);
      expect(Math.abs(u * x + v * y + w * z - c) / size).toBeLessThan(2e-13);
      const [o, s, t] = [corner(0), corner(i), corner(i + 1)];
      for (let k = 0; k < 3; k++) {
        const [m, n] = [(k + 1) % 3, (k + 2) % 3];
        area[k] += (s[m] - o[m]) * (t[n] - o[n]) - (s[n] - o[n]) * (t[m] - o[m]);
      }
    }
    expect(area[0] * x + area[1] * y + area[2] * z).toBeGreaterThan(0);
    const inA = new Set(Array.from(loop, (v) => sum.vertexA[v]));
    const inB = new Set(Array.from(loop, (v) => sum.vertexB[v]));
    const namedA = featureVertices(setA, 0, sum.featuresA[f]);
    const namedB = featureVertices(setB, 0, sum.featuresB[f]);
    expect(namedA.some((id) => inA.has(id)) && namedB.some((id) => inB.has(id))).toBe(true);
  }
}

const facetSizes = (sum: MinkowskiSum): number[] =>
  Array.from({ length: sum.facetStart.length - 1 }, (_, f) => sum.facetStart[f + 1] - sum.facetStart[f]).sort(
    (a, b) => a - b,
  );

describe('worked examples', () => {
  const tetrahedron = [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1];
  const cube = Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, i >> 2]).flat();

  for (const method of ['hull', 'fans'] as const) {
    test(`${method}: a tetrahedron with itself is a cuboctahedron`, () => {
      const made = makeCase(tetrahedron, tetrahedron, IDENTITY);
      const sum = build(made, method);
      checkSurface(sum);
      checkCorners(made, sum);
      expect(sum.points.length / 3).toBe(12);
      expect(facetSizes(sum)).toEqual([3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4]);
    });

    test(`${method}: cubes make a cube, turned by 45° about an axis an octagonal prism`, () => {
      const aligned = build(makeCase(cube, cube, IDENTITY), method);
      checkSurface(aligned);
      expect(facetSizes(aligned)).toEqual([4, 4, 4, 4, 4, 4]);
      const s = Math.SQRT1_2;
      const made = makeCase(cube, cube, placementOf([s, -s, 0, s, s, 0, 0, 0, 1], [0, 0, 0]));
      const prism = build(made, method);
      checkSurface(prism);
      checkCorners(made, prism);
      expect(facetSizes(prism)).toEqual([4, 4, 4, 4, 4, 4, 4, 4, 8, 8]);
    });

    test(`${method}: polygons in one plane make a polygon of two sides, segments across each other too`, () => {
      const square = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
      expect(facetSizes(build(makeCase(square, [0, 0, 0, 2, 1, 0, 1, 2, 0], IDENTITY), method))).toEqual([7, 7]);
      expect(facetSizes(build(makeCase([0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], IDENTITY), method))).toEqual([4, 4]);
      expect(facetSizes(build(makeCase([0, 0, 0, 1, 0, 0], [0, 0, 0], IDENTITY), method))).toEqual([]);
    });
  }

  test('a method or a node that there is not, and a placement that is none, are refused', () => {
    const { setA, setB } = makeCase(cube, cube, IDENTITY);
    for (const node of [1, -1, 0.5, Number.NaN]) {
      const refused = expect.objectContaining({ code: 'index-out-of-range' });
      expect(() => buildMinkowskiSum(setA, node, setB, 0, IDENTITY)).toThrow(refused);
      expect(() => buildMinkowskiSum(setA, 0, setB, node, IDENTITY)).toThrow(refused);
    }
    for (const placement of [IDENTITY.subarray(0, 11), new Float64Array(12).fill(Number.NaN)]) {
      expect(() => buildMinkowskiSum(setA, 0, setB, 0, placement)).toThrow(/12 finite numbers/);
    }
    expect(() => buildMinkowskiSum(setA, 0, setB, 0, IDENTITY, { method: 'other' as 'hull' })).toThrow(
      /'hull' or 'fans'/,
    );
  });
});

test('the two ways agree on points in general position, and with brute force', () => {
  const random = createRandom(8);
  for (let i = 0; i < 30 * SOAK; i++) {
    const cloud = (count: number): number[] => Array.from({ length: count }, () => random.direction()).flat();
    const small = i % 3 === 0;
    const made = makeCase(
      cloud(small ? 4 + random.integer(4) : 4 + random.integer(40)),
      cloud(small ? 4 + random.integer(4) : 4 + random.integer(40)),
      placementOf(rotationMatrix(random.rotation()), random.direction()),
    );
    const [hull, fans] = [build(made, 'hull'), build(made, 'fans')];
    for (const sum of [hull, fans]) {
      checkSurface(sum);
      checkCorners(made, sum);
    }
    const sums = sumOf(made);
    expect(facetSizes(hull)).toEqual(facetSizes(fans));
    // No plane twice, and none that is not a facet.
    expect(sums.facetCount).toBe(fans.facetStart.length - 1);
    const nameOf = (sum: MinkowskiSum, v: number): string => `${sum.vertexA[v]},${sum.vertexB[v]}`;
    const names = (sum: MinkowskiSum): string[] => Array.from(sum.vertexA, (_, v) => nameOf(sum, v)).sort();
    expect(names(hull)).toEqual(names(fans));
    const facetNames = (sum: MinkowskiSum): string[] =>
      facetSizes(sum)
        .map((_, f) =>
          Array.from(sum.facetVertices.subarray(sum.facetStart[f], sum.facetStart[f + 1]), (v) => nameOf(sum, v))
            .sort()
            .join('|'),
        )
        .sort();
    expect(facetNames(hull)).toEqual(facetNames(fans));
    if (small) {
      const faces = minkowskiBoundary(made.p, made.q).filter(
        ({ topsP, topsQ }) => topsP.length + topsQ.length >= 4 && topsP.length * topsQ.length > 2,
      );
      expect(faces).toHaveLength(facetSizes(fans).length);
    }
  }
});

test('seeded pairs of any kind: corners on their planes, whatever is degenerate', () => {
  const random = createRandom(31);
  let facets = 0;
  for (let i = 0; i < 60 * SOAK; i++) {
    const { pointsA, pointsB, placement } = makePair(random);
    if (pointsA.length > 60 || pointsB.length > 60 || !isRigid(placement)) continue;
    const made = makeCase(pointsA, pointsB, placement);
    for (const method of ['hull', 'fans'] as const) {
      const sum = build(made, method);
      checkCorners(made, sum);
      facets += facetSizes(sum).length;
    }
  }
  expect(facets).toBeGreaterThan(1000);
});
