// Nodes and tetrahedra as a file lists them: nodes by their tags, elements in either orientation.
import { NearfieldError } from '../../core/errors.js';
import { assertTetrahedra, sixVolumes, type TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';

export class NodeTable {
  readonly #positions: number[] = [];
  readonly #nodeOfTag = new Map<number, number>();
  readonly #elements: number[] = [];

  get nodeCount(): number {
    return this.#nodeOfTag.size;
  }

  addNode(tag: number, x: number, y: number, z: number): void {
    if (this.#nodeOfTag.has(tag)) {
      throw new NearfieldError('file-format', `Node ${tag} is given twice; number the nodes of the file anew.`);
    }
    this.#nodeOfTag.set(tag, this.#nodeOfTag.size);
    this.#positions.push(x, y, z);
  }

  addElement(tags: readonly number[]): void {
    for (const tag of tags) {
      const node = this.#nodeOfTag.get(tag);
      if (node === undefined) {
        throw new NearfieldError(
          'index-out-of-range',
          `Element ${this.#elements.length >> 2} names node ${tag}, which the file does not have.`,
        );
      }
      this.#elements.push(node);
    }
  }

  /** The mesh, with inverted elements turned and nodes of no element left out; the others keep their order. */
  finish(): TetrahedralMesh {
    if (this.#elements.length === 0) {
      throw new NearfieldError('empty-mesh', 'The file has no tetrahedra; mesh the volume, not only the surface.');
    }
    const isUsed = new Uint8Array(this.#nodeOfTag.size);
    for (const node of this.#elements) isUsed[node] = 1;
    const newId = new Int32Array(isUsed.length);
    const positions: number[] = [];
    for (let node = 0; node < isUsed.length; node++) {
      if (isUsed[node] === 0) continue;
      newId[node] = positions.length / 3;
      positions.push(this.#positions[3 * node], this.#positions[3 * node + 1], this.#positions[3 * node + 2]);
    }
    const elements = Uint32Array.from(this.#elements, (node) => newId[node]);
    for (let e = 0; e < elements.length; e += 4) {
      const [a, b, c, d] = elements.subarray(e, e + 4);
      if (sixVolumes(positions, a, b, c, d) < 0) elements.set([d, c], e + 2);
    }
    const mesh = { positions: Float64Array.from(positions), elements };
    assertTetrahedra(mesh);
    return mesh;
  }
}
