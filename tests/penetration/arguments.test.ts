// How penetration queries handle arguments that the types forbid; and that a query which was aborted, or called from
// within another, leaves nothing behind.
import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../src/core/errors.js';
import { findModel } from '../../src/models/catalogue.js';
import { measurePenetrationSync } from '../../src/penetration/measure-on-cpu.js';
import { measurePenetration } from '../../src/penetration/measure-penetration.js';
import type { PenetrationOptions } from '../../src/penetration/options.js';
import { preparePenetration } from '../../src/penetration/prepare-penetration.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';

const torus = new ProximityModel(findModel('torus').build({ majorSegments: 10, minorSegments: 6 }));
const box = new ProximityModel(findModel('box').build());
const HERE = [0, 0, 0, 0, 0, 0, 1] as const;
const THERE = [0.3, 0, 0, 0, 0, 0, 1] as const;
const OTHER = [0.1, 0.2, 0.1, 0, 0, 0, 1] as const;

type Untyped = (...given: unknown[]) => unknown;

/** The code and the message of what a call throws, at once or later. */
async function refusal(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (error instanceof NearfieldError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

describe.each<[string, Untyped]>([
  ['measurePenetration', measurePenetration as Untyped],
  ['measurePenetrationSync', measurePenetrationSync as Untyped],
])('%s refuses', (_, measure) => {
  test.each<[string, string, unknown[]]>([
    ['nothing', 'bad-argument: The pose of A is not 7 numbers', []],
    ['null for a model', 'bad-argument: The model is not a ProximityModel', [null, box, HERE, THERE]],
    ['a mesh for a model', 'bad-argument: The model is not a ProximityModel', [torus, box.mesh, HERE, THERE]],
    ['no pose', 'bad-argument: The pose of B is not 7 numbers', [torus, box, HERE]],
    ['text for a pose', 'bad-argument: The pose of A is not 7 numbers', [torus, box, '0,0,0,0,0,0,1', THERE]],
    ['NaN in a pose', 'non-finite: Number 0 of the pose of A', [torus, box, [Number.NaN, 0, 0, 0, 0, 0, 1], THERE]],
    [
      'a pose too far away',
      'bad-argument: The translation of the pose of A',
      [torus, box, [1e308, 0, 0, 0, 0, 0, 1], THERE],
    ],
    ['text for a callback', 'bad-argument: onCells is later', [torus, box, HERE, THERE, { onCells: 'later' }]],
    ['a number for a trace', 'bad-argument: trace is 1', [torus, box, HERE, THERE, { trace: 1 }]],
    ['no rotation', 'bad-argument: The quaternion of the pose of B', [torus, box, HERE, [0, 0, 0, 0, 0, 0, 0]]],
    ['null for options', 'bad-argument: The options are null', [torus, box, HERE, THERE, null]],
    ['a number for options', 'bad-argument: The options are 5', [torus, box, HERE, THERE, 5]],
  ])('%s', async (_name, expected, given) => {
    expect(await refusal(() => measure(...given))).toContain(expected);
  });

  test.each<[string, object]>([
    ['bad-argument: The resolution is NaN', { resolution: Number.NaN }],
    ['bad-argument: The resolution is null', { resolution: null }],
    ['bad-argument: The resolution is 0', { resolution: 0 }],
    ['bad-argument: The resolution is 1000000000', { resolution: 1e9 }],
    ["bad-argument: The resolution is '256'", { resolution: '256' }],
    ['bad-argument: The coarseResolution is 1.5', { coarseResolution: 1.5 }],
    ["bad-argument: The method is 'deep'", { method: 'deep' }],
    ["bad-argument: The query is 'pixels'", { query: 'pixels' }],
    ["bad-argument: The descent is 'fast'", { descent: 'fast' }],
    ["bad-argument: The backend is 'cuda'", { backend: 'cuda' }],
  ])('%s', async (expected, options) => {
    expect(await refusal(() => measure(torus, box, HERE, THERE, options))).toContain(expected);
  });
});

test('webgpu needs a device, and one that was requested or adopted', async () => {
  const ask = (options: object) => () => measurePenetration(torus, box, HERE, THERE, options as PenetrationOptions);
  expect(await refusal(ask({ backend: 'webgpu' }))).toContain('no-gpu');
  expect(await refusal(ask({ backend: 'webgpu', device: null }))).toContain('no-gpu');
  for (const backend of ['webgpu', 'auto']) {
    expect(await refusal(ask({ backend, device: {} }))).toContain('bad-argument: The device is not one');
  }
  expect(await refusal(ask({ device: null }))).toBe('accepted');
  for (const model of [null, undefined, {}, box.mesh]) {
    expect(await refusal(() => preparePenetration(model as ProximityModel))).toContain('not a ProximityModel');
  }
});

test('a query that was stopped, that threw, or that asks another leaves nothing behind', () => {
  const options = { resolution: 32, method: 'image-space', descent: 'levels' } as const;
  const expected = measurePenetrationSync(torus, box, HERE, THERE, options).vector;
  const other = measurePenetrationSync(torus, box, HERE, OTHER, options).vector;
  expect(other).not.toEqual(expected);
  let stopped = 0;
  for (let step = 1; step <= 4; step++) {
    const stop = new AbortController();
    let reports = 0;
    const onProgress = (): void => {
      if (++reports === step) stop.abort();
    };
    try {
      measurePenetrationSync(torus, box, HERE, THERE, { ...options, signal: stop.signal, onProgress });
    } catch (error) {
      expect(error).toMatchObject({ code: 'aborted' });
      stopped++;
    }
    expect(measurePenetrationSync(torus, box, HERE, THERE, options).vector).toEqual(expected);
  }
  expect(stopped).toBeGreaterThan(1);
  const fault = new RangeError('mine');
  const trace = (): void => {
    throw fault;
  };
  expect(() => measurePenetrationSync(torus, box, HERE, THERE, { ...options, trace })).toThrow(fault);
  const inner: unknown[] = [];
  const outer = measurePenetrationSync(torus, box, HERE, THERE, {
    ...options,
    trace: () => inner.push(measurePenetrationSync(torus, box, HERE, OTHER, options).vector),
  });
  expect(outer.vector).toEqual(expected);
  expect(inner.length).toBeGreaterThan(0);
  for (const vector of inner) expect(vector).toEqual(other);
});
