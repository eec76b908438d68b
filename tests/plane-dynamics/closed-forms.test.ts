// Motions in the plane whose answers are formulas.
import { describe, expect, test } from 'vitest';
import { PLANE_METHODS, type PlaneWorldOptions } from '../../src/plane-dynamics/plane-options.js';
import { PlaneWorld } from '../../src/plane-dynamics/plane-world.js';
import { box, floor } from './shapes.js';

const G = 9.81;

function world(options: PlaneWorldOptions = {}): PlaneWorld {
  return new PlaneWorld({ sleeping: false, ...options });
}

function run(of: PlaneWorld, seconds: number): void {
  for (let k = Math.round(seconds / of.timestep); k > 0; k--) of.step();
}

describe.each(PLANE_METHODS)('free motion under %s', (method) => {
  test('falls exactly, turning evenly', () => {
    const w = world({ method });
    const shape = {
      polygon: [
        [0, 0],
        [2, 0],
        [2, 1],
        [1, 3],
      ],
    };
    const body = w.addBody({ shape, pose: [1, 2, 0.3], velocity: [3, 4], angularVelocity: 2 });
    const [x0, y0] = w.centerOf(body);
    run(w, 2);
    const [x, y] = w.centerOf(body);
    expect(x - x0).toBeCloseTo(6, 11);
    expect(y - y0).toBeCloseTo(8 - (G * 4) / 2, 11);
    expect(w.velocityOf(body)[1]).toBeCloseTo(4 - 2 * G, 11);
    expect(w.poseOf(body)[2]).toBeCloseTo(4.3, 11);
  });
});

test('mass properties of a polygon with a hole are those of the parts', () => {
  const w = world();
  const ring = w.addBody({
    shape: {
      polygon: [
        [0, 0],
        [4, 0],
        [4, 4],
        [0, 4],
      ],
      holes: [
        [
          [1, 1],
          [3, 1],
          [3, 3],
          [1, 3],
        ],
      ],
    },
  });
  expect(w.massOf(ring)).toBeCloseTo(12_000, 8);
  expect(w.centerOf(ring)).toEqual([2, 2]);
  w.setVelocity(ring, [0, 0], 3);
  // m (w² + h²) / 12 of the whole less that of the hole.
  const inertia = (16_000 * 32) / 12 - (4000 * 8) / 12;
  expect(w.energy().kinetic).toBeCloseTo((inertia * 9) / 2, 6);
});

