// The velocity solver of contacts: projected Gauss–Seidel with warm starts, Coulomb's cone, and soft pushes of contacts that
// are too near. A contact beyond its skin may close in up to it within the interval.
import { CORNER_CORNER } from '../outline/outline-contacts.js';
import { type ContactSet, STOP } from './contact-set.js';

/** Chosen: contacts nearer than this share of the skin are pushed apart, softly. */
const MIN_GAP = 0.1;
/** Chosen: the share of the missing gap that a push makes up for in a substep. */
const PUSH_SHARE = 0.2;
/** Chosen: the greatest speed of that push, in skins a substep: a faster one would be a blow. */
const MAX_PUSH = 0.25;
/** Chosen: overlap that a solve may leave, in skins; beyond it the solver goes on. */
const SQUEEZED = 0.25;
/** Chosen: changes of gaps by turning below this are left out, in skins. */
const BENT = 0.02;
/** Chosen: contacts up to this gap, in skins, start with the impulses of the last substep. */
const WARM_GAP = 1.5;

export class ContactSolver {
  /** The contacts that the solver works on, since the last {@link prepare}. */
  #active = new Int32Array(32);
  #activeCount = 0;
  /** The least speed of each contact along its normal, m/s. */
  #targets = new Float64Array(32);
  /** The targets without what turning adds. */
  #straight = new Float64Array(32);

  /** @param substep the length of a whole substep, s. */
  constructor(
    readonly contacts: ContactSet,
    readonly substep: number,
  ) {}

  /**
   * Before a solve: places all contacts, sets the speeds they allow and applies a share of the last impulses.
   * @param mayPush whether contacts that are too near are pushed apart.
   * @param isFirst whether impulses of a new substep begin.
   * @param warmth the length of this interval by that of the last one.
   */
  prepare(h: number, mayPush: boolean, isFirst: boolean, warmth: number): void {
    const { contacts } = this;
    const { impulses, rows } = contacts;
    if (this.#active.length < contacts.count) {
      this.#active = new Int32Array(2 * contacts.count);
      this.#targets = new Float64Array(2 * contacts.count);
      this.#straight = new Float64Array(2 * contacts.count);
    }
    this.#activeCount = 0;
    for (let c = 0; c < contacts.count; c++) {
      if (!contacts.isActive(c)) continue;
      this.#active[this.#activeCount++] = c;
      contacts.locate(c);
      const skin = contacts.pairs.skin[contacts.pair[c]];
      const gap = rows.separation[c];
      let target = 0;
      if (gap > skin) target = -(gap - skin) / h;
      else if (mayPush && gap < MIN_GAP * skin && contacts.kind[c] !== STOP) {
        // By the substep and not by the interval: a short one would make it a blow.
        target = Math.min(PUSH_SHARE * (MIN_GAP * skin - gap), MAX_PUSH * skin) / this.substep;
      }
      this.#targets[c] = this.#straight[c] = target;
      if (isFirst) impulses.reset(c);
      const share = gap > skin * WARM_GAP ? 0 : warmth / 2;
      const normal = share * impulses.startNormal[c];
      const tangent = share * impulses.startTangent[c];
      impulses.normal[c] += normal;
      impulses.tangent[c] += tangent;
      if (normal !== 0 || tangent !== 0) this.#apply(c, normal, tangent);
    }
  }

