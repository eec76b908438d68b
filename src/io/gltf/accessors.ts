// Accessor data: checked here against the bytes that exist, then decoded by glTF-Transform, which handles strides,
// sparse values and component types. Only the accessors that geometry and instancing use are read.
import { type GLTF, Logger, WebIO } from '@gltf-transform/core';
import { NearfieldError } from '../../core/errors.js';
import { BYTE, FLOAT, SHORT, UNSIGNED_BYTE, UNSIGNED_INT, UNSIGNED_SHORT } from './component-types.js';
import { failCompressed, type GltfAsset } from './gltf-asset.js';
import type { JsonView } from './json-view.js';

/** What an accessor is used for. */
export type AccessorRole = 'positions' | 'indices' | 'translations' | 'rotations' | 'scales';

export interface AccessorData {
  readonly count: number;
  /** Plain numbers; normalized integers are already converted to fractions. */
  readonly values: Float64Array | Uint32Array | Uint16Array | Uint8Array;
}

const COMPONENT_BYTES: Readonly<Record<number, number>> = {
  [BYTE]: 1,
  [UNSIGNED_BYTE]: 1,
  [SHORT]: 2,
  [UNSIGNED_SHORT]: 2,
  [UNSIGNED_INT]: 4,
  [FLOAT]: 4,
};

/** The divisor of a normalized integer. */
const NORMALIZED_UNIT: Readonly<Record<number, number>> = {
  [BYTE]: 127,
  [UNSIGNED_BYTE]: 255,
  [SHORT]: 32767,
  [UNSIGNED_SHORT]: 65535,
};

const INDEX_TYPES = [UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT];
const ROLES: Readonly<Record<AccessorRole, { type: GLTF.AccessorType; components: number; componentTypes: number[] }>> =
  {
    positions: { type: 'VEC3', components: 3, componentTypes: [BYTE, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, FLOAT] },
    indices: { type: 'SCALAR', components: 1, componentTypes: INDEX_TYPES },
    translations: { type: 'VEC3', components: 3, componentTypes: [FLOAT] },
    rotations: { type: 'VEC4', components: 4, componentTypes: [BYTE, SHORT, FLOAT] },
    scales: { type: 'VEC3', components: 3, componentTypes: [FLOAT] },
  };

/** Collects the accessors that are needed, then decodes them all at once. */
export class AccessorDecoder {
  readonly #asset: GltfAsset;
  readonly #wanted = new Map<JsonView, { role: AccessorRole; definition: GLTF.IAccessor }>();
  readonly #views: GLTF.IBufferView[] = [];
  readonly #resources: Uint8Array[] = [];

  constructor(asset: GltfAsset) {
    this.#asset = asset;
  }

  /** Checks the accessor that `reference` names, loads its buffers, and returns it as the key of its data. */
  async want(reference: JsonView, role: AccessorRole): Promise<JsonView> {
    const accessor = reference.itemOf(this.#asset.accessors);
    const known = this.#wanted.get(accessor);
    if (known !== undefined) {
      if (ROLES[known.role].type !== ROLES[role].type || (known.role === 'indices') !== (role === 'indices')) {
        accessor.fail(`${accessor.name} is used both as ${known.role} and as ${role}`);
      }
      return accessor;
    }
    this.#wanted.set(accessor, { role, definition: await this.#check(accessor, role) });
    return accessor;
  }

  async decode(): Promise<Map<JsonView, AccessorData>> {
    const wanted = [...this.#wanted];
    const json = {
      asset: { version: '2.0' },
      buffers: this.#resources.map((data, i) => ({ uri: `${i}`, byteLength: data.length })),
      bufferViews: this.#views,
      accessors: wanted.map(([, { definition }]) => definition),
    };
    const resources = Object.fromEntries(this.#resources.map((data, i) => [`${i}`, data as Uint8Array<ArrayBuffer>]));
    const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT));
    const decoded = await io.readJSON({ json, resources }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new NearfieldError('file-format', `the geometry cannot be decoded: ${reason}.`);
    });
    const accessors = decoded.getRoot().listAccessors();
    return new Map(
      wanted.map(([accessor, { role, definition }], i) => {
        const array = accessors[i].getArray()!;
        const values = role === 'indices' ? (array as Uint32Array) : toNumbers(array, definition);
        return [accessor, { count: definition.count, values }];
      }),
    );
  }

