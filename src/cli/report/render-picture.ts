// Pictures of triangles by the software rasterizer: flat shading, dark lines where surfaces end or bend, faint layers for
// what surrounds the subject, marks on top. Each pixel is the mean of four samples. Without perspective.
import { cross, normalize, type ReadonlyVec3, type Vec3 } from '../../core/vec3.js';
import type { PngImage } from '../../io/image/png-image.js';
import { reportColor } from '../../io/report/report-colors.js';
import type { Rasterizer } from '../../raster/raster.js';

export type Color = readonly [red: number, green: number, blue: number];

/** Triangles of one color. */
export interface PictureLayer {
  /** Nine coordinates a triangle. */
  readonly corners: Float64Array;
  readonly color: Color;
  /** The share that a faint layer hides of what is behind it, 0 to 1; 1 for a solid layer. */
  readonly opacity: number;
}

export interface PictureView {
  /** Unit, from the scene to the eye. The picture shows the plane across it through `center`. */
  readonly towardEye: ReadonlyVec3;
  readonly center: ReadonlyVec3;
  /** Half the height that the picture shows. */
  readonly halfHeight: number;
}

export interface PictureMarks {
  /** Six numbers a segment. */
  readonly segments: Float64Array;
  readonly points: readonly ReadonlyVec3[];
}

/** The color behind the parts. */
export const BACKGROUND: Color = [244, 246, 248];
const MARK: Color = reportColor('mark');
/** The color of the rims around marks. */
const WHITE: Color = [255, 255, 255];
/** Chosen: samples along each side of a pixel. */
const SAMPLES = 2;
/** Chosen: lines are drawn where the cosine between the normals of neighbors is below this. */
const BEND = 0.8;
/** Chosen: how much the nearer of two solid layers hides of the other, so that what is inside shows through. */
const OVER = 0.86;
/** The light, in the frame of the picture: from the upper left, behind the viewer. */
const LIGHT: Vec3 = normalize([-0.4, 0.6, 0.7]);
/** Measured on pictures of clashes: colors are rounded to this, which makes files a third smaller. */
const COLOR_STEP = 4;

/** Right, up and toward the eye. Y is up, unless one looks along it. */
export function pictureAxes(towardEye: ReadonlyVec3): readonly [Vec3, Vec3, Vec3] {
  const along: Vec3 = [towardEye[0], towardEye[1], towardEye[2]];
  const up: Vec3 = Math.abs(along[1]) < 0.98 ? [0, 1, 0] : [0, 0, -1];
  const right = normalize(cross(up, along));
  return [right, cross(along, right), along];
}

/** The matrix of a view for the rasterizer, column-major; `reach` is how far the scene extends around the center. */
export function clipMatrix({ towardEye, center, halfHeight }: PictureView, aspect: number, reach: number): number[] {
  const [right, up, back] = pictureAxes(towardEye);
  const rows = [
    right.map((value) => value / (halfHeight * aspect)),
    up.map((value) => value / halfHeight),
    back.map((value) => -value / (2 * reach)),
  ];
  const matrix = new Array<number>(16).fill(0);
  for (const [row, values] of rows.entries()) {
    for (let column = 0; column < 3; column++) {
      matrix[4 * column + row] = values[column];
      matrix[12 + row] -= values[column] * center[column];
    }
  }
  matrix[14] += 0.5;
  matrix[15] = 1;
  return matrix;
}

/** Draws the layers and the marks into an image of three channels. */
export async function renderPicture(
  rasterizer: Rasterizer,
  layers: readonly PictureLayer[],
  view: PictureView,
  marks: PictureMarks,
  width: number,
  height: number,
): Promise<PngImage> {
  const [w, h] = [SAMPLES * width, SAMPLES * height];
  const reach = Math.max(reachOf(layers, view.center), view.halfHeight);
  const matrix = clipMatrix(view, width / height, reach);
  const target = rasterizer.createTarget(w, h, 1);
  const drawn: DrawnLayer[] = [];
  for (const layer of layers) {
    if (layer.corners.length === 0) continue;
    const geometry = rasterizer.createGeometry(layer.corners, numbersTo(layer.corners.length / 3));
    rasterizer.draw(target, matrix, [{ geometry, state: {} }], {});
    const { color, depth } = await rasterizer.read(target, ['color', 'depth']);
    drawn.push(shadeLayer(layer, view, color!, depth!));
    geometry.destroy();
  }
  target.destroy();
  const samples = blendLayers(drawn, w, h);
  drawMarks(samples, w, h, matrix, marks);
  return { width, height, channels: 3, pixels: averageSamples(samples, width, height) };
}

