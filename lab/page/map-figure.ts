// Numbers over two quantities as a picture in a scale of colors, with the curve of one value and a mark at the place on show.
import { formatNumber, type QuantityMap } from '../figures.js';
import { element } from './element.js';
import { paintPixels, stripScale } from './image-strip.js';
import { svg } from './svg.js';

/** The width of the picture by its height, as in style.css. */
const ASPECT = 4 / 3;
/** The mark's radius as a share of the picture's width. */
const MARK = 0.025;

export function mapFigure(map: QuantityMap): HTMLElement {
  const { id, label, axes, columns, rows, values, unit, level, at, chosen } = map;
  const high = Array.from(values).reduce((a, b) => (Number.isFinite(b) ? Math.max(a, b) : a), level.value);
  // Pictures have the first row on top.
  const pixels = Float32Array.from({ length: columns * rows }, (_, i) => {
    return values[(rows - 1 - Math.floor(i / columns)) * columns + (i % columns)];
  });
  const overlay = svg('svg', { viewBox: `0 0 ${columns} ${rows}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  const curve = contourOf(map, high)
    .map(([x0, y0, x1, y1]) => `M${x0.toFixed(2)} ${(rows - y0).toFixed(2)}L${x1.toFixed(2)} ${(rows - y1).toFixed(2)}`)
    .join('');
  for (const name of ['map-rim', 'map-level']) overlay.append(svg('path', { class: name, d: curve }));
  const [x, y] = axes.map(({ low, high: end }, k) => (at[k] - low) / (end - low || 1));
  const place = { cx: x * columns, cy: (1 - y) * rows, rx: MARK * columns, ry: MARK * ASPECT * rows };
  overlay.append(svg('ellipse', { class: 'strip-rim', ...place }), svg('ellipse', { class: 'strip-mark', ...place }));
  const picture = element('div', { class: 'map-picture' }, paintPixels(pixels, columns, 0, high), overlay);
  if (chosen !== undefined) {
    picture.addEventListener('click', (event) => {
      const { left, top, width, height } = picture.getBoundingClientRect();
      const [along, down] = [(event.clientX - left) / width, (event.clientY - top) / height];
      const valueAt = (axis: number, share: number): number =>
        axes[axis].low + Math.min(1, Math.max(0, share)) * (axes[axis].high - axes[axis].low);
      chosen(valueAt(0, along), valueAt(1, 1 - down));
    });
  }
  const [first, second] = axes.map(
    (axis) => `${axis.name}, ${formatNumber(axis.low, 3)} to ${formatNumber(axis.high, 3)} ${axis.unit}`,
  );
  const wanted = `line: ${level.name} ${formatNumber(level.value, 3)}${unit === undefined ? '' : ` ${unit}`}`;
  return element(
    'div',
    { class: 'map', 'data-figure': id, role: 'img', 'aria-label': label },
    picture,
    stripScale(0, high, unit),
    element('p', { class: 'hint' }, `Right: ${first}. Up: ${second}. ${wanted[0].toUpperCase()}${wanted.slice(1)}.`),
  );
}

/** Where the numbers have the level between middles of cells: segments in cells from the lower left corner. */
function contourOf({ columns, rows, values, level }: QuantityMap, high: number): number[][] {
  // Gaps are 0 all over where parts meet: their edge is just above it.
  const wanted = Math.max(level.value, 1e-6 * high);
  const segments: number[][] = [];
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const corners = [0, 1, 3, 2].map((k) => [column + (k & 1), row + (k >> 1)] as const);
      const ends = corners.flatMap(([x0, y0], k) => {
        const [x1, y1] = corners[(k + 1) % 4];
        const [from, to] = [values[y0 * columns + x0] - wanted, values[y1 * columns + x1] - wanted];
        if (from < 0 === to < 0) return [];
        const share = from / (from - to);
        return [x0 + share * (x1 - x0) + 0.5, y0 + share * (y1 - y0) + 0.5];
      });
      for (let k = 0; k + 3 < ends.length; k += 4) segments.push(ends.slice(k, k + 4));
    }
  }
  return segments;
}
