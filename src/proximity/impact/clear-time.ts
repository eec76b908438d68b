// How long two boxes, or two triangles, that move evenly stay apart: a proven lower bound, by the gap between them along
// one direction and its first and second derivative. Steps that use it are conservative advancement (Mirtich 1996),
// with bounds along directions for each pair of nodes (Tang, Kim and Manocha 2009), here of second order.

import { TriangleDistance } from '../../mesh/triangle/triangle-distance.js';
import { BoxBound } from '../boxes/box-bound.js';
import { BOX_RADIUS, BOX_STRIDE, type BoxTree } from '../boxes/box-tree.js';
import type { RelativeMotion } from './relative-motion.js';

/** Rounding: times are shortened by this share for the rounding of the formula. */
const TIME_ROUNDING = 1e-13;
/** Rounding: s is off by one ulp, which moves points by this share of their way. */
const S_ROUNDING = 2.3e-16;

/**
 * Bounds pairs of two trees for one state of a motion at a time.
 *
 * Along a fixed unit direction u, let the gap be g now. A point at r from the pivot of a body that moves by v and turns
 * by ω has the velocity u·v + r·(u×ω) along u, and the acceleration (ω×r)·(u×ω). With slerp, ω is constant, and so is
 * |ω×r| = |ω|ρ, where ρ is the distance of the point from the axis. So the gap after t is at least g − ct − kt²/2: c is the
 * largest closing velocity of any two points now, and k is the sum of |u×ω||ω|ρ over both bodies. As r·(u×ω) is never
 * more than |u×ω|ρ, the gap is also at least g − c't, with this in its place in c'. Both hold for any t.
 */
export class ClearTime {
  /** The distance of the two triangles bounded last. */
  distance = 0;
  /** The closing velocity along the direction that bounded last. */
  closing = 0;
  /** The largest speed of any two points of the nodes bounded last. */
  speed = 0;
  readonly #motion: RelativeMotion;
  readonly #a: BoxTree;
  readonly #b: BoxTree;
  readonly #bounds: BoxBound;
  readonly #triangles = new TriangleDistance();
  /** The corners of a triangle of B in A's frame. */
  readonly #q = new Float64Array(9);
  /** The heights of the corners of A's triangle along a direction, and the rates at which they grow. */
  readonly #heights = new Float64Array(3);
  readonly #rates = new Float64Array(3);
  #slack = 0;
  /** Upper bounds on the distances of the current nodes or triangles from the axes of the turns. */
  #leverA = 0;
  #leverB = 0;

  constructor(a: BoxTree, b: BoxTree, motion: RelativeMotion) {
    this.#a = a;
    this.#b = b;
    this.#motion = motion;
    this.#bounds = new BoxBound(a, b);
  }

  /** The rounding of a gap: a larger gap is certain. */
  get slack(): number {
    return this.#slack;
  }

