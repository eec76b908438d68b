// Exact distances of the nodes near a surface: every triangle visits the nodes of its neighborhood, row by row, each
// row clipped to what is within reach of its ball, its plane and its sides. O(triangles · nodes within reach). Differs
// from the least of `nearestOnTriangle` only by rounding, up to POSITION_ROUNDING of the largest coordinate.
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import { frameBox, type GridFrame, type NodeBox } from '../grid.js';
import { setNormal, sortCorners } from '../source/sorted-corners.js';

/** What a band cost. */
export interface BandCounters {
  /** Nodes that had no distance before and have one now. */
  bandNodes: number;
  /** Point-triangle distances computed. */
  triangleDistances: number;
}

/** Rounding: the largest error of a computed position or distance, as a share of the largest coordinate. */
const POSITION_ROUNDING = 64 * Number.EPSILON;

/**
 * Rounding: a factor of squared distances that keeps what is as near as the limit up to the rounding of a square and a
 * quotient.
 */
const ROUNDED_UP = 1 + 16 * Number.EPSILON;

/** Chosen: a triangle larger than this, in spacings from its center, also clips its rows along its sides. */
const LARGE_TRIANGLE = 3;

/**
 * Lowers `distances`, indexed like the values of the whole grid, to the distance of the nearest triangle for every node
 * of `box` at most `width` from one; `nearest` gets that triangle, the lowest at a tie. Other nodes keep their values.
 * The caller fills `distances` with Infinity, or with upper bounds.
 * @param triangles nine numbers each; triangles without area count as the segments or points they are.
 */
export function scatterBand(
  triangles: Float64Array,
  count: number,
  frame: GridFrame,
  width: number,
  box: NodeBox,
  distances: Float64Array,
  nearest: Int32Array | null,
): BandCounters {
  const scatter = new BandScatter(frame, width, box, distances, nearest);
  for (let triangle = 0; triangle < count; triangle++) scatter.add(triangles, triangle);
  return scatter.counters;
}

/** The nodes of a box and their distances so far. */
class BandScatter {
  readonly counters: BandCounters = { bandNodes: 0, triangleDistances: 0 };
  readonly #frame: GridFrame;
  readonly #width: number;
  readonly #box: NodeBox;
  readonly #distances: Float64Array;
  readonly #nearest: Int32Array | null;
  /** The corners sorted by coordinates: triangles that share a side get the same bits from it, and ties are exact. Then the normal and its square. */
  readonly #corners = new Float64Array(13);
  readonly #point = new TrianglePoint();
  #minI = 0;
  #maxI = 0;
  #minJ = 0;
  #maxJ = 0;
  #minK = 0;
  #maxK = 0;
  /** The largest coordinate of the grid, and the room for rounding; lengths. */
  readonly #extent: number;
  #slack = 0;

  constructor(frame: GridFrame, width: number, box: NodeBox, distances: Float64Array, nearest: Int32Array | null) {
    this.#frame = frame;
    this.#width = width;
    this.#box = box;
    this.#distances = distances;
    this.#nearest = nearest;
    const { min, max } = frameBox(frame);
    this.#extent = Math.max(...[...min, ...max].map(Math.abs));
  }

