// A corner that lies on the other triangle's face up to rounding, but is exactly apart from it. The answer was once the
// nearest pair of edges, far too large.
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { TriangleDistance } from '../../src/mesh/triangle/triangle-distance.js';

const measure = (a: number[], b: number[]): number =>
  Math.sqrt(new TriangleDistance().measure(Float64Array.from(a), 0, 3, 6, Float64Array.from(b), 0, 3, 6));

test('the pair that was found', () => {
  const a = [
    -0.33205749086665803, 0.10975100407830951, -0.4148744558519099, 0.20502049695002866, -0.2205077608677129,
    -0.07393690365084304, 0.3424603402812315, -0.2690608933423929, -0.10643440559806044,
  ];
  const b = [
    0.015540694540240731, -0.09172941126943605, -0.23505549268154832, 0.3023499991700701, 0.31225350227309484,
    -0.4942275833642953, 0.11021258961334904, 0.05881108246220258, -0.1009773450308156,
  ];
  expect(measure(a, b)).toBeLessThan(1e-15);
});

test('random corners on faces, whichever side rounding puts them on', () => {
  const random = createRandom(5);
  for (let i = 0; i < 2000 * Number(process.env.NEARFIELD_SOAK ?? 1); i++) {
    const a = Array.from({ length: 9 }, () => random.range(-1, 1));
    const s = random.range(0.1, 0.4);
    const t = random.range(0.1, 0.4);
    const corner = [0, 1, 2].map((k) => (1 - s - t) * a[k] + s * a[3 + k] + t * a[6 + k]);
    const b = [...corner, ...Array.from({ length: 6 }, () => random.range(-1, 1))];
    expect(measure(a, b), `pair ${i}`).toBeLessThan(1e-14);
    expect(measure(b, a), `pair ${i}, swapped`).toBeLessThan(1e-14);
  }
});
