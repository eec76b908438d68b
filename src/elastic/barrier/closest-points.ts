// The nearest points of a point and a triangle, and of two segments (Ericson 2005, sections 5.1.5 and 5.1.9), with what
// derivatives of the distance need: weights of the four points, and along which edges the nearest points may slide.

export class ClosestPoints {
  /** The vector between the nearest points is the sum of the four points with these weights; their sum is 0. */
  readonly weights = new Float64Array(4);
  readonly vector = new Float64Array(3);
  squared = 0;
  /** How many of the two slides below are free: 0 between corners, 2 inside a triangle or of two edges. */
  freedom = 0;
  /** A slide moves weight from one of the four points to another: the vector changes by their difference. */
  readonly plus = new Int32Array(2);
  readonly minus = new Int32Array(2);

  /** Of point i and the triangle j k l of coordinates p; numbers are those of points, not of coordinates. */
  pointTriangle(p: Float64Array, i: number, j: number, k: number, l: number): void {
    const [q, a, b, c] = [3 * i, 3 * j, 3 * k, 3 * l];
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a];
    const vy = p[c + 1] - p[a + 1];
    const vz = p[c + 2] - p[a + 2];
    const x = p[q] - p[a];
    const y = p[q + 1] - p[a + 1];
    const z = p[q + 2] - p[a + 2];
    const d1 = ux * x + uy * y + uz * z;
    const d2 = vx * x + vy * y + vz * z;
    const uu = ux * ux + uy * uy + uz * uz;
    const uv = ux * vx + uy * vy + uz * vz;
    const vv = vx * vx + vy * vy + vz * vz;
    // Of the vectors from b and from c, with the two edges from a.
    const [d3, d4, d5, d6] = [d1 - uu, d2 - uv, d1 - uv, d2 - vv];
    const onC = d1 * d4 - d3 * d2;
    const onB = d5 * d2 - d1 * d6;
    const onA = d3 * d6 - d5 * d4;
    if (d1 <= 0 && d2 <= 0) this.#write(1, 0, 0, 0, 0);
    else if (d3 >= 0 && d4 <= d3) this.#write(0, 1, 0, 0, 0);
    else if (d6 >= 0 && d5 <= d6) this.#write(0, 0, 1, 0, 0);
    else if (onC <= 0 && d1 >= 0 && d3 <= 0) this.#write(1 - d1 / (d1 - d3), d1 / (d1 - d3), 0, 1, 2);
    else if (onB <= 0 && d2 >= 0 && d6 <= 0) this.#write(1 - d2 / (d2 - d6), 0, d2 / (d2 - d6), 1, 3);
    else if (onA <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
      const t = (d4 - d3) / (d4 - d3 + (d5 - d6));
      this.#write(0, 1 - t, t, 2, 3);
    } else {
      const sum = onA + onB + onC;
      this.#write(1 - onB / sum - onC / sum, onB / sum, onC / sum, 1, 2);
      this.freedom = 2;
      this.plus[1] = 1;
      this.minus[1] = 3;
    }
    const [s, t] = [-this.weights[2], -this.weights[3]];
    // From the nearest corner, so that rounding is that of short vectors.
    if (this.freedom === 1 && this.plus[0] === 2) {
      this.#measure(x - ux - t * (vx - ux), y - uy - t * (vy - uy), z - uz - t * (vz - uz));
    } else this.#measure(x - s * ux - t * vx, y - s * uy - t * vy, z - s * uz - t * vz);
  }

  /** Of the segments i j and k l. */
  segments(p: Float64Array, i: number, j: number, k: number, l: number): void {
    const [a, b, c, d] = [3 * i, 3 * j, 3 * k, 3 * l];
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[d] - p[c];
    const vy = p[d + 1] - p[c + 1];
    const vz = p[d + 2] - p[c + 2];
    const x = p[a] - p[c];
    const y = p[a + 1] - p[c + 1];
    const z = p[a + 2] - p[c + 2];
    const uu = ux * ux + uy * uy + uz * uz;
    const vv = vx * vx + vy * vy + vz * vz;
    const uv = ux * vx + uy * vy + uz * vz;
    const ur = ux * x + uy * y + uz * z;
    const vr = vx * x + vy * y + vz * z;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const square = nx * nx + ny * ny + nz * nz;
    let s = square > 0 ? clamp((uv * vr - ur * vv) / square) : 0;
    let t = vv > 0 ? (uv * s + vr) / vv : 0;
    if (!(t > 0 && t < 1)) {
      t = clamp(t);
      s = uu > 0 ? clamp((t * uv - ur) / uu) : 0;
    }
    const w = this.weights;
    w[0] = 1 - s;
    w[1] = s;
    w[2] = t - 1;
    w[3] = -t;
    this.freedom = 0;
    if (s > 0 && s < 1) {
      this.plus[0] = 1;
      this.minus[0] = 0;
      this.freedom = 1;
    }
    if (t > 0 && t < 1 && (this.freedom === 0 || square > 0)) {
      this.plus[this.freedom] = 2;
      this.minus[this.freedom++] = 3;
    }
    this.#measure(x + s * ux - t * vx, y + s * uy - t * vy, z + s * uz - t * vz);
  }

  /** Weights of the corners of a triangle, and the slide along one of its edges where two numbers differ. */
  #write(a: number, b: number, c: number, plus: number, minus: number): void {
    const w = this.weights;
    w[0] = 1;
    w[1] = -a;
    w[2] = -b;
    w[3] = -c;
    this.freedom = plus === minus ? 0 : 1;
    this.plus[0] = plus;
    this.minus[0] = minus;
  }

  #measure(x: number, y: number, z: number): void {
    this.vector[0] = x;
    this.vector[1] = y;
    this.vector[2] = z;
    this.squared = x * x + y * y + z * z;
  }
}

function clamp(value: number): number {
  return value > 0 ? (value < 1 ? value : 1) : 0;
}
