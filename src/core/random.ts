// Seeded random numbers: xoshiro128** seeded through splitmix32 (Blackman and Vigna 2018). The same seed gives the
// same sequence on every machine. A double takes two 32-bit outputs so that all 53 bits of the mantissa are random.

/** A deterministic source of random numbers. */
export interface Random {
  /** Uniform in [0, 1) with 53 random bits. */
  next(): number;
  /** Uniform in [low, high). */
  range(low: number, high: number): number;
  /** Uniform integer in [0, count). */
  integer(count: number): number;
  /** Normal with mean 0 and standard deviation 1. */
  normal(): number;
  /** Uniform on the unit sphere. */
  direction(): [number, number, number];
  /** Uniform unit quaternion (xyzw). */
  rotation(): [number, number, number, number];
  /** Shuffles in place and returns the same array. */
  shuffle<T extends { length: number; [index: number]: unknown }>(items: T): T;
}

/** Whole numbers of 32 bits from an integer seed: xoshiro128**, its state filled by splitmix32. */
function seededBits(seed: number): () => number {
  let mix = seed >>> 0;
  const splitmix = (): number => {
    mix = (mix + 0x9e3779b9) | 0;
    let z = mix ^ (mix >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a2d97);
    return z ^ (z >>> 15);
  };
  let s0 = splitmix();
  let s1 = splitmix();
  let s2 = splitmix();
  let s3 = splitmix();
  return () => {
    const scrambled = Math.imul(s1, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    return result;
  };
}

/** Makes a generator from an integer seed. */
export function createRandom(seed: number): Random {
  const next32 = seededBits(seed);
  const next = (): number => ((next32() >>> 5) * 67108864 + (next32() >>> 6)) / 9007199254740992;
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());

  return {
    next,
    range: (low, high) => {
      const value = low + (high - low) * next();
      return value === high ? low : value; // rounding may reach `high`, which is not part of the range
    },
    integer: (count) => Math.floor(next() * count),
    normal,
    direction: () => {
      const z = 2 * next() - 1;
      const r = Math.sqrt(Math.max(0, 1 - z * z));
      const angle = 2 * Math.PI * next();
      return [r * Math.cos(angle), r * Math.sin(angle), z];
    },
    rotation: () => {
      // Shoemake 1992, uniform random rotations.
      const u = next();
      const a = 2 * Math.PI * next();
      const b = 2 * Math.PI * next();
      const p = Math.sqrt(1 - u);
      const q = Math.sqrt(u);
      return [p * Math.sin(a), p * Math.cos(a), q * Math.sin(b), q * Math.cos(b)];
    },
    shuffle: (items) => {
      for (let i = items.length - 1; i > 0; i--) {
        const j = Math.floor(next() * (i + 1));
        const held = items[i];
        items[i] = items[j];
        items[j] = held;
      }
      return items;
    },
  };
}
