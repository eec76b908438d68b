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

/** Two models ready for queries, and the milliseconds that preparing them took, reading files not counted. */
export interface LoadedModels {
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  readonly preprocessMs: number;
}

/** What makes a model ready; a refusal names the model's file. */
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

/** A pair ready for queries, and the milliseconds that preparing it took, reading files not counted. */
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
    // The first inside test builds what all of them need.
    model.isInside(model.center);
  };
  const { a, b, preprocessMs } = await loadModels(pathA, pathB, prepare, progress);
  const start = performance.now();
  const pair = new Pair(a, b, pairOptions);
  return { pair, preprocessMs: preprocessMs + performance.now() - start };
}
