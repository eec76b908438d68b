// Chooses the plane that cuts a part so that the hulls of its two sides have the least volume: evenly spaced planes
// across thirteen directions, and planes along the faces and through the vertices that lie deepest in the hull. All are
// tried on a coarse version of the part, the best on a finer one. O(candidates × cells²).
import { buildHull } from '../../convex/hull/hull.js';
import { measureHull } from '../../convex/hull/hull-measure.js';
import { depthOf } from './hull-depth.js';
import { HulledPart } from './hulled-part.js';
import { cutPart, measureVolume, type Part, type Plane, separatePart } from './part.js';
import { simplifyPart } from './simplify-part.js';

/** Cells along the longest side of the coarse and of the fine version, per unit of `resolution`. */
const COARSE_SHARE = 0.4;

/** Planes across each axis, and across each diagonal. */
const ACROSS_AXIS = 11;
const ACROSS_DIAGONAL = 3;

/** Deep vertices and faces that give planes, and planes tried again on the finer version. */
const FEATURES = 12;
const FINALISTS = 6;

/** The weight of unequal sides, beside the sum of their concavities as a share of the whole's. */
const BALANCE = 0.4;

/** The least share of the volume on one side. */
const LEAST_SHARE = 1e-4;

const r = Math.SQRT1_2;
const c = 1 / Math.sqrt(3);
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const DIAGONALS = [
  [r, r, 0],
  [r, -r, 0],
  [r, 0, r],
  [r, 0, -r],
  [0, r, r],
  [0, r, -r],
  [c, c, c],
  [c, c, -c],
  [c, -c, c],
  [c, -c, -c],
];

/** The best plane through a part that leaves something on both sides, or null. */
export function chooseCut(part: Part, isClosed: boolean, resolution: number): Plane | null {
  const coarse = simplifyPart(part, Math.ceil(COARSE_SHARE * resolution));
  const scored = rate(coarse, listPlanes(coarse, isClosed), isClosed);
  const fine = simplifyPart(part, resolution);
  if (fine === coarse) return scored[0]?.plane ?? null;
  const planes = [...scored.slice(0, FINALISTS).map(({ plane }) => plane), ...listFeaturePlanes(fine, isClosed)];
  return rate(fine, planes, isClosed)[0]?.plane ?? null;
}

interface Candidate {
  readonly plane: Plane;
  readonly score: number;
}

/** The planes that cut the part in two, the best first; ties keep their order. */
function rate(part: Part, planes: readonly Plane[], isClosed: boolean): Candidate[] {
  const whole = new HulledPart(part, isClosed);
  const candidates: Candidate[] = [];
  for (const plane of planes) {
    const [below, above] = cutPart(part, plane, isClosed);
    if (below === null || above === null) continue;
    const [low, high] = [rateSide(below, isClosed), rateSide(above, isClosed)];
    // A cut that takes nothing off leads nowhere.
    const least = Math.min(low.size, high.size);
    const total = low.size + high.size;
    if (!(least > LEAST_SHARE * total)) continue;
    const gain = isClosed ? (low.concavity + high.concavity) / Math.cbrt(whole.excess) : total / whole.hullVolume;
    candidates.push({ plane, score: gain + BALANCE * (1 - (2 * least) / total) });
  }
  return candidates.sort((a, b) => a.score - b.score);
}

/**
 * The size of a side, and the sum of the radii of its excesses of volume: where no cut removes any of it at once, as for
 * a hollow solid, that prefers to cut off a part that is convex over halving the excess.
 */
function rateSide(side: Part, isClosed: boolean): { size: number; concavity: number } {
  if (!isClosed) return { size: measureHull(buildHull(side.positions)).volume, concavity: 0 };
  let size = 0;
  let concavity = 0;
  for (const part of separatePart(side)) {
    const volume = measureVolume(part);
    size += volume;
    concavity += Math.cbrt(Math.max(0, measureHull(buildHull(part.positions)).volume - volume));
  }
  return { size, concavity };
}

function listPlanes(part: Part, isClosed: boolean): Plane[] {
  const planes: Plane[] = [];
  const addAcross = ([nx, ny, nz]: readonly number[], count: number): void => {
    const { positions } = part;
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < positions.length; i += 3) {
      const along = nx * positions[i] + ny * positions[i + 1] + nz * positions[i + 2];
      if (along < low) low = along;
      if (along > high) high = along;
    }
    for (let i = 1; i <= count; i++) planes.push({ nx, ny, nz, offset: low + ((high - low) * i) / (count + 1) });
  };
  for (const axis of AXES) addAcross(axis, ACROSS_AXIS);
  for (const diagonal of DIAGONALS) addAcross(diagonal, ACROSS_DIAGONAL);
  planes.push(...listFeaturePlanes(part, isClosed));
  return planes;
}

/** The planes of the faces that lie deepest in the hull, and planes across the axes through their vertices. */
function listFeaturePlanes(part: Part, isClosed: boolean): Plane[] {
  const hulled = new HulledPart(part, isClosed);
  if (hulled.hull.dimension < 3) return [];
  const { positions, indices, isSurface } = part;
  const { box } = hulled;
  const size = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  const planes: Plane[] = [];
  const add = (plane: Plane): boolean => {
    const isNew = planes.every(
      (other) =>
        Math.abs(other.nx * plane.nx + other.ny * plane.ny + other.nz * plane.nz) < 0.999 ||
        Math.abs(other.offset - plane.offset) > 1e-3 * size,
    );
    if (isNew) planes.push(plane);
    return isNew;
  };
  // Deep by their middles: all vertices of a channel may lie on the hull.
  const faces: { face: number; depth: number }[] = [];
  for (let t = 0; t < isSurface.length; t++) {
    if (isSurface[t] === 0) continue;
    const [i, j, k] = [3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]];
    const [x, y, z] = [0, 1, 2].map((axis) => (positions[i + axis] + positions[j + axis] + positions[k + axis]) / 3);
    const depth = depthOf(hulled.planes, x, y, z);
    if (depth > 1e-9 * size) faces.push({ face: t, depth });
  }
  faces.sort((a, b) => b.depth - a.depth || a.face - b.face);
  const deepest = faces.slice(0, 16 * FEATURES);
  let left = FEATURES;
  for (const { face } of deepest) {
    const plane = planeOf(part, face);
    if (left > 0 && plane !== null && add(plane)) left--;
  }
  for (const [nx, ny, nz] of AXES) {
    left = FEATURES / 3;
    for (const { face } of deepest) {
      for (let h = 3 * face; h < 3 * face + 3 && left > 0; h++) {
        const v = 3 * indices[h];
        if (add({ nx, ny, nz, offset: nx * positions[v] + ny * positions[v + 1] + nz * positions[v + 2] })) left--;
      }
    }
  }
  return planes;
}

function planeOf({ positions, indices }: Part, face: number): Plane | null {
  const [a, b, c] = [3 * indices[3 * face], 3 * indices[3 * face + 1], 3 * indices[3 * face + 2]];
  const [ux, uy, uz] = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
  const [vx, vy, vz] = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(x, y, z);
  if (!(length > 1e-6 * Math.hypot(ux, uy, uz) * Math.hypot(vx, vy, vz))) return null;
  const [nx, ny, nz] = [x / length, y / length, z / length];
  return { nx, ny, nz, offset: nx * positions[a] + ny * positions[a + 1] + nz * positions[a + 2] };
}
