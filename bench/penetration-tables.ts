// Tables 2 and 3 of Kim, Otaduy, Lin and Manocha 2002 from the results of the queries, their figures beside ours.
import type { PenetrationLevel } from 'nearfield/penetration';
import { milliseconds, ratio } from './measure.js';
import type { BasicTiming } from './penetration-basic.js';
import {
  CERTIFIED,
  CPU_PROBES,
  CPU_RAYS,
  CPU_WINDOWS,
  type PreparedPair,
  type QueryTiming,
} from './penetration-run.js';
import type { DocumentFigures, PenetrationPair } from './scenarios/penetration.js';
import type { BenchTable } from './suite.js';

/** What the suite measured about one pair. */
export interface PairOutcome {
  readonly prepared: PreparedPair;
  /** Of the contestants that answered. */
  readonly timings: readonly QueryTiming[];
  readonly basic: Readonly<Record<'rays' | 'windows', BasicTiming | null>>;
}

const ABSENT = '–';

export function documentOf(pair: PenetrationPair): DocumentFigures | null {
  return 'document' in pair ? (pair as { document: DocumentFigures }).document : null;
}

/** Table 2: one table per pair. */
export function levelTable({ prepared, timings }: PairOutcome): BenchTable {
  const { pair, pieces, prepareMilliseconds } = prepared;
  const document = documentOf(pair);
  const triangles = [pair.meshA, pair.meshB].map(({ indices }) => indices.length / 3);
  return {
    title: `${pair.title}, level by level: Kim et al. 2002, Table 2`,
    headings: [
      'way',
      ...LEVEL_HEADINGS,
      ...(document ? ['Kim et al. 2002: culled', 'sums, ms', 'query, ms', 'estimate'] : []),
    ],
    rows: timings.flatMap(({ name, result }) =>
      result.levels.map((level) => [
        name,
        ...levelCells(level),
        ...documentCells(document, name.includes('levels') ? level.level : null),
      ]),
    ),
    notes: [
      `${triangles.join(' and ')} triangles, ${pieces.join(' and ')} convex pieces` +
        `${document ? ` (Kim et al. 2002: ${document.pieces.join(' and ')})` : ''}, made ready in ` +
        `${milliseconds(prepareMilliseconds)} ms, which is not counted. ` +
        timings
          .map(({ name, median, result }) => `${name}: ${milliseconds(median)} ms, ${result.depth.toPrecision(6)}`)
          .join('; ') +
        '.',
    ],
  };
}

export const LEVEL_HEADINGS = [
  'level',
  'pairs',
  'culled',
  'sums',
  'facets',
  'rays',
  'culling, ms',
  'sums, ms',
  'query, ms',
  'estimate',
];

export function levelCells(level: PenetrationLevel): string[] {
  return [
    `${level.level}`,
    `${level.pairs}`,
    percent(level.cullRatio),
    `${level.sums}`,
    `${level.facets}`,
    `${level.rays}`,
    milliseconds(level.cullMilliseconds),
    milliseconds(level.sumMilliseconds),
    milliseconds(level.queryMilliseconds),
    level.estimate.toPrecision(4),
  ];
}

function documentCells(document: DocumentFigures | null, level: number | null): string[] {
  if (document === null) return [];
  const printed = document.levels.find((each) => each.level === level);
  if (printed === undefined) return [ABSENT, ABSENT, ABSENT, ABSENT];
  const { cullRatio, sumSeconds, querySeconds, estimate } = printed;
  return [percent(cullRatio), `${1000 * sumSeconds}`, `${1000 * querySeconds}`, `${estimate}`];
}

export function findTiming(timings: readonly QueryTiming[], { name }: { readonly name: string }): QueryTiming | null {
  return timings.find((timing) => timing.name === name) ?? null;
}

/** Milliseconds, and the backend if it was not the requested one. */
export function timeCell(timing: { name: string; median: number; backend: string } | null): string {
  if (timing === null) return ABSENT;
  const asked = timing.name.startsWith('GPU') ? 'webgpu' : 'cpu';
  return `${milliseconds(timing.median)}${timing.backend === asked ? '' : ' (on the CPU)'}`;
}

/** Table 3: one row per pair. */
export function accelerationTable(outcomes: readonly PairOutcome[]): BenchTable {
  const names = [...new Set(outcomes.flatMap(({ timings }) => timings.map(({ name }) => name)))];
  return {
    title: 'Without and with acceleration: Kim et al. 2002, Table 3',
    headings: [
      'benchmark',
      'depth, proven',
      'by images',
      ...names.map((name) => `${name}, ms`),
      'without, rays, s',
      'measured on',
      'without, windows, s',
      'measured on',
      'levels are faster by, rays',
      'windows',
      'Kim et al. 2002: with, s',
      'without, s',
      'certified is faster by',
      'images are',
    ],
    rows: outcomes.map(({ prepared: { pair }, timings, basic }) => {
      const document = documentOf(pair);
      const of = (contestant: { readonly name: string }) => findTiming(timings, contestant);
      const gain = (contestant: { readonly name: string }, theirs: number | undefined): string => {
        const ours = of(contestant);
        return ours === null || theirs === undefined ? ABSENT : ratio(ours.median, theirs);
      };
      const [certified, images] = [of(CERTIFIED)?.result, of(CPU_PROBES)?.result];
      const documentMilliseconds = document ? 1000 * document.seconds : undefined;
      return [
        pair.title,
        certified ? intervalCell(certified) : ABSENT,
        images ? images.depth.toPrecision(6) : ABSENT,
        ...names.map((name) => {
          const timing = of({ name });
          return timeCell(timing && { ...timing, backend: timing.result.backend });
        }),
        ...basicCells(basic.rays),
        ...basicCells(basic.windows),
        gain(CPU_RAYS, basic.rays?.milliseconds),
        gain(CPU_WINDOWS, basic.windows?.milliseconds),
        document ? `${document.seconds}` : ABSENT,
        document ? `${document.unacceleratedSeconds}` : ABSENT,
        gain(CERTIFIED, documentMilliseconds),
        gain(CPU_PROBES, documentMilliseconds),
      ];
    }),
    notes: [
      'Certified, which is the default: the depth is proven to lie in the interval. The others are the method of Kim et al. 2002, an ' +
        'upper estimate from six views, 128² pixels each on the way and 256² at the last level: "levels" is its descent, ' +
        '"probes" ours. "–" among the times: no answer in time; what took over 6 s at first was asked once. "Without" is its basic algorithm: all pairs of ' +
        'pieces, no descent, no culling, on the CPU. Where it was measured on fewer pixels, the time of those is carried on to ' +
        '256² in proportion to their number, what comes before the first pixel is not; by windows, along the line through the ' +
        'last two measurements.',
      'Kim et al. 2002: a 1.6 GHz Pentium 4 and a GeForce 3, their own models of the same kind and size.',
    ],
  };
}

/** Lower … upper, rounded outward, with as many digits as tell them apart. */
export function intervalCell({ lower, upper }: { readonly lower: number; readonly upper: number }): string {
  if (!(upper > 0)) return `${upper}`;
  const gap = Math.max(1e-10, (upper - lower) / upper);
  const places = Math.ceil(-Math.log10(gap * upper)) + 1;
  const step = 10 ** Math.max(0, places);
  return [Math.floor(lower * step), Math.ceil(upper * step)]
    .map((value) => (value / step).toFixed(Math.max(0, places)))
    .join(' … ');
}

function basicCells(basic: BasicTiming | null): string[] {
  return basic === null ? [ABSENT, 'not tried'] : [(basic.milliseconds / 1000).toPrecision(3), basic.measured];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
