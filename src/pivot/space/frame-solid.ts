// A closed mesh as one query reads it: its triangles as flat corners, facing out, and its box. Made anew for every
// query, since the shapes deform: whether edges are balanced is decided by sums of hashes instead of a table of edges,
// and only where the faces are not those of the call before. O(triangles): 20,000 take a millisecond.
import { NearfieldError } from '../../core/errors.js';
import { growTo } from '../../core/grow-array.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { findOutwardSurface } from '../../mesh/repair/outward-surface.js';

/**
 * Rounding: volumes of parts below this share of the box's volume count as zero, because rounding decides their sign.
 */
const MIN_VOLUME = 1e-12;

/** The memory of one side of a query. */
export class FrameSolid {
  /** Nine numbers each, counter-clockwise seen from outside; longer than needed. */
  triangles = new Float64Array(0);
  count = 0;
  readonly min = new Float64Array(3);
  readonly max = new Float64Array(3);
  /** The largest absolute coordinate. */
  extent = 0;
  /** The ids of the corners. */
  #ids: Uint32Array = new Uint32Array(0);
  #vertices = 0;
  /** Of the ids whose parts are known. */
  #hash: readonly [number, number] = [0, 0];
  #isBalanced = false;
  /** By vertex: another one of its connected part, or itself. */
  #parents = new Int32Array(0);
  #volumes = new Float64Array(0);

  /**
   * Reads a mesh.
   * @param name how messages call it.
   * @throws NearfieldError as `assertMesh` does, and `open-mesh`, `not-oriented` or `degenerate` where it bounds no solid.
   */
  load(mesh: Mesh, name: string): void {
    assertMesh(mesh);
    this.#gather(mesh);
    const side = this.#isBalanced ? this.#sideOf() : 0;
    if (side > 0) return;
    if (side < 0) {
      this.#turn();
      return;
    }
    // Seams, cavities, faces that disagree: the topology decides.
    const surface = findOutwardSurface(mesh);
    if (!surface.closed) {
      throw new NearfieldError(
        'open-mesh',
        `The mesh of ${name} bounds no solid: it has open edges or faces that disagree; repairMesh or solidify closes it.`,
      );
    }
    if (!surface.outward) {
      throw new NearfieldError('degenerate', `The mesh of ${name} has no volume; give a solid.`);
    }
    this.#gather(surface.mesh);
  }

