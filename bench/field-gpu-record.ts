// What bench/gpu-field.ts measured on a machine with a GPU: the shape of its record, and the tables made of it.
import type { FloodFieldTimes, FloodNeighbors, GridSize } from 'nearfield/field';
import { milliseconds } from './measure.js';
import { originNote, type RecordOrigin, readRecord } from './read-record.js';
import type { BenchTable } from './suite.js';

export interface FloodRow {
  readonly size: GridSize;
  readonly neighbors: FloodNeighbors;
  readonly sites: number;
  readonly passes: number;
  /** All passes, by the device's clock. */
  readonly milliseconds: number;
  /** 10⁹ bytes per second; each pass or copy counts as one read and one write of the grid. */
  readonly floodRate: number;
  readonly copyKernelRate: number;
  readonly copyCommandRate: number;
  readonly shareOfCopyKernel: number;
}

export interface FieldRow {
  readonly model: string;
  readonly triangles: number;
  readonly size: GridSize;
  /** The median round's. */
  readonly milliseconds: FloodFieldTimes & { readonly total: number };
  /** Nodes compared with the exact distance, the largest difference there and the bound that the field states. */
  readonly samples: number;
  readonly largestDifference: number;
  readonly bound: number;
}

export interface FieldGpuRecord extends RecordOrigin {
  readonly floods: readonly FloodRow[];
  readonly fields: readonly FieldRow[];
}

const FIELD_RECORD_FILE = 'bench/results/gpu-field.json';

/** None where nothing was recorded. */
export function fieldGpuTables(): BenchTable[] {
  const record = readRecord<FieldGpuRecord>(FIELD_RECORD_FILE);
  if (record === null) return [];
  const where = originNote(record);
  const samples = [...new Set(record.fields.map((row) => row.samples))].join(', ');
  return [
    {
      title: 'Jump flooding on a GPU',
      headings: ['grid', 'neighbors', 'sites', 'passes', 'ms', 'GB/s', 'copy GB/s', 'share of the copy'],
      rows: record.floods.map((row) => [
        sizeCell(row.size),
        row.neighbors,
        `${row.sites}`,
        `${row.passes}`,
        row.milliseconds.toFixed(3),
        row.floodRate.toFixed(0),
        row.copyKernelRate.toFixed(0),
        row.shareOfCopyKernel.toFixed(2),
      ]),
      notes: [
        where,
        'A pass counts as one read and one write of the grid. The copy is a kernel that reads and writes as much, 16 bytes ' +
          "a thread. 'all' looks at 9 nodes a pass in the plane and 27 in space, 'axes' at three along each axis in turn.",
      ],
    },
    {
      title: 'Whole fields on a GPU, milliseconds',
      headings: [
        'model',
        'triangles',
        'grid',
        'hierarchy',
        'on the device',
        'sign and values',
        'in all',
        'off by',
        'bound',
      ],
      rows: record.fields.map((row) => [
        row.model,
        `${row.triangles}`,
        sizeCell(row.size),
        milliseconds(row.milliseconds.prepare),
        milliseconds(row.milliseconds.device),
        milliseconds(row.milliseconds.finish),
        milliseconds(row.milliseconds.total),
        row.largestDifference.toExponential(1),
        row.bound.toExponential(1),
      ]),
      notes: [
        where,
        'From a mesh to a signed field in memory, the median of five after a first. On the device: sending, seeds, flood, ' +
          `search and reading back. Off by: the largest difference to the exact distance at ${samples} nodes.`,
      ],
    },
  ];
}

/** A plane has one node along z, which is left out. */
function sizeCell(size: GridSize): string {
  return (size[2] === 1 ? size.slice(0, 2) : size).join(' × ');
}
