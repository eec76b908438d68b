// Intersection, tolerance and distance queries against brute force over all triangle pairs, on every procedural model
// and on awkward shapes, stateless and by pairs that keep state.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { multiply, type Pose } from '../../src/core/pose.js';
import { createRandom, type Random } from '../../src/core/random.js';
import { models as catalogue } from '../../src/models/catalogue.js';
import type { BoundingVolume, DistanceOptions, PairOptions } from '../../src/proximity/options.js';
import { Pair } from '../../src/proximity/pair.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import {
  type Configuration,
  createConfiguration,
  createPlacement,
  ModelPool,
  type NamedMesh,
} from '../generators/configurations.js';
import { measureByBruteForce, type OracleAnswer, placeInFrame } from '../oracles/mesh-distance.js';
import { AGREEMENT, checkDistance, describeConfiguration } from './check-answer.js';
import { measureDistance, testIntersection, testTolerance } from './stateless.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
const SEED = process.env.NEARFIELD_SEED === 'random' ? Date.now() % 1e9 : Number(process.env.NEARFIELD_SEED ?? 1);

let pool: ModelPool;
/** Without what has no convex decomposition, and without what takes long to decompose. */
let cleanPool: ModelPool;
const proximityModels = new Map<NamedMesh, ProximityModel>();
const copies = new Map<NamedMesh, { positions: Float64Array; indices: Uint32Array }>();

function modelOf(named: NamedMesh): ProximityModel {
  let model = proximityModels.get(named);
  if (model === undefined) {
    copies.set(named, { positions: named.mesh.positions.slice(), indices: named.mesh.indices.slice() });
    model = new ProximityModel(named.mesh);
    proximityModels.set(named, model);
  }
  return model;
}

function truthOf(c: Configuration): OracleAnswer {
  return measureByBruteForce(c.a.oracle, c.b.oracle, placeInFrame(c.b.mesh.positions, c.poseA, c.poseB));
}

/** Apart by so little that rounding of the placement decides; the generator makes none on purpose. */
function isAmbiguous(c: Configuration, truth: OracleAnswer): boolean {
  return !truth.surfacesMeet && truth.surfaceDistance < 1e-13 * c.size;
}

/** Runs the checks and adds to a failure which configuration it is. */
function judge(seed: number, c: Configuration, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof Error) error.message = `${describeConfiguration(seed, c)}\n${error.message}`;
    throw error;
  }
}

beforeAll(() => {
  pool = new ModelPool({ large: true });
  cleanPool = new ModelPool({ large: false, clean: true });
});

afterAll(() => {
  for (const [named, { positions, indices }] of copies) {
    expect(named.mesh.positions, `${named.name} as it was`).toEqual(positions);
    expect(named.mesh.indices).toEqual(indices);
  }
});

describe.each([
  { volume: 'boxes', count: 1000 * SOAK },
  { volume: 'hulls', count: 250 * SOAK },
] as const)('queries without memory over $volume', ({ volume, count }) => {
  test('agree with brute force on every kind of configuration', () => {
    const random = createRandom(SEED);
    const models = volume === 'boxes' ? pool : cleanPool;
    const seen = new Set<string>();
    let hits = 0;
    let contained = 0;
    for (let i = 0; i < count; i++) {
      const seed = SEED + i;
      const c = createConfiguration(models, seed);
      const truth = truthOf(c);
      if (isAmbiguous(c, truth)) continue;
      seen.add(c.a.name.replace(/ ×.*/, '')).add(c.b.name.replace(/ ×.*/, ''));
      if (truth.intersects) hits++;
      if (truth.intersects && !truth.surfacesMeet) contained++;
      judge(seed, c, () => checkStateless(c, truth, volume, random.integer(4)));
    }
    expect(hits / count).toBeGreaterThan(0.3);
    expect(hits / count).toBeLessThan(0.7);
    expect(contained / count).toBeGreaterThan(0.03);
    if (volume === 'boxes') for (const { name } of catalogue) expect(seen, 'models that came up').toContain(name);
  });
});

