// PIVOT in space: two cylinders that deform, and organs made of NURBS surfaces, every frame from scratch.
import { type Mesh, MeshQuery } from 'nearfield/mesh';
import { findNearNurbs, type PenetratingPoints, SpacePivot, tessellateNurbs } from 'nearfield/pivot';
import { createCylinders } from '../../bench/scenarios/cylinders.js';
import type { Move } from '../controls.js';
import { movePoints, organsMoved, TESSELLATION_SHARE } from './moved-organs.js';
import { RecentTimes } from './recent-times.js';

export interface CylinderQuestion {
  readonly triangles: number;
  /** In seconds. */
  readonly time: number;
  /** How far the second cylinder is pushed into the first, in meters. */
  readonly push: number;
  readonly hand: readonly Move[];
  /** The unit of moves by hand, in meters. */
  readonly size: number;
  /** In meters. */
  readonly error: number;
  /** Whether to find what the solids have in common. */
  readonly common: boolean;
  /** Whether to compare depths with exact ones. */
  readonly check: boolean;
}

export interface OrganQuestion {
  readonly time: number;
  readonly hand: readonly Move[];
  /** The unit of moves by hand, in meters. */
  readonly size: number;
  /** In meters. */
  readonly error: number;
  readonly threshold: number;
}

/** Two organs that are near each other. */
export interface NearOrgans {
  readonly a: number;
  readonly b: number;
  readonly contacts: number;
  /** The least signed distance of a contact; null without one. */
  readonly least: number | null;
}

/** The most samples whose depth is compared with the exact one. */
const COMPARED = 400;

let cylinders: { triangles: number; at: (time: number) => [Mesh, Mesh] } | null = null;
/** Kept from frame to frame for its memory. */
let asker = { error: 0, pivot: new SpacePivot() };
const cylinderTimes = new RecentTimes();
const organTimes = new RecentTimes();

function pivotFor(error: number): SpacePivot {
  if (asker.error !== error) asker = { error, pivot: new SpacePivot({ error }) };
  return asker.pivot;
}

export const pivotSpaceTasks = {
  /** The penetrating points of the cylinders at a time. */
  askCylinders({ triangles, time, push, hand, size, error, common, check }: CylinderQuestion) {
    if (cylinders?.triangles !== triangles) cylinders = { triangles, at: createCylinders('contact', triangles) };
    const meshes = cylinders.at(time).map(({ positions, indices }, body): Mesh => {
      const moved = movePoints(positions, hand[body], size);
      if (body === 1) for (let n = 0; n < moved.length; n += 3) moved[n] -= push;
      return { positions: moved, indices };
    });
    const [a, b] = meshes;
    const pivot = pivotFor(error);
    const start = performance.now();
    const found = pivot.penetrationSync(a, b);
    const milliseconds = performance.now() - start;
    const { median, count } = cylinderTimes.add(`${triangles} ${error}`, milliseconds);
    const { volume, boundary } = common ? pivot.intersectionSync(a, b) : { volume: null, boundary: null };
    const depthError = check ? Math.max(depthErrorOf(found.a, a, b), depthErrorOf(found.b, b, a)) : null;
    return { meshes, found, volume, boundary, depthError, milliseconds, median, framesTimed: count };
  },

  /** The contacts of all near pairs of organs at a time. */
  askOrgans({ time, hand, size, error, threshold }: OrganQuestion) {
    const organs = organsMoved({ time, hand, size });
    const surfaces = organs.map(({ surface }) => surface);
    const start = performance.now();
    const near = findNearNurbs(surfaces, threshold);
    const swept = performance.now();
    const meshes = surfaces.map((surface) => tessellateNurbs(surface, { error: TESSELLATION_SHARE * error }));
    const tessellated = performance.now();
    const pivot = pivotFor((1 - TESSELLATION_SHARE) * error);
    const pairs: NearOrgans[] = [];
    const points: number[] = [];
    const normals: number[] = [];
    const distances: number[] = [];
    for (let n = 0; n < near.pairs.length; n += 2) {
      const [a, b] = near.pairs.subarray(n, n + 2);
      const found = pivot.contactsSync(meshes[a], meshes[b], threshold);
      const least = found.count > 0 ? found.distances.reduce((x, y) => Math.min(x, y)) : null;
      pairs.push({ a, b, contacts: found.count, least });
      for (const value of found.points) points.push(value);
      for (const value of found.normals) normals.push(value);
      for (const value of found.distances) distances.push(value);
    }
    const milliseconds = performance.now() - start;
    const { median, count } = organTimes.add(`${error} ${threshold}`, milliseconds);
    return {
      names: organs.map(({ name }) => name),
      meshes,
      pairs,
      points: Float64Array.from(points),
      normals: Float64Array.from(normals),
      distances: Float64Array.from(distances),
      patches: near.patches,
      sweepMilliseconds: swept - start,
      tessellationMilliseconds: tessellated - swept,
      milliseconds,
      median,
      framesTimed: count,
    };
  },
};

/** The largest difference between the depths of some samples and those of the surface that they stand for. */
function depthErrorOf({ count, points, depths }: PenetratingPoints, own: Mesh, other: Mesh): number {
  if (count === 0) return 0;
  const surface = new MeshQuery(own);
  const solid = new MeshQuery(other);
  const step = Math.ceil(count / COMPARED);
  let most = 0;
  for (let k = 0; k < count; k += step) {
    const foot = surface.closestPoint([points[3 * k], points[3 * k + 1], points[3 * k + 2]]);
    if (foot !== null) most = Math.max(most, Math.abs(depths[k] + solid.signedDistance(foot.point)));
  }
  return most;
}
