// The lemma behind certificates, by itself: what is claimed covered along all rays of a cell of directions is covered
// along each of a thousand of them, by an interval sweep over the same bodies; and the balls that span voids.
import { describe, expect, test } from 'vitest';
import type { MinkowskiSums } from '../../../src/convex/minkowski/minkowski-sums.js';
import { invertPlacement } from '../../../src/core/placement.js';
import type { Pose } from '../../../src/core/pose.js';
import * as pose from '../../../src/core/pose.js';
import { CellCover } from '../../../src/penetration/certificate/cell-cover.js';
import { prepareSolid } from '../../../src/penetration/solid.js';
import { CUBE_AXES } from '../../../src/penetration/union/cube-views.js';
import { InnerBalls } from '../../../src/penetration/union/inner-balls.js';
import { UnionRays } from '../../../src/penetration/union/union-rays.js';
import { placeInFrame } from '../../oracles/mesh-distance.js';
import { randomOf } from '../../oracles/penetration/box-cases.js';
import { type Ball, type HalfSpaces, measureCoveredRay } from '../../oracles/penetration/covered-ray.js';
import { Overlap } from '../../oracles/penetration/overlap.js';
import { randomDirection, randomPair } from '../../oracles/penetration/random-pairs.js';
import { box, type Solid } from '../../oracles/penetration/shapes.js';
import { HERE, bodyOf as prepare } from '../check-depth.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
/** Rounding of the sweep itself, as a share of the reach. */
const ROUNDING = 1e-13;

type Random = () => number;

/** A convex body that is bounded, and a ball around it. */
interface ConvexBody {
  readonly planes: HalfSpaces;
  readonly around: Ball;
}

/** Planes with these normals at these distances from a center. */
function bodyOf(
  center: readonly number[],
  normals: readonly (readonly number[])[],
  reach: readonly number[],
): number[] {
  return normals.flatMap((n, i) => {
    const length = Math.hypot(n[0], n[1], n[2]);
    const [x, y, z] = n.map((value) => value / length);
    return [x, y, z, x * center[0] + y * center[1] + z * center[2] + reach[i]];
  });
}

const AXES = [0, 1, 2].flatMap((axis) => [1, -1].map((sign) => [0, 1, 2].map((k) => (k === axis ? sign : 0))));
const CORNERS = [
  [1, 1, 1],
  [1, -1, -1],
  [-1, 1, -1],
  [-1, -1, 1],
];

/** A box, a tetrahedron, or a box cut by planes at random; its center is within. */
function randomBody(center: readonly [number, number, number], size: number, random: Random): ConvexBody {
  const kind = Math.floor(4 * random());
  if (kind === 0) {
    const reach = AXES.map(() => size * (0.3 + 0.7 * random()));
    return { planes: bodyOf(center, AXES, reach), around: { center, radius: 2 * size } };
  }
  if (kind === 1) {
    // A regular one reaches three times as far at its corners as at its faces.
    const reach = size * (0.3 + 0.3 * random());
    return {
      planes: bodyOf(center, CORNERS, [reach, reach, reach, reach]),
      around: { center, radius: 3 * reach * (1 + 1e-12) },
    };
  }
  const cuts = Array.from({ length: 2 + Math.floor(12 * random()) }, () => randomDirection(random));
  const reach = [...AXES.map(() => size * (0.5 + 0.5 * random())), ...cuts.map(() => size * (0.3 + 0.7 * random()))];
  return { planes: bodyOf(center, [...AXES, ...cuts], reach), around: { center, radius: 2 * size } };
}

/** Bodies around the origin and along some ways out, overlapping so that chains go on. */
function randomUnion(random: Random): ConvexBody[] {
  const bodies: ConvexBody[] = [];
  const ways = 2 + Math.floor(8 * random());
  for (let way = 0; way < ways; way++) {
    const [x, y, z] = randomDirection(random);
    let at = 0.8 * random() ** 2;
    for (let link = Math.floor(5 * random()); link >= 0; link--) {
      bodies.push(randomBody([at * x, at * y, at * z], 0.3 + 0.7 * random(), random));
      at += 0.2 + 0.8 * random();
    }
  }
  // In no order that helps.
  return bodies.sort(() => random() - 0.5);
}

/**
 * Slabs one behind the other, each tilted a little and some cut by a plane that runs along the rays: gaps open towards one
 * side of a cell, or a corner of it never enters.
 */
