import { expect, test } from 'vitest';
import { REPORT_COLORS, reportColor } from '../../../src/io/report/report-colors.js';

/** CIE L*a*b*, whose distances are about those that people see. */
function toLab(hex: string): number[] {
  const linear = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const [x, y, z] = [
    [0.4124, 0.3576, 0.1805],
    [0.2126, 0.7152, 0.0722],
    [0.0193, 0.1192, 0.9505],
  ].map((row, i) => {
    const value = row.reduce((sum, share, k) => sum + share * linear[k], 0) / [0.9505, 1, 1.089][i];
    return value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116;
  });
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

test.each(['light', 'dark'] as const)('bodies and states can be told apart in the %s theme', (theme) => {
  const colors = Object.entries(REPORT_COLORS);
  for (const [i, [name, color]] of colors.entries()) {
    for (const [other, beside] of colors.slice(i + 1)) {
      const [p, q] = [toLab(color[theme]), toLab(beside[theme])];
      // 2.3 is the least difference that people notice side by side.
      const apart = Math.hypot(...p.map((value, k) => value - q[k]));
      expect(apart, `${name} and ${other}`).toBeGreaterThan(25);
    }
  }
});

test('as bytes they are the same', () => {
  expect(reportColor('mark')).toEqual([0xd6, 0x24, 0x6e]);
});
