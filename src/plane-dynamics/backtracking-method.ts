// Constrained simulation (Hoff, Zaferakis, Lin and Manocha 2001, section 3): bodies never overlap. Each island of near bodies
// moves on its own; where its next state is not free, time is bisected to just before the first contact, the bodies within
// the threshold respond, and the island goes on. Pairs too fast for a test at the end are bracketed by their time of impact.
import { IMPACT, OVERLAPPING, SENSING } from './contact/contact-set.js';
import { Islands } from './contact/islands.js';
import { KeptVelocities } from './kept-velocities.js';
import { OVERLAP } from './outline/outline-pair.js';
import { DYNAMIC, KINEMATIC, REMOVED } from './plane-bodies.js';
import { IMPACT_GAP, type PlaneEngine } from './plane-engine.js';

const BISECTIONS = 40;
/** Responses of an island in a substep without progress; then it waits for the next one. */
const MOST_STALLS = 8;
const MOST_RESPONSES = 64;

export class PlaneBacktrackingMethod {
  /** Responses of the last step. */
  impacts = 0;
  /** Seconds of motion that crowded islands have given up, summed over islands. */
  lostTime = 0;
  readonly #islands = new Islands();
  readonly #kept = new KeptVelocities();
  #least = new Float64Array(16);

  constructor(
    readonly engine: PlaneEngine,
    readonly substeps: number,
  ) {}

  step(dt: number): void {
    const { engine } = this;
    const { bodies } = engine;
    const h = dt / this.substeps;
    const threshold = 2 * h * Math.hypot(engine.gravity[0], engine.gravity[1]) + 1e-9;
    engine.beginStep(dt, h, threshold);
    this.impacts = 0;
    this.#islands.build(bodies, engine.contacts, engine.joints, false);
    const { root } = this.#islands;
    const start = engine.time;
    for (let k = 0; k < this.substeps; k++) {
      const time = start + k * h;
      let isFirst = true;
      for (let i = 0; i < bodies.count; i++) {
        if (root[i] !== i) continue;
        for (let j = 0; j < bodies.count; j++) {
          // Bodies on paths move along with every island, from where they were.
          if (bodies.kind[j] === DYNAMIC) bodies.isHeld[j] = root[j] === i ? 0 : 1;
          else if (bodies.kind[j] === KINEMATIC) this.#rewind(j, time);
        }
        engine.time = time;
        this.#moveIsland(h, threshold);
        isFirst = false;
      }
      if (isFirst) engine.drift(h);
      engine.time = time + h;
    }
    bodies.isHeld.fill(0);
    engine.endStep();
  }

