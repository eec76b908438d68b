// The objects of one call: checked, counted, and boxed. One pass over the coordinates and one over the ids.
import { nameValue } from '../core/check-options.js';
import { NearfieldError } from '../core/errors.js';
import { MAX_COORDINATE } from '../core/tolerances.js';
import { assertMesh, type Mesh } from '../mesh/mesh.js';

/** Triangles have one number each over all objects, in the order of the objects. */
export class CullScene {
  objects: readonly Mesh[] = [];
  /** Box of each object, six numbers, minimum first. */
  boxes = new Float64Array(0);
  /** The number of each object's first triangle, and the number of all. */
  firstTriangle = new Uint32Array(1);

  get objectCount(): number {
    return this.objects.length;
  }

  get triangleCount(): number {
    return this.firstTriangle[this.objects.length];
  }

  /** @throws NearfieldError for what is no list of meshes; the message names the object. */
  load(objects: readonly Mesh[]): void {
    if (!Array.isArray(objects)) {
      throw new NearfieldError(
        'bad-argument',
        `The objects are ${nameValue(objects)}; give an array of meshes { positions, indices }.`,
      );
    }
    this.objects = objects;
    if (this.boxes.length < 6 * objects.length) {
      this.boxes = new Float64Array(12 * objects.length);
      this.firstTriangle = new Uint32Array(2 * objects.length + 1);
    }
    let triangles = 0;
    for (let object = 0; object < objects.length; object++) {
      this.firstTriangle[object] = triangles;
      if (!this.#boxObject(objects[object], object)) refuseObject(objects[object], object);
      triangles += objects[object].indices.length / 3;
    }
    if (triangles > 0xffffffff) throw new NearfieldError('too-large', 'The objects have more than 2³² triangles.');
    this.firstTriangle[objects.length] = triangles;
  }

  /** The object that a triangle belongs to. */
  objectOf(triangle: number): number {
    let low = 0;
    let high = this.objects.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.firstTriangle[middle] <= triangle) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Writes the box of an object. False if it is no valid mesh. */
  #boxObject(mesh: Mesh, object: number): boolean {
    const { positions, indices } = mesh ?? {};
    if (!(positions instanceof Float64Array) || !(indices instanceof Uint32Array)) return false;
    if (positions.length % 3 !== 0 || indices.length % 3 !== 0 || indices.length === 0) return false;
    let minX = Infinity;
    let minY = Infinity;
    let minZ = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    let maxZ = -Infinity;
    // NaN changes no bound; it is found by a sum that it alone spoils, since the coordinates are bounded.
    let sum = 0;
    for (let i = 0; i < positions.length; i += 3) {
      const x = positions[i];
      const y = positions[i + 1];
      const z = positions[i + 2];
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
      if (z < minZ) minZ = z;
      if (z > maxZ) maxZ = z;
      sum += x + y + z;
    }
    if (Number.isNaN(sum)) return false;
    if (!(Math.min(minX, minY, minZ) >= -MAX_COORDINATE && Math.max(maxX, maxY, maxZ) <= MAX_COORDINATE)) return false;
    let last = 0;
    for (let i = 0; i < indices.length; i++) if (indices[i] > last) last = indices[i];
    if (3 * last >= positions.length) return false;
    this.boxes.set([minX, minY, minZ, maxX, maxY, maxZ], 6 * object);
    return true;
  }
}

/** Throws what is wrong with an object, with its number. */
function refuseObject(mesh: Mesh, object: number): never {
  try {
    assertMesh(mesh);
  } catch (error) {
    if (!(error instanceof NearfieldError)) throw error;
    throw new NearfieldError(error.code, `Object ${object}: ${error.message}`, error.location);
  }
  throw new NearfieldError('bad-argument', `Object ${object} is not a mesh; give { positions, indices }.`);
}
