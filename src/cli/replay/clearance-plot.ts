// Clearance over time as an SVG: the curve, intersecting frames shaded, the tolerance as a line, the worst frame.
// Follows the reader's light or dark setting. Long curves keep the least and greatest value per pixel column.
import { escapeMarkup, formatCoordinate } from '../../io/report/markup.js';
import { readable } from '../table.js';
import { type ClearanceSeries, type FrameSpan, summarizeClearance } from './clearance.js';

export interface ClearancePlot {
  readonly title: string;
  readonly series: ClearanceSeries;
  /** Drawn as a line when given. */
  readonly tolerance: number | null;
  /** Frames beyond it have no clearance in the series. */
  readonly cutoff: number | null;
  /** The name of the unit of length. */
  readonly unit: string;
}

/** Chosen: width of the picture, in pixels. */
const WIDTH = 960;
/** Chosen: height of the picture, in pixels. */
const HEIGHT = 420;
/** Chosen: pixels left of the curve, for the ticks and the title of the axis. */
const LEFT = 84;
/** Chosen: pixels right of the curve. */
const RIGHT = 24;
/** Chosen: pixels above the curve, for the title. */
const TOP = 56;
/** Chosen: pixels below the curve, for the ticks and the title of the axis. */
const BOTTOM = 58;
/** Where the curve is in the picture. */
export const PLOT_AREA = { left: LEFT, right: WIDTH - RIGHT, top: TOP, bottom: HEIGHT - BOTTOM };
/** Proven: the largest clearance drawn; the tick above it is still finite. */
const MAX_SHOWN = 1e307;

const STYLE = `
.nf-plot { font: 13px system-ui, sans-serif; background: #ffffff; }
.nf-plot text { fill: #566472; }
.nf-plot .nf-title { fill: #1a2530; font-size: 16px; font-weight: 600; }
.nf-plot .nf-axis { stroke: #b8c4cf; fill: none; }
.nf-plot .nf-grid { stroke: #dde4ea; fill: none; }
.nf-plot .nf-curve { stroke: #0a6a94; stroke-width: 1.8; fill: none; stroke-linejoin: round; }
.nf-plot .nf-dot { fill: #0a6a94; }
.nf-plot .nf-bad { fill: #c0271f; fill-opacity: 0.16; }
.nf-plot .nf-tolerance { stroke: #1d7a4c; stroke-dasharray: 6 4; fill: none; }
.nf-plot .nf-worst { stroke: #c0271f; stroke-dasharray: 3 3; fill: none; }
.nf-plot .nf-worst-dot { fill: #c0271f; }
.nf-plot text.nf-worst-label { fill: #c0271f; font-weight: 600; stroke: none; }
@media (prefers-color-scheme: dark) {
.nf-plot { background: #12181e; }
.nf-plot text { fill: #98a7b4; }
.nf-plot .nf-title { fill: #e3eaf0; }
.nf-plot .nf-axis { stroke: #40505e; }
.nf-plot .nf-grid { stroke: #28333d; }
.nf-plot .nf-curve { stroke: #5cc2ee; }
.nf-plot .nf-dot { fill: #5cc2ee; }
.nf-plot .nf-bad { fill: #ff7a6d; fill-opacity: 0.2; }
.nf-plot .nf-tolerance { stroke: #58c48c; }
.nf-plot .nf-worst { stroke: #ff7a6d; }
.nf-plot .nf-worst-dot { fill: #ff7a6d; }
.nf-plot text.nf-worst-label { fill: #ff7a6d; }
}
`;

