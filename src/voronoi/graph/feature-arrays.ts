// Features of sites as flat arrays: vertices, open segments and open arcs of at most a quarter of a circle. Each is the
// nearest one only where at most two linear constraints hold, so every region of the diagram is cut by lines it knows.
// Coordinates are local: the box of the diagram has its center at the origin and sides of at most 1.
import { growTo } from '../../core/grow-array.js';

/** Label: kind of a feature: a vertex. */
export const VERTEX = 0;
/** Label: kind of a feature: an open segment. */
export const LINE = 1;
/** Label: kind of a feature: an open arc. */
export const CURVE = 2;

/** Layout: numbers per feature in {@link FeatureArrays.data}. */
export const STRIDE = 16;

/** Layout: offset of a vertex's point, of the unit normal of a segment, or of the center of an arc. */
export const PLACE = 0;
/** Layout: offset of the distance of a segment's line from the origin along its normal, or of the radius of an arc. */
export const SIZE = 2;
/** Layout: offset of 1 / weight. */
export const SCALE = 3;
/** Layout: offset of what is subtracted from the distance after the division. */
export const OFFSET = 4;
/**
 * Layout: offset of the first of two constraints u · p ≥ k as u, k. A feature and its neighbor share the numbers, so
 * that they leave no gap.
 */
export const FIRST = 5;
/** Layout: offset of the second constraint. */
export const SECOND = 8;
/** Layout: offset of the first end of a segment or an arc. */
export const END_A = 11;
/** Layout: offset of its last end. */
export const END_B = 13;

/** Arrays by feature, which grow together. */
export class FeatureArrays {
  kind = new Uint8Array(64);
  data = new Float64Array(64 * STRIDE);
  /** Boundaries separate features of different labels. */
  label = new Int32Array(64);
  site = new Int32Array(64);
  /** The part of the label's sites that is connected and contains the feature. */
  component = new Int32Array(64);
  /** Of a vertex: the open features whose constraints it shares, or -1. Of others: the nodes at their ends. */
  neighborA = new Int32Array(64);
  neighborB = new Int32Array(64);
  /** One more than the highest index in use. */
  end = 0;
  readonly #free: number[] = [];

  /** Features in use. */
  get count(): number {
    return this.end - this.#free.length;
  }

  /** The index of a new feature without constraints. */
  allocate(kind: number): number {
    const index = this.#free.pop() ?? this.end++;
    if (index >= this.kind.length) this.#grow();
    this.kind[index] = kind;
    const at = STRIDE * index;
    this.data.fill(0, at, at + STRIDE);
    this.data[at + SCALE] = 1;
    this.data[at + FIRST + 2] = -1;
    this.data[at + SECOND + 2] = -1;
    this.component[index] = -1;
    this.neighborA[index] = -1;
    this.neighborB[index] = -1;
    return index;
  }

  release(index: number): void {
    this.component[index] = -1;
    this.#free.push(index);
  }

  #grow(): void {
    const length = 2 * this.kind.length;
    this.kind = growTo(this.kind, length);
    this.data = growTo(this.data, length * STRIDE);
    this.label = growTo(this.label, length);
    this.site = growTo(this.site, length);
    this.component = growTo(this.component, length);
    this.neighborA = growTo(this.neighborA, length);
    this.neighborB = growTo(this.neighborB, length);
  }
}

/** The weighted distance from (x, y) to the feature, its constraints ignored. */
export function featureValue(features: FeatureArrays, feature: number, x: number, y: number): number {
  const { data } = features;
  const at = STRIDE * feature;
  const kind = features.kind[feature];
  let distance: number;
  if (kind === LINE) distance = Math.abs(data[at] * x + data[at + 1] * y - data[at + SIZE]);
  else {
    const dx = x - data[at];
    const dy = y - data[at + 1];
    distance = Math.sqrt(dx * dx + dy * dy);
    if (kind === CURVE) distance = Math.abs(distance - data[at + SIZE]);
  }
  return distance * data[at + SCALE] - data[at + OFFSET];
}

/** By how far the point breaks the feature's constraints; not positive where they hold. */
export function featureExcess(features: FeatureArrays, feature: number, x: number, y: number): number {
  const { data } = features;
  const at = STRIDE * feature;
  const first = data[at + FIRST + 2] - data[at + FIRST] * x - data[at + FIRST + 1] * y;
  const second = data[at + SECOND + 2] - data[at + SECOND] * x - data[at + SECOND + 1] * y;
  return Math.max(first, second);
}

/** The weighted distance from (x, y) to the feature with its ends: what {@link featureValue} is where constraints hold. */
export function closedValue(features: FeatureArrays, feature: number, x: number, y: number): number {
  if (features.kind[feature] === VERTEX || featureExcess(features, feature, x, y) <= 0) {
    return featureValue(features, feature, x, y);
  }
  const { data } = features;
  const at = STRIDE * feature;
  const ax = x - data[at + END_A];
  const ay = y - data[at + END_A + 1];
  const bx = x - data[at + END_B];
  const by = y - data[at + END_B + 1];
  return Math.sqrt(Math.min(ax * ax + ay * ay, bx * bx + by * by)) * data[at + SCALE] - data[at + OFFSET];
}

