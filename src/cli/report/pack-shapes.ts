// Meshes for the view in a report: corners as 16-bit numbers in the box of their shape, deflated, in base64. Shapes beyond
// the limits are simplified by joining the vertices of each cell of a grid (Rossignac and Borrel 1993). For looking
// at only: figures come from the meshes themselves.
import { deflate } from '../../io/image/zlib.js';
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
/** Chosen: parts that the view shows; each has its placement in the page. */
const MAX_PARTS_SHOWN = 200_000;
/** Chosen: cells along the longest side of a shape that is simplified, at first. */
const CELLS = 128;
/** By definition of 16 bits: steps of a coordinate along a side of its box. */
const STEPS = 0xffff;

/** The parts in a page. Shapes of `first` are packed before the others, where not all find room. */
export async function packShapes(
  parts: readonly { readonly mesh: Mesh; readonly pose: ArrayLike<number> }[],
  first: Iterable<number> = [],
): Promise<PackedParts> {
  const order = [...new Set([...first, ...parts.keys()])].slice(0, MAX_PARTS_SHOWN);
  const shapeIds = new Map<Mesh, number>();
  const shapes: number[][] = [];
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let triangles = 0;
  let simplified = 0;
  const append = (values: Uint16Array | Uint32Array): number => {
    const start = bytes;
    chunks.push(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    bytes += values.byteLength;
    return start;
  };
  const packMesh = (mesh: Mesh): number => {
    const allowed = Math.min(SHAPE_TRIANGLES, ALL_TRIANGLES - triangles);
    if (allowed < 12) return -1;
    const shown = simplify(mesh, allowed);
    if (shown !== mesh) simplified++;
    const { positions, indices } = shown;
    const { low, size } = extentOf(positions);
    const corners = Uint16Array.from(positions, (value, i) => {
      const axis = i % 3;
      return size[axis] > 0 ? Math.round((STEPS * (value - low[axis])) / size[axis]) : 0;
    });
    const wide = positions.length / 3 <= STEPS ? 2 : 4;
    const cornerStart = append(corners);
    const indexStart = append(wide === 2 ? Uint16Array.from(indices) : indices);
    triangles += indices.length / 3;
    return (
      shapes.push([
        positions.length / 3,
        indices.length / 3,
        wide,
        cornerStart,
        indexStart,
        ...[...low, ...size].map((value) => Number(value.toPrecision(9))),
      ]) - 1
    );
  };
  for (const part of order) {
    const { mesh } = parts[part];
    if (!shapeIds.has(mesh)) shapeIds.set(mesh, packMesh(mesh));
  }
  const shown = new Set(order);
  const placed = parts.map(({ mesh, pose }, part) => [
    shown.has(part) ? (shapeIds.get(mesh) ?? -1) : -1,
    ...Array.from(pose, (value) => Number(value.toPrecision(10))),
  ]);
  const joined = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return {
    scene: { shapes, parts: placed, data: toBase64(await deflate(joined)) },
    simplified,
    missing: placed.filter(([shape]) => shape < 0).length,
  };
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

/** The mesh itself, or one with at most `limit` triangles. */
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
