// Distance and intersection of two meshes by brute force over their triangles. For closed meshes the solids are meant:
// when the surfaces do not meet, a corner of each component is counted into or out of the other by signed crossings of
// a ray with exact signs. Triangles are taken block by block, nearest boxes first, which leaves out only pairs whose
// boxes are farther apart than a pair already measured.
import { orientSign, turnSign } from './exact-sign.js';
import { nearest, triangleDistanceSquared } from './triangle-distance-oracle.js';
import { trianglesMeet } from './triangles-meet.js';

const BLOCK = 16;

/** A mesh as the oracle wants it: triangles in an order in which neighbors are near, and what does not change with its place. */
export interface OracleMesh {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  /** Triangles in the order of the blocks. */
  readonly order: Uint32Array;
  /** Whether every directed edge has its opposite. */
  readonly closed: boolean;
  /** A vertex of each part that is connected over shared vertices. */
  readonly componentVertices: readonly number[];
  /** Diagonal of the box. */
  readonly size: number;
}

export interface OracleAnswer {
  readonly intersects: boolean;
  /** Whether the surfaces have a point in common, as opposed to one solid lying within the other. */
  readonly surfacesMeet: boolean;
  /** 0 when they intersect. */
  readonly distance: number;
  /** Between the surfaces, whatever contains what. */
  readonly surfaceDistance: number;
  /** In A's frame; where the distance of the surfaces is taken, or rubbish when they meet. */
  readonly pointA: readonly number[];
  readonly pointB: readonly number[];
}

export function prepareOracle(positions: Float64Array, indices: Uint32Array): OracleMesh {
  const count = indices.length / 3;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const v of indices) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], positions[3 * v + k]);
      high[k] = Math.max(high[k], positions[3 * v + k]);
    }
  }
  const codes = new Float64Array(count);
  for (let f = 0; f < count; f++) {
    const cell = [0, 1, 2].map((k) => {
      let sum = 0;
      for (let j = 0; j < 3; j++) sum += positions[3 * indices[3 * f + j] + k];
      return Math.floor(((sum / 3 - low[k]) / (high[k] - low[k] || 1)) * 255.9);
    });
    let code = 0;
    for (let bit = 7; bit >= 0; bit--) for (let k = 0; k < 3; k++) code = 2 * code + ((cell[k] >> bit) & 1);
    codes[f] = code;
  }
  return {
    positions,
    indices,
    order: Uint32Array.from(Array.from(codes.keys()).sort((f, g) => codes[f] - codes[g] || f - g)),
    closed: isClosed(indices),
    componentVertices: findComponents(positions.length / 3, indices),
    size: Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]),
  };
}

function isClosed(indices: Uint32Array): boolean {
  const balance = new Map<string, number>();
  for (let i = 0; i < indices.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const [u, v] = [indices[i + k], indices[i + ((k + 1) % 3)]];
      const key = u < v ? `${u},${v}` : `${v},${u}`;
      balance.set(key, (balance.get(key) ?? 0) + (u < v ? 1 : -1));
    }
  }
  for (const value of balance.values()) if (value !== 0) return false;
  return true;
}

function findComponents(count: number, indices: Uint32Array): number[] {
  const parent = Uint32Array.from({ length: count }, (_, v) => v);
  const root = (v: number): number => {
    while (parent[v] !== v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (let i = 0; i < indices.length; i += 3) {
    parent[root(indices[i])] = root(indices[i + 1]);
    parent[root(indices[i + 1])] = root(indices[i + 2]);
  }
  return [...new Set(Array.from(indices, root))];
}

/** B's vertices in A's frame; poses are tx, ty, tz, qx, qy, qz, qw with a unit quaternion. */
export function placeInFrame(
  positions: Float64Array,
  poseA: ArrayLike<number>,
  poseB: ArrayLike<number>,
): Float64Array {
  const a = toMatrix(poseA);
  const b = toMatrix(poseB);
  const r = new Float64Array(9);
  const t = new Float64Array(3);
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      t[i] += a[3 * k + i] * (poseB[k] - poseA[k]);
      for (let j = 0; j < 3; j++) r[3 * i + j] += a[3 * k + i] * b[3 * k + j];
    }
  }
  const placed = new Float64Array(positions.length);
  for (let v = 0; v < positions.length; v += 3) {
    const x = positions[v];
    const y = positions[v + 1];
    const z = positions[v + 2];
    for (let i = 0; i < 3; i++) placed[v + i] = r[3 * i] * x + r[3 * i + 1] * y + r[3 * i + 2] * z + t[i];
  }
  return placed;
}

