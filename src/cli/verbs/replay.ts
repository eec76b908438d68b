import { basename } from 'node:path';
import { NearfieldError } from '../../core/errors.js';
import { partOfProgress } from '../../core/progress.js';
import { preparePenetration } from '../../penetration/prepare-penetration.js';
import { PROXIMITY_DEFAULTS } from '../../proximity/defaults.js';
import { takeLength, takePositionals, takeString } from '../arguments.js';
import { CLUSTER_HELP, CLUSTER_OPTIONS, withCluster } from '../cluster/open-cluster.js';
import { extensionOf, saveBytes } from '../load-model.js';
import {
  DISTANCE_HELP,
  DISTANCE_OPTIONS,
  loadPair,
  takeDistanceOptions,
  takeHullFiles,
  takeVolume,
  VOLUME_HELP,
  VOLUME_OPTION,
} from '../load-proximity.js';
import {
  PENETRATION_HELP,
  PENETRATION_OPTIONS,
  refusePenetrationOptions,
  relativeGapOf,
  takePenetrationOptions,
} from '../penetration-options.js';
import {
  type ClearanceSeries,
  describeSpans,
  drawSparkline,
  findSpans,
  summarizeClearance,
} from '../replay/clearance.js';
import { drawClearancePlot } from '../replay/clearance-plot.js';
import { writeClearanceReport } from '../replay/clearance-report.js';
import { type Frame, loadFrames } from '../replay/frames-file.js';
import {
  type FrameDepth,
  type FrameResult,
  measureClearance,
  REPLAY_QUERIES,
  type Replay,
  type ReplayQuery,
  replayFrames,
  signClearance,
} from '../replay/replay-frames.js';
import { clearanceOnCluster, replayOnCluster } from '../replay/replay-on-cluster.js';
import { labeled, readable } from '../table.js';
import type { Verb, VerbInput } from '../verb.js';

