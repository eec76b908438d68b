// A cluster gives the bits of one machine, whatever dies meanwhile: workers, the server, connections, what is stored.
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ClashCheck } from '../../src/clash/clash-check.js';
import { streamClashes } from '../../src/clash/stream-clashes.js';
import { type Cluster, type ClusterOptions, createCluster } from '../../src/cluster/cluster.js';
import { nameServer } from '../../src/cluster/connection.js';
import { type ClusterWorkerOptions, startClusterWorker } from '../../src/cluster/worker.js';
import * as pose from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import { findModel } from '../../src/models/catalogue.js';
import { measurePenetrationSync } from '../../src/penetration/measure-on-cpu.js';
import { measurePenetrationInPool } from '../../src/penetration/penetration-in-pool.js';
import type { PoolWorker } from '../../src/pool/port.js';
import { QueryBatch, runBatch } from '../../src/proximity/batch/batch.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { laterCodeOf } from '../error-code.js';
import { bundleWorkerScript } from '../proximity/batch/worker-script.js';
import { RedisServer } from './redis-server.js';
import { WorkerProcess } from './worker-process.js';

const models = ['letter-a', 'letter-s', 'letter-e'].map((name) => new ProximityModel(findModel(name).build()));

/** Questions whose answers have many digits: depths of pairs that overlap more or less. */
function questions(count: number, seed = 1) {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => ({
    a: models[random.integer(3)],
    b: models[random.integer(3)],
    pose: poseOf(random.direction(), random.rotation()),
  }));
}

function poseOf(direction: readonly number[], rotation: readonly number[]): pose.Pose {
  return [...direction.map((x) => 0.1 * x), ...rotation] as pose.Pose;
}

const here = pose.identity();

function answerHere(count: number, seed?: number): object[] {
  return questions(count, seed).map(({ a, b, pose: there }) => timeless(measurePenetrationSync(a, b, here, there)));
}

async function answerBy(cluster: Cluster, count: number, seed?: number): Promise<object[]> {
  const asked = questions(count, seed).map(({ a, b, pose: there }) =>
    measurePenetrationInPool(cluster, a, b, here, there),
  );
  return (await Promise.all(asked)).map(timeless);
}

function timeless(result: object): object {
  return JSON.parse(JSON.stringify(result, (key, value) => (/milliseconds/i.test(key) ? 0 : value)));
}

