// A solid that stands for a model in penetration queries: the model itself if it bounds a solid, else a solid near it whose
// distance from the model is bounded.
import type { Part } from '../core/derived-parts.js';
import { NearfieldError } from '../core/errors.js';
import type { ProgressOptions } from '../core/progress.js';
import { shrinkSolid } from '../field/solid/shrink-solid.js';
import { type SolidifiedMesh, type SolidifyOptions, solidify } from '../field/solid/solidify.js';
import { ProximityModel } from '../proximity/proximity-model.js';
import type { Budget } from './budget.js';
import { prepareSolidWithin } from './solid.js';

/** A model that stands for another one in penetration queries. */
export interface StandIn {
  /** The solid; the model itself if it is one. */
  readonly model: ProximityModel;
  /** A bound on how far its surface and the model are from each other; 0 for the model itself. */
  readonly error: number;
  /** What `solidify` returned; `null` for the model itself. */
  readonly solid: SolidifiedMesh | null;
  /** A solid inside all solids within the error, or `null` if no solid is. It is made when first asked for. */
  inner(progress: ProgressOptions): ProximityModel | null;
}

/** The stand-in made last, and the options it was made with. */
const STAND_IN: Part<ProximityModel, { key: string; value: StandIn | null }> = {
  name: 'solidified model',
  make: () => ({ key: '', value: null }),
  bytes: ({ value }) => (value === null || value.solid === null ? 0 : value.model.mesh.positions.byteLength),
};

/** Codes of errors that a solid near the model heals; other errors are passed on. */
const HEALED = new Set(['open-mesh', 'not-oriented', 'non-manifold', 'self-intersecting', 'degenerate']);

/**
 * The model itself if it bounds a solid, else a solid near it; kept with the model. `null` if the budget does not allow
 * it: an unfinished solid is lost, hulls of a model that is one are continued by the next call.
 */
export function standInFor(model: ProximityModel, options: SolidifyOptions, budget: Budget): StandIn | null {
  const { resolution, maxError, thickness, rule, features, maxCells } = options;
  const key = JSON.stringify([resolution, maxError, thickness, rule, features, maxCells]);
  const kept = model.parts.get(STAND_IN);
  if (kept.value !== null && kept.key === key) return kept.value;
  const made = makeStandIn(model, options, budget);
  if (made !== null) {
    kept.value = made;
    kept.key = key;
  }
  return made;
}

function makeStandIn(model: ProximityModel, options: SolidifyOptions, budget: Budget): StandIn | null {
  try {
    if (prepareSolidWithin(model, budget) === null) return null;
    return { model, error: 0, solid: null, inner: () => model };
  } catch (error) {
    if (!(error instanceof NearfieldError) || !HEALED.has(error.code)) throw error;
  }
  const solid = solidifyWithin(model, options, budget);
  if (solid === null) return null;
  const error = Math.max(solid.distance.toInput, solid.outside);
  // The query prepares it, within what is left of the budget; then it can go on where it stopped.
  const healed = new ProximityModel(solid.mesh);
  let inner: ProximityModel | null | undefined;
  return {
    model: healed,
    error,
    solid,
    inner(progress) {
      if (inner === undefined) {
        const mesh = shrinkSolid(solid.mesh, error, solid.spacing, progress);
        inner = mesh && new ProximityModel(mesh);
      }
      return inner;
    },
  };
}

function solidifyWithin(model: ProximityModel, options: SolidifyOptions, budget: Budget): SolidifiedMesh | null {
  try {
    return solidify(model.mesh, { ...options, ...budget.progress });
  } catch (error) {
    budget.absorb(error);
    return null;
  }
}
