// Tables 2 and 3 of Kim, Otaduy, Lin and Manocha 2002 from what the queries gave, the document's figures beside ours.
import type { PenetrationLevel } from 'nearfield/penetration';
import { milliseconds, ratio } from './measure.js';
import type { BasicTiming } from './penetration-basic.js';
import type { PreparedPair, QueryTiming } from './penetration-run.js';
import type { DocumentFigures, PenetrationPair } from './scenarios/penetration.js';
import type { BenchTable } from './suite.js';

/** What the suite measured about one pair. */
export interface PairOutcome {
  readonly prepared: PreparedPair;
  /** On the CPU: the default way, then the document's descent by rays and by windows; then the same on the GPU, if any. */
  readonly timings: readonly QueryTiming[];
  readonly basic: Readonly<Record<'rays' | 'windows', BasicTiming | null>>;
}

const ABSENT = '–';

export function documentOf(pair: PenetrationPair): DocumentFigures | null {
  return 'document' in pair ? (pair as { document: DocumentFigures }).document : null;
}

/** Table 2: a table a pair. */
export function levelTable({ prepared, timings }: PairOutcome): BenchTable {
  const { pair, pieces, prepareMilliseconds } = prepared;
  const document = documentOf(pair);
  const triangles = [pair.meshA, pair.meshB].map(({ indices }) => indices.length / 3);
  return {
    title: `${pair.title}, level by level: the document's Table 2`,
    headings: [
      'way',
      ...LEVEL_HEADINGS,
      ...(document ? ['the document: culled', 'sums, ms', 'query, ms', 'estimate'] : []),
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
        `${document ? ` (the document's: ${document.pieces.join(' and ')})` : ''}, made ready in ` +
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

/** Table 3: a row a pair. */
export function accelerationTable(outcomes: readonly PairOutcome[]): BenchTable {
  const names = outcomes[0].timings.map(({ name }) => name);
  return {
    title: "Without and with acceleration: the document's Table 3",
    headings: [
      'benchmark',
      'depth',
      ...names.map((name) => `${name}, ms`),
      'without, rays, s',
      'measured on',
      'without, windows, s',
      'measured on',
      'levels are faster by, rays',
      'windows',
      'the document: with, s',
      'without, s',
      'faster than the document',
    ],
    rows: outcomes.map(({ prepared: { pair }, timings, basic }) => {
      const document = documentOf(pair);
      const [ours, rays, windows] = timings;
      return [
        pair.title,
        ours.result.depth.toPrecision(4),
        ...timings.map(({ median }) => milliseconds(median)),
        ...basicCells(basic.rays),
        ...basicCells(basic.windows),
        basic.rays ? ratio(rays.median, basic.rays.milliseconds) : ABSENT,
        basic.windows ? ratio(windows.median, basic.windows.milliseconds) : ABSENT,
        document ? `${document.seconds}` : ABSENT,
        document ? `${document.unacceleratedSeconds}` : ABSENT,
        document ? ratio(ours.median, 1000 * document.seconds) : ABSENT,
      ];
    }),
    notes: [
      'Six views, 128² pixels each on the way and 256² at the last level. "Levels" is the document\'s descent, "probes" ours, ' +
        'which is the default. "Without" is the basic algorithm: all pairs of ' +
        'pieces, no descent, no culling, on the CPU. Where it was measured on fewer pixels, the time is the line through ' +
        'the last two measurements, carried on to 256² pixels; where it was measured on a share of the work, that share ' +
        'is taken for all of it, at that resolution.',
      'The document: a 1.6 GHz Pentium 4 and a GeForce 3, its own models of the same kind and size.',
    ],
  };
}

function basicCells(basic: BasicTiming | null): string[] {
  return basic === null ? [ABSENT, 'not tried'] : [(basic.milliseconds / 1000).toPrecision(3), basic.measured];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
