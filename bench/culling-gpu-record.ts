// What bench/gpu-culling.ts measured on a machine with a GPU: the shape of its record, and the tables made of it.
import { milliseconds } from './measure.js';
import { originNote, type RecordOrigin, readRecord } from './read-record.js';
import type { BenchTable } from './suite.js';

export interface CullingGpuRow {
  readonly case: string;
  readonly triangles: number;
  readonly method: string;
  readonly resolution: number | null;
  /** Of cullide; records without it counted fragments. */
  readonly visibility?: string | null;
  /** Milliseconds from meshes in memory to the answer: median and least of a call. */
  readonly median: number;
  readonly minimum: number;
  readonly cpu: number;
  /** Triangles after each stage. */
  readonly stages: readonly number[];
  readonly exactPairs: number;
  /** Whether the CPU finds the same pairs. */
  readonly agrees: boolean;
}

export interface CullingGpuRecord extends RecordOrigin {
  readonly rows: readonly CullingGpuRow[];
}

const RECORD_FILE = 'bench/results/gpu-culling.json';

/** None where nothing was recorded. */
export function cullingGpuTables(): BenchTable[] {
  const record = readRecord<CullingGpuRecord>(RECORD_FILE);
  if (record === null) return [];
  return [
    {
      title: 'Collision culling on a GPU, milliseconds a frame',
      headings: [
        'environment',
        'method',
        'median',
        'least',
        'lbvh on the CPU there',
        'triangles after each stage',
        'agrees',
      ],
      rows: record.rows.map((row) => [
        row.case,
        row.resolution === null ? row.method : `${row.method} at ${row.resolution}², ${row.visibility ?? 'fragments'}`,
        milliseconds(row.median),
        milliseconds(row.minimum),
        milliseconds(row.cpu),
        row.stages.map((count) => count.toLocaleString('en-US')).join(' → '),
        row.agrees ? 'yes' : 'NO',
      ]),
      notes: [
        originNote(record),
        'Everything counts: checks, sending the positions, the device, reading ids back, exact tests on the CPU.',
      ],
    },
  ];
}
