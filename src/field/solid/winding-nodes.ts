// Values at the nodes of a grid that are negative where a mesh winds at least half around: the signed distance near
// the mesh and, across its holes, the winding number, so that the surface over a hole is smooth. Nodes of an open mesh
// are computed when asked for and kept.
import { growTo } from '../../core/grow-array.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { GridFrame } from '../grid.js';
import { EdgeVertices } from '../isosurface/edge-vertices.js';
import { computeSparseField } from '../sparse/compute-sparse-field.js';
import type { SparseField } from '../sparse/sparse-field.js';
import { SurfaceSearch } from './surface-search.js';

/** Chosen: half width of the band of distances, in spacings; values are limited to it. */
export const BAND_WIDTH = 3;

/**
 * Chosen: accuracies of winding numbers, one after the other until the value is known: the first one decides most
 * nodes.
 */
const ACCURACIES = [0.2, 1e-3];
/** Chosen: beyond this margin from one half a winding number need not be known better: the surface is not near. */
const FAR_FROM_HALF = 0.3;

export class WindingNodes {
  readonly field: SparseField;
  readonly #limit: number;
  readonly #search: SurfaceSearch | null;
  readonly #places = new EdgeVertices();
  #values = new Float64Array(1024);
  #count = 0;

  constructor(mesh: Mesh, frame: GridFrame, progress: ProgressOptions) {
    const field = computeSparseField(mesh, frame, { ...progress, bandWidth: BAND_WIDTH, sign: 'none' });
    // Winding numbers of a balanced mesh are whole numbers, which rows of nodes decide exactly and much faster.
    this.field = field.closed ? computeSparseField(mesh, frame, { ...progress, bandWidth: BAND_WIDTH }) : field;
    this.#limit = BAND_WIDTH * frame.spacing;
    reportProgress({ signal: progress.signal }, 0, 'winding numbers');
    this.#search = field.closed ? null : new SurfaceSearch(mesh, progress);
  }

  /** Nodes computed one by one. */
  get computed(): number {
    return this.#count;
  }

  value(i: number, j: number, k: number): number {
    const distance = this.field.value(i, j, k);
    const limit = this.#limit;
    if (this.#search === null) return Math.max(-limit, Math.min(distance, limit));
    const { size } = this.field;
    const key = i + size[0] * (j + size[1] * k);
    const place = this.#places.find(key);
    const known = this.#places.get(place);
    if (known >= 0) return this.#values[known];
    if (this.#count === this.#values.length) {
      this.#values = growTo(this.#values, this.#count + 1);
    }
    const value = this.#compute(i, j, k, Math.min(distance, limit));
    this.#values[this.#count] = value;
    this.#places.set(place, key, this.#count++);
    return value;
  }

  #compute(i: number, j: number, k: number, distance: number): number {
    const { origin, spacing } = this.field;
    const windings = this.#search!.windings;
    const x = origin[0] + spacing * i;
    const y = origin[1] + spacing * j;
    const z = origin[2] + spacing * k;
    // With a margin of this the value is the distance, whatever the winding number is exactly.
    const enough = Math.min(FAR_FROM_HALF, distance / (2 * this.#limit));
    let outside = 0;
    for (const accuracy of ACCURACIES) {
      outside = 0.5 - windings.evaluate(x, y, z, accuracy);
      if (Math.abs(outside) - windings.errorBound >= enough) break;
    }
    const most = Math.min(distance, 2 * Math.abs(outside) * this.#limit);
    return outside < 0 ? -most : most;
  }
}
