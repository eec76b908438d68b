// Sums of two point sets P + Q by brute force. Every facet of the sum's hull is parallel to two differences of points of one
// set or of both, so that all cross products of differences name all facets, and the tops of both sets along one make a
// point of its boundary. Products in twice double precision; O(n⁴) directions, so few points only.

export interface BoundaryPoint {
  /** Unit, outward. */
  direction: number[];
  /** The middle of the points of the sum that are farthest along the direction. */
  point: number[];
  /** How far that is. */
  reach: number;
  /** The farthest points of either set. */
  topsP: number[];
  topsQ: number[];
}

/** Points count as equally far when they differ by no more than this share of the coordinates. */
const TIE = 2e-15;

/** One boundary point for each direction that a facet may have; near-equal directions once. */
export function minkowskiBoundary(p: ArrayLike<number>, q: ArrayLike<number>): BoundaryPoint[] {
  const differences = [...pairDifferences(p), ...pairDifferences(q)];
  const found = new Map<string, BoundaryPoint>();
  for (let i = 0; i < differences.length; i++) {
    for (let j = i + 1; j < differences.length; j++) {
      const normal = crossProduct(differences[i], differences[j]);
      const length = Math.hypot(...normal);
      if (!(length > 1e-15)) continue;
      for (const sign of [1, -1]) {
        const direction = normal.map((x) => (sign * x) / length);
        const at = boundaryPoint(p, q, direction);
        const key = `${at.topsP.join()}|${at.topsQ.join()}`;
        if (!found.has(key)) found.set(key, at);
      }
    }
  }
  // Sums without an inside have walls, which are parallel to one difference only.
  for (const difference of differences) {
    for (const sign of [1, -1]) {
      const at = boundaryPoint(
        p,
        q,
        difference.map((x) => sign * x),
      );
      const key = `${at.topsP.join()}|${at.topsQ.join()}`;
      if (!found.has(key)) found.set(key, at);
    }
  }
  return [...found.values()];
}

function boundaryPoint(p: ArrayLike<number>, q: ArrayLike<number>, direction: number[]): BoundaryPoint {
  const [reachP, topsP] = findTops(p, direction);
  const [reachQ, topsQ] = findTops(q, direction);
  const a = middle(p, topsP);
  const b = middle(q, topsQ);
  return { direction, point: a.map((x, i) => x + b[i]), reach: reachP + reachQ, topsP, topsQ };
}

/** How far the points go along a direction, and which do. */
export function findTops(points: ArrayLike<number>, direction: ArrayLike<number>): [number, number[]] {
  let highest = -Infinity;
  let size = 0;
  for (let i = 0; i < points.length; i++) size = Math.max(size, Math.abs(points[i]));
  const heights: number[] = [];
  for (let i = 0; i < points.length; i += 3) {
    const height = dotProduct([points[i], points[i + 1], points[i + 2]], direction);
    heights.push(height);
    highest = Math.max(highest, height);
  }
  return [highest, heights.flatMap((height, i) => (height >= highest - TIE * size ? [i] : []))];
}

/** Unit differences, so that products of tiny and of huge ones compare. */
function pairDifferences(points: ArrayLike<number>): number[][] {
  const result: number[][] = [];
  for (let i = 0; i < points.length; i += 3) {
    for (let j = i + 3; j < points.length; j += 3) {
      const d = [points[j] - points[i], points[j + 1] - points[i + 1], points[j + 2] - points[i + 2]];
      const length = Math.hypot(...d);
      if (length > 0) result.push(d.map((x) => x / length));
    }
  }
  return result;
}

function middle(points: ArrayLike<number>, ids: number[]): number[] {
  return [0, 1, 2].map((axis) => ids.reduce((sum, id) => sum + points[3 * id + axis] / ids.length, 0));
}

function crossProduct(u: number[], v: number[]): number[] {
  return [0, 1, 2].map((k) => {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    const [x, dx] = twoProduct(u[i], v[j]);
    const [y, dy] = twoProduct(u[j], v[i]);
    return x - y + (dx - dy);
  });
}

/** A product of three terms, correct to the last digits of its largest term. */
export function dotProduct(u: ArrayLike<number>, v: ArrayLike<number>): number {
  let high = 0;
  let low = 0;
  for (let k = 0; k < 3; k++) {
    const [product, error] = twoProduct(u[k], v[k]);
    const sum = high + product;
    const part = sum - high;
    low += high - (sum - part) + (product - part) + error;
    high = sum;
  }
  return high + low;
}

/** A product and its rounding error (Dekker 1971). */
function twoProduct(a: number, b: number): [number, number] {
  const product = a * b;
  const [ah, al] = split(a);
  const [bh, bl] = split(b);
  return [product, al * bl - (product - ah * bh - al * bh - ah * bl)];
}

function split(a: number): [number, number] {
  const c = 134217729 * a;
  const high = c - (c - a);
  return [high, a - high];
}
