// A plot with logarithmic axes, one line for each series, as a standalone SVG in docs/.
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A point of a line; a hollow one fell short of what it stands for. */
export interface LogPoint {
  readonly x: number;
  readonly y: number;
  readonly hollow?: boolean;
}

export interface LogPlot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly curves: readonly { readonly title: string; readonly points: readonly LogPoint[] }[];
}

const [WIDTH, HEIGHT] = [720, 430];
const FRAME = { left: 64, right: 20, top: 20, bottom: 110 };
/** Distinguishable with color blindness (Okabe and Ito 2008); each has its own mark. */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#8a6d00', '#56b4e9'];
const MARKS: readonly ((r: number) => string)[] = [
  (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (r) => `M${-r} ${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
  (r) => `M0 ${-1.2 * r}l${1.2 * r} ${2.2 * r}h${-2.4 * r}z`,
  (r) => `M0 ${-1.4 * r}l${1.4 * r} ${1.4 * r}l${-1.4 * r} ${1.4 * r}l${-1.4 * r} ${-1.4 * r}z`,
  (r) => `M0 ${1.2 * r}l${1.2 * r} ${-2.2 * r}h${-2.4 * r}z`,
];
const MARK_RADIUS = 4;
const LEGEND_COLUMNS = 3;

export function drawLogPlot({ title: heading, xLabel, yLabel, curves }: LogPlot): string {
  const all = curves.flatMap(({ points }) => points);
  const x = axisOf(
    all.map((point) => point.x),
    FRAME.left,
    WIDTH - FRAME.right,
  );
  const y = axisOf(
    all.map((point) => point.y),
    HEIGHT - FRAME.bottom,
    FRAME.top,
  );
  const [bottom, right] = [HEIGHT - FRAME.bottom, WIDTH - FRAME.right];
  const middle = (FRAME.top + bottom) / 2;
  const grid = [
    ...x.decades.map((power) => {
      const at = round(x.place(10 ** power));
      return `<path class="grid" d="M${at} ${FRAME.top}V${bottom}"/>${label(at, bottom + 18, 'middle', power)}`;
    }),
    ...y.decades.map((power) => {
      const at = round(y.place(10 ** power));
      return `<path class="grid" d="M${FRAME.left} ${at}H${right}"/>${label(FRAME.left - 8, at + 4, 'end', power)}`;
    }),
  ];
  const lines = curves.map(({ points }, index) => drawCurve(points, index, x.place, y.place));
  const legend = curves.map(({ title }, index) => {
    const left = FRAME.left + 8 + ((right - FRAME.left) / LEGEND_COLUMNS) * (index % LEGEND_COLUMNS);
    const top = bottom + 66 + 22 * Math.floor(index / LEGEND_COLUMNS);
    return `${drawMark(index, left, top, true)}<text x="${round(left + 12)}" y="${top + 4}">${escapeText(title)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">
<title>${escapeText(heading)}</title>
<style>text{font:12px sans-serif;fill:#222}.grid{stroke:#ddd}.line{fill:none;stroke-width:2;stroke-linejoin:round}</style>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${[...grid, ...lines, ...legend].join('\n')}
<text x="${(FRAME.left + right) / 2}" y="${bottom + 40}" text-anchor="middle">${escapeText(xLabel)}</text>
<text transform="translate(18 ${middle}) rotate(-90)" text-anchor="middle">${escapeText(yLabel)}</text>
</svg>
`;
}

/** Writes the plot into docs/ of the checkout that this runs from. Returns its name as seen from there, null outside a checkout. */
export function writePlot(file: string, svg: string): string | null {
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) {
    if (!existsSync(join(at, 'bench/results')) || !existsSync(join(at, 'docs'))) continue;
    writeFileSync(join(at, 'docs', file), svg);
    return file;
  }
  return null;
}

interface Axis {
  /** The powers of ten that it has lines at. */
  readonly decades: readonly number[];
  place(value: number): number;
}

/** From the power of ten below the least value to the one above the greatest. */
function axisOf(values: readonly number[], from: number, to: number): Axis {
  const powers = values.filter((value) => value > 0).map((value) => Math.log10(value));
  const low = Math.floor(Math.min(...powers) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.max(...powers) - 1e-9));
  return {
    decades: Array.from({ length: high - low + 1 }, (_, i) => low + i),
    place: (value) => from + ((to - from) * (Math.log10(value) - low)) / (high - low),
  };
}

function drawCurve(points: readonly LogPoint[], index: number, placeX: Axis['place'], placeY: Axis['place']): string {
  const places = points.map(({ x, y, hollow = false }) => ({ filled: !hollow, x: placeX(x), y: placeY(y) }));
  const path = places.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
  const line = `<path class="line" stroke="${colorOf(index)}" d="${path}"/>`;
  return line + places.map(({ filled, x, y }) => drawMark(index, x, y, filled)).join('');
}

function drawMark(index: number, x: number, y: number, filled: boolean): string {
  const shape = MARKS[index % MARKS.length](MARK_RADIUS);
  const color = colorOf(index);
  const fill = filled ? color : '#fff';
  return `<path transform="translate(${round(x)} ${round(y)})" d="${shape}" fill="${fill}" stroke="${color}"/>`;
}

function colorOf(index: number): string {
  return COLORS[index % COLORS.length];
}

function label(x: number, y: number, anchor: string, power: number): string {
  const text = power >= -1 && power <= 4 ? `${10 ** power}` : `1e${power}`;
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${text}</text>`;
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
