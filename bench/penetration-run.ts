// Penetration queries under the clock: contestants take turns, round by round, after a warm-up; the median round counts.
import type { GpuDevice } from 'nearfield/gpu';
import {
  measurePenetration,
  type PenetrationOptions,
  type PenetrationResult,
  preparePenetration,
} from 'nearfield/penetration';
import { ProximityModel } from 'nearfield/proximity';
import type { PenetrationPair } from './scenarios/penetration.js';

/** A pair of models, ready to be asked about. */
export interface PreparedPair {
  readonly pair: PenetrationPair;
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  readonly pieces: readonly [a: number, b: number];
  /** Checking the models, decomposing them and building the hierarchies of hulls. */
  readonly prepareMilliseconds: number;
}

export function preparePair(pair: PenetrationPair): PreparedPair {
  const { meshA, meshB } = pair;
  const start = performance.now();
  const a = new ProximityModel(meshA);
  const b = meshB === meshA ? a : new ProximityModel(meshB);
  for (const model of new Set([a, b])) preparePenetration(model);
  const prepareMilliseconds = performance.now() - start;
  const countPieces = (model: ProximityModel): number => (model.hulls.nodePieces.length + 1) / 2;
  return { pair, a, b, pieces: [countPieces(a), countPieces(b)], prepareMilliseconds };
}

/** @throws where the GPU was asked and another answered. */
export async function askPenetration(
  { pair, a, b }: PreparedPair,
  options: PenetrationOptions = {},
): Promise<PenetrationResult> {
  const result = await measurePenetration(a, b, pair.poseA, pair.poseB, options);
  if (options.backend === 'webgpu' && result.backend !== 'webgpu') throw new Error('the CPU answered for the GPU');
  return result;
}

/** One way to answer. */
export interface QueryContestant {
  readonly name: string;
  readonly options: PenetrationOptions;
}

/** The ways to look at: ours, which is the default, and the document's descent with either query. */
const WAYS: readonly { readonly name: string; readonly options: PenetrationOptions }[] = [
  { name: 'probes, rays', options: { descent: 'probes', query: 'rays' } },
  { name: 'levels, rays', options: { descent: 'levels', query: 'rays' } },
  { name: 'levels, windows', options: { descent: 'levels', query: 'windows' } },
];

/** Every way on the CPU, then on the GPU where there is one. */
export function contestantsOf(gpu: GpuDevice | null): QueryContestant[] {
  const on = (backend: string, common: PenetrationOptions): QueryContestant[] =>
    WAYS.map(({ name, options }) => ({ name: `${backend}, ${name}`, options: { ...options, ...common } }));
  return [...on('CPU', { backend: 'cpu' }), ...(gpu === null ? [] : on('GPU', { backend: 'webgpu', device: gpu }))];
}

export interface QueryTiming {
  readonly name: string;
  /** Milliseconds a query. */
  readonly median: number;
  readonly minimum: number;
  /** Of the median round. */
  readonly result: PenetrationResult;
}

/** A contestant that has taken this long takes no further turn; milliseconds. */
const PATIENCE = 30_000;

export async function timeQueries(
  prepared: PreparedPair,
  contestants: readonly QueryContestant[],
  rounds: number,
): Promise<QueryTiming[]> {
  const turns = contestants.map(() => ({ spent: 0, runs: [] as { time: number; result: PenetrationResult }[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { options }] of contestants.entries()) {
      const turn = turns[index];
      if (turn.spent > PATIENCE) continue;
      const start = performance.now();
      const result = await askPenetration(prepared, options);
      const time = performance.now() - start;
      turn.spent += time;
      turn.runs.push({ time, result });
    }
  }
  return contestants.map(({ name }, index) => {
    const { runs } = turns[index];
    // The first of several was the warm-up.
    const timed = runs.slice(runs.length > 1 ? 1 : 0).sort((a, b) => a.time - b.time);
    const middle = timed[timed.length >> 1];
    return { name, median: middle.time, minimum: timed[0].time, result: middle.result };
  });
}
