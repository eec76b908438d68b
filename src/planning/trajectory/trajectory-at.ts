// Where the joints of a trajectory are at a time.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { Trajectory, TrajectoryPoint } from './time-path.js';

/** The state of a trajectory at a time; before its start and after its end that of its ends. */
export function trajectoryAt(trajectory: Pick<Trajectory, 'points'>, time: number): TrajectoryPoint {
  const points = trajectory?.points;
  if (!Array.isArray(points) || points.length === 0) {
    throw new NearfieldError('bad-argument', `The points are ${nameValue(points)}; give what timePath gives.`);
  }
  if (typeof time !== 'number' || Number.isNaN(time)) {
    throw new NearfieldError('bad-argument', `The time is ${nameValue(time)}; give seconds.`);
  }
  const next = points.findIndex((point) => point.time >= time);
  if (next <= 0) return { ...(next < 0 ? points[points.length - 1] : points[0]), time };
  const [a, b] = [points[next - 1], points[next]];
  const states = a.positions.map((_: number, k: number) => quintic(a, b, k, time));
  return {
    time,
    positions: states.map(([position]: readonly number[]) => position),
    velocities: states.map(([, velocity]: readonly number[]) => velocity),
    accelerations: states.map(([, , acceleration]: readonly number[]) => acceleration),
  };
}

/** The polynomial of degree 5 with the values, velocities and accelerations of both ends, and its derivatives. */
function quintic(a: TrajectoryPoint, b: TrajectoryPoint, k: number, time: number): readonly number[] {
  const h = b.time - a.time;
  const t = (time - a.time) / h;
  const [v, acceleration] = [h * a.velocities[k], (h * h * a.accelerations[k]) / 2];
  // What is left for the three highest powers at the end of the piece.
  const p = b.positions[k] - a.positions[k] - v - acceleration;
  const q = h * b.velocities[k] - v - 2 * acceleration;
  const r = h * h * b.accelerations[k] - 2 * acceleration;
  const [c3, c4, c5] = [10 * p - 4 * q + r / 2, -15 * p + 7 * q - r, 6 * p - 3 * q + r / 2];
  return [
    a.positions[k] + t * (v + t * (acceleration + t * (c3 + t * (c4 + t * c5)))),
    (v + t * (2 * acceleration + t * (3 * c3 + t * (4 * c4 + t * 5 * c5)))) / h,
    (2 * acceleration + t * (6 * c3 + t * (12 * c4 + t * 20 * c5))) / (h * h),
  ];
}
