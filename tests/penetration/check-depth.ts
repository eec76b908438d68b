// Requests a depth and checks every part of the answer against the contract and brute force over triangles.
import { expect } from 'vitest';
import type { Pose } from '../../src/core/pose.js';
import { measurePenetrationSync } from '../../src/penetration/measure-on-cpu.js';
import type { PenetrationOptions } from '../../src/penetration/options.js';
import type { PenetrationResult } from '../../src/penetration/result.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { measureByBruteForce, type OracleMesh, placeInFrame, prepareOracle } from '../oracles/mesh-distance.js';
import type { Solid } from '../oracles/penetration/shapes.js';

export const HERE: Pose = [0, 0, 0, 0, 0, 0, 1];

/** Rounding alone: of the truth, of poses, of the nudge that makes touching into apart. */
export const ROUNDING = 1e-9;
/** What the images may be off by at 256 pixels. */
export const IMAGE_ERROR = 0.02;

/** A model with what brute force needs of it. */
export interface Body {
  readonly model: ProximityModel;
  readonly oracle: OracleMesh;
}

export function bodyOf({ positions, indices }: Solid): Body {
  return { model: new ProximityModel({ positions, indices }), oracle: prepareOracle(positions, indices) };
}

/** What is known of a depth beforehand: exactly, or between two bounds. */
export interface Truth {
  readonly low: number;
  readonly high: number;
}

export const exactly = (depth: number): Truth => ({ low: depth, high: depth });

/** Measures and checks a pair. Returns how far the answer is above the truth, as a share of it, and the answer. */
export function checkDepth(
  name: string,
  a: Body,
  b: Body,
  truth: Truth,
  {
    poseA = HERE,
    poseB = HERE,
    error = IMAGE_ERROR,
    ...options
  }: PenetrationOptions & { poseA?: Pose; poseB?: Pose; error?: number } = {},
): { result: PenetrationResult; excess: number } {
  const result = measurePenetrationSync(a.model, b.model, poseA, poseB, { method: 'image-space', ...options });
  checkContract(name, result, a, b, poseA, poseB, truth.low);
  expect(result.depth, `${name}: not below the truth`).toBeGreaterThanOrEqual(truth.low * (1 - ROUNDING));
  expect(result.depth, `${name}: close to the truth`).toBeLessThanOrEqual(truth.high * (1 + error));
  return { result, excess: truth.low > 0 ? result.depth / truth.low - 1 : 0 };
}

/** What must hold of any answer, whatever the depth. `lowest`: what the depth is known not to be below. */
export function checkContract(
  name: string,
  result: PenetrationResult,
  a: Body,
  b: Body,
  poseA: Pose,
  poseB: Pose,
  lowest = 0,
): void {
  const { depth, vector, direction, lower, upper, status, pointA, pointB } = result;
  const size = a.oracle.size + b.oracle.size;
  expect(result.method, name).toBe('image-space');
  expect(['cpu', 'webgpu'], name).toContain(result.backend);
  expect(result.milliseconds, name).toBeGreaterThanOrEqual(0);
  expect(upper, name).toBe(depth);
  expect(Math.abs(Math.hypot(...vector) - depth), `${name}: depth is the length of vector`).toBeLessThanOrEqual(
    1e-12 * depth,
  );
  expect(lower, name).toBeGreaterThanOrEqual(0);
  expect(lower, `${name}: lower is below the truth`).toBeLessThanOrEqual(depth);
  const before = measureByBruteForce(a.oracle, b.oracle, placeInFrame(b.oracle.positions, poseA, poseB));
  // Poses round, so only those that keep all digits can tell touching from apart.
  if (isExact(poseA) && isExact(poseB)) expect(result.intersects, `${name}: intersects`).toBe(before.intersects);
  if (depth === 0) {
    expect(lowest, `${name}: no depth although there is some`).toBeLessThanOrEqual(1e-12 * size);
    expect({ status, vector, direction, lower }, name).toEqual({
      status: 'separate',
      vector: [0, 0, 0],
      direction: null,
      lower: 0,
    });
    return;
  }
  expect(result.intersects, name).toBe(true);
  expect(['exact', 'upper-estimate'], name).toContain(status);
  for (let k = 0; k < 3; k++) expect(Math.abs(direction![k] - vector[k] / depth), name).toBeLessThanOrEqual(1e-12);
  const moved: Pose = [...poseA];
  for (let k = 0; k < 3; k++) moved[k] += vector[k];
  const after = measureByBruteForce(a.oracle, b.oracle, placeInFrame(b.oracle.positions, moved, poseB));
  expect(after.intersects, `${name}: apart at vector`).toBe(false);
  expect(after.distance, `${name}: only just apart at vector`).toBeLessThanOrEqual(1e-6 * size);
  expect(pointA, name).not.toBeNull();
  expect(pointB, name).not.toBeNull();
  const gap = Math.hypot(...[0, 1, 2].map((k) => pointA![k] + vector[k] - pointB![k]));
  expect(gap, `${name}: the two points come together`).toBeLessThanOrEqual(1e-6 * size);
  checkFeature(`${name}: point and feature of A`, result.featureA, pointA!, a, poseA);
  checkFeature(`${name}: point and feature of B`, result.featureB, pointB!, b, poseB);
}

