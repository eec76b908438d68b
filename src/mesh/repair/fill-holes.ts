// Fills boundary loops with triangles between their own vertices: flat loops as polygons, others with the least area by
// dynamic programming (Barequet and Sharir 1995; Liepa 2003), O(n³) for n edges; loops with more than MAX_OPTIMAL
// edges by cutting the smallest ears first, O(n log n). No filled face repeats an edge that the mesh has already.

import { IndexedHeap } from '../../core/heap.js';
import type { Mesh } from '../mesh.js';
import { createPolygon } from '../polygon/polygon.js';
import { triangulatePolygon } from '../polygon/triangulate-polygon.js';
import { findSelfIntersections } from '../report/self-intersections.js';
import { buildAdjacency } from '../topology/adjacency.js';
import { findBoundaryLoops } from '../topology/boundary-loops.js';
import { nextHalfEdge } from '../topology/half-edges.js';

/** What filling holes added. */
export interface FilledHoles {
  /** Loops that were closed, and those that could not be: not oriented, open chains, or too long. */
  readonly holes: number;
  readonly unfilledHoles: number;
  readonly addedFaces: number;
  /** The area of the added faces. */
  readonly addedArea: number;
  /** Edges of the longest loop that was closed. */
  readonly largestLoop: number;
  /** Pairs of faces that cross, at least one of them added. */
  readonly crossings: number;
}

/**
 * Chosen: edges of the longest loop that is filled with the least area, whose cost is cubic; longer ones are filled
 * ear by ear.
 */
const MAX_OPTIMAL = 300;

/** Rounding: a loop within this fraction of its size of a plane is flat. Files in single precision carry 24 bits. */
const FLAT = 1e-6;

/**
 * Chosen: triangles with less area than this fraction of the squared loop size are avoided, because their normals are
 * noise.
 */
const MIN_AREA = 1e-9;

/** Closes the boundary loops of at most `maxEdges` edges; faces are added at the end. */
export function fillHoles(mesh: Mesh, maxEdges: number): { readonly mesh: Mesh; readonly filled: FilledHoles } {
  const adjacency = buildAdjacency(mesh);
  const edges = new MeshEdges(mesh);
  const added: number[] = [];
  let [holes, unfilledHoles, largestLoop] = [0, 0, 0];
  for (const loop of findBoundaryLoops(mesh, adjacency)) {
    // New faces run along the border in the other direction than those it belongs to.
    const ring = loop.slice().reverse();
    const faces = edges.isBorder(loop) && ring.length <= maxEdges ? fillRing(mesh.positions, ring, edges) : null;
    if (faces === null) {
      unfilledHoles++;
      continue;
    }
    holes++;
    largestLoop = Math.max(largestLoop, ring.length);
    for (const corner of faces) added.push(ring[corner]);
    edges.addFaces(faces.map((corner) => ring[corner]));
  }
  const indices = new Uint32Array(mesh.indices.length + added.length);
  indices.set(mesh.indices);
  indices.set(added, mesh.indices.length);
  const result = { positions: mesh.positions, indices };
  const addedFaces = added.length / 3;
  let addedArea = 0;
  for (let i = 0; i < added.length; i += 3) addedArea += areaOf(mesh.positions, added[i], added[i + 1], added[i + 2]);
  const crossings = addedFaces === 0 ? 0 : countCrossings(result, mesh.indices.length / 3);
  return { mesh: result, filled: { holes, unfilledHoles, addedFaces, addedArea, largestLoop, crossings } };
}

/** The triangles that fill a ring, as places in it; `null` if every way would repeat an edge of the mesh. */
function fillRing(p: Float64Array, ring: Uint32Array, edges: MeshEdges): number[] | null {
  if (ring.length === 3) return [0, 1, 2];
  const flat = fillFlat(p, ring, edges);
  if (flat !== null) return flat;
  return ring.length <= MAX_OPTIMAL ? fillWithLeastArea(p, ring, edges) : cutEars(p, ring, edges);
}

