// Substeps of soft-start impulses on the contacts and joints of one collision pass (small steps: Macklin et al. 2019).
// A substep: half a kick, impulses for the positions it leads to, the drift, half a kick, impulses for the velocities.
import { type Bodies, DYNAMIC } from '../body/bodies.js';
import type { JointSolver } from '../joint/joint-solver.js';
import type { Motion } from '../motion/motion.js';
import { StepLimit } from '../step-limit.js';
import { BlowSolver } from './blow-solver.js';
import type { ContactBuffer } from './contact-buffer.js';
import { ContactSolver } from './contact-solver.js';
import { warmScale } from './warm-scale.js';

/** Chosen: passes over all constraints in a stage; it ends earlier once velocities change by less than the tolerance. */
const MAX_PASSES = 100;
/** Chosen: rows of constraints solved in a stage, which bounds the passes of large scenes. */
const MAX_ROWS = 4000;
/** Chosen: contacts are hard if a stage may have this many passes, soft below. */
const HARD_PASSES = 60;
/** Chosen: the shortest substep in which the springs of soft contacts do anything, s: in shorter ones contacts are hard. */
export const MIN_SOFT = 2e-4;
/** Measured on heaps and on stacks of 20 and 30 boxes: more passes over soft contacts make none stiller or more upright. */
const SOFT_PASSES = 4;
/** Measured on an arch of 101 stones: passes go on while velocities change by more than this, m/s, or a crowd that is hit hard overlaps. */
const UNSOLVED = 0.2;
/** Chosen: wedges and levers press with up to this many times the loads. Substeps that need more begin with less, and take passes. */
const LOAD_FACTOR = 4;
/** Chosen: passes of pushes that open gaps. */
const PUSH_PASSES = 60;
/** Chosen: passes are accelerated if a stage may have this many: it takes a few passes to pay. */
const ACCELERATED_PASSES = 3;
/** Chosen: a stage ends if velocities change by less than this share of the speed that gravity gives in a substep, … */
const TOLERANCE = 1e-5;
/** Chosen: … plus this, m/s. */
const MIN_TOLERANCE = 1e-9;
/** Chosen: an approach bounces if it is faster than this times what gravity gives in a substep. */
const BOUNCE_THRESHOLD = 1;
/** Chosen: without gravity, an approach bounces if it is faster than this, m/s. */
const MIN_BOUNCE = 1e-6;
/** Chosen: passes over the points of a blow, with the joints. */
const BLOW_PASSES = 200;
/** Rounding: a blow ends when no velocity changes by more than this, m/s. */
const BLOW_TOLERANCE = 1e-12;
/** Chosen: the rows that a joint counts as: about what one costs beside a contact. */
const JOINT_ROWS = 4;

/** Advances all bodies, with the contacts in the buffer held fixed. */
export class SubstepSolver {
  readonly #bodies: Bodies;
  readonly #motion: Motion;
  readonly #gravity: Float64Array;
  readonly #contacts: ContactBuffer;
  readonly #contactSolver: ContactSolver;
  readonly #blows: BlowSolver;
  readonly #joints: JointSolver;
  readonly #limit: StepLimit;
  /** Length of the last substep, s: impulses of forces are in proportion to it; see {@link warmScale}. */
  lastLength = 0;
  /** A stage of this advance needed more passes than it has: a crowd was hit hard. */
  #isHit = false;
  /** Passes in the last advance, all stages together. */
  passes = 0;

  constructor(
    bodies: Bodies,
    motion: Motion,
    gravity: Float64Array,
    contacts: ContactBuffer,
    joints: JointSolver,
    limit = new StepLimit(),
  ) {
    this.#bodies = bodies;
    this.#motion = motion;
    this.#gravity = gravity;
    this.#contacts = contacts;
    this.#contactSolver = new ContactSolver(bodies, contacts);
    this.#blows = new BlowSolver(this.#contactSolver.rows, bodies, contacts);
    this.#joints = joints;
    this.#limit = limit;
  }

