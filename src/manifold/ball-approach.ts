// Normals for contacts of a ball with a solid that the coming motion would close: as `ApproachNormals`, but a ball has no
// cone of its own. Around an edge or a vertex it may also pass, or hit, in any direction of the solid's cone.

import { LATER, leaveRegion } from './approach-normals.js';
import { type ContactPoints, NORMAL, ON_B, POINT_STRIDE, SEPARATION } from './contact-points.js';
import { SLOPE_ROUNDING } from './roundings.js';
import type { ContactFeatures } from './shape/contact-features.js';

/** Chooses normals for the motion of a ball. All in the frame of the solid, which comes first. */
export class BallApproach {
  readonly #features: ContactFeatures;
  #falls = new Float64Array(3 * 16);
  #fallCount = 0;
  readonly #apart = new Float64Array(3);
  readonly #way = new Float64Array(3);
  readonly #end = new Float64Array(3);

  constructor(features: ContactFeatures) {
    this.#features = features;
  }

  /** Turns the normals of contacts that a shift of the ball by `way` would close. `points.sources` names facets. */
  refine(points: ContactPoints, center: Float64Array, radius: number, way: Float64Array): void {
    const f = this.#features;
    this.#way.set(way);
    for (let i = 0; i < points.count; i++) {
      const { values } = points;
      const at = POINT_STRIDE * i;
      const n = at + NORMAL;
      const separation = values[at + SEPARATION];
      const closing = -(values[n] * way[0] + values[n + 1] * way[1] + values[n + 2] * way[2]);
      if (!(separation > 0 && closing > separation)) continue;
      const time = separation / closing;
      const key = points.keys[2 * i];
      this.#fallCount = 0;
      if (key < f.vertexCount) this.#addVertex(key, center);
      else if (key < f.vertexCount + f.edgeCount) this.#addEdge(key - f.vertexCount, center);
      else {
        for (let k = 0; k < 3; k++) this.#end[k] = center[k] + time * way[k];
        const edge = leaveRegion(f, points.sources[i], center, this.#end);
        if (edge < 0) continue;
        this.#addEdge(edge, center);
      }
      this.#turn(values, at, center, radius, time);
    }
  }

  #addVertex(vertex: number, center: Float64Array): void {
    const { positions, vertexFalls, fallStart } = this.#features;
    for (let k = 0; k < 3; k++) this.#apart[k] = center[k] - positions[3 * vertex + k];
    for (let k = 3 * fallStart[vertex]; k < 3 * fallStart[vertex + 1]; k += 3) {
      this.#addFall(vertexFalls[k], vertexFalls[k + 1], vertexFalls[k + 2]);
    }
  }