/** A flat ring as a polygon; `null` if it is not flat, touches itself, or a diagonal exists already. */
function fillFlat(p: Float64Array, ring: Uint32Array, edges: MeshEdges): number[] | null {
  const o = 3 * ring[0];
  const normal = [0, 0, 0];
  let size = 0;
  for (let i = 0; i < ring.length; i++) {
    const a = 3 * ring[i];
    const b = 3 * ring[(i + 1) % ring.length];
    for (let axis = 0; axis < 3; axis++) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      normal[axis] += (p[a + u] - p[o + u]) * (p[b + v] - p[o + v]) - (p[a + v] - p[o + v]) * (p[b + u] - p[o + u]);
    }
    size = Math.max(size, Math.hypot(p[a] - p[o], p[a + 1] - p[o + 1], p[a + 2] - p[o + 2]));
  }
  const length = Math.hypot(...normal);
  if (!(length > MIN_AREA * size * size)) return null;
  for (const vertex of ring) {
    const height = [0, 1, 2].reduce(
      (sum, axis) => sum + (normal[axis] / length) * (p[3 * vertex + axis] - p[o + axis]),
      0,
    );
    if (!(Math.abs(height) <= FLAT * size)) return null;
  }
  // Projected along the largest component of the normal, which keeps all decisions those of the coordinates.
  const axis = [0, 1, 2].reduce((best, k) => (Math.abs(normal[k]) > Math.abs(normal[best]) ? k : best), 0);
  const [u, v] = normal[axis] > 0 ? [(axis + 1) % 3, (axis + 2) % 3] : [(axis + 2) % 3, (axis + 1) % 3];
  const outline = Float64Array.from({ length: 2 * ring.length }, (_, i) => p[3 * ring[i >> 1] + (i % 2 === 0 ? u : v)]);
  let triangles: number[];
  try {
    triangles = [...triangulatePolygon(createPolygon([outline])).triangles];
  } catch {
    return null;
  }
  return edges.allows(ring, triangles) ? triangles : null;
}

/** The triangulation of a ring with the least sum of areas. */
function fillWithLeastArea(p: Float64Array, ring: Uint32Array, edges: MeshEdges): number[] | null {
  const n = ring.length;
  const best = new Float64Array(n * n).fill(Infinity);
  const split = new Int32Array(n * n).fill(-1);
  const penalty = new ThinPenalty(p, ring);
  for (let i = 0; i + 1 < n; i++) best[i * n + i + 1] = 0;
  for (let span = 2; span < n; span++) {
    for (let i = 0; i + span < n; i++) {
      const k = i + span;
      const isSide = i === 0 && k === n - 1;
      if (!isSide && edges.has(ring[i], ring[k])) continue;
      for (let m = i + 1; m < k; m++) {
        const below = best[i * n + m] + best[m * n + k];
        if (!(below < best[i * n + k])) continue;
        const sum = below + penalty.weigh(i, m, k);
        if (sum < best[i * n + k]) {
          best[i * n + k] = sum;
          split[i * n + k] = m;
        }
      }
    }
  }
  if (best[n - 1] === Infinity) return null;
  const faces: number[] = [];
  const waiting: number[] = [0, n - 1];
  while (waiting.length > 0) {
    const k = waiting.pop()!;
    const i = waiting.pop()!;
    if (k === i + 1) continue;
    const m = split[i * n + k];
    faces.push(i, m, k);
    waiting.push(i, m, m, k);
  }
  return faces;
}

