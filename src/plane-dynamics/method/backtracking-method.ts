// Constrained simulation (Hoff, Zaferakis, Lin and Manocha 2001, section 3): bodies never overlap. Each island of near bodies
// moves on its own; where its next state is not free, time is bisected to just before the first contact, the bodies within
// the threshold respond, and the island goes on. Pairs too fast for a test at the end are bracketed by their time of impact.
import { DYNAMIC, KINEMATIC, REMOVED } from '../body/plane-bodies.js';
import { IMPACT_GAP } from '../contact/first-impact.js';
import { Islands } from '../contact/islands.js';
import { KeptVelocities } from '../contact/kept-velocities.js';
import { IMPACT, OVERLAPPING, SENSING } from '../contact/near-pairs.js';
import { OVERLAP } from '../outline/outline-pair.js';
import { TimeOfImpact } from '../outline/time-of-impact.js';
import { ContactStepper } from '../step/contact-stepper.js';
import type { PlaneContext } from '../step/plane-context.js';
import type { PlaneStepMethod } from '../step/plane-step-method.js';

/** Chosen: bisections of an interval. */
const MAX_BISECTIONS = 40;
/** Rounding: bisection ends when the bracket is this share of the interval. */
const BRACKET = 1e-9;
/** Chosen: responses of an island in a substep without progress; then it waits for the next one. */
const MAX_STALLS = 8;
/** Chosen: responses of an island in a substep; then it waits for the next one. */
const MAX_RESPONSES = 64;
/** Chosen: a way to a contact that takes less than this share of a substep is no progress. */
const PROGRESS = 1e-6;
/** Chosen: a free time is halved this often if the impulses of the shorter interval lead into overlap before it. */
const MAX_HALVINGS = 20;

export class PlaneBacktrackingMethod implements PlaneStepMethod {
  /** Responses of the last step. */
  impacts = 0;
  lostTime = 0;
  readonly #context: PlaneContext;
  readonly #stepper: ContactStepper;
  readonly #impact = new TimeOfImpact();
  readonly #islands = new Islands();
  readonly #kept = new KeptVelocities();
  /** The distance below which each pair counts as not free. */
  #least = new Float64Array(16);

  constructor(context: PlaneContext) {
    this.#context = context;
    this.#stepper = new ContactStepper(context);
  }

  step(dt: number): void {
    const { bodies, motion, contacts, joints, substeps, substep } = this.#context;
    this.#stepper.begin(dt);
    this.impacts = 0;
    this.lostTime = 0;
    this.#islands.build(bodies, contacts, joints, false);
    const { root } = this.#islands;
    const start = motion.time;
    try {
      for (let k = 0; k < substeps; k++) {
        const time = start + k * substep;
        let isFirst = true;
        for (let i = 0; i < bodies.count; i++) {
          if (root[i] !== i) continue;
          this.#holdOthers(i, time);
          motion.setTime(time);
          this.#moveIsland(substep);
          isFirst = false;
        }
        if (isFirst) this.#stepper.drift(substep);
        motion.setTime(time + substep);
      }
    } finally {
      bodies.isHeld.fill(0);
    }
    this.#stepper.end(dt);
  }

