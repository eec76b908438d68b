// Where the faces of a solid belong: on the mesh, at the offset of a thick layer, or, over a hole, where they are.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { normalize, type Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { FitTarget } from './fit-vertices.js';
import { SurfaceSearch } from './surface-search.js';
import type { ThickLayer } from './thick-layers.js';

/** Chosen: a face farther from the mesh than this, in spacings, spans a hole. */
const HOLE_DISTANCE = 1.5;

/** Label: marks a face that belongs to no surface. */
const STAYS = -1;

export class SolidTarget implements FitTarget {
  readonly #searches: readonly SurfaceSearch[];
  readonly #offsets: readonly number[];
  /** By face: the surface it belongs to, {@link STAYS} if none. */
  readonly #kinds: Int8Array;
  readonly #slots: Int32Array;

  /** `solid`: the unmoved isosurface; `enclosing`: the faces whose windings made it. */
  constructor(
    solid: Mesh,
    enclosing: Mesh | null,
    layers: readonly ThickLayer[],
    spacing: number,
    progress: ProgressOptions,
  ) {
    const sources =
      enclosing === null ? layers.map(({ mesh }) => mesh) : [enclosing, ...layers.map(({ mesh }) => mesh)];
    const levels = enclosing === null ? layers.map(({ level }) => level) : [0, ...layers.map(({ level }) => level)];
    this.#offsets =
      enclosing === null ? layers.map(({ offset }) => offset) : [0, ...layers.map(({ offset }) => offset)];
    this.#searches = sources.map((mesh) => new SurfaceSearch(mesh, progress));
    const { positions: p, indices } = solid;
    this.#kinds = new Int8Array(indices.length / 3).fill(STAYS);
    this.#slots = new Int32Array(indices.length / 3).fill(-1);
    const guesses = this.#searches.map(() => -1);
    for (let face = 0; face < this.#kinds.length; face++) {
      if (face % 2048 === 0) reportProgress(progress, face / this.#kinds.length, 'fit');
      const [a, b, c] = [3 * indices[3 * face], 3 * indices[3 * face + 1], 3 * indices[3 * face + 2]];
      const x = (p[a] + p[b] + p[c]) / 3;
      const y = (p[a + 1] + p[b + 1] + p[c + 1]) / 3;
      const z = (p[a + 2] + p[b + 2] + p[c + 2]) / 3;
      let least = HOLE_DISTANCE * spacing;
      this.#searches.forEach((search, kind) => {
        const off = Math.abs(search.distance(x, y, z, guesses[kind]) - levels[kind]);
        guesses[kind] = search.closest.slot;
        if (off >= least) return;
        least = off;
        this.#kinds[face] = kind;
        this.#slots[face] = search.closest.slot;
      });
    }
  }

  plane(face: number, x: number, y: number, z: number, out: Float64Array): boolean {
    const kind = this.#kinds[face];
    if (kind === STAYS) return false;
    const search = this.#searches[kind];
    const distance = search.distance(x, y, z, this.#slots[face]);
    const { best, slot } = search.closest;
    this.#slots[face] = slot;
    const offset = this.#offsets[kind];
    const t = search.corners;
    const o = 9 * slot;
    let normal: Vec3 = [
      (t[o + 4] - t[o + 1]) * (t[o + 8] - t[o + 2]) - (t[o + 5] - t[o + 2]) * (t[o + 7] - t[o + 1]),
      (t[o + 5] - t[o + 2]) * (t[o + 6] - t[o]) - (t[o + 3] - t[o]) * (t[o + 8] - t[o + 2]),
      (t[o + 3] - t[o]) * (t[o + 7] - t[o + 1]) - (t[o + 4] - t[o + 1]) * (t[o + 6] - t[o]),
    ];
    if (offset > 0 && distance > 0) normal = [x - best.x, y - best.y, z - best.z];
    normal = normalize(normal);
    if (!(Math.hypot(...normal) > 0.5)) return false;
    out[0] = best.x + offset * normal[0];
    out[1] = best.y + offset * normal[1];
    out[2] = best.z + offset * normal[2];
    out[3] = normal[0];
    out[4] = normal[1];
    out[5] = normal[2];
    return true;
  }
}
