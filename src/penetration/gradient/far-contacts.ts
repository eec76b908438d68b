// The contacts of A, moved by a separating vector, with B, and the weight of each. The vector is shortest among those
// that keep all contacts apart, so its direction is a sum of their normals with positive weights; if the weights are
// unique, they tell how its length changes when a contact moves.
import { MinkowskiSums } from '../../convex/minkowski/minkowski-sums.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { ContactSearch } from '../../proximity/contact/contact-search.js';
import { createContactFinder } from '../../proximity/contact/model-contacts.js';
import type { PenetrationQuery } from '../penetration-query.js';
import { BoundaryWalk } from '../union/boundary-walk.js';
import { LeafSums } from '../union/leaf-sums.js';
import { NodeBoxes } from '../union/node-boxes.js';

/**
 * Rounding: A is moved this share of the sizes further out, so that double precision resolves the distances at contacts
 * well.
 */
const LIFT = 1e-7;
/** Chosen: contacts up to this many times the lift apart support the vector. */
const WITHIN = 1.25;
/**
 * Rounding: normals must add up to the direction within this; their weights and their independence must be above it.
 */
const WEIGHT_TOLERANCE = 1e-6;

/** A contact that supports the vector. In A's frame. */
export interface FarContact {
  /** The point of A, before it is moved. */
  readonly point: Vec3;
  /** Unit, from B to A. */
  readonly normal: Vec3;
  /** The change of the vector's length per length that the contact moves against its normal. */
  readonly weight: number;
}

/** The contacts at the far end of a vector of A's frame; null if they are not points or their weights not unique. */
export function findFarContacts(query: PenetrationQuery, vector: Vec3): FarContact[] | null {
  const { a, b, placement, separation } = query;
  const direction = vec3.normalize(vector);
  const lift = LIFT * separation.size;
  const out = findWayOut(query, vector);
  const moved = placement.slice();
  for (let k = 0; k < 3; k++) moved[4 * k + 3] -= vector[k] + lift * out[k];
  const tolerance = WITHIN * lift;
  const finder = createContactFinder(a.model, b.model);
  finder.begin(moved, tolerance);
  if (!new ContactSearch(a.model.boxes, b.model.boxes).findContacts(moved, tolerance, finder)) return null;
  const found = finder.finish();
  if (found.length === 0 || found.length > 3 || found.some(({ dimension }) => dimension > 0)) return null;
  const normals = found.map(({ normal }) => vec3.scale(normal, -1));
  const weights = weighNormals(normals, direction);
  if (weights === null) return null;
  return found.map(({ pointA }, i) => ({ point: pointA, normal: normals[i], weight: weights[i] }));
}

/** A unit direction away from all contacts; the vector's own direction may lead back into one of several. */
function findWayOut({ a, b, placement, separation }: PenetrationQuery, [x, y, z]: Vec3): Float64Array {
  const sums = new MinkowskiSums({ classesA: a.hulls.faceClasses, classesB: b.hulls.faceClasses });
  const leaves = new LeafSums(a, b, placement, sums, new NodeBoxes(a, b, placement));
  const walk = new BoundaryWalk();
  const start = { point: [x, y, z], facet: -1, free: Float64Array.of(2 * x, 2 * y, 2 * z) };
  walk.run(sums, leaves, start, separation.size);
  return walk.out;
}

/** The positive weights with which one to three normals add up to a direction; null if none or several exist. */
function weighNormals(normals: readonly Vec3[], direction: Vec3): number[] | null {
  const [p, q, r] = normals;
  let weights: number[];
  if (q === undefined) {
    weights = [vec3.dot(p, direction)];
  } else {
    // Two normals and their cross product span space as three normals do.
    const across = vec3.cross(p, q);
    const third = r ?? vec3.normalize(across);
    const determinant = vec3.dot(across, third);
    if (!(Math.abs(determinant) > WEIGHT_TOLERANCE)) return null;
    weights = [vec3.cross(q, third), vec3.cross(third, p), across].map((c) => vec3.dot(c, direction) / determinant);
    weights.length = normals.length;
  }
  const sum = normals.reduce((total, normal, i) => vec3.addScaled(total, normal, weights[i]), [0, 0, 0] as Vec3);
  if (vec3.distance(sum, direction) > WEIGHT_TOLERANCE) return null;
  return weights.every((weight) => weight > WEIGHT_TOLERANCE) ? weights : null;
}