function tiltedSlabs(random: Random, view: number): ConvexBody[] {
  const bodies: ConvexBody[] = [];
  const forward = CUBE_AXES[view];
  let from = -0.2;
  for (let i = 0; i < 12; i++) {
    const to = from + 0.1 + 0.3 * random();
    const tilt = () => {
      const [x, y, z] = randomDirection(random);
      const much = 0.25 * random();
      return [forward[0] + much * x, forward[1] + much * y, forward[2] + much * z];
    };
    const normals = [...AXES, tilt(), tilt().map((value) => -value)];
    const planes = bodyOf([0, 0, 0], normals, [...AXES.map(() => 4), to, -from]);
    const any = randomDirection(random);
    const across = any.map((value, k) => value - 0.9 * forward[k] * forward[k] * value);
    const side = bodyOf([0, 0, 0], [across], [0.1 * random() - 0.05]);
    const isCut = i > 0 && random() < 0.3;
    bodies.push({ planes: isCut ? [...planes, ...side] : planes, around: { center: [0, 0, 0], radius: 7 } });
    from = to - 0.08 * random();
  }
  return bodies;
}

/** Bodies on one grid, many of which end where others begin. */
function abuttingUnion(random: Random): ConvexBody[] {
  return Array.from({ length: 24 }, (_, i) => {
    // The first ones hold the origin, at a side or within.
    const low = [0, 1, 2].map(() => Math.floor((i < 3 ? 4 : 8) * random()) - (i < 3 ? 3 : 4));
    const high = low.map((value) => (i < 3 ? 1 : value + 1) + Math.floor(4 * random()));
    const center = [0, 1, 2].map((k) => (low[k] + high[k]) / 2) as [number, number, number];
    const reach = AXES.map((_, i) => (high[i >> 1] - low[i >> 1]) / 2);
    return {
      planes: bodyOf(center, AXES, reach),
      around: { center, radius: Math.hypot(reach[0], reach[2], reach[4]) },
    };
  });
}

/** As the library holds sums. */
function sumsOf(bodies: readonly ConvexBody[], unit: number): MinkowskiSums {
  const planeStart = new Uint32Array(bodies.length + 1);
  bodies.forEach(({ planes }, i) => {
    planeStart[i + 1] = planeStart[i] + planes.length / 4;
  });
  return {
    count: bodies.length,
    planeStart,
    planes: Float64Array.from(
      bodies.flatMap(({ planes }) => Array.from(planes, (value, i) => (i % 4 === 3 ? unit * value : value))),
    ),
    spheres: Float64Array.from(
      bodies.flatMap(({ around }) => [...around.center, around.radius]),
      (value) => unit * value,
    ),
  } as unknown as MinkowskiSums;
}

/** A ball of translations that overlap, as the library asks for them. */
function ballsOf(balls: readonly Ball[], unit: number): InnerBalls | null {
  const radiusAt = (x: number, y: number, z: number) =>
    unit *
    Math.max(
      ...balls.map(
        ({ center, radius }) =>
          radius * (1 - 1e-14) - Math.hypot(center[0] - x / unit, center[1] - y / unit, center[2] - z / unit),
      ),
    );
  return balls.length > 0 ? ({ radiusAt } as unknown as InnerBalls) : null;
}

/** Rays of a cell: its corners, its sides, its middle, and random ones. */
function* raysOf(
  count: number,
  view: number,
  [left, right, bottom, top]: readonly number[],
  random: Random,
): Generator<number[]> {
  const [fx, fy, fz, rx, ry, rz, ux, uy, uz] = CUBE_AXES[view];
  for (let i = 0; i < count; i++) {
    const s = i < 9 ? (i % 3) / 2 : i % 7 === 0 ? Math.round(random()) : random();
    const t = i < 9 ? Math.floor(i / 3) / 2 : i % 7 === 1 ? Math.round(random()) : random();
    const [x, y] = [left + s * (right - left), bottom + t * (top - bottom)];
    const d = [fx + x * rx + y * ux, fy + x * ry + y * uy, fz + x * rz + y * uz];
    const length = Math.hypot(d[0], d[1], d[2]);
    yield d.map((value) => value / length);
  }
}

interface Tally {
  cells: number;
  covered: number;
  tight: number;
}

/** Tries cells of all sizes, each quarter of a cell with the list that the cell kept; the library sees all in units. */
function tryCells(
  view: number,
  bodies: readonly ConvexBody[],
  balls: readonly Ball[],
  unit: number,
  rays: number,
  random: Random,
  tally: Tally,
): void {
  const sums = sumsOf(bodies, unit);
  const union = new UnionRays(sums, null, ballsOf(balls, unit), 4 * unit);
  const cover = new CellCover();
  cover.begin(union, new Float64Array(sums.count), 100 * unit);
  const halfSpaces = bodies.map(({ planes }) => planes);
  let [left, bottom, width] = [-1, -1, 2];
  let list = cover.lists.slice(0, cover.listEnd);
  // With `wanted` within reach the search ends early, with none it follows every chain to its end.
  const wanted = random() < 0.5 ? 100 : 0.2 + 2 * random();
  while (width > 2 ** -12 && list.length > 0) {
    cover.dropLists(0);
    cover.appendList(list);
    const sides = [left, left + width, bottom, bottom + width] as const;
    const cell = { view, left, right: left + width, bottom, top: bottom + width };
    const reach = cover.cover(cell, 0, list.length, 100 * unit, wanted * unit) / unit;
    let least = Infinity;
    for (const ray of raysOf(rays, view, sides, random)) {
      least = Math.min(least, measureCoveredRay(halfSpaces, balls, ray));
      if (reach > least * (1 + ROUNDING)) {
        expect.fail(
          `A cell of view ${view} at ${sides} is said to reach ${reach}, but the ray ${ray} ends at ${least}.`,
        );
      }
    }
    tally.cells++;
    if (reach > 0) tally.covered++;
    if (reach > 0.999 * least) tally.tight++;
    if (reach >= wanted) return;
    list = cover.lists.slice(cover.kept, cover.listEnd);
    width /= 2;
    left += random() < 0.5 ? width : 0;
    bottom += random() < 0.5 ? width : 0;
  }
}

