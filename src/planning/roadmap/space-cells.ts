// Divides space into cubes, coarse ones first, as far as a robot may find narrow places in them: one distance in the middle
// of a cube tells whether all of it is wide, or none of it passable, since distances change no faster than one moves.
import type { Random } from '../../core/random.js';
import type { Vec3 } from '../../core/vec3.js';
import type { ClearanceMap } from '../workspace/clearance-map.js';
import type { PassageWidths } from './medial-points.js';

/** Chosen: the most cubes that are made. */
const MAX_CELLS = 200_000;

/** Chosen: the size of the smallest cubes, as a share of the least clearance. */
const FINEST = 1;

/** Chosen: the size of the smallest cubes where there is no least clearance, as a share of the wide one. */
const FINEST_OF_WIDE = 1 / 8;

export class SpaceCells {
  /** The middle of the last cube. */
  readonly middle: Vec3 = [0, 0, 0];
  readonly #map: ClearanceMap;
  readonly #widths: PassageWidths;
  readonly #finest: number;
  /** The cubes of this level, in random order, and those of the next: middles, three numbers each. */
  #now: number[] = [];
  #next: number[] = [];
  #half: number;
  #count = 0;
  /** Cubes that are wide everywhere: middle and half a side, and the sums of their volumes. */
  readonly #wide: number[] = [];
  readonly #volumes: number[] = [];

  constructor(map: ClearanceMap, widths: PassageWidths) {
    this.#map = map;
    this.#widths = widths;
    this.#finest = Math.max(FINEST * widths.least, FINEST_OF_WIDE * widths.wide);
    this.#half = 0;
    for (const k of widths.axes) this.#half = Math.max(this.#half, (widths.max[k] - widths.min[k]) / 2);
    for (let k = 0; k < 3; k++) this.#now.push((widths.min[k] + widths.max[k]) / 2);
  }

  /** Whether there are no more cubes to look at. */
  get isDone(): boolean {
    return this.#now.length === 0 && this.#next.length === 0;
  }

  get wideCount(): number {
    return this.#volumes.length;
  }

  /** Looks at the next cube: 'mixed' ones may have passages, and are split. */
  step(random: Random): 'wide' | 'mixed' | 'blocked' {
    const { axes, least, wide } = this.#widths;
    if (this.#now.length === 0) this.#descend(random);
    const at = this.#now.length - 3;
    for (let k = 0; k < 3; k++) this.middle[k] = this.#now[at + k];
    this.#now.length = at;
    const clearance = this.#map.at(this.middle);
    const radius = this.#half * Math.sqrt(axes.length);
    if (clearance + radius < least || !this.#meetsSpace()) return 'blocked';
    if (clearance - radius > wide) {
      this.#wide.push(...this.middle, this.#half);
      this.#volumes.push((this.#volumes.at(-1) ?? 0) + (2 * this.#half) ** axes.length);
      return 'wide';
    }
    if (this.#half > this.#finest && this.#count < MAX_CELLS) this.#split();
    return 'mixed';
  }

  /** Writes a random point of the last cube: its middle may be in the middle of a passage, where nothing leads out. */
  randomPoint(random: Random, out: Vec3): void {
    for (let k = 0; k < 3; k++) out[k] = this.middle[k];
    for (const k of this.#widths.axes) out[k] += random.range(-this.#half, this.#half);
  }

  /** Writes a random point of the cubes that are wide. */
  widePoint(random: Random, out: Vec3): void {
    const volumes = this.#volumes;
    const aim = random.range(0, volumes[volumes.length - 1]);
    let [low, high] = [0, volumes.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (volumes[middle] > aim) high = middle;
      else low = middle + 1;
    }
    const half = this.#wide[4 * low + 3];
    for (let k = 0; k < 3; k++) out[k] = this.#wide[4 * low + k];
    for (const k of this.#widths.axes) out[k] += random.range(-half, half);
  }

  #descend(random: Random): void {
    const order = random.shuffle(Array.from({ length: this.#next.length / 3 }, (_, i) => i));
    for (const i of order) this.#now.push(this.#next[3 * i], this.#next[3 * i + 1], this.#next[3 * i + 2]);
    this.#next = [];
    this.#half /= 2;
  }

  #split(): void {
    const { axes } = this.#widths;
    for (let i = 0; i < 1 << axes.length; i++) {
      const corner: Vec3 = [...this.middle];
      for (const [j, k] of axes.entries()) corner[k] += ((i >> j) & 1 ? 0.5 : -0.5) * this.#half;
      this.#next.push(...corner);
      this.#count++;
    }
  }

  /** Whether any part of the cube is where points may be. */
  #meetsSpace(): boolean {
    const { min, max, axes } = this.#widths;
    return axes.every((k) => this.middle[k] + this.#half > min[k] && this.middle[k] - this.#half < max[k]);
  }
}
