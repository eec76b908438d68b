// PIVOT in space (Hoff, Zaferakis, Lin and Manocha 2001, and their extension to space of 2002): proximity of closed
// meshes that deform every frame, from samples on a grid within an error bound. Chooses between CPU and GPU.
import type { Box } from '../../core/box.js';
import { assertBox } from '../../core/check/check-box.js';
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { computeField, computeFieldSync } from '../../field/compute-field.js';
import type { DistanceField } from '../../field/distance-field.js';
import type { GridFrame } from '../../field/grid.js';
import { runOnBackend } from '../../gpu/choose-backend.js';
import type { GpuDevice } from '../../gpu/device.js';
import type { Mesh } from '../../mesh/mesh.js';
import { GpuPenetration } from '../gpu/penetration-gpu.js';
import { assertWhole, frameOf, type NodeRange, rangeOfBox, spacingFor } from './lattice.js';
import { SpaceQueries } from './space-queries.js';
import {
  SPACE_PIVOT_TABLE,
  SPACE_SEPARATION_TABLE,
  type SpaceContacts,
  type SpaceIntersection,
  type SpacePenetration,
  type SpacePivotOptions,
  type SpaceSeparation,
  type SpaceSeparationOptions,
} from './space-result.js';

/**
 * Proximity of two closed meshes whose positions may change with every call. The object owns the memory of its queries
 * and keeps nothing of a mesh but which vertices its faces connect, while these stay the same. Use one object for each
 * query that runs at the same time.
 *
 * All queries throw a NearfieldError for meshes that bound no solid, for an error bound that is too small for the
 * coordinates, and `too-large` where it asks for too many samples.
 */
export class SpacePivot {
  readonly #options: SpacePivotOptions;
  readonly #queries = new SpaceQueries();
  #gpu: GpuPenetration | null = null;
  #isBusy = false;

  /** @throws NearfieldError `bad-argument` for invalid options. */
  constructor(options: SpacePivotOptions = {}) {
    SPACE_PIVOT_TABLE.assert(options);
    this.#options = { ...options };
  }

  /** The points of each surface in the other solid, with their depths, directions and areas. */
  async penetration(a: Mesh, b: Mesh): Promise<SpacePenetration> {
    const error = this.#load(a, b);
    return runOnBackend<SpacePenetration>(
      this.#options,
      'Penetrating points',
      (device) => this.#onDevice(device, error),
      (fallback) => {
        const answer = this.#queries.penetration(error);
        return fallback === null ? answer : { ...answer, fallback };
      },
    );
  }

  /** {@link penetration} without a promise, on the CPU. */
  penetrationSync(a: Mesh, b: Mesh): SpacePenetration {
    const error = this.#load(a, b);
    return this.#queries.penetration(error);
  }

  /**
   * The points of A's surface within a distance of B's; on the CPU.
   * @param threshold a length, 0 or more.
   */
  contactsSync(a: Mesh, b: Mesh, threshold: number): SpaceContacts {
    if (!(typeof threshold === 'number' && threshold >= 0 && threshold < Infinity)) {
      throw new NearfieldError('bad-argument', `The threshold is ${nameValue(threshold)}; give a length of 0 or more.`);
    }
    const error = this.#load(a, b);
    return this.#queries.contacts(error, threshold);
  }

  /** The distance between the solids and the closest points; on the CPU. Whether they intersect is decided exactly. */
  separationSync(a: Mesh, b: Mesh, options: SpaceSeparationOptions = {}): SpaceSeparation {
    SPACE_SEPARATION_TABLE.assert(options);
    const error = this.#load(a, b);
    return this.#queries.separation(error, options.exact ?? false);
  }

  /** The samples in both solids, and those near the curves where the surfaces meet; on the CPU. */
  intersectionSync(a: Mesh, b: Mesh): SpaceIntersection {
    const error = this.#load(a, b);
    return this.#queries.intersection(error);
  }

  /**
   * The signed distance from a mesh at the samples whose cells meet a box. Between samples `sampleField` is within the
   * error bound too; `sampleGradient` has the directions.
   */
  async field(mesh: Mesh, box: Box): Promise<DistanceField> {
    const { backend, device } = this.#options;
    return computeField(mesh, this.#frame(mesh, box), { backend, device });
  }

  /** {@link field} without a promise, on the CPU. */
  fieldSync(mesh: Mesh, box: Box): DistanceField {
    return computeFieldSync(mesh, this.#frame(mesh, box), {});
  }

  /** Frees the memory of queries on the device; later queries take it anew. */
  destroy(): void {
    this.#gpu?.destroy();
    this.#gpu = null;
  }

  async #onDevice(device: GpuDevice, error: number): Promise<SpacePenetration> {
    if (this.#gpu?.gpu !== device) {
      this.destroy();
      this.#gpu = new GpuPenetration(device);
    }
    this.#isBusy = true;
    try {
      return await this.#gpu.run(this.#queries.a, this.#queries.b, error);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Reads the meshes and returns the error bound. */
  #load(a: Mesh, b: Mesh): number {
    if (this.#isBusy) {
      throw new NearfieldError(
        'bad-argument',
        'A query of this object is still running on the GPU; await it, or make another SpacePivot.',
      );
    }
    return this.#queries.load(a, b, this.#options.error);
  }

  #frame(mesh: Mesh, box: Box): GridFrame {
    assertBox(box);
    const error = this.#load(mesh, mesh);
    const spacing = spacingFor(error);
    const frame = frameOf(grown(rangeOfBox(box.min, box.max, spacing)), spacing);
    assertWhole(frame.size[0] * frame.size[1] * frame.size[2]);
    return frame;
  }
}

/** One node more on every side, so that every point of the box is between nodes. */
function grown({ low, high }: NodeRange): NodeRange {
  return { low: low.map((i) => i - 1), high: high.map((i) => i + 1) };
}
