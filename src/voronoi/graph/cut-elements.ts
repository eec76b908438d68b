// Where two elements of the plane meet: points at which both are cut, so that afterwards elements share only ends.
// Points within the tolerance of an end are that end.

/** An element with local coordinates and the points that cut it. */
export interface CutElement {
  readonly kind: number;
  readonly site: number;
  /** Elements with the same weight and offset share it; only these cut one another. */
  readonly weightClass: number;
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  /** Of an arc only: its center, radius and angles. */
  readonly cx: number;
  readonly cy: number;
  readonly radius: number;
  readonly from: number;
  readonly sweep: number;
  /** Its box. */
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  /** Parameter, x, y of each cut, in no order. Parameters are lengths along a segment and angles along an arc. */
  cuts: number[];
}

/** Rounding: points closer than this, in local lengths, are one. */
export const SAME_POINT = 1e-12;

/** Label: kind of an element: a point. */
const POINT_KIND = 0;
/** Label: kind of an element: an arc. */
const ARC_KIND = 2;

/** Cuts both elements where they meet. */
export function cutPair(a: CutElement, b: CutElement): void {
  if (a.weightClass !== b.weightClass) return;
  cutAtEnds(a, b);
  cutAtEnds(b, a);
  if (a.kind === POINT_KIND || b.kind === POINT_KIND) return;
  if (a.kind === ARC_KIND || b.kind === ARC_KIND) {
    if (a.kind !== ARC_KIND) cutLineArc(a, b);
    else if (b.kind !== ARC_KIND) cutLineArc(b, a);
    else cutArcs(a, b);
  } else cutLines(a, b);
}

/** Cuts the element at each end of the other that lies on it. */
function cutAtEnds(element: CutElement, other: CutElement): void {
  if (element.kind === POINT_KIND) return;
  addIfOn(element, other.ax, other.ay);
  if (other.kind !== POINT_KIND) addIfOn(element, other.bx, other.by);
}

function addIfOn(element: CutElement, x: number, y: number): void {
  if (
    x < element.x0 - SAME_POINT ||
    x > element.x1 + SAME_POINT ||
    y < element.y0 - SAME_POINT ||
    y > element.y1 + SAME_POINT
  ) {
    return;
  }
  if (element.kind === ARC_KIND) {
    const distance = Math.hypot(x - element.cx, y - element.cy);
    if (Math.abs(distance - element.radius) > SAME_POINT) return;
  } else {
    const ux = element.bx - element.ax;
    const uy = element.by - element.ay;
    if (Math.abs((x - element.ax) * uy - (y - element.ay) * ux) > SAME_POINT * Math.hypot(ux, uy)) return;
  }
  addCut(element, x, y);
}

function cutLines(a: CutElement, b: CutElement): void {
  const ux = a.bx - a.ax;
  const uy = a.by - a.ay;
  const vx = b.bx - b.ax;
  const vy = b.by - b.ay;
  const cross = ux * vy - uy * vx;
  // Nearly parallel segments that overlap meet at ends of one of them.
  if (Math.abs(cross) <= 1e-14 * Math.hypot(ux, uy) * Math.hypot(vx, vy)) return;
  const wx = b.ax - a.ax;
  const wy = b.ay - a.ay;
  const s = (wx * vy - wy * vx) / cross;
  const t = (wx * uy - wy * ux) / cross;
  if (s < 0 || s > 1 || t < 0 || t > 1) return;
  cutBoth(a, b, a.ax + s * ux, a.ay + s * uy);
}

function cutLineArc(line: CutElement, arc: CutElement): void {
  const length = Math.hypot(line.bx - line.ax, line.by - line.ay);
  const ux = (line.bx - line.ax) / length;
  const uy = (line.by - line.ay) / length;
  const along = (arc.cx - line.ax) * ux + (arc.cy - line.ay) * uy;
  const height = (arc.cx - line.ax) * uy - (arc.cy - line.ay) * ux;
  const half = halfChord(arc.radius - Math.abs(height), arc.radius, height);
  if (half < 0) return;
  for (const t of half === 0 ? [along] : [along - half, along + half]) {
    if (t >= 0 && t <= length) cutBoth(line, arc, line.ax + t * ux, line.ay + t * uy);
  }
}

