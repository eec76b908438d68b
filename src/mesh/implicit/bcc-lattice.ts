// A body-centered cubic lattice sampled only near the surface of an implicit shape. Node coordinates (u, v, w) are
// doubled: all even (cell corners) or all odd (cell centers), so the 14 neighbors of every node are the same 14
// offsets. An octree of balls is pruned by the shape's Lipschitz bound down to blocks of 4³ cells: O(surface) samples.
import type { Box } from '../../core/box.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { ImplicitShape } from './implicit-shape.js';

/** Offsets of a node's neighbors: 6 long edges (one cell along an axis), then 8 short ones (half a cell along each). */
export const NEIGHBORS: readonly (readonly [number, number, number])[] = [
  [2, 0, 0],
  [-2, 0, 0],
  [0, 2, 0],
  [0, -2, 0],
  [0, 0, 2],
  [0, 0, -2],
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((m) => [m & 1 ? 1 : -1, m & 2 ? 1 : -1, m & 4 ? 1 : -1] as const),
];

/** Layout: nodes of a block of 4³ cells, 64 corners and 64 centers. */
export const NODES_PER_BLOCK = 128;

/**
 * Proven: cell centers up to this many cells from the surface are sampled. A center may be a whole cell from a node
 * that moves onto the surface, and that node is at most 0.36 cells from the surface.
 */
const REACH = 1.36;

export class BccLattice {
  /** Position of node (0, 0, 0); node (u, v, w) lies at origin + step · (u, v, w). */
  readonly origin: readonly [number, number, number];
  /** Half a cell. */
  readonly step: number;
  /** Block coordinates x, y, z per block. */
  readonly blocks: number[] = [];
  /** Sample of each node, by node id; NaN where none was needed. */
  values = new Float64Array(NODES_PER_BLOCK * 256);
  /** The cheapest known equivalent of the shape around each block. */
  readonly #shapes: (ImplicitShape | undefined)[] = [];
  readonly #shape: ImplicitShape;
  readonly #blockOf: Int32Array;
  readonly #size: readonly [number, number, number];

  constructor(shape: ImplicitShape, box: Box, spacing: number) {
    this.#shape = shape;
    // One block of margin all around, so that neighbors of nodes inside the box are never off the grid.
    const count = (axis: number) => Math.ceil((box.max[axis] - box.min[axis]) / (4 * spacing)) + 2;
    this.#size = [count(0), count(1), count(2)];
    const blockCount = this.#size[0] * this.#size[1] * this.#size[2];
    if (blockCount > MAX_BLOCKS) {
      throw new NearfieldError(
        'too-large',
        `A spacing of ${spacing} cuts the box into ${64 * blockCount} cells; at most ${64 * MAX_BLOCKS} are allowed. ` +
          'Use a larger spacing or a smaller box.',
      );
    }
    this.step = spacing / 2;
    this.origin = [box.min[0] - 4 * spacing, box.min[1] - 4 * spacing, box.min[2] - 4 * spacing];
    this.#blockOf = new Int32Array(blockCount).fill(-1);
  }

