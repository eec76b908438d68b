// A stack of triangles, nine numbers each, in one array that grows.
import { growTo } from '../../core/grow-array.js';
import type { Mesh } from '../../mesh/mesh.js';

export class TriangleList {
  #corners = new Float64Array(9 * 256);
  #length = 0;

  push(t: Float64Array): void {
    if (this.#length === this.#corners.length) {
      this.#corners = growTo(this.#corners, this.#length + 9);
    }
    this.#corners.set(t, this.#length);
    this.#length += 9;
  }

  /** Takes the last triangle off; returns false if the list is empty. */
  pop(t: Float64Array): boolean {
    if (this.#length === 0) return false;
    this.#length -= 9;
    t.set(this.#corners.subarray(this.#length, this.#length + 9));
    return true;
  }

  /** All triangles as a mesh, three vertices each; `null` for an empty list. */
  mesh(): Mesh | null {
    if (this.#length === 0) return null;
    const positions = this.#corners.slice(0, this.#length);
    return { positions, indices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i) };
  }
}
