// What may be wrong with a graph as callers see it, number by number, from the sites alone.
import type { GraphEdge, VoronoiGraph } from '../../../src/voronoi/graph/voronoi-graph.js';
import type { PlaneSite } from '../../../src/voronoi/sites/plane-site.js';
import { siteDistance } from '../site-distance.js';
import type { LabelOf } from './check-graph.js';

/** Every defect as a sentence; none for a sound graph. Without labels, as between features, both sides may be one site. */
export function graphDefects(graph: VoronoiGraph, sites: readonly PlaneSite[], labelOf: LabelOf | null): string[] {
  const found: string[] = [];
  const [x0, y0, x1, y1] = graph.box;
  const tie = 1e-9 * Math.max(x1 - x0, y1 - y0);
  const distanceTo = (site: number, [x, y]: readonly number[]): number => siteDistance(sites[site], x, y);
  const clearanceAt = (point: readonly number[]): number =>
    Math.min(...sites.map((_, site) => distanceTo(site, point)));
  const isSite = (site: number): boolean => Number.isInteger(site) && site >= 0 && site < sites.length;
  const far = (a: number, b: number): boolean => !(Math.abs(a - b) <= tie);

  graph.vertices.forEach(({ point, clearance, kind, edges, sites: nearest }, index) => {
    const say = (what: string) => found.push(`vertex ${index}: ${what}`);
    if (far(clearanceAt(point), clearance)) say(`clearance ${clearance}`);
    if (!nearest.every((site) => isSite(site) && !far(distanceTo(site, point), clearance))) say(`sites ${nearest}`);
    if (kind === 'junction' ? edges.length < 3 : edges.length !== 1) say(`${edges.length} edges at a ${kind}`);
  });

  graph.edges.forEach((edge, index) => {
    const say = (what: string) => found.push(`edge ${index}: ${what}`);
    const { points, clearances, narrowest, length } = edge;
    if (!edge.sites.every(isSite)) {
      say(`sites ${edge.sites}`);
      return;
    }
    const [left, right] = edge.sites;
    if (labelOf !== null && labelOf(left) === labelOf(right)) say('the same label on both sides');
    if (!(length >= 0 && length < Infinity)) say(`length ${length}`);
    if (length === 0 && ![edge.from, edge.to].some((end) => graph.vertices[end]?.kind === 'border')) say('no length');
    if (!(distanceToPoints(points, narrowest.point) <= graph.error + tie)) say('the narrowest place is elsewhere');
    if (far(clearanceAt(narrowest.point), narrowest.clearance)) say(`narrowest clearance ${narrowest.clearance}`);
    for (const [site, foot] of [[left, narrowest.left] as const, [right, narrowest.right] as const]) {
      if (far(distanceTo(site, narrowest.point), narrowest.clearance)) say(`site ${site} is not nearest`);
      if (far(distanceTo(site, foot), 0)) say(`a nearest point is not on site ${site}`);
      const reach = Math.hypot(foot[0] - narrowest.point[0], foot[1] - narrowest.point[1]);
      if (far(reach, narrowest.clearance)) say(`the nearest point of site ${site} is at ${reach}`);
    }
    for (let i = 0; i < clearances.length; i++) {
      const point = points.slice(2 * i, 2 * i + 2);
      if (far(clearanceAt(point), clearances[i])) say(`clearance ${clearances[i]} at point ${i}`);
      if (!(clearances[i] >= narrowest.clearance - tie)) say(`narrower at point ${i}`);
      const other = labelOf === null ? clearances[i] : secondLabel(sites, labelOf, point);
      if (far(other, clearances[i])) say(`not equidistant at point ${i}`);
    }
    if (points.length !== 2 * clearances.length || points.length < 4) say(`${points.length} coordinates`);
    checkEnds(graph, edge, index, say);
  });
  return found;
}

function checkEnds(graph: VoronoiGraph, edge: GraphEdge, index: number, say: (what: string) => void): void {
  const { from, to, points } = edge;
  const ends = [points.slice(0, 2), points.slice(-2)];
  if (from < 0 || to < 0) {
    if (from !== -1 || to !== -1 || ends[0].join() !== ends[1].join()) say('a closed curve that is open');
    return;
  }
  [from, to].forEach((vertex, i) => {
    if (!graph.vertices[vertex].edges.includes(index)) say(`vertex ${vertex} does not know it`);
    if (graph.vertices[vertex].point.join() !== ends[i].join()) say(`does not end at vertex ${vertex}`);
  });
}

function secondLabel(sites: readonly PlaneSite[], labelOf: LabelOf, [x, y]: readonly number[]): number {
  const least = new Map<number | string, number>();
  sites.forEach((site, i) => {
    least.set(labelOf(i), Math.min(least.get(labelOf(i)) ?? Infinity, siteDistance(site, x, y)));
  });
  return [...least.values()].sort((a, b) => a - b)[1];
}

function distanceToPoints(points: readonly number[], [x, y]: readonly number[]): number {
  const line: number[][] = [];
  for (let i = 0; i < points.length; i += 2) line.push([points[i], points[i + 1]]);
  return siteDistance({ type: 'polyline', points: line }, x, y);
}