  add(triangles: Float64Array, triangle: number): void {
    const t = this.#corners;
    sortCorners(triangles, 9 * triangle, t);
    if (!this.#reach(t)) return;
    setNormal(t);
    if (t[12] === 0) this.#addNeedle(triangle);
    else this.#addTriangle(triangle);
  }

  /** Sets the range of nodes in the box of the triangle grown by the width; returns false if the range is empty. */
  #reach(t: Float64Array): boolean {
    const { origin, spacing } = this.#frame;
    const { min, max } = this.#box;
    const width = this.#width;
    const lowY = Math.min(t[1], t[4], t[7]);
    const highY = Math.max(t[1], t[4], t[7]);
    const lowZ = Math.min(t[2], t[5], t[8]);
    const highZ = Math.max(t[2], t[5], t[8]);
    const extent = Math.max(Math.abs(t[0]), Math.abs(t[6]), Math.abs(lowY), Math.abs(highY), -lowZ, Math.abs(highZ));
    this.#slack = POSITION_ROUNDING * (Math.max(extent, this.#extent) + width) + 1e-9 * spacing;
    const room = width + this.#slack;
    // Sorted by x first.
    this.#minI = Math.max(min[0], Math.ceil((t[0] - room - origin[0]) / spacing));
    this.#maxI = Math.min(max[0], Math.floor((t[6] + room - origin[0]) / spacing));
    this.#minJ = Math.max(min[1], Math.ceil((lowY - room - origin[1]) / spacing));
    this.#maxJ = Math.min(max[1], Math.floor((highY + room - origin[1]) / spacing));
    this.#minK = Math.max(min[2], Math.ceil((lowZ - room - origin[2]) / spacing));
    this.#maxK = Math.min(max[2], Math.floor((highZ + room - origin[2]) / spacing));
    return this.#minI <= this.#maxI && this.#minJ <= this.#maxJ && this.#minK <= this.#maxK;
  }

  /**
   * Visits the nodes near one triangle, row by row. Rows share the terms of the triangle, so that all of them are
   * locals of one function.
   */
  #addTriangle(triangle: number): void {
    const { origin, spacing, size } = this.#frame;
    const distances = this.#distances;
    const nearest = this.#nearest;
    const width = this.#width;
    const [originX, originY, originZ] = origin;
    const [nodesX, nodesY] = size;
    const [ax, ay, az, bx, by, bz, cx, cy, cz, nx, ny, nz, nn] = this.#corners;
    const ux = bx - ax;
    const uy = by - ay;
    const uz = bz - az;
    const vx = cx - ax;
    const vy = cy - ay;
    const vz = cz - az;
    const ex = cx - bx;
    const ey = cy - by;
    const ez = cz - bz;
    const uu = ux * ux + uy * uy + uz * uz;
    const vv = vx * vx + vy * vy + vz * vz;
    const ee = ex * ex + ey * ey + ez * ez;
    // Barycentric weights are linear: that of b along n × v turned inward, that of c along n × u.
    const gx = vy * nz - vz * ny;
    const gy = vz * nx - vx * nz;
    const gz = vx * ny - vy * nx;
    const hx = ny * uz - nz * uy;
    const hy = nz * ux - nx * uz;
    const hz = nx * uy - ny * ux;
    const inverse = 1 / nn;

    // The ball around the middle of the box, good enough for triangles that are not needles.
    const mx = (Math.min(ax, bx, cx) + Math.max(ax, bx, cx)) / 2;
    const my = (Math.min(ay, by, cy) + Math.max(ay, by, cy)) / 2;
    const mz = (Math.min(az, bz, cz) + Math.max(az, bz, cz)) / 2;
    const radius =
      Math.sqrt(
        Math.max(
          (ax - mx) ** 2 + (ay - my) ** 2 + (az - mz) ** 2,
          (bx - mx) ** 2 + (by - my) ** 2 + (bz - mz) ** 2,
          (cx - mx) ** 2 + (cy - my) ** 2 + (cz - mz) ** 2,
        ),
      ) + this.#slack;
    const room = width + this.#slack;
    const ballSquared = (radius + room) ** 2;
    const length = Math.sqrt(nn);
    const planeRoom = room * length;
    const large = radius > LARGE_TRIANGLE * spacing;
    const roomB = room * length * Math.sqrt(vv);
    const roomC = room * length * Math.sqrt(uu);
    const roomA = room * length * Math.sqrt(ee);
    let tried = 0;
    let added = 0;

