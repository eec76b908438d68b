import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { HullSearch } from '../../../src/proximity/hulls/hull-search.js';
import type { CoherenceOptions } from '../../../src/proximity/options.js';
import { sheet, torusGrid } from '../../generators/surfaces.js';
import {
  answerOf,
  checkOutcome,
  createSearch,
  type HullCase,
  motionBetween,
  placementOf,
  placeVertices,
  prepareCase,
  switchSettings,
} from './hull-placements.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

const torus = prepareCase(torusGrid(16, 10));
const small = prepareCase(torusGrid(12, 8, 1.5, 0.4));
const hills = prepareCase(sheet(8));

/** The two tori linked, swaying: frame t at a speed. An amplitude of 1 keeps them apart, 2 makes them cross at times. */
function placementAt(t: number, speed: number, amplitude = 2): Float64Array {
  const s = 0.05 * speed * t;
  const turn = 0.2 * amplitude * Math.sin(0.7 * s);
  const half = Math.SQRT1_2;
  return placementOf(
    [2 + 0.15 * amplitude * Math.sin(s), 0.3 * amplitude * Math.sin(0.8 * s), 0.15 * amplitude * Math.sin(1.3 * s)],
    [half * Math.cos(turn), half * Math.sin(turn), half * Math.sin(turn), half * Math.cos(turn)],
  );
}

/** Over the sheet, up and down. */
function placementOver(t: number, speed: number): Float64Array {
  const s = 0.02 * speed * t;
  const angle = 0.3 * s;
  return placementOf(
    [4 + 2 * Math.sin(s), 4 + 2 * Math.cos(0.7 * s), 1.1 + 0.8 * Math.sin(1.1 * s)],
    [0, Math.sin(angle), 0, Math.cos(angle)],
  );
}

interface Answers {
  /** One number a frame and search; searches are independent of each other's answers. */
  readonly values: number[];
}

/** Asks a different question each frame, in an order that is the same for every search. */
function askAlong(
  search: HullSearch,
  a: HullCase,
  b: HullCase,
  place: (t: number) => Float64Array,
  frames: number,
): Answers {
  const random = createRandom(11);
  const values: number[] = [];
  let before: Float64Array | null = null;
  for (let t = 0; t < frames; t++) {
    const placement = place(t);
    const placed = placeVertices(b.mesh, placement);
    const motion = motionBetween(before, placed);
    before = placed;
    const kind = random.integer(5);
    const tolerance = random.range(0, 0.6);
    if (kind === 0) values.push(search.testIntersection(placement, motion) ? 1 : 0);
    else if (kind === 1) values.push(search.testTolerance(placement, motion, tolerance) ? 1 : 0);
    else if (kind === 2) {
      search.measureDistance(placement, motion, Infinity, 0, 0);
      checkOutcome(a, b, placement, search.outcome);
      values.push(search.outcome.distance);
    } else if (kind === 3) {
      const found = search.measureDistance(placement, motion, tolerance, 0, 0);
      values.push(found ? search.outcome.distance : -1);
    } else {
      let count = 0;
      const apart = search.findContacts(placement, motion, tolerance, { offer: () => void count++ });
      values.push(apart ? count : -1);
    }
  }
  return { values };
}

describe('answers', () => {
  test.each([
    ['tori', torus, small, placementAt],
    ['a sheet and a torus', hills, small, placementOver],
    ['two sheets', hills, hills, placementOver],
  ] as const)('of %s are the same whatever the switches', (_, a, b, place) => {
    const frames = 80 * SOAK;
    const expected = askAlong(createSearch(a, b, { coherence: false }), a, b, (t) => place(t, 1), frames);
    expect(new Set(expected.values).size).toBeGreaterThan(frames / 5);
    for (const coherence of switchSettings) {
      const search = createSearch(a, b, { coherence });
      const { values } = askAlong(search, a, b, (t) => place(t, 1), frames);
      values.forEach((value, t) => {
        expect(Math.abs(value - expected.values[t]), `frame ${t} ${JSON.stringify(coherence)}`).toBeLessThan(1e-11);
      });
    }
  });

  test('are the same with a queue and a front that are full', () => {
    const expected = askAlong(
      createSearch(torus, small, { coherence: false }),
      torus,
      small,
      (t) => placementAt(t, 1),
      80,
    );
    for (const coherence of switchSettings) {
      for (const [queueSize, frontSize] of [
        [1, 1],
        [2, 7],
        [9, 40],
      ]) {
        const search = createSearch(torus, small, { coherence, queueSize, frontSize });
        const { values } = askAlong(search, torus, small, (t) => placementAt(t, 1), 80);
        expect(search.outcome.frontSize).toBeLessThanOrEqual(frontSize);
        values.forEach((value, t) => {
          expect(Math.abs(value - expected.values[t])).toBeLessThan(1e-11);
        });
      }
    }
  });

  test('are right after jumps, long ways, resets and queries at rest', () => {
    const random = createRandom(3);
    const search = createSearch(torus, small);
    let before: Float64Array | null = null;
    let t = 0;
    for (let i = 0; i < 150 * SOAK; i++) {
      const event = random.integer(8);
      if (event === 0) t = random.integer(5000);
      else if (event === 1) search.reset();
      else if (event < 6) t += random.range(0, 3);
      const placement = placementAt(t, 1);
      const placed = placeVertices(small.mesh, placement);
      const motion = event === 1 ? Infinity : motionBetween(before, placed);
      before = placed;
      const truth = answerOf(torus, small, placement);
      expect(search.testIntersection(placement, motion)).toBe(truth.intersects);
      expect(search.measureDistance(placement, 0, Infinity, 0, 0)).toBe(true);
      expect(Math.abs(search.outcome.distance - truth.distance)).toBeLessThan(1e-11);
      expect(search.outcome.distance === 0).toBe(truth.intersects);
    }
  });
});

