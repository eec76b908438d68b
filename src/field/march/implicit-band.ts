// The band of an implicit shape: distances to the zero set of a function, which need not be a distance, at the nodes
// around the sign changes. Steps along the gradient and along the surface find the nearest point (after Chopp 2001) to
// about 1e-8 spacings if the function is smooth, which preserves the order of the march. At creases, and on the far
// side of thin walls, the point found may not be the nearest: there the distance can be too long, never too short.
import { NearfieldError } from '../../core/errors.js';
import type { ImplicitShape } from '../../mesh/implicit/implicit-shape.js';
import { type GridFrame, gridNodeCount } from '../grid.js';
import { sampleFunction } from '../read/sample-function.js';

/** Rounding: half the span of a central difference, in spacings: its error and that of rounding are both below 1e-8. */
const GRADIENT_STEP = 1e-4;
/** Rounding: steps stop when the point moves less than this, in spacings. */
const STILL = 1e-10;
/** Chosen: a point farther from the surface than this, in spacings, is not on it. */
const ON_SURFACE = 1e-7;
/** Chosen: the steps of a descent; one that needs more has not converged. */
const MAX_STEPS = 24;

/**
 * Distances, negative inside, at the nodes at most `width` from the surface and next to it.
 * @throws NearfieldError `non-finite` if the function returns NaN, `bad-argument` if it does not change sign.
 */
export function implicitBand(shape: ImplicitShape, frame: GridFrame, width: number): Float64Array {
  const { lipschitz } = shape;
  if (!(lipschitz > 0 && lipschitz < Infinity)) {
    throw new NearfieldError(
      'bad-argument',
      `The Lipschitz bound of the shape is ${lipschitz}; give a positive number, 1 for a distance.`,
    );
  }
  const { values: samples } = sampleFunction(frame, (x, y, z) => shape.value(x, y, z));
  const { origin, spacing, size } = frame;
  const values = new Float64Array(gridNodeCount(frame));
  for (let node = 0; node < values.length; node++) values[node] = samples[node] < 0 ? -Infinity : Infinity;
  const steps = findSteps(samples, frame);
  const near = growMarks(steps, frame, Math.ceil(width / spacing) + 1);
  const search = new NearestOnImplicit(shape, spacing, size[2] > 1);
  const reach = lipschitz * width;
  for (let k = 0, node = 0; k < size[2]; k++) {
    for (let j = 0; j < size[1]; j++) {
      for (let i = 0; i < size[0]; i++, node++) {
        if (near[node] === 0 || (steps[node] === 0 && Math.abs(samples[node]) > reach)) continue;
        const x = origin[0] + spacing * i;
        const y = origin[1] + spacing * j;
        const z = origin[2] + spacing * k;
        let distance = search.distance(x, y, z, samples[node]);
        if (steps[node] !== 0 && !(distance <= spacing)) {
          distance = Math.min(distance, search.alongEdges(x, y, z, samples[node], steps[node]));
        }
        if (distance <= width) values[node] = samples[node] < 0 ? -distance : distance;
      }
    }
  }
  return values;
}

/** By node: one bit for each neighbor (−x, +x, −y, …) on the other side of the surface. */
function findSteps(samples: Float64Array, { size }: GridFrame): Uint8Array {
  const [nx, ny, nz] = size;
  const strides = [1, nx, nx * ny];
  const steps = new Uint8Array(samples.length);
  let found = false;
  for (let k = 0, node = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, node++) {
        const isInside = samples[node] < 0;
        for (let axis = 0; axis < 3; axis++) {
          const next = node + strides[axis];
          if (
            (axis === 0 ? i + 1 === nx : axis === 1 ? j + 1 === ny : k + 1 === nz) ||
            samples[next] < 0 === isInside
          ) {
            continue;
          }
          steps[node] |= 2 << (2 * axis);
          steps[next] |= 1 << (2 * axis);
          found = true;
        }
      }
    }
  }
  if (!found) {
    throw new NearfieldError(
      'bad-argument',
      'The function of the shape does not change its sign between any two nodes; place the grid on its surface, or make it finer.',
    );
  }
  return steps;
}

