// Energies and momenta of all bodies of a world.
import type { Vec3 } from '../../core/vec3.js';
import type { ElasticBody } from '../body/elastic-body.js';
import type { RigidSystem } from './rigid-system.js';

/** Joules. */
export interface ElasticWorldEnergy {
  readonly kinetic: number;
  /** Zero at the origin. */
  readonly gravitational: number;
  readonly elastic: number;
  /** Of overlaps. */
  readonly contact: number;
  /** Of loads other than gravity: the opposite of the work they have done since rest. */
  readonly load: number;
  readonly total: number;
}

/** @param ownContact of the elastic bodies. */
export function sumEnergies(
  bodies: readonly ElasticBody[],
  ownContact: number,
  rigidWorld: RigidSystem | null,
): ElasticWorldEnergy {
  let [kinetic, gravitational, elastic, load, contact] = [0, 0, 0, 0, ownContact];
  for (const { part } of bodies) {
    const own = part.energy();
    kinetic += own.kinetic;
    elastic += own.elastic;
    const { gravity } = part.constants;
    for (let i = 0; i < part.size; i++) {
      gravitational -= part.masses[Math.floor(i / 3)] * gravity[i % 3] * part.positions[i];
      load -= part.loads[i] * (part.positions[i] - part.rest[i]);
    }
  }
  const rigid = rigidWorld?.energy();
  if (rigid !== undefined) {
    kinetic += rigid.kinetic;
    gravitational += rigid.gravitational;
    contact += rigid.contact;
  }
  const total = kinetic + gravitational + elastic + contact + load;
  return { kinetic, gravitational, elastic, contact, load, total };
}

/** Linear, and angular about the origin. */
export function sumMomenta(
  bodies: readonly ElasticBody[],
  rigid: RigidSystem | null,
): { readonly linear: Vec3; readonly angular: Vec3 } {
  const linear: Vec3 = [0, 0, 0];
  const angular: Vec3 = [0, 0, 0];
  const all = bodies.map((body) => body.momentum());
  if (rigid !== null) all.push(rigid.momentum());
  for (const own of all) {
    for (let k = 0; k < 3; k++) {
      linear[k] += own.linear[k];
      angular[k] += own.angular[k];
    }
  }
  return { linear, angular };
}
