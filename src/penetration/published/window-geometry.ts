// The triangles of convex sums that a window query draws: each sum's faces toward the origin and those away from it,
// classified by their planes in double precision. A point scaled about the eye stays on its pixel, so the three kinds
// of facets are scaled slightly against each other: faces that meet within rounding are then drawn in a known order.
import { CONTAINED } from '../../decomposition/hierarchy/hierarchy.js';
import { CUBE_AXES } from '../union/cube-views.js';

/** A convex sum with its polygons, and its distance from the origin. */
export interface WindowSum {
  /** x, y, z of each point. */
  readonly points: Float64Array;
  /** The corners of facet f are `facetVertices[facetStart[f]]` up to before `facetVertices[facetStart[f + 1]]`. */
  readonly facetStart: Uint32Array;
  readonly facetVertices: Uint32Array;
  /** Four per facet: unit outward normal n and offset c, n·t ≤ c inside. */
  readonly planes: Float64Array;
  /** A class of decomposition/hierarchy.ts for each facet. */
  readonly classes: Uint8Array;
  readonly containsOrigin: boolean;
  /** A lower bound on the distance of the sum from the origin, 0 if it contains it. */
  readonly distance: number;
}

/**
 * Rounding: relative to its distance, a face toward the origin is drawn this much nearer and a CONTAINED face away from
 * it this much farther. Gaps thinner than this share are closed, so the answer remains an upper estimate. It covers the
 * rounding of depths in single precision, not devices that snap corners inside the pixel: see window-ray.ts.
 */
export const FRONT_BIAS = 2 ** -16;

/**
 * Rounding: the origin is at least this share of a sum's reach inside a sum that is drawn as containing it. Sums closer
 * than this are moved until it is; single-precision corners are off by up to a tenth of it.
 */
export const EYE_CLEARANCE = 2 ** -20;

/** What is drawn, and data per sum. Arrays by sum are in the order in which the sums were given. */
export interface WindowGeometry {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  /** The code of each triangle's facet: one more than its index among the facets of all sums. */
  readonly colors: Uint32Array;
  /** Sum i's triangles toward the origin are `triangleStart[2i]` to before `triangleStart[2i + 1]`; then those away. */
  readonly triangleStart: Uint32Array;
  /** The first of the triangles that cover a view, two per view. */
  readonly coverStart: number;
  /** 1 for a sum with the origin inside or almost inside: it has no faces toward the origin. */
  readonly isAround: Uint8Array;
  /** 1 for a sum too thin to hold the origin with clearance: it is not drawn. */
  readonly isThin: Uint8Array;
  /** No triangle of the sum is nearer to the origin than this. */
  readonly clearances: Float64Array;
  /** No point of the sum is farther than this. */
  readonly reaches: Float64Array;
  /** Six per sum: least and greatest coordinates. */
  readonly boxes: Float64Array;
  /** The facets of sum i are `facetStart[i]` up to before `facetStart[i + 1]` of all. */
  readonly facetStart: Uint32Array;
  /** The sum of each facet. */
  readonly facetSums: Uint32Array;
  /** Four per facet, as in {@link WindowSum}. */
  readonly planes: Float64Array;
  readonly classes: Uint8Array;
}

/** Lays the sums out for drawing. */
export function buildWindowGeometry(sums: readonly WindowSum[]): WindowGeometry {
  const layout = new WindowLayout(sums);
  sums.forEach((sum, i) => {
    layout.addSum(sum, i);
  });
  return layout.finish();
}

/** The arrays of a geometry while sums are added. */
class WindowLayout {
  readonly #positions: Float64Array;
  readonly #indices: Uint32Array;
  readonly #colors: Uint32Array;
  readonly #triangleStart: Uint32Array;
  readonly #isAround: Uint8Array;
  readonly #isThin: Uint8Array;
  readonly #clearances: Float64Array;
  readonly #reaches: Float64Array;
  readonly #boxes: Float64Array;
  readonly #facetStart: Uint32Array;
  readonly #facetSums: Uint32Array;
  readonly #planes: Float64Array;
  readonly #classes: Uint8Array;
  readonly #shift = new Float64Array(3);
  /** Triangles and vertices written, and the largest reach of a sum. */
  #triangle = 0;
  #vertex = 0;
  #reach = 0;