  /** One triangle of every connected part. */
  partTriangles(): number[] {
    const parents = this.#parents;
    const seen = new Uint8Array(parents.length);
    const found: number[] = [];
    for (let triangle = 0; triangle < this.count; triangle++) {
      const part = rootOf(parents, this.#ids[3 * triangle]);
      if (seen[part] === 0) found.push(triangle);
      seen[part] = 1;
    }
    return found;
  }

  #gather({ positions, indices }: Mesh): void {
    const triangles = growTo(this.triangles, 3 * indices.length);
    this.triangles = triangles;
    this.count = indices.length / 3;
    let minX = Infinity;
    let minY = Infinity;
    let minZ = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    let maxZ = -Infinity;
    for (let i = 0; i < indices.length; i++) {
      const from = 3 * indices[i];
      const x = positions[from];
      const y = positions[from + 1];
      const z = positions[from + 2];
      triangles[3 * i] = x;
      triangles[3 * i + 1] = y;
      triangles[3 * i + 2] = z;
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
      if (z < minZ) minZ = z;
      if (z > maxZ) maxZ = z;
    }
    this.min.set([minX, minY, minZ]);
    this.max.set([maxX, maxY, maxZ]);
    this.extent = Math.max(-minX, -minY, -minZ, maxX, maxY, maxZ);
    this.#ids = indices;
    // Deforming meshes mostly keep their faces; the same faces have the same parts.
    const [first, second] = hashOf(indices);
    const vertices = positions.length / 3;
    if (first === this.#hash[0] && second === this.#hash[1] && vertices === this.#vertices) return;
    this.#hash = [first, second];
    this.#isBalanced = isBalanced(indices);
    this.#join(vertices);
  }

  /** Joins the vertices of every connected part. */
  #join(vertices: number): void {
    const ids = this.#ids;
    const parents = (this.#parents = growTo(this.#parents, vertices));
    this.#vertices = vertices;
    for (let vertex = 0; vertex < vertices; vertex++) parents[vertex] = vertex;
    for (let i = 0; i < ids.length; i += 3) {
      const a = rootOf(parents, ids[i]);
      parents[rootOf(parents, ids[i + 1])] = a;
      parents[rootOf(parents, ids[i + 2])] = a;
    }
  }

  /** 1 if every connected part has a positive volume, −1 if every part has a negative one, 0 otherwise. */
  #sideOf(): -1 | 0 | 1 {
    const parents = this.#parents;
    const indices = this.#ids;
    const vertices = this.#vertices;
    const volumes = (this.#volumes = growTo(this.#volumes, vertices));
    const { min, max, triangles: t } = this;
    const x = (min[0] + max[0]) / 2;
    const y = (min[1] + max[1]) / 2;
    const z = (min[2] + max[2]) / 2;
    volumes.fill(0, 0, vertices);
    for (let i = 0; i < indices.length; i += 3) {
      const o = 3 * i;
      const ax = t[o] - x;
      const ay = t[o + 1] - y;
      const az = t[o + 2] - z;
      const bx = t[o + 3] - x;
      const by = t[o + 4] - y;
      const bz = t[o + 5] - z;
      const cx = t[o + 6] - x;
      const cy = t[o + 7] - y;
      const cz = t[o + 8] - z;
      volumes[rootOf(parents, indices[i])] +=
        ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    }
    const least = MIN_VOLUME * Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]) ** 3;
    let positive = false;
    let negative = false;
    for (let vertex = 0; vertex < vertices; vertex++) {
      if (volumes[vertex] > least) positive = true;
      else if (volumes[vertex] < -least) negative = true;
    }
    return positive === negative ? 0 : positive ? 1 : -1;
  }

  #turn(): void {
    const t = this.triangles;
    for (let o = 0; o < 9 * this.count; o += 9) {
      for (let axis = 3; axis < 6; axis++) {
        const held = t[o + axis];
        t[o + axis] = t[o + axis + 3];
        t[o + axis + 3] = held;
      }
    }
  }
}

function rootOf(parents: Int32Array, vertex: number): number {
  let v = vertex;
  while (parents[v] !== v) {
    parents[v] = parents[parents[v]];
    v = parents[v];
  }
  return v;
}

/** Two 32-bit hashes of the ids and their order and number. Other ids have the same with a probability of about 2⁻⁶⁴. */
function hashOf(indices: Uint32Array): [number, number] {
  let first = indices.length | 1;
  let second = 0x2545f491;
  for (let i = 0; i < indices.length; i++) {
    first = Math.imul(first ^ indices[i], 0x01000193);
    second = (Math.imul(second, 0x41c64e6d) + indices[i] + (second >>> 15)) | 0;
  }
  return [first, second];
}

/**
 * Whether every edge is traversed equally often in both directions: two sums of 32-bit hashes of the edges, with the
 * sign of their direction, are 0. Edges that are not balanced pass with a probability of about 2⁻⁶⁴.
 */
function isBalanced(indices: Uint32Array): boolean {
  let first = 0;
  let second = 0;
  for (let i = 0; i < indices.length; i += 3) {
    let from = indices[i + 2];
    for (let corner = 0; corner < 3; corner++) {
      const to = indices[i + corner];
      const low = Math.min(from, to);
      const high = Math.max(from, to);
      let h = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x7feb352d);
      h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
      h ^= h >>> 13;
      let g = (Math.imul(low, 0x27d4eb2f) + Math.imul(high, 0x165667b1)) | 0;
      g = Math.imul(g ^ (g >>> 15), 0x846ca68b);
      g ^= g >>> 16;
      if (from < to) {
        first = (first + h) | 0;
        second = (second + g) | 0;
      } else if (to < from) {
        first = (first - h) | 0;
        second = (second - g) | 0;
      }
      from = to;
    }
  }
  return first === 0 && second === 0;
}
