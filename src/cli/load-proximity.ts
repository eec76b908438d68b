// What the verbs about two models share: the options that choose how a pair works, and its models ready for queries.
import { type ProgressOptions, partOfProgress } from '../core/progress.js';
import type { Mesh } from '../mesh/mesh.js';
import { type DistanceOptions, type PairOptions, VOLUMES, type VolumeChoice } from '../proximity/options.js';
import { Pair } from '../proximity/pair.js';
import { ProximityModel } from '../proximity/proximity-model.js';
import { takeChoice, takeLength } from './arguments.js';
import { loadMesh, nameFile } from './load-model.js';
import type { Verb, VerbInput } from './verb.js';

export const VOLUME_OPTION: Verb['options'] = { volume: { type: 'string' } };
export const VOLUME_HELP =
  '  --volume V           what bounds the parts of a model: boxes, hulls, or auto; the answers are the same';

export const DISTANCE_OPTIONS: Verb['options'] = {
  cutoff: { type: 'string' },
  'relative-error': { type: 'string' },
  'absolute-error': { type: 'string' },
};
export const DISTANCE_HELP = `  --cutoff C           a distance beyond C is null
  --relative-error E   the distance may be too large by this share of the true one
  --absolute-error E   the distance may be too large by this much; the larger of the two counts`;

export function takeVolume(input: VerbInput, usual: VolumeChoice): VolumeChoice {
  return takeChoice(input, 'volume', [usual, ...VOLUMES.filter((volume) => volume !== usual)]);
}

export function takeDistanceOptions(input: VerbInput): DistanceOptions {
  return {
    cutoff: takeLength(input, 'cutoff') ?? undefined,
    relativeError: takeLength(input, 'relative-error') ?? undefined,
    absoluteError: takeLength(input, 'absolute-error') ?? undefined,
  };
}

/** A pair ready for queries, and the milliseconds that preparing it took, reading files not counted. */
export interface LoadedPair {
  readonly pair: Pair;
  readonly preprocessMs: number;
}

export async function loadPair(
  pathA: string,
  pathB: string,
  options: PairOptions & { readonly volume: VolumeChoice },
  progress: ProgressOptions,
): Promise<LoadedPair> {
  const meshA = await loadMesh(pathA, partOfProgress(progress, 0, 0.25));
  const meshB = await loadMesh(pathB, partOfProgress(progress, 0.25, 0.5));
  const prepare = (path: string, mesh: Mesh, from: number): ProximityModel =>
    nameFile(path, () => {
      const model = new ProximityModel(mesh).prepare(options.volume, partOfProgress(progress, from, from + 0.25));
      // The first inside test builds what all of them need.
      model.isInside(model.center);
      return model;
    });
  const start = performance.now();
  const pair = new Pair(prepare(pathA, meshA, 0.5), prepare(pathB, meshB, 0.75), options);
  return { pair, preprocessMs: performance.now() - start };
}
