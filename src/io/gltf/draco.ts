// Decodes KHR_draco_mesh_compression with the optional package draco3d. Loaded only when a file has data of it.
import { NearfieldError } from '../../core/errors.js';
import { loadPeer, type PeerImports } from '../peer/load-peer.js';

/** What is used of the package draco3d. Objects of its heap are freed with `destroy`. */
interface DracoModule {
  readonly HEAPF32: Float32Array;
  readonly HEAPU32: Uint32Array;
  readonly TRIANGULAR_MESH: number;
  readonly DT_FLOAT32: number;
  readonly Decoder: new () => DracoDecoder;
  readonly DecoderBuffer: new () => { Init(bytes: Int8Array, length: number): void };
  readonly Mesh: new () => DracoMesh;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  destroy(object: unknown): void;
}

interface DracoMesh {
  num_faces(): number;
  num_points(): number;
}

interface DracoAttribute {
  readonly ptr: number;
  num_components(): number;
  normalized(): boolean;
}

interface DracoDecoder {
  GetEncodedGeometryType(buffer: unknown): number;
  DecodeBufferToMesh(buffer: unknown, mesh: DracoMesh): { ok(): boolean; error_msg(): string };
  GetAttributeByUniqueId(mesh: DracoMesh, id: number): DracoAttribute;
  GetAttributeDataArrayForAllPoints(
    mesh: DracoMesh,
    attribute: DracoAttribute,
    type: number,
    bytes: number,
    pointer: number,
  ): boolean;
  GetTrianglesUInt32Array(mesh: DracoMesh, bytes: number, pointer: number): boolean;
}

/** The triangles of a compressed primitive. */
export interface DracoMeshData {
  /** Three numbers a vertex. */
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  /** Whether integers were made fractions already. */
  readonly normalized: boolean;
}

/** A decoder; load one for all primitives of a file. */
export class DracoReader {
  readonly #draco: DracoModule;

  private constructor(draco: DracoModule) {
    this.#draco = draco;
  }

  /** @throws NearfieldError `unsupported` where the package is not there. */
  static async load(imports: PeerImports | undefined): Promise<DracoReader> {
    type Package = { createDecoderModule(options: object): Promise<DracoModule> };
    const { createDecoderModule } = await loadPeer<Package>('draco3d', 'Geometry compressed with Draco', imports);
    return new DracoReader(await createDecoderModule({}));
  }

  /**
   * @param positionId the number of the attribute in the compressed data.
   * @param limit throws where a count of bytes is too large.
   * @param fail is called with what is wrong with the data.
   */
  decode(
    bytes: Uint8Array,
    positionId: number,
    limit: (bytes: number) => void,
    fail: (message: string) => never,
  ): DracoMeshData {
    try {
      return this.#decode(bytes, positionId, limit, fail);
    } catch (error) {
      if (error instanceof NearfieldError) throw error;
      // Damaged data may make the package itself fail.
      return fail(`the Draco data are damaged (${error instanceof Error ? error.message : error})`);
    }
  }

  #decode(
    bytes: Uint8Array,
    positionId: number,
    limit: (bytes: number) => void,
    fail: (message: string) => never,
  ): DracoMeshData {
    const draco = this.#draco;
    const decoder = new draco.Decoder();
    const buffer = new draco.DecoderBuffer();
    const mesh = new draco.Mesh();
    try {
      buffer.Init(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length);
      if (decoder.GetEncodedGeometryType(buffer) !== draco.TRIANGULAR_MESH) fail('the Draco data are not a mesh');
      const status = decoder.DecodeBufferToMesh(buffer, mesh);
      if (!status.ok()) fail(`the Draco data are damaged (${status.error_msg()})`);
      const [points, faces] = [mesh.num_points(), mesh.num_faces()];
      limit(12 * (points + faces));
      const attribute = decoder.GetAttributeByUniqueId(mesh, positionId);
      if (attribute.ptr === 0 || attribute.num_components() !== 3)
        fail(`the Draco data have no positions ${positionId}`);
      const positions = this.#copy(12 * points, (size, pointer) => {
        decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, draco.DT_FLOAT32, size, pointer);
        return draco.HEAPF32.slice(pointer / 4, pointer / 4 + 3 * points);
      });
      const indices = this.#copy(12 * faces, (size, pointer) => {
        decoder.GetTrianglesUInt32Array(mesh, size, pointer);
        return draco.HEAPU32.slice(pointer / 4, pointer / 4 + 3 * faces);
      });
      return { positions, indices, normalized: attribute.normalized() };
    } finally {
      for (const object of [mesh, buffer, decoder]) draco.destroy(object);
    }
  }

  #copy<T>(bytes: number, work: (bytes: number, pointer: number) => T): T {
    const pointer = this.#draco._malloc(bytes);
    try {
      return work(bytes, pointer);
    } finally {
      this.#draco._free(pointer);
    }
  }
}
