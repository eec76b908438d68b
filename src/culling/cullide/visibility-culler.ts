// The potentially colliding set by visibility (Govindaraju, Redon, Lin and Manocha 2003, CULLIDE), on the CPU. In each
// of three orthographic views the objects are drawn twice, in order and in reverse. An object that is fully visible, in
// front of everything drawn before it, meets none of that; one that is fully visible in both orders is pruned. Boxes
// first, then objects by their triangles, then single triangles; an object is drawn only after its own tests, which
// leaves out self-collisions.
import type { CullStage } from '../cull-result.js';
import type { CullScene } from '../cull-scene.js';
import { DepthImage } from './depth-image.js';
import { type ViewFrame, viewAlong } from './view-frame.js';

/**
 * Chosen: the largest resolution at which boxes are drawn, in pixels a side. Many large boxes would take long, and a
 * lower resolution is safe.
 */
const BOX_RESOLUTION = 128;
/** Each level looks along the axes from the near side, then from the far side at what is left. */
const SIDES = [false, true];

type Level = 'boxes' | 'geometry' | 'triangles';

/** Label: a bit of an object or triangle: it was fully visible in a view of the first pass. */
const SEEN_IN_ORDER = 1;
/** Label: a bit of an object or triangle: it was fully visible in a view of the second pass. */
const SEEN_IN_REVERSE = 2;
/** Label: both bits: the object or triangle is pruned. */
const SEEN = 3;

/** Prunes objects and triangles that are fully visible. */
export class VisibilityCuller {
  /** 1 for the objects and triangles left. */
  objectAlive = new Uint8Array(0);
  triangleAlive = new Uint8Array(0);
  passes = 0;
  readonly #image = new DepthImage();
  #scene: CullScene | null = null;
  #objectSeen = new Uint8Array(0);
  #triangleSeen = new Uint8Array(0);

  get fragments(): number {
    return this.#image.fragments;
  }

  /**
   * Finds what is left of the objects at a resolution and returns the counts after each level.
   * @param reaching 1 for the triangles that reach into the box of another object; the others meet none.
   */
  cull(scene: CullScene, resolution: number, reaching: Uint8Array): CullStage[] {
    const { objectCount, triangleCount } = scene;
    this.#scene = scene;
    this.passes = 0;
    this.#image.fragments = 0;
    if (this.#objectSeen.length < objectCount) {
      this.objectAlive = new Uint8Array(2 * objectCount);
      this.#objectSeen = new Uint8Array(2 * objectCount);
    }
    if (this.#triangleSeen.length < triangleCount) {
      this.triangleAlive = new Uint8Array(Math.ceil(1.25 * triangleCount));
      this.#triangleSeen = new Uint8Array(Math.ceil(1.25 * triangleCount));
    }
    this.objectAlive.fill(1, 0, objectCount);
    this.triangleAlive.fill(1, 0, triangleCount);
    const stages = [this.#level('boxes', Math.min(resolution, BOX_RESOLUTION))];
    this.#dropTriangles(reaching);
    stages.push(this.#level('geometry', resolution));
    stages.push(this.#level('triangles', resolution));
    return stages;
  }

  #dropTriangles(reaching: Uint8Array): void {
    const { triangleCount } = this.#scene!;
    for (let t = 0; t < triangleCount; t++) this.triangleAlive[t] &= reaching[t];
    this.#prune('triangles');
  }

  /** All views of one level. What a view prunes is not in the next. */
  #level(level: Level, resolution: number): CullStage {
    const { objectCount, triangleCount } = this.#scene!;
    // What one view or side proves about objects before or after holds for good: pruned objects meet nothing.
    this.#objectSeen.fill(0, 0, objectCount);
    this.#triangleSeen.fill(0, 0, triangleCount);
    let count = this.#count(level);
    for (const fromFar of SIDES) {
      for (let axis = 0; axis < 3 && count.objects > 0; axis++) {
        const view = viewAlong(axis, fromFar, this.#boxOfRest(level), resolution);
        this.#pass(level, view, SEEN_IN_ORDER);
        this.#pass(level, view, SEEN_IN_REVERSE);
        this.#prune(level);
        count = this.#count(level);
      }
    }
    return count;
  }

  /** Tests each object against those before it, then draws it. */
  #pass(level: Level, view: ViewFrame, seen: number): void {
    const { objectCount } = this.#scene!;
    this.#image.begin(view);
    this.passes++;
    const step = seen === SEEN_IN_ORDER ? 1 : -1;
    const first = seen === SEEN_IN_ORDER ? 0 : objectCount - 1;
    for (let object = first; object >= 0 && object < objectCount; object += step) {
      if (this.objectAlive[object] === 0) continue;
      this.#test(level, object, seen);
      this.#draw(level, object);
    }
  }

  #test(level: Level, object: number, seen: number): void {
    const { boxes, objects, firstTriangle } = this.#scene!;
    const image = this.#image;
    if (level === 'boxes') {
      if (image.isBoxVisible(boxes, 6 * object)) this.#objectSeen[object] |= seen;
      return;
    }
    if (level === 'geometry' && (this.#objectSeen[object] & seen) !== 0) return;
    const { positions, indices } = objects[object];
    const triangleSeen = this.#triangleSeen;
    const alive = this.triangleAlive;
    for (let i = 0, t = firstTriangle[object]; i < indices.length; i += 3, t++) {
      if (alive[t] === 0 || (level === 'triangles' && (triangleSeen[t] & seen) !== 0)) continue;
      const visible = image.isVisible(positions, 3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]);
      if (level === 'geometry' && !visible) return;
      if (visible) triangleSeen[t] |= seen;
    }
    this.#objectSeen[object] |= seen;
  }

  #draw(level: Level, object: number): void {
    const { boxes, objects, firstTriangle } = this.#scene!;
    if (level === 'boxes') {
      this.#image.writeBox(boxes, 6 * object);
      return;
    }
    const { positions, indices } = objects[object];
    for (let i = 0, t = firstTriangle[object]; i < indices.length; i += 3, t++) {
      if (this.triangleAlive[t] === 0) continue;
      this.#image.write(positions, 3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]);
    }
  }

