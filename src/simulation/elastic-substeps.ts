// How many substeps a step of elastic bodies has: enough for their slowest vibration, within what they cost.
import { elementVolumes, type TetrahedralMesh } from '../elastic/tetrahedra/tetrahedral-mesh.js';
import type { CheckedBody, CheckedScene } from './check-scene.js';

/**
 * Measured on a beam: substeps in a period of the slowest vibration. The midpoint rule is then off by 0.02 % in it, and by 1 %
 * in the next one.
 */
const PER_PERIOD = 128;

/** Chosen: substeps of a step where the scene gives no number. */
const MAX_SUBSTEPS = 4;

/** Chosen: elements times substeps, above which substeps are left out. */
const MAX_WORK = 100_000;

/** The number of substeps, given the tetrahedra of each elastic body. */
export function countSubsteps(
  { solver, timestep, analysis }: CheckedScene,
  bodies: readonly { readonly body: CheckedBody; readonly mesh: TetrahedralMesh }[],
): number {
  if (solver.substeps !== null) return solver.substeps;
  if (analysis === 'static' || solver.mode === 'real-time') return 1;
  const fastest = Math.max(...bodies.map(({ body, mesh }) => slowestFrequency(body, mesh)));
  const elements = bodies.reduce((sum, { mesh }) => sum + mesh.elements.length / 4, 0);
  const most = Math.min(MAX_SUBSTEPS, Math.floor(MAX_WORK / elements));
  return Math.max(1, Math.min(most, Math.ceil(PER_PERIOD * timestep * fastest)));
}

/** An estimate in 1/s: that of a beam of the same length and volume, clamped at one end or free. */
function slowestFrequency({ elastic, density, mass, holds }: CheckedBody, mesh: TetrahedralMesh): number {
  const volume = elementVolumes(mesh).reduce((sum, own) => sum + own, 0);
  const { positions } = mesh;
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  const length = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const thickness = Math.sqrt(volume / length);
  const waveSpeed = Math.sqrt(elastic!.young / (mass === null ? (density ?? 1000) : mass / volume));
  // Of square beams by Euler and Bernoulli; along a bar a wave takes half a period from end to end.
  const bending = ((holds.length > 0 ? 0.162 : 1.03) * waveSpeed * thickness) / length ** 2;
  return Math.min(bending, waveSpeed / (2 * length));
}
