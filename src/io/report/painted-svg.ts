// Draws triangles as an SVG by the painter's algorithm: polygons are split by each other's planes until they have an
// order from back to front (Fuchs, Kedem and Naylor 1980), so crossing parts are drawn correctly. O(n log n) pieces
// in most scenes. Coordinates are whole numbers, to keep the text short.
import { add, cross, dot, normalize, type ReadonlyVec3, scale, subtract, type Vec3 } from '../../core/vec3.js';

/** The view of a picture, without perspective. */
export interface PictureView {
  /** The point in the middle of the picture. */
  readonly center: ReadonlyVec3;
  /** The unit direction from the scene to the eye. */
  readonly towardEye: ReadonlyVec3;
  /** The upward direction in the picture; not parallel to `towardEye`. */
  readonly up: ReadonlyVec3;
  /** Half the side of the square that is shown, in the scene's unit. */
  readonly halfSide: number;
}

/** The triangles of one color: nine coordinates each. */
export interface PaintedTriangles {
  readonly corners: ArrayLike<number>;
  /** The class of a polygon is this name and its brightness, 0 (dark) to {@link SHADES} − 1. */
  readonly className: string;
}

/** The side of the picture in the SVG's unit. */
export const PICTURE_SIDE = 480;
/** The number of brightness levels of a color. */
export const SHADES = 6;

/** Steps of the coordinates per unit. */
const STEPS = 2;
/** A plane this close to a polygon's corner passes through it. In the picture's unit, so relative to the size shown. */
const PLANE_THICKNESS = 1e-6 * PICTURE_SIDE;
/** Once splitting has multiplied the polygons by this factor, the rest are ordered by depth without splitting. */
const MAX_GROWTH = 6;
const MAX_EXTRA = 1000;
/** Splitting planes tried at each step; the best one is used. */
const CANDIDATES = 6;
/** The direction of the light in the picture's frame: from the upper left, behind the viewer. */
const LIGHT: Vec3 = normalize([-0.45, 0.65, 0.75]);

/** A convex polygon in the picture's frame (right, up, toward the eye), its plane and its class. */
interface Polygon {
  readonly points: readonly Vec3[];
  readonly normal: Vec3;
  readonly offset: number;
  readonly className: string;
}

/**
 * The triangles as a `g` element of paths, back to front; empty if none is visible. Draw the classes with a stroke of
 * their own color about 0.8 units wide: rounded corners leave gaps between pieces of a triangle.
 */
export function paintTriangles(groups: readonly PaintedTriangles[], view: PictureView): string {
  const project = pictureFrame(view);
  const polygons: Polygon[] = [];
  for (const { corners, className } of groups) {
    for (let i = 0; i < corners.length; i += 9) {
      const triangle = [0, 3, 6].map((k) => project([corners[i + k], corners[i + k + 1], corners[i + k + 2]]));
      const polygon = toPolygon(triangle, className);
      if (polygon !== null) polygons.push(polygon);
    }
  }
  const painted: Polygon[] = [];
  orderPolygons(polygons, painted, MAX_GROWTH * polygons.length + MAX_EXTRA);
  const paths = writePaths(painted);
  return paths === '' ? '' : `<g transform="scale(${1 / STEPS})">${paths}</g>`;
}

/** The coordinates of a point in the picture: right, up, toward the eye, from the lower left corner. */
export function pictureFrame({ center, towardEye, up, halfSide }: PictureView): (point: ReadonlyVec3) => Vec3 {
  const right = normalize(cross(up, towardEye));
  const above = cross(towardEye, right);
  const unit = PICTURE_SIDE / 2 / halfSide;
  return (point) => {
    const from = subtract(point, center);
    return [
      PICTURE_SIDE / 2 + unit * dot(from, right),
      PICTURE_SIDE / 2 + unit * dot(from, above),
      unit * dot(from, towardEye),
    ];
  };
}

/** Null for a triangle that is outside the picture, seen edge-on, or without area. */
function toPolygon(triangle: Vec3[], prefix: string): Polygon | null {
  const area = cross(subtract(triangle[1], triangle[0]), subtract(triangle[2], triangle[0]));
  const normal = normalize(area);
  if (!(Math.abs(area[2]) > PLANE_THICKNESS) || !normal.every(Number.isFinite)) return null;
  const facing = normal[2] > 0;
  // All polygons have the same winding in the picture: in one path, overlapping ones of opposite winding leave a hole.
  let points: readonly Vec3[] = facing ? triangle : triangle.toReversed();
  for (const axis of [0, 1]) {
    points = cutPolygon(points, (point) => point[axis]);
    points = cutPolygon(points, (point) => PICTURE_SIDE - point[axis]);
  }
  if (points.length < 3) return null;
  // The inner side, visible through an opening or at the picture's edge, is darker.
  const lit = Math.max(0, dot(facing ? normal : scale(normal, -1), LIGHT));
  const shade = Math.min(SHADES - 1, Math.floor(SHADES * (facing ? lit : 0.45 * lit)));
  return { points, normal, offset: dot(normal, triangle[0]), className: `${prefix}${shade}` };
}

