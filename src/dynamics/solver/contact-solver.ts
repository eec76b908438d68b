// Impulses that keep bodies apart, with Coulomb friction in an exact cone: projected Gauss–Seidel over the contact points,
// started with the impulses of the substep before. A substep has two stages (as RATTLE, Andersen 1983): before the drift a
// point may close its gap but not more; after it no point may approach. Each stage has half of the forces of the substep.

import { growTo } from '../../core/grow-array.js';
import type { Bodies } from '../body/bodies.js';
import { type ContactBuffer, GIVEN_UP } from './contact-buffer.js';
import { ContactIslands } from './contact-islands.js';
import {
  APPROACH,
  ContactRows,
  dotAt,
  GAP,
  IMPULSE,
  IMPULSE_1,
  IMPULSE_2,
  K_11,
  K_12,
  K_22,
  K_MAX,
  K_N,
  K_N1,
  K_N2,
  LEVER_A,
  LEVER_B,
  MEAN,
  PUSH,
  STRIDE,
  TANGENT,
  TANGENT_2,
  WARM,
  WARM_1,
  WARM_2,
} from './contact-rows.js';
import { EnergyGuard } from './energy-guard.js';
import { IslandPasses } from './island-passes.js';

/** Chosen: the share of a missing gap that a substep makes up for where contacts are hard. */
const RECOVERY = 0.05;
/** Chosen: the fastest push that makes up for a missing gap, m/s. */
const MAX_PUSH = 1;
/**
 * Chosen: pushes that open a gap give way by the rest of this share: one alone opens half as fast, and two walls that are
 * too near share what room there is.
 */
const PUSH_SHARE = 0.5;
/**
 * Chosen: a substep begins with no more than this many times the impulse of the substep before the last: that of a blow would be
 * given again, and make energy where passes are too few to take it back.
 */
const MAX_WARM_GROWTH = 2;
/** Chosen, as in Box2D 3: the frequency of the springs that soft contacts are, Hz. */
const FREQUENCY = 60;
/** Chosen, as in Box2D 3: the damping of soft contacts in shares of the critical one. */
const DAMPING = 10;
/** Chosen: the time over which the slow mean of impulses follows them, s. */
const MEAN_TIME = 0.5;

/** Solves for the impulses of the points in a {@link ContactBuffer}. */
export class ContactSolver {
  readonly rows: ContactRows;
  readonly passes: IslandPasses;
  /** The most that a substep begins with at a point, N s: what loads can give. */
  mostWarm = Infinity;
  readonly #bodies: Bodies;
  readonly #contacts: ContactBuffer;
  readonly #islands = new ContactIslands();
  readonly #guard: EnergyGuard;
  /** The impulses of each point before the last pass. */
  #last = new Float64Array(0);
  /** The direction in which passes change the impulses, and of each island the square of the last pass's change. */
  #way = new Float64Array(0);
  #lastSquare = new Float64Array(0);
  /** The normal impulse of each point in the substep before the last. */
  #before = new Float64Array(0);
  /** How soft contacts with less than their gap push: the share of the gap made up for in a second, … */
  #rate = 0;
  /** … the share of the effective mass that acts, and the share by which impulses fall back to their mean. */
  #massShare = 1;
  #leak = 0;
  /** Of each point: whether it is soft. Of each island: whether pushes open gaps. */
  #isSoft = new Uint8Array(0);
  #isPushed = new Uint8Array(0);

