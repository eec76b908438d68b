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
