// The contacts of an exact ball with another ball or with a solid, in the frame of the first shape: every local minimum
// of the distance between the ball's center and the surface. A ball may overlap by up to its radius: as long as its
// center is outside, contacts have negative separations.

import { growTo } from '../../core/grow-array.js';
import { invertPlacement } from '../../core/placement.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import type { CollisionShape } from '../shape/collision-shape.js';
import { CONTACT_FEATURES, type ContactFeatures } from '../shape/contact-features.js';
import { FEATURE_TREE, type FeatureTree, NODE_STRIDE } from '../shape/feature-tree.js';
import { type ContactPoints, NORMAL, ON_B, SEPARATION } from './contact-points.js';
import { APART, NEAR, OVERLAP } from './contact-state.js';
import { faceKey, isEdgeSummit, isSummit } from './feature-pairs.js';

/** The slope by which a direction may leave the cone of an edge or a vertex: rounding only. */
const CONE_SLOPE = 1e-9;

/** Rounding of a coordinate, as a share of the largest. */
const ROUNDING = 1e-14;

/** Finds the contacts of two shapes of which at least one is a ball. */
export class BallContacts {
  /** As in `PairContacts`. */
  distance = 0;
  readonly #radiusA: number;
  readonly #radiusB: number;
  readonly #points: ContactPoints;
  readonly #solid: ProximityModel | null;
  readonly #features: ContactFeatures | null;
  readonly #tree: FeatureTree | null;
  readonly #aInB = new Float64Array(12);
  /** The ball's center in the solid's frame: now, and when it was last known to be outside by `gap`. */
  readonly #center: [number, number, number] = [0, 0, 0];
  readonly #outside = new Float64Array(3);
  #gap = 0;
  #stack = new Int32Array(64);
  #reach = 0;
  #rounding = 0;

  /** @param points where the contacts go. */
  constructor(a: CollisionShape, b: CollisionShape, points: ContactPoints) {
    this.#radiusA = a.ballRadius;
    this.#radiusB = b.ballRadius;
    this.#points = points;
    this.#solid = a.model ?? b.model;
    this.#features = this.#solid?.parts.get(CONTACT_FEATURES) ?? null;
    this.#tree = this.#solid?.parts.get(FEATURE_TREE) ?? null;
  }

  reset(): void {
    this.#gap = 0;
  }

