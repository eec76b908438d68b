// The system of unknowns that a world solves for: elastic bodies, free rigid ones, and the terms between them. Made anew when
// bodies come or go.

import type { StepLimit } from '../../core/step-limit.js';
import type { ElasticBody } from '../body/elastic-body.js';
import type { EnergyTerm } from '../body/energy-term.js';
import { Newton } from '../body/newton.js';
import { PotentialSystem } from '../body/potential-system.js';
import type { SystemPart } from '../body/system-part.js';
import type { ContactBody } from '../contact/contact-body.js';
import { type ContactSource, FrictionTerm } from '../contact/friction-term.js';
import type { RigidObstacle } from '../contact/rigid-obstacle.js';
import { type GrabSpring, GrabTerm } from './grab-term.js';
import type { CoupledRigid } from './rigid-system.js';

/** The bodies of a world. */
export interface CoupledBodies {
  readonly elastic: readonly ElasticBody[];
  /** The elastic bodies as contact sees them, in the same order. */
  readonly surfaces: readonly ContactBody[];
  readonly rigids: readonly CoupledRigid[];
}

/**
 * Numbers the nodes over all bodies, and the unknowns: those of nodes first, then those of free rigid bodies.
 * @returns the count of nodes.
 */
export function numberUnknowns({ elastic, surfaces, rigids }: CoupledBodies): number {
  let nodeCount = 0;
  surfaces.forEach((surface, i) => {
    surface.firstNode = nodeCount;
    nodeCount += elastic[i].part.size / 3;
  });
  let unknowns = 3 * nodeCount;
  for (const { part, obstacle } of rigids) {
    if (part === null) continue;
    obstacle.unknowns = unknowns;
    unknowns += part.size;
  }
  return nodeCount;
}

export class Coupling {
  readonly elastic: readonly ElasticBody[];
  readonly surfaces: readonly ContactBody[];
  readonly rigids: readonly CoupledRigid[];
  readonly obstacles: readonly RigidObstacle[];
  readonly friction: FrictionTerm;
  readonly grabs: GrabTerm;
  readonly system: PotentialSystem;
  readonly newton: Newton;
  /** Elastic bodies alone, for equilibria. */
  readonly still: { readonly system: PotentialSystem; readonly newton: Newton };
  /** The unknowns of the system, and those of elastic bodies alone. */
  readonly x: Float64Array;
  readonly stillX: Float64Array;
  /** The unknowns at the start of a step. */
  readonly start: Float64Array;
  readonly #contact: EnergyTerm;
  readonly #gradient: Float64Array;

  /**
   * Couples bodies that {@link numberUnknowns} has numbered.
   * @param contact keeps the bodies apart.
   * @param grabs of the world; later ones count too.
   * @param limit when a step must end; equilibria have none.
   */
  constructor(
    bodies: CoupledBodies,
    contact: EnergyTerm & ContactSource,
    grabs: readonly GrabSpring[],
    readonly limit: StepLimit,
  ) {
    const { elastic, surfaces, rigids } = bodies;
    this.elastic = [...elastic];
    this.surfaces = [...surfaces];
    this.rigids = rigids;
    this.obstacles = rigids.map(({ obstacle }) => obstacle);
    this.friction = new FrictionTerm(contact, this.obstacles);
    const starts = surfaces.map(({ firstNode }) => 3 * firstNode);
    this.grabs = new GrabTerm(this.elastic, starts, grabs);
    const elasticParts: readonly SystemPart[] = elastic.map(({ part }) => part);
    const free = rigids.flatMap(({ part }) => (part === null ? [] : [part]));
    this.system = new PotentialSystem([...elasticParts, ...free], [contact, this.friction, this.grabs]);
    this.newton = new Newton(this.system, limit);
    const still = new PotentialSystem(elasticParts, [contact]);
    this.still = { system: still, newton: new Newton(still) };
    this.x = new Float64Array(this.system.size);
    this.stillX = this.x.subarray(0, still.size);
    this.start = new Float64Array(this.system.size);
    this.#contact = contact;
    this.#gradient = new Float64Array(this.system.size);
  }

  /** Writes where all nodes are; rigid bodies are at 0. */
  writeState(x: Float64Array): void {
    x.fill(0);
    this.elastic.forEach(({ positions }, i) => {
      x.set(positions, this.system.offsets[i]);
    });
  }

  /** Where all nodes are now; rigid bodies are at 0. */
  state(): Float64Array {
    const x = new Float64Array(this.x.length);
    this.writeState(x);
    return x;
  }

  /** Sets up the step of every body, with x a first guess; returns where in it the state is that is looked for. */
  beginStep(h: number, integrator: string): number {
    const shares = this.elastic.map(({ part }, i) => part.beginStep(h, integrator, this.#ownX(i)));
    if (shares.every((share) => share === shares[0])) return shares[0] ?? 1;
    // Bodies that touch must be looked at at the same time.
    return this.beginStep(h, 'midpoint');
  }

  /** Moves the elastic bodies to what was found for the step, x. */
  endStep(): void {
    this.elastic.forEach(({ part }, i) => {
      part.endStep(this.#ownX(i));
    });
  }

  /** Sets up the equilibrium of every elastic body. */
  beginStatic(): void {
    for (const { part } of this.elastic) part.beginStatic();
  }

  /** Moves the elastic bodies to their equilibrium, x. */
  endStatic(): void {
    this.elastic.forEach(({ part }, i) => {
      part.endStatic(this.#ownX(i));
    });
  }

  /** Leaves the forces of contact and friction at x with the rigid bodies. */
  gatherForces(x: Float64Array): void {
    for (const { wrench } of this.obstacles) wrench.fill(0);
    this.#contact.evaluate(x, this.#gradient);
    this.friction.evaluate(x, this.#gradient);
  }

  /** Which nodes of all bodies are held: 1 for those. */
  heldNodes(): Uint8Array {
    const held = new Uint8Array(this.system.size / 3);
    this.elastic.forEach(({ part }, i) => {
      held.set(part.held, this.system.offsets[i] / 3);
    });
    return held;
  }

  /** Whether nothing but gravity acts on the elastic bodies from outside, as of the last {@link gatherForces}. */
  isAlone(): boolean {
    if (this.grabs.springs.length > 0) return false;
    if (this.obstacles.some(({ wrench }) => wrench.some((value) => value !== 0))) return false;
    const [first] = this.elastic;
    return this.elastic.every(({ part }) => {
      if (!part.constants.isLumped || part.constants.massDamping > 0) return false;
      if ([0, 1, 2].some((k) => part.constants.gravity[k] !== first.part.constants.gravity[k])) return false;
      return part.held.every((held) => held === 0) && part.loads.every((load) => load === 0);
    });
  }

  /** Places rigid bodies for a measurement: where they are, or where their paths lead at a time. */
  placeRigids(time: number | null): void {
    for (const rigid of this.rigids) {
      if (time === null) rigid.placeNow();
      else rigid.placeAt(time);
    }
  }

  #ownX(body: number): Float64Array {
    const at = this.system.offsets[body];
    return this.x.subarray(at, at + this.elastic[body].part.size);
  }
}
