// Elements of sites in the local frame of a graph.
import {
  ARC,
  type PlaneElements,
  POINT,
  SHAPE_A,
  SHAPE_B,
  SHAPE_CENTER,
  SHAPE_COSINE,
  SHAPE_MIDDLE,
  SHAPE_RADIUS,
  SHAPE_STRIDE,
} from '../sites/plane-elements.js';
import type { PlacedElement } from './feature-node.js';
import type { LocalFrame } from './local-frame.js';
import type { SiteFeatures } from './site-features.js';

/** The elements, with `firstSite` added to the indices of their sites. */
export function placeElements(
  elements: PlaneElements,
  frame: LocalFrame,
  features: SiteFeatures,
  firstSite: number,
): PlacedElement[] {
  const placed: PlacedElement[] = [];
  const { shapes } = elements;
  for (let i = 0; i < elements.count; i++) {
    const at = SHAPE_STRIDE * i;
    const site = elements.site[i];
    const kind = elements.kinds[i];
    const ax = frame.localX(shapes[at + SHAPE_A]);
    const ay = frame.localY(shapes[at + SHAPE_A + 1]);
    const bx = frame.localX(shapes[at + SHAPE_B]);
    const by = frame.localY(shapes[at + SHAPE_B + 1]);
    const isArc = kind === ARC;
    const cx = isArc ? frame.localX(shapes[at + SHAPE_CENTER]) : 0;
    const cy = isArc ? frame.localY(shapes[at + SHAPE_CENTER + 1]) : 0;
    const radius = isArc ? shapes[at + SHAPE_RADIUS] / frame.scale : 0;
    const half = isArc ? Math.acos(Math.max(-1, Math.min(1, shapes[at + SHAPE_COSINE]))) : 0;
    const middle = isArc ? Math.atan2(shapes[at + SHAPE_MIDDLE + 1], shapes[at + SHAPE_MIDDLE]) : 0;
    placed.push({
      id: features.nextElement(),
      // A segment too short for the frame is a point.
      kind: kind !== ARC && ax === bx && ay === by ? POINT : kind,
      site: firstSite + site,
      weightClass: features.weightClass(elements.weights[site], elements.offsets[site] / frame.scale),
      ax,
      ay,
      bx,
      by,
      cx,
      cy,
      radius,
      from: middle - half,
      sweep: 2 * half,
      x0: isArc ? cx - radius : Math.min(ax, bx),
      y0: isArc ? cy - radius : Math.min(ay, by),
      x1: isArc ? cx + radius : Math.max(ax, bx),
      y1: isArc ? cy + radius : Math.max(ay, by),
      cuts: [],
      pieces: [],
      nodes: [],
    });
  }
  return placed;
}
