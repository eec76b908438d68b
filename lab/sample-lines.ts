// Lines at samples in space.

/** More lines hide each other. */
const MAX_LINES = 700;

/** From every n-th sample along its unit vector, as long as given, so that there are not too many: six numbers each. */
export function waysFrom(points: Float64Array, directions: Float64Array, lengths: ArrayLike<number>): Float64Array {
  const count = points.length / 3;
  const step = Math.max(1, Math.ceil(count / MAX_LINES));
  const lines = new Float64Array(6 * Math.ceil(count / step));
  for (let k = 0, at = 0; k < count; k += step, at += 6) {
    for (let axis = 0; axis < 3; axis++) {
      lines[at + axis] = points[3 * k + axis];
      lines[at + 3 + axis] = points[3 * k + axis] + directions[3 * k + axis] * lengths[k];
    }
  }
  return lines;
}
