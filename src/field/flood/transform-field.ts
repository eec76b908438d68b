// Distances by the Euclidean distance transform: the nodes next to the surface get their exact distance and nearest
// point, every other node the distance to the nearest point of its nearest site. O(nodes). A value is never below the
// true distance, and exceeds it by at most √3 spacings (√2 in the plane): see SITE_REACH.
import type { Box } from '../../core/box.js';
import { NearfieldError } from '../../core/errors.js';
import { partOfProgress, reportProgress } from '../../core/progress.js';
import type { Vec3 } from '../../core/vec3.js';
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import { type DistanceField, FIELD_OPTIONS, type FieldOptions, type FieldSource } from '../distance-field.js';
import { scatterBand } from '../exact/scatter-band.js';
import { DISTANCE_ROUNDING, largestCoordinate } from '../field-error.js';
import { noCounts, triangleSource } from '../field-options.js';
import { allNodes, assertGridFrame, type GridFrame, type GridSize, gridNodeCount, MAX_GRID_NODES } from '../grid.js';
import { type Surface, surfaceOf } from '../source/surface.js';
import { distanceTransform } from './distance-transform.js';

/**
 * Proven: nodes within this times √3 spacings (√2 in the plane) of the surface are sites: the reach from any point to
 * its nearest node, with room for rounding. Let s be the surface point nearest to a node p, at the distance D, and n
 * the node nearest to s. Then n is a site, so the site q nearest to p has |p − q| ≤ |p − n| ≤ D + reach, and its own
 * nearest point c has |p − c| ≤ |p − q| + |q − c| ≤ D + 2 · reach.
 */
const SITE_REACH = (1 + 1e-9) / 2;

/** Rounding: how far nodes deviate from an even grid, a few rounding errors, as a share of the largest coordinate. */
const NODE_ROUNDING = 4 * Number.EPSILON;

/**
 * The field of a mesh or polygon by the distance transform. The error is a bound. If the surface extends beyond the
 * grid, the transform runs on a grid that covers it, which costs more memory.
 * @throws NearfieldError `unsupported` for implicit shapes and for options that belong to other methods; `too-large` if
 * the grid that covers the surface has more than `MAX_GRID_NODES`.
 */
export function transformField(source: FieldSource, frame: GridFrame, options: FieldOptions = {}): DistanceField {
  assertGridFrame(frame);
  FIELD_OPTIONS.assert(options);
  if (options.nearest === true) {
    throw new NearfieldError(
      'unsupported',
      "The distance transform finds no nearest triangles; use the method 'exact'.",
    );
  }
  const { sides = 'both', maxDistance = Infinity, sign = 'winding' } = options;
  const surface = surfaceOf(triangleSource(source, options, 'distance-transform'), frame);
  const { cover, shift } = coverSurface(frame, surface.box);
  const largest = largestCoordinate(surface, cover);
  const width = SITE_REACH * Math.sqrt(cover.size[2] === 1 ? 2 : 3) * frame.spacing + NODE_ROUNDING * largest;
  reportProgress(options, 0, 'sites of the distance transform');
  const sites = findSites(surface, cover, width);
  const transform = distanceTransform(cover.size, sites.slots, partOfProgress(options, 0.3, 0.8));
  const values = new Float64Array(gridNodeCount(frame));
  const inside = new Uint8Array(values.length);
  if (sign === 'winding' || sides !== 'both') surface.fillInside(frame, allNodes(frame), inside);
  reportProgress(options, 0.9, 'distances');
  const { origin, spacing, size } = frame;
  const { slots, points, distances } = sites;
  for (let k = 0, node = 0; k < size[2]; k++) {
    const z = origin[2] + spacing * k;
    for (let j = 0; j < size[1]; j++) {
      const y = origin[1] + spacing * j;
      let at = shift[0] + cover.size[0] * (j + shift[1] + cover.size[1] * (k + shift[2]));
      for (let i = 0; i < size[0]; i++, node++, at++) {
        let distance: number;
        if (slots[at] >= 0) distance = distances[slots[at]];
        else if (sides === 'both' || (sides === 'inside') === (inside[node] === 1)) {
          const o = 3 * slots[transform.nearest[at]];
          const dx = origin[0] + spacing * i - points[o];
          const dy = y - points[o + 1];
          const dz = z - points[o + 2];
          distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
        } else distance = Infinity;
        if (distance > maxDistance) distance = Infinity;
        values[node] = sign === 'winding' && inside[node] === 1 && distance > 0 ? -distance : distance;
      }
    }
  }
  reportProgress(options, 1, 'distances');
  return {
    origin: [...origin],
    spacing,
    size: [...size],
    values,
    method: 'distance-transform',
    backend: 'cpu',
    signed: sign === 'winding',
    closed: surface.closed,
    error: { kind: 'bound', max: 2 * width + DISTANCE_ROUNDING * largest, mean: null, samples: 0 },
    nearest: null,
    counters: { ...noCounts(), bandNodes: distances.length, triangleDistances: sites.triangleDistances },
  };
}

