// The pairs that CGAL measured, read from the fixture.
import { readFileSync } from 'node:fs';
import type { Solid } from '../oracles/penetration/shapes.js';

export interface CgalPair {
  readonly name: string;
  readonly a: Solid;
  readonly b: Solid;
  /** Where the origin is: within {b − a}, on its boundary, outside. */
  readonly state: 'deep' | 'touching' | 'apart';
  readonly depth: number;
  /** From the origin to the boundary, on whichever side. */
  readonly distance: number;
  /** Where the boundary is nearest: all points of it, up to eight. */
  readonly nearest: readonly (readonly number[])[];
}

interface StoredMesh {
  readonly positions: number[];
  readonly indices: number[];
}

export function readCgalPairs(): CgalPair[] {
  const stored: (Omit<CgalPair, 'a' | 'b'> & { meshA: StoredMesh; meshB: StoredMesh })[] = JSON.parse(
    readFileSync(new URL('../fixtures/penetration/cgal.json', import.meta.url), 'utf8'),
  );
  const solidOf = ({ positions, indices }: StoredMesh): Solid => ({
    positions: Float64Array.from(positions),
    indices: Uint32Array.from(indices),
  });
  return stored.map(({ meshA, meshB, ...rest }) => ({ ...rest, a: solidOf(meshA), b: solidOf(meshB) }));
}
