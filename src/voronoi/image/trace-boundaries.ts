// The boundaries of a sampled diagram by continuation (Hoff et al. 1999, 2000): from a seed, a pair of neighboring samples
// with two sites, the boundary is followed through cells of 2 × 2 samples until it meets a third site, the border or its
// beginning. Points are refined by distances to the sites. What is smaller than a pixel is not seen.
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { PlaneSite } from '../sites/plane-site.js';
import { placeSites } from '../sites/sites-box.js';
import { SiteGap } from './site-gap.js';
import type { VoronoiImage } from './voronoi-image.js';

/** Where three or more sites meet. */
export interface TracedVertex {
  readonly point: readonly [number, number];
  /** The distance to each of the first three sites. */
  readonly distance: number;
  /** The sites at the corners of the cell; the point is equally far from the first three. */
  readonly sites: readonly number[];
  /** The largest difference of those three distances; large where sites meet in a way that the image does not resolve. */
  readonly error: number;
}

/** A line equally far from two sites. */
export interface TracedLine {
  /** Ascending. */
  readonly sites: readonly [number, number];
  /** x, y of each point, about one per pixel; a vertex at an end included, of a closed line the first not repeated. */
  readonly points: Float64Array;
  /** The vertices at its ends; −1 at the border of the image, at the cut-off, and for closed lines. */
  readonly from: number;
  readonly to: number;
  readonly closed: boolean;
}

/** The boundaries of a sampled diagram. */
export interface TracedBoundaries {
  readonly vertices: readonly TracedVertex[];
  readonly lines: readonly TracedLine[];
  /** The largest difference of the distances to the two sites at any point of a line that is not a vertex. */
  readonly error: number;
}

/** How to trace. */
export interface TraceOptions {
  /** As for the image. */
  readonly curveError?: number | undefined;
}

const TRACE_OPTIONS = optionTable<TraceOptions>()({ curveError: checkedElsewhere() });

/**
 * The boundaries in an image of the sites. Every point of a line is equally far from its two sites, and every vertex from
 * three, up to rounding. Which lines and vertices there are is only as right as the image is fine.
 * @throws NearfieldError `bad-argument` if the image is not one of these sites.
 */
export function traceBoundaries(
  sites: readonly PlaneSite[],
  image: VoronoiImage,
  options: TraceOptions = {},
): TracedBoundaries {
  TRACE_OPTIONS.assert(options);
  if (!(image?.ids instanceof Int32Array) || image.ids.length !== image.width * image.height) {
    throw new NearfieldError('bad-argument', `The image is ${nameValue(image)}; give what computeVoronoi returns.`);
  }
  const { elements } = placeSites(sites, image.box, options.curveError);
  for (const id of image.ids) {
    if (id >= -1 && id < sites.length) continue;
    throw new NearfieldError(
      'bad-argument',
      `The image has the site ${id}, and there are ${sites.length}; give the sites that it was made from.`,
    );
  }
  return new Tracer(image, new SiteGap(elements)).trace();
}

/** Label: number of the edge of a cell between its corners 0 and 1, counter-clockwise from (column, row). */
const BOTTOM = 0;
/** Label: number of the edge between its corners 1 and 2. */
const RIGHT = 1;
/** Label: number of the edge between its corners 3 and 2. */
const TOP = 2;
/** Label: number of the edge between its corners 0 and 3. */
const LEFT = 3;
/** Corners of the edges, by edge. */
const ENDS = [
  [0, 1],
  [1, 2],
  [3, 2],
  [0, 3],
] as const;
/** Edges at the corners, by corner. */
const AROUND = [
  [LEFT, BOTTOM],
  [BOTTOM, RIGHT],
  [RIGHT, TOP],
  [TOP, LEFT],
] as const;

/** Chosen: how far from its cell a vertex may be, in pixels: sites may meet at a sharp angle. */
const SHARP_REACH = 8;

class Tracer {
  readonly #image: VoronoiImage;
  readonly #gap: SiteGap;
  /** By edge of the grid, horizontal ones first: 1 if a line has passed. */
  readonly #passed: Uint8Array;
  readonly #vertexOfCell = new Map<number, number>();
  readonly #vertices: TracedVertex[] = [];
  readonly #lines: TracedLine[] = [];
  readonly #out = new Float64Array(2);
  readonly #corners = new Int32Array(4);
  #error = 0;

  constructor(image: VoronoiImage, gap: SiteGap) {
    this.#image = image;
    this.#gap = gap;
    this.#passed = new Uint8Array(2 * image.width * image.height);
  }