describe('a cluster', () => {
  let server: RedisServer;
  let script: string;
  const open: { close(): Promise<void> }[] = [];
  const processes: WorkerProcess[] = [];
  const makeThread = (): PoolWorker => new Worker(script, { eval: true });

  beforeAll(async () => {
    [server, script] = await Promise.all([RedisServer.start(), bundleWorkerScript()]);
  });
  afterAll(() => server.close());
  afterEach(async () => {
    for (const opened of open.splice(0)) await opened.close();
    for (const started of processes.splice(0)) await started.kill();
  });

  async function join(options: Partial<ClusterOptions> = {}): Promise<Cluster> {
    const cluster = await createCluster({ connection: server.url, ...options });
    open.push(cluster);
    return cluster;
  }
  async function serve(options: Partial<ClusterWorkerOptions> = {}) {
    const worker = await startClusterWorker({ connection: server.url, makeThread, ...options });
    open.push(worker);
    return worker;
  }
  async function serveApart(): Promise<WorkerProcess> {
    const started = new WorkerProcess(server.url);
    processes.push(started);
    await started.ready;
    return started;
  }

  test('answers with the bits of one machine, and fetches a mesh once', async () => {
    const worker = await serve({ concurrency: 2 });
    const cluster = await join();
    expect(await cluster.countWorkers()).toBe(1);
    expect(await answerBy(cluster, 12)).toEqual(answerHere(12));
    expect(worker.counters.fetched).toBe(3);
    expect(worker.counters.answered).toBe(12);
    const parts = questions(60).map(({ a, pose: at }, i) => ({ name: `${i}`, model: a, pose: at }));
    const [apart, alone] = await Promise.all(
      [cluster, undefined].map(async (pool) => {
        const clashes = [];
        for await (const block of streamClashes(new ClashCheck(parts, { clearance: 0.1 }), { pool }))
          clashes.push(...block.clashes);
        return clashes;
      }),
    );
    expect(alone.length).toBeGreaterThan(100);
    expect(apart).toEqual(alone);
    const batch = new QueryBatch();
    for (const { a, b, pose: at } of questions(300, 3)) {
      batch.addDistance(models.indexOf(a), models.indexOf(b), here, [10 * at[0], ...at.slice(1)] as pose.Pose);
    }
    expect(await cluster.run(models, batch)).toEqual(runBatch(models, batch));
    expect(worker.counters.fetched).toBe(3);
    // Nothing is left behind but what may be asked for again.
    const redis = new Redis(server.url);
    expect((await redis.keys('nearfield:answer:*')).length).toBe(0);
    redis.disconnect();
  });

  test('a task refuses as it does here, and does not stop the rest', async () => {
    await serve();
    const cluster = await join();
    const sheet = new ProximityModel({
      positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
      indices: Uint32Array.of(0, 1, 2),
    });
    const refused = laterCodeOf(() => measurePenetrationInPool(cluster, sheet, models[0], here, here));
    const [answers, code] = await Promise.all([answerBy(cluster, 4), refused]);
    expect(answers).toEqual(answerHere(4));
    expect(code).toBe('open-mesh');
    expect(await laterCodeOf(() => cluster.call('nothing/such', [], null))).toBe('file-format');
  });

  test('workers killed at random lose nothing', async () => {
    const cluster = await join();
    await Promise.all([serveApart(), serveApart()]);
    // Each time some more are answered, one of the two dies at once, whatever it does, and another takes its place.
    let answered = 0;
    let kills = 0;
    const dying: Promise<void>[] = [];
    const asked = questions(60, 5).map(async ({ a, b, pose: there }) => {
      const answer = await measurePenetrationInPool(cluster, a, b, here, there);
      if (++answered % 12 === 0) {
        dying.push(processes.splice(kills++ % 2, 1)[0].kill());
        void serveApart();
      }
      return timeless(answer);
    });
    const answers = await Promise.all(asked);
    await Promise.all(dying);
    expect(answers).toEqual(answerHere(60, 5));
    expect(kills).toBe(5);
  });

  test('a server that is killed and comes back, connections cut, and everything stored lost', async () => {
    await serve({ concurrency: 2 });
    const cluster = await join();
    const asked = answerBy(cluster, 80, 7);
    await sleep(300);
    await server.kill();
    await sleep(300);
    await server.start();
    await sleep(500);
    const admin = new Redis(server.url);
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await sleep(300);
    await admin.flushall();
    admin.disconnect();
    expect(await asked).toEqual(answerHere(80, 7));
  });

  test('a server whose memory is full makes it wait', async () => {
    await serve();
    const cluster = await join();
    const admin = new Redis(server.url);
    await admin.config('SET', 'maxmemory', '1');
    const asked = answerBy(cluster, 6, 11);
    await sleep(700);
    await admin.config('SET', 'maxmemory', '0');
    admin.disconnect();
    expect(await asked).toEqual(answerHere(6, 11));
  });

  test('a job that ends its threads is given up after its attempts, and the next is answered', async () => {
    let deaths = 0;
    const doomed = (): PoolWorker => {
      // The third thread and later ones live.
      const dies = deaths++ < 2;
      return new Worker(
        dies
          ? `${script}\nrequire('node:worker_threads').parentPort.on('message', ({ type }) => type === 'task' && process.exit(1));`
          : script,
        { eval: true },
      );
    };
    await serve({ makeThread: doomed });
    const cluster = await join({ attempts: 2 });
    const [{ a, b, pose: there }] = questions(1);
    expect(await laterCodeOf(() => measurePenetrationInPool(cluster, a, b, here, there))).toBe('job-failed');
    expect(await answerBy(cluster, 2, 13)).toEqual(answerHere(2, 13));
  });

  test('what does not belong on the queue is refused by the worker, and never run', async () => {
    const worker = await serve();
    const queue = new Queue('nearfield', { connection: { url: server.url } as never, prefix: 'nearfield' });
    const hash = 'ab'.repeat(32);
    const strange = [
      null,
      { protocol: 99, task: 'proximity/clashes', models: [], input: hash },
      { protocol: 1, task: 'constructor', models: [], input: hash },
      { protocol: 1, task: 'penetration/measure', models: ['../etc/passwd'], input: hash },
      { protocol: 1, task: 'penetration/measure', models: [], input: '() => process.exit()' },
      { protocol: 1, task: 'penetration/measure', models: [hash], input: hash },
    ];
    for (const [i, data] of strange.entries())
      await queue.add('strange', data, { jobId: `strange-${i}`, removeOnFail: true });
    while (worker.counters.failed < strange.length) await sleep(20);
    await queue.close();
    expect(worker.counters).toMatchObject({ answered: 0, failed: strange.length });
    const cluster = await join();
    expect(await answerBy(cluster, 2, 17)).toEqual(answerHere(2, 17));
  });

  test('a cancelled call ends alone: others that ask the same are answered, here and from elsewhere', async () => {
    const [cluster, elsewhere] = await Promise.all([join({ parallel: 2 }), join()]);
    const [{ a, b, pose: there }] = questions(1, 19);
    const stop = new AbortController();
    const ask = (pool: Cluster, signal?: AbortSignal) => measurePenetrationInPool(pool, a, b, here, there, { signal });
    const cancelled = [ask(cluster, stop.signal), ask(cluster, stop.signal), ask(cluster, stop.signal)];
    const codes = cancelled.map((asked) => laterCodeOf(() => asked));
    const others = [ask(cluster), ask(elsewhere)];
    await sleep(100);
    stop.abort();
    expect(await Promise.all(codes)).toEqual(['aborted', 'aborted', 'aborted']);
    await serve();
    expect((await Promise.all(others)).map(timeless)).toEqual([...answerHere(1, 19), ...answerHere(1, 19)]);
  });

  test('a job that runs is cancelled where it runs, and says how far it is', async () => {
    let ended = (_: string | null): void => {};
    const outcome = new Promise<string | null>((resolve) => {
      ended = resolve;
    });
    const worker = await serve({ onJob: ({ error }) => ended(error) });
    const cluster = await join();
    const stop = new AbortController();
    const stages: string[] = [];
    // It takes minutes: it is stopped as soon as it has said how far it is.
    const frame = { origin: [-1, -1, -1], spacing: 1 / 500, size: [1000, 1000, 1000] } as const;
    const asked = cluster.call(
      'field/sparse-rows',
      [new ProximityModel(findModel('bunny').build())],
      { frame, options: { sign: 'none', bandWidth: 40 }, from: 0, to: 125 * 125 },
      {
        signal: stop.signal,
        onProgress: (fraction, stage) => {
          if (stage !== 'sparse field') return;
          stages.push(stage);
          expect(fraction).toBeLessThan(1);
          stop.abort();
        },
      },
    );
    expect(await laterCodeOf(() => asked)).toBe('aborted');
    expect(stages.length).toBe(1);
    expect(await outcome).toMatch(/Stopped/);
    expect(worker.counters).toMatchObject({ answered: 0, failed: 0, cancelled: 1 });
  });

  test('meshes beyond the memory are dropped and fetched again', async () => {
    const bytes = models.map(({ mesh }) => mesh.positions.byteLength + mesh.indices.byteLength);
    const worker = await serve({ memory: Math.max(...bytes) + 1 });
    const cluster = await join();
    for (const model of [models[0], models[1], models[0], models[0]]) {
      await measurePenetrationInPool(
        cluster,
        model,
        model,
        here,
        poseOf([1, 0, worker.counters.answered / 10], [0, 0, 0, 1]),
      );
    }
    expect(worker.counters).toMatchObject({ answered: 4, fetched: 3 });
  });

  test('stops when it is asked to', async () => {
    const cluster = await join();
    const stop = new AbortController();
    const asked = laterCodeOf(() => cluster.call('proximity/clashes', [], null, { signal: stop.signal }));
    await sleep(100);
    stop.abort();
    expect(await asked).toBe('aborted');
    const closed = laterCodeOf(() => cluster.call('proximity/clashes', [], 1));
    await sleep(50);
    await cluster.close();
    expect(await closed).toBe('aborted');
    // Nor does one that waits for its turn go on.
    const narrow = await join({ parallel: 1 });
    const waiting = [1, 2].map((input) => laterCodeOf(() => narrow.call('proximity/clashes', [], input)));
    await narrow.close();
    expect(await Promise.all(waiting)).toEqual(['aborted', 'aborted']);
    expect(await laterCodeOf(() => cluster.call('proximity/clashes', [], null))).toBe('bad-argument');
  });

  test('a server with a password: taken by address, and never told', async () => {
    const guarded = await RedisServer.start('--requirepass', 'open sesame');
    try {
      const address = `redis://:open%20sesame@127.0.0.1:${guarded.port}`;
      const worker = await serve({ connection: address });
      const cluster = await join({ connection: address });
      expect(cluster.server).toBe(`redis://127.0.0.1:${guarded.port}`);
      expect(worker.server).not.toContain('sesame');
      expect(nameServer('redis://user/pass@host:6379')).not.toContain('pass');
      expect(nameServer('rediss://:pass@host:6379/3?password=word')).toBe('rediss://host:6379/3');
      expect(await answerBy(cluster, 2)).toEqual(answerHere(2));
      const wrong = await createCluster({ connection: `redis://:wrong@127.0.0.1:${guarded.port}` }).catch(
        (error) => error.message,
      );
      expect(wrong).toMatch(/refuses|answer/);
      expect(wrong).not.toContain('wrong@');
    } finally {
      for (const opened of open.splice(0)) await opened.close();
      await guarded.close();
    }
  });

  test('refuses invalid addresses and options', async () => {
    for (const connection of [undefined, 7, '', 'localhost', 'http://localhost:6379', 'redis://']) {
      expect(await laterCodeOf(() => createCluster({ connection } as never)), String(connection)).toBe('bad-argument');
    }
    const connection = server.url;
    for (const wrong of [{ name: 'a b' }, { parallel: 0 }, { attempts: 1.5 }, { paralel: 3 }]) {
      expect(await laterCodeOf(() => createCluster({ connection, ...wrong } as never))).toBe('bad-argument');
    }
    for (const wrong of [{ makeThread: null }, { lease: -1 }, { memory: Number.NaN }, { concurrency: 0 }]) {
      expect(await laterCodeOf(() => startClusterWorker({ connection, makeThread, ...wrong } as never))).toBe(
        'bad-argument',
      );
    }
  });
});
