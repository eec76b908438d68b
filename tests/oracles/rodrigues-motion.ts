// Where a point of a body is that moves evenly: its center on a straight line, the rest turned about the center by
// Rodrigues' formula of 1840. Shares nothing with the library, which multiplies quaternions.

export interface EvenState {
  /** Of the center at time 0, and its velocity. */
  readonly center: readonly number[];
  readonly velocity: readonly number[];
  readonly angularVelocity: readonly number[];
}

/** The place at time t of a point that is at `start` at time 0. */
export function placeAt(
  { center, velocity, angularVelocity }: EvenState,
  start: readonly number[],
  t: number,
): number[] {
  const arm = start.map((value, k) => value - center[k]);
  const speed = Math.hypot(...angularVelocity);
  const moved = center.map((value, k) => value + t * velocity[k]);
  if (speed === 0) return moved.map((value, k) => value + arm[k]);
  const axis = angularVelocity.map((value) => value / speed);
  const [cos, sin] = [Math.cos(speed * t), Math.sin(speed * t)];
  const along = axis[0] * arm[0] + axis[1] * arm[1] + axis[2] * arm[2];
  const across = [0, 1, 2].map((k) => {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    return axis[i] * arm[j] - axis[j] * arm[i];
  });
  return moved.map((value, k) => value + cos * arm[k] + sin * across[k] + (1 - cos) * along * axis[k]);
}
