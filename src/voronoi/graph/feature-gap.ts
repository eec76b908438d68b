// The difference of two features' distances, whose zeros are their boundary.
import { type FeatureArrays, FIRST, featureJet, SECOND, STRIDE, VERTEX } from './feature-arrays.js';

/**
 * Rounding: two open features that meet at a smaller angle than this, from straight, are separated by their common
 * constraint; radians.
 */
const SMOOTH_ANGLE = 1e-7;

/** The difference of two features' distances and its gradient. Its zeros are their boundary. */
export class FeatureGap {
  value = 0;
  gx = 0;
  gy = 0;
  readonly #features: FeatureArrays;
  readonly #first = new Float64Array(3);
  readonly #second = new Float64Array(3);
  #f = -1;
  #g = -1;
  /** Where the constraint that they share is in the data: positive if it is f's, negative if it is g's, 0 without one. */
  #shared = 0;

  constructor(features: FeatureArrays) {
    this.#features = features;
  }

  /**
   * Takes how much farther f is than g. Features that share a constraint tie beyond it, so their boundary is where it
   * ends, and the difference is that to its line.
   */
  take(f: number, g: number, x: number, y: number): void {
    this.choose(f, g);
    this.takeAt(x, y);
  }

  /** Sets the features of {@link takeAt}. */
  choose(f: number, g: number): void {
    this.#f = f;
    this.#g = g;
    this.#shared = this.#sharedConstraint(f, g);
  }

  takeAt(x: number, y: number): void {
    const shared = this.#shared;
    if (shared !== 0) {
      const { data } = this.#features;
      const at = Math.abs(shared);
      const sign = shared < 0 ? -1 : 1;
      this.value = sign * (data[at + 2] - data[at] * x - data[at + 1] * y);
      this.gx = -sign * data[at];
      this.gy = -sign * data[at + 1];
      return;
    }
    const first = this.#first;
    const second = this.#second;
    featureJet(this.#features, this.#f, x, y, first);
    featureJet(this.#features, this.#g, x, y, second);
    this.value = first[0] - second[0];
    this.gx = first[1] - second[1];
    this.gy = first[2] - second[2];
  }

  /** Whether the boundary of the features is where a constraint ends that they share. */
  sharesConstraint(f: number, g: number): boolean {
    return this.#sharedConstraint(f, g) !== 0;
  }

  /** Where the constraint that the features share is in their data; 0 without one. */
  constraint(f: number, g: number): number {
    return Math.abs(this.#sharedConstraint(f, g));
  }

  #sharedConstraint(f: number, g: number): number {
    const { kind, neighborA, neighborB } = this.#features;
    if (kind[f] === VERTEX) {
      if (kind[g] === VERTEX) return 0;
      if (neighborA[f] === g) return STRIDE * f + FIRST;
      return neighborB[f] === g ? STRIDE * f + SECOND : 0;
    }
    if (kind[g] === VERTEX) {
      if (neighborA[g] === f) return -(STRIDE * g + FIRST);
      return neighborB[g] === f ? -(STRIDE * g + SECOND) : 0;
    }
    const fa = neighborA[f];
    const fb = neighborB[f];
    const ga = neighborA[g];
    const gb = neighborB[g];
    if (fa === ga) return this.#ifSmooth(STRIDE * f + FIRST, STRIDE * g + FIRST);
    if (fa === gb) return this.#ifSmooth(STRIDE * f + FIRST, STRIDE * g + SECOND);
    if (fb === ga) return this.#ifSmooth(STRIDE * f + SECOND, STRIDE * g + FIRST);
    if (fb === gb) return this.#ifSmooth(STRIDE * f + SECOND, STRIDE * g + SECOND);
    return 0;
  }

  #ifSmooth(f: number, g: number): number {
    const { data } = this.#features;
    return Math.abs(data[f] + data[g]) + Math.abs(data[f + 1] + data[g + 1]) < SMOOTH_ANGLE ? f : 0;
  }
}
