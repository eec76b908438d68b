import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';

/** xoshiro128** and splitmix32 in BigInt, straight from their definitions. */
function referenceWords(seed: number, count: number): number[] {
  const mask = 0xffffffffn;
  let state = BigInt(seed >>> 0);
  const mix = (): bigint => {
    state = (state + 0x9e3779b9n) & mask;
    let z = state ^ (state >> 16n);
    z = (z * 0x21f0aaadn) & mask;
    z ^= z >> 15n;
    z = (z * 0x735a2d97n) & mask;
    return z ^ (z >> 15n);
  };
  const rotate = (x: bigint, k: bigint): bigint => ((x << k) | (x >> (32n - k))) & mask;
  const s = [mix(), mix(), mix(), mix()];
  return Array.from({ length: count }, () => {
    const result = (rotate((s[1] * 5n) & mask, 7n) * 9n) & mask;
    const t = (s[1] << 9n) & mask;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 11n);
    return Number(result);
  });
}

test('is xoshiro128** seeded by splitmix32, two outputs a double', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = createRandom(seed);
      const words = referenceWords(seed, 20);
      for (let i = 0; i < 20; i += 2) {
        expect(random.next()).toBe(((words[i] >>> 5) * 2 ** 26 + (words[i + 1] >>> 6)) / 2 ** 53);
      }
    }),
    { numRuns: 50 },
  );
});

test('the same seed gives the same sequence, neighboring seeds do not', () => {
  const sequence = (seed: number): number[] => {
    const random = createRandom(seed);
    return [random.next(), random.normal(), random.integer(1000), ...random.direction(), ...random.rotation()];
  };
  expect(sequence(42)).toEqual(sequence(42));
  expect(sequence(42)).not.toEqual(sequence(43));
  expect(new Set(Array.from({ length: 1000 }, (_, seed) => createRandom(seed).next())).size).toBe(1000);
});

test('ranges hold their bounds', () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.double({ min: -1e9, max: 1e9, noNaN: true }),
      fc.double({ min: 1e-12, max: 1e9, noNaN: true }),
      fc.integer({ min: 1, max: 2 ** 31 }),
      (seed, low, width, count) => {
        const random = createRandom(seed);
        const high = low + width;
        for (let i = 0; i < 50; i++) {
          const next = random.next();
          expect(next >= 0 && next < 1).toBe(true);
          const value = random.range(low, high);
          expect(value >= low && (value < high || low === high)).toBe(true);
          const integer = random.integer(count);
          expect(Number.isInteger(integer) && integer >= 0 && integer < count).toBe(true);
        }
      },
    ),
  );
});

test('a range of one step of the floating-point numbers never gives its end', () => {
  const random = createRandom(1);
  const values = new Set(Array.from({ length: 100 }, () => random.range(1, 1 + Number.EPSILON)));
  expect([...values]).toEqual([1]);
});

describe('distributions', () => {
  /** Chi-square of counts that should be equal. */
  const chiSquare = (counts: number[]): number => {
    const expected = counts.reduce((a, b) => a + b) / counts.length;
    return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  };

  test('next and integer are uniform', () => {
    const random = createRandom(2024);
    const doubles = new Array(100).fill(0);
    const integers = new Array(100).fill(0);
    for (let i = 0; i < 50_000; i++) {
      doubles[Math.floor(random.next() * 100)]++;
      integers[random.integer(100)]++;
    }
    // 99 degrees of freedom: 149 is exceeded once in a thousand seeds.
    expect(chiSquare(doubles)).toBeLessThan(149);
    expect(chiSquare(integers)).toBeLessThan(149);
    expect(chiSquare(doubles)).toBeGreaterThan(60);
  });

  test('low bits of a double are random too', () => {
    const random = createRandom(7);
    let ones = 0;
    for (let i = 0; i < 10_000; i++) ones += (random.next() * 2 ** 53) % 2;
    expect(Math.abs(ones - 5000)).toBeLessThan(200);
  });

  test('normal has mean 0, variance 1, kurtosis 3', () => {
    const random = createRandom(5);
    let [m1, m2, m4] = [0, 0, 0];
    const n = 50_000;
    for (let i = 0; i < n; i++) {
      const x = random.normal();
      m1 += x / n;
      m2 += x ** 2 / n;
      m4 += x ** 4 / n;
    }
    expect(Math.abs(m1)).toBeLessThan(0.02);
    expect(Math.abs(m2 - 1)).toBeLessThan(0.03);
    expect(Math.abs(m4 - 3)).toBeLessThan(0.2);
  });

  test('direction is uniform on the sphere, rotation on the rotations', () => {
    const random = createRandom(11);
    const heights = new Array(20).fill(0);
    const octants = new Array(8).fill(0);
    const turned = new Array(20).fill(0);
    for (let i = 0; i < 20_000; i++) {
      const [x, y, z] = random.direction();
      expect(Math.abs(Math.hypot(x, y, z) - 1)).toBeLessThan(1e-14);
      heights[Math.min(19, Math.floor(10 * (z + 1)))]++;
      octants[(x > 0 ? 1 : 0) + (y > 0 ? 2 : 0) + (z > 0 ? 4 : 0)]++;
      const [qx, qy, qz, qw] = random.rotation();
      expect(Math.abs(Math.hypot(qx, qy, qz, qw) - 1)).toBeLessThan(1e-14);
      // The height of the turned z axis is uniform in [−1, 1] (Archimedes).
      turned[Math.min(19, Math.floor(10 * (2 - 2 * (qx * qx + qy * qy))))]++;
    }
    expect(chiSquare(heights)).toBeLessThan(44); // 19 degrees of freedom, one in a thousand
    expect(chiSquare(turned)).toBeLessThan(44);
    expect(chiSquare(octants)).toBeLessThan(25);
  });

  test('shuffle is in place, a permutation, and every order comes up equally often', () => {
    const random = createRandom(3);
    const counts = new Map<string, number>();
    for (let i = 0; i < 24_000; i++) {
      const items = [0, 1, 2, 3];
      expect(random.shuffle(items)).toBe(items);
      counts.set(items.join(), (counts.get(items.join()) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    expect(chiSquare([...counts.values()])).toBeLessThan(50); // 23 degrees of freedom, one in a thousand
    const typed = Uint32Array.from([0, 1, 2, 3, 4, 5, 6, 7]);
    expect([...random.shuffle(typed)].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(random.shuffle([])).toEqual([]);
  });
});