  /** Cells along x, y and z, with the margin. */
  get cells(): readonly [number, number, number] {
    return [4 * this.#size[0], 4 * this.#size[1], 4 * this.#size[2]];
  }

  get nodeCount(): number {
    return (this.blocks.length / 3) * NODES_PER_BLOCK;
  }

  /** The id of a node, -1 where its block holds no samples. Coordinates must lie on the grid. */
  nodeAt(u: number, v: number, w: number): number {
    const block = this.#blockOf[((w >> 3) * this.#size[1] + (v >> 3)) * this.#size[0] + (u >> 3)];
    if (block < 0) return -1;
    return block * NODES_PER_BLOCK + localIndex(u, v, w);
  }

  /** Samples the shape wherever its surface may pass; returns the number of samples taken. */
  sample(options?: ProgressOptions): number {
    const [sizeX, sizeY, sizeZ] = this.#size;
    const root = 2 ** Math.ceil(Math.log2(Math.max(sizeX, sizeY, sizeZ)));
    const cell = 2 * this.step;
    let samples = 0;
    let done = 0;

    const descend = (x: number, y: number, z: number, width: number, parent: ImplicitShape): void => {
      if (x >= sizeX || y >= sizeY || z >= sizeZ) {
        done += width ** 3;
        return;
      }
      const half = 2 * width * cell;
      const centerX = this.origin[0] + 4 * x * cell + half;
      const centerY = this.origin[1] + 4 * y * cell + half;
      const centerZ = this.origin[2] + 4 * z * cell + half;
      // Covers every node of the block and every point within reach of a center.
      const radius = Math.sqrt(3) * half + REACH * cell;
      const value = parent.value(centerX, centerY, centerZ);
      samples++;
      if (Math.abs(value) > parent.lipschitz * radius) {
        done += width ** 3;
        return;
      }
      const local = parent.near?.(centerX, centerY, centerZ, radius) ?? parent;
      if (width === 1) {
        samples += this.#sampleBlock(x, y, z, local);
        if ((++done & 255) === 0) reportProgress(options, done / root ** 3, 'sampling');
        return;
      }
      const w = width / 2;
      for (let octant = 0; octant < 8; octant++) {
        descend(x + (octant & 1 ? w : 0), y + (octant & 2 ? w : 0), z + (octant & 4 ? w : 0), w, local);
      }
    };
    descend(0, 0, 0, root, this.#shape);
    return samples;
  }

  /** Skips groups of 2³ cells around a corner, then single cells, by the value at their center, like balls. */
  #sampleBlock(x: number, y: number, z: number, shape: ImplicitShape): number {
    const { origin, step } = this;
    const reach = REACH * 2 * step * shape.lipschitz;
    const groupReach = (REACH + Math.sqrt(3) / 2) * 2 * step * shape.lipschitz;
    let samples = 0;
    for (let group = 0; group < 8; group++) {
      const u = 8 * x + (group & 1 ? 6 : 2);
      const v = 8 * y + (group & 2 ? 6 : 2);
      const w = 8 * z + (group & 4 ? 6 : 2);
      const value = shape.value(origin[0] + step * u, origin[1] + step * v, origin[2] + step * w);
      samples++;
      if (Math.abs(value) > groupReach) continue;
      const node = this.#ensureNode(u, v, w);
      this.values[node] = value;
      this.#shapes[(node / NODES_PER_BLOCK) | 0] = shape;
      for (let cell = 6; cell < 14; cell++) {
        const [du, dv, dw] = NEIGHBORS[cell];
        samples += this.#sampleCell(u + du, v + dv, w + dw, shape, reach);
      }
    }
    return samples;
  }

  /** The cell's center and, where the surface may pass within reach of it, the corners not sampled yet. */
  #sampleCell(u: number, v: number, w: number, shape: ImplicitShape, reach: number): number {
    if (!this.#hasNeighbors(u, v, w)) return 0;
    const { origin, step } = this;
    const value = shape.value(origin[0] + step * u, origin[1] + step * v, origin[2] + step * w);
    if (Number.isNaN(value)) {
      const at = [u, v, w].map((coordinate, axis) => origin[axis] + step * coordinate);
      throw new NearfieldError('non-finite', `The implicit shape has no value at ${at.join(', ')}.`);
    }
    if (Math.abs(value) > reach) return 1;
    this.values[this.#ensureNode(u, v, w)] = value;
    let samples = 1;
    for (let corner = 6; corner < 14; corner++) {
      const cu = u + NEIGHBORS[corner][0];
      const cv = v + NEIGHBORS[corner][1];
      const cw = w + NEIGHBORS[corner][2];
      const node = this.#ensureNode(cu, cv, cw);
      if (!Number.isNaN(this.values[node])) continue;
      this.values[node] = shape.value(origin[0] + step * cu, origin[1] + step * cv, origin[2] + step * cw);
      samples++;
    }
    return samples;
  }

  /** The shape's value at fraction `share` of the edge from a node to its neighbor in the given direction. */
  valueAlong(node: number, direction: number, share: number): number {
    const shape = this.#shapes[(node / NODES_PER_BLOCK) | 0] ?? this.#shape;
    const offset = NEIGHBORS[direction];
    return shape.value(
      this.origin[0] + this.step * (this.coordinate(node, 0) + share * offset[0]),
      this.origin[1] + this.step * (this.coordinate(node, 1) + share * offset[1]),
      this.origin[2] + this.step * (this.coordinate(node, 2) + share * offset[2]),
    );
  }

  /** Whether the cell is not an outermost one, so that the neighbors of its corners are on the grid. */
  #hasNeighbors(u: number, v: number, w: number): boolean {
    const [x, y, z] = this.#size;
    return u > 2 && v > 2 && w > 2 && u < 8 * x - 4 && v < 8 * y - 4 && w < 8 * z - 4;
  }

  #ensureNode(u: number, v: number, w: number): number {
    const cell = ((w >> 3) * this.#size[1] + (v >> 3)) * this.#size[0] + (u >> 3);
    let block = this.#blockOf[cell];
    if (block < 0) {
      block = this.blocks.length / 3;
      this.#blockOf[cell] = block;
      this.blocks.push(u >> 3, v >> 3, w >> 3);
      const end = (block + 1) * NODES_PER_BLOCK;
      if (end > this.values.length) {
        const grown = new Float64Array(2 * this.values.length);
        grown.set(this.values);
        this.values = grown;
      }
      this.values.fill(NaN, block * NODES_PER_BLOCK, end);
    }
    return block * NODES_PER_BLOCK + localIndex(u, v, w);
  }

  /** Coordinate of a node along one axis, from its id. */
  coordinate(node: number, axis: number): number {
    const local = node % NODES_PER_BLOCK;
    const block = (node - local) / NODES_PER_BLOCK;
    return 8 * this.blocks[3 * block + axis] + 2 * ((local >> (2 * axis)) & 3) + (local >> 6);
  }
}

/** Chosen: blocks of a lattice. This many are a grid of 1,024³ cells, whose table of blocks takes 64 MB. */
const MAX_BLOCKS = 2 ** 24;

function localIndex(u: number, v: number, w: number): number {
  return ((u & 1) << 6) | (((w >> 1) & 3) << 4) | (((v >> 1) & 3) << 2) | ((u >> 1) & 3);
}
