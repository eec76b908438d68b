// A glTF file before its geometry is read: the checked JSON root, its lists, its extensions and its buffers.
import { NearfieldError } from '../../core/errors.js';
import { isGlb, unpackGlb } from './glb-container.js';
import { type JsonText, JsonView } from './json-view.js';
import { decodeMeshopt, MESHOPT_FILTERS, MESHOPT_MODES } from './meshopt.js';

/** Fetches the bytes of a file that a .gltf refers to, by the URI as written in the file. */
export type ResolveUri = (uri: string) => Promise<Uint8Array>;

/** The extensions of compressed buffer views, which are one format but for a filter of colors. */
const MESHOPT = ['KHR_meshopt_compression', 'EXT_meshopt_compression'];

/** Required extensions that are supported, and those that change the appearance, not the geometry. */
const ACCEPTED =
  /^(KHR_mesh_quantization|KHR_node_visibility|EXT_mesh_gpu_instancing|(KHR_draco_mesh|EXT_meshopt|KHR_meshopt)_compression|[A-Z]+_(materials?|textures?|lights?|animation|xmp)_.*)$/;

/**
 * Measured on plain files and on rotations of instances packed into bytes: they need up to 16 and 33 bytes of memory
 * per byte of the file; reading may use this many. Accessors may share bytes, so a small file could ask for any
 * amount.
 */
const MEMORY_PER_BYTE = 64;

/** Measured, as above: the memory for each byte that compressed data expand to. */
const MEMORY_PER_DECODED_BYTE = 16;

/** Chosen: bytes that one byte of compressed geometry may expand to. Real files need 4 to 40. */
const MAX_EXPANSION = 256;

/** Some bytes of a buffer. */
export interface BufferRange {
  readonly data: Uint8Array;
  readonly byteOffset: number;
  readonly byteLength: number;
}

export class GltfAsset {
  readonly format: 'gltf' | 'glb';
  readonly root: JsonView;
  readonly accessors: readonly JsonView[];
  readonly bufferViews: readonly JsonView[];
  readonly materials: readonly JsonView[];
  readonly #buffers: readonly JsonView[];
  readonly #loaded = new Map<number, Uint8Array>();
  readonly #decoded = new Map<JsonView, Uint8Array>();
  readonly #binary: Uint8Array | null;
  readonly #resolve: ResolveUri | undefined;
  #byteLength: number;
  #decodedBytes = 0;
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
    if (this.#memory > MEMORY_PER_BYTE * this.#byteLength + MEMORY_PER_DECODED_BYTE * this.#decodedBytes) {
      view.fail(
        `${view.name} brings the memory needed to ${this.#memory} bytes, more than ${MEMORY_PER_BYTE} for each of the ` +
          `${this.#byteLength} bytes of the file and its buffers; correct its counts`,
        'too-large',
      );
    }
  }

  /** Counts bytes that compressed data are about to expand to, and throws if they are out of proportion to the data. */
  takeDecoded(bytes: number, compressedBytes: number, view: JsonView): void {
    if (bytes > MAX_EXPANSION * compressedBytes) {
      view.fail(
        `${view.name} expands ${compressedBytes} bytes to ${bytes}, more than ${MAX_EXPANSION} for each; correct its counts`,
        'too-large',
      );
    }
    this.#decodedBytes += bytes;
  }

  /** The bytes of a buffer view, expanded where they are compressed. */
  async loadView(view: JsonView): Promise<BufferRange> {
    const name = MESHOPT.find((extension) => view.at('extensions').at(extension).exists);
    if (name === undefined) return this.#range(view);
    let decoded = this.#decoded.get(view);
    if (decoded === undefined) {
      decoded = await this.#expand(view.at('extensions').at(name));
      this.#decoded.set(view, decoded);
    }
    return { data: decoded, byteOffset: 0, byteLength: decoded.length };
  }

  /** The bytes of a buffer view, expanded where they are compressed, as one array. */
  async loadBytes(view: JsonView): Promise<Uint8Array> {
    const { data, byteOffset, byteLength } = await this.loadView(view);
    return data.subarray(byteOffset, byteOffset + byteLength);
  }

  async #range(holder: JsonView): Promise<BufferRange> {
    const data = await this.loadBuffer(holder.at('buffer'));
    const byteOffset = holder.at('byteOffset').integer(0, 2 ** 53, 0);
    const byteLength = holder.at('byteLength').integer(1, 2 ** 53);
    const end = byteOffset + byteLength;
    if (end > data.length) {
      holder.fail(`${holder.name} ends at byte ${end} of a buffer of ${data.length}`, 'file-truncated');
    }
    return { data, byteOffset, byteLength };
  }

  async #expand(extension: JsonView): Promise<Uint8Array> {
    const { data, byteOffset, byteLength } = await this.#range(extension);
    const source = data.subarray(byteOffset, byteOffset + byteLength);
    const mode = chosen(extension.at('mode'), MESHOPT_MODES);
    const filter = extension.at('filter').exists ? chosen(extension.at('filter'), MESHOPT_FILTERS) : 'NONE';
    const count = extension.at('count').integer(1, 2 ** 32);
    const stride = extension.at('byteStride').integer(2, 257);
    const fits =
      mode === 'ATTRIBUTES'
        ? stride % 4 === 0 && (filter !== 'QUATERNION' || stride === 8)
        : (stride === 2 || stride === 4) && (mode !== 'TRIANGLES' || count % 3 === 0);
    if (!fits)
      extension.fail(`${extension.name} has a byteStride of ${stride} and a count of ${count}, not for ${mode}`);
    this.takeDecoded(count * stride, source.length, extension);
    this.takeMemory(count * stride, extension);
    return decodeMeshopt(source, { mode, filter, count, stride }, (message) =>
      extension.fail(`${extension.name}: ${message}; export the file again`),
    );
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
      buffer.fail(`${buffer.name} has no data: no uri, and the file has no binary chunk for it`);
    }
    if (uri.startsWith('data:')) return decodeDataUri(uri, buffer);
    if (this.#resolve === undefined) {
      buffer.fail(
        `the data is in "${uri}"; give the option resolve, which fetches these files, or convert the model to GLB`,
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

/** The one of some words that a string is. */
function chosen<Word extends string>(view: JsonView, words: readonly Word[]): Word {
  const given = view.string();
  const word = words.find((known) => known === given);
  return word ?? view.fail(`${view.name} is "${given}"; it must be one of ${words.join(', ')}`);
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
