// Two SVG drawings for `nearfield pivot`: their filled shapes as polygons, then every query in the plane.
import { NearfieldError } from '../../core/errors.js';
import { polygonsFromSvg } from '../../io/drawing/polygons-from-svg.js';
import { readSvg } from '../../io/drawing/read-svg.js';
import type { SvgDrawing } from '../../io/drawing/svg-drawing.js';
import type { Polygon } from '../../mesh/polygon/polygon.js';
import { PIVOT_DEFAULTS } from '../../pivot/defaults.js';
import { PlanePivot } from '../../pivot/plane/plane-pivot.js';
import type { PlaneContacts, PlanePenetration } from '../../pivot/plane/plane-result.js';
import { PlaneScene } from '../../pivot/plane/plane-scene.js';
import type { PlaneShape } from '../../pivot/plane/plane-shape.js';
import { nameFile, readBytes } from '../load-model.js';
import {
  assertPointCount,
  type PivotContact,
  type PivotPoint,
  type PivotReport,
  type PivotRequest,
} from './pivot-report.js';

/** Chosen: the share of the error that lines in place of curves may take, for each drawing. */
const CURVE_SHARE = 1 / 8;

/** Asks everything about two drawings. Points are in the frame of the drawings, y down. */
export async function pivotDrawings(request: PivotRequest): Promise<PivotReport> {
  const { pathA, pathB } = request;
  const drawings = [await loadDrawing(pathA), await loadDrawing(pathB)];
  const paths = [pathA, pathB];
  const poses = [request.poseA, request.poseB];
  const rough = drawings.map((drawing, i) => polygonsOf(drawing, paths[i]));
  const error = request.error ?? PIVOT_DEFAULTS.errorShare * Math.min(...rough.map(diagonalOf));
  // Both drawings may be off by the curve error; pixels have what remains.
  const isCurved = drawings.some(hasCurves);
  const pixelError = isCurved ? (1 - 2 * CURVE_SHARE) * error : error;
  const polygons = isCurved ? drawings.map((drawing, i) => polygonsOf(drawing, paths[i], CURVE_SHARE * error)) : rough;
  const [a, b] = polygons.map(
    (own, i): PlaneShape => ({ rings: own.flatMap(({ rings }) => rings), pose: poses[i] ?? undefined }),
  );

  const start = performance.now();
  const query = new PlanePivot({ error: pixelError });
  const separation = query.separation(a, b, { exact: true });
  const found = query.penetration(a, b);
  const { counters } = found;
  assertPointCount(found.count, 'penetrating points', error);
  const threshold = request.threshold ?? 2 * error;
  const near = query.contacts(a, b, threshold);
  assertPointCount(near.count, 'contacts', error);
  return {
    pathA,
    pathB,
    intersects: separation.intersects,
    separation: separation.distance,
    pointA: separation.pointA,
    pointB: separation.pointB,
    penetrating: pointsOf(found),
    contacts: contactsOf(near),
    threshold,
    error,
    measure: 'length',
    counters,
    milliseconds: performance.now() - start,
    warnings: paths.flatMap((path, i) => [
      ...drawings[i].warnings.map((warning) => `${path}: ${warning}`),
      ...overlapWarnings(path, polygons[i]),
    ]),
  };
}

function pointsOf({ count, objects, points, directions, depths, lengths }: PlanePenetration): PivotPoint[] {
  return Array.from({ length: count }, (_, k) => ({
    object: objects[k] === 0 ? 'A' : 'B',
    point: pairAt(points, k),
    depth: depths[k],
    direction: pairAt(directions, k),
    measure: lengths[k],
  }));
}

function contactsOf({ count, points, normals, distances }: PlaneContacts): PivotContact[] {
  return Array.from({ length: count }, (_, k) => ({
    point: pairAt(points, k),
    normal: pairAt(normals, k),
    distance: distances[k],
  }));
}

async function loadDrawing(path: string): Promise<SvgDrawing> {
  const bytes = await readBytes(path);
  return readSvg(bytes).catch((reason) =>
    nameFile(path, () => {
      throw reason;
    }),
  );
}

function polygonsOf(drawing: SvgDrawing, path: string, curveError?: number): Polygon[] {
  const polygons = nameFile(path, () =>
    polygonsFromSvg(drawing, curveError === undefined ? {} : { curveError }).map(({ polygon }) => polygon),
  );
  if (polygons.length > 0) return polygons;
  throw new NearfieldError('file-format', `${path}: no shape is filled and has an area; give the shapes a fill`, {
    file: path,
  });
}

function hasCurves({ shapes }: SvgDrawing): boolean {
  return shapes.some(({ subpaths }) =>
    subpaths.some(({ curves }) => curves.some((curve) => curve.type === 'arc' || curve.points.length > 2)),
  );
}

function diagonalOf(polygons: readonly Polygon[]): number {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { rings } of polygons) {
    for (const ring of rings) {
      for (let i = 0; i < ring.length; i++) {
        const axis = i % 2;
        box[axis] = Math.min(box[axis], ring[i]);
        box[axis + 2] = Math.max(box[axis + 2], ring[i]);
      }
    }
  }
  return Math.hypot(box[2] - box[0], box[3] - box[1]);
}

/** Chosen: the error within which overlaps of a drawing's own shapes are looked for, as a share of its diagonal. */
const OVERLAP_ERROR = 1e-3;

/** All polygons of a drawing are one shape by the even-odd rule, so overlaps are holes; someone may not want that. */
function overlapWarnings(path: string, polygons: readonly Polygon[]): string[] {
  if (polygons.length < 2) return [];
  const { pairCount } = new PlaneScene({ error: OVERLAP_ERROR * diagonalOf(polygons) }).penetration(polygons);
  if (pairCount === 0) return [];
  return [
    `${path}: ${pairCount} pairs of its shapes overlap; what is in two of them counts as outside (even-odd rule)`,
  ];
}

function pairAt(values: Float64Array, k: number): [number, number] {
  return [values[2 * k], values[2 * k + 1]];
}
