// The nearest site of a place by comparing all of them, with formulas of its own: the least squared distance over a
// triangle is that of its plane if the foot is inside, by signed areas, otherwise that of its three sides.
import type { SpaceSite } from '../../src/voronoi/sites/space-site.js';

type P = readonly number[];

const sub = (a: P, b: P): P => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: P, b: P): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: P, b: P): P => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

function toSegment(p: P, a: P, b: P): number {
  const u = sub(b, a);
  const square = dot(u, u);
  const t = square === 0 ? 0 : Math.min(1, Math.max(0, dot(sub(p, a), u) / square));
  return Math.hypot(p[0] - a[0] - t * u[0], p[1] - a[1] - t * u[1], p[2] - a[2] - t * u[2]);
}

function toTriangle(p: P, a: P, b: P, c: P): number {
  const n = cross(sub(b, a), sub(c, a));
  const square = dot(n, n);
  let least = Math.min(toSegment(p, a, b), toSegment(p, b, c), toSegment(p, c, a));
  if (square > 0) {
    const height = dot(sub(p, a), n) / square;
    const foot = [p[0] - height * n[0], p[1] - height * n[1], p[2] - height * n[2]];
    const inside =
      dot(cross(sub(b, a), sub(foot, a)), n) >= 0 &&
      dot(cross(sub(c, b), sub(foot, b)), n) >= 0 &&
      dot(cross(sub(a, c), sub(foot, c)), n) >= 0;
    if (inside) least = Math.min(least, Math.abs(height) * Math.sqrt(square));
  }
  return least;
}

/** The distance to a site, with its weight and offset. */
export function siteDistance(site: SpaceSite, p: P): number {
  let least = Infinity;
  const at = (point: ArrayLike<number>): P => [point[0], point[1], point[2]];
  switch (site.type) {
    case 'point':
      least = Math.hypot(...sub(p, at(site.at)));
      break;
    case 'segment':
      least = toSegment(p, at(site.a), at(site.b));
      break;
    case 'triangle':
      least = toTriangle(p, at(site.a), at(site.b), at(site.c));
      break;
    case 'mesh': {
      const { positions, indices } = site.mesh;
      const corner = (i: number): P => at(positions.subarray(3 * indices[i], 3 * indices[i] + 3));
      for (let i = 0; i < indices.length; i += 3) {
        least = Math.min(least, toTriangle(p, corner(i), corner(i + 1), corner(i + 2)));
      }
      break;
    }
  }
  return least / (site.weight ?? 1) - (site.offset ?? 0);
}

/** The least distance to all sites, and the first site that has it. */
export function nearestSite(sites: readonly SpaceSite[], p: P): { id: number; distance: number } {
  let id = -1;
  let distance = Infinity;
  sites.forEach((site, index) => {
    const d = siteDistance(site, p);
    if (d < distance) {
      distance = d;
      id = index;
    }
  });
  return { id, distance };
}
