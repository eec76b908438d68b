import type { Mesh } from '../../mesh/mesh.js';

/** The mesh scaled about the origin: from the units a model is drawn in to meters. */
export function scaleMesh(mesh: Mesh, factor: number): Mesh {
  return { positions: mesh.positions.map((x) => x * factor), indices: mesh.indices };
}
