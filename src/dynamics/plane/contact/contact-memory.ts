// The impulses of the contacts of the last step, by pair and features: contacts of the same features start with them.
import { growTo } from '../../../core/grow-array.js';
import type { ContactSet } from './contact-set.js';

export class ContactMemory {
  #count = 0;
  /** Keys of pairs, ascending; kind and features of A and B; normal and tangent impulse. */
  #pairs = new Float64Array(16);
  #features = new Int32Array(48);
  #impulses = new Float64Array(32);
  #order = new Int32Array(16);

  /** Keeps the impulses of the contacts. */
  remember(contacts: ContactSet): void {
    const { count, pairCount, pairKey } = contacts;
    this.#pairs = growTo(this.#pairs, count);
    this.#features = growTo(this.#features, 3 * count);
    this.#impulses = growTo(this.#impulses, 2 * count);
    this.#order = growTo(this.#order, pairCount);
    const order = this.#order.subarray(0, pairCount);
    for (let pair = 0; pair < pairCount; pair++) order[pair] = pair;
    // Pairs that were found within the step are at the end.
    if (contacts.isExtended) order.sort((p, q) => pairKey[p] - pairKey[q]);
    let kept = 0;
    for (let n = 0; n < pairCount; n++) {
      for (let c = contacts.pairLast[order[n]]; c >= 0; c = contacts.before[c]) {
        this.#pairs[kept] = pairKey[order[n]];
        this.#features[3 * kept] = contacts.kind[c];
        this.#features[3 * kept + 1] = contacts.featureA[c];
        this.#features[3 * kept + 2] = contacts.featureB[c];
        this.#impulses[2 * kept] = contacts.startNormal[c];
        this.#impulses[2 * kept + 1] = contacts.startTangent[c];
        kept++;
      }
    }
    this.#count = kept;
  }

  /** Starts a contact with the impulses of the last step's contact of the same features, if there was one. */
  recall(contacts: ContactSet, c: number): void {
    const key = contacts.pairKey[contacts.pair[c]];
    const pairs = this.#pairs;
    const features = this.#features;
    contacts.startNormal[c] = contacts.startTangent[c] = 0;
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[middle] < key) low = middle + 1;
      else high = middle;
    }
    for (; low < this.#count && pairs[low] === key; low++) {
      if (features[3 * low] !== contacts.kind[c] || features[3 * low + 1] !== contacts.featureA[c]) continue;
      if (features[3 * low + 2] !== contacts.featureB[c]) continue;
      contacts.startNormal[c] = this.#impulses[2 * low];
      contacts.startTangent[c] = this.#impulses[2 * low + 1];
      return;
    }
  }

  /** All of it as numbers. */
  save(): number[] {
    const count = this.#count;
    return [
      count,
      ...this.#pairs.subarray(0, count),
      ...this.#features.subarray(0, 3 * count),
      ...this.#impulses.subarray(0, 2 * count),
    ];
  }

  /** @returns how many numbers were read. */
  load(from: Float64Array, at: number): number {
    const count = from[at];
    this.#count = count;
    this.#pairs = from.slice(at + 1, at + 1 + count);
    this.#features = Int32Array.from(from.subarray(at + 1 + count, at + 1 + 4 * count));
    this.#impulses = from.slice(at + 1 + 4 * count, at + 1 + 6 * count);
    return 1 + 6 * count;
  }
}
