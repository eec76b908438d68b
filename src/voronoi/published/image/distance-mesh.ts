// Distance meshes (Hoff et al. 1999): over the plane, the height of a mesh is the distance to its site. A point has a
// cone, a segment a tent of two planes with half a cone at each end, an arc the two cones of its circle. Cones have as
// many sides as keep them within the error. Heights only exceed the distance, as the corners of a cone are on it.
import { NearfieldError } from '../../../core/errors.js';
import { elementDistance } from '../../sites/element-distance.js';
import {
  ARC,
  type PlaneElements,
  POINT,
  SHAPE_A,
  SHAPE_B,
  SHAPE_CENTER,
  SHAPE_COSINE,
  SHAPE_MIDDLE,
  SHAPE_RADIUS,
  SHAPE_STRIDE,
} from '../../sites/plane-elements.js';
import type { PlaneBox } from '../../sites/sites-box.js';

/** Chosen: the largest number of sides of one cone. */
const MAX_SIDES = 1 << 16;

/** Chosen: triangles that are handed out at once, plus those of one more element. */
const BATCH = 1 << 16;

/** Heights that are drawn: those from `low` to `high` become depths 0 to 1. */
export interface MeshRange {
  readonly low: number;
  readonly high: number;
}

/** Triangles in clip space, for the identity as view: x and y of the box from −1 to 1, y0 at the top. */
export interface MeshTriangles {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  /** The site plus one. */
  readonly colors: Uint32Array;
}

/** Makes the distance meshes of elements in order. */
export class DistanceMeshes {
  readonly #elements: PlaneElements;
  readonly #range: MeshRange;
  readonly #error: number;
  readonly #box: PlaneBox;
  #positions: number[] = [];
  #colors: number[] = [];
  // The current element.
  #weight = 1;
  #offset = 0;
  #color = 0;

  /** @param error how far heights may be from distances. */
  constructor(elements: PlaneElements, box: PlaneBox, range: MeshRange, error: number) {
    this.#elements = elements;
    this.#range = range;
    this.#error = error;
    this.#box = box;
  }