  async #check(accessor: JsonView, role: AccessorRole): Promise<GLTF.IAccessor> {
    const { type, components, componentTypes } = ROLES[role];
    if (accessor.at('type').string() !== type)
      accessor.at('type').fail(`${accessor.name}.type must be ${type} for ${role}`);
    const componentType = readComponentType(accessor.at('componentType'), componentTypes);
    const count = accessor.at('count').integer(1, 2 ** 32);
    const elementBytes = components * COMPONENT_BYTES[componentType];
    this.#asset.takeMemory(count * elementBytes, accessor);
    const normalized = accessor.at('normalized').boolean();
    if (normalized && NORMALIZED_UNIT[componentType] === undefined) {
      accessor.at('normalized').fail(`${accessor.name} is normalized, but its components are not short integers`);
    }
    const definition: GLTF.IAccessor = {
      type,
      componentType: componentType as GLTF.AccessorComponentType,
      count,
      byteOffset: 0,
      normalized,
    };
    const view = accessor.at('bufferView');
    const sparse = accessor.at('sparse');
    if (view.exists) {
      Object.assign(definition, await this.#checkRange(accessor, count, elementBytes, COMPONENT_BYTES[componentType]));
    }
    if (sparse.exists) definition.sparse = await this.#checkSparse(sparse, count, elementBytes);
    return definition;
  }

  async #checkSparse(sparse: JsonView, accessorCount: number, elementBytes: number): Promise<GLTF.IAccessorSparse> {
    const count = sparse.at('count').integer(1, accessorCount + 1);
    const componentType = readComponentType(sparse.at('indices').at('componentType'), INDEX_TYPES);
    const indexBytes = COMPONENT_BYTES[componentType];
    const indices = await this.#checkRange(sparse.at('indices'), count, indexBytes, indexBytes);
    const values = await this.#checkRange(sparse.at('values'), count, elementBytes, 1);
    const view = this.#views[indices.bufferView];
    const { buffer, byteOffset } = this.#resources[view.buffer];
    const data = new DataView(buffer, byteOffset + view.byteOffset! + indices.byteOffset, count * indexBytes);
    for (let i = 0; i < count; i++) {
      const index =
        indexBytes === 1
          ? data.getUint8(i)
          : indexBytes === 2
            ? data.getUint16(2 * i, true)
            : data.getUint32(4 * i, true);
      if (index >= accessorCount) {
        sparse.fail(`${sparse.name} replaces element ${index} of ${accessorCount}`, 'index-out-of-range');
      }
    }
    return { count, indices: { ...indices, componentType: componentType as GLTF.AccessorComponentType }, values };
  }

  /** Checks that `count` elements are within the buffer view that `holder` names, and the view within its buffer. */
  async #checkRange(
    holder: JsonView,
    count: number,
    elementBytes: number,
    alignment: number,
  ): Promise<{ bufferView: number; byteOffset: number }> {
    const view = holder.at('bufferView').itemOf(this.#asset.bufferViews);
    const data = await this.#asset.loadBuffer(view.at('buffer')).catch((error: unknown) => {
      // The data of a compressed view is elsewhere; an error about compression is clearer than an empty buffer.
      for (const name of ['EXT_meshopt_compression', 'KHR_meshopt_compression']) {
        if (view.at('extensions').at(name).exists) failCompressed(view, name);
      }
      throw error;
    });
    const viewOffset = view.at('byteOffset').integer(0, 2 ** 53, 0);
    const viewBytes = view.at('byteLength').integer(1, 2 ** 53);
    if (viewOffset + viewBytes > data.length) {
      view.fail(`${view.name} ends at byte ${viewOffset + viewBytes} of a buffer of ${data.length}`, 'file-truncated');
    }
    const stride = view.at('byteStride').integer(elementBytes, 253, elementBytes);
    const byteOffset = holder.at('byteOffset').integer(0, 2 ** 53, 0);
    if (byteOffset % alignment !== 0) holder.fail(`${holder.name}.byteOffset must be a multiple of ${alignment}`);
    const end = byteOffset + (count - 1) * stride + elementBytes;
    if (end > viewBytes) {
      holder.fail(`${holder.name} needs ${end} bytes of ${view.name}, which has ${viewBytes}`, 'file-truncated');
    }
    let buffer = this.#resources.indexOf(data);
    if (buffer < 0) buffer = this.#resources.push(data) - 1;
    const definition = { buffer, byteOffset: viewOffset, byteLength: viewBytes };
    const strided = stride === elementBytes ? definition : { ...definition, byteStride: stride };
    return { bufferView: this.#views.push(strided) - 1, byteOffset };
  }
}

function readComponentType(view: JsonView, allowed: readonly number[]): number {
  const componentType = view.integer(BYTE, FLOAT + 1);
  if (!allowed.includes(componentType)) {
    view.fail(`${view.name} is ${componentType}; it must be one of ${allowed.join(', ')}`);
  }
  return componentType;
}

function toNumbers(array: ArrayLike<number>, { normalized, componentType }: GLTF.IAccessor): Float64Array {
  if (!normalized) return Float64Array.from(array);
  const unit = NORMALIZED_UNIT[componentType];
  return Float64Array.from(array, (value) => Math.max(value / unit, -1));
}
