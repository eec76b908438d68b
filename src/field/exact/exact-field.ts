// Exact distance fields of meshes and polygons: the nearest triangle of every node, by scattering the triangles for
// narrow bands, otherwise by blocks of nodes that share candidates; signs come from rows. Values are exact up to
// rounding.
import { partOfProgress, reportProgress } from '../../core/progress.js';
import { type DistanceField, FIELD_OPTIONS, type FieldOptions, type FieldSource } from '../distance-field.js';
import { DISTANCE_ROUNDING, largestCoordinate } from '../field-error.js';
import { noCounts, triangleSource } from '../field-options.js';
import { allNodes, type GridFrame, gridNodeCount } from '../grid.js';
import { nameFaces, type Surface, surfaceOf } from '../source/surface.js';
import { fillNearest } from './nearest-blocks.js';
import { scatterBand } from './scatter-band.js';

/** Chosen: half width of a band in spacings. Narrower bands are scattered; for wider ones blocks are faster. */
const SCATTERED_WIDTH = 4;

/** Chosen: slabs of slices between two reports while the sign of an open mesh is computed. */
const SIGN_SLABS = 32;

/**
 * The distance from a surface at every node, negative inside. A node exactly on the surface has 0 up to rounding, and
 * counts as inside if `sides` selects one side. With `sign: 'none'` values are not negative, whatever the sides.
 * @throws NearfieldError for a bad mesh, polygon or grid; `unsupported` for implicit shapes and speeds, `bad-argument` for invalid options.
 */
export function exactField(source: FieldSource, frame: GridFrame, options: FieldOptions = {}): DistanceField {
  const { sides = 'both', sign = 'winding', maxDistance = Infinity } = options;
  FIELD_OPTIONS.assert(options);
  const surface = surfaceOf(triangleSource(source, options, 'exact'), frame);
  const nodes = gridNodeCount(frame);
  const values = new Float64Array(nodes).fill(Infinity);
  const nearest = options.nearest === true ? new Int32Array(nodes).fill(-1) : null;
  const inside = sides === 'both' && sign === 'none' ? null : new Uint8Array(nodes);
  if (inside !== null) fillInside(surface, frame, inside, options);
  reportProgress(options, 0.2, 'nearest triangles');

  const counters = noCounts();
  const { triangles, count } = surface;
  const box = allNodes(frame);
  const skipped =
    sides === 'both' || inside === null ? null : sides === 'outside' ? inside : inside.map((is) => 1 - is);
  if (maxDistance <= SCATTERED_WIDTH * frame.spacing) {
    Object.assign(counters, scatterBand(triangles, count, frame, maxDistance, box, values, nearest));
    if (skipped !== null) forget(skipped, values, nearest);
  } else {
    const query = () => surface.query();
    const job = { triangles, count, query, frame, box, maxDistance, skipped, distances: values, nearest };
    Object.assign(counters, fillNearest(job, partOfProgress(options, 0.2, 1)));
  }
  if (sign === 'winding' && inside !== null) {
    for (let node = 0; node < nodes; node++) if (inside[node] && values[node] > 0) values[node] = -values[node];
  }
  reportProgress(options, 1, 'nearest triangles');
  return {
    origin: [...frame.origin],
    spacing: frame.spacing,
    size: [...frame.size],
    values,
    method: 'exact',
    backend: 'cpu',
    signed: sign === 'winding',
    closed: surface.closed,
    error: { kind: 'bound', max: DISTANCE_ROUNDING * largestCoordinate(surface, frame), mean: null, samples: 0 },
    nearest: nameFaces(surface, nearest),
    counters,
  };
}

/** The inside of an open mesh is slow to compute: slab by slab, with progress reports in between. */
function fillInside(surface: Surface, frame: GridFrame, inside: Uint8Array, options: FieldOptions): void {
  const { min, max } = allNodes(frame);
  const slices = frame.size[2];
  const slab = surface.closed ? slices : Math.max(1, Math.ceil(slices / SIGN_SLABS));
  for (let k = 0; k < slices; k += slab) {
    reportProgress(options, (0.2 * k) / slices, 'inside tests');
    const last = Math.min(slices, k + slab) - 1;
    surface.fillInside(frame, { min: [min[0], min[1], k], max: [max[0], max[1], last] }, inside);
  }
}

function forget(skipped: Uint8Array, values: Float64Array, nearest: Int32Array | null): void {
  for (let node = 0; node < skipped.length; node++) {
    if (skipped[node] === 0) continue;
    values[node] = Infinity;
    if (nearest !== null) nearest[node] = -1;
  }
}
