// Bodies that overlap deeply (a start, a placement by hand) move apart along their global depth: places change, velocities do
// not, each body by its share of the masses, so that momentum stays 0. The way out is kept while no other is clearly shorter.
import { type ContactSet, OVERLAPPING } from './contact/contact-set.js';
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
  #ways = new Map<number, Way>();

  constructor(
    readonly bodies: PlaneBodies,
    readonly contacts: ContactSet,
  ) {}

  /** Whether local contacts can part a pair that overlaps: none of its way is left, and its contacts are shallow. */
  isShallow(pair: number): boolean {
    return this.contacts.pairLast[pair] >= 0;
  }

  /** Moves the overlapping pairs of a step. */
  begin(dt: number): void {
    const { contacts } = this;
    this.active = 0;
    let searches = 0;
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      const key = contacts.pairKey[pair];
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
      this.#move(pair, way, dt);
    }
    if (this.active === 0 && this.#ways.size > 0) this.#ways.clear();
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

  #move(pair: number, way: Way, dt: number): void {
    const { contacts, bodies } = this;
    const a = contacts.pairA[pair];
    const b = contacts.pairB[pair];
    const sum = bodies.inverseMass[a] + bodies.inverseMass[b];
    const length = Math.hypot(way.x, way.y);
    way.age++;
    if (length === 0 || sum === 0) {
      way.age = LIFE;
      return;
    }
    const size = Math.min(bodies.outlines[a].reach, bodies.outlines[b].reach);
    const step = Math.min(length, Math.min(MOST_SPEED, 2 * MOST_SIZES * size) * dt);
    const share = step / length;
    this.#shift(a, (share * way.x * bodies.inverseMass[a]) / sum, (share * way.y * bodies.inverseMass[a]) / sum);
    this.#shift(b, (-share * way.x * bodies.inverseMass[b]) / sum, (-share * way.y * bodies.inverseMass[b]) / sum);
    // They may part as they like, but not approach.
    contacts.addStop(pair, -way.x / length, -way.y / length, way.pointX, way.pointY);
    way.x *= 1 - share;
    way.y *= 1 - share;
    if (share === 1) way.age = LIFE;
  }

  #shift(i: number, x: number, y: number): void {
    this.bodies.center[2 * i] += x;
    this.bodies.center[2 * i + 1] += y;
  }

  save(): number[] {
    const values = [this.#ways.size];
    for (const [key, way] of this.#ways) values.push(key, way.x, way.y, way.pointX, way.pointY, way.age);
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
    return 1 + 6 * count;
  }
}
