// Colored tiles: a picture to lay below ice, so that its refraction is seen.
import type { PngImage } from 'nearfield/io';

const SIDE = 256;
const TILES = 12;
const COLORS = [
  [38, 70, 110],
  [52, 110, 130],
  [180, 120, 70],
  [120, 60, 70],
];

export function coloredTiles(): PngImage {
  const pixels = new Uint8Array(3 * SIDE * SIDE);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const column = Math.floor((TILES * x) / SIDE);
      const row = Math.floor((TILES * y) / SIDE);
      const inside = ((TILES * x) / SIDE) % 1 > 0.06 && ((TILES * y) / SIDE) % 1 > 0.06;
      const color = inside ? COLORS[(column + 3 * row + ((column * row) % 2)) % COLORS.length] : [18, 22, 30];
      pixels.set(color, 3 * (y * SIDE + x));
    }
  }
  return { width: SIDE, height: SIDE, channels: 3, pixels };
}
