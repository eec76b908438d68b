/** Whether two closed boxes of six numbers overlap; touching counts. */
export function boxesOverlap(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  return (
    a[i] <= b[j + 3] &&
    b[j] <= a[i + 3] &&
    a[i + 1] <= b[j + 4] &&
    b[j + 1] <= a[i + 4] &&
    a[i + 2] <= b[j + 5] &&
    b[j + 2] <= a[i + 5]
  );
}

/** Squared distance between two boxes, 0 where they overlap. */
export function boxDistanceSquared(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const x = Math.max(0, a[i] - b[j + 3], b[j] - a[i + 3]);
  const y = Math.max(0, a[i + 1] - b[j + 4], b[j + 1] - a[i + 4]);
  const z = Math.max(0, a[i + 2] - b[j + 5], b[j + 2] - a[i + 5]);
  return x * x + y * y + z * z;
}

/** Squared distance from a point to a box, 0 inside. */
export function pointBoxDistanceSquared(
  px: number,
  py: number,
  pz: number,
  boxes: Float64Array,
  offset: number,
): number {
  // Branches, not Math.max: most points lie outside on few axes, and this is the inner loop of closest points.
  let sum = 0;
  let gap = boxes[offset] - px;
  if (gap > 0 || (gap = px - boxes[offset + 3]) > 0) sum = gap * gap;
  gap = boxes[offset + 1] - py;
  if (gap > 0 || (gap = py - boxes[offset + 4]) > 0) sum += gap * gap;
  gap = boxes[offset + 2] - pz;
  if (gap > 0 || (gap = pz - boxes[offset + 5]) > 0) sum += gap * gap;
  return sum;
}
