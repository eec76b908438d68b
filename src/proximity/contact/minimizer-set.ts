// All pairs of points at which two triangles are nearest. They all differ by the same vector, so the set is the overlap
// of the highest features of the two, seen along it: a point, a segment or a convex polygon of at most six corners.
// Found in the plane perpendicular to the normal by clipping (Sutherland and Hodgman 1974).

/** Chosen: sets thinner than this many times the reach are treated as lower-dimensional. */
const THIN_REACHES = 16;
/** Chosen: two edges are parallel if the sine of their angle is up to this, as PARALLEL_SLOPE has it for features. */
const PARALLEL_SINE = 1e-9;
/** Proven: room for a clipped polygon: each of three cuts adds at most one corner to three, and two are spare. */
const CAPACITY = 8;

/** The minimizers of one pair of triangles, by their points on A. Overwritten by each call. */
export class MinimizerSet {
  /** 0 for a point, 1 for a segment, 2 for a polygon. */
  dimension = 0;
  /** Corners in {@link points}: 1, 2, or at least 3. */
  count = 1;
  /** x, y, z of each corner, around the polygon. */
  readonly points = new Float64Array(3 * CAPACITY);
  /** The center of mass, which is a point of the relative interior. */
  readonly center = new Float64Array(3);
  /** Length or area; 0 for a point. */
  measure = 0;
  readonly #flatA = new Float64Array(2 * CAPACITY);
  readonly #flatB = new Float64Array(2 * CAPACITY);
  readonly #flat = new Float64Array(2 * CAPACITY);
  /** Two unit vectors perpendicular to the normal. */
  readonly #basis = new Float64Array(6);

  /**
   * Takes scalars, for inner loops.
   * @param levelA the corners of `p`, as bits, that are as high along the unit vector (nx, ny, nz) as `origin`: the
   * point of triangle `p` nearest to triangle `q`.
   * @param reach lengths up to this are rounding.
   */
  find(
    p: Float64Array,
    levelA: number,
    q: Float64Array,
    levelB: number,
    origin: Float64Array,
    nx: number,
    ny: number,
    nz: number,
    reach: number,
  ): void {
    this.#takePoint(origin);
    if ((levelA & (levelA - 1)) === 0 || (levelB & (levelB - 1)) === 0) return;
    this.#alignBasis(nx, ny, nz);
    const countA = dropFlatTriangle(this.#flatA, this.#project(p, levelA, origin, this.#flatA), reach);
    const countB = dropFlatTriangle(this.#flatB, this.#project(q, levelB, origin, this.#flatB), reach);
    let count = 0;
    if (countB === 3) count = this.#clip(this.#flatA, countA, this.#flatB, reach);
    else if (countA === 3) count = this.#clip(this.#flatB, countB, this.#flatA, reach);
    else count = overlapSegments(this.#flatA, this.#flatB, reach, this.#flat);
    this.#reduce(count, origin, reach);
  }

  #takePoint(origin: Float64Array): void {
    this.dimension = 0;
    this.count = 1;
    this.measure = 0;
    for (let k = 0; k < 3; k++) this.points[k] = this.center[k] = origin[k];
  }

  #alignBasis(nx: number, ny: number, nz: number): void {
    const basis = this.#basis;
    // Perpendicular to the axis along which the normal is smallest.
    const x = Math.abs(nx);
    const y = Math.abs(ny);
    const z = Math.abs(nz);
    let ux = 0;
    let uy = 0;
    let uz = 0;
    if (x <= y && x <= z) {
      uy = nz;
      uz = -ny;
    } else if (y <= z) {
      ux = -nz;
      uz = nx;
    } else {
      ux = ny;
      uy = -nx;
    }
    const size = Math.sqrt(ux * ux + uy * uy + uz * uz);
    basis[0] = ux / size;
    basis[1] = uy / size;
    basis[2] = uz / size;
    basis[3] = ny * basis[2] - nz * basis[1];
    basis[4] = nz * basis[0] - nx * basis[2];
    basis[5] = nx * basis[1] - ny * basis[0];
  }

  #project(corners: Float64Array, level: number, origin: Float64Array, out: Float64Array): number {
    const basis = this.#basis;
    let count = 0;
    for (let k = 0; k < 3; k++) {
      if (((level >> k) & 1) === 0) continue;
      const x = corners[3 * k] - origin[0];
      const y = corners[3 * k + 1] - origin[1];
      const z = corners[3 * k + 2] - origin[2];
      out[2 * count] = x * basis[0] + y * basis[1] + z * basis[2];
      out[2 * count + 1] = x * basis[3] + y * basis[4] + z * basis[5];
      count++;
    }
    return count;
  }

  /** Clips a segment or triangle by a triangle grown by `reach`; writes `flat`. Overwrites its first argument. */
  #clip(subject: Float64Array, count: number, triangle: Float64Array, reach: number): number {
    const sign = doubleArea(triangle) < 0 ? -1 : 1;
    let from: Float64Array = subject;
    let into: Float64Array = this.#flat;
    for (let k = 0; k < 3 && count > 0; k++) {
      const i = 2 * k;
      const j = k === 2 ? 0 : i + 2;
      const ex = triangle[j] - triangle[i];
      const ey = triangle[j + 1] - triangle[i + 1];
      const share = sign / Math.hypot(ex, ey);
      let kept = 0;
      let last = 2 * (count - 1);
      let lastHeight = share * (ex * (from[last + 1] - triangle[i + 1]) - ey * (from[last] - triangle[i])) + reach;
      for (let c = 0; c < 2 * count; c += 2) {
        const height = share * (ex * (from[c + 1] - triangle[i + 1]) - ey * (from[c] - triangle[i])) + reach;
        if (height < 0 !== lastHeight < 0) {
          const t = lastHeight / (lastHeight - height);
          into[kept++] = from[last] + t * (from[c] - from[last]);
          into[kept++] = from[last + 1] + t * (from[c + 1] - from[last + 1]);
        }
        if (height >= 0) {
          into[kept++] = from[c];
          into[kept++] = from[c + 1];
        }
        last = c;
        lastHeight = height;
      }
      count = kept / 2;
      const spare = from;
      from = into;
      into = spare;
    }
    if (from !== this.#flat) for (let i = 0; i < 2 * count; i++) this.#flat[i] = from[i];
    return count;
  }

