// The section of a placed mesh with a plane across an axis, as lines that run from triangle to triangle.
import type { ReadonlyPose } from '../../core/pose.js';
import { transformPoint } from '../../core/pose.js';
import type { Mesh } from '../../mesh/mesh.js';

/** Points of a line, two coordinates each; closed where the mesh is. */
export type SliceLine = readonly (readonly [number, number])[];

/**
 * The lines in which a mesh crosses a height.
 * @param axes the two coordinates of the picture, and the one that is the height.
 */
export function sliceMesh(
  mesh: Mesh,
  pose: ReadonlyPose,
  axes: readonly [number, number, number],
  height: number,
): SliceLine[] {
  const [u, v, w] = axes;
  const { positions, indices } = mesh;
  const placed = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    placed.set(transformPoint(pose, [positions[i], positions[i + 1], positions[i + 2]]), i);
  }
  const isAbove = (vertex: number): boolean => placed[3 * vertex + w] > height;
  const points = new Map<string, readonly [number, number]>();
  /** The crossing of a side of a triangle, which its neighbor shares. */
  const cross = (a: number, b: number): string => {
    const [i, j] = a < b ? [a, b] : [b, a];
    const key = `${i} ${j}`;
    if (!points.has(key)) {
      const [p, q] = [3 * i, 3 * j];
      const t = (height - placed[p + w]) / (placed[q + w] - placed[p + w]);
      const at = (k: number): number => placed[p + k] + t * (placed[q + k] - placed[p + k]);
      points.set(key, [at(u), at(v)]);
    }
    return key;
  };
  const next = new Map<string, string[]>();
  const join = (a: string, b: string): void => {
    const list = next.get(a);
    if (list === undefined) next.set(a, [b]);
    else list.push(b);
  };
  for (let i = 0; i < indices.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [indices[i + k], indices[i + ((k + 1) % 3)], indices[i + ((k + 2) % 3)]];
      // One corner is alone on its side of the plane.
      if (isAbove(a) === isAbove(b) || isAbove(a) === isAbove(c)) continue;
      const [from, to] = [cross(a, b), cross(a, c)];
      join(from, to);
      join(to, from);
    }
  }
  return [...chain(next)].map((keys) => keys.map((key) => points.get(key)!));
}

/** Takes all joints apart into lines, those with loose ends first. */
function* chain(next: Map<string, string[]>): Generator<string[]> {
  const starts = [...next.keys()].sort((a, b) => next.get(a)!.length - next.get(b)!.length);
  for (const start of starts) {
    while (next.get(start)!.length > 0) {
      const line = [start];
      for (let at = start, to = next.get(at)!.pop(); to !== undefined; at = to, to = next.get(at)!.pop()) {
        const back = next.get(to)!;
        back.splice(back.indexOf(at), 1);
        line.push(to);
      }
      yield line;
    }
  }
}
