// An isosurface cell by cell, in any order, for grids that are never in memory as a whole. Vertices are found by the
// grid edge they cut, so that cells that share an edge share its vertex. O(1) per cell.
import { NearfieldError } from '../../core/errors.js';
import type { Mesh } from '../../mesh/mesh.js';
import { assertGridFrame, type GridFrame } from '../grid.js';
import { CutSurface } from './cut-surface.js';
import { EdgeVertices } from './edge-vertices.js';

/**
 * Collects an isosurface from cells. The result is that of `extractIsosurface` with the same cells: closed, manifold
 * and oriented if all cells around the surface are given, each once.
 */
export class IsosurfaceMarcher {
  readonly #nx: number;
  readonly #ny: number;
  readonly #level: number;
  readonly #surface: CutSurface;
  readonly #vertices = new EdgeVertices();

  /** @throws NearfieldError `bad-argument` for an invalid grid or a level that is not finite. */
  constructor(frame: GridFrame, level = 0) {
    assertGridFrame(frame, { sparse: true });
    assertLevel(level);
    this.#nx = frame.size[0];
    this.#ny = frame.size[1];
    this.#level = level;
    this.#surface = new CutSurface(frame, level);
  }

  /**
   * Adds the surface in the cell with lowest node (i, j, k). `values` are those of its corners from `at` on: corner c
   * is the lowest node plus (c & 1, c >> 1 & 1, c >> 2). Not checked, for speed.
   */
  addCell(i: number, j: number, k: number, values: Float64Array | Float32Array, at = 0): void {
    const level = this.#level;
    let mask = 0;
    for (let corner = 0; corner < 8; corner++) if (values[at + corner] < level) mask |= 1 << corner;
    if (mask === 0 || mask === 255) return;
    const surface = this.#surface;
    const { edgeCorner, edgeSteps, cutStart, cuts } = surface.cases;
    for (let c = cutStart[mask]; c < cutStart[mask + 1]; c++) {
      const edge = cuts[c];
      const corner = edgeCorner[edge];
      const steps = edgeSteps[edge];
      const x = i + (corner & 1);
      const y = j + ((corner >> 1) & 1);
      const z = k + (corner >> 2);
      const key = 8 * (x + this.#nx * (y + this.#ny * z)) + steps;
      const place = this.#vertices.find(key);
      let vertex = this.#vertices.get(place);
      if (vertex === -1) {
        vertex = surface.cutEdge(x, y, z, steps, values[at + corner], values[at + corner + steps]);
        this.#vertices.set(place, key, vertex);
      }
      surface.cellVertices[edge] = vertex;
    }
    surface.addPolygons(mask);
  }

  /** The surface of all cells so far; without triangles if nothing was cut. */
  mesh(): Mesh {
    return this.#surface.mesh();
  }
}

/** Throws for a level that is not finite. */
export function assertLevel(level: number): void {
  if (typeof level === 'number' && Number.isFinite(level)) return;
  throw new NearfieldError('bad-argument', `The level is ${level}; give a finite number.`);
}
