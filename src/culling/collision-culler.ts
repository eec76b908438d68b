// The potentially colliding set of many objects, by one of two methods behind one call. Nothing is computed before the
// first call, and nothing about the objects needs to hold from one call to the next.
import { BACKENDS } from '../core/check/check-backend.js';
import { checkedElsewhere, flag, oneOf, optionTable, wholeNumber } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import { type Backend, type BackendFallback, chooseBackend, runOnBackend } from '../gpu/choose-backend.js';
import type { GpuDevice } from '../gpu/device.js';
import type { Mesh } from '../mesh/mesh.js';
import { CpuCuller, type CullRequest } from './cpu-culler.js';
import type { CullMethod, CullResult } from './cull-result.js';
import { CullScene } from './cull-scene.js';
import { GpuCuller } from './gpu/gpu-culler.js';
import type { CullOutput } from './pair-collector.js';

/** Used where an option is left out. */
export const CULLING_DEFAULTS = {
  /** How the set is found. */
  method: 'auto',
  /** Of method 'cullide': pixels along each side of a view. */
  resolution: 512,
  /** Of method 'cullide' on a GPU: how visibility is found. */
  visibility: 'fragments',
  /** What is computed about the pairs that are left. */
  output: 'count',
  /** Also pairs of triangles within an object. */
  selfCollision: false,
} as const;

/** How a {@link CollisionCuller} works. */
export interface CullOptions {
  /**
   * 'lbvh': hierarchies of boxes built in each call. 'cullide': visibility in three views (Govindaraju, Redon, Lin and
   * Manocha 2003). 'auto': the faster one. Default `CULLING_DEFAULTS.method`.
   */
  readonly method?: CullMethod | 'auto' | undefined;
  /** Of method 'cullide': pixels along each side of a view, 1 to 4096. Default `CULLING_DEFAULTS.resolution`. */
  readonly resolution?: number | undefined;
  /**
   * Of method 'cullide' on a GPU. 'fragments': triangles by counting fragments. 'queries': objects by occlusion queries
   * first, in order and in reverse, as published; at most 682 objects with overlapping boxes.
   * Default `CULLING_DEFAULTS.visibility`.
   */
  readonly visibility?: 'fragments' | 'queries' | undefined;
  /** What to compute about the pairs that are left. Default `CULLING_DEFAULTS.output`. */
  readonly output?: CullOutput | undefined;
  /**
   * Also find pairs of triangles within each object; those that share a vertex id are left out. Needs the method 'lbvh'.
   * Default `CULLING_DEFAULTS.selfCollision`.
   */
  readonly selfCollision?: boolean | undefined;
  /** Default 'auto'. */
  readonly backend?: Backend | undefined;
  readonly device?: GpuDevice | null | undefined;
}

/** Chosen: the largest resolution of a view, in pixels a side. */
const MAX_RESOLUTION = 4096;

const CULL_TABLE = optionTable<CullOptions>()({
  method: oneOf<CullMethod | 'auto'>(['auto', 'cullide', 'lbvh'], CULLING_DEFAULTS.method),
  resolution: wholeNumber(1, MAX_RESOLUTION, CULLING_DEFAULTS.resolution),
  visibility: oneOf<'fragments' | 'queries'>(['fragments', 'queries'], CULLING_DEFAULTS.visibility),
  output: oneOf<CullOutput>(['pairs', 'count', 'triangles', 'candidates'], CULLING_DEFAULTS.output),
  selfCollision: flag(CULLING_DEFAULTS.selfCollision),
  backend: oneOf(BACKENDS),
  device: checkedElsewhere(),
});

/**
 * Finds which of many objects may collide, and which do. Objects are meshes of any kind, open or closed, in one frame;
 * they may deform, appear, vanish and change their triangles between calls. The arrays of a mesh are never
 * changed. The meshes of the last call are referred to until the next.
 */
export class CollisionCuller {
  readonly #request: CullRequest;
  readonly #options: CullOptions;
  readonly #scene = new CullScene();
  readonly #cpu = new CpuCuller();
  #gpu: GpuCuller | null = null;
  #isBusy = false;

  /** @throws NearfieldError `bad-argument` for invalid options; as `backend` says for the device. */
  constructor(options: CullOptions = {}) {
    const { method, resolution, visibility, output, selfCollision } = CULL_TABLE.read(options);
    if (selfCollision && method === 'cullide') {
      throw new NearfieldError(
        'bad-argument',
        "The method 'cullide' finds no self-collisions; use the method 'lbvh' or 'auto'.",
      );
    }
    chooseBackend(options, 'culling');
    this.#options = { ...options };
    this.#request = { method: method === 'auto' ? 'lbvh' : method, resolution, visibility, output, selfCollision };
  }

  /**
   * Culls the objects on the chosen backend.
   * @throws NearfieldError for an object that is not a mesh (`empty-mesh`, `non-finite`, `index-out-of-range`,
   * `bad-argument`; the message names it), and for a device as the option `backend` says.
   */
  async cull(objects: readonly Mesh[]): Promise<CullResult> {
    return runOnBackend(
      this.#options,
      'culling',
      (device) => this.#onGpu(device, objects),
      (fallback) => this.#onCpu(objects, fallback),
    );
  }

  /** Culls the objects on the CPU, whatever the option `backend` says. Errors as for {@link cull}. */
  cullSync(objects: readonly Mesh[]): CullResult {
    return this.#onCpu(objects, null);
  }

  /** Frees what is kept on a device. The next call makes it again. */
  destroy(): void {
    this.#gpu?.destroy();
    this.#gpu = null;
  }

  async #onGpu(device: GpuDevice, objects: readonly Mesh[]): Promise<CullResult> {
    this.#load(objects, true);
    if (objects.length === 0) return { ...this.#cpu.cull(this.#scene, this.#request), backend: 'webgpu' };
    this.#isBusy = true;
    try {
      this.#gpu ??= new GpuCuller(device);
      return await this.#gpu.cull(this.#scene, this.#request, this.#cpu);
    } catch (error) {
      // Buffers may be lost or half made.
      this.destroy();
      throw error;
    } finally {
      this.#isBusy = false;
    }
  }

  #onCpu(objects: readonly Mesh[], fallback: BackendFallback | null): CullResult {
    this.#load(objects, false);
    const result = this.#cpu.cull(this.#scene, this.#request);
    return fallback === null ? result : { ...result, fallback };
  }

  #load(objects: readonly Mesh[], comparesIds: boolean): void {
    if (this.#isBusy) {
      throw new NearfieldError('bad-argument', 'cull() is still at work; await it before the next call.');
    }
    this.#scene.load(objects, comparesIds);
  }
}
