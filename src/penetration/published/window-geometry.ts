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
  const positions = new Float64Array(3 * (3 * points + 24));
  const indices = new Uint32Array(3 * (2 * triangles + 12));
  const colors = new Uint32Array(2 * triangles + 12);
  const triangleStart = new Uint32Array(2 * sums.length + 1);
  const isAround = new Uint8Array(sums.length);
  const isThin = new Uint8Array(sums.length);
  const clearances = new Float64Array(sums.length);
  const reaches = new Float64Array(sums.length);
  const boxes = new Float64Array(6 * sums.length);
  const facetSums = new Uint32Array(facetCount);
  const planes = new Float64Array(4 * facetCount);
  const classes = new Uint8Array(facetCount);
  const shift = new Float64Array(3);
  let triangle = 0;
  let vertex = 0;
  let reach = 0;

  /** Writes facets as fans, with the points of one of the three layers. */
  const addFacets = (sum: WindowSum, first: number, layer: number, isWanted: (facet: number) => boolean): void => {
    const base = vertex + (layer * sum.points.length) / 3;
    for (let f = 0; f + 1 < sum.facetStart.length; f++) {
      if (!isWanted(f)) continue;
      const start = sum.facetStart[f];
      for (let k = start + 2; k < sum.facetStart[f + 1]; k++) {
        indices[3 * triangle] = base + sum.facetVertices[start];
        indices[3 * triangle + 1] = base + sum.facetVertices[k - 1];
        indices[3 * triangle + 2] = base + sum.facetVertices[k];
        colors[triangle++] = first + f + 1;
      }
    }
  };

  sums.forEach((sum, i) => {
    const first = facetStart[i];
    const count = sum.points.length / 3;
    facetSums.fill(i, first, facetStart[i + 1]);
    planes.set(sum.planes.subarray(0, 4 * (facetStart[i + 1] - first)), 4 * first);
    classes.set(sum.classes.subarray(0, facetStart[i + 1] - first), first);
    reaches[i] = measureExtent(sum.points, boxes, 6 * i);
    reach = Math.max(reach, reaches[i]);
    const clearance = EYE_CLEARANCE * reaches[i];
    const isNear = sum.containsOrigin || sum.distance <= clearance;
    clearances[i] = isNear ? moveAround(sum, clearance, shift) : (1 - FRONT_BIAS) * sum.distance;
    isThin[i] = clearances[i] <= 0 ? 1 : 0;
    isAround[i] = isNear && isThin[i] === 0 ? 1 : 0;
    for (let layer = 0; layer < 3; layer++) {
      const scale = 1 + (layer - 1) * FRONT_BIAS;
      for (let k = 0; k < 3 * count; k++) {
        positions[3 * (vertex + layer * count) + k] = scale * (sum.points[k] + (isNear ? shift[k % 3] : 0));
      }
    }
    triangleStart[2 * i] = triangle;
    const isAway = (f: number) => isAround[i] === 1 || (!isNear && sum.planes[4 * f + 3] > 0);
    addFacets(sum, first, 0, (f) => !isNear && sum.planes[4 * f + 3] < 0);
    triangleStart[2 * i + 1] = triangle;
    addFacets(sum, first, 1, isAway);
    // In addition, not instead: layers are rounded separately and may leave cracks between them.
    addFacets(sum, first, 2, (f) => isAway(f) && sum.classes[f] === CONTAINED);
    triangleStart[2 * i + 2] = triangle;
    vertex += 3 * count;
  });
  const coverStart = triangle;
  for (const [fx, fy, fz, rx, ry, rz, ux, uy, uz] of CUBE_AXES) {
    for (let corner = 0; corner < 4; corner++) {
      const x = corner === 1 || corner === 2 ? 1 : -1;
      const y = corner < 2 ? -1 : 1;
      positions[3 * (vertex + corner)] = reach * (fx + x * rx + y * ux);
      positions[3 * (vertex + corner) + 1] = reach * (fy + x * ry + y * uy);
      positions[3 * (vertex + corner) + 2] = reach * (fz + x * rz + y * uz);
    }
    indices.set([vertex, vertex + 1, vertex + 2, vertex, vertex + 2, vertex + 3], 3 * triangle);
    triangle += 2;
    vertex += 4;
  }
  return {
    positions: positions.subarray(0, 3 * vertex),
    indices: indices.subarray(0, 3 * triangle),
    colors: colors.subarray(0, triangle),
    triangleStart,
    coverStart,
    isAround,
    isThin,
    clearances,
    reaches,
    boxes,
    facetStart,
    facetSums,
    planes,
    classes,
  };
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
