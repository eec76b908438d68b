// Penetration depth: Tables 2 and 3 of Kim, Otaduy, Lin and Manocha 2002, section 6, for our versions of its four
// benchmarks, what certificates cost, alone and in motion, with FCL, manifold-3d and the hulls on the same pairs in the
// same run, and the figures recorded on a GPU.
import { type GpuDevice, requestGpuDevice } from 'nearfield/gpu';
import { buildFclDriver } from './peers/fcl.js';
import { timeBasicAlgorithm } from './penetration-basic.js';
import { convexTable, shallowTable } from './penetration-contacts.js';
import { gapTable } from './penetration-gap.js';
import { gpuRecordTables } from './penetration-gpu-record.js';
import { coherenceTable, separateTable } from './penetration-motion.js';
import { contactTable, minkowskiTable } from './penetration-peers.js';
import {
  CERTIFIED,
  CPU_PROBES,
  CPU_RAYS,
  CPU_WINDOWS,
  gpuContestants,
  preparePair,
  timeQueries,
} from './penetration-run.js';
import { accelerationTable, levelTable, type PairOutcome } from './penetration-tables.js';
import { penetrationBenchmarks, wrinkledTori } from './scenarios/penetration.js';
import type { Suite, SuiteContext } from './suite.js';

/** For the basic algorithm on one pair by one query, milliseconds. */
const BASIC_LIMIT = 15_000;
const QUICK_BASIC_LIMIT = 1000;
const QUERIES = { rounds: 9, patience: 6000 };
const QUICK_QUERIES = { rounds: 1, patience: 2000 };

export const penetrationSuite: Suite = {
  name: 'penetration',
  title: 'Penetration depth',
  chapters: ['penetration', 'convex', 'decomposition'],
  run: async (context) => {
    const gpu = await findHardwareGpu();
    const outcomes = await measurePairs(gpu, context);
    const pairs = outcomes.map(({ prepared }) => prepared);
    return [
      ...outcomes.map(levelTable),
      accelerationTable(outcomes),
      gapTable(pairs, context),
      shallowTable(context),
      convexTable(context),
      coherenceTable(pairs, context),
      separateTable(context),
      await contactTable(outcomes, buildFclDriver(), context),
      await minkowskiTable(context),
      ...gpuRecordTables(),
    ];
  },
};

async function measurePairs(gpu: GpuDevice | null, { quick, progress }: SuiteContext): Promise<PairOutcome[]> {
  const pairs = [...penetrationBenchmarks, ...(quick ? [] : [wrinkledTori])];
  const contestants = [CERTIFIED, CPU_PROBES, CPU_RAYS, CPU_WINDOWS, ...(gpu === null ? [] : gpuContestants(gpu))];
  const limit = quick ? QUICK_BASIC_LIMIT : BASIC_LIMIT;
  const outcomes: PairOutcome[] = [];
  for (const [index, pair] of pairs.entries()) {
    const stage = (name: string) => progress((0.7 * index) / pairs.length, `${pair.name}, ${name}`);
    stage('models');
    const prepared = preparePair(pair);
    stage('queries');
    const timings = await timeQueries(prepared, contestants, quick ? QUICK_QUERIES : QUERIES);
    stage('basic algorithm');
    const rays = await timeBasicAlgorithm(prepared, 'rays', limit);
    const windows = await timeBasicAlgorithm(prepared, 'windows', limit);
    outcomes.push({ prepared, timings, basic: { rays, windows } });
  }
  return outcomes;
}

/** The GPU; null without one. Software adapters do not count. */
async function findHardwareGpu(): Promise<GpuDevice | null> {
  try {
    const gpu = await requestGpuDevice();
    if (!gpu.isSoftware) return gpu;
    gpu.device.destroy();
  } catch {
    // No adapter at all: the CPU alone.
  }
  return null;
}
