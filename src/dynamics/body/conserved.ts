// Energies and momenta of all dynamic bodies.
import type { Vec3 } from '../../core/vec3.js';
import { type Bodies, DYNAMIC } from './bodies.js';

/** Joules. */
export interface Energy {
  readonly kinetic: number;
  /** Zero at the origin. */
  readonly gravitational: number;
  /** In the springs of the method 'penalty'; 0 with others. */
  readonly contact: number;
  /** In springs that join bodies. */
  readonly elastic: number;
  readonly total: number;
}

/** In the world. */
export interface Momentum {
  /** kg m/s. */
  readonly linear: Vec3;
  /** About the origin, kg m²/s. */
  readonly angular: Vec3;
}

/** The energy of all dynamic bodies, and of contacts and springs between them, which the caller knows. */
export function measureEnergy(bodies: Bodies, gravity: ArrayLike<number>, contact = 0, elastic = 0): Energy {
  let kinetic = 0;
  let gravitational = 0;
  const spin: Vec3 = [0, 0, 0];
  for (let i = 0; i < bodies.count; i++) {
    if (bodies.kind[i] !== DYNAMIC) continue;
    const mass = bodies.mass[i];
    const at = 3 * i;
    writeSpin(bodies, i, spin);
    for (let k = 0; k < 3; k++) {
      kinetic += 0.5 * (mass * bodies.velocity[at + k] ** 2 + spin[k] * bodies.angularVelocity[at + k]);
      gravitational -= mass * gravity[k] * bodies.center[at + k];
    }
  }
  return { kinetic, gravitational, contact, elastic, total: kinetic + gravitational + contact + elastic };
}

/** The momentum of all dynamic bodies. */
export function measureMomentum(bodies: Bodies): Momentum {
  const linear: Vec3 = [0, 0, 0];
  const angular: Vec3 = [0, 0, 0];
  const spin: Vec3 = [0, 0, 0];
  for (let i = 0; i < bodies.count; i++) {
    if (bodies.kind[i] !== DYNAMIC) continue;
    writeSpin(bodies, i, spin);
    const mass = bodies.mass[i];
    for (let k = 0; k < 3; k++) {
      const next = 3 * i + ((k + 1) % 3);
      const last = 3 * i + ((k + 2) % 3);
      linear[k] += mass * bodies.velocity[3 * i + k];
      angular[k] +=
        spin[k] + mass * (bodies.center[next] * bodies.velocity[last] - bodies.center[last] * bodies.velocity[next]);
    }
  }
  return { linear, angular };
}

/** The angular momentum of a dynamic body about its center of mass: the world inertia times the angular velocity. */
export function writeSpin(bodies: Bodies, slot: number, out: { [index: number]: number }): void {
  const { principal, orientation: q, principalFrame: p, angularVelocity } = bodies;
  const wx = angularVelocity[3 * slot];
  const wy = angularVelocity[3 * slot + 1];
  const wz = angularVelocity[3 * slot + 2];
  const at = 4 * slot;
  const x = q[at + 3] * p[at] + q[at] * p[at + 3] + q[at + 1] * p[at + 2] - q[at + 2] * p[at + 1];
  const y = q[at + 3] * p[at + 1] - q[at] * p[at + 2] + q[at + 1] * p[at + 3] + q[at + 2] * p[at];
  const z = q[at + 3] * p[at + 2] + q[at] * p[at + 1] - q[at + 1] * p[at] + q[at + 2] * p[at + 3];
  const w = q[at + 3] * p[at + 3] - q[at] * p[at] - q[at + 1] * p[at + 1] - q[at + 2] * p[at + 2];
  const r = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
  const l = [0, 1, 2].map((k) => principal[3 * slot + k] * (r[0][k] * wx + r[1][k] * wy + r[2][k] * wz));
  for (let row = 0; row < 3; row++) out[row] = r[row][0] * l[0] + r[row][1] * l[1] + r[row][2] * l[2];
}
