import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closestFeatures } from '../../../src/convex/closest/closest-features.js';
import { type ConvexSet, createConvexSet, createConvexSetOf } from '../../../src/convex/closest/convex-set.js';
import { featureVertices } from '../../../src/convex/closest/feature.js';
import { Gjk } from '../../../src/convex/closest/gjk.js';
import { ConvexMarch } from '../../../src/convex/closest/march.js';
import { buildHull } from '../../../src/convex/hull/hull.js';
import { NearfieldError } from '../../../src/core/errors.js';
import { create, identity, multiply, type Pose, toMatrix4, transformPoint } from '../../../src/core/pose.js';
import { createRandom } from '../../../src/core/random.js';
import { addScaled, subtract, type Vec3 } from '../../../src/core/vec3.js';
import { decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import { buildHierarchy } from '../../../src/decomposition/hierarchy/build-hierarchy.js';
import { boxMesh, join, sheet, torusGrid, voxelSolid } from '../../generators/surfaces.js';
import { describePolyhedron, measureConvexDistance, placePolyhedron } from '../../oracles/convex-distance.js';
import { describeSolid, distanceToFeature, findFault, sizeOf } from './check-answer.js';
import type { ConvexPair } from './convex-pairs.js';
import { crumbsMeetingVertex, crumbsOverSliver } from './crumb-pairs.js';

const cube = buildHull([0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1, (i >> 1) & 1, i >> 2]));
const at = (x: number, y: number, z: number): Pose => create([x, y, z]);
const methods = ['march', 'gjk'] as const;

describe('closestFeatures', () => {
  test('names vertex, edge and face of two cubes', () => {
    for (const method of methods) {
      const corner = closestFeatures(cube, cube, identity(), at(2, 3, 3), { method });
      expect(corner).toMatchObject({ intersects: false, pointA: [1, 1, 1], pointB: [2, 3, 3], depth: null });
      expect(corner.distance).toBeCloseTo(3, 14);
      expect(corner.featureA).toEqual({ kind: 'vertex', vertices: [7] });
      expect(corner.featureB).toEqual({ kind: 'vertex', vertices: [0] });
      expect(corner.normal!.map((x) => 3 * x)).toEqual([1, 2, 2].map((x) => expect.closeTo(x, 12)));
    }
    const tip = buildHull([0, 0, 0, 1, 0.2, 0, 1, -0.1, 0.2, 1, -0.1, -0.2]);
    const above = closestFeatures(cube, tip, identity(), at(1.5, 0.3, 0.6));
    expect(above).toMatchObject({ distance: 0.5, pointA: [1, 0.3, 0.6], normal: [1, 0, 0] });
    expect(above.featureA!.kind).toBe('face');
    expect(above.featureB).toEqual({ kind: 'vertex', vertices: [0] });
    const rod = buildHull([-1, 0, 0, 1, 0, 0]);
    const crossed = closestFeatures(
      cube,
      rod,
      identity(),
      create([2, 2, 0.5], [0, 0, Math.sin(-Math.PI / 8), Math.cos(Math.PI / 8)]),
    );
    expect(crossed.distance).toBeCloseTo(Math.SQRT2, 14);
    expect(crossed.featureA).toEqual({ kind: 'edge', vertices: expect.arrayContaining([3, 7]) });
    expect(crossed.featureB).toEqual({ kind: 'edge', vertices: [0, 1] });
  });

  test('counts touching as intersecting: at a vertex, along an edge, on a face, in a point', () => {
    for (const method of methods) {
      for (const t of [
        [1, 1, 1],
        [1, 1, 0.25],
        [1, 0.5, 0.25],
        [1, 0, 0],
        [0, 0, 0],
        [0.5, 0.5, 0.5],
      ] as const) {
        const touching = closestFeatures(cube, cube, identity(), at(t[0], t[1], t[2]), { method });
        expect(touching).toMatchObject({ intersects: true, distance: 0, normal: null, featureA: null });
      }
      const point = buildHull([0, 0, 0]);
      expect(closestFeatures(point, point, at(1, 2, 3), at(1, 2, 3), { method }).intersects).toBe(true);
      expect(closestFeatures(point, point, at(1, 2, 3), at(1, 2, 5), { method }).distance).toBe(2);
    }
  });

  test('measures depth and direction of an overlap when asked', () => {
    const deep = closestFeatures(cube, cube, identity(), at(0.75, 0.125, 0), { penetration: true });
    expect(deep.depth).toBeCloseTo(0.25, 14);
    expect(deep.direction).toEqual([-1, 0, 0].map((x) => expect.closeTo(x, 14)));
    const inner = closestFeatures(buildHull(cube.points.map((x) => x / 4)), cube, at(0.5, 0.5, 0.625), identity(), {
      penetration: true,
    });
    expect(inner.depth).toBeCloseTo(0.375, 14);
    expect(inner.direction).toEqual([0, 0, 1].map((x) => expect.closeTo(x, 14)));
    const flat = buildHull([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    const coplanar = closestFeatures(flat, flat, identity(), at(0.25, 0.25, 0), { penetration: true });
    expect(coplanar.depth).toBeCloseTo(0, 14);
  });

  test('does not change with the frame, the scale, the order of the two or a warm start', () => {
    const clouds = fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 12, maxLength: 45 });
    const numbers = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(clouds, clouds, numbers, numbers, (a, b, place, world) => {
        const [hullA, hullB] = [a, b].map((points) => buildHull(points.slice(0, points.length - (points.length % 3))));
        const pose = create([place[0], place[1], place[2]], [place[3], place[4], place[5], place[6] + 0.5]);
        const frame = create([world[0], world[1], world[2]], [world[3], world[4], world[5], world[6] + 0.5]);
        const plain = closestFeatures(hullA, hullB, identity(), pose);
        const moved = closestFeatures(hullA, hullB, frame, multiply(frame, pose), { warm: plain });
        const swapped = closestFeatures(hullB, hullA, pose, identity());
        const scaled = [hullA, hullB].map((hull) => buildHull(hull.points.map((x) => x * 2 ** -20)));
        const small = closestFeatures(scaled[0], scaled[1], identity(), [
          ...(pose.slice(0, 3).map((x) => x * 2 ** -20) as [number, number, number]),
          ...(pose.slice(3) as [number, number, number, number]),
        ]);
        expect(moved.distance).toBeCloseTo(plain.distance, 9);
        expect(swapped.distance).toBeCloseTo(plain.distance, 9);
        expect(small.distance * 2 ** 20).toBeCloseTo(plain.distance, 9);
        if (plain.distance > 1e-9)
          expect([moved, swapped, small].map((found) => found.intersects)).toEqual([false, false, false]);
      }),
      { numRuns: 300 },
    );
  });

  test('refuses what is no pose, node, method or warm start', () => {
    const code = (call: () => unknown): string => {
      try {
        call();
      } catch (error) {
        if (error instanceof NearfieldError) return error.code;
        throw error;
      }
      return 'none';
    };
    const set = createConvexSet(cube);
    const found = closestFeatures(set, set, identity(), at(3, 0, 0));
    expect(code(() => closestFeatures(set, set, identity(), [0, 0, Number.NaN, 0, 0, 0, 1]))).toBe('non-finite');
    expect(code(() => closestFeatures(set, set, identity(), [0, 0, 0, 0, 0, 0, 0]))).toBe('bad-argument');
    expect(code(() => closestFeatures(set, set, identity(), identity(), { nodeB: 1 }))).toBe('index-out-of-range');
    expect(code(() => closestFeatures(set, set, identity(), identity(), { method: 'sat' as 'gjk' }))).toBe(
      'bad-argument',
    );
    expect(
      code(() => closestFeatures(set, set, identity(), identity(), { warm: { ...found, seeds: [4 * 1000, 0] } })),
    ).toBe('bad-argument');
  });
});

