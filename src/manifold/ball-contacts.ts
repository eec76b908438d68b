// The contacts of an exact ball with another ball or with a solid, in the frame of the first shape: every local minimum
// of the distance between the ball's center and the surface. A ball may overlap by up to its radius: as long as its
// center is outside, contacts have negative separations.

import { growTo } from '../core/grow-array.js';
import { invertPlacement } from '../core/placement.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { moveAt } from './approach-normals.js';
import { BallApproach } from './ball-approach.js';
import { type ContactPoints, NORMAL, ON_B, POINT_STRIDE, SEPARATION } from './contact-points.js';
import { APART, NEAR, OVERLAP } from './contact-state.js';
import { alongEdge, faceKey, isEdgeSummit, isSummit } from './feature-cones.js';
import { COORDINATE_ROUNDING, SLOPE_ROUNDING } from './roundings.js';
import type { CollisionShape } from './shape/collision-shape.js';
import { CONTACT_FEATURES, type ContactFeatures } from './shape/contact-features.js';
import { FEATURE_TREES, type FeatureTree, type FeatureTrees, NODE_STRIDE } from './shape/feature-tree.js';

/** Finds the contacts of two shapes of which at least one is a ball. */
export class BallContacts {
  /** As in `PairContacts`. */
  distance = 0;
  readonly #radiusA: number;
  readonly #radiusB: number;
  readonly #points: ContactPoints;
  readonly #solid: ProximityModel | null;
  readonly #features: ContactFeatures | null;
  readonly #approach: BallApproach | null;
  readonly #trees: FeatureTrees | null;
  readonly #aInB = new Float64Array(12);
  /** The ball's center in the solid's frame: now, and when it was last known to be outside by `gap`. */
  readonly #center = new Float64Array(3);
  readonly #way = new Float64Array(3);
  readonly #point: [number, number, number] = [0, 0, 0];
  readonly #outside = new Float64Array(3);
  #gap = 0;
  #stack = new Int32Array(64);
  /** Features found in a tree. */
  #found = new Int32Array(16);
  #count = 0;
  #reach = 0;
  #rounding = 0;

  /** @param points where the contacts go. */
  constructor(a: CollisionShape, b: CollisionShape, points: ContactPoints) {
    this.#radiusA = a.ballRadius;
    this.#radiusB = b.ballRadius;
    this.#points = points;
    this.#solid = a.model ?? b.model;
    this.#features = this.#solid?.parts.get(CONTACT_FEATURES) ?? null;
    this.#approach = this.#features === null ? null : new BallApproach(this.#features);
    this.#trees = this.#solid?.parts.get(FEATURE_TREES) ?? null;
  }

  reset(): void {
    this.#gap = 0;
  }