/** The nodes next to the surface. */
interface Sites {
  /** By node of the grid: the number of its site, from 0; −1 elsewhere. */
  readonly slots: Int32Array;
  /** By slot: the nearest point of the surface (x, y, z) and its distance. */
  readonly points: Float64Array;
  readonly distances: Float64Array;
  readonly triangleDistances: number;
}

function findSites(surface: Surface, frame: GridFrame, width: number): Sites {
  const { origin, spacing, size } = frame;
  const band = new Float64Array(gridNodeCount(frame)).fill(Infinity);
  const slots = new Int32Array(band.length).fill(-1);
  const counters = scatterBand(surface.triangles, surface.count, frame, width, allNodes(frame), band, slots);
  let count = 0;
  for (let node = 0; node < band.length; node++) {
    // A node measured but beyond the width must not be a site: the bound requires that sites are near.
    if (band[node] <= width) count++;
    else slots[node] = -1;
  }
  const points = new Float64Array(3 * count);
  const distances = new Float64Array(count);
  const place = new TrianglePoint();
  for (let k = 0, node = 0, slot = 0; k < size[2]; k++) {
    for (let j = 0; j < size[1]; j++) {
      for (let i = 0; i < size[0]; i++, node++) {
        if (slots[node] < 0) continue;
        const x = origin[0] + spacing * i;
        const y = origin[1] + spacing * j;
        const z = origin[2] + spacing * k;
        nearestOnTriangle(surface.triangles, 9 * slots[node], x, y, z, place);
        points[3 * slot] = place.x;
        points[3 * slot + 1] = place.y;
        points[3 * slot + 2] = place.z;
        distances[slot] = band[node];
        slots[node] = slot++;
      }
    }
  }
  return { slots, points, distances, triangleDistances: counters.triangleDistances + count };
}

/** The grid extended by whole spacings until it covers the surface, and the place of node (0, 0, 0) of `frame` in it. */
function coverSurface(frame: GridFrame, box: Box): { cover: GridFrame; shift: Vec3 } {
  const { spacing } = frame;
  const origin: Vec3 = [...frame.origin];
  const size: Vec3 = [...frame.size];
  const shift: Vec3 = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    const below = Math.ceil((frame.origin[axis] - box.min[axis]) / spacing);
    const above = Math.ceil((box.max[axis] - frame.origin[axis]) / spacing) - (frame.size[axis] - 1);
    shift[axis] = Math.max(0, below);
    origin[axis] -= spacing * shift[axis];
    size[axis] += shift[axis] + Math.max(0, above);
  }
  const cover: GridFrame = { origin, spacing, size: size as unknown as GridSize };
  if (!(gridNodeCount(cover) <= MAX_GRID_NODES)) {
    throw new NearfieldError(
      'too-large',
      `The surface reaches beyond the grid: to cover it the transform needs ${size.join(' × ')} nodes, more than ` +
        `${MAX_GRID_NODES}. Use the method 'exact', or cut the mesh.`,
    );
  }
  return { cover, shift };
}