/** The corners of triangles that share none: 0, 1, 2 and so on. */
export function numbersTo(count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = i;
  return numbers;
}

function reachOf(layers: readonly PictureLayer[], center: ReadonlyVec3): number {
  const x = center[0];
  const y = center[1];
  const z = center[2];
  let most = 0;
  for (const { corners } of layers) {
    for (let i = 0; i < corners.length; i += 3) {
      most = Math.max(most, Math.abs(corners[i] - x), Math.abs(corners[i + 1] - y), Math.abs(corners[i + 2] - z));
    }
  }
  return 1.01 * Math.sqrt(3) * most || 1;
}

interface DrawnLayer extends PictureLayer {
  /** The triangle at each sample plus one; 0 without a triangle. */
  readonly ids: Uint32Array;
  readonly depth: Float32Array;
  /** In the frame of the picture, three numbers a triangle. */
  readonly normals: Float32Array;
  readonly shades: Float32Array;
}

function shadeLayer(layer: PictureLayer, view: PictureView, ids: Uint32Array, depth: Float32Array): DrawnLayer {
  const [right, up, back] = pictureAxes(view.towardEye);
  const { corners } = layer;
  const count = corners.length / 9;
  const normals = new Float32Array(3 * count);
  const shades = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const o = 9 * i;
    const ux = corners[o + 3] - corners[o];
    const uy = corners[o + 4] - corners[o + 1];
    const uz = corners[o + 5] - corners[o + 2];
    const vx = corners[o + 6] - corners[o];
    const vy = corners[o + 7] - corners[o + 1];
    const vz = corners[o + 8] - corners[o + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const along = back[0] * nx + back[1] * ny + back[2] * nz;
    // The inner side, visible through an opening, is darker.
    const facing = along >= 0 ? 1 : -1;
    const scale = facing / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1);
    const x = scale * (right[0] * nx + right[1] * ny + right[2] * nz);
    const y = scale * (up[0] * nx + up[1] * ny + up[2] * nz);
    const z = scale * along;
    normals[3 * i] = x;
    normals[3 * i + 1] = y;
    normals[3 * i + 2] = z;
    const lit = Math.max(0, x * LIGHT[0] + y * LIGHT[1] + z * LIGHT[2]);
    shades[i] = (0.5 + 0.5 * lit) * (facing > 0 ? 1 : 0.75);
  }
  return { ...layer, ids, depth, normals, shades };
}

/** Three numbers a sample. */
function blendLayers(layers: readonly DrawnLayer[], w: number, h: number): Float32Array {
  const samples = new Float32Array(3 * w * h);
  /** The layers at a sample, the farthest first. */
  const here = new Int32Array(layers.length);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const at = y * w + x;
      let count = 0;
      for (let i = 0; i < layers.length; i++) {
        const { ids, depth } = layers[i];
        if (ids[at] === 0) continue;
        let place = count++;
        for (; place > 0 && layers[here[place - 1]].depth[at] < depth[at]; place--) here[place] = here[place - 1];
        here[place] = i;
      }
      let r = BACKGROUND[0];
      let g = BACKGROUND[1];
      let b = BACKGROUND[2];
      let covered = false;
      for (let k = 0; k < count; k++) {
        const layer = layers[here[k]];
        const { color, opacity } = layer;
        const solid = opacity === 1;
        // Before a solid, a faint layer is fainter still.
        const share = solid ? (covered ? OVER : 1) : covered ? 0.35 * opacity : opacity;
        const shade = layer.shades[layer.ids[at] - 1] * (isLine(layer, at, x, y, w, h) ? 0.55 : 1);
        r += share * (shade * color[0] - r);
        g += share * (shade * color[1] - g);
        b += share * (shade * color[2] - b);
        if (solid) covered = true;
      }
      samples[3 * at] = r;
      samples[3 * at + 1] = g;
      samples[3 * at + 2] = b;
    }
  }
  return samples;
}

