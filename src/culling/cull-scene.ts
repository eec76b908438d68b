// The objects of one call: checked, counted, and boxed. One pass over the coordinates and one over the ids.
import { nameValue } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import { growTo } from '../core/grow-array.js';
import { MAX_COORDINATE } from '../core/tolerances.js';
import { assertMesh, type Mesh } from '../mesh/mesh.js';

/** Triangles have one number each over all objects, in the order of the objects. */
export class CullScene {
  objects: readonly Mesh[] = [];
  /** Box of each object, six numbers, minimum first. */
  boxes = new Float64Array(0);
  /** The number of each object's first triangle, and the number of all. */
  firstTriangle = new Uint32Array(1);
  /** Changes when any id, or the number of objects, or of an object's vertices or triangles, differs from the last call. */
  idsVersion = 0;
  /** The ids of the last call, where they begin for each object, and its count of vertices; −1 if unknown. */
  #ids = new Uint32Array(0);
  #idStarts = new Float64Array(1);
  #vertexCounts = new Float64Array(0);

  get objectCount(): number {
    return this.objects.length;
  }

  get triangleCount(): number {
    return this.firstTriangle[this.objects.length];
  }

  /**
   * @param comparesIds whether `idsVersion` is needed.
   * @throws NearfieldError for anything but a list of meshes; the message names the object.
   */
  load(objects: readonly Mesh[], comparesIds: boolean): void {
    if (!Array.isArray(objects)) {
      throw new NearfieldError(
        'bad-argument',
        `The objects are ${nameValue(objects)}; give an array of meshes { positions, indices }.`,
      );
    }
    if (objects.length !== this.objects.length) this.idsVersion++;
    this.objects = objects;
    if (this.boxes.length < 6 * objects.length) {
      this.boxes = new Float64Array(12 * objects.length);
      this.firstTriangle = new Uint32Array(2 * objects.length + 1);
      this.#idStarts = new Float64Array(2 * objects.length + 1);
      this.#vertexCounts = new Float64Array(2 * objects.length).fill(-1);
    }
    let triangles = 0;
    for (let object = 0; object < objects.length; object++) {
      this.firstTriangle[object] = triangles;
      if (!this.#boxObject(objects[object], object, comparesIds)) refuseObject(objects[object], object);
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

  /**
   * Whether all ids of an object are below its number of vertices. Ids are compared with those of the last call, which is
   * also what a device needs to know; what was in range then is in range now.
   */
  #compareIds(indices: Uint32Array, object: number, vertices: number): boolean {
    const first = 3 * this.firstTriangle[object];
    const end = first + indices.length;
    if (
      this.#vertexCounts[object] === vertices &&
      this.#idStarts[object] === first &&
      this.#idStarts[object + 1] === end
    ) {
      const known = this.#ids;
      let different = 0;
      for (let i = 0; i < indices.length; i++) different |= known[first + i] ^ indices[i];
      if (different === 0) return true;
    }
    this.idsVersion++;
    // Ids of later objects may be overwritten.
    this.#vertexCounts.fill(-1, object);
    if (!areIdsBelow(indices, vertices)) return false;
    if (this.#ids.length < end) this.#ids = growTo(this.#ids, end);
    this.#ids.set(indices, first);
    this.#idStarts[object] = first;
    this.#idStarts[object + 1] = end;
    this.#vertexCounts[object] = vertices;
    return true;
  }

  /** Writes the box of an object. False if it is no valid mesh. */
  #boxObject(mesh: Mesh, object: number, comparesIds: boolean): boolean {
    const { positions, indices } = mesh ?? {};
    if (!(positions instanceof Float64Array) || !(indices instanceof Uint32Array)) return false;
    if (positions.length % 3 !== 0 || indices.length % 3 !== 0 || indices.length === 0) return false;
    let minX = Infinity;
    let minY = Infinity;
    let minZ = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    let maxZ = -Infinity;
    // Without branches this takes a sixth of the time, and a NaN reaches the bounds.
    for (let i = 0; i < positions.length; i += 3) {
      const x = positions[i];
      const y = positions[i + 1];
      const z = positions[i + 2];
      minX = Math.min(minX, x);
      maxX = Math.max(maxX, x);
      minY = Math.min(minY, y);
      maxY = Math.max(maxY, y);
      minZ = Math.min(minZ, z);
      maxZ = Math.max(maxZ, z);
    }
    if (!(Math.min(minX, minY, minZ) >= -MAX_COORDINATE && Math.max(maxX, maxY, maxZ) <= MAX_COORDINATE)) return false;
    const vertices = positions.length / 3;
    if (comparesIds ? !this.#compareIds(indices, object, vertices) : !areIdsBelow(indices, vertices)) return false;
    this.boxes.set([minX, minY, minZ, maxX, maxY, maxZ], 6 * object);
    return true;
  }
}

/** Whether all ids are below a limit. Without branches: one OR has the sign of any id too large. */
function areIdsBelow(indices: Uint32Array, limit: number): boolean {
  const last = limit - 1;
  let signs = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i] | 0;
    const b = indices[i + 1] | 0;
    const c = indices[i + 2] | 0;
    signs |= a | b | c | (last - a) | (last - b) | (last - c);
  }
  return signs >= 0;
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
