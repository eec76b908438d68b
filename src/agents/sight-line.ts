// The straight line between the middles of two agents, and how far obstacles are from it. A distance changes by no more than
// one moves, so that a few distances bound that of the whole line, and of all that it sweeps in a step.
import type { Vec3 } from '../core/vec3.js';
import type { Agent } from './agent.js';
import { type WorldBody, writeLocal, writePoint } from './world-body.js';

/** Chosen: the distance of the line is measured up to this share of it, or of the wanted one. */
const ERROR = 0.05;

/** Chosen: the most distances that are measured for one line. */
const MAX_MEASURED = 600;

/** A part of the line, or of what it sweeps: where its middle is, and half of its sizes. */
interface Part {
  readonly t: number;
  readonly s: number;
  readonly halfT: number;
  readonly halfS: number;
}

export class SightLine {
  readonly a: Agent;
  readonly b: Agent;
  readonly wanted: number;
  /** The line is at least as far from all obstacles, at the start of the step. */
  least = 0;
  /** The place on it that is nearest to one, and the direction away from there. */
  share = 0.5;
  readonly normal = new Float64Array(3);
  force = 0;
  #obstacles: readonly WorldBody[] = [];
  readonly #fromA = new Float64Array(3);
  readonly #fromB = new Float64Array(3);
  readonly #toA = new Float64Array(3);
  readonly #toB = new Float64Array(3);
  readonly #local = new Float64Array(3);

  constructor(a: Agent, b: Agent, wanted: number) {
    this.a = a;
    this.b = b;
    this.wanted = wanted;
  }

  get scale(): number {
    return Math.min(this.a.body.shape.model.radius, this.b.body.shape.model.radius);
  }

  /** Measures the line as it is. */
  update(obstacles: readonly WorldBody[]): void {
    this.#obstacles = obstacles;
    this.#fromA.set(this.a.body.center);
    this.#fromB.set(this.b.body.center);
    this.#toA.set(this.#fromA);
    this.#toB.set(this.#fromB);
    let nearest = Infinity;
    const length = distanceBetween(this.#fromA, this.#fromB);
    const parts: Part[] = [{ t: 0.5, s: 0, halfT: 0.5, halfS: 0 }];
    let least = Infinity;
    for (let measured = 0; parts.length > 0; measured++) {
      const part = parts.pop()!;
      const distance = this.#distanceAt(part.t, 0);
      if (distance < nearest) [nearest, this.share] = [distance, part.t];
      const low = distance - part.halfT * length;
      const error = ERROR * Math.max(Math.abs(nearest), this.wanted, this.scale);
      if (low >= nearest - error || measured > MAX_MEASURED) least = Math.min(least, low);
      else {
        const halfT = part.halfT / 2;
        parts.push({ ...part, t: part.t - halfT, halfT }, { ...part, t: part.t + halfT, halfT });
      }
    }
    this.least = Math.min(least, nearest);
    this.#findNormal(1e-4 * this.scale);
  }

  /** Whether the line keeps its distance in all of the step. */
  holds(): boolean {
    const { a, b } = this;
    if (a.body.motion + b.body.motion === 0 && !this.#obstacles.some(({ motion }) => motion > 0)) return true;
    for (const [agent, out] of [
      [a, this.#toA],
      [b, this.#toB],
    ] as const) {
      writePoint(agent.body.next, agent.body.shape.model.center, out);
    }
    // A middle that turns about the origin of its body moves on an arc: off the straight way by no more than this.
    let slack = 0;
    for (const { body } of [a, b]) slack = Math.max(slack, Math.hypot(...body.shape.model.center) * body.turn);
    for (const { motion } of this.#obstacles) slack = Math.max(slack, motion);
    const length = Math.max(distanceBetween(this.#fromA, this.#fromB), distanceBetween(this.#toA, this.#toB));
    const way = Math.max(distanceBetween(this.#fromA, this.#toA), distanceBetween(this.#fromB, this.#toB));
    if (this.least - way - slack > this.wanted) return true;
    const parts: Part[] = [{ t: 0.5, s: 0.5, halfT: 0.5, halfS: 0.5 }];
    for (let measured = 0; parts.length > 0; measured++) {
      const part = parts.pop()!;
      const distance = this.#distanceAt(part.t, part.s) - slack;
      if (distance <= this.wanted || measured > MAX_MEASURED) return false;
      if (distance - part.halfT * length - part.halfS * way > this.wanted) continue;
      if (part.halfT * length > part.halfS * way) {
        const halfT = part.halfT / 2;
        parts.push({ ...part, t: part.t - halfT, halfT }, { ...part, t: part.t + halfT, halfT });
      } else {
        const halfS = part.halfS / 2;
        parts.push({ ...part, s: part.s - halfS, halfS }, { ...part, s: part.s + halfS, halfS });
      }
    }
    return true;
  }

  /** The distance at a share of the line, at a share of the step. */
  #distanceAt(t: number, s: number): number {
    const point: Vec3 = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const from = this.#fromA[k] + s * (this.#toA[k] - this.#fromA[k]);
      const to = this.#fromB[k] + s * (this.#toB[k] - this.#fromB[k]);
      point[k] = from + t * (to - from);
    }
    return this.#clearance(point);
  }

  #clearance(point: Vec3): number {
    const local = this.#local;
    let least = Infinity;
    for (const { pose, shape } of this.#obstacles) {
      const { center, radius } = shape.model;
      writeLocal(pose, point, local);
      if (Math.hypot(local[0] - center[0], local[1] - center[1], local[2] - center[2]) - radius > least) continue;
      least = Math.min(least, shape.model.signedDistance([local[0], local[1], local[2]]));
    }
    return least;
  }

  #findNormal(step: number): void {
    const point: Vec3 = [0, 0, 0];
    for (let k = 0; k < 3; k++) point[k] = this.#fromA[k] + this.share * (this.#fromB[k] - this.#fromA[k]);
    for (let k = 0; k < 3; k++) {
      const at = point[k];
      point[k] = at + step;
      const above = this.#clearance(point);
      point[k] = at - step;
      this.normal[k] = above - this.#clearance(point);
      point[k] = at;
    }
    const length = Math.hypot(this.normal[0], this.normal[1], this.normal[2]);
    for (let k = 0; k < 3; k++) this.normal[k] = length > 0 ? this.normal[k] / length : 0;
  }
}

function distanceBetween(a: Float64Array, b: Float64Array): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