  #addEdge(edge: number, center: Float64Array): void {
    const { positions, edgeVertices, edgeLines, edgeFalls } = this.#features;
    const i = 4 * edge;
    const k = 6 * edge;
    const v = 3 * edgeVertices[2 * edge];
    for (let axis = 0; axis < 3; axis++) this.#apart[axis] = center[axis] - positions[v + axis];
    this.#addFall(edgeLines[i], edgeLines[i + 1], edgeLines[i + 2]);
    this.#addFall(-edgeLines[i], -edgeLines[i + 1], -edgeLines[i + 2]);
    this.#addFall(edgeFalls[k], edgeFalls[k + 1], edgeFalls[k + 2]);
    this.#addFall(edgeFalls[k + 3], edgeFalls[k + 4], edgeFalls[k + 5]);
  }

  #addFall(x: number, y: number, z: number): void {
    const at = 3 * this.#fallCount++;
    if (at + 3 > this.#falls.length) {
      const longer = new Float64Array(2 * this.#falls.length);
      longer.set(this.#falls);
      this.#falls = longer;
    }
    this.#falls[at] = x;
    this.#falls[at + 1] = y;
    this.#falls[at + 2] = z;
  }

  /** Takes the plane that the ball crosses last: through faces, or across the way where it touches or passes. */
  #turn(values: Float64Array, at: number, center: Float64Array, radius: number, time: number): void {
    const falls = this.#falls;
    let latest = this.#tryTouch(values, at, center, radius, LATER * time);
    for (let i = 0; i < 3 * this.#fallCount; i += 3) {
      for (let j = i + 3; j < 3 * this.#fallCount; j += 3) {
        const x = falls[i + 1] * falls[j + 2] - falls[i + 2] * falls[j + 1];
        const y = falls[i + 2] * falls[j] - falls[i] * falls[j + 2];
        const z = falls[i] * falls[j + 1] - falls[i + 1] * falls[j];
        const size = Math.sqrt(x * x + y * y + z * z);
        if (!(size > 1e-6)) continue;
        latest = this.#try(values, at, center, radius, latest, x / size, y / size, z / size);
        latest = this.#try(values, at, center, radius, latest, -x / size, -y / size, -z / size);
      }
    }
  }

  /** The normal where the ball's surface first meets the vertex or the line of the edge, or where it passes nearest. */
  #tryTouch(values: Float64Array, at: number, center: Float64Array, radius: number, latest: number): number {
    const d = this.#apart;
    const w = this.#way;
    const falls = this.#falls;
    // For an edge, whose first two falls are opposite, only what is across it counts.
    const isEdge = falls[0] === -falls[3] && falls[1] === -falls[4] && falls[2] === -falls[5];
    const alongD = isEdge ? d[0] * falls[0] + d[1] * falls[1] + d[2] * falls[2] : 0;
    const alongW = isEdge ? w[0] * falls[0] + w[1] * falls[1] + w[2] * falls[2] : 0;
    const dx = d[0] - alongD * falls[0];
    const dy = d[1] - alongD * falls[1];
    const dz = d[2] - alongD * falls[2];
    const wx = w[0] - alongW * falls[0];
    const wy = w[1] - alongW * falls[1];
    const wz = w[2] - alongW * falls[2];
    const ww = wx * wx + wy * wy + wz * wz;
    const dw = dx * wx + dy * wy + dz * wz;
    if (!(ww > 0 && dw < 0)) return latest;
    const spare = dw * dw - ww * (dx * dx + dy * dy + dz * dz - radius * radius);
    const t = Math.min(1, (-dw - Math.sqrt(Math.max(0, spare))) / ww);
    const x = dx + t * wx;
    const y = dy + t * wy;
    const z = dz + t * wz;
    const size = Math.sqrt(x * x + y * y + z * z);
    return size > 0 ? this.#try(values, at, center, radius, latest, x / size, y / size, z / size) : latest;
  }

  /** Takes scalars, for inner loops. */
  #try(
    values: Float64Array,
    at: number,
    center: Float64Array,
    radius: number,
    latest: number,
    x: number,
    y: number,
    z: number,
  ): number {
    const d = this.#apart;
    const w = this.#way;
    const falls = this.#falls;
    const gap = x * d[0] + y * d[1] + z * d[2] - radius;
    if (!(gap >= 0)) return latest;
    const closing = -(x * w[0] + y * w[1] + z * w[2]);
    const crossed = closing > gap ? gap / closing : 1;
    if (!(crossed > latest)) return latest;
    for (let k = 0; k < 3 * this.#fallCount; k += 3) {
      if (falls[k] * x + falls[k + 1] * y + falls[k + 2] * z > SLOPE_ROUNDING) return latest;
    }
    values[at + NORMAL] = x;
    values[at + NORMAL + 1] = y;
    values[at + NORMAL + 2] = z;
    values[at + SEPARATION] = gap;
    for (let k = 0; k < 3; k++) {
      values[at + k] = center[k] - (gap + radius) * values[at + NORMAL + k];
      values[at + ON_B + k] = center[k] - radius * values[at + NORMAL + k];
    }
    return crossed;
  }
}
