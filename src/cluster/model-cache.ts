// Models by the hash of their mesh. Each is fetched once; when they take more bytes than the limit, the longest unused go.
import { NearfieldError } from '../core/errors.js';
import { assertMesh, type Mesh } from '../mesh/mesh.js';
import { ProximityModel } from '../proximity/proximity-model.js';
import { decode } from './codec.js';
import type { ClusterStore } from './store.js';

/** Thrown where the store has lost content: the client that asks can store it again. */
export class MissingContent extends Error {
  constructor(readonly hash: string) {
    super(`The content ${hash} is missing.`);
  }
}

export class ModelCache {
  readonly #store: ClusterStore;
  readonly #limit: number;
  readonly #models = new Map<string, { readonly model: Promise<ProximityModel>; bytes: number }>();
  #bytes = 0;

  constructor(store: ClusterStore, limit: number) {
    this.#store = store;
    this.#limit = limit;
  }

  /** How often a mesh was fetched. */
  fetches = 0;

  async take(hash: string): Promise<ProximityModel> {
    const known = this.#models.get(hash);
    if (known !== undefined) {
      this.#models.delete(hash);
      this.#models.set(hash, known);
      return known.model;
    }
    const entry = { model: this.#fetch(hash), bytes: 0 };
    this.#models.set(hash, entry);
    try {
      const { mesh } = await entry.model;
      entry.bytes = mesh.positions.byteLength + mesh.indices.byteLength;
      this.#bytes += entry.bytes;
    } catch (error) {
      this.#models.delete(hash);
      throw error;
    }
    this.#drop(hash);
    return entry.model;
  }

  #drop(kept: string): void {
    for (const [hash, { bytes }] of this.#models) {
      if (this.#bytes <= this.#limit) return;
      if (hash === kept || bytes === 0) continue;
      this.#models.delete(hash);
      this.#bytes -= bytes;
    }
  }

  async #fetch(hash: string): Promise<ProximityModel> {
    this.fetches++;
    const bytes = await this.#store.get(hash);
    if (bytes === null) throw new MissingContent(hash);
    const mesh = decode(bytes) as Mesh;
    if (!(mesh?.positions instanceof Float64Array) || !(mesh.indices instanceof Uint32Array)) {
      throw new NearfieldError('file-format', `What is stored as ${hash} is not a mesh.`);
    }
    assertMesh(mesh);
    return new ProximityModel(mesh);
  }
}
