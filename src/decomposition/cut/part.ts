// A part of a solid: triangles of its surface and of cuts through it. Cutting closes each side along the edges on the
// plane that do not cancel. As a chain a part stays closed whatever the input does, since an edge is cut once for all its
// triangles and a collapsed triangle leaves no border: signed volumes and hulls are right. O(triangles) per cut.

import { DisjointSets } from '../../core/disjoint-sets.js';
import { growTo } from '../../core/grow-array.js';
import { closeSection } from './close-section.js';

/** Triangles over their own vertices. */
export interface Part {
  readonly positions: Float64Array;
  /** Three vertices a triangle. */
  readonly indices: Uint32Array;
  /** What a triangle is a part of: above 0 a triangle of the input's surface, otherwise a cut. */
  readonly sources: Int32Array;
}

/** The plane of points p with normal · p = offset; the normal has unit length. */
export interface Plane {
  readonly nx: number;
  readonly ny: number;
  readonly nz: number;
  readonly offset: number;
}

/** Rounding: vertices lie on a cut if they are nearer to it than this share of the largest coordinate. */
export const ON_PLANE = 1e-12;

/** Which sides of a cut are wanted. */
export type CutSides = 'both' | 'below' | 'above';

/**
 * The parts below and above a plane; one without triangles, or that is not wanted, is null. `isClosed`: the sides are
 * closed with caps, whose source is `cut`.
 */
export function cutPart(
  part: Part,
  plane: Plane,
  isClosed: boolean,
  wanted: CutSides = 'both',
  cut = 0,
): [Part | null, Part | null] {
  const { positions, indices, sources } = part;
  const heights = measureHeights(positions, plane);
  const count = heights.length;
  const points = new CutPoints(positions, heights);
  const isOnPlane = (v: number): boolean => v >= count || heights[v] === 0;
  const wants = [wanted !== 'above', wanted !== 'below'];
  const sides = wants.map((wants) => new SideBuilder(isOnPlane, wants ? sources.length : 0, count + indices.length));
  for (let t = 0; t < sources.length; t++) {
    const a = indices[3 * t];
    const b = indices[3 * t + 1];
    const c = indices[3 * t + 2];
    const aboveA = heights[a] >= 0 ? 1 : 0;
    const aboveB = heights[b] >= 0 ? 1 : 0;
    const aboveC = heights[c] >= 0 ? 1 : 0;
    const total = aboveA + aboveB + aboveC;
    if (total === 0) {
      if (wants[0]) sides[0].add(a, b, c, sources[t]);
      continue;
    }
    if (total === 3) {
      let side = 1;
      // A face in the plane belongs to the solid behind it.
      if (heights[a] === 0 && heights[b] === 0 && heights[c] === 0 && turnsAlong(positions, a, b, c, plane) > 0)
        side = 0;
      if (wants[side]) sides[side].addTriangle(a, b, c, sources[t]);
      continue;
    }
    // Vertex i is alone on its side.
    const lone = total === 1 ? 1 : 0;
    const [i, j, k] = aboveA === lone ? [a, b, c] : aboveB === lone ? [b, c, a] : [c, a, b];
    const p = points.cross(i, j);
    const q = points.cross(k, i);
    if (wants[lone]) sides[lone].addTriangle(i, p, q, sources[t]);
    if (!wants[1 - lone]) continue;
    sides[1 - lone].addTriangle(p, j, k, sources[t]);
    sides[1 - lone].addTriangle(p, k, q, sources[t]);
  }
  const all = points.finish();
  for (const side of isClosed ? [0, 1] : []) {
    if (!wants[side]) continue;
    // The cap of the side below looks along the normal.
    const cap = closeSection(all, sides[side].listBorder(), plane, side === 0 ? 1 : -1);
    for (let i = 0; i < cap.length; i += 3) sides[side].add(cap[i], cap[i + 1], cap[i + 2], cut);
  }
  return [sides[0].finish(all), sides[1].finish(all)];
}

