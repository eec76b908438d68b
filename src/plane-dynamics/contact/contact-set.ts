// The near pairs of a step and their contacts as arrays. Each contact keeps its features in the frames of the bodies, so that
// gap and normal are exact again in every substep; impulses of equal features carry over.
import { growTo } from '../../core/grow-array.js';
import { CORNER_CORNER, CORNER_EDGE, EDGE_CORNER, type OutlineContacts } from '../outline/outline-contacts.js';
import { OVERLAP } from '../outline/outline-pair.js';
import { DYNAMIC, type PlaneBodies } from '../plane-bodies.js';
import { ContactMemory } from './contact-memory.js';

/** The velocity solver keeps the bodies of the pair apart. */
export const SOLVED = 0;
/** A contact of the pair, or the whole pair, moves freely until its time of impact: it bounces, or it is too fast to solve. */
export const IMPACT = 1;
/** The bodies overlap deeply: their recovery moves them apart. */
export const OVERLAPPING = 2;
/** A sensor reports, but takes no force. */
export const SENSING = 3;

/** Of pairs that could pass through themselves within a step: they move freely until they meet, or have met and are solved. */
export const FREE = 1;
export const MET = 2;

/** The gap in which contacts rest, in sizes of the smaller body. */
export const SKIN = 5e-4;
export class ContactSet {
  pairCount = 0;
  pairA = new Int32Array(16);
  pairB = new Int32Array(16);
  pairKey = new Float64Array(16);
  pairMode = new Int32Array(16);
  pairState = new Int32Array(16);
  /** Contacts are known within this distance. */
  pairReach = new Float64Array(16);
  /** The distance when it was last measured, or a lower bound of it. */
  pairDistance = new Float64Array(16);
  /** How far the bodies may have come towards each other since. */
  pairMoved = new Float64Array(16);
  pairSkin = new Float64Array(16);
  pairFriction = new Float64Array(16);
  pairRestitution = new Float64Array(16);
  /** Whether the pair could pass through itself within a step: none of its contacts are solved before it has {@link MET}. */
  pairFast = new Int32Array(16);
  /** Whether new contacts are resolved at their time. */
  pairBounces = new Int32Array(16);
  /** Whether the pair took an impulse in this step, also of contacts that are gone. */
  pairTouched = new Int32Array(16);
  /** The last contact of each pair, -1 for none; `before` has the one before it. */
  pairLast = new Int32Array(16);

  count = 0;
  pair = new Int32Array(32);
  before = new Int32Array(32);
  kind = new Int32Array(32);
  featureA = new Int32Array(32);
  featureB = new Int32Array(32);
  /** In the frames of the centers of mass: the corner, or the first corner of the edge. */
  localA = new Float64Array(64);
  localB = new Float64Array(64);
  /** From A to B, in the frame of the body that has the edge. */
  localNormal = new Float64Array(64);
  radius = new Float64Array(32);
  radiusA = new Float64Array(32);
  /** Whether a contact is to bounce at its time, and is not solved before. */
  waits = new Int32Array(32);
  /** Impulses of a substep so far, and those of the last one for the start. */
  normalImpulse = new Float64Array(32);
  tangentImpulse = new Float64Array(32);
  startNormal = new Float64Array(32);
  startTangent = new Float64Array(32);
  /** The sum of the normal impulses over a step. */
  total = new Float64Array(32);

  separation = new Float64Array(32);
  normal = new Float64Array(64);
  point = new Float64Array(64);
  /** Of the normal about the centers of A and B, then of the tangent, which is the normal turned left. */
  arms = new Float64Array(128);
  normalMass = new Float64Array(32);
  tangentMass = new Float64Array(32);

  /** @param memory the impulses of the last step. */
  constructor(
    readonly bodies: PlaneBodies,
    readonly memory = new ContactMemory(),
  ) {}

  clear(): void {
    this.pairCount = this.count = 0;
    this.isExtended = false;
  }

  /** Whether pairs were added out of order. */
  isExtended = false;

  /** Whether a pair is there. */
  hasPair(key: number): boolean {
    for (let pair = 0; pair < this.pairCount; pair++) if (this.pairKey[pair] === key) return true;
    return false;
  }

