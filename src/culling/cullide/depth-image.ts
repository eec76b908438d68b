// Conservative rasterization into a depth image. A pixel is a closed square. A triangle covers every pixel that it meets,
// with two depths there: its nearest and its farthest point over the square, bounded from outside. Whatever two triangles
// have in common lies in a pixel that both cover, between the two depths of each. See docs/culling.md for the proof.
import type { ViewFrame } from './view-frame.js';

/** Rounding: added around a triangle, in pixels: far above the rounding of image coordinates, far below a pixel. */
const PAD = 2 ** -20;
/**
 * Rounding: added around the part of a triangle in a row, in pixels, where edges are cut: cuts are known to 2⁻²⁰ of a
 * pixel.
 */
const ROW_PAD = 2 ** -10;
/** Rounding: edges that rise less, in pixels, are not cut, so that cuts are known to 2⁻³² of an edge. */
const FLAT_EDGE = 2 ** -8;
/**
 * Rounding: depths are widened by this. It is more than the step of single precision at depth 1, in which the image is
 * stored, and than the rounding of depths.
 */
export const DEPTH_PAD = 2 ** -22;
/**
 * Rounding: triangles with a smaller area, relative to the square of their longest side, leave the bounds to the row.
 */
const MIN_TURN = 2 ** -6;
/** Rounding: widens depths on a plane, relative to those of the triangle: they are known to 2⁻²⁵ of those. */
const PLANE_PAD = 2 ** -20;

/** The least depth of what was written, in each pixel. */
export class DepthImage {
  /** Fragments tested and written since the counter was set to 0. */
  fragments = 0;
  #view: ViewFrame | null = null;
  #depths = new Float32Array(0);
  // The triangle at hand in the image: u, v and depth of the corners.
  readonly #corners = new Float64Array(9);
  // The part of the triangle in a row: least and greatest u, least and greatest depth.
  readonly #row = new Float64Array(4);

