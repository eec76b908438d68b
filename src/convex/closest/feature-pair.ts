// The nearest points of two features of a march: vertex, edge or face against each other, except face against face. A
// feature shrinks to the smallest one that its nearest point lies on. O(1), nothing allocated.
import { EDGE, FACE, VERTEX } from './feature.js';
import { TOUCHING } from './gjk.js';
import { MarchSide } from './march-side.js';

/** Label: the nearest points are known. */
export const MEASURED = 0;
/** Label: the features have a point in common. */
export const CROSSING = 1;

/**
 * Rounding: edges are parallel if the sine of their angle, squared, is below this; the sine is 1e-14, some fifty ulps.
 */
const PARALLEL_SQUARED = 1e-28;

/** Two sides, and the result of the last {@link measure}. */
export class FeaturePair {
  readonly a = new MarchSide();
  readonly b = new MarchSide();
  /** The side whose frame the points and the vector below are in: B where B's feature is a face, else A. */
  frame: MarchSide = this.a;
  /** The nearest point of the frame's side, and the vector from it to the nearest point of the other. */
  px = 0;
  py = 0;
  pz = 0;
  dx = 0;
  dy = 0;
  dz = 0;
  squared = 0;
  /**
   * Whether a vertex is behind the other side's face: then the surfaces are measured, not the solids. The descent may
   * go on until the surfaces cross; otherwise its end decides nothing.
   */
  behind = false;

  // Ends of an edge of the other side, transformed into the frame.
  #x0 = 0;
  #y0 = 0;
  #z0 = 0;
  #x1 = 0;
  #y1 = 0;
  #z1 = 0;

  /** Finds the nearest points of the two features and shrinks the features to them. */
  measure(): number {
    const { a, b } = this;
    this.behind = false;
    if (a.kind === FACE) return b.kind === VERTEX ? this.#measureFaceVertex(a, b) : this.#measureFaceEdge(a, b);
    if (b.kind === FACE) return a.kind === VERTEX ? this.#measureFaceVertex(b, a) : this.#measureFaceEdge(b, a);
    this.frame = a;
    this.#carry(a, b, 3 * b.halfEdgeVertices[b.halfEdge], true);
    if (b.kind === EDGE) {
      this.#carry(a, b, 3 * b.halfEdgeVertices[next(b.halfEdge)], false);
      if (a.kind === EDGE) this.#measureEdges(a, b);
      else this.#measureVertexEdge(a, b);
    } else if (a.kind === EDGE) this.#measureEdgeVertex(a, a.halfEdge);
    else this.#measureVertices(a);
    return this.#touches() ? CROSSING : MEASURED;
  }

