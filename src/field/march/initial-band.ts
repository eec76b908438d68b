// Where fast marching starts: distances at the nodes around a surface, as `marchFromBand` takes them. Either exact within
// a width, or as Fisher and Lin 2001, section 4.1 start: in the bounding box of each triangle the distance to that
// triangle. Both hold the two ends of every grid edge that crosses the surface, so that a march cannot leak through.

import { allNodes, type GridFrame, gridNodeCount } from '../grid.js';
import type { Surface } from '../source/surface.js';
import { fillDocumentBand, fillExactBand } from './box-band.js';
import { addBorderSeeds, leavesGrid } from './grid-border.js';

/** Distances near a surface. */
export interface Band {
  /** By node: the distance, negative inside; ±Infinity beyond the band. */
  readonly values: Float64Array;
  readonly triangleDistances: number;
}

/** The distance to the nearest triangle, at nodes within `width` of the surface; at least one spacing separates the sides. */
export function exactBand(surface: Surface, frame: GridFrame, width: number, inside: Uint8Array): Band {
  const values = new Float64Array(gridNodeCount(frame));
  return sign(surface, frame, inside, values, fillExactBand(surface, frame, width, allNodes(frame), values));
}

/** At the nodes in the box of each triangle, the distance to that triangle; the least where boxes overlap. */
export function documentBand(surface: Surface, frame: GridFrame, inside: Uint8Array): Band {
  const values = new Float64Array(gridNodeCount(frame));
  return sign(surface, frame, inside, values, fillDocumentBand(surface, frame, allNodes(frame), values));
}

/** Adds the grid's border where the surface leaves the grid, and makes the values of inner nodes negative. */
function sign(
  surface: Surface,
  frame: GridFrame,
  inside: Uint8Array,
  values: Float64Array,
  triangleDistances: number,
): Band {
  if (leavesGrid(surface, frame)) addBorderSeeds(surface, frame, allNodes(frame), values);
  for (let node = 0; node < values.length; node++) if (inside[node] === 1) values[node] = -values[node];
  return { values, triangleDistances };
}
