// A part of a solid: triangles of its surface and of cuts through it. Cutting closes each side along the edges on the
// plane that do not cancel. As a chain a part stays closed whatever the input does, since an edge is cut once for all its
// triangles and a collapsed triangle leaves no border: signed volumes and hulls are right. O(triangles) per cut.
import { DisjointSets } from '../../mesh/topology/disjoint-sets.js';
import { closeSection } from './close-section.js';

/** Triangles over their own vertices. */
export interface Part {
  readonly positions: Float64Array;
  /** Three vertices a triangle. */
  readonly indices: Uint32Array;
  /** 1 for a triangle of the input's surface, 0 for one of a cut. */
  readonly isSurface: Uint8Array;
}

/** The plane of points p with normal · p = offset; the normal has unit length. */
export interface Plane {
  readonly nx: number;
  readonly ny: number;
  readonly nz: number;
  readonly offset: number;
}

/** Vertices nearer to a cut than this share of the largest coordinate lie on it. */
const ON_PLANE = 1e-12;

/** The parts below and above a plane; one without triangles is null. `isClosed`: the sides are closed with caps. */
export function cutPart(part: Part, plane: Plane, isClosed: boolean): [Part | null, Part | null] {
  const { positions, indices, isSurface } = part;
  const { nx, ny, nz, offset } = plane;
  const count = positions.length / 3;
  const heights = new Float64Array(count);
  let size = 0;
  for (let i = 0; i < positions.length; i++) size = Math.max(size, Math.abs(positions[i]));
  for (let v = 0; v < count; v++) {
    const height = nx * positions[3 * v] + ny * positions[3 * v + 1] + nz * positions[3 * v + 2] - offset;
    heights[v] = Math.abs(height) <= ON_PLANE * size ? 0 : height;
  }
  const points = Array.from(positions);
  const crossings = new Map<number, number>();
  // The point where an edge passes the plane, the same for both directions; a vertex on the plane is its own.
  const cross = (a: number, b: number): number => {
    if (heights[a] === 0) return a;
    if (heights[b] === 0) return b;
    const [u, v] = a < b ? [a, b] : [b, a];
    const key = u * count + v;
    const known = crossings.get(key);
    if (known !== undefined) return known;
    const share = heights[u] / (heights[u] - heights[v]);
    const id = points.length / 3;
    for (let k = 0; k < 3; k++)
      points.push(positions[3 * u + k] + share * (positions[3 * v + k] - positions[3 * u + k]));
    crossings.set(key, id);
    return id;
  };
  const sides = [new SideBuilder(), new SideBuilder()];
  const isOnPlane = (v: number): boolean => v >= count || heights[v] === 0;
  for (let t = 0; t < isSurface.length; t++) {
    const corners = [indices[3 * t], indices[3 * t + 1], indices[3 * t + 2]];
    const above = corners.map((v) => (heights[v] >= 0 ? 1 : 0));
    const total = above[0] + above[1] + above[2];
    if (total === 0 || total === 3) {
      // A face in the plane belongs to the solid behind it.
      const isBelow = total === 0 || (corners.every(isOnPlane) && turnsAlong(positions, corners, plane) > 0);
      sides[isBelow ? 0 : 1].addTriangle(corners[0], corners[1], corners[2], isSurface[t], isOnPlane);
      continue;
    }
    const lone = total === 1 ? 1 : 0;
    const first = above.indexOf(lone);
    const [i, j, k] = [corners[first], corners[(first + 1) % 3], corners[(first + 2) % 3]];
    const p = cross(i, j);
    const q = cross(k, i);
    sides[lone].addTriangle(i, p, q, isSurface[t], isOnPlane);
    sides[1 - lone].addTriangle(p, j, k, isSurface[t], isOnPlane);
    sides[1 - lone].addTriangle(p, k, q, isSurface[t], isOnPlane);
  }
  for (const side of isClosed ? [0, 1] : []) {
    const edges = sides[side].listBorder();
    // The cap of the side below looks along the normal.
    const cap = closeSection(points, edges, plane, side === 0 ? 1 : -1);
    for (let i = 0; i < cap.length; i += 3) sides[side].add(cap[i], cap[i + 1], cap[i + 2], 0);
  }
  return [sides[0].finish(points), sides[1].finish(points)];
}

/**
 * The connected parts of a closed part; itself if one of them bounds a cavity. Cuts connect the outlines of a section
 * with those of its holes.
 */
