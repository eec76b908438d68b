// A box cut into cells of five tetrahedra, which alternate so that the faces of neighbors match.
import type { TetrahedralMesh } from '../../src/elastic/tetrahedra/tetrahedral-mesh.js';

export interface TetrahedraGrid extends TetrahedralMesh {
  /** Nodes whose rest position passes the test. */
  nodesWhere(test: (x: number, y: number, z: number) => boolean): number[];
}

/** Corner i of a cell has bit 0 for +x, bit 1 for +y, bit 2 for +z. */
const EVEN = [
  [0, 1, 2, 4],
  [3, 2, 1, 7],
  [5, 1, 4, 7],
  [6, 4, 2, 7],
  [1, 2, 4, 7],
];

export function tetrahedraGrid(cells: readonly number[], lengths: readonly number[]): TetrahedraGrid {
  const [nx, ny, nz] = cells;
  const node = (i: number, j: number, k: number) => (k * (ny + 1) + j) * (nx + 1) + i;
  const positions: number[] = [];
  for (let k = 0; k <= nz; k++) {
    for (let j = 0; j <= ny; j++) {
      for (let i = 0; i <= nx; i++) positions.push((lengths[0] * i) / nx, (lengths[1] * j) / ny, (lengths[2] * k) / nz);
    }
  }
  const elements: number[] = [];
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const flip = (i + j + k) % 2;
        for (const corners of EVEN) {
          const ids = corners.map((c) => {
            const x = (c & 1) ^ flip;
            return node(i + x, j + ((c >> 1) & 1), k + (c >> 2));
          });
          const at = ids.map((id) => positions.slice(3 * id, 3 * id + 3));
          const [u, v, w] = [1, 2, 3].map((n) => at[n].map((value, axis) => value - at[0][axis]));
          const volume =
            u[0] * (v[1] * w[2] - v[2] * w[1]) +
            u[1] * (v[2] * w[0] - v[0] * w[2]) +
            u[2] * (v[0] * w[1] - v[1] * w[0]);
          elements.push(...(volume > 0 ? ids : [ids[0], ids[1], ids[3], ids[2]]));
        }
      }
    }
  }
  return {
    positions: Float64Array.from(positions),
    elements: Uint32Array.from(elements),
    nodesWhere: (test) =>
      Array.from({ length: positions.length / 3 }, (_, i) => i).filter((i) =>
        test(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]),
      ),
  };
}
