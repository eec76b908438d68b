// Boxes around sites of the plane, and the default box of a diagram.

import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import { VORONOI_DEFAULTS } from '../defaults.js';
import {
  ARC,
  type PlaneElements,
  planeElements,
  SHAPE_A,
  SHAPE_B,
  SHAPE_CENTER,
  SHAPE_COSINE,
  SHAPE_MIDDLE,
  SHAPE_RADIUS,
  SHAPE_STRIDE,
} from './plane-elements.js';
import type { PlaneSite } from './plane-site.js';

/** x0, y0, x1, y1. */
export type PlaneBox = readonly [number, number, number, number];

/**
 * The elements of the sites and the box of the diagram: the given one, or that of the sites with a margin. The error of
 * curves is by default a share of the longest side of the box.
 * @throws NearfieldError `bad-argument` for sites as {@link planeElements} says, for a box that has no inside, and
 * without a box when there are no sites.
 */
export function placeSites(
  sites: readonly PlaneSite[],
  box: ArrayLike<number> | undefined,
  curveError: number | undefined,
): { readonly elements: PlaneElements; readonly box: PlaneBox } {
  if (box !== undefined) {
    assertPlaneBox(box);
    const longest = Math.max(box[2] - box[0], box[3] - box[1]);
    const elements = planeElements(sites, curveError ?? VORONOI_DEFAULTS.curveError * longest);
    return { elements, box: [box[0], box[1], box[2], box[3]] };
  }
  let elements = planeElements(sites, curveError ?? Infinity);
  if (curveError === undefined && elements.curveError > 0) {
    const rough = boxOfElements(elements);
    for (const site of sites) {
      for (const curve of site.type === 'path' ? site.curves : [site]) {
        if (curve.type === 'bezier') for (const point of curve.points) include(rough, point[0], point[1], 0);
      }
    }
    const longest = Math.max(rough[2] - rough[0], rough[3] - rough[1]);
    elements = planeElements(sites, longest > 0 ? VORONOI_DEFAULTS.curveError * longest : 1);
  }
  return { elements, box: defaultBox(elements) };
}

/** Throws unless the box is four finite numbers, x0 < x1 and y0 < y1. */
export function assertPlaneBox(box: ArrayLike<number>): void {
  if (box === null || typeof box !== 'object' || box.length !== 4) {
    throw new NearfieldError('bad-argument', `The box is ${nameValue(box)}; give x0, y0, x1, y1.`);
  }
  for (let i = 0; i < 4; i++) {
    if (typeof box[i] === 'number' && Math.abs(box[i]) <= MAX_COORDINATE) continue;
    throw new NearfieldError('bad-argument', `The box has ${nameValue(box[i])}; give numbers up to ${MAX_COORDINATE}.`);
  }
  if (box[0] < box[2] && box[1] < box[3]) return;
  throw new NearfieldError(
    'bad-argument',
    `The box is ${Array.from(box).join(', ')}; give x0, y0, x1, y1 with x0 < x1 and y0 < y1.`,
  );
}

/** The box of the sites with a margin on every side, see {@link VORONOI_DEFAULTS}. */
function defaultBox(elements: PlaneElements): PlaneBox {
  if (elements.count === 0)
    throw new NearfieldError('bad-argument', 'There are no sites to take a box from; give a box.');
  const [x0, y0, x1, y1] = boxOfElements(elements);
  const longest = Math.max(x1 - x0, y1 - y0);
  const largest = Math.max(Math.abs(x0), Math.abs(y0), Math.abs(x1), Math.abs(y1));
  // Sites at one place have no size; a box there must still hold numbers that differ.
  const margin = longest > 0 ? VORONOI_DEFAULTS.margin * longest : Math.max(0.5, 1e-6 * largest);
  return [x0 - margin, y0 - margin, x1 + margin, y1 + margin];
}

/** The tight box of all elements, those of sites with an offset grown by the disc that it makes; empty: ∞ and −∞. */
export function boxOfElements(elements: PlaneElements): [number, number, number, number] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  const { shapes, kinds, site, weights, offsets } = elements;
  for (let element = 0; element < elements.count; element++) {
    const at = SHAPE_STRIDE * element;
    const grown = Math.max(0, offsets[site[element]] * weights[site[element]]);
    include(box, shapes[at + SHAPE_A], shapes[at + SHAPE_A + 1], grown);
    include(box, shapes[at + SHAPE_B], shapes[at + SHAPE_B + 1], grown);
    if (kinds[element] !== ARC) continue;
    const radius = shapes[at + SHAPE_RADIUS];
    for (let side = 0; side < 4; side++) {
      const dx = side === 0 ? 1 : side === 2 ? -1 : 0;
      const dy = side === 1 ? 1 : side === 3 ? -1 : 0;
      if (dx * shapes[at + SHAPE_MIDDLE] + dy * shapes[at + SHAPE_MIDDLE + 1] < shapes[at + SHAPE_COSINE]) continue;
      include(box, shapes[at + SHAPE_CENTER] + radius * dx, shapes[at + SHAPE_CENTER + 1] + radius * dy, grown);
    }
  }
  return box;
}

function include(box: [number, number, number, number], x: number, y: number, grown: number): void {
  box[0] = Math.min(box[0], x - grown);
  box[1] = Math.min(box[1], y - grown);
  box[2] = Math.max(box[2], x + grown);
  box[3] = Math.max(box[3], y + grown);
}
