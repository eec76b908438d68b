// Distances by jump flooding: nodes next to the surface know their nearest triangle, the flood passes those nodes on, and
// the triangle of a node's flooded site is the first guess of a search for the nearest one. Twin of flood-field-gpu.ts.
import { partOfProgress, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { ClosestPointSearch } from '../../mesh/query/closest-point-search.js';
import { triangleBoxes } from '../../mesh/triangle/triangle-boxes.js';
import { createTriangleTable } from '../../mesh/triangle/triangle-table.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import type { Bvh } from '../../spatial/bvh.js';
import { type DistanceField, FIELD_OPTIONS, type FieldOptions, type FieldSource } from '../distance-field.js';
import { scatterBand } from '../exact/scatter-band.js';
import { DISTANCE_ROUNDING, largestCoordinate } from '../field-error.js';
import { noCounts, triangleSource } from '../field-options.js';
import { allNodes, type GridFrame, gridNodeCount } from '../grid.js';
import { nameFaces, type Surface, surfaceOf } from '../source/surface.js';
import { assertFloodable, jumpFlood } from './jump-flood.js';

/** Nodes at most this many spacings from the surface seed the flood: they include the node nearest to any surface point. */
function seedReach(frame: GridFrame): number {
  return (Math.sqrt(frame.size[2] === 1 ? 2 : 3) / 2) * (1 + 1e-9);
}

/**
 * The field of a mesh or polygon by jump flooding, exact up to rounding.
 * @throws NearfieldError `unsupported` for implicit shapes and for options that belong to other methods; `too-large`
 * for grids too large to flood.
 */
export function floodField(source: FieldSource, frame: GridFrame, options: FieldOptions = {}): DistanceField {
  const surface = floodedSurface(source, frame, options);
  const { origin, spacing, size } = frame;
  const count = gridNodeCount(frame);
  const band = new Float64Array(count).fill(Infinity);
  const seeds = new Int32Array(count).fill(-1);
  const reach = seedReach(frame) * spacing;
  const scattered = scatterBand(surface.triangles, surface.count, frame, reach, allNodes(frame), band, seeds);
  const flood = jumpFlood(size, seeds, { neighbors: 'axes', ...partOfProgress(options, 0.1, 0.5) });

  const { bvh, soup } = hierarchyOf(surface);
  const slots = new Int32Array(surface.count);
  for (let slot = 0; slot < bvh.itemCount; slot++) slots[bvh.items[slot]] = slot;
  const search = new ClosestPointSearch(bvh, createTriangleTable(soup, bvh));
  const { maxDistance = Infinity } = options;
  const distances = new Float64Array(count);
  const nearest = new Int32Array(count);
  for (let k = 0, node = 0; k < size[2]; k++) {
    reportProgress(options, 0.5 + (0.4 * k) / size[2], 'nearest triangles');
    for (let j = 0; j < size[1]; j++) {
      for (let i = 0; i < size[0]; i++, node++) {
        const site = flood.nearest[node];
        const guess = site < 0 ? -1 : slots[seeds[site]];
        search.find(origin[0] + spacing * i, origin[1] + spacing * j, origin[2] + spacing * k, maxDistance, guess);
        distances[node] = search.slot < 0 ? Infinity : Math.sqrt(search.best.distanceSquared);
        nearest[node] = search.slot < 0 ? -1 : bvh.items[search.slot];
      }
    }
  }
  const largest = largestCoordinate(surface, frame);
  const field = finishFlood(
    surface,
    frame,
    options,
    { distances, unit: 1, nearest },
    'cpu',
    DISTANCE_ROUNDING * largest,
  );
  field.counters.bandNodes = seeds.reduce((sum, seed) => sum + Number(seed >= 0), 0);
  field.counters.triangleDistances = scattered.triangleDistances;
  field.counters.nodesVisited = search.nodesVisited;
  return field;
}

/** The surface to flood from. Throws for invalid sources and options. */
export function floodedSurface(source: FieldSource, frame: GridFrame, options: FieldOptions): Surface {
  FIELD_OPTIONS.assert(options);
  const surface = surfaceOf(triangleSource(source, options, 'jump-flooding'), frame);
  assertFloodable(frame.size, { length: gridNodeCount(frame) });
  return surface;
}

/** A hierarchy over the triangles, and the triangles as an unconnected mesh. */
function hierarchyOf({ triangles, count }: Surface): { readonly bvh: Bvh; readonly soup: Mesh } {
  const soup = { positions: triangles, indices: Uint32Array.from({ length: 3 * count }, (_, corner) => corner) };
  return { bvh: buildBvh(triangleBoxes(soup)), soup };
}

/** Measured distances, by node. */
interface Measured {
  /** Unsigned; double-precision numbers become the field's values. */
  readonly distances: Float32Array | Float64Array;
  /** The unit of the distances. */
  readonly unit: number;
  /** The triangles; set to −1 at nodes that were not requested. */
  readonly nearest: Int32Array | null;
}

/** The field from measured distances; nodes that were not requested become infinite. */
export function finishFlood(
  surface: Surface,
  frame: GridFrame,
  options: FieldOptions,
  { distances, unit, nearest }: Measured,
  backend: 'cpu' | 'webgpu',
  bound: number,
): DistanceField {
  const { sides = 'both', sign = 'winding', maxDistance = Infinity } = options;
  const { origin, spacing, size } = frame;
  const values = distances instanceof Float64Array ? distances : new Float64Array(distances.length);
  const inside = sign === 'winding' || sides !== 'both' ? new Uint8Array(values.length) : null;
  if (inside !== null) {
    reportProgress(options, 0.9, 'sides');
    surface.fillInside(frame, allNodes(frame), inside);
  }
  if (inside === null || sign === 'none') {
    for (let node = 0; node < values.length; node++) values[node] = unit * distances[node];
  } else {
    for (let node = 0; node < values.length; node++) {
      const distance = unit * distances[node];
      // 0 − distance, because negating 0 would give −0.
      values[node] = inside[node] === 0 ? distance : 0 - distance;
    }
  }
  if (sides !== 'both' || maxDistance < Infinity) {
    const reach = seedReach(frame) * spacing;
    for (let node = 0; node < values.length; node++) {
      const distance = Math.abs(values[node]);
      const isInside = inside !== null && inside[node] === 1;
      const isAsked = sides === 'both' || (sides === 'inside') === isInside || distance <= reach;
      if (isAsked && distance <= maxDistance) continue;
      values[node] = sign === 'winding' && isInside ? -Infinity : Infinity;
      if (nearest !== null) nearest[node] = -1;
    }
  }
  reportProgress(options, 1, 'sides');
  return {
    origin,
    spacing,
    size,
    values,
    method: 'jump-flooding',
    backend,
    signed: sign === 'winding',
    closed: surface.closed,
    error: { kind: 'bound', max: bound, mean: null, samples: 0 },
    nearest: options.nearest === true ? nameFaces(surface, nearest) : null,
    counters: noCounts(),
  };
}