/** The signed distance of each vertex from a plane, 0 for those on it up to rounding. */
function measureHeights(positions: Float64Array, { nx, ny, nz, offset }: Plane): Float64Array {
  const heights = new Float64Array(positions.length / 3);
  let size = 0;
  for (let i = 0; i < positions.length; i++) size = Math.max(size, Math.abs(positions[i]));
  for (let v = 0; v < heights.length; v++) {
    const height = nx * positions[3 * v] + ny * positions[3 * v + 1] + nz * positions[3 * v + 2] - offset;
    heights[v] = Math.abs(height) <= ON_PLANE * size ? 0 : height;
  }
  return heights;
}

/** The vertices of a part, and the points where its edges pass a plane. */
class CutPoints {
  readonly #positions: Float64Array;
  readonly #heights: Float64Array;
  readonly #crossings = new Map<number, number>();
  readonly #added: number[] = [];

  constructor(positions: Float64Array, heights: Float64Array) {
    this.#positions = positions;
    this.#heights = heights;
  }

  /** The point where an edge passes the plane, the same for both directions; a vertex on the plane is its own. */
  cross(a: number, b: number): number {
    const heights = this.#heights;
    if (heights[a] === 0) return a;
    if (heights[b] === 0) return b;
    const u = Math.min(a, b);
    const v = Math.max(a, b);
    const key = u * heights.length + v;
    const known = this.#crossings.get(key);
    if (known !== undefined) return known;
    const share = heights[u] / (heights[u] - heights[v]);
    const p = this.#positions;
    const id = heights.length + this.#added.length / 3;
    this.#added.push(
      p[3 * u] + share * (p[3 * v] - p[3 * u]),
      p[3 * u + 1] + share * (p[3 * v + 1] - p[3 * u + 1]),
      p[3 * u + 2] + share * (p[3 * v + 2] - p[3 * u + 2]),
    );
    this.#crossings.set(key, id);
    return id;
  }

  /** x, y, z of all. */
  finish(): Float64Array {
    const all = new Float64Array(this.#positions.length + this.#added.length);
    all.set(this.#positions);
    all.set(this.#added, this.#positions.length);
    return all;
  }
}

/**
 * The connected parts of a closed part; itself if one of them bounds a cavity. Cuts connect the outlines of a section
 * with those of its holes.
 */
export function separatePart(part: Part): Part[] {
  const { positions, indices, sources } = part;
  const sets = new DisjointSets(positions.length / 3);
  for (let i = 0; i < indices.length; i += 3) {
    sets.unite(indices[i], indices[i + 1]);
    sets.unite(indices[i], indices[i + 2]);
  }
  const builders = new Map<number, PartBuilder>();
  for (let t = 0; t < sources.length; t++) {
    const root = sets.find(indices[3 * t]);
    let builder = builders.get(root);
    if (builder === undefined) {
      builder = new PartBuilder();
      builders.set(root, builder);
    }
    builder.add(indices[3 * t], indices[3 * t + 1], indices[3 * t + 2], sources[t]);
  }
  if (builders.size === 1) return [part];
  const newIds = new Int32Array(positions.length / 3).fill(-1);
  const parts = [...builders.values()].map((builder) => builder.finish(positions, newIds)!);
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
  const sources = new Int32Array(a.sources.length + b.sources.length);
  sources.set(a.sources);
  sources.set(b.sources, a.sources.length);
  return { positions, indices, sources };
}

/** Gathers triangles; those that name a vertex twice have no area and are left out, which keeps a chain closed. */
export class PartBuilder {
  #corners: Uint32Array;
  #sources: Int32Array;
  #count = 0;

  /** @param room for this many triangles; more is made when needed. */
  constructor(room = 64) {
    this.#corners = new Uint32Array(3 * room);
    this.#sources = new Int32Array(room);
  }

  add(a: number, b: number, c: number, source: number): void {
    if (a === b || b === c || c === a) return;
    const count = this.#count++;
    if (count >= this.#sources.length) {
      this.#corners = growTo(this.#corners, 3 * count + 3);
      this.#sources = growTo(this.#sources, count + 1);
    }
    this.#corners[3 * count] = a;
    this.#corners[3 * count + 1] = b;
    this.#corners[3 * count + 2] = c;
    this.#sources[count] = source;
  }

  /**
   * The part with the vertices it uses, in the order of their use, from x, y, z of all; null without triangles. `newIds`
   * is scratch with −1 for each vertex, and is left so.
   */
  finish(points: Float64Array, newIds = new Int32Array(points.length / 3).fill(-1)): Part | null {
    if (this.#count === 0) return null;
    const corners = this.#corners.subarray(0, 3 * this.#count);
    const indices = new Uint32Array(corners.length);
    const used = new Uint32Array(Math.min(corners.length, newIds.length));
    let count = 0;
    for (let i = 0; i < corners.length; i++) {
      const vertex = corners[i];
      if (newIds[vertex] < 0) {
        newIds[vertex] = count;
        used[count++] = vertex;
      }
      indices[i] = newIds[vertex];
    }
    const positions = new Float64Array(3 * count);
    for (let v = 0; v < count; v++) {
      positions[3 * v] = points[3 * used[v]];
      positions[3 * v + 1] = points[3 * used[v] + 1];
      positions[3 * v + 2] = points[3 * used[v] + 2];
      newIds[used[v]] = -1;
    }
    return { positions, indices, sources: this.#sources.slice(0, this.#count) };
  }
}

/** One side of a cut, with the edges on the plane that do not cancel: its border, which the cap has to close. */
class SideBuilder extends PartBuilder {
  readonly #isOnPlane: (v: number) => boolean;
  readonly #vertices: number;
  /** For each edge, by its lower vertex · vertices + its higher: how much oftener it is traversed from lower to higher. */
  readonly #net = new Map<number, number>();

  /** @param vertices more than the id of any vertex. */
  constructor(isOnPlane: (v: number) => boolean, room: number, vertices: number) {
    super(room);
    this.#vertices = vertices;
    this.#isOnPlane = isOnPlane;
  }

  addTriangle(a: number, b: number, c: number, source: number): void {
    if (a === b || b === c || c === a) return;
    this.add(a, b, c, source);
    const onA = this.#isOnPlane(a);
    const onB = this.#isOnPlane(b);
    const onC = this.#isOnPlane(c);
    if (onA && onB) this.#count(a, b);
    if (onB && onC) this.#count(b, c);
    if (onC && onA) this.#count(c, a);
  }

  /** The two ends of each edge of the border, as the triangles have it. */
  listBorder(): number[] {
    const edges: number[] = [];
    for (const [key, count] of this.#net) {
      const from = Math.floor(key / this.#vertices);
      const to = key - from * this.#vertices;
      for (let i = 0; i < Math.abs(count); i++) edges.push(...(count > 0 ? [from, to] : [to, from]));
    }
    return edges;
  }

  #count(a: number, b: number): void {
    const key = a < b ? a * this.#vertices + b : b * this.#vertices + a;
    this.#net.set(key, (this.#net.get(key) ?? 0) + (a < b ? 1 : -1));
  }
}

/** Positive if a triangle faces along the normal of a plane. */
function turnsAlong(p: Float64Array, a: number, b: number, c: number, { nx, ny, nz }: Plane): number {
  const [ux, uy, uz] = [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k]);
  const [vx, vy, vz] = [0, 1, 2].map((k) => p[3 * c + k] - p[3 * a + k]);
  return nx * (uy * vz - uz * vy) + ny * (uz * vx - ux * vz) + nz * (ux * vy - uy * vx);
}