/** Whether the surface ends or bends between a sample and the one to its right or below it. */
function isLine(layer: DrawnLayer, at: number, x: number, y: number, w: number, h: number): boolean {
  return (x + 1 < w && differs(layer, at, at + 1, 0, w + h)) || (y + 1 < h && differs(layer, at, at + w, 1, w + h));
}

/** The same for two samples that are neighbors along an axis; `size` is the width and the height of the image together. */
function differs({ ids, depth, normals }: DrawnLayer, at: number, other: number, axis: 0 | 1, size: number): boolean {
  const p = 3 * (ids[at] - 1);
  const q = 3 * (ids[other] - 1);
  if (q < 0) return true;
  if (q === p) return false;
  const turn = normals[p] * normals[q] + normals[p + 1] * normals[q + 1] + normals[p + 2] * normals[q + 2];
  if (turn < BEND) return true;
  // One surface before another of the same direction: the depth jumps by more than the slope explains.
  const slope = Math.abs(normals[p + axis]) / Math.max(0.05, normals[p + 2]);
  return Math.abs(depth[other] - depth[at]) > (6 + 6 * slope) / size;
}

function drawMarks(samples: Float32Array, w: number, h: number, matrix: readonly number[], marks: PictureMarks): void {
  const at = (p: ArrayLike<number>, o = 0): [number, number] => {
    const clip = (row: number): number =>
      matrix[row] * p[o] + matrix[4 + row] * p[o + 1] + matrix[8 + row] * p[o + 2] + matrix[12 + row];
    return [(0.5 + 0.5 * clip(0)) * w, (0.5 - 0.5 * clip(1)) * h];
  };
  for (const [color, grow] of [
    [WHITE, 1.6],
    [MARK, 0],
  ] as const) {
    for (let o = 0; o < marks.segments.length; o += 6) {
      const [from, to] = [at(marks.segments, o), at(marks.segments, o + 3)];
      const steps = Math.min(4 * (w + h), Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 1.5)));
      for (let k = 0; k <= steps; k++) {
        const t = k / steps;
        fillDisc(samples, w, h, from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]), 2 + grow, color);
      }
    }
    for (const point of marks.points) {
      const [x, y] = at(point);
      fillDisc(samples, w, h, x, y, 8 + 1.5 * grow, color);
    }
  }
}

function fillDisc(
  samples: Float32Array,
  w: number,
  h: number,
  x: number,
  y: number,
  radius: number,
  color: Color,
): void {
  if (!(x > -radius && y > -radius && x < w + radius && y < h + radius)) return;
  const r2 = radius * radius;
  for (let j = Math.max(0, Math.floor(y - radius)); j < Math.min(h, y + radius); j++) {
    for (let i = Math.max(0, Math.floor(x - radius)); i < Math.min(w, x + radius); i++) {
      if ((i + 0.5 - x) ** 2 + (j + 0.5 - y) ** 2 > r2) continue;
      const at = 3 * (j * w + i);
      samples[at] = color[0];
      samples[at + 1] = color[1];
      samples[at + 2] = color[2];
    }
  }
}

function averageSamples(samples: Float32Array, width: number, height: number): Uint8Array {
  const pixels = new Uint8Array(3 * width * height);
  const stride = 3 * SAMPLES * width;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const first = SAMPLES * (y * stride + 3 * x);
      for (let k = first; k < first + 3; k++) {
        let sum = 0;
        for (let j = 0; j < SAMPLES; j++) for (let i = 0; i < SAMPLES; i++) sum += samples[k + j * stride + 3 * i];
        pixels[3 * (y * width + x) + k - first] = Math.min(
          255,
          COLOR_STEP * Math.round(sum / (SAMPLES * SAMPLES * COLOR_STEP)),
        );
      }
    }
  }
  return pixels;
}
