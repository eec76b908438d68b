// Distances to sites of the plane from their definitions, one formula per type; shares no code with the library.
import type { PlaneSite } from '../../src/voronoi/sites/plane-site.js';

type Point = ArrayLike<number>;

/** The distance to the site over its weight, less its offset. */
export function siteDistance(site: PlaneSite, x: number, y: number): number {
  return shapeDistance(site, x, y) / (site.weight ?? 1) - (site.offset ?? 0);
}

/** The nearest site, the lowest index at a tie, and the distances to all. */
export function nearestSite(sites: readonly PlaneSite[], x: number, y: number) {
  const all = sites.map((site) => siteDistance(site, x, y));
  const distance = Math.min(...all);
  return { id: all.indexOf(distance), distance, all };
}

function shapeDistance(site: PlaneSite, x: number, y: number): number {
  switch (site.type) {
    case 'point':
      return Math.hypot(x - site.at[0], y - site.at[1]);
    case 'segment':
      return segmentDistance(site.a, site.b, x, y);
    case 'polyline':
      return linesDistance(site.points, false, x, y);
    case 'polygon':
      return Math.min(...site.rings.map((ring) => linesDistance(ring, true, x, y)));
    case 'circle':
      return Math.abs(Math.hypot(x - site.center[0], y - site.center[1]) - site.radius);
    case 'arc':
      return arcDistance(site, x, y);
    case 'bezier':
      return curveDistance(site.points, x, y);
    case 'path':
      return Math.min(...site.curves.map((curve) => shapeDistance(curve, x, y)));
  }
}

function linesDistance(points: readonly Point[], closed: boolean, x: number, y: number): number {
  if (points.length === 1) return Math.hypot(x - points[0][0], y - points[0][1]);
  let least = Infinity;
  for (let i = 0; i < points.length - (closed ? 0 : 1); i++) {
    least = Math.min(least, segmentDistance(points[i], points[(i + 1) % points.length], x, y));
  }
  return least;
}

/** By the clamped parameter of the foot of the perpendicular. */
function segmentDistance(a: Point, b: Point, x: number, y: number): number {
  const square = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2;
  const t = square === 0 ? 0 : ((x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1])) / square;
  const s = Math.min(1, Math.max(0, t));
  return Math.hypot(x - a[0] - s * (b[0] - a[0]), y - a[1] - s * (b[1] - a[1]));
}

/** By the angle of the place seen from the center. */
function arcDistance(arc: PlaneSite & { type: 'arc' }, x: number, y: number): number {
  const { center, radius, from, to } = arc;
  const turn = 2 * Math.PI;
  const sweep = to - from >= turn ? turn : (((to - from) % turn) + turn) % turn;
  const angle = Math.atan2(y - center[1], x - center[0]);
  const along = (((angle - from) % turn) + turn) % turn;
  if (along <= sweep) return Math.abs(Math.hypot(x - center[0], y - center[1]) - radius);
  const end = (at: number) => Math.hypot(x - center[0] - radius * Math.cos(at), y - center[1] - radius * Math.sin(at));
  return Math.min(end(from), end(to));
}

/** By chords of a thousand even steps of the Bernstein polynomials. */
function curveDistance(points: readonly Point[], x: number, y: number): number {
  const steps = 1000;
  let least = Infinity;
  let last = points[0];
  for (let i = 1; i <= steps; i++) {
    const next = bernstein(points, i / steps);
    least = Math.min(least, segmentDistance(last, next, x, y));
    last = next;
  }
  return least;
}

function bernstein(points: readonly Point[], t: number): number[] {
  const n = points.length - 1;
  const choose = [1, n, (n * (n - 1)) / 2, 1];
  const sum = [0, 0];
  points.forEach((point, k) => {
    const factor = (k === n ? 1 : choose[k]) * t ** k * (1 - t) ** (n - k);
    sum[0] += factor * point[0];
    sum[1] += factor * point[1];
  });
  return sum;
}
