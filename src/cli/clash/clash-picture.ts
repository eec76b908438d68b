// A picture of one clash: the nearby triangles of both parts, from the view in which the fewest triangles hide the two
// points. The gap or the common point is marked on top, with a scale bar.
import * as box from '../../core/box.js';
import * as pose from '../../core/pose.js';
import {
  add,
  addScaled,
  cross,
  dot,
  length,
  lerp,
  normalize,
  perpendicular,
  scale,
  subtract,
  type Vec3,
} from '../../core/vec3.js';
import { escapeMarkup, formatCoordinate } from '../../io/report/markup.js';
import { PICTURE_SIDE, type PictureView, paintTriangles, pictureFrame, SHADES } from '../../io/report/painted-svg.js';
import type { GradedClash } from '../../penetration/clash/grade-clashes.js';
import type { AssemblyPart } from '../../proximity/assembly/assembly.js';
import type { Clash } from '../../proximity/assembly/find-clashes.js';
import { readable } from '../table.js';
import { describeClash } from './describe-clash.js';

/** Half the picture's side, relative to the box diagonal of the smaller part: enough to recognize the part. */
const CONTEXT = 0.4;
/** The gap takes at most this fraction of the picture. */
const GAP_SHARE = 0.6;
/** The angle of the view to the plane across the gap: large enough to see faces, small enough to see the gap. */
const TILT = Math.PI / 10;
/** Among equally clear views, the one closest to this is chosen, so that pictures look alike. */
const USUAL_VIEW: Vec3 = normalize([0.55, 0.6, 1]);

/** The colors of the two parts and of the marks, for the page that contains the pictures. */
export const PICTURE_STYLE = [
  ...shadeRules('nf-a', [38, 74, 110], [150, 196, 232]),
  ...shadeRules('nf-b', [130, 66, 20], [250, 190, 120]),
  '.nf-clash { background: var(--page, #ffffff); }',
  '.nf-gap { stroke: #d01c6f; stroke-width: 3; fill: none; }',
  '.nf-point { fill: #d01c6f; stroke: #ffffff; stroke-width: 2; }',
  '.nf-ring { fill: none; stroke: #d01c6f; stroke-width: 3; }',
  '.nf-label { font: 600 22px system-ui, sans-serif; fill: var(--text, #1a2530); stroke: var(--page, #ffffff); stroke-width: 5; paint-order: stroke; }',
  '.nf-scale { font: 18px system-ui, sans-serif; fill: var(--text, #1a2530); stroke: var(--page, #ffffff); stroke-width: 4; paint-order: stroke; }',
  '.nf-scale-bar { stroke: var(--text, #1a2530); stroke-width: 2; fill: none; }',
].join('\n');