  constructor(bodies: Bodies, contacts: ContactBuffer) {
    this.#bodies = bodies;
    this.#contacts = contacts;
    this.rows = new ContactRows(bodies, contacts);
    this.passes = new IslandPasses(this.#islands);
    this.#guard = new EnergyGuard(bodies, contacts, this.rows, this.#islands);
  }

  /**
   * Makes contacts that have less than their gap hard, or soft: springs and dampers, so stiff that few passes are stable on
   * piles. Against the sag of springs they pull to a slow mean of the impulse, not to zero.
   */
  setSoftness(h: number): void {
    const omega = 2 * Math.PI * FREQUENCY;
    const a1 = 2 * DAMPING + h * omega;
    const a2 = h * omega * a1;
    this.#rate = omega / a1;
    this.#massShare = a2 / (1 + a2);
    this.#leak = 1 / (1 + a2);
    const { passes } = this;
    const { order } = this.#islands;
    passes.beginStage(h);
    for (let island = 0; island < passes.count; island++) {
      const soft = passes.isSoft[island];
      const end = passes.end(island);
      for (let k = passes.start(island); k < end; k++) this.#isSoft[order[k]] = soft;
    }
  }

  /**
   * Reads the points of a step, or those from a number on that were added to it.
   * @param scale the length of a substep by the length that the impulses in the buffer are of.
   * @param joints the number of joints that hold bodies beside the points.
   */
  prepare(scale: number, joints: number, from = 0): void {
    const contacts = this.#contacts;
    const { count } = contacts;
    this.rows.reserve(count);
    this.rows.refresh();
    this.#before = growTo(this.#before, count);
    this.#islands.find(this.#bodies, contacts);
    this.#guard.prepare();
    if (from === 0) this.passes.begin();
    this.passes.prepare(count, joints);
    this.#reserve(count);
    const rows = this.rows.values;
    // Points that were given up during the step push no more.
    for (let i = 0; i < from; i++) {
      if (contacts.rest[i] === GIVEN_UP) rows.fill(0, STRIDE * i + IMPULSE, STRIDE * i + STRIDE);
    }
    for (let i = from; i < count; i++) {
      const o = STRIDE * i;
      this.rows.setFrame(i);
      this.rows.setMasses(i);
      const f = 3 * i;
      const { normalImpulse, frictionImpulse } = contacts;
      rows[o + IMPULSE] = this.#before[i] = scale * normalImpulse[i];
      rows[o + MEAN] = scale * contacts.meanImpulse[i];
      rows[o + IMPULSE_1] = scale * dotAt(frictionImpulse, f, rows, o + TANGENT);
      rows[o + IMPULSE_2] = scale * dotAt(frictionImpulse, f, rows, o + TANGENT_2);
    }
  }

  /** Begins a substep: keeps what the stages start with, and the approach speeds for restitution. */
  beginSubstep(): void {
    const rows = this.rows.values;
    this.#guard.beginSubstep();
    const { restitution } = this.#contacts;
    for (let i = 0; i < this.rows.count; i++) {
      const o = STRIDE * i;
      const half = 0.5 * this.#warmShare(i);
      this.#before[i] = rows[o + IMPULSE];
      rows[o + WARM] = half * rows[o + IMPULSE];
      rows[o + WARM_1] = half * rows[o + IMPULSE_1];
      rows[o + WARM_2] = half * rows[o + IMPULSE_2];
      rows[o + IMPULSE] = rows[o + IMPULSE_1] = rows[o + IMPULSE_2] = 0;
      rows[o + APPROACH] = restitution[i] > 0 ? this.rows.speedOf(i) : 0;
    }
  }

  /** The share of the impulses of the last substep that the next one begins with. */
  #warmShare(i: number): number {
    const last = this.rows.values[STRIDE * i + IMPULSE];
    const most = Math.min(MAX_WARM_GROWTH * this.#before[i], this.mostWarm);
    return last > most ? most / last : 1;
  }

  /**
   * Begins a stage: applies half of the impulses that the substep began with, of an island as many as make no energy.
   * @param before the stage is that before the drift.
   */
  warmStart(h: number, before: boolean): void {
    const rows = this.rows.values;
    this.#guard.beginStage();
    for (let i = 0; i < this.rows.count; i++) {
      const o = STRIDE * i;
      const n = rows[o + WARM];
      if (n === 0) continue;
      const s = rows[o + WARM_1];
      const t = rows[o + WARM_2];
      rows[o + IMPULSE] += n;
      rows[o + IMPULSE_1] += s;
      rows[o + IMPULSE_2] += t;
      this.rows.apply(i, n, s, t);
    }
    this.temper(h, before);
  }

  #biasOf(i: number, h: number, before: boolean): number {
    const gap = this.rows.values[STRIDE * i + GAP];
    if (gap > 0) return gap / h;
    return before && this.#isSoft[i] === 1 ? Math.max(this.#rate * gap, -MAX_PUSH) : 0;
  }

  /** Makes impulses of the stage smaller in islands where they make energy. */
  temper(h: number, before: boolean): void {
    this.#guard.temperStage((i) => this.#biasOf(i, h, before));
  }

  /** Ends a stage. @param isLast both stages of the substep together make no energy either. */
  endStage(isLast: boolean): void {
    this.#guard.endStage();
    if (isLast) this.#guard.temperSubstep();
  }

