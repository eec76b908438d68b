// What holds a separating vector in place: the contacts of A, moved by it, with B, and how much each of them carries. The
// vector is shortest among those that keep all contacts apart, so its direction is a sum of their normals with positive
// weights; where these are unique, they tell how its length changes when a contact is moved.
import { MinkowskiSums } from '../../convex/minkowski/minkowski-sums.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { BoxSearch } from '../../proximity/boxes/box-search.js';
import { ContactFinder } from '../../proximity/contact/contact-finder.js';
import type { PenetrationQuery } from '../penetration-query.js';
import { BoundaryWalk } from '../union/boundary-walk.js';
import { LeafSums } from '../union/leaf-sums.js';
import { NodeBoxes } from '../union/node-boxes.js';

/** A is taken this share of the sizes further out, so that contacts are as far apart as double precision tells well. */
const LIFT = 1e-7;
/** Contacts up to this many times the lift apart hold the vector. */
const WITHIN = 1.25;
/** Normals are to add up to the direction within this, with weights and independence above it. */
const WEIGHT_TOLERANCE = 1e-6;

/** A contact that holds the vector. In A's frame. */
export interface FarContact {
  /** The point of A, as it is before it is moved. */
  readonly point: Vec3;
  /** Unit, from B to A. */
  readonly normal: Vec3;
  /** The change of the vector's length for each length that the contact is moved against its normal. */
  readonly weight: number;
}

/** The contacts at the far end of a vector of A's frame; null where they are not points, or their weights not unique. */
export function findFarContacts(query: PenetrationQuery, vector: Vec3): FarContact[] | null {
  const { a, b, placement, separation } = query;
  const direction = vec3.normalize(vector);
  const lift = LIFT * separation.size;
  const out = findWayOut(query, vector);
  const moved = placement.slice();
  for (let k = 0; k < 3; k++) moved[4 * k + 3] -= vector[k] + lift * out[k];
  const tolerance = WITHIN * lift;
  const finder = new ContactFinder(a.model.contactSurface, b.model.contactSurface);
  finder.begin(moved, tolerance);
  if (!new BoxSearch(a.model.boxes, b.model.boxes).offerWithin(moved, Infinity, tolerance, finder)) return null;
  const found = finder.finish();
  if (found.length === 0 || found.length > 3 || found.some(({ dimension }) => dimension > 0)) return null;
  const normals = found.map(({ normal }) => vec3.scale(normal, -1));
  const weights = weighNormals(normals, direction);
  if (weights === null) return null;
  return found.map(({ pointA }, i) => ({ point: pointA, normal: normals[i], weight: weights[i] }));
}

/** A unit direction away from all that holds the vector; its own direction may lead back into one of several contacts. */
function findWayOut({ a, b, placement, separation }: PenetrationQuery, [x, y, z]: Vec3): Float64Array {
  const sums = new MinkowskiSums({ classesA: a.hulls.faceClasses, classesB: b.hulls.faceClasses });
  const leaves = new LeafSums(a, b, placement, sums, new NodeBoxes(a, b, placement));
  const walk = new BoundaryWalk();
  walk.run(sums, leaves, x, y, z, -1, Float64Array.of(2 * x, 2 * y, 2 * z), separation.size, Infinity);
  return walk.out;
}

/** The positive weights with which one to three normals add up to a direction; null if there are none, or several. */
function weighNormals(normals: readonly Vec3[], direction: Vec3): number[] | null {
  const [p, q, r] = normals;
  let weights: number[];
  if (q === undefined) {
    weights = [vec3.dot(p, direction)];
  } else {
    // Two normals and what is at right angles to both span space as three do.
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
