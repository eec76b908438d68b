import { NearfieldError } from '../core/errors.js';
import { exactSide } from '../core/exact/orientation.js';
import type { Mesh } from '../mesh/mesh.js';

/**
 * The faces of a tetrahedron whose first three corners are counter-clockwise seen from the fourth, each
 * counter-clockwise from outside.
 */
const FACES = [
  [0, 2, 1],
  [0, 1, 3],
  [1, 2, 3],
  [0, 3, 2],
] as const;

/** The surface of a set of tetrahedra: the faces that belong to one of them only, with the positions of all. */
export function tetrahedraBoundary({
  positions,
  elements,
}: {
  readonly positions: readonly (readonly number[])[];
  readonly elements: readonly (readonly number[])[];
}): Mesh {
  const once = new Map<string, readonly [number, number, number]>();
  for (const element of elements) {
    const [p, q, r, t] = element.map((id) => positions[id]);
    const side = exactSide(p[0], p[1], p[2], q[0], q[1], q[2], r[0], r[1], r[2], t[0], t[1], t[2]);
    if (side === 0) {
      throw new NearfieldError(
        'degenerate',
        `The tetrahedron of the nodes ${element.join(', ')} is flat; leave it out.`,
      );
    }
    for (const [a, b, c] of FACES) {
      const face = side < 0 ? [element[a], element[c], element[b]] : [element[a], element[b], element[c]];
      const key = [...face].sort((p, q) => p - q).join(' ');
      if (!once.delete(key)) once.set(key, face as [number, number, number]);
    }
  }
  if (once.size === 0) {
    throw new NearfieldError('degenerate', 'The tetrahedra have no surface; every face belongs to two of them.');
  }
  return { positions: Float64Array.from(positions.flat()), indices: Uint32Array.from([...once.values()].flat()) };
}
