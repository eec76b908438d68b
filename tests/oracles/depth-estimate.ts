// The depth that a deformed distance field gives at random points of a deformed body against the exact one, from all triangles
// of its surface.
import { createRandom } from '../../src/core/random.js';
import { ContactBody } from '../../src/elastic/contact/contact-body.js';
import { writeBarycentric } from '../../src/elastic/contact/element-search.js';
import type { TetrahedralMesh } from '../../src/elastic/tetrahedra/tetrahedral-mesh.js';
import { distanceToMesh } from './point-mesh-distance.js';

/** Mean and largest errors, in mean edges of the surface; those of points less than a tenth of an edge deep on their own. */
export interface EstimateErrors {
  readonly all: number;
  readonly shallow: number;
  readonly largest: number;
  /** Of each point: its error and its exact depth, in mean edges. */
  readonly errors: Float64Array;
  readonly depths: Float64Array;
}

export function estimateErrors(
  mesh: TetrahedralMesh,
  bend: (point: readonly number[]) => [number, number, number],
  count: number,
  seed: number,
): EstimateErrors {
  const body = new ContactBody(mesh, { stiffness: 1, friction: 0, selfCollision: false, distances: 'exact' });
  const x = mesh.positions.slice();
  for (let i = 0; i < x.length; i += 3) x.set(bend(Array.from(mesh.positions.subarray(i, i + 3))), i);
  const random = createRandom(seed);
  const u = new Float64Array(4);
  const [errors, depths] = [new Float64Array(count), new Float64Array(count)];
  let [sum, points, shallowSum, shallowPoints, largest] = [0, 0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const element = random.integer(mesh.elements.length / 4);
    const weights = Array.from({ length: 4 }, () => -Math.log(1 - random.next()));
    const total = weights.reduce((a, b) => a + b, 0);
    const p = [0, 1, 2].map((k) =>
      weights.reduce((at, w, c) => at + (w / total) * x[3 * mesh.elements[4 * element + c] + k], 0),
    ) as [number, number, number];
    if (!writeBarycentric(body, x, p[0], p[1], p[2], element, u)) throw new Error('an element is inverted');
    let estimate = 0;
    for (let c = 0; c < 4; c++) estimate += u[c] * body.depths[mesh.elements[4 * element + c]];
    const exact = distanceToMesh(x, body.faces, p);
    const error = Math.abs(estimate - exact) / body.size;
    errors[i] = error;
    depths[i] = exact / body.size;
    sum += error;
    points++;
    largest = Math.max(largest, error);
    if (exact > 0.1 * body.size) continue;
    shallowSum += error;
    shallowPoints++;
  }
  return { all: sum / points, shallow: shallowSum / Math.max(1, shallowPoints), largest, errors, depths };
}
