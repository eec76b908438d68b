// The stated errors against distances in whole numbers: no value is off by more, and no triangle is missed, even if grids
// lie on the planes, edges and corners of the model, are tiny compared with it, or are far away from it.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { DistanceField, FieldOptions } from '../../../src/field/distance-field.js';
import { exactField } from '../../../src/field/exact/exact-field.js';
import { floodField } from '../../../src/field/flood/flood-field.js';
import { transformField } from '../../../src/field/flood/transform-field.js';
import { type GridFrame, gridNodeCount, nodePosition } from '../../../src/field/grid.js';
import { computeSparseField } from '../../../src/field/sparse/compute-sparse-field.js';
import { createMesh, type Mesh } from '../../../src/mesh/mesh.js';
import { boxMesh, mapPoints } from '../../generators/surfaces.js';
import { exactDistance } from '../../oracles/exact-distance.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

function trianglesOf({ positions, indices }: Mesh): number[] {
  return Array.from(indices).flatMap((vertex) => Array.from(positions.subarray(3 * vertex, 3 * vertex + 3)));
}

function pointOf(frame: GridFrame, node: number): [number, number, number] {
  const [nx, ny] = frame.size;
  return nodePosition(frame, node % nx, Math.floor(node / nx) % ny, Math.floor(node / (nx * ny)));
}

function trueDistances(mesh: Mesh, frame: GridFrame): number[] {
  const triangles = trianglesOf(mesh);
  return Array.from({ length: gridNodeCount(frame) }, (_, node) => exactDistance(triangles, pointOf(frame, node)));
}

/** The worst error of a field as a share of what it states. */
function worstShare(field: DistanceField, truth: readonly number[]): number {
  return (
    Math.max(...truth.map((distance, node) => Math.abs(Math.abs(field.values[node]) - distance))) / field.error.max
  );
}

const methods: [string, (mesh: Mesh, frame: GridFrame, options?: FieldOptions) => DistanceField][] = [
  ['exact', exactField],
  ['jump-flooding', floodField],
  ['distance-transform', transformField],
];

