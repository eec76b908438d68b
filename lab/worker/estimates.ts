// How long the heavy tasks take, from the size of their input: fits to processor times measured on one machine. What tasks
// took here corrects the next estimates, so that a slower machine warns sooner.
import type { Mesh } from 'nearfield/mesh';
import type { TaskInput, TaskName } from './tasks.js';

/** Work that may take long. */
export interface Estimate {
  /** What runs, as the beginning of a sentence. */
  readonly what: string;
  readonly seconds: number;
}

/** Nothing that takes longer begins by itself. */
export const LONG_SECONDS = 10;
/** Shorter work says little about the pace of the machine. */
const TELLING_SECONDS = 1;

/** The share of a cube of nodes that the box of a usual model fills. */
const FILLED = 0.6;

type Estimator<Name extends TaskName> = (input: TaskInput<Name>) => Estimate | null;

const estimators: { readonly [Name in TaskName]?: Estimator<Name> } = {
  decompose: ({ mesh, method }) => ({
    what: `Dividing ${count(trianglesOf(mesh))} triangles into convex patches${method === 'global' ? ' by testing every pair of them' : ''}`,
    seconds: method === 'global' ? pairSeconds(mesh) : 0.35 + 1e-5 * trianglesOf(mesh),
  }),
  buildHierarchy: ({ mesh, method }) => ({
    what: `Building the hierarchy of hulls of ${count(trianglesOf(mesh))} triangles`,
    seconds: 0.9 + 1.4e-5 * trianglesOf(mesh) + (method === 'global' ? pairSeconds(mesh) : 0),
  }),
  decomposeSolid: ({ mesh }) => ({
    what: `Cutting a solid of ${count(trianglesOf(mesh))} triangles into convex pieces`,
    seconds: 0.6 + 2.3e-5 * trianglesOf(mesh),
  }),
  makeField: ({ mesh, resolution, gpu }) => ({
    what: `Computing a distance field of about ${count(FILLED * resolution ** 3)} nodes around ${count(trianglesOf(mesh))} triangles`,
    seconds: gpu ? 0 : 0.5 + 4e-5 * trianglesOf(mesh) + 0.9e-6 * FILLED * resolution ** 3,
  }),
  solidify: ({ mesh, resolution }) => ({
    what: `Making a solid from ${count(trianglesOf(mesh))} triangles at resolution ${resolution}`,
    seconds: 0.5 + 1.6e-5 * trianglesOf(mesh) + 3e-4 * resolution ** 2,
  }),
  offsetMesh: ({ mesh, resolution }) => ({
    what: `Growing or shrinking ${count(trianglesOf(mesh))} triangles at resolution ${resolution}`,
    seconds: 0.3 + 2e-5 * trianglesOf(mesh) + 5.5e-4 * resolution ** 2,
  }),
  solidMedialAxis: ({ mesh, resolution }) => ({
    what: `Computing the medial axis of ${count(trianglesOf(mesh))} triangles at resolution ${resolution}`,
    seconds: (0.2 + 6e-5 * trianglesOf(mesh)) * (resolution / 64) ** 1.45,
  }),
};

/** How much slower this machine is than the one that was measured. */
let pace = 1;

/** Null for a task that is not known to take long. */
export function estimateTask<Name extends TaskName>(task: Name, input: TaskInput<Name>): Estimate | null {
  const estimated = (estimators[task] as Estimator<Name> | undefined)?.(input) ?? null;
  return estimated && { ...estimated, seconds: pace * estimated.seconds };
}

/** Learns from what estimated work took. Half of what is new counts: a tab in the background is slow for a while. */
export function learnPace({ seconds }: Estimate, taken: number): void {
  if (Math.max(seconds, taken) < TELLING_SECONDS || seconds === 0) return;
  pace = Math.min(20, Math.max(0.2, pace * Math.sqrt(taken / seconds)));
}

function trianglesOf({ indices }: Mesh): number {
  return indices.length / 3;
}

/** The method 'global' tests all pairs of faces. */
function pairSeconds(mesh: Mesh): number {
  return 4.7e-6 * trianglesOf(mesh) ** 2;
}

function count(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}
