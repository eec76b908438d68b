// What the verbs on two models share: the options of a pair, and loading its models ready for queries.
import { type ProgressOptions, partOfProgress } from '../core/progress.js';
import type { HullHierarchy } from '../decomposition/hierarchy/hierarchy.js';
import { readHierarchy } from '../decomposition/hierarchy/hierarchy-file.js';
import type { Mesh } from '../mesh/mesh.js';
import { prepareModel } from '../proximity/hulls/model-hulls.js';
import { type DistanceOptions, type PairOptions, VOLUMES, type VolumeChoice } from '../proximity/options.js';
import { Pair } from '../proximity/pair.js';
import { ProximityModel } from '../proximity/proximity-model.js';
import { takeChoice, takeLength, takeString } from './arguments.js';
import { loadMesh, nameFile, readBytes } from './load-model.js';
import type { Verb, VerbInput } from './verb.js';

export const VOLUME_OPTION: Verb['options'] = {
  volume: { type: 'string' },
  'hulls-a': { type: 'string' },
  'hulls-b': { type: 'string' },
};
export const VOLUME_HELP = `  --volume V           bounding volumes: boxes, hulls, or auto; affects the speed, not the answers
  --hulls-a FILE, --hulls-b FILE   the hulls of A and of B, as decompose --hierarchy wrote them for the same files;
                       they are then not made again`;

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

/** Chosen: fewer queries than this do not pay for making hulls ahead; the pair makes them when they do. */
const QUERIES_WORTH_HULLS = 64;

/** Two models ready for queries, and the milliseconds of their preparation, without reading the files. */
export interface LoadedModels {
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  readonly preprocessMs: number;
}

/** The files of hulls made before, where the caller named any. */
export interface HullFiles {
  readonly a: string | null;
  readonly b: string | null;
}

export function takeHullFiles(input: VerbInput): HullFiles {
  return { a: takeString(input, 'hulls-a'), b: takeString(input, 'hulls-b') };
}

/** Prepares a model; its errors name the model's file. */
export type PrepareModel = (model: ProximityModel, progress: ProgressOptions) => void;

export async function loadModels(
  pathA: string,
  pathB: string,
  prepare: PrepareModel,
  progress: ProgressOptions,
  hullFiles: HullFiles = { a: null, b: null },
): Promise<LoadedModels> {
  const meshA = await loadMesh(pathA, partOfProgress(progress, 0, 0.25));
  const meshB = await loadMesh(pathB, partOfProgress(progress, 0.25, 0.5));
  const hullsA = await loadHulls(hullFiles.a);
  const hullsB = await loadHulls(hullFiles.b);
  const prepareMesh = (path: string, mesh: Mesh, hierarchy: HullHierarchy | undefined, from: number): ProximityModel =>
    nameFile(path, () => {
      const model = new ProximityModel(mesh, { hierarchy });
      prepare(model, partOfProgress(progress, from, from + 0.25));
      return model;
    });
  const start = performance.now();
  const a = prepareMesh(pathA, meshA, hullsA, 0.5);
  const b = prepareMesh(pathB, meshB, hullsB, 0.75);
  return { a, b, preprocessMs: performance.now() - start };
}

async function loadHulls(path: string | null): Promise<HullHierarchy | undefined> {
  if (path === null) return undefined;
  const bytes = await readBytes(path);
  return nameFile(path, () => readHierarchy(bytes));
}

/** How the models of a pair are made ready. */
export interface LoadPairOptions extends PairOptions {
  readonly volume: VolumeChoice;
  readonly hulls: HullFiles;
  /** How many queries will follow. For one, nothing is made ahead; for few, no hulls unless they are asked for. */
  readonly queries: number;
  readonly prepare?: PrepareModel | undefined;
}

/** A pair ready for queries, and the milliseconds of its preparation, without reading the files. */
export interface LoadedPair {
  readonly pair: Pair;
  readonly preprocessMs: number;
}

export async function loadPair(
  pathA: string,
  pathB: string,
  options: LoadPairOptions,
  progress: ProgressOptions,
): Promise<LoadedPair> {
  const { prepare: prepareMore, hulls, queries, ...pairOptions } = options;
  const { volume } = options;
  const prepare: PrepareModel = (model, part) => {
    prepareMore?.(model, part);
    const isFew = queries < QUERIES_WORTH_HULLS;
    const prepared = isFew && volume === 'auto' ? 'boxes' : volume;
    if (queries > 1 || prepared === 'hulls') prepareModel(model, prepared, part);
    // The first inside test builds the structure that later ones reuse.
    if (!isFew) model.isInside(model.center);
  };
  const { a, b, preprocessMs } = await loadModels(pathA, pathB, prepare, progress, hulls);
  const start = performance.now();
  const pair = new Pair(a, b, pairOptions);
  return { pair, preprocessMs: preprocessMs + performance.now() - start };
}
