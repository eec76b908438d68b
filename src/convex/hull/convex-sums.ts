// What the triangles of a convex surface add up to: volume, area and their first moments about a corner, so that an offset
// of the points costs no accuracy. O(triangles).

/** The sums of one convex surface, reused for the next. */
export class ConvexSums {
  /** Six times the volume. */
  sixVolume = 0;
  /** Twice the area; of both sides of a flat surface. */
  twiceArea = 0;
  /** 24 times the first moment of the solid about the first corner. */
  readonly solid = new Float64Array(3);
  /** Six times the first moment of the surface about the first corner. */
  readonly shell = new Float64Array(3);

  /** Sums over the triangles `triangles[from]` up to before `triangles[end]`, moments about the point at `origin`. */
  sum(points: Float64Array, triangles: ArrayLike<number>, from: number, end: number, origin: number): void {
    const [x0, y0, z0] = [points[origin], points[origin + 1], points[origin + 2]];
    let [volume, vx, vy, vz] = [0, 0, 0, 0];
    let [area, sx, sy, sz] = [0, 0, 0, 0];
    for (let i = from; i < end; i += 3) {
      const a = 3 * triangles[i];
      const b = 3 * triangles[i + 1];
      const c = 3 * triangles[i + 2];
      const ax = points[a] - x0;
      const ay = points[a + 1] - y0;
      const az = points[a + 2] - z0;
      const bx = points[b] - x0;
      const by = points[b + 1] - y0;
      const bz = points[b + 2] - z0;
      const cx = points[c] - x0;
      const cy = points[c + 1] - y0;
      const cz = points[c + 2] - z0;
      const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
      const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
      const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
      // From a corner, every tetrahedron of a convex solid has a volume of at least zero, up to rounding.
      const sixth = Math.max(0, nx * ax + ny * ay + nz * az);
      const double = Math.sqrt(nx * nx + ny * ny + nz * nz);
      const mx = ax + bx + cx;
      const my = ay + by + cy;
      const mz = az + bz + cz;
      volume += sixth;
      vx += sixth * mx;
      vy += sixth * my;
      vz += sixth * mz;
      area += double;
      sx += double * mx;
      sy += double * my;
      sz += double * mz;
    }
    this.sixVolume = volume;
    this.twiceArea = area;
    this.solid[0] = vx;
    this.solid[1] = vy;
    this.solid[2] = vz;
    this.shell[0] = sx;
    this.shell[1] = sy;
    this.shell[2] = sz;
  }
}
