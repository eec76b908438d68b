// What bench/gpu-voronoi.ts measured on a machine with a GPU: the shape of its record, and the tables made of it.
import { milliseconds } from './measure.js';
import { originNote, type RecordOrigin, readRecord } from './read-record.js';
import type { BenchTable } from './suite.js';

interface DiagramRow {
  readonly kind: string;
  readonly sites: number;
  readonly resolution: number;
  readonly milliseconds: { readonly device: number; readonly setSites: number; readonly read: number };
  /** Against the image of the CPU. */
  readonly largestDifference: number;
  readonly bound: number;
  readonly otherIds: number;
}

interface SpaceRow {
  readonly kind: string;
  readonly sites: number;
  readonly resolution: number;
  readonly milliseconds: { readonly total: number };
}

interface VoronoiGpuRecord extends RecordOrigin {
  readonly diagrams: readonly DiagramRow[];
  readonly space: readonly SpaceRow[];
}

const RECORD_FILE = 'bench/results/gpu-voronoi.json';

/** None where nothing was recorded. */
export function voronoiGpuTables(): BenchTable[] {
  const record = readRecord<VoronoiGpuRecord>(RECORD_FILE);
  if (record === null) return [];
  const where = originNote(record);
  return [
    {
      title: 'Voronoi images on a GPU, milliseconds',
      headings: ['sites', 'samples', 'on the device', 'new sites', 'with reading back', 'off by', 'bound', 'other ids'],
      rows: record.diagrams.map((row) => [
        `${row.sites} ${row.kind}`,
        `${row.resolution}²`,
        row.milliseconds.device.toFixed(3),
        milliseconds(row.milliseconds.setSites),
        milliseconds(row.milliseconds.read),
        row.largestDifference.toExponential(1),
        row.bound.toExponential(1),
        `${row.otherIds}`,
      ]),
      notes: [
        where,
        'On the device: by its own clock, from the first stage to the last. New sites: checking, packing and sending them. ' +
          'Off by and other ids: against the image of the CPU; other ids are ties within the bound.',
      ],
    },
    {
      title: 'Voronoi diagrams in space on a GPU, milliseconds',
      headings: ['sites', 'samples', 'from sites to memory'],
      rows: record.space.map((row) => [
        `${row.sites} ${row.kind}`,
        `${row.resolution}³`,
        milliseconds(row.milliseconds.total),
      ]),
      notes: [where],
    },
  ];
}
