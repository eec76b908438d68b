// Which pairs of features may touch after a bounded motion: they must come within the reach, and a common normal must not
// need more turning than the motion allows. Never excludes a pair that may touch.

import { isEdgeSummit, isSummit, placePoint, turnedEdgeSummit, turnedSummit } from './feature-cones.js';
import {
  CONE_SLOPE,
  EDGE_EDGE,
  EDGE_VERTEX,
  FACE_VERTEX,
  type FeaturePairs,
  PATCH_SLOPE,
  VERTEX_EDGE,
  VERTEX_FACE,
} from './feature-pairs.js';
import type { ContactFeatures } from './shape/contact-features.js';

/** Proven: vertices nearer to each other than this many motions may see each other in any direction afterwards. */
const ANY_DIRECTION = 2;
/**
 * Proven: two points farther apart than {@link ANY_DIRECTION} motions turn about each other by an angle whose sine is
 * at most this times motion by distance.
 */
const ARC = 1.05;

/** Tests pairs of features of two solids at one placement. */
export class FeatureFilter {
  readonly #pairs: FeaturePairs;
  readonly #a: ContactFeatures;
  readonly #b: ContactFeatures;
  #reach = 0;
  #motion = 0;
  #turn = 0;
  readonly #x = new Float64Array(3);
  readonly #y = new Float64Array(3);
  readonly #z = new Float64Array(3);

  constructor(pairs: FeaturePairs) {
    this.#pairs = pairs;
    this.#a = pairs.a;
    this.#b = pairs.b;
  }

  /** Sets what is allowed: the distance now, the motion of any point, the turning of any direction in radians. */
  loosen(reach: number, motion: number, turn: number): void {
    this.#reach = reach;
    this.#motion = motion;
    this.#turn = turn;
  }

  /** Whether a pair may touch; for edges, {@link edgesAreNear} is assumed. */
  mayTouch(kind: number, featureA: number, featureB: number): boolean {
    const { bInA, aInB } = this.#pairs;
    const a = this.#a;
    const b = this.#b;
    if (kind === FACE_VERTEX) return this.#isOver(a, featureA, b, featureB, bInA);
    if (kind === VERTEX_FACE) return this.#isOver(b, featureB, a, featureA, aInB);
    if (kind === EDGE_EDGE) return this.#edgesFace(featureA, featureB);
    if (kind === EDGE_VERTEX) return this.#isBeside(a, featureA, b, featureB, bInA);
    if (kind === VERTEX_EDGE) return this.#isBeside(b, featureB, a, featureA, aInB);
    return this.#verticesFace(featureA, featureB);
  }

  /** Whether two edges are within the reach. */
  edgesAreNear(edgeA: number, edgeB: number): boolean {
    const m = this.#pairs.bInA;
    const a = this.#a;
    const b = this.#b;
    const x = this.#x;
    const p = 3 * a.edgeVertices[2 * edgeA];
    placePoint(m, b.positions, 3 * b.edgeVertices[2 * edgeB], x);
    const i = 4 * edgeA;
    const j = 4 * edgeB;
    const ux = a.edgeLines[i];
    const uy = a.edgeLines[i + 1];
    const uz = a.edgeLines[i + 2];
    const lengthA = a.edgeLines[i + 3];
    const lx = b.edgeLines[j];
    const ly = b.edgeLines[j + 1];
    const lz = b.edgeLines[j + 2];
    const lengthB = b.edgeLines[j + 3];
    const vx = m[0] * lx + m[1] * ly + m[2] * lz;
    const vy = m[4] * lx + m[5] * ly + m[6] * lz;
    const vz = m[8] * lx + m[9] * ly + m[10] * lz;
    const wx = x[0] - a.positions[p];
    const wy = x[1] - a.positions[p + 1];
    const wz = x[2] - a.positions[p + 2];
    const cosine = ux * vx + uy * vy + uz * vz;
    const wu = wx * ux + wy * uy + wz * uz;
    const wv = wx * vx + wy * vy + wz * vz;
    const sineSquared = 1 - cosine * cosine;
    // Nearest points of the lines, each clamped to its segment in turn (Ericson 2005, section 5.1.9).
    let s = sineSquared > 1e-9 ? clamp((wu - cosine * wv) / sineSquared, lengthA) : clamp(wu, lengthA);
    let t = cosine * s - wv;
    if (t < 0 || t > lengthB) {
      t = clamp(t, lengthB);
      s = clamp(wu + cosine * t, lengthA);
    }
    const dx = wx + t * vx - s * ux;
    const dy = wy + t * vy - s * uy;
    const dz = wz + t * vz - s * uz;
    return dx * dx + dy * dy + dz * dz <= this.#reach * this.#reach * (1 + 1e-9);
  }

