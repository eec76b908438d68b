// A clash check in jobs: every question once, the same clashes in any order, thread or second attempt.
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlant, PLANT_CLEARANCE } from '../../bench/scenarios/assembly.js';
import { type AssemblyPart, buildAssembly } from '../../src/clash/assembly.js';
import type { Clash } from '../../src/clash/clash.js';
import { ClashCheck } from '../../src/clash/clash-check.js';
import { findClashes } from '../../src/clash/find-clashes.js';
import { type StreamOptions, streamClashes } from '../../src/clash/stream-clashes.js';
import type * as pose from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import { BatchPool } from '../../src/proximity/batch/batch-pool.js';
import { type ClashAnswer, runClashJob } from '../../src/proximity/batch/clash-job.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { measureDistance } from '../../src/proximity/queries.js';
import { boxMesh, torusGrid } from '../generators/surfaces.js';
import { bundleWorkerScript } from '../proximity/batch/worker-script.js';

let script = '';
let plant: AssemblyPart[];
const pools: BatchPool[] = [];

beforeAll(async () => {
  script = await bundleWorkerScript();
  plant = buildAssembly(createPlant(1500));
});
afterAll(() => {
  for (const pool of pools) pool.close();
});

function openPool(count: number, shared = true): BatchPool {
  const workers = Array.from({ length: count }, () => new Worker(script, { eval: true }));
  pools.push(new BatchPool(workers, { shared }));
  return pools.at(-1)!;
}

async function collect(check: ClashCheck, options?: StreamOptions): Promise<Clash[][]> {
  const blocks: Clash[][] = [];
  for await (const { job, clashes } of streamClashes(check, options)) {
    expect(job).toBe(blocks.length);
    blocks.push([...clashes]);
  }
  return blocks;
}

const answerOf = (check: ClashCheck, index: number): ClashAnswer => {
  const { models, job } = check.job(index);
  return runClashJob(
    models.map((number) => check.models[number]),
    structuredClone(job),
  );
};

/** Two shapes in a grid: many pairs in few relative poses, and a few turned and shifted by odd amounts. */
function grid(): AssemblyPart[] {
  const random = createRandom(3);
  const shapes = [boxMesh(), torusGrid(9, 6)].map((mesh) => new ProximityModel(mesh));
  return Array.from({ length: 120 }, (_, i): AssemblyPart => {
    const at: [number, number, number] = [1.25 * (i % 10), 1.5 * Math.floor(i / 10), 0];
    const isOdd = random.next() < 0.1;
    const turn: pose.Pose = isOdd ? [...at, ...random.rotation()] : [...at, 0, 0, 0, random.next() < 0.5 ? 1 : -1];
    return { name: `part ${i}`, model: shapes[random.integer(2)], pose: turn };
  });
}

describe('equal pairs', () => {
  test('are asked once, and each of them gets the answer of its own', () => {
    const parts = grid();
    const check = new ClashCheck(parts, { clearance: 0.4 });
    const seen = new Set<string>();
    let pairs = 0;
    for (let index = 0; index < check.jobCount; index++) {
      const { models, job } = check.job(index);
      pairs += check.pairsOf(index);
      for (let i = 0; 2 * i < job.models.length; i++) {
        const shapes = [models[job.models[2 * i]], models[job.models[2 * i + 1]]];
        expect(shapes[0]).toBeLessThanOrEqual(shapes[1]);
        const key = [...shapes, ...job.poses.subarray(7 * i, 7 * i + 7)].join(' ');
        expect(seen.has(key)).toBe(false);
        seen.add(key);
      }
    }
    expect(pairs).toBe(check.pairsTested);
    expect(seen.size).toBe(check.questionCount);
    expect(check.questionCount).toBeLessThan(check.pairsTested / 2);
    const { clashes } = findClashes(parts, { clearance: 0.4 });
    expect(clashes.length).toBeGreaterThan(check.questionCount);
    for (const { a, b, intersects, distance, pointA, pointB, normal } of clashes) {
      const own = measureDistance(parts[a].model, parts[b].model, parts[a].pose, parts[b].pose);
      expect(intersects).toBe(own.intersects);
      expect(distance).toBeCloseTo(own.distance!, 12);
      const gap = pointB.map((value, k) => value - pointA[k]);
      expect(Math.hypot(...gap)).toBeCloseTo(distance, 12);
      if (normal !== null) for (let k = 0; k < 3; k++) expect(normal[k] * distance).toBeCloseTo(gap[k], 12);
    }
    const found = new Set(clashes.map(({ a, b }) => `${a} ${b}`));
    for (let a = 0; a < parts.length; a++) {
      for (let b = a + 1; b < parts.length; b++) {
        const { distance } = measureDistance(parts[a].model, parts[b].model, parts[a].pose, parts[b].pose, {
          cutoff: 0.4,
        });
        expect(found.has(`${a} ${b}`)).toBe(distance !== null);
      }
    }
  });
});

