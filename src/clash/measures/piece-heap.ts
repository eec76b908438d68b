// Pieces of a search that divides the one with the largest key first.
import { IndexedHeap } from '../../core/heap.js';

export class PieceHeap<Piece> {
  readonly #pieces: (Piece | null)[] = [];
  readonly #order = new IndexedHeap();

  push(key: number, piece: Piece): void {
    this.#order.set(this.#pieces.push(piece) - 1, -key);
  }

  /** Takes the piece with the largest key, of equal ones the first; null when none is left. */
  pop(): Piece | null {
    if (this.#order.size === 0) return null;
    const index = this.#order.pop();
    const piece = this.#pieces[index];
    this.#pieces[index] = null;
    return piece;
  }

  /** The pieces that are left. */
  *left(): Generator<Piece> {
    for (const piece of this.#pieces) if (piece !== null) yield piece;
  }
}
