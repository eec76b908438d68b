// Ways of a point and a triangle, and of two edges, that are made to meet at a known time. All numbers are integers or have
// few bits, so that the meeting is exact: a share at or beyond it would be a wrong proof.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { CertifiedAdvance } from '../../src/elastic/barrier/certified-advance.js';

type Kind = 'points' | 'edges';
const IDS = Int32Array.of(0, 1, 2, 3);
/** Times of meeting are multiples of 1/64, and moves of 64. */
const TICKS = 64;

interface Meeting {
  readonly points: Float64Array;
  readonly moves: Float64Array;
  readonly time: number;
}

/** Four points that meet at a time, some of them on purpose in line, in one plane, parallel or without length. */
function makeMeeting(random: ReturnType<typeof createRandom>, kind: Kind, shift: number): Meeting {
  const integer = (most: number): number => Math.round(random.range(-most, most));
  const vector = (most: number): number[] => [integer(most), integer(most), integer(most)];
  const degenerate = integer(4);
  const flat = (v: number[]): number[] => (degenerate === 1 ? [v[0], v[1], 0] : v);
  const line = flat(vector(8));
  const along = (factor: number): number[] => line.map((value) => factor * value);
  const minus = (a: number[], b: number[]): number[] => a.map((value, k) => value - b[k]);
  const plus = (a: number[], b: number[]): number[] => a.map((value, k) => value + b[k]);
  let there: number[][];
  if (kind === 'points') {
    // Weights in eighths make an exact point of the triangle, a corner or a point of an edge now and then.
    const weights = [
      [8, 0, 0],
      [0, 4, 4],
      [2, 3, 3],
      [1, 1, 6],
      [0, 0, 8],
    ][Math.abs(integer(4))];
    const corners = [0, 1, 2].map(() => flat(vector(16)).map((value) => 8 * value));
    if (degenerate === 2) corners[2] = plus(corners[0], along(8));
    if (degenerate === 2) corners[1] = plus(corners[0], along(16));
    if (degenerate === 3) corners[2] = corners[1];
    const point = [0, 1, 2].map((k) => weights.reduce((sum, w, i) => sum + (w * corners[i][k]) / 8, 0));
    there = [point, ...corners];
  } else {
    const point = flat(vector(32));
    const [u, v] = [flat(vector(16)), degenerate === 2 ? along(1) : flat(vector(16))];
    const first = degenerate === 2 ? along(2) : degenerate === 3 ? [0, 0, 0] : u;
    const ends = Math.abs(integer(2));
    there = [minus(point, ends === 1 ? [0, 0, 0] : first), plus(point, first), minus(point, v), plus(point, v)];
  }
  const moves = there.flatMap(() => flat(vector(12)).map((value) => TICKS * value));
  const ticks = 1 + Math.abs(integer(TICKS - 1));
  const points = there.flat().map((value, i) => value - (ticks * moves[i]) / TICKS + shift);
  return { points: Float64Array.from(points), moves: Float64Array.from(moves), time: ticks / TICKS };
}

/** The distance at a time, by sampling the two densely: an upper bound, to see that shares are not needlessly short. */
function sampledDistance(p: Float64Array, isEdges: boolean): number {
  const at = (weights: number[]): number[] =>
    [0, 1, 2].map((k) => weights.reduce((sum, w, i) => sum + w * p[3 * i + k], 0));
  let least = Infinity;
  for (let i = 0; i <= 12; i++) {
    for (let j = 0; j <= 12; j++) {
      const [s, t] = [i / 12, j / 12];
      if (!isEdges && s + t > 1) continue;
      least = Math.min(least, Math.hypot(...at(isEdges ? [1 - s, s, t - 1, -t] : [1, s + t - 1, -s, -t])));
    }
  }
  return least;
}

describe.each(['points', 'edges'] as const)('certified ways, %s', (kind) => {
  const isEdges = kind === 'edges';

  test.each([0, 2 ** 20, 2 ** 40])('end before a known meeting, %s units from the origin', (shift) => {
    const random = createRandom(kind === 'points' ? 3 : 4);
    const advance = new CertifiedAdvance();
    let [apart, most, sum] = [0, 0, 0];
    for (let round = 0; round < 6_000; round++) {
      const { points, moves, time } = makeMeeting(random, kind, shift);
      for (const scale of [1, 2 ** -30, 2 ** 30]) {
        const scaled = points.map((value) => value * scale);
        const way = moves.map((value) => value * scale);
        advance.begin(scaled, way, IDS, 0, isEdges, 0);
        const share = advance.advance(1);
        if (share > 0) {
          apart++;
          most = Math.max(most, share / time);
          sum += share / time;
        }
        if (round % 4 > 0) break;
      }
    }
    expect(apart).toBeGreaterThan(5_000);
    expect(most).toBeLessThan(1);
    // Random ways often meet before the time they were made for.
    expect(sum / apart).toBeGreaterThan(0.5);
  });

  test('are whole where nothing comes near, and end near the meeting where one point comes straight', () => {
    const random = createRandom(9);
    const advance = new CertifiedAdvance();
    let whole = 0;
    for (let round = 0; round < 300; round++) {
      const points = Float64Array.from({ length: 12 }, () => random.range(-1, 1));
      const moves = Float64Array.from({ length: 12 }, () => random.range(-0.3, 0.3));
      let least = Infinity;
      const first = sampledDistance(points, isEdges);
      for (let step = 0; step <= 16; step++) {
        least = Math.min(
          least,
          sampledDistance(
            points.map((value, i) => value + (step / 16) * moves[i]),
            isEdges,
          ),
        );
      }
      if (least < 0.3 * first || least < 0.15) continue;
      whole++;
      advance.begin(points, moves, IDS, 0, isEdges, 0);
      expect(advance.advance(1)).toBe(1);
    }
    expect(whole).toBeGreaterThan(60);
    const points = isEdges ? [-1, 1, 0, 1, 1, 0, 0, 0, -1, 0, 0, 1] : [0, 1, 0, -1, 0, -1, 1, 0, -1, 0, 0, 2];
    const moves = new Float64Array(12);
    moves[1] = -2;
    if (isEdges) moves[4] = -2;
    advance.begin(Float64Array.from(points), moves, IDS, 0, isEdges, 0);
    const share = advance.advance(1);
    expect(share).toBeLessThan(0.5);
    expect(share).toBeGreaterThan(0.4);
  });
});

test('a ball stays off by its radius, and what touches or is not finite has no way', () => {
  const advance = new CertifiedAdvance();
  const points = Float64Array.of(0, 3, 0, -1, 0, -1, 1, 0, -1, 0, 0, 2);
  const moves = Float64Array.of(0, -3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  advance.begin(points, moves, IDS, 0, false, 1);
  const share = advance.advance(1);
  expect(share).toBeLessThan(2 / 3);
  expect(share).toBeGreaterThan(0.5);
  advance.begin(points, moves, IDS, 0, false, 3);
  expect(advance.advance(1)).toBe(0);
  points[1] = 0;
  advance.begin(points, moves, IDS, 0, false, 0);
  expect(advance.advance(1)).toBe(0);
  points[1] = Number.NaN;
  advance.begin(points, moves, IDS, 0, false, 0);
  expect(advance.advance(1)).toBe(0);
});