export const replay: Verb = {
  name: 'replay',
  summary: 'runs one query for every frame of a motion; shows the motion and its clearance over time',
  usage:
    'replay A B FRAMES --query intersects|within|distance|contacts|penetration [--tolerance T] [-o PLOT.svg|PLOT.html]',
  help: `FRAMES is {"frames":[{"A":[…],"B":[…]}, …]}: poses tx,ty,tz,qx,qy,qz,qw, or rigid matrices of 16 numbers, row by row.
Every frame is asked once. Only the queries are timed, not what surrounds them.
  --query Q            intersects, within, distance, contacts or penetration (how deep two solids overlap)
  --tolerance T        for within and contacts; the plot shows it as a line
  --no-coherence       keep no state from one frame to the next
  --timed              times to compare: one warm-up pass, then three passes that each start without state; the
                       median pass counts
${DISTANCE_HELP}
${VOLUME_HELP}
${CLUSTER_HELP}
                       (frames are asked there as with --no-coherence; single queries have no times)
  -o, --output PLOT    plot the clearance over time with the worst frame marked, as .svg, or as .html
                       with the motion in 3D beside it
  --unit NAME          the name of the unit of length in the plot (default: units)
for --query penetration, which runs on the CPU and starts each frame from the translation of the previous one:
${PENETRATION_HELP}

  nearfield replay door.obj frame.obj swing.json --query distance -o clearance.html
  nearfield replay a.obj b.obj frames.json --query within --tolerance 0.01 --timed --json | jq .meanMicroseconds
  nearfield replay a.obj b.obj shift.json --query penetration --cluster redis://queue.local:6379`,
  options: {
    query: { type: 'string' },
    tolerance: { type: 'string' },
    'no-coherence': { type: 'boolean' },
    timed: { type: 'boolean' },
    output: { type: 'string', short: 'o' },
    unit: { type: 'string' },
    ...DISTANCE_OPTIONS,
    ...VOLUME_OPTION,
    ...PENETRATION_OPTIONS,
    ...CLUSTER_OPTIONS,
  },
  async run(input) {
    const [pathA, pathB, pathFrames] = takePositionals(input, 'replay', ['A', 'B', 'FRAMES']);
    const query = takeQuery(input);
    const tolerance = takeLength(input, 'tolerance');
    const needsTolerance = query === 'within' || query === 'contacts';
    if (needsTolerance && tolerance === null) {
      throw new NearfieldError('bad-argument', `--query ${query} needs --tolerance T, the largest distance`);
    }
    const distanceOptions = takeDistanceOptions(input);
    if (query !== 'penetration') refusePenetrationOptions(input);
    const penetrationOptions = takePenetrationOptions(input);
    const isApart = refuseWithCluster(input);
    const coherence = !input.values['no-coherence'] && !isApart;
    const volume = takeVolume(input, coherence ? PROXIMITY_DEFAULTS.volume : PROXIMITY_DEFAULTS.statelessVolume);
    const output = takeString(input, 'output');
    if (query === 'penetration' && output === null) refuseDistanceOptions(input);
    const draw = output === null ? null : plotKind(output);
    const unit = takeString(input, 'unit') ?? 'units';
    const frames = await loadFrames(pathFrames);
    const { pair, preprocessMs } = await loadPair(
      pathA,
      pathB,
      {
        // Workers make what they need themselves.
        ...(isApart
          ? { volume: 'boxes', queries: 0 }
          : { volume, queries: frames.length, prepare: query === 'penetration' ? preparePenetration : undefined }),
        coherence,
        hulls: takeHullFiles(input),
      },
      partOfProgress(input.progress, 0, 0.3),
    );

    const asked = { query, tolerance: tolerance ?? 0, distanceOptions, penetrationOptions, coherence };
    const part = partOfProgress(input.progress, 0.3, draw === null ? 1 : 0.8);
    const lastPart = partOfProgress(input.progress, 0.8, 1);
    const start = performance.now();
    const { results, times, clearance } = await withCluster(input, async (cluster) => {
      const measure = (some: readonly Frame[]): ClearanceSeries | Promise<ClearanceSeries> =>
        cluster === null
          ? measureClearance(pair, some, distanceOptions, lastPart)
          : clearanceOnCluster(cluster, pair, some, { ...distanceOptions, volume }, lastPart);
      const { results, ...times }: { results: FrameResult[] } & Partial<Replay> =
        cluster === null
          ? replayFrames(pair, frames, asked, input.values.timed === true, part)
          : { results: await replayOnCluster(cluster, pair, frames, { ...asked, volume }, part) };
      const clearance =
        query === 'distance'
          ? (results as ClearanceSeries)
          : draw === null
            ? null
            : query === 'penetration'
              ? await signClearance(frames, results as FrameDepth[], measure)
              : await measure(frames);
      return { results, times, clearance };
    });
    const { meanMicroseconds = null, medianMicroseconds = null } = times;
    const milliseconds = performance.now() - start;
    const depths = query === 'penetration' ? (results as FrameDepth[]) : null;
    if (output !== null && draw !== null && clearance !== null) {
      const plot = drawClearancePlot({
        title: `${depths === null ? 'Clearance' : 'Clearance and depth'} of ${basename(pathA)} and ${basename(pathB)}`,
        series: clearance,
        tolerance,
        cutoff: distanceOptions.cutoff ?? null,
        unit,
      });
      await saveBytes(
        output,
        new TextEncoder().encode(
          draw === 'svg'
            ? `${plot}\n`
            : await writeClearanceReport(plot, clearance, unit, { a: pair.a, b: pair.b, frames }),
        ),
      );
    }
    const summary = clearance === null || depths !== null ? null : summarizeClearance(clearance);
    const { worstFrame = null, min = null, mean = null } = summary ?? {};
    return {
      json: {
        query,
        frames: frames.length,
        results,
        ...(summary !== null && {
          worstFrame,
          minClearance: min,
          meanClearance: mean,
          intersectingFrames: summary.intersectingFrames,
        }),
        ...(depths !== null && findDeepest(depths)),
        preprocessMs,
        meanMicroseconds,
        medianMicroseconds,
        ...(isApart && { milliseconds }),
        ...(output !== null && { output }),
      },
      text: labeled([
        ['A', pathA],
        ['B', pathB],
        ['frames', `${readable(frames.length)} of ${pathFrames}`],
        ...describeResults(query, tolerance, results),
        ...(summary === null || clearance === null
          ? []
          : ([
              ['intersecting', countFrames(summary.intersectingFrames, describeSpans(summary.intersecting))],
              [
                'clearance',
                min === null || mean === null
                  ? `more than ${readable(distanceOptions.cutoff ?? 0)} in every frame`
                  : `least ${readable(min)} at frame ${worstFrame}, mean ${readable(mean)}`,
              ],
              ['', drawSparkline(clearance)],
            ] as const)),
        meanMicroseconds === null || medianMicroseconds === null
          ? ['on the cluster', `${milliseconds.toFixed(0)} ms`]
          : ['a query', `${meanMicroseconds.toFixed(2)} µs on average, ${medianMicroseconds.toFixed(2)} µs median`],
        [
          '',
          `${depths === null ? (isApart ? volume : pair.volume) : penetrationOptions.method}, ${coherence ? 'coherent in time' : 'nothing kept between frames'}`,
        ],
        ['to prepare', `${preprocessMs.toFixed(1)} ms`],
        ...(output === null ? [] : [['output', output] as const]),
      ]),
    };
  },
};

