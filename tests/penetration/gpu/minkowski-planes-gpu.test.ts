// The planes of sums that the GPU makes, against MinkowskiSums: each supports the sum of the vertices, and together
// they exclude what the sum does not hold. Pieces of several models, rotated or not, flat and parallel ones included.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { penetrationBenchmarks } from '../../../bench/scenarios/penetration.js';
import * as pose from '../../../src/core/pose.js';
import * as quat from '../../../src/core/quat.js';
import { createRandom, type Random } from '../../../src/core/random.js';
import { readBuffers } from '../../../src/gpu/buffer.js';
import type { GpuDevice } from '../../../src/gpu/device.js';
import { GpuFaults } from '../../../src/gpu/faults.js';
import { findModel } from '../../../src/models/catalogue.js';
import { GpuMinkowskiPlanes, PLANE_SIZE, SUM_LAYOUT } from '../../../src/penetration/gpu/minkowski-planes-gpu.js';
import type { Solid } from '../../../src/penetration/solid.js';
import { requestExpectedDevice } from '../../gpu/expected-device.js';
import { collectPairs, type PlacedPair, placePair, submitPass } from './scenes-gpu.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** Shares of the two radii: how far a plane may be from supporting, and what a missing facet may add at most. */
const SUPPORTING = 1.5e-6;
const ADDED = 1e-5;

let gpu: GpuDevice;
beforeAll(async () => {
  gpu = await requestExpectedDevice();
});
afterAll(() => gpu.device.destroy());

async function buildPlanes(pair: PlacedPair, bound = Infinity, edgeRoom = 2) {
  const { a, b, placement } = pair;
  const { gpuA, gpuB, pairs } = collectPairs(gpu, pair, bound, edgeRoom);
  const planes = new GpuMinkowskiPlanes(gpu);
  const faults = new GpuFaults(gpu);
  faults.watch('sums', () => submitPass(gpu, (pass) => planes.encode(pass, a, b, gpuA, gpuB, placement, pairs)));
  const [sumBytes, planeBytes, shortage] = await readBuffers(gpu, faults, 'sums', [
    { buffer: planes.sums, byteLength: SUM_LAYOUT.size * pairs.count },
    { buffer: planes.planes, byteLength: PLANE_SIZE * pairs.planeCount },
    { buffer: planes.shortage.ensure(4), byteLength: 4 },
  ]);
  planes.destroy();
  return {
    pairs,
    nodesA: nodesOf(gpuA.leafOfNode),
    nodesB: nodesOf(gpuB.leafOfNode),
    sums: new Uint32Array(sumBytes),
    balls: new Float32Array(sumBytes),
    planes: new Float32Array(planeBytes),
    shortage: new Uint32Array(shortage)[0],
  };
}

function nodesOf(leafOfNode: Int32Array): number[] {
  const nodes: number[] = [];
  leafOfNode.forEach((leaf, node) => {
    if (leaf >= 0) nodes[leaf] = node;
  });
  return nodes;
}

/** The differences of all vertices of two nodes, in A's frame, in units of the radii. */
function addVertices({ a, b, placement: m, unit }: PlacedPair, nodeA: number, nodeB: number): number[][] {
  const points: number[][] = [];
  const verticesOf = ({ set }: Solid, node: number): number[][] =>
    [...set.nodeVertices.subarray(set.vertexStart[node], set.vertexStart[node + 1])].map((v) => [
      ...set.positions.subarray(3 * v, 3 * v + 3),
    ]);
  const placed = verticesOf(b, nodeB).map(([x, y, z]) =>
    [0, 4, 8].map((row) => m[row] * x + m[row + 1] * y + m[row + 2] * z + m[row + 3]),
  );
  for (const p of verticesOf(a, nodeA)) for (const q of placed) points.push(p.map((value, k) => (q[k] - value) / unit));
  return points;
}

