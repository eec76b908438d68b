// A glTF file before its geometry is read: the checked JSON root, its lists, its extensions and its buffers.
import { NearfieldError } from '../../core/errors.js';
import { isGlb, unpackGlb } from './glb-container.js';
import { type JsonText, JsonView } from './json-view.js';

/** Fetches the bytes of a file that a .gltf refers to, by the URI as written in the file. */
export type ResolveUri = (uri: string) => Promise<Uint8Array>;

const COMPRESSION = /^(KHR_draco_mesh|EXT_meshopt|KHR_meshopt)_compression$/;
/** Required extensions that change the appearance, not the geometry, and the two that are supported. */
const ACCEPTED =
  /^(KHR_mesh_quantization|EXT_mesh_gpu_instancing|[A-Z]+_(materials?|textures?|lights?|animation|xmp)_.*)$/;

/**
 * Measured on plain files and on rotations of instances packed into bytes: they need up to 16 and 33 bytes of memory
 * per byte of the file; reading may use this many. Accessors may share bytes, so a small file could ask for any
 * amount.
 */
const MEMORY_PER_BYTE = 64;

export class GltfAsset {
  readonly format: 'gltf' | 'glb';
  readonly root: JsonView;
  readonly accessors: readonly JsonView[];
  readonly bufferViews: readonly JsonView[];
  readonly materials: readonly JsonView[];
  readonly #buffers: readonly JsonView[];
  readonly #loaded = new Map<number, Uint8Array>();
  readonly #binary: Uint8Array | null;
  readonly #resolve: ResolveUri | undefined;
  #byteLength: number;
  #memory = 0;

  constructor(bytes: Uint8Array, resolve: ResolveUri | undefined) {
    this.format = isGlb(bytes) ? 'glb' : 'gltf';
    const { json, binary } = isGlb(bytes) ? unpackGlb(bytes) : { json: wholeText(bytes), binary: null };
    this.root = JsonView.parse(json);
    this.#binary = binary;
    this.#resolve = resolve;
    this.#byteLength = bytes.length;
    const version = this.root.at('asset').at('version');
    if (!/^2\.\d+$/.test(version.string())) {
      version.fail(`the asset's version is "${version.string()}"; only glTF 2.0 is read; convert it`, 'unsupported');
    }
    for (const extension of this.root.at('extensionsRequired').items()) {
      const name = extension.string();
      if (COMPRESSION.test(name)) failCompressed(extension, name);
      if (!ACCEPTED.test(name)) {
        extension.fail(
          `the file requires the extension "${name}", which is not supported; export it without`,
          'unsupported',
        );
      }
    }
    this.accessors = this.root.at('accessors').items();
    this.bufferViews = this.root.at('bufferViews').items();
    this.materials = this.root.at('materials').items();
    this.#buffers = this.root.at('buffers').items();
  }

  /** Counts the memory that `view` is about to need and throws if it is out of proportion to the file. */
  takeMemory(bytes: number, view: JsonView): void {
    this.#memory += bytes;
    if (this.#memory > MEMORY_PER_BYTE * this.#byteLength) {
      view.fail(
        `${view.name} brings the memory needed to ${this.#memory} bytes, more than ${MEMORY_PER_BYTE} for each of the ` +
          `${this.#byteLength} bytes of the file; correct its counts`,
        'too-large',
      );
    }
  }

  /** The data of the buffer that `reference` names, at least as long as the buffer says. */
  async loadBuffer(reference: JsonView): Promise<Uint8Array> {
    const buffer = reference.itemOf(this.#buffers);
    const index = this.#buffers.indexOf(buffer);
    const loaded = this.#loaded.get(index);
    if (loaded !== undefined) return loaded;
    const announced = buffer.at('byteLength').integer(1, 2 ** 53);
    const data = await this.#fetchBuffer(buffer, index);
    if (data.length < announced) {
      buffer.fail(
        `${buffer.name} declares ${announced} bytes but has ${data.length}; it is truncated`,
        'file-truncated',
      );
    }
    this.#loaded.set(index, data);
    return data;
  }

  async #fetchBuffer(buffer: JsonView, index: number): Promise<Uint8Array> {
    const uri = buffer.at('uri').string();
    if (uri === '') {
      if (index === 0 && this.#binary !== null) return this.#binary;
      for (const name of ['EXT_meshopt_compression', 'KHR_meshopt_compression']) {
        if (buffer.at('extensions').at(name).exists) failCompressed(buffer, name);
      }
      buffer.fail(`${buffer.name} has no data: no uri, and the file has no binary chunk for it`);
    }
    if (uri.startsWith('data:')) return decodeDataUri(uri, buffer);
    if (this.#resolve === undefined) {
      buffer.fail(
        `the data is in "${uri}"; give the option resolve, which fetches such files, or convert the model to GLB`,
        'file-not-found',
      );
    }
    let data: Uint8Array;
    try {
      data = await this.#resolve(uri);
    } catch (error) {
      if (error instanceof NearfieldError) throw error;
      buffer.fail(`"${uri}" cannot be read: ${error instanceof Error ? error.message : error}`, 'file-not-found');
    }
    if (!(data instanceof Uint8Array)) buffer.fail(`resolve("${uri}") must return a Uint8Array`, 'bad-argument');
    this.#byteLength += data.length;
    return data;
  }
}

export function failCompressed(view: JsonView, extension: string): never {
  view.fail(
    `the geometry is compressed with ${extension}, which is not supported; decompress the file first (with gltf-transform copy)`,
    'unsupported',
  );
}

function wholeText(bytes: Uint8Array): JsonText {
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { bytes: marked ? bytes.subarray(3) : bytes, byteOffset: null };
}

function decodeDataUri(uri: string, buffer: JsonView): Uint8Array {
  const comma = uri.indexOf(',');
  try {
    const content = decodeURIComponent(uri.slice(comma + 1));
    if (comma >= 0 && uri.slice(0, comma).endsWith(';base64')) {
      return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    }
  } catch {
    // Reported below, as for every other data URI that is not base64.
  }
  buffer.fail(`the data URI of ${buffer.name} is not valid base64`);
}
