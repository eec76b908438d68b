// Timing of penetration queries: contestants take turns, round by round, after a warm-up; the median round counts.
import type { GpuDevice } from 'nearfield/gpu';
import {
  measurePenetration,
  measurePenetrationSync,
  type PenetrationOptions,
  type PenetrationResult,
  preparePenetration,
} from 'nearfield/penetration';
import { hullsOf, ProximityModel } from 'nearfield/proximity';
import type { PenetrationPair } from './scenarios/penetration.js';

/** A pair of models, ready for queries. */
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
  const countPieces = (model: ProximityModel): number => (hullsOf(model).nodePieces.length + 1) / 2;
  return { pair, a, b, pieces: [countPieces(a), countPieces(b)], prepareMilliseconds };
}

/** Without a promise if possible. */
export async function askPenetration(
  { pair: { poseA, poseB }, a, b }: PreparedPair,
  options: PenetrationOptions,
): Promise<PenetrationResult> {
  const sync = options.backend === 'cpu' && options.query !== 'windows';
  return (sync ? measurePenetrationSync : measurePenetration)(a, b, poseA, poseB, options);
}

/** A signal that aborts after this many milliseconds. */
export function stopAfter(limitMilliseconds: number): { readonly aborted: boolean } {
  const end = performance.now() + limitMilliseconds;
  return {
    get aborted() {
      return performance.now() > end;
    },
  };
}

export function isStopped(error: unknown): boolean {
  return (error as { code?: string }).code === 'aborted';
}

/** One way to answer. */
export interface QueryContestant {
  readonly name: string;
  readonly options: PenetrationOptions;
  /** Fewer than the others. */
  readonly rounds?: number;
}

export const CERTIFIED: QueryContestant = {
  name: 'CPU, certified, gap 1e-3',
  options: { method: 'certified', relativeGap: 1e-3, backend: 'cpu' },
};
export const CPU_PROBES: QueryContestant = {
  name: 'CPU, probes, rays',
  options: { method: 'image-space', descent: 'probes', query: 'rays', backend: 'cpu' },
};
export const CPU_RAYS: QueryContestant = {
  name: 'CPU, levels, rays',
  options: { method: 'image-space', descent: 'levels', query: 'rays', backend: 'cpu' },
};
export const CPU_WINDOWS: QueryContestant = {
  name: 'CPU, levels, windows',
  options: { method: 'image-space', descent: 'levels', query: 'windows', backend: 'cpu' },
};

/** On the GPU rays need no descent: all pairs of pieces within the hulls' depth are looked at. */
export function gpuContestants(device: GpuDevice): QueryContestant[] {
  const common = { method: 'image-space', backend: 'webgpu', device } as const;
  return [
    { name: 'GPU, rays', options: { ...common, query: 'rays' } },
    { name: 'GPU, levels, windows', options: { ...common, query: 'windows', descent: 'levels' }, rounds: 3 },
  ];
}

export interface QueryTiming {
  readonly name: string;
  /** Milliseconds per query. */
  readonly median: number;
  readonly minimum: number;
  /** Queries timed. */
  readonly rounds: number;
  /** Of the median round. */
  readonly result: PenetrationResult;
}

export interface TimeQueriesOptions {
  readonly rounds: number;
  /** A contestant that has taken this long is not run again; milliseconds. */
  readonly patience: number;
}

/** A first answer that takes this many times the patience is aborted. */
const FIRST_PATIENCE = 4;

/** Contestants whose first answer is aborted are left out. */
export async function timeQueries(
  prepared: PreparedPair,
  contestants: readonly QueryContestant[],
  { rounds, patience }: TimeQueriesOptions,
): Promise<QueryTiming[]> {
  const turns = contestants.map(() => ({ spent: 0, runs: [] as { time: number; result: PenetrationResult }[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const [index, contestant] of contestants.entries()) {
      const turn = turns[index];
      if (turn.spent > patience || round > (contestant.rounds ?? rounds)) continue;
      const start = performance.now();
      try {
        const signal = stopAfter(FIRST_PATIENCE * patience);
        const result = await askPenetration(prepared, { ...contestant.options, signal });
        turn.runs.push({ time: performance.now() - start, result });
      } catch (error) {
        if (!isStopped(error)) throw error;
      }
      turn.spent += performance.now() - start;
    }
  }
  return contestants.flatMap(({ name }, index): QueryTiming[] => {
    const { runs } = turns[index];
    if (runs.length === 0) return [];
    // The first of several was the warm-up.
    const timed = runs.slice(runs.length > 1 ? 1 : 0).sort((a, b) => a.time - b.time);
    const middle = timed[timed.length >> 1];
    return [{ name, median: middle.time, minimum: timed[0].time, rounds: timed.length, result: middle.result }];
  });
}
