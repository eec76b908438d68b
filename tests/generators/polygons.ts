import fc from 'fast-check';

/** Uniform in [0, 1]; fast-check's doubles are uniform in their bits, so most would be next to nothing. */
export const share = fc.nat(2 ** 30).map((value) => value / 2 ** 30);

/** Radii and jitter of the corners of a star-shaped ring. */
const corners = (minLength: number, maxLength: number) => fc.array(fc.tuple(share, share), { minLength, maxLength });

/**
 * Star-shaped outlines with up to nine holes, star-shaped too, in the middle. The outline keeps clear of radius 0.75:
 * eight corners or more, at radius 1 or beyond, at most 1.8 eighths of a turn apart.
 */
export const starPolygons: fc.Arbitrary<number[][]> = fc
  .record({
    outline: corners(8, 40),
    holes: fc.array(fc.option(corners(3, 9), { nil: null, freq: 2 }), { minLength: 9, maxLength: 9 }),
  })
  .map(({ outline, holes }) => {
    const rings = [starRing(0, 0, outline, 1, 3)];
    holes.forEach((hole, cell) => {
      if (hole !== null)
        rings.push(starRing(0.4 * ((cell % 3) - 1), 0.4 * (Math.floor(cell / 3) - 1), hole, 0.05, 0.18));
    });
    return rings;
  });

function starRing(x: number, y: number, parts: [number, number][], low: number, high: number): number[] {
  return parts.flatMap(([radiusShare, jitter], i) => {
    const angle = (2 * Math.PI * (i + 0.8 * (jitter - 0.5))) / parts.length;
    const radius = low + (high - low) * radiusShare;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

/** Closed chains between points of a small grid: crossings, touches, folds and flat corners are all common. */
export const gridRings: fc.Arbitrary<number[]> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })), { minLength: 3, maxLength: 7 })
  .map((points) => points.flat())
  .filter((ring) => !hasRepeatedNeighbor(ring));

/** Rectangular outlines on an integer grid with square holes in rows and columns: flat corners and ties everywhere. */
export const gridPlates: fc.Arbitrary<number[][]> = fc
  .record({
    columns: fc.integer({ min: 1, max: 4 }),
    rows: fc.integer({ min: 1, max: 4 }),
    filled: fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
    step: fc.constantFrom(1, 2),
  })
  .map(({ columns, rows, filled, step }) => {
    const rings = [square(0, 0, 4 * columns + 4, 4 * rows + 4, step)];
    for (let i = 0; i < columns; i++) {
      for (let j = 0; j < rows; j++) {
        if (!filled[4 * j + i]) rings.push(square(4 * i + 3, 4 * j + 3, 2, 2, step));
      }
    }
    return rings;
  });

function square(x: number, y: number, width: number, height: number, step: number): number[] {
  const ring: number[] = [];
  for (let i = 0; i < width; i += step) ring.push(x + i, y);
  for (let i = 0; i < height; i += step) ring.push(x + width, y + i);
  for (let i = 0; i < width; i += step) ring.push(x + width - i, y + height);
  for (let i = 0; i < height; i += step) ring.push(x, y + height - i);
  return ring;
}

function hasRepeatedNeighbor(ring: number[]): boolean {
  const count = ring.length;
  for (let i = 0; i < count; i += 2) {
    const j = (i + 2) % count;
    if (ring[i] === ring[j] && ring[i + 1] === ring[j + 1]) return true;
  }
  return false;
}
