// Gives every element a node inside the solid. An element whose four nodes lie on the surface has depth 0 everywhere, so
// that contact would feel nothing in it. That element is split at its middle, or at the middle of one of its edges
// that run through the solid, whichever leaves the better elements.
import { EditableTetrahedra, INNER } from './editable-tetrahedra.js';
import { assertTetrahedra, type TetrahedralMesh } from './tetrahedral-mesh.js';

/** Chosen: qualities to try for, best first; the last accepts every element that has volume. */
const FLOORS = [0.4, 0.3, 0.2, 0.15, 0.1, 0.05, 0];

/**
 * Splits elements whose four nodes lie on the surface, for meshes from files: those of `tetrahedralizeMesh` have an inner
 * node in every element. Nodes keep their ids; new ones follow. The surface stays as it is.
 */
export function splitSurfaceElements(mesh: TetrahedralMesh): TetrahedralMesh {
  assertTetrahedra(mesh);
  const tetrahedra = new EditableTetrahedra(mesh);
  const { kinds } = tetrahedra;
  const limit = tetrahedra.elementCount;
  for (let element = 0; element < limit; element++) {
    const corners = [0, 1, 2, 3].map((i) => tetrahedra.corner(element, i));
    if (corners.every((node) => kinds[node] !== INNER)) splitElement(tetrahedra, element, corners);
  }
  return tetrahedra.snapshot();
}

/** Every part of the element gets the new node, so one split is enough. */
function splitElement(tetrahedra: EditableTetrahedra, element: number, corners: readonly number[]): void {
  for (const floor of FLOORS) {
    for (let i = 0; i < 4; i++) {
      for (let j = i + 1; j < 4; j++) {
        const [a, b] = [corners[i], corners[j]];
        if (tetrahedra.isSurfaceEdge(a, b)) continue;
        if (tetrahedra.splitEdge(a, b, middleOf(tetrahedra, [a, b]), INNER, floor) >= 0) return;
      }
    }
    if (tetrahedra.splitElement(element, middleOf(tetrahedra, corners), floor) >= 0) return;
  }
}

function middleOf({ positions }: EditableTetrahedra, nodes: readonly number[]): number[] {
  return [0, 1, 2].map((axis) => nodes.reduce((sum, node) => sum + positions[3 * node + axis], 0) / nodes.length);
}
