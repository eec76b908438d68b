// Whether one of two solids whose surfaces do not meet is inside the other. If so, a whole component of one surface is
// inside, so one vertex of each component is tested. A vertex tested at some distance from the other surface needs no
// new test until it has moved that far: it cannot have passed through.
import type { ProximityModel } from './proximity-model.js';

/**
 * Chosen: a vertex that moved by less than this share of the solid's radius since its last test will likely move little
 * again, so that its distance is worth measuring.
 */
const SMALL_STEP = 0.1;
/** Rounding: a placed box is off by less than this share of the largest coordinates in it. */
const BOX_ROUNDING = 1e-14;

/** Tests the vertices of one model against the solid of another, and remembers their distances. */
export class Containment {
  insideTests = 0;
  /** The vertex found inside, or −1. */
  vertex = -1;
  /** Created when the boxes first meet, so that the first answer need not wait for it. */
  #vertices: Uint32Array | null = null;
  /** Where each vertex was when tested, in the solid's frame, and its distance from the surface; −1: never tested. */
  #tested = new Float64Array(0);
  readonly #point: [number, number, number] = [0, 0, 0];
  readonly #model: ProximityModel;
  readonly #solid: ProximityModel;
  readonly #keeps: boolean;

  /** @param keeps whether to remember the tests; they then also measure the distance of a vertex. */
  constructor(model: ProximityModel, solid: ProximityModel, keeps: boolean) {
    this.#model = model;
    this.#solid = solid;
    this.#keeps = keeps;
  }

  get bytes(): number {
    return this.#tested.byteLength;
  }

  reset(): void {
    if (this.#keeps) this.#tested.fill(-1);
  }

  /** Whether a component of the model is inside the solid. `placement`: the model in the solid's frame, 3 × 4. */
  find(m: Float64Array): boolean {
    const { positions } = this.#model.mesh;
    const { boxMin, boxMax } = this.#solid;
    const point = this.#point;
    this.vertex = -1;
    if (!this.#boxesMeet(m)) return false;
    const vertices = (this.#vertices ??= this.#prepare());
    const tested = this.#tested;
    for (let i = 0; i < vertices.length; i++) {
      const v = 3 * vertices[i];
      const x = positions[v];
      const y = positions[v + 1];
      const z = positions[v + 2];
      const px = m[0] * x + m[1] * y + m[2] * z + m[3];
      const py = m[4] * x + m[5] * y + m[6] * z + m[7];
      const pz = m[8] * x + m[9] * y + m[10] * z + m[11];
      if (px < boxMin[0] || py < boxMin[1] || pz < boxMin[2] || px > boxMax[0] || py > boxMax[1] || pz > boxMax[2]) {
        continue;
      }
      const at = 4 * i;
      const clear = tested[at + 3];
      const dx = px - tested[at];
      const dy = py - tested[at + 1];
      const dz = pz - tested[at + 2];
      if (clear > 0 && dx * dx + dy * dy + dz * dz < clear * clear) continue;
      point[0] = px;
      point[1] = py;
      point[2] = pz;
      this.insideTests++;
      // Measuring the distance takes longer, and helps only if the vertex moves little until the next query.
      const near = SMALL_STEP * this.#solid.radius;
      const measures = this.#keeps && dx * dx + dy * dy + dz * dz < near * near;
      const distance = measures ? this.#solid.signedDistance(point) : this.#solid.isInside(point) ? 0 : 1;
      if (distance <= 0) {
        tested[at + 3] = -1;
        this.vertex = vertices[i];
        return true;
      }
      if (!this.#keeps) continue;
      tested[at] = px;
      tested[at + 1] = py;
      tested[at + 2] = pz;
      // Slightly less than measured, to allow for rounding.
      tested[at + 3] = measures ? 0.999 * distance : -1;
    }
    return false;
  }

  #prepare(): Uint32Array {
    const vertices = this.#solid.closed ? this.#model.componentVertices : new Uint32Array(0);
    this.#tested = new Float64Array(4 * vertices.length).fill(-1);
    return vertices;
  }

  /** Whether the model's placed box, enclosed along the solid's axes, meets the solid's box. */
  #boxesMeet(m: Float64Array): boolean {
    const { boxMin: low, boxMax: high, center, magnitude } = this.#model;
    const { boxMin, boxMax } = this.#solid;
    for (let k = 0; k < 3; k++) {
      const row = 4 * k;
      const middle = m[row] * center[0] + m[row + 1] * center[1] + m[row + 2] * center[2] + m[row + 3];
      const reach =
        (Math.abs(m[row]) * (high[0] - low[0]) +
          Math.abs(m[row + 1]) * (high[1] - low[1]) +
          Math.abs(m[row + 2]) * (high[2] - low[2])) /
          2 +
        BOX_ROUNDING * (magnitude + Math.abs(m[row + 3]));
      if (middle + reach < boxMin[k] || middle - reach > boxMax[k]) return false;
    }
    return true;
  }
}