async function comparePlanes(pair: PlacedPair, seed: number, bound: number, most: number): Promise<number> {
  const random = createRandom(seed);
  const built = await buildPlanes(pair, bound);
  expect(built.shortage).toBe(0);
  const { offsets, size } = SUM_LAYOUT;
  const step = Math.max(1, Math.floor(built.pairs.count / most));
  let checked = 0;
  for (let i = 0; i < built.pairs.count; i += step) {
    const nodeA = built.nodesA[built.pairs.words[5 * i]];
    const nodeB = built.nodesB[built.pairs.words[5 * i + 1]];
    const at = (i * size) / 4;
    const first = built.sums[at + offsets.firstPlane / 4];
    const endOutside = built.sums[at + offsets.endOutside / 4];
    const end = built.sums[at + offsets.endPlane / 4];
    const points = addVertices(pair, nodeA, nodeB);
    let worst = 0;
    for (let p = first; p < end; p++) {
      const [x, y, z, offset] = built.planes.subarray(4 * p, 4 * p + 4);
      expect(offset < 0).toBe(p < endOutside);
      const reach = Math.max(...points.map((t) => x * t[0] + y * t[1] + z * t[2]));
      worst = Math.max(worst, reach - offset, offset - reach - SUPPORTING);
    }
    expect(worst).toBeLessThanOrEqual(1e-7);
    const ball = built.balls.subarray(at, at + 4);
    for (const t of points) {
      expect(Math.hypot(t[0] - ball[0], t[1] - ball[1], t[2] - ball[2])).toBeLessThanOrEqual(ball[3]);
    }
    checked += countOutside(pair, nodeA, nodeB, points, built.planes.subarray(4 * first, 4 * end), random);
  }
  return checked;
}

/** Points just beyond where rays leave the sum by the CPU's planes must be outside a plane of the GPU's. */
function countOutside(
  pair: PlacedPair,
  nodeA: number,
  nodeB: number,
  points: number[][],
  found: Float32Array,
  random: Random,
): number {
  const { leaves, sums, unit } = pair;
  const sum = leaves.sumOf(nodeA, nodeB);
  const middle = [0, 1, 2].map((k) => points.reduce((total, t) => total + t[k], 0) / points.length);
  const pick = (): number[] => points[Math.floor(random.next() * points.length)];
  let count = 0;
  for (let ray = 0; ray < 20; ray++) {
    // Within the plane of a sum that is flat.
    const [p, q] = [pick(), pick()];
    const way = p.map((value, k) => value - q[k]);
    const length = Math.hypot(...way);
    if (length < 1e-3) continue;
    let far = Infinity;
    let facet = -1;
    for (let f = sums.planeStart[sum]; f < sums.planeStart[sum + 1]; f++) {
      const [x, y, z, offset] = sums.planes.subarray(4 * f, 4 * f + 4);
      const slope = (x * way[0] + y * way[1] + z * way[2]) / length;
      const room = offset / unit - (x * middle[0] + y * middle[1] + z * middle[2]);
      if (slope > 1e-6 && room < far * slope) {
        far = room / slope;
        facet = f;
      }
    }
    const normal = sums.planes.subarray(4 * facet, 4 * facet + 3);
    const t = middle.map((value, k) => value + (far * way[k]) / length + ADDED * normal[k]);
    let outside = -Infinity;
    for (let f = 0; f < found.length; f += 4) {
      outside = Math.max(outside, found[f] * t[0] + found[f + 1] * t[1] + found[f + 2] * t[2] - found[f + 3]);
    }
    expect(outside).toBeGreaterThan(0);
    count++;
  }
  return count;
}

const turned = pose.create([0.3, -0.2, 0.1], quat.fromAxisAngle([0.3, 0.5, -0.8], 1.1));
const grate = () => findModel('grate-small').build();
const [interlocked, , , letters] = penetrationBenchmarks;

describe('planes of sums', () => {
  test.each([
    ['letters', () => placePair(letters.meshA, letters.meshB, letters.poseA, letters.poseB), Infinity, 100],
    ['tori', () => placePair(interlocked.meshA, interlocked.meshB, interlocked.poseA, interlocked.poseB), 0.1, 12],
    ['turned bars', () => placePair(grate(), grate(), pose.identity(), turned), 3, 60],
    ['parallel bars', () => placePair(grate(), grate(), pose.identity(), pose.create([0.3, 0.2, 0.1])), 3, 60],
    [
      'far from the origin',
      () => placePair(grate(), grate(), pose.create([1e5, 0, 0]), pose.create([1e5, 1, 0])),
      3,
      20,
    ],
  ])('%s: all support the sum, and none is missing', async (_, make, bound, most) => {
    expect(await comparePlanes(make(), 7, bound, most * SOAK)).toBeGreaterThan(100);
  });

  test('a sum that has too little room is told of', async () => {
    const pair = placePair(letters.meshA, letters.meshB, letters.poseA, letters.poseB);
    expect((await buildPlanes(pair, Infinity, 0.1)).shortage).toBeGreaterThan(16);
  });
});
