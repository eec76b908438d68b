import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { BOX_RADIUS, BOX_STRIDE, buildBoxTree } from '../../../src/proximity/boxes/box-tree.js';
import { isSummit } from '../../../src/proximity/contact/contact-condition.js';
import { buildNormalCones, CONE_STRIDE, mayHoldMinimum } from '../../../src/proximity/contact/contact-cones.js';
import { ContactFinder } from '../../../src/proximity/contact/contact-finder.js';
import { buildContactSurface, type ContactSurface } from '../../../src/proximity/contact/contact-surface.js';
import { mesh } from '../../generators/surfaces.js';
import { apply, invert, lumpyBall, randomPlacement } from './contact-finder-examples.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

test('the cone of a node holds every direction in which a feature below it is a summit', () => {
  const random = createRandom(3);
  const held = [0, 0, 0];
  let tried = 0;
  let bounded = 0;
  for (let round = 0; round < 6 * SOAK; round++) {
    const ball = lumpyBall(random, random.range(0.05, 0.4));
    const surface = buildContactSurface(ball, true);
    const { links } = buildBoxTree(ball);
    const cones = buildNormalCones(surface, links);
    for (let triangle = 0; triangle < 80; triangle++) {
      const nodes = findAncestors(links, triangle);
      for (let region = 0; region < 7; region++) {
        const kind = region < 3 ? 0 : region < 6 ? 1 : 2;
        for (let sample = 0; sample < 8; sample++) {
          const normal = drawNormal(surface, triangle, region, random);
          tried++;
          const [x, y, z] = normal;
          if (!isSummit(surface, triangle, region, x, y, z, 1e-9, 1e-14)) continue;
          held[kind]++;
          for (const node of nodes) {
            const [u, v, w, cosine, sine] = cones.subarray(CONE_STRIDE * node, CONE_STRIDE * node + 5);
            expect(cosine ** 2 + sine ** 2).toBeCloseTo(1, 12);
            if (cosine === 0) continue;
            bounded++;
            expect(x * u + y * v + z * w).toBeGreaterThanOrEqual(cosine);
          }
        }
      }
    }
  }
  for (const count of held) expect(count).toBeGreaterThan(50 * SOAK);
  expect(held[0] + held[1] + held[2]).toBeLessThan(0.5 * tried);
  expect(bounded).toBeGreaterThan(1000 * SOAK);
});

test('a crease and a saddle widen no cone, a ridge and a tip do', () => {
  // A roof over a box, its ridge along X; then the same roof hanging into the box.
  const house = (height: number): Mesh =>
    mesh(
      [
        [0, 0, 0],
        [4, 0, 0],
        [4, 2, 0],
        [0, 2, 0],
        [0, 0, 2],
        [4, 0, 2],
        [4, 2, 2],
        [0, 2, 2],
        [0, 1, height],
        [4, 1, height],
      ],
      [
        [4, 5, 9],
        [4, 9, 8],
        [6, 7, 8],
        [6, 8, 9],
        [0, 3, 1],
        [1, 3, 2],
        [0, 1, 5],
        [0, 5, 4],
        [2, 3, 7],
        [2, 7, 6],
        [1, 2, 6],
        [1, 6, 9],
        [1, 9, 5],
        [3, 0, 4],
        [3, 4, 8],
        [3, 8, 7],
      ],
    );
  for (const [height, beyond] of [
    [2.5, 1],
    [1.5, 0],
  ]) {
    const surface = buildContactSurface(house(height), true);
    const { directions } = surface;
    // Half-edge 9 → 8 of the second triangle.
    expect(directions!.beyond[4]).toBe(beyond === 1 ? 3 : -1);
  }
  // The middle of a saddle: two neighbors up, two down, as a pyramid whose rim is bent.
  const saddle = mesh(
    [
      [0, 0, 0],
      [1, 0, 0.5],
      [0, 1, -0.5],
      [-1, 0.1, 0.5],
      [0.1, -1, -0.5],
      [0, 0, -2],
    ],
    [
      [0, 1, 2],
      [0, 2, 3],
      [0, 3, 4],
      [0, 4, 1],
      [5, 2, 1],
      [5, 3, 2],
      [5, 4, 3],
      [5, 1, 4],
    ],
  );
  const { start } = buildContactSurface(saddle, true).directions!;
  expect(start[1] - start[0]).toBe(0);
  expect(start[2] - start[1]).toBeGreaterThan(2);
  expect(start[6] - start[5]).toBe(4);
});

/** A direction in which a region of a triangle might be a summit: the normal of a face, any across an edge, any. */
function drawNormal(surface: ContactSurface, triangle: number, region: number, random: Random): readonly number[] {
  if (region === 6) return surface.faceNormals.slice(3 * triangle, 3 * triangle + 3) as unknown as number[];
  const normal = random.direction();
  if (region < 3) return normal;
  const p = surface.mesh.positions;
  const from = 3 * surface.indices[3 * triangle + region - 3];
  const to = 3 * surface.indices[3 * triangle + ((region - 2) % 3)];
  const edge = [0, 1, 2].map((k) => p[to + k] - p[from + k]);
  const along =
    (edge[0] * normal[0] + edge[1] * normal[1] + edge[2] * normal[2]) / (edge[0] ** 2 + edge[1] ** 2 + edge[2] ** 2);
  const across = normal.map((value, k) => value - along * edge[k]);
  return across.map((value) => value / Math.hypot(...across));
}