  /** Determines the dimension that the corners in `flat` span, and lifts them. */
  #reduce(count: number, origin: Float64Array, reach: number): void {
    const flat = this.#flat;
    let longest = 0;
    let from = 0;
    let to = 0;
    for (let i = 0; i < 2 * count; i += 2) {
      for (let j = i + 2; j < 2 * count; j += 2) {
        const squared = (flat[j] - flat[i]) ** 2 + (flat[j + 1] - flat[i + 1]) ** 2;
        if (squared <= longest) continue;
        longest = squared;
        from = i;
        to = j;
      }
    }
    const size = Math.sqrt(longest);
    if (!(size > THIN_REACHES * reach)) return;
    const ux = (flat[to] - flat[from]) / size;
    const uy = (flat[to + 1] - flat[from + 1]) / size;
    let low = 0;
    let high = 0;
    for (let i = 0; i < 2 * count; i += 2) {
      const aside = ux * (flat[i + 1] - flat[from + 1]) - uy * (flat[i] - flat[from]);
      low = Math.min(low, aside);
      high = Math.max(high, aside);
    }
    if (high - low <= THIN_REACHES * reach) {
      this.dimension = 1;
      this.count = 2;
      this.measure = size;
      const fromU = flat[from];
      const fromV = flat[from + 1];
      this.#lift(fromU, fromV, origin, this.points, 0);
      this.#lift(flat[to], flat[to + 1], origin, this.points, 3);
      this.#lift((fromU + flat[to]) / 2, (fromV + flat[to + 1]) / 2, origin, this.center, 0);
      return;
    }
    let area = 0;
    let sumU = 0;
    let sumV = 0;
    for (let i = 2; i < 2 * count - 2; i += 2) {
      const au = flat[i] - flat[0];
      const av = flat[i + 1] - flat[1];
      const bu = flat[i + 2] - flat[0];
      const bv = flat[i + 3] - flat[1];
      const piece = Math.abs(au * bv - av * bu) / 2;
      area += piece;
      sumU += (piece * (au + bu)) / 3;
      sumV += (piece * (av + bv)) / 3;
    }
    this.dimension = 2;
    this.count = count;
    this.measure = area;
    for (let i = 0; i < count; i++) this.#lift(flat[2 * i], flat[2 * i + 1], origin, this.points, 3 * i);
    this.#lift(flat[0] + sumU / area, flat[1] + sumV / area, origin, this.center, 0);
  }

  #lift(u: number, v: number, origin: Float64Array, out: Float64Array, at: number): void {
    const basis = this.#basis;
    for (let k = 0; k < 3; k++) out[at + k] = origin[k] + u * basis[k] + v * basis[3 + k];
  }
}

function doubleArea(t: Float64Array): number {
  return (t[2] - t[0]) * (t[5] - t[1]) - (t[3] - t[1]) * (t[4] - t[0]);
}

/** Reduces a triangle no higher than `reach` to its longest edge. Returns the number of corners left. */
function dropFlatTriangle(t: Float64Array, count: number, reach: number): number {
  if (count < 3) return count;
  let longest = 0;
  let first = 0;
  for (let k = 0; k < 3; k++) {
    const next = (k + 1) % 3;
    const squared = (t[2 * next] - t[2 * k]) ** 2 + (t[2 * next + 1] - t[2 * k + 1]) ** 2;
    if (squared <= longest) continue;
    longest = squared;
    first = k;
  }
  if (Math.abs(doubleArea(t)) > reach * Math.sqrt(longest)) return 3;
  const next = (first + 1) % 3;
  const [u, v, x, y] = [t[2 * first], t[2 * first + 1], t[2 * next], t[2 * next + 1]];
  t[0] = u;
  t[1] = v;
  t[2] = x;
  t[3] = y;
  return 2;
}

/** Writes the two ends of the overlap of two collinear segments, and returns 2; 0 if they are not collinear. */
function overlapSegments(a: Float64Array, b: Float64Array, reach: number, out: Float64Array): number {
  const ux = a[2] - a[0];
  const uy = a[3] - a[1];
  const vx = b[2] - b[0];
  const vy = b[3] - b[1];
  const sizeA = Math.hypot(ux, uy);
  const sizeB = Math.hypot(vx, vy);
  if (!(sizeA > 0 && sizeB > 0)) return 0;
  const sine = Math.abs(ux * vy - uy * vx) / (sizeA * sizeB);
  if (sine > PARALLEL_SINE && sine * Math.min(sizeA, sizeB) > reach) return 0;
  const startB = ((b[0] - a[0]) * ux + (b[1] - a[1]) * uy) / sizeA;
  const endB = ((b[2] - a[0]) * ux + (b[3] - a[1]) * uy) / sizeA;
  const from = Math.max(0, Math.min(startB, endB));
  const to = Math.min(sizeA, Math.max(startB, endB));
  if (!(to > from)) return 0;
  out[0] = a[0] + (from * ux) / sizeA;
  out[1] = a[1] + (from * uy) / sizeA;
  out[2] = a[0] + (to * ux) / sizeA;
  out[3] = a[1] + (to * uy) / sizeA;
  return 2;
}