  /**
   * One pass over the points of an island. Before the drift gaps are made up for where they are missing. The inner loop of the
   * solver: one function, so that levers and velocities are read once.
   * @returns the largest change of a velocity, m/s.
   */
  solve(island: number, h: number, before: boolean): number {
    const contactRows = this.rows;
    const rows = contactRows.values;
    const { order } = this.#islands;
    const end = this.passes.end(island);
    const { bodyA, bodyB, friction, staticFriction } = this.#contacts;
    const { velocity, angularVelocity } = this.#bodies;
    const massShare = this.#massShare;
    const rate = this.#rate;
    const leak = this.#leak;
    const softens = before && this.passes.isSoft[island] === 1;
    let largest = 0;
    for (let k = this.passes.start(island); k < end; k++) {
      const i = order[k];
      const o = STRIDE * i;
      const gap = rows[o + GAP];
      const isSoft = softens && gap <= 0;
      // Hard contacts only stop what approaches: their gaps open by `push`, which leaves no velocity.
      const bias = gap > 0 ? gap / h : isSoft ? Math.max(rate * gap, -MAX_PUSH) : 0;
      const a = 3 * bodyA[i];
      const b = 3 * bodyB[i];
      const ax = rows[o + LEVER_A];
      const ay = rows[o + LEVER_A + 1];
      const az = rows[o + LEVER_A + 2];
      const bx = rows[o + LEVER_B];
      const by = rows[o + LEVER_B + 1];
      const bz = rows[o + LEVER_B + 2];
      const pa = angularVelocity[a];
      const qa = angularVelocity[a + 1];
      const ra = angularVelocity[a + 2];
      const pb = angularVelocity[b];
      const qb = angularVelocity[b + 1];
      const rb = angularVelocity[b + 2];
      const ux = velocity[b] - velocity[a] + qb * bz - rb * by - qa * az + ra * ay;
      const uy = velocity[b + 1] - velocity[a + 1] + rb * bx - pb * bz - ra * ax + pa * az;
      const uz = velocity[b + 2] - velocity[a + 2] + pb * by - qb * bx - pa * ay + qa * ax;
      const speed = ux * rows[o] + uy * rows[o + 1] + uz * rows[o + 2];
      const old = rows[o + IMPULSE];
      let normal = isSoft
        ? old - (massShare * (speed + bias)) / rows[o + K_N] - leak * (old - 0.5 * rows[o + MEAN])
        : old - (speed + bias) / rows[o + K_N];
      if (!(normal > 0)) {
        if (old === 0) continue;
        normal = 0;
      }
      const dn = normal - old;
      rows[o + IMPULSE] = normal;
      // The tangential velocity as the normal impulse leaves it.
      const s = ux * rows[o + TANGENT] + uy * rows[o + TANGENT + 1] + uz * rows[o + TANGENT + 2] + rows[o + K_N1] * dn;
      const t =
        ux * rows[o + TANGENT_2] + uy * rows[o + TANGENT_2 + 1] + uz * rows[o + TANGENT_2 + 2] + rows[o + K_N2] * dn;
      const k11 = rows[o + K_11];
      const k12 = rows[o + K_12];
      const k22 = rows[o + K_22];
      const determinant = k11 * k22 - k12 * k12;
      const old1 = rows[o + IMPULSE_1];
      const old2 = rows[o + IMPULSE_2];
      let new1 = old1 - (k22 * s - k12 * t) / determinant;
      let new2 = old2 - (k11 * t - k12 * s) / determinant;
      const hold = staticFriction[i] * normal;
      if (new1 * new1 + new2 * new2 > hold * hold) {
        const most = friction[i] * normal;
        // Sliding: a step against the velocity, and back onto the cone. It rests only where friction opposes the motion.
        const step = 1 / rows[o + K_MAX];
        new1 = old1 - step * s;
        new2 = old2 - step * t;
        const squared = new1 * new1 + new2 * new2;
        if (squared > most * most) {
          const scale = most / Math.sqrt(squared);
          new1 *= scale;
          new2 *= scale;
        }
      }
      rows[o + IMPULSE_1] = new1;
      rows[o + IMPULSE_2] = new2;
      const d1 = new1 - old1;
      const d2 = new2 - old2;
      contactRows.apply(i, dn, d1, d2);
      const change = Math.abs(dn) * rows[o + K_N] + (Math.abs(d1) + Math.abs(d2)) * rows[o + K_MAX];
      if (change > largest) largest = change;
    }
    return largest;
  }

