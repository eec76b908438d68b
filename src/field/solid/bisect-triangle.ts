// Triangles as nine numbers, halved across their longest side, so that repeated halving makes no needles (Rivara 1984).

/** The square of a triangle's longest side. */
export function longestSquared(t: Float64Array): number {
  const side = longestSide(t);
  return sideSquared(t, side);
}

/** Writes one half of a triangle, 0 or 1, to `out`, which must be another array. */
export function writeHalf(t: Float64Array, half: 0 | 1, out: Float64Array): void {
  const side = longestSide(t);
  const a = 3 * side;
  const b = 3 * ((side + 1) % 3);
  const moved = half === 0 ? b : a;
  out.set(t);
  for (let axis = 0; axis < 3; axis++) out[moved + axis] = 0.5 * (t[a + axis] + t[b + axis]);
}

/** The corner at which the longest side begins; the first of equally long ones. */
function longestSide(t: Float64Array): number {
  const ab = sideSquared(t, 0);
  const bc = sideSquared(t, 1);
  const ca = sideSquared(t, 2);
  if (ab >= bc && ab >= ca) return 0;
  return bc >= ca ? 1 : 2;
}

function sideSquared(t: Float64Array, side: number): number {
  const a = 3 * side;
  const b = 3 * ((side + 1) % 3);
  return (t[b] - t[a]) ** 2 + (t[b + 1] - t[a + 1]) ** 2 + (t[b + 2] - t[a + 2]) ** 2;
}