type Total = { volumePairs: number; marchSteps: number; frontSkipped: number; frontSize: number };

/** What a motion costs in all. */
function costOf(coherence: CoherenceOptions, speed: number, ask: 'crossing' | 'nearest', frames = 120): Total {
  const search = createSearch(torus, small, { coherence });
  const total: Total = { volumePairs: 0, marchSteps: 0, frontSkipped: 0, frontSize: 0 };
  let before: Float64Array | null = null;
  for (let t = 0; t < frames; t++) {
    const placement = placementAt(t, speed, 1);
    const placed = placeVertices(small.mesh, placement);
    const motion = motionBetween(before, placed);
    before = placed;
    if (ask === 'crossing') search.testIntersection(placement, motion);
    else search.measureDistance(placement, motion, Infinity, 0, 0);
    total.volumePairs += search.outcome.volumePairs;
    total.marchSteps += search.outcome.marchSteps;
    total.frontSkipped += search.outcome.frontSkipped;
    total.frontSize = Math.max(total.frontSize, search.outcome.frontSize);
  }
  return total;
}

describe('costs', () => {
  const off = { pieceCaching: false, prioritySearch: false, frontTracking: false, motionBounds: false };

  test('fall with piece caching in slow motion', () => {
    const plain = costOf(off, 0.1, 'nearest');
    const cached = costOf({ ...off, pieceCaching: true }, 0.1, 'nearest');
    expect(cached.volumePairs).toBeLessThan(0.9 * plain.volumePairs);
  });

  test('fall with piece caching where surfaces go on crossing', () => {
    const through = (coherence: CoherenceOptions) => {
      const search = createSearch(torus, torus, { coherence });
      let pairs = 0;
      for (let t = 0; t < 20; t++) {
        expect(search.testIntersection(placementOf([1 + 0.001 * t, 0, 0]), 0.001)).toBe(true);
        pairs += search.outcome.volumePairs;
      }
      return pairs;
    };
    expect(through({ ...off, pieceCaching: true })).toBeLessThan(0.2 * through(off));
  });

  test('fall with priority search, even from a cold start', () => {
    const plain = costOf(off, 25, 'nearest');
    const directed = costOf({ ...off, prioritySearch: true }, 25, 'nearest');
    expect(directed.volumePairs).toBeLessThan(0.8 * plain.volumePairs);
  });

  test('fall with front tracking', () => {
    for (const ask of ['crossing', 'nearest'] as const) {
      const plain = costOf(off, 0.1, ask);
      const tracked = costOf({ ...off, frontTracking: true }, 0.1, ask);
      expect(tracked.volumePairs, ask).toBeLessThan(0.8 * plain.volumePairs);
      expect(tracked.marchSteps, ask).toBeLessThan(0.7 * plain.marchSteps);
      expect(tracked.frontSize).toBeGreaterThan(0);
      expect(plain.frontSize).toBe(0);
    }
  });

  test('fall further with motion bounds in slow motion', () => {
    for (const ask of ['crossing', 'nearest'] as const) {
      const tracked = costOf({ ...off, frontTracking: true, pieceCaching: true }, 0.01, ask);
      const bounded = costOf({ ...off, frontTracking: true, pieceCaching: true, motionBounds: true }, 0.01, ask);
      expect(bounded.volumePairs, ask).toBeLessThan(0.3 * tracked.volumePairs);
      expect(bounded.frontSkipped, ask).toBeGreaterThan(0);
      expect(tracked.frontSkipped).toBe(0);
    }
  });

  test('are next to nothing for a question at rest, whichever was asked before', () => {
    const search = createSearch(torus, small);
    const placement = placementAt(7, 1, 1);
    search.measureDistance(placement, Infinity, Infinity, 0, 0);
    const first = search.outcome.volumePairs;
    const { distance } = search.outcome;
    expect(distance).toBeGreaterThan(0);
    search.measureDistance(placement, 0, Infinity, 0, 0);
    expect(search.outcome.volumePairs).toBeLessThan(first / 5);
    search.testIntersection(placement, 0);
    expect(search.outcome.volumePairs).toBe(0);
    search.testTolerance(placement, 0, 0.99 * distance);
    expect(search.outcome.volumePairs).toBeLessThan(first / 5);
  });

  test('raise the front again when the bodies part', () => {
    const search = createSearch(torus, small, { coherence: { ...off, frontTracking: true } });
    search.testIntersection(placementAt(7, 1, 1), Infinity);
    search.measureDistance(placementAt(7, 1, 1), 0, Infinity, 0, 0);
    const high = search.outcome.frontSize;
    expect(high).toBeGreaterThan(20);
    for (let t = 0; t < 100; t++) search.testIntersection(placementOf([50, 0, 0]), t === 0 ? 50 : 0);
    expect(search.outcome.frontSize).toBe(1);
  });
});
