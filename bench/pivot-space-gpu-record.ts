// What bench/gpu-pivot-space.ts measured on a machine with a GPU: the shape of its record, and the table made of it.
import { milliseconds } from './measure.js';
import { originNote, type RecordOrigin, readRecord } from './read-record.js';
import type { BenchTable } from './suite.js';

interface PivotSpaceGpuRecord extends RecordOrigin {
  readonly cylinders: readonly {
    readonly scene: string;
    /** Of the diagonal of a cylinder. */
    readonly share: number;
    readonly samples: number;
    readonly depth: number;
    readonly milliseconds: { readonly gpu: number; readonly cpu: number };
  }[];
}

/** None where nothing was recorded. */
export function pivotSpaceGpuTables(): BenchTable[] {
  const record = readRecord<PivotSpaceGpuRecord>('bench/results/gpu-pivot-space.json');
  if (record === null) return [];
  return [
    {
      title: 'Two deforming cylinders of 20,000 triangles on a GPU, milliseconds a frame',
      headings: ['scene', 'error', 'samples', 'GPU', 'frames a second', 'CPU of the same machine'],
      rows: record.cylinders.map(({ scene, share, samples, milliseconds: { gpu, cpu } }) => [
        scene,
        `${100 * share} %`,
        samples.toLocaleString('en-US'),
        milliseconds(gpu),
        (1000 / gpu).toFixed(0),
        milliseconds(cpu),
      ]),
      notes: [originNote(record), 'From positions in memory to penetrating points of both surfaces in memory.'],
    },
  ];
}
