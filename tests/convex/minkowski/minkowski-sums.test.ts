import { describe, expect, test } from 'vitest';
import { type ConvexSet, createConvexSetOf } from '../../../src/convex/closest/convex-set.js';
import { EDGE, FACE, featureKind, VERTEX } from '../../../src/convex/closest/feature.js';
import { findFacePlanes } from '../../../src/convex/hull/face-planes.js';
import { buildHull } from '../../../src/convex/hull/hull.js';
import { MinkowskiSums } from '../../../src/convex/minkowski/minkowski-sums.js';
import { createRandom, type Random } from '../../../src/core/random.js';
import { decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import { buildHierarchy } from '../../../src/decomposition/hierarchy/build-hierarchy.js';
import { findModel } from '../../../src/models/catalogue.js';
import { findTops } from '../../oracles/minkowski-sum.js';
import { makePair, rotationMatrix } from '../closest/convex-pairs.js';
import {
  checkComplete,
  checkSupport,
  depthOf,
  IDENTITY,
  isRigid,
  makeCase,
  movePoints,
  placementOf,
  type SumCase,
  sizeOf,
  sumOf,
} from './check-sum.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

const times = (count: number, make: (i: number) => number[]): number[] =>
  Array.from({ length: count }, (_, i) => make(i)).flat();
const box = (x: number, y: number, z: number): number[] =>
  times(8, (i) => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]);
const sphere = (random: Random, count: number): number[] => times(count, () => [...random.direction()]);
const square = (size: number): number[] => [-size, -size, 0, size, -size, 0, size, size, 0, -size, size, 0];
/** Whole points of the sphere of radius 9: cospherical, with facets of many corners. */
const cospherical = times(48, (i) => {
  const [a, b, c] = [
    [8, 4, 1],
    [4, 8, 1],
    [7, 4, 4],
    [4, 4, 7],
    [6, 6, 3],
    [3, 6, 6],
  ][i >> 3];
  return [i & 1 ? a : -a, i & 2 ? b : -b, i & 4 ? c : -c];
});

function distinctPlanes(sums: MinkowskiSums): number[][] {
  const found: number[][] = [];
  for (let f = 0; f < sums.facetCount; f++) {
    const plane = [...sums.planes.subarray(4 * f, 4 * f + 4)];
    if (!found.some((other) => other.every((x, i) => Math.abs(x - plane[i]) < 1e-14))) found.push(plane);
  }
  return found;
}

describe('worked examples', () => {
  test('two boxes: a box of the sum of their sizes around the difference of their centers', () => {
    const sums = sumOf(
      makeCase(box(1, 2, 3), box(0.5, 0.25, 0.125), placementOf([1, 0, 0, 0, 1, 0, 0, 0, 1], [10, 0, 0])),
    );
    const planes = distinctPlanes(sums).sort((u, v) => u[3] - v[3]);
    expect(planes).toHaveLength(6);
    expect(planes.map((plane) => plane[3])).toEqual([-8.5, 2.25, 2.25, 3.125, 3.125, 11.5]);
    // One plane a facet of each box: parallel edges give none.
    expect(sums.facetCount).toBe(12);
    expect([...sums.spheres.subarray(0, 3)]).toEqual([10, 0, 0]);
  });

  test('a tetrahedron with itself, turned about: 4 + 4 faces and 6 parallelograms, the cuboctahedron', () => {
    const corners = [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1];
    const sums = sumOf(makeCase(corners, corners, IDENTITY));
    const planes = distinctPlanes(sums);
    expect(planes).toHaveLength(14);
    expect(planes.filter((plane) => Math.abs(plane[3] - 2) < 1e-14)).toHaveLength(6);
    expect(planes.filter((plane) => Math.abs(plane[3] - 4 / Math.sqrt(3)) < 1e-14)).toHaveLength(8);
    // (vertex, face), (face, vertex) four times each, (edge, edge) six times.
    const kinds = [...sums.featuresA.subarray(0, sums.facetCount)].map((code, f) => [
      featureKind(code),
      featureKind(sums.featuresB[f]),
    ]);
    const countKind = (a: number, b: number): number => kinds.filter(([i, j]) => i === a && j === b).length;
    expect([countKind(VERTEX, FACE), countKind(FACE, VERTEX), countKind(EDGE, EDGE)]).toEqual([4, 4, 6]);
    expect(sums.facetCount).toBe(14);
  });

  test('a point moves a polyhedron and nothing else', () => {
    const sums = sumOf(makeCase([5, 6, 7], box(1, 1, 1), IDENTITY));
    expect(sums.facetCount).toBe(6);
    for (let f = 0; f < 6; f++) {
      const [x, y, z, c] = sums.planes.subarray(4 * f, 4 * f + 4);
      expect(c).toBe(1 - (5 * x + 6 * y + 7 * z));
    }
  });

  test('arrays grow, clear keeps what is known of the nodes', () => {
    const { setA, setB } = makeCase(sphere(createRandom(1), 20), sphere(createRandom(2), 20), IDENTITY);
    const sums = new MinkowskiSums();
    for (let round = 0; round < 2; round++) {
      sums.clear();
      expect([sums.count, sums.facetCount]).toEqual([0, 0]);
      for (let i = 0; i < 200; i++) {
        expect(sums.add(setA, 0, setB, 0, placementOf([1, 0, 0, 0, 1, 0, 0, 0, 1], [i, 0, 0]))).toBe(i);
      }
    }
    expect(sums.count).toBe(200);
    expect(sums.planeStart[200]).toBe(sums.facetCount);
    const fresh = new MinkowskiSums();
    fresh.add(setA, 0, setB, 0, placementOf([1, 0, 0, 0, 1, 0, 0, 0, 1], [150, 0, 0]));
    expect(sums.planes.slice(4 * sums.planeStart[150], 4 * sums.planeStart[151])).toEqual(
      fresh.planes.slice(0, 4 * fresh.facetCount),
    );
    expect([...sums.spheres.subarray(600, 604)]).toEqual([...fresh.spheres.subarray(0, 4)]);
  });
});

