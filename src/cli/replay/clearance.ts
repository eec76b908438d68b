// The clearance between two models over the frames of a replay, and its summary.

/**
 * The distance in each frame: 0 if the models intersect, or minus their depth if that was measured, null beyond the
 * cut-off.
 */
export type ClearanceSeries = readonly (number | null)[];

/** Consecutive frames, both ends included. */
export interface FrameSpan {
  readonly first: number;
  readonly last: number;
}

export interface ClearanceSummary {
  /** The first frame of least clearance or greatest depth; null if every frame is beyond the cut-off. */
  readonly worstFrame: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Over the frames within the cut-off. */
  readonly mean: number | null;
  readonly intersecting: readonly FrameSpan[];
  readonly intersectingFrames: number;
}

export function summarizeClearance(series: ClearanceSeries): ClearanceSummary {
  let worstFrame: number | null = null;
  let max: number | null = null;
  let sum = 0;
  let known = 0;
  for (const [frame, clearance] of series.entries()) {
    if (clearance === null) continue;
    if (worstFrame === null || clearance < series[worstFrame]!) worstFrame = frame;
    if (max === null || clearance > max) max = clearance;
    sum += clearance;
    known++;
  }
  const intersecting = findSpans(series.map((clearance) => clearance !== null && clearance <= 0));
  return {
    worstFrame,
    min: worstFrame === null ? null : series[worstFrame],
    max,
    mean: known === 0 ? null : sum / known,
    intersecting,
    intersectingFrames: intersecting.reduce((count, { first, last }) => count + last - first + 1, 0),
  };
}

/** The spans of marked frames. */
export function findSpans(marked: readonly boolean[]): FrameSpan[] {
  const spans: FrameSpan[] = [];
  for (let frame = 0; frame < marked.length; frame++) {
    if (!marked[frame]) continue;
    const first = frame;
    while (frame + 1 < marked.length && marked[frame + 1]) frame++;
    spans.push({ first, last: frame });
  }
  return spans;
}

/** Frame numbers for people: "3–7, 12, …", the first few spans only. */
export function describeSpans(spans: readonly FrameSpan[], limit = 8): string {
  const shown = spans.slice(0, limit).map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`));
  return [...shown, ...(spans.length > limit ? ['…'] : [])].join(', ');
}

const BARS = '▁▂▃▄▅▆▇█';

/** The series as one line of text: the least clearance per column, × if the models intersect, · beyond the cut-off. */
export function drawSparkline(series: ClearanceSeries, width = 64): string {
  const { max } = summarizeClearance(series);
  const count = Math.min(width, series.length);
  return Array.from({ length: count }, (_, column) => {
    const end = Math.ceil(((column + 1) * series.length) / count);
    const bin = series
      .slice(Math.floor((column * series.length) / count), end)
      .filter((clearance) => clearance !== null);
    if (bin.length === 0) return '·';
    const least = Math.min(...bin);
    if (least <= 0) return '×';
    return BARS[Math.min(BARS.length - 1, Math.floor((BARS.length * least) / (max || 1)))];
  }).join('');
}
