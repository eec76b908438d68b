// Table 2 of Ehmann and Lin 2001, section 8.1, for our models: the time to build a hierarchy of hulls from a
// decomposition and the memory it needs, by method of decomposition. Splitting is at the midpoint, as in their work.
import { buildHierarchy, bytesPerTriangle, type DecompositionMethod, decomposeSurface } from 'nearfield/decomposition';
import { models } from 'nearfield/mesh';
import { measure } from './measure.js';
import type { BenchTable, SuiteContext } from './suite.js';

const METHODS: readonly DecompositionMethod[] = ['dfs', 'dfs-flood-retract', 'bfs', 'bfs-flood-retract', 'bfs-crests'];
const MODELS = ['wrinkled-torus', 'bent-torus', 'spiral-peg', 'cup', 'head', 'teeth-lower', 'teeth-upper'];

/** Seconds to build the hierarchy, and kB per triangle of the model in all, including the mesh (1 kB = 1024 B). */
export async function hierarchyTable({ quick, progress, part }: SuiteContext): Promise<BenchTable> {
  const names = quick ? ['wrinkled-torus', 'spiral-peg'] : MODELS;
  const methods = quick ? METHODS.filter((method) => !method.endsWith('retract')) : METHODS;
  const rowOf = (name: string, index: number): string[] => {
    const mesh = models.find((model) => model.name === name)!.build();
    const cells = methods.flatMap((method, step) => {
      progress((index + step / methods.length) / names.length, `hierarchy of ${name}, ${method}`);
      const decomposition = decomposeSurface(mesh, { method, checkSelfIntersections: false });
      const kilobytes = bytesPerTriangle(buildHierarchy(decomposition)) / 1024;
      const options = { rounds: quick ? 1 : 3, minimumMilliseconds: 1 };
      const [timing] = measure([{ name: method, run: () => buildHierarchy(decomposition) }], options);
      return [(timing.median / 1000).toFixed(2), kilobytes.toFixed(2)];
    });
    return [name, (mesh.indices.length / 3).toLocaleString('en-US'), ...cells];
  };
  const rows = await Promise.all(names.map((name, index) => part(`hierarchy of ${name}`, () => rowOf(name, index))));
  return {
    title: 'Hierarchies of hulls, Ehmann and Lin 2001, Table 2: seconds, and kB a triangle',
    headings: ['model', 'triangles', ...methods.flatMap((method) => [`${method}, s`, `${method}, kB`])],
    rows,
    notes: [
      'From a decomposition to its hierarchy, split at the midpoint; the memory includes the mesh and all planes.',
    ],
  };
}
