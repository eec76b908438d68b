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

interface MeshRow {
  readonly kind: string;
  readonly sites: number;
  readonly resolution: number;
  readonly triangles: number;
  /** `onCpu`: on the same machine. */
  readonly milliseconds: { readonly total: number; readonly onCpu: number };
  /** Against exact distances. */
  readonly largestDifference: number;
  readonly bound: number;
  readonly otherIds: number;
}

interface VoronoiGpuRecord extends RecordOrigin {
  readonly diagrams: readonly DiagramRow[];
  readonly space: readonly SpaceRow[];
  readonly meshImages: readonly MeshRow[];
  readonly meshSpace: readonly MeshRow[];
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
    meshTable(
      'Distance meshes (Hoff et al. 1999) on a GPU, within half a pixel, milliseconds',
      '²',
      record.meshImages,
      where,
    ),
    meshTable('Distance meshes in space on a GPU, within half a spacing, milliseconds', '³', record.meshSpace, where),
  ];
}

function meshTable(title: string, power: string, rows: readonly MeshRow[], where: string): BenchTable {
  return {
    title,
    headings: ['sites', 'samples', 'triangles', 'from sites to memory', 'on the CPU', 'off by', 'bound', 'other ids'],
    rows: rows.map((row) => [
      `${row.sites} ${row.kind}`,
      `${row.resolution}${power}`,
      row.triangles.toLocaleString('en-US'),
      milliseconds(row.milliseconds.total),
      milliseconds(row.milliseconds.onCpu),
      row.largestDifference.toExponential(1),
      row.bound.toExponential(1),
      `${row.otherIds}`,
    ]),
    notes: [where, 'Off by and other ids: against exact distances; other ids are ties within the bound.'],
  };
}
