// A curve as a small picture: what is known of it, the least value marked, a line at the number on show.
import { type Chart, formatNumber } from '../figures.js';
import { element } from './element.js';
import { svg } from './svg.js';

const WIDTH = 300;
const HEIGHT = 72;
/** Room above and below the curve. */
const MARGIN = 6;
/** A motion that plays faster than it is drawn leaves out some numbers; the line goes on over up to this many. */
const BRIDGED = 25;

export function chartFigure({ id, label, values, unit, at, chosen }: Chart): HTMLElement {
  const count = values.length;
  let least = -1;
  let most = 0;
  for (let i = 0; i < count; i++) {
    if (least < 0 ? values[i] >= 0 : values[i] < values[least]) least = i;
    if (values[i] > most) most = values[i];
  }
  const x = (i: number): number => ((i + 0.5) / count) * WIDTH;
  const y = (value: number): number => HEIGHT - MARGIN - (value / (most || 1)) * (HEIGHT - 2 * MARGIN);
  const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' });
  picture.append(
    svg('line', { class: 'chart-zero', x1: 0, x2: WIDTH, y1: y(0), y2: y(0) }),
    svg('path', { class: 'chart-curve', d: curvePath(values, x, y) }),
    svg('line', { class: 'chart-at', x1: x(at), x2: x(at), y1: 0, y2: HEIGHT }),
  );
  if (least >= 0)
    picture.append(
      svg('line', { class: 'chart-least', x1: x(least), x2: x(least), y1: y(values[least]), y2: y(values[least]) }),
    );
  const text =
    least < 0
      ? 'not known yet'
      : `least ${formatNumber(values[least], 4)}${unit === undefined ? '' : ` ${unit}`} at ${least}`;
  picture.setAttribute('aria-label', `${label}: ${text}`);
  if (chosen !== undefined) {
    picture.addEventListener('click', (event) => {
      const { left, width } = picture.getBoundingClientRect();
      chosen(Math.min(count - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * count))));
    });
  }
  return element(
    'div',
    { class: 'chart', 'data-figure': id },
    picture,
    element('data', { value: least < 0 ? '' : least }, text),
  );
}

/** A line through the known values; it breaks where many numbers in a row are not known. */
function curvePath(values: ArrayLike<number>, x: (i: number) => number, y: (value: number) => number): string {
  let path = '';
  let last = -Infinity;
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    const begins = i - last > BRIDGED;
    // A value alone is a dot: a line to itself with round ends.
    path += `${begins ? 'M' : 'L'}${x(i).toFixed(1)} ${y(values[i]).toFixed(1)}${begins ? 'h0' : ''}`;
    last = i;
  }
  return path;
}