test('a pair of points along a direction in both cones is never ruled out', () => {
  const random = createRandom(5);
  let outside = 0;
  for (let round = 0; round < 20_000 * SOAK; round++) {
    const normal = random.direction();
    const placement = randomPlacement(random, 1);
    const [alpha, beta] = [random.range(0, Math.PI / 2), random.range(0, Math.PI / 2)];
    const axisA = tilt(normal, alpha * random.range(0.9, 0.999), random);
    const axisB = tilt([-normal[0], -normal[1], -normal[2]], beta * random.range(0.9, 0.999), random);
    const coneA = Float64Array.of(...axisA, Math.cos(alpha), Math.sin(alpha));
    const coneB = Float64Array.of(...apply(invert(placement), axisB, 0), Math.cos(beta), Math.sin(beta));
    // From A's center by a radius to a point, along the normal to the other, by a radius to B's center.
    const [out, back, distance] = [random.direction(), random.direction(), random.range(0, 3)];
    const [x, y, z] = [0, 1, 2].map((k) => 0.7 * out[k] + distance * normal[k] + 0.4 * back[k]);
    expect(mayHoldMinimum(coneA, 0, coneB, 0, placement, x, y, z, 1.1)).toBe(true);
    const [u, v, w] = random.direction();
    if (!mayHoldMinimum(coneA, 0, coneB, 0, placement, 3 * u, 3 * v, 3 * w, 1.1)) outside++;
  }
  expect(outside / (20_000 * SOAK)).toBeGreaterThan(0.3);
});

/** A unit vector at an angle from another. */
function tilt(n: readonly number[], angle: number, random: Random): [number, number, number] {
  const side = random.direction();
  const along = side[0] * n[0] + side[1] * n[1] + side[2] * n[2];
  const across = side.map((value, k) => value - along * n[k]);
  const size = Math.hypot(...across);
  const turned = n.map((value, k) => Math.cos(angle) * value + (Math.sin(angle) * across[k]) / size);
  return [turned[0], turned[1], turned[2]];
}

test('cones of normals let every contact pass, and not every pair of nodes', () => {
  let passed = 0;
  let tested = 0;
  let contacts = 0;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
      const random = createRandom(seed);
      const [a, b] = [lumpyBall(random, 0.15), lumpyBall(random, 0.15)];
      const placement = randomPlacement(random, 0);
      const far = random.direction();
      for (let k = 0; k < 3; k++) placement[4 * k + 3] = 2.4 * far[k];
      const [surfaceA, surfaceB] = [buildContactSurface(a, true), buildContactSurface(b, true)];
      // A surface that is not taken for a solid has no cones: pairs reach the local condition unfiltered.
      const [sheetA, sheetB] = [buildContactSurface(a, false), buildContactSurface(b, false)];
      const finder = new ContactFinder({ ...surfaceA, cones: sheetA.cones }, { ...surfaceB, cones: sheetB.cones });
      finder.begin(placement, 4);
      for (let i = 0; i < 80; i++) for (let j = 0; j < 80; j++) finder.offer(i, j);
      const pairs = finder.finish();
      const [treeA, treeB] = [buildBoxTree(a), buildBoxTree(b)];
      const conesA = buildNormalCones(surfaceA, treeA.links);
      const conesB = buildNormalCones(surfaceB, treeB.links);
      const test = (nodeA: number, nodeB: number): boolean => {
        const [i, j] = [BOX_STRIDE * nodeA, BOX_STRIDE * nodeB];
        const center = apply(placement, treeB.boxes.subarray(j, j + 3));
        const [x, y, z] = center.map((value, k) => value - treeA.boxes[i + k]);
        const radius = treeA.boxes[i + BOX_RADIUS] + treeB.boxes[j + BOX_RADIUS];
        return mayHoldMinimum(conesA, nodeA, conesB, nodeB, placement, x, y, z, radius);
      };
      for (const { triangleA, triangleB } of pairs) {
        contacts++;
        for (const nodeA of findAncestors(treeA.links, triangleA)) {
          for (const nodeB of findAncestors(treeB.links, triangleB)) expect(test(nodeA, nodeB)).toBe(true);
        }
      }
      for (let round = 0; round < 200; round++) {
        tested++;
        if (test(random.integer(treeA.links.length), random.integer(treeB.links.length))) passed++;
      }
    }),
    { numRuns: 20 * SOAK },
  );
  expect(contacts).toBeGreaterThan(20 * SOAK);
  expect(passed / tested).toBeGreaterThan(0.02);
  expect(passed / tested).toBeLessThan(0.5);
});

/** The leaf of a triangle and the nodes above it. */
function findAncestors(links: Int32Array, triangle: number): number[] {
  const walk = (node: number): number[] | null => {
    if (links[node] < 0) return ~links[node] === triangle ? [node] : null;
    const below = walk(node + 1) ?? walk(links[node]);
    return below && [...below, node];
  };
  return walk(0) ?? [];
}
