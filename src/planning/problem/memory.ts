// What a plan holds in memory, counted: meshes with all that is derived from them, nodes and edges of trees and roadmaps, and the
// tables of quick tests. Everything else is bounded by constants of its own: cubes of workspace searches, grids, cells.
import type { MemoryLimit } from '../../core/deadline.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { PlanProblem } from './plan-problem.js';

/** Measured on samples of 100,000 triangles: the bytes of a triangle with its topology, hierarchies and what repair needs. */
const TRIANGLE_BYTES = 2000;

/** Measured on roadmaps and trees in time of 50,000 nodes: the bytes of a node without its configuration. */
const NODE_BYTES = 1000;

/** Measured on the same: the bytes that each number of a configuration adds to a node, with its copies. */
const NUMBER_BYTES = 30;

/** Measured on the same: the bytes of an edge. */
const EDGE_BYTES = 80;

/** About what the meshes of a problem take once they are prepared; meshes that stand several times count once. */
export function meshBytes({ robots, environment }: PlanProblem): number {
  const meshes = new Set<Mesh | undefined>();
  // What is missing or wrong is refused where the problem is read.
  for (const robot of listOf(robots)) {
    if (robot?.type === 'chain') for (const link of listOf(robot.links)) meshes.add(link?.mesh);
    else meshes.add(robot?.mesh);
  }
  for (const obstacle of listOf(environment)) meshes.add(obstacle?.mesh);
  let triangles = 0;
  for (const mesh of meshes) triangles += (mesh?.indices?.length ?? 0) / 3;
  return TRIANGLE_BYTES * triangles;
}

function listOf<T>(given: readonly T[]): readonly T[] {
  return Array.isArray(given) ? given : [];
}

/**
 * The limit of a search in a scene.
 * @param fixed what is held besides, in bytes.
 * @param before what the scene had counted when those nodes were made that are no longer held.
 */
export function limitOf(
  scene: CollisionScene,
  most: number,
  fixed: number,
  before: { readonly vertices: number; readonly edges: number },
): MemoryLimit {
  const { counters } = scene;
  const node = NODE_BYTES + NUMBER_BYTES * scene.size;
  return {
    most,
    held: () => {
      const made = node * (counters.vertices - before.vertices) + EDGE_BYTES * (counters.edges - before.edges);
      return fixed + made + scene.bytes;
    },
  };
}

/** Why a plan ended, in words. */
export function explainMemory(most: number, meshes: number): string {
  const rest = meshes > 0 ? `, of which the meshes take about ${inWords(meshes)}` : '';
  return `the plan needs more than maxMemory, ${inWords(most)}${rest}; give it more, or coarser meshes`;
}

function inWords(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${Math.ceil(bytes / 1e6)} MB`;
}
