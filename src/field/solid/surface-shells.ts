// The volumes of the connected parts of a closed surface, which tell a part that was flattened or turned inside out
// while its vertices moved: no faces cross and no normal turns far when a flat one does. O(faces).

import { DisjointSets } from '../../core/disjoint-sets.js';
import type { Mesh } from '../../mesh/mesh.js';
import { faceNormal } from './face-shape.js';

/** Chosen: a shell with less than this share of its first volume is flat. */
const FLAT_SHARE = 0.01;

/**
 * Chosen: a hollow with a smaller mean width, in spacings, contains no other shell: one around a node of the grid has
 * half a spacing.
 */
const NARROW_WIDTH = 0.3;

export class SurfaceShells {
  readonly #mesh: Mesh;
  /** By vertex: the shell's number. */
  readonly #shells: Int32Array;
  /** By shell: its volume, negative for a hollow. */
  readonly #volumes: Float64Array;
  /** By shell: a vertex of it, about which volumes are summed, since shells may be small and far from the origin. */
  readonly #firsts: number[] = [];

  /** `mesh`: closed and oriented outward. */
  constructor(mesh: Mesh) {
    const { positions, indices } = mesh;
    const sets = new DisjointSets(positions.length / 3);
    for (let f = 0; f < indices.length; f += 3) {
      sets.unite(indices[f], indices[f + 1]);
      sets.unite(indices[f], indices[f + 2]);
    }
    this.#mesh = mesh;
    this.#shells = new Int32Array(positions.length / 3);
    for (let v = 0; v < this.#shells.length; v++) {
      const root = sets.find(v);
      this.#shells[v] = root === v ? this.#firsts.push(v) - 1 : this.#shells[root];
    }
    this.#volumes = this.#measure(mesh, null);
  }

  /**
   * Marks the vertices of shells that are flat or inside out in a later form of the surface; `sources` has the first
   * vertex of each of its own, and is `null` if they are the same.
   */
  markTurned(later: Mesh, sources: Uint32Array | null, isBad: Uint8Array): void {
    const volumes = this.#measure(later, sources);
    for (let v = 0; v < isBad.length; v++) {
      const shell = this.#shells[sources === null ? v : sources[v]];
      if (this.#isTurned(volumes, shell)) isBad[v] = 1;
    }
  }

  /**
   * By vertex: 1 in narrow hollows that are flat with their vertices at `moved`. The input encloses nothing there: faces
   * of two parts touch and a node of the grid lies on them. `null` for an empty list.
   */
  findFlatHollows(moved: Float64Array, spacing: number): Uint8Array | null {
    const { positions, indices } = this.#mesh;
    const volumes = this.#measure({ positions: moved, indices }, null);
    const areas = new Float64Array(volumes.length);
    for (let f = 0; f < indices.length; f += 3) {
      const normal = faceNormal(positions, 3 * indices[f], 3 * indices[f + 1], 3 * indices[f + 2]);
      areas[this.#shells[indices[f]]] += 0.5 * Math.hypot(...normal);
    }
    const isFlat = volumes.map((_, shell) => {
      const before = -this.#volumes[shell];
      return before > 0 && before < 0.5 * NARROW_WIDTH * spacing * areas[shell] && this.#isTurned(volumes, shell)
        ? 1
        : 0;
    });
    return isFlat.includes(1) ? Uint8Array.from(this.#shells, (shell) => isFlat[shell]) : null;
  }

  #isTurned(volumes: Float64Array, shell: number): boolean {
    const before = this.#volumes[shell];
    return !(volumes[shell] * Math.sign(before) > FLAT_SHARE * Math.abs(before));
  }

  #measure({ positions: p, indices }: Mesh, sources: Uint32Array | null): Float64Array {
    const volumes = new Float64Array(this.#firsts.length);
    const origin = this.#mesh.positions;
    for (let f = 0; f < indices.length; f += 3) {
      const shell = this.#shells[sources === null ? indices[f] : sources[indices[f]]];
      const o = 3 * this.#firsts[shell];
      const a = 3 * indices[f];
      const [nx, ny, nz] = faceNormal(p, a, 3 * indices[f + 1], 3 * indices[f + 2]);
      volumes[shell] +=
        (nx * (p[a] - origin[o]) + ny * (p[a + 1] - origin[o + 1]) + nz * (p[a + 2] - origin[o + 2])) / 6;
    }
    return volumes;
  }
}
