// Both methods on the CPU. The memory of one query object: calls one after another reuse it.

import { BoxForest } from '../spatial/box-forest.js';
import { PairList } from '../spatial/pair-list.js';
import type { CullCounters, CullMethod, CullResult, CullStage } from './cull-result.js';
import type { CullScene } from './cull-scene.js';
import { VisibilityCuller } from './cullide/visibility-culler.js';
import { OverlapFilter } from './overlap-filter.js';
import { type CullOutput, PairCollector } from './pair-collector.js';

/** What a call asks for. */
export interface CullRequest {
  readonly method: CullMethod;
  readonly resolution: number;
  readonly visibility: 'fragments' | 'queries';
  readonly output: CullOutput;
  readonly selfCollision: boolean;
}

/** The counters of a call in which nothing happened. */
export const NO_COUNTERS: CullCounters = {
  objectPairs: 0,
  nodesVisited: 0,
  candidates: 0,
  pairsDecided: 0,
  builds: 0,
  fragments: 0,
  passes: 0,
  deviceRuns: 0,
};

/** Culls on the CPU. */
export class CpuCuller {
  readonly #filter = new OverlapFilter();
  readonly #forest = new BoxForest();
  readonly #visibility = new VisibilityCuller();
  readonly #list = new PairList();
  #marks = new Uint8Array(0);
  /** Whether the forest holds the triangles that the filter last kept. */
  #isForestCurrent = false;

  cull(scene: CullScene, request: CullRequest): CullResult {
    const stages: CullStage[] = [{ name: 'input', objects: scene.objectCount, triangles: scene.triangleCount }];
    const filter = this.#filter;
    filter.pairObjects(scene);
    if (request.method === 'cullide') {
      filter.keepTriangles(scene, false);
      stages.push(...this.#visibility.cull(scene, request.resolution, this.#markKept(scene.triangleCount)));
      this.#isForestCurrent = false;
      filter.keepTriangles(scene, false, this.#visibility.triangleAlive);
    } else {
      stages.push(boxStage(scene, filter.overlapStarts, request.selfCollision));
      filter.keepTriangles(scene, request.selfCollision);
      stages.push(keptStage(filter.keptStarts, scene.objectCount));
    }
    return this.finish(scene, request, stages, 0);
  }

  /** 1 for the triangles that the filter kept. */
  #markKept(triangleCount: number): Uint8Array {
    if (this.#marks.length < triangleCount) this.#marks = new Uint8Array(Math.ceil(1.25 * triangleCount));
    const marks = this.#marks.fill(0, 0, triangleCount);
    const { kept, keptStarts } = this.#filter;
    for (let i = 0; i < keptStarts[keptStarts.length - 1]; i++) marks[kept[i]] = 1;
    return marks;
  }

  /**
   * Pairs what an earlier stage left of the objects: hierarchies over the kept triangles, then exact tests.
   * @param alive 1 for the triangles left, after a visibility pass elsewhere.
   */
  pairRest(
    scene: CullScene,
    request: CullRequest,
    stages: CullStage[],
    alive: Uint8Array,
    deviceRuns: number,
  ): CullResult {
    this.#isForestCurrent = false;
    this.#filter.pairObjects(scene);
    this.#filter.keepTriangles(scene, false, alive);
    return this.finish(scene, request, stages, deviceRuns);
  }

  /** Finds the pairs among the triangles that the filter kept. */
  finish(scene: CullScene, request: CullRequest, stages: CullStage[], deviceRuns: number): CullResult {
    const { kept, keptStarts, keptBoxes, keptSame, objectPairs } = this.#filter;
    const isVisibility = request.method === 'cullide';
    const fits = this.#isForestCurrent && keptSame && this.#forest.fit(keptBoxes);
    if (!fits) this.#forest.build(keptBoxes, keptStarts);
    this.#isForestCurrent = !isVisibility;
    if (this.#marks.length < scene.triangleCount) this.#marks = new Uint8Array(Math.ceil(1.25 * scene.triangleCount));
    const collector = new PairCollector(scene, request.output, this.#marks);
    const list = this.#list;
    for (let i = 0; i < objectPairs.length; i += 2) {
      const a = objectPairs[i];
      const b = objectPairs[i + 1];
      if (keptStarts[a] === keptStarts[a + 1] || keptStarts[b] === keptStarts[b + 1]) continue;
      list.clear();
      this.#forest.addPairsBetween(a, b, list);
      renumber(list, kept);
      collector.addBetween(a, b, list.values, 0, list.count);
    }
    for (let object = 0; request.selfCollision && object < scene.objectCount; object++) {
      list.clear();
      this.#forest.addPairsWithin(object, list);
      renumber(list, kept);
      collector.addWithin(object, list.values, 0, list.count);
    }
    const { stages: pairStages, ...answers } = collector.finish(request.selfCollision);
    return {
      method: request.method,
      backend: deviceRuns > 0 ? 'webgpu' : 'cpu',
      potential: potentialObjects(keptStarts, scene.objectCount),
      ...answers,
      stages: [...stages, ...pairStages],
      counters: {
        ...NO_COUNTERS,
        objectPairs: objectPairs.length / 2,
        nodesVisited: this.#forest.nodesVisited,
        candidates: collector.candidates,
        pairsDecided: collector.decided,
        builds: fits ? 0 : 1,
        fragments: isVisibility && deviceRuns === 0 ? this.#visibility.fragments : 0,
        passes: isVisibility && deviceRuns === 0 ? this.#visibility.passes : 0,
        deviceRuns,
      },
    };
  }
}

/** From the places in the list of kept triangles to their numbers. */
function renumber(list: PairList, kept: Uint32Array): void {
  const { values } = list;
  for (let i = 0; i < 2 * list.count; i++) values[i] = kept[values[i]];
}

/** The objects with triangles left. */
export function potentialObjects(keptStarts: Uint32Array, objectCount: number): Uint32Array {
  const found: number[] = [];
  for (let object = 0; object < objectCount; object++) {
    if (keptStarts[object] < keptStarts[object + 1]) found.push(object);
  }
  return Uint32Array.from(found);
}

/** The objects whose boxes overlap another, and all of their triangles. */
export function boxStage(scene: CullScene, overlapStarts: Uint32Array, all: boolean): CullStage {
  let objects = 0;
  let triangles = 0;
  for (let object = 0; object < scene.objectCount; object++) {
    if (!all && overlapStarts[object] === overlapStarts[object + 1]) continue;
    objects++;
    triangles += scene.firstTriangle[object + 1] - scene.firstTriangle[object];
  }
  return { name: 'boxes', objects, triangles };
}

function keptStage(keptStarts: Uint32Array, objectCount: number): CullStage {
  const objects = potentialObjects(keptStarts, objectCount).length;
  return { name: 'triangles', objects, triangles: keptStarts[objectCount] };
}