  #isOver(f: ContactFeatures, facet: number, g: ContactFeatures, vertex: number, gInF: Float64Array): boolean {
    const { planes, start, sides } = f.facets;
    const point = this.#x;
    const reach = this.#reach;
    placePoint(gInF, g.positions, 3 * vertex, point);
    const x = point[0];
    const y = point[1];
    const z = point[2];
    const i = 4 * facet;
    const nx = planes[i];
    const ny = planes[i + 1];
    const nz = planes[i + 2];
    if (!(Math.abs(nx * x + ny * y + nz * z - planes[i + 3]) <= reach)) return false;
    for (let s = 4 * start[facet]; s < 4 * start[facet + 1]; s += 4) {
      if (!(sides[s] * x + sides[s + 1] * y + sides[s + 2] * z - sides[s + 3] >= -reach)) return false;
    }
    return turnedSummit(g, vertex, -nx, -ny, -nz, gInF, PATCH_SLOPE + this.#turn);
  }

  #edgesFace(edgeA: number, edgeB: number): boolean {
    const m = this.#pairs.bInA;
    const a = this.#a;
    const b = this.#b;
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
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    const sine = Math.sqrt(x * x + y * y + z * z);
    // The normal turns by as much as an edge, over the sine of their angle.
    if (!(sine > ANY_DIRECTION * this.#turn) || !(sine > 1e-6)) return true;
    const slope = PATCH_SLOPE + (ANY_DIRECTION * this.#turn) / sine;
    const k = 1 / sine;
    return (
      (isEdgeSummit(a, edgeA, k * x, k * y, k * z, slope) &&
        turnedEdgeSummit(b, edgeB, -k * x, -k * y, -k * z, m, slope)) ||
      (isEdgeSummit(a, edgeA, -k * x, -k * y, -k * z, slope) &&
        turnedEdgeSummit(b, edgeB, k * x, k * y, k * z, m, slope))
    );
  }

  /** Whether a vertex of the solid g may touch an edge of the solid f. */
  #isBeside(f: ContactFeatures, edge: number, g: ContactFeatures, vertex: number, gInF: Float64Array): boolean {
    const point = this.#y;
    placePoint(gInF, g.positions, 3 * vertex, point);
    const p = 3 * f.edgeVertices[2 * edge];
    const i = 4 * edge;
    let dx = point[0] - f.positions[p];
    let dy = point[1] - f.positions[p + 1];
    let dz = point[2] - f.positions[p + 2];
    const { edgeLines } = f;
    const along = clamp(dx * edgeLines[i] + dy * edgeLines[i + 1] + dz * edgeLines[i + 2], edgeLines[i + 3]);
    dx -= along * edgeLines[i];
    dy -= along * edgeLines[i + 1];
    dz -= along * edgeLines[i + 2];
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(distance <= this.#reach)) return false;
    if (!(distance > ANY_DIRECTION * this.#motion)) return true;
    const slope = CONE_SLOPE + (ARC * this.#motion) / distance + this.#turn + 1e-12;
    const k = 1 / distance;
    return (
      isEdgeSummit(f, edge, k * dx, k * dy, k * dz, slope) &&
      turnedSummit(g, vertex, -k * dx, -k * dy, -k * dz, gInF, slope)
    );
  }

  #verticesFace(vertexA: number, vertexB: number): boolean {
    const m = this.#pairs.bInA;
    const point = this.#z;
    placePoint(m, this.#b.positions, 3 * vertexB, point);
    const { positions } = this.#a;
    const dx = point[0] - positions[3 * vertexA];
    const dy = point[1] - positions[3 * vertexA + 1];
    const dz = point[2] - positions[3 * vertexA + 2];
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(distance <= this.#reach)) return false;
    if (!(distance > ANY_DIRECTION * this.#motion)) return true;
    const slope = CONE_SLOPE + (ARC * this.#motion) / distance + this.#turn + 1e-12;
    const k = 1 / distance;
    return (
      isSummit(this.#a, vertexA, k * dx, k * dy, k * dz, slope) &&
      turnedSummit(this.#b, vertexB, -k * dx, -k * dy, -k * dz, m, slope)
    );
  }
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, value));
}
