// Bodies that overlap deeply (a start, a placement by hand) move apart along their global depth: places change, velocities do
// not, each body by its share of the masses, so that momentum stays 0. The way out is kept while no other is clearly shorter.
import { type ContactSet, OVERLAPPING } from './contact/contact-set.js';
import { OVERLAP } from './outline/outline-pair.js';
import { PlaneDepth } from './outline/plane-depth.js';
import type { PlaneBodies } from './plane-bodies.js';

/** Meters a second, and sizes of the smaller body a second, whichever is less. */
const MOST_SPEED = 1;
const MOST_SIZES = 4;
/** Steps until the way is asked for again, and how much shorter another must be. */
const LIFE = 4;
const SHORTER = 0.9;
/** Searches in a step; the others keep their way. */
const MOST_SEARCHES = 8;

/** How often the way is asked for again at its end. */
const MOST_TRIES = 3;
/** Steps in which local contacts may part a pair: a clamp holds what they push out on one side in on the other. */
const PATIENCE = 12;

/** The way out of an overlapping pair: translates A. */
interface Way {
  x: number;
  y: number;
  pointX: number;
  pointY: number;
  age: number;
}

export class OverlapRecovery {
  readonly depth = new PlaneDepth();
  /** Pairs moved apart in the last step. */
  active = 0;
  /** Those of them that are at the end of their way: they have contacts again. */
  readonly freed: number[] = [];
  #ways = new Map<number, Way>();
  /** For how many steps pairs have overlapped that local contacts are to part. */
  #shallow = new Map<number, number>();

  constructor(
    readonly bodies: PlaneBodies,
    readonly contacts: ContactSet,
  ) {}

  /**
   * Whether local contacts are to part a pair that overlaps: they are shallow, none of a way out is left, and they have not
   * tried in vain for some steps.
   */
  isShallow(pair: number): boolean {
    const key = this.contacts.pairKey[pair];
    if (this.contacts.pairLast[pair] < 0 || this.#ways.has(key)) return false;
    const steps = 1 + (this.#shallow.get(key) ?? 0);
    this.#shallow.set(key, steps);
    return steps <= PATIENCE;
  }

  /** Moves the overlapping pairs of a step. */
  begin(dt: number): void {
    const { contacts, bodies } = this;
    this.active = this.freed.length = 0;
    let searches = 0;
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      const key = contacts.pairKey[pair];
      if (contacts.pairState[pair] !== OVERLAP && this.#shallow.size > 0) this.#shallow.delete(key);
      if (contacts.pairMode[pair] !== OVERLAPPING) {
        if (this.#ways.size > 0) this.#ways.delete(key);
        continue;
      }
      this.active++;
      let way = this.#ways.get(key);
      if (way === undefined || (way.age >= LIFE && searches < MOST_SEARCHES)) {
        searches++;
        way = this.#ask(pair, way);
        this.#ways.set(key, way);
      }
      if (!this.#move(pair, way, dt)) continue;
      // Bodies turn on their way: where it ends they may still overlap a little.
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        bodies.place(contacts.pairA[pair]);
        bodies.place(contacts.pairB[pair]);
        way = this.#ask(pair, undefined);
        if (way.x === 0 && way.y === 0) break;
        if (!this.#move(pair, way, dt)) break;
      }
      this.#ways.delete(key);
      this.freed.push(pair);
    }
    if (this.active === 0 && this.#ways.size > 0) this.#ways.clear();
    // Pairs that are no longer near have parted.
    for (const key of this.#shallow.keys()) if (!contacts.hasPair(key)) this.#shallow.delete(key);
  }

  #ask(pair: number, last: Way | undefined): Way {
    const { contacts, bodies, depth } = this;
    const a = bodies.placed[contacts.pairA[pair]];
    const b = bodies.placed[contacts.pairB[pair]];
    depth.find(a, b, contacts.pairSkin[pair] / 2);
    if (last !== undefined) {
      last.age = 0;
      const left = Math.hypot(last.x, last.y);
      if (left > contacts.pairSkin[pair] && depth.depth > SHORTER * left) return last;
    }
    const { x, y, pointX, pointY } = depth;
    return { x, y, pointX, pointY, age: 0 };
  }

  /** @returns whether the pair is at the end of its way. */
  #move(pair: number, way: Way, dt: number): boolean {
    const { contacts, bodies } = this;
    const a = contacts.pairA[pair];
    const b = contacts.pairB[pair];
    const sum = bodies.inverseMass[a] + bodies.inverseMass[b];
    const length = Math.hypot(way.x, way.y);
    way.age++;
    if (length === 0 || sum === 0) {
      way.age = LIFE;
      return false;
    }
    const size = Math.min(bodies.outlines[a].reach, bodies.outlines[b].reach);
    const step = Math.min(length, Math.min(MOST_SPEED, 2 * MOST_SIZES * size) * dt);
    const share = step / length;
    this.#shift(a, (share * way.x * bodies.inverseMass[a]) / sum, (share * way.y * bodies.inverseMass[a]) / sum);
    this.#shift(b, (-share * way.x * bodies.inverseMass[b]) / sum, (-share * way.y * bodies.inverseMass[b]) / sum);
    if (share === 1) return true;
    // They may part as they like, but not approach.
    contacts.addStop(pair, -way.x / length, -way.y / length, way.pointX, way.pointY);
    way.x *= 1 - share;
    way.y *= 1 - share;
    return false;
  }

  #shift(i: number, x: number, y: number): void {
    this.bodies.center[2 * i] += x;
    this.bodies.center[2 * i + 1] += y;
  }

  save(): number[] {
    const values = [this.#ways.size];
    for (const [key, way] of this.#ways) values.push(key, way.x, way.y, way.pointX, way.pointY, way.age);
    values.push(this.#shallow.size);
    for (const [key, steps] of this.#shallow) values.push(key, steps);
    return values;
  }

  load(from: ArrayLike<number>, at: number): number {
    const count = from[at];
    this.#ways.clear();
    for (let k = 0; k < count; k++) {
      const first = at + 1 + 6 * k;
      this.#ways.set(from[first], {
        x: from[first + 1],
        y: from[first + 2],
        pointX: from[first + 3],
        pointY: from[first + 4],
        age: from[first + 5],
      });
    }
    at += 1 + 6 * count;
    this.#shallow.clear();
    for (let k = 0; k < from[at]; k++) this.#shallow.set(from[at + 1 + 2 * k], from[at + 2 + 2 * k]);
    return 2 + 6 * count + 2 * from[at];
  }
}
