// Requests a certificate and tries to refute it: brute force over triangles moves A by the vector, which must separate,
// and by little less than `lower` in many directions, which must not.
import { expect } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import { measurePenetrationSync } from '../../../src/penetration/measure-on-cpu.js';
import type { PenetrationOptions } from '../../../src/penetration/options.js';
import type { PenetrationResult } from '../../../src/penetration/result.js';
import { placeInFrame } from '../../oracles/mesh-distance.js';
import { Overlap } from '../../oracles/penetration/overlap.js';
import { randomDirection } from '../../oracles/penetration/random-pairs.js';
import { type Body, HERE } from '../check-depth.js';

/** Directions that each certificate is tried in. */
export const DIRECTIONS = 200;
/** What placing the models may move them by, as a share of their sizes: here and in the library. */
export const PLACING = 1e-12;
/** A translation this share shorter than `lower` still overlaps, or as much shorter as placing asks for, up to the second. */
const MIN_SLACK = 1e-9;
const MAX_SLACK = 1e-3;

export interface CertificateOptions extends PenetrationOptions {
  readonly poseA?: Pose;
  readonly poseB?: Pose;
  /** Directions to try; default {@link DIRECTIONS}. */
  readonly directions?: number;
}

/** Measures a pair and tries to refute the answer. */
export function checkCertificate(
  name: string,
  a: Body,
  b: Body,
  random: () => number,
  { poseA = HERE, poseB = HERE, directions = DIRECTIONS, ...options }: CertificateOptions = {},
): PenetrationResult {
  const result = measurePenetrationSync(a.model, b.model, poseA, poseB, { method: 'certified', ...options });
  checkInterval(name, result, sizeOf(a, b), options.relativeGap ?? 1e-3);
  refute(name, result, a, b, poseA, poseB, directions, random);
  return result;
}

/** What rounding is relative to: the sizes, and the coordinates. */
export function sizeOf(a: Body, b: Body): number {
  return [a, b].reduce((sum, { oracle }) => {
    let farthest = 0;
    for (const value of oracle.positions) farthest = Math.max(farthest, Math.abs(value));
    return sum + oracle.size + farthest;
  }, 0);
}

/** What must hold of any answer of the method, whatever the models. */
export function checkInterval(name: string, result: PenetrationResult, size: number, relativeGap: number): void {
  const { lower, upper, depth, vector, status, method } = result;
  expect(method, name).toBe('certified');
  expect(upper, name).toBe(depth);
  expect(Math.abs(Math.hypot(...vector) - depth), `${name}: the vector is as long`).toBeLessThanOrEqual(1e-12 * depth);
  expect(lower, `${name}: lower`).toBeGreaterThanOrEqual(0);
  expect(lower, `${name}: lower is not above upper`).toBeLessThanOrEqual(upper);
  if (status === 'separate') expect({ lower, upper }, name).toEqual({ lower: 0, upper: 0 });
  else {
    expect(['certified', 'exact', 'budget'], name).toContain(status);
    expect(upper, `${name}: some depth`).toBeGreaterThan(0);
    expect(result.intersects, name).toBe(true);
  }
  if (status === 'certified') {
    expect(upper - lower, `${name}: the gap asked for`).toBeLessThanOrEqual(relativeGap * upper * (1 + 1e-12));
  }
  if (status === 'exact') expect(upper - lower, `${name}: to rounding`).toBeLessThanOrEqual(1e-9 * size);
}

/** Brute force against an answer. */
export function refute(
  name: string,
  { intersects, vector, lower, depth, status }: PenetrationResult,
  a: Body,
  b: Body,
  poseA: Pose,
  poseB: Pose,
  directions: number,
  random: () => number,
): void {
  // Around A's place, so that no digits are lost to models far from the origin.
  const place = (pose: Pose, body: Body) => {
    const around = [pose[0] - poseA[0], pose[1] - poseA[1], pose[2] - poseA[2], ...pose.slice(3)];
    return placeInFrame(body.oracle.positions, HERE, around);
  };
  const [placedA, placedB] = [place(poseA, a), place(poseB, b)];
  const overlap = new Overlap(a.oracle, placedA, b.oracle, placedB);
  if (status === 'separate') {
    // Models that touch may be said to, and models that overlap by no more than placing.
    if (!intersects) expect(overlap.at(0, 0, 0), `${name}: apart`).toBe(false);
    return;
  }
  expect(overlap.at(0, 0, 0), `${name}: overlaps`).toBe(true);
  // What a pose makes of the vector: far from the origin it rounds.
  const [x, y, z] = vector.map((value, k) => poseA[k] + value - poseA[k]);
  expect(overlap.at(x, y, z), `${name}: apart at vector`).toBe(false);
  if (lower === 0) return;
  const slack = Math.min(MAX_SLACK, Math.max(MIN_SLACK, (PLACING * sizeOf(a, b)) / lower));
  const normals = [...normalsOf(placedA, a.oracle.indices), ...normalsOf(placedB, b.oracle.indices)];
  for (let i = 0; i < directions; i++) {
    const [u, v, w] = chooseDirection(
      i,
      vector.map((value) => value / depth),
      normals,
      random,
    );
    const length = (lower * (1 - slack)) / Math.hypot(u, v, w);
    if (overlap.at(length * u, length * v, length * w)) continue;
    expect.fail(`${name}: lower is ${lower}, but A is clear of B at (${[length * u, length * v, length * w]})`);
  }
}

/** Axes, the vector's own direction, others around it at all angles, normals of faces, and any. */
function chooseDirection(
  i: number,
  out: readonly number[],
  normals: readonly (readonly number[])[],
  random: () => number,
): readonly number[] {
  if (i < 6) return [0, 1, 2].map((k) => (k === i >> 1 ? 1 - 2 * (i & 1) : 0));
  if (i === 6) return out;
  const any = randomDirection(random);
  if (i % 4 === 0) return any.map((value, k) => out[k] + 10 ** (-6 * random()) * value);
  if (i % 4 !== 1) return any;
  const normal = normals[Math.floor(normals.length * random())];
  return random() < 0.5 ? normal : normal.map((value) => -value);
}

function normalsOf(at: Float64Array, indices: Uint32Array): number[][] {
  const normals: number[][] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    const [u, v] = [b, c].map((corner) => [0, 1, 2].map((k) => at[corner + k] - at[a + k]));
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(n[0], n[1], n[2]);
    if (length > 0) normals.push(n.map((value) => value / length));
  }
  return normals;
}

/** All these intervals hold one and the same depth, up to placing: the greatest `lower` is below the least `upper`. */
export function checkCommonDepth(
  name: string,
  answers: readonly { readonly lower: number; readonly upper: number }[],
  size: number,
): void {
  const lower = Math.max(...answers.map((answer) => answer.lower));
  const upper = Math.min(...answers.map((answer) => answer.upper));
  expect(lower, `${name}: some depth is in all of ${JSON.stringify(answers)}`).toBeLessThanOrEqual(
    upper + PLACING * size,
  );
}
