// What a replay found, as facts for people and for programs.

import type { Fact } from '../facts.js';
import { relativeGapOf } from '../penetration-options.js';
import { readable } from '../table.js';
import { type ClearanceSeries, describeSpans, drawSparkline, findSpans, summarizeClearance } from './clearance.js';
import type { FrameDepth, FrameResult } from './replay-frames.js';
import type { ReplayRequest } from './replay-request.js';

/** The results of all frames, and what they took. */
export interface ReplayOutcome {
  readonly results: readonly FrameResult[];
  /** Of every frame, where it is asked for or plotted. */
  readonly clearance: ClearanceSeries | null;
  /** The volumes that the queries used. */
  readonly volume: string;
  readonly preprocessMs: number;
  /** Times of single queries; null on a cluster. */
  readonly meanMicroseconds: number | null;
  readonly medianMicroseconds: number | null;
  /** Of all frames together. */
  readonly milliseconds: number;
}

export function describeReplay(request: ReplayRequest, outcome: ReplayOutcome): Fact[] {
  const { pathA, pathB, pathFrames, query, onCluster, plot } = request;
  const { results, preprocessMs, meanMicroseconds, medianMicroseconds, milliseconds } = outcome;
  const times =
    meanMicroseconds === null || medianMicroseconds === null
      ? (['on the cluster', `${milliseconds.toFixed(0)} ms`] as const)
      : ([
          'a query',
          `${meanMicroseconds.toFixed(2)} µs on average, ${medianMicroseconds.toFixed(2)} µs median`,
        ] as const);
  return [
    { row: ['A', pathA] },
    { row: ['B', pathB] },
    {
      row: ['frames', `${readable(results.length)} of ${pathFrames}`],
      json: { query, frames: results.length, results },
    },
    ...describeResults(request, outcome),
    { json: { preprocessMs } },
    { row: times, json: { meanMicroseconds, medianMicroseconds, ...(onCluster && { milliseconds }) } },
    { row: ['', describeMethod(request, outcome)] },
    { row: ['to prepare', `${preprocessMs.toFixed(1)} ms`] },
    ...(plot === null ? [] : [{ row: ['output', plot.path] as const, json: { output: plot.path } }]),
  ];
}

function describeMethod({ query, penetrationOptions, coherence }: ReplayRequest, { volume }: ReplayOutcome): string {
  const method = query === 'penetration' ? penetrationOptions.method : volume;
  return `${method}, ${coherence ? 'coherent in time' : 'nothing kept between frames'}`;
}

function describeResults(request: ReplayRequest, { results, clearance }: ReplayOutcome): Fact[] {
  const { query, tolerance, distanceOptions } = request;
  if (query === 'penetration') return describeDepths(results as readonly FrameDepth[]);
  const cutoff = distanceOptions.cutoff ?? 0;
  const shown = clearance === null ? [] : describeClearance(clearance, cutoff);
  if (query === 'distance') return shown;
  if (query === 'contacts')
    return [describeContacts(tolerance ?? 0, results as readonly (readonly unknown[])[]), ...shown];
  const spans = findSpans(results.map((result) => result === true));
  const count = results.filter((result) => result === true).length;
  const label = query === 'within' ? `within ${readable(tolerance ?? 0)}` : 'intersecting';
  return [{ row: [label, countFrames(count, describeSpans(spans))] }, ...shown];
}

function describeClearance(clearance: ClearanceSeries, cutoff: number): Fact[] {
  const { worstFrame, min, mean, intersecting, intersectingFrames } = summarizeClearance(clearance);
  return [
    { json: { worstFrame, minClearance: min, meanClearance: mean } },
    {
      row: ['intersecting', countFrames(intersectingFrames, describeSpans(intersecting))],
      json: { intersectingFrames },
    },
    {
      row: [
        'clearance',
        min === null || mean === null
          ? `more than ${readable(cutoff)} in every frame`
          : `least ${readable(min)} at frame ${worstFrame}, mean ${readable(mean)}`,
      ],
    },
    { row: ['', drawSparkline(clearance)] },
  ];
}

function describeContacts(tolerance: number, results: readonly (readonly unknown[])[]): Fact {
  const counts = results.map((contacts) => contacts.length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const most = counts.reduce((a, b) => Math.max(a, b), 0);
  const mean = readable(total / counts.length);
  return {
    row: ['contacts', `up to ${readable(tolerance)}: ${mean} per frame, most ${most} at frame ${counts.indexOf(most)}`],
  };
}

/** Names the first frame of greatest depth, null if the models never overlap. Touching counts as intersecting. */
function describeDepths(depths: readonly FrameDepth[]): Fact[] {
  const maxDepth = depths.reduce((most, { depth }) => Math.max(most, depth), 0);
  const deepestFrame = maxDepth > 0 ? depths.findIndex(({ depth }) => depth === maxDepth) : null;
  const intersectingFrames = depths.filter(({ intersects }) => intersects).length;
  const spans = findSpans(depths.map(({ intersects }) => intersects));
  const deepest =
    deepestFrame === null ? '0 in every frame' : `greatest ${readable(maxDepth)} at frame ${deepestFrame}`;
  return [
    { json: { deepestFrame, maxDepth } },
    { row: ['intersecting', countFrames(intersectingFrames, describeSpans(spans))], json: { intersectingFrames } },
    { row: ['depth', deepest] },
    ...(deepestFrame === null ? [] : [{ row: ['proven', describeProof(depths)] as const }]),
  ];
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

function countFrames(count: number, spans: string): string {
  return count === 0 ? 'no frame' : `${readable(count)} ${count === 1 ? 'frame' : 'frames'}: ${spans}`;
}
