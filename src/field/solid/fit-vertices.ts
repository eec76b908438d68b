// Moves the vertices of an isosurface onto the surface it stands for, and into its edges and corners: each vertex goes
// to the point nearest to the tangent planes at its faces (Ohtake and Belyaev 2002; Ju et al. 2002). Vertices whose
// faces would cross, fold or lose their area go back toward where they were, so that no answer is worse than the input.
import { type ProgressOptions, partOfProgress, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { faceNormal, heightRatio } from './face-shape.js';
import { MIN_HEIGHT, markMeetings } from './surface-faults.js';
import { SurfaceShells } from './surface-shells.js';

/** The planes that the faces of a surface should lie in. */
export interface FitTarget {
  /**
   * Writes a point and a unit normal, six numbers, of the plane for a face whose center is at a point; returns false if
   * the face should stay where it is.
   */
  plane(face: number, x: number, y: number, z: number, out: Float64Array): boolean;
}

/** Chosen: rounds of planes and moves: features are sharp after three. */
const ROUNDS = 4;
/**
 * Chosen: the weight of staying near the mean of the neighbors, as a share of the planes' own; it spreads the vertices
 * evenly.
 */
const STAY_WEIGHT = 0.02;
/** Chosen: the share of that weight with which a vertex is drawn to the mean of its neighbors. */
const EVENNESS = 0.3;
/** Chosen: a vertex moves no farther than this, in spacings. */
const MAX_MOVE = 1;
/** Chosen: a vertex goes back to these shares of its way, one by one. */
const SHARES = [1, 0.5, 0.25, 0];
/** Chosen: rounds of checks. Each takes one vertex or more back by a share; nearly all input needs fewer than ten. */
const MAX_CHECKS = 40;

/**
 * The mesh with its vertices moved; it has no self-intersections if `mesh` has none, and the same faces but for hollows
 * that become flat, which are filled.
 */
export function fitVertices(mesh: Mesh, target: FitTarget, spacing: number, progress: ProgressOptions): Mesh {
  const moved = moveToPlanes(mesh, target, spacing, partOfProgress(progress, 0, 0.5));
  const rest = partOfProgress(progress, 0.5, 1);
  const shells = new SurfaceShells(mesh);
  const isFlat = shells.findFlatHollows(moved, spacing);
  reportProgress(rest, 0, 'check');
  if (isFlat === null) return keepValid(mesh, moved, shells, rest);
  const ids = new Uint32Array(isFlat.length);
  for (let v = 1; v < ids.length; v++) ids[v] = ids[v - 1] + 1 - isFlat[v - 1];
  const filled = {
    positions: mesh.positions.filter((_, i) => isFlat[Math.floor(i / 3)] === 0),
    indices: mesh.indices.filter((vertex) => isFlat[vertex] === 0).map((vertex) => ids[vertex]),
  };
  const left = moved.filter((_, i) => isFlat[Math.floor(i / 3)] === 0);
  return keepValid(filled, left, new SurfaceShells(filled), rest);
}

function moveToPlanes(mesh: Mesh, target: FitTarget, spacing: number, progress: ProgressOptions): Float64Array {
  const { indices } = mesh;
  const start = mesh.positions;
  const p = start.slice();
  const vertices = p.length / 3;
  // By vertex: the upper triangle of Σ w n nᵀ, Σ w n (n · q), Σ w, and the sum and number of its faces' corners.
  const STRIDE = 14;
  const sums = new Float64Array(STRIDE * vertices);
  const plane = new Float64Array(6);
  for (let round = 0; round < ROUNDS; round++) {
    sums.fill(0);
    for (let f = 0; f < indices.length; f += 3) {
      if (f % 6144 === 0) reportProgress(progress, (round + f / indices.length) / ROUNDS, 'fit');
      const a = 3 * indices[f];
      const b = 3 * indices[f + 1];
      const c = 3 * indices[f + 2];
      const cx = (p[a] + p[b] + p[c]) / 3;
      const cy = (p[a + 1] + p[b + 1] + p[c + 1]) / 3;
      const cz = (p[a + 2] + p[b + 2] + p[c + 2]) / 3;
      const hasPlane = target.plane(f / 3, cx, cy, cz, plane);
      const weight = hasPlane ? Math.hypot(...faceNormal(p, a, b, c)) : 0;
      const nx = plane[3];
      const ny = plane[4];
      const nz = plane[5];
      // Relative to the center, so that no digits are lost far from the origin.
      const offset = nx * (plane[0] - cx) + ny * (plane[1] - cy) + nz * (plane[2] - cz);
      for (let k = 0; k < 3; k++) {
        const v = 3 * indices[f + k];
        const o = STRIDE * indices[f + k];
        const height = weight * (offset + nx * (cx - p[v]) + ny * (cy - p[v + 1]) + nz * (cz - p[v + 2]));
        sums[o] += weight * nx * nx;
        sums[o + 1] += weight * nx * ny;
        sums[o + 2] += weight * nx * nz;
        sums[o + 3] += weight * ny * ny;
        sums[o + 4] += weight * ny * nz;
        sums[o + 5] += weight * nz * nz;
        sums[o + 6] += nx * height;
        sums[o + 7] += ny * height;
        sums[o + 8] += nz * height;
        sums[o + 9] += weight;
        sums[o + 10] += 3 * (cx - p[v]);
        sums[o + 11] += 3 * (cy - p[v + 1]);
        sums[o + 12] += 3 * (cz - p[v + 2]);
        sums[o + 13] += 2;
      }
    }
    for (let v = 0; v < vertices; v++) moveVertex(sums, STRIDE * v, p, 3 * v, start, MAX_MOVE * spacing);
  }
  return p;
}

/** Solves (A + λ I) x = b + λ · (step to the neighbors) for the step x of one vertex, and limits it. */
function moveVertex(s: Float64Array, o: number, p: Float64Array, v: number, start: Float64Array, most: number): void {
  const weight = s[o + 9];
  if (!(weight > 0)) return;
  const stay = STAY_WEIGHT * weight;
  const even = (EVENNESS * stay) / s[o + 13];
  const xx = s[o] + stay;
  const xy = s[o + 1];
  const xz = s[o + 2];
  const yy = s[o + 3] + stay;
  const yz = s[o + 4];
  const zz = s[o + 5] + stay;
  const bx = s[o + 6] + even * s[o + 10];
  const by = s[o + 7] + even * s[o + 11];
  const bz = s[o + 8] + even * s[o + 12];
  // The inverse of a symmetric positive definite matrix by its cofactors.
  const c0 = yy * zz - yz * yz;
  const c1 = xz * yz - xy * zz;
  const c2 = xy * yz - xz * yy;
  const determinant = xx * c0 + xy * c1 + xz * c2;
  let x = p[v] + (c0 * bx + c1 * by + c2 * bz) / determinant;
  let y = p[v + 1] + (c1 * bx + (xx * zz - xz * xz) * by + (xy * xz - xx * yz) * bz) / determinant;
  let z = p[v + 2] + (c2 * bx + (xy * xz - xx * yz) * by + (xx * yy - xy * xy) * bz) / determinant;
  const way = Math.hypot(x - start[v], y - start[v + 1], z - start[v + 2]);
  if (!Number.isFinite(way)) return;
  if (way > most) {
    const share = most / way;
    x = start[v] + share * (x - start[v]);
    y = start[v + 1] + share * (y - start[v + 1]);
    z = start[v + 2] + share * (z - start[v + 2]);
  }
  p[v] = x;
  p[v + 1] = y;
  p[v + 2] = z;
}

/** Takes vertices back until no faces cross and no face or shell is degenerate or turned around. */
function keepValid(mesh: Mesh, moved: Float64Array, shells: SurfaceShells, progress: ProgressOptions): Mesh {
  const { indices, positions: start } = mesh;
  const vertices = start.length / 3;
  const steps = new Uint8Array(vertices);
  const positions = moved.slice();
  const isBad = new Uint8Array(vertices);
  const last = SHARES.length - 1;
  for (let check = 0; check < MAX_CHECKS; check++) {
    reportProgress(progress, check / MAX_CHECKS, 'check');
    isBad.fill(0);
    markFaults({ positions, indices }, start, steps, isBad, progress);
    shells.markTurned({ positions, indices }, null, isBad);
    let changed = false;
    for (let v = 0; v < vertices; v++) {
      if (isBad[v] === 0 || steps[v] === last) continue;
      const share = SHARES[++steps[v]];
      changed = true;
      for (let i = 3 * v; i < 3 * v + 3; i++) positions[i] = start[i] + share * (moved[i] - start[i]);
    }
    if (!isBad.includes(1)) return { positions, indices };
    if (!changed) break;
  }
  return mesh;
}

function markFaults(
  mesh: Mesh,
  start: Float64Array,
  steps: Uint8Array,
  isBad: Uint8Array,
  progress: ProgressOptions,
): void {
  const { positions, indices } = mesh;
  for (let f = 0; f < indices.length; f += 3) {
    const a = 3 * indices[f];
    const b = 3 * indices[f + 1];
    const c = 3 * indices[f + 2];
    // A face whose corners are all where they were is as good as it can be.
    if (steps[a / 3] + steps[b / 3] + steps[c / 3] === 3 * (SHARES.length - 1)) continue;
    if (isSound(positions, start, a, b, c)) continue;
    isBad[indices[f]] = isBad[indices[f + 1]] = isBad[indices[f + 2]] = 1;
  }
  markMeetings(mesh, isBad, progress);
}

/** Whether a face has enough height and looks to the same side as before. */
function isSound(p: Float64Array, start: Float64Array, a: number, b: number, c: number): boolean {
  const [nx, ny, nz] = faceNormal(p, a, b, c);
  const [mx, my, mz] = faceNormal(start, a, b, c);
  return nx * mx + ny * my + nz * mz > 0 && heightRatio(p, a, b, c) > MIN_HEIGHT;
}
