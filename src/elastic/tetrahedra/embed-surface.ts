// A surface carried by coarse tetrahedra: the elements of a body-centered cubic lattice that meet the solid, whole, and
// for each vertex of the surface its element and barycentric weights there. The element of a point follows from the order
// of its coordinates in the cell, without a search.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { BccLattice } from '../../mesh/implicit/bcc-lattice.js';
import { INSIDE, NO_SAMPLE, OUTSIDE } from '../../mesh/implicit/snap-nodes.js';
import type { Mesh } from '../../mesh/mesh.js';
import { gridNode, gridStates } from './grid-states.js';
import type { TetrahedralMesh } from './tetrahedral-mesh.js';

/** How the vertices of a surface follow the nodes of tetrahedra. */
export interface SurfaceEmbedding {
  /** The element that carries each vertex. */
  readonly elements: Uint32Array;
  /** Four weights a vertex, of the element's nodes; they sum to 1. */
  readonly weights: Float64Array;
}

/** What {@link embedSurface} makes. */
export interface EmbeddedSurface {
  readonly mesh: TetrahedralMesh;
  readonly embedding: SurfaceEmbedding;
  /** The share of each element that is solid: scales its mass and stiffness. */
  readonly fill: Float64Array;
}

/** Chosen: samples along the edge of an element for its share of solid: 56 in all. */
const FILL_ORDER = 6;

/** Chosen: the least share of solid that an element counts as, so that every element has stiffness. */
const MIN_FILL = 0.02;

export function embedSurface(surface: Mesh, lattice: BccLattice, progress: ProgressOptions): EmbeddedSurface {
  return new Embedding(surface, lattice).run(progress);
}

/**
 * Moves the vertices of an embedded surface to where deformed nodes carry them; writes to `out`, three numbers a
 * vertex.
 */
export function carrySurface(
  mesh: TetrahedralMesh,
  { elements: owners, weights }: SurfaceEmbedding,
  positions: Float64Array,
  out: Float64Array,
): Float64Array {
  for (let v = 0; v < owners.length; v++) {
    let [x, y, z] = [0, 0, 0];
    for (let i = 0; i < 4; i++) {
      const node = 3 * mesh.elements[4 * owners[v] + i];
      const weight = weights[4 * v + i];
      x += weight * positions[node];
      y += weight * positions[node + 1];
      z += weight * positions[node + 2];
    }
    out[3 * v] = x;
    out[3 * v + 1] = y;
    out[3 * v + 2] = z;
  }
  return out;
}

class Embedding {
  readonly #surface: Mesh;
  readonly #lattice: BccLattice;
  readonly #size: readonly [number, number, number];
  readonly #states: Uint8Array;
  readonly #nodes = new Map<number, number>();
  /** Elements by their lower center, axis and quarter. */
  readonly #known = new Map<number, number>();
  readonly #positions: number[] = [];
  /** Signed distance at each node; only its sign where the surface is far. */
  readonly #values: number[] = [];
  readonly #elements: number[] = [];
  /** Whether each element is wholly inside, by its nodes and the surface that passes. */
  readonly #isWhole: boolean[] = [];
  /** Of the last point located: doubled coordinates of the four nodes, and weights. */
  readonly #at = new Int32Array(12);
  readonly #weights = new Float64Array(4);
  #key = 0;

  constructor(surface: Mesh, lattice: BccLattice) {
    this.#surface = surface;
    this.#lattice = lattice;
    this.#size = lattice.cells;
    const sides = Uint8Array.from({ length: lattice.nodeCount }, (_, node) => {
      const value = lattice.values[node];
      return value < 0 ? INSIDE : value >= 0 ? OUTSIDE : NO_SAMPLE;
    });
    this.#states = gridStates(lattice, sides);
  }

