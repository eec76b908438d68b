// What bench/gpu-ice.ts measured on a machine with a GPU: the shape of its record, and the tables made of it.
import { writePlot } from './log-plot.js';
import type { PfhubRun } from './pfhub.js';
import { drawPfhub } from './pfhub-plot.js';
import { originNote, type RecordOrigin, readRecord } from './read-record.js';
import type { BenchTable } from './suite.js';

export interface IceGpuRow {
  readonly size: number;
  /** Bytes a second, each counted as read and as written. */
  readonly copyRate: number;
  /** Steps a second of the full grid early in growth and later, and of the band early. */
  readonly full: number;
  readonly grown: number;
  readonly band: number;
  /** Share of the tiles that the band computed. */
  readonly computed: number;
  readonly shareOfCopy: number;
}

interface IceGpuRecord extends RecordOrigin {
  readonly rows: readonly IceGpuRow[];
  readonly pfhub: readonly PfhubRun[];
}

const ICE_RECORD_FILE = 'bench/results/gpu-ice.json';

/** Kim and Lin's table: grid, steps a second on their CPU and GPU of 2003. */
export const SLIDES = new Map([
  [64, [250, 624]],
  [128, [25, 236]],
  [256, [8, 67.47]],
  [512, [3.5, 17.67]],
  [1024, [1.08, 3.77]],
]);

/** None where nothing was recorded. The whole suite in a checkout also writes docs/pfhub-3a.svg, which a table links to. */
export function iceGpuTables(quick: boolean): BenchTable[] {
  const record = readRecord<IceGpuRecord>(ICE_RECORD_FILE);
  if (record === null) return [];
  const where = originNote(record);
  return [
    {
      title: 'Ice growth on a GPU, steps a second',
      headings: [
        'grid',
        'full grid',
        'late in growth',
        'active band',
        'tiles computed',
        'of the copy',
        'Kim and Lin 2003',
      ],
      rows: record.rows.map((row) => [
        `${row.size}²`,
        row.full.toFixed(0),
        row.grown.toFixed(0),
        row.band.toFixed(0),
        `${(100 * row.computed).toFixed(1)} %`,
        row.shareOfCopy.toFixed(2),
        `${SLIDES.get(row.size)?.[1] ?? '–'}`,
      ]),
      notes: [
        where,
        '1,024 steps after 100 (late: after ten times the side), waiting included; the median of five growths. Of the copy: the ' +
          'share of the bandwidth of a kernel that copies both fields, in the same run; small grids stay in the cache.',
      ],
    },
    ...pfhubTables(record.pfhub, where, quick),
  ];
}

/** The benchmark's figures at some times. */
function pfhubTables(runs: readonly PfhubRun[], where: string, quick: boolean): BenchTable[] {
  if (runs.length === 0) return [];
  const picture = quick ? null : writePlot('pfhub-3a.svg', drawPfhub(runs));
  const times = [0, 0.2, 0.4, 0.6, 0.8, 1];
  const rows = times.map((share) => {
    const samples = runs.map(({ series }) => series[Math.round(share * (series.length - 1))]);
    return [
      samples[0].time.toFixed(0),
      ...samples.map(({ tip }) => tip.toFixed(2)),
      ...samples.map(({ solidFraction }) => solidFraction.toFixed(5)),
      ...samples.map(({ freeEnergy }) => freeEnergy.toFixed(0)),
    ];
  });
  const named = (name: string): string[] => runs.map(({ spacing }) => `${name}, h = ${spacing}`);
  return [
    {
      title: "PFHub's benchmark 3a",
      headings: ['time', ...named('tip'), ...named('solid fraction'), ...named('free energy')],
      rows,
      notes: [
        ...(picture === null ? [] : [`![Tip position, solid fraction and free energy over time](${picture})`, '']),
        where,
        `The steps took ${runs.map(({ seconds, spacing }) => `${seconds.toFixed(1)} s (h = ${spacing})`).join(', ')}. Tips published for ` +
          't = 1500 range from 217 to 285 and are not converged; MOOSE took 17 s on six cores, PRISMS-PF 49 s.',
      ],
    },
  ];
}
