// Untangling: afterward no two solids meet, by brute force over triangles; fixed bodies stay, others move little.
import { describe, expect, test } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import { createRandom } from '../../../src/core/random.js';
import type { Vec3 } from '../../../src/core/vec3.js';
import { findModel } from '../../../src/models/catalogue.js';
import { measurePenetrationSync } from '../../../src/penetration/measure-on-cpu.js';
import {
  type SeparateOptions,
  type SeparateResult,
  separateBodies,
} from '../../../src/penetration/motion/separate-bodies.js';
import { measureByBruteForce, placeInFrame } from '../../oracles/mesh-distance.js';
import { box, octahedron, type Solid, squareFrame, stellate, torus } from '../../oracles/penetration/shapes.js';
import { type Body, bodyOf } from '../check-depth.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

interface Piece {
  readonly body: Body;
  readonly pose: Pose;
  readonly fixed?: boolean;
  readonly weight?: number;
}

const at = (x: number, y = 0, z = 0): Pose => [x, y, z, 0, 0, 0, 1];
const cube = bodyOf(box([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]));
const star = bodyOf(stellate(octahedron(1), 0.8));
const ring = bodyOf(torus(1, 0.3, 12, 6));
const letters = ['letter-a', 'letter-c', 'letter-s'].map((name) => bodyOf(findModel(name).build() as Solid));

/** The pairs that meet, by brute force. */
function findMeeting(pieces: readonly Piece[], poses: readonly Pose[]): [number, number][] {
  const meeting: [number, number][] = [];
  for (let i = 0; i < pieces.length; i++) {
    for (let j = i + 1; j < pieces.length; j++) {
      const [a, b] = [pieces[i].body.oracle, pieces[j].body.oracle];
      if (measureByBruteForce(a, b, placeInFrame(b.positions, poses[i], poses[j])).intersects) meeting.push([i, j]);
    }
  }
  return meeting;
}

/** Separates and checks all that must hold however it went. */
function checkSeparation(pieces: readonly Piece[], options?: SeparateOptions): SeparateResult {
  const given = pieces.map(({ pose }) => [...pose]);
  const bodies = pieces.map(({ body, ...rest }) => Object.freeze({ model: body.model, ...rest }));
  const result = separateBodies(bodies, options);
  expect(pieces.map(({ pose }) => [...pose])).toEqual(given);
  expect(result.status).toBe('separated');
  expect(result.remaining).toEqual([]);
  expect(findMeeting(pieces, [...result.poses])).toEqual([]);
  for (const [i, { pose, fixed }] of pieces.entries()) {
    // Quaternions are normalized, nothing else.
    for (let k = 3; k < 7; k++) expect(result.poses[i][k]).toBeCloseTo(pose[k], 14);
    for (let k = 0; k < 3; k++) expect(result.poses[i][k]).toBe(pose[k] + result.moves[i][k]);
    if (fixed) expect(result.moves[i]).toEqual([0, 0, 0]);
  }
  const { rounds, pairs } = result;
  expect(pairs.reduce((sum, { times }) => sum + times, 0)).toBe(
    rounds.reduce((sum, { overlapping }) => sum + overlapping, 0),
  );
  for (const { overlapping, deepest, total } of rounds) {
    expect(overlapping).toBeGreaterThan(0);
    expect(deepest).toBeGreaterThan(0);
    expect(total).toBeLessThanOrEqual(overlapping * deepest * (1 + 1e-12));
    expect(total).toBeGreaterThanOrEqual(deepest);
  }
  return result;
}

function length(vector: Readonly<Vec3>): number {
  return Math.hypot(...vector);
}

function heap(count: number, spread: number, seed: number, shapes = letters): Piece[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, i) => ({
    body: shapes[i % shapes.length],
    pose: [
      random.range(-spread, spread),
      random.range(-spread, spread),
      random.range(-spread, spread),
      ...random.rotation(),
    ],
  }));
}

