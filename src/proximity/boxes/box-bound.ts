// Lower bounds on the distance of two oriented boxes. Along the six face normals: the distance of A's box to B's box
// enclosed along A's axes, or with the roles exchanged, whichever is larger. Along any one direction: the gap between
// the two projections. Both allow for rounding, so that touching boxes never get a positive bound.
import { BOX_RADIUS, BOX_STRIDE, type BoxTree } from './box-tree.js';
import { slackOf } from './placed-box.js';

/** Bounds pairs of boxes of two trees for one placement at a time. */
export class BoxBound {
  /** The direction of the last bound for which {@link boundFaces} kept it, in A's frame; unit, or zero for none. */
  readonly axis = new Float64Array(3);
  /** The size of the largest coordinates. */
  readonly magnitude: number;
  /** The amount that bounds are lowered by, so that rounding cannot raise them above the true distance. */
  slack = 0;
  readonly #a: BoxTree;
  readonly #b: BoxTree;
  readonly #boxesA: Float64Array;
  readonly #boxesB: Float64Array;
  readonly #placement = new Float64Array(12);

  constructor(a: BoxTree, b: BoxTree) {
    this.#a = a;
    this.#b = b;
    this.#boxesA = a.boxes;
    this.#boxesB = b.boxes;
    this.magnitude = a.magnitude + b.magnitude;
  }

