// A pool whose items are lists of numbers: it knows nothing of meshes. Its workers are ports of this thread.
import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import type { ItemKind } from '../../src/pool/item-kind.js';
import { serveTasks } from '../../src/pool/pool-server.js';
import type { PoolWorker } from '../../src/pool/port.js';
import { WorkerPool } from '../../src/pool/worker-pool.js';
import type { RangedRun, RangedTasks, WorkerTasks } from '../../src/pool/worker-tasks.js';
import { laterCodeOf } from '../error-code.js';

interface List {
  readonly numbers: readonly number[];
}

/** Names of the items that each worker unpacked. */
const unpacked: string[] = [];

const KIND: ItemKind<List> = {
  assertItems: () => {},
  pack: ({ numbers }) => numbers.join(' '),
  unpack: (packed: string) => {
    if (packed === '13') throw new Error('an unlucky list');
    unpacked.push(packed);
    return { numbers: packed.split(' ').map(Number) };
  },
  sizeOf: ({ numbers }) => numbers.length,
  // One list of any length, or several with three numbers together.
  countKept: 1,
  sizeKept: 3,
};

const sumOf = ({ numbers }: List): number => numbers.reduce((sum, number) => sum + number, 0);

const TASKS: WorkerTasks<List> = {
  sum: (lists, add: number) => lists.reduce((total, list) => total + sumOf(list), add),
};

const RANGED: RangedTasks<List> = {
  multiples: ([list], factor: number, answers: Float64Array | null) => ({
    answer: (from, to) => {
      const own = Float64Array.from({ length: to - from }, (_, i) => factor * (from + i) * sumOf(list));
      answers?.set(own, from);
      return answers === null ? own : null;
    },
  }),
};

class Multiples implements RangedRun<List, number[]> {
  readonly name = 'multiples';
  readonly stage = 'products';
  readonly input = 2;
  readonly items: readonly List[];
  readonly count: number;
  readonly sharedAnswers: Float64Array | null;
  readonly #answers: Float64Array;

  constructor(list: List, count: number, shared: boolean) {
    this.items = [list];
    this.count = count;
    this.#answers = new Float64Array(shared ? new SharedArrayBuffer(8 * count) : new ArrayBuffer(8 * count));
    this.sharedAnswers = shared ? this.#answers : null;
  }

  take(part: Float64Array | null, from: number): void {
    if (part !== null) this.#answers.set(part, from);
  }

  finish(): number[] {
    return [...this.#answers];
  }
}

const open: { close(): void }[] = [];

afterEach(() => {
  unpacked.length = 0;
  for (const one of open.splice(0)) one.close();
});

function openPool(shared: boolean, count = 1, tasks = TASKS): WorkerPool<List> {
  const workers = Array.from({ length: count }, () => {
    const { port1, port2 } = new MessageChannel();
    serveTasks(port2, { kind: KIND, tasks, ranged: RANGED });
    open.push(port2);
    return port1 as unknown as PoolWorker;
  });
  const pool = new WorkerPool(KIND, workers, { shared });
  open.push(pool);
  return pool;
}

describe.each([true, false])('with shared memory: %s', (shared) => {
  test('tasks have their items, each of which is sent once while a worker keeps it', async () => {
    const pool = openPool(shared);
    const [one, two, four] = [[1], [2, 3], [4, 5, 6, 7]].map((numbers) => ({ numbers }));
    expect(await pool.call('sum', [one, two], 10)).toBe(16);
    expect(await pool.call('sum', [two], 0)).toBe(5);
    expect(await pool.call('sum', [one], 0)).toBe(1);
    expect(unpacked).toEqual(['1', '2 3']);
    // Too large beside the others: both are dropped.
    expect(await pool.call('sum', [four], 0)).toBe(22);
    expect(await pool.call('sum', [two, two], 0)).toBe(10);
    expect(unpacked).toEqual(['1', '2 3', '4 5 6 7', '2 3']);
  });

  test('a run has all its answers, whatever the number of workers', async () => {
    for (const workers of [1, 3]) {
      const pool = openPool(shared, workers);
      const told: number[] = [];
      const run = new Multiples({ numbers: [1, 2] }, 2000, shared);
      const answers = await pool.runRanges(() => run, { onProgress: (fraction) => told.push(fraction) });
      expect(answers).toEqual(Array.from({ length: 2000 }, (_, i) => 6 * i));
      expect(told[0]).toBe(0);
      expect(told.at(-1)).toBe(1);
    }
  });

  test('a run keeps its items though tasks between its ranges displace them in the worker', async () => {
    const pool = openPool(shared);
    const [small, large] = [
      [1, 2],
      [3, 4, 5, 6],
    ].map((numbers) => ({ numbers }));
    const asked: Promise<unknown>[] = [];
    const onProgress = (): void => {
      if (asked.length < 5) asked.push(pool.call('sum', [large], asked.length));
    };
    const run = new Multiples(small, 5000, shared);
    const answers = await pool.runRanges(() => run, { onProgress });
    expect(answers).toEqual(Array.from({ length: 5000 }, (_, i) => 6 * i));
    expect(await Promise.all(asked)).toEqual([18, 19, 20, 21, 22]);
    expect(unpacked).toContain('3 4 5 6');
  });

  test('an item that cannot be made fails what asked for it, and nothing else', async () => {
    const pool = openPool(shared);
    const unlucky = { numbers: [13] };
    for (let k = 0; k < 2; k++) await expect(pool.call('sum', [unlucky], 0)).rejects.toThrow('an unlucky list');
    await expect(pool.runRanges(() => new Multiples({ numbers: [13] }, 10, shared), {})).rejects.toThrow('unlucky');
    expect(await pool.call('sum', [{ numbers: [1] }], 0)).toBe(1);
  });
});

test('a run that is refused when its turn comes does not stop those after it', async () => {
  const pool = openPool(false);
  const refused = pool.runRanges(() => {
    throw new Error('refused');
  }, {});
  const next = pool.runRanges(() => new Multiples({ numbers: [1] }, 3, false), {});
  await expect(refused).rejects.toThrow('refused');
  expect(await next).toEqual([0, 2, 4]);
});

test('tasks and ranged tasks that the worker does not serve are refused', async () => {
  const pool = openPool(false);
  expect(await laterCodeOf(() => pool.call('product', [], 0))).toBe('unsupported');
  const run = { ...new Multiples({ numbers: [1] }, 3, false), name: 'toString', take: () => {}, finish: () => [] };
  expect(await laterCodeOf(() => pool.runRanges(() => run, {}))).toBe('unsupported');
});

test('options of another kind are refused, and a wrong port leaves no timer behind', () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  expect(() => new WorkerPool(KIND, [{ postMessage: () => {} }])).toThrow(/addEventListener/);
  expect(timers()).toBe(before);
  const { port1 } = new MessageChannel();
  const worker = port1 as unknown as PoolWorker;
  expect(() => new WorkerPool(KIND, [worker], { startTimeout: 0 })).toThrow(/startTimeout is 0; give a positive/);
  expect(() => new WorkerPool(KIND, [worker], { shared: 1 as never })).toThrow(/shared is 1; give true or false/);
  port1.close();
});
