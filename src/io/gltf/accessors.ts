// Accessor data: checked here against the bytes that exist, then decoded by glTF-Transform, which handles strides,
// sparse values and component types. Only the accessors that geometry and instancing use are read.
import { type GLTF, Logger, WebIO } from '@gltf-transform/core';
import { NearfieldError } from '../../core/errors.js';
import type { PeerImports } from '../peer/load-peer.js';
import { BYTE, FLOAT, SHORT, UNSIGNED_BYTE, UNSIGNED_INT, UNSIGNED_SHORT } from './component-types.js';
import type { DracoReader } from './draco.js';
import type { GltfAsset } from './gltf-asset.js';
import type { JsonView } from './json-view.js';

/** What an accessor is used for. */
export type AccessorRole = 'positions' | 'indices' | 'translations' | 'rotations' | 'scales' | 'times';

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
    times: { type: 'SCALAR', components: 1, componentTypes: [FLOAT] },
  };

/** Collects the accessors that are needed, then decodes them all at once. */
export class AccessorDecoder {
  readonly #asset: GltfAsset;
  readonly #wanted = new Map<JsonView, { role: AccessorRole; definition: GLTF.IAccessor }>();
  readonly #views: GLTF.IBufferView[] = [];
  readonly #resources: Uint8Array[] = [];
  readonly #packages: PeerImports | undefined;
  #draco: DracoReader | null = null;
  /** By the view and the attribute: the keys of the data that were decoded already, and the data. */
  readonly #compressed = new Map<string, { readonly positions: JsonView; readonly indices: JsonView }>();
  readonly #decoded = new Map<JsonView, AccessorData>();

  constructor(asset: GltfAsset, packages?: PeerImports) {
    this.#asset = asset;
    this.#packages = packages;
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

  /** Decodes the triangles of a primitive that Draco compressed; returns the keys of its positions and indices. */
  async wantDraco(draco: JsonView, accessor: JsonView): Promise<{ positions: JsonView; indices: JsonView }> {
    const view = draco.at('bufferView').itemOf(this.#asset.bufferViews);
    const id = draco
      .at('attributes')
      .at('POSITION')
      .integer(0, 2 ** 32);
    const key = `${view.name} ${id}`;
    const known = this.#compressed.get(key);
    if (known !== undefined) return known;
    const bytes = await this.#asset.loadBytes(view);
    if (this.#draco === null) {
      const { DracoReader } = await import('./draco.js');
      this.#draco = await DracoReader.load(this.#packages);
    }
    const limit = (size: number): void => {
      this.#asset.takeDecoded(size, bytes.length, draco);
      this.#asset.takeMemory(size, draco);
    };
    const mesh = this.#draco.decode(bytes, id, limit, (message) => draco.fail(`${draco.name}: ${message}`));
    const componentType = readComponentType(accessor.at('componentType'), ROLES.positions.componentTypes);
    const normalized = accessor.at('normalized').boolean() && !mesh.normalized;
    const values = toNumbers(mesh.positions, {
      normalized,
      componentType: componentType as GLTF.AccessorComponentType,
    });
    const keys = { positions: accessor, indices: draco };
    this.#compressed.set(key, keys);
    this.#decoded.set(accessor, { count: values.length / 3, values });
    this.#decoded.set(draco, { count: mesh.indices.length, values: mesh.indices });
    return keys;
  }

  async decode(): Promise<Map<JsonView, AccessorData>> {
    const wanted = [...this.#wanted];
    if (wanted.length === 0) return this.#decoded;
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
    for (const [i, [accessor, { role, definition }]] of wanted.entries()) {
      const array = accessors[i].getArray()!;
      const values = role === 'indices' ? (array as Uint32Array) : toNumbers(array, definition);
      this.#decoded.set(accessor, { count: definition.count, values });
    }
    return this.#decoded;
  }

  async #check(accessor: JsonView, role: AccessorRole): Promise<GLTF.IAccessor> {
    const { type, components, componentTypes } = ROLES[role];
    if (accessor.at('type').string() !== type)
      accessor.at('type').fail(`${accessor.name}.type must be ${type} for ${role}`);
    const componentType = readComponentType(accessor.at('componentType'), componentTypes);
    const count = accessor.at('count').integer(1, 2 ** 32);
    const elementBytes = components * COMPONENT_BYTES[componentType];
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
    // Counted now that the buffers are here: a .gltf is small beside the files that it refers to.
    this.#asset.takeMemory(count * elementBytes, accessor);
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
    const { data, byteOffset: viewOffset, byteLength: viewBytes } = await this.#asset.loadView(view);
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

function toNumbers(
  array: ArrayLike<number>,
  { normalized, componentType }: Pick<GLTF.IAccessor, 'normalized' | 'componentType'>,
): Float64Array {
  if (!normalized) return Float64Array.from(array);
  const unit = NORMALIZED_UNIT[componentType];
  return Float64Array.from(array, (value) => Math.max(value / unit, -1));
}