  #rewind(i: number, time: number): void {
    const { bodies } = this.engine;
    const path = bodies.paths[i];
    if (path === null) return;
    path.moveTo(time);
    bodies.center[2 * i] = path.x;
    bodies.center[2 * i + 1] = path.y;
    bodies.turn(i, path.angle);
  }

  #moveIsland(h: number, threshold: number): void {
    const { engine } = this;
    let left = h;
    let stalls = 0;
    for (let round = 0; round < MOST_RESPONSES && stalls < MOST_STALLS; round++) {
      this.#measureLeast();
      this.#kept.keep(engine.bodies);
      engine.before(left);
      let time = this.#freeTime(left);
      if (time === left) {
        engine.drift(left);
        engine.after(left);
        return;
      }
      this.#kept.restore(engine.bodies);
      if (time > 1e-6 * h) {
        engine.before(time);
        for (let k = 0; k < 20 && !this.#isFree(time); k++) time /= 2;
        if (!this.#isFree(time)) time = 0;
        engine.drift(time);
        engine.after(time);
        left -= time;
      } else stalls++;
      this.#respond(threshold);
    }
    // Nothing may overlap: the island keeps its place, and only its velocities go on.
    this.lostTime += left;
    engine.before(left);
    engine.after(left);
  }

  /** The distance below which each pair counts as not free: a small gap, or half of what it has. */
  #measureLeast(): void {
    const { contacts, bodies, query } = this.engine;
    if (this.#least.length < contacts.pairCount) this.#least = new Float64Array(2 * contacts.pairCount);
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      if (!this.#isOurs(pair)) continue;
      const gap = IMPACT_GAP * contacts.pairSkin[pair];
      const open = contacts.pairDistance[pair] - contacts.pairMoved[pair];
      if (open > gap) {
        this.#least[pair] = gap;
        continue;
      }
      const a = contacts.pairA[pair];
      const b = contacts.pairB[pair];
      bodies.place(a);
      bodies.place(b);
      query.measure(bodies.placed[a], bodies.placed[b], 2 * gap);
      this.#least[pair] = Math.min(gap, query.distance / 2);
    }
  }

  #isOurs(pair: number): boolean {
    const { contacts, bodies } = this.engine;
    const mode = contacts.pairMode[pair];
    if (mode === SENSING || mode === OVERLAPPING) return false;
    const a = contacts.pairA[pair];
    const b = contacts.pairB[pair];
    if (bodies.kind[a] === REMOVED || bodies.kind[b] === REMOVED) return false;
    return bodies.isHeld[a] === 0 && bodies.isHeld[b] === 0;
  }

  /** The last time found free by bisection between now and an interval's end. */
  #freeTime(h: number): number {
    let high = h;
    if (this.#isFree(h)) {
      high = this.#fastImpact(h);
      if (high < 0) return h;
    }
    let low = 0;
    if (this.#isFree(high)) return high;
    for (let k = 0; k < BISECTIONS && high - low > 1e-9 * h; k++) {
      const middle = (low + high) / 2;
      if (this.#isFree(middle)) low = middle;
      else high = middle;
    }
    // A free state between may lie behind a contact: not for pairs that move less than their thickness.
    const first = this.#fastImpact(low);
    return first >= 0 && first < low ? first : low;
  }

  /** The first certified contact of pairs that could pass through each other, or -1. */
  #fastImpact(h: number): number {
    const { contacts, bodies, impact } = this.engine;
    let first = -1;
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      if (!this.#isOurs(pair)) continue;
      const a = contacts.pairA[pair];
      const b = contacts.pairB[pair];
      const motion = contacts.closingBound(pair) * h;
      if (motion < 0.5 * Math.min(bodies.outlines[a].thickness, bodies.outlines[b].thickness)) continue;
      if (contacts.pairDistance[pair] - contacts.pairMoved[pair] > motion) continue;
      const time = impact.find(bodies, a, b, h, this.#least[pair], contacts.pairSkin[pair]);
      if (time >= 0 && (first < 0 || time < first)) first = time;
    }
    return first;
  }

  /** Whether no pair of the island overlaps after an even motion of a time. */
  #isFree(time: number): boolean {
    const { contacts, bodies, query } = this.engine;
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      if (!this.#isOurs(pair)) continue;
      const least = this.#least[pair];
      const open = contacts.pairDistance[pair] - contacts.pairMoved[pair];
      if (open - time * contacts.closingBound(pair) > least) continue;
      const a = contacts.pairA[pair];
      const b = contacts.pairB[pair];
      bodies.placeAfter(a, time);
      bodies.placeAfter(b, time);
      const state = query.measure(bodies.placed[a], bodies.placed[b], least);
      if (state === OVERLAP || query.distance < least) return false;
    }
    return true;
  }

  /** Impulses at the contacts within the threshold. */
  #respond(threshold: number): void {
    const { engine } = this;
    const { contacts } = engine;
    this.impacts++;
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      if (!this.#isOurs(pair)) continue;
      const open = contacts.pairDistance[pair] - contacts.pairMoved[pair];
      if (open > contacts.pairSkin[pair]) continue;
      engine.recollide(pair);
    }
    const approach = engine.impacts.resolve(threshold);
    if (approach > threshold) return;
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      if (!this.#isOurs(pair) || contacts.pairMode[pair] !== IMPACT) continue;
      if (contacts.pairDistance[pair] <= contacts.pairSkin[pair]) contacts.settle(pair, false);
    }
  }
}
