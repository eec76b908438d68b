// The convex hull of points in space, exact on every input: quickhull decided by exact predicates, then flat edges and
// corners removed. Expected O(n log n).

import { nameValue } from '../../core/check/check-options.js';
import { PROGRESS_OPTIONS } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { ProgressOptions } from '../../core/progress.js';
import { findFlatLoop, isSmaller } from './hull-flat.js';
import { measureFrame } from './hull-frame.js';
import { QuickHull } from './hull-quick.js';
import { findSimplex } from './hull-simplex.js';
import type { HullSurface } from './hull-simplify.js';

/**
 * A convex hull. Its vertices are exactly the extreme points of the input: points within a face or an edge are not
 * vertices, and equal points are represented by the one with the lowest id. Vertices and triangles depend on where the
 * points are, not on their order.
 */
export interface Hull {
  /** 3: a solid; 2: all points lie in a plane; 1: on a line; 0: all are one point. */
  readonly dimension: 0 | 1 | 2 | 3;
  /** The points that ids refer to, as consecutive x, y, z: the caller's array if that is a Float64Array. */
  readonly points: Float64Array;
  /** Ids of the extreme points, ascending: four or more in three dimensions, three or more in two, two, or one. */
  readonly vertices: Uint32Array;
  /**
   * Point ids, three per triangle, counter-clockwise seen from outside. A flat hull has its polygon twice, once for
   * each side; a hull of fewer dimensions has no triangles.
   */
  readonly triangles: Uint32Array;
  /**
   * Half-edge 3t + k runs from corner k of triangle t to the next; its twin runs the other way in the adjacent
   * triangle. The neighbor of t across that edge is ⌊twins[3t + k] / 3⌋. Same length as `triangles`.
   */
  readonly twins: Uint32Array;
  /** The cost: triangles made on the way, and side tests that floating point left undecided. */
  readonly facesCreated: number;
  readonly exactTests: number;
}

/**
 * The convex hull of points given as consecutive x, y, z. Exact: no point is outside any face, and coordinates are used
 * as they are, without a tolerance.
 * @throws NearfieldError when there is no point, or a coordinate is not finite or beyond `MAX_COORDINATE`.
 */
export function buildHull(points: ArrayLike<number>, options?: ProgressOptions): Hull {
  if (points === null || typeof points !== 'object' || typeof points.length !== 'number') {
    throw new NearfieldError(
      'bad-argument',
      `The points are ${nameValue(points)}; give x, y, z of each, in one array.`,
    );
  }
  PROGRESS_OPTIONS.assert(options);
  const positions = points instanceof Float64Array ? points : Float64Array.from(points);
  const frame = measureFrame(positions);
  const { dimension, corners, axis } = findSimplex(positions, frame);
  if (dimension === 3) {
    const quick = new QuickHull(positions, frame);
    const surface = quick.build(corners, options);
    const { facesCreated } = quick;
    return { dimension, points: positions, ...surface, facesCreated, exactTests: quick.faces.exactTests };
  }
  const surface =
    dimension === 2 ? coverPolygon(findFlatLoop(positions, countUp(positions), axis)) : findEnds(positions);
  return { dimension, points: positions, ...surface, facesCreated: surface.triangles.length / 3, exactTests: 0 };
}

/** The two sides of a convex polygon: a fan from the loop's first corner, and the same flipped. */
export function coverPolygon(loop: Uint32Array): HullSurface {
  const count = loop.length - 2;
  const triangles = new Uint32Array(6 * count);
  const twins = new Uint32Array(6 * count);
  for (let i = 0; i < count; i++) {
    const front = 3 * i;
    const back = 3 * (count + i);
    triangles.set([loop[0], loop[i + 1], loop[i + 2]], front);
    triangles.set([loop[0], loop[i + 2], loop[i + 1]], back);
    // Outer edges join the two sides, diagonals the triangles of a side.
    twins[front] = i === 0 ? back + 2 : front - 1;
    twins[front + 1] = back + 1;
    twins[front + 2] = i === count - 1 ? back : front + 3;
    twins[back] = i === count - 1 ? front + 2 : back + 5;
    twins[back + 1] = front + 1;
    twins[back + 2] = i === 0 ? front : back - 3;
  }
  return { vertices: loop.slice().sort(), triangles, twins };
}

/** The one or two ends of points on a line. */
export function findEnds(points: Float64Array): HullSurface {
  let low = 0;
  let high = 0;
  for (let i = 1; i < points.length / 3; i++) {
    if (isSmaller(points, i, low)) low = i;
    else if (isSmaller(points, high, i)) high = i;
  }
  const vertices = low === high ? [low] : [Math.min(low, high), Math.max(low, high)];
  return { vertices: Uint32Array.from(vertices), triangles: new Uint32Array(0), twins: new Uint32Array(0) };
}

function countUp(points: Float64Array): Uint32Array {
  const ids = new Uint32Array(points.length / 3);
  for (let i = 0; i < ids.length; i++) ids[i] = i;
  return ids;
}
