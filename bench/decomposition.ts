// Convex surface decomposition: Table 1 of Ehmann and Lin 2001, section 8.1, for our models, their pieces beside ours.
// Our models are similar to theirs, not the same, so pieces are compared per reflex edge and per triangle.
import {
  countNewFaces,
  DECOMPOSITION_METHODS,
  type DecompositionMethod,
  decomposeSurface,
  patchCount,
} from 'nearfield/decomposition';
import { findModel } from 'nearfield/mesh';
import { approximateTable } from './approximate-table.js';
import { hierarchyTable } from './hierarchy-table.js';
import { measure, milliseconds } from './measure.js';
import type { BenchTable, Suite, SuiteContext } from './suite.js';

export const decompositionSuite: Suite = {
  name: 'decomposition',
  title: 'Convex surface decomposition and hierarchies of hulls',
  chapters: ['decomposition', 'convex'],
  async run({ quick, progress, part }) {
    return Promise.all([
      patches({ quick, part, progress: (fraction, stage) => progress(0.6 * fraction, stage) }),
      hierarchyTable({ quick, part, progress: (fraction, stage) => progress(0.6 + 0.2 * fraction, stage) }),
      part('few pieces', () =>
        approximateTable({ quick, part, progress: (fraction, stage) => progress(0.8 + 0.2 * fraction, stage) }),
      ),
    ]);
  },
};

/** Triangles, and pieces by method, in Table 1 of Ehmann and Lin 2001, which has no figures for the global method. */
interface DocumentRow {
  readonly triangles: number;
  readonly pieces: Partial<Record<DecompositionMethod, number>>;
}

const DOCUMENT: Record<string, DocumentRow> = {
  'wrinkled-torus': documentRow(2000, 414, 414, 412, 412, 412),
  'bent-torus': documentRow(2000, 312, 306, 310, 289, 282),
  'spiral-peg': documentRow(8040, 1812, 1812, 1817, 1812, 1812),
  cup: documentRow(8452, 2077, 2076, 2075, 2008, 1992),
  head: documentRow(21764, 3336, 3327, 3339, 3249, 3197),
  'teeth-lower': documentRow(40180, 11422, 11356, 11403, 11354, 11004),
  'teeth-upper': documentRow(47339, 14358, 14292, 14347, 13176, 13787),
};

function documentRow(
  triangles: number,
  dfs: number,
  bfs: number,
  crests: number,
  dfsFlood: number,
  bfsFlood: number,
): DocumentRow {
  const pieces = { dfs, bfs, 'bfs-crests': crests, 'dfs-flood-retract': dfsFlood, 'bfs-flood-retract': bfsFlood };
  return { triangles, pieces };
}

/** The global method compares all pairs of faces and recomputes a hull for each step of a group. */
const GLOBAL_LIMIT = 2_500;

async function patches({ quick, progress, part }: SuiteContext): Promise<BenchTable> {
  const names = Object.keys(DOCUMENT).slice(0, quick ? 4 : undefined);
  const cases = names.flatMap((name) => DECOMPOSITION_METHODS.map((method) => ({ name, method })));
  const rowsOf = ({ name, method }: (typeof cases)[number], index: number): string[][] => {
    const mesh = findModel(name).build();
    const triangles = mesh.indices.length / 3;
    if (method === 'global' && triangles > GLOBAL_LIMIT) return [];
    progress(index / cases.length, `${name}, ${method}`);
    const start = performance.now();
    const decomposition = decomposeSurface(mesh, { method });
    const once = performance.now() - start;
    // A run of half a minute need not be repeated.
    const [alone, checked] =
      method === 'global'
        ? [null, { median: once }]
        : measure(
            [false, true].map((checkSelfIntersections) => ({
              name: `${checkSelfIntersections}`,
              run: () => patchCount(decomposeSurface(mesh, { method, checkSelfIntersections })),
            })),
            { rounds: quick ? 1 : 3, minimumMilliseconds: 1 },
          );
    const pieces = patchCount(decomposition);
    const { reflexEdges } = decomposition;
    const document = DOCUMENT[name];
    const theirs = document.pieces[method];
    return [
      [
        name,
        count(triangles),
        count(reflexEdges),
        method,
        alone === null ? '–' : milliseconds(alone.median),
        milliseconds(checked.median),
        count(pieces),
        count(countNewFaces(decomposition)),
        (pieces / reflexEdges).toFixed(3),
        (pieces / triangles).toFixed(3),
        theirs === undefined ? '–' : count(theirs),
        theirs === undefined ? '–' : (theirs / document.triangles).toFixed(3),
      ],
    ];
  };
  const parts = cases.map((each, index) => part(`patches of ${each.name}, ${each.method}`, () => rowsOf(each, index)));
  const rows = (await Promise.all(parts)).flat();
  return {
    title: 'Patches and pieces: Ehmann and Lin 2001, Table 1',
    headings: [
      'model',
      'triangles',
      'reflex edges',
      'method',
      'decomposition, ms',
      'with the check for crossings, ms',
      'pieces',
      'new faces',
      'pieces per reflex edge',
      'pieces per triangle',
      'pieces of Ehmann and Lin 2001',
      'pieces of Ehmann and Lin 2001 per triangle',
    ],
    rows,
    notes: [
      'The models of Ehmann and Lin 2001 have the same names and similar sizes, but other shapes; they give no counts of reflex edges.',
      `The global method compares all pairs of faces and is left out above ${count(GLOBAL_LIMIT)} triangles.`,
    ],
  };
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
