// The contact points of the last step, for callers.
import type { Vec3 } from '../../core/vec3.js';
import type { Bodies } from '../body/bodies.js';
import type { BodyRegistry } from '../body/body-registry.js';
import { type ContactBuffer, GIVEN_UP } from './contact-buffer.js';

/** A point where two bodies touch, or nearly do, as of the last step. */
export interface WorldContact {
  readonly bodyA: number;
  readonly bodyB: number;
  /** In the world, between the two. */
  readonly point: Vec3;
  /** Unit, from A to B. */
  readonly normal: Vec3;
  /** The gap along the normal, negative in overlap. */
  readonly separation: number;
  /** What B is pushed with along the normal, N, and by friction. */
  readonly force: number;
  readonly friction: Vec3;
}

/** @param length of the substep that the impulses are of, s; 0 before the first step. */
export function listContacts(
  contacts: ContactBuffer,
  bodies: Bodies,
  registry: BodyRegistry,
  length: number,
): WorldContact[] {
  const { count, bodyA, bodyB, normal, separation, rest, normalImpulse, frictionImpulse } = contacts;
  const found: WorldContact[] = [];
  const perSecond = length > 0 ? 1 / length : 0;
  for (let i = 0; i < count; i++) {
    if (rest[i] === GIVEN_UP) continue;
    const at = 3 * i;
    found.push({
      bodyA: registry.idOf(bodyA[i]),
      bodyB: registry.idOf(bodyB[i]),
      point: contacts.pointOf(bodies, i),
      normal: [normal[at], normal[at + 1], normal[at + 2]],
      separation: separation[i],
      force: perSecond * normalImpulse[i],
      friction: [0, 1, 2].map((k) => perSecond * frictionImpulse[at + k]) as Vec3,
    });
  }
  return found;
}