describe('stated errors', () => {
  test('hold next to a triangle that a block’s middle lies on but for rounding, whose direction says nothing', () => {
    const mesh = createMesh([3, 3, -0.5, 3, 3, 2, 2.5, 2.5, 4.5, -1, -1, 0], [3, 0, 2, 1, 3, 2, 2, 3, 0, 3, 1, 2]);
    const frame: GridFrame = { origin: [0, 0, 1], spacing: 1, size: [4, 4, 4] };
    const truth = trueDistances(mesh, frame);
    expect(truth[10]).toBe(0);
    for (const [, compute] of methods) expect(worstShare(compute(mesh, frame), truth)).toBeLessThanOrEqual(1);
  });

  test.each(methods)(
    'of %s hold on grids of whole numbers through coplanar triangles of half numbers',
    (_, compute) => {
      const random = createRandom(91);
      const half = () => (random.integer(13) - 2) / 2;
      let zeros = 0;
      for (let run = 0; run < 60 * SOAK; run++) {
        const slope = random.integer(3) - 1;
        const level = 1 + random.integer(3) / 2;
        const axis = random.integer(3);
        const positions = Array.from({ length: 6 }, () => {
          const point = [half(), half(), half()];
          point[axis] = level + slope * (point[(axis + 1) % 3] - 1.5);
          return point;
        }).flat();
        const faces = Array.from({ length: 4 }, () => random.shuffle([0, 1, 2, 3, 4, 5]).slice(0, 3)).flat();
        const mesh = createMesh(positions, faces);
        const frame: GridFrame = { origin: [0, 0, random.integer(2)], spacing: 1, size: [4, 4, 1 + random.integer(4)] };
        const truth = trueDistances(mesh, frame);
        zeros += truth.filter((distance) => distance === 0).length;
        expect(worstShare(compute(mesh, frame, { sign: 'none' }), truth)).toBeLessThanOrEqual(1);
      }
      expect(zeros).toBeGreaterThan(20 * SOAK);
    },
  );

  test('of jump flooding hold next to slivers, whose weights have lost two digits: 28 ε of the largest coordinate', () => {
    const sliver = [
      1.4766338579187779, -2.3362652489071616, 2.007111526253044, 1.2935489589598617, 0.20415829063403246,
    ];
    sliver.push(2.558805256729291, 1.3413906054719014, -0.8625472733073699, 2.317973950814008, -2.5947502413234114);
    sliver.push(-0.8476342969819484, 2.098605727414496, 1.6668116540558147, 1.8989516151634933, -1.5489129202411775);
    sliver.push(1.7622672129069, 2.00151521392334, -1.720789018530803, 0.2678547911364384, -1.3085358532820164);
    sliver.push(-2.8518338607738385, -2.7461100604958424, 1.2043553269920797, 0.34415472882409137);
    sliver.push(-3.0460671089019784, 1.3721265175515343, 0.6279478874923493);
    const mesh = createMesh(sliver, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    const origin: [number, number, number] = [-0.18999947858230715, 0.7181675154645957, 0.005342164958140171];
    const frame: GridFrame = { origin, spacing: 1.7361820048659409e-13, size: [10, 2, 8] };
    const truth = trueDistances(mesh, frame);
    for (const compute of [exactField, floodField])
      expect(worstShare(compute(mesh, frame), truth)).toBeLessThanOrEqual(1);
  });

  test('of sparse fields hold where the grid is minute beside the model, and at any scale that single precision holds', () => {
    const random = createRandom(17);
    for (const [scale, spacing] of [1e-9, 1e-12, 1e-13]
      .map((h) => [1, h])
      .concat([
        [1e-36, 2e-37],
        [1e36, 2e35],
      ])) {
      const corner = () => Array.from({ length: 3 }, () => scale * random.range(-1, 1));
      const corners = [corner(), corner(), corner()];
      const mesh = createMesh(corners.flat(), [0, 1, 2]);
      const middle = [0, 1, 2].map((axis) => (corners[0][axis] + corners[1][axis] + corners[2][axis]) / 3);
      const frame: GridFrame = { origin: middle as [number, number, number], spacing, size: [5, 4, 3] };
      const field = computeSparseField(mesh, frame);
      const truth = trueDistances(mesh, frame);
      let known = 0;
      for (let node = 0; node < gridNodeCount(frame); node++) {
        const value = Math.abs(field.value(node % 5, Math.floor(node / 5) % 4, Math.floor(node / 20)));
        if (truth[node] < 3 * spacing * (1 - 1e-2)) expect(value).toBeLessThan(Infinity);
        if (value === Infinity) continue;
        expect(Math.abs(value - truth[node])).toBeLessThanOrEqual(field.error.max);
        known++;
      }
      expect(known).toBeGreaterThan(10);
    }
    for (const [scale, spacing] of [
      [1e-42, 1e-43],
      [1e40, 1e39],
    ]) {
      const mesh = mapPoints(boxMesh(), (point) => point.map((x) => scale * x) as [number, number, number]);
      const frame: GridFrame = { origin: [0, 0, 0], spacing, size: [4, 4, 4] };
      expect(() => computeSparseField(mesh, frame)).toThrow(/single precision/);
      expect(exactField(mesh, frame).values[0]).toBeCloseTo(0);
    }
  });
});

test.each([1e15, -1e15, 1e10, 1e45])('a sparse field of a model %f away is empty, at once', (far) => {
  const frame: GridFrame = { origin: [0, 0, 0], spacing: 1 / 8, size: [9, 9, 9] };
  for (const axis of [0, 1, 2, 3]) {
    const mesh = mapPoints(
      boxMesh(),
      (point) => point.map((x, i) => x + (axis === 3 || i === axis ? far : 0)) as [number, number, number],
    );
    const field = computeSparseField(mesh, frame);
    expect(field.blockCount).toBe(0);
    expect(field.value(4, 4, 4)).toBe(Infinity);
  }
});
