// Times of impact that are known in closed form: boxes on straight lines, a bar that turns, thin and fast bodies.
import { describe, expect, test } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import { createRandom, type Random } from '../../../src/core/random.js';
import type { Motion } from '../../../src/proximity/impact/motion.js';
import { Pair } from '../../../src/proximity/pair.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import { timeOfImpact } from '../../../src/proximity/queries.js';
import { boxMesh, join, openCube, reversed } from '../../generators/surfaces.js';

function at(x: number, y: number, z: number): Pose {
  return [x, y, z, 0, 0, 0, 1];
}

function turned(angle: number, [x, y, z]: readonly number[] = [0, 0, 0]): Pose {
  return [x, y, z, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
}

function centeredBox(half: readonly number[]): ProximityModel {
  return new ProximityModel(
    boxMesh(
      half.map((h) => -h),
      half,
    ),
  );
}

function randomPoint(random: Random, size: number): number[] {
  return [0, 1, 2].map(() => random.range(-size, size));
}

/** When two boxes on straight lines first meet, by slabs; null if never in [0, 1]. */
function slabTime(reach: readonly number[], from: readonly number[], way: readonly number[]): number | null {
  let enter = 0;
  let leave = 1;
  for (let k = 0; k < 3; k++) {
    const [near, far] = [(-reach[k] - from[k]) / way[k], (reach[k] - from[k]) / way[k]].sort((s, t) => s - t);
    enter = Math.max(enter, near);
    leave = Math.min(leave, far);
  }
  return enter <= leave ? enter : null;
}

const cube = centeredBox([0.5, 0.5, 0.5]);

describe('boxes on straight lines', () => {
  const random = createRandom(5);
  const cases = Array.from({ length: 400 }, () => {
    const halfA = randomPoint(random, 1).map((h) => 0.05 + Math.abs(h));
    const halfB = randomPoint(random, 1).map((h) => 0.05 + Math.abs(h));
    const [fromA, toA, fromB, toB] = [0, 1, 2, 3].map(() => randomPoint(random, 2.4));
    const clearance = random.integer(2) === 0 ? 0 : random.range(0, 0.2);
    return { halfA, halfB, fromA, toA, fromB, toB, clearance };
  });

  test('meet when their slabs do, and stay clear when these never do', () => {
    let hits = 0;
    let atStart = 0;
    for (const { halfA, halfB, fromA, toA, fromB, toB } of cases) {
      const reach = halfA.map((h, k) => h + halfB[k]);
      const from = fromB.map((v, k) => v - fromA[k]);
      const way = toB.map((v, k) => v - toA[k] - from[k]);
      const truth = slabTime(reach, from, way);
      const motion: Motion = {
        a: { from: [...fromA, 0, 0, 0, 1] as Pose, to: [...toA, 0, 0, 0, 1] as Pose },
        b: { from: [...fromB, 0, 0, 0, 1] as Pose, to: [...toB, 0, 0, 0, 1] as Pose },
      };
      const found = timeOfImpact(centeredBox(halfA), centeredBox(halfB), motion);
      expect(found.impact).toBe(truth !== null);
      if (truth === null) {
        expect(found).toMatchObject({ status: 'clear', time: null, lower: 1, upper: null, witness: null });
        continue;
      }
      hits++;
      if (truth === 0) atStart++;
      expect(found.exact).toBe(true);
      expect(found.lower).toBeLessThanOrEqual(truth + 1e-15);
      expect(found.upper).toBeGreaterThanOrEqual(truth - 1e-15);
      expect(found.upper! - found.lower).toBeLessThan(1e-10);
      expect(found.time).toBe(found.lower);
    }
    expect(hits / cases.length).toBeGreaterThan(0.3);
    expect(hits / cases.length).toBeLessThan(0.7);
    expect(atStart).toBeGreaterThan(10);
  });

  test('reach the clearance when a face does', () => {
    for (const clearance of [0, 0.01, 0.3]) {
      const motion: Motion = { a: at(0, 0, 0), b: { from: at(3, 0.2, 0.1), to: at(-3, 0.2, 0.1) } };
      const found = timeOfImpact(cube, cube, motion, { clearance });
      const truth = (2 - clearance) / 6;
      expect(found.lower).toBeLessThanOrEqual(truth);
      expect(found.upper).toBeGreaterThanOrEqual(truth - 1e-15);
      expect(found.upper! - found.lower).toBeLessThan(1e-12);
      expect(found.witness!.distance - clearance).toBeLessThan(1e-12);
      expect(Math.hypot(found.witness!.normal![0] - 1, ...found.witness!.normal!.slice(1))).toBeLessThan(1e-8);
    }
  });
});

describe('turning bodies', () => {
  /** A bar from the origin along +x, which turns about z. */
  const bar = new ProximityModel(boxMesh([0, -0.05, -0.1], [2, 0.05, 0.1]));
  const post = new ProximityModel(boxMesh([0, 0, -1], [0.1, 0.1, 1]));

  test.each([0.3, 0.8, 1.3, 1.7])('a bar meets the edge of a post at %d rad', (phi) => {
    const rho = 1.5;
    // The post's edge at its own origin is the first to be reached: in the bar's frame it comes down to y = 0.05.
    const place = [rho * Math.cos(phi), rho * Math.sin(phi), 0];
    const truth = (phi - Math.asin(0.05 / rho)) / 3;
    const motion: Motion = { a: { from: turned(0), to: turned(3) }, b: turned(phi, place) };
    const found = timeOfImpact(bar, post, motion);
    expect(found.impact).toBe(true);
    expect(found.lower).toBeLessThanOrEqual(truth + 1e-15);
    expect(found.upper).toBeGreaterThanOrEqual(truth - 1e-15);
    expect(found.upper! - found.lower).toBeLessThan(1e-10);
    const [x, y] = found.witness!.pointB;
    expect(Math.hypot(x - place[0], y - place[1])).toBeLessThan(1e-9);
  });

  test.each([
    [0.3, -0.3, 'the short way up'],
    [-0.3, 0.3, 'the short way down'],
  ])('goes the shorter way, whatever the signs of the quaternions', (from, to) => {
    const behind = new ProximityModel(boxMesh([-1.6, -0.1, -1], [-1.4, 0.1, 1]));
    for (const sign of [1, -1]) {
      const end = turned(to).map((v, k) => (k < 3 ? v : sign * v)) as Pose;
      expect(timeOfImpact(bar, behind, { a: { from: turned(from), to: end }, b: at(0, 0, 0) }).impact).toBe(false);
      expect(timeOfImpact(bar, post, { a: { from: turned(from), to: end }, b: at(1.5, -0.05, 0) }).impact).toBe(true);
    }
  });

  test('both turn: two bars on parallel axes like the hands of two clocks', () => {
    // Axes 3 apart, both hands 2 long: mirrored turns meet on the plane between them when 2 cos θ + 0.05 sin θ = 1.5.
    const motion: Motion = {
      a: { from: turned(2), to: turned(0) },
      b: { from: turned(Math.PI - 2, [3, 0, 0]), to: turned(Math.PI, [3, 0, 0]) },
    };
    const angle = Math.acos(1.5 / Math.hypot(2, 0.05)) + Math.atan(0.05 / 2);
    const truth = (2 - angle) / 2;
    const found = timeOfImpact(bar, bar, motion);
    expect(found.lower).toBeLessThanOrEqual(truth + 1e-15);
    expect(found.upper).toBeGreaterThanOrEqual(truth - 1e-15);
    expect(found.upper! - found.lower).toBeLessThan(1e-10);
  });
});

describe('tunneling', () => {
  const plate = centeredBox([1e-6, 2, 2]);
  const needle = centeredBox([1e-6, 1e-6, 1e-6]);

  test('a tiny body that flies through a thin plate is caught', () => {
    const found = timeOfImpact(plate, needle, {
      a: at(0, 0, 0),
      b: { from: at(-1e3, 0.3, 0.2), to: at(2e3, 0.3, 0.2) },
    });
    expect(found.exact).toBe(true);
    expect(Math.abs(found.time! - (1e3 - 2e-6) / 3e3)).toBeLessThan(1e-12);
  });

  test('an overlap that begins and ends within the motion is found', () => {
    // The corner of a turning square reaches over the plane y = 0.7 between two angles only.
    const square = centeredBox([0.5, 0.5, 0.5]);
    const floor = new ProximityModel(boxMesh([-3, 0.7, -3], [3, 1, 3]));
    const motion: Motion = { a: { from: turned(0), to: turned(Math.PI / 2) }, b: at(0, 0, 0) };
    const truth = (Math.PI / 4 - Math.acos(0.7 / Math.SQRT1_2)) / (Math.PI / 2);
    const found = timeOfImpact(square, floor, motion);
    expect(found.lower).toBeLessThanOrEqual(truth + 1e-15);
    expect(found.upper).toBeGreaterThanOrEqual(truth - 1e-15);
    expect(found.upper! - found.lower).toBeLessThan(1e-9);
    expect(timeOfImpact(square, floor, { ...motion, b: at(0, 0.01, 0) }).status).toBe('clear');
  });
});

describe('grazing', () => {
  const square = centeredBox([0.5, 0.5, 0.5]);
  const floor = new ProximityModel(boxMesh([-3, 0, -3], [3, 1, 3]));
  const motion = (height: number): Motion => ({
    a: { from: turned(0.1), to: turned(1.5) },
    b: at(0, height, 0),
  });

  test.each([0, 1e-16, -1e-16, 1e-13, -1e-13, 1e-11])('a corner that passes at %d ends with a bracket', (gap) => {
    const { status, impact, lower, upper, exact, witness, counters } = timeOfImpact(
      square,
      floor,
      motion(Math.SQRT1_2 + gap),
    );
    expect(counters.trianglePairs).toBeLessThan(5000);
    if (gap > 1e-9) expect(status).toBe('clear');
    if (!impact) {
      expect(gap).toBeGreaterThan(0);
      return;
    }
    const middle = (Math.PI / 4 - 0.1) / 1.4;
    expect(Math.abs(lower - middle)).toBeLessThan(1e-5);
    expect(upper).toBeGreaterThanOrEqual(lower);
    expect(witness!.distance).toBeLessThan(1e-9);
    if (!exact) expect(upper).toBe(lower);
  });

  test('a box that slides along a face just above it stays clear', () => {
    for (const gap of [1e-3, 1e-9, 1e-12]) {
      const b: Motion['b'] = { from: at(-1, -0.5 - gap, 0), to: at(1, -0.5 - gap, 0) };
      expect(timeOfImpact(floor, square, { a: at(0, 0, 0), b }).status).toBe('clear');
    }
  });

  test('contact in the last moment is an impact', () => {
    const found = timeOfImpact(cube, cube, { a: at(0, 0, 0), b: { from: at(2, 0, 0), to: at(1, 0, 0) } });
    expect(found.impact).toBe(true);
    expect(found.exact).toBe(true);
    expect(1 - found.lower).toBeLessThan(1e-12);
    expect(found.upper).toBeLessThanOrEqual(1);
  });
});

describe('containment', () => {
  const away: Motion = { a: at(0, 0, 0), b: { from: at(0, 0, 0), to: at(9, 0, 0) } };
  const small = centeredBox([0.1, 0.1, 0.1]);

  test('a solid that starts inside another meets it at the start', () => {
    const found = timeOfImpact(cube, small, away);
    expect(found).toMatchObject({ impact: true, time: 0, lower: 0, upper: 0, exact: true });
    expect(found.witness!.normal).toBeNull();
  });

  test('an open surface and a hollow solid are met from inside', () => {
    const shell = join(boxMesh([-1, -1, -1], [1, 1, 1]), reversed(boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5])));
    const open = openCube();
    const cases: [ProximityModel, Pose, number][] = [
      [new ProximityModel(shell), at(0, 0, 0), 0.4 / 9],
      [new ProximityModel(open), at(-0.5, -0.5, -0.5), 0.4 / 9],
    ];
    for (const [model, pose, truth] of cases) {
      const found = timeOfImpact(model, small, { ...away, a: pose });
      expect(found.impact).toBe(true);
      expect(Math.abs(found.time! - truth)).toBeLessThan(1e-9);
    }
  });
});

