// Seeded reliefs for implicit shapes: gradient noise (Perlin 2002: quintic fade, twelve gradients) and cellular bumps
// (Worley 1996). Each carries a bound on its slope. The pattern repeats after 256 cells.
import { createRandom } from '../../core/random.js';
import type { Relief } from './implicit-combine.js';

/**
 * Measured on 2 million points: a bound of the slope per cell, of which the largest found is 3.36; values are within
 * ±1.
 */
const GRADIENT_NOISE_SLOPE = 4;

/** Smooth bumps and hollows of height about `amplitude`, one or two per `wavelength`. */
export function noiseRelief(options: { seed: number; amplitude: number; wavelength: number }): Relief {
  const { seed, amplitude, wavelength } = options;
  const table = permutation(seed);
  const frequency = 1 / wavelength;
  return {
    lipschitz: GRADIENT_NOISE_SLOPE * Math.abs(amplitude) * frequency,
    value: (x, y, z) =>
      amplitude === 0 ? 0 : amplitude * gradientNoise(table, x * frequency, y * frequency, z * frequency),
  };
}

/** The sum of several reliefs. */
export function addReliefs(...reliefs: readonly Relief[]): Relief {
  return {
    lipschitz: reliefs.reduce((sum, relief) => sum + relief.lipschitz, 0),
    value: (x, y, z) => {
      let sum = 0;
      for (let i = 0; i < reliefs.length; i++) sum += reliefs[i].value(x, y, z);
      return sum;
    },
  };
}

/** Rounded scales: raised by `amplitude` at scattered centers about `size` apart, falling to zero between them. */
export function scaleRelief(options: { seed: number; amplitude: number; size: number }): Relief {
  const { seed, amplitude, size } = options;
  const table = permutation(seed);
  const frequency = 1 / size;
  return {
    // The bump is 1 − d² with d ≤ 1 cells from the nearest center: slope at most 2 per cell.
    lipschitz: 2 * Math.abs(amplitude) * frequency,
    value: (x, y, z) => {
      const d2 = Math.min(1, nearestSite2(table, x * frequency, y * frequency, z * frequency));
      return amplitude * (1 - d2);
    },
  };
}

function permutation(seed: number): Uint8Array {
  const table = Uint8Array.from({ length: 512 }, (_, i) => i & 255);
  createRandom(seed).shuffle(table.subarray(0, 256));
  table.copyWithin(256, 0, 256);
  return table;
}

function gradientNoise(table: Uint8Array, x: number, y: number, z: number): number {
  const fx = Math.floor(x);
  const fy = Math.floor(y);
  const fz = Math.floor(z);
  x -= fx;
  y -= fy;
  z -= fz;
  const i = fx & 255;
  const j = fy & 255;
  const k = fz & 255;
  const u = x * x * x * (x * (x * 6 - 15) + 10);
  const v = y * y * y * (y * (y * 6 - 15) + 10);
  const w = z * z * z * (z * (z * 6 - 15) + 10);
  const a = table[i] + j;
  const b = table[i + 1] + j;
  const aa = table[a & 255] + k;
  const ab = table[(a + 1) & 255] + k;
  const ba = table[b & 255] + k;
  const bb = table[(b + 1) & 255] + k;
  const x00 = mix(u, slope(table[aa & 255], x, y, z), slope(table[ba & 255], x - 1, y, z));
  const x10 = mix(u, slope(table[ab & 255], x, y - 1, z), slope(table[bb & 255], x - 1, y - 1, z));
  const x01 = mix(u, slope(table[(aa + 1) & 255], x, y, z - 1), slope(table[(ba + 1) & 255], x - 1, y, z - 1));
  const x11 = mix(u, slope(table[(ab + 1) & 255], x, y - 1, z - 1), slope(table[(bb + 1) & 255], x - 1, y - 1, z - 1));
  return mix(w, mix(v, x00, x10), mix(v, x01, x11));
}

function mix(t: number, a: number, b: number): number {
  return a + t * (b - a);
}

/** One of the twelve directions to the middles of a cube's edges, chosen by the hash, times (x, y, z). */
function slope(hash: number, x: number, y: number, z: number): number {
  const h = hash & 15;
  const p = h < 8 ? x : y;
  const q = h < 4 ? y : h === 12 || h === 14 ? x : z;
  return (h & 1 ? -p : p) + (h & 2 ? -q : q);
}

/** The squared distance, in cells, to the nearest site; each cell has one site. */
function nearestSite2(table: Uint8Array, x: number, y: number, z: number): number {
  const fx = Math.floor(x);
  const fy = Math.floor(y);
  const fz = Math.floor(z);
  let nearest = Infinity;
  for (let i = fx - 1; i <= fx + 1; i++) {
    const a = table[i & 255];
    const dx0 = i - x;
    for (let j = fy - 1; j <= fy + 1; j++) {
      const b = table[(a + j) & 255];
      const dy0 = j - y;
      for (let k = fz - 1; k <= fz + 1; k++) {
        const c = table[(b + k) & 255];
        const dx = dx0 + (c + 0.5) / 256;
        const dy = dy0 + (table[c + 1] + 0.5) / 256;
        const dz = k - z + (table[c + 101] + 0.5) / 256;
        const d2 = dx * dx + dy * dy + dz * dz;
        if (d2 < nearest) nearest = d2;
      }
    }
  }
  return nearest;
}
