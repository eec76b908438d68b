// What is kept of a pair of bodies from step to step: its contacts, the gap it rests at, and the impulses of its points.
import { growTo } from '../../core/grow-array.js';
import type { ContactBuffer } from './contact-buffer.js';
import { SLOT_LIMIT } from './pair-key.js';

/** Contacts of two shapes; see `PairContacts`. */
export interface PairManifold {
  readonly distance: number;
  readonly count: number;
  readonly pointsA: Float64Array;
  readonly pointsB: Float64Array;
  readonly normals: Float64Array;
  readonly separations: Float64Array;
  readonly keys: Int32Array;
  update(
    placementA: Float64Array,
    placementB: Float64Array,
    margin: number,
    motion: Float64Array,
    still?: number,
  ): number;
  /** Appends what the next update depends on, and takes it over again; returns the count of numbers read. */
  save(out: number[]): void;
  load(values: Float64Array, at: number): number;
}

/** Layout: numbers kept of a point: normal impulse, friction impulse (3), place on A (3), mean impulse. */
export const KEPT = 8;

/** A pair of bodies. */
export class PairState {
  /** The gap that the bodies rest at; negative before it is known. */
  rest = -1;
  /** The points touched, or the sensor was entered, in the last step. */
  touching = false;
  /** The last collision pass that had the pair. */
  stamp = 0;
  /** How far the bodies may move towards each other before they must be collided again, and how far they may have. */
  budget = 0;
  used = 0;
  /** Points of it pushed since the last look at events. */
  struck = false;
  /** Flies on to an impact: the solver leaves it alone until then. */
  isFree = false;
  /**
   * A lower bound of the distance when it was last measured, 0 for none; how far both bodies together had turned then, and the
   * way from the center of mass of A to that of B.
   */
  clearance = 0;
  turned = 0;
  readonly apart = new Float64Array(3);
  /** Collisions in a row in which it overlapped and earlier contacts held it. */
  heldFor = 0;
  /** The state of the last update. */
  state = 0;
  /** Where its points begin in the contact buffer, and how many they are. */
  first = 0;
  count = 0;
  /** Of its points at the end of the last step: keys, 2 each; normal and friction impulse, and place on A, {@link KEPT} each. */
  keptCount = 0;
  kept = new Int32Array(16);
  keptImpulses = new Float64Array(8 * KEPT);
  /** 1: the impulses of a kept point are given to one of the buffer. */
  #given = new Uint8Array(8);
  readonly a: number;
  readonly b: number;
  readonly manifold: PairManifold;

  constructor(a: number, b: number, manifold: PairManifold) {
    this.a = a;
    this.b = b;
    this.manifold = manifold;
  }

  /** Remembers the impulses of its points, with their keys and where they are on A. */
  keep({ keys, localA, normalImpulse, meanImpulse, frictionImpulse, stepImpulse, warmShare }: ContactBuffer): void {
    const { first, count } = this;
    for (let i = first; i < first + count; i++) if (stepImpulse[i] > 0) this.struck = true;
    this.keptCount = count;
    this.kept = growTo(this.kept, 2 * count);
    this.keptImpulses = growTo(this.keptImpulses, KEPT * count);
    for (let i = 0; i < count; i++) {
      this.kept[2 * i] = keys[2 * (first + i)];
      this.kept[2 * i + 1] = keys[2 * (first + i) + 1];
      const share = warmShare[first + i];
      this.keptImpulses[KEPT * i] = share * normalImpulse[first + i];
      this.keptImpulses[KEPT * i + 7] = meanImpulse[first + i];
      for (let k = 0; k < 3; k++) {
        this.keptImpulses[KEPT * i + 1 + k] = share * frictionImpulse[3 * (first + i) + k];
        this.keptImpulses[KEPT * i + 4 + k] = localA[3 * (first + i) + k];
      }
    }
  }

  /** Scales the kept impulses to those of a substep that is `scale` times as long. */
  scaleKept(scale: number): void {
    for (let at = 0; at < KEPT * this.keptCount; at += KEPT) {
      for (let k = 0; k < 4; k++) this.keptImpulses[at + k] *= scale;
      this.keptImpulses[at + 7] *= scale;
    }
  }

  /**
   * Gives its points in the buffer the impulses of those that had their keys, and others those of a point nearby: where
   * features coincide, rounding chooses between their names.
   */
  recall(contacts: ContactBuffer, nearby: number): void {
    const { first, count, kept } = this;
    const { keys, localA } = contacts;
    let left = this.keptCount;
    if (left === 0) return;
    // The kept ones stay as they are: they may be asked for again before others are kept.
    if (this.#given.length < left) this.#given = new Uint8Array(2 * left);
    this.#given.fill(0);
    for (let k = 0; k < this.keptCount; k++) {
      for (let i = first; i < first + count; i++) {
        if (kept[2 * k] !== keys[2 * i] || kept[2 * k + 1] !== keys[2 * i + 1]) continue;
        this.#give(contacts, i, k);
        left--;
        break;
      }
    }
    if (left === 0) return;
    for (let i = first; i < first + count; i++) {
      if (contacts.isWarm[i] !== 0) continue;
      let nearest = -1;
      let least = nearby * nearby;
      for (let k = 0; k < this.keptCount; k++) {
        const at = KEPT * k;
        if (this.#given[k] === 1) continue;
        const x = this.keptImpulses[at + 4] - localA[3 * i];
        const y = this.keptImpulses[at + 5] - localA[3 * i + 1];
        const z = this.keptImpulses[at + 6] - localA[3 * i + 2];
        const squared = x * x + y * y + z * z;
        if (squared >= least) continue;
        least = squared;
        nearest = k;
      }
      if (nearest >= 0) this.#give(contacts, i, nearest);
    }
  }

  #give(contacts: ContactBuffer, i: number, k: number): void {
    const { keptImpulses } = this;
    contacts.isWarm[i] = 1;
    contacts.normalImpulse[i] = keptImpulses[KEPT * k];
    contacts.meanImpulse[i] = keptImpulses[KEPT * k + 7];
    for (let j = 0; j < 3; j++) contacts.frictionImpulse[3 * i + j] = keptImpulses[KEPT * k + 1 + j];
    // No second point gets it.
    this.#given[k] = 1;
  }
}

/** The pairs of a world, by their bodies. */
export class PairTable {
  readonly #pairs = new Map<number, PairState>();

  get size(): number {
    return this.#pairs.size;
  }

  find(a: number, b: number): PairState | undefined {
    return this.#pairs.get(a * SLOT_LIMIT + b);
  }

  has(pair: PairState): boolean {
    return this.find(pair.a, pair.b) === pair;
  }

  add(pair: PairState): void {
    this.#pairs.set(pair.a * SLOT_LIMIT + pair.b, pair);
  }

  remove(pair: PairState): void {
    this.#pairs.delete(pair.a * SLOT_LIMIT + pair.b);
  }

  clear(): void {
    this.#pairs.clear();
  }

  values(): IterableIterator<PairState> {
    return this.#pairs.values();
  }

  /** All pairs in ascending order of their bodies. */
  sorted(): PairState[] {
    return [...this.#pairs.values()].sort((p, q) => p.a - q.a || p.b - q.b);
  }
}
