// A glTF document as it is written: plain JSON lists and one binary buffer. Accessors of one kind share a buffer view,
// so that a file of ten thousand small meshes has four views. O(bytes).

import { FLOAT, UNSIGNED_INT, UNSIGNED_SHORT } from './component-types.js';
import { packGlb } from './glb-container.js';

/** Format: the target of buffer views that hold vertex attributes. */
const ARRAY_BUFFER = 34962;

/** Format: the target of buffer views that hold indices. */
const ELEMENT_ARRAY_BUFFER = 34963;

const WIDTHS = { SCALAR: 1, VEC3: 3, VEC4: 4 } as const;

export type AccessorType = keyof typeof WIDTHS;

/** The accessors of one buffer view. */
interface View {
  readonly definition: Record<string, number>;
  readonly chunks: Uint8Array[];
  byteLength: number;
}

/** An entry of one of the lists of glTF. */
export type GltfEntry = Record<string, unknown>;

export class GlbDocument {
  readonly meshes: GltfEntry[] = [];
  readonly materials: GltfEntry[] = [];
  readonly nodes: GltfEntry[] = [];
  readonly animations: GltfEntry[] = [];
  readonly #accessors: GltfEntry[] = [];
  readonly #views: View[] = [];
  readonly #viewIds = new Map<string, number>();

  /** Positions of vertices or their differences in morph targets, three numbers each; glTF asks for their bounds. */
  addPositions(values: Float32Array): number {
    return this.#add('positions', values, 'VEC3', FLOAT, { byteStride: 12, target: ARRAY_BUFFER }, true);
  }

  addIndices(values: Uint16Array | Uint32Array): number {
    return values instanceof Uint16Array
      ? this.#add('short', values, 'SCALAR', UNSIGNED_SHORT, { target: ELEMENT_ARRAY_BUFFER }, false)
      : this.#add('long', values, 'SCALAR', UNSIGNED_INT, { target: ELEMENT_ARRAY_BUFFER }, false);
  }

  /** The times or values of an animation. Times have bounds. */
  addSamples(values: Float32Array, type: AccessorType, bounded = false): number {
    return this.#add('samples', values, type, FLOAT, {}, bounded);
  }

  #add(
    kind: string,
    values: Float32Array | Uint16Array | Uint32Array,
    type: AccessorType,
    componentType: number,
    definition: Record<string, number>,
    bounded: boolean,
  ): number {
    let bufferView = this.#viewIds.get(kind);
    if (bufferView === undefined) {
      bufferView = this.#views.push({ definition, chunks: [], byteLength: 0 }) - 1;
      this.#viewIds.set(kind, bufferView);
    }
    const view = this.#views[bufferView];
    const width = WIDTHS[type];
    const accessor: GltfEntry = { bufferView, componentType, count: values.length / width, type };
    if (view.byteLength > 0) accessor.byteOffset = view.byteLength;
    if (bounded) Object.assign(accessor, boundsOf(values, width));
    view.chunks.push(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    view.byteLength += values.byteLength;
    return this.#accessors.push(accessor) - 1;
  }

  /** The file. Every node is a root of its only scene. */
  pack(): Uint8Array {
    // Each view begins at a multiple of 4 bytes.
    const starts: number[] = [];
    let byteLength = 0;
    for (const view of this.#views) {
      starts.push(byteLength);
      byteLength += Math.ceil(view.byteLength / 4) * 4;
    }
    const binary = new Uint8Array(byteLength);
    for (const [i, { chunks }] of this.#views.entries()) {
      let at = starts[i];
      for (const chunk of chunks) {
        binary.set(chunk, at);
        at += chunk.length;
      }
    }
    const bufferViews = this.#views.map(({ definition, byteLength }, i) => ({
      buffer: 0,
      byteOffset: starts[i],
      byteLength,
      ...definition,
    }));
    const lists = {
      accessors: this.#accessors,
      bufferViews,
      buffers: [{ byteLength }],
      materials: this.materials,
      meshes: this.meshes,
      nodes: this.nodes,
      animations: this.animations,
    };
    return packGlb(
      {
        asset: { generator: 'nearfield', version: '2.0' },
        // glTF has no empty lists.
        ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
        scenes: [{ nodes: this.nodes.map((_, i) => i) }],
        scene: 0,
      },
      binary,
    );
  }
}

function boundsOf(values: ArrayLike<number>, width: number): { min: number[]; max: number[] } {
  const min = new Array<number>(width).fill(Infinity);
  const max = new Array<number>(width).fill(-Infinity);
  for (let i = 0; i < values.length; i += width) {
    for (let k = 0; k < width; k++) {
      const value = values[i + k];
      if (value < min[k]) min[k] = value;
      if (value > max[k]) max[k] = value;
    }
  }
  return { min, max };
}