/** Writes the gradient of {@link featureValue}. */
export function featureGradient(
  features: FeatureArrays,
  feature: number,
  x: number,
  y: number,
  out: Float64Array,
): void {
  const { data } = features;
  const at = STRIDE * feature;
  const kind = features.kind[feature];
  let scale = data[at + SCALE];
  if (kind === LINE) {
    if (data[at] * x + data[at + 1] * y < data[at + SIZE]) scale = -scale;
    out[0] = scale * data[at];
    out[1] = scale * data[at + 1];
    return;
  }
  const dx = x - data[at];
  const dy = y - data[at + 1];
  const length = Math.sqrt(dx * dx + dy * dy);
  if (kind === CURVE && length < data[at + SIZE]) scale = -scale;
  if (length === 0) {
    out[0] = 0;
    out[1] = 0;
    return;
  }
  out[0] = (scale * dx) / length;
  out[1] = (scale * dy) / length;
}

/** The second derivative of {@link featureValue} along a line on which its first one is `rise`. */
export function featureBend(features: FeatureArrays, feature: number, x: number, y: number, rise: number): number {
  const { data } = features;
  const at = STRIDE * feature;
  if (features.kind[feature] === LINE) return 0;
  const length = Math.hypot(x - data[at], y - data[at + 1]);
  if (length === 0) return 0;
  const scale = data[at + SCALE];
  const bend = (scale * scale - rise * rise) / (scale * length);
  return features.kind[feature] === CURVE && length < data[at + SIZE] ? -bend : bend;
}

/** Writes what {@link featureValue} and {@link featureGradient} give, in this order. */
export function featureJet(features: FeatureArrays, feature: number, x: number, y: number, out: Float64Array): void {
  const { data } = features;
  const at = STRIDE * feature;
  const kind = features.kind[feature];
  let scale = data[at + SCALE];
  let distance: number;
  let gx = data[at];
  let gy = data[at + 1];
  if (kind === LINE) distance = gx * x + gy * y - data[at + SIZE];
  else {
    gx = x - gx;
    gy = y - gy;
    distance = Math.sqrt(gx * gx + gy * gy);
    if (distance > 0) {
      gx /= distance;
      gy /= distance;
    }
    if (kind === CURVE) distance -= data[at + SIZE];
  }
  out[0] = Math.abs(distance) * scale - data[at + OFFSET];
  if (distance < 0) scale = -scale;
  out[1] = scale * gx;
  out[2] = scale * gy;
}

/**
 * The feature nearest by {@link closedValue}, of part of a list. At a tie it is one whose constraints hold, then a vertex,
 * since the distance to a vertex is right beyond its constraints too; rounding may break the constraints of all. Returns
 * -1 for an empty list.
 */
export function nearestOf(
  features: FeatureArrays,
  list: Int32Array,
  from: number,
  to: number,
  x: number,
  y: number,
): number {
  const { data, kind } = features;
  let best = -1;
  let least = Infinity;
  for (let i = from; i < to; i++) {
    const feature = list[i];
    const at = STRIDE * feature;
    const inside =
      data[at + FIRST + 2] - data[at + FIRST] * x - data[at + FIRST + 1] * y <= 0 &&
      data[at + SECOND + 2] - data[at + SECOND] * x - data[at + SECOND + 1] * y <= 0;
    let distance: number;
    let penalty = 0;
    if (inside && kind[feature] === LINE) distance = Math.abs(data[at] * x + data[at + 1] * y - data[at + SIZE]);
    else if (inside || kind[feature] === VERTEX) {
      if (!inside) penalty = 5e-14;
      const dx = x - data[at];
      const dy = y - data[at + 1];
      distance = Math.sqrt(dx * dx + dy * dy);
      if (kind[feature] === CURVE) distance = Math.abs(distance - data[at + SIZE]);
    } else {
      const ax = x - data[at + END_A];
      const ay = y - data[at + END_A + 1];
      const bx = x - data[at + END_B];
      const by = y - data[at + END_B + 1];
      distance = Math.sqrt(Math.min(ax * ax + ay * ay, bx * bx + by * by));
      penalty = 1e-13;
    }
    const value = distance * data[at + SCALE] - data[at + OFFSET] + penalty;
    if (value < least) {
      least = value;
      best = feature;
    }
  }
  return best;
}

/** Writes the point of the feature with its ends that is nearest to (x, y). */
export function featureFoot(features: FeatureArrays, feature: number, x: number, y: number, out: Float64Array): void {
  const { data } = features;
  const at = STRIDE * feature;
  const kind = features.kind[feature];
  if (kind !== VERTEX && featureExcess(features, feature, x, y) > 0) {
    nearerEnd(data, at, x, y, out);
    return;
  }
  if (kind === LINE) {
    const distance = data[at] * x + data[at + 1] * y - data[at + SIZE];
    out[0] = x - distance * data[at];
    out[1] = y - distance * data[at + 1];
    return;
  }
  out[0] = data[at];
  out[1] = data[at + 1];
  if (kind !== CURVE) return;
  const dx = x - data[at];
  const dy = y - data[at + 1];
  const length = Math.sqrt(dx * dx + dy * dy);
  const scale = length === 0 ? 0 : data[at + SIZE] / length;
  out[0] += scale * dx;
  out[1] += scale * dy;
  // Beside the center, where all points of the arc are equally near, rounding decides the direction.
  if (length === 0 || featureExcess(features, feature, out[0], out[1]) > 0) nearerEnd(data, at, out[0], out[1], out);
}

function nearerEnd(data: Float64Array, at: number, x: number, y: number, out: Float64Array): void {
  const toA = Math.hypot(x - data[at + END_A], y - data[at + END_A + 1]);
  const toB = Math.hypot(x - data[at + END_B], y - data[at + END_B + 1]);
  const end = at + (toA <= toB ? END_A : END_B);
  out[0] = data[end];
  out[1] = data[end + 1];
}
