// The distance of two surfaces where they are within a limit, by brute force over the triangles whose boxes are: for meshes of many
// triangles that are near each other in a few places only. Shares nothing with the library.
import { type OracleMesh, placeInFrame } from './mesh-distance.js';
import { triangleDistanceSquared } from './triangle-distance-oracle.js';
import { trianglesMeet } from './triangles-meet.js';

/** Triangles of a block, in the order of the mesh. */
const BLOCK = 16;

/** Rounding of boxes, as a share of the coordinates. */
const ROUNDING = 1e-12;

/** Middles and half widths of boxes, six numbers each: of the whole, of blocks and of triangles, in the frame of the mesh. */
interface Boxes {
  readonly whole: Float64Array;
  readonly blocks: Float64Array;
  readonly triangles: Float64Array;
}

const boxesOfMesh = new WeakMap<OracleMesh, Boxes>();

/** The least distance of the surfaces of a and b; Infinity if it is above the limit. Whether one solid is inside the other is not asked. */
export function surfaceDistanceWithin(
  a: OracleMesh,
  poseA: ArrayLike<number>,
  b: OracleMesh,
  poseB: ArrayLike<number>,
  limit: number,
): number {
  const [own, other] = [boxesOf(a), boxesOf(b)];
  // The columns of the rotation and the origin of b in a's frame.
  const frame = placeInFrame(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), poseA, poseB);
  const wholeB = turnBoxes(other.whole, frame);
  if (gap(own.whole, 0, wholeB, 0) > limit) return Infinity;
  const rows = near(own.blocks, wholeB, limit);
  const turned = turnBoxes(other.blocks, frame);
  const columns = near(turned, own.whole, limit);
  const corners = [new Uint32Array(3), Uint32Array.of(0, 3, 6)];
  let best = limit * limit * (1 + ROUNDING);
  let isFound = false;
  for (const column of columns) {
    const close = rows.filter((row) => gap(own.blocks, 6 * row, turned, 6 * column) <= limit);
    if (close.length === 0) continue;
    const last = Math.min(b.order.length, (column + 1) * BLOCK);
    for (let j = column * BLOCK; j < last; j++) {
      const placed = place(b, b.order[j], frame);
      const box = boxAround(placed);
      for (const row of close) {
        if (gap(own.blocks, 6 * row, box, 0) > Math.sqrt(best)) continue;
        const end = Math.min(a.order.length, (row + 1) * BLOCK);
        for (let i = row * BLOCK; i < end; i++) {
          const apart = gap(own.triangles, 6 * i, box, 0);
          if (apart > Math.sqrt(best)) continue;
          for (let k = 0; k < 3; k++) corners[0][k] = 3 * a.indices[3 * a.order[i] + k];
          const [c, d, e] = corners[0];
          if (apart <= 0 && trianglesMeet(a.positions, c, d, e, placed, 0, 3, 6)) return 0;
          const square = triangleDistanceSquared(a.positions, corners[0], placed, corners[1]);
          if (square > best) continue;
          best = square;
          isFound = true;
        }
      }
    }
  }
  return isFound ? Math.sqrt(best) : Infinity;
}

function boxesOf(mesh: OracleMesh): Boxes {
  const known = boxesOfMesh.get(mesh);
  if (known !== undefined) return known;
  const { positions, indices, order } = mesh;
  const around = (from: number, to: number): Float64Array => {
    const corners = Float64Array.from({ length: 9 * (to - from) }, (_, i) => {
      const f = order[from + Math.floor(i / 9)];
      return positions[3 * indices[3 * f + (Math.floor(i / 3) % 3)] + (i % 3)];
    });
    return boxAround(corners);
  };
  const all = (size: number): Float64Array => {
    const boxes = new Float64Array(6 * Math.ceil(order.length / size));
    for (let i = 0; i < boxes.length / 6; i++) {
      boxes.set(around(i * size, Math.min(order.length, (i + 1) * size)), 6 * i);
    }
    return boxes;
  };
  const made = { whole: all(order.length), blocks: all(BLOCK), triangles: all(1) };
  boxesOfMesh.set(mesh, made);
  return made;
}

function boxAround(points: Float64Array): Float64Array {
  const [low, high] = [new Float64Array(3).fill(Infinity), new Float64Array(3).fill(-Infinity)];
  for (let i = 0; i < points.length; i++) {
    low[i % 3] = Math.min(low[i % 3], points[i]);
    high[i % 3] = Math.max(high[i % 3], points[i]);
  }
  return Float64Array.from({ length: 6 }, (_, i) => (i < 3 ? (low[i] + high[i]) / 2 : (high[i - 3] - low[i - 3]) / 2));
}

/** Boxes around boxes in another frame. */
function turnBoxes(boxes: Float64Array, frame: Float64Array): Float64Array {
  const turned = new Float64Array(boxes.length);
  for (let i = 0; i < boxes.length; i += 6) {
    for (let row = 0; row < 3; row++) {
      let [middle, half] = [frame[row], 0];
      for (let k = 0; k < 3; k++) {
        const entry = frame[3 * (k + 1) + row] - frame[row];
        middle += entry * boxes[i + k];
        half += Math.abs(entry) * boxes[i + 3 + k];
      }
      turned[i + row] = middle;
      turned[i + 3 + row] = half;
    }
  }
  return turned;
}

/** How far two boxes are apart at least; at most 0 if they overlap. */
function gap(p: Float64Array, i: number, q: Float64Array, j: number): number {
  let [sum, size] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const apart = Math.abs(q[j + k] - p[i + k]) - p[i + 3 + k] - q[j + 3 + k];
    size += Math.abs(q[j + k]) + Math.abs(p[i + k]) + p[i + 3 + k] + q[j + 3 + k];
    if (apart > 0) sum += apart * apart;
  }
  return Math.sqrt(sum) - ROUNDING * size;
}

/** The boxes of a list that are within a limit of one. */
function near(boxes: Float64Array, whole: Float64Array, limit: number): number[] {
  const found: number[] = [];
  for (let i = 0; i < boxes.length / 6; i++) if (gap(boxes, 6 * i, whole, 0) <= limit) found.push(i);
  return found;
}

/** The corners of a triangle in another frame. */
function place({ positions, indices }: OracleMesh, triangle: number, frame: Float64Array): Float64Array {
  const placed = new Float64Array(9);
  for (let corner = 0; corner < 3; corner++) {
    const v = 3 * indices[3 * triangle + corner];
    for (let row = 0; row < 3; row++) {
      let value = frame[row];
      for (let k = 0; k < 3; k++) value += (frame[3 * (k + 1) + row] - frame[row]) * positions[v + k];
      placed[3 * corner + row] = value;
    }
  }
  return placed;
}