  #prune(level: Level): void {
    const { objectCount, firstTriangle } = this.#scene!;
    for (let object = 0; object < objectCount; object++) {
      if (this.objectAlive[object] === 0) continue;
      const first = firstTriangle[object];
      const end = firstTriangle[object + 1];
      if (level !== 'triangles') {
        if (this.#objectSeen[object] !== SEEN) continue;
        this.objectAlive[object] = 0;
        this.triangleAlive.fill(0, first, end);
        continue;
      }
      let left = 0;
      for (let t = first; t < end; t++) {
        if (this.#triangleSeen[t] === SEEN) this.triangleAlive[t] = 0;
        left += this.triangleAlive[t];
      }
      if (left === 0) this.objectAlive[object] = 0;
    }
  }

  #count(name: Level): CullStage {
    const { objectCount, firstTriangle } = this.#scene!;
    let objects = 0;
    let triangles = 0;
    for (let object = 0; object < objectCount; object++) {
      if (this.objectAlive[object] === 0) continue;
      objects++;
      for (let t = firstTriangle[object]; t < firstTriangle[object + 1]; t++) triangles += this.triangleAlive[t];
    }
    return { name, objects, triangles };
  }

  /** The box of the objects left, or of the triangles left: the smaller, the finer the pixels. */
  #boxOfRest(level: Level): Float64Array {
    const { objectCount, boxes, objects, firstTriangle } = this.#scene!;
    const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
    for (let object = 0; object < objectCount; object++) {
      if (this.objectAlive[object] === 0) continue;
      if (level === 'boxes') {
        growBox(box, boxes, 6 * object, 6 * object + 3);
        continue;
      }
      const { positions, indices } = objects[object];
      const first = firstTriangle[object];
      for (let i = 0; i < indices.length; i++) {
        if (this.triangleAlive[first + Math.floor(i / 3)] === 1) {
          growBox(box, positions, 3 * indices[i], 3 * indices[i]);
        }
      }
    }
    return box;
  }
}

/** Grows a box by a point below and a point above. */
function growBox(box: Float64Array, points: Float64Array, low: number, high: number): void {
  for (let axis = 0; axis < 3; axis++) {
    if (points[low + axis] < box[axis]) box[axis] = points[low + axis];
    if (points[high + axis] > box[axis + 3]) box[axis + 3] = points[high + axis];
  }
}
