// A clash check on a cluster beside the same in this process: what asking through a queue costs, what the queue can take, and
// from these figures what more workers would give. Processor time, because other work on the machine lengthens seconds.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Redis } from 'ioredis';
import { type Cluster, createCluster } from 'nearfield/cluster';
import { buildAssembly, ClashCheck, runClashJob, streamClashes } from 'nearfield/proximity';
import { findRedis } from '../scripts/requirements.mjs';
import { processorTime } from './measure.js';
import { createPlant, PLANT_CLEARANCE } from './scenarios/assembly.js';
import type { BenchTable, Suite } from './suite.js';

const COMMAND = fileURLToPath(new URL(/* @vite-ignore */ '../cli/main.js', import.meta.url));
/** Workers of the queues that are measured. */
const WORKERS = [1, 2] as const;
/** Workers of the table that is computed. */
const MORE_WORKERS = [10, 100, 1000] as const;
/** Jobs of this client on the queue: enough for workers that are never idle. */
const PARALLEL = 16;
/** Clock ticks of /proc in a second, on every Linux that Node runs on. */
const TICKS = 100;

/** Processor seconds of a run, and how long it took. */
interface Cost {
  readonly seconds: number;
  readonly workers: number;
  readonly asking: number;
  readonly redis: number;
}

export const clusterSuite: Suite = {
  name: 'cluster',
  title: 'Clusters: clash checks through a queue',
  chapters: ['cluster', 'clash', 'proximity'],
  async run({ quick, progress }) {
    const redisPath = findRedis();
    if (redisPath === null || process.platform !== 'linux') {
      const title = 'Clash checks on a cluster';
      return [{ title, headings: ['not measured'], rows: [['it needs Linux and a Redis server (redis-server)']] }];
    }
    const rounds = quick ? 1 : 3;
    const check = new ClashCheck(buildAssembly(createPlant(quick ? 3000 : 10_000)), { clearance: PLANT_CLEARANCE });
    const bench = await ClusterBench.start(redisPath);
    try {
      const here: number[] = [];
      const apart = WORKERS.map((): Cost[] => []);
      // The first round makes trees and fetches meshes everywhere, and is not counted.
      for (let round = 0; round <= rounds; round++) {
        progress(round / (rounds + 2), `round ${round}`);
        const alone = checkHere(check);
        const costs: Cost[] = [];
        for (const workers of WORKERS) costs.push(await bench.measure(workers, (cluster) => checkOn(cluster, check)));
        if (round === 0) continue;
        here.push(alone);
        for (const [i, cost] of costs.entries()) apart[i].push(cost);
      }
      progress((rounds + 1) / (rounds + 2), 'empty jobs');
      const emptyJobs = quick ? 500 : 3000;
      const empty = await bench.measure(2, (cluster) => askNothing(cluster, emptyJobs));
      const local = median(here);
      const costs = apart.map(medianCost);
      return [
        checkTable(check, local, costs),
        jobTable(check, local, costs[0], empty, emptyJobs),
        moreTable(check, costs[0]),
      ];
    } finally {
      await bench.close();
    }
  },
};

/** Processor seconds of the check in this thread. */
function checkHere(check: ClashCheck): number {
  const start = processorTime();
  for (let index = 0; index < check.jobCount; index++) {
    const { models, job } = check.job(index);
    const used = models.map((number) => check.models[number]);
    check.clashesOf(index, runClashJob(used, job));
  }
  return (processorTime() - start) / 1000;
}

async function checkOn(cluster: Cluster, check: ClashCheck): Promise<void> {
  for await (const _ of streamClashes(check, { pool: cluster }));
}

/** Jobs without a question, each different from the others. */
async function askNothing(cluster: Cluster, count: number): Promise<void> {
  const none = { volume: 'boxes', models: new Uint32Array(0), poses: new Float64Array(0) };
  const ask = (i: number): Promise<unknown> => cluster.call('proximity/clashes', [], { ...none, clearance: i });
  await Promise.all(Array.from({ length: count }, (_, i) => ask(i)));
}