  /** Takes over the motion's state. */
  place(): void {
    const { placement, speed, angleA, angleB, pivotA: p, pivotB: q } = this.#motion;
    this.#bounds.place(placement);
    const offA = Math.abs(p[0]) + Math.abs(p[1]) + Math.abs(p[2]);
    const offB = Math.abs(q[0]) + Math.abs(q[1]) + Math.abs(q[2]);
    const way = speed + angleA * (this.#a.magnitude + offA) + angleB * (this.#b.magnitude + offB);
    this.#slack = this.#bounds.slack + S_ROUNDING * 2 * (way + 4 * (offA + offB));
  }

  /** For how long two nodes stay farther apart than the clearance: 0 if they may not be now, Infinity if they always do. */
  ofBoxes(nodeA: number, nodeB: number, clearance: number, enough: number): number {
    const bounds = this.#bounds;
    const motion = this.#motion;
    const { velocity, turnA, turnBInB, angleA, angleB, placement: m, pivotA: p, pivotB: q } = motion;
    const A = this.#a.boxes;
    const B = this.#b.boxes;
    const i = BOX_STRIDE * nodeA;
    const j = BOX_STRIDE * nodeB;
    this.#leverA = angleA > 0 ? lever(turnA, angleA, p, A[i], A[i + 1], A[i + 2]) + A[i + BOX_RADIUS] : 0;
    this.#leverB = angleB > 0 ? lever(turnBInB, angleB, q, B[j], B[j + 1], B[j + 2]) + B[j + BOX_RADIUS] : 0;
    this.speed = motion.speed + angleA * this.#leverA + angleB * this.#leverB;
    const far = clearance + this.#slack;
    const bound = bounds.boundFaces(nodeA, nodeB, Infinity, true);
    const { axis } = bounds;
    let time = 0;
    if (bound > far) {
      const x = axis[0];
      const y = axis[1];
      const z = axis[2];
      time = this.#boxesAlong(nodeA, nodeB, x, y, z, far);
      if (time >= enough) return time;
    }
    // A pair that passes by: across the velocity of the two centers the gap changes least.
    let dx = m[0] * B[j] + m[1] * B[j + 1] + m[2] * B[j + 2] + m[3] - A[i];
    let dy = m[4] * B[j] + m[5] * B[j + 1] + m[6] * B[j + 2] + m[7] - A[i + 1];
    let dz = m[8] * B[j] + m[9] * B[j + 1] + m[10] * B[j + 2] + m[11] - A[i + 2];
    let vx = velocity[0];
    let vy = velocity[1];
    let vz = velocity[2];
    if (angleA > 0 || angleB > 0) {
      const { turnB, pivotBInA: o } = motion;
      const bx = dx + A[i] - o[0];
      const by = dy + A[i + 1] - o[1];
      const bz = dz + A[i + 2] - o[2];
      const ax = A[i] - p[0];
      const ay = A[i + 1] - p[1];
      const az = A[i + 2] - p[2];
      vx += turnB[1] * bz - turnB[2] * by - turnA[1] * az + turnA[2] * ay;
      vy += turnB[2] * bx - turnB[0] * bz - turnA[2] * ax + turnA[0] * az;
      vz += turnB[0] * by - turnB[1] * bx - turnA[0] * ay + turnA[1] * ax;
    }
    const vv = vx * vx + vy * vy + vz * vz;
    if (!(vv > 0)) return time;
    const along = (dx * vx + dy * vy + dz * vz) / vv;
    // Apart already, and the centers part: the first direction was as good.
    if (along >= 0 && time > 0) return time;
    dx -= along * vx;
    dy -= along * vy;
    dz -= along * vz;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(length > far)) return time;
    return Math.max(time, this.#boxesAlong(nodeA, nodeB, dx / length, dy / length, dz / length, far));
  }

  #boxesAlong(nodeA: number, nodeB: number, x: number, y: number, z: number, far: number): number {
    const gap = this.#bounds.boundAlong(nodeA, nodeB, x, y, z) - far;
    if (!(gap > 0)) return 0;
    const { velocity, turnA, turnB, angleA, angleB, placement: m, pivotA: p, pivotB: q } = this.#motion;
    const drift = -(x * velocity[0] + y * velocity[1] + z * velocity[2]);
    let closing = drift;
    let sweep = drift;
    let bend = 0;
    if (angleA > 0) {
      const A = this.#a.boxes;
      const i = BOX_STRIDE * nodeA;
      const ux = y * turnA[2] - z * turnA[1];
      const uy = z * turnA[0] - x * turnA[2];
      const uz = x * turnA[1] - y * turnA[0];
      closing +=
        ux * (A[i] - p[0]) +
        uy * (A[i + 1] - p[1]) +
        uz * (A[i + 2] - p[2]) +
        Math.abs(ux * A[i + 3] + uy * A[i + 4] + uz * A[i + 5]) * A[i + 12] +
        Math.abs(ux * A[i + 6] + uy * A[i + 7] + uz * A[i + 8]) * A[i + 13] +
        Math.abs(ux * A[i + 9] + uy * A[i + 10] + uz * A[i + 11]) * A[i + 14];
      const reach = Math.sqrt(ux * ux + uy * uy + uz * uz) * this.#leverA;
      sweep += reach;
      bend += reach * angleA;
    }
    if (angleB > 0) {
      const B = this.#b.boxes;
      const j = BOX_STRIDE * nodeB;
      const ux = y * turnB[2] - z * turnB[1];
      const uy = z * turnB[0] - x * turnB[2];
      const uz = x * turnB[1] - y * turnB[0];
      const rx = m[0] * ux + m[4] * uy + m[8] * uz;
      const ry = m[1] * ux + m[5] * uy + m[9] * uz;
      const rz = m[2] * ux + m[6] * uy + m[10] * uz;
      closing +=
        Math.abs(rx * B[j + 3] + ry * B[j + 4] + rz * B[j + 5]) * B[j + 12] +
        Math.abs(rx * B[j + 6] + ry * B[j + 7] + rz * B[j + 8]) * B[j + 13] +
        Math.abs(rx * B[j + 9] + ry * B[j + 10] + rz * B[j + 11]) * B[j + 14] -
        rx * (B[j] - q[0]) -
        ry * (B[j + 1] - q[1]) -
        rz * (B[j + 2] - q[2]);
      const reach = Math.sqrt(ux * ux + uy * uy + uz * uz) * this.#leverB;
      sweep += reach;
      bend += reach * angleB;
    }
    this.closing = closing;
    return solve(gap, closing, bend, sweep);
  }