  /** Sets the placement of B in A's frame: a row-major 3 × 4 matrix. */
  place(placement: Float64Array): void {
    this.#placement.set(placement);
    this.slack = slackOf(this.#a, this.#b, placement);
  }

  /**
   * A lower bound on the distance of two boxes along their face normals. Stops early once the bound exceeds the limit.
   * Keeps the direction of the gap in `axis` if requested. In one piece, because its three steps (the spheres, the
   * gaps along A's axes, those along B's) share the nine cosines between the axes.
   */
  boundFaces(nodeA: number, nodeB: number, limit: number, keepAxis: boolean): number {
    const A = this.#boxesA;
    const B = this.#boxesB;
    const m = this.#placement;
    const i = BOX_STRIDE * nodeA;
    const j = BOX_STRIDE * nodeB;
    const x = B[j];
    const y = B[j + 1];
    const z = B[j + 2];
    const m0 = m[0];
    const m1 = m[1];
    const m2 = m[2];
    const m4 = m[4];
    const m5 = m[5];
    const m6 = m[6];
    const m8 = m[8];
    const m9 = m[9];
    const m10 = m[10];
    const dx = m0 * x + m1 * y + m2 * z + m[3] - A[i];
    const dy = m4 * x + m5 * y + m6 * z + m[7] - A[i + 1];
    const dz = m8 * x + m9 * y + m10 * z + m[11] - A[i + 2];
    const { slack } = this;
    // The spheres around the boxes.
    const radii = A[i + BOX_RADIUS] + B[j + BOX_RADIUS] + slack;
    const reach = limit + radii;
    const squared = dx * dx + dy * dy + dz * dz;
    if (squared > reach * reach) {
      const length = Math.sqrt(squared);
      if (keepAxis) this.#setAxis(dx / length, dy / length, dz / length);
      return length - radii;
    }

    // The gaps along A's axes. Each axis of A in B's frame is r, its cosines with B's axes are c, and t is the way between the
    // centers along it.
    const b00 = B[j + 3];
    const b01 = B[j + 4];
    const b02 = B[j + 5];
    const b10 = B[j + 6];
    const b11 = B[j + 7];
    const b12 = B[j + 8];
    const b20 = B[j + 9];
    const b21 = B[j + 10];
    const b22 = B[j + 11];
    const halfB0 = B[j + 12] + slack;
    const halfB1 = B[j + 13] + slack;
    const halfB2 = B[j + 14] + slack;

    const a00 = A[i + 3];
    const a01 = A[i + 4];
    const a02 = A[i + 5];
    let rx = m0 * a00 + m4 * a01 + m8 * a02;
    let ry = m1 * a00 + m5 * a01 + m9 * a02;
    let rz = m2 * a00 + m6 * a01 + m10 * a02;
    const c00 = rx * b00 + ry * b01 + rz * b02;
    const c01 = rx * b10 + ry * b11 + rz * b12;
    const c02 = rx * b20 + ry * b21 + rz * b22;
    const t0 = a00 * dx + a01 * dy + a02 * dz;
    const half0 = A[i + 12] + slack;
    let gap0 = Math.abs(t0) - half0 - Math.abs(c00) * halfB0 - Math.abs(c01) * halfB1 - Math.abs(c02) * halfB2;
    if (gap0 < 0) gap0 = 0;

    const a10 = A[i + 6];
    const a11 = A[i + 7];
    const a12 = A[i + 8];
    rx = m0 * a10 + m4 * a11 + m8 * a12;
    ry = m1 * a10 + m5 * a11 + m9 * a12;
    rz = m2 * a10 + m6 * a11 + m10 * a12;
    const c10 = rx * b00 + ry * b01 + rz * b02;
    const c11 = rx * b10 + ry * b11 + rz * b12;
    const c12 = rx * b20 + ry * b21 + rz * b22;
    const t1 = a10 * dx + a11 * dy + a12 * dz;
    const half1 = A[i + 13] + slack;
    let gap1 = Math.abs(t1) - half1 - Math.abs(c10) * halfB0 - Math.abs(c11) * halfB1 - Math.abs(c12) * halfB2;
    if (gap1 < 0) gap1 = 0;

    const a20 = A[i + 9];
    const a21 = A[i + 10];
    const a22 = A[i + 11];
    rx = m0 * a20 + m4 * a21 + m8 * a22;
    ry = m1 * a20 + m5 * a21 + m9 * a22;
    rz = m2 * a20 + m6 * a21 + m10 * a22;
    const c20 = rx * b00 + ry * b01 + rz * b02;
    const c21 = rx * b10 + ry * b11 + rz * b12;
    const c22 = rx * b20 + ry * b21 + rz * b22;
    const t2 = a20 * dx + a21 * dy + a22 * dz;
    const half2 = A[i + 14] + slack;
    let gap2 = Math.abs(t2) - half2 - Math.abs(c20) * halfB0 - Math.abs(c21) * halfB1 - Math.abs(c22) * halfB2;
    if (gap2 < 0) gap2 = 0;

    const boundA = gap0 * gap0 + gap1 * gap1 + gap2 * gap2;
    if (boundA > limit * limit) {
      const bound = Math.sqrt(boundA);
      if (keepAxis) {
        const s0 = (t0 < 0 ? -gap0 : gap0) / bound;
        const s1 = (t1 < 0 ? -gap1 : gap1) / bound;
        const s2 = (t2 < 0 ? -gap2 : gap2) / bound;
        this.#setAxis(s0 * a00 + s1 * a10 + s2 * a20, s0 * a01 + s1 * a11 + s2 * a21, s0 * a02 + s1 * a12 + s2 * a22);
      }
      return bound;
    }

    // The gaps along B's axes; u is the way between the centers along each.
    const u0 = c00 * t0 + c10 * t1 + c20 * t2;
    const u1 = c01 * t0 + c11 * t1 + c21 * t2;
    const u2 = c02 * t0 + c12 * t1 + c22 * t2;
    let gapB0 = Math.abs(u0) - halfB0 - Math.abs(c00) * half0 - Math.abs(c10) * half1 - Math.abs(c20) * half2;
    let gapB1 = Math.abs(u1) - halfB1 - Math.abs(c01) * half0 - Math.abs(c11) * half1 - Math.abs(c21) * half2;
    let gapB2 = Math.abs(u2) - halfB2 - Math.abs(c02) * half0 - Math.abs(c12) * half1 - Math.abs(c22) * half2;
    if (gapB0 < 0) gapB0 = 0;
    if (gapB1 < 0) gapB1 = 0;
    if (gapB2 < 0) gapB2 = 0;
    const boundB = gapB0 * gapB0 + gapB1 * gapB1 + gapB2 * gapB2;
    if (!keepAxis) return Math.sqrt(Math.max(boundA, boundB));
    if (boundA >= boundB) {
      const bound = Math.sqrt(boundA);
      const scale = bound > 0 ? 1 / bound : 0;
      const s0 = (t0 < 0 ? -gap0 : gap0) * scale;
      const s1 = (t1 < 0 ? -gap1 : gap1) * scale;
      const s2 = (t2 < 0 ? -gap2 : gap2) * scale;
      this.#setAxis(s0 * a00 + s1 * a10 + s2 * a20, s0 * a01 + s1 * a11 + s2 * a21, s0 * a02 + s1 * a12 + s2 * a22);
      return bound;
    }
    const bound = Math.sqrt(boundB);
    const s0 = (u0 < 0 ? -gapB0 : gapB0) / bound;
    const s1 = (u1 < 0 ? -gapB1 : gapB1) / bound;
    const s2 = (u2 < 0 ? -gapB2 : gapB2) / bound;
    const nx = s0 * b00 + s1 * b10 + s2 * b20;
    const ny = s0 * b01 + s1 * b11 + s2 * b21;
    const nz = s0 * b02 + s1 * b12 + s2 * b22;
    this.#setAxis(m0 * nx + m1 * ny + m2 * nz, m4 * nx + m5 * ny + m6 * nz, m8 * nx + m9 * ny + m10 * nz);
    return bound;
  }

  /** The gap between the projections of A and B along a unit direction in A's frame; not positive if they overlap. */
  boundAlong(nodeA: number, nodeB: number, nx: number, ny: number, nz: number): number {
    const A = this.#boxesA;
    const B = this.#boxesB;
    const m = this.#placement;
    const i = BOX_STRIDE * nodeA;
    const j = BOX_STRIDE * nodeB;
    // The direction in B's frame.
    const rx = m[0] * nx + m[4] * ny + m[8] * nz;
    const ry = m[1] * nx + m[5] * ny + m[9] * nz;
    const rz = m[2] * nx + m[6] * ny + m[10] * nz;
    const apart =
      rx * B[j] + ry * B[j + 1] + rz * B[j + 2] + nx * (m[3] - A[i]) + ny * (m[7] - A[i + 1]) + nz * (m[11] - A[i + 2]);
    return (
      apart -
      Math.abs(nx * A[i + 3] + ny * A[i + 4] + nz * A[i + 5]) * A[i + 12] -
      Math.abs(nx * A[i + 6] + ny * A[i + 7] + nz * A[i + 8]) * A[i + 13] -
      Math.abs(nx * A[i + 9] + ny * A[i + 10] + nz * A[i + 11]) * A[i + 14] -
      Math.abs(rx * B[j + 3] + ry * B[j + 4] + rz * B[j + 5]) * B[j + 12] -
      Math.abs(rx * B[j + 6] + ry * B[j + 7] + rz * B[j + 8]) * B[j + 13] -
      Math.abs(rx * B[j + 9] + ry * B[j + 10] + rz * B[j + 11]) * B[j + 14] -
      2 * this.slack
    );
  }

  #setAxis(x: number, y: number, z: number): void {
    this.axis[0] = x;
    this.axis[1] = y;
    this.axis[2] = z;
  }
}
