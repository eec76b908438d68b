// Shapes that tests of the plane share.

export interface RingShape {
  readonly polygon: number[][];
}

/** A rectangle about the origin. */
export function box(width: number, height: number): RingShape {
  const [x, y] = [width / 2, height / 2];
  return {
    polygon: [
      [-x, -y],
      [x, -y],
      [x, y],
      [-x, y],
    ],
  };
}

/** Everything below y = 0. */
export function floor(): RingShape {
  return {
    polygon: [
      [-50, -1],
      [50, -1],
      [50, 0],
      [-50, 0],
    ],
  };
}

/** A gear of trapezoidal teeth about the origin. */
export function gear(teeth: number, inner: number, outer: number): RingShape {
  const polygon: number[][] = [];
  for (let k = 0; k < teeth; k++) {
    for (const [share, radius] of [
      [-0.27, inner],
      [-0.13, outer],
      [0.13, outer],
      [0.27, inner],
    ]) {
      const angle = (2 * Math.PI * (k + share)) / teeth;
      polygon.push([radius * Math.cos(angle), radius * Math.sin(angle)]);
    }
  }
  return { polygon };
}

/** A star with points at the outer radius: not convex. */
export function star(points: number, inner: number, outer: number): RingShape {
  return {
    polygon: Array.from({ length: 2 * points }, (_, k) => {
      const radius = k % 2 === 0 ? outer : inner;
      const angle = (Math.PI * k) / points;
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    }),
  };
}

/** A U that other bodies can hang in. */
export function cup(size: number): RingShape {
  const [s, t] = [size, 0.3 * size];
  return {
    polygon: [
      [-s, -s],
      [s, -s],
      [s, s],
      [s - t, s],
      [s - t, t - s],
      [t - s, t - s],
      [t - s, s],
      [-s, s],
    ],
  };
}
