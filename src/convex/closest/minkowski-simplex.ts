// Up to four points of the Minkowski difference A − B, and the point of their hull nearest the origin. The nearest
// point is inside a triangle or tetrahedron only when the signs of its parts say so clearly, and on the best of its
// sides otherwise, so that slivers cost accuracy only along themselves. O(1), nothing allocated.

/** Rounding: a tetrahedron counts as flat if its volume is below this share of its edges' product. */
const FLAT_VOLUME = 1e-14;

/** Points a − b with the handles of their vertices. */
export class MinkowskiSimplex {
  /** Points in use, 1 to 4. */
  count = 0;
  /** The points a − b, three numbers each. */
  readonly w = new Float64Array(12);
  /** Their points a. */
  readonly a = new Float64Array(12);
  /** Their points b, in A's frame. */
  readonly b = new Float64Array(12);
  /** Handles of the vertices of A. */
  readonly handlesA = new Int32Array(4);
  /** Handles of the vertices of B. */
  readonly handlesB = new Int32Array(4);
  /** Ids of the vertices of A. */
  readonly vertexA = new Int32Array(4);
  /** Ids of the vertices of B. */
  readonly vertexB = new Int32Array(4);
  /** The weights of the points in use whose sum is the nearest point. */
  readonly weights = new Float64Array(4);
  /** The nearest point: x. */
  x = 0;
  /** The nearest point: y. */
  y = 0;
  /** The nearest point: z. */
  z = 0;

  // The best found so far while the sides of a simplex are compared: squared distance, mask of points, weights, point.
  #best = Infinity;
  #mask = 0;
  readonly #bestWeights = new Float64Array(4);
  #bx = 0;
  #by = 0;
  #bz = 0;

  /** Copies another simplex. */
  copy(from: MinkowskiSimplex): void {
    this.count = from.count;
    for (let i = 0; i < 3 * from.count; i++) {
      this.w[i] = from.w[i];
      this.a[i] = from.a[i];
      this.b[i] = from.b[i];
    }
    for (let i = 0; i < from.count; i++) this.#copyIds(from, i, i);
    this.x = from.x;
    this.y = from.y;
    this.z = from.z;
  }

