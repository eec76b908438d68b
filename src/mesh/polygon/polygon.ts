// Polygons with holes in the plane: area, orientation, point location and validity. Orientation and location are exact
// in sign (Shewchuk 1997 adaptive predicates), so near-degenerate input gets the true answer, not a rounded one.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { exactTurn } from '../../core/exact/orientation.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import { findRingCrossing } from './ring-crossing.js';

/**
 * A region of the plane, y up: one outer ring and any number of holes; no two rings touch.
 * No call of this library changes a polygon it is given.
 */
export interface Polygon {
  /**
   * Each ring has x, y per point and at least three points; it is closed without repeating the first point.
   * The first ring is the outside, counter-clockwise; the others are holes, clockwise. The region lies to the left of
   * every edge.
   */
  readonly rings: readonly Float64Array[];
}

/** Where a point lies; `boundary` means exactly on an edge or at a corner. */
export type PolygonLocation = 'inside' | 'boundary' | 'outside';

/**
 * Makes a checked polygon from any arrays of numbers. The rings are copied, and reversed where they run the wrong way.
 * @throws NearfieldError as `assertPolygon` does.
 */
export function createPolygon(rings: readonly ArrayLike<number>[]): Polygon {
  assertList(rings);
  const copies = rings.map((ring) => Float64Array.from(ring));
  assertRings(copies);
  assertNoCrossing(copies);
  const polygon = {
    rings: copies.map((ring, index) => (isCounterClockwise(ring) === (index === 0) ? ring : reverseRing(ring))),
  };
  assertNesting(polygon.rings);
  return polygon;
}

/**
 * Throws for invalid polygons: rings of fewer than three points, coordinates that are not finite, repeated points,
 * rings that cross or touch themselves or one another, rings that run the wrong way, holes outside the outer ring or
 * inside another hole. O(n log n) for drawings, O(n²) when most edges overlap in x.
 */
export function assertPolygon(polygon: Polygon): void {
  assertList(polygon?.rings);
  assertRings(polygon.rings);
  assertNoCrossing(polygon.rings);
  for (let index = 0; index < polygon.rings.length; index++) {
    if (isCounterClockwise(polygon.rings[index]) !== (index === 0)) {
      throw new NearfieldError(
        'not-oriented',
        `Ring ${index} runs ${index === 0 ? 'clockwise' : 'counter-clockwise'}; the outer ring runs counter-clockwise ` +
          'and holes clockwise. createPolygon reverses them.',
      );
    }
  }
  assertNesting(polygon.rings);
}

/** The area of the region: the outer ring's minus the holes'. Units: length squared. */
export function polygonArea(polygon: Polygon): number {
  assertList(polygon?.rings);
  let area = 0;
  for (const ring of polygon.rings) area += ringArea(ring);
  return area;
}

/** Refuses what is not a list of rings. */
function assertList(rings: readonly ArrayLike<number>[]): void {
  if (Array.isArray(rings)) return;
  throw new NearfieldError(
    'bad-argument',
    `The rings of the polygon are ${nameValue(rings)}; give an array of rings, each x, y of its points in turn.`,
  );
}

/** The signed area of a closed ring, positive when it runs counter-clockwise. */
export function ringArea(ring: ArrayLike<number>): number {
  // Measured from the first point, so that a small ring far from the origin loses no digits.
  const x0 = ring[0];
  const y0 = ring[1];
  let twice = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    twice += (ring[i] - x0) * (ring[i + 3] - y0) - (ring[i + 2] - x0) * (ring[i + 1] - y0);
  }
  return twice / 2;
}

/** Whether a simple ring runs counter-clockwise: the exact turn at its lowest, leftmost corner. */
export function isCounterClockwise(ring: ArrayLike<number>): boolean {
  const count = ring.length / 2;
  let lowest = 0;
  for (let i = 1; i < count; i++) {
    const rise = ring[2 * i + 1] - ring[2 * lowest + 1];
    if (rise < 0 || (rise === 0 && ring[2 * i] < ring[2 * lowest])) lowest = i;
  }
  const before = (lowest + count - 1) % count;
  const after = (lowest + 1) % count;
  return (
    exactTurn(
      ring[2 * before],
      ring[2 * before + 1],
      ring[2 * lowest],
      ring[2 * lowest + 1],
      ring[2 * after],
      ring[2 * after + 1],
    ) > 0
  );
}

