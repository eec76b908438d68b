// A model prepared for penetration queries: its hierarchy of hulls as convex sets, and the shells
// whose position tells whether one solid is wholly inside another. The model keeps it.
import type { ConvexSet } from '../convex/closest/convex-set.js';
import type { Part } from '../core/derived-parts.js';
import { NearfieldError } from '../core/errors.js';
import { type ProgressOptions, partOfProgress, reportProgress } from '../core/progress.js';
import { VOLUME_ROUNDING } from '../core/tolerances.js';
import { type HullHierarchy, nodeLevels, ORIGINAL } from '../decomposition/hierarchy/hierarchy.js';
import { inspectMesh } from '../mesh/report/report.js';
import { findComponents } from '../mesh/topology/components.js';
import { assertModel } from '../proximity/arguments.js';
import { advanceHulls, CONVEX_SET, hullsOf } from '../proximity/hulls/model-hulls.js';
import { ADJACENCY, POINT_QUERY } from '../proximity/model-parts.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { soundModelOf } from '../proximity/sound-model.js';
import type { Budget } from './budget.js';

/** What penetration queries derive from a model. */
export interface Solid {
  readonly model: ProximityModel;
  readonly hulls: HullHierarchy;
  readonly set: ConvexSet;
  /** The vertices of each connected component of the surface. */
  readonly shells: readonly Uint32Array[];
  /** Whether the solid is its own hull. */
  readonly convex: boolean;
  /** The largest number of steps from the root to a leaf. */
  readonly height: number;
}

/**
 * Rounding: the least radius of a model, in its units. Lengths are raised to the fourth power; below this, no digits
 * are left.
 */
const MIN_RADIUS = 1e-60;

/** The solid of a model. The hulls and their convex set are those of proximity queries. */
const SOLID: Part<ProximityModel, Solid> = { name: 'penetration solid', make: makeSolid };

/**
 * Checks that a model is a solid, and prepares it. Where only the sound model bounds a solid, that one is taken.
 * @throws NearfieldError as `preparePenetration` does.
 */
export function prepareSolid(model: ProximityModel, options?: ProgressOptions): Solid {
  assertModel(model, 'The model');
  return soundModelOf(model).parts.get(SOLID, options);
}

/** Measured where it was tuned: microseconds per triangle of checking a mesh, which cannot be interrupted. */
const CHECK_MICROSECONDS = 12;
/** Chosen: work on hulls, in triangles, before the budget is asked again: about half a millisecond. */
const HULL_WORK = 16;

/**
 * As {@link prepareSolid}, but null if the budget does not allow it. Hulls that are not finished are continued by the next
 * call.
 */
export function prepareSolidWithin(given: ProximityModel, budget: Budget): Solid | null {
  assertModel(given, 'The model');
  if (!budget.limited) return prepareSolid(given, budget.progress);
  const checks = (CHECK_MICROSECONDS * given.mesh.indices.length) / 3000;
  if (given.parts.peek(ADJACENCY) === undefined && budget.left < checks) return null;
  const model = soundModelOf(given);
  const { parts } = model;
  const known = parts.peek(SOLID);
  if (known !== undefined) return known;
  try {
    if (model.closed && model.outward) {
      let work = 0;
      while (!model.hullsReady) {
        if (budget.spent) return null;
        // A step that costs more waits until there is enough for it.
        work = advanceHulls(model, work + HULL_WORK);
        // Given up: it takes more work than is spent unasked.
        if (model.hullState.refused) break;
      }
    }
    return parts.get(SOLID, budget.progress);
  } catch (error) {
    budget.absorb(error);
    return null;
  }
}

function makeSolid(model: ProximityModel, options?: ProgressOptions): Solid {
  if (!(model.radius >= MIN_RADIUS)) {
    throw new NearfieldError(
      'degenerate',
      `The mesh fits into a ball of radius ${model.radius}; below ${MIN_RADIUS} areas and volumes underflow and nothing ` +
        'could be promised. Scale both models up.',
    );
  }
  if (!model.closed) {
    throw new NearfieldError(
      'open-mesh',
      'The mesh is not closed, so that it bounds no solid and has no penetration depth; set the ' +
        'option solidify (--solidify) to measure a solid near it, close its holes (nearfield repair), or measure ' +
        'distances between surfaces instead.',
    );
  }
  if (!model.outward) {
    throw enclosesNothing(model)
      ? new NearfieldError(
          'degenerate',
          'The mesh encloses no volume, so that it bounds no solid and has no penetration depth; give it some ' +
            'thickness, or measure distances between surfaces instead.',
        )
      : new NearfieldError(
          'not-oriented',
          'The faces of the mesh cannot be turned so that all look out of the solid; try nearfield repair (repairMesh) first.',
        );
  }
  const hulls = hullsOf(model, partOfProgress(options, 0, 1));
  reportProgress(options, 1, 'hulls');
  const shells = findShellVertices(model);
  reportProgress(options, 1, 'shells');
  // Every query tests vectors exactly, by boxes, and most test points; without this the first one would wait for them.
  model.boxes.complete({ signal: options?.signal });
  model.parts.get(POINT_QUERY).prepareInsideTests();
  return {
    model,
    hulls,
    set: model.parts.get(CONVEX_SET),
    shells,
    convex: isConvex(hulls, shells.length),
    height: nodeLevels(hulls).reduce((highest, level) => Math.max(highest, level), 0),
  };
}

/** Whether the volume is 0 to rounding, so that flipping the faces would not make the mesh a solid. */
function enclosesNothing({ mesh, radius }: ProximityModel): boolean {
  const { volume, area } = inspectMesh(mesh, { selfIntersections: false });
  return volume !== null && Math.abs(volume) <= VOLUME_ROUNDING * area * 2 * radius;
}

/** A connected surface is convex if all faces of its hull are its own. */
function isConvex({ faceStart, nodeFaces, faceClasses, flatNodes }: HullHierarchy, shells: number): boolean {
  if (shells > 1 || flatNodes[0] === 1) return false;
  for (let face = faceStart[0]; face < faceStart[1]; face++) {
    if (faceClasses[nodeFaces[face]] !== ORIGINAL) return false;
  }
  return true;
}

function findShellVertices(model: ProximityModel): Uint32Array[] {
  const { indices } = model.mesh;
  const { count, componentOfFace } = findComponents(model.mesh, model.adjacency);
  const lists = Array.from({ length: count }, () => new Set<number>());
  for (let corner = 0; corner < indices.length; corner++) {
    const shell = componentOfFace[Math.floor(corner / 3)];
    if (shell >= 0) lists[shell].add(indices[corner]);
  }
  return lists.map((list) => Uint32Array.from(list));
}
