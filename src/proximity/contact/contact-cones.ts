// Bounds on the normals of parts of a solid's surface (Johnson and Cohen 2001): at a local minimum of the distance, the
// direction to the other solid is a positive combination of the outward normals of the faces around the point, so a part
// whose normals lie in a cone of less than a right angle has contacts only along that cone. Open surfaces have no bound.
import { growTo } from '../../core/grow-array.js';
import type { ContactDirections } from './contact-directions.js';
import type { ContactSurface } from './contact-surface.js';

/**
 * Layout: numbers per cone: the unit axis, then cosine and sine of the half-angle. No bound: zero axis, cosine 0, sine
 * 1.
 */
export const CONE_STRIDE = 5;

/** Chosen: added to every half-angle, in radians: directions within the tolerances of the local condition must pass. */
const CONE_SLACK = 1e-6;

/** A surface whose cones are not known yet. */
type Surroundings = Omit<ContactSurface, 'cones' | 'spheres' | 'nodeCones'>;

/**
 * Measured in pairs of triangles: the axis of a cone is turned this often to narrow it, which saves a quarter of those
 * that are measured.
 */
const TURNS = 8;

/**
 * Chosen: cones whose half-angle has a smaller cosine count as no bound: between nearly opposite directions the
 * directions in between are ill-defined.
 */
const MIN_COSINE = 0.02;

/** The normals around each triangle: those of all faces at its three corners. */
export function buildTriangleCones(surface: Surroundings): Float64Array {
  const order = Uint32Array.from({ length: surface.indices.length / 3 }, (_, t) => t);
  return boundNormals(
    surface,
    order,
    order,
    order.map((t) => t + 1),
  );
}

/**
 * The normals around the triangles below each node of a tree.
 * @param links as in a `BoxTree`: the first child of an inner node is the node after it, `links` has the second, and
 * for a leaf the complement (`~t`) of its triangle. O(nodes × depth).
 */
export function buildNormalCones(surface: ContactSurface, links: Int32Array): Float64Array {
  // Leaves in the order of their nodes: those below a node are consecutive.
  const order = new Uint32Array((links.length + 1) / 2);
  const first = new Uint32Array(links.length);
  const end = new Uint32Array(links.length);
  let leaves = 0;
  for (let node = 0; node < links.length; node++) {
    first[node] = leaves;
    if (links[node] < 0) order[leaves++] = ~links[node];
  }
  for (let node = links.length - 1; node >= 0; node--) {
    end[node] = links[node] < 0 ? first[node] + 1 : end[links[node]];
  }
  return boundNormals(surface, order, first, end);
}

/** The normals around runs of triangles: `order[first[k]]` up to before `order[end[k]]` for cone k. O(sum of lengths). */
export function boundNormals(
  surface: Surroundings,
  order: Uint32Array,
  first: Uint32Array,
  end: Uint32Array,
): Float64Array {
  const cones = new Float64Array(CONE_STRIDE * first.length);
  const bound = new DirectionBound(surface);
  for (let k = 0; k < first.length; k++) bound.bound(order, first[k], end[k], cones, k);
  return cones;
}

/** The cones around the nodes of trees over one surface, each tree's made once for all searches to share. */
export class NodeCones {
  readonly #known: { readonly tree: object; readonly cones: Float64Array }[] = [];

  /** The cones of a tree, created by `make` the first time. A model has at most two trees, of boxes and of hulls. */
  of(tree: object, make: () => Float64Array): Float64Array {
    const known = this.#known.find((entry) => entry.tree === tree);
    if (known !== undefined) return known.cones;
    const cones = make();
    this.#known.push({ tree, cones });
    return cones;
  }

  get bytes(): number {
    return this.#known.reduce((sum, { cones }) => sum + cones.byteLength, 0);
  }
}

/** {@link buildNormalCones}, made once per tree and shared by all searches. */
export function normalConesOf(surface: ContactSurface, links: Int32Array): Float64Array {
  return surface.nodeCones.of(links, () => buildNormalCones(surface, links));
}

/**
 * Whether parts with the given cones, within spheres that are `v` and `radius` apart, may hold a local minimum of the
 * distance: some direction lies in A's cone, its opposite lies in B's, and it leads from sphere to sphere.
 * Takes scalars, for inner loops.
 * @param placement rotates B's directions into A's frame.
 * @param vx, vy, vz from the center of A's sphere to that of B's, in A's frame.
 * @param radius the sum of the two radii.
 */
export function mayHoldMinimum(
  conesA: Float64Array,
  a: number,
  conesB: Float64Array,
  b: number,
  placement: Float64Array,
  vx: number,
  vy: number,
  vz: number,
  radius: number,
): boolean {
  const j = CONE_STRIDE * b;
  const x = placement[0] * conesB[j] + placement[1] * conesB[j + 1] + placement[2] * conesB[j + 2];
  const y = placement[4] * conesB[j] + placement[5] * conesB[j + 1] + placement[6] * conesB[j + 2];
  const z = placement[8] * conesB[j] + placement[9] * conesB[j + 1] + placement[10] * conesB[j + 2];
  return conesFace(conesA, a, x, y, z, conesB[j + 3], conesB[j + 4], vx, vy, vz, radius);
}

