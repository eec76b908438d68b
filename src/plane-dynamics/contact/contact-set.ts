// The contacts of the near pairs of a step. Each keeps its features in the frames of the bodies, so that gap and normal are
// exact again in every substep; impulses of equal features carry over.
import { growTo } from '../../core/grow-array.js';
import type { PlaneBodies } from '../body/plane-bodies.js';
import { CORNER_CORNER, CORNER_EDGE, EDGE_CORNER, type OutlineContacts } from '../outline/outline-contacts.js';
import { OVERLAP } from '../outline/outline-pair.js';
import { ContactImpulses } from './contact-impulses.js';
import { ContactMemory } from './contact-memory.js';
import { ContactRows } from './contact-rows.js';
import { FREE, IMPACT, NearPairs, OVERLAPPING, SOLVED } from './near-pairs.js';

/** Label: the kind of a contact that only stops an approach. */
export const STOP = 3;
/** Label: the kind of a contact that another one has replaced. */
export const DEAD = 4;

/** Chosen: overlap up to this depth, in skins, is left to contacts, and contacts this deep still count as touching. */
export const SHALLOW = 8;
/** Chosen: contacts touch up to this gap, in skins: a substep leaves a little more than the skin. */
const TOUCHING = 1.2;

export class ContactSet {
  readonly pairs: NearPairs;
  readonly impulses = new ContactImpulses();
  /** Where the contacts were when they were located last. */
  readonly rows = new ContactRows();
  count = 0;
  /** The last contact of each pair, -1 for none; {@link before} has the one before it. */
  last = new Int32Array(16);
  /** The pair of each contact. */
  pair = new Int32Array(32);
  before = new Int32Array(32);
  /** `CORNER_EDGE`, `EDGE_CORNER`, `CORNER_CORNER`, {@link STOP} or {@link DEAD}. */
  kind = new Int32Array(32);
  featureA = new Int32Array(32);
  featureB = new Int32Array(32);
  /** The sum of the radii of both outlines. */
  radius = new Float64Array(32);
  /** 1: the contact is to bounce at its time, and is not solved before. */
  waits = new Int32Array(32);
  /** In the frames of the centers of mass: the corner, or the first corner of the edge. */
  #localA = new Float64Array(64);
  #localB = new Float64Array(64);
  /** From A to B, in the frame of the body that has the edge. */
  #localNormal = new Float64Array(64);
  #radiusA = new Float64Array(32);

  /** @param memory the impulses of the last step. */
  constructor(
    readonly bodies: PlaneBodies,
    readonly memory = new ContactMemory(),
  ) {
    this.pairs = new NearPairs(bodies);
  }

  clear(): void {
    this.count = 0;
    this.pairs.clear();
  }

  /** Adds a pair without contacts, and returns its number. */
  addPair(a: number, b: number, key: number): number {
    const n = this.pairs.add(a, b, key);
    this.last = growTo(this.last, n + 1);
    this.last[n] = -1;
    return n;
  }

  /** Finds the contacts of a pair where its bodies are now, in place of those it had. Outlines are placed. */
  collide(pair: number, query: OutlineContacts, reach: number): number {
    const { bodies, pairs } = this;
    const a = pairs.a[pair];
    const b = pairs.b[pair];
    const first = this.last[pair];
    const isNew = first < 0;
    this.last[pair] = -1;
    const skin = pairs.skin[pair];
    const shallow = Math.min(SHALLOW * skin, pairs.thickness(pair) / 4);
    const state = query.findContacts(bodies.placed[a], bodies.placed[b], reach, skin, shallow);
    pairs.measured(pair, state, query.distance, reach);
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
    this.last[pair] = -1;
    const c = this.#append(pair);
    this.kind[c] = STOP;
    this.featureA[c] = this.featureB[c] = 0;
    this.radius[c] = this.#radiusA[c] = 0;
    this.rows.setPlace(c, nx, ny, x, y);
    this.rows.separation[c] = 0;
  }

