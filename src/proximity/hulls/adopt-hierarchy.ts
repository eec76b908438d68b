// Whether a model can use a hierarchy of hulls made elsewhere, such as one read from a file. It must be of the same
// mesh, and the flat pieces of a solid must lie in the solid, because searches rely on that. O(node faces).
import { NearfieldError } from '../../core/errors.js';
import { type HullHierarchy, ORIGINAL } from '../../decomposition/hierarchy/hierarchy.js';
import type { OutwardSurface } from '../../mesh/repair/outward-surface.js';

/**
 * The hierarchy with the model's own mesh in place of its copy.
 * @param surface the model's, with closed seams and faces turned outward.
 * @throws NearfieldError `bad-argument` for a hierarchy of another mesh, or one that does not suit a solid.
 */
export function adoptHierarchy(hierarchy: HullHierarchy, { mesh, outward }: OutwardSurface): HullHierarchy {
  if (hierarchy === null || typeof hierarchy !== 'object' || hierarchy.mesh === undefined) {
    throw new NearfieldError(
      'bad-argument',
      'This is not a hierarchy of hulls; give one that buildHierarchy or readHierarchy returned.',
    );
  }
  assertSameNumbers(hierarchy.mesh.positions, mesh.positions, 'coordinates');
  assertSameNumbers(hierarchy.mesh.indices, mesh.indices, 'indices');
  const uncovered = outward ? findUncoveredLeaf(hierarchy) : -1;
  if (uncovered >= 0) {
    throw new NearfieldError(
      'bad-argument',
      `The flat piece of node ${uncovered} reaches beyond its patch, and may leave the solid; decompose the mesh with ` +
        'coverFlatPatches: true and build the hierarchy again.',
    );
  }
  return { ...hierarchy, mesh };
}

function assertSameNumbers(there: ArrayLike<number>, here: ArrayLike<number>, name: string): void {
  if (there === here) return;
  let differs = there.length === here.length ? -1 : Math.min(there.length, here.length);
  for (let i = 0; i < here.length && differs < 0; i++) if (there[i] !== here[i]) differs = i;
  if (differs < 0) return;
  throw new NearfieldError(
    'bad-argument',
    `The hierarchy is of another mesh: it has ${there.length} ${name}, the model ${here.length}, and they differ at ` +
      `${differs}. Build it from this mesh.`,
  );
}

/**
 * A flat leaf whose patch is not convex, or −1: on the same side as one of its faces, and next to it, lies a face
 * that the surface does not have.
 */
function findUncoveredLeaf(hierarchy: HullHierarchy): number {
  const { children, flatNodes, faceStart, nodeFaces, faceClasses, twins, facePlanes } = hierarchy;
  for (let node = 0; node < flatNodes.length; node++) {
    if (flatNodes[node] === 0 || children[2 * node] >= 0) continue;
    for (let h = 3 * faceStart[node]; h < 3 * faceStart[node + 1]; h++) {
      const here = nodeFaces[(h / 3) | 0];
      const beyond = nodeFaces[(twins[h] / 3) | 0];
      if (faceClasses[here] !== ORIGINAL || faceClasses[beyond] === ORIGINAL) continue;
      const [p, q] = [4 * here, 4 * beyond];
      const cosine =
        facePlanes[p] * facePlanes[q] + facePlanes[p + 1] * facePlanes[q + 1] + facePlanes[p + 2] * facePlanes[q + 2];
      if (cosine > 0) return node;
    }
  }
  return -1;
}
