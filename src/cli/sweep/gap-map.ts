// The gap of a pair over two joints as an SVG: a cell for each box of joint values, darker where the gap is small, red where
// the clearance wanted is not proven in the cell.
import { escapeMarkup, formatCoordinate } from '../../io/report/markup.js';
import type { GapMap } from '../../sweep/motion-study.js';
import { readable } from '../table.js';

/** Chosen: the side of the map, in pixels. */
const SIDE = 300;
/** Chosen: pixels around the map, for its title and ticks. */
const MARGIN = { left: 62, right: 150, top: 44, bottom: 46 };
/** Chosen: steps of opacity that cells have. */
const STEPS = 12;

/** What a map shows. */
export interface ShownMap {
  readonly id: string;
  readonly title: string;
  readonly map: GapMap;
  readonly clearance: number;
  readonly axes: readonly { readonly name: string; readonly low: number; readonly high: number }[];
}

export function drawGapMap({ id, title, map, clearance, axes }: ShownMap): string {
  const { columns, rows, gaps, lower } = map;
  const [first, second] = map.axes.map((name) => axes.find((axis) => axis.name === name)!);
  const { left, top, right, bottom } = MARGIN;
  const [width, height] = [left + SIDE + right, top + SIDE + bottom];
  const most = Math.max(...gaps) || 1;
  const cell = SIDE / columns;
  // One path for each shade keeps the page small.
  const shades = new Map<string, string[]>();
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const i = row * columns + column;
      const step = Math.round((STEPS * (1 - gaps[i] / most)) / 1);
      const meets = gaps[i] === 0 || gaps[i] < clearance;
      const isOpen = !meets && !(clearance > 0 ? lower[i] >= clearance : lower[i] > 0);
      const shade = meets ? 'fails' : isOpen ? 'open' : `s${step}`;
      const at = `M${formatCoordinate(left + column * cell)} ${formatCoordinate(top + SIDE - (row + 1) * cell)}h${formatCoordinate(cell + 0.3)}v${formatCoordinate(cell + 0.3)}h${formatCoordinate(-cell - 0.3)}z`;
      shades.set(shade, [...(shades.get(shade) ?? []), at]);
    }
  }
  const fillOf = (shade: string): string => {
    if (shade === 'fails') return 'fill="var(--overlapping)" fill-opacity="0.85"';
    if (shade === 'open') return 'fill="var(--near)" fill-opacity="0.7"';
    return `fill="var(--accent)" fill-opacity="${formatCoordinate(0.08 + (0.8 * Number(shade.slice(1))) / STEPS)}"`;
  };
  const key = [
    ['s0', `gap ${readable(most)}`],
    [`s${STEPS}`, 'gap near 0'],
    ['open', 'not proven in the cell'],
    ['fails', clearance > 0 ? `below ${readable(clearance)}` : 'parts meet'],
  ];
  const parts = [
    `<text class="nf-title" x="${left}" y="24">${escapeMarkup(title)}</text>`,
    ...[...shades].map(([shade, cells]) => `<path ${fillOf(shade)} d="${cells.join('')}"/>`),
    ...[0, 0.5, 1].map((t) => {
      const value = readable(first.low + t * (first.high - first.low));
      return `<text x="${left + t * SIDE}" y="${top + SIDE + 17}" text-anchor="middle">${value}</text>`;
    }),
    ...[0, 0.5, 1].map((t) => {
      const value = readable(second.low + t * (second.high - second.low));
      return `<text x="${left - 7}" y="${top + SIDE * (1 - t) + 4}" text-anchor="end">${value}</text>`;
    }),
    `<text x="${left + SIDE / 2}" y="${height - 10}" text-anchor="middle">${escapeMarkup(first.name)}</text>`,
    `<text transform="translate(16 ${top + SIDE / 2}) rotate(-90)" text-anchor="middle">${escapeMarkup(second.name)}</text>`,
    ...key.map(([shade, words], i) => {
      const at = top + 10 + 24 * i;
      return `<rect x="${left + SIDE + 14}" y="${at}" width="14" height="14" ${fillOf(shade)}/><text x="${left + SIDE + 34}" y="${at + 11}">${escapeMarkup(words)}</text>`;
    }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" class="nf-gap" id="${id}" viewBox="0 0 ${width} ${height}" role="img"><title>${escapeMarkup(title)}</title>${parts.join('')}</svg>`;
}
