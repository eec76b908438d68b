// Properties of a Voronoi graph that hold for any sites, checked from their definitions.
import { expect } from 'vitest';
import type { Random } from '../../../src/core/random.js';
import type { VoronoiGraph } from '../../../src/voronoi/graph/voronoi-graph.js';
import type { PlaneSite } from '../../../src/voronoi/sites/plane-site.js';
import { siteDistance } from '../site-distance.js';

/** What tells the regions apart: the object of a site, or the site itself. */
export type LabelOf = (site: number) => number | string;

/** The two least distances of different labels. */
export function nearestLabels(sites: readonly PlaneSite[], labelOf: LabelOf, x: number, y: number) {
  const least = new Map<number | string, number>();
  sites.forEach((site, i) => {
    const label = labelOf(i);
    least.set(label, Math.min(least.get(label) ?? Infinity, siteDistance(site, x, y)));
  });
  const sorted = [...least].sort((a, b) => a[1] - b[1]);
  return { label: sorted[0][0], first: sorted[0][1], second: sorted[1]?.[1] ?? Infinity };
}

/** Adjacency matches edges, ends match vertices, degrees match kinds. */
export function checkStructure(graph: VoronoiGraph): void {
  expect(graph.status).toBe('complete');
  graph.vertices.forEach((vertex, index) => {
    const ends = graph.edges.flatMap(({ from, to }, edge) => [from, to].filter((end) => end === index).map(() => edge));
    expect([...vertex.edges].sort()).toEqual(ends.sort());
    if (vertex.kind === 'border') expect(ends.length).toBe(1);
    if (vertex.kind === 'junction') expect(ends.length).toBeGreaterThanOrEqual(3);
  });
  const [x0, y0, x1, y1] = graph.box;
  const size = Math.max(x1 - x0, y1 - y0);
  for (const { from, to, points, length, narrowest } of graph.edges) {
    const last = points.length - 2;
    if (from < 0) expect([points[last], points[last + 1], to]).toEqual([points[0], points[1], -1]);
    else {
      expect([points[0], points[1]]).toEqual(graph.vertices[from].point);
      expect([points[last], points[last + 1]]).toEqual(graph.vertices[to].point);
    }
    let sum = 0;
    for (let i = 2; i <= last; i += 2) sum += Math.hypot(points[i] - points[i - 2], points[i + 1] - points[i - 1]);
    expect(length).toBeCloseTo(sum, 9);
    expect(Math.hypot(narrowest.point[0] - narrowest.left[0], narrowest.point[1] - narrowest.left[1])).toBeLessThan(
      3 * size,
    );
  }
  for (const { point, kind } of graph.vertices) {
    if (kind !== 'border') continue;
    const gap = Math.min(point[0] - x0, x1 - point[0], point[1] - y0, y1 - point[1]);
    expect(Math.abs(gap)).toBeLessThan(1e-12 * size);
  }
}

/** Every point of an edge is at the same distance from two labels, and no label is nearer; the narrowest place is least. */
export function checkEquidistance(graph: VoronoiGraph, sites: readonly PlaneSite[], labelOf: LabelOf): number {
  const size = Math.max(graph.box[2] - graph.box[0], graph.box[3] - graph.box[1]);
  let checked = 0;
  for (const edge of graph.edges) {
    const { points, narrowest } = edge;
    for (let i = 0; i < points.length; i += 2) {
      const { first, second } = nearestLabels(sites, labelOf, points[i], points[i + 1]);
      expect(second - first).toBeLessThan(1e-9 * size);
      expect(narrowest.clearance).toBeLessThan(first + 1e-9 * size);
      checked++;
      // The middle of a chord is within the error of the boundary, so the difference is at most twice that.
      if (i + 2 >= points.length) continue;
      const x = (points[i] + points[i + 2]) / 2;
      const y = (points[i + 1] + points[i + 3]) / 2;
      const middle = nearestLabels(sites, labelOf, x, y);
      expect(middle.second - middle.first).toBeLessThan(2 * graph.error + 1e-9 * size);
      expect(narrowest.clearance).toBeLessThan(middle.first + graph.error + 1e-9 * size);
    }
    expect(distanceToLine(points, narrowest.point[0], narrowest.point[1])).toBeLessThan(graph.error + 1e-9 * size);
    const there = nearestLabels(sites, labelOf, narrowest.point[0], narrowest.point[1]);
    expect(Math.abs(there.first - narrowest.clearance)).toBeLessThan(1e-9 * size);
    expect(there.second - there.first).toBeLessThan(1e-9 * size);
  }
  for (const { point, clearance } of graph.vertices) {
    const { first } = nearestLabels(sites, labelOf, point[0], point[1]);
    expect(Math.abs(first - clearance)).toBeLessThan(1e-9 * size);
  }
  return checked;
}

