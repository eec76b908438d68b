// One view of a union of convex sums from the origin, by windows. Where a sum's faces toward the eye are not beyond the
// front they open a window in the stencil, and its faces away from the eye, where farther, become the front within it;
// this repeats until nothing changes (Kim, Otaduy, Lin and Manocha 2002, section 4.3.1; the slides' DrawUnionOfConvex).
// Depth is near / w: equally precise at all distances, and no far plane cuts the front off. Each pass is O(sums).
import { NearfieldError } from '../../core/errors.js';
import { CONTAINED } from '../../decomposition/hierarchy/hierarchy.js';
import type { RasterDraw, RasterGeometry, Rasterizer, RasterState, RasterTarget } from '../../raster/raster.js';
import { CUBE_AXES, pixelCenter, writeDirection } from '../union/cube-views.js';
import { FRONT_BIAS, type WindowGeometry, type WindowSum } from './window-geometry.js';
import { ANY_ENTRY, BEYOND, buildPixelTriangles, NOT_VOID, VoidHop } from './window-hop.js';
import { WindowRay } from './window-ray.js';

/**
 * Format: windows that an image can tell apart: the values of a stencil of 8 bits except 0. They are numbered, so that
 * one left open where no face closes it is not mistaken for another sum's.
 */
const WINDOW_NUMBERS = 255;

/** Chosen: voids are tested this share of a sum's reach beyond the exit, where surfaces no longer touch. */
const VOID_STEP = 1e-9;

/** Faces away from the eye, of sums that hold it. */
const ADVANCE: RasterState = { depthCompare: 'less' };
/** The nearest of the faces toward the eye. */
const ARRIVE: RasterState = { depthCompare: 'greater', colorWrite: false };
const CLOSE_ALL: RasterState = { depthCompare: 'always', depthWrite: false, colorWrite: false, stencilPass: 'zero' };
const OPEN: readonly RasterState[] = Array.from({ length: WINDOW_NUMBERS + 1 }, (_, stencilReference) => ({
  depthCompare: 'greater-equal',
  depthWrite: false,
  colorWrite: false,
  stencilReference,
  stencilPass: 'replace',
}));
const PASS_THROUGH: readonly RasterState[] = OPEN.map(({ stencilReference }) => ({
  depthCompare: 'less',
  stencilCompare: 'equal',
  stencilReference,
}));

/** The pixel put back, with the face through which a sum is entered, as the device has it, so that its window opens. */
const PUT_BACK: readonly RasterState[] = OPEN.map(({ stencilReference }) => ({
  depthCompare: 'always',
  stencilReference,
  stencilPass: 'replace',
}));
const ENTER: readonly RasterState[] = OPEN.map(({ stencilReference }) => ({
  depthCompare: 'always',
  colorWrite: false,
  stencilCompare: 'equal',
  stencilReference,
}));

/** The inputs of a view. */
export interface WindowScene {
  readonly rasterizer: Rasterizer;
  readonly target: RasterTarget;
  readonly sums: readonly WindowSum[];
  readonly geometry: WindowGeometry;
  readonly triangles: RasterGeometry;
  readonly resolution: number;
  readonly accelerated: boolean;
  readonly startsInVoid: boolean;
  /** Whether a point outside all sums is in a void; undefined where CONTAINED facets suffice. */
  readonly isVoid: ((x: number, y: number, z: number) => boolean) | undefined;
}

/** Label: state of a pixel: its ray is still followed. */
const FOLLOWED = 0;
/** Label: state of a pixel: its ray ran into a void and was put back at the next entry, which it has not passed yet. */
const ARRIVED = 1;
/** Label: state of a pixel: its ray left into a void that nothing ends within the bound. */
const LOST = 2;
/** Label: state of a pixel: its front has been found not to lead into a void. */
const FINAL = 3;

