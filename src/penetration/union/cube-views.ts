// The six views of a cube around the origin, and the direction of each pixel.

/** Forward, right and up of each view: +x, −x, +y, −y, +z, −z. Right × up points back at the eye. */
export const CUBE_AXES: readonly (readonly [number, number, number, number, number, number, number, number, number])[] =
  [
    [1, 0, 0, 0, 0, 1, 0, 1, 0],
    [-1, 0, 0, 0, 0, -1, 0, 1, 0],
    [0, 1, 0, 1, 0, 0, 0, 0, 1],
    [0, -1, 0, 1, 0, 0, 0, 0, -1],
    [0, 0, 1, -1, 0, 0, 0, 1, 0],
    [0, 0, -1, 1, 0, 0, 0, 1, 0],
  ];

/** Writes the direction, not unit, with forward part 1, of a point of a view's screen (x right, y up, −1 to 1). */
export function writeDirection(out: Float64Array, view: number, x: number, y: number): void {
  const [fx, fy, fz, rx, ry, rz, ux, uy, uz] = CUBE_AXES[view];
  out[0] = fx + x * rx + y * ux;
  out[1] = fy + x * ry + y * uy;
  out[2] = fz + x * rz + y * uz;
}

/** Where the center of a pixel's column, or row from the top if negated, is on the screen. */
export function pixelCenter(index: number, resolution: number): number {
  return (2 * index + 1) / resolution - 1;
}

/** Clip matrix of a view, column-major, 16 numbers starting at `offset`: 90° wide, depth 0 at `near` and 1 at `far`. */
export function writeViewMatrix(
  out: Float32Array | Float64Array,
  offset: number,
  view: number,
  near: number,
  far: number,
): void {
  const [fx, fy, fz, rx, ry, rz, ux, uy, uz] = CUBE_AXES[view];
  const scale = far / (far - near);
  out.set([rx, ux, scale * fx, fx, ry, uy, scale * fy, fy, rz, uz, scale * fz, fz, 0, 0, -scale * near, 0], offset);
}
