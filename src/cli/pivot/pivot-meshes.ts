// Two meshes for `nearfield pivot`: every query in space.
import * as pose from '../../core/pose.js';
import type { ProgressOptions } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { SpacePivot } from '../../pivot/space/space-pivot.js';
import type { PenetratingPoints } from '../../pivot/space/space-result.js';
import { nearPose } from '../arguments.js';
import { loadMesh } from '../load-model.js';
import {
  assertPointCount,
  type PivotContact,
  type PivotPoint,
  type PivotReport,
  type PivotRequest,
} from './pivot-report.js';

/** Asks everything about two closed meshes. */
export async function pivotMeshes(request: PivotRequest, progress: ProgressOptions): Promise<PivotReport> {
  const { pathA, pathB } = request;
  const a = placed(await loadMesh(pathA, progress), request.poseA);
  const b = placed(await loadMesh(pathB, progress), request.poseB);
  const start = performance.now();
  const query = new SpacePivot({ error: request.error });
  const separation = query.separationSync(a, b, { exact: true });
  const found = query.penetrationSync(a, b);
  assertPointCount(found.a.count + found.b.count, 'penetrating points', found.error);
  const threshold = request.threshold ?? 2 * found.error;
  const near = query.contactsSync(a, b, threshold);
  assertPointCount(near.count, 'contacts', found.error);
  return {
    pathA,
    pathB,
    intersects: separation.intersects,
    separation: separation.distance,
    pointA: separation.pointA,
    pointB: separation.pointB,
    penetrating: [...pointsOf(found.a, 'A'), ...pointsOf(found.b, 'B')],
    contacts: Array.from(
      { length: near.count },
      (_, k): PivotContact => ({
        point: threeAt(near.points, k),
        normal: threeAt(near.normals, k),
        distance: near.distances[k],
      }),
    ),
    threshold,
    error: found.error,
    measure: 'area',
    counters: found.counters,
    milliseconds: performance.now() - start,
    warnings: [],
  };
}

function placed(mesh: Mesh, numbers: readonly number[] | null): Mesh {
  if (numbers === null) return mesh;
  const place = nearPose(pose.parse(numbers));
  const positions = new Float64Array(mesh.positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    positions.set(pose.transformPoint(place, [mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]]), i);
  }
  return { ...mesh, positions };
}

function pointsOf(points: PenetratingPoints, object: 'A' | 'B'): PivotPoint[] {
  return Array.from({ length: points.count }, (_, k) => ({
    object,
    point: threeAt(points.points, k),
    depth: points.depths[k],
    direction: threeAt(points.directions, k),
    measure: points.areas[k],
  }));
}

function threeAt(values: Float64Array, k: number): [number, number, number] {
  return [values[3 * k], values[3 * k + 1], values[3 * k + 2]];
}
