// What the methods of a world in the plane share: forces in two halves around an even motion (exact under constant force,
// second order otherwise), the near pairs with their contacts, joints, and the solves before and after the motion.
import { PlaneBroadPhase } from './contact/broad-phase.js';
import { ContactSet, FREE, IMPACT, MET, OVERLAPPING, SENSING, SKIN, SOLVED } from './contact/contact-set.js';
import { ContactSolver } from './contact/contact-solver.js';
import { ImpactSolver } from './contact/impact-solver.js';
import { OutlineContacts } from './outline/outline-contacts.js';
import { OVERLAP } from './outline/outline-pair.js';
import { TimeOfImpact } from './outline/time-of-impact.js';
import { OverlapRecovery } from './overlap-recovery.js';
import type { ElasticRing } from './penalty/elastic-ring.js';
import { PenaltyForces } from './penalty/penalty-forces.js';
import { DYNAMIC, KINEMATIC, PlaneBodies } from './plane-bodies.js';
import type { PlaneGrab } from './plane-grab.js';
import type { PlaneJoint } from './plane-joints.js';

/** The solver ends when a round changes no speed by more than these, m/s, and contacts by a share of the first round. */
const MOST_ROUNDS = 30;
const MOST_JOINT_ROUNDS = 60;
/** Where bodies would be squeezed into each other, the solver goes on. */
const MOST_SQUEEZED_ROUNDS = 1000;
/** How often a solve is repeated for what turning does to the gaps. */
const MOST_CORRECTIONS = 3;
const JOINT_ERROR = 1e-10;
const CONTACT_ERROR = 1e-6;
const CONTACT_SHARE = 1e-3;
/** Contacts are found anew when their bodies may have moved this far, in skins. */
const FRESH = 1;
/** How far bodies that overlap by a hair may move in an interval, in skins. */
const SLIDE = 8;
/** How often the pairs of a step are found again because sleepers woke. */
const WAKINGS = 8;
/** How near to zero impacts are resolved, in skins. */
export const IMPACT_GAP = 1e-3;

export class PlaneEngine {
  readonly bodies = new PlaneBodies();
  readonly joints: PlaneJoint[] = [];
  readonly grabs: PlaneGrab[] = [];
  readonly contacts = new ContactSet(this.bodies);
  readonly solver = new ContactSolver(this.contacts);
  readonly broad = new PlaneBroadPhase();
  readonly query = new OutlineContacts();
  readonly impact = new TimeOfImpact();
  readonly impacts = new ImpactSolver(this.bodies, this.contacts, this.solver, this.joints);
  readonly recovery = new OverlapRecovery(this.bodies, this.contacts);
  /** Soft bodies by number; null for rigid ones. */
  readonly rings: (ElasticRing | null)[] = [];
  readonly penalty: PenaltyForces;
  /** Whether contacts are found and solved; springs alone act otherwise. */
  hasContacts = true;
  /** Whether springs act at all, and whether they act between rigid bodies too. */
  hasElastic = false;
  onlyElastic = true;
  readonly gravity = new Float64Array(2);
  /** Seconds since the world was made, within a step too. */
  time = 0;
  #margins = new Float64Array(8);
  #lastH = 0;
  #phaseH = 0;
  #threshold = 0;
  #dt = 0;
  /** How far each body may have come since the pairs were found. */
  #travel = new Float64Array(8);

  /** @param spacing of the samples of penalty forces, in sizes of a body. */
  constructor(spacing: number) {
    this.penalty = new PenaltyForces(this.bodies, this.rings, spacing);
  }

  /**
   * Places the bodies, finds the near pairs and their contacts for a step, and says how each pair is kept apart.
   * @param substep the length of a substep.
   * @param threshold the approach from which contacts bounce.
   */
  beginStep(dt: number, substep: number, threshold: number): void {
    this.solver.substep = substep;
    this.#threshold = threshold;
    this.#dt = dt;
    const { bodies, contacts } = this;
    bodies.placeAll();
    this.#aim(dt);
    this.#measureMargins(dt);
    contacts.clear();
    this.#findPairs();
    this.recovery.begin(dt);
    for (const pair of this.recovery.freed) {
      contacts.pairMode[pair] = SOLVED;
      this.recollide(pair);
      this.#choose(pair, contacts.pairState[pair], 0);
    }
  }

