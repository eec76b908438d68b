// What every answer of the queries must satisfy, given the true answer by brute force.
import { expect } from 'vitest';
import { invert, type ReadonlyPose, transformPoint } from '../../src/core/pose.js';
import type { Vec3 } from '../../src/core/vec3.js';
import type { MeshFeature } from '../../src/mesh/triangle/triangle-region.js';
import type { DistanceOptions } from '../../src/proximity/options.js';
import type { DistanceResult } from '../../src/proximity/result.js';
import type { Configuration, NamedMesh } from '../generators/configurations.js';
import { measureByBruteForce, type OracleAnswer, prepareOracle, windingByRay } from '../oracles/mesh-distance.js';

/** Distances agree to this share of the larger model's size. */
export const AGREEMENT = 1e-9;

/** Says which configuration a failure is about. */
export function describeConfiguration(seed: number, c: Configuration): string {
  return `seed ${seed}: ${c.kind}, ${c.a.name} at [${c.poseA}], ${c.b.name} at [${c.poseB}]`;
}

/** How far a point is from the part of the mesh that a feature names. */
export function distanceToFeature(model: NamedMesh, feature: MeshFeature, point: Vec3): number {
  const [a, b = a, c = b] = feature.vertices;
  const { positions } = model.mesh;
  const corners = [a, b, c].flatMap((v) => Array.from(positions.subarray(3 * v, 3 * v + 3)));
  expect(feature.vertices.length).toBe({ vertex: 1, edge: 2, face: 3 }[feature.kind]);
  return measureByBruteForce(
    prepareOracle(Float64Array.from([...point, ...point, ...point]), Uint32Array.of(0, 1, 2)),
    prepareOracle(Float64Array.from(corners), Uint32Array.of(0, 1, 2)),
  ).distance;
}

/** Whether the triangles of the mesh have the feature. */
export function hasFeature({ mesh: { indices } }: NamedMesh, { vertices }: MeshFeature): boolean {
  for (let i = 0; i < indices.length; i += 3) {
    const face = indices.subarray(i, i + 3);
    if (vertices.every((v) => face.includes(v))) return true;
  }
  return false;
}

/** Checks a point against the feature it is said to lie on; without one it must lie in the solid. */
function checkPoint(
  model: NamedMesh,
  pose: ReadonlyPose,
  point: Vec3,
  feature: MeshFeature | null,
  size: number,
): void {
  const local = transformPoint(invert(pose), point);
  if (feature === null) {
    expect(model.oracle.closed, 'only a solid has points off its surface').toBe(true);
    expect(windingByRay(model.mesh.positions, model.mesh.indices, local[0], local[1], local[2])).toBeGreaterThan(0);
    return;
  }
  expect(hasFeature(model, feature), `${model.name} has the ${feature.kind} ${feature.vertices}`).toBe(true);
  expect(distanceToFeature(model, feature, local)).toBeLessThanOrEqual(AGREEMENT * size);
}

/** Checks an answer of the distance query, exact or approximate, with or without cut-off. */
export function checkDistance(
  c: Configuration,
  truth: OracleAnswer,
  result: DistanceResult,
  { cutoff = Infinity, absoluteError = 0, relativeError = 0 }: DistanceOptions = {},
): void {
  const { a, b, poseA, poseB, size } = c;
  const slack = AGREEMENT * size;
  expect(result.intersects).toBe(truth.intersects);
  if (result.distance === null) {
    expect(truth.distance).toBeGreaterThan(cutoff - slack);
    expect(result.witness).toBeNull();
    return;
  }
  const allowed = Math.max(absoluteError, relativeError * truth.distance);
  expect(result.distance).toBeGreaterThanOrEqual(truth.distance - slack);
  expect(result.distance).toBeLessThanOrEqual(truth.distance + allowed + slack);
  expect(result.distance).toBeLessThanOrEqual(cutoff);
  expect(result.error).toBeGreaterThanOrEqual(0);
  expect(result.error).toBeLessThanOrEqual(allowed + slack);
  expect(truth.distance).toBeGreaterThanOrEqual(result.distance - result.error - slack);
  const { witness } = result;
  if (witness === null) throw new Error('a distance has a witness');
  const { pointA, pointB, normal, featureA, featureB } = witness;
  expect(witness.distance).toBe(result.distance);
  const away = pointB.map((x, k) => x - pointA[k]);
  expect(Math.abs(Math.hypot(...away) - result.distance)).toBeLessThanOrEqual(slack);
  checkPoint(a, poseA, pointA, featureA, size);
  checkPoint(b, poseB, pointB, featureB, size);
  if (truth.intersects) {
    expect(result.distance).toBe(0);
    expect(normal).toBeNull();
    return;
  }
  expect(result.distance).toBeGreaterThan(0);
  if (normal === null) throw new Error('models apart have a normal');
  expect(featureA).not.toBeNull();
  expect(featureB).not.toBeNull();
  expect(Math.abs(Math.hypot(...normal) - 1)).toBeLessThan(1e-12);
  for (let k = 0; k < 3; k++) expect(Math.abs(away[k] - result.distance * normal[k])).toBeLessThanOrEqual(slack);
  if (result.distance > 1e-6 * size) {
    for (let k = 0; k < 3; k++) expect(Math.abs(away[k] / result.distance - normal[k])).toBeLessThan(1e-6);
  }
}