/** The marked nodes and all nodes at most `count` away from one along every axis: one axis after the other. */
function growMarks(marks: Uint8Array, { size }: GridFrame, count: number): Uint8Array {
  const strides = [1, size[0], size[0] * size[1]];
  let from = marks;
  for (let axis = 0; axis < 3; axis++) {
    const length = size[axis];
    const stride = strides[axis];
    const grown = new Uint8Array(from.length);
    for (let node = 0; node < from.length; node++) {
      if (from[node] === 0) continue;
      const at = Math.floor(node / stride) % length;
      const last = Math.min(length - 1, at + count);
      for (let i = Math.max(0, at - count); i <= last; i++) grown[node + (i - at) * stride] = 1;
    }
    from = grown;
  }
  return from;
}

/** Searches for the point of a zero set nearest to a point; in the plane it keeps z. */
class NearestOnImplicit {
  readonly #shape: ImplicitShape;
  readonly #spacing: number;
  readonly #spatial: boolean;
  /** The gradient from the last `#differentiate`. */
  #gx = 0;
  #gy = 0;
  #gz = 0;
  /** Whether the last descent converged. */
  #settled = false;

  constructor(shape: ImplicitShape, spacing: number, spatial: boolean) {
    this.#shape = shape;
    this.#spacing = spacing;
    this.#spatial = spatial;
  }

  /** The distance to the best point found, Infinity if none is on the surface. */
  distance(x: number, y: number, z: number, value: number): number {
    if (value === 0) return 0;
    const distance = this.#descend(x, y, z, value, true);
    return this.#settled ? distance : Math.min(distance, this.#descend(x, y, z, value, false));
  }

  /** The least distance to the zeros on the grid edges to the neighbors in the bits of `steps`. */
  alongEdges(x: number, y: number, z: number, value: number, steps: number): number {
    let least = Infinity;
    for (let bit = 0; bit < 6; bit++) {
      if ((steps & (1 << bit)) === 0) continue;
      const axis = bit >> 1;
      const length = (bit & 1) === 1 ? this.#spacing : -this.#spacing;
      let low = 0;
      let high = 1;
      // Bisection: the function may have any shape in between, and this is for the few nodes where descent failed.
      for (let i = 0; i < 40; i++) {
        const middle = (low + high) / 2;
        const step = middle * length;
        const there = this.#shape.value(
          axis === 0 ? x + step : x,
          axis === 1 ? y + step : y,
          axis === 2 ? z + step : z,
        );
        if (there < 0 === value < 0) low = middle;
        else high = middle;
      }
      least = Math.min(least, high * this.#spacing);
    }
    return least;
  }

  /** Newton steps to the surface; if `tangential`, each followed by one along it toward the foot of the point. */
  #descend(x: number, y: number, z: number, value: number, tangential: boolean): number {
    const spacing = this.#spacing;
    const still = STILL * spacing;
    let px = x;
    let py = y;
    let pz = z;
    let f = value;
    this.#settled = false;
    for (let step = 0; step < MAX_STEPS; step++) {
      this.#differentiate(px, py, pz);
      const gx = this.#gx;
      const gy = this.#gy;
      const gz = this.#gz;
      const square = gx * gx + gy * gy + gz * gz;
      if (!(square > 0 && square < Infinity)) return Infinity;
      let along = f / square;
      let mx = -along * gx;
      let my = -along * gy;
      let mz = -along * gz;
      if (tangential) {
        const rx = x - px;
        const ry = y - py;
        const rz = z - pz;
        along = (rx * gx + ry * gy + rz * gz) / square;
        mx += rx - along * gx;
        my += ry - along * gy;
        mz += rz - along * gz;
      }
      px += mx;
      py += my;
      pz += mz;
      f = this.#shape.value(px, py, pz);
      this.#settled = Math.abs(mx) + Math.abs(my) + Math.abs(mz) <= still;
      if (this.#settled || (!tangential && f === 0)) break;
    }
    const slope = Math.hypot(this.#gx, this.#gy, this.#gz);
    return Math.abs(f) <= ON_SURFACE * spacing * slope ? Math.hypot(x - px, y - py, z - pz) : Infinity;
  }

  #differentiate(x: number, y: number, z: number): void {
    const shape = this.#shape;
    const d = GRADIENT_STEP * this.#spacing;
    this.#gx = (shape.value(x + d, y, z) - shape.value(x - d, y, z)) / (2 * d);
    this.#gy = (shape.value(x, y + d, z) - shape.value(x, y - d, z)) / (2 * d);
    this.#gz = this.#spatial ? (shape.value(x, y, z + d) - shape.value(x, y, z - d)) / (2 * d) : 0;
  }
}