  constructor(sums: readonly WindowSum[]) {
    const facetStart = new Uint32Array(sums.length + 1);
    let points = 0;
    let triangles = 0;
    sums.forEach((sum, i) => {
      const facets = sum.facetStart.length - 1;
      facetStart[i + 1] = facetStart[i] + facets;
      points += sum.points.length / 3;
      triangles += sum.facetVertices.length - 2 * facets;
    });
    const facetCount = facetStart[sums.length];
    this.#facetStart = facetStart;
    this.#positions = new Float64Array(3 * (3 * points + 24));
    this.#indices = new Uint32Array(3 * (2 * triangles + 12));
    this.#colors = new Uint32Array(2 * triangles + 12);
    this.#triangleStart = new Uint32Array(2 * sums.length + 1);
    this.#isAround = new Uint8Array(sums.length);
    this.#isThin = new Uint8Array(sums.length);
    this.#clearances = new Float64Array(sums.length);
    this.#reaches = new Float64Array(sums.length);
    this.#boxes = new Float64Array(6 * sums.length);
    this.#facetSums = new Uint32Array(facetCount);
    this.#planes = new Float64Array(4 * facetCount);
    this.#classes = new Uint8Array(facetCount);
  }

  addSum(sum: WindowSum, i: number): void {
    const first = this.#facetStart[i];
    const end = this.#facetStart[i + 1];
    this.#facetSums.fill(i, first, end);
    this.#planes.set(sum.planes.subarray(0, 4 * (end - first)), 4 * first);
    this.#classes.set(sum.classes.subarray(0, end - first), first);
    const reach = measureExtent(sum.points, this.#boxes, 6 * i);
    this.#reaches[i] = reach;
    this.#reach = Math.max(this.#reach, reach);
    const clearance = EYE_CLEARANCE * reach;
    const isNear = sum.containsOrigin || sum.distance <= clearance;
    const kept = isNear ? moveAround(sum, clearance, this.#shift) : (1 - FRONT_BIAS) * sum.distance;
    this.#clearances[i] = kept;
    this.#isThin[i] = kept <= 0 ? 1 : 0;
    const isAround = isNear && kept > 0;
    this.#isAround[i] = isAround ? 1 : 0;
    this.#writeLayers(sum, isNear);
    this.#triangleStart[2 * i] = this.#triangle;
    const isAway = (f: number): boolean => isAround || (!isNear && sum.planes[4 * f + 3] > 0);
    this.#addFacets(sum, first, 0, (f) => !isNear && sum.planes[4 * f + 3] < 0);
    this.#triangleStart[2 * i + 1] = this.#triangle;
    this.#addFacets(sum, first, 1, isAway);
    // In addition, not instead: layers are rounded separately and may leave cracks between them.
    this.#addFacets(sum, first, 2, (f) => isAway(f) && sum.classes[f] === CONTAINED);
    this.#triangleStart[2 * i + 2] = this.#triangle;
    this.#vertex += sum.points.length;
  }

  /** Adds the triangles that cover the views. */
  finish(): WindowGeometry {
    const coverStart = this.#triangle;
    for (let view = 0; view < CUBE_AXES.length; view++) this.#addCover(view);
    return {
      positions: this.#positions.subarray(0, 3 * this.#vertex),
      indices: this.#indices.subarray(0, 3 * this.#triangle),
      colors: this.#colors.subarray(0, this.#triangle),
      triangleStart: this.#triangleStart,
      coverStart,
      isAround: this.#isAround,
      isThin: this.#isThin,
      clearances: this.#clearances,
      reaches: this.#reaches,
      boxes: this.#boxes,
      facetStart: this.#facetStart,
      facetSums: this.#facetSums,
      planes: this.#planes,
      classes: this.#classes,
    };
  }

  /** Writes the points of a sum three times: scaled toward the eye, as they are, and scaled away from it. */
  #writeLayers({ points }: WindowSum, isMoved: boolean): void {
    const start = 3 * this.#vertex;
    for (let layer = 0; layer < 3; layer++) {
      const scale = 1 + (layer - 1) * FRONT_BIAS;
      const at = start + layer * points.length;
      for (let k = 0; k < points.length; k++) {
        this.#positions[at + k] = scale * (points[k] + (isMoved ? this.#shift[k % 3] : 0));
      }
    }
  }

  /** Writes facets as fans, with the points of one of the three layers. */
  #addFacets(sum: WindowSum, first: number, layer: number, isWanted: (facet: number) => boolean): void {
    const base = this.#vertex + (layer * sum.points.length) / 3;
    for (let f = 0; f + 1 < sum.facetStart.length; f++) {
      if (!isWanted(f)) continue;
      const start = sum.facetStart[f];
      for (let k = start + 2; k < sum.facetStart[f + 1]; k++) {
        const at = 3 * this.#triangle;
        this.#indices[at] = base + sum.facetVertices[start];
        this.#indices[at + 1] = base + sum.facetVertices[k - 1];
        this.#indices[at + 2] = base + sum.facetVertices[k];
        this.#colors[this.#triangle++] = first + f + 1;
      }
    }
  }