/** The named vertices belong to one triangle, and the point lies in what they span. */
function checkFeature(
  name: string,
  feature: PenetrationResult['featureA'],
  point: readonly number[],
  { oracle }: Body,
  pose: Pose,
): void {
  expect(feature, name).not.toBeNull();
  const { kind, vertices } = feature!;
  expect(vertices.length, name).toBe({ vertex: 1, edge: 2, face: 3 }[kind]);
  let isThere = false;
  for (let i = 0; i < oracle.indices.length && !isThere; i += 3) {
    const corners = oracle.indices.subarray(i, i + 3);
    isThere = vertices.every((v) => corners.includes(v));
  }
  expect(isThere, `${name}: vertices of one triangle`).toBe(true);
  const world = placeInFrame(oracle.positions, HERE, pose);
  const corners = vertices.map((v) => Array.from(world.subarray(3 * v, 3 * v + 3)));
  expect(distanceToSpan(point, corners), `${name}: on the feature`).toBeLessThanOrEqual(1e-6 * oracle.size);
}

/** How far a point is from the hull of one to three points, by shrinking steps: enough for 1e-6. */
function distanceToSpan(point: readonly number[], corners: readonly (readonly number[])[]): number {
  const away = (p: readonly number[]) => Math.hypot(p[0] - point[0], p[1] - point[1], p[2] - point[2]);
  const onSegment = (p: readonly number[], q: readonly number[]) => {
    const d = p.map((value, k) => q[k] - value);
    const square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const s = d.reduce((sum, value, k) => sum + value * (point[k] - p[k]), 0) / (square || 1);
    return away(p.map((value, k) => value + Math.min(1, Math.max(0, s)) * d[k]));
  };
  if (corners.length === 1) return away(corners[0]);
  if (corners.length === 2) return onSegment(corners[0], corners[1]);
  const [p, q, r] = corners;
  const rim = Math.min(onSegment(p, q), onSegment(q, r), onSegment(r, p));
  const cross = (u: readonly number[], v: readonly number[]) => [
    u[1] * v[2] - u[2] * v[1],
    u[2] * v[0] - u[0] * v[2],
    u[0] * v[1] - u[1] * v[0],
  ];
  const minus = (u: readonly number[], v: readonly number[]) => u.map((value, k) => value - v[k]);
  const dot = (u: readonly number[], v: readonly number[]) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const n = cross(minus(q, p), minus(r, p));
  const sides = [
    [p, q],
    [q, r],
    [r, p],
  ].map(([u, v]) => dot(cross(minus(v, u), minus(point, u)), n));
  return sides.every((side) => side >= 0) ? Math.abs(dot(n, minus(point, p))) / Math.hypot(...n) : rim;
}

function isExact(pose: Pose): boolean {
  return [3, 4, 5].every((k) => pose[k] === 0);
}
