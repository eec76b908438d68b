// What a world of the plane reports of its state: energy, momentum, contacts, the deepest overlap.

import { DYNAMIC, ELASTIC } from './body/plane-bodies.js';
import { PlaneBroadPhase } from './contact/broad-phase.js';
import { ContactSet, STOP } from './contact/contact-set.js';
import { measureLocalDepth } from './outline/local-depth.js';
import { OVERLAP } from './outline/outline-pair.js';
import { PlaneDepth } from './outline/plane-depth.js';
import type { PlaneContext } from './step/plane-context.js';

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

export function measurePlaneEnergy({ bodies, springs, gravity }: PlaneContext): PlaneEnergy {
  let kinetic = 0;
  let gravitational = 0;
  let elastic = 0;
  for (let i = 0; i < bodies.count; i++) {
    const ring = springs.rings[i];
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
  const contact = springs.isActive ? springs.forces.energy() : 0;
  return { kinetic, gravitational, elastic, contact, total: kinetic + gravitational + elastic + contact };
}

export function measurePlaneMomentum({ bodies, springs }: PlaneContext): PlaneMomentum {
  let px = 0;
  let py = 0;
  let angular = 0;
  const add = (mass: number, x: number, y: number, vx: number, vy: number): void => {
    px += mass * vx;
    py += mass * vy;
    angular += mass * (x * vy - y * vx);
  };
  for (let i = 0; i < bodies.count; i++) {
    const ring = springs.rings[i];
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
 * Where bodies touch after the last step.
 * @param sleepingPairs keys of the touching pairs of which neither body is awake: steps do not look at them.
 */
export function listPlaneContacts(context: PlaneContext, sleepingPairs: readonly number[]): PlaneContact[] {
  const { contacts } = context;
  const { forces } = context.springs;
  const found: PlaneContact[] = [];
  addContacts(contacts, found);
  const unseen = sleepingPairs.filter((key) => !contacts.pairs.has(key));
  if (unseen.length > 0) addContacts(collideSleepers(context, unseen), found);
  for (let n = 0; n < forces.count; n++) {
    const { depth, point, target } = forces;
    found.push({
      bodyA: forces.owner[n],
      bodyB: forces.other[n],
      point: [point[2 * n], point[2 * n + 1]],
      normal: [(point[2 * n] - target[2 * n]) / depth[n], (point[2 * n + 1] - target[2 * n + 1]) / depth[n]],
      separation: -depth[n],
      impulse: 0,
    });
  }
  return found;
}

function addContacts(contacts: ContactSet, found: PlaneContact[]): void {
  const { pairs, rows, impulses } = contacts;
  for (let c = 0; c < contacts.count; c++) {
    if (contacts.kind[c] >= STOP || !contacts.isNear(c)) continue;
    const pair = contacts.pair[c];
    found.push({
      bodyA: pairs.a[pair],
      bodyB: pairs.b[pair],
      point: [rows.point[2 * c], rows.point[2 * c + 1]],
      normal: [rows.normal[2 * c], rows.normal[2 * c + 1]],
      separation: rows.separation[c],
      impulse: impulses.total[c],
    });
  }
}

/** The contacts of sleepers where they lie, with the impulses that last held them. */
function collideSleepers({ bodies, contacts, query, substeps }: PlaneContext, keys: readonly number[]): ContactSet {
  const set = new ContactSet(bodies, contacts.memory);
  for (const key of keys) {
    const [a, b] = [PlaneBroadPhase.first(key), PlaneBroadPhase.second(key)];
    const pair = set.addPair(a, b, key);
    bodies.place(a);
    bodies.place(b);
    set.collide(pair, query, 2 * set.pairs.skin[pair]);
  }
  for (let c = 0; c < set.count; c++) {
    set.locate(c);
    // Impulses are remembered by substep.
    set.impulses.total[c] = substeps * set.impulses.startNormal[c];
  }
  return set;
}

export function measureWorstPenetration(context: PlaneContext): number {
  const { outlines, placed } = context.bodies;
  const depth = new PlaneDepth();
  return measureOverlaps(context, (a, b) => {
    // A hair more than touching, or rounding would refuse the shortest ways out.
    const hair = 1e-9 * Math.min(outlines[a].reach, outlines[b].reach);
    return depth.find(placed[a], placed[b], hair);
  });
}

/** The largest depth by which boundaries dip into each other. */
export function measureLocalPenetration(context: PlaneContext): number {
  const { placed } = context.bodies;
  return measureOverlaps(context, (a, b) => measureLocalDepth(placed[a], placed[b]));
}

/** The largest of what is measured of two rigid bodies that overlap, and of the depths of samples of soft ones. */
function measureOverlaps({ bodies, query, springs }: PlaneContext, measure: (a: number, b: number) => number): number {
  const { forces } = springs;
  let worst = 0;
  bodies.placeAll();
  for (let a = 0; a < bodies.count; a++) {
    for (let b = a + 1; b < bodies.count; b++) {
      if (bodies.kind[a] === ELASTIC || bodies.kind[b] === ELASTIC) continue;
      if (bodies.isSensor[a] + bodies.isSensor[b] > 0 || !bodies.canOverlap(a, b)) continue;
      if (query.measure(bodies.placed[a], bodies.placed[b], 0) !== OVERLAP) continue;
      worst = Math.max(worst, measure(a, b));
    }
  }
  for (let n = 0; n < forces.count; n++) {
    if (bodies.kind[forces.owner[n]] === ELASTIC || bodies.kind[forces.other[n]] === ELASTIC) {
      worst = Math.max(worst, forces.depth[n]);
    }
  }
  return worst;
}