  trace(): TracedBoundaries {
    const { width, height } = this.#image;
    for (let cell = 0; cell < width * (height - 1); cell++) {
      if (cell % width < width - 1) this.#findVertex(cell);
    }
    for (const [cell, vertex] of this.#vertexOfCell) {
      for (let edge = 0; edge < 4; edge++) {
        if (this.#isSeed(this.#edgeOf(cell, edge))) this.#traceFrom(vertex, cell, edge);
      }
    }
    for (let edge = 0; edge < this.#passed.length; edge++) if (this.#isSeed(edge)) this.#traceBothWays(edge);
    return { vertices: this.#vertices, lines: this.#lines, error: this.#error };
  }

  /** The edge of the grid on a side of a cell; cells and edges are numbered by their first sample. */
  #edgeOf(cell: number, side: number): number {
    const { width, height } = this.#image;
    if (side === BOTTOM) return cell;
    if (side === TOP) return cell + width;
    return width * height + cell + (side === RIGHT ? 1 : 0);
  }

  /** The samples at the ends of an edge, or null beyond the image. */
  #endsOf(edge: number): [number, number] | null {
    const { width, height } = this.#image;
    const count = width * height;
    if (edge < count) return edge % width < width - 1 ? [edge, edge + 1] : null;
    return edge - count + width < count ? [edge - count, edge - count + width] : null;
  }

  /** Whether two sites meet on the edge and no line has passed. */
  #isSeed(edge: number): boolean {
    const ends = this.#passed[edge] === 0 ? this.#endsOf(edge) : null;
    if (ends === null) return false;
    const { ids } = this.#image;
    const [a, b] = [ids[ends[0]], ids[ends[1]]];
    return a !== b && a >= 0 && b >= 0;
  }

