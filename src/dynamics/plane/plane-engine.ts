// What the methods of a world in the plane share: forces in two halves around an even motion (exact under constant force,
// second order otherwise), the near pairs with their contacts, joints, and the solves before and after the motion.
import { PlaneBroadPhase } from './broad-phase.js';
import { ContactSet, IMPACT, OVERLAPPING, SENSING, SKIN } from './contact-set.js';
import type { ElasticRing } from './elastic-ring.js';
import { ImpactSolver } from './impact-solver.js';
import { OutlinePair, OVERLAP } from './outline-pair.js';
import { OverlapRecovery } from './overlap-recovery.js';
import { PenaltyForces } from './penalty-forces.js';
import { DYNAMIC, KINEMATIC, PlaneBodies } from './plane-bodies.js';
import type { PlaneGrab } from './plane-grab.js';
import type { PlaneJoint } from './plane-joints.js';
import { TimeOfImpact } from './time-of-impact.js';

/** The solver ends when a round changes no speed by more than these, m/s, and contacts by a share of the first round. */
const MOST_ROUNDS = 60;
const JOINT_ERROR = 1e-10;
const CONTACT_ERROR = 1e-7;
const CONTACT_SHARE = 1e-3;
/** How near to zero impacts are resolved, in skins. */
export const IMPACT_GAP = 1e-3;

export class PlaneEngine {
  readonly bodies = new PlaneBodies();
  readonly joints: PlaneJoint[] = [];
  readonly grabs: PlaneGrab[] = [];
  readonly contacts = new ContactSet(this.bodies);
  readonly broad = new PlaneBroadPhase();
  readonly query = new OutlinePair();
  readonly impact = new TimeOfImpact();
  readonly impacts = new ImpactSolver(this.bodies, this.contacts, this.joints);
  readonly recovery = new OverlapRecovery(this.bodies, this.contacts);
  /** Soft bodies by number; null for rigid ones. */
  readonly rings: (ElasticRing | null)[] = [];
  readonly penalty: PenaltyForces;
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

  /** @param spacing of the samples of penalty forces, in sizes of a body. */
  constructor(spacing: number) {
    this.penalty = new PenaltyForces(this.bodies, this.rings, spacing);
  }

