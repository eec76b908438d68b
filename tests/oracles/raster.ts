// A rasterizer by brute force: for every pixel, in order, every triangle; the line of sight against the triangle's plane
// in the corners' own space by Cramer's rule on the inverse of the view matrix. Imports nothing of the code under test.

export interface OracleState {
  readonly cull: string;
  readonly depthCompare: string;
  readonly depthWrite: boolean;
  readonly colorWrite: boolean;
  readonly stencilCompare: string;
  readonly stencilReference: number;
  readonly stencilReadMask: number;
  readonly stencilWriteMask: number;
  readonly stencilFail: string;
  readonly stencilDepthFail: string;
  readonly stencilPass: string;
}

export interface OracleTriangle {
  readonly corners: readonly (readonly number[])[];
  readonly color: number;
  readonly state: OracleState;
}

export interface OraclePixel {
  color: number;
  depth: number;
  stencil: number;
  /** Whether an edge, a clip plane or a stored depth was so near that rounding decided. */
  uncertain: boolean;
  /** How many fragments there were, whatever became of them. */
  fragments: number;
}

/** What a pixel of one view holds after all triangles. `view` is column-major; rows count from the top. */
export function renderPixel(
  triangles: readonly OracleTriangle[],
  view: ArrayLike<number>,
  width: number,
  height: number,
  column: number,
  row: number,
  clear: { color: number; depth: number; stencil: number },
  rounding = 1e-9,
): OraclePixel {
  const pixel: OraclePixel = { ...clear, depth: Math.fround(clear.depth), uncertain: false, fragments: 0 };
  const x = (2 * column + 1) / width - 1;
  const y = 1 - (2 * row + 1) / height;
  // Points seen at the pixel: clip x = x·w and clip y = y·w, two planes whose common line is the line of sight.
  const line = (r: number, s: number): number[] => [0, 1, 2, 3].map((c) => view[4 * c + r] - s * view[4 * c + 3]);
  const across = line(0, x);
  const down = line(1, y);
  const clipRow = (r: number, point: readonly number[]): number =>
    view[r] * point[0] + view[4 + r] * point[1] + view[8 + r] * point[2] + view[12 + r];

  for (const { corners, color, state } of triangles) {
    const normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
    const denominator = dot(cross(across, down), normal);
    const size = Math.hypot(...across.slice(0, 3)) * Math.hypot(...down.slice(0, 3)) * Math.hypot(...normal);
    if (Math.abs(denominator) <= rounding * size) {
      pixel.uncertain ||= size > 0;
      continue;
    }
    // Three planes: across·p = −across₃, down·p = −down₃, normal·p = normal·corner.
    const point = [0, 1, 2].map(
      (axis) =>
        (-across[3] * cross(down, normal)[axis] -
          down[3] * cross(normal, across)[axis] +
          dot(normal, corners[0]) * cross(across, down)[axis]) /
        denominator,
    );
    const weights = [0, 1, 2].map((i) => {
      const side = cross(minus(corners[(i + 2) % 3], corners[(i + 1) % 3]), minus(point, corners[(i + 1) % 3]));
      return dot(side, normal) / dot(normal, normal);
    });
    const w = clipRow(3, point);
    const depth = clipRow(2, point) / w;
    const least = Math.min(...weights);
    const near = Math.min(depth, 1 - depth);
    if (least < -rounding || near < -rounding || w < -rounding) continue;
    if (least < rounding || near < rounding || w < rounding) pixel.uncertain = true;
    const clip = corners.map((corner) => [clipRow(0, corner), clipRow(1, corner), clipRow(3, corner)]);
    const front = dot(clip[0], cross(clip[1], clip[2])) > 0;
    if (state.cull === (front ? 'front' : 'back')) continue;
    pixel.fragments++;

    const value = Math.fround(depth);
    const { stencil } = pixel;
    const mask = state.stencilReadMask;
    let operation = state.stencilPass;
    if (!compares(state.stencilCompare, state.stencilReference & mask, stencil & mask)) operation = state.stencilFail;
    else {
      // Equal bits are certain: the same triangle again. Others so near may be told apart by their last bit.
      if (value !== pixel.depth && Math.abs(value - pixel.depth) < 1e-6) pixel.uncertain = true;
      if (!compares(state.depthCompare, value, pixel.depth)) operation = state.stencilDepthFail;
      else {
        if (state.depthWrite) pixel.depth = value;
        if (state.colorWrite) pixel.color = color;
      }
    }
    const changed = operated(operation, stencil, state.stencilReference);
    pixel.stencil = (stencil & ~state.stencilWriteMask) | (changed & state.stencilWriteMask);
  }
  return pixel;
}

function compares(name: string, a: number, b: number): boolean {
  if (name === 'never') return false;
  if (name === 'always') return true;
  if (name === 'not-equal') return a !== b;
  if (a === b) return name.includes('equal');
  return a < b ? name.startsWith('less') : name.startsWith('greater');
}

function operated(name: string, value: number, reference: number): number {
  const [verb, how] = name.split('-');
  if (verb === 'keep') return value;
  if (verb === 'zero') return 0;
  if (verb === 'replace') return reference;
  if (verb === 'invert') return 255 - value;
  const next = value + (verb === 'increment' ? 1 : -1);
  if (next >= 0 && next <= 255) return next;
  return how === 'clamp' ? value : (next + 256) % 256;
}

function minus(a: readonly number[], b: readonly number[]): number[] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