  #addCover(view: number): void {
    const [fx, fy, fz, rx, ry, rz, ux, uy, uz] = CUBE_AXES[view];
    const vertex = this.#vertex;
    const reach = this.#reach;
    for (let corner = 0; corner < 4; corner++) {
      const x = corner === 1 || corner === 2 ? 1 : -1;
      const y = corner < 2 ? -1 : 1;
      const at = 3 * (vertex + corner);
      this.#positions[at] = reach * (fx + x * rx + y * ux);
      this.#positions[at + 1] = reach * (fy + x * ry + y * uy);
      this.#positions[at + 2] = reach * (fz + x * rz + y * uz);
    }
    this.#indices.set([vertex, vertex + 1, vertex + 2, vertex, vertex + 2, vertex + 3], 3 * this.#triangle);
    this.#triangle += 2;
    this.#vertex += 4;
  }
}

/** Writes the box around points and returns how far the farthest is from the origin. */
function measureExtent(points: Float64Array, boxes: Float64Array, offset: number): number {
  boxes.fill(Infinity, offset, offset + 3);
  boxes.fill(-Infinity, offset + 3, offset + 6);
  let farthest = 0;
  for (let k = 0; k < points.length; k += 3) {
    farthest = Math.max(farthest, points[k] ** 2 + points[k + 1] ** 2 + points[k + 2] ** 2);
    for (let axis = 0; axis < 3; axis++) {
      boxes[offset + axis] = Math.min(boxes[offset + axis], points[k + axis]);
      boxes[offset + 3 + axis] = Math.max(boxes[offset + 3 + axis], points[k + axis]);
    }
  }
  return Math.sqrt(farthest);
}

/**
 * Chosen: steps of {@link moveAround}. Half-spaces that need more do not contain a common ball of the required size.
 */
const MOVE_STEPS = 64;

/**
 * Finds a small move of a sum that puts the origin `clearance` deep into it, by projecting onto the half-space violated
 * most. Returns how deep the origin then is, 0 if the sum is too thin.
 */
function moveAround(sum: WindowSum, clearance: number, shift: Float64Array): number {
  const { planes } = sum;
  shift.fill(0);
  for (let step = 0; step < MOVE_STEPS; step++) {
    let depth = Infinity;
    let worst = 0;
    for (let p = 0; p < planes.length; p += 4) {
      const c = planes[p + 3] + planes[p] * shift[0] + planes[p + 1] * shift[1] + planes[p + 2] * shift[2];
      if (c < depth) {
        depth = c;
        worst = p;
      }
    }
    if (depth >= clearance) return depth;
    for (let axis = 0; axis < 3; axis++) shift[axis] += 1.25 * (clearance - depth) * planes[worst + axis];
  }
  return 0;
}
