// A sparse field in the workers of a pool: rows of blocks in jobs of about equal cost, put together in their order. A job's
// answer is its blocks' values, and which blocks of its rows have values, lie outside or lie inside, as runs.

import type { Part } from '../../core/derived-parts.js';
import { NearfieldError } from '../../core/errors.js';
import type { ProgressOptions } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { cutByCost, runJobs } from '../../pool/run-jobs.js';
import { assertPool } from '../../pool/task-pool.js';
import type { TaskPool, WorkerTasks } from '../../proximity/batch/model-pool.js';
import { ProximityModel } from '../../proximity/proximity-model.js';
import { largestCoordinate } from '../field-error.js';
import type { GridFrame } from '../grid.js';
import type { Surface } from '../source/surface.js';
import { BlockTriangles } from './block-triangles.js';
import {
  assertSparse,
  buildSparseRows,
  emptySparseField,
  SPARSE_STAGE,
  type SparseFieldOptions,
  sparseSurface,
} from './compute-sparse-field.js';
import {
  BLOCK_VALUES,
  INSIDE_BLOCK,
  OUTSIDE_BLOCK,
  type SparseField,
  type SparseFieldCounters,
} from './sparse-field.js';

interface RowsInput {
  readonly frame: GridFrame;
  readonly options: Omit<SparseFieldOptions, keyof ProgressOptions>;
  /** Rows of blocks along x, counted layer after layer: from `from` up to before `to`. */
  readonly from: number;
  readonly to: number;
}

/** Rows of blocks, made. */
interface RowsAnswer {
  /** Two numbers per run of blocks: {@link OUTSIDE_BLOCK}, {@link INSIDE_BLOCK} or 0 for blocks with values; the count. */
  readonly runs: Int32Array;
  /** The values of the blocks that have any. */
  readonly values: Float32Array;
  readonly counters: SparseFieldCounters;
}

/** Measured: what a pair of {@link BlockTriangles.countPairs} costs, in microseconds: 3 to 4. */
const PAIR_COST = 4;
/** Chosen: what a pair of an open mesh costs, in microseconds: its signs need winding numbers. */
const OPEN_PAIR_COST = 32;
/** Chosen: what a row without triangles costs, in microseconds. */
const ROW_COST = 1;

/** A model's surface for sparse fields, kept by its thread from one job to the next. */
const SURFACE: Part<ProximityModel, Surface> = {
  name: 'surface of sparse fields',
  make: ({ mesh }) => sparseSurface(mesh),
  bytes: ({ triangles }) => triangles.byteLength,
};

/** The tasks of fields that make sparse ones. */
export const SPARSE_TASKS: WorkerTasks = {
  'field/sparse-rows': ([model], input: RowsInput, progress) => makeRows(model, input, progress),
};

/**
 * As `computeSparseField`, in the workers of a pool, with the same bits.
 * @throws NearfieldError as `computeSparseField` does.
 */
export async function computeSparseFieldInPool(
  pool: TaskPool,
  mesh: Mesh,
  frame: GridFrame,
  options: SparseFieldOptions = {},
): Promise<SparseField> {
  assertPool(pool);
  assertSparse(frame, options);
  const { signal, onProgress, ...rest } = options;
  const model = new ProximityModel(mesh);
  const surface = model.parts.get(SURFACE);
  const field = emptySparseField(surface, frame, rest);
  const { origin, spacing, size } = field;
  const width = field.bandWidth * spacing;
  const extent = largestCoordinate(surface, field);
  const pairs = new BlockTriangles(surface.triangles, surface.count, field, width, extent).countPairs();
  const pairCost = field.signed && !surface.closed ? OPEN_PAIR_COST : PAIR_COST;
  const starts = cutByCost(pairs.length, (row) => ROW_COST + pairCost * pairs[row]);
  const made: (RowsAnswer | null)[] = [];
  let next = 0;
  await runJobs(
    pool,
    starts.length - 1,
    (job, stop) => {
      const input: RowsInput = {
        frame: { origin, spacing, size },
        options: rest,
        from: starts[job],
        to: starts[job + 1],
      };
      return pool.call('field/sparse-rows', [model], input, { signal: stop }) as Promise<RowsAnswer>;
    },
    (job, answer) => {
      made[job] = answer;
      // Blocks are numbered in their order.
      for (let ready = made[next]; ready; ready = made[next]) {
        addRows(field, ready, starts[next], starts[next + 1]);
        made[next++] = null;
      }
    },
    { signal, onProgress },
    SPARSE_STAGE,
  );
  return field;
}

