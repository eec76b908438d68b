// The closest features of two convex polyhedra by testing every pair: the fallback of a march when neither it nor GJK
// can prove an answer. O(faces of A × faces of B).
import type { ConvexSet } from './convex-set.js';
import { EDGE, FACE, VERTEX } from './feature.js';
import { CROSSING, type FeaturePair } from './feature-pair.js';
import type { MarchSide } from './march-side.js';

/** Leaves the closest features and points in the loaded pair, `squared` 0 if the two meet. Returns the pairs tested. */
export function searchAllFeatures(
  setA: ConvexSet,
  nodeA: number,
  setB: ConvexSet,
  nodeB: number,
  pair: FeaturePair,
): number {
  const { a, b } = pair;
  const [startA, endA] = [3 * setA.faceStart[nodeA], 3 * setA.faceStart[nodeA + 1]];
  const [startB, endB] = [3 * setB.faceStart[nodeB], 3 * setB.faceStart[nodeB + 1]];
  let nearest = Infinity;
  let best = [VERTEX, startA, VERTEX, startB];
  let count = 0;
  /** True when the features cross. */
  const look = (kindA: number, halfEdgeA: number, kindB: number, halfEdgeB: number): boolean => {
    a.kind = kindA;
    a.halfEdge = halfEdgeA;
    b.kind = kindB;
    b.halfEdge = halfEdgeB;
    count++;
    if (pair.measure() === CROSSING) {
      pair.squared = 0;
      return true;
    }
    if (pair.squared < nearest) {
      nearest = pair.squared;
      best = [kindA, halfEdgeA, kindB, halfEdgeB];
    }
    return false;
  };
  for (let h = startA; h < endA; h++) {
    for (let g = startB; g < endB; g++) {
      if (h < setA.twins[h] && g < setB.twins[g] && look(EDGE, h, EDGE, g)) return count;
      if (h % 3 === 0 && (look(FACE, h, VERTEX, g) || look(FACE, h, EDGE, g))) return count;
      if (g % 3 === 0 && (look(VERTEX, h, FACE, g) || look(EDGE, h, FACE, g))) return count;
    }
  }
  look(best[0], best[1], best[2], best[3]);
  if (holds(a, b, startA, endA, startB) || holds(b, a, startB, endB, startA)) pair.squared = 0;
  return count;
}

/** Whether the solid of one side contains a vertex of the other: if the surfaces do not cross, all of it. */
function holds(solid: MarchSide, other: MarchSide, start: number, end: number, halfEdge: number): boolean {
  if (solid.flat) return false;
  const { placement: m, facePlanes, nodeFaces } = solid;
  const p = 3 * other.halfEdgeVertices[halfEdge];
  const [u, v, w] = [other.positions[p], other.positions[p + 1], other.positions[p + 2]];
  const x = m[0] * u + m[1] * v + m[2] * w + m[3];
  const y = m[4] * u + m[5] * v + m[6] * w + m[7];
  const z = m[8] * u + m[9] * v + m[10] * w + m[11];
  for (let face = start / 3; face < end / 3; face++) {
    const plane = 4 * nodeFaces[face];
    if (facePlanes[plane] * x + facePlanes[plane + 1] * y + facePlanes[plane + 2] * z > facePlanes[plane + 3])
      return false;
  }
  return true;
}
