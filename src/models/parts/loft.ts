import type { Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import { type Diagonals, SurfaceBuilder } from './surface-builder.js';

/** How a loft is closed: the last ring joins the first, or a vertex closes each end. */
export type LoftEnds = 'joined' | { readonly start: Vec3; readonly end: Vec3 };

/**
 * The closed surface through rings with the same number of points. Each ring turns right-handed about the direction in
 * which the rings follow each other. Triangles: 2 × rings × points, whichever way it is closed.
 */
export function loft(rings: readonly (readonly Vec3[])[], ends: LoftEnds, diagonals: Diagonals = 'alternating'): Mesh {
  const surface = new SurfaceBuilder();
  const loops = rings.map((ring) => surface.addVertices(ring));
  for (let i = 0; i + 1 < loops.length; i++) surface.addBand(loops[i], loops[i + 1], i, diagonals);
  const last = loops[loops.length - 1];
  if (ends === 'joined') {
    surface.addBand(last, loops[0], loops.length - 1, diagonals);
  } else {
    surface.addFan(surface.addVertex(ends.start), loops[0].toReversed());
    surface.addFan(surface.addVertex(ends.end), last);
  }
  return surface.build();
}