/** {@link mayHoldMinimum} with B's cone, of axis (x, y, z), already in A's frame. Takes scalars, for inner loops. */
export function conesFace(
  conesA: Float64Array,
  a: number,
  x: number,
  y: number,
  z: number,
  cosineB: number,
  sineB: number,
  vx: number,
  vy: number,
  vz: number,
  radius: number,
): boolean {
  const i = CONE_STRIDE * a;
  const cosineA = conesA[i + 3];
  const sineA = conesA[i + 4];
  const opposed = -(conesA[i] * x + conesA[i + 1] * y + conesA[i + 2] * z);
  if (opposed < cosineA * cosineB - sineA * sineB) return false;
  const squared = vx * vx + vy * vy + vz * vz;
  if (!(squared > radius * radius)) return true;
  // All directions between the spheres are within the angle from v whose sine is radius over the length of v.
  const cosine = Math.sqrt(squared - radius * radius);
  const alongA = conesA[i] * vx + conesA[i + 1] * vy + conesA[i + 2] * vz;
  if (alongA < cosineA * cosine - sineA * radius) return false;
  return -(x * vx + y * vy + z * vz) >= cosineB * cosine - sineB * radius;
}

/** Bounds the directions in which the features of triangles can make contact. */
class DirectionBound {
  /** x, y, z of the directions of the current triangles. */
  #values = new Float64Array(1024);
  #count = 0;
  /** Vertices whose directions are included have the current stamp. */
  readonly #seen: Uint32Array;
  #stamp = 0;
  readonly #axis = new Float64Array(3);
  /** The direction farthest from the axis. */
  #farthest = 0;
  readonly #surface: Surroundings;

  constructor(surface: Surroundings) {
    this.#surface = surface;
    this.#seen = new Uint32Array(surface.mesh.positions.length / 3);
  }

  /** Writes the cone of the triangles `order[from]` up to before `order[to]` as cone number `at`. */
  bound(order: Uint32Array, from: number, to: number, cones: Float64Array, at: number): void {
    const axis = this.#axis;
    const { directions, faceNormals } = this.#surface;
    const out = CONE_STRIDE * at;
    cones[out + 3] = 0;
    cones[out + 4] = 1;
    if (directions === null) return;
    axis.fill(0);
    for (let i = from; i < to; i++) for (let k = 0; k < 3; k++) axis[k] += faceNormals[3 * order[i] + k];
    if (!normalize(axis)) return;
    // For most large parts the normals alone show that the cone is too wide.
    for (let i = from; i < to; i++) {
      const h = 3 * order[i];
      const cosine = axis[0] * faceNormals[h] + axis[1] * faceNormals[h + 1] + axis[2] * faceNormals[h + 2];
      if (cosine < MIN_COSINE) return;
    }
    if (!this.#collect(directions, order, from, to)) return;
    const widest = this.#narrow();
    if (widest < MIN_COSINE) return;
    const angle = Math.acos(Math.min(1, widest)) + CONE_SLACK;
    cones.set(axis, out);
    cones[out + 3] = Math.cos(angle);
    cones[out + 4] = Math.sin(angle);
  }

  /** Collects the directions of the faces, edges and corners of triangles; false if one of them is unknown. */
  #collect(directions: ContactDirections, order: Uint32Array, from: number, to: number): boolean {
    const seen = this.#seen;
    const { indices, faceNormals } = this.#surface;
    const { unknownEdges, unknownVertices, beyond, start, vertexDirections } = directions;
    this.#count = 0;
    this.#stamp++;
    for (let i = from; i < to; i++) {
      this.#push(faceNormals, 3 * order[i]);
      for (let h = 3 * order[i]; h < 3 * order[i] + 3; h++) {
        const v = indices[h];
        if (unknownEdges[h] === 1 || unknownVertices[v] === 1) return false;
        if (beyond[h] >= 0) this.#push(faceNormals, 3 * beyond[h]);
        if (seen[v] === this.#stamp) continue;
        seen[v] = this.#stamp;
        for (let k = start[v]; k < start[v + 1]; k++) this.#push(vertexDirections, 3 * k);
      }
    }
    return true;
  }

  #push(from: Float64Array, i: number): void {
    if (this.#count + 3 > this.#values.length) this.#values = growTo(this.#values, this.#count + 3);
    for (let k = 0; k < 3; k++) this.#values[this.#count++] = from[i + k];
  }

  /** Turns the axis toward the farthest direction by less and less (Badoiu and Clarkson 2003); returns its cosine. */
  #narrow(): number {
    const axis = this.#axis;
    let widest = this.#measure();
    for (let round = 2; round < 2 + TURNS; round++) {
      const [x, y, z] = axis;
      const values = this.#values;
      const farthest = this.#farthest;
      for (let k = 0; k < 3; k++) axis[k] += (values[farthest + k] - axis[k]) / round;
      const cosine = normalize(axis) ? this.#measure() : 0;
      if (cosine > widest) {
        widest = cosine;
        continue;
      }
      axis[0] = x;
      axis[1] = y;
      axis[2] = z;
      this.#farthest = farthest;
    }
    return widest;
  }

  /** Finds the direction farthest from the axis. A face without area has a zero direction, which gives no bound. */
  #measure(): number {
    const values = this.#values;
    const [x, y, z] = this.#axis;
    let widest = Infinity;
    for (let i = 0; i < this.#count; i += 3) {
      const cosine = values[i] * x + values[i + 1] * y + values[i + 2] * z;
      if (cosine >= widest) continue;
      widest = cosine;
      this.#farthest = i;
    }
    return widest;
  }
}

/** Makes a vector a unit vector; false when it is zero. */
function normalize(v: Float64Array): boolean {
  const size = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (!(size > 0)) return false;
  for (let k = 0; k < 3; k++) v[k] /= size;
  return true;
}
