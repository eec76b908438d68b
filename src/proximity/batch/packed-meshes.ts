// Problems that are plain data with meshes in them, on their way to a worker: the meshes travel apart, as models, so that each goes
// once.
import type { Mesh } from '../../mesh/mesh.js';
import { ProximityModel } from '../proximity-model.js';

/** Replaces each mesh of plain data by its place in the list of models. */
export function packMeshes(problem: unknown): { readonly models: readonly ProximityModel[]; readonly input: unknown } {
  const places = new Map<Mesh, number>();
  const models: ProximityModel[] = [];
  const input = mapObjects(problem, (value) => {
    if (!isMesh(value)) return undefined;
    let meshAt = places.get(value);
    if (meshAt === undefined) {
      meshAt = models.push(new ProximityModel(value)) - 1;
      places.set(value, meshAt);
    }
    return { meshAt };
  });
  return { models, input };
}

/** The problem again, in the worker. */
export function unpackMeshes(models: readonly ProximityModel[], input: unknown): unknown {
  return mapObjects(input, (value) => {
    const place = (value as { meshAt?: unknown }).meshAt;
    return typeof place === 'number' ? models[place].mesh : undefined;
  });
}

function isMesh(value: object): value is Mesh {
  return 'positions' in value && 'indices' in value;
}

/** A copy of plain data in which objects are replaced by what `replace` gives for them, if anything. */
function mapObjects(value: unknown, replace: (value: object) => unknown): unknown {
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map((entry) => mapObjects(entry, replace));
  const replaced = replace(value);
  if (replaced !== undefined) return replaced;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapObjects(entry, replace)]));
}
