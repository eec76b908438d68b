// The class of a facet of a Minkowski sum, from the classes of the features that it comes from.
import { EDGE, FACE, featureHandle, featureKind } from '../../convex/closest/feature.js';
import {
  CONTAINED,
  edgeClass,
  type FaceClass,
  FREE,
  type HullHierarchy,
  ORIGINAL,
} from '../../decomposition/hierarchy/hierarchy.js';

/**
 * `ORIGINAL`: a place where the two surfaces may touch. `CONTAINED`: a point within one solid touches the other, so that
 * no ray that leaves the sum there leaves the union. `FREE`: made by joining pieces, a facet of no pair of pieces.
 */
export function classifyFeatures(a: HullHierarchy, featureA: number, b: HullHierarchy, featureB: number): FaceClass {
  const classA = featureClass(a, featureA);
  const classB = featureClass(b, featureB);
  if (classA === FREE || classB === FREE) return FREE;
  return classA === CONTAINED || classB === CONTAINED ? CONTAINED : ORIGINAL;
}

function featureClass(hulls: HullHierarchy, code: number): FaceClass {
  const handle = featureHandle(code);
  if (featureKind(code) === FACE) return hulls.faceClasses[hulls.nodeFaces[Math.floor(handle / 3)]] as FaceClass;
  return featureKind(code) === EDGE ? edgeClass(hulls, handle) : ORIGINAL;
}