  run(progress: ProgressOptions): EmbeddedSurface {
    this.#keepInside(progress);
    this.#keepAlongSurface(progress);
    const { positions } = this.#surface;
    const count = positions.length / 3;
    const owners = new Uint32Array(count);
    const weights = new Float64Array(4 * count);
    for (let v = 0; v < count; v++) {
      owners[v] = this.#locate(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
      weights.set(this.#weights, 4 * v);
    }
    const mesh = { positions: Float64Array.from(this.#positions), elements: Uint32Array.from(this.#elements) };
    return { mesh, embedding: { elements: owners, weights }, fill: this.#measureFill(mesh) };
  }

  /** Elements with a node inside the solid. */
  #keepInside(progress: ProgressOptions): void {
    const [nx, ny, nz] = this.#size;
    const { origin, step } = this.#lattice;
    for (let k = 0; k < nz - 1; k++) {
      reportProgress(progress, (0.5 * k) / nz, 'embedding');
      for (let j = 0; j < ny - 1; j++) {
        for (let i = 0; i < nx - 1; i++) {
          for (let part = 0; part < 12; part++) {
            // The middle of the element: a point of it that no other element has.
            const [u, v, w] = middleOfElement(2 * i + 1, 2 * j + 1, 2 * k + 1, part);
            this.#find(u, v, w);
            let inside = 0;
            for (let n = 0; n < 4; n++) {
              const at = this.#at;
              if (this.#states[gridNode(this.#size, at[3 * n], at[3 * n + 1], at[3 * n + 2])] === INSIDE) inside++;
            }
            if (inside === 0) continue;
            const element = this.#locate(origin[0] + step * u, origin[1] + step * v, origin[2] + step * w);
            this.#isWhole[element] = inside === 4;
          }
        }
      }
    }
  }

  /** Elements that hold a point of the surface: its triangles are sampled at a quarter of a cell. */
  #keepAlongSurface(progress: ProgressOptions): void {
    const { positions: p, indices } = this.#surface;
    const width = this.#lattice.step / 2;
    for (let f = 0; f < indices.length; f += 3) {
      if (f % 12288 === 0) reportProgress(progress, 0.5 + (0.3 * f) / indices.length, 'embedding');
      const [a, b, c] = [3 * indices[f], 3 * indices[f + 1], 3 * indices[f + 2]];
      const longest = Math.max(
        Math.hypot(p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2]),
        Math.hypot(p[b] - p[c], p[b + 1] - p[c + 1], p[b + 2] - p[c + 2]),
        Math.hypot(p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]),
      );
      const n = Math.max(1, Math.ceil(longest / width));
      for (let i = 0; i <= n; i++) {
        for (let j = 0; i + j <= n; j++) {
          const [s, t] = [i / n, j / n];
          const r = 1 - s - t;
          const element = this.#locate(
            r * p[a] + s * p[b] + t * p[c],
            r * p[a + 1] + s * p[b + 1] + t * p[c + 1],
            r * p[a + 2] + s * p[b + 2] + t * p[c + 2],
          );
          this.#isWhole[element] = false;
        }
      }
    }
  }

  /** The element at a point, kept from now on; the weights are in `#weights`. */
  #locate(x: number, y: number, z: number): number {
    const { origin, step } = this.#lattice;
    this.#find((x - origin[0]) / step, (y - origin[1]) / step, (z - origin[2]) / step);
    const known = this.#known.get(this.#key);
    if (known !== undefined) return known;
    const at = this.#at;
    const element = this.#elements.length / 4;
    for (let n = 0; n < 4; n++) {
      const id = gridNode(this.#size, at[3 * n], at[3 * n + 1], at[3 * n + 2]);
      let node = this.#nodes.get(id);
      if (node === undefined) {
        node = this.#positions.length / 3;
        this.#nodes.set(id, node);
        const sampled = this.#lattice.nodeAt(at[3 * n], at[3 * n + 1], at[3 * n + 2]);
        const value = sampled < 0 ? Number.NaN : this.#lattice.values[sampled];
        this.#values.push(Number.isNaN(value) ? (this.#states[id] === INSIDE ? -step : step) : value);
        for (let axis = 0; axis < 3; axis++) this.#positions.push(origin[axis] + step * at[3 * n + axis]);
      }
      this.#elements.push(node);
    }
    this.#known.set(this.#key, element);
    this.#isWhole.push(false);
    return element;
  }