describe.each(PLANE_METHODS)('pendulum under %s', (method) => {
  /** Half a swing of a rod pinned at its end: the time between two zero crossings of the angle. */
  function period(substeps: number, amplitude: number, seconds: number): number {
    const w = world({ method, substeps });
    const rod = w.addBody({
      shape: box(0.1, 1),
      pose: [0.5 * Math.sin(amplitude), -0.5 * Math.cos(amplitude), amplitude],
    });
    w.addJoint({ type: 'pin', bodyA: rod, at: [0, 0] });
    const crossings: number[] = [];
    let [, , before] = w.poseOf(rod);
    for (let k = 0; k < seconds * 60; k++) {
      const speedBefore = w.angularVelocityOf(rod);
      w.step();
      const [, , after] = w.poseOf(rod);
      if (before > 0 !== after > 0) {
        // The zero of the cubic through both ends, by Newton.
        const dt = w.timestep;
        const [va, vb] = [speedBefore * dt, w.angularVelocityOf(rod) * dt];
        let t = before / (before - after);
        for (let n = 0; n < 20; n++) {
          const h = (2 * t ** 3 - 3 * t * t + 1) * before + (t ** 3 - 2 * t * t + t) * va;
          const g = (-2 * t ** 3 + 3 * t * t) * after + (t ** 3 - t * t) * vb;
          const slope =
            (6 * t * t - 6 * t) * before +
            (3 * t * t - 4 * t + 1) * va +
            (6 * t - 6 * t * t) * after +
            (3 * t * t - 2 * t) * vb;
          t -= (h + g) / slope;
        }
        crossings.push((k + t) * dt);
      }
      before = after;
    }
    const last = crossings.length - 1;
    return (2 * (crossings[last] - crossings[0])) / last;
  }

  /** 2π √(I / m g s) by the arithmetic–geometric mean. */
  function exact(amplitude: number): number {
    const inertia = (0.1 ** 2 + 1) / 12 + 0.25;
    let [a, b] = [1, Math.cos(amplitude / 2)];
    for (let k = 0; k < 8; k++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
    return (2 * Math.PI * Math.sqrt(inertia / (G * 0.5))) / a;
  }

  test('has the period of the formula at small and large swings', () => {
    for (const amplitude of [0.05, 1, 2.5]) {
      expect(Math.abs(period(8, amplitude, 10) / exact(amplitude) - 1)).toBeLessThan(2e-5);
    }
  });

  test('converges with the second order', () => {
    const errors = [1, 2, 4].map((substeps) => Math.abs(period(substeps, 1, 6) / exact(1) - 1));
    expect(Math.log2(errors[0] / errors[1])).toBeGreaterThan(1.8);
    expect(Math.log2(errors[1] / errors[2])).toBeGreaterThan(1.8);
  });

  test('keeps its energy over a minute', () => {
    const w = world({ method });
    const rod = w.addBody({ shape: box(0.1, 1), pose: [0.5, 0, Math.PI / 2] });
    w.addJoint({ type: 'pin', bodyA: rod, at: [0, 0] });
    const swing = w.massOf(rod) * G * 0.5;
    let worst = 0;
    for (let k = 0; k < 3600; k++) {
      w.step();
      worst = Math.max(worst, Math.abs(w.energy().total) / swing);
    }
    expect(worst).toBeLessThan(1e-4);
    const [x, y, angle] = w.poseOf(rod);
    // The pinned end of the rod is still at the origin.
    expect(Math.hypot(x - 0.5 * Math.sin(angle), y + 0.5 * Math.cos(angle))).toBeLessThan(1e-9);
  });
});

describe.each(['auto', 'backtracking', 'time-of-contact'] as const)('incline under %s', (method) => {
  /** The way of a block down a slope in a second. */
  function slide(angle: number, friction: number): number {
    const w = world({ method });
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    w.addBody({ shape: box(40, 1), pose: [0.5 * s, -0.5 * c, angle], fixed: true, friction });
    const block = w.addBody({ shape: box(1, 0.5), pose: [-0.25 * s, 0.25 * c, angle], friction });
    run(w, 1);
    const [x, y] = w.poseOf(block);
    return -(x + 0.25 * s) * c - (y - 0.25 * c) * s;
  }

  test('holds below the friction angle and slides above it by the formula', () => {
    const friction = 0.5;
    const limit = Math.atan(friction);
    expect(Math.abs(slide(limit - 0.002, friction))).toBeLessThan(1e-6);
    for (const more of [0.002, 0.05, 0.3]) {
      const angle = limit + more;
      const expected = (G * (Math.sin(angle) - friction * Math.cos(angle))) / 2;
      expect(Math.abs(slide(angle, friction) - expected)).toBeLessThan(1e-3 * expected + 2e-5);
    }
    expect(Math.abs(slide(0.3, 0) / ((G * Math.sin(0.3)) / 2) - 1)).toBeLessThan(1e-3);
  });
});

const CONTACT_METHODS = ['auto', 'backtracking', 'time-of-contact'] as const;

test.each(CONTACT_METHODS)('a block slides v² / 2 µ g and stops under %s', (method) => {
  const w = world({ method });
  w.addBody({ shape: floor(), fixed: true, friction: 0.3 });
  const block = w.addBody({ shape: box(1, 0.5), pose: [0, 0.25, 0], friction: 0.3, velocity: [3, 0] });
  run(w, 3);
  expect(Math.abs(w.poseOf(block)[0] / (9 / (2 * 0.3 * G)) - 1)).toBeLessThan(2e-4);
  expect(Math.abs(w.velocityOf(block)[0])).toBeLessThan(1e-9);
});

test.each(CONTACT_METHODS)('a disc that slides begins to roll at two thirds of its speed under %s', (method) => {
  const w = world({ method });
  w.addBody({ shape: floor(), fixed: true, friction: 0.4 });
  const disc = w.addBody({ shape: { circle: 0.5 }, pose: [0, 0.5, 0], friction: 0.4, velocity: [4, 0] });
  run(w, 2);
  expect(w.velocityOf(disc)[0]).toBeCloseTo(8 / 3, 3);
  expect(w.angularVelocityOf(disc)).toBeCloseTo(-16 / 3, 3);
});

describe.each(CONTACT_METHODS)('bounces under %s', (method) => {
  test.each([
    ['a disc', { circle: 0.25 }, 0.25],
    ['a box', box(0.5, 0.5), 0.25],
  ] as const)('%s reaches e²ⁿ of its height', (_, shape, half) => {
    const e = 0.9;
    const w = world({ method });
    w.addBody({ shape: floor(), fixed: true, friction: 0 });
    const ball = w.addBody({ shape, pose: [0, half + 1, 0], restitution: e, friction: 0 });
    const tops: number[] = [];
    let before = 0;
    let energy = w.energy().total;
    while (tops.length < 10 && w.time < 20) {
      w.step();
      const vy = w.velocityOf(ball)[1];
      if (before > 0 && vy <= 0) tops.push(w.poseOf(ball)[1] + vy ** 2 / (2 * G) - half);
      before = vy;
      const now = w.energy().total;
      expect(now).toBeLessThan(energy * (1 + 1e-9));
      energy = now;
    }
    expect(tops.length).toBe(10);
    tops.forEach((top, n) => {
      expect(Math.abs(top - e ** (2 * (n + 1)))).toBeLessThan(2e-5);
    });
  });
});

describe.each(['auto', 'backtracking', 'time-of-contact', 'penalty'] as const)('elastic discs under %s', (method) => {
  test('exchange their velocities along the line of centers', () => {
    const w = world({ method, gravity: [0, 0], ...(method === 'penalty' ? { substeps: 64 } : {}) });
    const options = { restitution: 1, friction: 0 };
    const a = w.addBody({ shape: { circle: 0.5 }, pose: [-2, 0.3, 0], velocity: [2, 0], ...options });
    const b = w.addBody({ shape: { circle: 0.7 }, pose: [0, 0, 0], velocity: [-1, 0.2], mass: 300, ...options });
    const [ma, mb] = [w.massOf(a), w.massOf(b)];
    // Where they touch, by the quadratic for the distance of the centers.
    const [px, py, vx, vy] = [2, -0.3, -3, 0.2];
    const [qa, qb, qc] = [vx * vx + vy * vy, 2 * (px * vx + py * vy), px * px + py * py - 1.44];
    const t = (-qb - Math.sqrt(qb * qb - 4 * qa * qc)) / (2 * qa);
    const [nx, ny] = [(px + vx * t) / 1.2, (py + vy * t) / 1.2];
    const closing = vx * nx + vy * ny;
    const impulse = (-2 * closing) / (1 / ma + 1 / mb);
    run(w, 2);
    const tolerance = method === 'penalty' ? 2e-2 : 1e-5;
    const [ax, ay] = w.velocityOf(a);
    const [bx, by] = w.velocityOf(b);
    expect(Math.abs(ax - (2 - (impulse * nx) / ma))).toBeLessThan(tolerance);
    expect(Math.abs(ay + (impulse * ny) / ma)).toBeLessThan(tolerance);
    expect(Math.abs(bx - (-1 + (impulse * nx) / mb))).toBeLessThan(tolerance);
    expect(Math.abs(by - (0.2 + (impulse * ny) / mb))).toBeLessThan(tolerance);
  });
});

test.each(CONTACT_METHODS)("Newton's cradle passes one ball on for one, and two for two under %s", (method) => {
  for (const count of [1, 2]) {
    const w = world({ method });
    const balls = Array.from({ length: 5 }, (_, i) => {
      const raised = i < count ? -0.5 : 0;
      const [c, s] = [Math.cos(raised), Math.sin(raised)];
      const at = 0.2 * i;
      const ball = w.addBody({
        shape: { circle: 0.1 },
        pose: [at + s, 1 - c, raised],
        restitution: 1,
        friction: 0,
      });
      w.addJoint({ type: 'pin', bodyA: ball, at: [at, 1] });
      return ball;
    });
    const start = w.energy().total;
    const quarter = 0.6;
    run(w, quarter);
    // The last ones have left with the speed that came, the others hang still.
    const speeds = balls.map((ball) => Math.hypot(...w.velocityOf(ball)));
    for (let i = 0; i < 5 - count; i++) expect(speeds[i]).toBeLessThan(0.02);
    for (let i = 5 - count; i < 5; i++) expect(speeds[i]).toBeGreaterThan(0.5);
    run(w, 5);
    expect(Math.abs(w.energy().total - start)).toBeLessThan(0.01 * w.massOf(balls[0]) * G * (1 - Math.cos(0.5)));
  }
});

describe('order of convergence of springs', () => {
  /** log₂ of the ratio of the changes from n to 2n and from 2n to 4n substeps. */
  function order(motion: (substeps: number) => number): number {
    const [a, b, c] = [4, 8, 16].map(motion);
    return Math.log2(Math.abs(a - b) / Math.abs(b - c));
  }

  test('a box that floats on penalty forces moves with the second order', () => {
    const rate = order((substeps) => {
      const w = world({ method: 'penalty', substeps, stiffness: 1e6 });
      w.addBody({ shape: floor(), fixed: true, friction: 0, restitution: 1 });
      // Less than the depth of rest above it, so that it never leaves.
      const block = w.addBody({ shape: box(1, 1), pose: [0, 0.49, 0], friction: 0, restitution: 1 });
      run(w, 0.5);
      return w.poseOf(block)[1];
    });
    expect(rate).toBeGreaterThan(1.9);
    expect(rate).toBeLessThan(2.1);
  });

  test('a soft boundary swings with the second order', () => {
    const rate = order((substeps) => {
      const w = world({ method: 'penalty', substeps, gravity: [0, 0] });
      const ring = Array.from({ length: 24 }, (_, i) => [Math.cos((Math.PI * i) / 12), Math.sin((Math.PI * i) / 12)]);
      const body = w.addBody({ shape: { polygon: ring, elastic: { waveSpeed: 2, frequency: 1 } }, fixed: true });
      const nodes = w.nodesOf(body).slice();
      nodes[0] += 0.05;
      w.setNodes(body, nodes);
      run(w, 0.5);
      return w.nodesOf(body)[0];
    });
    expect(rate).toBeGreaterThan(1.9);
    expect(rate).toBeLessThan(2.1);
  });
});

test.each(CONTACT_METHODS)('a stack of ten boxes rests for a minute without drift under %s', (method) => {
  const w = world({ method });
  w.addBody({ shape: floor(), fixed: true });
  const boxes = Array.from({ length: 10 }, (_, i) => w.addBody({ shape: box(0.2, 0.2), pose: [0, 0.1 + 0.2 * i, 0] }));
  const start = w.energy().total;
  run(w, 10);
  const settled = boxes.map((body) => w.poseOf(body));
  settled.forEach(([x, y, angle], i) => {
    expect(Math.abs(x)).toBeLessThan(method === 'backtracking' ? 1.5e-4 : 1e-4);
    // Each rests within a skin of the one below, 5e-4 of its diagonal.
    expect(Math.abs(y - 0.1 - 0.2 * i)).toBeLessThan(Math.min(1e-3, 1.5e-4 * (i + 1)));
    expect(Math.abs(angle)).toBeLessThan(1e-4);
  });
  run(w, 50);
  for (const [i, body] of boxes.entries()) {
    const [x, y, angle] = w.poseOf(body);
    expect(Math.hypot(x - settled[i][0], y - settled[i][1])).toBeLessThan(1e-6);
    expect(Math.abs(angle - settled[i][2])).toBeLessThan(1e-6);
    expect(Math.hypot(...w.velocityOf(body))).toBeLessThan(1e-7);
  }
  expect(w.energy().total).toBeLessThan(start * 1.001);
  expect(w.worstPenetration()).toBe(0);
});
