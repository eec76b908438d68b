// Triangles without area are segments or points, against the oracle on a grid where everything is exact.
import { expect, test } from 'vitest';
import * as pose from '../../../src/core/pose.js';
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { trianglesMeet } from '../../../src/mesh/triangle/triangles-meet.js';
import { findModel } from '../../../src/models/catalogue.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import { trianglesMeet as oracle } from '../../oracles/triangles-meet.js';
import { findContacts, measureDistance, testIntersection } from '../../proximity/stateless.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** A triangle on a small grid: a third of them segments, some points. */
function createTriangle(random: ReturnType<typeof createRandom>): Float64Array {
  const t = Float64Array.from({ length: 9 }, () => random.integer(4));
  const kind = random.integer(6);
  if (kind < 2) for (let k = 0; k < 3; k++) t[6 + k] = kind === 0 ? t[k] : (t[k] + t[3 + k]) / 2;
  if (kind === 2) for (let k = 0; k < 3; k++) t[6 + k] = t[3 + k] = t[k];
  return t;
}

test('agrees with the oracle', () => {
  const random = createRandom(12);
  let meeting = 0;
  const count = 20_000 * SOAK;
  for (let i = 0; i < count; i++) {
    const [p, q] = [createTriangle(random), createTriangle(random)];
    const wanted = oracle(p, 0, 3, 6, q, 0, 3, 6);
    if (wanted) meeting++;
    expect(trianglesMeet(p, 0, 3, 6, q, 0, 3, 6), `${p} | ${q}`).toBe(wanted);
  }
  expect(meeting / count).toBeGreaterThan(0.1);
  expect(meeting / count).toBeLessThan(0.7);
});

const face = mesh([0, 0, 0, 4, 0, 0, 0, 4, 0]);

function mesh(positions: readonly number[]): Mesh {
  return { positions: Float64Array.from(positions), indices: Uint32Array.of(0, 1, 2) };
}

test.each([
  ['a point on the face', mesh([1, 1, 0, 1, 1, 0, 1, 1, 0]), 0],
  ['a segment through the face', mesh([1, 1, -1, 1, 1, 1, 1, 1, 0]), 0],
  ['a segment in the plane', mesh([1, 1, 0, 1, 2, 0, 1, 1.5, 0]), 0],
  ['a point on an edge', mesh([2, 0, 0, 2, 0, 0, 2, 0, 0]), 0],
  ['a point on a corner', mesh([4, 0, 0, 4, 0, 0, 4, 0, 0]), 0],
  ['a segment above', mesh([1, 1, 2, 2, 1, 3, 1.5, 1, 2.5]), 2],
  ['a point beside', mesh([-3, 0, 4, -3, 0, 4, -3, 0, 4]), 5],
  ['a segment that passes the plane beside', mesh([-1, -1, -1, -1, -1, 1, -1, -1, 0]), Math.SQRT2],
])('%s', (_, other, wanted) => {
  const [a, b] = [new ProximityModel(face), new ProximityModel(other)];
  for (const [first, second] of [
    [a, b],
    [b, a],
  ]) {
    const result = measureDistance(first, second, pose.identity(), pose.identity());
    expect(result.distance).toBeCloseTo(wanted, 12);
    expect(result.intersects).toBe(wanted === 0);
    expect(result.witness?.normal === null).toBe(wanted === 0);
    expect(testIntersection(first, second, pose.identity(), pose.identity()).intersects).toBe(wanted === 0);
    const contacts = findContacts(first, second, pose.identity(), pose.identity(), { tolerance: 10 });
    expect(contacts.intersects).toBe(wanted === 0);
    for (const { normal } of contacts.contacts) expect(Math.hypot(...normal)).toBeCloseTo(1, 12);
  }
});

test('shells inside each other that all look outward are one solid; turned about, the inner one is a cavity', () => {
  const box = findModel('box').build();
  const nest = (turned: boolean): ProximityModel => {
    const n = box.positions.length / 3;
    const inner = Array.from(box.indices, (_, i) => n + box.indices[turned ? i - (i % 3) + ((3 - (i % 3)) % 3) : i]);
    return new ProximityModel({
      positions: Float64Array.from([...box.positions, ...box.positions.map((x) => 0.5 * x)]),
      indices: Uint32Array.from([...box.indices, ...inner]),
    });
  };
  const speck = new ProximityModel({ positions: box.positions.map((x) => 0.1 * x), indices: box.indices });
  for (const volume of ['boxes', 'hulls'] as const) {
    const ask = (model: ProximityModel) =>
      testIntersection(model, speck, pose.identity(), pose.identity(), { volume }).intersects;
    expect(ask(nest(false))).toBe(true);
    expect(ask(nest(true))).toBe(false);
  }
});