/** Where the point lies, exactly: the parity of crossings of the ray towards +x, by exact orientation tests. O(n). */
export function locateInPolygon(polygon: Polygon, x: number, y: number): PolygonLocation {
  assertList(polygon?.rings);
  let inside = false;
  for (const ring of polygon.rings) {
    const where = locateInRing(ring, x, y);
    if (where === 'boundary') return 'boundary';
    if (where === 'inside') inside = !inside;
  }
  return inside ? 'inside' : 'outside';
}

function locateInRing(ring: ArrayLike<number>, x: number, y: number): PolygonLocation {
  let inside = false;
  const length = ring.length;
  let ax = ring[length - 2];
  let ay = ring[length - 1];
  for (let i = 0; i < length; i += 2) {
    const bx = ring[i];
    const by = ring[i + 1];
    if (ay > y !== by > y) {
      const turn = exactTurn(ax, ay, bx, by, x, y);
      if (turn === 0) return 'boundary';
      // An upward edge is crossed by the ray when the point lies to its left, a downward one when to its right.
      if (turn > 0 === by > ay) inside = !inside;
    } else if (ay === y && by === y) {
      if (x >= Math.min(ax, bx) && x <= Math.max(ax, bx)) return 'boundary';
    } else if ((bx === x && by === y) || (ax === x && ay === y)) {
      return 'boundary';
    }
    ax = bx;
    ay = by;
  }
  return inside ? 'inside' : 'outside';
}

function reverseRing(ring: Float64Array): Float64Array {
  // The first point stays the first.
  const reversed = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) {
    const from = (ring.length - i) % ring.length;
    reversed[i] = ring[from];
    reversed[i + 1] = ring[from + 1];
  }
  return reversed;
}

function assertRings(rings: readonly Float64Array[]): void {
  if (rings.length === 0) {
    throw new NearfieldError('bad-argument', 'The polygon has no rings; give the outer ring first, then the holes.');
  }
  rings.forEach((ring, index) => {
    if (!(ring instanceof Float64Array)) {
      throw new NearfieldError(
        'bad-argument',
        `Ring ${index} is not a Float64Array of x, y per point; createPolygon converts other arrays.`,
      );
    }
    if (ring.length % 2 !== 0 || ring.length < 6) {
      throw new NearfieldError(
        'bad-argument',
        `Ring ${index} has ${ring.length} numbers; a ring has x, y per point and at least three points.`,
      );
    }
    const count = ring.length / 2;
    for (let i = 0; i < count; i++) {
      const x = ring[2 * i];
      const y = ring[2 * i + 1];
      if (!(Math.abs(x) <= MAX_COORDINATE && Math.abs(y) <= MAX_COORDINATE)) {
        throw new NearfieldError(
          'non-finite',
          `Point ${i} of ring ${index} is (${x}, ${y}); coordinates must be finite and at most ${MAX_COORDINATE}.`,
          { vertex: i },
        );
      }
      const next = (i + 1) % count;
      if (x === ring[2 * next] && y === ring[2 * next + 1]) {
        throw new NearfieldError(
          'degenerate',
          `Points ${i} and ${next} of ring ${index} are the same, (${x}, ${y}); give each point once ` +
            '(a ring closes by itself).',
          { vertex: next },
        );
      }
    }
  });
}

function assertNoCrossing(rings: readonly Float64Array[]): void {
  const crossing = findRingCrossing(rings);
  if (crossing === null) return;
  const { ringA, edgeA, ringB, edgeB } = crossing;
  throw new NearfieldError(
    'self-intersecting',
    `Edge ${edgeA} of ring ${ringA} crosses or touches edge ${edgeB} of ring ${ringB}; ` +
      'move the points apart or cut the outline there.',
    { vertex: edgeA },
  );
}

/** Rings do not cross here, so one point of a hole decides where the whole hole lies. */
function assertNesting(rings: readonly Float64Array[]): void {
  for (let hole = 1; hole < rings.length; hole++) {
    const [x, y] = rings[hole];
    if (locateInRing(rings[0], x, y) !== 'inside') {
      throw new NearfieldError(
        'bad-argument',
        `Ring ${hole} lies outside ring 0; the first ring is the outside and the others are holes in it. ` +
          'Make separate regions separate polygons.',
      );
    }
    for (let other = 1; other < rings.length; other++) {
      if (other !== hole && locateInRing(rings[other], x, y) === 'inside') {
        throw new NearfieldError(
          'bad-argument',
          `Hole ${hole} lies inside hole ${other}; make the island a separate polygon.`,
        );
      }
    }
  }
}
