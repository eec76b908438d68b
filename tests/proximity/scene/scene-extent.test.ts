import { describe, expect, test } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import { transformPoint } from '../../../src/core/pose.js';
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { ModelExtent } from '../../../src/proximity/scene/scene-extent.js';
import { NearestBoxPairs } from '../../../src/proximity/scene/scene-nearest.js';
import { randomBoxes } from '../../generators/boxes.js';
import { boxMesh, mapPoints, sheet, sphereGrid, torusGrid } from '../../generators/surfaces.js';

/** The box of all vertices, turned one by one. */
function exactBox({ positions, indices }: Mesh, pose: Pose): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const v of indices) {
    const point = transformPoint(pose, [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]]);
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k], point[k]);
      box[k + 3] = Math.max(box[k + 3], point[k]);
    }
  }
  return box;
}

describe('ModelExtent', () => {
  const meshes = {
    torus: torusGrid(20, 12),
    sphere: sphereGrid(12),
    box: boxMesh(),
    sheet: sheet(5),
    'far from its origin': mapPoints(sphereGrid(6), (point) => point.map((value) => value + 1e6)),
    tiny: mapPoints(torusGrid(9, 5), (point) => point.map((value) => value * 1e-9)),
  };

  test.each(Object.entries(meshes))('holds every vertex and nothing else: %s', (_, mesh) => {
    const random = createRandom(4);
    const extent = new ModelExtent(mesh);
    const size = Math.max(...exactBox(mesh, [0, 0, 0, 0, 0, 0, 1]).map((v, k, box) => (k < 3 ? box[k + 3] - v : 0)));
    const out = new Float64Array(7);
    let widest = 0;
    for (let k = 0; k < 200; k++) {
      const far = k % 2 === 0 ? size : 1e5;
      const [x, y, z] = [0, 1, 2].map(() => random.range(-far, far));
      const pose: Pose = [x, y, z, ...random.rotation()];
      extent.writeBox(pose, out, 1);
      const exact = exactBox(mesh, pose);
      for (let axis = 0; axis < 3; axis++) {
        expect(out[1 + axis]).toBeLessThanOrEqual(exact[axis]);
        expect(out[4 + axis]).toBeGreaterThanOrEqual(exact[axis + 3]);
        if (k % 2 === 0) {
          widest = Math.max(widest, out[4 + axis] - out[1 + axis] - (exact[axis + 3] - exact[axis]));
        }
      }
    }
    // Far from its origin a model's own coordinates carry no more digits.
    expect(widest).toBeLessThan(1e-7 * size);
  });

  test('turns a box', () => {
    const extent = new ModelExtent(boxMesh([-1, -2, -3], [1, 2, 3]));
    const out = new Float64Array(6);
    extent.writeBox([10, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2], out, 0);
    for (const [k, value] of [8, -1, -3, 12, 1, 3].entries()) expect(out[k]).toBeCloseTo(value, 12);
  });
});

describe('NearestBoxPairs', () => {
  test('hands out every pair once, nearest first, equal ones by number', () => {
    const random = createRandom(6);
    for (const count of [0, 1, 2, 5, 60]) {
      const boxes = randomBoxes(random, count, 1, 0.2).map((value) => Math.round(value * 8) / 8);
      const order = new NearestBoxPairs(boxes);
      const found: number[][] = [];
      while (order.next()) found.push([order.distanceSquared, order.a, order.b]);
      const expected: number[][] = [];
      for (let a = 0; a < count; a++) {
        for (let b = a + 1; b < count; b++) {
          let squared = 0;
          for (let k = 0; k < 3; k++) {
            const [o, p] = [6 * a + k, 6 * b + k];
            squared += Math.max(0, boxes[o] - boxes[p + 3], boxes[p] - boxes[o + 3]) ** 2;
          }
          expected.push([squared, a, b]);
        }
      }
      expected.sort((x, y) => x[0] - y[0] || x[1] - y[1] || x[2] - y[2]);
      expect(found).toEqual(expected);
    }
  });
});
