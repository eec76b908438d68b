// Removes sides of length zero from a surface without changing its topology: the ends of a side become one vertex if
// their common neighbors are those of the side's own faces (the link condition, Dey, Edelsbrunner, Guha and Nekhayev
// 1999). O(faces) for sides that form small clusters.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { CornerLists } from './corner-lists.js';

/**
 * Merges vertices that a side joins and that lie at exactly the same point. A manifold stays a manifold with the same
 * genus, components and boundary loops; vertices are kept if merging would pinch it. Vertices keep their order.
 */
export function collapseSides(mesh: Mesh, progress: ProgressOptions = {}): Mesh {
  return hasShortSide(mesh) ? new SideCollapse(mesh).run(progress.signal) : mesh;
}

function hasShortSide({ positions, indices }: Mesh): boolean {
  for (let f = 0; f < indices.length; f += 3) {
    const a = indices[f];
    const b = indices[f + 1];
    const c = indices[f + 2];
    if (coincide(positions, a, b) || coincide(positions, b, c) || coincide(positions, c, a)) return true;
  }
  return false;
}

function coincide(p: Float64Array, a: number, b: number): boolean {
  return p[3 * a] === p[3 * b] && p[3 * a + 1] === p[3 * b + 1] && p[3 * a + 2] === p[3 * b + 2];
}

class SideCollapse {
  readonly #positions: Float64Array;
  readonly #indices: Uint32Array;
  /** Without the corners of removed faces. */
  readonly #corners: CornerLists;
  readonly #isGone: Uint8Array;
  /** By vertex: the number of the last test that reached it. */
  readonly #metIn: Int32Array;
  #test = 0;

  constructor({ positions, indices }: Mesh) {
    this.#positions = positions;
    this.#indices = indices.slice();
    const vertices = positions.length / 3;
    this.#corners = new CornerLists({ positions, indices });
    this.#isGone = new Uint8Array(indices.length / 3);
    this.#metIn = new Int32Array(vertices);
  }

  run(signal: ProgressOptions['signal']): Mesh {
    const positions = this.#positions;
    const indices = this.#indices;
    // One collapse may allow another that was rejected before; every round but the last removes a face.
    for (let changed = true; changed; ) {
      changed = false;
      for (let corner = 0; corner < indices.length; corner++) {
        if (corner % 65_536 === 0) reportProgress({ signal }, 0, 'short sides');
        if (this.#isGone[Math.floor(corner / 3)] === 1) continue;
        const a = indices[corner];
        const b = indices[corner % 3 === 2 ? corner - 2 : corner + 1];
        if (coincide(positions, a, b) && this.#mayCollapse(a, b)) {
          this.#collapse(Math.min(a, b), Math.max(a, b));
          changed = true;
        }
      }
    }
    return this.#pack();
  }

  #mayCollapse(a: number, b: number): boolean {
    const indices = this.#indices;
    const next = this.#corners.next;
    const metIn = this.#metIn;
    const test = ++this.#test;
    let facesOfA = 0;
    let shared = 0;
    for (let corner = this.#corners.first[a]; corner >= 0; corner = next[corner]) {
      const face = corner - (corner % 3);
      facesOfA++;
      for (let k = 0; k < 3; k++) {
        const vertex = indices[face + k];
        if (vertex === a) continue;
        if (vertex === b) shared++;
        metIn[vertex] = test;
      }
    }
    if (shared !== 1 && shared !== 2) return false;
    let facesOfB = 0;
    let common = 0;
    for (let corner = this.#corners.first[b]; corner >= 0; corner = next[corner]) {
      const face = corner - (corner % 3);
      facesOfB++;
      for (let k = 0; k < 3; k++) {
        const vertex = indices[face + k];
        // Counts each neighbor once: clear the mark of the test.
        if (vertex === a || vertex === b || metIn[vertex] !== test) continue;
        common++;
        metIn[vertex] = -test;
      }
    }
    if (common !== shared) return false;
    // A tetrahedron, or a single triangle, would vanish.
    if (shared === 2 ? facesOfA === 3 && facesOfB === 3 : facesOfA === 1 && facesOfB === 1) return false;
    // An interior side from rim to rim: merging its ends would pinch the surface.
    return shared === 1 || !(this.#isAtRim(a) && this.#isAtRim(b));
  }

  /** Whether some neighbor follows the vertex in one face and precedes it in none. */
  #isAtRim(vertex: number): boolean {
    const indices = this.#indices;
    const next = this.#corners.next;
    const test = ++this.#test;
    for (let corner = this.#corners.first[vertex]; corner >= 0; corner = next[corner]) {
      this.#metIn[indices[corner % 3 === 2 ? corner - 2 : corner + 1]] = test;
    }
    for (let corner = this.#corners.first[vertex]; corner >= 0; corner = next[corner]) {
      if (this.#metIn[indices[corner % 3 === 0 ? corner + 2 : corner - 1]] !== test) return true;
    }
    return false;
  }

  /** Merges b into a. */
  #collapse(a: number, b: number): void {
    const indices = this.#indices;
    const next = this.#corners.next;
    for (let corner = this.#corners.first[b]; corner >= 0; corner = next[corner]) {
      const face = corner - (corner % 3);
      if (indices[face] === a || indices[face + 1] === a || indices[face + 2] === a) this.#isGone[face / 3] = 1;
    }
    // Remove the faces from the lists of their three corners.
    for (let corner = this.#corners.first[b]; corner >= 0; ) {
      const following = next[corner];
      const face = corner - (corner % 3);
      if (this.#isGone[face / 3] === 1) {
        for (let k = 0; k < 3; k++) if (face + k !== corner) this.#corners.remove(this.#indices[face + k], face + k);
      } else {
        indices[corner] = a;
        this.#corners.add(a, corner);
      }
      corner = following;
    }
    this.#corners.first[b] = -1;
  }

  /** The remaining faces and vertices, in their old order. */
  #pack(): Mesh {
    const indices = this.#indices;
    const ids = new Int32Array(this.#corners.first.length);
    let vertices = 0;
    for (let v = 0; v < ids.length; v++) ids[v] = this.#corners.first[v] >= 0 ? vertices++ : -1;
    const positions = new Float64Array(3 * vertices);
    for (let v = 0; v < ids.length; v++) {
      for (let axis = 0; axis < 3 && ids[v] >= 0; axis++) positions[3 * ids[v] + axis] = this.#positions[3 * v + axis];
    }
    let kept = 0;
    for (let f = 0; f < this.#isGone.length; f++) {
      if (this.#isGone[f] === 1) continue;
      for (let k = 0; k < 3; k++) indices[kept++] = ids[indices[3 * f + k]];
    }
    return { positions, indices: indices.slice(0, kept) };
  }
}
