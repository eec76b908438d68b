// What bench/gpu-penetration.ts measured on a machine with a GPU: the shape of its record, and the tables made of it.
import type { PenetrationLevel } from 'nearfield/penetration';
import { milliseconds } from './measure.js';
import { intervalCell, LEVEL_HEADINGS, levelCells, timeCell } from './penetration-tables.js';
import { originNote, type RecordOrigin, readRecord } from './read-record.js';
import type { BenchTable } from './suite.js';

export interface GpuRun {
  /** Backend and query. */
  readonly name: string;
  /** Milliseconds per query. */
  readonly median: number;
  readonly minimum: number;
  /** Queries timed, after a warm-up. */
  readonly rounds: number;
  /** Where it ran: 'cpu' if the GPU query fell back to the CPU. */
  readonly backend: 'cpu' | 'webgpu';
  readonly depth: number;
  readonly lower: number;
  readonly status: string;
  readonly levels: readonly PenetrationLevel[];
}

export interface GpuRecord extends RecordOrigin {
  readonly benchmarks: readonly {
    readonly name: string;
    readonly title: string;
    readonly pieces: readonly [number, number];
    readonly runs: readonly GpuRun[];
    /** Runs that ended in an error, with its message. */
    readonly failures: readonly string[];
  }[];
  /** Single steps of the GPU path. */
  readonly steps: readonly { readonly name: string; readonly median: number; readonly minimum: number }[];
}

export const GPU_RECORD_FILE = 'bench/results/gpu-penetration.json';
const ABSENT = '–';

/** None where nothing was recorded. */
export function gpuRecordTables(): BenchTable[] {
  const record = readRecord<GpuRecord>(GPU_RECORD_FILE);
  if (record === null) return [];
  const { benchmarks, steps } = record;
  const names = [...new Set(benchmarks.flatMap(({ runs }) => runs.map(({ name }) => name)))];
  const where = originNote(record);
  return [
    {
      title: 'On a GPU, milliseconds a query',
      headings: ['benchmark', ...names.flatMap((name) => [`${name}: median`, 'best', 'depth'])],
      rows: benchmarks.map(({ title, runs }) => [
        title,
        ...names.flatMap((name) => {
          const run = runs.find((each) => each.name === name);
          return run ? [timeCell(run), milliseconds(run.minimum), depthCell(run)] : [ABSENT, ABSENT, ABSENT];
        }),
      ]),
      notes: [
        where,
        'Queries measured after a warm-up, which itself counts if it took over 10 s: ' +
          `${names.map((name) => `${name}: ${countRounds(benchmarks, name)}`).join('; ')}. "On the CPU": the GPU was asked ` +
          'and left the answer to the CPU.',
        ...benchmarks.flatMap(({ title, failures }) => failures.map((text) => `${title}: ${text}.`)),
      ],
    },
    {
      title: 'On a GPU, level by level',
      headings: ['benchmark', 'way', ...LEVEL_HEADINGS],
      rows: benchmarks.flatMap(({ title, runs }) => {
        const onGpu = runs.filter(({ name }) => name.startsWith('GPU'));
        return onGpu.flatMap(({ name, levels }) => levels.map((level) => [title, name, ...levelCells(level)]));
      }),
      notes: [where],
    },
    {
      title: 'Single steps on a GPU, milliseconds',
      headings: ['step', 'median', 'best'],
      rows: steps.map(({ name, median, minimum }) => [name, median.toFixed(3), minimum.toFixed(3)]),
      notes: [where],
    },
  ];
}

function depthCell({ status, lower, depth }: GpuRun): string {
  return status === 'certified' ? intervalCell({ lower, upper: depth }) : depth.toPrecision(6);
}

/** The fewest and the most. */
function countRounds(benchmarks: GpuRecord['benchmarks'], name: string): string {
  const counts = benchmarks.flatMap(({ runs }) => runs.filter((run) => run.name === name).map(({ rounds }) => rounds));
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? `${least}` : `${least} to ${most}`;
}
