// Certificates of random pairs of non-convex solids, each challenged by brute force; and that only the models and the
// requested gap make a difference. NEARFIELD_CERTIFICATES sets the number of pairs.
import { expect, test } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import { measurePenetrationSync } from '../../../src/penetration/measure-on-cpu.js';
import type { PenetrationOptions } from '../../../src/penetration/options.js';
import type { PenetrationResult } from '../../../src/penetration/result.js';
import { placeInFrame } from '../../oracles/mesh-distance.js';
import { randomOf } from '../../oracles/penetration/box-cases.js';
import { type RandomPair, randomPair, randomQuaternion } from '../../oracles/penetration/random-pairs.js';
import { type Solid, scale } from '../../oracles/penetration/shapes.js';
import { type Body, bodyOf, HERE } from '../check-depth.js';
import {
  checkCertificate,
  checkCommonDepth,
  checkInterval,
  DIRECTIONS,
  PLACING,
  refute,
  sizeOf,
} from './check-certificate.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
/** 400 in a plain run, 8,000 in a soak. */
const PAIRS = Number(process.env.NEARFIELD_CERTIFICATES ?? 400 * SOAK);
const { NEARFIELD_SEED: asked = '1' } = process.env;
const FIRST_SEED = asked === 'random' ? Math.floor(2 ** 30 * Math.random()) : Number(asked);

interface Placed extends Omit<RandomPair, 'a' | 'b'> {
  readonly solids: readonly [Solid, Solid];
  readonly a: Body;
  readonly b: Body;
  readonly random: () => number;
}

function prepare(seed: number): Placed {
  const { a, b, ...rest } = randomPair(seed);
  const bodyA = bodyOf(a);
  return { ...rest, solids: [a, b], a: bodyA, b: a === b ? bodyA : bodyOf(b), random: randomOf(seed) };
}

/** Nearly out: A moved along the vector, until a small share of the depth is left. */
function makeShallow(pair: Placed, { vector, depth }: PenetrationResult): Placed {
  const left = 10 ** (-1 - 6 * pair.random());
  const poseA: Pose = [...pair.poseA];
  for (let k = 0; k < 3; k++) poseA[k] += vector[k] * (1 - left);
  return { ...pair, name: `${pair.name}, ${depth * left} deep`, poseA };
}

test(`${PAIRS} random pairs: no certificate is refuted`, { timeout: 1_800_000 + 10_000 * PAIRS }, () => {
  const refuted: string[] = [];
  const counts = { separate: 0, exact: 0, certified: 0, budget: 0, 'upper-estimate': 0 };
  let tried = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + PAIRS; seed++) {
    const pair = prepare(seed);
    const { a, b, poseA, poseB, random } = pair;
    try {
      const result = checkCertificate(pair.name, a, b, random, { poseA, poseB, maxCells: 5_000 });
      counts[result.status]++;
      if (result.lower === 0) continue;
      tried++;
      if (seed % 3 > 0) continue;
      const shallow = makeShallow(pair, result);
      const { lower } = checkCertificate(shallow.name, a, b, random, { poseA: shallow.poseA, poseB });
      if (lower > 0) tried++;
    } catch (error) {
      refuted.push((error as Error).message);
    }
  }
  expect(refuted).toEqual([]);
  // The pairs leave the question open, and nearly all certificates are as good as asked for.
  const overlapping = 1 - counts.separate / PAIRS;
  expect(overlapping, JSON.stringify(counts)).toBeGreaterThan(0.3);
  expect(overlapping, JSON.stringify(counts)).toBeLessThan(0.7);
  expect(counts.budget, JSON.stringify(counts)).toBeLessThanOrEqual(0.05 * PAIRS);
  expect(tried).toBeGreaterThan(0.5 * PAIRS);
});

/** The pairs of some seeds that overlap. */
function* overlappingPairs(count: number, from: number): Generator<[Placed, PenetrationResult]> {
  for (let seed = FIRST_SEED + from, found = 0; found < count; seed++) {
    const pair = prepare(seed);
    const { a, b, poseA, poseB } = pair;
    const result = measurePenetrationSync(a.model, b.model, poseA, poseB, { method: 'certified' });
    if (result.status !== 'certified') continue;
    found++;
    yield [pair, result];
  }
}

