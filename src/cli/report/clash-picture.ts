// A close-up of one clash: both parts, what surrounds them faint, and where they cross or are closest. The view is the one of
// several in which most of the marks and enough of both parts are visible, judged from small images.

import type { AssemblyPart } from '../../clash/assembly.js';
import type { GradedClash } from '../../clash/graded-clash.js';
import * as box from '../../core/box.js';
import {
  add,
  addScaled,
  cross,
  dot,
  lerp,
  normalize,
  perpendicular,
  type ReadonlyVec3,
  scale,
  subtract,
  type Vec3,
} from '../../core/vec3.js';
import { writePng } from '../../io/image/write-png.js';
import { reportColor } from '../../io/report/report-colors.js';
import { findCrossings } from '../../mesh/triangle/crossing-segments.js';
import type { Rasterizer } from '../../raster/raster.js';
import { gatherNear } from './near-triangles.js';
import type { PartBoxes } from './part-boxes.js';
import {
  type Color,
  clipMatrix,
  numbersTo,
  type PictureLayer,
  type PictureView,
  renderPicture,
} from './render-picture.js';

/** Chosen: width of the picture of a clash, in pixels. */
export const PICTURE_WIDTH = 340;
/** Chosen: height of the picture of a clash, in pixels. */
export const PICTURE_HEIGHT = 255;
export const COLOR_A: Color = reportColor('bodyA');
export const COLOR_B: Color = reportColor('bodyB');
export const COLOR_REST: Color = reportColor('clear');

export interface ClashPicture {
  readonly png: Uint8Array;
  readonly camera: ClashCamera;
  /** Where the surfaces cross: six numbers a segment, relative to the camera's center. */
  readonly segments: Float64Array;
}

/** The view of a picture, in the world. */
export interface ClashCamera {
  readonly center: Vec3;
  readonly towardEye: Vec3;
  readonly halfHeight: number;
}

/** Chosen: half the picture's height relative to the box diagonal of the smaller part; enough to recognize the part. */
const CONTEXT = 0.42;
/** Chosen: the largest fraction of the picture that the gap takes. */
const GAP_SHARE = 0.5;
/** Chosen: segments of the curve of contact that are drawn. */
const MAX_SEGMENTS = 600;
/** Chosen: triangles of the parts around a clash that are drawn. */
const REST_TRIANGLES = 60_000;
/** Chosen: how opaque the parts around a clash are. */
const REST_OPACITY = 0.3;
/** Equally good views are decided by the nearness to this one, so that pictures look alike. */
const USUAL_VIEW: Vec3 = normalize([0.55, 0.6, 1]);
/**
 * Chosen: the angle of the view to the plane across the gap; large enough to see faces, small enough to see the gap.
 */
const TILT = Math.PI / 9;
/** Chosen: views around the gap that are tried, each tilted to either side. */
const AROUND = 6;
/** Chosen: width of the small pictures that choose among the views, in pixels. */
const TRIAL_WIDTH = 48;
/** Chosen: height of these pictures, in pixels. */
const TRIAL_HEIGHT = 36;

export async function drawClash(
  rasterizer: Rasterizer,
  parts: readonly AssemblyPart[],
  boxes: PartBoxes,
  clash: GradedClash,
): Promise<ClashPicture> {
  const focus = lerp(clash.pointA, clash.pointB, 0.5);
  const a = parts[clash.a];
  const b = parts[clash.b];
  const smaller = Math.min(diagonalOf(a), diagonalOf(b));
  // If all points coincide there is nothing to see, but the size must not be 0.
  const halfHeight = Math.max(CONTEXT * smaller, clash.distance / (2 * GAP_SHARE)) || 1;
  const radius = 2.5 * halfHeight;
  const cornersA = gatherNear(a, focus, radius);
  const cornersB = gatherNear(b, focus, radius);
  const segments = clash.intersects ? findCrossings(cornersA, cornersB, MAX_SEGMENTS) : new Float64Array(0);
  const ends = [subtract(clash.pointA, focus), subtract(clash.pointB, focus)];
  const seen = segments.length === 0 ? ends : samplePoints(segments, 40);
  const towardEye = await chooseView(
    rasterizer,
    cornersA,
    cornersB,
    seen,
    clash.normal ?? clash.vector,
    halfHeight,
    radius,
  );
  const view: PictureView = { center: [0, 0, 0], towardEye, halfHeight };
  const layers: PictureLayer[] = [
    { corners: gatherRest(parts, boxes, clash, focus, radius), color: COLOR_REST, opacity: REST_OPACITY },
    { corners: cornersA, color: COLOR_A, opacity: 1 },
    { corners: cornersB, color: COLOR_B, opacity: 1 },
  ];
  const gap = clash.intersects ? segments : Float64Array.from([...ends[0], ...ends[1]]);
  const marks = { segments: gap, points: clash.intersects ? (segments.length === 0 ? ends.slice(1) : []) : ends };
  const image = await renderPicture(rasterizer, layers, view, marks, PICTURE_WIDTH, PICTURE_HEIGHT);
  return { png: await writePng(image), camera: { center: focus, towardEye, halfHeight }, segments };
}

