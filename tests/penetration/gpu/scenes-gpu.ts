// Two solids with all that the kernels and their CPU twins need, for the tests of the GPU.
import { MinkowskiSums } from '../../../src/convex/minkowski/minkowski-sums.js';
import * as pose from '../../../src/core/pose.js';
import type { GpuDevice } from '../../../src/gpu/device.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { GpuLeafPairs } from '../../../src/penetration/gpu/leaf-pairs-gpu.js';
import { unitOfPair } from '../../../src/penetration/gpu/minkowski-planes-gpu.js';
import { uploadSolid } from '../../../src/penetration/gpu/solid-gpu.js';
import { Separation } from '../../../src/penetration/separation.js';
import { prepareSolid } from '../../../src/penetration/solid.js';
import { sizeOfPair } from '../../../src/penetration/union/descent.js';
import { LeafSums } from '../../../src/penetration/union/leaf-sums.js';
import { NodeBoxes } from '../../../src/penetration/union/node-boxes.js';
import { UnionRays } from '../../../src/penetration/union/union-rays.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';

export function placePair(meshA: Mesh, meshB: Mesh, poseA: pose.ReadonlyPose, poseB: pose.ReadonlyPose) {
  const modelA = new ProximityModel(meshA);
  const modelB = meshB === meshA ? modelA : new ProximityModel(meshB);
  const a = prepareSolid(modelA);
  const b = prepareSolid(modelB);
  const placement = pose.toMatrix4(pose.bInA(poseA, poseB)).subarray(0, 12);
  const separation = new Separation(modelA, modelB, poseA, poseB, sizeOfPair(a, b));
  const sums = new MinkowskiSums({ classesA: a.hulls.faceClasses, classesB: b.hulls.faceClasses });
  const boxes = new NodeBoxes(a, b, placement);
  const union = new UnionRays(sums, null, null, separation.size);
  const leaves = new LeafSums(a, b, placement, sums, boxes);
  return { modelA, modelB, a, b, placement, separation, sums, boxes, union, leaves, unit: unitOfPair(a, b) };
}

export type PlacedPair = ReturnType<typeof placePair>;

/** The pairs of pieces within a bound, as the kernels take them. */
export function collectPairs(gpu: GpuDevice, pair: PlacedPair, bound: number, edgeRoom = 2) {
  const { a, b, boxes, unit } = pair;
  const gpuA = uploadSolid(gpu, a);
  const gpuB = uploadSolid(gpu, b);
  const pairs = new GpuLeafPairs();
  pairs.edgeRoom = edgeRoom;
  pairs.collect(a, b, gpuA, gpuB, boxes, bound, unit);
  return { gpuA, gpuB, pairs };
}

/** Runs one compute pass. */
export function submitPass(gpu: GpuDevice, encode: (pass: GPUComputePassEncoder) => void): void {
  const encoder = gpu.device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  encode(pass);
  pass.end();
  gpu.device.queue.submit([encoder.finish()]);
}
