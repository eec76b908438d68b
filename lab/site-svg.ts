// Sites and lines on the sheet as an SVG drawing, y down, a thousand units to one of the sheet. Circles, arcs and Bézier
// curves stay what they are, so that the drawing can be read again.
import type { PlaneSite } from 'nearfield/voronoi';
import { SHEET_HEIGHT, SHEET_WIDTH } from './samples/sheet.js';

const SCALE = 1000;

interface SvgLayers {
  readonly sites: readonly PlaneSite[];
  /** Chains of x, y. */
  readonly graph: readonly ArrayLike<number>[];
}

export function sheetSvg({ sites, graph }: SvgLayers): string {
  const lines = graph.map((chain) => `<path d="${chainPath(chain)}"/>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SCALE * SHEET_WIDTH} ${SCALE * SHEET_HEIGHT}">`,
    `<g id="sites" fill="none" stroke="#16202a" stroke-width="4" stroke-linecap="round" stroke-linejoin="round">`,
    ...sites.map((site) => element(site)),
    '</g>',
    ...(lines.length === 0 ? [] : ['<g id="graph" fill="none" stroke="#c2185b" stroke-width="2">', ...lines, '</g>']),
    '</svg>',
    '',
  ].join('\n');
}

function element(site: PlaneSite): string {
  switch (site.type) {
    case 'segment':
      return `<line x1="${x(site.a)}" y1="${y(site.a)}" x2="${x(site.b)}" y2="${y(site.b)}"/>`;
    case 'circle':
      return `<circle cx="${x(site.center)}" cy="${y(site.center)}" r="${length(site.radius)}"/>`;
    default:
      return `<path d="${sitePath(site)}"/>`;
  }
}

function sitePath(site: PlaneSite): string {
  switch (site.type) {
    case 'point':
      return `M${at(site.at)}z`;
    case 'polyline':
      return `M${site.points.map(at).join(' ')}`;
    case 'polygon':
      return site.rings.map((ring) => `M${ring.map(at).join(' ')}z`).join('');
    case 'bezier':
      return `M${at(site.points[0])}${' LQC'[site.points.length - 1]}${site.points.slice(1).map(at).join(' ')}`;
    case 'arc':
      return arcPath(site.center, site.radius, site.from, site.to);
    case 'circle':
      return arcPath(site.center, site.radius, 0, 2 * Math.PI);
    case 'segment':
      return `M${at(site.a)} ${at(site.b)}`;
    case 'path':
      return site.curves.map(sitePath).join('');
  }
}

/** Two halves, so that a whole circle has ends. Counter-clockwise in the sheet is so on the screen: the sweep is 0. */
function arcPath(center: ArrayLike<number>, radius: number, from: number, to: number): string {
  const rim = (angle: number): string =>
    at([center[0] + radius * Math.cos(angle), center[1] + radius * Math.sin(angle)]);
  const turn = to < from ? to - from + 2 * Math.PI : to - from;
  const r = length(radius);
  return `M${rim(from)}A${r} ${r} 0 0 0 ${rim(from + turn / 2)}A${r} ${r} 0 0 0 ${rim(from + turn)}`;
}

function chainPath(chain: ArrayLike<number>): string {
  const points: string[] = [];
  for (let i = 0; i + 1 < chain.length; i += 2) points.push(at([chain[i], chain[i + 1]]));
  return `M${points.join(' ')}`;
}

function at(point: ArrayLike<number>): string {
  return `${x(point)},${y(point)}`;
}

function x(point: ArrayLike<number>): number {
  return length(point[0]);
}

function y(point: ArrayLike<number>): number {
  return length(SHEET_HEIGHT - point[1]);
}

function length(value: number): number {
  return Number((SCALE * value).toFixed(6));
}
