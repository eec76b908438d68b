// The edges at a Voronoi vertex. Near it the distance to an object in the direction u is the clearance plus g·u for its
// gradient g. The nearest objects are those with the least g·u, so that edges leave against the normals of the facets of
// the convex hull of the gradients: one for each facet, with the objects on it.
import type { Vec3 } from '../../core/vec3.js';

/** Rounding: facets are flat within this; gradients have length about one. */
const FACET_TOLERANCE = 1e-6;

/** Chosen: objects at a vertex whose facets are examined: the search takes the fourth power. */
const MAX_GRADIENTS = 32;

export interface VertexDirection {
  readonly objects: readonly number[];
  readonly direction: Vec3;
}

/** The directions of all edges at a vertex with these objects and gradients (three numbers each). */
export function vertexDirections(objects: readonly number[], gradients: Float64Array): VertexDirection[] {
  const count = Math.min(objects.length, MAX_GRADIENTS);
  const found = new Map<string, VertexDirection>();
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      for (let k = j + 1; k < count; k++) addFacet(objects, gradients, count, i, j, k, found);
    }
  }
  return [...found.values()];
}

function addFacet(
  objects: readonly number[],
  g: Float64Array,
  count: number,
  i: number,
  j: number,
  k: number,
  found: Map<string, VertexDirection>,
): void {
  const ux = g[3 * j] - g[3 * i];
  const uy = g[3 * j + 1] - g[3 * i + 1];
  const uz = g[3 * j + 2] - g[3 * i + 2];
  const vx = g[3 * k] - g[3 * i];
  const vy = g[3 * k + 1] - g[3 * i + 1];
  const vz = g[3 * k + 2] - g[3 * i + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (!(length > FACET_TOLERANCE)) return;
  let above = false;
  let below = false;
  const members: number[] = [];
  for (let m = 0; m < count; m++) {
    const height =
      (nx * (g[3 * m] - g[3 * i]) + ny * (g[3 * m + 1] - g[3 * i + 1]) + nz * (g[3 * m + 2] - g[3 * i + 2])) / length;
    if (height > FACET_TOLERANCE) above = true;
    else if (height < -FACET_TOLERANCE) below = true;
    else members.push(objects[m]);
  }
  // Against the outer normal. If all gradients lie in one plane, edges leave to both sides.
  if (!above) remember(found, members, [-nx / length, -ny / length, -nz / length]);
  if (!below) remember(found, members, [nx / length, ny / length, nz / length]);
}

function remember(found: Map<string, VertexDirection>, objects: number[], direction: Vec3): void {
  const key = `${objects.join()}|${direction.map((value) => Math.round(value * 16)).join()}`;
  const flat = [...found.values()].some(
    (known) =>
      known.objects.join() === objects.join() &&
      known.direction[0] * direction[0] + known.direction[1] * direction[1] + known.direction[2] * direction[2] > 0.9,
  );
  if (!flat) found.set(key, { objects, direction });
}