  /** Holds all bodies but those of an island. Bodies on paths move along with every island, from where they were. */
  #holdOthers(island: number, time: number): void {
    const { bodies, motion } = this.#context;
    const { root } = this.#islands;
    for (let j = 0; j < bodies.count; j++) {
      if (bodies.kind[j] === DYNAMIC) bodies.isHeld[j] = root[j] === island ? 0 : 1;
      else if (bodies.kind[j] === KINEMATIC) motion.placeOnPath(j, time);
    }
  }

  #moveIsland(h: number): void {
    const { bodies } = this.#context;
    const stepper = this.#stepper;
    let left = h;
    let stalls = 0;
    for (let round = 0; round < MAX_RESPONSES && stalls < MAX_STALLS; round++) {
      this.#measureLeast();
      this.#kept.keep(bodies);
      stepper.before(left);
      let time = this.#freeTime(left);
      if (time === left) {
        stepper.drift(left);
        stepper.after(left);
        return;
      }
      this.#kept.restore(bodies);
      if (time > PROGRESS * h) {
        stepper.before(time);
        for (let k = 0; k < MAX_HALVINGS && !this.#isFree(time); k++) time /= 2;
        if (!this.#isFree(time)) time = 0;
        stepper.drift(time);
        stepper.after(time);
        left -= time;
      } else stalls++;
      this.#respond();
    }
    // Nothing may overlap: the island keeps its place, and only its velocities go on.
    this.lostTime += left;
    stepper.before(left);
    stepper.after(left);
  }

  /** Sets the distance below which each pair counts as not free: a small gap, or half of what it has. */
  #measureLeast(): void {
    const { contacts, bodies, query } = this.#context;
    const { pairs } = contacts;
    if (this.#least.length < pairs.count) this.#least = new Float64Array(2 * pairs.count);
    for (let pair = 0; pair < pairs.count; pair++) {
      if (!this.#isOurs(pair)) continue;
      const gap = IMPACT_GAP * pairs.skin[pair];
      if (pairs.open(pair) > gap) {
        this.#least[pair] = gap;
        continue;
      }
      const a = pairs.a[pair];
      const b = pairs.b[pair];
      bodies.place(a);
      bodies.place(b);
      query.measure(bodies.placed[a], bodies.placed[b], 2 * gap);
      this.#least[pair] = Math.min(gap, query.distance / 2);
    }
  }

  /** Whether a pair is kept apart and neither of its bodies is held. */
  #isOurs(pair: number): boolean {
    const { contacts, bodies } = this.#context;
    const { pairs } = contacts;
    const mode = pairs.mode[pair];
    if (mode === SENSING || mode === OVERLAPPING) return false;
    if (bodies.kind[pairs.a[pair]] === REMOVED || bodies.kind[pairs.b[pair]] === REMOVED) return false;
    return !pairs.isHeld(pair);
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
    for (let k = 0; k < MAX_BISECTIONS && high - low > BRACKET * h; k++) {
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
    const { contacts, bodies } = this.#context;
    const { pairs } = contacts;
    let first = -1;
    for (let pair = 0; pair < pairs.count; pair++) {
      if (!this.#isOurs(pair)) continue;
      const motion = pairs.closingBound(pair) * h;
      if (motion < 0.5 * pairs.thickness(pair)) continue;
      if (pairs.open(pair) > motion) continue;
      const time = this.#impact.find(bodies, pairs.a[pair], pairs.b[pair], h, this.#least[pair], pairs.skin[pair]);
      if (time >= 0 && (first < 0 || time < first)) first = time;
    }
    return first;
  }

  /** Whether no pair of the island overlaps after an even motion of a time. */
  #isFree(time: number): boolean {
    const { contacts, bodies, query } = this.#context;
    const { pairs } = contacts;
    for (let pair = 0; pair < pairs.count; pair++) {
      if (!this.#isOurs(pair)) continue;
      const least = this.#least[pair];
      if (pairs.open(pair) - time * pairs.closingBound(pair) > least) continue;
      const a = pairs.a[pair];
      const b = pairs.b[pair];
      bodies.placeAfter(a, time);
      bodies.placeAfter(b, time);
      const state = query.measure(bodies.placed[a], bodies.placed[b], least);
      if (state === OVERLAP || query.distance < least) return false;
    }
    return true;
  }

  /** Resolves impacts at the contacts within the skin. */
  #respond(): void {
    const { contacts, collision, impacts, bounceThreshold } = this.#context;
    const { pairs } = contacts;
    this.impacts++;
    for (let pair = 0; pair < pairs.count; pair++) {
      if (this.#isOurs(pair) && pairs.open(pair) <= pairs.skin[pair]) collision.recollide(pair);
    }
    if (impacts.resolve(bounceThreshold) > bounceThreshold) return;
    for (let pair = 0; pair < pairs.count; pair++) {
      if (!this.#isOurs(pair) || pairs.mode[pair] !== IMPACT) continue;
      if (pairs.distance[pair] <= pairs.skin[pair]) contacts.settle(pair, false);
    }
  }
}