/** The part of a convex polygon where `height`, which is linear, is not negative. */
function cutPolygon(points: readonly Vec3[], height: (point: Vec3) => number): Vec3[] {
  const kept: Vec3[] = [];
  for (const [i, point] of points.entries()) {
    const next = points[(i + 1) % points.length];
    const here = height(point);
    const there = height(next);
    if (here >= 0) kept.push(point);
    if (here < 0 !== there < 0) kept.push(add(point, scale(subtract(next, point), here / (here - there))));
  }
  return kept;
}

/** Appends the polygons to `painted`, back to front; `budget` limits their number. */
function orderPolygons(polygons: readonly Polygon[], painted: Polygon[], budget: number): void {
  if (polygons.length <= 1) {
    painted.push(...polygons);
    return;
  }
  if (painted.length + polygons.length > budget) {
    const depth = ({ points }: Polygon): number => points.reduce((sum, point) => sum + point[2], 0) / points.length;
    painted.push(...[...polygons].sort((a, b) => depth(a) - depth(b)));
    return;
  }
  const splitter = chooseSplitter(polygons);
  const behind: Polygon[] = [];
  const level: Polygon[] = [];
  const before: Polygon[] = [];
  for (const polygon of polygons) {
    // Signed so that a positive height is on the eye's side of the plane.
    const height = heightAbove(splitter);
    const heights = polygon.points.map(height);
    const low = Math.min(...heights) < -PLANE_THICKNESS;
    const high = Math.max(...heights) > PLANE_THICKNESS;
    if (polygon === splitter || (!low && !high)) level.push(polygon);
    else if (!low) before.push(polygon);
    else if (!high) behind.push(polygon);
    else {
      before.push({ ...polygon, points: cutPolygon(polygon.points, height) });
      behind.push({ ...polygon, points: cutPolygon(polygon.points, (point) => -height(point)) });
    }
  }
  orderPolygons(behind, painted, budget);
  painted.push(...level);
  orderPolygons(before, painted, budget);
}

function heightAbove({ normal, offset }: Polygon): (point: Vec3) => number {
  const sign = normal[2] < 0 ? -1 : 1;
  return (point) => sign * (dot(normal, point) - offset);
}

function chooseSplitter(polygons: readonly Polygon[]): Polygon {
  let best = polygons[0];
  let fewest = Infinity;
  const tried = Math.min(CANDIDATES, polygons.length);
  for (let k = 0; k < tried; k++) {
    const candidate = polygons[Math.floor(((k + 0.5) * polygons.length) / tried)];
    const height = heightAbove(candidate);
    let splits = 0;
    let sides = 0;
    for (const { points } of polygons) {
      const heights = points.map(height);
      const low = Math.min(...heights) < -PLANE_THICKNESS;
      const high = Math.max(...heights) > PLANE_THICKNESS;
      if (low && high) splits++;
      else if (low !== high) sides += low ? -1 : 1;
    }
    // A split costs a polygon. An uneven cut costs depth: many equal polygons would make the tree a list.
    const cost = 4 * splits + Math.abs(sides);
    if (cost < fewest) {
      fewest = cost;
      best = candidate;
    }
  }
  return best;
}

/** Consecutive polygons of one class share a path. */
function writePaths(painted: readonly Polygon[]): string {
  const paths: string[] = [];
  let open = '';
  for (const { points, className } of painted) {
    const outline = writeOutline(points);
    if (outline === '') continue;
    if (className !== open) {
      if (open !== '') paths.push('"/>');
      paths.push(`<path class="${className}" d="`);
      open = className;
    }
    paths.push(outline);
  }
  if (open !== '') paths.push('"/>');
  return paths.join('');
}

/** Relative whole numbers, y down; empty if fewer than three corners remain after rounding. */
function writeOutline(points: readonly Vec3[]): string {
  const rounded: [number, number][] = [];
  for (const point of points) {
    const x = Math.round(STEPS * point[0]);
    const y = Math.round(STEPS * (PICTURE_SIDE - point[1]));
    const last = rounded[rounded.length - 1];
    if (last === undefined || last[0] !== x || last[1] !== y) rounded.push([x, y]);
  }
  const [first] = rounded;
  const end = rounded[rounded.length - 1];
  if (rounded.length > 1 && first[0] === end[0] && first[1] === end[1]) rounded.pop();
  if (rounded.length < 3) return '';
  const steps = rounded.slice(1).map(([x, y], i) => {
    const dy = y - rounded[i][1];
    return `${x - rounded[i][0]}${dy < 0 ? '' : ' '}${dy}`;
  });
  return `M${first[0]} ${first[1]}l${steps.join(' ').replaceAll(' -', '-')}z`;
}