  /**
   * Nodes, weights and key of the element at a point in doubled coordinates. In the frame of the cell's center the element
   * lies along the axis of the largest coordinate, on the side of the second largest.
   */
  #find(u: number, v: number, w: number): void {
    const at = this.#at;
    const center = [2 * Math.floor(u / 2) + 1, 2 * Math.floor(v / 2) + 1, 2 * Math.floor(w / 2) + 1];
    const r = [u - center[0], v - center[1], w - center[2]];
    const size = r.map(Math.abs);
    let a = size[1] > size[0] ? 1 : 0;
    if (size[2] > size[a]) a = 2;
    const [p, q] = [(a + 1) % 3, (a + 2) % 3];
    const b = size[q] > size[p] ? q : p;
    const d = 3 - a - b;
    const [s, t] = [r[a] < 0 ? -1 : 1, r[b] < 0 ? -1 : 1];
    // The lower of the two centers first, and the corners in the order of the axes: one element, one order.
    const far = (size[a] - size[b]) / 2;
    const near = 1 - (size[a] + size[b]) / 2;
    const turnsLeft = (b === p) === t > 0;
    const e = turnsLeft ? 1 : -1;
    for (let axis = 0; axis < 3; axis++) {
      const lower = center[axis] + (axis === a && s < 0 ? -2 : 0);
      at[axis] = lower;
      at[3 + axis] = lower + (axis === a ? 2 : 0);
      const shared = center[axis] + (axis === a ? s : axis === b ? t : 0);
      at[6 + axis] = shared - (axis === d ? e : 0);
      at[9 + axis] = shared + (axis === d ? e : 0);
    }
    this.#weights[0] = s > 0 ? near : far;
    this.#weights[1] = s > 0 ? far : near;
    this.#weights[2] = (size[b] - e * r[d]) / 2;
    this.#weights[3] = (size[b] + e * r[d]) / 2;
    const quarter = (b === p ? 0 : 2) + (t > 0 ? 1 : 0);
    this.#key = 12 * gridNode(this.#size, at[0], at[1], at[2]) + 4 * a + quarter;
  }

  /** By samples of the distance, interpolated between the nodes. */
  #measureFill({ elements }: TetrahedralMesh): Float64Array {
    const fill = new Float64Array(elements.length / 4).fill(1);
    const values = new Float64Array(4);
    for (let e = 0; e < fill.length; e++) {
      if (this.#isWhole[e]) continue;
      for (let i = 0; i < 4; i++) values[i] = this.#values[elements[4 * e + i]];
      let [inside, all] = [0, 0];
      for (let i = 0; i < FILL_ORDER; i++) {
        for (let j = 0; i + j < FILL_ORDER; j++) {
          for (let k = 0; i + j + k < FILL_ORDER; k++) {
            const l = FILL_ORDER - 1 - i - j - k;
            all++;
            const weighted = i * values[0] + j * values[1] + k * values[2] + l * values[3];
            if (weighted + (values[0] + values[1] + values[2] + values[3]) / 4 < 0) inside++;
          }
        }
      }
      fill[e] = Math.max(MIN_FILL, inside / all);
    }
    return fill;
  }
}

/**
 * A point inside one of the 12 elements that a cell's center has towards higher coordinates, in doubled coordinates.
 */
function middleOfElement(u: number, v: number, w: number, part: number): [number, number, number] {
  const axis = part >> 2;
  const offset = [0, 0, 0];
  offset[axis] = 0.9;
  offset[(axis + 1 + ((part >> 1) & 1)) % 3] = part & 1 ? 0.4 : -0.4;
  return [u + offset[0], v + offset[1], w + offset[2]];
}
