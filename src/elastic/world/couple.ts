// Couples the bodies of a world by the kind of contact that it was made with, and keeps what is coupled until bodies change.
import { NearfieldError } from '../../core/errors.js';
import { StepLimit } from '../../core/step-limit.js';
import { BarrierContact } from '../barrier/barrier-contact.js';
import { ContactTerm } from '../contact/contact-term.js';
import type { RigidSolid } from '../contact/rigid-solid.js';
import { ELASTIC_DEFAULTS } from '../defaults.js';
import { BarrierSteps } from './barrier-steps.js';
import type { ContactSteps } from './contact-steps.js';
import { type CoupledBodies, Coupling, numberUnknowns } from './coupling.js';
import { FieldSteps } from './field-steps.js';
import type { GrabSpring } from './grab-term.js';
import { CoupledRigid, makeSolid, type RigidShape } from './rigid-system.js';
import type { WorldBodies } from './world-bodies.js';
import type { WorldSettings } from './world-options.js';

/** Bodies in one system, and how they make steps. */
export interface Coupled {
  readonly coupling: Coupling;
  readonly steps: ContactSteps;
}

type Couple = (
  bodies: CoupledBodies,
  grabs: readonly GrabSpring[],
  settings: WorldSettings,
  limit: StepLimit,
) => Coupled;

/** How bodies are coupled by each kind of contact. */
const KINDS: Readonly<Record<WorldSettings['contact'], Couple>> = { field: coupleByFields, barrier: coupleByBarrier };

export class Coupler {
  /** When a step must end. */
  readonly limit = new StepLimit();
  readonly #bodies: WorldBodies;
  readonly #settings: WorldSettings;
  /** Bodies of the same shape share its solid. */
  readonly #solids = new Map<RigidShape, RigidSolid>();
  /** Null where bodies have come or gone. */
  #coupled: Coupled | null = null;

  constructor(bodies: WorldBodies, settings: WorldSettings) {
    this.#bodies = bodies;
    this.#settings = settings;
  }

  /** What is coupled, made anew where elastic or rigid bodies have come or gone. */
  get coupled(): Coupled {
    const { rigid } = this.#settings;
    const ids = rigid?.bodies ?? [];
    const old = this.#coupled?.coupling.rigids;
    if (this.#coupled !== null && old?.length === ids.length && old.every(({ id }, i) => id === ids[i])) {
      return this.#coupled;
    }
    const rigids = ids.map((id) => new CoupledRigid(rigid!, id, this.#solidOf(rigid!.shapeOf(id))));
    const { elastic, surfaces, grabs } = this.#bodies;
    this.#coupled = KINDS[this.#settings.contact]({ elastic, surfaces, rigids }, grabs, this.#settings, this.limit);
    return this.#coupled;
  }

  /** Elastic bodies have come or gone. */
  forget(): void {
    this.#coupled = null;
  }

  #solidOf(shape: RigidShape): RigidSolid {
    const known = this.#solids.get(shape);
    if (known !== undefined) return known;
    const made = makeSolid(shape);
    this.#solids.set(shape, made);
    return made;
  }
}

function coupleByFields(
  bodies: CoupledBodies,
  grabs: readonly GrabSpring[],
  settings: WorldSettings,
  limit: StepLimit,
): Coupled {
  numberUnknowns(bodies);
  const contact = new ContactTerm(
    bodies.surfaces,
    bodies.rigids.map(({ obstacle }) => obstacle),
  );
  const coupling = new Coupling(bodies, contact, grabs, limit);
  return { coupling, steps: new FieldSteps(coupling, contact, settings) };
}

function coupleByBarrier(
  bodies: CoupledBodies,
  grabs: readonly GrabSpring[],
  settings: WorldSettings,
  limit: StepLimit,
): Coupled {
  const { surfaces, rigids } = bodies;
  for (const { part, id } of rigids) {
    if (part === null) continue;
    throw new NearfieldError(
      'unsupported',
      `Rigid body ${id} is free, and contact 'barrier' takes rigid bodies that are fixed or on a path; use contact 'field' for free ones.`,
    );
  }
  const nodeCount = numberUnknowns(bodies);
  const barrier = new BarrierContact(
    surfaces,
    rigids.map(({ obstacle }) => obstacle),
    nodeCount,
    ({ size }) => settings.barrierDistance ?? ELASTIC_DEFAULTS.contact.barrierShare * size,
    [...surfaces.map((_, i) => `Elastic body ${i}`), ...rigids.map(({ id }) => `Rigid body ${id}`)],
    rigids.map((rigid) => rigid.poseNow()),
  );
  const coupling = new Coupling(bodies, barrier.term, grabs, limit);
  return { coupling, steps: new BarrierSteps(coupling, barrier, settings) };
}