function diagonalOf({ model }: AssemblyPart): number {
  return box.diagonal({ min: model.boxMin, max: model.boxMax });
}

/** The triangles of the other parts, the nearest parts first. */
function gatherRest(
  parts: readonly AssemblyPart[],
  boxes: PartBoxes,
  { a, b }: GradedClash,
  focus: Vec3,
  radius: number,
): Float64Array {
  const chunks: Float64Array[] = [];
  let left = 9 * REST_TRIANGLES;
  for (const part of boxes.near(focus, radius)) {
    if (part === a || part === b || left <= 0) continue;
    const corners = gatherNear(parts[part], focus, radius).subarray(0, left);
    chunks.push(corners);
    left -= corners.length;
  }
  const joined = new Float64Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}

function samplePoints(segments: Float64Array, limit: number): Vec3[] {
  const count = segments.length / 6;
  const step = Math.max(1, Math.floor(count / limit));
  const points: Vec3[] = [];
  for (let i = 0; i < count; i += step) {
    const o = 6 * i;
    points.push([0, 1, 2].map((k) => (segments[o + k] + segments[o + 3 + k]) / 2) as Vec3);
  }
  return points;
}

async function chooseView(
  rasterizer: Rasterizer,
  cornersA: Float64Array,
  cornersB: Float64Array,
  points: readonly ReadonlyVec3[],
  normal: Vec3 | null,
  halfHeight: number,
  radius: number,
): Promise<Vec3> {
  const directions = listViews(normal);
  const aspect = TRIAL_WIDTH / TRIAL_HEIGHT;
  const reach = reachOf(cornersA, cornersB, radius);
  const matrices = directions.map((towardEye) =>
    clipMatrix({ towardEye, center: [0, 0, 0], halfHeight }, aspect, reach),
  );
  const target = rasterizer.createTarget(TRIAL_WIDTH, TRIAL_HEIGHT, directions.length);
  const geometries = [cornersA, cornersB].map((corners, i) =>
    rasterizer.createGeometry(corners, numbersTo(corners.length / 3), new Uint32Array(corners.length / 9).fill(i + 1)),
  );
  rasterizer.draw(
    target,
    matrices.flat(),
    geometries.map((geometry) => ({ geometry, state: {} })),
    {},
  );
  const { color, depth } = await rasterizer.read(target, ['color', 'depth']);
  target.destroy();
  for (const geometry of geometries) geometry.destroy();
  const pixels = TRIAL_WIDTH * TRIAL_HEIGHT;
  let best = USUAL_VIEW;
  let most = -Infinity;
  for (const [i, direction] of directions.entries()) {
    const m = matrices[i];
    let visible = 0;
    for (const p of points) {
      const clip = (row: number): number => m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row];
      const x = Math.floor((0.5 + 0.5 * clip(0)) * TRIAL_WIDTH);
      const y = Math.floor((0.5 - 0.5 * clip(1)) * TRIAL_HEIGHT);
      if (x < 0 || y < 0 || x >= TRIAL_WIDTH || y >= TRIAL_HEIGHT) continue;
      // A tenth of the picture's height: at a slant, the depth differs by as much within a pixel.
      if (clip(2) <= depth![i * pixels + y * TRIAL_WIDTH + x] + (0.1 * halfHeight) / reach) visible++;
    }
    const areas = [0, 0, 0];
    for (let k = 0; k < pixels; k++) areas[color![i * pixels + k]]++;
    const shown = Math.min(0.15, areas[1] / pixels, areas[2] / pixels) / 0.15;
    const score = (2 * visible) / points.length + shown + 0.5 * dot(direction, USUAL_VIEW);
    if (score > most) {
      most = score;
      best = direction;
    }
  }
  return best;
}

function reachOf(a: Float64Array, b: Float64Array, least: number): number {
  let most = least;
  for (const corners of [a, b]) for (let i = 0; i < corners.length; i++) most = Math.max(most, Math.abs(corners[i]));
  return 1.01 * Math.sqrt(3) * most;
}

/** Views from all around, and across the gap or the way out, tilted a little to either side. */
function listViews(normal: Vec3 | null): Vec3[] {
  const signs = [1, -1];
  const views: Vec3[] = [
    USUAL_VIEW,
    ...signs.flatMap((x) => signs.flatMap((y) => signs.map((z) => normalize([0.75 * x, 0.6 * y, z])))),
    ...signs.flatMap((s): Vec3[] => [normalize([s, 0.3, 0.2]), normalize([0.2, 0.3, s]), normalize([0.15, s, 0.25])]),
  ];
  const length = normal === null ? 0 : Math.hypot(...normal);
  if (normal === null || !(length > 0)) return views;
  const along = scale(normal, 1 / length);
  const u = normalize(perpendicular(along));
  const v = cross(along, u);
  for (let k = 0; k < AROUND; k++) {
    const angle = (2 * Math.PI * k) / AROUND;
    const across = add(scale(u, Math.cos(angle)), scale(v, Math.sin(angle)));
    for (const tilt of [TILT, -TILT]) {
      views.push(normalize(addScaled(scale(across, Math.cos(tilt)), along, Math.sin(tilt))));
    }
  }
  return views;
}
