// The surface between negative and other nodes of a grid, found from blocks of nodes that it passes through and
// followed from cell to cell beyond them, as where it spans a hole far from the mesh. Closed, manifold and oriented:
// marching tetrahedra over finite values none of which is near zero, with the border of the grid outside.
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { GridFrame } from '../grid.js';
import { BlockNodes } from '../isosurface/block-nodes.js';
import { EdgeVertices } from '../isosurface/edge-vertices.js';
import { IsosurfaceMarcher } from '../isosurface/isosurface-marcher.js';
import type { SparseField } from '../sparse/sparse-field.js';

/** Chosen: values nearer to zero than this share of a spacing are moved away from it: cuts at nodes make needles. */
const MIN_VALUE = 0.05;

/** The corners of a cell's six faces as bits, with the step to the neighbor behind the face. */
const FACES = [
  [0b01010101, -1, 0, 0],
  [0b10101010, 1, 0, 0],
  [0b00110011, 0, -1, 0],
  [0b11001100, 0, 1, 0],
  [0b00001111, 0, 0, -1],
  [0b11110000, 0, 0, 1],
] as const;

export interface NodeValues {
  /** A finite value for every node of the grid. */
  value(i: number, j: number, k: number): number;
}

export class SolidExtraction {
  readonly #frame: GridFrame;
  readonly #nodes: NodeValues;
  readonly #fields: readonly SparseField[];
  readonly #marcher: IsosurfaceMarcher;
  readonly #least: number;
  readonly #corners = new Float64Array(8);
  readonly #block = new BlockNodes();
  /** Cells followed beyond the blocks: three numbers each, and those already met. */
  readonly #waiting: number[] = [];
  readonly #met = new EdgeVertices();
  readonly #maxCells: number;
  #cells = 0;

  /** `fields`: their blocks are searched for the surface. */
  constructor(frame: GridFrame, nodes: NodeValues, fields: readonly SparseField[], maxCells: number) {
    this.#frame = frame;
    this.#nodes = nodes;
    this.#fields = fields;
    this.#marcher = new IsosurfaceMarcher(frame);
    this.#least = MIN_VALUE * frame.spacing;
    this.#maxCells = maxCells;
  }

  run(progress: ProgressOptions): Mesh {
    let done = 0;
    const total = this.#fields.reduce((sum, field) => sum + field.blockCount, 0);
    this.#fields.forEach((field, at) => {
      for (const { node } of field.blocks()) {
        reportProgress(progress, done++ / total, 'isosurface');
        const isDone = this.#fields.some(
          (other, before) => before < at && other.entry(node[0] >> 3, node[1] >> 3, node[2] >> 3) >= 0,
        );
        if (!isDone) this.#searchBlock(node, progress);
      }
    });
    // Every round takes one cell of the grid that was not met before.
    while (this.#waiting.length > 0) {
      if ((done++ & 63) === 0) reportProgress(progress, 1, 'isosurface');
      const k = this.#waiting.pop()!;
      const j = this.#waiting.pop()!;
      const i = this.#waiting.pop()!;
      for (let c = 0; c < 8; c++) this.#corners[c] = this.#value(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2));
      this.#addCell(i, j, k);
    }
    const mesh = this.#marcher.mesh();
    reportProgress(progress, 1, 'isosurface');
    return mesh;
  }

  #searchBlock(first: Readonly<Vec3>, { signal }: ProgressOptions): void {
    const block = this.#block;
    block.begin(first, this.#frame.size);
    const [i0, j0, k0] = first;
    const [endI, endJ, endK] = block.count;
    let inside = 0;
    for (let k = 0; k < endK; k++) {
      // Near a large open mesh a winding number takes 40 µs, and a whole block 30 ms.
      reportProgress({ signal }, 0, 'isosurface');
      for (let j = 0; j < endJ; j++) {
        for (let i = 0; i < endI; i++) {
          const value = this.#value(i0 + i, j0 + j, k0 + k);
          block.values[block.index(i, j, k)] = value;
          if (value < 0) inside++;
        }
      }
    }
    if (inside === 0 || inside === endI * endJ * endK) return;
    for (let k = 0; k < endK - 1; k++) {
      for (let j = 0; j < endJ - 1; j++) {
        for (let i = 0; i < endI - 1; i++) {
          block.readCell(i, j, k, this.#corners);
          this.#addCell(i0 + i, j0 + j, k0 + k);
        }
      }
    }
  }

  #value(i: number, j: number, k: number): number {
    const [nx, ny, nz] = this.#frame.size;
    const isBorder = i === 0 || j === 0 || k === 0 || i === nx - 1 || j === ny - 1 || k === nz - 1;
    const value = this.#nodes.value(i, j, k);
    if (value < 0 && !isBorder) return Math.min(value, -this.#least);
    return Math.max(Math.abs(value), this.#least);
  }

  /** Adds the cell whose corners are set, and follows the surface into its neighbors outside the blocks. */
  #addCell(i: number, j: number, k: number): void {
    let mask = 0;
    for (let c = 0; c < 8; c++) if (this.#corners[c] < 0) mask |= 1 << c;
    if (mask === 0 || mask === 255) return;
    if (++this.#cells > this.#maxCells) {
      throw new NearfieldError(
        'too-large',
        `The surface passes through more than ${this.#maxCells} cells of the grid; use a lower resolution, or raise maxCells.`,
      );
    }
    this.#marcher.addCell(i, j, k, this.#corners);
    for (const [face, di, dj, dk] of FACES) {
      if ((mask & face) !== 0 && (mask & face) !== face) this.#follow(i + di, j + dj, k + dk);
    }
  }

  #follow(i: number, j: number, k: number): void {
    const [nx, ny, nz] = this.#frame.size;
    if (i < 0 || j < 0 || k < 0 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
    for (const field of this.#fields) if (field.entry(i >> 3, j >> 3, k >> 3) >= 0) return;
    const key = i + nx * (j + ny * k);
    const place = this.#met.find(key);
    if (this.#met.get(place) >= 0) return;
    this.#met.set(place, key, 1);
    this.#waiting.push(i, j, k);
  }
}