  addPair(a: number, b: number, key: number): number {
    const n = this.pairCount++;
    const { bodies } = this;
    if (n >= this.pairA.length) {
      for (const name of PAIR_NUMBERS) this[name] = growTo(this[name], n + 1);
      for (const name of PAIR_WHOLES) this[name] = growTo(this[name], n + 1);
    }
    this.pairA[n] = a;
    this.pairB[n] = b;
    this.pairKey[n] = key;
    this.pairMode[n] = bodies.isSensor[a] + bodies.isSensor[b] > 0 ? SENSING : SOLVED;
    this.pairFriction[n] = Math.sqrt(bodies.friction[a] * bodies.friction[b]);
    this.pairRestitution[n] = Math.max(bodies.restitution[a], bodies.restitution[b]);
    this.pairSkin[n] = SKIN * 2 * Math.min(bodies.outlines[a].reach, bodies.outlines[b].reach);
    this.pairLast[n] = -1;
    this.pairFast[n] = this.pairBounces[n] = this.pairTouched[n] = 0;
    return n;
  }

  /** Finds the contacts of a pair where its bodies are now, in place of those it had. Outlines are placed. */
  collide(pair: number, query: OutlineContacts, reach: number): number {
    const { bodies } = this;
    const a = this.pairA[pair];
    const b = this.pairB[pair];
    const first = this.pairLast[pair];
    const isNew = first < 0;
    this.pairLast[pair] = -1;
    this.pairReach[pair] = reach;
    this.pairMoved[pair] = 0;
    const skin = this.pairSkin[pair];
    const thinnest = Math.min(bodies.outlines[a].thickness, bodies.outlines[b].thickness);
    const shallow = Math.min(8 * skin, thinnest / 4);
    const state = query.findContacts(bodies.placed[a], bodies.placed[b], reach, skin, shallow);
    this.pairState[pair] = state;
    this.pairDistance[pair] = query.distance;
    for (let k = 0; k < query.count; k++) {
      const c = this.#add(pair, query, k);
      if (isNew) this.memory.recall(this, c);
      else this.#inherit(c, first);
    }
    for (let c = first; c >= 0; c = this.before[c]) this.kind[c] = DEAD;
    return state;
  }

  /** A contact with given normal and point, for bodies that overlap: it lets them not approach. */
  addStop(pair: number, nx: number, ny: number, x: number, y: number): void {
    this.pairLast[pair] = -1;
    const c = this.#append(pair);
    this.kind[c] = STOP;
    this.featureA[c] = this.featureB[c] = 0;
    this.radius[c] = this.radiusA[c] = 0;
    this.normal[2 * c] = nx;
    this.normal[2 * c + 1] = ny;
    this.point[2 * c] = x;
    this.point[2 * c + 1] = y;
    this.separation[c] = 0;
    this.startNormal[c] = this.startTangent[c] = 0;
  }

