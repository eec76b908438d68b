// How deep closed shells lie inside one another: rays along +x from the centers of a shell's outermost faces, their
// crossings summed by shell. Signs come from exact predicates (Shewchuk 1997), and both faces at an edge break ties the
// same way, so no crossing is lost or counted twice. O(log triangles + crossings) per ray.
import { exactSide, exactTurn } from '../../core/exact/orientation.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import { TraversalStack } from '../../spatial/traversal-stack.js';
import { traverseBvh } from '../../spatial/traverse-bvh.js';
import type { Mesh } from '../mesh.js';
import { triangleBoxes } from '../triangle/triangle-boxes.js';
import { boxesOfShells, type Shells } from './shells.js';

/**
 * By shell: the number of closed shells that contain it; 0 for open ones. A shell contains another when the centers of
 * the other's faces farthest along ±x, ±y and ±z are all inside it; crossing shells count as side by side, unless these
 * six centers miss the crossing. Centers, because shells may touch at vertices. `flips` is as in the search for shells.
 */
export function findShellDepths(mesh: Mesh, shells: Shells, flips: Uint8Array): Uint32Array {
  const { shellOfFace, closed } = shells;
  const depths = new Uint32Array(shells.count);
  if (closed.reduce((sum, value) => sum + value, 0) < 2) return depths;

  const { positions, indices } = mesh;
  const bvh = buildBvh(triangleBoxes(mesh));
  const stack = new TraversalStack();
  const shellBoxes = boxesOfShells(mesh, shells);
  const centers = findOutermostCenters(mesh, shells);

  for (let shell = 0; shell < shells.count; shell++) {
    if (!closed[shell]) continue;
    let holders: Map<number, number> | null = null;
    for (let k = 0; k < 6; k++) {
      const [px, py, pz] = centers.subarray(3 * (6 * shell + k), 3 * (6 * shell + k) + 3);
      const windings = new Map<number, number>();
      const visitor = {
        testBox: (boxes: Float64Array, o: number): boolean =>
          boxes[o + 3] >= px && boxes[o + 1] <= py && py <= boxes[o + 4] && boxes[o + 2] <= pz && pz <= boxes[o + 5],
        visitItem: (item: number): undefined => {
          const other = shellOfFace[item];
          if (other < 0 || other === shell || !closed[other]) return;
          if (holders !== null && !holders.has(other)) return;
          if (!holdsBox(shellBoxes, other, shell)) return;
          const crossing = crossingNumber(positions, indices, 3 * item, px, py, pz);
          if (crossing !== 0) windings.set(other, (windings.get(other) ?? 0) + (flips[item] ? -crossing : crossing));
        },
      };
      traverseBvh(bvh, visitor, stack);
      for (const [other, winding] of windings) if (winding === 0) windings.delete(other);
      holders = windings;
      if (holders.size === 0) break;
    }
    depths[shell] = holders?.size ?? 0;
  }
  return depths;
}

/** 1, −1 or 0: whether and which way the ray from p along +x crosses the face whose ids start at `indices[f]`. */
function crossingNumber(
  positions: Float64Array,
  indices: Uint32Array,
  f: number,
  px: number,
  py: number,
  pz: number,
): number {
  const a = 3 * indices[f];
  const b = 3 * indices[f + 1];
  const c = 3 * indices[f + 2];
  const turn =
    sideCrossing(positions, a, b, py, pz) +
    sideCrossing(positions, b, c, py, pz) +
    sideCrossing(positions, c, a, py, pz);
  if (turn === 0) return 0;
  const side = exactSide(
    positions[a],
    positions[a + 1],
    positions[a + 2],
    positions[b],
    positions[b + 1],
    positions[b + 2],
    positions[c],
    positions[c + 1],
    positions[c + 2],
    px,
    py,
    pz,
  );
  return turn * side < 0 ? turn : 0;
}

/** In the yz plane: 1 or −1 where the side u→v passes p upward or downward in z on the +y side of it, else 0. */
function sideCrossing(positions: Float64Array, u: number, v: number, py: number, pz: number): number {
  const up = positions[u + 2] <= pz;
  if (up === positions[v + 2] <= pz) return 0;
  const from = up ? u : v;
  const to = up ? v : u;
  // p lies to the left of the side taken upward: the side is beyond p.
  const left = exactTurn(positions[from + 1], positions[from + 2], positions[to + 1], positions[to + 2], py, pz) > 0;
  return left ? (up ? 1 : -1) : 0;
}

function holdsBox(boxes: Float64Array, outer: number, inner: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (boxes[6 * outer + axis] > boxes[6 * inner + axis]) return false;
    if (boxes[6 * outer + 3 + axis] < boxes[6 * inner + 3 + axis]) return false;
  }
  return true;
}

/** Six points per shell: the centers of its faces farthest along −x, −y, −z, x, y, z; ties by the other coordinates. */
function findOutermostCenters(mesh: Mesh, shells: Shells): Float64Array {
  const { positions, indices } = mesh;
  const centers = new Float64Array(18 * shells.count).fill(Number.NaN);
  const center = new Float64Array(3);
  for (let face = 0; face < shells.shellOfFace.length; face++) {
    const shell = shells.shellOfFace[face];
    if (shell < 0) continue;
    for (let axis = 0; axis < 3; axis++) {
      const a = positions[3 * indices[3 * face] + axis];
      const b = positions[3 * indices[3 * face + 1] + axis];
      const c = positions[3 * indices[3 * face + 2] + axis];
      center[axis] = (a + b + c) / 3;
    }
    for (let k = 0; k < 6; k++) {
      const held = 18 * shell + 3 * k;
      const x = k % 3;
      const y = (x + 1) % 3;
      const z = (x + 2) % 3;
      const ahead =
        (k < 3 ? -1 : 1) * (center[x] - centers[held + x]) ||
        center[y] - centers[held + y] ||
        center[z] - centers[held + z];
      // NaN for the first face.
      if (!(ahead <= 0)) centers.set(center, held);
    }
  }
  return centers;
}