  /**
   * Adds to the targets what turning does to the gaps over an interval, where it matters: speeds at its start do not show
   * it. Call it when the velocities are solved, and solve again after it.
   * @returns whether a target changed by more than a small part of the skin.
   */
  correct(h: number): boolean {
    const { contacts } = this;
    const { pair, pairs, rows } = contacts;
    const { velocity, spin, outlines } = contacts.bodies;
    let isChanged = false;
    for (let k = 0; k < this.#activeCount; k++) {
      const c = this.#active[k];
      const p = pair[c];
      const a = pairs.a[p];
      const b = pairs.b[p];
      const skin = pairs.skin[p];
      const turnA = spin[a] < 0 ? -spin[a] : spin[a];
      const turnB = spin[b] < 0 ? -spin[b] : spin[b];
      const turn = turnA + turnB;
      if (turn === 0 || contacts.kind[c] === STOP) continue;
      const vx = velocity[2 * b] - velocity[2 * a];
      const vy = velocity[2 * b + 1] - velocity[2 * a + 1];
      const reach = turnA * outlines[a].reach + turnB * outlines[b].reach;
      if (h * h * turn * (Math.abs(vx) + Math.abs(vy) + reach) < BENT * skin) continue;
      const gap = rows.separation[c];
      const bend = contacts.separationAfter(c, h) - gap - h * contacts.speed(c);
      // Within the skin, what turning opens is not closed by an approach.
      const target = this.#straight[c] - (gap > skin || bend < 0 ? bend / h : 0);
      if (Math.abs(target - this.#targets[c]) * h <= BENT * skin) continue;
      this.#targets[c] = target;
      isChanged = true;
    }
    return isChanged;
  }

  /** Applies an impulse along the normal and the tangent, to both bodies at one point. */
  #apply(c: number, normal: number, tangent: number): void {
    const { pair, pairs, rows, bodies } = this.contacts;
    const { arms, normal: normals } = rows;
    const { velocity, spin, inverseMass, inverseInertia } = bodies;
    const a = pairs.a[pair[c]];
    const b = pairs.b[pair[c]];
    const x = normal * normals[2 * c] - tangent * normals[2 * c + 1];
    const y = normal * normals[2 * c + 1] + tangent * normals[2 * c];
    velocity[2 * a] -= inverseMass[a] * x;
    velocity[2 * a + 1] -= inverseMass[a] * y;
    spin[a] -= inverseInertia[a] * (normal * arms[4 * c] + tangent * arms[4 * c + 2]);
    velocity[2 * b] += inverseMass[b] * x;
    velocity[2 * b + 1] += inverseMass[b] * y;
    spin[b] += inverseInertia[b] * (normal * arms[4 * c + 1] + tangent * arms[4 * c + 3]);
  }

  /** One pass over the active contacts. @returns the largest change of a speed. */
  solve(): number {
    return this.sweep(this.#active, this.#activeCount, this.#targets);
  }

  /**
   * One pass over listed contacts that are located, each in turn: its normal speed at least that of `targets`, then friction.
   * The inner loop of the solver: one function of 60 lines, so that normals, arms and velocities are read once.
   * @returns the largest change of a normal speed.
   */
  sweep(list: Int32Array, count: number, targets: Float64Array): number {
    const { pair, pairs, kind, rows, impulses, bodies } = this.contacts;
    const { a: bodyA, b: bodyB, friction } = pairs;
    const { arms, normal: normals, normalMass, tangentMass } = rows;
    const { normal: normalImpulse, tangent: tangentImpulse } = impulses;
    const { velocity, spin, inverseMass, inverseInertia } = bodies;
    let most = 0;
    for (let k = 0; k < count; k++) {
      const c = list[k];
      const p = pair[c];
      const a = bodyA[p];
      const b = bodyB[p];
      const nx = normals[2 * c];
      const ny = normals[2 * c + 1];
      const armA = arms[4 * c];
      const armB = arms[4 * c + 1];
      const target = targets[c];
      const before = normalImpulse[c];
      let vx = velocity[2 * b] - velocity[2 * a];
      let vy = velocity[2 * b + 1] - velocity[2 * a + 1];
      const speed = nx * vx + ny * vy + spin[b] * armB - spin[a] * armA;
      if (target < 0 && before === 0) {
        if (speed >= target && tangentImpulse[c] === 0) continue;
        if (kind[c] === CORNER_CORNER && this.#passes(c, target, speed)) continue;
      }
      const mass = normalMass[c];
      let after = before + mass * (target - speed);
      if (after < 0) after = 0;
      const change = after - before;
      if (change !== 0) {
        normalImpulse[c] = after;
        const xA = change * inverseMass[a];
        const xB = change * inverseMass[b];
        velocity[2 * a] -= xA * nx;
        velocity[2 * a + 1] -= xA * ny;
        velocity[2 * b] += xB * nx;
        velocity[2 * b + 1] += xB * ny;
        spin[a] -= inverseInertia[a] * change * armA;
        spin[b] += inverseInertia[b] * change * armB;
        const size = change < 0 ? -change : change;
        if (size > most * mass) most = size / mass;
      }
      const held = tangentImpulse[c];
      if (kind[c] === STOP || (after === 0 && held === 0)) continue;
      const tangentA = arms[4 * c + 2];
      const tangentB = arms[4 * c + 3];
      vx = velocity[2 * b] - velocity[2 * a];
      vy = velocity[2 * b + 1] - velocity[2 * a + 1];
      const limit = friction[p] * after;
      let wanted = held - tangentMass[c] * (nx * vy - ny * vx + spin[b] * tangentB - spin[a] * tangentA);
      if (wanted > limit) wanted = limit;
      else if (wanted < -limit) wanted = -limit;
      const slip = wanted - held;
      if (slip === 0) continue;
      tangentImpulse[c] = wanted;
      const tA = slip * inverseMass[a];
      const tB = slip * inverseMass[b];
      velocity[2 * a] += tA * ny;
      velocity[2 * a + 1] -= tA * nx;
      velocity[2 * b] -= tB * ny;
      velocity[2 * b + 1] += tB * nx;
      spin[a] -= inverseInertia[a] * slip * tangentA;
      spin[b] += inverseInertia[b] * slip * tangentB;
    }
    return most;
  }

  /** Whether a contact closes in so fast that its bodies would overlap after a time. */
  isSqueezed(h: number): boolean {
    const { rows, pair, pairs } = this.contacts;
    for (let k = 0; k < this.#activeCount; k++) {
      const c = this.#active[k];
      const speed = this.contacts.speed(c);
      if (speed >= this.#targets[c]) continue;
      if (rows.separation[c] + h * speed < -SQUEEZED * pairs.skin[pair[c]]) return true;
    }
    return false;
  }

  /** Whether two corners that move on as they do pass each other beside the skin within the substep. */
  #passes(c: number, target: number, normal: number): boolean {
    if (normal >= target) return true;
    const { pair, pairs, rows, radius, bodies } = this.contacts;
    const { arms, normal: normals, separation } = rows;
    const { velocity, spin } = bodies;
    const a = pairs.a[pair[c]];
    const b = pairs.b[pair[c]];
    const tangent =
      normals[2 * c] * (velocity[2 * b + 1] - velocity[2 * a + 1]) -
      normals[2 * c + 1] * (velocity[2 * b] - velocity[2 * a]) +
      spin[b] * arms[4 * c + 3] -
      spin[a] * arms[4 * c + 2];
    const skin = pairs.skin[pair[c]];
    const h = (skin - separation[c]) / target;
    const gap = separation[c] + radius[c];
    // When the corners are nearest on their straight ways.
    const squared = normal * normal + tangent * tangent;
    const time = Math.min(h, (-gap * normal) / squared);
    return Math.hypot(gap + time * normal, time * tangent) > skin + radius[c];
  }

  /** Ends a substep: its impulses start the next one. */
  finish(): void {
    const { impulses } = this.contacts;
    for (let k = 0; k < this.#activeCount; k++) impulses.finish(this.#active[k]);
  }
}