function makeRows(
  model: ProximityModel,
  { frame, options, from, to }: RowsInput,
  progress: ProgressOptions,
): RowsAnswer {
  if (model === undefined) throw new NearfieldError('bad-argument', 'The job has no model.');
  assertSparse(frame, options);
  const surface = model.parts.get(SURFACE);
  const field = emptySparseField(surface, frame, options);
  const [blocksX, blocksY, layers] = field.blocksAlong;
  if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from < to && to <= blocksY * layers)) {
    throw new NearfieldError('bad-argument', `There are no rows ${from} to ${to}; the field has ${blocksY * layers}.`);
  }
  buildSparseRows(field, surface, from, to, progress);
  const runs: number[] = [];
  for (let row = from; row < to; row++) {
    for (let bi = 0; bi < blocksX; bi++) {
      const kind = Math.min(0, field.entry(bi, row % blocksY, Math.floor(row / blocksY)));
      if (runs.length > 0 && runs[runs.length - 2] === kind) runs[runs.length - 1]++;
      else runs.push(kind, 1);
    }
  }
  const values = new Float32Array(BLOCK_VALUES * field.blockCount);
  for (let block = 0; block < field.blockCount; block++) values.set(field.blockValues(block), BLOCK_VALUES * block);
  return { runs: Int32Array.from(runs), values, counters: field.counters };
}

/** Puts rows that a worker has made into the field. */
function addRows(field: SparseField, { runs, values, counters }: RowsAnswer, from: number, to: number): void {
  const [blocksX, blocksY] = field.blocksAlong;
  assertRows(runs, values, blocksX * (to - from));
  let place = blocksX * from;
  let taken = 0;
  for (let r = 0; r < runs.length; r += 2) {
    const end = place + runs[r + 1];
    while (place < end) {
      const row = Math.floor(place / blocksX);
      const rowEnd = Math.min(end, blocksX * (row + 1));
      const bj = row % blocksY;
      const bk = Math.floor(row / blocksY);
      if (runs[r] < 0) field.setEntries(place - blocksX * row, rowEnd - blocksX * row, bj, bk, runs[r]);
      else {
        for (let bi = place - blocksX * row; bi < rowEnd - blocksX * row; bi++) {
          const block = field.addBlock(bi, bj, bk);
          field.blockValues(block).set(values.subarray(taken, taken + BLOCK_VALUES));
          taken += BLOCK_VALUES;
        }
      }
      place = rowEnd;
    }
  }
  for (const name of Object.keys(field.counters) as (keyof SparseFieldCounters)[])
    field.counters[name] += counters[name];
}

function assertRows(runs: Int32Array, values: Float32Array, count: number): void {
  let blocks = 0;
  let filled = 0;
  const areRuns = runs instanceof Int32Array && runs.length % 2 === 0;
  for (let r = 0; areRuns && r < runs.length; r += 2) {
    if (runs[r + 1] < 1 || (runs[r] !== 0 && runs[r] !== OUTSIDE_BLOCK && runs[r] !== INSIDE_BLOCK))
      filled = Number.NaN;
    blocks += runs[r + 1];
    if (runs[r] === 0) filled += runs[r + 1];
  }
  if (blocks === count && values instanceof Float32Array && values.length === BLOCK_VALUES * filled) return;
  throw new NearfieldError('file-format', 'The rows of a sparse field that a worker sent are not those asked for.');
}