function takeQuery(input: VerbInput): ReplayQuery {
  const asked = takeString(input, 'query');
  const query = REPLAY_QUERIES.find((candidate) => candidate === asked);
  if (query !== undefined) return query;
  const what = asked === null ? 'replay needs --query' : `there is no query "${asked}"`;
  throw new NearfieldError('bad-argument', `${what}; give --query ${REPLAY_QUERIES.join(', ')}`);
}

function plotKind(path: string): 'svg' | 'html' {
  const ending = extensionOf(path);
  if (ending === 'svg') return 'svg';
  if (ending === 'html' || ending === 'htm') return 'html';
  throw new NearfieldError('bad-argument', `${path}: a plot is an SVG or HTML file; use the extension .svg or .html`);
}

/** The results for people, for queries other than the distance. */
function describeResults(
  query: ReplayQuery,
  tolerance: number | null,
  results: readonly FrameResult[],
): (readonly [string, string])[] {
  if (query === 'distance') return [];
  if (query === 'penetration') return describeDepths(results as readonly FrameDepth[]);
  if (query === 'contacts') {
    const counts = results.map((contacts) => (contacts as readonly unknown[]).length);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const most = counts.reduce((a, b) => Math.max(a, b), 0);
    return [
      [
        'contacts',
        `up to ${readable(tolerance ?? 0)}: ${readable(total / counts.length)} per frame, most ${most} at frame ${counts.indexOf(most)}`,
      ],
    ];
  }
  const spans = findSpans(results.map((result) => result === true));
  const count = results.filter((result) => result === true).length;
  const label = query === 'within' ? `within ${readable(tolerance ?? 0)}` : 'intersecting';
  return [[label, countFrames(count, describeSpans(spans))]];
}

/** The first frame of greatest depth, null if the models never overlap. Touching counts as intersecting. */
function findDeepest(depths: readonly FrameDepth[]) {
  const maxDepth = depths.reduce((most, { depth }) => Math.max(most, depth), 0);
  return {
    deepestFrame: maxDepth > 0 ? depths.findIndex(({ depth }) => depth === maxDepth) : null,
    maxDepth,
    intersectingFrames: depths.filter(({ intersects }) => intersects).length,
  };
}

function describeDepths(depths: readonly FrameDepth[]): (readonly [string, string])[] {
  const { deepestFrame, maxDepth, intersectingFrames } = findDeepest(depths);
  const spans = findSpans(depths.map(({ intersects }) => intersects));
  const rows: (readonly [string, string])[] = [
    ['intersecting', countFrames(intersectingFrames, describeSpans(spans))],
    ['depth', deepestFrame === null ? '0 in every frame' : `greatest ${readable(maxDepth)} at frame ${deepestFrame}`],
  ];
  if (deepestFrame !== null) rows.push(['proven', describeProof(depths)]);
  return rows;
}

/** How good the depths are: the largest relative gap between a depth and its lower bound. */
function describeProof(depths: readonly FrameDepth[]): string {
  if (depths.some(({ status }) => status === 'upper-estimate')) return 'from above: upper estimates';
  const widest = depths.reduce((gap, depth) => Math.max(gap, relativeGapOf(depth)), 0);
  const spent = depths.filter(({ status }) => status === 'budget').length;
  const percent = readable(Number((100 * widest).toPrecision(2)));
  const budget = spent === 0 ? '' : `; the budget ran out in ${readable(spent)} of them`;
  return `from both sides, within ${percent} % in every frame${budget}`;
}

/** Throws if options of distances are given: depths need none, unless a plot is drawn. */
function refuseDistanceOptions(input: VerbInput): void {
  for (const name of [...Object.keys(DISTANCE_OPTIONS), ...Object.keys(VOLUME_OPTION)]) {
    if (input.values[name] !== undefined) {
      throw new NearfieldError(
        'bad-argument',
        `--${name} is for distances, which --query penetration measures only for a plot; add -o PLOT, or leave it out`,
      );
    }
  }
}

/** Whether the frames go to a cluster. Refuses what makes no sense there. */
function refuseWithCluster(input: VerbInput): boolean {
  if (takeString(input, 'cluster') === null) return false;
  const reasons = {
    timed: 'times of single queries mean nothing on a cluster',
    'hulls-a': 'workers make hulls themselves',
    'hulls-b': 'workers make hulls themselves',
  };
  for (const [name, reason] of Object.entries(reasons)) {
    if (input.values[name] === undefined) continue;
    throw new NearfieldError('bad-argument', `--${name}: ${reason}; leave it or --cluster out`);
  }
  return true;
}

function countFrames(count: number, spans: string): string {
  return count === 0 ? 'no frame' : `${readable(count)} ${count === 1 ? 'frame' : 'frames'}: ${spans}`;
}
