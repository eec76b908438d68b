// Bodies that overlap deeply (a start, a placement by hand) move apart along their global depth: places change, velocities do
// not, each body by its share of the masses, so that momentum stays 0. The way out is kept while no other is clearly shorter.
import type { PlaneBodies } from '../body/plane-bodies.js';
import { OVERLAP } from '../outline/outline-pair.js';
import { PlaneDepth } from '../outline/plane-depth.js';
import type { ContactSet } from './contact-set.js';
import { OVERLAPPING } from './near-pairs.js';

/** Chosen: the speed at which a pair parts, m/s: quick to the eye, without a jump. */
const MAX_SPEED = 1;
/** Chosen: the speed at which a pair of small bodies parts, in diameters of the smaller body a second. */
const MAX_SIZES = 4;
/** Chosen: steps until the way out is searched for again. */
const LIFE = 4;
/** Chosen: another way is taken if it is shorter than this share of the one that is kept, so that ways do not alternate. */
const SHORTER = 0.9;
/** Chosen: searches in a step, which bounds its cost; the other pairs keep their way. */
const MAX_SEARCHES = 8;
/** Chosen: searches at the end of a way, where bodies that turned may still overlap a little. */
const MAX_TRIES = 3;
/** Chosen: steps in which local contacts may part a pair. A clamp holds what they push out on one side in on the other. */
const PATIENCE = 12;
/** Layout: the numbers of a way in a snapshot, its key included. */
const WAY_NUMBERS = 6;

/** The way out of an overlapping pair: a translation of A. */
interface Way {
  x: number;
  y: number;
  pointX: number;
  pointY: number;
  /** Steps since the last search. */
  age: number;
}

export class OverlapRecovery {
  /** Pairs moved apart in the last step. */
  active = 0;
  /** Those of them that are at the end of their way: they have contacts again. */
  readonly freed: number[] = [];
  readonly #depth = new PlaneDepth();
  /** By the key of the pair. */
  readonly #ways = new Map<number, Way>();
  /** For how many steps pairs have overlapped that local contacts are to part. */
  readonly #shallow = new Map<number, number>();

  constructor(
    readonly bodies: PlaneBodies,
    readonly contacts: ContactSet,
  ) {}

  /**
   * Whether local contacts are to part a pair that overlaps: the pair has contacts and no way out, and contacts have not tried
   * in vain for some steps.
   */
  isShallow(pair: number): boolean {
    const key = this.contacts.pairs.key[pair];
    if (this.contacts.last[pair] < 0 || this.#ways.has(key)) return false;
    const steps = 1 + (this.#shallow.get(key) ?? 0);
    this.#shallow.set(key, steps);
    return steps <= PATIENCE;
  }

  /** Moves the overlapping pairs of a step. */
  begin(dt: number): void {
    const { pairs } = this.contacts;
    this.active = this.freed.length = 0;
    let searches = 0;
    for (let pair = 0; pair < pairs.count; pair++) {
      const key = pairs.key[pair];
      if (pairs.state[pair] !== OVERLAP && this.#shallow.size > 0) this.#shallow.delete(key);
      if (pairs.mode[pair] !== OVERLAPPING) {
        if (this.#ways.size > 0) this.#ways.delete(key);
        continue;
      }
      this.active++;
      let way = this.#ways.get(key);
      if (way === undefined || (way.age >= LIFE && searches < MAX_SEARCHES)) {
        searches++;
        way = this.#search(pair, way);
        this.#ways.set(key, way);
      }
      if (!this.#move(pair, way, dt)) continue;
      this.#finish(pair, dt);
      this.#ways.delete(key);
      this.freed.push(pair);
    }
    if (this.active === 0 && this.#ways.size > 0) this.#ways.clear();
    // Pairs that are no longer near have parted.
    for (const key of this.#shallow.keys()) if (!pairs.has(key)) this.#shallow.delete(key);
  }

  /** Parts a pair at the end of its way from what turning has left of the overlap. */
  #finish(pair: number, dt: number): void {
    const { contacts, bodies } = this;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      bodies.place(contacts.pairs.a[pair]);
      bodies.place(contacts.pairs.b[pair]);
      const way = this.#search(pair, undefined);
      if (way.x === 0 && way.y === 0) return;
      if (!this.#move(pair, way, dt)) return;
    }
  }

  /** The shortest way out, or the last one while no other is clearly shorter. */
  #search(pair: number, last: Way | undefined): Way {
    const { pairs } = this.contacts;
    const { placed } = this.bodies;
    const depth = this.#depth;
    depth.find(placed[pairs.a[pair]], placed[pairs.b[pair]], pairs.skin[pair] / 2);
    if (last !== undefined) {
      last.age = 0;
      const left = Math.hypot(last.x, last.y);
      if (left > pairs.skin[pair] && depth.depth > SHORTER * left) return last;
    }
    const { x, y, pointX, pointY } = depth;
    return { x, y, pointX, pointY, age: 0 };
  }

  /** @returns whether the pair is at the end of its way. */
  #move(pair: number, way: Way, dt: number): boolean {
    const { contacts, bodies } = this;
    const a = contacts.pairs.a[pair];
    const b = contacts.pairs.b[pair];
    const sum = bodies.inverseMass[a] + bodies.inverseMass[b];
    const length = Math.hypot(way.x, way.y);
    way.age++;
    if (length === 0 || sum === 0) {
      way.age = LIFE;
      return false;
    }
    const size = Math.min(bodies.outlines[a].reach, bodies.outlines[b].reach);
    const step = Math.min(length, Math.min(MAX_SPEED, 2 * MAX_SIZES * size) * dt);
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

  /** What the next step takes from the last ones, as numbers. */
  save(): number[] {
    const values = [this.#ways.size];
    for (const [key, way] of this.#ways) values.push(key, way.x, way.y, way.pointX, way.pointY, way.age);
    values.push(this.#shallow.size);
    for (const [key, steps] of this.#shallow) values.push(key, steps);
    return values;
  }

  /** Takes over what {@link save} returned. @returns the count of numbers read. */
  load(from: ArrayLike<number>, at: number): number {
    const count = from[at];
    this.#ways.clear();
    for (let k = 0; k < count; k++) {
      const first = at + 1 + WAY_NUMBERS * k;
      this.#ways.set(from[first], {
        x: from[first + 1],
        y: from[first + 2],
        pointX: from[first + 3],
        pointY: from[first + 4],
        age: from[first + 5],
      });
    }
    at += 1 + WAY_NUMBERS * count;
    this.#shallow.clear();
    for (let k = 0; k < from[at]; k++) this.#shallow.set(from[at + 1 + 2 * k], from[at + 2 + 2 * k]);
    return 2 + WAY_NUMBERS * count + 2 * from[at];
  }
}
