// The impulses of the contacts of the last step, by pair and features: contacts of the same features start with them. The
// impulses of sleepers stay, so that they wake as they lay.
import { growTo } from '../../core/grow-array.js';
import { PlaneBroadPhase } from './broad-phase.js';
import type { ContactSet } from './contact-set.js';

/** By keys of pairs, ascending. */
class Impulses {
  count = 0;
  pairs = new Float64Array(16);
  /** Kind, feature of A, feature of B. */
  features = new Int32Array(48);
  /** Normal and tangent. */
  values = new Float64Array(32);

  add(key: number, kind: number, a: number, b: number, normal: number, tangent: number): void {
    const n = this.count++;
    if (n >= this.pairs.length) {
      this.pairs = growTo(this.pairs, n + 1);
      this.features = growTo(this.features, 3 * n + 3);
      this.values = growTo(this.values, 2 * n + 2);
    }
    this.pairs[n] = key;
    this.features[3 * n] = kind;
    this.features[3 * n + 1] = a;
    this.features[3 * n + 2] = b;
    this.values[2 * n] = normal;
    this.values[2 * n + 1] = tangent;
  }

  addFrom({ pairs, features: f, values }: Impulses, n: number): void {
    this.add(pairs[n], f[3 * n], f[3 * n + 1], f[3 * n + 2], values[2 * n], values[2 * n + 1]);
  }
}

export class ContactMemory {
  #last = new Impulses();
  #next = new Impulses();
  #order = new Int32Array(16);

  /** Keeps the impulses of the contacts, and those of pairs of sleepers, which steps do not look at. */
  remember(contacts: ContactSet): void {
    const { bodies, pairs, impulses } = contacts;
    const { count: pairCount, key: pairKey } = pairs;
    const [last, next] = [this.#last, this.#next];
    this.#order = growTo(this.#order, pairCount);
    const order = this.#order.subarray(0, pairCount);
    for (let pair = 0; pair < pairCount; pair++) order[pair] = pair;
    // Pairs that were found within the step are at the end.
    if (pairs.isExtended) order.sort((p, q) => pairKey[p] - pairKey[q]);
    next.count = 0;
    let n = 0;
    for (let k = 0; k <= pairCount; k++) {
      const key = k < pairCount ? pairKey[order[k]] : Infinity;
      for (; n < last.count && last.pairs[n] < key; n++) {
        const pair = last.pairs[n];
        if (bodies.isIdle(PlaneBroadPhase.first(pair), PlaneBroadPhase.second(pair))) next.addFrom(last, n);
      }
      if (k === pairCount) break;
      while (n < last.count && last.pairs[n] === key) n++;
      for (let c = contacts.last[order[k]]; c >= 0; c = contacts.before[c]) {
        const { kind, featureA, featureB } = contacts;
        next.add(key, kind[c], featureA[c], featureB[c], impulses.startNormal[c], impulses.startTangent[c]);
      }
    }
    this.#last = next;
    this.#next = last;
  }

  /** Starts a contact with the impulses of the last step's contact of the same features, if there was one. */
  recall(contacts: ContactSet, c: number): void {
    const { count, pairs, features, values } = this.#last;
    const key = contacts.pairs.key[contacts.pair[c]];
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[middle] < key) low = middle + 1;
      else high = middle;
    }
    for (; low < count && pairs[low] === key; low++) {
      if (features[3 * low] !== contacts.kind[c] || features[3 * low + 1] !== contacts.featureA[c]) continue;
      if (features[3 * low + 2] !== contacts.featureB[c]) continue;
      contacts.impulses.start(c, values[2 * low], values[2 * low + 1]);
      return;
    }
  }

  /** The whole memory as numbers. */
  save(): number[] {
    const { count, pairs, features, values } = this.#last;
    return [count, ...pairs.subarray(0, count), ...features.subarray(0, 3 * count), ...values.subarray(0, 2 * count)];
  }

  /** @returns the count of numbers read. */
  load(from: Float64Array, at: number): number {
    const count = from[at];
    const impulses = new Impulses();
    for (let n = 0; n < count; n++) {
      const [feature, value] = [at + 1 + count + 3 * n, at + 1 + 4 * count + 2 * n];
      impulses.add(from[at + 1 + n], from[feature], from[feature + 1], from[feature + 2], from[value], from[value + 1]);
    }
    this.#last = impulses;
    return 1 + 6 * count;
  }
}
