// What the steps of a world solve: one system of elastic bodies, rigid ones, and the terms between them.
import { NearfieldError } from '../../core/errors.js';
import { BarrierContact } from '../barrier/barrier-contact.js';
import type { ElasticBody } from '../body/elastic-body.js';
import { EnergyKeeper } from '../body/energy-keeper.js';
import { Newton } from '../body/newton.js';
import { PotentialSystem } from '../body/potential-system.js';
import type { QuasiNewton } from '../body/quasi-newton.js';
import type { SystemPart } from '../body/system-part.js';
import type { ContactBody } from '../contact/contact-body.js';
import { ContactTerm } from '../contact/contact-term.js';
import { FieldUpdate } from '../contact/field-update.js';
import { FrictionTerm } from '../contact/friction-term.js';
import { ELASTIC_DEFAULTS } from '../defaults.js';
import { AngularMomentumKeeper } from './angular-momentum-keeper.js';
import { type GrabSpring, GrabTerm } from './grab-term.js';
import type { CoupledRigid } from './rigid-system.js';
import type { ElasticWorldOptions } from './world-options.js';

/** What a step solves, made anew when bodies come or go. */
export interface Coupling {
  readonly contact: ContactTerm;
  /** Where contact is by a barrier; it then takes the place of `contact`. */
  readonly barrier: BarrierContact | null;
  readonly friction: FrictionTerm;
  readonly grabs: GrabTerm;
  readonly fieldUpdate: FieldUpdate;
  readonly bodies: readonly ContactBody[];
  readonly rigids: readonly CoupledRigid[];
  readonly system: PotentialSystem;
  readonly newton: Newton;
  quasiNewton: QuasiNewton | null;
  /** Elastic bodies alone, for equilibria. */
  readonly still: { readonly system: PotentialSystem; readonly newton: Newton };
  /** For measurements between steps. */
  readonly probe: ContactTerm;
  readonly x: Float64Array;
  readonly start: Float64Array;
  readonly gradient: Float64Array;
  hasContacts: boolean;
  /** Whether bodies touched at the end of the last step, as far as the integrator 'auto' knows. */
  touches: boolean;
  readonly keepers: readonly EnergyKeeper[];
  readonly spin: AngularMomentumKeeper;
}

/**
 * Couples bodies with their surfaces and rigid bodies. Nodes are numbered over all bodies from here on.
 * @param grabs of the world; later ones count too.
 */
export function couple(
  elastic: readonly ElasticBody[],
  surfaces: readonly ContactBody[],
  rigids: readonly CoupledRigid[],
  grabs: GrabSpring[],
  options: ElasticWorldOptions,
): Coupling {
  const bodies = [...surfaces];
  let firstNode = 0;
  bodies.forEach((body, i) => {
    body.firstNode = firstNode;
    firstNode += elastic[i].part.size / 3;
  });
  const obstacles = rigids.map(({ obstacle }) => obstacle);
  const elasticParts = elastic.map(({ part }) => part);
  const parts: SystemPart[] = [...elasticParts];
  let offset = 3 * firstNode;
  for (const { part, obstacle } of rigids) {
    if (part === null) continue;
    parts.push(part);
    obstacle.unknowns = offset;
    offset += part.size;
  }
  const contact = new ContactTerm(bodies, obstacles);
  const isBarrier = (options.contact ?? ELASTIC_DEFAULTS.contact.model) === 'barrier';
  const barrier = isBarrier ? makeBarrier(bodies, rigids, firstNode, options) : null;
  const touching = barrier?.term ?? contact;
  const friction = new FrictionTerm(touching, obstacles);
  const starts = bodies.map((body) => 3 * body.firstNode);
  const grabTerm = new GrabTerm(elastic, starts, grabs);
  const system = new PotentialSystem(parts, [touching, friction, grabTerm]);
  const still = new PotentialSystem(elasticParts, [touching]);
  return {
    ...{ contact, barrier, friction, grabs: grabTerm, fieldUpdate: new FieldUpdate(bodies), bodies, rigids, system },
    newton: new Newton(system),
    quasiNewton: null,
    still: { system: still, newton: new Newton(still) },
    probe: new ContactTerm(bodies, obstacles, contact.recovery),
    x: new Float64Array(system.size),
    start: new Float64Array(system.size),
    gradient: new Float64Array(system.size),
    hasContacts: false,
    touches: false,
    keepers: elasticParts.map((part) => new EnergyKeeper(part)),
    spin: new AngularMomentumKeeper(elastic),
  };
}

function makeBarrier(
  bodies: readonly ContactBody[],
  rigids: readonly CoupledRigid[],
  nodeCount: number,
  { barrierDistance }: ElasticWorldOptions,
): BarrierContact {
  for (const { part, id } of rigids) {
    if (part === null) continue;
    throw new NearfieldError(
      'unsupported',
      `Rigid body ${id} is free, and contact 'barrier' takes rigid bodies that are fixed or on a path; use contact 'field' for free ones.`,
    );
  }
  return new BarrierContact(
    bodies,
    rigids.map(({ obstacle }) => obstacle),
    nodeCount,
    ({ size }) => barrierDistance ?? ELASTIC_DEFAULTS.contact.barrierShare * size,
    [...bodies.map((_, i) => `Elastic body ${i}`), ...rigids.map(({ id }) => `Rigid body ${id}`)],
    rigids.map((rigid) => rigid.poseNow()),
  );
}
