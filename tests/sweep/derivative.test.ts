import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { boxMesh, outerSphere } from '../../src/kinematics/urdf/outer-shapes.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { planningSample } from '../../src/samples/planning/catalogue.js';
import { clearanceGradient } from '../../src/sweep/derivative/clearance-gradient.js';
import { RobotClearance } from '../../src/sweep/derivative/robot-clearance.js';
import { codeOf } from '../error-code.js';
import { compareGradient, gradientModels } from './gradient-cases.js';
import { pendulum } from './pendulum.js';

const at = (x: number, y: number, z: number) => [x, y, z, 0, 0, 0, 1] as const;

describe('clearanceGradient', () => {
  it.each([
    ['apart', 2, 60],
    ['overlapping', 0.25, 8],
  ] as const)(
    'agrees with differences where it says that it is unique: %s',
    (_, reach, count) => {
      const random = createRandom(5);
      // Boxes have an exact depth, which is quick to find; the soak has the other shapes too.
      const models = gradientModels().filter((_, i) => reach > 1 || i % 2 === 0);
      let [compared, overlapping] = [0, 0];
      for (let round = 0; round < count; round++) {
        const { unique, overlaps, error } = compareGradient(models, random, reach);
        if (overlaps) overlapping++;
        if (!unique || Number.isNaN(error)) continue;
        compared++;
        expect(error).toBeLessThan(1e-3);
      }
      expect(compared).toBeGreaterThan(0.5 * count);
      expect(overlapping / count).toBeGreaterThan(reach < 1 ? 0.5 : 0);
      expect(overlapping / count).toBeLessThan(reach < 1 ? 1.01 : 0.5);
    },
    60_000,
  );

  it('says that parallel faces, edges and equal corners have several nearest pairs', () => {
    const box = new ProximityModel(boxMesh([1, 1, 1]));
    const small = new ProximityModel(boxMesh([0.2, 0.2, 0.2]));
    const parallel = clearanceGradient(box, small, at(0, 0, 0), at(1, 0, 0));
    expect(parallel).toMatchObject({ unique: false, reason: 'several-points' });
    expect(parallel.translationB[0]).toBeCloseTo(1, 12);
    // A corner that points at a face.
    const c = Math.cos(0.3);
    const s = Math.sin(0.3);
    const corner = clearanceGradient(box, small, at(0, 0, 0), [1, 0.01, 0.02, 0, s * 0.8, s * 0.6, c]);
    expect(corner.unique).toBe(true);
    // An edge that is parallel to a face.
    expect(clearanceGradient(box, small, at(0, 0, 0), [1, 0, 0, 0, 0, Math.sin(0.3), Math.cos(0.3)]).unique).toBe(
      false,
    );
    // Edges across each other are nearest at one pair of points.
    const crossed = clearanceGradient(
      box,
      small,
      [0, 0, 0, 0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)],
      [1.2, 0, 0, 0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)],
    );
    expect(crossed.unique).toBe(true);
  });

  it('has the closed form of a ball beside a box', () => {
    const box = new ProximityModel(boxMesh([1, 1, 1]));
    const speck = new ProximityModel(boxMesh([1e-6, 1e-6, 1e-6]));
    // Nearest to the corner at (0.5, 0.5, 0.5).
    const { clearance, translationB, rotationA, unique } = clearanceGradient(
      box,
      speck,
      at(0, 0, 0),
      at(0.8, 0.9, 0.5 + 1.2),
    );
    const length = Math.hypot(0.3, 0.4, 1.2);
    expect(unique).toBe(true);
    expect(clearance).toBeCloseTo(length, 5);
    for (const [k, value] of [0.3, 0.4, 1.2].entries()) expect(translationB[k]).toBeCloseTo(value / length, 5);
    // Minus the moment of the normal at the corner.
    expect(rotationA![0]).toBeCloseTo((-0.5 * 1.2 + 0.5 * 0.4) / length, 5);
    expect(rotationA![1]).toBeCloseTo((-0.5 * 0.3 + 0.5 * 1.2) / length, 5);
  });
});

describe('RobotClearance', () => {
  it('has the derivatives of an arm by its joint values', () => {
    const problem = planningSample('arm');
    const robot = new RobotClearance(problem);
    const random = createRandom(2);
    const start = Array.from(problem.robots[0].start as ArrayLike<number>);
    let compared = 0;
    for (let round = 0; round < 3; round++) {
      const q = start.map((value) => value + random.range(-0.04, 0.04));
      const { clearance, gradient, unique } = robot.at(q);
      if (!unique || clearance <= 0) continue;
      for (let k = 0; k < q.length; k++) {
        const by = (step: number) => robot.at(q.map((value, i) => (i === k ? value + step : value))).clearance;
        const [ahead, behind] = [by(1e-6), by(-1e-6)];
        if (Math.abs(ahead - 2 * clearance + behind) > 1e-8) continue;
        compared++;
        expect((ahead - behind) / 2e-6).toBeCloseTo(gradient[k], 3);
      }
    }
    expect(compared).toBeGreaterThan(5);
  });

  it('is bounded from below smoothly, by no more than the error', () => {
    const problem = planningSample('arm');
    const robot = new RobotClearance(problem);
    const random = createRandom(4);
    const start = Array.from(problem.robots[0].start as ArrayLike<number>);
    for (let round = 0; round < 2; round++) {
      const q = start.map((value) => value + random.range(-0.04, 0.04));
      const least = robot.at(q).clearance;
      for (const error of [0.1, 0.001]) {
        const { lower, gradient } = robot.smooth(q, { error });
        expect(lower).toBeLessThanOrEqual(least);
        expect(lower).toBeGreaterThanOrEqual(least - error - 1e-12);
        const by = (step: number) =>
          robot.smooth(
            q.map((value, i) => (i === 1 ? value + step : value)),
            { error },
          ).lower;
        const [ahead, behind] = [by(1e-6), by(-1e-6)];
        if (Math.abs(ahead - 2 * lower + behind) < 1e-9) expect((ahead - behind) / 2e-6).toBeCloseTo(gradient[1], 3);
      }
    }
  });

  it('has the derivatives of a body by its pose, and overlaps as negative clearance', () => {
    const ball = { type: 'rigid' as const, name: 'ball', mesh: outerSphere(0.5) };
    const robot = new RobotClearance({ robots: [ball], environment: [{ mesh: boxMesh([1, 1, 1]) }] });
    expect(robot.freedoms).toEqual(['x', 'y', 'z', 'turn x', 'turn y', 'turn z'].map((name) => `ball/${name}`));
    const apart = robot.at([2, 0.1, 0.2, 0, 0, 0, 1]);
    expect(apart.gradient[0]).toBeCloseTo(1, 2);
    const inside = robot.at([0.9, 0.05, 0.02, 0.1, 0.1, 0.7, 0.7]);
    expect(inside.clearance).toBeLessThan(0);
    expect(inside.gradient[0]).toBeCloseTo(1, 2);
  });

  it('refuses configurations of another size, and obstacles that move', () => {
    const robot = new RobotClearance(pendulum([2, 2, 0]));
    expect(codeOf(() => robot.at([1, 2]))).toBe('bad-argument');
    expect(codeOf(() => robot.smooth([0], { error: 0 }))).toBe('bad-argument');
    const moving = { mesh: boxMesh([1, 1, 1]), motion: [{ time: 0, pose: at(3, 0, 0) }] };
    expect(() => new RobotClearance({ ...pendulum([2, 2, 0]), environment: [moving] })).toThrow(/moves/);
  });
});