describe('two bodies', () => {
  const pieces: Piece[] = [
    { body: star, pose: at(0) },
    { body: ring, pose: at(1.2, 0.1, 0.2) },
  ];

  test('move by their depth, half each', () => {
    const { moves, rounds, pairs } = checkSeparation(pieces);
    const { depth, vector } = measurePenetrationSync(star.model, ring.model, pieces[0].pose, pieces[1].pose, {
      method: 'certified',
    });
    expect(rounds).toEqual([{ overlapping: 1, deepest: depth, total: depth, escaped: null }]);
    expect(pairs).toEqual([{ a: 0, b: 1, times: 1, depth }]);
    for (let k = 0; k < 3; k++) {
      expect(moves[0][k]).toBeCloseTo(vector[k] / 2, 12);
      expect(moves[1][k]).toBeCloseTo(-vector[k] / 2, 12);
    }
  });

  test('share it by weight; a fixed one leaves all to the other', () => {
    const { moves: weighted } = checkSeparation([{ ...pieces[0], weight: 3 }, pieces[1]]);
    expect(length(weighted[1]) / length(weighted[0])).toBeCloseTo(3, 9);
    const { moves: held } = checkSeparation([{ ...pieces[0], fixed: true }, pieces[1]]);
    expect(length(held[1])).toBeCloseTo(length(weighted[0]) + length(weighted[1]), 9);
  });

  test('stay where they are when they are apart, or only touch', () => {
    const apart = separateBodies([
      { model: cube.model, pose: at(0) },
      { model: cube.model, pose: at(1) },
      { model: star.model, pose: at(9) },
    ]);
    expect(apart).toMatchObject({ status: 'separated', rounds: [], pairs: [] });
    expect(apart.moves).toEqual([at(0), at(0), at(0)].map((pose) => pose.slice(0, 3)));
    expect(separateBodies([])).toMatchObject({ status: 'separated', poses: [] });
  });

  test('one inside the other comes out', () => {
    const small = bodyOf(box([-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]));
    const { moves } = checkSeparation([
      { body: cube, pose: at(0), fixed: true },
      { body: small, pose: at(0.2, 0.05, 0.02) },
    ]);
    expect(moves[1][0]).toBeCloseTo(0.4, 9);
  });

  test('at the same place', () => {
    const { rounds } = checkSeparation([
      { body: cube, pose: at(0.25, 0.5, 0.125) },
      { body: cube, pose: at(0.25, 0.5, 0.125) },
    ]);
    expect(rounds[0].deepest).toBeCloseTo(1, 9);
  });
});

describe('more', () => {
  test('three letters', () => {
    for (let seed = 0; seed < 3 * SOAK; seed++) {
      const pieces = heap(3, 0.35, 40 + seed);
      const { rounds } = checkSeparation(pieces);
      expect(rounds.length).toBeLessThanOrEqual(12);
    }
  });

  test('a heap of ten letters, near where they were', () => {
    for (let seed = 0; seed < SOAK; seed++) {
      const pieces = heap(10, 0.6, 60 + seed);
      expect(
        findMeeting(
          pieces,
          pieces.map(({ pose }) => pose),
        ).length,
      ).toBeGreaterThan(5);
      const { rounds, moves } = checkSeparation(pieces);
      const moved = moves.reduce((sum, move) => sum + length(move), 0);
      // Were all pairs of the first round independent, it would be their depths.
      expect(moved).toBeLessThanOrEqual(2 * rounds[0].total);
    }
  });

  test('a row that pushes along: every body makes way for the next', () => {
    const pieces: Piece[] = Array.from({ length: 8 }, (_, i) => ({ body: star, pose: at(1.5 * i, 0.01 * i, 0) }));
    const { rounds } = checkSeparation(pieces);
    expect(rounds.length).toBeGreaterThan(1);
    expect(rounds.length).toBeLessThanOrEqual(16);
  });

  test('all at one place', () => {
    checkSeparation(Array.from({ length: 6 }, () => ({ body: cube, pose: at(0) })));
    checkSeparation(heap(6, 0.01, 3, [star, ring, cube]));
  });

  test('the same every time, whatever was asked before', () => {
    const bodies = heap(6, 0.4, 9).map(({ body, pose }) => ({ model: body.model, pose }));
    const first = separateBodies(bodies);
    separateBodies(bodies.slice(2));
    const { poses, moves, rounds, pairs } = separateBodies(bodies);
    expect({ poses, moves, rounds, pairs }).toEqual({
      poses: first.poses,
      moves: first.moves,
      rounds: first.rounds,
      pairs: first.pairs,
    });
  });
});