function checkTable(check: ClashCheck, local: number, costs: readonly Cost[]): BenchTable {
  const { pairsTested, questionCount, jobCount } = check;
  const row = (name: string, seconds: string, parts: readonly number[]): string[] => {
    const total = parts.reduce((sum, part) => sum + part, 0);
    return [
      name,
      seconds,
      ...parts.map((part) => part.toFixed(2)),
      total.toFixed(2),
      count(pairsTested / total),
      `${((100 * (total - local)) / local).toFixed(1)} %`,
    ];
  };
  return {
    title: `${count(pairsTested)} pairs of boxes within ${PLANT_CLEARANCE} mm, ${count(questionCount)} of them different, in ${jobCount} jobs`,
    headings: [
      'where',
      'pairs a second',
      'processor seconds: testing',
      'asking',
      'Redis',
      'together',
      'pairs a processor second',
      'overhead',
    ],
    rows: [
      row('in this process', '–', [local, 0, 0]),
      ...costs.map((cost, i) =>
        row(`${WORKERS[i]} worker${WORKERS[i] === 1 ? '' : 's'} of one thread`, count(pairsTested / cost.seconds), [
          cost.workers,
          cost.asking,
          cost.redis,
        ]),
      ),
    ],
    notes: [
      'Medians of rounds in turn, after one in which meshes are fetched and trees are made. Overhead: processor seconds of all processes',
      `together beside those of the same jobs in one process. Other work shares the ${availableParallelism()} cores, so pairs a second are what was left.`,
    ],
  };
}

function jobTable(check: ClashCheck, local: number, cost: Cost, empty: Cost, emptyJobs: number): BenchTable {
  const milliseconds = (seconds: number, jobs: number): string => ((1000 * seconds) / jobs).toFixed(2);
  const { jobCount } = check;
  return {
    title: 'What a job costs, in processor milliseconds',
    headings: ['job', 'worker', 'asking', 'Redis', 'jobs a second here', 'most jobs a second: asking', 'Redis'],
    rows: [
      [
        `of this check (${milliseconds(local, jobCount)} ms in one process)`,
        milliseconds(cost.workers, jobCount),
        milliseconds(cost.asking, jobCount),
        milliseconds(cost.redis, jobCount),
        count(jobCount / cost.seconds),
        count(jobCount / cost.asking),
        count(jobCount / cost.redis),
      ],
      [
        'empty',
        milliseconds(empty.workers, emptyJobs),
        milliseconds(empty.asking, emptyJobs),
        milliseconds(empty.redis, emptyJobs),
        count(emptyJobs / empty.seconds),
        count(emptyJobs / empty.asking),
        count(emptyJobs / empty.redis),
      ],
    ],
    notes: [
      'An empty job goes the whole way: stored, queued, taken by one of two workers, answered, fetched and forgotten. The most jobs a',
      'second are those that keep one core busy: of each process that asks, and of Redis, of which there is one.',
    ],
  };
}

/** Computed from the figures of one worker: workers scale until a process that asks, or Redis, has a core busy. */
function moreTable(check: ClashCheck, cost: Cost): BenchTable {
  const { jobCount, pairsTested } = check;
  const jobSeconds = cost.workers / jobCount;
  const limits = {
    'the workers': Infinity,
    'the asking process': jobCount / cost.asking,
    Redis: jobCount / cost.redis,
  };
  const saturated = (jobs: number): string => count(jobs * jobSeconds);
  return {
    title: 'Computed from these figures: more workers of one thread, for jobs of this size',
    headings: ['workers', 'jobs a second', 'pairs a second', 'asking process busy', 'Redis busy', 'limit'],
    rows: MORE_WORKERS.map((workers) => {
      const wanted = workers / jobSeconds;
      const jobs = Math.min(wanted, ...Object.values(limits));
      const limit = Object.entries(limits).find(([, most]) => most <= jobs)?.[0] ?? 'the workers';
      return [
        count(workers),
        count(jobs),
        count((jobs / jobCount) * pairsTested),
        percent(jobs / limits['the asking process']),
        percent(jobs / limits.Redis),
        limit,
      ];
    }),
    notes: [
      `One process that asks keeps up to ${saturated(limits['the asking process'])} of these workers busy, Redis ${saturated(limits.Redis)}; beyond that, ask from several`,
      'processes, and use several queues on servers of their own. Larger jobs (plans, simulations, depths) move both limits up in',
      'proportion. Networks are not part of it: all processes ran on one machine.',
    ],
  };
}