  #readCorners(cell: number): Int32Array {
    const { ids, width } = this.#image;
    this.#corners[0] = ids[cell];
    this.#corners[1] = ids[cell + 1];
    this.#corners[2] = ids[cell + 1 + width];
    this.#corners[3] = ids[cell + width];
    return this.#corners;
  }

  #findVertex(cell: number): void {
    const corners = this.#readCorners(cell);
    const sites = [...new Set(corners)].filter((id) => id >= 0).sort((a, b) => a - b);
    if (sites.length < 3) return;
    const { spacing } = this.#image;
    const [x, y] = this.#sampleAt(cell, 0.5, 0.5);
    // Two lines may pass between a site and others in opposite corners; otherwise the sites meet, at a sharp angle
    // perhaps some pixels away.
    const maySkip = sites.length === 3 && (corners[0] === corners[2] || corners[1] === corners[3]);
    const reach = (maySkip ? 0.5 + 1e-9 : SHARP_REACH) * Math.max(spacing[0], spacing[1]);
    let chosen = sites;
    let error = Infinity;
    const point: [number, number] = [x, y];
    for (let left = sites.length - 1; left >= 0; left--) {
      const three = sites.length === 3 ? sites : sites.filter((_, i) => i !== left);
      const found = this.#gap.meet(three, x, y, reach, this.#out);
      const distance = this.#gap.distance(three[0], this.#out[0], this.#out[1]);
      // Of four sites three meet where the fourth is not nearer; the two places are closer than the image resolves.
      const isHidden =
        three !== sites && this.#gap.distance(sites[left], this.#out[0], this.#out[1]) < distance - found;
      if (found < error && !isHidden) {
        error = found;
        chosen = three;
        point[0] = this.#out[0];
        point[1] = this.#out[1];
      }
      if (sites.length === 3) break;
    }
    if (error === Infinity) {
      if (maySkip) return;
      const distances = sites.map((site) => this.#gap.distance(site, x, y));
      error = Math.max(...distances) - Math.min(...distances);
    }
    const distance = this.#gap.distance(chosen[0], point[0], point[1]);
    this.#vertexOfCell.set(cell, this.#vertices.length);
    const others = sites.filter((site) => !chosen.includes(site));
    this.#vertices.push({ point, distance, sites: [...chosen, ...others], error });
  }

  #sampleAt(sample: number, right: number, up: number): [number, number] {
    const { box, spacing, width } = this.#image;
    return [
      box[0] + ((sample % width) + 0.5 + right) * spacing[0],
      box[1] + (Math.floor(sample / width) + 0.5 + up) * spacing[1],
    ];
  }

  #traceFrom(vertex: number, cell: number, side: number): void {
    const points = [...this.#vertices[vertex].point];
    const sites = this.#sitesOf(this.#edgeOf(cell, side));
    const to = this.#follow(cell, side, points);
    this.#addLine(sites, points, vertex, to, false);
  }

  /** From a seed that no vertex leads to: a closed line, or one with two ends at the border or the cut-off. */
  #traceBothWays(edge: number): void {
    const { width, height } = this.#image;
    const sites = this.#sitesOf(edge);
    const isVertical = edge >= width * height;
    const first = isVertical ? edge - width * height : edge;
    // The edge is the bottom or left side of the cell of its first sample, and the top or right side of the one before.
    const before = first - (isVertical ? 1 : width);
    const forward: number[] = [];
    const to = this.#follow(before, isVertical ? RIGHT : TOP, forward);
    const closed = to === CLOSED;
    const backward: number[] = [];
    let from = -1;
    if (!closed) {
      this.#passed[edge] = 0;
      from = this.#follow(first, isVertical ? LEFT : BOTTOM, backward);
    }
    const points: number[] = [];
    for (let i = backward.length - 2; i >= 2; i -= 2) points.push(backward[i], backward[i + 1]);
    points.push(...forward);
    this.#addLine(sites, points, from, closed ? -1 : to, closed);
  }

  #addLine(sites: readonly [number, number], points: number[], from: number, to: number, closed: boolean): void {
    this.#lines.push({ sites, points: Float64Array.from(points), from, to, closed });
  }

  #sitesOf(edge: number): [number, number] {
    const ends = this.#endsOf(edge) ?? [0, 0];
    const [a, b] = [this.#image.ids[ends[0]], this.#image.ids[ends[1]]];
    return a < b ? [a, b] : [b, a];
  }

  /**
   * Follows the line out of a cell through one of its sides and adds its points, until it ends. Returns the vertex there,
   * −1, or CLOSED if it comes back to where it began. Every edge is passed once, so it ends.
   */
  #follow(cell: number, side: number, points: number[]): number {
    const { width, height } = this.#image;
    const begin = this.#edgeOf(cell, side);
    for (;;) {
      const edge = this.#edgeOf(cell, side);
      this.#passed[edge] = 1;
      this.#addCrossing(edge, points);
      cell += side === BOTTOM ? -width : side === TOP ? width : side === RIGHT ? 1 : -1;
      side = (side + 2) % 4;
      const column = cell % width;
      // Cells before column 0 have the number of the last column, which has no cells.
      if (cell < 0 || column === width - 1 || cell >= width * (height - 1)) return -1;
      const vertex = this.#vertexOfCell.get(cell);
      if (vertex !== undefined) {
        points.push(...this.#vertices[vertex].point);
        return vertex;
      }
      side = this.#exitOf(cell, side);
      if (side < 0) return -1;
      const next = this.#edgeOf(cell, side);
      if (next === begin) return CLOSED;
      if (this.#passed[next] === 1) return -1;
    }
  }

  /** The side through which a line that came in through a side of a cell without vertex goes on; −1 if none. */
  #exitOf(cell: number, side: number): number {
    const corners = this.#readCorners(cell);
    const a = corners[ENDS[side][0]];
    const b = corners[ENDS[side][1]];
    const isPair = (other: number): boolean => {
      const [p, q] = [corners[ENDS[other][0]], corners[ENDS[other][1]]];
      return (p === a && q === b) || (p === b && q === a);
    };
    if (corners[0] === corners[2] && corners[1] === corners[3]) {
      // Both sites are in opposite corners: the one nearer to the center joins its corners.
      const [x, y] = this.#sampleAt(cell, 0.5, 0.5);
      const joined = this.#gap.gap(corners[0], corners[1], x, y) <= 0 ? 0 : 1;
      const corner = ENDS[side].find((end) => end % 2 !== joined) ?? 0;
      const [one, other] = AROUND[corner];
      return one === side ? other : one;
    }
    for (let other = 0; other < 4; other++) if (other !== side && isPair(other)) return other;
    return -1;
  }

  #addCrossing(edge: number, points: number[]): void {
    const [p, q] = this.#endsOf(edge) ?? [0, 0];
    const { ids } = this.#image;
    const [px, py] = this.#sampleAt(p, 0, 0);
    const [qx, qy] = this.#sampleAt(q, 0, 0);
    const error = this.#gap.balance(ids[p], ids[q], px, py, qx, qy, this.#out);
    this.#error = Math.max(this.#error, error);
    points.push(this.#out[0], this.#out[1]);
  }
}

/** Label: what following a line returns if it comes back to where it began. */
const CLOSED = -2;