  /** Finds the contacts within the margin. */
  update(bInA: Float64Array, margin: number): number {
    this.#points.count = 0;
    if (this.#solid === null) return this.#updateBalls(bInA, margin);
    const center = this.#center;
    const solidIsB = this.#radiusA > 0;
    const frame = solidIsB ? invertPlacement(bInA, this.#aInB) : bInA;
    for (let k = 0; k < 3; k++) center[k] = frame[4 * k + 3];
    const radius = solidIsB ? this.#radiusA : this.#radiusB;
    const moved = Math.hypot(center[0] - this.#outside[0], center[1] - this.#outside[1], center[2] - this.#outside[2]);
    const left = this.#gap - moved * (1 + ROUNDING);
    if (left > radius + margin) {
      this.distance = left - radius;
      return APART;
    }
    if (!(left > 0) && this.#solid.isInside(center)) {
      this.#gap = 0;
      this.distance = 0;
      return OVERLAP;
    }
    // A little farther than needed, so that a ball that is apart need not be looked at for some time.
    this.#reach = radius + 2 * margin;
    const { magnitude } = this.#solid;
    this.#rounding = ROUNDING * (magnitude + Math.abs(center[0]) + Math.abs(center[1]) + Math.abs(center[2]));
    const nearest = this.#search(radius, radius + margin);
    this.#outside.set(center);
    this.#gap = Math.min(nearest, this.#reach);
    if (!(nearest <= radius + margin)) {
      this.distance = this.#gap - radius;
      return APART;
    }
    if (solidIsB) this.#turnAround(bInA);
    this.distance = nearest - radius;
    return NEAR;
  }

  #updateBalls(bInA: Float64Array, margin: number): number {
    const x = bInA[3];
    const y = bInA[7];
    const z = bInA[11];
    const length = Math.sqrt(x * x + y * y + z * z);
    const separation = length - this.#radiusA - this.#radiusB;
    this.distance = separation;
    if (separation > margin) return APART;
    const points = this.#points;
    const at = points.reserve();
    const { values } = points;
    // Balls with one center may part in any direction.
    const share = length > 0 ? 1 / length : 0;
    values[at + NORMAL] = length > 0 ? x * share : 0;
    values[at + NORMAL + 1] = length > 0 ? y * share : 1;
    values[at + NORMAL + 2] = length > 0 ? z * share : 0;
    for (let k = 0; k < 3; k++) {
      values[at + k] = this.#radiusA * values[at + NORMAL + k];
      values[at + ON_B + k] = bInA[4 * k + 3] - this.#radiusB * values[at + NORMAL + k];
    }
    values[at + SEPARATION] = separation;
    points.keep(0, 0);
    return NEAR;
  }

  /** Adds all contacts up to a distance of the center; returns the smallest distance within the reach. */
  #search(radius: number, limit: number): number {
    const features = this.#features as ContactFeatures;
    const { links, boxes } = this.#tree as FeatureTree;
    const [x, y, z] = this.#center;
    let nearest = Infinity;
    let top = 0;
    this.#stack[top++] = 0;
    while (top > 0) {
      const node = this.#stack[--top];
      const i = NODE_STRIDE * node;
      const dx = Math.max(0, Math.abs(x - boxes[i]) - boxes[i + 3]);
      const dy = Math.max(0, Math.abs(y - boxes[i + 1]) - boxes[i + 4]);
      const dz = Math.max(0, Math.abs(z - boxes[i + 2]) - boxes[i + 5]);
      const most = this.#reach + this.#rounding;
      if (dx * dx + dy * dy + dz * dz > most * most) continue;
      const link = links[node];
      if (link < 0) {
        nearest = Math.min(nearest, this.#touch(features, ~link, radius, limit));
        continue;
      }
      this.#stack = growTo(this.#stack, top + 2);
      this.#stack[top++] = link + 1;
      this.#stack[top++] = link;
    }
    return nearest;
  }

  /** Adds the contacts of the face and of the features that a triangle owns; returns the smallest distance. */
  #touch(f: ContactFeatures, triangle: number, radius: number, limit: number): number {
    const { planes, sides, ownEdges, ownVertices, positions, edgeLines, edgeVertices } = f;
    const [x, y, z] = this.#center;
    let nearest = Infinity;
    const i = 4 * triangle;
    const height = planes[i] * x + planes[i + 1] * y + planes[i + 2] * z - planes[i + 3];
    if (height >= 0 && height <= this.#reach && this.#isOver(sides, triangle)) {
      nearest = height;
      if (height <= limit) this.#add(planes[i], planes[i + 1], planes[i + 2], height, radius, faceKey(f, triangle));
    }
    for (let k = 3 * triangle; k < 3 * triangle + 3; k++) {
      const edge = ownEdges[k];
      if (edge >= 0) {
        const p = 3 * edgeVertices[2 * edge];
        const e = 4 * edge;
        const wx = x - positions[p];
        const wy = y - positions[p + 1];
        const wz = z - positions[p + 2];
        const along = wx * edgeLines[e] + wy * edgeLines[e + 1] + wz * edgeLines[e + 2];
        if (along >= 0 && along <= edgeLines[e + 3]) {
          const dx = wx - along * edgeLines[e];
          const dy = wy - along * edgeLines[e + 1];
          const dz = wz - along * edgeLines[e + 2];
          const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
          const share = 1 / distance;
          if (
            distance > 0 &&
            distance <= this.#reach &&
            isEdgeSummit(f, edge, dx * share, dy * share, dz * share, CONE_SLOPE)
          ) {
            nearest = Math.min(nearest, distance);
            if (distance <= limit) {
              this.#add(dx * share, dy * share, dz * share, distance, radius, f.vertexCount + edge);
            }
          }
        }
      }
      const vertex = ownVertices[k];
      if (vertex < 0) continue;
      const dx = x - positions[3 * vertex];
      const dy = y - positions[3 * vertex + 1];
      const dz = z - positions[3 * vertex + 2];
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
      const share = 1 / distance;
      if (!(distance > 0 && distance <= this.#reach)) continue;
      if (!isSummit(f, vertex, dx * share, dy * share, dz * share, CONE_SLOPE)) continue;
      nearest = Math.min(nearest, distance);
      if (distance <= limit) this.#add(dx * share, dy * share, dz * share, distance, radius, vertex);
    }
    return nearest;
  }

  /** Whether the center's foot on the plane of a triangle is in the triangle. */
  #isOver(sides: Float64Array, triangle: number): boolean {
    const [x, y, z] = this.#center;
    for (let k = 12 * triangle; k < 12 * triangle + 12; k += 4) {
      if (!(sides[k] * x + sides[k + 1] * y + sides[k + 2] * z - sides[k + 3] >= -this.#rounding)) return false;
    }
    return sides[12 * triangle] !== 0 || sides[12 * triangle + 1] !== 0 || sides[12 * triangle + 2] !== 0;
  }

  /** Adds a contact, in the solid's frame and with the solid first. The unit vector leads out of the solid. */
  #add(nx: number, ny: number, nz: number, distance: number, radius: number, key: number): void {
    const points = this.#points;
    // Neighboring features find the same contact where the center is right above their common border.
    for (let i = 0; i < points.count; i++) {
      const { values } = points;
      const n = 10 * i + NORMAL;
      if (points.keys[2 * i] === key) return;
      const away = Math.abs(values[n] - nx) + Math.abs(values[n + 1] - ny) + Math.abs(values[n + 2] - nz);
      if (away <= 4 * CONE_SLOPE && Math.abs(values[n + 3] - (distance - radius)) <= this.#rounding) return;
    }
    const at = points.reserve();
    const { values } = points;
    const normal = at + NORMAL;
    values[normal] = nx;
    values[normal + 1] = ny;
    values[normal + 2] = nz;
    const center = this.#center;
    for (let k = 0; k < 3; k++) {
      values[at + k] = center[k] - distance * values[normal + k];
      values[at + ON_B + k] = center[k] - radius * values[normal + k];
    }
    values[at + SEPARATION] = distance - radius;
    points.keep(key, 0);
  }

  /** Exchanges the roles: the ball is A. */
  #turnAround(bInA: Float64Array): void {
    const points = this.#points;
    const { values, keys } = points;
    for (let i = 0; i < points.count; i++) {
      const at = 10 * i;
      const [ax, ay, az, bx, by, bz, nx, ny, nz] = values.subarray(at, at + 9);
      for (let k = 0; k < 3; k++) {
        const row = 4 * k;
        values[at + k] = bInA[row] * bx + bInA[row + 1] * by + bInA[row + 2] * bz + bInA[row + 3];
        values[at + ON_B + k] = bInA[row] * ax + bInA[row + 1] * ay + bInA[row + 2] * az + bInA[row + 3];
        values[at + NORMAL + k] = -(bInA[row] * nx + bInA[row + 1] * ny + bInA[row + 2] * nz);
      }
      keys[2 * i + 1] = keys[2 * i];
      keys[2 * i] = 0;
    }
  }
}
