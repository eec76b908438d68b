// Motion of all bodies between contacts: half a kick by forces, a drift, half a kick (Störmer and Verlet). Positions are
// exact under a constant force, since the drift is the chord of the parabola. Between the ends of a drift a body is taken
// to move its center on a straight line and to turn evenly: certificates of impact are about that motion.
import { type Bodies, DYNAMIC, KINEMATIC } from '../body/bodies.js';
import { Rotor, turnEvenly } from './rotor.js';

/** Advances the bodies of a world. Owns its scratch. */
export class Motion {
  readonly #rotor = new Rotor();

  /** Changes velocities by what gravity, forces and torques do in `h` seconds. */
  kick(bodies: Bodies, gravity: ArrayLike<number>, h: number): void {
    const { count, kind, asleep, velocity, angularVelocity, force, torque, inverseMass, inverseInertia } = bodies;
    const { linearDamping, angularDamping } = bodies;
    const gx = h * gravity[0];
    const gy = h * gravity[1];
    const gz = h * gravity[2];
    for (let i = 0; i < count; i++) {
      if (kind[i] !== DYNAMIC || asleep[i] !== 0) continue;
      const v = 3 * i;
      const m = h * inverseMass[i];
      velocity[v] += gx + m * force[v];
      velocity[v + 1] += gy + m * force[v + 1];
      velocity[v + 2] += gz + m * force[v + 2];
      const x = h * torque[v];
      const y = h * torque[v + 1];
      const z = h * torque[v + 2];
      if (x !== 0 || y !== 0 || z !== 0) {
        const j = 6 * i;
        angularVelocity[v] += inverseInertia[j] * x + inverseInertia[j + 1] * y + inverseInertia[j + 2] * z;
        angularVelocity[v + 1] += inverseInertia[j + 1] * x + inverseInertia[j + 3] * y + inverseInertia[j + 4] * z;
        angularVelocity[v + 2] += inverseInertia[j + 2] * x + inverseInertia[j + 4] * y + inverseInertia[j + 5] * z;
      }
      if (linearDamping[i] > 0) scaleVector(velocity, v, Math.exp(-linearDamping[i] * h));
      if (angularDamping[i] > 0) scaleVector(angularVelocity, v, Math.exp(-angularDamping[i] * h));
    }
  }

  /** Moves every body that is awake for `h` seconds at its velocity. */
  drift(bodies: Bodies, h: number): void {
    for (let i = 0; i < bodies.count; i++) this.driftOne(bodies, i, h);
  }

  /** Moves one body, unless it sleeps or stands. */
  driftOne(bodies: Bodies, i: number, h: number): void {
    const { kind, asleep, center, velocity, angularVelocity } = bodies;
    if (kind[i] < KINEMATIC || asleep[i] !== 0) return;
    const v = 3 * i;
    center[v] += h * velocity[v];
    center[v + 1] += h * velocity[v + 1];
    center[v + 2] += h * velocity[v + 2];
    if (kind[i] === DYNAMIC) this.#rotor.turn(bodies, i, h);
    else turnEvenly(bodies.orientation, 4 * i, angularVelocity[v], angularVelocity[v + 1], angularVelocity[v + 2], h);
  }
}

function scaleVector(values: Float64Array, at: number, factor: number): void {
  values[at] *= factor;
  values[at + 1] *= factor;
  values[at + 2] *= factor;
}