/** The plot as an `svg` element that also stands alone as a file. */
export function drawClearancePlot({ title, series, tolerance, cutoff, unit }: ClearancePlot): string {
  const summary = summarizeClearance(series);
  const lowest = Math.min(summary.min ?? 0, 0);
  const highest = Math.max(summary.max ?? 0, tolerance ?? 0, summary.max === null ? (cutoff ?? 0) : 0);
  const top = Math.min(highest === lowest ? 1 : highest, MAX_SHOWN);
  const valueTicks = listTicks(lowest, top, 5);
  const floor = valueTicks[0];
  const ceiling = valueTicks[valueTicks.length - 1];
  const lastFrame = Math.max(1, series.length - 1);
  const x = (frame: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * frame) / lastFrame;
  const y = (value: number): number =>
    HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * ((value - floor) / (ceiling - floor));
  const point = (frame: number): string => `${formatCoordinate(x(frame))} ${formatCoordinate(y(series[frame]!))}`;

  const parts = [
    `<text class="nf-title" x="${LEFT}" y="26">${escapeMarkup(title)}</text>`,
    ...valueTicks.map((value) => drawValueTick(value, y(value))),
    ...listTicks(0, lastFrame, 8)
      .filter((frame) => Number.isInteger(frame) && frame <= lastFrame)
      .map(
        (frame) =>
          `<text x="${formatCoordinate(x(frame))}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">${frame}</text>`,
      ),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 14}" text-anchor="middle">frame</text>`,
    `<text transform="translate(20 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${floor < 0 ? 'clearance, below 0 depth' : 'clearance'} (${escapeMarkup(unit)})</text>`,
    ...summary.intersecting.map((span) => shadeSpan(span, x)),
    `<path class="nf-axis" d="M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}"/>`,
    ...(floor < 0 ? [`<path class="nf-axis" d="M${LEFT} ${formatCoordinate(y(0))}H${WIDTH - RIGHT}"/>`] : []),
  ];
  if (tolerance !== null) {
    const level = formatCoordinate(y(tolerance));
    parts.push(
      `<path class="nf-tolerance" d="M${LEFT} ${level}H${WIDTH - RIGHT}"/>`,
      `<text x="${WIDTH - RIGHT}" y="${formatCoordinate(y(tolerance) - 5)}" text-anchor="end">tolerance ${readable(tolerance)}</text>`,
    );
  }
  for (const run of listRuns(series)) {
    const frames = thinFrames(series, run, WIDTH - LEFT - RIGHT);
    parts.push(
      frames.length === 1
        ? `<circle class="nf-dot" cx="${formatCoordinate(x(frames[0]))}" cy="${formatCoordinate(y(series[frames[0]]!))}" r="2.5"/>`
        : `<path class="nf-curve" d="M${frames.map(point).join('L')}"/>`,
    );
  }
  if (cutoff !== null && series.includes(null)) {
    parts.push(
      `<text x="${WIDTH - RIGHT}" y="${HEIGHT - 14}" text-anchor="end">no curve: farther than ${readable(cutoff)}</text>`,
    );
  }
  if (summary.worstFrame !== null) parts.push(...markWorst(series, summary.worstFrame, x, y, unit));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="nf-plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">` +
    `<title>${escapeMarkup(title)}</title><style>${STYLE}</style>\n${parts.join('\n')}\n</svg>`
  );
}

function drawValueTick(value: number, level: number): string {
  const text = `<text x="${LEFT - 8}" y="${formatCoordinate(level + 4)}" text-anchor="end">${readable(value)}</text>`;
  return `<path class="nf-grid" d="M${LEFT} ${formatCoordinate(level)}H${WIDTH - RIGHT}"/>${text}`;
}

/** Half a frame wider on each side, so that a single frame is visible. */
function shadeSpan({ first, last }: FrameSpan, x: (frame: number) => number): string {
  const from = Math.max(LEFT, x(first - 0.5));
  const to = Math.min(WIDTH - RIGHT, x(last + 0.5));
  const width = Math.max(1, to - from);
  return `<rect class="nf-bad" x="${formatCoordinate(from)}" y="${TOP}" width="${formatCoordinate(width)}" height="${HEIGHT - TOP - BOTTOM}"/>`;
}

function markWorst(
  series: ClearanceSeries,
  frame: number,
  x: (frame: number) => number,
  y: (value: number) => number,
  unit: string,
): string[] {
  const at = formatCoordinate(x(frame));
  const value = series[frame]!;
  const label =
    value === 0
      ? `intersects at frame ${frame}`
      : `worst: frame ${frame}, ${readable(Math.abs(value))} ${unit}${value < 0 ? ' deep' : ''}`;
  // In the right half the label is to the left of its frame, to stay within the picture.
  const anchor = x(frame) > WIDTH / 2 ? 'end' : 'start';
  return [
    `<path class="nf-worst" d="M${at} ${TOP - 10}V${HEIGHT - BOTTOM}"/>`,
    `<circle class="nf-worst-dot" cx="${at}" cy="${formatCoordinate(y(value))}" r="4.5"/>`,
    `<text class="nf-worst-label" x="${at}" y="${TOP - 13}" text-anchor="${anchor}">${escapeMarkup(label)}</text>`,
  ];
}

/** The spans of frames that have a clearance. */
function listRuns(series: ClearanceSeries): FrameSpan[] {
  const runs: FrameSpan[] = [];
  for (let frame = 0; frame < series.length; frame++) {
    if (series[frame] === null) continue;
    const first = frame;
    while (frame + 1 < series.length && series[frame + 1] !== null) frame++;
    runs.push({ first, last: frame });
  }
  return runs;
}

/** All frames of a short span. Of a long span, the least and greatest of each of `columns` equal parts, and the ends. */
function thinFrames(series: ClearanceSeries, { first, last }: FrameSpan, columns: number): number[] {
  const count = last - first + 1;
  if (count <= 2 * columns) return Array.from({ length: count }, (_, i) => first + i);
  const kept = new Set<number>([first, last]);
  for (let column = 0; column < columns; column++) {
    const from = first + Math.floor((column * count) / columns);
    const to = first + Math.floor(((column + 1) * count) / columns);
    let least = from;
    let greatest = from;
    for (let frame = from + 1; frame < to; frame++) {
      if (series[frame]! < series[least]!) least = frame;
      if (series[frame]! > series[greatest]!) greatest = frame;
    }
    kept.add(least).add(greatest);
  }
  return [...kept].sort((a, b) => a - b);
}

/** Round numbers from the last at or below `bottom` up to the first at or above `top`, about `count` of them. */
function listTicks(bottom: number, top: number, count: number): number[] {
  const rough = (top - bottom) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  // Divides by a power of ten instead of multiplying by 0.1: 3 / 10 is 0.3, 3 * 0.1 is not.
  const round = (value: number): number => Number(value.toPrecision(12));
  const first = Math.floor(bottom / step + 1e-9);
  return Array.from({ length: Math.ceil(top / step - 1e-9) - first + 1 }, (_, i) => round((first + i) * step));
}
