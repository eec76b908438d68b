// Collects patches and pieces one after another into the flat arrays of a decomposition.
import type { ConvexPieces } from '../decomposition.js';

/** Lists that grow while patches are found. */
export class PatchCollector {
  /** The patch of each face so far, −1 for none. */
  readonly owner: Int32Array;
  readonly #patchStart = [0];
  readonly #patchFaces: number[] = [];
  readonly #triangleStart = [0];
  readonly #triangles: number[] = [];
  readonly #sources: number[] = [];

  constructor(faceCount: number) {
    this.owner = new Int32Array(faceCount).fill(-1);
  }

  get patchCount(): number {
    return this.#patchStart.length - 1;
  }

  get facesDone(): number {
    return this.#patchFaces.length;
  }

  /** Adds a triangle to the piece of the patch that `addPatch` closes next. */
  addTriangle(a: number, b: number, c: number, source: number): void {
    this.#triangles.push(a, b, c);
    this.#sources.push(source);
  }

  /** Closes a patch and its piece. */
  addPatch(faces: Iterable<number>): void {
    const patch = this.patchCount;
    for (const face of faces) {
      this.owner[face] = patch;
      this.#patchFaces.push(face);
    }
    this.#patchStart.push(this.#patchFaces.length);
    this.#triangleStart.push(this.#sources.length);
  }

  finish(): { patchOfFace: Uint32Array; patchStart: Uint32Array; patchFaces: Uint32Array; pieces: ConvexPieces } {
    return {
      patchOfFace: Uint32Array.from(this.owner),
      patchStart: Uint32Array.from(this.#patchStart),
      patchFaces: Uint32Array.from(this.#patchFaces),
      pieces: {
        triangleStart: Uint32Array.from(this.#triangleStart),
        triangles: Uint32Array.from(this.#triangles),
        sources: Int32Array.from(this.#sources),
      },
    };
  }
}
