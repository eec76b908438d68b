// Chooses the plane that cuts a part: planes across the axes, the part's own principal axes and the diagonals, and planes
// along the faces and through the vertices that lie deepest in the hull. All are rated on a simplified part; for the best,
// the rating counts what the best next cuts of both sides leave, as CoACD looks ahead (Wei et al. 2022).
import { symmetricEigen } from '../../core/symmetric-eigen.js';
import { cutPart, type Part, type Plane, separatePart } from '../cut/part.js';
import { type CutRating, CutSweep, countExcess } from './cut-sweep.js';
import { depthOf } from './hull-depth.js';
import { HulledPart } from './hulled-part.js';
import { simplifyPart } from './simplify-part.js';

/** Chosen: cells along the longest side when all planes are rated, as a share of `resolution`. */
const SKETCH_SHARE = 0.5;
/** Chosen: cells along the longest side when the next cuts are rated, as a share of `resolution`. */
const AHEAD_SHARE = 0.35;

/** Chosen: planes across each axis of the part. */
const ACROSS_AXIS = 15;
/** Chosen: planes across each diagonal. */
const ACROSS_DIAGONAL = 5;
/** Chosen: planes across each axis of a side when the next cuts are rated. */
const ACROSS_AHEAD = 7;

/** Chosen: the deepest vertices and faces that give planes. */
const FEATURES = 12;
/** Chosen: the deepest vertices and faces that give planes when the next cuts are rated. */
const FEATURES_AHEAD = 4;

/** Chosen: the best planes for which the next cuts are rated. */
const FINALISTS = 5;
/** Chosen: planes that are tried between the best one and its neighbors. */
const REFINEMENTS = 9;

/** Chosen: the weight of unequal sides beside the cost, which is a share of the cost of the whole. */
const BALANCE = 0.3;

/** Chosen: a cut is dropped if the hulls on one side have less than this share of the volume. */
const MIN_SIDE_SHARE = 1e-4;

/** Chosen: a side is not cut again if its hull exceeds it by no more than this share. */
const MIN_EXCESS = 1e-4;

/** Definition: a coordinate of a unit vector between two axes. */
const r = Math.SQRT1_2;

/** Definition: a coordinate of a unit vector between three axes. */
const c = 1 / Math.sqrt(3);