  /** Writes the corners of B's triangle in A's frame, and the levers of both triangles. */
  #placeTriangles(triangleA: number, triangleB: number): void {
    const q = this.#q;
    const { placement: m, turnA, turnBInB, angleA, angleB, pivotA, pivotB } = this.#motion;
    const { positions: p, indices: indicesA } = this.#a.mesh;
    const { positions, indices } = this.#b.mesh;
    this.#leverA = 0;
    this.#leverB = 0;
    for (let k = 0; k < 3; k++) {
      const v = 3 * indices[3 * triangleB + k];
      const x = positions[v];
      const y = positions[v + 1];
      const z = positions[v + 2];
      q[3 * k] = m[0] * x + m[1] * y + m[2] * z + m[3];
      q[3 * k + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
      q[3 * k + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
      if (angleB > 0) this.#leverB = Math.max(this.#leverB, lever(turnBInB, angleB, pivotB, x, y, z));
      if (angleA > 0) {
        const w = 3 * indicesA[3 * triangleA + k];
        this.#leverA = Math.max(this.#leverA, lever(turnA, angleA, pivotA, p[w], p[w + 1], p[w + 2]));
      }
    }
  }

  /** For how long two triangles stay farther apart than the clearance, as {@link ofBoxes}; also measures them. */
  ofTriangles(triangleA: number, triangleB: number, clearance: number, enough: number): number {
    const measured = this.#triangles;
    const q = this.#q;
    const { angleA, angleB, velocity } = this.#motion;
    const meshA = this.#a.mesh;
    this.#placeTriangles(triangleA, triangleB);
    this.speed = this.#motion.speed + angleA * this.#leverA + angleB * this.#leverB;
    const a0 = 3 * meshA.indices[3 * triangleA];
    const a1 = 3 * meshA.indices[3 * triangleA + 1];
    const a2 = 3 * meshA.indices[3 * triangleA + 2];
    measured.beyond = Infinity;
    this.distance = Math.sqrt(measured.measure(meshA.positions, a0, a1, a2, q, 0, 3, 6));
    this.closing = 0;
    if (!(this.distance > clearance)) return 0;
    const { pointA, pointB, p } = measured;
    const far = clearance + this.#slack;
    const dx = pointB[0] - pointA[0];
    const dy = pointB[1] - pointA[1];
    const dz = pointB[2] - pointA[2];
    // The second bound is there for progress where rounding spoils the direction.
    let time = Math.max(this.#trianglesAlong(dx, dy, dz, far, 0), (this.distance * (1 - 1e-9) - far) / this.speed);
    if (time >= enough) return time;
    // The direction between very close points is mostly rounding; the normal of a face is not.
    for (const corners of [p, measured.q]) {
      const ux = corners[3] - corners[0];
      const uy = corners[4] - corners[1];
      const uz = corners[5] - corners[2];
      const vx = corners[6] - corners[0];
      const vy = corners[7] - corners[1];
      const vz = corners[8] - corners[2];
      const nx = uy * vz - uz * vy;
      const ny = uz * vx - ux * vz;
      const nz = ux * vy - uy * vx;
      const sign = nx * dx + ny * dy + nz * dz < 0 ? -1 : 1;
      time = Math.max(time, this.#trianglesAlong(sign * nx, sign * ny, sign * nz, far, time));
    }
    const vv = velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2];
    if (time >= enough || !(vv > 0)) return time;
    const along = (dx * velocity[0] + dy * velocity[1] + dz * velocity[2]) / vv;
    return Math.max(
      time,
      this.#trianglesAlong(dx - along * velocity[0], dy - along * velocity[1], dz - along * velocity[2], far, time),
    );
  }

  /**
   * The time along one direction. Each of the nine pairs of corners is followed on its own: a corner that is far and comes
   * fast does not spoil the bound of one that is near and slow, which matters where models graze.
   */
  #trianglesAlong(dx: number, dy: number, dz: number, far: number, longest: number): number {
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(length > 0)) return 0;
    const x = dx / length;
    const y = dy / length;
    const z = dz / length;
    const { p, q } = this.#triangles;
    const { velocity, turnA, turnB, angleA, angleB, pivotA, pivotBInA: o } = this.#motion;
    const heights = this.#heights;
    const rates = this.#rates;
    const drift = -(x * velocity[0] + y * velocity[1] + z * velocity[2]);
    let sweep = drift;
    let bend = 0;
    let ux = 0;
    let uy = 0;
    let uz = 0;
    if (angleA > 0) {
      ux = y * turnA[2] - z * turnA[1];
      uy = z * turnA[0] - x * turnA[2];
      uz = x * turnA[1] - y * turnA[0];
      const reach = Math.sqrt(ux * ux + uy * uy + uz * uz) * this.#leverA;
      sweep += reach;
      bend += reach * angleA;
    }
    for (let k = 0; k < 3; k++) {
      const px = p[3 * k];
      const py = p[3 * k + 1];
      const pz = p[3 * k + 2];
      heights[k] = x * px + y * py + z * pz;
      rates[k] = drift + ux * (px - pivotA[0]) + uy * (py - pivotA[1]) + uz * (pz - pivotA[2]);
    }
    ux = uy = uz = 0;
    if (angleB > 0) {
      ux = y * turnB[2] - z * turnB[1];
      uy = z * turnB[0] - x * turnB[2];
      uz = x * turnB[1] - y * turnB[0];
      const reach = Math.sqrt(ux * ux + uy * uy + uz * uz) * this.#leverB;
      sweep += reach;
      bend += reach * angleB;
    }
    let time = Infinity;
    let closing = drift;
    for (let k = 0; k < 9; k += 3) {
      const height = x * q[k] + y * q[k + 1] + z * q[k + 2] - far;
      const rate = ux * (q[k] - o[0]) + uy * (q[k + 1] - o[1]) + uz * (q[k + 2] - o[2]);
      for (let i = 0; i < 3; i++) {
        const gap = height - heights[i];
        if (!(gap > 0)) return 0;
        const closes = rates[i] - rate;
        // Only what reaches 0 before the others so far needs to be solved for.
        if (gap - time * (closes + 0.5 * bend * time) > 0) continue;
        const until = solve(gap, closes, bend, sweep);
        if (until >= time) continue;
        time = until;
        closing = closes;
      }
    }
    if (time > longest) this.closing = closing;
    return time;
  }
}

/** The distance of a point of a body from the axis of its turn, through its pivot. */
function lever(turn: Float64Array, angle: number, pivot: Float64Array, px: number, py: number, pz: number): number {
  const x = px - pivot[0];
  const y = py - pivot[1];
  const z = pz - pivot[2];
  const cx = turn[1] * z - turn[2] * y;
  const cy = turn[2] * x - turn[0] * z;
  const cz = turn[0] * y - turn[1] * x;
  return (Math.sqrt(cx * cx + cy * cy + cz * cz) / angle) * (1 + 1e-14);
}

/** The time until gap − closing·t − bend·t²/2 or gap − sweep·t is 0, whichever is later. */
function solve(gap: number, closing: number, bend: number, sweep: number): number {
  if (sweep <= 0 || (bend === 0 && closing <= 0)) return Infinity;
  const root = Math.sqrt(closing * closing + 2 * bend * gap);
  const curved = closing > 0 ? (2 * gap) / (closing + root) : (root - closing) / bend;
  return Math.max(curved, gap / sweep) * (1 - TIME_ROUNDING);
}
