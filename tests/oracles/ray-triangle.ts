/** Where a ray meets a triangle's plane and the three barycentric weights there (Möller and Trumbore 1997), or null. */
export function rayThroughPlane(
  triangle: readonly (readonly number[])[],
  origin: readonly number[],
  direction: readonly number[],
): { distance: number; weights: number[]; front: boolean } | null {
  const [a, b, c] = triangle;
  const u = subtract(b, a);
  const v = subtract(c, a);
  const w = subtract(origin, a);
  const perpendicular = cross(direction, v);
  const determinant = dot(u, perpendicular);
  if (determinant === 0) return null;
  const second = dot(w, perpendicular) / determinant;
  const across = cross(w, u);
  const third = dot(direction, across) / determinant;
  return {
    distance: (dot(v, across) / determinant) * Math.hypot(...direction),
    weights: [1 - second - third, second, third],
    front: determinant > 0,
  };
}

function subtract(a: readonly number[], b: readonly number[]): number[] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
