// The error of a field, estimated by comparing some of its nodes with their exact distance. O(samples · log triangles).
import { createRandom } from '../core/random.js';
import type { FieldError } from './distance-field.js';
import { type Field, frameBox, type GridFrame } from './grid.js';
import type { Surface } from './source/surface.js';

/** Arrival times, or a function that is not a distance: there is nothing to compare with. */
export const UNKNOWN_ERROR: FieldError = { kind: 'unknown', max: Infinity, mean: null, samples: 0 };

/**
 * Rounding: the error of a distance to a triangle, as a share of the largest coordinate. Offsets from the corners are
 * off by ε of their size. The weights of triangles with angles of 0.01 or more (narrower ones are refined) move the
 * nearest point by a few times 100 ε.
 */
export const DISTANCE_ROUNDING = 1024 * Number.EPSILON;

/** Chosen: the seed of the sampled nodes, so that the same field has the same error. */
const ERROR_SEED = 7;

/** How far a field is from the exact distances, at up to `samples` nodes with a value, drawn with a fixed seed. */
export function sampleFieldError(surface: Surface, field: Field, samples: number): FieldError {
  const { origin, spacing, size, values } = field;
  const random = createRandom(ERROR_SEED);
  const nodes: number[] = [];
  // Fields of one side or of a narrow band have few values: draw up to four times as often.
  for (let tries = 4 * samples; tries > 0 && nodes.length < samples; tries--) {
    const node = random.integer(values.length);
    if (Number.isFinite(values[node])) nodes.push(node);
  }
  if (nodes.length === 0) return UNKNOWN_ERROR;
  const points = new Float64Array(3 * nodes.length);
  nodes.forEach((node, n) => {
    points[3 * n] = origin[0] + spacing * (node % size[0]);
    points[3 * n + 1] = origin[1] + spacing * (Math.floor(node / size[0]) % size[1]);
    points[3 * n + 2] = origin[2] + spacing * Math.floor(node / (size[0] * size[1]));
  });
  const distances = new Float64Array(nodes.length);
  surface.query().closestPoints(points, { distances });
  let max = 0;
  let sum = 0;
  for (let n = 0; n < nodes.length; n++) {
    const error = Math.abs(Math.abs(values[nodes[n]]) - distances[n]);
    max = Math.max(max, error);
    sum += error;
  }
  return { kind: 'sampled', max, mean: sum / nodes.length, samples: nodes.length };
}

/** The largest absolute coordinate of a surface and a grid: rounding errors are shares of it. */
export function largestCoordinate(surface: Surface, frame: GridFrame): number {
  let largest = 0;
  for (const box of [surface.box, frameBox(frame)]) {
    for (const corner of [box.min, box.max]) {
      for (const value of corner) largest = Math.max(largest, Math.abs(value));
    }
  }
  return largest;
}
