// A solid inside another one, everywhere at least a given depth below its surface: an isosurface of the signed distance,
// checked by branch and bound. Whatever is true of it is true of all solids near the other one.
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { boxOfFaces } from '../../mesh/topology/unused-vertices.js';
import { FIELD_DEFAULTS } from '../field-options.js';
import type { GridFrame } from '../grid.js';
import { computeSparseField } from '../sparse/compute-sparse-field.js';
import { clusterCuts } from './cluster-cuts.js';
import { dropFlatVertices } from './drop-flat-vertices.js';
import { SolidExtraction } from './extract-solid.js';
import { splitInHalf } from './split-along.js';
import { SurfaceSearch } from './surface-search.js';
import { BAND_WIDTH } from './winding-nodes.js';

/**
 * Proven: how much deeper than asked for the isosurface lies, in spacings, one after the other. Linear interpolation
 * between nodes is off by up to √3/2, rarely by a tenth; the last margin always suffices, with values moved away from
 * zero by 0.05.
 */
const MARGINS = [0.2, 0.5, Math.sqrt(3) / 2 + 0.06];

/** Chosen: the pieces examined to check one margin. */
const MAX_PIECES = 400_000;

/**
 * A solid whose points are all at least `depth` inside `solid`, which is closed and without self-intersections; `null`
 * if nothing is left on a grid of this spacing. It is closed, manifold and without self-intersections.
 */
export function shrinkSolid(solid: Mesh, depth: number, spacing: number, progress: ProgressOptions = {}): Mesh | null {
  const search = new SurfaceSearch(solid, progress);
  for (const [round, margin] of MARGINS.entries()) {
    const part = partOfProgress(progress, round / MARGINS.length, (round + 1) / MARGINS.length);
    const mesh = extractBelow(solid, depth + margin * spacing, spacing, part);
    if (mesh === null || isDeep(mesh, search, depth, part)) return mesh;
  }
  throw new NearfieldError(
    'degenerate',
    'The solid could not be shrunk within rounding: its coordinates are too large for its size; move it near the origin.',
  );
}

function extractBelow(solid: Mesh, level: number, spacing: number, progress: ProgressOptions): Mesh | null {
  const box = boxOfFaces(solid);
  const frame: GridFrame = {
    origin: [box.min[0] - 1.5 * spacing, box.min[1] - 1.5 * spacing, box.min[2] - 1.5 * spacing],
    spacing,
    size: [0, 1, 2].map((axis) => 4 + Math.ceil((box.max[axis] - box.min[axis]) / spacing)) as [number, number, number],
  };
  const bandWidth = level / spacing + BAND_WIDTH;
  const field = computeSparseField(solid, frame, { ...partOfProgress(progress, 0, 1), bandWidth });
  const limit = bandWidth * spacing;
  const nodes = {
    value: (i: number, j: number, k: number) => Math.max(-limit, Math.min(limit, field.value(i, j, k))) + level,
  };
  const { maxCells } = FIELD_DEFAULTS.solid;
  const plain = new SolidExtraction(frame, nodes, [field], maxCells).run(progress);
  if (plain.indices.length === 0) return null;
  return dropFlatVertices(clusterCuts(plain, frame, progress), progress);
}

/** Whether all points of a mesh are inside and at least `depth` from the surface. */
function isDeep(
  { positions, indices }: Mesh,
  surface: SurfaceSearch,
  depth: number,
  progress: ProgressOptions,
): boolean {
  const waiting: Float64Array[] = [];
  const parts = new Float64Array(27);
  let pieces = 0;
  for (let f = 0; f < indices.length; f += 3) {
    waiting.push(Float64Array.from({ length: 9 }, (_, c) => positions[3 * indices[f + Math.floor(c / 3)] + (c % 3)]));
    while (waiting.length > 0) {
      if (pieces++ % 4096 === 0) reportProgress(progress, f / indices.length, 'depth of the inner solid');
      if (pieces > indices.length + MAX_PIECES) return false;
      const t = waiting.pop()!;
      const [x, y, z] = [0, 1, 2].map((axis) => (t[axis] + t[3 + axis] + t[6 + axis]) / 3);
      const distance = surface.distance(x, y, z);
      if (distance < depth || !surface.lastIsInside(x, y, z)) return false;
      const radius = Math.max(...[0, 3, 6].map((c) => Math.hypot(t[c] - x, t[c + 1] - y, t[c + 2] - z)));
      if (distance - radius >= depth) continue;
      splitInHalf(t, parts);
      waiting.push(parts.slice(0, 9), parts.slice(9, 18));
    }
  }
  return true;
}
