// The lines of sites, to draw them and to find the one under the pointer.
import type { PlaneSite } from 'nearfield/voronoi';

const ARC_STEPS = 96;
const CURVE_STEPS = 40;

/** The outline as chains of x, y. A point is a chain of one. */
export function outlineOf(site: PlaneSite): number[][] {
  switch (site.type) {
    case 'point':
      return [[site.at[0], site.at[1]]];
    case 'segment':
      return [[site.a[0], site.a[1], site.b[0], site.b[1]]];
    case 'polyline':
      return [site.points.flatMap((point) => [point[0], point[1]])];
    case 'polygon':
      return site.rings.map((ring) => [...ring, ring[0]].flatMap((point) => [point[0], point[1]]));
    case 'circle':
      return [arc(site.center, site.radius, 0, 2 * Math.PI)];
    case 'arc':
      return [arc(site.center, site.radius, site.from, site.to)];
    case 'bezier':
      return [bezier(site.points)];
    case 'path':
      return site.curves.flatMap(outlineOf);
  }
}

/** Chains of x, y as separate segments at a height, six numbers each. */
export function segmentsAt(chains: readonly ArrayLike<number>[], height: number): Float64Array {
  const segments: number[] = [];
  for (const chain of chains) {
    for (let i = 0; i + 3 < chain.length; i += 2) {
      segments.push(chain[i], chain[i + 1], height, chain[i + 2], chain[i + 3], height);
    }
  }
  return Float64Array.from(segments);
}

/** The distance from a place to the outline. */
export function outlineDistance(site: PlaneSite, x: number, y: number): number {
  let least = Infinity;
  for (const chain of outlineOf(site)) {
    least = Math.min(least, Math.hypot(chain[0] - x, chain[1] - y));
    for (let i = 0; i + 3 < chain.length; i += 2) {
      const [ax, ay] = [chain[i], chain[i + 1]];
      const [ux, uy] = [chain[i + 2] - ax, chain[i + 3] - ay];
      const square = ux * ux + uy * uy;
      const t = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * ux + (y - ay) * uy) / square));
      least = Math.min(least, Math.hypot(ax + t * ux - x, ay + t * uy - y));
    }
  }
  return least;
}

function arc(center: ArrayLike<number>, radius: number, from: number, to: number): number[] {
  const turn = to < from ? to - from + 2 * Math.PI * Math.ceil((from - to) / (2 * Math.PI)) : to - from;
  return Array.from({ length: ARC_STEPS + 1 }, (_, i) => {
    const angle = from + (turn * i) / ARC_STEPS;
    return [center[0] + radius * Math.cos(angle), center[1] + radius * Math.sin(angle)];
  }).flat();
}

function bezier(points: readonly ArrayLike<number>[]): number[] {
  if (points.length === 2) return points.flatMap((point) => [point[0], point[1]]);
  return Array.from({ length: CURVE_STEPS + 1 }, (_, i) => {
    const t = i / CURVE_STEPS;
    let level = points.map((point) => [point[0], point[1]]);
    while (level.length > 1) {
      level = level
        .slice(1)
        .map(([x, y], k) => [level[k][0] + t * (x - level[k][0]), level[k][1] + t * (y - level[k][1])]);
    }
    return level[0];
  }).flat();
}
