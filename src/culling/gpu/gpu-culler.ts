// Both methods on a GPU: what is left there is decided exactly on the CPU.
import type { GpuDevice } from '../../gpu/device.js';
import { boxStage, type CpuCuller, type CullRequest, NO_COUNTERS } from '../cpu-culler.js';
import type { CullResult, CullStage } from '../cull-result.js';
import type { CullScene } from '../cull-scene.js';
import { OverlapFilter } from '../overlap-filter.js';
import { PairCollector } from '../pair-collector.js';
import { GpuTriangles } from './gpu-triangles.js';
import { GrowingBuffers } from './growing-buffers.js';
import { type DevicePairs, GpuLinearBvh } from './linear-bvh-gpu.js';
import { GpuOcclusion } from './occlusion-gpu.js';
import { GpuVisibility } from './visibility-gpu.js';

/** Culls on one device and keeps its buffers. */
export class GpuCuller {
  readonly #buffers: GrowingBuffers;
  readonly #hierarchy: GpuLinearBvh;
  readonly #visibility: GpuVisibility;
  readonly #occlusion: GpuOcclusion;
  readonly #filter = new OverlapFilter();
  #alive = new Uint8Array(0);
  #marks = new Uint8Array(0);

  constructor(gpu: GpuDevice) {
    this.#buffers = new GrowingBuffers(gpu);
    const triangles = new GpuTriangles(gpu, this.#buffers);
    this.#hierarchy = new GpuLinearBvh(gpu, this.#buffers, triangles);
    this.#visibility = new GpuVisibility(gpu, this.#buffers, triangles);
    this.#occlusion = new GpuOcclusion(gpu, this.#buffers);
  }

  /**
   * Culls a scene with at least one object.
   * @param cpu pairs what visibility leaves.
   */
  async cull(scene: CullScene, request: CullRequest, cpu: CpuCuller): Promise<CullResult> {
    this.#filter.pairObjects(scene);
    return request.method === 'cullide' ? this.#byVisibility(scene, request, cpu) : this.#byHierarchy(scene, request);
  }

  async #byVisibility(scene: CullScene, request: CullRequest, cpu: CpuCuller): Promise<CullResult> {
    const { listed, triangles, objectAlive } = await this.#visibility.findHidden(
      scene,
      this.#filter,
      request.resolution,
      request.visibility === 'queries' ? this.#occlusion : null,
    );
    if (this.#alive.length < scene.triangleCount) this.#alive = new Uint8Array(Math.ceil(1.25 * scene.triangleCount));
    const alive = this.#alive.fill(0, 0, scene.triangleCount);
    for (let i = 0; i < triangles.length; i++) alive[triangles[i]] = 1;
    const boxes = boxStage(scene, this.#filter.overlapStarts, false);
    const left = new Set<number>();
    for (let i = 0; i < triangles.length; i++) left.add(scene.objectOf(triangles[i]));
    const stages: CullStage[] = [
      { name: 'input', objects: scene.objectCount, triangles: scene.triangleCount },
      ...(objectAlive === null ? [{ ...boxes, triangles: listed }] : [boxes, geometryStage(scene, objectAlive)]),
      { name: 'triangles', objects: left.size, triangles: triangles.length },
    ];
    return cpu.pairRest(scene, request, stages, alive, 1);
  }

  async #byHierarchy(scene: CullScene, request: CullRequest): Promise<CullResult> {
    const { output, selfCollision } = request;
    const filter = this.#filter;
    const found = await this.#hierarchy.findPairs(scene, filter, selfCollision, output !== 'candidates');
    const potential = Uint32Array.from(found.objectFlags.keys()).filter((object) => found.objectFlags[object] === 1);
    const stages: CullStage[] = [
      { name: 'input', objects: scene.objectCount, triangles: scene.triangleCount },
      boxStage(scene, filter.overlapStarts, selfCollision),
      { name: 'triangles', objects: potential.length, triangles: found.kept },
    ];
    if (this.#marks.length < scene.triangleCount) this.#marks = new Uint8Array(Math.ceil(1.25 * scene.triangleCount));
    const collector = new PairCollector(scene, output, this.#marks);
    collectPairs(found, filter.objectPairs, collector);
    const { stages: pairStages, ...answers } = collector.finish(selfCollision);
    return {
      method: request.method,
      backend: 'webgpu',
      potential,
      ...answers,
      stages: [...stages, ...pairStages],
      counters: {
        ...NO_COUNTERS,
        objectPairs: filter.objectPairs.length / 2,
        candidates: found.candidates,
        pairsDecided: collector.decided,
        builds: 1,
        deviceRuns: found.runs,
      },
    };
  }

  /** Frees the buffers. */
  destroy(): void {
    this.#visibility.destroy();
    this.#occlusion.destroy();
    this.#buffers.destroy();
  }
}

/** The objects that occlusion queries left, and all of their triangles. */
function geometryStage(scene: CullScene, objectAlive: Uint8Array): CullStage {
  let objects = 0;
  let triangles = 0;
  for (let object = 0; object < scene.objectCount; object++) {
    if (objectAlive[object] === 0) continue;
    objects++;
    triangles += scene.firstTriangle[object + 1] - scene.firstTriangle[object];
  }
  return { name: 'geometry', objects, triangles };
}

/** Groups the pairs of triangles by their objects and hands them on. */
function collectPairs(
  { pairs, pairCount, pairFlags, objectFlags }: DevicePairs,
  objectPairs: Uint32Array,
  collector: PairCollector,
): void {
  const groups = pairFlags.length + objectFlags.length;
  const starts = new Uint32Array(groups + 2);
  for (let i = 0; i < 3 * pairCount; i += 3) starts[pairs[i] + 2]++;
  for (let group = 2; group < starts.length; group++) starts[group] += starts[group - 1];
  const values = new Uint32Array(2 * pairCount);
  for (let i = 0; i < 3 * pairCount; i += 3) {
    const at = 2 * starts[pairs[i] + 1]++;
    values[at] = pairs[i + 1];
    values[at + 1] = pairs[i + 2];
  }
  for (let group = 0; group < pairFlags.length; group++) {
    const [a, b] = [objectPairs[2 * group], objectPairs[2 * group + 1]];
    if (starts[group] < starts[group + 1]) collector.addBetween(a, b, values, starts[group], starts[group + 1]);
    else if (pairFlags[group] === 1) collector.addPossible(a, b);
  }
  for (let object = 0; object < objectFlags.length; object++) {
    const group = pairFlags.length + object;
    collector.addWithin(object, values, starts[group], starts[group + 1]);
  }
}
