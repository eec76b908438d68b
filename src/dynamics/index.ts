/**
 * Rigid bodies that move, on exact contacts, and scenes of rigid and elastic bodies.
 * @module dynamics
 */

export { CollisionShape } from '../manifold/shape/collision-shape.js';
export type { PlaneKeyframe } from '../plane-dynamics/body/plane-path.js';
export type { PlaneEvent } from '../plane-dynamics/contact/contact-events.js';
export type { PlaneJointType } from '../plane-dynamics/joint/plane-joint.js';
export type { PlaneElasticity } from '../plane-dynamics/penalty/elastic-ring.js';
export {
  PLANE_METHODS,
  type PlaneBodyOptions,
  type PlaneBodyShape,
  type PlaneJointOptions,
  type PlaneMethod,
  type PlaneRing,
  type PlaneWorldOptions,
} from '../plane-dynamics/plane-options.js';
export type { PlaneContact, PlaneEnergy, PlaneMomentum } from '../plane-dynamics/plane-reports.js';
export { type PlaneHandle, type PlaneStepCounters, PlaneWorld } from '../plane-dynamics/plane-world.js';
export { animateFrames } from '../simulation/animate-frames.js';
export type { LoadMesh } from '../simulation/load-shape.js';
export type { PlaneSimulation } from '../simulation/plane-simulation.js';
export { type ReadSceneOptions, readSimulationScene, type Simulation } from '../simulation/read-simulation-scene.js';
export type {
  SceneBody,
  SceneDescription,
  SceneElasticity,
  SceneHold,
  SceneJoint,
  SceneKeyframe,
  SceneLoad,
  SceneNodes,
  SceneProbe,
  SceneShape,
  SceneSolver,
  SimulationMethod,
} from '../simulation/scene-description.js';
export { type SimulateOptions, type SimulationResult, simulateScene } from '../simulation/simulate-scene.js';
export type {
  BodyState,
  SimulatedBody,
  SimulatedShape,
  SimulationBase,
  SimulationFrame,
} from '../simulation/simulation.js';
export type { SpaceSimulation } from '../simulation/space-simulation.js';
export type { BodyDamping, BodyShape, EvenMotion, LockedAxis, RigidBodyOptions } from './body/body-options.js';
export type { BodyProperties } from './body/body-properties.js';
export type { Energy, Momentum } from './body/conserved.js';
export type { PairSurfaceOptions } from './body/pair-surface-options.js';
export {
  type MovingShape,
  TIME_OF_CONTACT_METHODS,
  type TimeOfContact,
  type TimeOfContactMethod,
  type TimeOfContactOptions,
  timeOfContact,
} from './impact/time-of-contact.js';
export type { JointMotor, JointOptions, JointType } from './joint/joint-options.js';
export { DYNAMICS_METHODS, type DynamicsMethod } from './method/create-method.js';
export type { WorldContact } from './solver/list-contacts.js';
export { DYNAMICS_DEFAULTS } from './step-rules.js';
export {
  type ContactEvent,
  type Grab,
  RigidWorld,
} from './world.js';
export type { RigidWorldOptions } from './world-options.js';
