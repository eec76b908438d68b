// Substeps of soft-start impulses on the contacts and joints of one collision pass (small steps: Macklin et al. 2019).
// A substep: half a kick, impulses for the positions it leads to, the drift, half a kick, impulses for the velocities.

import { StepLimit } from '../../core/step-limit.js';
import { type Bodies, DYNAMIC } from '../body/bodies.js';
import type { JointSolver } from '../joint/joint-solver.js';
import type { Motion } from '../motion/motion.js';
import { BlowSolver } from './blow-solver.js';
import type { ContactBuffer } from './contact-buffer.js';
import { ContactSolver } from './contact-solver.js';
import { warmScale } from './warm-scale.js';

/** Measured on an arch of 101 stones: passes go on while velocities change by more than this, m/s, or a crowd that is hit hard overlaps, … */
const UNSOLVED = 0.2;
/** Measured on rows and columns that are hit: … and then until they change by less than this, m/s. */
const SOLVED = 0.02;
/** Chosen: wedges and levers press with up to this many times the loads. Substeps that need more begin with less, and take passes. */
const LOAD_FACTOR = 4;
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
    contacts.mostWarm = h * this.#loads();
    contacts.prepare(scale, joints.joints.length);
    joints.prepare(scale);
    const fall = h * Math.hypot(gravity[0], gravity[1], gravity[2]);
    for (let k = 0; k < substeps; k++) {
      this.#limit.check();
      if (k > 0 && collideAgain !== undefined) {
        const { count } = this.#contacts;
        contacts.store();
        if (collideAgain(k, h)) contacts.prepare(1, joints.joints.length, count);
      }
      contacts.beginSubstep();
      joints.beginSubstep();
      motion.kick(bodies, gravity, h / 2);
      joints.stretch(h / 2, h);
      this.#solveStage(h, true, fall);
      const pushes = contacts.beginPush();
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
    this.#contactSolver.prepare(1, this.#joints.joints.length);
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
    const { passes: plan } = contacts;
    for (let island = 0; island < plan.count; island++) {
      if (!contacts.isPushed(island)) continue;
      for (let pass = 0; pass < plan.mostPushes[island]; pass++) {
        let change = contacts.push(island, h);
        if (joints.joints.length > 0) change = Math.max(change, joints.solve(h, true));
        this.passes++;
        if (change <= tolerance) break;
      }
    }
  }

  #solveStage(h: number, before: boolean, fall: number): void {
    const contacts = this.#contactSolver;
    const joints = this.#joints;
    if (this.#contacts.count + joints.joints.length === 0) return;
    joints.warmStart();
    contacts.setSoftness(h);
    contacts.warmStart(h, before);
    for (let island = 0; island < contacts.passes.count; island++) this.#solveIsland(island, h, before, fall);
    // What joints do is theirs.
    if (joints.joints.length > 0) return;
    if (before) contacts.temper(h, before);
    contacts.endStage(!before);
  }

  /** The passes of a stage over an island: until it has converged, or as many as it may have. */
  #solveIsland(island: number, h: number, before: boolean, fall: number): void {
    const contacts = this.#contactSolver;
    const joints = this.#joints;
    const { passes: plan } = contacts;
    const tolerance = TOLERANCE * fall + MIN_TOLERANCE;
    const passes = plan.passesOf(island);
    contacts.beginPasses(island);
    for (let pass = 1; ; pass++) {
      const change = Math.max(joints.solve(h, before), contacts.solve(island, h, before));
      this.passes++;
      if (change <= tolerance) return;
      if (pass >= passes) {
        if (pass >= plan.mostHit[island] || !(change > (plan.isHit(island) ? SOLVED : UNSOLVED))) return;
        // Soft contacts would give way to that.
        plan.hit(island);
      }
      if (passes >= ACCELERATED_PASSES) contacts.accelerate(island);
    }
  }
}