function toMatrix(pose: ArrayLike<number>): number[] {
  const [x, y, z, w] = [pose[3], pose[4], pose[5], pose[6]];
  return [
    w * w + x * x - y * y - z * z,
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    w * w - x * x + y * y - z * z,
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    w * w - x * x - y * y + z * z,
  ];
}

/** How often a closed surface winds around a point that does not lie on it, by the crossings of the ray towards +x. */
export function windingByRay(positions: Float64Array, indices: Uint32Array, x: number, y: number, z: number): number {
  const point = Float64Array.of(x, y, z);
  let winding = 0;
  for (let i = 0; i < indices.length; i += 3) {
    let turns = 0;
    for (let k = 0; k < 3; k++) {
      const u = 3 * indices[i + k];
      const v = 3 * indices[i + ((k + 1) % 3)];
      const upU = positions[u + 2] > z;
      const upV = positions[v + 2] > z;
      if (upU === upV) continue;
      // Counted when the point is strictly left of the upward edge, whichever triangle of the two looks at it.
      const [low, high] = upV ? [u, v] : [v, u];
      if (turnSign(positions[low + 1], positions[low + 2], positions[high + 1], positions[high + 2], y, z) > 0) {
        turns += upV ? 1 : -1;
      }
    }
    if (turns === 0) continue;
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    // Seen from far along +x a triangle that turns left faces the eye: the ray leaves through it. It is ahead of the
    // point when the point is on its inner side.
    if (orientSign(positions, a, positions, b, positions, c, point, 0) * turns > 0) winding += turns;
  }
  return winding;
}

/** Whether any component of one mesh has its named vertex in the solid of the other. */
function holdsComponent(solid: OracleMesh, solidAt: Float64Array, other: OracleMesh, otherAt: Float64Array): boolean {
  return (
    solid.closed &&
    other.componentVertices.some(
      (v) => windingByRay(solidAt, solid.indices, otherAt[3 * v], otherAt[3 * v + 1], otherAt[3 * v + 2]) >= 1,
    )
  );
}

/**
 * Two meshes with B's vertices at `placed` in A's frame. `exhaustive` measures every pair of triangles, boxes or not:
 * for testing the oracle itself.
 */
export function measureByBruteForce(
  a: OracleMesh,
  b: OracleMesh,
  placed: Float64Array = b.positions,
  exhaustive = false,
): OracleAnswer {
  const surfaces = exhaustive ? measureAllPairs(a, b, placed) : measureBlocks(a, b, placed);
  const surfacesMeet = surfaces === MEETING;
  const intersects =
    surfacesMeet || holdsComponent(a, a.positions, b, placed) || holdsComponent(b, placed, a, a.positions);
  return {
    intersects,
    surfacesMeet,
    distance: intersects ? 0 : surfaces.distance,
    surfaceDistance: surfaces.distance,
    pointA: surfaces.pointA,
    pointB: surfaces.pointB,
  };
}

interface SurfaceDistance {
  readonly distance: number;
  readonly pointA: number[];
  readonly pointB: number[];
}

const MEETING: SurfaceDistance = { distance: 0, pointA: [0, 0, 0], pointB: [0, 0, 0] };

function measureAllPairs(a: OracleMesh, b: OracleMesh, placed: Float64Array): SurfaceDistance {
  let best = Infinity;
  let found = MEETING;
  for (let i = 0; i < a.indices.length; i += 3) {
    const cornersA = a.indices.subarray(i, i + 3).map((v) => 3 * v);
    for (let j = 0; j < b.indices.length; j += 3) {
      const cornersB = b.indices.subarray(j, j + 3).map((v) => 3 * v);
      const [c, d, e] = cornersA;
      const [f, g, h] = cornersB;
      if (trianglesMeet(a.positions, c, d, e, placed, f, g, h)) return MEETING;
      const square = triangleDistanceSquared(a.positions, cornersA, placed, cornersB);
      if (square < best) {
        best = square;
        found = { distance: Math.sqrt(square), pointA: [...nearest.pointA], pointB: [...nearest.pointB] };
      }
    }
  }
  return found;
}

