// The first band of a march in one box of nodes: unsigned distances near the surface, either exact within a width or as in
// Fisher and Lin 2001, section 4.1. The same numbers as for the whole grid, at the cost of the triangles near the box.
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import { scatterBand } from '../exact/scatter-band.js';
import type { GridFrame, NodeBox } from '../grid.js';
import type { Surface } from '../source/surface.js';

/**
 * Rounding: a factor that widens the band past the rounding of distances, so that nodes exactly at its width are
 * included.
 */
const WIDTH_SLACK = 1 + 1e-9;
/**
 * Rounding: in spacings. A triangle in a plane of nodes gets the nodes on both sides of it, however the division
 * rounds.
 */
const NODE_SLACK = 1e-9;

/** Fills the values of a box: the distance to the nearest triangle up to `width`, Infinity beyond. Returns what was computed. */
export function fillExactBand(
  surface: Surface,
  frame: GridFrame,
  width: number,
  box: NodeBox,
  values: Float64Array,
): number {
  const reach = width * WIDTH_SLACK;
  fillBox(frame, box, values);
  const counters = scatterBand(surface.triangles, surface.count, frame, reach, box, values, null);
  const [nx, ny] = frame.size;
  for (let k = box.min[2]; k <= box.max[2]; k++) {
    for (let j = box.min[1]; j <= box.max[1]; j++) {
      const row = nx * (j + ny * k);
      for (let i = row + box.min[0]; i <= row + box.max[0]; i++) if (values[i] > reach) values[i] = Infinity;
    }
  }
  return counters.triangleDistances;
}

/**
 * The same for the nodes in the box of each triangle: the distance to that triangle. The box is rounded outward to the
 * next nodes on each side, because that of a triangle smaller than a cell holds none.
 */
export function fillTriangleBoxBand(surface: Surface, frame: GridFrame, box: NodeBox, values: Float64Array): number {
  const { triangles, count } = surface;
  const { origin, spacing, size } = frame;
  fillBox(frame, box, values);
  const place = new TrianglePoint();
  const low = [0, 0, 0];
  const high = [0, 0, 0];
  let computed = 0;
  for (let t = 0; t < 9 * count; t += 9) {
    for (let axis = 0; axis < 3; axis++) {
      const a = triangles[t + axis];
      const b = triangles[t + 3 + axis];
      const c = triangles[t + 6 + axis];
      low[axis] = Math.max(box.min[axis], Math.ceil((Math.min(a, b, c) - origin[axis]) / spacing - NODE_SLACK) - 1);
      high[axis] = Math.min(box.max[axis], Math.floor((Math.max(a, b, c) - origin[axis]) / spacing + NODE_SLACK) + 1);
    }
    for (let k = low[2]; k <= high[2]; k++) {
      for (let j = low[1]; j <= high[1]; j++) {
        const row = size[0] * (j + size[1] * k);
        for (let i = low[0]; i <= high[0]; i++) {
          const x = origin[0] + spacing * i;
          nearestOnTriangle(triangles, t, x, origin[1] + spacing * j, origin[2] + spacing * k, place);
          computed++;
          const distance = Math.sqrt(place.distanceSquared);
          if (distance < values[row + i]) values[row + i] = distance;
        }
      }
    }
  }
  return computed;
}

function fillBox(frame: GridFrame, box: NodeBox, values: Float64Array): void {
  const [nx, ny] = frame.size;
  for (let k = box.min[2]; k <= box.max[2]; k++) {
    for (let j = box.min[1]; j <= box.max[1]; j++) {
      const row = nx * (j + ny * k);
      values.fill(Infinity, row + box.min[0], row + box.max[0] + 1);
    }
  }
}
