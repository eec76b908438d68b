// Solids whose vertices are split at seams, as 3D engines have them for their normals and texture coordinates.
import type { Mesh } from '../../src/mesh/mesh.js';

/** A box with four vertices a side, 24 in all, as the box of three.js. */
export function splitBox(width: number, height: number, depth: number): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  const half = [width / 2, height / 2, depth / 2];
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const first = positions.length / 3;
      const [u, v] = side > 0 ? [(axis + 1) % 3, (axis + 2) % 3] : [(axis + 2) % 3, (axis + 1) % 3];
      for (const [s, t] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ]) {
        const corner = [0, 0, 0];
        corner[axis] = side * half[axis];
        corner[u] = s * half[u];
        corner[v] = t * half[v];
        positions.push(...corner);
      }
      indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/**
 * A sphere of `columns` × `rows` cells, as that of three.js: the first and the last column of vertices coincide, each
 * pole has a vertex a column, and coordinates of the seam and the poles have zeros of both signs.
 */
export function uvSphere(radius: number, columns: number, rows: number): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let row = 0; row <= rows; row++) {
    const ring = row === 0 || row === rows ? 0 : radius * Math.sin((Math.PI * row) / rows);
    for (let column = 0; column <= columns; column++) {
      const angle = (2 * Math.PI * (column % columns)) / columns;
      const sign = column === columns ? -1 : 1;
      const z = column % columns === 0 ? sign * 0 : ring * Math.sin(angle);
      positions.push(-ring * Math.cos(angle), radius * Math.cos((Math.PI * row) / rows), z);
    }
  }
  const at = (row: number, column: number): number => row * (columns + 1) + column;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [a, b] = [at(row, column + 1), at(row, column)];
      const [c, d] = [at(row + 1, column), at(row + 1, column + 1)];
      if (row !== 0) indices.push(a, b, d);
      if (row !== rows - 1) indices.push(b, c, d);
    }
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}
