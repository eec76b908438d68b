// The near pairs of a step with their contacts: found from boxes swept over the step, found again when a blow makes a body
// faster or wakes sleepers, and their contacts when bodies have moved farther than these serve. Says how each pair is kept apart.
import type { PlaneBodies } from '../body/plane-bodies.js';
import { DYNAMIC } from '../body/plane-bodies.js';
import type { OutlineContacts } from '../outline/outline-contacts.js';
import { OVERLAP } from '../outline/outline-pair.js';
import { PlaneBroadPhase } from './broad-phase.js';
import { type ContactSet, STOP } from './contact-set.js';
import { FREE, IMPACT, MET, OVERLAPPING, SENSING, SKIN, SOLVED } from './near-pairs.js';
import { OverlapRecovery } from './overlap-recovery.js';
import type { Sleeping } from './sleeping.js';

/** Chosen: contacts are found anew when their bodies may have moved this far, in skins: features change as bodies move. */
const FRESH = 1;
/** Chosen: how far bodies that overlap by a hair may move in an interval, in skins. */
const SLIDE = 8;
/** Chosen: parts of a substep that bodies which overlap by a hair divide it into. */
const MAX_SLIDES = 16;
/** Chosen: the pairs of a step are found again this often because sleepers woke. */
const MAX_WAKINGS = 8;
/** Chosen: contacts of a pair that was just hit are known within this distance, in skins. */
const HIT_REACH = 4;

/** What a collision pass works on. */
export interface CollisionParts {
  readonly bodies: PlaneBodies;
  readonly contacts: ContactSet;
  readonly query: OutlineContacts;
  readonly sleeping: Sleeping;
  readonly gravity: Float64Array;
  /** The length of a substep, s. */
  readonly substep: number;
  /** The approach above which contacts bounce, m/s. */
  readonly bounceThreshold: number;
}

export class PlaneCollision {
  readonly recovery: OverlapRecovery;
  readonly #parts: CollisionParts;
  readonly #everyContact: boolean;
  readonly #broad = new PlaneBroadPhase();
  /** How far each body may come in the step, and its skin. */
  #margins = new Float64Array(8);
  /** How far each body may have come since the pairs were found. */
  #travel = new Float64Array(8);
  /** The length of the step, s. */
  #dt = 0;

  /** @param everyContact whether every pair moves freely until its time of contact, those too that do not bounce. */
  constructor(parts: CollisionParts, everyContact: boolean) {
    this.#parts = parts;
    this.#everyContact = everyContact;
    this.recovery = new OverlapRecovery(parts.bodies, parts.contacts);
  }

  /** Finds the near pairs and their contacts for a step, and moves bodies that overlap deeply. */
  begin(dt: number): void {
    const { bodies, contacts } = this.#parts;
    const { pairs } = contacts;
    this.#dt = dt;
    bodies.placeAll();
    this.#measureMargins(dt);
    contacts.clear();
    this.#findPairs();
    this.recovery.begin(dt);
    for (const pair of this.recovery.freed) {
      pairs.setMode(pair, SOLVED);
      this.recollide(pair);
      this.#choose(pair, pairs.state[pair], 0);
    }
  }

  /** Before an interval: brings pairs and contacts up to date, and says which contacts rest. */
  follow(h: number): void {
    this.#extend(h);
    this.#refresh(h);
    this.#parts.contacts.classify(this.#parts.bounceThreshold);
  }