type Direction = readonly [x: number, y: number, z: number];
const AXES: readonly Direction[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const DIAGONALS: readonly Direction[] = [
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

interface Candidate {
  readonly plane: Plane;
  readonly score: number;
  /** How far apart the planes tried across this direction are. */
  readonly spacing: number;
}

/** The best plane through a part that leaves something on both sides, or null. */
export function chooseCut(part: Part, isClosed: boolean, resolution: number): Plane | null {
  const sketch = simplifyPart(part, Math.ceil(SKETCH_SHARE * resolution));
  const whole = new HulledPart(sketch, isClosed);
  if (whole.hull.dimension < 3) return null;
  const sweep = new CutSweep(sketch, isClosed);
  const scale = countExcess(isClosed ? whole.excess : whole.hullVolume) || 1;
  const features = listFeatures(whole, FEATURES);
  const candidates: Candidate[] = [];
  const directions = [...AXES, ...principalAxes(sketch).filter((axis) => AXES.every((other) => !isAlong(axis, other)))];
  for (const direction of directions) {
    rateAcross(candidates, sweep, direction, ACROSS_AXIS, features.heights(direction), scale);
  }
  for (const direction of DIAGONALS) rateAcross(candidates, sweep, direction, ACROSS_DIAGONAL, [], scale);
  for (const plane of features.planes) ratePlane(candidates, sweep, plane, scale);
  candidates.sort((a, b) => a.score - b.score);
  if (candidates.length === 0) return null;
  const best = lookAhead(sketch, candidates, isClosed, resolution, scale);
  return refine(sweep, best, scale);
}

/** The candidate that is best after the next cuts, of the best that differ. */
function lookAhead(
  sketch: Part,
  candidates: readonly Candidate[],
  isClosed: boolean,
  resolution: number,
  scale: number,
): Candidate {
  const finalists: Candidate[] = [];
  for (const candidate of candidates) {
    if (finalists.length === FINALISTS) break;
    const isNew = finalists.every(
      ({ plane, spacing }) =>
        !isAlong([plane.nx, plane.ny, plane.nz], [candidate.plane.nx, candidate.plane.ny, candidate.plane.nz]) ||
        Math.abs(plane.offset - candidate.plane.offset) > 1.5 * spacing,
    );
    if (isNew) finalists.push(candidate);
  }
  let best = candidates[0];
  let least = Infinity;
  for (const candidate of finalists) {
    const sides = cutPart(sketch, candidate.plane, isClosed);
    let score = BALANCE * 0.5 * candidate.score;
    for (const side of sides) {
      if (side === null) continue;
      for (const one of isClosed ? separatePart(side) : [side]) score += costAhead(one, isClosed, resolution) / scale;
    }
    if (score < least) {
      least = score;
      best = candidate;
    }
  }
  return best;
}

/** The least cost that a part or its best cut leaves. */
function costAhead(part: Part, isClosed: boolean, resolution: number): number {
  const sketch = simplifyPart(part, Math.ceil(AHEAD_SHARE * resolution));
  const whole = new HulledPart(sketch, isClosed);
  const own = countExcess(isClosed ? whole.hullVolume - Math.max(0, whole.volume) : whole.hullVolume);
  if (whole.hull.dimension < 3 || own < MIN_EXCESS * countExcess(whole.hullVolume)) return own;
  const sweep = new CutSweep(sketch, isClosed);
  const features = listFeatures(whole, FEATURES_AHEAD);
  const candidates: Candidate[] = [];
  for (const axis of AXES) rateAcross(candidates, sweep, axis, ACROSS_AHEAD, features.heights(axis), 1);
  for (const plane of features.planes) ratePlane(candidates, sweep, plane, 1);
  return candidates.reduce((least, { score }) => Math.min(least, score), own);
}

/** The best offset near that of a candidate. */
function refine(sweep: CutSweep, { plane, spacing, score }: Candidate, scale: number): Plane {
  if (spacing === 0) return plane;
  const { nx, ny, nz } = plane;
  const offsets = Array.from(
    { length: REFINEMENTS },
    (_, i) => plane.offset + ((2 * (i + 1)) / (REFINEMENTS + 1) - 1) * spacing,
  );
  const candidates: Candidate[] = [{ plane, score: score - 1e-6, spacing }];
  addRatings(candidates, [nx, ny, nz], offsets, sweep.rate(nx, ny, nz, offsets), 0, scale);
  return candidates.reduce((best, one) => (one.score < best.score ? one : best)).plane;
}

function rateAcross(
  candidates: Candidate[],
  sweep: CutSweep,
  direction: Direction,
  count: number,
  more: readonly number[],
  scale: number,
): void {
  const [low, high] = sweep.range(...direction);
  const spacing = (high - low) / (count + 1);
  if (!(spacing > 0)) return;
  const even = Array.from({ length: count }, (_, i) => low + (i + 1) * spacing);
  const offsets = [...even, ...more].sort((a, b) => a - b);
  addRatings(candidates, direction, offsets, sweep.rate(...direction, offsets), spacing, scale);
}

function ratePlane(candidates: Candidate[], sweep: CutSweep, plane: Plane, scale: number): void {
  const { nx, ny, nz, offset } = plane;
  addRatings(candidates, [nx, ny, nz], [offset], sweep.rate(nx, ny, nz, [offset]), 0, scale);
}

function addRatings(
  candidates: Candidate[],
  [nx, ny, nz]: Direction,
  offsets: readonly number[],
  ratings: readonly CutRating[],
  spacing: number,
  scale: number,
): void {
  ratings.forEach(({ cost, below, above }, i) => {
    const share = Math.min(below, above) / (below + above);
    // A cut that takes nothing off leads nowhere.
    if (!(share > MIN_SIDE_SHARE)) return;
    const score = cost / scale + BALANCE * (1 - 2 * share);
    candidates.push({ plane: { nx, ny, nz, offset: offsets[i] }, score, spacing });
  });
}

function isAlong([ax, ay, az]: Direction, [bx, by, bz]: Direction): boolean {
  return Math.abs(ax * bx + ay * by + az * bz) > 0.999;
}

/** The axes of inertia of the vertices. */
function principalAxes({ positions }: Part): readonly Direction[] {
  const count = positions.length / 3;
  const mean = [0, 0, 0];
  for (let i = 0; i < positions.length; i++) mean[i % 3] += positions[i] / count;
  let [xx, xy, xz, yy, yz, zz] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i] - mean[0];
    const y = positions[i + 1] - mean[1];
    const z = positions[i + 2] - mean[2];
    xx += x * x;
    xy += x * y;
    xz += x * z;
    yy += y * y;
    yz += y * z;
    zz += z * z;
  }
  return symmetricEigen(xx, xy, xz, yy, yz, zz).vectors;
}

interface Features {
  /** The planes of the faces that lie deepest in the hull. */
  readonly planes: readonly Plane[];
  /** The heights of their vertices along a direction. */
  heights(direction: Direction): number[];
}

function listFeatures(whole: HulledPart, count: number): Features {
  const { part, box } = whole;
  const { positions, indices, sources } = part;
  const size = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  // Deep by their middles: all vertices of a channel may lie on the hull.
  const faces: { face: number; depth: number }[] = [];
  for (let t = 0; t < sources.length; t++) {
    if (sources[t] <= 0) continue;
    const [i, j, k] = [3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]];
    const x = (positions[i] + positions[j] + positions[k]) / 3;
    const y = (positions[i + 1] + positions[j + 1] + positions[k + 1]) / 3;
    const z = (positions[i + 2] + positions[j + 2] + positions[k + 2]) / 3;
    const depth = depthOf(whole.planes, x, y, z);
    if (depth > 1e-9 * size) faces.push({ face: t, depth });
  }
  faces.sort((a, b) => b.depth - a.depth || a.face - b.face);
  const deepest = faces.slice(0, 16 * count);
  const planes: Plane[] = [];
  for (const { face } of deepest) {
    if (planes.length === count) break;
    const plane = planeOf(part, face);
    if (plane === null) continue;
    const isNew = planes.every(
      (other) =>
        !isAlong([plane.nx, plane.ny, plane.nz], [other.nx, other.ny, other.nz]) ||
        Math.abs(other.offset - plane.offset) > 1e-3 * size,
    );
    if (isNew) planes.push(plane);
  }
  const heights = ([nx, ny, nz]: Direction): number[] => {
    const found: number[] = [];
    for (const { face } of deepest) {
      for (let h = 3 * face; h < 3 * face + 3 && found.length < count / 2; h++) {
        const v = 3 * indices[h];
        const height = nx * positions[v] + ny * positions[v + 1] + nz * positions[v + 2];
        if (found.every((other) => Math.abs(other - height) > 1e-3 * size)) found.push(height);
      }
    }
    return found;
  };
  return { planes, heights };
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