  /** Clears the image and looks along a view. */
  begin(view: ViewFrame): void {
    const pixels = view.resolution * view.resolution;
    if (this.#depths.length < pixels) this.#depths = new Float32Array(pixels);
    this.#depths.fill(Infinity, 0, pixels);
    this.#view = view;
  }

  /** Whether a box is in front of everything written. */
  isBoxVisible(boxes: Float64Array, o: number): boolean {
    return this.#visitBox(boxes, o, false);
  }

  /** Writes a box. */
  writeBox(boxes: Float64Array, o: number): void {
    this.#visitBox(boxes, o, true);
  }

  /** Whether a triangle is in front of everything written: fully visible. Corners at p[a], p[b], p[c]. */
  isVisible(p: Float64Array, a: number, b: number, c: number): boolean {
    return this.#visit(p, a, b, c, false);
  }

  /** Writes a triangle. */
  write(p: Float64Array, a: number, b: number, c: number): void {
    this.#visit(p, a, b, c, true);
  }

  #visitBox(boxes: Float64Array, o: number, writes: boolean): boolean {
    const { axes, origins, scales, depthOffset, resolution } = this.#view!;
    const [x, y, z] = axes;
    const near = (boxes[o + z] - origins[2]) * scales[2] + depthOffset;
    const far = (boxes[o + 3 + z] - origins[2]) * scales[2] + depthOffset;
    const left = (boxes[o + x] - origins[0]) * scales[0];
    const right = (boxes[o + 3 + x] - origins[0]) * scales[0];
    const first = clampPixel((boxes[o + y] - origins[1]) * scales[1] - PAD, resolution);
    const last = clampPixel((boxes[o + 3 + y] - origins[1]) * scales[1] + PAD, resolution);
    for (let row = first; row <= last; row++) {
      if (!this.#fillFlat(row, left, right, Math.min(near, far), Math.max(near, far), writes)) return false;
    }
    return true;
  }

  /** Goes through the pixels of a triangle. False as soon as one is not in front. */
  #visit(p: Float64Array, a: number, b: number, c: number, writes: boolean): boolean {
    const { axes, origins, scales, depthOffset, resolution } = this.#view!;
    const [x, y, z] = axes;
    const corners = this.#corners;
    const u0 = (p[a + x] - origins[0]) * scales[0];
    const v0 = (p[a + y] - origins[1]) * scales[1];
    const z0 = (p[a + z] - origins[2]) * scales[2] + depthOffset;
    const u1 = (p[b + x] - origins[0]) * scales[0];
    const v1 = (p[b + y] - origins[1]) * scales[1];
    const z1 = (p[b + z] - origins[2]) * scales[2] + depthOffset;
    const u2 = (p[c + x] - origins[0]) * scales[0];
    const v2 = (p[c + y] - origins[1]) * scales[1];
    const z2 = (p[c + z] - origins[2]) * scales[2] + depthOffset;
    const minU = Math.min(u0, u1, u2);
    const maxU = Math.max(u0, u1, u2);
    const minV = Math.min(v0, v1, v2);
    const maxV = Math.max(v0, v1, v2);
    const near = Math.min(z0, z1, z2);
    const far = Math.max(z0, z1, z2);
    const first = clampPixel(minV - PAD, resolution);
    const last = clampPixel(maxV + PAD, resolution);
    // A triangle of few pixels covers those of its box, at its own depths.
    if (last - first <= 1 && maxU - minU <= 1) {
      for (let row = first; row <= last; row++) {
        if (!this.#fillFlat(row, minU, maxU, near, far, writes)) return false;
      }
      return true;
    }
    corners[0] = u0;
    corners[1] = v0;
    corners[2] = z0;
    corners[3] = u1;
    corners[4] = v1;
    corners[5] = z1;
    corners[6] = u2;
    corners[7] = v2;
    corners[8] = z2;
    const eu = u1 - u0;
    const ev = v1 - v0;
    const fu = u2 - u0;
    const fv = v2 - v0;
    const turn = eu * fv - ev * fu;
    const side = Math.max(Math.abs(eu) + Math.abs(ev), Math.abs(fu) + Math.abs(fv));
    const isTilted = Math.abs(turn) > MIN_TURN * side * side;
    const slopeU = isTilted ? ((z1 - z0) * fv - (z2 - z0) * ev) / turn : 0;
    const slopeV = isTilted ? ((z2 - z0) * eu - (z1 - z0) * fu) / turn : 0;
    const spread = isTilted
      ? (0.5 + ROW_PAD) * (Math.abs(slopeU) + Math.abs(slopeV)) + PLANE_PAD * (far - near) + DEPTH_PAD
      : Infinity;
    for (let row = first; row <= last; row++) {
      if (!this.#cutRow(row)) continue;
      const part = this.#row;
      const center = z0 + slopeU * (0.5 - u0) + slopeV * (row + 0.5 - v0);
      if (!this.#fillSloped(row, part[0], part[1], part[2], part[3], center, slopeU, spread, writes)) return false;
    }
    return true;
  }

  /** The part of the triangle in a row of pixels: where it lies and how deep. False if no part is in the row. */
  #cutRow(row: number): boolean {
    const corners = this.#corners;
    const part = this.#row;
    const low = row - PAD;
    const high = row + 1 + PAD;
    part[0] = Infinity;
    part[1] = -Infinity;
    part[2] = Infinity;
    part[3] = -Infinity;
    for (let edge = 0; edge < 3; edge++) {
      const i = 3 * edge;
      const j = edge === 2 ? 0 : i + 3;
      const vi = corners[i + 1];
      const vj = corners[j + 1];
      if ((vi < low && vj < low) || (vi > high && vj > high)) continue;
      const rise = vj - vi;
      let from = 0;
      let to = 1;
      if (Math.abs(rise) > FLAT_EDGE) {
        const enters = (low - vi) / rise;
        const leaves = (high - vi) / rise;
        from = Math.max(0, Math.min(enters, leaves));
        to = Math.min(1, Math.max(enters, leaves));
      }
      const u = corners[i];
      const du = corners[j] - u;
      const z = corners[i + 2];
      const dz = corners[j + 2] - z;
      const uFrom = u + from * du;
      const uTo = u + to * du;
      const zFrom = z + from * dz;
      const zTo = z + to * dz;
      if (uFrom < part[0]) part[0] = uFrom;
      if (uTo < part[0]) part[0] = uTo;
      if (uFrom > part[1]) part[1] = uFrom;
      if (uTo > part[1]) part[1] = uTo;
      if (zFrom < part[2]) part[2] = zFrom;
      if (zTo < part[2]) part[2] = zTo;
      if (zFrom > part[3]) part[3] = zFrom;
      if (zTo > part[3]) part[3] = zTo;
    }
    return part[0] <= part[1];
  }

  /** Pixels of a row at the same two depths. */
  #fillFlat(row: number, left: number, right: number, near: number, far: number, writes: boolean): boolean {
    const { resolution } = this.#view!;
    const depths = this.#depths;
    const base = row * resolution;
    const first = base + clampPixel(left - PAD, resolution);
    const last = base + clampPixel(right + PAD, resolution);
    this.fragments += last - first + 1;
    if (writes) {
      const value = near - DEPTH_PAD;
      for (let i = first; i <= last; i++) if (value < depths[i]) depths[i] = value;
      return true;
    }
    const value = far + DEPTH_PAD;
    for (let i = first; i <= last; i++) if (value >= depths[i]) return false;
    return true;
  }

  /** Pixels of a row: depths on the plane, within those of the row. Takes scalars, for inner loops. */
  #fillSloped(
    row: number,
    left: number,
    right: number,
    near: number,
    far: number,
    center: number,
    slope: number,
    spread: number,
    writes: boolean,
  ): boolean {
    const { resolution } = this.#view!;
    const depths = this.#depths;
    const base = row * resolution;
    const first = clampPixel(left - ROW_PAD, resolution);
    const last = clampPixel(right + ROW_PAD, resolution);
    this.fragments += last - first + 1;
    if (writes) {
      const bound = near - DEPTH_PAD;
      for (let i = first; i <= last; i++) {
        const value = center + slope * i - spread;
        const least = Math.max(value, bound);
        if (least < depths[base + i]) depths[base + i] = least;
      }
      return true;
    }
    const bound = far + DEPTH_PAD;
    for (let i = first; i <= last; i++) {
      const value = center + slope * i + spread;
      const depth = depths[base + i];
      if (value >= depth && bound >= depth) return false;
    }
    return true;
  }
}

/** The pixel that holds a coordinate, or the nearest one. */
function clampPixel(place: number, resolution: number): number {
  return place <= 0 ? 0 : place >= resolution ? resolution - 1 : place | 0;
}
