// Joint values over time as pieces of polynomials, one for each pair of waypoints: straight, cubic by velocities (Hermite),
// quintic by accelerations too. As Bernstein coefficients these are sums of a few terms, without cancellation.
import { NET } from './bernstein.js';
import type { Interpolation } from './motion-trajectory.js';

/** Waypoints with numbers in order of time, checked. */
export interface TrackPoints {
  readonly times: readonly number[];
  readonly positions: readonly ArrayLike<number>[];
  /** By waypoint; null where it has none. */
  readonly velocities: readonly (ArrayLike<number> | null)[];
  readonly accelerations: readonly (ArrayLike<number> | null)[];
}

export class ValueTrack {
  /** Ascending; one more than there are pieces. */
  readonly times: Float64Array;
  /** How many values it has. */
  readonly size: number;
  /** By piece. */
  readonly degrees: Uint8Array;
  /** By piece and value: coefficients, `NET` numbers each. */
  readonly nets: Float64Array;
  /** Where all values are before the first piece, and after the last. */
  readonly first: Float64Array;
  readonly last: Float64Array;

  constructor({ times, positions, velocities, accelerations }: TrackPoints, interpolation: Interpolation) {
    this.times = Float64Array.from(times);
    this.size = positions[0].length;
    this.first = Float64Array.from(positions[0]);
    this.last = Float64Array.from(positions[positions.length - 1]);
    const count = times.length - 1;
    this.degrees = new Uint8Array(count);
    this.nets = new Float64Array(NET * this.size * count);
    for (let i = 0; i < count; i++) {
      const speeds = pairOf(velocities, i);
      const pushes = pairOf(accelerations, i);
      const degree = degreeOf(speeds !== null, pushes !== null, interpolation);
      this.degrees[i] = degree;
      const h = times[i + 1] - times[i];
      for (let k = 0; k < this.size; k++) {
        const at = NET * (this.size * i + k);
        const net = this.nets;
        const [p, q] = [positions[i][k], positions[i + 1][k]];
        net[at] = p;
        net[at + degree] = q;
        if (degree === 1) continue;
        const [v, w] = [(h * speeds![0][k]) / degree, (h * speeds![1][k]) / degree];
        net[at + 1] = p + v;
        net[at + degree - 1] = q - w;
        if (degree === 3) continue;
        net[at + 2] = p + 2 * v + (h * h * pushes![0][k]) / 20;
        net[at + 3] = q - 2 * w + (h * h * pushes![1][k]) / 20;
      }
    }
  }
}

/** What both ends of a piece have; null where one has nothing. */
function pairOf(
  values: readonly (ArrayLike<number> | null)[],
  i: number,
): readonly [ArrayLike<number>, ArrayLike<number>] | null {
  const [a, b] = [values[i], values[i + 1]];
  return a === null || b === null ? null : [a, b];
}

function degreeOf(hasSpeeds: boolean, hasPushes: boolean, interpolation: Interpolation): 1 | 3 | 5 {
  if (interpolation === 'linear' || !hasSpeeds) return 1;
  return interpolation === 'cubic' || !hasPushes ? 3 : 5;
}
