import type { Mesh } from '../mesh.js';

/** The box of each triangle, six numbers per triangle, min first: the input of `buildBvh`. */
export function triangleBoxes(mesh: Mesh): Float64Array {
  const { positions, indices } = mesh;
  const boxes = new Float64Array(2 * indices.length);
  for (let i = 0, o = 0; i < indices.length; i += 3, o += 6) {
    const a = 3 * indices[i];
    const b = 3 * indices[i + 1];
    const c = 3 * indices[i + 2];
    for (let axis = 0; axis < 3; axis++) {
      const p = positions[a + axis];
      const q = positions[b + axis];
      const r = positions[c + axis];
      boxes[o + axis] = Math.min(p, q, r);
      boxes[o + 3 + axis] = Math.max(p, q, r);
    }
  }
  return boxes;
}
