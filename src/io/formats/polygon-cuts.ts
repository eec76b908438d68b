// Polygons of model files as triangles. Each is read as a fan from its first vertex; where that fan folds over, as in a U,
// the polygon is triangulated anew in the plane it fits best (Newell's normal). The count of triangles is the same, so
// that faces keep their numbers. O(corners) where the fan is right.
import { NearfieldError } from '../../core/errors.js';
import { triangulatePolygon } from '../../mesh/polygon/triangulate-polygon.js';

/** Rounding: a triangle of a fan may run backward by this share of the squared extent; files have six digits or so. */
const FOLD_TOLERANCE = 1e-6;

/** The polygons of a file with more than three corners. */
export class PolygonCuts {
  /** First triangle and number of triangles, for each polygon. */
  readonly #fans: number[] = [];

  /** Notes a polygon that was added as a fan of `triangles` triangles from `firstTriangle` on. */
  add(firstTriangle: number, triangles: number): void {
    if (triangles > 1) this.#fans.push(firstTriangle, triangles);
  }

  /** Triangulates the polygons whose fans fold over; returns what could not be, in words. */
  finish(positions: Float64Array, indices: Uint32Array): string[] {
    let failed = 0;
    let example = 0;
    for (let i = 0; i < this.#fans.length; i += 2) {
      const first = this.#fans[i];
      const fan = indices.subarray(3 * first, 3 * (first + this.#fans[i + 1]));
      if (cutFan(positions, fan)) continue;
      if (failed++ === 0) example = first;
    }
    if (failed === 0) return [];
    return [
      `${failed} polygons cross or touch themselves and are split into fans as they are, the one at face ${example} ` +
        'among them; check them there.',
    ];
  }
}

/** Triangulates the polygon of a fan anew if the fan folds over; returns false if the polygon is not simple. */
function cutFan(positions: Float64Array, fan: Uint32Array): boolean {
  const corners = new Uint32Array(fan.length / 3 + 2);
  corners[0] = fan[0];
  for (let k = 1; k + 1 < corners.length; k++) corners[k] = fan[3 * (k - 1) + 1];
  corners[corners.length - 1] = fan[fan.length - 1];

  const outline = project(positions, corners);
  if (!foldsOver(outline)) return true;
  // Corners at the place of the one before stay out of the outline; a face without area keeps their edges.
  const kept: number[] = [];
  const faces: number[] = [];
  for (let k = 0; k < corners.length; k++) {
    const before = kept.length > 0 ? kept[kept.length - 1] : -1;
    if (before >= 0 && isSamePlace(outline, before, k))
      faces.push(corners[before], corners[k], corners[(k + 1) % corners.length]);
    else kept.push(k);
  }
  while (kept.length > 3 && isSamePlace(outline, kept[0], kept[kept.length - 1])) {
    const last = kept.pop()!;
    faces.push(corners[kept[kept.length - 1]], corners[last], corners[kept[0]]);
  }
  const isReversed = signedArea(outline) < 0;
  if (isReversed) kept.reverse();
  try {
    const ring = Float64Array.from(kept.flatMap((k) => [outline[2 * k], outline[2 * k + 1]]));
    const { triangles } = triangulatePolygon({ rings: [ring] });
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [kept[triangles[t]], kept[triangles[t + 1]], kept[triangles[t + 2]]];
      faces.push(corners[a], corners[isReversed ? c : b], corners[isReversed ? b : c]);
    }
  } catch (error) {
    if (error instanceof NearfieldError) return false;
    throw error;
  }
  if (faces.length !== fan.length) return false;
  fan.set(faces);
  return true;
}

/** The corners in the coordinate plane that the polygon faces most, x, y each: exact, and simple if the polygon is. */
function project(positions: Float64Array, corners: Uint32Array): Float64Array {
  const normal = [0, 0, 0];
  const o = 3 * corners[0];
  for (let k = 0; k < corners.length; k++) {
    const a = 3 * corners[k];
    const b = 3 * corners[(k + 1) % corners.length];
    for (let axis = 0; axis < 3; axis++) {
      const u = (axis + 1) % 3;
      const v = (axis + 2) % 3;
      // Measured from the first corner, so that a polygon far from the origin loses no digits.
      normal[axis] +=
        (positions[a + u] - positions[o + u]) * (positions[b + v] - positions[o + v]) -
        (positions[a + v] - positions[o + v]) * (positions[b + u] - positions[o + u]);
    }
  }
  const sizes = normal.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  const outline = new Float64Array(2 * corners.length);
  for (let k = 0; k < corners.length; k++) {
    outline[2 * k] = positions[3 * corners[k] + ((axis + 1) % 3)];
    outline[2 * k + 1] = positions[3 * corners[k] + ((axis + 2) % 3)];
  }
  return outline;
}

/** Twice the signed area. */
function signedArea(p: Float64Array): number {
  let area = 0;
  for (let i = 2; i + 3 < p.length; i += 2) area += turn(p, i);
  return area;
}

/** Twice the signed area of the triangle of the first corner, the one at `p[i]` and the next. */
function turn(p: Float64Array, i: number): number {
  return (p[i] - p[0]) * (p[i + 3] - p[1]) - (p[i + 1] - p[1]) * (p[i + 2] - p[0]);
}

/** Whether triangles of the fan run against the polygon, and so cover each other. */
function foldsOver(p: Float64Array): boolean {
  const sign = Math.sign(signedArea(p));
  let extent = 0;
  for (let i = 0; i < p.length; i++) extent = Math.max(extent, Math.abs(p[i] - p[i % 2]));
  for (let i = 2; i + 3 < p.length; i += 2) if (sign * turn(p, i) < -FOLD_TOLERANCE * extent * extent) return true;
  return false;
}

function isSamePlace(p: Float64Array, a: number, b: number): boolean {
  return p[2 * a] === p[2 * b] && p[2 * a + 1] === p[2 * b + 1];
}