/** Where the label changes along random lines there is an edge; returns how many changes were seen. */
export function checkCrossings(
  graph: VoronoiGraph,
  sites: readonly PlaneSite[],
  labelOf: LabelOf,
  random: Random,
  lines: number,
): number {
  const [x0, y0, x1, y1] = graph.box;
  const size = Math.max(x1 - x0, y1 - y0);
  let changes = 0;
  for (let line = 0; line < lines; line++) {
    const a = [random.range(x0, x1), random.range(y0, y1)];
    const b = [random.range(x0, x1), random.range(y0, y1)];
    const labelAt = (t: number) =>
      nearestLabels(sites, labelOf, a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])).label;
    const steps = 40;
    for (let i = 0; i < steps; i++) {
      let low = i / steps;
      let high = (i + 1) / steps;
      const start = labelAt(low);
      if (start === labelAt(high)) continue;
      for (let k = 0; k < 44; k++) {
        const middle = (low + high) / 2;
        if (labelAt(middle) === start) low = middle;
        else high = middle;
      }
      changes++;
      const x = a[0] + low * (b[0] - a[0]);
      const y = a[1] + low * (b[1] - a[1]);
      expect(distanceToEdges(graph, x, y)).toBeLessThan(graph.error + 1e-9 * size);
    }
  }
  return changes;
}

export function distanceToEdges(graph: VoronoiGraph, x: number, y: number): number {
  return Math.min(...graph.edges.map(({ points }) => distanceToLine(points, x, y)));
}

function distanceToLine(points: readonly number[], x: number, y: number): number {
  let least = Infinity;
  for (let i = 0; i + 3 < points.length; i += 2) {
    const site = { type: 'segment', a: [points[i], points[i + 1]], b: [points[i + 2], points[i + 3]] } as const;
    least = Math.min(least, siteDistance(site, x, y));
  }
  return least;
}

/** The faces that the graph and the border of the box divide the box into, by Euler's relation. */
export function facesByEuler(graph: VoronoiGraph): number {
  const border = graph.vertices.filter(({ kind }) => kind === 'border').length;
  const loops = graph.edges.filter(({ from }) => from < 0).length;
  // The border of the box joins its vertices; without any it is a loop, for which one vertex is counted.
  const vertices = graph.vertices.length + loops + (border === 0 ? 1 : 0);
  const edges = graph.edges.length + Math.max(border, 1);
  return edges - vertices + countComponents(graph);
}

/** Connected parts of the graph together with the border of the box. */
function countComponents(graph: VoronoiGraph): number {
  const parent = graph.vertices.map((_, i) => i).concat(graph.vertices.length);
  const find = (i: number): number => (parent[i] === i ? i : find(parent[i]));
  graph.vertices.forEach(({ kind }, i) => {
    if (kind === 'border') parent[find(i)] = find(graph.vertices.length);
  });
  let loops = 0;
  for (const { from, to } of graph.edges) {
    if (from < 0) loops++;
    else parent[find(from)] = find(to);
  }
  return parent.filter((p, i) => p === i).length + loops;
}

/** The connected parts of equal labels among the samples of a grid. */
export function facesByFlood(
  sites: readonly PlaneSite[],
  box: readonly number[],
  labelOf: LabelOf,
  steps: number,
): number {
  const labels = Array.from({ length: steps * steps }, (_, i) => {
    const x = box[0] + ((box[2] - box[0]) * ((i % steps) + 0.5)) / steps;
    const y = box[1] + ((box[3] - box[1]) * (Math.floor(i / steps) + 0.5)) / steps;
    return nearestLabels(sites, labelOf, x, y).label;
  });
  const seen = new Uint8Array(labels.length);
  let faces = 0;
  for (let start = 0; start < labels.length; start++) {
    if (seen[start] === 1) continue;
    faces++;
    const stack = [start];
    seen[start] = 1;
    while (stack.length > 0) {
      const i = stack.pop() as number;
      const column = i % steps;
      for (const next of [i - steps, i + steps, column > 0 ? i - 1 : -1, column < steps - 1 ? i + 1 : -1]) {
        if (next < 0 || next >= labels.length || seen[next] === 1 || labels[next] !== labels[start]) continue;
        seen[next] = 1;
        stack.push(next);
      }
    }
  }
  return faces;
}
