// How the outlines of letters are drawn: corners and circular arcs joined into closed rings, plus the few intersections
// that keep strokes equally wide where they meet.

export type OutlinePoint = readonly [x: number, y: number];

/** Draws the rings of one character: the outside first, then its holes, either way round. */
export type OutlineDrawing = () => Float64Array[];

/** Chosen: the width of every stroke, in cap heights. */
export const STROKE = 0.16;

/** Chosen: the largest turn of an arc from one point to the next, in degrees. */
const ARC_STEP = 18;

/** Chosen: the longest straight side of an outline, in cap heights. */
const MAX_SIDE = 0.11;

/** Chosen: the longest step of an arc from one point to the next, in cap heights. */
const MAX_ARC_STEP = 0.101;

/** Rounding: points of a drawing nearer than this are one point computed in two ways, in cap heights. */
const SAME_POINT = 1e-9;

/**
 * Points of a circular arc, both ends included; angles in degrees, falling ones run clockwise. The points furthest
 * left, right, up and down are always among them, so that round characters are as tall as straight ones.
 */
export function arc(centerX: number, centerY: number, radius: number, from: number, to: number): OutlinePoint[] {
  const points: OutlinePoint[] = [];
  let start = from;
  while (start !== to) {
    const end =
      to > from ? Math.min(to, 90 * Math.floor(start / 90 + 1)) : Math.max(to, 90 * Math.ceil(start / 90 - 1));
    const sweep = Math.abs(end - start);
    const length = (radius * sweep * Math.PI) / 180;
    const steps = Math.ceil(Math.max(sweep / ARC_STEP, length / MAX_ARC_STEP) - SAME_POINT);
    for (let i = points.length === 0 ? 0 : 1; i <= steps; i++) {
      const angle = ((start + ((end - start) * i) / steps) * Math.PI) / 180;
      points.push([centerX + radius * Math.cos(angle), centerY + radius * Math.sin(angle)]);
    }
    start = end;
  }
  return points;
}

/** Two half-circles around centers one above the other, joined by straight sides; a circle when the centers agree. */
export function stadium(centerX: number, lowCenter: number, highCenter: number, radius: number): OutlinePoint[] {
  return [...arc(centerX, lowCenter, radius, 180, 360), ...arc(centerX, highCenter, radius, 0, 180)];
}

/** The closed ring through the points: coinciding neighbors become one, long sides are split evenly. */
export function closeRing(points: readonly OutlinePoint[]): Float64Array {
  const corners = points.filter(([x, y], i) => {
    const [px, py] = points[(i + points.length - 1) % points.length];
    return Math.hypot(x - px, y - py) > SAME_POINT;
  });
  const ring: number[] = [];
  corners.forEach(([x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    const parts = Math.ceil(Math.hypot(nextX - x, nextY - y) / MAX_SIDE - SAME_POINT);
    for (let part = 0; part < parts; part++) {
      ring.push(x + ((nextX - x) * part) / parts, y + ((nextY - y) * part) / parts);
    }
  });
  return Float64Array.from(ring);
}

/** The angle on a circle, in degrees, of the right one of its two intersections with another circle. */
export function waistAngle(
  centerX: number,
  centerY: number,
  radius: number,
  otherX: number,
  otherY: number,
  otherRadius: number,
): number {
  const distance = Math.hypot(otherX - centerX, otherY - centerY);
  const cosine = (radius ** 2 + distance ** 2 - otherRadius ** 2) / (2 * radius * distance);
  const towards = Math.atan2(otherY - centerY, otherX - centerX);
  const turn = Math.acos(cosine);
  const angle = Math.cos(towards + turn) > Math.cos(towards - turn) ? towards + turn : towards - turn;
  return (angle * 180) / Math.PI;
}

/** How wide a slanted stroke is when cut horizontally: `slope` is how far it moves sideways for each unit up. */
export function cutWidth(stroke: number, slope: number): number {
  return stroke * Math.hypot(slope, 1);
}
