// The model of the solid that a mesh is meant to be, kept with the model of the mesh.
import type { Part } from '../core/derived-parts.js';
import { findSoundSurface } from '../mesh/soundness/sound-surface.js';
import { ADJACENCY } from './model-parts.js';
import { ProximityModel } from './proximity-model.js';

/** A model that was mended, and what was done to it; null for one that needs none, or that cannot be mended. */
interface Mended {
  readonly model: ProximityModel | null;
  readonly done: readonly string[];
}

const MENDED: Part<ProximityModel, Mended> = {
  name: 'sound model',
  make: ({ mesh, closed, outward, parts }) => {
    if (closed && outward) return { model: null, done: [] };
    const surface = findSoundSurface(mesh, parts.get(ADJACENCY));
    return { model: surface.mended ? new ProximityModel(surface.mesh) : null, done: surface.done };
  },
  bytes: ({ model }) =>
    model === null ? 0 : model.parts.bytes + model.mesh.positions.byteLength + model.mesh.indices.byteLength,
};

/**
 * The model itself where it bounds a solid with a volume, or cannot be mended; otherwise a model of the same surface made
 * sound, whose faces and vertices are its own.
 */
export function soundModelOf(model: ProximityModel): ProximityModel {
  return model.parts.get(MENDED).model ?? model;
}

/** What was done to make the model sound, a sentence for each change. */
export function mendingOf(model: ProximityModel): readonly string[] {
  return model.parts.get(MENDED).done;
}