function checkStateless(c: Configuration, truth: OracleAnswer, volume: BoundingVolume, turn: number): void {
  const { poseA, poseB, size } = c;
  const [a, b] = [modelOf(c.a), modelOf(c.b)];
  expect(a.closed).toBe(c.a.oracle.closed);
  expect(b.closed).toBe(c.b.oracle.closed);
  Object.freeze(poseA);
  Object.freeze(poseB);
  const d = truth.distance;
  expect(testIntersection(a, b, poseA, poseB, { volume }).intersects).toBe(truth.intersects);
  checkDistance(c, truth, measureDistance(a, b, poseA, poseB, { volume }));
  // The dearer checks take turns.
  if (turn === 0) {
    const slack = AGREEMENT * size;
    expect(testTolerance(a, b, poseA, poseB, 0, { volume }).within).toBe(truth.intersects);
    expect(testTolerance(a, b, poseA, poseB, d + slack, { volume }).within).toBe(true);
    expect(testTolerance(a, b, poseA, poseB, 1e3 * size, { volume }).within).toBe(true);
    if (d > slack) expect(testTolerance(a, b, poseA, poseB, d - slack, { volume }).within).toBe(false);
    expect(testTolerance(a, b, poseA, poseB, d / 2, { volume }).within).toBe(truth.intersects);
    // On the lattice a distance along an axis is exact, and at the distance itself the answer is yes.
    if (c.kind === 'touching' && Number.isInteger(64 * d)) {
      expect(testTolerance(a, b, poseA, poseB, d, { volume }).within).toBe(true);
      checkDistance(c, truth, measureDistance(a, b, poseA, poseB, { cutoff: d, volume }), { cutoff: d });
      expect(measureDistance(a, b, poseA, poseB, { cutoff: d, volume }).distance).toBe(d);
    }
  } else if (turn === 1) {
    for (const options of approximations(size)) {
      checkDistance(c, truth, measureDistance(a, b, poseA, poseB, { ...options, volume }), options);
    }
  } else if (turn === 2) {
    checkCutoffs(c, truth, (options) => measureDistance(a, b, poseA, poseB, { ...options, volume }));
  } else {
    checkSwapAndTurn(c, truth, volume);
  }
}

function approximations(size: number): DistanceOptions[] {
  return [
    { relativeError: 0.1 },
    { absoluteError: 0.03 * size },
    { relativeError: 0.5, absoluteError: 0.01 * size },
    { relativeError: 2 },
    { absoluteError: 10 * size },
    { relativeError: 0.2, cutoff: 0.1 * size },
  ];
}

function checkCutoffs(
  c: Configuration,
  truth: OracleAnswer,
  measure: (options: DistanceOptions) => ReturnType<Pair['distance']>,
): void {
  const d = truth.distance;
  for (const cutoff of [0, d / 2, d - AGREEMENT * c.size, d + AGREEMENT * c.size, 2 * d + 0.01 * c.size]) {
    if (cutoff < 0) continue;
    const result = measure({ cutoff });
    checkDistance(c, truth, result, { cutoff });
    expect(result.distance === null, `beyond ${cutoff} of ${d}`).toBe(cutoff < d);
  }
}

function checkSwapAndTurn(c: Configuration, truth: OracleAnswer, volume: BoundingVolume): void {
  const { poseA, poseB, size } = c;
  const [a, b] = [modelOf(c.a), modelOf(c.b)];
  const swapped = { ...c, a: c.b, b: c.a, poseA: poseB, poseB: poseA };
  checkDistance(swapped, truth, measureDistance(b, a, poseB, poseA, { volume }));
  // What touches exactly no longer does when it is turned.
  if (c.kind === 'touching' || c.kind === 'coincident') return;
  const move: Pose = [0.3 * size, -0.2 * size, 0.7 * size, 0.5, -0.5, 0.1, Math.sqrt(0.49)];
  const turned = { ...c, poseA: multiply(move, poseA), poseB: multiply(move, poseB) };
  checkDistance(turned, truth, measureDistance(a, b, turned.poseA, turned.poseB, { volume }));
}

const VOLUMES: readonly BoundingVolume[] = ['boxes', 'hulls'];

