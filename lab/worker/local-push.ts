// A local method for an overlap: finds the deepest point of one surface inside the other solid and the shortest way for
// that point to the surface. It ignores the rest of the bodies.
import { box as boxes, type Pose, pose, type ReadonlyPose, type Vec3, vec3 } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import { type ProximityModel, testIntersection } from 'nearfield/proximity';
import { shiftPose } from '../hand.js';
import { queryOf } from './mesh-tasks.js';

export interface LocalAnswer {
  /** The deepest point and the nearest point of the surface around it, in the world; null where no point is inside. */
  readonly deepest: Vec3 | null;
  readonly surface: Vec3 | null;
  /** Whose surface the deepest point is of. */
  readonly of: 'A' | 'B' | null;
  readonly depth: number;
  /** Moves A so that the deepest point comes to the surface. */
  readonly vector: Vec3;
  /** Whether the bodies are apart after that, and after doing it again and again. */
  readonly separates: boolean;
  readonly pushes: number;
  readonly separatesAtLast: boolean;
  /** How far all pushes have moved A from where it was. */
  readonly movedAtLast: Vec3;
}

type Push = Pick<LocalAnswer, 'deepest' | 'surface' | 'of' | 'depth' | 'vector'>;

const MAX_PUSHES = 30;
/** A push goes this share of itself too far: touching counts as intersecting. */
const BEYOND = 1e-6;
/** Points on a surface are about this share of its box's diagonal apart. */
const SPACING = 0.03;
const MAX_STEPS = 24;

export function pushLocally(a: ProximityModel, b: ProximityModel, poseA: Pose, poseB: Pose): LocalAnswer {
  const first = deepestPush(a, b, poseA, poseB);
  const separates = !meetsAfter(a, b, poseA, poseB, first.vector);
  let moved = first.vector;
  let pushes = first.deepest === null ? 0 : 1;
  let apart = separates;
  while (!apart && pushes > 0 && pushes < MAX_PUSHES) {
    const next = deepestPush(a, b, shiftPose(poseA, moved), poseB);
    if (next.deepest === null) break;
    moved = vec3.add(moved, next.vector);
    pushes++;
    apart = !meetsAfter(a, b, poseA, poseB, moved);
  }
  return { ...first, separates, pushes, separatesAtLast: apart, movedAtLast: moved };
}

function deepestPush(a: ProximityModel, b: ProximityModel, poseA: Pose, poseB: Pose): Push {
  const inB = deepestInside(a.mesh, poseA, b.mesh, poseB);
  const inA = deepestInside(b.mesh, poseB, a.mesh, poseA);
  const of = inB !== null && inB.depth >= (inA?.depth ?? 0) ? 'A' : inA !== null ? 'B' : null;
  const found = of === 'A' ? inB : inA;
  if (found === null || of === null) return { deepest: null, surface: null, of, depth: 0, vector: [0, 0, 0] };
  const out = vec3.scale(vec3.subtract(found.surface, found.deepest), 1 + BEYOND);
  return { ...found, of, vector: of === 'A' ? out : vec3.scale(out, -1) };
}

/** The point of one surface that is deepest in another solid, in the world. */
function deepestInside(
  mesh: Mesh,
  place: ReadonlyPose,
  solid: Mesh,
  solidPlace: ReadonlyPose,
): { deepest: Vec3; surface: Vec3; depth: number } | null {
  const query = queryOf(solid);
  const toSolid = pose.bInA(solidPlace, place);
  let best: { deepest: Vec3; surface: Vec3; depth: number } | null = null;
  for (const point of surfacePoints(mesh)) {
    const local = pose.transformPoint(toSolid, point);
    if (!query.isInside(local)) continue;
    const nearest = query.closestPoint(local);
    if (nearest === null || nearest.distance <= (best?.depth ?? 0)) continue;
    best = {
      deepest: pose.transformPoint(place, point),
      surface: pose.transformPoint(solidPlace, nearest.point),
      depth: nearest.distance,
    };
  }
  return best;
}

/** The corners of all triangles, and points between them where triangles are large. */
function* surfacePoints({ positions, indices }: Mesh): Generator<Vec3> {
  const spacing = SPACING * boxes.diagonal(boxes.ofPositions(positions));
  for (let triangle = 0; triangle < indices.length; triangle += 3) {
    const [p, q, r] = [0, 1, 2].map((corner) => {
      const start = 3 * indices[triangle + corner];
      return [positions[start], positions[start + 1], positions[start + 2]] as Vec3;
    });
    const longest = Math.max(vec3.distance(p, q), vec3.distance(q, r), vec3.distance(r, p));
    const steps = Math.min(MAX_STEPS, Math.max(1, Math.ceil(longest / spacing)));
    for (let i = 0; i <= steps; i++) {
      for (let j = 0; i + j <= steps; j++) {
        const along = vec3.addScaled(p, vec3.subtract(q, p), i / steps);
        yield vec3.addScaled(along, vec3.subtract(r, p), j / steps);
      }
    }
  }
}

function meetsAfter(a: ProximityModel, b: ProximityModel, poseA: Pose, poseB: Pose, by: Vec3): boolean {
  return testIntersection(a, b, shiftPose(poseA, by), poseB).intersects;
}