function cutArcs(a: CutElement, b: CutElement): void {
  const dx = b.cx - a.cx;
  const dy = b.cy - a.cy;
  const distance = Math.hypot(dx, dy);
  if (distance < SAME_POINT) return;
  const along = (distance * distance + a.radius * a.radius - b.radius * b.radius) / (2 * distance);
  const overlap = Math.min(a.radius + b.radius - distance, distance - Math.abs(a.radius - b.radius));
  const half = halfChord(overlap, a.radius, along);
  if (half < 0) return;
  const ux = dx / distance;
  const uy = dy / distance;
  for (const h of half === 0 ? [0] : [-half, half]) {
    cutBoth(a, b, a.cx + along * ux - h * uy, a.cy + along * uy + h * ux);
  }
}

/**
 * Half of the chord of a circle at a distance from its center; -1 if what cuts it does not reach it. Where rounding decides
 * whether it does, they touch in one point: the root would make two of it, far apart.
 */
function halfChord(overlap: number, radius: number, distance: number): number {
  if (Math.abs(overlap) <= SAME_POINT) return 0;
  return overlap < 0 ? -1 : Math.sqrt(Math.max(0, (radius - distance) * (radius + distance)));
}

/** Cuts both at the point, or at a cut of either that is there already, so that the cuts are equal. */
function cutBoth(a: CutElement, b: CutElement, x: number, y: number): void {
  if (!holdsArcPoint(a, x, y) || !holdsArcPoint(b, x, y)) return;
  const known = knownPoint(a, x, y) ?? knownPoint(b, x, y);
  if (known !== null) {
    addCut(a, known[0], known[1]);
    addCut(b, known[0], known[1]);
    return;
  }
  addCut(a, x, y);
  addCut(b, x, y);
}

function knownPoint(element: CutElement, x: number, y: number): [number, number] | null {
  const near = (px: number, py: number): boolean => Math.abs(px - x) <= SAME_POINT && Math.abs(py - y) <= SAME_POINT;
  if (near(element.ax, element.ay)) return [element.ax, element.ay];
  if (near(element.bx, element.by)) return [element.bx, element.by];
  const { cuts } = element;
  for (let i = 0; i < cuts.length; i += 3) if (near(cuts[i + 1], cuts[i + 2])) return [cuts[i + 1], cuts[i + 2]];
  return null;
}

function holdsArcPoint(element: CutElement, x: number, y: number): boolean {
  if (element.kind !== ARC_KIND) return true;
  return angleAlong(element, x, y) <= element.sweep;
}

/** The angle from the arc's first point, from 0 to 2π. */
function angleAlong(arc: CutElement, x: number, y: number): number {
  let angle = (Math.atan2(y - arc.cy, x - arc.cx) - arc.from) % (2 * Math.PI);
  if (angle < 0) angle += 2 * Math.PI;
  return angle;
}

function addCut(element: CutElement, x: number, y: number): void {
  const near = (px: number, py: number): boolean => Math.abs(px - x) <= SAME_POINT && Math.abs(py - y) <= SAME_POINT;
  if (near(element.ax, element.ay) || near(element.bx, element.by)) return;
  let parameter: number;
  if (element.kind === ARC_KIND) {
    parameter = angleAlong(element, x, y);
    if (parameter >= element.sweep) return;
  } else {
    const ux = element.bx - element.ax;
    const uy = element.by - element.ay;
    const length = Math.hypot(ux, uy);
    parameter = ((x - element.ax) * ux + (y - element.ay) * uy) / length;
    if (parameter <= 0 || parameter >= length) return;
  }
  const { cuts } = element;
  for (let i = 0; i < cuts.length; i += 3) if (near(cuts[i + 1], cuts[i + 2])) return;
  cuts.push(parameter, x, y);
}
