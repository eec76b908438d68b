// A point of an elastic body that moves with its material: an element and weights of its nodes.
import { NearfieldError } from '../core/errors.js';
import type { ElasticBody } from '../elastic/body/elastic-body.js';
import { sixVolumes, type TetrahedralMesh } from '../elastic/tetrahedra/tetrahedral-mesh.js';

/**
 * Chosen: the nearest element carries a point that is outside the body by less than this, in heights of the element.
 */
const OUTSIDE = 0.5;

export interface MaterialPoint {
  readonly nodes: readonly number[];
  readonly weights: readonly number[];
}

/** The material point at a place of the rest shape, in the world. */
export function findMaterialPoint(body: ElasticBody, point: readonly number[]): MaterialPoint {
  const { mesh } = body;
  const { elements } = mesh;
  let best: number[] = [];
  let [bestElement, bestLeast] = [-1, -Infinity];
  for (let e = 0; e < elements.length / 4; e++) {
    const weights = barycentric(mesh, e, point);
    const least = Math.min(...weights);
    if (!(least > bestLeast)) continue;
    [best, bestElement, bestLeast] = [weights, e, least];
  }
  if (bestLeast < -OUTSIDE) {
    throw new NearfieldError('bad-argument', 'The point is outside of the body at rest; give one in it or on it.');
  }
  const corners = Array.from(elements.subarray(4 * bestElement, 4 * bestElement + 4));
  if (body.part.edges.length === 0) return { nodes: corners, weights: best };
  return quadraticPoint(body, corners, best);
}

export function placeMaterialPoint({ positions }: ElasticBody, { nodes, weights }: MaterialPoint): number[] {
  return [0, 1, 2].map((k) => nodes.reduce((sum, node, i) => sum + weights[i] * positions[3 * node + k], 0));
}

/** Quadratic elements have a shape function for each corner and one for the middle of each edge. */
function quadraticPoint({ mesh, part }: ElasticBody, corners: readonly number[], u: readonly number[]): MaterialPoint {
  const nodes = [...corners];
  const weights = u.map((own) => own * (2 * own - 1));
  const first = mesh.positions.length / 3;
  for (let k = 0; k < part.edges.length; k += 2) {
    const [i, j] = [corners.indexOf(part.edges[k]), corners.indexOf(part.edges[k + 1])];
    if (i < 0 || j < 0) continue;
    nodes.push(first + k / 2);
    weights.push(4 * u[i] * u[j]);
  }
  return { nodes, weights };
}

function barycentric({ positions, elements }: TetrahedralMesh, e: number, point: readonly number[]): number[] {
  const p = new Float64Array(15);
  for (let k = 0; k < 4; k++) for (let i = 0; i < 3; i++) p[3 * k + i] = positions[3 * elements[4 * e + k] + i];
  for (let i = 0; i < 3; i++) p[12 + i] = point[i];
  const whole = sixVolumes(p, 0, 1, 2, 3);
  return [
    sixVolumes(p, 4, 1, 2, 3) / whole,
    sixVolumes(p, 0, 4, 2, 3) / whole,
    sixVolumes(p, 0, 1, 4, 3) / whole,
    sixVolumes(p, 0, 1, 2, 4) / whole,
  ];
}