  #append(pair: number): number {
    const c = this.count++;
    if (c >= this.pair.length) {
      for (const name of CONTACT_NUMBERS) this[name] = growTo(this[name], c + 1);
      for (const name of CONTACT_PAIRS) this[name] = growTo(this[name], 2 * c + 2);
      for (const name of CONTACT_WHOLES) this[name] = growTo(this[name], c + 1);
      this.arms = growTo(this.arms, 4 * c + 4);
    }
    this.pair[c] = pair;
    this.before[c] = this.pairLast[pair];
    this.pairLast[pair] = c;
    this.total[c] = this.normalImpulse[c] = this.tangentImpulse[c] = 0;
    this.waits[c] = 0;
    return c;
  }

  #add(pair: number, query: OutlineContacts, k: number): number {
    const { bodies } = this;
    const a = this.pairA[pair];
    const b = this.pairB[pair];
    const c = this.#append(pair);
    const kind = query.kinds[k];
    const i = query.featuresA[k];
    const j = query.featuresB[k];
    const outlineA = bodies.outlines[a];
    const outlineB = bodies.outlines[b];
    this.kind[c] = kind;
    this.featureA[c] = i;
    this.featureB[c] = j;
    this.localA[2 * c] = outlineA.points[2 * i];
    this.localA[2 * c + 1] = outlineA.points[2 * i + 1];
    this.localB[2 * c] = outlineB.points[2 * j];
    this.localB[2 * c + 1] = outlineB.points[2 * j + 1];
    this.radiusA[c] = outlineA.radius;
    this.radius[c] = outlineA.radius + outlineB.radius;
    const owner = kind === CORNER_EDGE ? b : a;
    const nx = query.normals[2 * k];
    const ny = query.normals[2 * k + 1];
    this.localNormal[2 * c] = bodies.cosine[owner] * nx + bodies.sine[owner] * ny;
    this.localNormal[2 * c + 1] = bodies.cosine[owner] * ny - bodies.sine[owner] * nx;
    this.separation[c] = query.separations[k];
    return c;
  }

  #inherit(c: number, from: number): void {
    this.startNormal[c] = this.startTangent[c] = 0;
    for (let o = from; o >= 0; o = this.before[o]) {
      if (this.kind[o] !== this.kind[c] || this.featureA[o] !== this.featureA[c]) continue;
      if (this.featureB[o] !== this.featureB[c]) continue;
      this.startNormal[c] = this.startNormal[o];
      this.startTangent[c] = this.startTangent[o];
      this.total[c] = this.total[o];
      return;
    }
  }

  /** Gap, normal, point and masses of a contact where its bodies are now. */
  locate(c: number): void {
    const { center, cosine, sine, inverseMass, inverseInertia } = this.bodies;
    const a = this.pairA[this.pair[c]];
    const b = this.pairB[this.pair[c]];
    if (this.kind[c] !== STOP) {
      const lax = this.localA[2 * c];
      const lay = this.localA[2 * c + 1];
      const lbx = this.localB[2 * c];
      const lby = this.localB[2 * c + 1];
      const ax = center[2 * a] + cosine[a] * lax - sine[a] * lay;
      const ay = center[2 * a + 1] + sine[a] * lax + cosine[a] * lay;
      const bx = center[2 * b] + cosine[b] * lbx - sine[b] * lby;
      const by = center[2 * b + 1] + sine[b] * lbx + cosine[b] * lby;
      const kind = this.kind[c];
      let nx: number;
      let ny: number;
      let gap: number;
      if (kind === CORNER_CORNER) {
        nx = bx - ax;
        ny = by - ay;
        gap = Math.sqrt(nx * nx + ny * ny);
        if (gap > 0) {
          nx /= gap;
          ny /= gap;
        } else {
          nx = this.normal[2 * c];
          ny = this.normal[2 * c + 1];
        }
      } else {
        const owner = kind === CORNER_EDGE ? b : a;
        const lx = this.localNormal[2 * c];
        const ly = this.localNormal[2 * c + 1];
        nx = cosine[owner] * lx - sine[owner] * ly;
        ny = sine[owner] * lx + cosine[owner] * ly;
        gap = (bx - ax) * nx + (by - ay) * ny;
      }
      gap -= this.radius[c];
      this.normal[2 * c] = nx;
      this.normal[2 * c + 1] = ny;
      this.separation[c] = gap;
      // In the middle of the gap, below the corner: one point for both bodies, so that angular momentum is kept.
      if (kind === EDGE_CORNER) {
        const way = this.radius[c] - this.radiusA[c] + gap / 2;
        this.point[2 * c] = bx - way * nx;
        this.point[2 * c + 1] = by - way * ny;
      } else {
        const way = this.radiusA[c] + gap / 2;
        this.point[2 * c] = ax + way * nx;
        this.point[2 * c + 1] = ay + way * ny;
      }
    }
    const nx = this.normal[2 * c];
    const ny = this.normal[2 * c + 1];
    const rax = this.point[2 * c] - center[2 * a];
    const ray = this.point[2 * c + 1] - center[2 * a + 1];
    const rbx = this.point[2 * c] - center[2 * b];
    const rby = this.point[2 * c + 1] - center[2 * b + 1];
    const sum = inverseMass[a] + inverseMass[b];
    const normalA = rax * ny - ray * nx;
    const normalB = rbx * ny - rby * nx;
    const tangentA = rax * nx + ray * ny;
    const tangentB = rbx * nx + rby * ny;
    const alongNormal = sum + inverseInertia[a] * normalA * normalA + inverseInertia[b] * normalB * normalB;
    const alongTangent = sum + inverseInertia[a] * tangentA * tangentA + inverseInertia[b] * tangentB * tangentB;
    this.arms[4 * c] = normalA;
    this.arms[4 * c + 1] = normalB;
    this.arms[4 * c + 2] = tangentA;
    this.arms[4 * c + 3] = tangentB;
    this.normalMass[c] = alongNormal > 0 ? 1 / alongNormal : 0;
    this.tangentMass[c] = alongTangent > 0 ? 1 / alongTangent : 0;
  }

  /** The gap of a contact when its bodies have moved on evenly for a time. */
  separationAfter(c: number, h: number): number {
    const { center, velocity, angle, spin } = this.bodies;
    const a = this.pairA[this.pair[c]];
    const b = this.pairB[this.pair[c]];
    const cosA = Math.cos(angle[a] + h * spin[a]);
    const sinA = Math.sin(angle[a] + h * spin[a]);
    const cosB = Math.cos(angle[b] + h * spin[b]);
    const sinB = Math.sin(angle[b] + h * spin[b]);
    const lax = this.localA[2 * c];
    const lay = this.localA[2 * c + 1];
    const lbx = this.localB[2 * c];
    const lby = this.localB[2 * c + 1];
    const dx =
      center[2 * b] -
      center[2 * a] +
      h * (velocity[2 * b] - velocity[2 * a]) +
      cosB * lbx -
      sinB * lby -
      cosA * lax +
      sinA * lay;
    const dy =
      center[2 * b + 1] -
      center[2 * a + 1] +
      h * (velocity[2 * b + 1] - velocity[2 * a + 1]) +
      sinB * lbx +
      cosB * lby -
      sinA * lax -
      cosA * lay;
    if (this.kind[c] === CORNER_CORNER) return Math.sqrt(dx * dx + dy * dy) - this.radius[c];
    const isOfB = this.kind[c] === CORNER_EDGE;
    const lx = this.localNormal[2 * c];
    const ly = this.localNormal[2 * c + 1];
    const nx = isOfB ? cosB * lx - sinB * ly : cosA * lx - sinA * ly;
    const ny = isOfB ? sinB * lx + cosB * ly : sinA * lx + cosA * ly;
    return dx * nx + dy * ny - this.radius[c];
  }

  /** The speed at which the bodies part along the normal. */
  speed(c: number): number {
    const { velocity, spin } = this.bodies;
    const a = this.pairA[this.pair[c]];
    const b = this.pairB[this.pair[c]];
    return (
      this.normal[2 * c] * (velocity[2 * b] - velocity[2 * a]) +
      this.normal[2 * c + 1] * (velocity[2 * b + 1] - velocity[2 * a + 1]) +
      spin[b] * this.arms[4 * c + 1] -
      spin[a] * this.arms[4 * c]
    );
  }

  /**
   * Says which contacts of pairs that bounce are solved in a substep: those that rest, within the skin and slower than a
   * threshold. The others move freely until their time of impact.
   */
  classify(threshold: number): void {
    for (let pair = 0; pair < this.pairCount; pair++) {
      const mode = this.pairMode[pair];
      if (this.pairBounces[pair] === 0 || this.pairFast[pair] !== 0 || (mode !== SOLVED && mode !== IMPACT)) continue;
      this.pairMode[pair] = SOLVED;
      for (let c = this.pairLast[pair]; c >= 0; c = this.before[c]) {
        this.locate(c);
        const rests = this.separation[c] <= this.pairSkin[pair] && Math.abs(this.speed(c)) <= threshold;
        this.waits[c] = rests ? 0 : 1;
        if (!rests) this.pairMode[pair] = IMPACT;
      }
    }
  }

  /** Leaves a pair to the solver for the rest of a step, with short intervals if it is fast. */
  settle(pair: number, isFast: boolean): void {
    this.pairBounces[pair] = 0;
    this.pairFast[pair] = isFast ? MET : 0;
    this.pairMode[pair] = SOLVED;
    for (let c = this.pairLast[pair]; c >= 0; c = this.before[c]) this.waits[c] = 0;
  }

  isActive(c: number): boolean {
    const pair = this.pair[c];
    if (this.kind[c] === DEAD) return false;
    const mode = this.pairMode[pair];
    const { isHeld } = this.bodies;
    if (isHeld[this.pairA[pair]] !== 0 || isHeld[this.pairB[pair]] !== 0) return false;
    if (mode === OVERLAPPING) return this.kind[c] === STOP;
    return mode === SOLVED || (mode === IMPACT && this.pairFast[pair] !== FREE && this.waits[c] === 0);
  }

  /** A bound on how fast the bodies of a pair can close in anywhere. */
  closingBound(pair: number): number {
    const { velocity, spin, outlines } = this.bodies;
    const a = this.pairA[pair];
    const b = this.pairB[pair];
    return (
      Math.hypot(velocity[2 * b] - velocity[2 * a], velocity[2 * b + 1] - velocity[2 * a + 1]) +
      Math.abs(spin[a]) * outlines[a].turnReach +
      Math.abs(spin[b]) * outlines[b].turnReach
    );
  }

  /** Whether a pair touches: within its skin, with a little room for what a substep leaves. */
  isTouching(pair: number): boolean {
    if (this.pairState[pair] === OVERLAP || this.pairTouched[pair] !== 0) return true;
    for (let c = this.pairLast[pair]; c >= 0; c = this.before[c]) {
      if (this.isNear(c)) return true;
    }
    return false;
  }

  /** Whether a contact acted in the step or its features touch now. */
  isNear(c: number): boolean {
    const gap = this.separation[c];
    const skin = this.pairSkin[this.pair[c]];
    return this.total[c] > 0 || (gap <= 1.2 * skin && gap > -8 * skin && this.isOver(c));
  }

  /** Whether the corner of a contact is still above its edge, not beside it. */
  isOver(c: number): boolean {
    const kind = this.kind[c];
    if (kind !== CORNER_EDGE && kind !== EDGE_CORNER) return true;
    const { bodies } = this;
    const pair = this.pair[c];
    const owner = kind === CORNER_EDGE ? this.pairB[pair] : this.pairA[pair];
    const outline = bodies.outlines[owner];
    const i = kind === CORNER_EDGE ? this.featureB[c] : this.featureA[c];
    const j = outline.next[i];
    const { points } = outline;
    const ex = points[2 * j] - points[2 * i];
    const ey = points[2 * j + 1] - points[2 * i + 1];
    const dx = this.point[2 * c] - bodies.center[2 * owner];
    const dy = this.point[2 * c + 1] - bodies.center[2 * owner + 1];
    const lx = bodies.cosine[owner] * dx + bodies.sine[owner] * dy - points[2 * i];
    const ly = bodies.cosine[owner] * dy - bodies.sine[owner] * dx - points[2 * i + 1];
    const length = Math.hypot(ex, ey);
    const along = (lx * ex + ly * ey) / length;
    const skin = this.pairSkin[pair];
    return along >= -skin && along <= length + skin;
  }

  /** Whether a pair couples its bodies in an island. */
  isCoupling(pair: number): boolean {
    const { kind } = this.bodies;
    return (
      this.pairMode[pair] !== SENSING &&
      kind[this.pairA[pair]] === DYNAMIC &&
      kind[this.pairB[pair]] === DYNAMIC &&
      this.isTouching(pair)
    );
  }
}

/** The kind of a contact that only stops an approach. */
export const STOP = 3;
export const DEAD = 4;

const PAIR_NUMBERS = [
  'pairKey',
  'pairReach',
  'pairDistance',
  'pairMoved',
  'pairSkin',
  'pairFriction',
  'pairRestitution',
] as const;
const PAIR_WHOLES = [
  'pairA',
  'pairB',
  'pairMode',
  'pairState',
  'pairFast',
  'pairBounces',
  'pairTouched',
  'pairLast',
] as const;
const CONTACT_NUMBERS = [
  'radius',
  'radiusA',
  'normalImpulse',
  'tangentImpulse',
  'startNormal',
  'startTangent',
  'total',
  'separation',
  'normalMass',
  'tangentMass',
] as const;
const CONTACT_PAIRS = ['localA', 'localB', 'localNormal', 'normal', 'point'] as const;
const CONTACT_WHOLES = ['pair', 'before', 'kind', 'featureA', 'featureB', 'waits'] as const;
