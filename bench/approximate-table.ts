// Approximate convex decomposition: pieces, proven concavity and time, at the default concavity and in a limit of time.
import { decomposeSolid } from 'nearfield/decomposition';
import { findModel } from 'nearfield/mesh';
import { milliseconds } from './measure.js';
import type { BenchTable, SuiteContext } from './suite.js';

const MODELS = ['letter-e', 'spoon', 'wrinkled-torus', 'cup', 'bunny'];

/** The limit of time of every second row. */
const LIMIT = 2000;

export function approximateTable({ quick, progress }: SuiteContext): BenchTable {
  const models = MODELS.slice(0, quick ? 3 : undefined);
  const cases = models.flatMap((name) => [Infinity, LIMIT].map((maxMilliseconds) => ({ name, maxMilliseconds })));
  const rows = cases.map(({ name, maxMilliseconds }, index) => {
    progress(index / cases.length, name);
    const mesh = findModel(name).build();
    const start = performance.now();
    const { pieces, concavity, maxConcavity } = decomposeSolid(mesh, { maxMilliseconds });
    const time = performance.now() - start;
    return [
      name,
      (mesh.indices.length / 3).toLocaleString('en-US'),
      maxMilliseconds === Infinity ? '–' : milliseconds(maxMilliseconds),
      `${pieces.length}`,
      (concavity / maxConcavity).toFixed(2),
      milliseconds(time),
    ];
  });
  return {
    title: 'Few convex pieces of a solid',
    headings: ['model', 'triangles', 'limit, ms', 'pieces', 'concavity, of what is allowed', 'ms'],
    rows,
    notes: ['One run each. Concavities are proven upper bounds; 2.5 % of the longest side is allowed, and 64 pieces.'],
  };
}
