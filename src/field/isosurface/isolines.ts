// Isolines of a planar field by marching squares. The value of the bilinear field at its saddle point decides between
// the two ways through a saddle (the asymptotic decider, Nielson and Hamann 1991). O(nodes) per level.
import { NearfieldError } from '../../core/errors.js';
import { assertField, type Field } from '../grid.js';
import { assertLevel } from './isosurface-marcher.js';

/** A line along which a planar field has one value. */
export interface Isoline {
  readonly level: number;
  /** x, y of each point in turn. Smaller values lie to the left: loops run counter-clockwise around what is below the level. */
  readonly points: Float64Array;
  /** True for a loop, whose last point joins its first; otherwise the line ends at the border or where nothing was computed. */
  readonly closed: boolean;
}

/**
 * The lines of one or more levels, in the order of the levels, straight between the cuts of the grid's edges, not crossing.
 *
 * A value equal to the level counts as larger; a line through a node has one point there. Lines of a single point (a pit
 * or an edge of these values) are dropped. Cells with a node that was not computed (±Infinity) contain no line.
 * @throws NearfieldError `bad-argument` for a spatial field (see `sliceField`) or a level that is not finite.
 */
export function extractIsolines(field: Field, levels: number | readonly number[]): Isoline[] {
  assertField(field);
  if (field.size[2] !== 1) {
    throw new NearfieldError(
      'bad-argument',
      `The field has ${field.size[2]} nodes along z; give one in the plane, as sliceField makes.`,
    );
  }
  const list = typeof levels === 'number' ? [levels] : levels;
  if (!Array.isArray(list))
    throw new NearfieldError('bad-argument', 'The levels are neither a number nor an array of numbers.');
  for (const level of list) assertLevel(level);
  const lines: Isoline[] = [];
  const march = new SquareMarch(field);
  for (const level of list) march.run(level, lines);
  return lines;
}

/** Label: number of the side of a cell from its corner 0 to 1. */
const BELOW = 0;
/** Label: number of the side from corner 1 to 3. */
const RIGHT = 1;
/** Label: number of the side from corner 2 to 3. */
const ABOVE = 2;
/** Label: number of the side from corner 0 to 2. */
const LEFT = 3;

/**
 * Sides at which lines enter and leave a cell, by the mask of corners below the level: smaller values to the left.
 * Saddles have both ways.
 */
const PATHS: readonly (readonly number[])[] = [
  [],
  [BELOW, LEFT],
  [RIGHT, BELOW],
  [RIGHT, LEFT],
  [LEFT, ABOVE],
  [BELOW, ABOVE],
  [],
  [RIGHT, ABOVE],
  [ABOVE, RIGHT],
  [],
  [ABOVE, BELOW],
  [ABOVE, LEFT],
  [LEFT, RIGHT],
  [BELOW, RIGHT],
  [LEFT, BELOW],
  [],
];
/** The lines of a saddle with the corners 1 and 2 below the level (mask 6), separate. */
const PATHS_6_APART = [RIGHT, BELOW, LEFT, ABOVE];
/** The same, joined through the middle. */
const PATHS_6_JOINED = [RIGHT, ABOVE, LEFT, BELOW];
/** The lines of a saddle with the corners 0 and 3 below the level (mask 9), separate. */
const PATHS_9_APART = [BELOW, LEFT, ABOVE, RIGHT];
/** The same, joined through the middle. */
const PATHS_9_JOINED = [BELOW, RIGHT, ABOVE, LEFT];

class SquareMarch {
  readonly #field: Field;
  /**
   * The next edge of each edge along the lines, −1 at an end or without a line; and whether an edge precedes it. The
   * edge from node n to the right is 2n, the one upward 2n + 1. Each edge is cut at most once, and left at most once.
   */
  readonly #next: Int32Array;
  readonly #hasPrevious: Uint8Array;
  #level = 0;