/** Collects what fails, so that one run names all of it. */
function collect(count: number, from: number, check: (pair: Placed, result: PenetrationResult) => void): void {
  const failures: string[] = [];
  for (const [pair, result] of overlappingPairs(count, from)) {
    try {
      check(pair, result);
    } catch (error) {
      failures.push((error as Error).message);
    }
  }
  expect(failures).toEqual([]);
}

test('the test for false certificates finds them: a lower bound a thousandth above the depth is refuted', () => {
  collect(20 * SOAK, 1000, ({ name, a, b, poseA, poseB, random }, result) => {
    const tooMuch = { ...result, lower: 1.001 * result.upper };
    expect(() => refute(name, tooMuch, a, b, poseA, poseB, DIRECTIONS, random), name).toThrow('A is clear of B');
  });
});

test('swapped, turned together, and scaled by 1e±6: the intervals have a depth in common', () => {
  collect(20 * SOAK, 2000, ({ name, solids, a, b, poseA, poseB, random }, result) => {
    const size = sizeOf(a, b);
    const options = { directions: 20 };
    const swapped = checkCertificate(`${name}, swapped`, b, a, random, { ...options, poseA: poseB, poseB: poseA });
    const turn: Pose = [0, 0, 0, ...randomQuaternion(random)];
    const turned = checkCertificate(`${name}, turned`, a, b, random, {
      ...options,
      poseA: composePoses(turn, poseA),
      poseB: composePoses(turn, poseB),
    });
    // Turning where models are far from the origin moves them by what their places round to.
    const far = (1e-15 / PLACING) * Math.hypot(poseA[0], poseA[1], poseA[2]);
    checkCommonDepth(`${name}, swapped and turned`, [result, swapped, turned], size + far);
    for (const factor of [1e-6, 1e6]) {
      const [smallA, smallB] = solids.map((solid) => bodyOf(scale(solid, factor)));
      const scaled = checkCertificate(`${name}, scaled by ${factor}`, smallA, smallB, random, {
        ...options,
        poseA: scalePose(poseA, factor),
        poseB: scalePose(poseB, factor),
      });
      const back = { lower: scaled.lower / factor, upper: scaled.upper / factor };
      checkCommonDepth(`${name}, scaled by ${factor}`, [result, back], size + far);
      expect(scaled.status, `${name}, scaled by ${factor}`).toBe('certified');
    }
    for (const { status } of [swapped, turned]) expect(status, name).toBe('certified');
  });
});

test('the interval shrinks with the gap asked, and what it was told on the way held too', () => {
  const gaps = [1e-1, 1e-2, 1e-4];
  const widths = gaps.map(() => 0);
  let nested = 0;
  let pairs = 0;
  collect(20 * SOAK, 3000, ({ name, a, b, poseA, poseB }, result) => {
    const told: { lower: number; upper: number }[] = [];
    const answers = gaps.map((relativeGap) => {
      const steps: { lower: number; upper: number; cells: number }[] = [];
      const answer = measurePenetrationSync(a.model, b.model, poseA, poseB, {
        method: 'certified',
        relativeGap,
        onCells: ({ lower, upper, cells, open }) => {
          steps.push({ lower, upper, cells });
          for (const { reach } of open) expect(reach, name).toBeGreaterThanOrEqual(lower * (1 - 1e-12));
        },
      });
      checkInterval(name, answer, sizeOf(a, b), relativeGap);
      expect(answer.status, name).toBe('certified');
      for (let i = 1; i < steps.length; i++) {
        expect(steps[i].lower, `${name}: lower rises`).toBeGreaterThanOrEqual(steps[i - 1].lower * (1 - 1e-12));
        expect(steps[i].upper, `${name}: upper falls`).toBeLessThanOrEqual(steps[i - 1].upper);
        expect(steps[i].cells, name).toBeGreaterThan(steps[i - 1].cells);
      }
      told.push(...steps, answer);
      return answer;
    });
    checkCommonDepth(name, [result, ...told], sizeOf(a, b));
    answers.forEach(({ lower, upper }, i) => {
      widths[i] += (upper - lower) / upper;
    });
    pairs++;
    const slack = 1e-12 * result.upper;
    const isNested = answers.every(
      ({ lower, upper }, i) =>
        i === 0 || (lower >= answers[i - 1].lower - slack && upper <= answers[i - 1].upper + slack),
    );
    if (isNested) nested++;
  });
  expect(widths[1]).toBeLessThan(widths[0]);
  expect(widths[2]).toBeLessThan(widths[1]);
  // A wide gap may be closed by luck better than a narrower one, by no more than the latter.
  expect(nested / pairs).toBeGreaterThan(0.9);
});