describe('least clearance', () => {
  test('of a box that passes another is their gap, and lies where they are side by side', () => {
    const pair = new Pair(cube, cube);
    for (const relativeError of [0.1, 1e-3]) {
      const motion: Motion = { a: at(0, 0, 0), b: { from: at(-4, 1.25, 0), to: at(5, 1.25, 0) } };
      const { status, least } = pair.validateMotion(motion, { relativeError });
      expect(status).toBe('clear');
      expect(least!.upper).toBeCloseTo(0.25, 12);
      expect(least!.lower).toBeLessThanOrEqual(0.25);
      expect(least!.lower).toBeGreaterThanOrEqual(0.25 * (1 - relativeError) - 1e-9);
      expect(Math.abs(-4 + 9 * least!.time)).toBeLessThanOrEqual(1 + 1e-9);
    }
  });

  test('of a corner that turns past a plane is had at its highest', () => {
    const floor = new ProximityModel(boxMesh([-3, 0.75, -3], [3, 1, 3]));
    const motion: Motion = { a: { from: turned(0), to: turned(1.2) }, b: at(0, 0, 0) };
    const { least } = new Pair(cube, floor).validateMotion(motion, { relativeError: 0.01 });
    const truth = 0.75 - Math.SQRT1_2;
    expect(least!.upper - truth).toBeLessThan(0.01 * truth);
    expect(least!.upper).toBeGreaterThanOrEqual(truth - 1e-12);
    expect(least!.lower).toBeLessThanOrEqual(truth);
    expect(least!.lower).toBeGreaterThanOrEqual(0.99 * truth - 1e-9);
    expect(Math.abs(1.2 * least!.time - Math.PI / 4)).toBeLessThan(0.05);
  });

  test('is not looked for after an impact, and the clearance wanted decides which it is', () => {
    const motion: Motion = { a: at(0, 0, 0), b: { from: at(-4, 1.25, 0), to: at(5, 1.25, 0) } };
    const pair = new Pair(cube, cube);
    expect(pair.validateMotion(motion, { clearance: 0.2 }).least!.lower).toBeGreaterThanOrEqual(0.2);
    const found = pair.validateMotion(motion, { clearance: 0.3 });
    expect(found).toMatchObject({ status: 'impact', least: null });
    // The nearest points are on edges 0.25 above: sqrt(0.3² − 0.25²) before the faces begin to overlap.
    const truth = (3 - Math.sqrt(0.3 ** 2 - 0.25 ** 2)) / 9;
    expect(found.lower).toBeLessThanOrEqual(truth + 1e-15);
    expect(found.upper).toBeGreaterThanOrEqual(truth - 1e-15);
  });
});
