// A triangle at a pixel of a view, in double precision from its plane through the eye: depth, slope, and the nearest
// edge. An oracle for the error of a rasterizer that moves vertices; imports nothing of the library.

export interface ScreenTriangle {
  /** Depth at the center of a pixel, whether covered or not. */
  readonly depth: number;
  /** Length of the depth's gradient, a pixel. */
  readonly slope: number;
  /** Pixels to the nearest of the three edges' lines. */
  readonly edgeDistance: number;
}

/** Looks at a triangle, nine coordinates, from a view's column-major matrix at the center of a pixel. */
export function seeTriangle(
  corners: ArrayLike<number>,
  view: ArrayLike<number>,
  size: number,
  column: number,
  row: number,
): ScreenTriangle {
  const clip = [0, 1, 2].map((corner) =>
    [0, 1, 2, 3].map(
      (r) =>
        view[r] * corners[3 * corner] +
        view[4 + r] * corners[3 * corner + 1] +
        view[8 + r] * corners[3 * corner + 2] +
        view[12 + r],
    ),
  );
  // Pixels from the top left corner, times w.
  const screen = clip.map(([x, y, , w]) => [(size / 2) * (x + w), (size / 2) * (w - y), w]);
  const lines = [0, 1, 2].map((i) => cross(screen[(i + 1) % 3], screen[(i + 2) % 3]));
  const determinant = dot(lines[0], screen[0]);
  const plane = [0, 1, 2].map(
    (k) => (clip[0][2] * lines[0][k] + clip[1][2] * lines[1][k] + clip[2][2] * lines[2][k]) / determinant,
  );
  const center = [column + 0.5, row + 0.5, 1];
  return {
    depth: dot(plane, center),
    slope: Math.hypot(plane[0], plane[1]),
    edgeDistance: Math.min(...lines.map((line) => Math.abs(dot(line, center)) / Math.hypot(line[0], line[1]))),
  };
}

/** How two rasterizers' images of loose triangles compare. */
export interface Comparison {
  /** Shares of all pixels: covered in the first images, and of another color in the second. */
  readonly covered: number;
  readonly differing: number;
  /** The least movement of vertices, in pixels, that explains every difference of color and every depth. */
  readonly movement: number;
}

interface SomeImages {
  readonly color?: Uint32Array;
  readonly depth?: Float32Array;
}

/**
 * Compares images of triangles colored 1, 2, …, three corners of their own each. A color differs because a vertex moved when
 * the pixel is as close as that to an edge of a triangle involved, when the two depths there are as close as their slopes
 * make of the movement, or when one is as close to the near or far plane; a depth is off by its slope times the movement.
 */
export function compareImages(
  positions: Float64Array,
  views: Float64Array,
  size: number,
  expected: SomeImages,
  drawn: SomeImages,
  depthRounding: number,
): Comparison {
  const pixels = (size * size * views.length) / 16;
  let covered = 0;
  let differing = 0;
  let movement = 0;
  const needed = (gap: number, slope: number) => Math.max(0, gap - depthRounding) / slope;
  for (let pixel = 0; pixel < pixels; pixel++) {
    const view = Math.floor(pixel / (size * size));
    const matrix = views.subarray(16 * view, 16 * view + 16);
    const see = (color: number) => {
      const corners = positions.subarray(9 * (color - 1), 9 * color);
      return seeTriangle(corners, matrix, size, pixel % size, Math.floor(pixel / size) % size);
    };
    const theirs = expected.color![pixel];
    const ours = drawn.color![pixel];
    if (theirs !== 0) covered++;
    if (ours !== 0) {
      const { depth, slope } = see(ours);
      movement = Math.max(movement, needed(Math.abs(drawn.depth![pixel] - depth), slope));
    }
    if (theirs === ours) continue;
    differing++;
    const involved = [theirs, ours].filter((color) => color !== 0).map(see);
    const reasons = involved.flatMap(({ depth, slope, edgeDistance }) => [
      edgeDistance,
      needed(Math.abs(depth), slope),
      needed(Math.abs(1 - depth), slope),
    ]);
    if (involved.length === 2) {
      const [a, b] = involved;
      reasons.push(needed(Math.abs(a.depth - b.depth), a.slope + b.slope));
    }
    movement = Math.max(movement, Math.min(...reasons));
  }
  return { covered: covered / pixels, differing: differing / pixels, movement };
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