test('budgets of no cells, few cells and no time: the interval is wide, and true', () => {
  let short = 0;
  let pairs = 0;
  collect(15 * SOAK, 4000, ({ name, a, b, poseA, poseB, random }, result) => {
    const ask = (options: PenetrationOptions, told: string) =>
      checkCertificate(`${name}, ${told}`, a, b, random, { ...options, poseA, poseB, directions: 40 });
    const none = ask({ maxCells: 0 }, 'no cells');
    expect({ status: none.status, lower: none.lower, cells: none.cells }, name).toEqual({
      status: 'budget',
      lower: 0,
      cells: 0,
    });
    const answers = [none, ask({ maxMilliseconds: 0 }, 'no time'), result];
    expect(answers[1].status, name).toBe('budget');
    for (const maxCells of [1, 24, 100, 400]) {
      const answer = ask({ maxCells }, `${maxCells} cells`);
      // A cell is split in four before anyone looks at the budget again.
      expect(answer.cells, name).toBeLessThan(maxCells + 4);
      answers.push(answer);
      pairs++;
      if (answer.status === 'budget') short++;
    }
    checkCommonDepth(name, answers, sizeOf(a, b));
  });
  expect(short / pairs).toBeGreaterThan(0.3);
  expect(short / pairs).toBeLessThan(0.9);
});

test('other methods and descents never find a way out shorter than lower', () => {
  collect(15 * SOAK, 5000, ({ name, a, b, poseA, poseB, random }, result) => {
    const seen = measurePenetrationSync(a.model, b.model, poseA, poseB, { method: 'image-space', resolution: 64 });
    expect(seen.lower, name).toBe(0);
    const answers = (['levels', 'none'] as const).map((descent) =>
      checkCertificate(`${name}, ${descent}`, a, b, random, { poseA, poseB, descent, directions: 20 }),
    );
    checkCommonDepth(name, [result, seen, ...answers], sizeOf(a, b));
  });
});

test('asking again gives the same answer, after other questions too', () => {
  const strip = ({ milliseconds, levels, ...rest }: PenetrationResult) => ({ ...rest, levels: levels.length });
  collect(15 * SOAK, 6000, ({ name, a, b, poseA, poseB, solids }, result) => {
    const ask = (bodyA: Body, bodyB: Body, options: PenetrationOptions = {}) =>
      measurePenetrationSync(bodyA.model, bodyB.model, poseA, poseB, { method: 'certified', ...options });
    ask(a, b, { relativeGap: 0.3, maxCells: 8 });
    ask(b, a);
    expect(strip(ask(a, b)), name).toEqual(strip(result));
    const anew = solids[0] === solids[1] ? [bodyOf(solids[0])] : solids.map(bodyOf);
    expect(strip(ask(anew[0], anew.at(-1)!)), name).toEqual(strip(result));
  });
});

function scalePose([x, y, z, ...turn]: Pose, factor: number): Pose {
  return [factor * x, factor * y, factor * z, ...turn] as Pose;
}

/** What a pose does after another: the second's place moved by the first, the two turns one after the other. */
function composePoses(first: Pose, second: Pose): Pose {
  const [x, y, z] = placeInFrame(Float64Array.of(second[0], second[1], second[2]), HERE, first);
  const [a, b, c, d] = first.slice(3);
  const [e, f, g, h] = second.slice(3);
  const q = [
    d * e + a * h + b * g - c * f,
    d * f - a * g + b * h + c * e,
    d * g + a * f - b * e + c * h,
    d * h - a * e - b * f - c * g,
  ];
  const length = Math.hypot(...q);
  return [x, y, z, ...q.map((value) => value / length)] as Pose;
}