describe('where bodies push back and forth', () => {
  const wall = bodyOf(box([-0.5, -3, -3], [0.5, 3, 3]));

  test('wedged between two fixed ones that are nearer than it is wide: it leaves across', () => {
    const { moves, rounds } = checkSeparation([
      { body: wall, pose: at(-0.9), fixed: true },
      { body: cube, pose: at(0.05, 0.3, 0.2) },
      { body: wall, pose: at(0.9), fixed: true },
    ]);
    expect(rounds.some(({ escaped }) => escaped === 1)).toBe(true);
    // Over the nearest rim, which is 3.5 from the middle and 3.2 from where it is, or out through a wall, 1.9.
    expect(length(moves[1])).toBeLessThanOrEqual(3.3);
  });

  test('wedged, but with room for it', () => {
    const { moves, rounds } = checkSeparation([
      { body: wall, pose: at(-1.05), fixed: true },
      { body: cube, pose: at(0.2) },
      { body: wall, pose: at(1.05), fixed: true },
    ]);
    expect(rounds).toHaveLength(1);
    expect(length(moves[1])).toBeCloseTo(0.15, 9);
  });

  test('in a hole that is too small', () => {
    const hole = bodyOf(squareFrame(0.4, 2, 0.5));
    const { moves } = checkSeparation([
      { body: hole, pose: at(0), fixed: true },
      { body: cube, pose: at(0.02, 0.03, 0.1) },
    ]);
    expect(moves[1][2]).toBeCloseTo(0.9, 9);
  });

  test('several in a narrow slot', () => {
    checkSeparation([
      { body: wall, pose: at(-0.9), fixed: true },
      { body: wall, pose: at(0.9), fixed: true },
      { body: star, pose: at(0, 0.3, 0.2) },
      { body: cube, pose: at(0.1, -0.2, 0.1) },
      { body: ring, pose: at(-0.1, 0.4, -0.3) },
    ]);
  });

  test('fixed ones that overlap stay, and are not counted', () => {
    const { rounds } = separateBodies([
      { model: cube.model, pose: at(0), fixed: true },
      { model: star.model, pose: at(0.3), fixed: true },
    ]);
    expect(rounds).toEqual([]);
  });

  test('says when the rounds are spent, and what is left', () => {
    const bodies = [
      { model: wall.model, pose: at(-0.9), fixed: true },
      { model: cube.model, pose: at(0.05) },
      { model: wall.model, pose: at(0.9), fixed: true },
    ];
    const { status, rounds, remaining } = separateBodies(bodies, { maxRounds: 3 });
    expect(status).toBe('rounds');
    expect(rounds).toHaveLength(3);
    expect(remaining).toHaveLength(1);
    const untouched = separateBodies(bodies, { maxRounds: 0 });
    expect(untouched).toMatchObject({ status: 'rounds', rounds: [], poses: bodies.map(({ pose }) => pose) });
  });
});

test('refuses bad weights, rounds and bodies, and stops when told to', () => {
  const [model, pose] = [cube.model, at(0)];
  expect(() => separateBodies([{ model, pose, weight: 0 }])).toThrow(/weight of body 0 is 0/);
  expect(() => separateBodies([{ model, pose, weight: Infinity }])).toThrow(/fixed: true/);
  expect(() => separateBodies([{ model, pose }], { maxRounds: Number.NaN })).toThrow(/maxRounds is NaN/);
  expect(() => separateBodies([{ model: {} as never, pose }])).toThrow(/model of body 0/);
  const open = bodyOf({ positions: cube.oracle.positions, indices: cube.oracle.indices.slice(3) });
  expect(() =>
    separateBodies([
      { model, pose },
      { model: open.model, pose: at(7) },
    ]),
  ).toThrow(/^Body 1: The mesh is not closed/);
  expect(() => separateBodies([{ model, pose }], { signal: { aborted: true } })).toThrow(/Stopped/);
});