  /** The meshes in batches of some ten thousand triangles. Elements too far to be drawn in the box have none. */
  *batches(): Generator<MeshTriangles> {
    const { count, site, weights, offsets } = this.#elements;
    const [x0, y0, x1, y1] = this.#box;
    const radius = Math.hypot(x1 - x0, y1 - y0) / 2;
    for (let element = 0; element < count; element++) {
      this.#weight = weights[site[element]];
      this.#offset = offsets[site[element]];
      this.#color = site[element] + 1;
      const reach = (this.#range.high + this.#offset) * this.#weight;
      const distance = elementDistance(this.#elements, element, (x0 + x1) / 2, (y0 + y1) / 2);
      if (reach >= 0 && distance - radius <= reach * (1 + 1e-9)) this.#add(element, reach);
      if (this.#colors.length >= BATCH) yield this.#take();
    }
    if (this.#colors.length > 0) yield this.#take();
  }

  #take(): MeshTriangles {
    const triangles = {
      positions: Float64Array.from(this.#positions),
      indices: Uint32Array.from({ length: 3 * this.#colors.length }, (_, i) => i),
      colors: Uint32Array.from(this.#colors),
    };
    this.#positions = [];
    this.#colors = [];
    return triangles;
  }

  #add(element: number, reach: number): void {
    const { kinds, shapes } = this.#elements;
    const at = SHAPE_STRIDE * element;
    const ax = shapes[at + SHAPE_A];
    const ay = shapes[at + SHAPE_A + 1];
    if (kinds[element] === POINT) {
      this.#addCone(ax, ay, 0, 2 * Math.PI, reach);
      return;
    }
    const bx = shapes[at + SHAPE_B];
    const by = shapes[at + SHAPE_B + 1];
    if (kinds[element] === ARC) {
      this.#addArc(at, reach);
      if (shapes[at + SHAPE_COSINE] === -1) return;
      this.#addCone(ax, ay, 0, 2 * Math.PI, reach);
      this.#addCone(bx, by, 0, 2 * Math.PI, reach);
      return;
    }
    const angle = Math.atan2(by - ay, bx - ax);
    const nx = -Math.sin(angle) * reach;
    const ny = Math.cos(angle) * reach;
    for (const side of [1, -1]) {
      const dx = side * nx;
      const dy = side * ny;
      this.#addTriangle(ax, ay, 0, bx, by, 0, bx + dx, by + dy, reach);
      this.#addTriangle(ax, ay, 0, bx + dx, by + dy, reach, ax + dx, ay + dy, reach);
    }
    this.#addCone(ax, ay, angle + Math.PI / 2, Math.PI, reach);
    this.#addCone(bx, by, angle - Math.PI / 2, Math.PI, reach);
  }

  /** A sector of a cone; its sides are cut where even their middle is `reach` from the apex. */
  #addCone(x: number, y: number, from: number, sweep: number, reach: number): void {
    const sides = this.#sidesFor(sweep, reach);
    const radius = reach / Math.cos(sweep / sides / 2);
    for (let i = 0; i < sides; i++) {
      const a = from + (sweep * i) / sides;
      const b = from + (sweep * (i + 1)) / sides;
      const [ax, ay] = [x + radius * Math.cos(a), y + radius * Math.sin(a)];
      const [bx, by] = [x + radius * Math.cos(b), y + radius * Math.sin(b)];
      this.#addTriangle(x, y, 0, ax, ay, radius, bx, by, radius);
    }
  }

  /** The cones of a circle between the ends of an arc, inward as far as its center. */
  #addArc(at: number, reach: number): void {
    const { shapes } = this.#elements;
    const x = shapes[at + SHAPE_CENTER];
    const y = shapes[at + SHAPE_CENTER + 1];
    const radius = shapes[at + SHAPE_RADIUS];
    const half = Math.acos(Math.max(-1, Math.min(1, shapes[at + SHAPE_COSINE])));
    const from = Math.atan2(shapes[at + SHAPE_MIDDLE + 1], shapes[at + SHAPE_MIDDLE]) - half;
    const sides = this.#sidesFor(2 * half, radius + reach);
    const outer = (radius + reach) / Math.cos(half / sides);
    const inner = Math.max(0, radius - reach);
    for (let i = 0; i < sides; i++) {
      const a = from + (2 * half * i) / sides;
      const b = from + (2 * half * (i + 1)) / sides;
      for (const other of [outer, inner]) {
        const height = Math.abs(other - radius);
        const [ax, ay] = [x + radius * Math.cos(a), y + radius * Math.sin(a)];
        const [bx, by] = [x + radius * Math.cos(b), y + radius * Math.sin(b)];
        const [cx, cy] = [x + other * Math.cos(b), y + other * Math.sin(b)];
        const [dx, dy] = [x + other * Math.cos(a), y + other * Math.sin(a)];
        this.#addTriangle(ax, ay, 0, bx, by, 0, cx, cy, height);
        if (other > 0) this.#addTriangle(ax, ay, 0, cx, cy, height, dx, dy, height);
      }
    }
  }

  /** Sides of a cone with this angle: the middle of a side is too high by reach (1 / cos(angle / 2) − 1). */
  #sidesFor(sweep: number, reach: number): number {
    const error = this.#error * this.#weight;
    const half = reach <= error ? Math.PI / 4 : Math.acos(1 / (1 + error / reach));
    const sides = Math.max(Math.ceil(sweep / (Math.PI / 2)), Math.ceil(sweep / (2 * half)));
    if (sides <= MAX_SIDES) return Math.max(1, sides);
    throw new NearfieldError(
      'too-large',
      `Distance meshes within ${this.#error} take cones of ${sides} sides; give a larger error, or use method 'exact'.`,
    );
  }

  /** Corners x, y and the distance there, without weights. Takes scalars, for inner loops. */
  #addTriangle(
    ax: number,
    ay: number,
    a: number,
    bx: number,
    by: number,
    b: number,
    cx: number,
    cy: number,
    c: number,
  ): void {
    this.#addCorner(ax, ay, a);
    this.#addCorner(bx, by, b);
    this.#addCorner(cx, cy, c);
    this.#colors.push(this.#color);
  }

  #addCorner(x: number, y: number, distance: number): void {
    const [x0, y0, x1, y1] = this.#box;
    const { low, high } = this.#range;
    const value = distance / this.#weight - this.#offset;
    this.#positions.push((2 * (x - x0)) / (x1 - x0) - 1, 1 - (2 * (y - y0)) / (y1 - y0), (value - low) / (high - low));
  }
}
