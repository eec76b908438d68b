// The walls of flat sums: of two polygons in parallel planes, or where one is a segment or a point. Planes through the
// rim, at right angles to the sum. They are supporting planes, so they do no harm if the sum is solid after all.
import { addScaled, cross, normalize, perpendicular, type Vec3 } from '../../core/vec3.js';
import { EDGE, encodeFeature, VERTEX } from '../closest/feature.js';
import type { PlacedFan } from './placed-fan.js';

/**
 * Chosen: polygons at a larger angle (its sine, squared) have a solid sum, whose planes are those of faces and edges;
 * the sine is 1e-6.
 */
const FLAT_SUM_SQUARED = 1e-12;
/** Rounding: segments at a smaller angle (its sine, squared) have no common plane; their cross product is noise. */
const SAME_LINE_SQUARED = 1e-26;

/** Receives a direction in which the sum needs a wall, and the features it comes from. */
type PutWall = (x: number, y: number, z: number, featureA: number, featureB: number) => void;

/** Lists the walls of a sum of two nodes that are polygons, segments or points. */
export function addFlatWalls(a: PlacedFan, b: PlacedFan, put: PutWall): void {
  if (a.fan.dimension === 2 && b.fan.dimension === 2) {
    const [x, y, z] = cross(vectorAt(a.normals, 0), vectorAt(b.normals, 0));
    if (x * x + y * y + z * z > FLAT_SUM_SQUARED) return;
  }
  const alongA = a.fan.dimension === 1 ? findSpan(a) : null;
  const alongB = b.fan.dimension === 1 ? findSpan(b) : null;
  const across = findAcross(a, b, alongA, alongB);
  const putBoth = ([x, y, z]: Vec3, edgeA: boolean, edgeB: boolean): void => {
    for (let sign = 1; sign >= -1; sign -= 2) {
      const vertexA = a.findSupport(0, sign * x, sign * y, sign * z);
      const vertexB = b.findSupport(0, sign * x, sign * y, sign * z);
      const featureA = edgeA
        ? encodeFeature(EDGE, a.fan.ringHandles[0])
        : encodeFeature(VERTEX, a.fan.vertexHandles[vertexA]);
      const featureB = edgeB
        ? encodeFeature(EDGE, b.fan.ringHandles[0])
        : encodeFeature(VERTEX, b.fan.vertexHandles[vertexB]);
      put(sign * x, sign * y, sign * z, featureA, featureB);
    }
  };
  if (a.fan.dimension === 2) putRim(a, b, (x, y, z, edge, vertex) => put(x, y, z, edge, vertex));
  if (b.fan.dimension === 2) putRim(b, a, (x, y, z, edge, vertex) => put(x, y, z, vertex, edge));
  if (alongA !== null) {
    putBoth(normalize(cross(across, alongA)), true, false);
    putBoth(alongA, false, false);
  }
  if (alongB !== null) {
    putBoth(normalize(cross(across, alongB)), false, true);
    putBoth(alongB, false, false);
  }
  if (a.fan.dimension < 2 && b.fan.dimension < 2) {
    putBoth(across, alongA !== null, alongB !== null);
    if (alongA === null && alongB === null) {
      putBoth([1, 0, 0], false, false);
      putBoth([0, 1, 0], false, false);
    }
  }
}

/** A direction at right angles to both. */
function findAcross(a: PlacedFan, b: PlacedFan, alongA: Vec3 | null, alongB: Vec3 | null): Vec3 {
  if (a.fan.dimension === 2) return vectorAt(a.normals, 0);
  if (b.fan.dimension === 2) return vectorAt(b.normals, 0);
  const one = alongA ?? alongB;
  if (one === null) return [0, 0, 1];
  if (alongA !== null && alongB !== null) {
    const both = cross(alongA, alongB);
    const squared = both[0] ** 2 + both[1] ** 2 + both[2] ** 2;
    if (squared > SAME_LINE_SQUARED) {
      // A tilt by rounding along them would count over their whole length.
      const unit = normalize(both);
      const tilt = unit[0] * alongA[0] + unit[1] * alongA[1] + unit[2] * alongA[2];
      return normalize(addScaled(unit, alongA, -tilt));
    }
  }
  return perpendicular(one);
}

function putRim(polygon: PlacedFan, other: PlacedFan, put: PutWall): void {
  const { fan, normals } = polygon;
  for (let arc = 0; arc < fan.arcHandles.length; arc += 2) {
    const [x, y, z] = vectorAt(normals, fan.arcNormals[2 * arc + 1]);
    const vertex = other.findSupport(0, x, y, z);
    put(x, y, z, encodeFeature(EDGE, fan.arcHandles[arc]), encodeFeature(VERTEX, other.fan.vertexHandles[vertex]));
  }
}

function vectorAt(array: Float64Array, index: number): Vec3 {
  return [array[3 * index], array[3 * index + 1], array[3 * index + 2]];
}

function findSpan({ points }: PlacedFan): Vec3 {
  return normalize([points[3] - points[0], points[4] - points[1], points[5] - points[2]]);
}
