// Boxes, spheres, cylinders and capsules as meshes that contain them, so that what is proven free for the mesh is free for the
// shape. Round ones stand about z, as in URDF, with their middle at the origin.

import { buildHull } from '../../convex/hull/hull.js';
import { hullToMesh } from '../../convex/hull/hull-measure.js';
import { composeMatrix, linearDeterminant, transformPositions } from '../../core/affine.js';
import { NearfieldError } from '../../core/errors.js';
import type { Mesh } from '../../mesh/mesh.js';
import { box } from '../../models/primitives/box.js';
import { cylinder } from '../../models/primitives/cylinder.js';
import { icosphere } from '../../models/primitives/icosphere.js';

/** Chosen: the count of sides of the prism that stands for a cylinder; its corners are 0.5 % farther out. */
const SIDES = 32;

/** Chosen: the count of parts of each edge of the icosahedron that stands for a sphere; its corners are less than 3 % farther out. */
const PARTS = 4;

/** A box of three sizes; exact. */
export function boxMesh(sizes: readonly number[]): Mesh {
  return scaled(box.build(), sizes);
}

export function outerCylinder(radius: number, height: number): Mesh {
  const outer = radius / Math.cos(Math.PI / SIDES);
  const upright = cylinder.build({ radius: 1, height: 1, segments: SIDES, bands: 1, capRings: 1 });
  // The model is about y.
  const half = Math.SQRT1_2;
  const turned = transformMesh(upright, composeMatrix([0, 0, 0], [half, 0, 0, half], [1, 1, 1]));
  return scaled(turned, [outer, outer, height]);
}

export function outerSphere(radius: number): Mesh {
  const mesh = icosphere.build({ radius: 1, subdivisions: PARTS });
  const outer = radius / innerRadius(mesh);
  return scaled(mesh, [outer, outer, outer]);
}

/** @param height of the straight part, between the middles of the two half spheres. */
export function outerCapsule(radius: number, height: number): Mesh {
  const { positions } = outerSphere(radius);
  const ends = [-height / 2, height / 2].flatMap((z) =>
    Array.from(positions, (value, i) => value + (i % 3 === 2 ? z : 0)),
  );
  return hullToMesh(buildHull(ends));
}

export function scaled(mesh: Mesh, scale: readonly number[]): Mesh {
  return transformMesh(mesh, composeMatrix([0, 0, 0], [0, 0, 0, 1], scale));
}

/** A mirrored mesh has its triangles reversed, so that they stay counter-clockwise seen from outside. */
export function transformMesh({ positions, indices }: Mesh, matrix: Float64Array): Mesh {
  const moved = transformPositions(matrix, positions);
  const bad = moved.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw new NearfieldError('non-finite', `Vertex ${Math.floor(bad / 3)} is placed at no finite point.`);
  if (linearDeterminant(matrix) > 0) return { positions: moved, indices };
  const reversed = indices.slice();
  for (let i = 0; i < reversed.length; i += 3) [reversed[i + 1], reversed[i + 2]] = [indices[i + 2], indices[i + 1]];
  return { positions: moved, indices: reversed };
}

/** The least distance of a face from the origin. */
function innerRadius({ positions, indices }: Mesh): number {
  let least = Infinity;
  const corner = (i: number): number[] => [...positions.subarray(3 * indices[i], 3 * indices[i] + 3)];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [corner(i), corner(i + 1), corner(i + 2)];
    const [u, v] = [b.map((value, k) => value - a[k]), c.map((value, k) => value - a[k])];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    least = Math.min(least, n.reduce((sum, value, k) => sum + value * a[k], 0) / Math.hypot(...n));
  }
  return least;
}
