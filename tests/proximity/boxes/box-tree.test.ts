// The tree of oriented boxes: structure, and bounds that never exceed a distance between what the boxes hold.
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { findModel } from '../../../src/models/catalogue.js';
import { BoxBound } from '../../../src/proximity/boxes/box-bound.js';
import { BOX_RADIUS, BOX_STRIDE, type BoxTree, buildBoxTree } from '../../../src/proximity/boxes/box-tree.js';
import { triangleDistanceSquared } from '../../oracles/triangle-distance-oracle.js';
import { placePoints, randomPlacement, randomSoup } from './random-boxes.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** The triangles below a node. */
function trianglesBelow({ links }: BoxTree, node: number): number[] {
  return links[node] < 0
    ? [~links[node]]
    : [...trianglesBelow({ links } as BoxTree, node + 1), ...trianglesBelow({ links } as BoxTree, links[node])];
}

function validate(tree: BoxTree): void {
  const { mesh, boxes, links } = tree;
  const triangles = mesh.indices.length / 3;
  expect(links.length).toBe(2 * triangles - 1);
  expect(boxes.length).toBe(BOX_STRIDE * links.length);
  expect(trianglesBelow(tree, 0).sort((a, b) => a - b)).toEqual(Array.from({ length: triangles }, (_, i) => i));
  const size = Math.max(...mesh.positions.map(Math.abs));
  for (let node = 0; node < links.length; node++) {
    const box = boxes.subarray(BOX_STRIDE * node, BOX_STRIDE * (node + 1));
    const axes = [box.subarray(3, 6), box.subarray(6, 9), box.subarray(9, 12)];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const cosine = axes[i][0] * axes[j][0] + axes[i][1] * axes[j][1] + axes[i][2] * axes[j][2];
        expect(Math.abs(cosine - (i === j ? 1 : 0))).toBeLessThan(1e-14);
      }
    }
    expect(Math.abs(box[BOX_RADIUS] / Math.hypot(box[12], box[13], box[14]) - 1) || 0).toBeLessThan(1e-14);
    for (const triangle of trianglesBelow(tree, node)) {
      for (let k = 0; k < 3; k++) {
        const v = 3 * mesh.indices[3 * triangle + k];
        for (let i = 0; i < 3; i++) {
          const along =
            axes[i][0] * (mesh.positions[v] - box[0]) +
            axes[i][1] * (mesh.positions[v + 1] - box[1]) +
            axes[i][2] * (mesh.positions[v + 2] - box[2]);
          expect(Math.abs(along)).toBeLessThanOrEqual(box[12 + i] + 1e-15 * size);
        }
      }
    }
  }
}

test('holds every triangle once, within boxes at right angles', () => {
  validate(buildBoxTree(findModel('letter-s').build()));
  validate(buildBoxTree(findModel('torus').build({ majorSegments: 16, minorSegments: 8 })));
  validate(buildBoxTree(randomSoup(1, 1, 1, 0)));
  validate(buildBoxTree(randomSoup(50, 2, 1e-6, 0)));
  validate(buildBoxTree(randomSoup(50, 3, 1e6, 1e6)));
});

test('copes with triangles that are a point, a line, or all in one place', () => {
  const point = [1, 2, 3];
  const line = [1, 2, 3, 2, 3, 4, 3, 4, 5];
  const positions = Float64Array.from([...point, ...point, ...point, ...line, ...line, ...line]);
  validate(buildBoxTree({ positions, indices: Uint32Array.from({ length: 12 }, (_, i) => i) }));
});

test('bounds no pair of boxes beyond the distance of what they hold', () => {
  const random = createRandom(8);
  let apart = 0;
  let count = 0;
  for (let n = 0; n < 40 * SOAK; n++) {
    const scale = 10 ** random.range(-3, 3);
    const [a, b] = [randomSoup(4, 100 + 2 * n, scale, 0), randomSoup(4, 101 + 2 * n, scale, 0)].map((mesh) =>
      buildBoxTree(mesh),
    );
    const bounds = new BoxBound(a, b);
    const placement = randomPlacement(random, scale);
    bounds.place(placement);
    const placed = placePoints(b.mesh.positions, placement);
    const distance = (i: number, j: number) =>
      Math.sqrt(
        triangleDistanceSquared(a.mesh.positions, [9 * i, 9 * i + 3, 9 * i + 6], placed, [9 * j, 9 * j + 3, 9 * j + 6]),
      );
    for (let nodeA = 0; nodeA < a.links.length; nodeA++) {
      for (let nodeB = 0; nodeB < b.links.length; nodeB++) {
        let least = Infinity;
        for (const i of trianglesBelow(a, nodeA)) {
          for (const j of trianglesBelow(b, nodeB)) least = Math.min(least, distance(i, j));
        }
        count++;
        const rounding = 1e-13 * scale;
        for (const limit of [0, least / 2, Infinity]) {
          const bound = bounds.boundFaces(nodeA, nodeB, limit, true);
          expect(bound).toBeLessThanOrEqual(least + rounding);
          expect(bounds.boundFaces(nodeA, nodeB, limit, false)).toBeCloseTo(bound, 12);
          const [u, v, t] = bounds.axis;
          const along = bounds.boundAlong(nodeA, nodeB, u, v, t);
          expect(along).toBeLessThanOrEqual(least + rounding);
          // The direction kept is where the gap is.
          if (bound > 0) expect(along).toBeGreaterThanOrEqual(bound - rounding);
        }
        const [u, v, t] = random.direction();
        expect(bounds.boundAlong(nodeA, nodeB, u, v, t)).toBeLessThanOrEqual(least + rounding);
        if (bounds.boundFaces(nodeA, nodeB, 0, false) > 0) apart++;
      }
    }
  }
  expect(apart / count).toBeGreaterThan(0.3);
  expect(apart / count).toBeLessThan(0.9);
});
