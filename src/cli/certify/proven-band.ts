// The clearance of a trajectory over time as an SVG: what is proven as a band from below, samples as a line, what is wanted,
// and the segments that do not hold. Follows the reader's light or dark setting.
import { escapeMarkup, formatCoordinate } from '../../io/report/markup.js';
import type { CertifyResult } from '../../sweep/trajectory/certify-trajectory.js';
import type { TrajectoryFrame } from '../../sweep/trajectory/sample-trajectory.js';
import { readable } from '../table.js';

/** Chosen: the size of the picture, in pixels. */
const [WIDTH, HEIGHT] = [960, 420];

/** Where the curve is in the picture. */
export const BAND_AREA = { left: 84, right: 936, top: 40, bottom: 362 };

/** Chosen: about how many ticks an axis has. */
const TICKS = 5;

export const BAND_STYLE = `
.nf-band-plot { font: 13px system-ui, sans-serif; }
.nf-band-plot text { fill: var(--quiet, #566472); }
.nf-band-plot .nf-axis { stroke: #8798a6; fill: none; }
.nf-band-plot .nf-grid { stroke: var(--line, #dde4ea); fill: none; }
.nf-band-plot .nf-proven { fill: #2a9d6a; fill-opacity: 0.28; }
.nf-band-plot .nf-curve { stroke: var(--accent, #0a6a94); stroke-width: 1.8; fill: none; stroke-linejoin: round; }
.nf-band-plot .nf-violated { fill: #d0362d; fill-opacity: 0.22; }
.nf-band-plot .nf-undecided { fill: #c58a12; fill-opacity: 0.22; }
.nf-band-plot .nf-wanted { stroke: #d0362d; stroke-dasharray: 6 4; fill: none; }
`;

/** The plot as an `svg` element. */
export function drawProvenBand(
  { wanted, segments, proven, clearance }: CertifyResult,
  frames: readonly TrajectoryFrame[],
): string {
  const { left, right, top, bottom } = BAND_AREA;
  const [first, last] = [segments[0].from, segments[segments.length - 1].to];
  const finite = frames.map((frame) => frame.clearance).filter((value) => value < Infinity);
  const highest = Math.max(1e-12, 1.25 * wanted, ...finite, clearance?.upper ?? 0);
  const x = (time: number): number => left + ((right - left) * (time - first)) / (last - first || 1);
  const y = (value: number): number => bottom - ((bottom - top) * Math.min(value, highest)) / highest;
  const at = (time: number, value: number): string => `${formatCoordinate(x(time))} ${formatCoordinate(y(value))}`;
  const parts = [
    ...ticks(0, highest).map((value) => {
      const level = formatCoordinate(y(value));
      return `<path class="nf-grid" d="M${left} ${level}H${right}"/><text x="${left - 8}" y="${formatCoordinate(y(value) + 4)}" text-anchor="end">${readable(value)}</text>`;
    }),
    ...ticks(first, last).map(
      (time) =>
        `<text x="${formatCoordinate(x(time))}" y="${bottom + 20}" text-anchor="middle">${readable(time)}</text>`,
    ),
    `<text x="${(left + right) / 2}" y="${HEIGHT - 12}" text-anchor="middle">time (s)</text>`,
    `<text transform="translate(20 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">clearance (m)</text>`,
  ];
  for (const { from, to, verdict } of segments) {
    if (verdict === 'holds') continue;
    const width = Math.max(1.5, x(to) - x(from));
    parts.push(
      `<rect class="nf-${verdict}" x="${formatCoordinate(x(from))}" y="${top}" width="${formatCoordinate(width)}" height="${bottom - top}"/>`,
    );
  }
  const band = [...proven].sort((a, b) => a.from - b.from);
  if (band.length > 0) {
    const steps = band.map(({ from, to, lower }) => `L${at(from, lower)}L${at(to, lower)}`).join('');
    parts.push(`<path class="nf-proven" d="M${at(first, 0)}${steps}L${at(last, 0)}Z"/>`);
  }
  if (finite.length > 0) {
    const line = frames.filter((frame) => frame.clearance < Infinity).map(({ time, clearance: had }) => at(time, had));
    parts.push(`<path class="nf-curve" d="M${line.join('L')}"/>`);
  }
  if (wanted > 0) {
    parts.push(
      `<path class="nf-wanted" d="M${left} ${formatCoordinate(y(wanted))}H${right}"/>`,
      `<text x="${right}" y="${formatCoordinate(y(wanted) - 5)}" text-anchor="end">wanted ${readable(wanted)}</text>`,
    );
  }
  parts.push(`<path class="nf-axis" d="M${left} ${top}V${bottom}H${right}"/>`);
  const title = escapeMarkup('Clearance over time: the line is sampled, the band is proven');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="nf-band-plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">` +
    `<title>${title}</title>\n${parts.join('\n')}\n</svg>`
  );
}

/** Round numbers within an interval. */
function ticks(low: number, high: number): number[] {
  const rough = (high - low) / TICKS;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const from = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - from + 1 }, (_, i) =>
    Number(((from + i) * step).toPrecision(12)),
  );
}