/** Cuts off the smallest ear until three vertices are left. */
function cutEars(p: Float64Array, ring: Uint32Array, edges: MeshEdges): number[] | null {
  const n = ring.length;
  const next = Int32Array.from({ length: n }, (_, i) => (i + 1) % n);
  const previous = Int32Array.from({ length: n }, (_, i) => (i + n - 1) % n);
  const penalty = new ThinPenalty(p, ring);
  const heap = new IndexedHeap(n);
  const offer = (i: number): void => {
    const isFree = !edges.has(ring[previous[i]], ring[next[i]]);
    heap.set(i, isFree ? penalty.weigh(previous[i], i, next[i]) : Infinity);
  };
  for (let i = 0; i < n; i++) offer(i);
  const faces: number[] = [];
  for (let left = n; left > 3; left--) {
    if (heap.minKey() === Infinity) return null;
    const ear = heap.pop();
    const [before, after] = [previous[ear], next[ear]];
    faces.push(before, ear, after);
    next[before] = after;
    previous[after] = before;
    offer(before);
    offer(after);
  }
  const last = heap.minItem();
  faces.push(previous[last], last, next[last]);
  return faces;
}

/** Areas of triangles between the vertices of a ring; thin ones count as more than the whole ring. */
class ThinPenalty {
  readonly #p: Float64Array;
  readonly #ring: Uint32Array;
  readonly #least: number;
  readonly #extra: number;

  constructor(p: Float64Array, ring: Uint32Array) {
    this.#p = p;
    this.#ring = ring;
    let perimeter = 0;
    for (let i = 0; i < ring.length; i++) {
      const [a, b] = [3 * ring[i], 3 * ring[(i + 1) % ring.length]];
      perimeter += Math.hypot(p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]);
    }
    this.#least = MIN_AREA * perimeter * perimeter;
    this.#extra = perimeter * perimeter;
  }

  weigh(i: number, j: number, k: number): number {
    const area = areaOf(this.#p, this.#ring[i], this.#ring[j], this.#ring[k]);
    return area > this.#least ? area : area + this.#extra;
  }
}

/** The edges of a mesh by their vertices, with the directed ones of its faces. */
class MeshEdges {
  readonly #count: number;
  readonly #directed = new Set<number>();

  constructor({ positions, indices }: Mesh) {
    this.#count = positions.length / 3;
    this.addFaces(indices);
  }

  addFaces(indices: ArrayLike<number>): void {
    for (let i = 0; i < indices.length; i++) {
      this.#directed.add(indices[i] * this.#count + indices[nextHalfEdge(i)]);
    }
  }

  has(a: number, b: number): boolean {
    return this.#directed.has(a * this.#count + b) || this.#directed.has(b * this.#count + a);
  }

  /** Whether a loop is closed and the faces along it all have it on the same side. */
  isBorder(loop: Uint32Array): boolean {
    return loop.length >= 3 && loop.every((vertex, i) => this.#isOpen(vertex, loop[(i + 1) % loop.length]));
  }

  /** Whether no inner edge of a ring's triangles exists already. */
  allows(ring: Uint32Array, triangles: readonly number[]): boolean {
    return triangles.every((from, i) => {
      const to = triangles[nextHalfEdge(i)];
      const isSide = Math.abs(from - to) === 1 || Math.abs(from - to) === ring.length - 1;
      return isSide || !this.has(ring[from], ring[to]);
    });
  }

  #isOpen(a: number, b: number): boolean {
    return this.#directed.has(a * this.#count + b) && !this.#directed.has(b * this.#count + a);
  }
}

function countCrossings(mesh: Mesh, firstAdded: number): number {
  const { pairs } = findSelfIntersections(mesh);
  let count = 0;
  for (let i = 0; i < pairs.length; i += 2) if (pairs[i + 1] >= firstAdded) count++;
  return count;
}

function areaOf(p: Float64Array, a: number, b: number, c: number): number {
  const [i, j, k] = [3 * a, 3 * b, 3 * c];
  const [ux, uy, uz] = [p[j] - p[i], p[j + 1] - p[i + 1], p[j + 2] - p[i + 2]];
  const [vx, vy, vz] = [p[k] - p[i], p[k + 1] - p[i + 1], p[k + 2] - p[i + 2]];
  return 0.5 * Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
}