  /**
   * Places the bodies, finds the near pairs and their contacts for a step, and says how each pair is kept apart.
   * @param threshold the approach from which contacts bounce.
   */
  beginStep(dt: number, threshold: number): void {
    this.#threshold = threshold;
    const { bodies, contacts, broad } = this;
    bodies.placeAll();
    this.#aim(dt);
    if (this.#margins.length < bodies.count) this.#margins = new Float64Array(2 * bodies.count);
    const pull = Math.hypot(this.gravity[0], this.gravity[1]) * dt;
    for (let i = 0; i < bodies.count; i++) {
      const outline = bodies.outlines[i];
      const speed = Math.hypot(bodies.velocity[2 * i], bodies.velocity[2 * i + 1]);
      const pulled =
        bodies.kind[i] === DYNAMIC
          ? pull + Math.hypot(bodies.force[2 * i], bodies.force[2 * i + 1]) * bodies.inverseMass[i] * dt
          : 0;
      this.#margins[i] =
        (speed + pulled + Math.abs(bodies.spin[i]) * outline.turnReach) * dt + 2 * SKIN * outline.reach;
    }
    broad.find(bodies, this.#margins);
    contacts.clear();
    for (let n = 0; n < broad.count; n++) {
      const key = broad.pairs[n];
      const a = PlaneBroadPhase.first(key);
      const b = PlaneBroadPhase.second(key);
      const pair = contacts.addPair(a, b, key);
      const skin = contacts.pairSkin[pair];
      const motion = (contacts.closingBound(pair) + pull) * dt;
      const state = contacts.collide(pair, this.query, 2 * skin + motion);
      this.#choose(pair, state, motion);
    }
    this.onReady();
    this.recovery.begin(dt);
  }

  /** Called when the near pairs of a step are known. */
  onReady: () => void = () => {};

  /** Whether every pair moves freely until its time of contact, also those that do not bounce. */
  everyContact = false;

  #choose(pair: number, state: number, motion: number): void {
    const { contacts, bodies } = this;
    if (contacts.pairMode[pair] === SENSING) return;
    if (state === OVERLAP && !this.recovery.isShallow(pair)) {
      contacts.pairMode[pair] = OVERLAPPING;
      return;
    }
    const thickness = Math.min(
      bodies.outlines[contacts.pairA[pair]].thickness,
      bodies.outlines[contacts.pairB[pair]].thickness,
    );
    contacts.pairBounces[pair] = this.everyContact || contacts.pairRestitution[pair] > 0 ? 1 : 0;
    if (state === OVERLAP || motion <= thickness / 2) return;
    contacts.pairFast[pair] = 1;
    contacts.pairMode[pair] = IMPACT;
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
    this.contacts.classify(this.#threshold);
    this.kick(h / 2);
    const warmth = this.#lastH > 0 ? Math.min(1, h / this.#lastH) : 0;
    this.#phaseH = h;
    this.contacts.prepare(h, true, true, warmth);
    for (const joint of this.joints) if (joint.isFree(this.bodies)) joint.begin(this.bodies, warmth);
    this.#rounds(h, h);
    if (this.#refresh(h)) {
      this.contacts.classify(this.#threshold);
      this.contacts.prepare(h, true, true, 0);
      this.#rounds(h, h);
    }
  }

  /** Second half of the forces, and the impulses that make the velocities agree with contacts and joints. */
  after(h: number): void {
    this.kick(h / 2);
    const warmth = this.#lastH > 0 ? Math.min(1, h / this.#lastH) : 0;
    this.contacts.prepare(h, false, false, warmth);
    for (const joint of this.joints) if (joint.isFree(this.bodies)) joint.begin(this.bodies, 1);
    this.#rounds(0, h);
    this.contacts.finish();
    this.#lastH = this.#phaseH;
  }

  /** Solves joints and contacts in turn until neither changes speeds any more. */
  #rounds(h: number, weight: number): void {
    const { joints, contacts, bodies } = this;
    let enough = 0;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      let jointChange = 0;
      for (let k = 0; k < joints.length; k++) {
        if (joints[k].isFree(bodies)) jointChange = Math.max(jointChange, joints[k].solve(bodies, h, weight / 2));
      }
      const change = contacts.solve();
      if (round === 0) enough = CONTACT_SHARE * change + CONTACT_ERROR;
      if (round > 0 && change <= enough && jointChange < JOINT_ERROR) break;
    }
  }

  /** Finds contacts anew where bodies may come further than they are known for. */
  #refresh(h: number): boolean {
    const { contacts, bodies } = this;
    let isChanged = false;
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      if (contacts.pairMode[pair] > IMPACT || contacts.pairFast[pair] !== 0) continue;
      const motion = h * contacts.closingBound(pair);
      const skin = contacts.pairSkin[pair];
      if (contacts.pairMoved[pair] + motion <= contacts.pairReach[pair] - skin) continue;
      if (contacts.pairDistance[pair] > contacts.pairReach[pair]) {
        // Boxes alone said how far they are apart.
        if (contacts.pairMoved[pair] + motion <= contacts.pairDistance[pair] - skin) continue;
      }
      bodies.place(contacts.pairA[pair]);
      bodies.place(contacts.pairB[pair]);
      contacts.collide(pair, this.query, 2 * skin + 2 * motion);
      isChanged = true;
    }
    return isChanged;
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
      if (contacts.pairMode[pair] !== IMPACT) continue;
      const duration = first < 0 ? h : first;
      const open = contacts.pairDistance[pair] - contacts.pairMoved[pair];
      if (open > duration * contacts.closingBound(pair) + contacts.pairSkin[pair]) continue;
      const gap = IMPACT_GAP * contacts.pairSkin[pair];
      const time = this.impact.find(this.bodies, contacts.pairA[pair], contacts.pairB[pair], duration, gap);
      if (time < 0 || (first >= 0 && time >= first)) continue;
      first = time;
      this.hit = pair;
    }
    return first;
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
    contacts.remember(this.#lastH);
    bodies.force.fill(0);
    bodies.torque.fill(0);
  }

  /** What the next step takes from the last ones, as numbers. */
  save(): number[] {
    return [this.#lastH, ...this.contacts.save()];
  }

  load(from: ArrayLike<number>, at: number): number {
    this.#lastH = from[at];
    return 1 + this.contacts.load(from, at + 1);
  }
}