test('vertices within edges and faces: a walk along the surface must not end at them', () => {
  const set = subdividedBox(4);
  expect(set.nodeVertices.length).toBe(98);
  const random = createRandom(6);
  for (const rotation of [[1, 0, 0, 0, 1, 0, 0, 0, 1], rotationMatrix(random.rotation())]) {
    const sums = new MinkowskiSums();
    const placement = placementOf(rotation, [0.3, 0.2, 0.1]);
    sums.add(set, 0, set, 0, placement);
    const plain = sumOf(makeCase(box(1, 1, 1), box(1, 1, 1), placement));
    expect(distinctPlanes(sums)).toHaveLength(distinctPlanes(plain).length);
    expect(sums.facetCount).toBe(plain.facetCount);
    for (let i = 0; i < 50; i++) {
      const point = random.direction();
      expect(depthOf(sums, point)).toBeCloseTo(depthOf(plain, point), 14);
    }
  }
});

/** The cube from −1 to 1 with each side cut into a count of squares along each edge, nothing merged. */
function subdividedBox(count: number): ConvexSet {
  const ids = new Map<string, number>();
  const positions: number[] = [];
  const idOf = (point: number[]): number => {
    const key = point.join();
    if (!ids.has(key)) {
      ids.set(key, positions.length / 3);
      positions.push(...point);
    }
    return ids.get(key)!;
  };
  const triangles: number[] = [];
  for (let side = 0; side < 6; side++) {
    const corner = (i: number, j: number): number => {
      const [u, v, w] = [(2 * i) / count - 1, (2 * j) / count - 1, side < 3 ? 1 : -1];
      const point = [0, 0, 0];
      point[side % 3] = w;
      point[(side + (side < 3 ? 1 : 2)) % 3] = u;
      point[(side + (side < 3 ? 2 : 1)) % 3] = v;
      return idOf(point);
    };
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count; j++) {
        const [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        triangles.push(a, b, c, a, c, d);
      }
    }
  }
  const end = (h: number): number => triangles[h % 3 === 2 ? h - 2 : h + 1];
  const halfEdges = new Map(triangles.map((from, h) => [`${from},${end(h)}`, h]));
  const points = Float64Array.from(positions);
  const faceVertices = Uint32Array.from(triangles);
  return createConvexSetOf({
    mesh: { positions: points, indices: faceVertices },
    faceStart: Uint32Array.of(0, triangles.length / 3),
    nodeFaces: Uint32Array.from({ length: triangles.length / 3 }, (_, i) => i),
    faceVertices,
    facePlanes: findFacePlanes(points, faceVertices),
    twins: Uint32Array.from(triangles, (from, h) => halfEdges.get(`${end(h)},${from}`)!),
    vertexStart: Uint32Array.of(0, points.length / 3),
    nodeVertices: Uint32Array.from({ length: points.length / 3 }, (_, i) => i),
    vertexHalfEdges: Uint32Array.from({ length: points.length / 3 }, (_, i) => triangles.indexOf(i)),
    flatNodes: Uint8Array.of(0),
  });
}

