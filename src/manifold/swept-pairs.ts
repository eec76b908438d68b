// Where features of two solids would hit each other on a fast way: a vertex passes through a facet, or two edges through
// each other, from outside. The first hit of two solids is always one of these. Distances say little of a long way: what
// is nearest at its beginning is seldom what is hit.

import { moveAt } from './approach-normals.js';
import type { ContactKernel } from './contact-kernel.js';
import { type ContactPoints, NORMAL, ON_B, SEPARATION } from './contact-points.js';
import { faceKey, isEdgeSummit, isSummit, placePoint, turnedEdgeSummit, turnedSummit } from './feature-cones.js';
import { type FeaturePairs, PATCH_SLOPE } from './feature-pairs.js';
import { NearLeaves } from './near-leaves.js';
import { COORDINATE_ROUNDING } from './roundings.js';
import type { ContactFeatures } from './shape/contact-features.js';
import type { FeatureTrees } from './shape/feature-tree.js';

/** Chosen: ways count as straight if turning bends them by at most this share of how far it moves points. */
const BEND = 0.1;

/** Finds the hits of two solids in motion. */
export class SweptPairs {
  readonly #pairs: FeaturePairs;
  readonly #a: ContactFeatures;
  readonly #b: ContactFeatures;
  readonly #treesA: FeatureTrees;
  readonly #treesB: FeatureTrees;
  readonly #leaves: NearLeaves;
  #motion: Float64Array = new Float64Array(6);
  /** How far from a facet or an end of an edge a hit may be. */
  #aside = 0;
  readonly #x = new Float64Array(3);
  readonly #y = new Float64Array(3);
  readonly #wayX = new Float64Array(3);
  readonly #wayY = new Float64Array(3);

  constructor(pairs: FeaturePairs, treesA: FeatureTrees, treesB: FeatureTrees, kernel: ContactKernel | null = null) {
    this.#leaves = new NearLeaves(kernel);
    this.#pairs = pairs;
    this.#a = pairs.a;
    this.#b = pairs.b;
    this.#treesA = treesA;
    this.#treesB = treesB;
  }

