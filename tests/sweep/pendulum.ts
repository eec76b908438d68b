// A rod that turns about z at the origin, and things beside it: what their distance is follows from a line of trigonometry.
import { boxMesh } from '../../src/kinematics/urdf/outer-shapes.js';
import type { MotionProblem } from '../../src/sweep/trajectory/motion-problem.js';

/** Half of the sides of the small cube that stands for a point. */
export const SPECK = 1e-4;

/** A thin rod along x, from −1 to 1, and a speck at a place. */
export function pendulum(
  place: readonly [number, number, number],
  limits: readonly [number, number] = [-7, 7],
): MotionProblem {
  return {
    robots: [
      {
        type: 'chain',
        name: 'pendulum',
        links: [{ name: 'root' }, { name: 'rod', mesh: boxMesh([2, 2 * SPECK, 2 * SPECK]) }],
        joints: [{ name: 'hinge', type: 'revolute', parent: 'root', child: 'rod', axis: [0, 0, 1], limits }],
      },
    ],
    environment: [{ name: 'speck', mesh: boxMesh([2 * SPECK, 2 * SPECK, 2 * SPECK]), pose: [...place, 0, 0, 0, 1] }],
  };
}

/** The distance of a point from the segment from (−1, 0) to (1, 0) turned by an angle. */
export function distanceToRod([x, y]: readonly number[], angle: number): number {
  const along = Math.min(1, Math.max(-1, x * Math.cos(angle) + y * Math.sin(angle)));
  return Math.hypot(x - along * Math.cos(angle), y - along * Math.sin(angle));
}
