// Balls in which a closed surface has no point: all points of one are on the same side. A point within one that was asked
// for before, or whose own ball has that one's center in it, needs no inside test. Exact up to the rounding of distances.

/** Chosen: balls that are kept; searches ask for points near the last few ones. */
const KEPT = 16;

/** Layout: of a ball: its center, the square of its radius without the margin, its side. */
const STRIDE = 5;

/** Rounding: radii count for this much of themselves, which is far more than distances are off. */
const SURE = 0.999;

/** Rounding: balls below this share of the coordinates are not kept: their radii may be rounding alone. */
const MIN_SHARE = 1e-9;

export class KnownBalls {
  readonly #least: number;
  readonly #balls = new Float64Array(STRIDE * KEPT);
  #count = 0;
  #next = 0;

  /** @param scale the largest coordinate of the surface. */
  constructor(scale: number) {
    this.#least = MIN_SHARE * scale;
  }

  get bytes(): number {
    return this.#balls.byteLength;
  }

  /** On which side a point is, at a distance from the surface: -1 inside, 1 outside; 0 where that is not known. */
  sideOf(x: number, y: number, z: number, distance: number): number {
    if (!(distance > this.#least)) return 0;
    const balls = this.#balls;
    const own = (SURE * distance) ** 2;
    for (let at = 0, end = STRIDE * this.#count; at < end; at += STRIDE) {
      const square = (x - balls[at]) ** 2 + (y - balls[at + 1]) ** 2 + (z - balls[at + 2]) ** 2;
      if (square < own || square < balls[at + 3]) return balls[at + 4];
    }
    return 0;
  }

  /** Keeps the side of a point, in place of the oldest one. */
  keep(x: number, y: number, z: number, distance: number, side: number): void {
    if (!(distance > this.#least)) return;
    const at = STRIDE * this.#next;
    this.#balls[at] = x;
    this.#balls[at + 1] = y;
    this.#balls[at + 2] = z;
    this.#balls[at + 3] = (SURE * distance) ** 2;
    this.#balls[at + 4] = side;
    this.#next = (this.#next + 1) % KEPT;
    this.#count = Math.max(this.#count, this.#next === 0 ? KEPT : this.#next);
  }
}