  /**
   * Advances by `dt` in a number of substeps.
   * @param collideAgain called between substeps; adds points to the buffer and returns whether it did.
   */
  advance(dt: number, substeps: number, collideAgain?: (substep: number, h: number) => boolean): void {
    const bodies = this.#bodies;
    const motion = this.#motion;
    const gravity = this.#gravity;
    const contacts = this.#contactSolver;
    const joints = this.#joints;
    const h = dt / substeps;
    const scale = warmScale(this.lastLength, h);
    this.lastLength = h;
    this.passes = 0;
    this.#isHit = false;
    contacts.mostWarm = h * this.#loads();
    contacts.prepare(scale);
    joints.prepare(scale);
    const fall = h * Math.hypot(gravity[0], gravity[1], gravity[2]);
    for (let k = 0; k < substeps; k++) {
      this.#limit.check();
      if (k > 0 && collideAgain !== undefined) {
        const { count } = this.#contacts;
        contacts.store();
        if (collideAgain(k, h)) contacts.prepare(1, count);
      }
      contacts.beginSubstep();
      joints.beginSubstep();
      motion.kick(bodies, gravity, h / 2);
      joints.stretch(h / 2, h);
      this.#solveStage(h, true, fall);
      const pushes = contacts.mustPush();
      if (pushes) this.#push(h, fall);
      motion.drift(bodies, h);
      contacts.rows.refresh();
      joints.refresh();
      if (pushes) contacts.endPush();
      motion.kick(bodies, gravity, h / 2);
      joints.stretch(h / 2, h);
      this.#solveStage(h, false, fall);
      contacts.follow(h);
      contacts.restitute(this.bounceThreshold(h));
    }
    contacts.store();
  }

  /** What loads can press a point with, N: some times all weights and forces together. */
  #loads(): number {
    const { count, kind, mass, force } = this.#bodies;
    const gravity = Math.hypot(this.#gravity[0], this.#gravity[1], this.#gravity[2]);
    let sum = 0;
    for (let i = 0; i < count; i++) {
      if (kind[i] !== DYNAMIC) continue;
      sum += mass[i] * gravity + Math.hypot(force[3 * i], force[3 * i + 1], force[3 * i + 2]);
    }
    return LOAD_FACTOR * sum;
  }

  /** The slowest approach that bounces in substeps of this length, m/s. */
  bounceThreshold(h: number): number {
    return BOUNCE_THRESHOLD * h * Math.hypot(this.#gravity[0], this.#gravity[1], this.#gravity[2]) + MIN_BOUNCE;
  }

  /** Reads the contact points, so that their speeds can be asked and blows be struck. */
  prepareBlows(): void {
    this.#contactSolver.prepare(1);
  }

  /** The speed of a point along its normal, negative when it closes. */
  speedOf(point: number): number {
    return this.#contactSolver.rows.speedOf(point);
  }

  /** One blow at the touching points of a pair, with restitution and friction; joints hold. */
  strike(first: number, count: number, reach: number, threshold: number): void {
    const blows = this.#blows;
    blows.begin(first, count, reach, threshold);
    const hasJoints = this.#joints.joints.length > 0;
    for (let pass = 0; pass < BLOW_PASSES; pass++) {
      let change = blows.strike(first, count);
      if (hasJoints) change = Math.max(change, this.#joints.solve(1, false));
      if (change <= BLOW_TOLERANCE) break;
    }
    blows.rub(first, count);
    if (hasJoints) for (let pass = 0; pass < BLOW_PASSES && this.#joints.solve(1, false) > BLOW_TOLERANCE; pass++);
  }

  /** Opens gaps that are too small: joints hold. */
  #push(h: number, fall: number): void {
    const contacts = this.#contactSolver;
    const joints = this.#joints;
    const tolerance = TOLERANCE * fall + MIN_TOLERANCE;
    contacts.beginPush();
    const passes = Math.min(PUSH_PASSES, Math.max(SOFT_PASSES, Math.floor(MAX_ROWS / this.#contacts.count)));
    for (let pass = 0; pass < passes; pass++) {
      let change = contacts.push(h);
      if (joints.joints.length > 0) change = Math.max(change, joints.solve(h, true));
      this.passes++;
      if (change <= tolerance) return;
    }
  }

  #solveStage(h: number, before: boolean, fall: number): void {
    const contacts = this.#contactSolver;
    const joints = this.#joints;
    const rows = this.#contacts.count + JOINT_ROWS * joints.joints.length;
    if (rows === 0) return;
    joints.warmStart();
    const most = Math.max(1, Math.min(MAX_PASSES, Math.floor(MAX_ROWS / rows)));
    const isSoft = most < HARD_PASSES && h >= MIN_SOFT && !this.#isHit;
    const passes = isSoft ? Math.min(most, SOFT_PASSES) : most;
    contacts.setSoftness(h, isSoft);
    contacts.warmStart(h, before);
    contacts.beginStage();
    const tolerance = TOLERANCE * fall + MIN_TOLERANCE;
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const change = Math.max(joints.solve(h, before), contacts.solve(h, before));
      this.passes++;
      if (change <= tolerance || (pass + 1 >= passes && !(change > UNSOLVED))) break;
      // Soft contacts would give way to that.
      if (pass + 1 >= passes) this.#isHit = true;
      if (passes >= ACCELERATED_PASSES) contacts.accelerate();
    }
    // What joints do is theirs.
    if (joints.joints.length > 0) return;
    if (before) contacts.temper(h, before);
    contacts.endStage(!before);
  }
}
