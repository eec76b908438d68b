// The tree of oriented boxes: structure, and bounds that never exceed a distance between what the boxes hold.
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { findModel } from '../../../src/mesh/models/catalogue.js';
import { BoxBound } from '../../../src/proximity/boxes/box-bound.js';
import { BOX_RADIUS, BOX_STRIDE, type BoxTree, buildBoxTree } from '../../../src/proximity/boxes/box-tree.js';
import { triangleDistanceSquared } from '../../oracles/triangle-distance-oracle.js';

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

function soup(count: number, seed: number, scale: number, shift: number): Mesh {
  const random = createRandom(seed);
  const positions = Float64Array.from({ length: 9 * count }, () => shift + scale * random.range(-1, 1));
  return { positions, indices: Uint32Array.from({ length: 3 * count }, (_, i) => i) };
}

test('holds every triangle once, within boxes at right angles', () => {
  validate(buildBoxTree(findModel('letter-s').build()));
  validate(buildBoxTree(findModel('torus').build({ majorSegments: 16, minorSegments: 8 })));
  validate(buildBoxTree(soup(1, 1, 1, 0)));
  validate(buildBoxTree(soup(50, 2, 1e-6, 0)));
  validate(buildBoxTree(soup(50, 3, 1e6, 1e6)));
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
    const [a, b] = [soup(4, 100 + 2 * n, scale, 0), soup(4, 101 + 2 * n, scale, 0)].map((mesh) => buildBoxTree(mesh));
    const bounds = new BoxBound(a, b);
    const [x, y, z, w] = random.rotation();
    const placement = Float64Array.of(
      1 - 2 * (y * y + z * z),
      2 * (x * y - z * w),
      2 * (x * z + y * w),
      scale * random.range(-2, 2),
      2 * (x * y + z * w),
      1 - 2 * (x * x + z * z),
      2 * (y * z - x * w),
      scale * random.range(-2, 2),
      2 * (x * z - y * w),
      2 * (y * z + x * w),
      1 - 2 * (x * x + y * y),
      scale * random.range(-1, 1),
    );
    bounds.place(placement);
    const placed = place(b.mesh.positions, placement);
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
        if (bounds.areApart(nodeA, nodeB)) {
          apart++;
          expect(least).toBeGreaterThan(0);
        } else expect(bounds.boundFaces(nodeA, nodeB, 0, false)).toBe(0);
      }
    }
  }
  expect(apart / count).toBeGreaterThan(0.3);
  expect(apart / count).toBeLessThan(0.9);
});

test('tells boxes apart by the cross products of their edges', () => {
  // Two bars at right angles, turned so that only the direction across both shows the gap.
  const bar = (mesh: Mesh, map: (x: number, y: number, z: number) => number[]): Mesh => ({
    positions: Float64Array.from(
      Array.from({ length: mesh.positions.length / 3 }, (_, i) =>
        map(mesh.positions[3 * i], mesh.positions[3 * i + 1], mesh.positions[3 * i + 2]),
      ).flat(),
    ),
    indices: mesh.indices,
  });
  const box = findModel('box').build();
  const half = Math.SQRT1_2;
  // A square bar along x standing on its edge, and one along z, an edge of each turned to the other.
  const a = buildBoxTree(bar(box, (x, y, z) => [10 * x, half * (y - z), half * (y + z)]));
  const b = buildBoxTree(bar(box, (x, y, z) => [half * (x - y), half * (x + y), 10 * z]));
  const bounds = new BoxBound(a, b);
  const reach = 2 * Math.max(...box.positions) * Math.SQRT2;
  const placeAt = (height: number) => bounds.place(Float64Array.of(1, 0, 0, 0, 0, 1, 0, height, 0, 0, 1, 0));
  placeAt(reach * 1.001);
  expect(bounds.areApart(0, 0)).toBe(true);
  placeAt(reach * 0.999);
  expect(bounds.areApart(0, 0)).toBe(false);
});

function place(positions: Float64Array, m: Float64Array): Float64Array {
  const out = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      out[i + k] =
        m[4 * k] * positions[i] + m[4 * k + 1] * positions[i + 1] + m[4 * k + 2] * positions[i + 2] + m[4 * k + 3];
    }
  }
  return out;
}