/** The picture as an `svg` element with at most `triangleLimit` triangles of each part. */
export function drawClash(parts: readonly AssemblyPart[], clash: GradedClash, triangleLimit: number): string {
  const { pointA, pointB, intersects, distance } = clash;
  const focus = lerp(pointA, pointB, 0.5);
  const a = parts[clash.a];
  const b = parts[clash.b];
  const context = CONTEXT * Math.min(diagonalOf(a), diagonalOf(b));
  // If all points coincide there is nothing to see, but the size must not be 0.
  const wanted = Math.max(context, distance / (2 * GAP_SHARE)) || 1;
  const nearA = gatherTriangles(a, focus, wanted, triangleLimit);
  const nearB = gatherTriangles(b, focus, wanted, triangleLimit);
  const halfSide = Math.max(Math.min(wanted, nearA.reach, nearB.reach), distance / (2 * GAP_SHARE), 0.05 * wanted);
  const towardEye = chooseView(clash, [nearA.corners, nearB.corners], halfSide);
  const up: Vec3 = Math.abs(towardEye[1]) < 0.95 ? [0, 1, 0] : [0, 0, -1];
  const view: PictureView = { center: focus, towardEye, up, halfSide };
  const paths = paintTriangles(
    [
      { corners: nearA.corners, className: 'nf-a' },
      { corners: nearB.corners, className: 'nf-b' },
    ],
    view,
  );
  const project = pictureFrame(view);
  const at = (point: Vec3): string[] => {
    const [x, y] = project(point);
    return [formatCoordinate(x), formatCoordinate(PICTURE_SIDE - y)];
  };
  const [ax, ay] = at(pointA);
  const [bx, by] = at(pointB);
  const marks = intersects
    ? [`<circle class="nf-ring" cx="${ax}" cy="${ay}" r="11"/>`, drawPoint(ax, ay)]
    : [`<path class="nf-gap" d="M${ax} ${ay}L${bx} ${by}"/>`, drawPoint(ax, ay), drawPoint(bx, by)];
  const label = describeClash(clash);
  const [fx, fy] = at(focus);
  marks.push(`<text class="nf-label" x="${Number(fx) + 14}" y="${Number(fy) - 12}">${escapeMarkup(label)}</text>`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="nf-clash" viewBox="0 0 ${PICTURE_SIDE} ${PICTURE_SIDE}" role="img">` +
    `<title>${escapeMarkup(`${a.name} and ${b.name}`)}</title>${paths}${marks.join('')}${drawScale(halfSide)}</svg>`
  );
}

function drawPoint(x: string, y: string): string {
  return `<circle class="nf-point" cx="${x}" cy="${y}" r="5.5"/>`;
}

/** A bar of a round length, at most a third of the picture. */
function drawScale(halfSide: number): string {
  const most = (2 * halfSide) / 3;
  const power = 10 ** Math.floor(Math.log10(most));
  const bar = power * ([5, 2, 1].find((factor) => factor * power <= most) ?? 1);
  const width = formatCoordinate((bar / (2 * halfSide)) * PICTURE_SIDE);
  const y = PICTURE_SIDE - 14;
  return (
    `<path class="nf-scale-bar" d="M14 ${y - 5}V${y}h${width}v-5"/>` +
    `<text class="nf-scale" x="18" y="${y - 7}">${readable(Number(bar.toPrecision(12)))}</text>`
  );
}

function diagonalOf({ model }: AssemblyPart): number {
  return box.diagonal(box.ofPositions(model.mesh.positions));
}

/** The corners of the nearest `limit` triangles within `radius` of a point, and the radius in which none is missing. */
function gatherTriangles(
  { model, pose: placement }: AssemblyPart,
  focus: Vec3,
  radius: number,
  limit: number,
): { corners: Float64Array; reach: number } {
  const { positions, indices } = model.mesh;
  const local = pose.transformPoint(pose.invert(placement), focus);
  const near: { triangle: number; distance: number }[] = [];
  for (let triangle = 0; triangle < indices.length / 3; triangle++) {
    const distance = distanceToBox(positions, indices, triangle, local);
    if (distance <= radius) near.push({ triangle, distance });
  }
  near.sort((p, q) => p.distance - q.distance || p.triangle - q.triangle);
  const reach = near.length > limit ? near[limit].distance : Infinity;
  const corners = new Float64Array(9 * Math.min(limit, near.length));
  for (const [i, { triangle }] of near.slice(0, limit).entries()) {
    for (let k = 0; k < 3; k++) {
      const v = 3 * indices[3 * triangle + k];
      corners.set(pose.transformPoint(placement, [positions[v], positions[v + 1], positions[v + 2]]), 9 * i + 3 * k);
    }
  }
  return { corners, reach };
}

/** The distance from a point to the box of a triangle. */
function distanceToBox(positions: Float64Array, indices: Uint32Array, triangle: number, point: Vec3): number {
  let sum = 0;
  for (let axis = 0; axis < 3; axis++) {
    const p = positions[3 * indices[3 * triangle] + axis];
    const q = positions[3 * indices[3 * triangle + 1] + axis];
    const r = positions[3 * indices[3 * triangle + 2] + axis];
    const outside = Math.max(0, Math.min(p, q, r) - point[axis], point[axis] - Math.max(p, q, r));
    sum += outside * outside;
  }
  return Math.sqrt(sum);
}

/** The direction to the eye for which the fewest triangles hide the two points. */
function chooseView(clash: Clash, surfaces: readonly Float64Array[], size: number): Vec3 {
  let best: Vec3 = USUAL_VIEW;
  let fewest = Infinity;
  for (const direction of listViews(clash.normal)) {
    let hiding = 0;
    for (const corners of surfaces) {
      hiding += countHits(corners, clash.pointA, direction, size) + countHits(corners, clash.pointB, direction, size);
    }
    const cost = hiding - 0.4 * dot(direction, USUAL_VIEW);
    if (cost < fewest) {
      fewest = cost;
      best = direction;
    }
  }
  return best;
}

/** Views across the gap, tilted slightly to either side; for a common point, views from all sides. */
function listViews(normal: Vec3 | null): Vec3[] {
  if (normal === null) {
    const signs = [1, -1];
    return signs.flatMap((x) => signs.flatMap((y) => signs.map((z) => normalize([0.7 * x, 0.6 * y, z]))));
  }
  const u = normalize(perpendicular(normal));
  const v = cross(normal, u);
  return Array.from({ length: 12 }, (_, k) => {
    const angle = (k * Math.PI) / 6;
    const across = add(scale(u, Math.cos(angle)), scale(v, Math.sin(angle)));
    return [TILT, -TILT].map((tilt) => normalize(add(scale(across, Math.cos(tilt)), scale(normal, Math.sin(tilt)))));
  }).flat();
}

/** How many triangles a ray crosses, without those it starts on (Möller and Trumbore 1997). */
function countHits(corners: Float64Array, origin: Vec3, direction: Vec3, size: number): number {
  const start = addScaled(origin, direction, 1e-3 * size);
  let hits = 0;
  for (let i = 0; i < corners.length; i += 9) {
    const p: Vec3 = [corners[i], corners[i + 1], corners[i + 2]];
    const e1 = subtract([corners[i + 3], corners[i + 4], corners[i + 5]], p);
    const e2 = subtract([corners[i + 6], corners[i + 7], corners[i + 8]], p);
    const h = cross(direction, e2);
    const determinant = dot(e1, h);
    if (Math.abs(determinant) <= 1e-12 * length(e1) * length(e2)) continue;
    const s = subtract(start, p);
    const u = dot(s, h) / determinant;
    const q = cross(s, e1);
    const v = dot(direction, q) / determinant;
    if (u >= 0 && v >= 0 && u + v <= 1 && dot(e2, q) / determinant > 0) hits++;
  }
  return hits;
}

/** Stroke widths are in the units of the paths: half a unit of the picture. */
function shadeRules(prefix: string, dark: readonly number[], light: readonly number[]): string[] {
  return Array.from({ length: SHADES }, (_, shade) => {
    const mix = dark.map((value, i) => Math.round(value + ((light[i] - value) * shade) / (SHADES - 1)));
    const color = `#${mix.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
    return `.${prefix}${shade} { fill: ${color}; stroke: ${color}; stroke-width: 1.6; stroke-linejoin: round; }`;
  });
}