  /** Appends what the next update depends on. */
  save(out: number[]): void {
    out.push(this.#gap, ...this.#outside);
  }

  /** Takes over what {@link save} appended, from a place on. Returns the count of numbers read. */
  load(values: Float64Array, at: number): number {
    this.#gap = values[at];
    this.#outside.set(values.subarray(at + 1, at + 4));
    return 4;
  }

  /** Finds the contacts within the margin. */
  update(bInA: Float64Array, margin: number, motion: Float64Array | null = null): number {
    this.#points.count = 0;
    if (this.#solid === null) return this.#updateBalls(bInA, margin);
    const center = this.#center;
    const solidIsB = this.#radiusA > 0;
    const frame = solidIsB ? invertPlacement(bInA, this.#aInB) : bInA;
    for (let k = 0; k < 3; k++) center[k] = frame[4 * k + 3];
    const radius = solidIsB ? this.#radiusA : this.#radiusB;
    const moved = Math.hypot(center[0] - this.#outside[0], center[1] - this.#outside[1], center[2] - this.#outside[2]);
    const left = this.#gap - moved * (1 + COORDINATE_ROUNDING);
    if (left > radius + margin) {
      this.distance = left - radius;
      return APART;
    }
    if (!(left > 0) && this.#isInside(this.#solid)) {
      this.#gap = 0;
      this.distance = 0;
      return OVERLAP;
    }
    // A little farther than needed, so that a ball that is apart need not be looked at for some time.
    this.#reach = radius + 2 * margin;
    const { magnitude } = this.#solid;
    this.#rounding =
      COORDINATE_ROUNDING * (magnitude + Math.abs(center[0]) + Math.abs(center[1]) + Math.abs(center[2]));
    const nearest = this.#search(radius, radius + margin);
    this.#outside.set(center);
    this.#gap = Math.min(nearest, this.#reach);
    if (!(nearest <= radius + margin)) {
      this.distance = this.#gap - radius;
      return APART;
    }
    if (motion !== null && this.#approach !== null) {
      this.#setWay(bInA, motion, solidIsB);
      this.#approach.refine(this.#points, center, radius, this.#way);
    }
    if (solidIsB) this.#turnAround(bInA);
    this.distance = nearest - radius;
    return NEAR;
  }

  /** Sets how the ball moves in the solid's frame. */
  #setWay(m: Float64Array, motion: Float64Array, solidIsB: boolean): void {
    const way = this.#way;
    if (solidIsB) {
      // The solid moves past the ball, whose center is the origin: the ball moves the other way in the solid's frame.
      for (let k = 0; k < 3; k++) way[k] = -(m[k] * motion[3] + m[4 + k] * motion[4] + m[8 + k] * motion[5]);
      return;
    }
    moveAt(motion, this.#center, 0, way);
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

  #isInside(solid: ProximityModel): boolean {
    const point = this.#point;
    for (let k = 0; k < 3; k++) point[k] = this.#center[k];
    return solid.isInside(point);
  }

  /** Adds all contacts up to a distance of the center; returns the smallest distance within the reach. */
  #search(radius: number, limit: number): number {
    const f = this.#features as ContactFeatures;
    const trees = this.#trees as FeatureTrees;
    const x = this.#center[0];
    const y = this.#center[1];
    const z = this.#center[2];
    let nearest = Infinity;
    this.#collect(trees.facets);
    for (let i = 0; i < this.#count; i++) {
      const facet = this.#found[i];
      const height = this.#heightOver(f, facet);
      this.#points.source = facet;
      if (!(height <= this.#reach)) continue;
      nearest = Math.min(nearest, height);
      const { planes } = f.facets;
      const n = 4 * facet;
      if (height <= limit) this.#add(planes[n], planes[n + 1], planes[n + 2], height, radius, faceKey(f, facet));
    }
    this.#collect(trees.edges);
    for (let i = 0; i < this.#count; i++) {
      const edge = this.#found[i];
      const along = alongEdge(f, edge, this.#center);
      if (along < 0) continue;
      const p = 3 * f.edgeVertices[2 * edge];
      const e = 4 * edge;
      const dx = x - f.positions[p] - along * f.edgeLines[e];
      const dy = y - f.positions[p + 1] - along * f.edgeLines[e + 1];
      const dz = z - f.positions[p + 2] - along * f.edgeLines[e + 2];
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (!(distance > 0 && distance <= this.#reach)) continue;
      const share = 1 / distance;
      const slope = SLOPE_ROUNDING + this.#rounding * share;
      if (!isEdgeSummit(f, edge, dx * share, dy * share, dz * share, slope)) continue;
      nearest = Math.min(nearest, distance);
      if (distance <= limit) this.#add(dx * share, dy * share, dz * share, distance, radius, f.vertexCount + edge);
    }
    this.#collect(trees.summits);
    for (let i = 0; i < this.#count; i++) {
      const vertex = this.#found[i];
      const dx = x - f.positions[3 * vertex];
      const dy = y - f.positions[3 * vertex + 1];
      const dz = z - f.positions[3 * vertex + 2];
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (!(distance > 0 && distance <= this.#reach)) continue;
      const share = 1 / distance;
      if (!isSummit(f, vertex, dx * share, dy * share, dz * share, SLOPE_ROUNDING + this.#rounding * share)) continue;
      nearest = Math.min(nearest, distance);
      if (distance <= limit) this.#add(dx * share, dy * share, dz * share, distance, radius, vertex);
    }
    return nearest;
  }

  /** Collects the items of a tree whose boxes are within the reach of the center. */
  #collect({ links, boxes }: FeatureTree): void {
    const x = this.#center[0];
    const y = this.#center[1];
    const z = this.#center[2];
    const most = this.#reach + this.#rounding;
    let top = 0;
    this.#count = 0;
    if (links.length > 0) this.#stack[top++] = 0;
    while (top > 0) {
      const node = this.#stack[--top];
      const i = NODE_STRIDE * node;
      const dx = Math.max(0, Math.abs(x - boxes[i]) - boxes[i + 3]);
      const dy = Math.max(0, Math.abs(y - boxes[i + 1]) - boxes[i + 4]);
      const dz = Math.max(0, Math.abs(z - boxes[i + 2]) - boxes[i + 5]);
      if (dx * dx + dy * dy + dz * dz > most * most) continue;
      const link = links[node];
      if (link < 0) {
        if (this.#count === this.#found.length) this.#found = growTo(this.#found, this.#count + 1);
        this.#found[this.#count++] = ~link;
        continue;
      }
      if (top + 2 > this.#stack.length) this.#stack = growTo(this.#stack, top + 2);
      this.#stack[top++] = link + 1;
      this.#stack[top++] = link;
    }
  }

  /** The height of the center over a facet, infinite if it is behind it or beside it. */
  #heightOver({ facets }: ContactFeatures, facet: number): number {
    const { planes, start, sides } = facets;
    const x = this.#center[0];
    const y = this.#center[1];
    const z = this.#center[2];
    const i = 4 * facet;
    const height = planes[i] * x + planes[i + 1] * y + planes[i + 2] * z - planes[i + 3];
    if (!(height >= 0)) return Infinity;
    for (let s = 4 * start[facet]; s < 4 * start[facet + 1]; s += 4) {
      if (!(sides[s] * x + sides[s + 1] * y + sides[s + 2] * z - sides[s + 3] >= -this.#rounding)) return Infinity;
    }
    return height;
  }

  /** Adds a contact, in the solid's frame and with the solid first. The unit vector leads out of the solid. */
  #add(nx: number, ny: number, nz: number, distance: number, radius: number, key: number): void {
    const points = this.#points;
    // Neighboring features find the same contact where the center is right above their common border.
    for (let i = 0; i < points.count; i++) {
      const { values } = points;
      const n = POINT_STRIDE * i + NORMAL;
      if (points.keys[2 * i] === key) return;
      const away = Math.abs(values[n] - nx) + Math.abs(values[n + 1] - ny) + Math.abs(values[n + 2] - nz);
      if (away <= 4 * SLOPE_ROUNDING && Math.abs(values[n + 3] - (distance - radius)) <= this.#rounding) return;
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
      const at = POINT_STRIDE * i;
      const ax = values[at];
      const ay = values[at + 1];
      const az = values[at + 2];
      const bx = values[at + ON_B];
      const by = values[at + ON_B + 1];
      const bz = values[at + ON_B + 2];
      const nx = values[at + NORMAL];
      const ny = values[at + NORMAL + 1];
      const nz = values[at + NORMAL + 2];
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
