// Problems whose meshes are broken as files have them.
import { createRandom } from '../../src/core/random.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import type { PlanProblem, PlanRobot } from '../../src/planning/index.js';
import { cracked, doubledFaces, soup } from '../mesh/soundness/broken-meshes.js';

type Break = (mesh: Mesh) => Mesh;

/** Every face twice, front and back, as SketchUp writes them, with corners of its own. */
const doubled: Break = (mesh) => soup(doubledFaces(mesh));

/** Each face with corners of its own. */
const unwelded: Break = (mesh) => soup(mesh);

/** Faces that name a vertex twice. */
const degenerate: Break = ({ positions, indices }) => ({
  positions,
  indices: Uint32Array.from([...indices, indices[0], indices[0], indices[1], indices[3], indices[4], indices[4]]),
});

/** Some faces turned inside out. */
const turned: Break = ({ positions, indices }) => ({
  positions,
  indices: indices.map((_, i) => (i < 12 ? indices[i - (i % 3) + [0, 2, 1][i % 3]] : indices[i])),
});

/** Corners of faces off by what single precision leaves of coordinates ten sizes from the origin. */
const rounded: Break = (mesh) => soup(mesh, 2e-8 * sizeOf(mesh));

/** A face missing. */
export const open: Break = ({ positions, indices }) => ({ positions, indices: indices.slice(3) });

/** Pressed flat along an axis: both sides of a sheet. */
export const flat: Break = ({ positions, indices }) => ({
  positions: positions.map((value, i) => (i % 3 === 1 ? 0 : value)),
  indices,
});

export const BREAKS = {
  doubled,
  unwelded,
  // Vertices in the middle of sides that the neighbor does not have: T-junctions, exact ones and some off the side.
  cracked: (mesh: Mesh) => cracked(mesh, 0.2, 0, createRandom(1)),
  'cracked nearby': (mesh: Mesh) => cracked(mesh, 0.2, 1e-7 * sizeOf(mesh), createRandom(1)),
  rounded,
  degenerate,
  turned,
} as const;

/** The problem with every mesh broken, or those of the robots only. */
export function broken(problem: PlanProblem, change: Break, ofRobots = false): PlanProblem {
  const known = new Map<Mesh, Mesh>();
  const changed = (mesh: Mesh): Mesh => {
    const made = known.get(mesh) ?? change(mesh);
    known.set(mesh, made);
    return made;
  };
  return {
    ...problem,
    robots: problem.robots.map((robot): PlanRobot => {
      if (robot.type !== 'chain') return { ...robot, mesh: changed(robot.mesh) };
      const links = robot.links.map((link) => (link.mesh === undefined ? link : { ...link, mesh: changed(link.mesh) }));
      return { ...robot, links };
    }),
    environment: ofRobots
      ? problem.environment
      : problem.environment.map((part) => ({ ...part, mesh: changed(part.mesh) })),
  };
}

function sizeOf({ positions }: Mesh): number {
  const [low, high] = [Math.min(...positions.slice(0, 3000)), Math.max(...positions.slice(0, 3000))];
  return high - low;
}
