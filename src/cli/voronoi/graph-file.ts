// A Voronoi graph as a file: JSON with everything, or an SVG drawing of its edges and vertices.
import { NearfieldError } from '../../core/errors.js';
import { formatCoordinate } from '../../io/report/markup.js';
import type { VoronoiGraph } from '../../voronoi/graph/voronoi-graph.js';
import { extensionOf } from '../load-model.js';

/**
 * Chosen: the longest side of a drawing, in its units. The units of the sites may be too small for the decimals
 * written.
 */
const DRAWN_SIDE = 1000;

/** Throws for a file name whose extension is not .json or .svg. */
export function assertGraphFile(path: string): void {
  if (['json', 'svg'].includes(extensionOf(path))) return;
  throw new NearfieldError('bad-argument', `${path}: graphs are written as .json or .svg; use one of these extensions`);
}

/** @param yDown whether y0 is at the top of a drawing. */
export function writeGraph(graph: VoronoiGraph, path: string, yDown: boolean): Uint8Array {
  const text = extensionOf(path) === 'json' ? `${JSON.stringify(graph)}\n` : drawGraph(graph, yDown);
  return new TextEncoder().encode(text);
}

function drawGraph({ box, edges, vertices }: VoronoiGraph, yDown: boolean): string {
  const [x0, y0, x1, y1] = box;
  const scale = DRAWN_SIDE / Math.max(x1 - x0, y1 - y0);
  const place = (x: number, y: number): string =>
    `${formatCoordinate((x - x0) * scale, 3)},${formatCoordinate((yDown ? y - y0 : y1 - y) * scale, 3)}`;
  const lines = edges.map(({ points }) => {
    const places: string[] = [];
    for (let i = 0; i < points.length; i += 2) places.push(place(points[i], points[i + 1]));
    return `<polyline points="${places.join(' ')}"/>`;
  });
  const dots = vertices
    .filter(({ kind }) => kind !== 'border')
    .map(({ point }) => `<path d="M${place(point[0], point[1])}h0"/>`);
  const size = [(x1 - x0) * scale, (y1 - y0) * scale].map((side) => formatCoordinate(side, 3)).join(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" fill="none" stroke="#204080" stroke-width="1.5">
${lines.join('\n')}
<g stroke="#c03020" stroke-width="6" stroke-linecap="round">
${dots.join('\n')}
</g>
</svg>
`;
}
