// The connected parts of a mesh as meshes of their own, in the order of their first faces. O(triangles).
import type { Mesh } from '../mesh.js';
import { findComponents } from './components.js';

/** A mesh for each component, with the vertices that its faces use; triangles that name a vertex twice are left out. */
export function separateComponents(mesh: Mesh): Mesh[] {
  const { count, componentOfFace } = findComponents(mesh);
  const positions: number[][] = Array.from({ length: count }, () => []);
  const indices: number[][] = Array.from({ length: count }, () => []);
  const numbers = Array.from({ length: count }, () => new Map<number, number>());
  for (let h = 0; h < mesh.indices.length; h++) {
    const component = componentOfFace[Math.floor(h / 3)];
    if (component < 0) continue;
    const vertex = mesh.indices[h];
    let number = numbers[component].get(vertex);
    if (number === undefined) {
      number = numbers[component].size;
      numbers[component].set(vertex, number);
      for (let k = 0; k < 3; k++) positions[component].push(mesh.positions[3 * vertex + k]);
    }
    indices[component].push(number);
  }
  return positions.map((points, i) => ({
    positions: Float64Array.from(points),
    indices: Uint32Array.from(indices[i]),
  }));
}