  /** Begins the passes of pushes. @returns whether there are any: where contacts are hard, and one has less than its gap. */
  beginPush(): boolean {
    const rows = this.rows.values;
    const { passes } = this;
    const { order } = this.#islands;
    let any = false;
    for (let island = 0; island < passes.count; island++) {
      let isPushed = 0;
      const end = passes.end(island);
      for (let k = passes.start(island); k < end; k++) {
        const o = STRIDE * order[k];
        rows[o + PUSH] = 0;
        if (passes.isSoft[island] === 0 && rows[o + GAP] < 0) isPushed = 1;
      }
      this.#isPushed[island] = isPushed;
      any ||= isPushed === 1;
    }
    return any;
  }

  /** Whether pushes open gaps of an island. */
  isPushed(island: number): boolean {
    return this.#isPushed[island] === 1;
  }

  /**
   * One pass of pushes that open gaps which are too small, over those that velocities need. They give way as springs do, so that
   * between two walls they come to terms, and are taken back after the drift: bodies move, and gain no velocity.
   * @returns the largest change of a velocity, m/s.
   */
  push(island: number, h: number): number {
    const contactRows = this.rows;
    const rows = contactRows.values;
    const { order } = this.#islands;
    const end = this.passes.end(island);
    const { bodyA, bodyB } = this.#contacts;
    const { velocity, angularVelocity } = this.#bodies;
    const rate = RECOVERY / h;
    let largest = 0;
    for (let j = this.passes.start(island); j < end; j++) {
      const i = order[j];
      const o = STRIDE * i;
      const a = 3 * bodyA[i];
      const b = 3 * bodyB[i];
      const ax = rows[o + LEVER_A];
      const ay = rows[o + LEVER_A + 1];
      const az = rows[o + LEVER_A + 2];
      const bx = rows[o + LEVER_B];
      const by = rows[o + LEVER_B + 1];
      const bz = rows[o + LEVER_B + 2];
      const pa = angularVelocity[a];
      const qa = angularVelocity[a + 1];
      const ra = angularVelocity[a + 2];
      const pb = angularVelocity[b];
      const qb = angularVelocity[b + 1];
      const rb = angularVelocity[b + 2];
      const speed =
        (velocity[b] - velocity[a] + qb * bz - rb * by - qa * az + ra * ay) * rows[o] +
        (velocity[b + 1] - velocity[a + 1] + rb * bx - pb * bz - ra * ax + pa * az) * rows[o + 1] +
        (velocity[b + 2] - velocity[a + 2] + pb * by - qb * bx - pa * ay + qa * ax) * rows[o + 2];
      const gap = rows[o + GAP];
      const old = rows[o + PUSH];
      const k = rows[o + K_N];
      // No point may approach, …
      const needed = old - (gap > 0 ? speed + gap / h : speed) / k;
      // … and where the gap is too small it opens as far as others let it.
      const wanted = gap < 0 ? (PUSH_SHARE * (k * old - speed - Math.max(rate * gap, -MAX_PUSH))) / k : 0;
      const now = needed > wanted ? (needed > 0 ? needed : 0) : wanted > 0 ? wanted : 0;
      if (now === old) continue;
      rows[o + PUSH] = now;
      contactRows.apply(i, now - old, 0, 0);
      const change = Math.abs(now - old) * k;
      if (change > largest) largest = change;
    }
    return largest;
  }

  /** Takes back the velocities that the pushes gave, with the levers as they are after the drift. */
  endPush(): void {
    const rows = this.rows.values;
    for (let i = 0; i < this.rows.count; i++) {
      const push = rows[STRIDE * i + PUSH];
      if (push > 0) this.rows.apply(i, -push, 0, 0);
    }
  }