  /** Notes how far bodies come in an even motion of a time. */
  drift(h: number): void {
    const { bodies, contacts } = this.#parts;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.asleep[i] === 0 && bodies.isHeld[i] === 0) this.#travel[i] += h * bodies.speedBound(i);
    }
    contacts.pairs.drift(h);
  }

  /** After a step: locates the contacts where the bodies are, and keeps their impulses for the next step. */
  end(): void {
    const { contacts } = this.#parts;
    for (let c = 0; c < contacts.count; c++) if (contacts.kind[c] < STOP) contacts.locate(c);
    contacts.memory.remember(contacts);
  }

  #measureMargins(dt: number): void {
    const { bodies } = this.#parts;
    if (this.#margins.length < bodies.count) {
      this.#margins = new Float64Array(2 * bodies.count);
      this.#travel = new Float64Array(2 * bodies.count);
    }
    this.#travel.fill(0);
    const pull = this.#pull(dt);
    for (let i = 0; i < bodies.count; i++) {
      let speed = bodies.speedBound(i);
      if (bodies.kind[i] === DYNAMIC) {
        speed += pull + Math.hypot(bodies.force[2 * i], bodies.force[2 * i + 1]) * bodies.inverseMass[i] * dt;
      }
      this.#margins[i] = speed * dt + 2 * SKIN * bodies.outlines[i].reach;
    }
  }

  /** The speed that gravity gives in a time. */
  #pull(dt: number): number {
    const { gravity } = this.#parts;
    return Math.hypot(gravity[0], gravity[1]) * dt;
  }

  #addPair(key: number, dt: number): void {
    const { contacts, query } = this.#parts;
    const { pairs } = contacts;
    const pair = contacts.addPair(PlaneBroadPhase.first(key), PlaneBroadPhase.second(key), key);
    const motion = (pairs.closingBound(pair) + this.#pull(dt)) * dt;
    const state = contacts.collide(pair, query, 2 * pairs.skin[pair] + motion);
    this.#choose(pair, state, motion);
  }

  /** Finds pairs anew if a blow has made a body faster than it was at the beginning of the step. */
  #extend(h: number): void {
    const { bodies } = this.#parts;
    let isLeft = false;
    for (let i = 0; i < bodies.count && !isLeft; i++) {
      if (bodies.kind[i] !== DYNAMIC || bodies.asleep[i] !== 0 || bodies.isHeld[i] !== 0) continue;
      isLeft = this.#travel[i] + h * bodies.speedBound(i) > this.#margins[i];
    }
    if (!isLeft) return;
    bodies.placeAll();
    this.#measureMargins(this.#dt);
    this.#findPairs();
  }

  /** Adds the near pairs that are new; where they wake sleepers, those of the sleepers too. */
  #findPairs(): void {
    const { bodies, contacts, sleeping } = this.#parts;
    const { pairs } = contacts;
    const broad = this.#broad;
    for (let round = 0; round < MAX_WAKINGS; round++) {
      broad.find(bodies, this.#margins);
      const known = pairs.count;
      for (let n = 0; n < broad.count; n++) {
        if (known === 0 || !pairs.has(broad.pairs[n])) this.#addPair(broad.pairs[n], this.#dt);
      }
      if (known > 0 && pairs.count > known) pairs.extend();
      if (!sleeping.wakeTouched()) return;
    }
  }

  /** Says how a pair is kept apart, by its state and by how far its bodies may close in during the step. */
  #choose(pair: number, state: number, motion: number): void {
    const { pairs } = this.#parts.contacts;
    if (pairs.mode[pair] === SENSING) return;
    if (state === OVERLAP && !this.recovery.isShallow(pair)) {
      pairs.setMode(pair, OVERLAPPING);
      return;
    }
    pairs.setBounces(pair, this.#everyContact || pairs.restitution[pair] > 0);
    if (state === OVERLAP || motion <= pairs.thickness(pair) / 2) return;
    pairs.letFly(pair);
  }

  /** Whether the bodies of a pair could pass through each other in a step at their present velocities. */
  isFast(pair: number): boolean {
    const { pairs } = this.#parts.contacts;
    return pairs.closingBound(pair) * this.#dt > pairs.thickness(pair) / 2;
  }

  /**
   * The longest interval in which no pair that the solver keeps apart can pass through itself, and none that overlaps by a
   * hair slides far over features that its contacts do not know.
   */
  safeSpan(most: number): number {
    const { pairs } = this.#parts.contacts;
    let span = most;
    for (let pair = 0; pair < pairs.count; pair++) {
      const isSlight = pairs.state[pair] === OVERLAP && pairs.mode[pair] <= IMPACT;
      if (pairs.fast[pair] !== MET && !isSlight) continue;
      const bound = pairs.closingBound(pair);
      let safe = pairs.thickness(pair) / 2;
      if (isSlight) {
        safe = Math.max(Math.min(safe, SLIDE * pairs.skin[pair]), (bound * this.#parts.substep) / MAX_SLIDES);
      } else safe += Math.max(0, pairs.open(pair));
      if (bound * span > safe) span = safe / bound;
    }
    return span;
  }

  /** Finds contacts anew where bodies may come farther than they are known for. */
  #refresh(h: number): void {
    const { contacts, bodies, query } = this.#parts;
    const { pairs } = contacts;
    for (let pair = 0; pair < pairs.count; pair++) {
      if (pairs.mode[pair] > IMPACT || pairs.fast[pair] === FREE) continue;
      const motion = h * pairs.closingBound(pair);
      const skin = pairs.skin[pair];
      if (pairs.open(pair) - motion > skin) continue;
      const serves = Math.min(pairs.reach[pair] - skin, FRESH * skin);
      if (pairs.moved[pair] + motion <= serves) continue;
      if (pairs.moved[pair] === 0 && pairs.reach[pair] >= 2 * skin + motion) continue;
      bodies.place(pairs.a[pair]);
      bodies.place(pairs.b[pair]);
      contacts.collide(pair, query, 2 * skin + 2 * motion);
    }
  }

  /** Finds the contacts of a pair where it is now. */
  recollide(pair: number): void {
    const { contacts, bodies, query } = this.#parts;
    const { pairs } = contacts;
    bodies.place(pairs.a[pair]);
    bodies.place(pairs.b[pair]);
    contacts.collide(pair, query, HIT_REACH * pairs.skin[pair]);
  }
}
