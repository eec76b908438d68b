// The parts of a world in the plane that its method works on, and how they are made.
import { StepLimit } from '../../core/step-limit.js';
import { PlaneBodies } from '../body/plane-bodies.js';
import type { PlaneGrab } from '../body/plane-grab.js';
import { ContactSet } from '../contact/contact-set.js';
import { ContactSolver } from '../contact/contact-solver.js';
import { ImpactSolver } from '../contact/impact-solver.js';
import { PlaneCollision } from '../contact/plane-collision.js';
import { Sleeping } from '../contact/sleeping.js';
import type { PlaneJoint } from '../joint/plane-joint.js';
import { OutlineContacts } from '../outline/outline-contacts.js';
import { PlaneSprings } from '../penalty/plane-springs.js';
import type { PlaneMethod } from '../plane-options.js';
import { PlaneMotion } from './plane-motion.js';
import { PlaneSolver } from './plane-solver.js';

/** Chosen: an approach bounces if it is faster than this times what gravity gives in a substep. */
const BOUNCE = 2;
/** Chosen: without gravity, an approach bounces if it is faster than this, m/s. */
const MIN_BOUNCE = 1e-9;

export interface PlaneContext {
  readonly substeps: number;
  /** When a step must end. */
  readonly limit: StepLimit;
  /** The length of a substep, s. */
  readonly substep: number;
  /** The approach above which contacts bounce, m/s. */
  readonly bounceThreshold: number;
  readonly gravity: Float64Array;
  readonly bodies: PlaneBodies;
  readonly joints: PlaneJoint[];
  readonly grabs: PlaneGrab[];
  readonly springs: PlaneSprings;
  readonly motion: PlaneMotion;
  readonly contacts: ContactSet;
  /** Measures placed outlines; what it holds is valid until its next call. */
  readonly query: OutlineContacts;
  readonly sleeping: Sleeping;
  readonly collision: PlaneCollision;
  readonly solver: PlaneSolver;
  readonly impacts: ImpactSolver;
}

/** What the parts of a world are made by: options with their defaults. */
export interface PlaneSettings {
  readonly gravity: readonly number[];
  readonly timestep: number;
  readonly substeps: number;
  readonly method: PlaneMethod;
  readonly sleeping: boolean;
  readonly stiffness: number | undefined;
  readonly spacing: number;
}

/** Makes the parts of a world without bodies. */
export function createPlaneContext(settings: PlaneSettings): PlaneContext {
  const { timestep, substeps, method, spacing, stiffness } = settings;
  const gravity = Float64Array.from(settings.gravity);
  const substep = timestep / substeps;
  const bounceThreshold = BOUNCE * substep * Math.hypot(gravity[0], gravity[1]) + MIN_BOUNCE;
  const bodies = new PlaneBodies();
  const joints: PlaneJoint[] = [];
  const grabs: PlaneGrab[] = [];
  const springs = new PlaneSprings(bodies, { spacing, stiffness, betweenRigid: method === 'penalty', substep });
  const contacts = new ContactSet(bodies);
  const query = new OutlineContacts();
  const sleeping = new Sleeping(bodies, contacts, joints, settings.sleeping);
  const parts = { bodies, contacts, query, sleeping, gravity, substep, bounceThreshold };
  const contactSolver = new ContactSolver(contacts, substep);
  return {
    ...parts,
    substeps,
    limit: new StepLimit(),
    joints,
    grabs,
    springs,
    motion: new PlaneMotion(bodies, springs, grabs, gravity),
    collision: new PlaneCollision(parts, method === 'time-of-contact'),
    solver: new PlaneSolver(bodies, contactSolver, joints),
    impacts: new ImpactSolver(bodies, contacts, contactSolver, joints),
  };
}