  #reserve(count: number): void {
    this.#last = growTo(this.#last, 3 * count);
    this.#way = growTo(this.#way, 3 * count);
    this.#isSoft = growTo(this.#isSoft, count);
    this.#isPushed = growTo(this.#isPushed, this.passes.count);
    this.#lastSquare = growTo(this.#lastSquare, this.passes.count);
  }

  /** Begins the passes of an island in a stage. */
  beginPasses(island: number): void {
    this.#lastSquare[island] = 0;
    this.#note(island);
  }

  /**
   * Goes on along the way of the last passes, as nonlinear conjugate gradients do (Silcowitz, Niebe and Erleben 2010): stacks
   * converge in tens of passes in place of thousands.
   */
  accelerate(island: number): void {
    const rows = this.rows.values;
    const { order } = this.#islands;
    const start = this.passes.start(island);
    const end = this.passes.end(island);
    const last = this.#last;
    const way = this.#way;
    const { staticFriction } = this.#contacts;
    let square = 0;
    for (let k = start; k < end; k++) {
      const i = order[k];
      const o = STRIDE * i;
      const n = rows[o + IMPULSE] - last[3 * i];
      const s = rows[o + IMPULSE_1] - last[3 * i + 1];
      const t = rows[o + IMPULSE_2] - last[3 * i + 2];
      square += n * n + s * s + t * t;
    }
    const share = this.#lastSquare[island] > 0 ? square / this.#lastSquare[island] : 2;
    this.#lastSquare[island] = square;
    if (!(share <= 1)) {
      for (let k = start; k < end; k++) {
        const i = order[k];
        for (let c = 0; c < 3; c++) way[3 * i + c] = rows[STRIDE * i + IMPULSE + c] - last[3 * i + c];
      }
      this.#note(island);
      return;
    }
    for (let k = start; k < end; k++) {
      const i = order[k];
      const o = STRIDE * i;
      const n = rows[o + IMPULSE];
      const s = rows[o + IMPULSE_1];
      const t = rows[o + IMPULSE_2];
      const wn = share * way[3 * i];
      const ws = share * way[3 * i + 1];
      const wt = share * way[3 * i + 2];
      const toN = Math.max(0, n + wn);
      let toS = s + ws;
      let toT = t + wt;
      const size = Math.sqrt(toS * toS + toT * toT);
      const most = staticFriction[i] * toN;
      if (size > most) {
        toS *= most / size;
        toT *= most / size;
      }
      way[3 * i] = wn + n - last[3 * i];
      way[3 * i + 1] = ws + s - last[3 * i + 1];
      way[3 * i + 2] = wt + t - last[3 * i + 2];
      if (toN === n && toS === s && toT === t) continue;
      rows[o + IMPULSE] = toN;
      rows[o + IMPULSE_1] = toS;
      rows[o + IMPULSE_2] = toT;
      this.rows.apply(i, toN - n, toS - s, toT - t);
    }
    this.#note(island);
  }

  /** Notes the impulses of an island before a pass. */
  #note(island: number): void {
    const rows = this.rows.values;
    const last = this.#last;
    const { order } = this.#islands;
    const end = this.passes.end(island);
    for (let k = this.passes.start(island); k < end; k++) {
      const i = order[k];
      last[3 * i] = rows[STRIDE * i + IMPULSE];
      last[3 * i + 1] = rows[STRIDE * i + IMPULSE_1];
      last[3 * i + 2] = rows[STRIDE * i + IMPULSE_2];
    }
  }

  /** Follows the mean impulses. */
  follow(h: number): void {
    const rows = this.rows.values;
    const share = Math.min(1, h / MEAN_TIME);
    const { stepImpulse, bodyA, bodyB } = this.#contacts;
    const { blow } = this.#bodies;
    for (let i = 0; i < this.rows.count; i++) {
      const o = STRIDE * i;
      stepImpulse[i] += rows[o + IMPULSE];
      blow[bodyA[i]] += rows[o + IMPULSE];
      blow[bodyB[i]] += rows[o + IMPULSE];
      rows[o + MEAN] += share * (rows[o + IMPULSE] - rows[o + MEAN]);
    }
  }

  /** Ends a substep: points that were hit faster than the threshold and bounce get their speed of departure. */
  restitute(threshold: number): void {
    const rows = this.rows.values;
    const { restitution } = this.#contacts;
    for (let i = 0; i < this.rows.count; i++) {
      const o = STRIDE * i;
      if (!(rows[o + APPROACH] < -threshold) || !(rows[o + IMPULSE] > 0)) continue;
      const missing = -restitution[i] * rows[o + APPROACH] - this.rows.speedOf(i);
      const old = rows[o + IMPULSE];
      const now = Math.max(0, old + missing / rows[o + K_N]);
      rows[o + IMPULSE] = now;
      this.rows.apply(i, now - old, 0, 0);
    }
  }

  /** Writes the impulses of the last substep back to the buffer. */
  store(): void {
    const rows = this.rows.values;
    const { normalImpulse, meanImpulse, frictionImpulse, warmShare } = this.#contacts;
    for (let i = 0; i < this.rows.count; i++) {
      const o = STRIDE * i;
      normalImpulse[i] = rows[o + IMPULSE];
      warmShare[i] = this.#warmShare(i);
      meanImpulse[i] = rows[o + MEAN];
      const s = rows[o + IMPULSE_1];
      const t = rows[o + IMPULSE_2];
      for (let k = 0; k < 3; k++) {
        frictionImpulse[3 * i + k] = s * rows[o + TANGENT + k] + t * rows[o + TANGENT_2 + k];
      }
    }
  }
}
