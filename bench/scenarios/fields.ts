// The models of Tables 1 and 2 of Fisher and Lin 2001, their figures, and the bump that is updated.
import type { Box, Vec3 } from 'nearfield/core';
import { type GridFrame, gridOverBox } from 'nearfield/field';
import { findModel, type Mesh } from 'nearfield/mesh';

/** Seconds, on their machine (300 MHz R12000). */
export interface PublishedTimes {
  readonly full: number;
  readonly eighth: number;
}

/** Table 1: by resolution, the value at the center of a unit sphere of 1,000 triangles. */
export const PUBLISHED_TABLE_1: readonly ({ readonly resolution: number; readonly center: number } & PublishedTimes)[] =
  [
    { resolution: 60, center: 0.921986, full: 57.4696, eighth: 2.02469 },
    { resolution: 55, center: 0.916389, full: 28.9428, eighth: 1.16319 },
    { resolution: 50, center: 0.912209, full: 17.481, eighth: 0.71547 },
    { resolution: 40, center: 0.898008, full: 3.8168, eighth: 0.29566 },
    { resolution: 30, center: 0.878681, full: 0.52117, eighth: 0.08658 },
    { resolution: 20, center: 0.875549, full: 0.10853, eighth: 0.02734 },
  ];

/** A model on a grid, and the same model with a bump within one octant of the grid. */
export interface FieldScenario {
  readonly name: string;
  readonly mesh: Mesh;
  readonly bumped: Mesh;
  readonly frame: GridFrame;
  /** The octant: an eighth of the grid. */
  readonly octant: Box;
  readonly published: PublishedTimes | null;
}

/** The unit sphere of 1,000 triangles; the grid reaches a tenth of the radius past it. */
export function unitSphere(resolution: number): FieldScenario {
  const mesh = buildModel('sphere', { radius: 1, segments: 25, rings: 21 });
  const frame = gridOverBox({ min: [-1.1, -1.1, -1.1], max: [1.1, 1.1, 1.1] }, resolution);
  const published = PUBLISHED_TABLE_1.find((row) => row.resolution === resolution) ?? null;
  return inOctant('sphere', mesh, frame, published);
}

/** The three models of Table 2 on 50³ nodes; each has as many triangles as theirs. */
export function tableTwo(): FieldScenario[] {
  const rows: [string, Record<string, number>, PublishedTimes][] = [
    ['torus', { majorSegments: 64, minorSegments: 16 }, { full: 1.04334, eighth: 0.290281 }],
    ['apple', {}, { full: 10.6384, eighth: 0.958958 }],
    ['sphere', { radius: 1, segments: 27, rings: 19 }, { full: 5.21021, eighth: 0.51696 }],
  ];
  return rows.map(([name, parameters, published]) => {
    const mesh = buildModel(name, parameters);
    return inOctant(name, mesh, cubeAround(mesh, 50), published);
  });
}

export function buildModel(name: string, parameters: Record<string, number> = {}): Mesh {
  const model = findModel(name);
  if (!model) throw new Error(`no model ${name}`);
  return model.build(parameters);
}

/** A cube of nodes about a mesh, a twentieth of its size larger on every side. */
export function cubeAround(mesh: Mesh, resolution: number, options: { sparse?: boolean } = {}): GridFrame {
  const { middle, half } = cubeOf(mesh);
  const reach = 1.1 * half;
  return gridOverBox(
    { min: middle.map((x) => x - reach) as Vec3, max: middle.map((x) => x + reach) as Vec3 },
    resolution,
    options,
  );
}

function cubeOf({ positions }: Mesh): { middle: Vec3; half: number } {
  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  const middle = low.map((x, axis) => (x + high[axis]) / 2) as Vec3;
  return { middle, half: Math.max(...low.map((x, axis) => (high[axis] - x) / 2)) };
}

function inOctant(name: string, mesh: Mesh, frame: GridFrame, published: PublishedTimes | null): FieldScenario {
  const { origin, spacing, size } = frame;
  const far = size.map((count, axis) => origin[axis] + spacing * (count - 1)) as Vec3;
  const middle = size.map((count, axis) => origin[axis] + spacing * Math.floor(count / 2)) as Vec3;
  return { name, mesh, bumped: raiseBump(mesh, middle, far), frame, octant: { min: middle, max: far }, published };
}

/**
 * The mesh with a bump: around the vertex farthest along the diagonal of an octant, vertices are moved away from the
 * octant's inner corner, by up to a twentieth of its side and as far as a seventh of it around.
 */
function raiseBump(mesh: Mesh, from: Vec3, to: Vec3): Mesh {
  const positions = mesh.positions.slice();
  const side = to[0] - from[0];
  let top = 0;
  let most = -Infinity;
  for (let v = 0; v < positions.length; v += 3) {
    const offsets = [0, 1, 2].map((axis) => positions[v + axis] - from[axis]);
    // Along the diagonal, and well within the octant.
    const along = offsets[0] + offsets[1] + offsets[2] + 2 * Math.min(...offsets);
    if (along > most) [most, top] = [along, v];
  }
  for (let v = 0; v < positions.length; v += 3) {
    const offset = [0, 1, 2].map((axis) => mesh.positions[v + axis] - mesh.positions[top + axis]);
    const share = 1 - (Math.hypot(...offset) / (0.14 * side)) ** 2;
    if (share <= 0) continue;
    const outward = [0, 1, 2].map((axis) => mesh.positions[v + axis] - from[axis]);
    const length = (0.05 * side * share * share) / Math.hypot(...outward);
    for (let axis = 0; axis < 3; axis++) positions[v + axis] += length * outward[axis];
  }
  return { positions, indices: mesh.indices };
}
