// Meshes for the view in a report: corners as 16-bit numbers in the box of their shape, deflated, in base64. Shapes beyond
// the limits are simplified by joining the vertices of each cell of a grid (Rossignac and Borrel 1993). They are
// for looking only: figures come from the meshes themselves.
import { deflate } from '../../io/zip/deflate.js';
import type { Mesh } from '../../mesh/mesh.js';

/** The scene of the page's view: see model-view.page.js. */
export interface PackedScene {
  /**
   * Vertices, triangles, bytes of an index, where the corners and the indices begin, the box's low corner and its size.
   */
  readonly shapes: readonly (readonly number[])[];
  /** The number of the shape, −1 for one that is left out, and the pose. */
  readonly parts: readonly (readonly number[])[];
  /** The bytes, deflated, in base64. */
  readonly data: string;
}

export interface PackedParts {
  readonly scene: PackedScene;
  /** Shapes that are shown simplified. */
  readonly simplified: number;
  /** Parts that are not shown. */
  readonly missing: number;
}

/** Chosen: triangles of one shape in the page; a larger shape is simplified. */
const SHAPE_TRIANGLES = 60_000;
/** Chosen: triangles of all shapes together in the page, for its size. */
const ALL_TRIANGLES = 500_000;
/** Chosen: a shape is left out if fewer triangles than this are left for it, those of a box. */
const MIN_SHAPE_TRIANGLES = 12;
/** Chosen: parts that the view shows; each has its placement in the page. */
const MAX_PARTS_SHOWN = 200_000;
/** Chosen: cells along the longest side of a shape that is simplified, at first. */
const CELLS = 128;
/** Definition of 16 bits: steps of a coordinate along a side of its box. */
const STEPS = 0xffff;

/** The parts in a page. Shapes of `first` are packed before the others, since not all may find room. */
export async function packShapes(
  parts: readonly { readonly mesh: Mesh; readonly pose: ArrayLike<number> }[],
  first: Iterable<number> = [],
): Promise<PackedParts> {
  const order = [...new Set([...first, ...parts.keys()])].slice(0, MAX_PARTS_SHOWN);
  const shapes = new ShapePacker();
  const shapeIds = new Map<Mesh, number>();
  for (const part of order) {
    const { mesh } = parts[part];
    if (!shapeIds.has(mesh)) shapeIds.set(mesh, shapes.add(mesh));
  }
  const shown = new Set(order);
  const placed = parts.map(({ mesh, pose }, part) => [
    shown.has(part) ? (shapeIds.get(mesh) ?? -1) : -1,
    ...Array.from(pose, (value) => Number(value.toPrecision(10))),
  ]);
  return {
    scene: { shapes: shapes.records, parts: placed, data: toBase64(await deflate(shapes.bytes())) },
    simplified: shapes.simplified,
    missing: placed.filter(([shape]) => shape < 0).length,
  };
}

/** The shapes packed so far: a record for each, and their corners and indices one after the other. */
class ShapePacker {
  /** See `PackedScene.shapes`. */
  readonly records: number[][] = [];
  /** Number of shapes that are shown simplified. */
  simplified = 0;
  readonly #chunks: Uint8Array[] = [];
  #byteCount = 0;
  #triangles = 0;

  /** Packs a mesh and returns the number of its shape; −1 if it is left out. */
  add(mesh: Mesh): number {
    const allowed = Math.min(SHAPE_TRIANGLES, ALL_TRIANGLES - this.#triangles);
    if (allowed < MIN_SHAPE_TRIANGLES) return -1;
    const shown = simplify(mesh, allowed);
    if (shown !== mesh) this.simplified++;
    const { positions, indices } = shown;
    const { low, size } = extentOf(positions);
    const corners = Uint16Array.from(positions, (value, i) => {
      const axis = i % 3;
      return size[axis] > 0 ? Math.round((STEPS * (value - low[axis])) / size[axis]) : 0;
    });
    const wide = positions.length / 3 <= STEPS ? 2 : 4;
    const cornerStart = this.#append(corners);
    const indexStart = this.#append(wide === 2 ? Uint16Array.from(indices) : indices);
    this.#triangles += indices.length / 3;
    const box = [...low, ...size].map((value) => Number(value.toPrecision(9)));
    const record = [positions.length / 3, indices.length / 3, wide, cornerStart, indexStart, ...box];
    return this.records.push(record) - 1;
  }

  /** Corners and indices of all shapes. */
  bytes(): Uint8Array<ArrayBuffer> {
    const joined = new Uint8Array(this.#byteCount);
    let at = 0;
    for (const chunk of this.#chunks) {
      joined.set(chunk, at);
      at += chunk.length;
    }
    return joined;
  }

  /** Returns where the values begin. */
  #append(values: Uint16Array | Uint32Array): number {
    const start = this.#byteCount;
    this.#chunks.push(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    this.#byteCount += values.byteLength;
    return start;
  }
}

/** Bytes as base64 text. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function extentOf(positions: Float64Array): { low: number[]; size: number[] } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    const axis = i % 3;
    if (positions[i] < low[axis]) low[axis] = positions[i];
    if (positions[i] > high[axis]) high[axis] = positions[i];
  }
  if (positions.length === 0) return { low: [0, 0, 0], size: [0, 0, 0] };
  return { low, size: high.map((value, axis) => value - low[axis]) };
}

/** The mesh itself, or a simplified one with up to `limit` triangles. */
function simplify(mesh: Mesh, limit: number): Mesh {
  if (mesh.indices.length / 3 <= limit) return mesh;
  for (let cells = CELLS; cells > 2; cells = Math.floor(0.7 * cells)) {
    const coarse = joinCells(mesh, cells);
    if (coarse.indices.length / 3 <= limit) return coarse;
  }
  return joinCells(mesh, 1);
}

/** The vertices of a cell become their mean; triangles within fewer than three cells vanish. */
function joinCells({ positions, indices }: Mesh, cells: number): Mesh {
  const { low, size } = extentOf(positions);
  const side = Math.max(...size) / cells || 1;
  const vertexOf = new Uint32Array(positions.length / 3);
  const known = new Map<number, number>();
  const sums: number[] = [];
  const counts: number[] = [];
  for (let v = 0; v < vertexOf.length; v++) {
    let key = 0;
    for (let axis = 0; axis < 3; axis++) {
      key = key * (cells + 1) + Math.min(cells, Math.floor((positions[3 * v + axis] - low[axis]) / side));
    }
    let id = known.get(key);
    if (id === undefined) {
      id = known.size;
      known.set(key, id);
      sums.push(0, 0, 0);
      counts.push(0);
    }
    for (let axis = 0; axis < 3; axis++) sums[3 * id + axis] += positions[3 * v + axis];
    counts[id]++;
    vertexOf[v] = id;
  }
  const kept: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [vertexOf[indices[i]], vertexOf[indices[i + 1]], vertexOf[indices[i + 2]]];
    if (a !== b && b !== c && c !== a) kept.push(a, b, c);
  }
  return {
    positions: Float64Array.from(sums, (sum, i) => sum / counts[Math.floor(i / 3)]),
    indices: Uint32Array.from(kept),
  };
}
