// Curves over a quantity as a small picture; a line stands at the place on show. What lies between the first and the last is
// filled, and along the quantity equal steps are equal ratios, because searches slow down as they close in; unless it is even.
import { type Curves, formatNumber } from '../figures.js';
import { element } from './element.js';
import { svg } from './svg.js';

const WIDTH = 300;
const HEIGHT = 110;
const MARGIN = 6;

export function curvesFigure({
  id,
  label,
  places,
  placeUnit,
  curves,
  unit,
  logarithmic,
  even = false,
  band,
  level,
  at,
  chosen,
}: Curves): HTMLElement {
  const count = places.length;
  const along = even ? (value: number): number => value : Math.log1p;
  const x = scale(along(places[0]), along(places[count - 1]), MARGIN, WIDTH - MARGIN);
  const known = curves.flatMap(({ values }) => Array.from(values).filter((value) => !logarithmic || value > 0));
  const most = known.reduce((a, b) => Math.max(a, b), level?.value ?? -Infinity);
  const least = logarithmic ? known.reduce((a, b) => Math.min(a, b), Infinity) : 0;
  const height = logarithmic ? Math.log : (value: number): number => value;
  const rise = scale(height(least), height(most), HEIGHT - MARGIN, MARGIN);
  const xs = Array.from(places, (place) => x(along(place)));
  const pathOf = (values: ArrayLike<number>): string[] =>
    xs.map((left, i) => `${left.toFixed(1)} ${rise(height(clamp(values[i], least, most))).toFixed(1)}`);
  const paths = curves.map(({ values }) => pathOf(values));
  const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' });
  const filled = paths.length > 1 && !even ? [paths[0], paths[paths.length - 1]] : [];
  const [first, last] = band === undefined ? filled : [pathOf(band.upper), pathOf(band.lower)];
  if (first !== undefined)
    picture.append(svg('path', { class: 'curves-between', d: `M${[...first, ...last.toReversed()].join('L')}Z` }));
  if (level !== undefined) {
    const y = rise(height(level.value));
    picture.append(svg('line', { class: 'chart-level', x1: 0, x2: WIDTH, y1: y, y2: y }));
  }
  for (const path of paths) picture.append(svg('path', { class: 'chart-curve', d: `M${path.join('L')}` }));
  picture.append(svg('line', { class: 'chart-at', x1: xs[at], x2: xs[at], y1: 0, y2: HEIGHT }));
  const here = curves.map(({ name, values }) => `${name} ${withUnit(values[at], unit)}`);
  if (level !== undefined) here.push(`${level.name} ${withUnit(level.value, unit)}`);
  const text = `${here.join(', ')} at ${withUnit(places[at], placeUnit)}`;
  picture.setAttribute('aria-label', `${label}: ${text}`);
  if (chosen !== undefined) {
    picture.addEventListener('click', (event) => {
      const { left, width } = picture.getBoundingClientRect();
      const pointed = ((event.clientX - left) / width) * WIDTH;
      const off = xs.map((place) => Math.abs(place - pointed));
      chosen(off.indexOf(Math.min(...off)));
    });
  }
  return element(
    'div',
    { class: 'chart curves', 'data-figure': id, 'data-count': count },
    picture,
    element('data', { value: at }, text),
  );
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** Maps the numbers from `low` to `high` evenly to those from `from` to `to`. */
function scale(low: number, high: number, from: number, to: number): (value: number) => number {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

function withUnit(value: number, unit: string | undefined): string {
  return `${formatNumber(value, 4)}${unit === undefined ? '' : ` ${unit}`}`;
}