test('the planes of seeded pairs are those of brute force', () => {
  const random = createRandom(5);
  let [checked, meet, facets, boundary] = [0, 0, 0, 0];
  while (checked < 100 * SOAK) {
    const { pointsA, pointsB, placement } = makePair(random);
    if (pointsA.length > 36 || pointsB.length > 36 || !isRigid(placement)) continue;
    const made = makeCase(pointsA, pointsB, placement);
    const sums = sumOf(made);
    checkSupport(made, sums);
    boundary += checkComplete(made, sums);
    facets += sums.facetCount;
    checked++;
    if (depthOf(sums, [0, 0, 0]) >= 0) meet++;
  }
  expect(meet / checked).toBeGreaterThan(0.3);
  expect(meet / checked).toBeLessThan(0.7);
  expect(boundary).toBeGreaterThan(10 * checked);
  // Supporting planes that are no facets are few.
  expect(facets).toBeLessThan(1.2 * boundary);
});

describe('shapes that arcs go wrong on', () => {
  const random = createRandom(9);
  const turn = (angle: number): number[] => [
    Math.cos(angle),
    -Math.sin(angle),
    0,
    Math.sin(angle),
    Math.cos(angle),
    0,
    0,
    0,
    1,
  ];
  const anyTurn = rotationMatrix(random.rotation());
  const plate = box(1, 1, 1e-9);
  const needle = box(1e-8, 1e-8, 1);
  const small = sphere(random, 7);
  const triangle = [0, 0, 0, 1, 0, 0, 0.2, 0.7, 0];
  const cases: [string, number[], number[], number[]][] = [
    ['a box with itself', box(1, 1, 1), box(1, 1, 1), [1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['a box and its half, turned in a shared plane', box(1, 1, 1), box(0.5, 0.5, 1), turn(0.3)],
    ['boxes parallel but for rounding', box(1, 0.7, 0.3), box(0.1, 0.2, 0.9), rotationMatrix([1e-16, 2e-16, 0, 1])],
    ['boxes parallel but for 1e-12', box(1, 0.7, 0.3), box(0.1, 0.2, 0.9), rotationMatrix([1e-12, 2e-12, 3e-13, 1])],
    ['boxes parallel but for 1e-8', box(1, 0.7, 0.3), box(0.1, 0.2, 0.9), rotationMatrix([1e-8, -2e-8, 3e-8, 1])],
    ['a polyhedron and itself', small, small, [1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['a polyhedron and itself negated', small, small.map((x) => -x), [1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['a polyhedron and itself turned by rounding', small, small, rotationMatrix([1e-16, 0, 3e-16, 1])],
    ['a needle and a plate', needle, plate, anyTurn],
    ['a needle across a plate', needle, plate, [1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['two plates', plate, plate, turn(1)],
    ['two needles', needle, needle, rotationMatrix([1e-9, 0, 0, 1])],
    ['polygons in one plane', square(1), triangle, turn(0.4)],
    ['polygons in planes parallel but for rounding', square(1), triangle, rotationMatrix([1e-16, 1e-16, 0.6, 0.8])],
    ['polygons in planes parallel but for 1e-9', square(1), triangle, rotationMatrix([1e-9, 1e-9, 0, 1])],
    ['polygons in planes parallel but for 1e-5', square(1), triangle, rotationMatrix([1e-5, 1e-5, 0, 1])],
    ['polygons across each other', square(1), triangle, [1, 0, 0, 0, 0, -1, 0, 1, 0]],
    ['polygons anyhow', square(1), triangle, anyTurn],
    ['a polygon and a box', square(1), box(1, 1, 1), turn(0.1)],
    ['a box and a polygon', box(1, 1, 1), square(1), turn(Math.PI / 4)],
    ['two segments', [0, 0, 0, 1, 2, 3], [0, 0, 0, 3, 1, 1], anyTurn],
    ['two segments that are nearly one', [0, 0, 0, 1, 2, 3], [0, 0, 0, 1, 2, 3], rotationMatrix([1e-9, 0, 0, 1])],
    ['parallel segments', [0, 0, 0, 1, 2, 3], [0, 0, 0, -2, -4, -6], [1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['a segment in a polygon', [0, 0, 0, 1, 2, 0], square(1), [1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['a segment and a polygon', square(1), [0, 0, 0, 1, 2, 3], anyTurn],
    ['a segment and a solid', [0, 0, 0, 1, 2, 3], small, anyTurn],
    ['a solid and a segment', small, [0, 0, 0, 1, 2, 3], anyTurn],
    ['two points', [1, 2, 3], [4, 5, 6], [1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['a point and a segment', [1, 2, 3], [0, 0, 0, 1, 2, 3], anyTurn],
    ['a polygon and a point', square(1), [4, 5, 6], anyTurn],
  ];
  for (const [name, pointsA, pointsB, rotation] of cases) {
    test(name, () => {
      for (const t of [
        [0, 0, 0],
        [0.3, -0.2, 0.1],
        [50, 70, 90],
      ]) {
        const made = makeCase(pointsA, pointsB, placementOf(rotation, t));
        const sums = sumOf(made);
        checkSupport(made, sums);
        checkComplete(made, sums);
      }
    });
  }

  test('cospherical points, facets of many corners', () => {
    const made = makeCase(cospherical, cospherical, IDENTITY);
    const sums = sumOf(made);
    checkSupport(made, sums);
    // Every facet of either is one of the sum. A supporting plane along any direction must not be far above the planes.
    checkNoGap(made, sums, createRandom(3), 300);
  });
});

/**
 * The sum's farthest points along seeded directions are boundary points: with many points brute force looks at these alone.
 * Small facets are missed by chance; the middle between the tops of nearby directions finds most.
 */
function checkNoGap(made: SumCase, sums: MinkowskiSums, random: Random, count: number, sum = 0): void {
  const { p, q, size } = made;
  for (let i = 0; i < count; i++) {
    const n = random.direction();
    const point = [0, 0, 0];
    for (const points of [p, q]) {
      const [, [top]] = findTops(points, n);
      for (let axis = 0; axis < 3; axis++) point[axis] += points[3 * top + axis];
    }
    expect(depthOf(sums, point, sum) / size).toBeLessThanOrEqual(4e-15);
  }
}

/** The middle of every triangle of the hull of all differences lies on a plane. */
function checkHullFacets({ p, q, size }: SumCase, sums: MinkowskiSums, sum: number): void {
  const differences: number[] = [];
  for (let i = 0; i < p.length; i += 3) {
    for (let j = 0; j < q.length; j += 3) {
      for (let axis = 0; axis < 3; axis++) differences.push(p[i + axis] + q[j + axis]);
    }
  }
  const { triangles } = buildHull(differences);
  for (let t = 0; t < triangles.length; t += 3) {
    const middle = [0, 1, 2].map((axis) =>
      [0, 1, 2].reduce((part, k) => part + differences[3 * triangles[t + k] + axis] / 3, 0),
    );
    expect(depthOf(sums, middle, sum) / size).toBeLessThanOrEqual(4e-15);
  }
}

describe('metamorphic', () => {
  const random = createRandom(21);
  const cases = Array.from({ length: 20 * SOAK }, () => {
    const pair = makePair(random);
    return { ...pair, points: Array.from({ length: 20 }, () => random.direction().map((x) => x * random.range(0, 2))) };
  }).filter(({ pointsA, pointsB, placement }) => pointsA.length < 90 && pointsB.length < 90 && isRigid(placement));
  /** Depths of points agree; `map` says where a point of the first sum is in the second. Inside only: outside, planes that are no facets count. */
  function compare(
    first: SumCase,
    second: SumCase,
    points: number[][],
    map: (point: number[]) => number[],
    scale = 1,
  ): number {
    const [sums, others] = [sumOf(first), sumOf(second)];
    const [cx, cy, cz] = sums.spheres;
    let inside = 0;
    for (const offset of points) {
      const point = [
        cx + 0.2 * first.size * offset[0],
        cy + 0.2 * first.size * offset[1],
        cz + 0.2 * first.size * offset[2],
      ];
      const depth = depthOf(sums, point);
      const other = depthOf(others, map(point)) / scale;
      if (depth <= 0) expect(other).toBeLessThan(1e-14 * (first.size + second.size / scale));
      else {
        inside++;
        expect(Math.abs(depth - other)).toBeLessThan(1e-14 * (first.size + second.size / scale));
      }
    }
    return inside;
  }

  test('swapped, the sum is negated', () => {
    let inside = 0;
    for (const { pointsA, pointsB, placement: m, points } of cases) {
      const r = [m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]];
      const t = [0, 1, 2].map((i) => -(r[3 * i] * m[3] + r[3 * i + 1] * m[7] + r[3 * i + 2] * m[11]));
      const first = makeCase(pointsA, pointsB, m);
      const second = makeCase(pointsB, pointsA, placementOf(r, t));
      inside += compare(first, second, points, (point) =>
        movePoints(
          point.map((x) => -x),
          placementOf(r, [0, 0, 0]),
        ),
      );
    }
    expect(inside).toBeGreaterThan(2 * cases.length);
  });

  test('translated, rotated and scaled', () => {
    const rotation = rotationMatrix(random.rotation());
    for (const { pointsA, pointsB, placement: m, points } of cases) {
      const first = makeCase(pointsA, pointsB, m);
      const moved = m.slice();
      for (const i of [3, 7, 11]) moved[i] += first.size;
      compare(first, makeCase(pointsA, pointsB, moved), points, (point) => point.map((x) => x + first.size));
      const turned = movePoints(pointsA, placementOf(rotation, [0, 0, 0]));
      const both = new Float64Array(12);
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 4; column++) {
          for (let k = 0; k < 3; k++) both[4 * row + column] += rotation[3 * row + k] * m[4 * k + column];
        }
      }
      compare(first, makeCase(turned, pointsB, both), points, (point) =>
        movePoints(point, placementOf(rotation, [0, 0, 0])),
      );
      for (const scale of [1e-6, 1e6]) {
        const scaled = m.slice();
        for (const i of [3, 7, 11]) scaled[i] *= scale;
        const grow = (values: number[]): number[] => values.map((x) => x * scale);
        compare(first, makeCase(grow(pointsA), grow(pointsB), scaled), points, grow, scale);
      }
    }
  });
});

describe('nodes of hierarchies', () => {
  for (const [nameA, nameB] of [
    ['torus', 'letter-h'],
    ['grate-small', 'grate-small'],
  ]) {
    test(`${nameA} and ${nameB}: weakly convex nodes, flat ones, large ones`, () => {
      const random = createRandom(4);
      const [a, b] = [nameA, nameB].map((name) => buildHierarchy(decomposeSurface(findModel(name).build())));
      const [setA, setB] = [createConvexSetOf(a), createConvexSetOf(b)];
      const sums = new MinkowskiSums({ classesA: a.faceClasses, classesB: b.faceClasses });
      for (let i = 0; i < 60 * SOAK; i++) {
        const aligned = i % 2 === 0;
        const rotation = aligned ? [1, 0, 0, 0, 1, 0, 0, 0, 1] : rotationMatrix(random.rotation());
        const placement = placementOf(rotation, random.direction());
        const nodeA = i < 4 ? i : random.integer(a.nodePieces.length);
        const nodeB = i < 4 ? 0 : random.integer(b.nodePieces.length);
        const pointsOf = (set: typeof setA, node: number): number[] =>
          Array.from(set.nodeVertices.subarray(set.vertexStart[node], set.vertexStart[node + 1])).flatMap((v) => [
            ...set.positions.subarray(3 * v, 3 * v + 3),
          ]);
        const p = pointsOf(setA, nodeA).map((x) => -x);
        const q = movePoints(pointsOf(setB, nodeB), placement);
        const size = sizeOf(p) + sizeOf(q);
        const sum = sums.add(setA, nodeA, setB, nodeB, placement);
        const made: SumCase = { setA, setB, placement, p, q, size };
        for (let f = sums.planeStart[sum]; f < sums.planeStart[sum + 1]; f++) {
          const n = sums.planes.subarray(4 * f, 4 * f + 3);
          const reach = findTops(p, n)[0] + findTops(q, n)[0];
          expect(Math.abs(reach - sums.planes[4 * f + 3]) / size).toBeLessThanOrEqual(4e-16);
        }
        checkNoGap(made, sums, random, 20, sum);
        if (p.length * q.length < 9 * 1500) checkHullFacets(made, sums, sum);
        if (p.length <= 36 && q.length <= 36) checkComplete(made, sums, sum);
      }
    });
  }

  test('a facet is named after its face of the lowest class', () => {
    const { setA, setB } = makeCase(box(1, 1, 1), box(1, 1, 1), IDENTITY);
    const faces = setA.nodeFaces.length;
    for (let chosen = 0; chosen < faces; chosen++) {
      const classesA = Array.from({ length: faces }, (_, face) => (face === chosen ? 0 : 1));
      const sums = new MinkowskiSums({ classesA });
      sums.add(setA, 0, setB, 0, IDENTITY);
      const named = [...sums.featuresA.subarray(0, sums.facetCount)].filter((code) => featureKind(code) === FACE);
      expect(named).toHaveLength(6);
      expect(named.map((code) => Math.floor((code >> 2) / 3))).toContain(chosen);
    }
  });
});