describe.each(VOLUMES)('a pair over %s', (volume) => {
  test('answers unrelated configurations in any order as if each were its first', () => {
    const random = createRandom(SEED + 1);
    let hits = 0;
    let count = 0;
    for (let n = 0; n < 12 * SOAK; n++) {
      const [a, b] = pickSmallPair(volume === 'boxes' ? pool : cleanPool, random);
      const pair = new Pair(modelOf(a), modelOf(b), pickOptions(random, volume));
      for (let i = 0; i < 40; i++) {
        const seed = SEED + 7919 * n + i;
        const c = createPlacement(a, b, seed);
        const truth = truthOf(c);
        if (isAmbiguous(c, truth)) continue;
        count++;
        if (truth.intersects) hits++;
        judge(seed, c, () => checkByPair(pair, c, truth, random.integer(5)));
        if (random.next() < 0.02) pair.reset();
      }
    }
    expect(hits / count).toBeGreaterThan(0.3);
    expect(hits / count).toBeLessThan(0.7);
  });

  test('answers along small motions, with queries of every kind mixed', () => {
    const random = createRandom(SEED + 2);
    let hits = 0;
    let count = 0;
    for (let n = 0; n < 8 * SOAK; n++) {
      const [a, b] = pickSmallPair(volume === 'boxes' ? pool : cleanPool, random);
      const pair = new Pair(modelOf(a), modelOf(b), pickOptions(random, volume));
      const seed = SEED + 104729 * n;
      const start = createPlacement(a, b, seed);
      const poseB: Pose = [...start.poseB];
      // From still to a tenth of the size a frame; back and forth through the start.
      const speed = start.size * 10 ** random.range(-5, -1);
      const way = random.direction();
      const axis = random.direction();
      for (let i = 0; i < 50; i++) {
        const angle = 0.05 * Math.sin(i / 7);
        const spin = [...axis.map((x) => x * Math.sin(angle / 2)), Math.cos(angle / 2)];
        for (let k = 0; k < 3; k++) poseB[k] = start.poseB[k] + speed * 8 * Math.sin(i / 8) * way[k];
        const turned = multiply(
          [0, 0, 0, ...(spin as [number, number, number, number])],
          [0, 0, 0, ...(start.poseB.slice(3) as [number, number, number, number])],
        );
        const c: Configuration = {
          ...start,
          poseB: [poseB[0], poseB[1], poseB[2], turned[3], turned[4], turned[5], turned[6]],
        };
        const truth = truthOf(c);
        if (isAmbiguous(c, truth)) continue;
        count++;
        if (truth.intersects) hits++;
        judge(seed, c, () => checkByPair(pair, c, truth, i % 5 === 4 ? random.integer(5) : n % 5));
      }
    }
    expect(hits / count).toBeGreaterThan(0.2);
    expect(hits / count).toBeLessThan(0.8);
  });
});

function pickSmallPair({ procedural, awkward }: ModelPool, random: Random): [NamedMesh, NamedMesh] {
  const pick = () => {
    const list = random.next() < 0.6 ? procedural : awkward;
    return list[random.integer(list.length)];
  };
  return [pick(), pick()];
}

/** Half of the time what is the default, else any switches, sometimes with hardly any room. */
function pickOptions(random: Random, volume: BoundingVolume): PairOptions {
  if (random.next() < 0.5) return { volume };
  const flip = () => random.next() < 0.5;
  return {
    volume,
    coherence: { pieceCaching: flip(), prioritySearch: flip(), frontTracking: flip(), motionBounds: flip() },
    ...(flip() ? { queueSize: 1 + random.integer(8), frontSize: 1 + random.integer(40) } : {}),
  };
}

/** One query of the pair, of the kind given, checked; and asked again it says the same. */
function checkByPair(pair: Pair, c: Configuration, truth: OracleAnswer, kind: number): void {
  const { poseA, poseB, size } = c;
  const d = truth.distance;
  if (kind === 0) {
    expect(pair.intersects(poseA, poseB).intersects).toBe(truth.intersects);
  } else if (kind === 1) {
    const tolerance = d * (1 + 1e-6) + AGREEMENT * size;
    expect(pair.within(poseA, poseB, tolerance).within).toBe(true);
    expect(pair.within(poseA, poseB, Math.max(0, d * (1 - 1e-6) - AGREEMENT * size)).within).toBe(
      truth.intersects || d <= AGREEMENT * size ? pair.intersects(poseA, poseB).intersects : false,
    );
  } else if (kind === 2) {
    const first = pair.distance(poseA, poseB);
    checkDistance(c, truth, first);
    const again = pair.distance(poseA, poseB);
    checkDistance(c, truth, again);
    expect(Math.abs(again.distance! - first.distance!)).toBeLessThanOrEqual(1e-14 * size);
  } else if (kind === 3) {
    for (const options of approximations(size).slice(0, 3)) {
      checkDistance(c, truth, pair.distance(poseA, poseB, options), options);
    }
  } else {
    checkCutoffs(c, truth, (options) => pair.distance(poseA, poseB, options));
  }
}

describe('queries asked again', () => {
  test('give the same answer to the last bit', () => {
    for (let i = 0; i < 100; i++) {
      const c = createConfiguration(pool, SEED + i);
      const [a, b] = [modelOf(c.a), modelOf(c.b)];
      const first = measureDistance(a, b, c.poseA, c.poseB);
      expect(measureDistance(a, b, c.poseA, c.poseB)).toEqual(first);
      expect(measureDistance(a, b, Float64Array.from(c.poseA), Float64Array.from(c.poseB))).toEqual(first);
      const pair = new Pair(a, b, { volume: 'boxes' });
      pair.distance(c.poseB, c.poseA);
      pair.reset();
      expect(pair.distance(c.poseA, c.poseB).distance).toBe(first.distance);
    }
  });
});
