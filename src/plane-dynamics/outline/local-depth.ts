// How deep the boundaries of two overlapping outlines dip into each other: the largest distance of a point of one boundary,
// inside the other outline, to its boundary. Signed distances change by no more than the way between two points, so each part
// of a boundary is halved until it cannot be deeper by more than a tenth.
import type { PlacedOutline } from './outline.js';

/** Chosen: the gap at which the search ends, as a share of the depth. */
const RELATIVE_GAP = 0.1;
/** Chosen: parts of both boundaries that are looked at; enough for any gap that matters at a thousand edges. */
const MAX_PARTS = 20_000;
/** Chosen: the boundary of a disc begins as this many arcs. */
const ARCS = 16;

/** An upper bound of the depth, to a tenth; 0 if neither boundary has a point inside the other outline. */
export function measureLocalDepth(a: PlacedOutline, b: PlacedOutline): number {
  const lower = { value: 0 };
  return Math.max(deepest(a, b, lower), deepest(b, a, lower));
}

/** The depth of the boundary of `inner` within `outer`. */
function deepest(inner: PlacedOutline, outer: PlacedOutline, lower: { value: number }): number {
  const { points, outline } = inner;
  const { next, radius } = outline;
  const count = radius > 0 ? ARCS : next.length;
  const length = (part: number): number => {
    if (radius > 0) return (2 * Math.PI * radius) / ARCS;
    const [i, j] = [2 * part, 2 * next[part]];
    return Math.hypot(points[j] - points[i], points[j + 1] - points[i + 1]);
  };
  const depthAt = (part: number, share: number): number => {
    if (radius > 0) {
      const angle = (2 * Math.PI * (part + share)) / ARCS;
      return signedDepth(outer, points[0] + radius * Math.cos(angle), points[1] + radius * Math.sin(angle));
    }
    const [i, j] = [2 * part, 2 * next[part]];
    const x = points[i] + share * (points[j] - points[i]);
    return signedDepth(outer, x, points[i + 1] + share * (points[j + 1] - points[i + 1]));
  };
  const open: { part: number; from: number; to: number; bound: number }[] = [];
  const look = (part: number, from: number, to: number): void => {
    const depth = depthAt(part, 0.5 * (from + to));
    lower.value = Math.max(lower.value, depth);
    open.push({ part, from, to, bound: depth + 0.5 * (to - from) * length(part) });
  };
  for (let part = 0; part < count; part++) look(part, 0, 1);
  let upper = 0;
  for (let looked = 0; open.length > 0; looked++) {
    const { part, from, to, bound } = open.pop()!;
    if (!(bound > 0)) continue;
    if (bound <= (1 + RELATIVE_GAP) * lower.value || looked > MAX_PARTS || to - from < Number.EPSILON) {
      upper = Math.max(upper, bound);
      continue;
    }
    const middle = 0.5 * (from + to);
    look(part, from, middle);
    look(part, middle, to);
  }
  return lower.value > 0 ? upper : 0;
}

/** The distance of a point from the boundary, negative outside. */
function signedDepth(placed: PlacedOutline, x: number, y: number): number {
  const { points, outline } = placed;
  const { next, radius } = outline;
  if (radius > 0) return radius - Math.hypot(x - points[0], y - points[1]);
  let least = Infinity;
  for (let i = 0; i < next.length; i++) {
    const [p, q] = [2 * i, 2 * next[i]];
    const [dx, dy] = [points[q] - points[p], points[q + 1] - points[p + 1]];
    const along = ((x - points[p]) * dx + (y - points[p + 1]) * dy) / (dx * dx + dy * dy);
    const share = Math.max(0, Math.min(1, along));
    least = Math.min(least, Math.hypot(x - points[p] - share * dx, y - points[p + 1] - share * dy));
  }
  return placed.contains(x, y) ? least : -least;
}