describe('clusters of vertices', () => {
  const nearest = ({ pointsA, pointsB, placement }: ConvexPair): [ConvexSet, ConvexSet, number, number] => {
    const [hullA, hullB] = [buildHull(pointsA), buildHull(pointsB)];
    const truthB = placePolyhedron(describeSolid(hullB), placement);
    const { distance } = measureConvexDistance(describeSolid(hullA), truthB);
    return [createConvexSet(hullA), createConvexSet(hullB), distance, sizeOf(describeSolid(hullA), truthB)];
  };

  test('GJK keeps the digits of a point near the origin on a long segment', () => {
    const [a, b, distance, size] = nearest(crumbsMeetingVertex);
    const gjk = new Gjk();
    gjk.run(a, 0, b, 0, crumbsMeetingVertex.placement, a.vertexHalfEdges[0], b.vertexHalfEdges[0]);
    expect(distance).toBeLessThan(1e-12);
    expect(Math.abs(gjk.distance - distance)).toBeLessThan(1e-15 * size);
  });

  test('the point of a march lies on its face, however thin that is', () => {
    const [a, b, distance, size] = nearest(crumbsOverSliver);
    const march = new ConvexMarch();
    march.query(a, 0, b, 0, crumbsOverSliver.placement, -1, -1);
    expect(Math.abs(march.distance - distance)).toBeLessThan(1e-15 * size);
    const corners = featureVertices(a, 0, march.featureA).map((id) => [...a.positions.subarray(3 * id, 3 * id + 3)]);
    expect(corners.length).toBe(3);
    expect(distanceToFeature(march.pointA, corners)).toBeLessThan(1e-15 * size);
  });
});

