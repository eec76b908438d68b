// The pairs of parts whose boxes come within a clearance: a hierarchy over the parts' boxes, each grown by half the
// clearance, is tested against itself.
import { NearfieldError } from '../core/errors.js';
import { growTo } from '../core/grow-array.js';
import { writePlacement } from '../core/placement.js';
import { type ProgressOptions, reportProgress } from '../core/progress.js';
import { boxesOverlap } from '../spatial/box-relations.js';
import { buildBvh } from '../spatial/build-bvh.js';
import { traverseSelf } from '../spatial/traverse-bvh-self.js';
import type { AssemblyPart } from './assembly.js';

/** Rounding: box sides are rounded by a few units in the last place of the coordinates they come from. */
const BOX_ROUNDING = 16 * Number.EPSILON;
/** Chosen: the pairs of a check. More would take hours, and nobody can review as many clashes. */
const MAX_PAIRS = 2 ** 25;
/** Proven: two numbers of parts below this make one sortable number of 53 bits. */
const MAX_PARTS = 2 ** 26;
/** Chosen: parts between two reports of progress. */
const REPORT_INTERVAL = 1024;

/**
 * Two parts a pair, the lower index first, sorted by both. The poses have unit quaternions.
 * @throws NearfieldError `too-large` for more than 2^25 pairs.
 */
export function findNearPairs(
  parts: readonly AssemblyPart[],
  clearance: number,
  progress: ProgressOptions = {},
): Uint32Array {
  if (parts.length > MAX_PARTS) {
    throw new NearfieldError('too-large', `The assembly has ${parts.length} parts, more than ${MAX_PARTS}; split it.`);
  }
  const boxes = new Float64Array(6 * parts.length);
  const placement = new Float64Array(12);
  for (const [index, { model, pose }] of parts.entries()) {
    if (index % REPORT_INTERVAL === 0) reportProgress(progress, (0.8 * index) / parts.length, 'boxes of parts');
    placeBox(model.mesh.positions, writePlacement(pose, placement), clearance / 2, boxes, 6 * index);
  }
  let keys = new Float64Array(1024);
  let count = 0;
  traverseSelf(buildBvh(boxes), {
    testBoxes: boxesOverlap,
    visitItems: (i, j) => {
      if (count === MAX_PAIRS) {
        throw new NearfieldError(
          'too-large',
          `more than ${MAX_PAIRS} pairs of parts come within ${clearance}; give a smaller clearance or fewer parts`,
        );
      }
      keys = growTo(keys, count + 1);
      keys[count++] = Math.min(i, j) * MAX_PARTS + Math.max(i, j);
      return undefined;
    },
  });
  reportProgress(progress, 0.9, 'pairs of parts');
  const sorted = keys.subarray(0, count).sort();
  const pairs = new Uint32Array(2 * count);
  for (let i = 0; i < count; i++) {
    pairs[2 * i] = Math.floor(sorted[i] / MAX_PARTS);
    pairs[2 * i + 1] = sorted[i] % MAX_PARTS;
  }
  return pairs;
}

/** The box of a placed part, grown by a margin. */
function placeBox(positions: Float64Array, m: Float64Array, margin: number, boxes: Float64Array, o: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const x = m[4 * axis];
    const y = m[4 * axis + 1];
    const z = m[4 * axis + 2];
    const t = m[4 * axis + 3];
    let min = Infinity;
    let max = -Infinity;
    for (let i = 0; i < positions.length; i += 3) {
      const value = x * positions[i] + y * positions[i + 1] + z * positions[i + 2] + t;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    const slack = margin + BOX_ROUNDING * (Math.abs(min) + Math.abs(max) + Math.abs(t) + margin);
    boxes[o + axis] = min - slack;
    boxes[o + 3 + axis] = max + slack;
  }
}