  #copyIds(from: MinkowskiSimplex, source: number, target: number): void {
    this.handlesA[target] = from.handlesA[source];
    this.handlesB[target] = from.handlesB[source];
    this.vertexA[target] = from.vertexA[source];
    this.vertexB[target] = from.vertexB[source];
    this.weights[target] = from.weights[source];
  }

  /** Whether the pair of vertices is already one of the points. */
  has(vertexA: number, vertexB: number): boolean {
    for (let i = 0; i < this.count; i++) if (this.vertexA[i] === vertexA && this.vertexB[i] === vertexB) return true;
    return false;
  }

  /** Finds the point of the hull nearest the origin and keeps only the points it needs. Returns its squared length. */
  reduce(): number {
    this.#best = Infinity;
    this.#mask = 0;
    if (this.count === 1) this.#tryPoint(0);
    else if (this.count === 2) this.#trySegment(0, 1);
    else if (this.count === 3) this.#tryTriangle(0, 1, 2);
    else this.#tryTetrahedron();

    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if ((this.#mask & (1 << i)) === 0) continue;
      for (let axis = 0; axis < 3; axis++) {
        this.w[3 * kept + axis] = this.w[3 * i + axis];
        this.a[3 * kept + axis] = this.a[3 * i + axis];
        this.b[3 * kept + axis] = this.b[3 * i + axis];
      }
      this.#copyIds(this, i, kept);
      this.weights[kept] = this.#bestWeights[i];
      kept++;
    }
    this.count = kept;
    this.x = this.#bx;
    this.y = this.#by;
    this.z = this.#bz;
    return this.#best;
  }

  #accept(squared: number, mask: number, x: number, y: number, z: number): boolean {
    if (!(squared < this.#best)) return false;
    this.#best = squared;
    this.#mask = mask;
    this.#bx = x;
    this.#by = y;
    this.#bz = z;
    return true;
  }

  #tryPoint(i: number): void {
    const x = this.w[3 * i];
    const y = this.w[3 * i + 1];
    const z = this.w[3 * i + 2];
    if (this.#accept(x * x + y * y + z * z, 1 << i, x, y, z)) this.#bestWeights[i] = 1;
  }

  #trySegment(from: number, to: number): void {
    const { w } = this;
    const p = 3 * from;
    const q = 3 * to;
    // From the end nearer the origin: from the far end, the digits of a point near the origin would cancel.
    const swap =
      w[q] * w[q] + w[q + 1] * w[q + 1] + w[q + 2] * w[q + 2] < w[p] * w[p] + w[p + 1] * w[p + 1] + w[p + 2] * w[p + 2];
    const i = swap ? to : from;
    const j = swap ? from : to;
    const x = w[3 * i];
    const y = w[3 * i + 1];
    const z = w[3 * i + 2];
    const ex = w[3 * j] - x;
    const ey = w[3 * j + 1] - y;
    const ez = w[3 * j + 2] - z;
    const t = -(x * ex + y * ey + z * ez) / (ex * ex + ey * ey + ez * ez);
    if (!(t > 0)) this.#tryPoint(i);
    else if (t >= 1) this.#tryPoint(j);
    else {
      const px = x + t * ex;
      const py = y + t * ey;
      const pz = z + t * ez;
      if (this.#accept(px * px + py * py + pz * pz, (1 << i) | (1 << j), px, py, pz)) {
        this.#bestWeights[i] = 1 - t;
        this.#bestWeights[j] = t;
      }
    }
  }

  /** Runs in every round of GJK: all its values are locals of one function. */
  #tryTriangle(i: number, j: number, k: number): void {
    const { w } = this;
    const ax = w[3 * i];
    const ay = w[3 * i + 1];
    const az = w[3 * i + 2];
    const bx = w[3 * j];
    const by = w[3 * j + 1];
    const bz = w[3 * j + 2];
    const cx = w[3 * k];
    const cy = w[3 * k + 1];
    const cz = w[3 * k + 2];
    const ux = bx - ax;
    const uy = by - ay;
    const uz = bz - az;
    const sx = cx - bx;
    const sy = cy - by;
    const sz = cz - bz;
    const vx = ax - cx;
    const vy = ay - cy;
    const vz = az - cz;
    const uu = ux * ux + uy * uy + uz * uz;
    const ss = sx * sx + sy * sy + sz * sz;
    const vv = vx * vx + vy * vy + vz * vz;
    // From the two shorter sides: two long ones that nearly cancel lose the digits of the third.
    const dropU = uu >= ss && uu >= vv;
    const dropS = !dropU && ss >= vv;
    const nx = dropU ? sy * vz - sz * vy : dropS ? vy * uz - vz * uy : uy * sz - uz * sy;
    const ny = dropU ? sz * vx - sx * vz : dropS ? vz * ux - vx * uz : uz * sx - ux * sz;
    const nz = dropU ? sx * vy - sy * vx : dropS ? vx * uy - vy * ux : ux * sy - uy * sx;
    const area = nx * nx + ny * ny + nz * nz;
    const aa = ax * ax + ay * ay + az * az;
    const bb = bx * bx + by * by + bz * bz;
    const cc = cx * cx + cy * cy + cz * cz;
    // Each part of the area from its own side, and from the side's end that is nearer the origin.
    const partA =
      bb <= cc
        ? nx * (by * sz - bz * sy) + ny * (bz * sx - bx * sz) + nz * (bx * sy - by * sx)
        : nx * (cy * sz - cz * sy) + ny * (cz * sx - cx * sz) + nz * (cx * sy - cy * sx);
    const partB =
      cc <= aa
        ? nx * (cy * vz - cz * vy) + ny * (cz * vx - cx * vz) + nz * (cx * vy - cy * vx)
        : nx * (ay * vz - az * vy) + ny * (az * vx - ax * vz) + nz * (ax * vy - ay * vx);
    const partC =
      aa <= bb
        ? nx * (ay * uz - az * uy) + ny * (az * ux - ax * uz) + nz * (ax * uy - ay * ux)
        : nx * (by * uz - bz * uy) + ny * (bz * ux - bx * uz) + nz * (bx * uy - by * ux);
    if (partA > 0 && partB > 0 && partC > 0) {
      const sum = partA + partB + partC;
      const along =
        aa <= bb && aa <= cc
          ? nx * ax + ny * ay + nz * az
          : bb <= cc
            ? nx * bx + ny * by + nz * bz
            : nx * cx + ny * cy + nz * cz;
      const height = along / area;
      const px = nx * height;
      const py = ny * height;
      const pz = nz * height;
      if (this.#accept(px * px + py * py + pz * pz, (1 << i) | (1 << j) | (1 << k), px, py, pz)) {
        this.#bestWeights[i] = partA / sum;
        this.#bestWeights[j] = partB / sum;
        this.#bestWeights[k] = partC / sum;
      }
      return;
    }
    this.#trySegment(i, j);
    this.#trySegment(j, k);
    this.#trySegment(k, i);
  }

  #tryTetrahedron(): void {
    const a = this.#volume(1, 2, 3);
    const b = -this.#volume(0, 2, 3);
    const c = this.#volume(0, 1, 3);
    const d = -this.#volume(0, 1, 2);
    const whole = this.#wholeVolume();
    const flat = !(Math.abs(whole) > FLAT_VOLUME * this.#edgeProduct());
    if (!flat && a * whole > 0 && b * whole > 0 && c * whole > 0 && d * whole > 0) {
      const sum = a + b + c + d;
      this.#accept(0, 15, 0, 0, 0);
      this.#bestWeights[0] = a / sum;
      this.#bestWeights[1] = b / sum;
      this.#bestWeights[2] = c / sum;
      this.#bestWeights[3] = d / sum;
      return;
    }
    if (flat || !(a * whole > 0)) this.#tryTriangle(1, 2, 3);
    if (flat || !(b * whole > 0)) this.#tryTriangle(0, 2, 3);
    if (flat || !(c * whole > 0)) this.#tryTriangle(0, 1, 3);
    if (flat || !(d * whole > 0)) this.#tryTriangle(0, 1, 2);
  }

  /** Six times the volume of the origin and three points. */
  #volume(i: number, j: number, k: number): number {
    const { w } = this;
    const [p, q, r] = [3 * i, 3 * j, 3 * k];
    return (
      w[p] * (w[q + 1] * w[r + 2] - w[q + 2] * w[r + 1]) +
      w[p + 1] * (w[q + 2] * w[r] - w[q] * w[r + 2]) +
      w[p + 2] * (w[q] * w[r + 1] - w[q + 1] * w[r])
    );
  }

  /** Six times the volume of the four points, with the sign of the parts' sum. */
  #wholeVolume(): number {
    const { w } = this;
    const ux = w[3] - w[0];
    const uy = w[4] - w[1];
    const uz = w[5] - w[2];
    const vx = w[6] - w[0];
    const vy = w[7] - w[1];
    const vz = w[8] - w[2];
    const sx = w[9] - w[0];
    const sy = w[10] - w[1];
    const sz = w[11] - w[2];
    return ux * (vy * sz - vz * sy) + uy * (vz * sx - vx * sz) + uz * (vx * sy - vy * sx);
  }

  #edgeProduct(): number {
    const { w } = this;
    let product = 1;
    for (let i = 3; i < 12; i += 3) product *= Math.hypot(w[i] - w[0], w[i + 1] - w[1], w[i + 2] - w[2]);
    return product;
  }
}