describe('streaming', () => {
  test('threads give the same clashes in the same order, with memory shared or not', async () => {
    const check = new ClashCheck(plant, { clearance: PLANT_CLEARANCE });
    expect(check.jobCount).toBeGreaterThan(2);
    const alone = await collect(check);
    expect(alone).toHaveLength(check.jobCount);
    for (const pool of [openPool(1), openPool(3), openPool(2, false)]) {
      // As text: comparing thousands of objects takes longer than finding them.
      expect(JSON.stringify(await collect(check, { pool })) === JSON.stringify(alone)).toBe(true);
    }
    const sorted = alone.flat().sort((p, q) => p.distance - q.distance || p.a - q.a || p.b - q.b);
    const { clashes } = findClashes(plant, { clearance: PLANT_CLEARANCE });
    expect(JSON.stringify(sorted) === JSON.stringify(clashes)).toBe(true);
    // The trees are made once, for all threads.
    expect(plant[0].model.boxes.boxes.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  test('known answers are not asked for again, and a job done twice or elsewhere has the same answer', async () => {
    const check = new ClashCheck(plant, { clearance: PLANT_CLEARANCE });
    const answers = Array.from({ length: check.jobCount }, (_, index) => answerOf(check, index));
    expect(answerOf(check, 1)).toEqual(answers[1]);
    const gone = openPool(1);
    gone.close();
    const again = new ClashCheck(plant, { clearance: PLANT_CLEARANCE });
    const blocks = await collect(again, { pool: gone, known: (job) => answers[job] });
    expect(blocks).toEqual(await collect(check));
    await expect(collect(again, { pool: gone, known: (job) => (job < 2 ? answers[job] : null) })).rejects.toThrow(
      /closed/,
    );
  });

  test('stops when asked to, and when the caller leaves', async () => {
    const check = new ClashCheck(plant, { clearance: PLANT_CLEARANCE });
    const pool = openPool(2);
    const abort = new AbortController();
    await expect(
      collect(check, { pool, signal: abort.signal, onProgress: (done) => done > 0 && abort.abort() }),
    ).rejects.toThrow(/request/);
    for await (const { job } of streamClashes(check, { pool })) if (job === 1) break;
    const fractions: number[] = [];
    const blocks = await collect(check, { pool, onProgress: (fraction) => fractions.push(fraction) });
    expect(blocks).toHaveLength(check.jobCount);
    expect(fractions.at(-1)).toBe(1);
    expect(fractions).toEqual([...fractions].sort((p, q) => p - q));
  });

  test('refuses what is not a check, a pool or an answer of the job', async () => {
    await expect(collect(plant as unknown as ClashCheck)).rejects.toThrow(/new ClashCheck/);
    const check = new ClashCheck(grid(), { clearance: 0.4 });
    await expect(collect(check, { pool: {} as BatchPool })).rejects.toThrow(/new BatchPool/);
    await expect(collect(check, { workers: 2 } as StreamOptions)).rejects.toThrow(/workers/);
    const { questions, values } = answerOf(check, 0);
    const bad: unknown[] = [
      null,
      { questions, values: values.slice(1) },
      { questions: questions.slice().reverse(), values },
      { questions: questions.map(() => check.questionCount), values },
      { questions, values: values.map(() => Number.NaN) },
      { questions, values: values.map(() => 1) },
    ];
    for (const answer of bad) expect(() => check.clashesOf(0, answer as ClashAnswer)).toThrow(/runClashJob/);
    expect(() => check.job(check.jobCount)).toThrow(/no job/);
  });
});

describe('the fingerprint', () => {
  test('is the same for the same check and differs with all that matters', async () => {
    const parts = grid();
    const first = await new ClashCheck(parts, { clearance: 0.4 }).fingerprint();
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await new ClashCheck(grid(), { clearance: 0.4 }).fingerprint()).toBe(first);
    const moved = parts.map((part, i) => ({
      ...part,
      pose: part.pose.map((x, k) => (i + k ? x : x + 1e-15)) as pose.Pose,
    }));
    const swapped = parts.map((part, i) => ({
      ...part,
      model: i === 5 ? new ProximityModel(boxMesh([0, 0, 0], [1, 1, 2])) : part.model,
    }));
    const others = [
      new ClashCheck(parts, { clearance: 0.5 }),
      new ClashCheck(parts, { clearance: 0.4, ignore: [['part 1', '*']] }),
      new ClashCheck(moved, { clearance: 0.4 }),
      new ClashCheck(swapped, { clearance: 0.4 }),
      new ClashCheck(parts.slice(1), { clearance: 0.4 }),
    ];
    const prints = await Promise.all(others.map((check) => check.fingerprint()));
    expect(new Set([first, ...prints]).size).toBe(6);
  });
});