  /**
   * Adds the hits. The pairs must be placed.
   * @param motion of B in A's frame, as `ApproachNormals.refine` takes it.
   * @param way the motion of one point, and `swing` a bound on how much the motions of other points differ from it.
   */
  find(motion: Float64Array, way: Float64Array, swing: number, points: ContactPoints): void {
    const leaves = this.#leaves;
    const m = this.#pairs.bInA;
    const shift = Math.abs(m[3]) + Math.abs(m[7]) + Math.abs(m[11]);
    const rounding = COORDINATE_ROUNDING * (this.#a.magnitude + this.#b.magnitude + shift);
    this.#motion = motion;
    this.#aside = BEND * swing + rounding;
    points.source = -1;
    leaves.place(m, swing + rounding, way);
    leaves.find(this.#treesA.facets, this.#treesB.summits);
    for (let i = 0; i < 2 * leaves.count; i += 2) this.#hitFacetOfA(leaves.items[i], leaves.items[i + 1], points);
    leaves.find(this.#treesA.summits, this.#treesB.facets);
    for (let i = 0; i < 2 * leaves.count; i += 2) this.#hitFacetOfB(leaves.items[i], leaves.items[i + 1], points);
    leaves.find(this.#treesA.edges, this.#treesB.edges);
    for (let i = 0; i < 2 * leaves.count; i += 2) this.#hitEdges(leaves.items[i], leaves.items[i + 1], points);
  }

  #hitFacetOfA(facet: number, vertex: number, points: ContactPoints): void {
    const a = this.#a;
    const b = this.#b;
    const { bInA } = this.#pairs;
    const x = this.#x;
    const way = this.#wayX;
    placePoint(bInA, b.positions, 3 * vertex, x);
    moveAt(this.#motion, x, 0, way);
    const height = heightAbove(a, facet, x);
    const time = this.#hitTime(a, facet, x, way, height);
    if (time < 0) return;
    const { planes } = a.facets;
    const i = 4 * facet;
    if (!turnedSummit(b, vertex, -planes[i], -planes[i + 1], -planes[i + 2], bInA, PATCH_SLOPE)) return;
    const key = faceKey(a, facet);
    if (points.has(key, vertex)) return;
    const at = points.reserve();
    const { values } = points;
    for (let k = 0; k < 3; k++) {
      values[at + k] = x[k] + time * way[k];
      values[at + ON_B + k] = x[k];
      values[at + NORMAL + k] = planes[i + k];
    }
    values[at + SEPARATION] = height;
    points.keep(key, vertex);
  }

  #hitFacetOfB(vertex: number, facet: number, points: ContactPoints): void {
    const a = this.#a;
    const b = this.#b;
    const { bInA: m, aInB } = this.#pairs;
    const x = this.#x;
    const y = this.#y;
    const way = this.#wayX;
    const back = this.#wayY;
    for (let k = 0; k < 3; k++) x[k] = a.positions[3 * vertex + k];
    moveAt(this.#motion, x, 0, way);
    placePoint(aInB, x, 0, y);
    // In B's frame A moves the other way.
    for (let k = 0; k < 3; k++) back[k] = -(m[k] * way[0] + m[4 + k] * way[1] + m[8 + k] * way[2]);
    const height = heightAbove(b, facet, y);
    const time = this.#hitTime(b, facet, y, back, height);
    if (time < 0) return;
    const { planes } = b.facets;
    const i = 4 * facet;
    const nx = -(m[0] * planes[i] + m[1] * planes[i + 1] + m[2] * planes[i + 2]);
    const ny = -(m[4] * planes[i] + m[5] * planes[i + 1] + m[6] * planes[i + 2]);
    const nz = -(m[8] * planes[i] + m[9] * planes[i + 1] + m[10] * planes[i + 2]);
    if (!isSummit(a, vertex, nx, ny, nz, PATCH_SLOPE)) return;
    const key = faceKey(b, facet);
    if (points.has(vertex, key)) return;
    const at = points.reserve();
    const { values } = points;
    for (let k = 0; k < 3; k++) {
      values[at + k] = x[k];
      values[at + ON_B + k] = x[k] - time * way[k];
    }
    values[at + NORMAL] = nx;
    values[at + NORMAL + 1] = ny;
    values[at + NORMAL + 2] = nz;
    values[at + SEPARATION] = height;
    points.keep(vertex, key);
  }

  /** When a point passes a facet from outside, as a share of its way; −1 if it does not. */
  #hitTime({ facets }: ContactFeatures, facet: number, x: Float64Array, way: Float64Array, height: number): number {
    const { planes, start, sides } = facets;
    const i = 4 * facet;
    const closing = -(planes[i] * way[0] + planes[i + 1] * way[1] + planes[i + 2] * way[2]);
    if (!(height >= 0 && closing > 0 && height <= closing)) return -1;
    const time = height / closing;
    const px = x[0] + time * way[0];
    const py = x[1] + time * way[1];
    const pz = x[2] + time * way[2];
    for (let s = 4 * start[facet]; s < 4 * start[facet + 1]; s += 4) {
      if (!(sides[s] * px + sides[s + 1] * py + sides[s + 2] * pz - sides[s + 3] >= -this.#aside)) return -1;
    }
    return time;
  }

  /** Runs for every pair of edges: all its values are locals of one function. */
  #hitEdges(edgeA: number, edgeB: number, points: ContactPoints): void {
    const a = this.#a;
    const b = this.#b;
    const m = this.#pairs.bInA;
    const i = 4 * edgeA;
    const j = 4 * edgeB;
    const ux = a.edgeLines[i];
    const uy = a.edgeLines[i + 1];
    const uz = a.edgeLines[i + 2];
    const lx = b.edgeLines[j];
    const ly = b.edgeLines[j + 1];
    const lz = b.edgeLines[j + 2];
    const vx = m[0] * lx + m[1] * ly + m[2] * lz;
    const vy = m[4] * lx + m[5] * ly + m[6] * lz;
    const vz = m[8] * lx + m[9] * ly + m[10] * lz;
    let nx = uy * vz - uz * vy;
    let ny = uz * vx - ux * vz;
    let nz = ux * vy - uy * vx;
    const sine = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(sine > 1e-5)) return;
    const x = this.#x;
    const way = this.#wayX;
    placePoint(m, b.positions, 3 * b.edgeVertices[2 * edgeB], x);
    const p = 3 * a.edgeVertices[2 * edgeA];
    let wx = x[0] - a.positions[p];
    let wy = x[1] - a.positions[p + 1];
    let wz = x[2] - a.positions[p + 2];
    // As its middle moves.
    const y = this.#y;
    const half = b.edgeLines[j + 3] / 2;
    y[0] = x[0] + half * vx;
    y[1] = x[1] + half * vy;
    y[2] = x[2] + half * vz;
    moveAt(this.#motion, y, 0, way);
    let share = 1 / sine;
    if ((nx * way[0] + ny * way[1] + nz * way[2]) * share > 0) share = -share;
    nx *= share;
    ny *= share;
    nz *= share;
    const gap = wx * nx + wy * ny + wz * nz;
    const closing = -(nx * way[0] + ny * way[1] + nz * way[2]);
    if (!(gap >= 0 && closing > 0 && gap <= closing)) return;
    const time = gap / closing;
    wx += time * way[0];
    wy += time * way[1];
    wz += time * way[2];
    const cosine = ux * vx + uy * vy + uz * vz;
    const wu = wx * ux + wy * uy + wz * uz;
    const wv = wx * vx + wy * vy + wz * vz;
    const s = (wu - cosine * wv) / (sine * sine);
    const t = (cosine * wu - wv) / (sine * sine);
    const aside = this.#aside;
    if (!(s >= -aside && t >= -aside && s <= a.edgeLines[i + 3] + aside && t <= b.edgeLines[j + 3] + aside)) return;
    if (!isEdgeSummit(a, edgeA, nx, ny, nz, PATCH_SLOPE)) return;
    if (!turnedEdgeSummit(b, edgeB, -nx, -ny, -nz, m, PATCH_SLOPE)) return;
    const keyA = a.vertexCount + edgeA;
    const keyB = b.vertexCount + edgeB;
    if (points.has(keyA, keyB)) return;
    const at = points.reserve();
    const { values } = points;
    values[at] = a.positions[p] + s * ux;
    values[at + 1] = a.positions[p + 1] + s * uy;
    values[at + 2] = a.positions[p + 2] + s * uz;
    values[at + ON_B] = x[0] + t * vx;
    values[at + ON_B + 1] = x[1] + t * vy;
    values[at + ON_B + 2] = x[2] + t * vz;
    values[at + NORMAL] = nx;
    values[at + NORMAL + 1] = ny;
    values[at + NORMAL + 2] = nz;
    values[at + SEPARATION] = gap;
    points.keep(keyA, keyB);
  }
}

function heightAbove({ facets }: ContactFeatures, facet: number, x: Float64Array): number {
  const { planes } = facets;
  const i = 4 * facet;
  return planes[i] * x[0] + planes[i + 1] * x[1] + planes[i + 2] * x[2] - planes[i + 3];
}
