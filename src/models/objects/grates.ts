// Grates: upright bars that stick out above and below, joined by level bars that end flush with the outer ones. A union
// of axis-aligned boxes, meshed on the grid of all box edges, so there are no T-junctions and no slivers.
// c upright and r level bars make 20cr + 12c − 4r triangles, and 2cr more for each face whose crossings are quartered.
import type { Mesh } from '../../mesh/mesh.js';
import { defineModel, type ModelParameter } from '../model.js';

interface Grate {
  readonly columns: number;
  readonly rows: number;
  readonly bar: number;
  readonly gap: number;
  readonly overhang: number;
  readonly depth: number;
  readonly quartered: number;
}

function grateParameters(defaults: Grate) {
  const count = { min: 2, max: 100, integer: true };
  const length = { min: 0.001, max: 10 };
  return {
    columns: { ...count, default: defaults.columns, description: 'upright bars' },
    rows: { ...count, default: defaults.rows, description: 'level bars' },
    bar: { ...length, default: defaults.bar, description: 'width of a bar, in meters' },
    gap: { ...length, default: defaults.gap, description: 'opening between two bars, in meters' },
    overhang: { ...length, default: defaults.overhang, description: 'how far upright bars stick out, in meters' },
    depth: { ...length, default: defaults.depth, description: 'thickness of all bars, in meters' },
    quartered: {
      default: defaults.quartered,
      min: 0,
      max: 2,
      integer: true,
      description: 'faces, front first, whose crossings are split in four around their middle',
    },
  } as const satisfies Record<keyof Grate, ModelParameter>;
}

/** The smaller grate of Kim, Otaduy, Lin and Manocha 2002, table 2: 20·5·4 + 12·5 − 4·4 = 444 triangles. */
export const grateSmall = defineModel({
  name: 'grate-small',
  title: 'Grate, small',
  description: 'Five upright and four level bars in one plane, 444 triangles, centered on the origin.',
  parameters: grateParameters({ columns: 5, rows: 4, bar: 0.06, gap: 0.16, overhang: 0.14, depth: 0.06, quartered: 0 }),
  build: buildGrate,
});

/**
 * The larger one: 20·7·7 + 12·7 − 4·7 + 2·7·7 = 1,134 triangles. The count is 2 modulo 4, which takes an odd number of
 * vertices. No mesh with all of the grate's symmetries has that, so the crossings are quartered on the front only.
 */
export const grateLarge = defineModel({
  name: 'grate-large',
  title: 'Grate, large',
  description: 'Seven upright and seven level bars in one plane, 1,134 triangles, centered on the origin.',
  parameters: grateParameters({ columns: 7, rows: 7, bar: 0.05, gap: 0.12, overhang: 0.1, depth: 0.06, quartered: 1 }),
  build: buildGrate,
});

function buildGrate({ columns, rows, bar, gap, overhang, depth, quartered }: Grate): Mesh {
  const x = barEdges(columns, bar, gap);
  const levels = barEdges(rows, bar, gap);
  const top = levels[levels.length - 1] + overhang;
  const y = [-top, ...levels, top];
  // Cell (i, j) reaches from x[i] to x[i + 1] and from y[j] to y[j + 1]: every second column and row of cells is a bar.
  const isUpright = (i: number) => i % 2 === 0;
  const isLevel = (j: number) => j % 2 === 1;
  const isSolid = (i: number, j: number) =>
    i >= 0 && j >= 0 && i < x.length - 1 && j < y.length - 1 && (isUpright(i) || isLevel(j));

  const positions: number[] = [];
  const indices: number[] = [];
  const addVertex = (vx: number, vy: number, side: number) => positions.push(vx, vy, (side - 0.5) * depth) / 3 - 1;
  const addQuad = (a: number, b: number, c: number, d: number) => indices.push(a, b, c, a, c, d);
  const ids = new Map<number, number>();
  const cornerOf = (i: number, j: number, side: number): number => {
    const key = 2 * (j * x.length + i) + side;
    if (!ids.has(key)) ids.set(key, addVertex(x[i], y[j], side));
    return ids.get(key)!;
  };

  for (let j = 0; j < y.length - 1; j++) {
    for (let i = 0; i < x.length - 1; i++) {
      if (!isSolid(i, j)) continue;
      // Corners counter-clockwise seen from the front.
      const [back, front] = [0, 1].map((side) => [
        cornerOf(i, j, side),
        cornerOf(i + 1, j, side),
        cornerOf(i + 1, j + 1, side),
        cornerOf(i, j + 1, side),
      ]);
      const addFace = (side: number, [a, b, c, d]: number[]) => {
        if (isUpright(i) && isLevel(j) && quartered >= 2 - side) {
          const middle = addVertex((x[i] + x[i + 1]) / 2, (y[j] + y[j + 1]) / 2, side);
          indices.push(middle, a, b, middle, b, c, middle, c, d, middle, d, a);
        } else {
          addQuad(a, b, c, d);
        }
      };
      addFace(0, [...back].reverse());
      addFace(1, front);
      const neighbors = [isSolid(i, j - 1), isSolid(i + 1, j), isSolid(i, j + 1), isSolid(i - 1, j)];
      for (let k = 0; k < 4; k++) {
        const next = (k + 1) % 4;
        if (!neighbors[k]) addQuad(back[k], back[next], front[next], front[k]);
      }
    }
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Both edges of each bar, from left to right, centered on 0: bar i covers the i-th pair. */
function barEdges(count: number, bar: number, gap: number): number[] {
  return Array.from({ length: 2 * count }, (_, edge) => {
    const steps = edge >> 1;
    // Mirrored edges are computed alike, so that they are exact opposites.
    const fromMiddle = (steps - (count - 1) / 2) * (bar + gap);
    return edge % 2 === 0 ? fromMiddle - bar / 2 : fromMiddle + bar / 2;
  });
}