/** A Redis server, and the count of workers of each queue on it. */
class ClusterBench {
  readonly #folder: string;
  readonly #processes: ChildProcess[];
  readonly #redis: Redis;
  readonly #queues: ReadonlyMap<number, { cluster: Cluster; workers: readonly number[] }>;

  private constructor(
    folder: string,
    processes: ChildProcess[],
    redis: Redis,
    queues: ReadonlyMap<number, { cluster: Cluster; workers: readonly number[] }>,
  ) {
    this.#folder = folder;
    this.#processes = processes;
    this.#redis = redis;
    this.#queues = queues;
  }

  static async start(redisPath: string): Promise<ClusterBench> {
    const folder = mkdtempSync(join(tmpdir(), 'nearfield-cluster-'));
    const port = await freePort();
    const words = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes'];
    const processes = [spawn(redisPath, words, { stdio: 'ignore' })];
    const connection = `redis://127.0.0.1:${port}`;
    // Not there where only the package is installed.
    const { Redis: Client } = await import('ioredis');
    const redis = new Client(connection, { maxRetriesPerRequest: null });
    redis.on('error', () => {});
    await redis.ping();
    const queues = new Map<number, { cluster: Cluster; workers: readonly number[] }>();
    for (const count of WORKERS) {
      const name = `bench-${count}`;
      const started = await Promise.all(Array.from({ length: count }, () => startWorker(connection, name)));
      processes.push(...started);
      const cluster = await createCluster({ connection, name, parallel: PARALLEL });
      queues.set(count, { cluster, workers: started.map(({ pid }) => pid!) });
    }
    return new ClusterBench(folder, processes, redis, queues);
  }

  async measure(workers: number, work: (cluster: Cluster) => Promise<void>): Promise<Cost> {
    const { cluster, workers: pids } = this.#queues.get(workers)!;
    const read = async (): Promise<Cost> => ({
      seconds: performance.now() / 1000,
      workers: pids.reduce((sum, pid) => sum + processorSecondsOf(pid), 0),
      asking: processorTime() / 1000,
      redis: redisSeconds(await this.#redis.info('cpu')),
    });
    const before = await read();
    await work(cluster);
    const after = await read();
    return {
      seconds: after.seconds - before.seconds,
      workers: after.workers - before.workers,
      asking: after.asking - before.asking,
      redis: after.redis - before.redis,
    };
  }

  async close(): Promise<void> {
    for (const { cluster } of this.#queues.values()) await cluster.close();
    this.#redis.disconnect();
    for (const started of this.#processes) started.kill('SIGKILL');
    await sleep(200);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function startWorker(connection: string, name: string): Promise<ChildProcess> {
  const words = [COMMAND, 'worker', '--cluster', connection, '--queue', name, '--concurrency', '1'];
  const started = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    started.once('exit', (code) => reject(new Error(`nearfield worker ended with ${code}`)));
    started.stderr?.on('data', (text) => String(text).includes('serving') && resolve(started));
  });
}

/** User and system time of a process, its threads included: fields 14 and 15 of its stat, after the name in brackets. */
function processorSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

function redisSeconds(info: string): number {
  const read = (name: string): number => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]);
  return read('used_cpu_sys') + read('used_cpu_user');
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function medianCost(costs: readonly Cost[]): Cost {
  const of = (name: keyof Cost): number => median(costs.map((cost) => cost[name]));
  return { seconds: of('seconds'), workers: of('workers'), asking: of('asking'), redis: of('redis') };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

const count = (value: number): string => Math.round(value).toLocaleString('en-US');
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
