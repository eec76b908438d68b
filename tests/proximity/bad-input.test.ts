// Invalid input throws an error that says what is wrong and what to do.
import { describe, expect, test } from 'vitest';
import { NearfieldError, type NearfieldErrorCode } from '../../src/core/errors.js';
import type { Pose, ReadonlyPose } from '../../src/core/pose.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { prepareModel } from '../../src/proximity/hulls/model-hulls.js';
import { Pair } from '../../src/proximity/pair.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { findContacts, measureDistance, testIntersection, testTolerance } from '../../src/proximity/queries.js';
import { boxMesh } from '../generators/surfaces.js';

/** The error of a call, which must be one of ours, with a message that ends in what to do. */
function refusal(call: () => unknown): NearfieldError {
  try {
    call();
  } catch (error) {
    expect(error, String(error)).toBeInstanceOf(NearfieldError);
    return error as NearfieldError;
  }
  throw new Error('the call was answered');
}

function expectRefusal(call: () => unknown, codes: readonly NearfieldErrorCode[], mentions: RegExp): void {
  const error = refusal(call);
  expect(codes, error.message).toContain(error.code);
  expect(error.message).toMatch(mentions);
  expect(error.message, 'says what to do').toMatch(
    /give|choose|make|must|remove|createMesh|vertices 0 to|7 numbers tx,ty/i,
  );
}

const STILL: Pose = [0, 0, 0, 0, 0, 0, 1];
const a = new ProximityModel(boxMesh());
const b = new ProximityModel(boxMesh([2, 0, 0], [3, 1, 1]));
const BAD_LENGTHS: readonly unknown[] = [-1, -1e-300, Number.NaN, -Infinity, '1', null];

describe('a model', () => {
  const { positions, indices } = boxMesh();
  const cases: readonly [string, Mesh, NearfieldErrorCode, RegExp][] = [
    ['no vertices', { positions: new Float64Array(0), indices: new Uint32Array(0) }, 'empty-mesh', /no triangles/],
    ['no triangles', { positions, indices: new Uint32Array(0) }, 'empty-mesh', /no triangles/],
    [
      'a coordinate that is not a number',
      { positions: positions.with(4, Number.NaN), indices },
      'non-finite',
      /Vertex 1/,
    ],
    ['an infinite coordinate', { positions: positions.with(4, Infinity), indices }, 'non-finite', /Vertex 1/],
    ['a vertex id beyond the last', { positions, indices: indices.with(5, 8) }, 'index-out-of-range', /Face 1/],
    ['arrays of the wrong kind', { positions: [...positions], indices } as unknown as Mesh, 'bad-argument', /mesh/],
  ];
  test.each(cases)('of %s is refused', (_, shape, code, mentions) => {
    expectRefusal(() => new ProximityModel(shape), [code], mentions);
  });
  test('of nothing at all is refused', () => {
    for (const nothing of [null, undefined, {}, 7]) {
      expectRefusal(() => new ProximityModel(nothing as unknown as Mesh), ['bad-argument'], /mesh/i);
    }
  });
  test('to be made ready for a volume there is not is refused', () => {
    expectRefusal(() => prepareModel(new ProximityModel(boxMesh()), 'spheres' as 'boxes'), ['bad-argument'], /spheres/);
  });
});

describe('a pair', () => {
  test('of what is no model is refused', () => {
    for (const nothing of [null, undefined, {}, boxMesh()]) {
      expectRefusal(() => new Pair(nothing as unknown as ProximityModel, b), ['bad-argument'], /model/i);
      expectRefusal(() => new Pair(a, nothing as unknown as ProximityModel), ['bad-argument'], /model/i);
    }
  });
  test('over a volume there is not is refused', () => {
    expectRefusal(() => new Pair(a, b, { volume: 'spheres' as 'boxes' }), ['bad-argument'], /spheres/);
    expectRefusal(() => new Pair(a, b, { volume: '' as 'boxes' }), ['bad-argument'], /volume/);
  });
  test('with sizes that hold nothing is refused', () => {
    for (const size of [-1, Number.NaN, 0.5, '8', Infinity]) {
      expectRefusal(() => new Pair(a, b, { queueSize: size as number }), ['bad-argument'], /queue/i);
      expectRefusal(() => new Pair(a, b, { frontSize: size as number }), ['bad-argument'], /front/i);
    }
  });
  test('with switches that are no switches is refused', () => {
    for (const coherence of ['on', 1, null]) {
      expectRefusal(
        () => new Pair(a, b, { coherence: coherence as unknown as boolean }),
        ['bad-argument'],
        /coherence/i,
      );
    }
    expectRefusal(
      () => new Pair(a, b, { coherence: { frontTracking: 'yes' as unknown as boolean } }),
      ['bad-argument'],
      /frontTracking/,
    );
  });
});

