// A pose on the way between two, by Shoemake's formula of 1985: weights of the two quaternions, the second negated where
// that is the shorter way. Shares nothing with the library, which turns about an axis.

export function poseBetween(from: ArrayLike<number>, to: ArrayLike<number>, t: number): number[] {
  let dot = 0;
  for (let k = 3; k < 7; k++) dot += from[k] * to[k];
  const sign = dot < 0 ? -1 : 1;
  let between = 0;
  for (let k = 3; k < 7; k++) between += (from[k] - sign * to[k]) ** 2;
  const angle = 2 * Math.asin(Math.min(1, Math.sqrt(between) / 2));
  const first = angle < 1e-12 ? 1 - t : Math.sin((1 - t) * angle) / Math.sin(angle);
  const second = sign * (angle < 1e-12 ? t : Math.sin(t * angle) / Math.sin(angle));
  const pose = [0, 1, 2].map((k) => from[k] + t * (to[k] - from[k]));
  const turn = [3, 4, 5, 6].map((k) => first * from[k] + second * to[k]);
  const length = Math.hypot(...turn);
  return [...pose, ...turn.map((value) => value / length)];
}