describe('ConvexMarch', () => {
  test('takes a step or two from the last features of a pair that moves a little', () => {
    const random = createRandom(3);
    const cloud = (): number[] => Array.from({ length: 400 }, () => random.direction()).flat();
    const a = createConvexSet(buildHull(cloud()));
    const b = createConvexSet(buildHull(cloud()));
    const march = new ConvexMarch();
    let [warmSteps, coldSteps] = [0, 0];
    let [seedA, seedB] = [-1, -1];
    for (let frame = 0; frame < 1000; frame++) {
      const angle = 0.002 * frame;
      const pose = create([2.2 + 0.3 * Math.sin(angle), 0.2, 0], [0, Math.sin(angle), 0, Math.cos(angle)]);
      const placement = toMatrix4(pose).subarray(0, 12);
      const cold = march.query(a, 0, b, 0, placement, -1, -1);
      coldSteps += march.steps;
      expect(march.query(a, 0, b, 0, placement, seedA, seedB)).toBeCloseTo(cold, 12);
      warmSteps += march.steps;
      seedA = march.featureA;
      seedB = march.featureB;
    }
    expect(warmSteps / 1000).toBeLessThan(1.5);
    expect(coldSteps / 1000).toBeLessThan(6);
  });

  test('measures every pair of nodes of hierarchies, weakly convex and flat ones among them', () => {
    const meshes = [
      torusGrid(10, 6),
      sheet(4),
      voxelSolid(3, (x, y, z) => x + y + z < 3),
      join(boxMesh(), boxMesh([3, 0, 0], [4, 1, 1])),
    ];
    const random = createRandom(11);
    const march = new ConvexMarch();
    const sets = meshes.map((mesh) => createConvexSetOf(buildHierarchy(decomposeSurface(mesh))));
    const polyhedra = sets.map((set) =>
      Array.from({ length: set.vertexStart.length - 1 }, (_, node) => {
        const vertices = [...set.nodeVertices.subarray(set.vertexStart[node], set.vertexStart[node + 1])];
        const ids = new Map(vertices.map((vertex, i) => [vertex, i]));
        const corners = vertices.flatMap((vertex) => [...set.positions.subarray(3 * vertex, 3 * vertex + 3)]);
        const halfEdges = set.halfEdgeVertices.subarray(3 * set.faceStart[node], 3 * set.faceStart[node + 1]);
        const triangles = halfEdges.map((vertex) => ids.get(vertex)!);
        return describePolyhedron(Float64Array.from(corners), triangles, set.flatNodes[node] === 0);
      }),
    );
    const pick = (corners: Float64Array): Vec3 => {
      const start = 3 * random.integer(corners.length / 3);
      return [corners[start], corners[start + 1], corners[start + 2]];
    };
    const faults: string[] = [];
    let [pairs, hits] = [0, 0];
    for (let round = 0; round < 3000; round++) {
      const [i, j] = [random.integer(sets.length), random.integer(sets.length)];
      const [nodeA, nodeB] = [random.integer(polyhedra[i].length), random.integer(polyhedra[j].length)];
      const exact = round % 2 === 0;
      // A corner of the one to a corner of the other, exactly, and some way on; half of the turns are none.
      const rotation = exact ? ([0, 0, 0, 1] as const) : random.rotation();
      const corner = pick(polyhedra[i][nodeA].corners);
      const other = transformPoint(create([0, 0, 0], rotation), pick(polyhedra[j][nodeB].corners));
      const away = exact ? [random.integer(3) - 1, 0, (random.integer(3) - 1) / 4] : random.direction();
      const far = exact || random.next() < 0.5 ? 1 : 0.1;
      const pose = create(subtract(addScaled(corner, away as Vec3, far * 0.5), other), rotation);
      const placement = toMatrix4(pose).subarray(0, 12);
      const a = polyhedra[i][nodeA];
      const b = placePolyhedron(polyhedra[j][nodeB], placement);
      const truth = measureConvexDistance(a, b);
      pairs++;
      if (truth.intersects) hits++;
      march.query(sets[i], nodeA, sets[j], nodeB, placement, -1, -1);
      const [seedA, seedB] = [march.featureA, march.featureB];
      const cold = findFault(a, b, truth, march);
      march.query(sets[i], nodeA, sets[j], nodeB, placement, seedA, seedB);
      const warm = findFault(a, b, truth, march);
      if (cold + warm !== '') faults.push(`round ${round}: ${cold} ${warm}`);
    }
    expect(faults).toEqual([]);
    expect(hits / pairs).toBeGreaterThan(0.3);
    expect(hits / pairs).toBeLessThan(0.7);
  });
});
