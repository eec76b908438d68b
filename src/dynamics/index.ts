/**
 * Rigid bodies that move, on exact contacts.
 * @module dynamics
 */

export type { BodyShape, RigidBodyOptions } from './body/body-options.js';
export type { Energy, Momentum } from './body/conserved.js';
export { DYNAMICS_DEFAULTS } from './defaults.js';
export {
  type MovingShape,
  TIME_OF_CONTACT_METHODS,
  type TimeOfContact,
  type TimeOfContactMethod,
  type TimeOfContactOptions,
  timeOfContact,
} from './impact/time-of-contact.js';
export { CollisionShape } from './shape/collision-shape.js';
export { type DynamicsMethod, RigidWorld, type RigidWorldOptions } from './world.js';
