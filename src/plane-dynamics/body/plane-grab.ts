// A spring that pulls a point of a body to a place, damped critically: what a pointer holds.
import { DYNAMIC, type PlaneBodies } from './plane-bodies.js';

/** Chosen: the frequency of the spring, Hz: quick to the eye, far below what a substep can follow. */
const FREQUENCY = 4;
/** Chosen: the greatest acceleration, m/s², so that a body held behind a wall is not torn through. */
const MAX_PULL = 400;

export class PlaneGrab {
  isReleased = false;

  constructor(
    readonly body: number,
    readonly localX: number,
    readonly localY: number,
    public x: number,
    public y: number,
  ) {}

  /** Applies the pull for a time. */
  pull(bodies: PlaneBodies, h: number): void {
    const i = this.body;
    if (this.isReleased || bodies.kind[i] !== DYNAMIC) return;
    const rx = bodies.cosine[i] * this.localX - bodies.sine[i] * this.localY;
    const ry = bodies.sine[i] * this.localX + bodies.cosine[i] * this.localY;
    const vx = bodies.velocity[2 * i] - bodies.spin[i] * ry;
    const vy = bodies.velocity[2 * i + 1] + bodies.spin[i] * rx;
    const px = bodies.center[2 * i] + rx;
    const py = bodies.center[2 * i + 1] + ry;
    const rate = 2 * Math.PI * FREQUENCY;
    // The mass that a push at this point meets in its softest direction.
    const mass = 1 / (bodies.inverseMass[i] + bodies.inverseInertia[i] * (rx * rx + ry * ry));
    let fx = rate * rate * (this.x - px) - 2 * rate * vx;
    let fy = rate * rate * (this.y - py) - 2 * rate * vy;
    const size = Math.hypot(fx, fy);
    if (size > MAX_PULL) {
      fx *= MAX_PULL / size;
      fy *= MAX_PULL / size;
    }
    bodies.push(i, px, py, h * mass * fx, h * mass * fy);
  }
}
