// Poses of all links at places along one edge. They are kept: pairs of bodies ask for the same places.

/** Chosen: the count of places of an edge whose poses are kept. */
const ROOM = 64;

export class EdgePoses {
  readonly #size: number;
  readonly #write: (s: number, out: Float64Array) => void;
  readonly #shares = new Float64Array(ROOM);
  readonly #poses: Float64Array[] = [];
  #count = 0;
  #next = 0;

  /** @param write writes the poses at a share of the current edge; `size` numbers. */
  constructor(size: number, write: (s: number, out: Float64Array) => void) {
    this.#size = size;
    this.#write = write;
  }

  /** Forgets all, for a new edge. */
  clear(): void {
    this.#count = 0;
    this.#next = 0;
  }

  /** The poses at a share of the edge; valid until more poses have been asked for than are kept. */
  at(s: number): Float64Array {
    for (let i = 0; i < this.#count; i++) if (this.#shares[i] === s) return this.#poses[i];
    const slot = this.#next;
    this.#next = (slot + 1) % ROOM;
    this.#count = Math.max(this.#count, slot + 1);
    this.#poses[slot] ??= new Float64Array(this.#size);
    this.#shares[slot] = s;
    this.#write(s, this.#poses[slot]);
    return this.#poses[slot];
  }
}
