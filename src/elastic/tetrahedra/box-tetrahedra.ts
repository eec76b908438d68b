// A box filled exactly with tetrahedra: a body-centered lattice, stretched to the box. Cells have a node in the middle; two
// that share a face have four elements around the line between their middles. Every element has a node inside.
import { sixVolumes, type TetrahedralMesh } from './tetrahedral-mesh.js';

/**
 * Tetrahedra of a box about the origin.
 * @param sides along x, y and z.
 * @param cells along x, y and z; a cell inside has 12 elements, one at the surface at least as many.
 */
export function boxTetrahedra(sides: readonly number[], cells: readonly number[]): TetrahedralMesh {
  const [nx, ny, nz] = cells;
  const positions: number[] = [];
  const elements: number[] = [];
  /** Adds a node by its place in cells. */
  const addNode = (x: number, y: number, z: number): number => {
    positions.push((x / nx - 0.5) * sides[0], (y / ny - 0.5) * sides[1], (z / nz - 0.5) * sides[2]);
    return positions.length / 3 - 1;
  };
  const addElement = (a: number, b: number, c: number, d: number): void => {
    if (sixVolumes(positions, a, b, c, d) > 0) elements.push(a, b, c, d);
    else elements.push(a, b, d, c);
  };
  for (let z = 0; z <= nz; z++) {
    for (let y = 0; y <= ny; y++) for (let x = 0; x <= nx; x++) addNode(x, y, z);
  }
  const corners = positions.length / 3;
  for (let z = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) for (let x = 0; x < nx; x++) addNode(x + 0.5, y + 0.5, z + 0.5);
  }
  const corner = (at: readonly number[]): number => at[0] + (nx + 1) * (at[1] + (ny + 1) * at[2]);
  const middle = (at: readonly number[]): number => corners + at[0] + nx * (at[1] + ny * at[2]);
  const at = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (let k = 0; k <= cells[axis]; k++) {
      for (let j = 0; j < cells[v]; j++) {
        for (let i = 0; i < cells[u]; i++) {
          at[axis] = k;
          at[u] = i;
          at[v] = j;
          const ring = [corner(at), 0, 0, 0];
          at[u]++;
          ring[1] = corner(at);
          at[v]++;
          ring[2] = corner(at);
          at[u]--;
          ring[3] = corner(at);
          at[v]--;
          // A face of the box has a node in its middle, which takes the place of the cell beyond.
          const above = k < cells[axis] ? middle(at) : -1;
          at[axis]--;
          const below = k > 0 ? middle(at) : -1;
          const place = [0, 0, 0];
          place[axis] = k;
          place[u] = i + 0.5;
          place[v] = j + 0.5;
          const outer = above < 0 || below < 0 ? addNode(place[0], place[1], place[2]) : -1;
          const [p, q] = [below < 0 ? outer : below, above < 0 ? outer : above];
          for (let side = 0; side < 4; side++) addElement(p, q, ring[side], ring[(side + 1) % 4]);
        }
      }
    }
  }
  return { positions: Float64Array.from(positions), elements: Uint32Array.from(elements) };
}
