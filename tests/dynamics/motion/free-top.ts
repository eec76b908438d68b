// Oracle: Euler's equations and the quaternion's own, by Runge–Kutta of order 4 in steps of 2⁻¹⁴ s.

/** The orientation after `time` of a free body that starts unturned with the angular velocity `spin`, principal axes xyz. */
export function freeTop(moments: readonly number[], spin: readonly number[], time: number): number[] {
  const rate = (s: readonly number[]): number[] => {
    const [x, y, z, w, a, b, c] = s;
    const [i, j, k] = moments;
    return [
      (w * a + y * c - z * b) / 2,
      (w * b + z * a - x * c) / 2,
      (w * c + x * b - y * a) / 2,
      (-x * a - y * b - z * c) / 2,
      ((j - k) / i) * b * c,
      ((k - i) / j) * c * a,
      ((i - j) / k) * a * b,
    ];
  };
  const steps = Math.round(time * 2 ** 14);
  const h = time / steps;
  let s = [0, 0, 0, 1, ...spin];
  const moved = (r: number[], f: number): number[] => s.map((value, n) => value + f * h * r[n]);
  for (let step = 0; step < steps; step++) {
    const k1 = rate(s);
    const k2 = rate(moved(k1, 0.5));
    const k3 = rate(moved(k2, 0.5));
    const k4 = rate(moved(k3, 1));
    s = s.map((value, n) => value + (h / 6) * (k1[n] + 2 * k2[n] + 2 * k3[n] + k4[n]));
  }
  const length = Math.hypot(s[0], s[1], s[2], s[3]);
  return s.slice(0, 4).map((value) => value / length);
}