  #measureVertices(a: MarchSide): void {
    const p = 3 * a.halfEdgeVertices[a.halfEdge];
    this.#settle(a.positions[p], a.positions[p + 1], a.positions[p + 2], this.#x0, this.#y0, this.#z0);
  }

  #touches(): boolean {
    return this.isWithin(TOUCHING);
  }

  /** Whether the distance is at most a share of the coordinates. */
  isWithin(share: number): boolean {
    const { placement: m } = this.frame;
    const { px, py, pz } = this;
    const size = px * px + py * py + pz * pz + m[3] * m[3] + m[7] * m[7] + m[11] * m[11];
    return this.squared <= share * share * size;
  }

  /** Transforms a vertex of the other side into the frame of a side. */
  #carry(frame: MarchSide, other: MarchSide, p: number, first: boolean): void {
    const { positions } = other;
    const { placement: m } = frame;
    const x = positions[p];
    const y = positions[p + 1];
    const z = positions[p + 2];
    const cx = m[0] * x + m[1] * y + m[2] * z + m[3];
    const cy = m[4] * x + m[5] * y + m[6] * z + m[7];
    const cz = m[8] * x + m[9] * y + m[10] * z + m[11];
    if (first) {
      this.#x0 = cx;
      this.#y0 = cy;
      this.#z0 = cz;
    } else {
      this.#x1 = cx;
      this.#y1 = cy;
      this.#z1 = cz;
    }
  }

  #settle(px: number, py: number, pz: number, qx: number, qy: number, qz: number): void {
    this.px = px;
    this.py = py;
    this.pz = pz;
    this.dx = qx - px;
    this.dy = qy - py;
    this.dz = qz - pz;
    this.squared = this.dx * this.dx + this.dy * this.dy + this.dz * this.dz;
  }

  #measureVertexEdge(a: MarchSide, b: MarchSide): void {
    const p = 3 * a.halfEdgeVertices[a.halfEdge];
    const x = a.positions[p];
    const y = a.positions[p + 1];
    const z = a.positions[p + 2];
    const ex = this.#x1 - this.#x0;
    const ey = this.#y1 - this.#y0;
    const ez = this.#z1 - this.#z0;
    const t = ((x - this.#x0) * ex + (y - this.#y0) * ey + (z - this.#z0) * ez) / (ex * ex + ey * ey + ez * ez);
    if (!(t > 0)) {
      b.kind = VERTEX;
      this.#settle(x, y, z, this.#x0, this.#y0, this.#z0);
    } else if (t >= 1) {
      b.kind = VERTEX;
      b.halfEdge = next(b.halfEdge);
      this.#settle(x, y, z, this.#x1, this.#y1, this.#z1);
    } else this.#settle(x, y, z, this.#x0 + t * ex, this.#y0 + t * ey, this.#z0 + t * ez);
  }

  /** An edge of the frame's side against the transformed vertex; the side's feature becomes the nearest part. */
  #measureEdgeVertex(side: MarchSide, halfEdge: number): void {
    const { positions, halfEdgeVertices } = side;
    const end = next(halfEdge);
    const p = 3 * halfEdgeVertices[halfEdge];
    const q = 3 * halfEdgeVertices[end];
    const x = positions[p];
    const y = positions[p + 1];
    const z = positions[p + 2];
    const ex = positions[q] - x;
    const ey = positions[q + 1] - y;
    const ez = positions[q + 2] - z;
    const t = ((this.#x0 - x) * ex + (this.#y0 - y) * ey + (this.#z0 - z) * ez) / (ex * ex + ey * ey + ez * ez);
    side.kind = VERTEX;
    side.halfEdge = halfEdge;
    if (!(t > 0)) this.#settle(x, y, z, this.#x0, this.#y0, this.#z0);
    else if (t >= 1) {
      side.halfEdge = end;
      this.#settle(positions[q], positions[q + 1], positions[q + 2], this.#x0, this.#y0, this.#z0);
    } else {
      side.kind = EDGE;
      this.#settle(x + t * ex, y + t * ey, z + t * ez, this.#x0, this.#y0, this.#z0);
    }
  }

  /**
   * Parameters by cross products: they stay accurate at angles where dot products have lost all digits. All values are
   * locals of one function, as in {@link #measureFaceEdge}.
   */
  #measureEdges(a: MarchSide, b: MarchSide): void {
    const { positions, halfEdgeVertices } = a;
    const p = 3 * halfEdgeVertices[a.halfEdge];
    const q = 3 * halfEdgeVertices[next(a.halfEdge)];
    const x = positions[p];
    const y = positions[p + 1];
    const z = positions[p + 2];
    const ux = positions[q] - x;
    const uy = positions[q + 1] - y;
    const uz = positions[q + 2] - z;
    const vx = this.#x1 - this.#x0;
    const vy = this.#y1 - this.#y0;
    const vz = this.#z1 - this.#z0;
    const wx = this.#x0 - x;
    const wy = this.#y0 - y;
    const wz = this.#z0 - z;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const nn = nx * nx + ny * ny + nz * nz;
    const uu = ux * ux + uy * uy + uz * uz;
    const vv = vx * vx + vy * vy + vz * vz;
    const uv = ux * vx + uy * vy + uz * vz;
    const uw = ux * wx + uy * wy + uz * wz;
    const vw = vx * wx + vy * wy + vz * wz;
    let s = 0;
    if (nn > PARALLEL_SQUARED * uu * vv) {
      s = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / nn;
      if (!(s > 0)) s = 0;
      else if (s > 1) s = 1;
    }
    let t = (s * uv - vw) / vv;
    if (!(t > 0)) {
      t = 0;
      s = uw / uu;
      if (!(s > 0)) s = 0;
      else if (s > 1) s = 1;
    } else if (t >= 1) {
      t = 1;
      s = (uw + uv) / uu;
      if (!(s > 0)) s = 0;
      else if (s > 1) s = 1;
    }
    if (s === 0 || s === 1) {
      a.kind = VERTEX;
      if (s === 1) a.halfEdge = next(a.halfEdge);
    }
    if (t === 0 || t === 1) {
      b.kind = VERTEX;
      if (t === 1) b.halfEdge = next(b.halfEdge);
    }
    if (s > 0 && s < 1 && t > 0 && t < 1 && nn > PARALLEL_SQUARED * uu * vv) {
      // Along the common normal: for close points their difference is mostly rounding.
      const height = (wx * nx + wy * ny + wz * nz) / nn;
      this.px = x + s * ux;
      this.py = y + s * uy;
      this.pz = z + s * uz;
      this.dx = height * nx;
      this.dy = height * ny;
      this.dz = height * nz;
      this.squared = height * height * nn;
      return;
    }
    const ax = s === 1 ? positions[q] : x + s * ux;
    const ay = s === 1 ? positions[q + 1] : y + s * uy;
    const az = s === 1 ? positions[q + 2] : z + s * uz;
    const bx = t === 1 ? this.#x1 : this.#x0 + t * vx;
    const by = t === 1 ? this.#y1 : this.#y0 + t * vy;
    const bz = t === 1 ? this.#z1 : this.#z0 + t * vz;
    this.#settle(ax, ay, az, bx, by, bz);
  }

  #measureFaceVertex(face: MarchSide, vertex: MarchSide): number {
    this.frame = face;
    this.#carry(face, vertex, 3 * vertex.halfEdgeVertices[vertex.halfEdge], true);
    return this.#measureFacePoint(face);
  }

  /** A face of the frame's side against the transformed vertex. */
  #measureFacePoint(face: MarchSide): number {
    const { positions, halfEdgeVertices, facePlanes } = face;
    const f = (face.halfEdge / 3) | 0;
    const plane = 4 * face.nodeFaces[f];
    const nx = facePlanes[plane];
    const ny = facePlanes[plane + 1];
    const nz = facePlanes[plane + 2];
    const x = this.#x0;
    const y = this.#y0;
    const z = this.#z0;
    const a = 3 * halfEdgeVertices[3 * f];
    const b = 3 * halfEdgeVertices[3 * f + 1];
    const c = 3 * halfEdgeVertices[3 * f + 2];
    const ax = positions[a];
    const ay = positions[a + 1];
    const az = positions[a + 2];
    const bx = positions[b];
    const by = positions[b + 1];
    const bz = positions[b + 2];
    const cx = positions[c];
    const cy = positions[c + 1];
    const cz = positions[c + 2];
    const inAB = sideOf(nx, ny, nz, bx - ax, by - ay, bz - az, x - ax, y - ay, z - az);
    const inBC = sideOf(nx, ny, nz, cx - bx, cy - by, cz - bz, x - bx, y - by, z - bz);
    const inCA = sideOf(nx, ny, nz, ax - cx, ay - cy, az - cz, x - cx, y - cy, z - cz);
    if (inAB >= 0 && inBC >= 0 && inCA >= 0) {
      const height = nx * (x - ax) + ny * (y - ay) + nz * (z - az);
      this.px = x - height * nx;
      this.py = y - height * ny;
      this.pz = z - height * nz;
      this.dx = height * nx;
      this.dy = height * ny;
      this.dz = height * nz;
      this.squared = height * height;
      if (this.#touches()) return CROSSING;
      this.behind = height < 0 && !face.flat;
      return MEASURED;
    }
    let nearest = Infinity;
    let edge = -1;
    for (let k = 0; k < 3; k++) {
      if ((k === 0 ? inAB : k === 1 ? inBC : inCA) >= 0) continue;
      this.#measureEdgeVertex(face, 3 * f + k);
      if (this.squared >= nearest) continue;
      nearest = this.squared;
      edge = 3 * f + k;
    }
    // The vertex is beyond two edges, and the first is the nearer one.
    if (this.squared > nearest) this.#measureEdgeVertex(face, edge);
    return this.#touches() ? CROSSING : MEASURED;
  }

  /**
   * The nearest point of an edge to a face is, within the face's prism, an end of the edge or where it leaves the prism
   * through one of the face's edges; or the edge crosses the face. Runs in every step of a march, so that all its values are
   * locals of one function.
   */
  #measureFaceEdge(face: MarchSide, edge: MarchSide): number {
    this.frame = face;
    this.#carry(face, edge, 3 * edge.halfEdgeVertices[edge.halfEdge], true);
    this.#carry(face, edge, 3 * edge.halfEdgeVertices[next(edge.halfEdge)], false);
    const { positions, halfEdgeVertices, facePlanes } = face;
    const f = (face.halfEdge / 3) | 0;
    const plane = 4 * face.nodeFaces[f];
    const nx = facePlanes[plane];
    const ny = facePlanes[plane + 1];
    const nz = facePlanes[plane + 2];
    const x0 = this.#x0;
    const y0 = this.#y0;
    const z0 = this.#z0;
    const x1 = this.#x1;
    const y1 = this.#y1;
    const z1 = this.#z1;
    let low = 0;
    let high = 1;
    let lowEdge = -1;
    let highEdge = -1;
    let beyond = 0;
    for (let h = 3 * f; h < 3 * f + 3; h++) {
      const p = 3 * halfEdgeVertices[h];
      const q = 3 * halfEdgeVertices[next(h)];
      const x = positions[p];
      const y = positions[p + 1];
      const z = positions[p + 2];
      const ex = positions[q] - x;
      const ey = positions[q + 1] - y;
      const ez = positions[q + 2] - z;
      // Toward the inner side of the edge.
      const ix = ny * ez - nz * ey;
      const iy = nz * ex - nx * ez;
      const iz = nx * ey - ny * ex;
      const from = ix * (x0 - x) + iy * (y0 - y) + iz * (z0 - z);
      const to = ix * (x1 - x) + iy * (y1 - y) + iz * (z1 - z);
      if (from < 0 || to < 0) beyond |= 1 << (h - 3 * f);
      if (from < 0 && to < 0) {
        // Entirely beyond this edge of the face.
        low = 2;
      } else if (from < 0) {
        const t = from / (from - to);
        if (t > low) {
          low = t;
          lowEdge = h;
        }
      } else if (to < 0) {
        const t = from / (from - to);
        if (t < high) {
          high = t;
          highEdge = h;
        }
      }
    }
    if (low > high) return this.#measureRim(face, edge, beyond);
    const o = 3 * halfEdgeVertices[3 * f];
    const h0 = nx * (x0 - positions[o]) + ny * (y0 - positions[o + 1]) + nz * (z0 - positions[o + 2]);
    const h1 = nx * (x1 - positions[o]) + ny * (y1 - positions[o + 1]) + nz * (z1 - positions[o + 2]);
    const atLow = h0 + low * (h1 - h0);
    const atHigh = h0 + high * (h1 - h0);
    if ((atLow <= 0 && atHigh >= 0) || (atLow >= 0 && atHigh <= 0)) {
      const t = h0 === h1 ? low : Math.min(high, Math.max(low, h0 / (h0 - h1)));
      this.px = x0 + t * (x1 - x0);
      this.py = y0 + t * (y1 - y0);
      this.pz = z0 + t * (z1 - z0);
      this.dx = 0;
      this.dy = 0;
      this.dz = 0;
      this.squared = 0;
      return CROSSING;
    }
    const atLowEnd = Math.abs(atLow) < Math.abs(atHigh);
    const exit = atLowEnd ? lowEdge : highEdge;
    if (exit < 0) {
      edge.kind = VERTEX;
      if (!atLowEnd) {
        edge.halfEdge = next(edge.halfEdge);
        this.#x0 = this.#x1;
        this.#y0 = this.#y1;
        this.#z0 = this.#z1;
      }
      return this.#measureFacePoint(face);
    }
    face.kind = EDGE;
    face.halfEdge = exit;
    return this.measure();
  }

  /**
   * An edge outside the face's prism: the nearest point is on one of the face's edges that a part of the other edge is
   * beyond. These are the bits of the mask.
   */
  #measureRim(face: MarchSide, edge: MarchSide, beyond: number): number {
    const first = face.halfEdge - (face.halfEdge % 3);
    const halfEdge = edge.halfEdge;
    let nearest = Infinity;
    let best = -1;
    let result = MEASURED;
    for (let k = 0; k < 3; k++) {
      if ((beyond & (1 << k)) === 0) continue;
      face.kind = EDGE;
      face.halfEdge = first + k;
      edge.kind = EDGE;
      edge.halfEdge = halfEdge;
      result = this.measure();
      if (this.squared >= nearest) continue;
      nearest = this.squared;
      best = first + k;
    }
    if (this.squared <= nearest) return result;
    face.kind = EDGE;
    face.halfEdge = best;
    edge.kind = EDGE;
    edge.halfEdge = halfEdge;
    return this.measure();
  }
}

/**
 * Positive where r is on the inner side of an edge e of a face with normal n: n·(e × r).
 * Takes scalars, for inner loops.
 */
function sideOf(
  nx: number,
  ny: number,
  nz: number,
  ex: number,
  ey: number,
  ez: number,
  rx: number,
  ry: number,
  rz: number,
): number {
  return nx * (ey * rz - ez * ry) + ny * (ez * rx - ex * rz) + nz * (ex * ry - ey * rx);
}

function next(halfEdge: number): number {
  return halfEdge % 3 === 2 ? halfEdge - 2 : halfEdge + 1;
}
