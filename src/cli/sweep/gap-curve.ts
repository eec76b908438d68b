// The gap of a pair along one joint or over time as an SVG: the curve, the band in which it is proven to be, the clearance
// wanted, and the stretches in which that is not proven.
import { escapeMarkup, formatCoordinate } from '../../io/report/markup.js';
import type { GapSample } from '../../sweep/motion-study.js';
import { readable } from '../table.js';

/** Chosen: the width of a chart, in pixels. */
const WIDTH = 560;
/** Chosen: the height of a chart, in pixels. */
const HEIGHT = 300;
/** Chosen: pixels left of the curve, for the ticks. */
const LEFT = 62;
/** Chosen: pixels right of the curve. */
const RIGHT = 18;
/** Chosen: pixels above the curve, for the title. */
const TOP = 44;
/** Chosen: pixels below the curve, for the ticks and the title of the axis. */
const BOTTOM = 46;
/** Chosen: ticks along each axis. */
const TICKS = 4;

/** Where the curve is in the picture. */
export const CURVE_AREA = { left: LEFT, right: WIDTH - RIGHT, top: TOP, bottom: HEIGHT - BOTTOM };

export const CHART_STYLE = `
.nf-gap { font: 12px system-ui, sans-serif; background: var(--raised); display: block; }
.nf-gap text { fill: var(--quiet); }
.nf-gap .nf-title { fill: var(--text); font-size: 14px; font-weight: 600; }
.nf-gap .nf-grid { stroke: var(--line); fill: none; }
.nf-gap .nf-band { fill: var(--accent); fill-opacity: 0.18; }
.nf-gap .nf-curve { stroke: var(--accent); stroke-width: 2; fill: none; stroke-linejoin: round; }
.nf-gap .nf-wanted { stroke: var(--touching); stroke-dasharray: 6 4; fill: none; }
.nf-gap .nf-fails { fill: var(--overlapping); fill-opacity: 0.16; }
.nf-gap .nf-cursor { stroke: var(--text); stroke-width: 1.5; }
`;

/** What a chart shows. */
export interface GapCurve {
  readonly id: string;
  readonly title: string;
  readonly axis: string;
  readonly samples: readonly GapSample[];
  readonly clearance: number;
  /** What is proven of the gap everywhere. */
  readonly proven: number;
  readonly stretches: readonly { readonly from: number; readonly to: number }[];
}

export function drawGapCurve({ id, title, axis, samples, clearance, proven, stretches }: GapCurve): string {
  const [low, high] = [samples[0].at, samples[samples.length - 1].at];
  const top = 1.08 * Math.max(clearance, ...samples.map(({ gap }) => gap)) || 1;
  const x = (at: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * (at - low)) / (high - low || 1);
  const y = (gap: number): number => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * Math.min(1, gap / top);
  const point = (at: number, gap: number): string => `${formatCoordinate(x(at))} ${formatCoordinate(y(gap))}`;
  const upper = samples.map(({ at, upper: most }) => point(at, most));
  const lower = samples.map(({ at, lower: least }) => point(at, Math.max(least, proven))).reverse();
  const ticks = Array.from({ length: TICKS + 1 }, (_, i) => i / TICKS);
  const parts = [
    `<text class="nf-title" x="${LEFT}" y="24">${escapeMarkup(title)}</text>`,
    ...ticks.map((t) => {
      const level = formatCoordinate(y(t * top));
      return `<path class="nf-grid" d="M${LEFT} ${level}H${WIDTH - RIGHT}"/><text x="${LEFT - 7}" y="${formatCoordinate(y(t * top) + 4)}" text-anchor="end">${readable(t * top)}</text>`;
    }),
    ...ticks.map((t) => {
      const at = low + t * (high - low);
      return `<text x="${formatCoordinate(x(at))}" y="${HEIGHT - BOTTOM + 17}" text-anchor="middle">${readable(at)}</text>`;
    }),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escapeMarkup(axis)}</text>`,
    ...stretches.map(({ from, to }) => {
      const width = formatCoordinate(Math.max(1, x(to) - x(from)));
      return `<rect class="nf-fails" x="${formatCoordinate(x(from))}" y="${TOP}" width="${width}" height="${HEIGHT - TOP - BOTTOM}"/>`;
    }),
    `<path class="nf-band" d="M${[...upper, ...lower].join('L')}Z"/>`,
    `<path class="nf-curve" d="M${samples.map(({ at, gap }) => point(at, gap)).join('L')}"/>`,
  ];
  if (clearance > 0) {
    const level = formatCoordinate(y(clearance));
    parts.push(
      `<path class="nf-wanted" d="M${LEFT} ${level}H${WIDTH - RIGHT}"/>`,
      `<text x="${WIDTH - RIGHT}" y="${formatCoordinate(y(clearance) - 5)}" text-anchor="end">wanted ${readable(clearance)}</text>`,
    );
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" class="nf-gap" id="${id}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"><title>${escapeMarkup(title)}</title>${parts.join('')}</svg>`;
}