  constructor(field: Field) {
    this.#field = field;
    this.#next = new Int32Array(2 * field.values.length);
    this.#hasPrevious = new Uint8Array(2 * field.values.length);
  }

  run(level: number, lines: Isoline[]): void {
    this.#level = level;
    this.#next.fill(-1);
    this.#hasPrevious.fill(0);
    this.#march();
    const next = this.#next;
    for (let edge = 0; edge < next.length; edge++) {
      if (next[edge] >= 0 && this.#hasPrevious[edge] === 0) this.#follow(edge, lines);
    }
    // The remaining lines are loops.
    for (let edge = 0; edge < next.length; edge++) if (next[edge] >= 0) this.#follow(edge, lines);
  }

  #march(): void {
    const { values, size } = this.#field;
    const [nx, ny] = size;
    const level = this.#level;
    for (let j = 0; j < ny - 1; j++) {
      for (let i = 0; i < nx - 1; i++) {
        const node = i + nx * j;
        const a = values[node];
        const b = values[node + 1];
        const c = values[node + nx];
        const d = values[node + nx + 1];
        const mask = (a < level ? 1 : 0) | (b < level ? 2 : 0) | (c < level ? 4 : 0) | (d < level ? 8 : 0);
        if (mask === 0 || mask === 15) continue;
        const spread = Math.max(a, b, c, d) - Math.min(a, b, c, d);
        if (!(spread < Infinity)) continue;
        const paths = mask === 6 || mask === 9 ? this.#saddlePaths(mask, a, b, c, d) : PATHS[mask];
        for (let p = 0; p < paths.length; p += 2) {
          const from = sideEdge(node, nx, paths[p]);
          const to = sideEdge(node, nx, paths[p + 1]);
          this.#next[from] = to;
          this.#hasPrevious[to] = 1;
        }
      }
    }
  }

  /** Takes values with the level subtracted, so that large values with small differences lose no precision. */
  #saddlePaths(mask: number, a: number, b: number, c: number, d: number): readonly number[] {
    const level = this.#level;
    const product = (a - level) * (d - level) - (b - level) * (c - level);
    // The value at the saddle point is product / (a + d − b − c); the sum is positive where b and c are below, mask 6.
    if (mask === 6) return product < 0 ? PATHS_6_JOINED : PATHS_6_APART;
    return product > 0 ? PATHS_9_JOINED : PATHS_9_APART;
  }

  /** Removes a line from the links, from an edge to the last one or back to the first. */
  #follow(start: number, lines: Isoline[]): void {
    const next = this.#next;
    const points: number[] = [];
    let edge = start;
    let closed = false;
    while (edge >= 0) {
      this.#addCut(edge, points);
      const following = next[edge];
      next[edge] = -1;
      closed = following === start;
      if (closed) break;
      edge = following;
    }
    const last = points.length - 2;
    if (closed && last > 0 && points[0] === points[last] && points[1] === points[last + 1]) points.length = last;
    if (points.length < 4) return;
    lines.push({ level: this.#level, points: Float64Array.from(points), closed });
  }

  /** Adds the cut of an edge, unless the point is already there. */
  #addCut(edge: number, points: number[]): void {
    const { values, size, origin, spacing } = this.#field;
    const node = edge >> 1;
    const isUp = (edge & 1) === 1;
    const from = values[node];
    const to = values[isUp ? node + size[0] : node + 1];
    const share = (this.#level - from) / (to - from);
    const i = node % size[0];
    const j = (node - i) / size[0];
    const x = origin[0] + spacing * (isUp ? i : i + share);
    const y = origin[1] + spacing * (isUp ? j + share : j);
    const last = points.length - 2;
    if (last < 0 || points[last] !== x || points[last + 1] !== y) points.push(x, y);
  }
}

function sideEdge(node: number, nx: number, side: number): number {
  if (side === BELOW) return 2 * node;
  if (side === RIGHT) return 2 * (node + 1) + 1;
  return side === ABOVE ? 2 * (node + nx) : 2 * node + 1;
}