export function separatePart(part: Part): Part[] {
  const { positions, indices, isSurface } = part;
  const sets = new DisjointSets(positions.length / 3);
  for (let i = 0; i < indices.length; i += 3) {
    sets.unite(indices[i], indices[i + 1]);
    sets.unite(indices[i], indices[i + 2]);
  }
  const builders = new Map<number, PartBuilder>();
  for (let t = 0; t < isSurface.length; t++) {
    const root = sets.find(indices[3 * t]);
    let builder = builders.get(root);
    if (builder === undefined) {
      builder = new PartBuilder();
      builders.set(root, builder);
    }
    builder.add(indices[3 * t], indices[3 * t + 1], indices[3 * t + 2], isSurface[t]);
  }
  if (builders.size === 1) return [part];
  const parts = [...builders.values()].map((builder) => builder.finish(positions)!);
  return parts.every((one) => measureVolume(one) >= 0) ? parts : [part];
}

/** The signed volume of a closed part. */
export function measureVolume({ positions, indices }: Part): number {
  const [x, y, z] = positions;
  let six = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const ax = positions[a] - x;
    const ay = positions[a + 1] - y;
    const az = positions[a + 2] - z;
    const bx = positions[b] - x;
    const by = positions[b + 1] - y;
    const bz = positions[b + 2] - z;
    const cx = positions[c] - x;
    const cy = positions[c + 1] - y;
    const cz = positions[c + 2] - z;
    six += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return six / 6;
}

/** Two parts as one. */
export function joinParts(a: Part, b: Part): Part {
  const shift = a.positions.length / 3;
  const positions = new Float64Array(a.positions.length + b.positions.length);
  positions.set(a.positions);
  positions.set(b.positions, a.positions.length);
  const indices = new Uint32Array(a.indices.length + b.indices.length);
  indices.set(a.indices);
  for (let i = 0; i < b.indices.length; i++) indices[a.indices.length + i] = shift + b.indices[i];
  const isSurface = new Uint8Array(a.isSurface.length + b.isSurface.length);
  isSurface.set(a.isSurface);
  isSurface.set(b.isSurface, a.isSurface.length);
  return { positions, indices, isSurface };
}

/** Gathers triangles; those that name a vertex twice have no area and are left out, which keeps a chain closed. */
export class PartBuilder {
  readonly #corners: number[] = [];
  readonly #isSurface: number[] = [];

  add(a: number, b: number, c: number, isSurface: number): void {
    if (a === b || b === c || c === a) return;
    this.#corners.push(a, b, c);
    this.#isSurface.push(isSurface);
  }

  /** The part with the vertices it uses, from x, y, z of all; null without triangles. */
  finish(points: ArrayLike<number>): Part | null {
    if (this.#corners.length === 0) return null;
    const newIds = new Map<number, number>();
    const positions: number[] = [];
    const indices = Uint32Array.from(this.#corners, (vertex) => {
      let id = newIds.get(vertex);
      if (id === undefined) {
        id = newIds.size;
        newIds.set(vertex, id);
        positions.push(points[3 * vertex], points[3 * vertex + 1], points[3 * vertex + 2]);
      }
      return id;
    });
    return { positions: Float64Array.from(positions), indices, isSurface: Uint8Array.from(this.#isSurface) };
  }
}

/** One side of a cut, with the edges on the plane that do not cancel: its border, which the cap has to close. */
class SideBuilder extends PartBuilder {
  readonly #net = new Map<string, { from: number; to: number; count: number }>();

  addTriangle(a: number, b: number, c: number, isSurface: number, isOnPlane: (v: number) => boolean): void {
    if (a === b || b === c || c === a) return;
    this.add(a, b, c, isSurface);
    if (isOnPlane(a) && isOnPlane(b)) this.#count(a, b);
    if (isOnPlane(b) && isOnPlane(c)) this.#count(b, c);
    if (isOnPlane(c) && isOnPlane(a)) this.#count(c, a);
  }

  /** The two ends of each edge of the border, as the triangles have it. */
  listBorder(): number[] {
    const edges: number[] = [];
    for (const { from, to, count } of this.#net.values()) {
      for (let i = 0; i < Math.abs(count); i++) edges.push(...(count > 0 ? [from, to] : [to, from]));
    }
    return edges;
  }

  #count(a: number, b: number): void {
    const [from, to] = a < b ? [a, b] : [b, a];
    const key = `${from} ${to}`;
    const net = this.#net.get(key) ?? { from, to, count: 0 };
    net.count += a < b ? 1 : -1;
    this.#net.set(key, net);
  }
}

/** Positive if a triangle faces along the normal of a plane. */
function turnsAlong(positions: Float64Array, [a, b, c]: readonly number[], { nx, ny, nz }: Plane): number {
  const [ux, uy, uz] = [0, 1, 2].map((k) => positions[3 * b + k] - positions[3 * a + k]);
  const [vx, vy, vz] = [0, 1, 2].map((k) => positions[3 * c + k] - positions[3 * a + k]);
  return nx * (uy * vz - uz * vy) + ny * (uz * vx - ux * vz) + nz * (ux * vy - uy * vx);
}
