// What the verbs on two models share: the options of a pair, and loading its models ready for queries.
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
  '  --volume V           bounding volumes: boxes, hulls, or auto; affects the speed, not the answers';

export const DISTANCE_OPTIONS: Verb['options'] = {
  cutoff: { type: 'string' },
  'relative-error': { type: 'string' },
  'absolute-error': { type: 'string' },
};
export const DISTANCE_HELP = `  --cutoff C           stop searching beyond C: a larger distance is given as null
  --relative-error E   allow a distance that is too large by at most E times the true distance
  --absolute-error E   allow a distance that is too large by at most E; the larger of the two errors applies`;

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

/** Two models ready for queries, and the milliseconds of their preparation, without reading the files. */
export interface LoadedModels {
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  readonly preprocessMs: number;
}

/** Prepares a model; its errors name the model's file. */
export type PrepareModel = (model: ProximityModel, progress: ProgressOptions) => void;

export async function loadModels(
  pathA: string,
  pathB: string,
  prepare: PrepareModel,
  progress: ProgressOptions,
): Promise<LoadedModels> {
  const meshA = await loadMesh(pathA, partOfProgress(progress, 0, 0.25));
  const meshB = await loadMesh(pathB, partOfProgress(progress, 0.25, 0.5));
  const prepareMesh = (path: string, mesh: Mesh, from: number): ProximityModel =>
    nameFile(path, () => {
      const model = new ProximityModel(mesh);
      prepare(model, partOfProgress(progress, from, from + 0.25));
      return model;
    });
  const start = performance.now();
  const a = prepareMesh(pathA, meshA, 0.5);
  const b = prepareMesh(pathB, meshB, 0.75);
  return { a, b, preprocessMs: performance.now() - start };
}

/** A pair ready for queries, and the milliseconds of its preparation, without reading the files. */
export interface LoadedPair {
  readonly pair: Pair;
  readonly preprocessMs: number;
}

export async function loadPair(
  pathA: string,
  pathB: string,
  options: PairOptions & { readonly volume: VolumeChoice; readonly prepare?: PrepareModel | undefined },
  progress: ProgressOptions,
): Promise<LoadedPair> {
  const { prepare: prepareMore, ...pairOptions } = options;
  const prepare: PrepareModel = (model, part) => {
    prepareMore?.(model, part);
    model.prepare(options.volume, part);
    // The first inside test builds the structure that later ones reuse.
    model.isInside(model.center);
  };
  const { a, b, preprocessMs } = await loadModels(pathA, pathB, prepare, progress);
  const start = performance.now();
  const pair = new Pair(a, b, pairOptions);
  return { pair, preprocessMs: preprocessMs + performance.now() - start };
}