    for (let k = this.#minK; k <= this.#maxK; k++) {
      const z = originZ + spacing * k;
      const wz = z - az;
      for (let j = this.#minJ; j <= this.#maxJ; j++) {
        const y = originY + spacing * j;
        const offset2 = (y - my) ** 2 + (z - mz) ** 2;
        const rest = ballSquared - offset2;
        if (rest < 0) continue;
        const wy = y - ay;
        const planeYz = ny * wy + nz * wz;
        const half = Math.sqrt(rest);
        // The part of the row from `low` to `high`, as x from corner a.
        let low = mx - ax - half;
        let high = mx - ax + half;
        if (nx !== 0) {
          const p = (-planeRoom - planeYz) / nx;
          const q = (planeRoom - planeYz) / nx;
          low = Math.max(low, Math.min(p, q));
          high = Math.min(high, Math.max(p, q));
        } else if (Math.abs(planeYz) > planeRoom) {
          continue;
        }
        const weightYzB = gy * wy + gz * wz;
        const weightYzC = hy * wy + hz * wz;
        if (large) {
          // Beyond a side by more than the width: weight < −room, and the weights are linear in x.
          const offsetA = nn - weightYzB - weightYzC + roomA;
          const slopeA = -gx - hx;
          if (gx > 0) low = Math.max(low, (-roomB - weightYzB) / gx);
          else if (gx < 0) high = Math.min(high, (-roomB - weightYzB) / gx);
          else if (weightYzB < -roomB) continue;
          if (hx > 0) low = Math.max(low, (-roomC - weightYzC) / hx);
          else if (hx < 0) high = Math.min(high, (-roomC - weightYzC) / hx);
          else if (weightYzC < -roomC) continue;
          if (slopeA > 0) low = Math.max(low, -offsetA / slopeA);
          else if (slopeA < 0) high = Math.min(high, -offsetA / slopeA);
          else if (offsetA < 0) continue;
        }
        const first = Math.max(this.#minI, Math.ceil((low + ax - this.#slack - originX) / spacing));
        const last = Math.min(this.#maxI, Math.floor((high + ax + this.#slack - originX) / spacing));
        const row = nodesX * (j + nodesY * k);
        for (let i = first; i <= last; i++) {
          const x = originX + spacing * i;
          const current = distances[row + i];
          const limit = Math.min(current, width);
          const wx = x - ax;
          const plane = nx * wx + planeYz;
          const limit2 = ROUNDED_UP * limit * limit;
          if (plane * plane * inverse > limit2) continue;
          const ball = limit + radius;
          const dx = x - mx;
          if (dx * dx + offset2 > ball * ball) continue;
          tried++;
          const weightB = gx * wx + weightYzB;
          const weightC = hx * wx + weightYzC;
          const weightA = nn - weightB - weightC;
          let squared = Infinity;
          if (weightA > 0 && weightB > 0 && weightC > 0) {
            const s = weightB * inverse;
            const r = weightC * inverse;
            const px = wx - s * ux - r * vx;
            const py = wy - s * uy - r * vy;
            const pz = wz - s * uz - r * vz;
            squared = px * px + py * py + pz * pz;
          } else {
            if (weightC <= 0) {
              const along = ux * wx + uy * wy + uz * wz;
              if (along < uu) {
                const s = along > 0 ? along / uu : 0;
                const px = wx - s * ux;
                const py = wy - s * uy;
                const pz = wz - s * uz;
                squared = px * px + py * py + pz * pz;
              } else {
                squared = (x - bx) ** 2 + (y - by) ** 2 + (z - bz) ** 2;
              }
            }
            if (weightB <= 0) {
              const along = vx * wx + vy * wy + vz * wz;
              let other = 0;
              if (along < vv) {
                const s = along > 0 ? along / vv : 0;
                const px = wx - s * vx;
                const py = wy - s * vy;
                const pz = wz - s * vz;
                other = px * px + py * py + pz * pz;
              } else {
                other = (x - cx) ** 2 + (y - cy) ** 2 + (z - cz) ** 2;
              }
              if (other < squared) squared = other;
            }
            if (weightA <= 0) {
              const qx = x - bx;
              const qy = y - by;
              const qz = z - bz;
              const along = ex * qx + ey * qy + ez * qz;
              let other = 0;
              if (along < ee) {
                const s = along > 0 ? along / ee : 0;
                const px = qx - s * ex;
                const py = qy - s * ey;
                const pz = qz - s * ez;
                other = px * px + py * py + pz * pz;
              } else {
                other = (x - cx) ** 2 + (y - cy) ** 2 + (z - cz) ** 2;
              }
              if (other < squared) squared = other;
            }
          }
          const distance = Math.sqrt(squared);
          if (distance <= width && distance < current) {
            if (current === Infinity) added++;
            distances[row + i] = distance;
            if (nearest !== null) nearest[row + i] = triangle;
          }
        }
      }
    }
    this.counters.triangleDistances += tried;
    this.counters.bandNodes += added;
  }

  /**
   * A needle or a segment: the rows are clipped to a cylinder around its longest side. Rows share its terms as in
   * #addTriangle, so that all of them are locals of one function.
   */
  #addNeedle(triangle: number): void {
    const { origin, spacing, size } = this.#frame;
    const t = this.#corners;
    const distances = this.#distances;
    const nearest = this.#nearest;
    const width = this.#width;
    const point = this.#point;
    const from = longestSide(t);
    const to = from === 0 ? 3 : from === 3 ? 6 : 0;
    const apex = 9 - from - to;
    let ex = t[to] - t[from];
    let ey = t[to + 1] - t[from + 1];
    let ez = t[to + 2] - t[from + 2];
    const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
    if (length > 0) {
      ex /= length;
      ey /= length;
      ez /= length;
    }
    const fx = t[from];
    const fy = t[from + 1];
    const fz = t[from + 2];
    const along = ex * (t[apex] - fx) + ey * (t[apex + 1] - fy) + ez * (t[apex + 2] - fz);
    const height = Math.sqrt(
      (t[apex] - fx - along * ex) ** 2 + (t[apex + 1] - fy - along * ey) ** 2 + (t[apex + 2] - fz - along * ez) ** 2,
    );
    const reach = width + height + this.#slack;
    // The offset from the axis along a row is q + x · s; s is 0 if the rows run along the axis.
    const sx = 1 - ex * ex;
    const sy = -ex * ey;
    const sz = -ex * ez;
    const ss = sx * sx + sy * sy + sz * sz;
    for (let k = this.#minK; k <= this.#maxK; k++) {
      const z = origin[2] + spacing * k;
      for (let j = this.#minJ; j <= this.#maxJ; j++) {
        const y = origin[1] + spacing * j;
        const axial = ey * (y - fy) + ez * (z - fz);
        const qx = -axial * ex;
        const qy = y - fy - axial * ey;
        const qz = z - fz - axial * ez;
        let first = this.#minI;
        let last = this.#maxI;
        if (ss > 1e-6) {
          const middle = -(qx * sx + qy * sy + qz * sz) / ss;
          const rest = reach * reach - (qx + middle * sx) ** 2 - (qy + middle * sy) ** 2 - (qz + middle * sz) ** 2;
          if (rest < 0) continue;
          const half = Math.sqrt(rest / ss) + this.#slack / ss;
          first = Math.max(first, Math.ceil((fx + middle - half - origin[0]) / spacing));
          last = Math.min(last, Math.floor((fx + middle + half - origin[0]) / spacing));
        }
        const row = size[0] * (j + size[1] * k);
        for (let i = first; i <= last; i++) {
          const current = distances[row + i];
          this.counters.triangleDistances++;
          nearestOnTriangle(t, 0, origin[0] + spacing * i, y, z, point);
          const distance = Math.sqrt(point.distanceSquared);
          if (distance <= width && distance < current) {
            if (current === Infinity) this.counters.bandNodes++;
            distances[row + i] = distance;
            if (nearest !== null) nearest[row + i] = triangle;
          }
        }
      }
    }
  }
}

/** Where the longest side begins: it runs from that corner to the next. */
function longestSide(t: Float64Array): number {
  const ab = (t[3] - t[0]) ** 2 + (t[4] - t[1]) ** 2 + (t[5] - t[2]) ** 2;
  const bc = (t[6] - t[3]) ** 2 + (t[7] - t[4]) ** 2 + (t[8] - t[5]) ** 2;
  const ca = (t[0] - t[6]) ** 2 + (t[1] - t[7]) ** 2 + (t[2] - t[8]) ** 2;
  return ab >= bc && ab >= ca ? 0 : bc >= ca ? 3 : 6;
}
