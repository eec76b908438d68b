// BDF2 and Euler's method keep linear momentum to rounding, and angular momentum to their order. Where bodies are alone with
// each other, a turn of all of them about their common center of mass makes up for what is missing.
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import type { ElasticBody } from '../body/elastic-body.js';
import { centerOfMass, findWholeMotion } from '../body/whole-motion.js';

/** Angular momentum of bodies before a step, and what it must be after. */
export class AngularMomentumKeeper {
  readonly #bodies: readonly ElasticBody[];
  #before: Vec3 = [0, 0, 0];
  #center: Vec3 = [0, 0, 0];

  constructor(bodies: readonly ElasticBody[]) {
    this.#bodies = bodies;
  }

  begin(): void {
    const { masses, positions, momentum } = this.#gather();
    this.#before = momentum.angular;
    this.#center = centerOfMass(masses, positions);
  }

  /** After a step of a length in which nothing but gravity acted from outside. */
  end(h: number): void {
    const { masses, positions, momentum } = this.#gather();
    const center = centerOfMass(masses, positions);
    const mass = masses.reduce((sum, own) => sum + own, 0);
    const { gravity } = this.#bodies[0].part.constants;
    const middle = center.map((value, k) => (value + this.#center[k]) / 2);
    const missing: Vec3 = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      const turned = h * mass * (middle[i] * gravity[j] - middle[j] * gravity[i]);
      missing[k] = this.#before[k] + turned - momentum.angular[k];
    }
    // A turn without a shift has no linear momentum.
    const turn = findWholeMotion(masses, positions, { linear: [0, 0, 0], angular: missing }).angularVelocity;
    for (const { positions: x, velocities } of this.#bodies) addTurn(x, velocities, center, turn);
  }

  #gather(): { masses: Float64Array; positions: Float64Array; momentum: { linear: Vec3; angular: Vec3 } } {
    const masses = Float64Array.from(this.#bodies.flatMap(({ part }) => Array.from(part.masses)));
    const positions = Float64Array.from(this.#bodies.flatMap((body) => Array.from(body.positions)));
    const momentum: { linear: Vec3; angular: Vec3 } = { linear: [0, 0, 0], angular: [0, 0, 0] };
    for (const body of this.#bodies) {
      const { linear, angular } = body.momentum();
      for (let k = 0; k < 3; k++) {
        momentum.linear[k] += linear[k];
        momentum.angular[k] += angular[k];
      }
    }
    return { masses, positions, momentum };
  }
}

function addTurn(x: Float64Array, velocities: Float64Array, center: ReadonlyVec3, turn: ReadonlyVec3): void {
  for (let i = 0; i < x.length; i += 3) {
    const [rx, ry, rz] = [x[i] - center[0], x[i + 1] - center[1], x[i + 2] - center[2]];
    velocities[i] += turn[1] * rz - turn[2] * ry;
    velocities[i + 1] += turn[2] * rx - turn[0] * rz;
    velocities[i + 2] += turn[0] * ry - turn[1] * rx;
  }
}
