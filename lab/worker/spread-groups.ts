// Groups of triangles drawn apart, for exploded views.
import { box as boxes, type Vec3 } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';

/** Triangles by groups: those of group g are `start[g]` up to before `start[g + 1]`, three vertex ids each. */
export interface TriangleGroups {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
  readonly start: ArrayLike<number>;
}

/**
 * All groups as one mesh, each with vertices of its own, moved away from the middle of the positions' box by `spread`
 * times the distance of the mean of its vertices from there. The order of the triangles stays.
 */
export function spreadGroups({ positions, triangles, start }: TriangleGroups, spread: number): Mesh {
  const middle = boxes.center(boxes.ofPositions(positions));
  const newIds = new Int32Array(positions.length / 3);
  const lastGroup = new Int32Array(newIds.length).fill(-1);
  const sources: number[] = [];
  const moved: number[] = [];
  const indices = new Uint32Array(3 * start[start.length - 1]);
  for (let group = 0; group + 1 < start.length; group++) {
    const first = sources.length;
    const mean: Vec3 = [0, 0, 0];
    for (let i = 3 * start[group]; i < 3 * start[group + 1]; i++) {
      const vertex = triangles[i];
      if (lastGroup[vertex] !== group) {
        lastGroup[vertex] = group;
        newIds[vertex] = sources.length;
        sources.push(vertex);
        for (let k = 0; k < 3; k++) mean[k] += positions[3 * vertex + k];
      }
      indices[i] = newIds[vertex];
    }
    const count = sources.length - first;
    for (let i = first; i < sources.length; i++) {
      for (let k = 0; k < 3; k++) {
        moved.push(positions[3 * sources[i] + k] + spread * (mean[k] / count - middle[k]));
      }
    }
  }
  return { positions: Float64Array.from(moved), indices };
}