/** Boxes of the triangles in their order, and of the blocks: low x, y, z, high x, y, z. */
function boxesOf(mesh: OracleMesh, at: Float64Array): { boxes: Float64Array; blocks: Float64Array } {
  const count = mesh.order.length;
  const boxes = new Float64Array(6 * count);
  const blocks = new Float64Array(6 * Math.ceil(count / BLOCK));
  for (let i = 0; i < blocks.length; i++) blocks[i] = i % 6 < 3 ? Infinity : -Infinity;
  for (let i = 0; i < count; i++) {
    const f = 3 * mesh.order[i];
    const u = 3 * mesh.indices[f];
    const v = 3 * mesh.indices[f + 1];
    const w = 3 * mesh.indices[f + 2];
    const block = 6 * Math.floor(i / BLOCK);
    for (let k = 0; k < 3; k++) {
      const low = Math.min(at[u + k], at[v + k], at[w + k]);
      const high = Math.max(at[u + k], at[v + k], at[w + k]);
      boxes[6 * i + k] = low;
      boxes[6 * i + 3 + k] = high;
      if (low < blocks[block + k]) blocks[block + k] = low;
      if (high > blocks[block + 3 + k]) blocks[block + 3 + k] = high;
    }
  }
  return { boxes, blocks };
}

/** The squared gap of two boxes. */
function gapSquared(p: Float64Array, i: number, q: Float64Array, j: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const gap = Math.max(q[j + k] - p[i + 3 + k], p[i + k] - q[j + 3 + k]);
    if (gap > 0) sum += gap * gap;
  }
  return sum;
}

function measureBlocks(a: OracleMesh, b: OracleMesh, placed: Float64Array): SurfaceDistance {
  const p = boxesOf(a, a.positions);
  const q = boxesOf(b, placed);
  const rows = p.blocks.length / 6;
  const columns = q.blocks.length / 6;
  const gaps = new Float64Array(rows * columns);
  let first = 0;
  for (let i = 0; i < gaps.length; i++) {
    gaps[i] = gapSquared(p.blocks, 6 * Math.floor(i / columns), q.blocks, 6 * (i % columns));
    if (gaps[i] < gaps[first]) first = i;
  }
  const cornersA = new Uint32Array(3);
  const cornersB = new Uint32Array(3);
  let best = Infinity;
  let found = MEETING;
  /** Whether two triangles of the pair of blocks meet; else the nearest so far is kept. */
  const measurePair = (pair: number): boolean => {
    const row = Math.floor(pair / columns);
    const column = pair % columns;
    const endA = Math.min(a.order.length, (row + 1) * BLOCK);
    const endB = Math.min(b.order.length, (column + 1) * BLOCK);
    for (let i = row * BLOCK; i < endA; i++) {
      if (gapSquared(p.boxes, 6 * i, q.blocks, 6 * column) > best * MARGIN) continue;
      for (let k = 0; k < 3; k++) cornersA[k] = 3 * a.indices[3 * a.order[i] + k];
      for (let j = column * BLOCK; j < endB; j++) {
        const gap = gapSquared(p.boxes, 6 * i, q.boxes, 6 * j);
        if (gap > best * MARGIN) continue;
        for (let k = 0; k < 3; k++) cornersB[k] = 3 * b.indices[3 * b.order[j] + k];
        const [c, d, e] = cornersA;
        const [f, g, h] = cornersB;
        if (gap === 0 && trianglesMeet(a.positions, c, d, e, placed, f, g, h)) return true;
        const square = triangleDistanceSquared(a.positions, cornersA, placed, cornersB);
        if (square < best) {
          best = square;
          found = { distance: Math.sqrt(square), pointA: [...nearest.pointA], pointB: [...nearest.pointB] };
        }
      }
    }
    return false;
  };
  if (measurePair(first)) return MEETING;
  const near: number[] = [];
  for (let i = 0; i < gaps.length; i++) if (i !== first && gaps[i] <= best * MARGIN) near.push(i);
  near.sort((i, j) => gaps[i] - gaps[j]);
  for (const pair of near) {
    if (gaps[pair] > best * MARGIN) break;
    if (measurePair(pair)) return MEETING;
  }
  return found;
}

/** Rounding of the boxes' gaps must not leave out the nearest pair. */
const MARGIN = 1 + 1e-14;
