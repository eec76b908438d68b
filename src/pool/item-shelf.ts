// The items that a pool has sent: each has a number of its own, and is packed once where memory is shared.
import type { ItemKind } from './item-kind.js';
import type { PackedItem } from './messages.js';

export class ItemShelf<Item extends object> {
  readonly kind: ItemKind<Item>;
  readonly #shared: boolean;
  readonly #numbers = new WeakMap<Item, number>();
  readonly #packed = new WeakMap<Item, unknown>();
  #next = 0;

  constructor(kind: ItemKind<Item>, shared: boolean) {
    this.kind = kind;
    this.#shared = shared;
  }

  numberOf(item: Item): number {
    let number = this.#numbers.get(item);
    if (number === undefined) {
      number = this.#next++;
      this.#numbers.set(item, number);
    }
    return number;
  }

  pack(item: Item): PackedItem {
    const number = this.numberOf(item);
    if (!this.#shared) return { number, packed: this.kind.pack(item, false) };
    let packed = this.#packed.get(item);
    if (packed === undefined) {
      packed = this.kind.pack(item, true);
      this.#packed.set(item, packed);
    }
    return { number, packed };
  }
}