  #append(pair: number): number {
    const c = this.count++;
    if (c >= this.pair.length) {
      for (const name of ['pair', 'before', 'kind', 'featureA', 'featureB', 'waits'] as const) {
        this[name] = growTo(this[name], c + 1);
      }
      this.radius = growTo(this.radius, c + 1);
      this.#radiusA = growTo(this.#radiusA, c + 1);
      this.#localA = growTo(this.#localA, 2 * c + 2);
      this.#localB = growTo(this.#localB, 2 * c + 2);
      this.#localNormal = growTo(this.#localNormal, 2 * c + 2);
    }
    this.rows.reserve(c + 1);
    this.impulses.begin(c);
    this.pair[c] = pair;
    this.before[c] = this.last[pair];
    this.last[pair] = c;
    this.waits[c] = 0;
    return c;
  }

  #add(pair: number, query: OutlineContacts, k: number): number {
    const { bodies, pairs } = this;
    const a = pairs.a[pair];
    const b = pairs.b[pair];
    const c = this.#append(pair);
    const kind = query.kinds[k];
    const i = query.featuresA[k];
    const j = query.featuresB[k];
    const outlineA = bodies.outlines[a];
    const outlineB = bodies.outlines[b];
    this.kind[c] = kind;
    this.featureA[c] = i;
    this.featureB[c] = j;
    this.#localA[2 * c] = outlineA.points[2 * i];
    this.#localA[2 * c + 1] = outlineA.points[2 * i + 1];
    this.#localB[2 * c] = outlineB.points[2 * j];
    this.#localB[2 * c + 1] = outlineB.points[2 * j + 1];
    this.#radiusA[c] = outlineA.radius;
    this.radius[c] = outlineA.radius + outlineB.radius;
    const owner = kind === CORNER_EDGE ? b : a;
    const nx = query.normals[2 * k];
    const ny = query.normals[2 * k + 1];
    this.#localNormal[2 * c] = bodies.cosine[owner] * nx + bodies.sine[owner] * ny;
    this.#localNormal[2 * c + 1] = bodies.cosine[owner] * ny - bodies.sine[owner] * nx;
    this.rows.separation[c] = query.separations[k];
    return c;
  }

  #inherit(c: number, from: number): void {
    for (let o = from; o >= 0; o = this.before[o]) {
      if (this.kind[o] !== this.kind[c] || this.featureA[o] !== this.featureA[c]) continue;
      if (this.featureB[o] !== this.featureB[c]) continue;
      this.impulses.inherit(c, o);
      return;
    }
  }

  /** Gap, normal, point and masses of a contact where its bodies are now. */
  locate(c: number): void {
    const { bodies, pairs } = this;
    const a = pairs.a[this.pair[c]];
    const b = pairs.b[this.pair[c]];
    if (this.kind[c] !== STOP) this.#place(c, a, b);
    this.rows.setMasses(c, bodies, a, b);
  }

  /** Gap, normal and point of a contact of two features. */
  #place(c: number, a: number, b: number): void {
    const { center, cosine, sine } = this.bodies;
    const { rows } = this;
    const lax = this.#localA[2 * c];
    const lay = this.#localA[2 * c + 1];
    const lbx = this.#localB[2 * c];
    const lby = this.#localB[2 * c + 1];
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
        nx = rows.normal[2 * c];
        ny = rows.normal[2 * c + 1];
      }
    } else {
      const owner = kind === CORNER_EDGE ? b : a;
      const lx = this.#localNormal[2 * c];
      const ly = this.#localNormal[2 * c + 1];
      nx = cosine[owner] * lx - sine[owner] * ly;
      ny = sine[owner] * lx + cosine[owner] * ly;
      gap = (bx - ax) * nx + (by - ay) * ny;
    }
    gap -= this.radius[c];
    rows.separation[c] = gap;
    // In the middle of the gap, below the corner.
    if (kind === EDGE_CORNER) {
      const way = this.radius[c] - this.#radiusA[c] + gap / 2;
      rows.setPlace(c, nx, ny, bx - way * nx, by - way * ny);
    } else {
      const way = this.#radiusA[c] + gap / 2;
      rows.setPlace(c, nx, ny, ax + way * nx, ay + way * ny);
    }
  }

  /** The gap of a contact when its bodies have moved on evenly for a time. */
  separationAfter(c: number, h: number): number {
    const { center, velocity, angle, spin } = this.bodies;
    const a = this.pairs.a[this.pair[c]];
    const b = this.pairs.b[this.pair[c]];
    const cosA = Math.cos(angle[a] + h * spin[a]);
    const sinA = Math.sin(angle[a] + h * spin[a]);
    const cosB = Math.cos(angle[b] + h * spin[b]);
    const sinB = Math.sin(angle[b] + h * spin[b]);
    const lax = this.#localA[2 * c];
    const lay = this.#localA[2 * c + 1];
    const lbx = this.#localB[2 * c];
    const lby = this.#localB[2 * c + 1];
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
    const lx = this.#localNormal[2 * c];
    const ly = this.#localNormal[2 * c + 1];
    const nx = isOfB ? cosB * lx - sinB * ly : cosA * lx - sinA * ly;
    const ny = isOfB ? sinB * lx + cosB * ly : sinA * lx + cosA * ly;
    return dx * nx + dy * ny - this.radius[c];
  }

  /** The speed at which the bodies part along the normal. */
  speed(c: number): number {
    const pair = this.pair[c];
    return this.rows.speed(c, this.bodies, this.pairs.a[pair], this.pairs.b[pair]);
  }

  /**
   * Says which contacts of pairs that bounce are solved in a substep: those that rest, within the skin and slower than a
   * threshold. The others move freely until their time of impact.
   */
  classify(threshold: number): void {
    const { pairs, rows } = this;
    for (let pair = 0; pair < pairs.count; pair++) {
      if (pairs.bounces[pair] === 0 || pairs.fast[pair] !== 0 || pairs.mode[pair] > IMPACT) continue;
      let mode = SOLVED;
      for (let c = this.last[pair]; c >= 0; c = this.before[c]) {
        this.locate(c);
        const rests = rows.separation[c] <= pairs.skin[pair] && Math.abs(this.speed(c)) <= threshold;
        this.waits[c] = rests ? 0 : 1;
        if (!rests) mode = IMPACT;
      }
      pairs.setMode(pair, mode);
    }
  }

  /** Leaves a pair to the solver for the rest of a step, in short intervals if it is fast. */
  settle(pair: number, isFast: boolean): void {
    this.pairs.settle(pair, isFast);
    for (let c = this.last[pair]; c >= 0; c = this.before[c]) this.waits[c] = 0;
  }

  /** Whether the velocity solver works on a contact. */
  isActive(c: number): boolean {
    const { pairs } = this;
    const pair = this.pair[c];
    if (this.kind[c] === DEAD) return false;
    const mode = pairs.mode[pair];
    if (pairs.isHeld(pair)) return false;
    if (mode === OVERLAPPING) return this.kind[c] === STOP;
    return mode === SOLVED || (mode === IMPACT && pairs.fast[pair] !== FREE && this.waits[c] === 0);
  }

  /** Whether a pair touches: it overlaps, took an impulse, or has a contact near its skin. */
  isTouching(pair: number): boolean {
    if (this.pairs.state[pair] === OVERLAP || this.pairs.touched[pair] !== 0) return true;
    for (let c = this.last[pair]; c >= 0; c = this.before[c]) {
      if (this.isNear(c)) return true;
    }
    return false;
  }

  /** Whether a contact acted in the step or its features touch now. */
  isNear(c: number): boolean {
    const gap = this.rows.separation[c];
    const skin = this.pairs.skin[this.pair[c]];
    return this.impulses.total[c] > 0 || (gap <= TOUCHING * skin && gap > -SHALLOW * skin && this.isOver(c));
  }

  /** Whether the corner of a contact is still above its edge, not beside it. */
  isOver(c: number): boolean {
    const kind = this.kind[c];
    if (kind !== CORNER_EDGE && kind !== EDGE_CORNER) return true;
    const { bodies, rows } = this;
    const pair = this.pair[c];
    const owner = kind === CORNER_EDGE ? this.pairs.b[pair] : this.pairs.a[pair];
    const outline = bodies.outlines[owner];
    const i = kind === CORNER_EDGE ? this.featureB[c] : this.featureA[c];
    const j = outline.next[i];
    const { points } = outline;
    const ex = points[2 * j] - points[2 * i];
    const ey = points[2 * j + 1] - points[2 * i + 1];
    const dx = rows.point[2 * c] - bodies.center[2 * owner];
    const dy = rows.point[2 * c + 1] - bodies.center[2 * owner + 1];
    const lx = bodies.cosine[owner] * dx + bodies.sine[owner] * dy - points[2 * i];
    const ly = bodies.cosine[owner] * dy - bodies.sine[owner] * dx - points[2 * i + 1];
    const length = Math.hypot(ex, ey);
    const along = (lx * ex + ly * ey) / length;
    const skin = this.pairs.skin[pair];
    return along >= -skin && along <= length + skin;
  }
}