describe('what a cell is said to reach', () => {
  test.each([
    ['chains of convex bodies', 30, randomUnion, false, 1, 1000],
    ['tilted slabs', 400, tiltedSlabs, false, 1, 64],
    ['boxes that abut on a grid', 20, abuttingUnion, false, 1, 1000],
    ['chains of convex bodies and balls', 20, randomUnion, true, 1, 1000],
    ['chains so small that areas have no square', 10, randomUnion, false, 1e-90, 1000],
    ['chains as large as may be', 10, randomUnion, true, 1e50, 1000],
  ])('%s', (_, count, make, withBalls, unit, rays) => {
    const random = randomOf(61);
    const tally: Tally = { cells: 0, covered: 0, tight: 0 };
    for (let i = 0; i < count * SOAK; i++) {
      const view = Math.floor(6 * random());
      const bodies = make(random, view);
      const balls: Ball[] = [];
      for (let k = withBalls ? 1 + Math.floor(3 * random()) : 0; k > 0; k--) {
        const [x, y, z] = randomDirection(random);
        const away = 2 * random();
        balls.push({ center: [away * x, away * y, away * z], radius: 0.2 + random() });
      }
      tryCells(view, bodies, balls, unit, rays, random, tally);
    }
    // Most are covered, and many so tightly that a claim of a thousandth more would be found out.
    expect(tally.covered / tally.cells, JSON.stringify(tally)).toBeGreaterThan(0.3);
    expect(tally.tight / tally.cells, JSON.stringify(tally)).toBeGreaterThan(0.1);
  });
});

describe('balls of translations', () => {
  interface Placed {
    readonly a: Solid;
    readonly b: Solid;
    readonly poseA: Pose;
    readonly poseB: Pose;
  }

  /** Asks for balls in and around the union, and moves A to all sides of each. Returns how many there were. */
  function tryBalls({ a, b, poseA, poseB }: Placed, random: Random, farthest: number): number {
    const [bodyA, bodyB] = [prepare(a), prepare(b)];
    const placement = pose.toMatrix4(pose.bInA(poseA, poseB)).subarray(0, 12);
    const [solidA, solidB] = [bodyA, bodyB].map(({ model }) => prepareSolid(model));
    const balls = new InnerBalls(solidA, solidB, placement, invertPlacement(placement));
    const placedB = placeInFrame(b.positions, poseA, poseB);
    const overlap = new Overlap(bodyA.oracle, a.positions, bodyB.oracle, placedB);
    let found = 0;
    for (let i = 0; i < 12; i++) {
      const away = i === 0 ? 0 : farthest * random();
      const [x, y, z] = randomDirection(random).map((value) => away * value);
      const radius = balls.radiusAt(x, y, z) * (1 - 1e-9);
      if (!(radius > 0)) continue;
      found++;
      for (let k = 0; k < 40; k++) {
        const [u, v, w] = k < 6 ? AXES[k] : randomDirection(random);
        if (overlap.at(x + radius * u, y + radius * v, z + radius * w)) continue;
        expect.fail(`A ball of ${radius} around ${[x, y, z]}, but A is clear of B towards ${[u, v, w]}.`);
      }
    }
    return found;
  }

  test('of random pairs', () => {
    const random = randomOf(62);
    let found = 0;
    for (let seed = 1; seed <= 60 * SOAK; seed++) found += tryBalls(randomPair(70_000 + seed), random, 0.3);
    expect(found).toBeGreaterThan(60 * SOAK);
  });

  test('of a cube in a cube: as large as can be', () => {
    const cube = (half: number) => box([-half, -half, -half], [half, half, half]);
    expect(tryBalls({ a: cube(3), b: cube(1), poseA: HERE, poseB: HERE }, randomOf(63), 2)).toBe(12);
    const [solidA, solidB] = [cube(3), cube(1)].map((solid) => prepareSolid(prepare(solid).model));
    const placement = pose.toMatrix4(HERE).subarray(0, 12);
    const balls = new InnerBalls(solidA, solidB, placement, invertPlacement(placement));
    expect(balls.radiusAt(0, 0, 0)).toBeGreaterThan(3.99);
    expect(balls.radiusAt(0, 0, 0)).toBeLessThanOrEqual(4);
  });
});
