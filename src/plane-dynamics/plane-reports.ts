// What a world of the plane says of its state: energy, momentum, contacts, the deepest overlap.

import { PlaneBroadPhase } from './contact/broad-phase.js';
import { ContactSet, STOP } from './contact/contact-set.js';
import { OVERLAP } from './outline/outline-pair.js';
import { DYNAMIC, ELASTIC } from './plane-bodies.js';
import type { PlaneEngine } from './plane-engine.js';

/** Joules. */
export interface PlaneEnergy {
  readonly kinetic: number;
  /** Zero at the origin. */
  readonly gravitational: number;
  /** Of soft bodies. */
  readonly elastic: number;
  /** Of penalty springs. */
  readonly contact: number;
  readonly total: number;
}

/** Of all bodies that move by forces. */
export interface PlaneMomentum {
  /** kg m/s. */
  readonly linear: readonly [number, number];
  /** About the origin, kg m²/s. */
  readonly angular: number;
}

/** A place where two bodies touch. */
export interface PlaneContact {
  readonly bodyA: number;
  readonly bodyB: number;
  readonly point: readonly [number, number];
  /** Unit, from A to B. */
  readonly normal: readonly [number, number];
  /** The gap, negative inside. */
  readonly separation: number;
  /** Normal impulse of the last step, N s; 0 under penalty forces. */
  readonly impulse: number;
}

export function measurePlaneEnergy({ bodies, rings, gravity, penalty, hasElastic }: PlaneEngine): PlaneEnergy {
  let kinetic = 0;
  let gravitational = 0;
  let elastic = 0;
  for (let i = 0; i < bodies.count; i++) {
    const ring = rings[i];
    if (ring !== null) {
      kinetic += ring.kineticEnergy();
      elastic += ring.energy;
      gravitational -= ring.masses.reduce(
        (sum, mass, k) => sum + mass * (gravity[0] * ring.positions[2 * k] + gravity[1] * ring.positions[2 * k + 1]),
        0,
      );
    } else if (bodies.kind[i] === DYNAMIC) {
      kinetic += bodies.kineticEnergy(i);
      gravitational -= bodies.mass[i] * (gravity[0] * bodies.center[2 * i] + gravity[1] * bodies.center[2 * i + 1]);
    }
  }
  const contact = hasElastic ? penalty.energy() : 0;
  return { kinetic, gravitational, elastic, contact, total: kinetic + gravitational + elastic + contact };
}

export function measurePlaneMomentum({ bodies, rings }: PlaneEngine): PlaneMomentum {
  let px = 0;
  let py = 0;
  let angular = 0;
  const add = (mass: number, x: number, y: number, vx: number, vy: number): void => {
    px += mass * vx;
    py += mass * vy;
    angular += mass * (x * vy - y * vx);
  };
  for (let i = 0; i < bodies.count; i++) {
    const ring = rings[i];
    if (ring !== null) {
      const { positions: p, velocities: v } = ring;
      for (let k = 0; k < ring.masses.length; k++) {
        add(ring.masses[k], p[2 * k], p[2 * k + 1], v[2 * k], v[2 * k + 1]);
      }
    } else if (bodies.kind[i] === DYNAMIC) {
      const { center, velocity } = bodies;
      add(bodies.mass[i], center[2 * i], center[2 * i + 1], velocity[2 * i], velocity[2 * i + 1]);
      angular += bodies.inertia[i] * bodies.spin[i];
    }
  }
  return { linear: [px, py], angular };
}

/**
 * @param sleepingPairs keys of the touching pairs of which neither body is awake: steps do not look at them.
 * @param substeps of a step: impulses are remembered by substep.
 */
export function listPlaneContacts(
  engine: PlaneEngine,
  sleepingPairs: readonly number[],
  substeps: number,
): PlaneContact[] {
  const { contacts, penalty } = engine;
  const found: PlaneContact[] = [];
  addContacts(contacts, found);
  const unseen = sleepingPairs.filter((key) => !contacts.hasPair(key));
  if (unseen.length > 0) addContacts(collideSleepers(engine, unseen, substeps), found);
  for (let n = 0; n < penalty.count; n++) {
    const { depth, point, target } = penalty;
    found.push({
      bodyA: penalty.owner[n],
      bodyB: penalty.other[n],
      point: [point[2 * n], point[2 * n + 1]],
      normal: [(point[2 * n] - target[2 * n]) / depth[n], (point[2 * n + 1] - target[2 * n + 1]) / depth[n]],
      separation: -depth[n],
      impulse: 0,
    });
  }
  return found;
}

function addContacts(contacts: ContactSet, found: PlaneContact[]): void {
  for (let c = 0; c < contacts.count; c++) {
    if (contacts.kind[c] >= STOP || !contacts.isNear(c)) continue;
    const pair = contacts.pair[c];
    found.push({
      bodyA: contacts.pairA[pair],
      bodyB: contacts.pairB[pair],
      point: [contacts.point[2 * c], contacts.point[2 * c + 1]],
      normal: [contacts.normal[2 * c], contacts.normal[2 * c + 1]],
      separation: contacts.separation[c],
      impulse: contacts.total[c],
    });
  }
}

/** The contacts of sleepers where they lie, with the impulses that last held them. */
function collideSleepers(
  { bodies, contacts, query }: PlaneEngine,
  keys: readonly number[],
  substeps: number,
): ContactSet {
  const set = new ContactSet(bodies, contacts.memory);
  for (const key of keys) {
    const [a, b] = [PlaneBroadPhase.first(key), PlaneBroadPhase.second(key)];
    const pair = set.addPair(a, b, key);
    bodies.place(a);
    bodies.place(b);
    set.collide(pair, query, 2 * set.pairSkin[pair]);
  }
  for (let c = 0; c < set.count; c++) {
    set.locate(c);
    set.total[c] = substeps * set.startNormal[c];
  }
  return set;
}

export function measureWorstPenetration({ bodies, query, recovery, penalty }: PlaneEngine): number {
  let worst = 0;
  bodies.placeAll();
  for (let a = 0; a < bodies.count; a++) {
    for (let b = a + 1; b < bodies.count; b++) {
      if (bodies.kind[a] === ELASTIC || bodies.kind[b] === ELASTIC) continue;
      if (bodies.isSensor[a] + bodies.isSensor[b] > 0 || !bodies.canMeet(a, b)) continue;
      if (query.measure(bodies.placed[a], bodies.placed[b], 0) !== OVERLAP) continue;
      // A hair more than touching, or rounding would refuse the shortest ways out.
      const hair = 1e-9 * Math.min(bodies.outlines[a].reach, bodies.outlines[b].reach);
      worst = Math.max(worst, recovery.depth.find(bodies.placed[a], bodies.placed[b], hair));
    }
  }
  for (let n = 0; n < penalty.count; n++) {
    if (bodies.kind[penalty.owner[n]] === ELASTIC || bodies.kind[penalty.other[n]] === ELASTIC) {
      worst = Math.max(worst, penalty.depth[n]);
    }
  }
  return worst;
}