/** Follows views one after another. The pixels are those of the last view. */
export class WindowView {
  /** The code of the facet at each pixel's front, 0 for none. */
  readonly colors: Uint32Array;
  /** Passes over the sums, and sums drawn in them, in all views. */
  passes = 0;
  drawn = 0;
  readonly #states: Uint8Array;
  /** The front where a ray was put back, as a multiple of its direction. */
  readonly #fronts: Float64Array;
  readonly #modes: Uint8Array;
  readonly #next: Int32Array;
  readonly #entries: Float64Array;
  readonly #hop = new VoidHop();
  readonly #ray = new WindowRay();
  readonly #direction = new Float64Array(3);
  readonly #matrix = new Float64Array(16);
  #windows = 0;

  constructor(readonly scene: WindowScene) {
    const pixels = scene.resolution ** 2;
    this.colors = new Uint32Array(pixels);
    this.#states = new Uint8Array(pixels);
    this.#fronts = new Float64Array(pixels);
    this.#modes = new Uint8Array(pixels);
    this.#next = new Int32Array(pixels);
    this.#entries = new Float64Array(pixels);
  }

  /** Follows all rays of a view until they stop or are beyond the bound. `around` and `apart`: the sums to draw. */
  async follow(view: number, bound: number, around: readonly number[], apart: readonly number[]): Promise<void> {
    const { rasterizer, target, geometry, resolution, accelerated } = this.scene;
    const startsApart = around.length === 0;
    this.#writeMatrix(view, around, apart);
    this.#states.fill(startsApart ? ARRIVED : FOLLOWED);
    this.#fronts.fill(0);
    this.colors.fill(0);
    this.#windows = 0;
    const first = startsApart
      ? apart.map((sum) => this.#run(geometry.triangleStart[2 * sum], geometry.triangleStart[2 * sum + 1], ARRIVE))
      : this.#drawAround(around);
    this.passes++;
    this.drawn += first.length;
    rasterizer.draw(target, this.#matrix, first, { color: 0, depth: startsApart ? 0 : 1, stencil: 0 });
    if (!startsApart) await this.#hasChanged(view, bound);
    // Each round takes rays through a void to the entry into another sum, which a ray enters once.
    for (let round = 0; round <= apart.length + 1; round++) {
      const limit = apart.length;
      for (let pass = 0; pass < limit; pass++) {
        const draws = accelerated ? [] : this.#drawAround(around);
        for (const sum of apart) this.#drawWindow(draws, sum, view);
        this.passes++;
        this.drawn += apart.length + (accelerated ? 0 : around.length);
        rasterizer.draw(target, this.#matrix, draws);
        if (!(await this.#hasChanged(view, bound))) break;
      }
      if (!this.#findVoids(view, bound)) return;
      const { sums } = this.scene;
      const [modes, fronts, entries, next] = [this.#modes, this.#fronts, this.#entries, this.#next];
      this.#hop.find(sums, geometry, apart, view, { resolution, modes, fronts, entries, next });
      if (!this.#putBack(view, bound)) return;
    }
    throw new NearfieldError(
      'unsupported',
      'The views of windows do not converge: rounding takes a ray into the same part again. Use the query "rays".',
    );
  }

  /** How far the front is along a pixel's ray, in lengths; Infinity where nothing stops it within the bound. */
  measure(view: number, pixel: number, bound: number): number {
    if (this.#states[pixel] === LOST || this.colors[pixel] === 0) return Infinity;
    const distance = this.#measureFront(view, pixel);
    return distance <= bound ? distance : Infinity;
  }

  /** Follows a pixel's ray by its intervals with the sums listed, and corrects what was drawn where they differ. */
  confirm(view: number, pixel: number, list: readonly number[]): void {
    const { resolution, geometry } = this.scene;
    const x = pixelCenter(pixel % resolution, resolution);
    const y = -pixelCenter(Math.floor(pixel / resolution), resolution);
    writeDirection(this.#direction, view, x, y);
    const reach = this.#ray.follow(geometry, list, this.#direction, (t, code) =>
      this.#isVoidBeyond(view, pixel, t, code),
    );
    const drawn = this.#measureFront(view, pixel) / Math.sqrt(1 + x * x + y * y);
    if (Math.abs(reach - drawn) <= FRONT_BIAS * drawn) return;
    this.colors[pixel] = this.#ray.code;
    this.#states[pixel] = reach === Infinity ? LOST : FINAL;
  }

  /** As {@link measure}, wherever the front is. By the facet's plane, in double precision. */
  #measureFront(view: number, pixel: number): number {
    const { geometry, resolution } = this.scene;
    const { planes, facetSums, reaches } = geometry;
    const [fx, fy, fz, rx, ry, rz, ux, uy, uz] = CUBE_AXES[view];
    const x = pixelCenter(pixel % resolution, resolution);
    const y = -pixelCenter(Math.floor(pixel / resolution), resolution);
    const facet = this.colors[pixel] - 1;
    const p = 4 * facet;
    const slope =
      planes[p] * (fx + x * rx + y * ux) +
      planes[p + 1] * (fy + x * ry + y * uy) +
      planes[p + 2] * (fz + x * rz + y * uz);
    // A pixel on the rim of a facet seen from the side may miss it: no point of the sum is beyond its reach.
    const reach = reaches[facetSums[facet]];
    const length = Math.sqrt(1 + x * x + y * y);
    const offset = Math.max(0, planes[p + 3]) * length;
    return offset < reach * slope ? offset / slope : offset === 0 ? 0 : reach;
  }

  /** Reads the fronts back; returns whether any within the bound has changed. */
  async #hasChanged(view: number, bound: number): Promise<boolean> {
    const { color } = await this.scene.rasterizer.read(this.scene.target, ['color']);
    let changed = false;
    for (let pixel = 0; pixel < this.colors.length; pixel++) {
      const code = color![pixel];
      if (code === this.colors[pixel]) continue;
      this.colors[pixel] = code;
      if (this.#states[pixel] !== LOST) this.#states[pixel] = FOLLOWED;
      changed ||= code !== 0 && this.#measureFront(view, pixel) < bound;
    }
    return changed;
  }

  /** Marks the pixels whose rays left into a void and records where; returns whether there are any. */
  #findVoids(view: number, bound: number): boolean {
    const { geometry, startsInVoid, resolution } = this.scene;
    let found = false;
    for (let pixel = 0; pixel < this.colors.length; pixel++) {
      this.#modes[pixel] = NOT_VOID;
      const state = this.#states[pixel];
      if (state === LOST || state === FINAL) continue;
      const code = this.colors[pixel];
      if (code === 0) {
        // Put back, and no window opened there: the ray only grazes the sum's rim.
        if (state !== ARRIVED || !(startsInVoid || this.#fronts[pixel] > 0)) continue;
        this.#modes[pixel] = BEYOND;
      } else {
        const distance = this.#measureFront(view, pixel);
        if (distance > bound) continue;
        const x = pixelCenter(pixel % resolution, resolution);
        const y = pixelCenter(Math.floor(pixel / resolution), resolution);
        const front = distance / Math.sqrt(1 + x * x + y * y);
        if (geometry.classes[code - 1] !== CONTAINED && !this.#isVoidBeyond(view, pixel, front, code)) {
          this.#states[pixel] = FINAL;
          continue;
        }
        // A device that snaps corners may show a facet beside its edge, where its plane is before the last entry: the
        // front never moves back, and where it does not advance the entry is not tried again, so that the loop ends.
        this.#modes[pixel] = front > this.#fronts[pixel] ? ANY_ENTRY : BEYOND;
        this.#fronts[pixel] = Math.max(this.#fronts[pixel], front);
      }
      found = true;
    }
    return found;
  }

  /** Whether a ray that leaves through a FREE or ORIGINAL facet at this multiple of its direction is in a void. */
  #isVoidBeyond(view: number, pixel: number, t: number, code: number): boolean {
    const { isVoid, geometry, resolution } = this.scene;
    if (isVoid === undefined || code === 0) return false;
    const x = pixelCenter(pixel % resolution, resolution);
    const y = -pixelCenter(Math.floor(pixel / resolution), resolution);
    const step = VOID_STEP * geometry.reaches[geometry.facetSums[code - 1]];
    const beyond = t + step / Math.sqrt(1 + x * x + y * y);
    writeDirection(this.#direction, view, x, y);
    const [dx, dy, dz] = this.#direction;
    return isVoid(beyond * dx, beyond * dy, beyond * dz);
  }

  /** Draws the fronts of the marked pixels at the entries found; returns whether there are any within the bound. */
  #putBack(view: number, bound: number): boolean {
    const { rasterizer, target, resolution } = this.scene;
    const { triangleStart } = this.scene.geometry;
    const pixels: number[] = [];
    for (let pixel = 0; pixel < this.colors.length; pixel++) {
      if (this.#modes[pixel] === NOT_VOID) continue;
      const x = pixelCenter(pixel % resolution, resolution);
      const y = pixelCenter(Math.floor(pixel / resolution), resolution);
      if (this.#entries[pixel] * Math.sqrt(1 + x * x + y * y) >= bound) {
        this.#states[pixel] = LOST;
        continue;
      }
      this.#states[pixel] = ARRIVED;
      this.#fronts[pixel] = this.#entries[pixel];
      this.colors[pixel] = 0;
      pixels.push(pixel);
    }
    if (pixels.length === 0) return false;
    pixels.sort((p, q) => this.#next[p] - this.#next[q]);
    const positions = buildPixelTriangles(pixels, this.#entries, view, resolution);
    const indices = Uint32Array.from({ length: 3 * pixels.length }, (_, i) => i);
    const geometry = rasterizer.createGeometry(positions, indices, new Uint32Array(pixels.length));
    const draws: RasterDraw[] = [];
    for (let from = 0, to = 0; from < pixels.length; from = to) {
      const sum = this.#next[pixels[from]];
      while (to < pixels.length && this.#next[pixels[to]] === sum) to++;
      const number = this.#numberWindow(draws, view);
      draws.push(
        { geometry, firstTriangle: from, triangleCount: to - from, state: PUT_BACK[number] },
        this.#run(triangleStart[2 * sum], triangleStart[2 * sum + 1], ENTER[number]),
      );
    }
    rasterizer.draw(target, this.#matrix, draws);
    geometry.destroy();
    return true;
  }

  #run(from: number, to: number, state: RasterState): RasterDraw {
    return { geometry: this.scene.triangles, firstTriangle: from, triangleCount: to - from, state };
  }

  #drawAround(around: readonly number[]): RasterDraw[] {
    const { triangleStart } = this.scene.geometry;
    return around.map((sum) => this.#run(triangleStart[2 * sum + 1], triangleStart[2 * sum + 2], ADVANCE));
  }

  /** Adds the two draws of a sum: the window, and what is visible through it. */
  #drawWindow(draws: RasterDraw[], sum: number, view: number): void {
    const { triangleStart } = this.scene.geometry;
    const number = this.#numberWindow(draws, view);
    draws.push(
      this.#run(triangleStart[2 * sum], triangleStart[2 * sum + 1], OPEN[number]),
      this.#run(triangleStart[2 * sum + 1], triangleStart[2 * sum + 2], PASS_THROUGH[number]),
    );
  }

  /** A number that no window has; adds a draw that closes all windows when none is left. */
  #numberWindow(draws: RasterDraw[], view: number): number {
    if (this.#windows === WINDOW_NUMBERS) {
      const { coverStart } = this.scene.geometry;
      draws.push(this.#run(coverStart + 2 * view, coverStart + 2 * view + 2, CLOSE_ALL));
      this.#windows = 0;
    }
    return ++this.#windows;
  }

  /** Depth near / w: 1 at the near plane, which is as far out as the sums allow, falling to 0 with distance. */
  #writeMatrix(view: number, around: readonly number[], apart: readonly number[]): void {
    const { clearances } = this.scene.geometry;
    let clearance = Infinity;
    for (const sum of around) clearance = Math.min(clearance, clearances[sum]);
    for (const sum of apart) clearance = Math.min(clearance, clearances[sum]);
    if (clearance === Infinity) clearance = 1;
    // A point of the view at distance r is at least r / √3 ahead of the eye; the rest allows for rounding.
    const near = 0.5 * clearance;
    const [fx, fy, fz, rx, ry, rz, ux, uy, uz] = CUBE_AXES[view];
    this.#matrix.set([rx, ux, 0, fx, ry, uy, 0, fy, rz, uz, 0, fz, 0, 0, near, 0]);
  }
}