type Query = (poseA: ReadonlyPose, poseB: ReadonlyPose) => unknown;
const pair = new Pair(a, b);
const QUERIES: readonly [string, Query][] = [
  ['Pair.intersects', (p, q) => pair.intersects(p, q)],
  ['Pair.within', (p, q) => pair.within(p, q, 1)],
  ['Pair.distance', (p, q) => pair.distance(p, q)],
  ['Pair.contacts', (p, q) => pair.contacts(p, q, { tolerance: 1 })],
  ['testIntersection', (p, q) => testIntersection(a, b, p, q)],
  ['testTolerance', (p, q) => testTolerance(a, b, p, q, 1)],
  ['measureDistance', (p, q) => measureDistance(a, b, p, q)],
  ['findContacts', (p, q) => findContacts(a, b, p, q, { tolerance: 1 })],
];

describe.each(QUERIES)('%s', (_, query) => {
  const cases: readonly [string, readonly number[] | null | undefined, NearfieldErrorCode, RegExp][] = [
    ['a translation that is not a number', [Number.NaN, 0, 0, 0, 0, 0, 1], 'non-finite', /NaN/],
    ['an infinite translation', [0, Infinity, 0, 0, 0, 0, 1], 'non-finite', /Infinity/],
    ['a rotation that is not a number', [0, 0, 0, 0, Number.NaN, 0, 1], 'non-finite', /NaN/],
    ['a zero quaternion', [0, 0, 0, 0, 0, 0, 0], 'bad-argument', /quaternion/],
    ['a quaternion of length 2', [0, 0, 0, 0, 0, 0, 2], 'bad-argument', /quaternion/],
    ['a matrix', new Array(16).fill(0), 'bad-argument', /7 numbers/],
    ['three numbers', [0, 0, 0], 'bad-argument', /7 numbers/],
    ['no pose', undefined, 'bad-argument', /7 numbers/],
    ['a null pose', null, 'bad-argument', /7 numbers/],
  ];
  test.each(cases)('refuses %s', (_title, pose, code, mentions) => {
    const bad = pose as unknown as Pose;
    expect(refusal(() => query(bad, STILL)).message).toMatch(/\bA\b/);
    expect(refusal(() => query(STILL, bad)).message).toMatch(/\bB\b/);
    expectRefusal(() => query(bad, STILL), [code], mentions);
    expectRefusal(() => query(STILL, bad), [code], mentions);
  });
  test('answers still after a refusal', () => {
    refusal(() => query([0, 0, 0, 0, 0, 0, 0], STILL));
    query(STILL, STILL);
    expect(pair.distance(STILL, STILL).distance).toBe(1);
  });
});

describe('lengths and errors', () => {
  test.each(BAD_LENGTHS)('of %s are refused', (value) => {
    const bad = value as number;
    expectRefusal(() => pair.within(STILL, STILL, bad), ['bad-argument', 'non-finite'], /tolerance/);
    expectRefusal(() => testTolerance(a, b, STILL, STILL, bad), ['bad-argument', 'non-finite'], /tolerance/);
    expectRefusal(() => pair.contacts(STILL, STILL, { tolerance: bad }), ['bad-argument', 'non-finite'], /tolerance/);
    expectRefusal(
      () => findContacts(a, b, STILL, STILL, { tolerance: bad }),
      ['bad-argument', 'non-finite'],
      /tolerance/,
    );
    for (const measure of [
      (options: object) => pair.distance(STILL, STILL, options),
      (options: object) => measureDistance(a, b, STILL, STILL, options),
    ]) {
      expectRefusal(() => measure({ cutoff: bad }), ['bad-argument', 'non-finite'], /cut-off/);
      expectRefusal(() => measure({ absoluteError: bad }), ['bad-argument', 'non-finite'], /absolute error/);
      expectRefusal(() => measure({ relativeError: bad }), ['bad-argument', 'non-finite'], /relative error/);
    }
  });
  test('that are missing where they are needed are refused', () => {
    expectRefusal(() => pair.within(STILL, STILL, undefined as unknown as number), ['bad-argument'], /tolerance/);
    expectRefusal(
      () => pair.contacts(STILL, STILL, {} as unknown as { tolerance: number }),
      ['bad-argument'],
      /tolerance/,
    );
    expectRefusal(
      () => pair.contacts(STILL, STILL, undefined as unknown as { tolerance: number }),
      ['bad-argument'],
      /tolerance/,
    );
  });
  test('of zero and infinity are fine where they mean something', () => {
    expect(pair.within(STILL, STILL, 0).within).toBe(false);
    expect(pair.within(STILL, STILL, Infinity).within).toBe(true);
    expect(pair.distance(STILL, STILL, { cutoff: Infinity }).distance).toBe(1);
    expect(pair.distance(STILL, STILL, { cutoff: 0 }).distance).toBeNull();
    expect(pair.distance(STILL, STILL, { relativeError: Infinity }).distance).toBeGreaterThanOrEqual(1);
    expect(pair.distance(STILL, STILL, { absoluteError: Infinity }).distance).toBeGreaterThanOrEqual(1);
    expect(pair.distance(STILL, STILL, { cutoff: undefined, absoluteError: undefined }).distance).toBe(1);
  });
});
