// Shapes of planning scenes as meshes: exact boxes, and round shapes as meshes that contain them.
import { buildHull } from '../../convex/hull/hull.js';
import { hullToMesh } from '../../convex/hull/hull-measure.js';
import type { Mesh } from '../../mesh/mesh.js';
import { boxMesh, outerCylinder, outerSphere } from '../urdf/outer-shapes.js';

/** What shapes are called, with how many sizes each has. */
export const SCENE_SHAPES = { box: 3, sphere: 1, cylinder: 2, cone: 2 } as const;

/** The name of a shape of a planning scene. */
export type SceneShape = keyof typeof SCENE_SHAPES;

/** Chosen: sides of the pyramid that stands for a cone; its corners are 0.5 % farther out. */
const SIDES = 32;

/** @param sizes of a box its sides; of others the radius, then the height. */
export function sceneShape(kind: SceneShape, sizes: readonly number[]): Mesh {
  if (kind === 'box') return boxMesh(sizes);
  if (kind === 'sphere') return outerSphere(sizes[0]);
  return kind === 'cylinder' ? outerCylinder(sizes[0], sizes[1]) : outerCone(sizes[0], sizes[1]);
}

/** About z, with its tip up and its middle height at the origin. */
function outerCone(radius: number, height: number): Mesh {
  const points = [0, 0, height / 2];
  const outer = radius / Math.cos(Math.PI / SIDES);
  for (let i = 0; i < SIDES; i++) {
    const angle = (2 * Math.PI * i) / SIDES;
    points.push(outer * Math.cos(angle), outer * Math.sin(angle), -height / 2);
  }
  return hullToMesh(buildHull(points));
}
