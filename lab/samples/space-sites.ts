// Sites in space to begin with.
import { box, createRandom, pose } from 'nearfield/core';
import { createMesh, findModel, type Mesh } from 'nearfield/mesh';
import type { SpaceSite } from 'nearfield/voronoi';

export const SITE_SETS = ['models', 'points', 'rods'] as const;

export type SiteSet = (typeof SITE_SETS)[number];

/** All sets lie in this box. */
export const SPACE_BOX = { min: [0, 0, 0], max: [3, 2, 2] } as {
  readonly min: [number, number, number];
  readonly max: [number, number, number];
};

const MODELS = [
  { name: 'torus', place: [0.8, 1, 0.8, 0.4, 0, 0, 0.9165], size: 1.1 },
  { name: 'spoon', place: [2.2, 1.55, 1.4, 0, Math.SQRT1_2, 0, Math.SQRT1_2], size: 1.3 },
  { name: 'letter-a', place: [2.2, 0.5, 0.6, 0, 0, 0, 1], size: 0.8 },
  { name: 'icosphere', place: [1.35, 1.45, 1.5, 0, 0, 0, 1], size: 0.5 },
] as const;

export function siteSet(name: SiteSet): SpaceSite[] {
  const random = createRandom(4);
  const place = (): number[] => SPACE_BOX.max.map((side) => random.range(0.08, 0.92) * side);
  if (name === 'points') return Array.from({ length: 14 }, () => ({ type: 'point', at: place() }));
  if (name === 'rods') {
    return Array.from({ length: 8 }, () => {
      const a = place();
      return { type: 'segment', a, b: a.map((x, axis) => x + random.range(-0.3, 0.3) * SPACE_BOX.max[axis]) };
    });
  }
  return MODELS.map((model) => ({
    type: 'mesh',
    mesh: placed(findModel(model.name).build(), model.place, model.size),
  }));
}

/** The mesh about its middle, its longest side `size`, at a pose. */
function placed({ positions, indices }: Mesh, at: readonly number[], size: number): Mesh {
  const bounds = box.ofPositions(positions);
  const middle = box.center(bounds);
  const scale = size / Math.max(...box.size(bounds));
  const where = pose.parse(at);
  const moved = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const local = [0, 1, 2].map((axis) => scale * (positions[i + axis] - middle[axis]));
    moved.set(pose.transformPoint(where, local as [number, number, number]), i);
  }
  return createMesh(moved, indices);
}
