// Every benchmark suite, and the runner that `nearfield bench` calls.
import { cpus } from 'node:os';
import { assemblySuite } from './assembly.js';
import { certifySuite } from './certify.js';
import { clusterSuite } from './cluster.js';
import { convexHullSuite } from './convex-hull.js';
import { cullingSuite } from './culling.js';
import { decompositionSuite } from './decomposition.js';
import { dynamicsSuite } from './dynamics.js';
import { dynamicsPlaneSuite } from './dynamics-plane.js';
import { elasticSuite } from './elastic.js';
import { elasticContactSuite } from './elastic-contact.js';
import { fieldSuite } from './field.js';
import { filesSuite } from './files.js';
import { iceSuite } from './ice.js';
import { impactSuite } from './impact.js';
import { meshSuite } from './mesh.js';
import { answerOnePart, inProcesses, oneByOne } from './parts.js';
import { penetrationSuite } from './penetration.js';
import { pivotSuite } from './pivot.js';
import { pivotSpaceSuite } from './pivot-space.js';
import { planningSuite, planningTeamsSuite } from './planning.js';
import { proximitySuite } from './proximity.js';
import { solidifySuite } from './solidify.js';
import type { BenchTable, Suite } from './suite.js';
import { sweepSuite } from './sweep.js';
import { voronoiSuite } from './voronoi.js';
import { voronoiSpaceSuite } from './voronoi-space.js';

export { timeFirstQueries } from './proximity-first.js';

export const suites: readonly Suite[] = [
  meshSuite,
  filesSuite,
  convexHullSuite,
  decompositionSuite,
  proximitySuite,
  assemblySuite,
  clusterSuite,
  impactSuite,
  sweepSuite,
  fieldSuite,
  solidifySuite,
  penetrationSuite,
  voronoiSuite,
  voronoiSpaceSuite,
  cullingSuite,
  pivotSpaceSuite,
  pivotSuite,
  dynamicsSuite,
  dynamicsPlaneSuite,
  iceSuite,
  elasticSuite,
  elasticContactSuite,
  planningSuite,
  planningTeamsSuite,
  certifySuite,
];

export interface BenchOutcome {
  readonly machine: {
    readonly processor: string;
    readonly cores: number;
    readonly node: string;
    readonly platform: string;
  };
  readonly date: string;
  readonly quick: boolean;
  readonly results: readonly { readonly suite: string; readonly tables: readonly BenchTable[] }[];
}

export interface BenchOptions {
  readonly quick: boolean;
  /** How many parts of a suite run at a time, each in a process of its own. Default: all in this process, one by one. */
  readonly processes?: number;
  readonly onProgress?: (fraction: number, stage: string) => void;
}

/** Called in a new process by {@link runSuites}: runs one part of a suite. */
export async function answerPart(name: string, part: string, quick: boolean): Promise<void> {
  const suite = suites.find((each) => each.name === name);
  if (suite === undefined) throw new Error(`there is no suite "${name}"`);
  await answerOnePart(suite, part, quick);
}

export async function runSuites(names: readonly string[], options: BenchOptions): Promise<BenchOutcome> {
  const chosen = suites.filter((suite) => names.includes(suite.name));
  const results: { suite: string; tables: BenchTable[] }[] = [];
  for (const [index, suite] of chosen.entries()) {
    const tables = await suite.run({
      quick: options.quick,
      part:
        options.processes === undefined
          ? oneByOne()
          : inProcesses(import.meta.url, suite.name, options.quick, options.processes),
      progress: (fraction, stage) =>
        options.onProgress?.((index + fraction) / chosen.length, `${suite.name}: ${stage}`),
    });
    results.push({ suite: suite.name, tables });
  }
  return {
    machine: {
      processor: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
    },
    date: new Date().toISOString().slice(0, 10),
    quick: options.quick,
    results,
  };
}