  /** How far each body may come in a time at the present velocities, and its skin. */
  #measureMargins(dt: number): void {
    const { bodies } = this;
    if (this.#margins.length < bodies.count) {
      this.#margins = new Float64Array(2 * bodies.count);
      this.#travel = new Float64Array(2 * bodies.count);
    }
    this.#travel.fill(0);
    const pull = Math.hypot(this.gravity[0], this.gravity[1]) * dt;
    for (let i = 0; i < bodies.count; i++) {
      let speed = this.#speedOf(i);
      if (bodies.kind[i] === DYNAMIC) {
        speed += pull + Math.hypot(bodies.force[2 * i], bodies.force[2 * i + 1]) * bodies.inverseMass[i] * dt;
      }
      this.#margins[i] = speed * dt + 2 * SKIN * bodies.outlines[i].reach;
    }
  }

  /** The greatest speed of a point of a body. */
  #speedOf(i: number): number {
    const { velocity, spin, outlines } = this.bodies;
    return Math.hypot(velocity[2 * i], velocity[2 * i + 1]) + Math.abs(spin[i]) * outlines[i].turnReach;
  }

  #addPair(key: number, dt: number): void {
    const { contacts } = this;
    const pair = contacts.addPair(PlaneBroadPhase.first(key), PlaneBroadPhase.second(key), key);
    const pull = Math.hypot(this.gravity[0], this.gravity[1]) * dt;
    const motion = (contacts.closingBound(pair) + pull) * dt;
    const state = contacts.collide(pair, this.query, 2 * contacts.pairSkin[pair] + motion);
    this.#choose(pair, state, motion);
  }

  /** Finds pairs anew if a blow has made a body faster than it was at the beginning of the step. */
  #extend(h: number): void {
    const { bodies } = this;
    let isLeft = false;
    for (let i = 0; i < bodies.count && !isLeft; i++) {
      if (bodies.kind[i] !== DYNAMIC || bodies.asleep[i] !== 0 || bodies.isHeld[i] !== 0) continue;
      isLeft = this.#travel[i] + h * this.#speedOf(i) > this.#margins[i];
    }
    if (!isLeft) return;
    bodies.placeAll();
    this.#measureMargins(this.#dt);
    this.#findPairs();
  }

  /** Adds the near pairs that are not there yet; where they wake sleepers, those of the sleepers too. */
  #findPairs(): void {
    const { bodies, contacts, broad } = this;
    for (let round = 0; round < WAKINGS; round++) {
      broad.find(bodies, this.#margins);
      const known = contacts.pairCount;
      for (let n = 0; n < broad.count; n++) {
        if (known === 0 || !contacts.hasPair(broad.pairs[n])) this.#addPair(broad.pairs[n], this.#dt);
      }
      if (known > 0 && contacts.pairCount > known) contacts.isExtended = true;
      if (!this.onReady()) return;
    }
  }

  /** Called when near pairs are known. Returns whether that woke bodies. */
  onReady: () => boolean = () => false;

  /** Whether every pair moves freely until its time of contact, also those that do not bounce. */
  everyContact = false;

  #choose(pair: number, state: number, motion: number): void {
    const { contacts } = this;
    if (contacts.pairMode[pair] === SENSING) return;
    if (state === OVERLAP && !this.recovery.isShallow(pair)) {
      contacts.pairMode[pair] = OVERLAPPING;
      return;
    }
    contacts.pairBounces[pair] = this.everyContact || contacts.pairRestitution[pair] > 0 ? 1 : 0;
    if (state === OVERLAP || motion <= this.#thickness(pair) / 2) return;
    contacts.pairFast[pair] = FREE;
    contacts.pairMode[pair] = IMPACT;
  }

  #thickness(pair: number): number {
    const { outlines } = this.bodies;
    const { pairA, pairB } = this.contacts;
    return Math.min(outlines[pairA[pair]].thickness, outlines[pairB[pair]].thickness);
  }

  /** Whether the bodies of a pair could pass through each other in a step at their present velocities. */
  isFast(pair: number): boolean {
    return this.contacts.closingBound(pair) * this.#dt > this.#thickness(pair) / 2;
  }

  /**
   * The longest interval in which no pair that the solver keeps apart can pass through itself, and none that overlaps by a
   * hair slides far over features that its contacts do not know.
   */
  safeSpan(most: number): number {
    const { contacts } = this;
    let span = most;
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      const isSlight = contacts.pairState[pair] === OVERLAP && contacts.pairMode[pair] <= IMPACT;
      if (contacts.pairFast[pair] !== MET && !isSlight) continue;
      const bound = contacts.closingBound(pair);
      let safe = this.#thickness(pair) / 2;
      if (isSlight)
        safe = Math.max(Math.min(safe, SLIDE * contacts.pairSkin[pair]), (bound * this.solver.substep) / 16);
      else safe += Math.max(0, contacts.pairDistance[pair] - contacts.pairMoved[pair]);
      if (bound * span > safe) span = safe / bound;
    }
    return span;
  }

  /** Gives bodies on paths the velocities that bring them to where they are h later. */
  #aim(h: number): void {
    const { bodies } = this;
    for (let i = 0; i < bodies.count; i++) {
      const path = bodies.paths[i];
      if (bodies.kind[i] !== KINEMATIC || path === null) continue;
      path.moveTo(this.time + h);
      bodies.velocity[2 * i] = (path.x - bodies.center[2 * i]) / h;
      bodies.velocity[2 * i + 1] = (path.y - bodies.center[2 * i + 1]) / h;
      bodies.spin[i] = (path.angle - bodies.angle[i]) / h;
    }
  }

  /** Forces for a time. */
  kick(h: number): void {
    const { bodies, gravity } = this;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.kind[i] !== DYNAMIC || bodies.asleep[i] !== 0 || bodies.isHeld[i] !== 0) continue;
      bodies.velocity[2 * i] += h * (gravity[0] + bodies.inverseMass[i] * bodies.force[2 * i]);
      bodies.velocity[2 * i + 1] += h * (gravity[1] + bodies.inverseMass[i] * bodies.force[2 * i + 1]);
      bodies.spin[i] += h * bodies.inverseInertia[i] * bodies.torque[i];
    }
    for (const grab of this.grabs) if (bodies.isHeld[grab.body] === 0) grab.pull(bodies, h);
    for (const ring of this.rings) ring?.kick(h, gravity[0], gravity[1]);
    if (this.hasElastic) this.penalty.kick(h);
  }

  /** Even motion for a time; contacts remember how far their bodies may have come. */
  drift(h: number): void {
    const { bodies, contacts } = this;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.asleep[i] !== 0 || bodies.isHeld[i] !== 0) continue;
      bodies.center[2 * i] += h * bodies.velocity[2 * i];
      bodies.center[2 * i + 1] += h * bodies.velocity[2 * i + 1];
      if (bodies.spin[i] !== 0) bodies.turn(i, bodies.angle[i] + h * bodies.spin[i]);
      this.#travel[i] += h * this.#speedOf(i);
    }
    for (let pair = 0; pair < contacts.pairCount; pair++) contacts.pairMoved[pair] += h * contacts.closingBound(pair);
    this.time += h;
    if (!this.hasElastic) return;
    for (const ring of this.rings) ring?.drift(h);
    this.findForces();
  }

  /** Soft bodies: the forces of their chains and of what they touch, where everything is now. */
  findForces(): void {
    for (const ring of this.rings) ring?.evaluate();
    this.penalty.evaluate(this.onlyElastic);
  }

  /** First half of the forces of an interval, and the impulses that make the motion over it possible. */
  before(h: number): void {
    this.#aim(h);
    this.kick(h / 2);
    if (this.hasContacts) {
      this.#extend(h);
      this.#refresh(h);
      this.contacts.classify(this.#threshold);
    }
    const warmth = this.#lastH > 0 ? Math.min(1, h / this.#lastH) : 0;
    this.#phaseH = h;
    this.solver.prepare(h, true, true, warmth);
    for (const joint of this.joints) if (joint.isFree(this.bodies)) joint.begin(this.bodies, warmth);
    this.#rounds(h, h);
    for (let k = 0; k < MOST_CORRECTIONS && this.solver.correct(h); k++) this.#rounds(h, h);
  }

  /** Second half of the forces, and the impulses that make the velocities agree with contacts and joints. */
  after(h: number): void {
    this.kick(h / 2);
    const warmth = this.#lastH > 0 ? Math.min(1, h / this.#lastH) : 0;
    this.solver.prepare(h, false, false, warmth);
    for (const joint of this.joints) if (joint.isFree(this.bodies)) joint.begin(this.bodies, 1);
    this.#rounds(0, h);
    this.solver.finish();
    this.#lastH = this.#phaseH;
  }

  /** Solves joints and contacts in turn until neither changes speeds any more. */
  #rounds(h: number, weight: number): void {
    const { joints, solver, bodies } = this;
    let enough = 0;
    const most = joints.length > 0 ? MOST_JOINT_ROUNDS : MOST_ROUNDS;
    for (let round = 0; round < MOST_SQUEEZED_ROUNDS; round++) {
      let jointChange = 0;
      for (let k = 0; k < joints.length; k++) {
        if (joints[k].isFree(bodies)) jointChange = Math.max(jointChange, joints[k].solve(bodies, h, weight / 2));
      }
      const change = solver.solve();
      if (round === 0) enough = CONTACT_SHARE * change + CONTACT_ERROR;
      if (round > 0 && change <= enough && jointChange < JOINT_ERROR) break;
      if (round + 1 >= most && (h === 0 || (round % 16 === 0 && !solver.isSqueezed(h)))) break;
    }
  }

  /** Finds contacts anew where bodies may come further than they are known for. */
  #refresh(h: number): void {
    const { contacts, bodies } = this;
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      if (contacts.pairMode[pair] > IMPACT || contacts.pairFast[pair] === FREE) continue;
      const motion = h * contacts.closingBound(pair);
      const skin = contacts.pairSkin[pair];
      const open = contacts.pairDistance[pair] - contacts.pairMoved[pair];
      if (open - motion > skin) continue;
      // Features change as bodies move: contacts serve a small part of the size.
      const serves = Math.min(contacts.pairReach[pair] - skin, FRESH * skin);
      if (contacts.pairMoved[pair] + motion <= serves) continue;
      if (contacts.pairMoved[pair] === 0 && contacts.pairReach[pair] >= 2 * skin + motion) continue;
      bodies.place(contacts.pairA[pair]);
      bodies.place(contacts.pairB[pair]);
      contacts.collide(pair, this.query, 2 * skin + 2 * motion);
    }
  }

  /**
   * The first time within h at which a pair that is to bounce, or is too fast, comes to touch at the present velocities.
   * @returns the time, or -1; `hit` has the pair.
   */
  firstImpact(h: number): number {
    const { contacts } = this;
    let first = -1;
    this.hit = -1;
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      const mode = contacts.pairMode[pair];
      if (mode > IMPACT) continue;
      const duration = first < 0 ? h : first;
      const open = contacts.pairDistance[pair] - contacts.pairMoved[pair];
      const motion = duration * contacts.closingBound(pair);
      const skin = contacts.pairSkin[pair];
      if (open > motion + skin) continue;
      if (mode !== IMPACT && (motion < skin / 2 || !this.#failsToHold(pair, duration))) continue;
      // Pairs that the solver did not hold stop within the skin, where it does.
      const gap = mode === IMPACT ? IMPACT_GAP * skin : skin / 4;
      const time = this.impact.find(this.bodies, contacts.pairA[pair], contacts.pairB[pair], duration, gap, skin);
      if (mode !== IMPACT && time === 0) continue;
      if (time < 0 || (first >= 0 && time >= first)) continue;
      first = time;
      this.hit = pair;
    }
    return first;
  }

  /** Whether a pair that the solver is to keep apart overlaps after a time, but not now. */
  #failsToHold(pair: number, time: number): boolean {
    const { contacts, bodies, query } = this;
    if (contacts.pairState[pair] === OVERLAP) return false;
    const a = contacts.pairA[pair];
    const b = contacts.pairB[pair];
    bodies.placeAfter(a, time);
    bodies.placeAfter(b, time);
    if (!query.overlaps(bodies.placed[a], bodies.placed[b])) return false;
    bodies.place(a);
    bodies.place(b);
    return !query.overlaps(bodies.placed[a], bodies.placed[b]);
  }

  /** The pair that {@link firstImpact} found. */
  hit = -1;

  /** Finds the contacts of a pair where it is now. */
  recollide(pair: number): void {
    const { contacts, bodies } = this;
    bodies.place(contacts.pairA[pair]);
    bodies.place(contacts.pairB[pair]);
    contacts.collide(pair, this.query, 4 * contacts.pairSkin[pair]);
  }

  endStep(): void {
    const { contacts, bodies } = this;
    for (let c = 0; c < contacts.count; c++) if (contacts.kind[c] < 3) contacts.locate(c);
    for (let i = 0; i < bodies.count; i++) {
      const path = bodies.paths[i];
      if (path === null || bodies.kind[i] !== KINEMATIC) continue;
      // Where the path says, without the rounding of the way there.
      path.moveTo(this.time);
      bodies.center[2 * i] = path.x;
      bodies.center[2 * i + 1] = path.y;
      bodies.turn(i, path.angle);
    }
    contacts.memory.remember(contacts);
    bodies.force.fill(0);
    bodies.torque.fill(0);
  }

  /** What the next step takes from the last ones, as numbers. */
  save(): number[] {
    return [this.#lastH, ...this.contacts.memory.save()];
  }

  load(from: Float64Array, at: number): number {
    this.#lastH = from[at];
    this.contacts.clear();
    return 1 + this.contacts.memory.load(from, at + 1);
  }
}
