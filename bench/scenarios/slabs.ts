// Close parallel surfaces that move slowly: two rough closed slabs of 44,940 triangles each, the upper one's underside
// the lower one's top at a small gap, shifting by about 3 % of the distance per frame.
import { createRandom } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import { recordPoses, type ScenarioDefinition } from './scenario.js';

/** Quads along each side: 2 · 2 · 105² on the faces and 8 · 105 on the rim make 44,940 triangles. */
const QUADS = 105;
const SIDE = 1;
const THICKNESS = 0.08;
/** From the lower slab's top to the upper's underside, straight up, when one lies over the other. */
const GAP = 0.02;
/** Largest height of the waves and of the noise that the two surfaces have in common. */
const WAVES = 0.02;
const NOISE = 0.002;

export const slabs: ScenarioDefinition = {
  name: 'slabs',
  title: 'Slabs',
  description: 'Two rough slabs nested over a small gap, one shifting slowly over the other.',
  build() {
    const relief = createRelief();
    return {
      name: slabs.name,
      title: slabs.title,
      bodies: [
        { name: 'lower slab', mesh: buildSlab((i, j) => -THICKNESS + 0.5 * relief(j, i), relief) },
        { name: 'upper slab', mesh: buildSlab(relief, (i, j) => THICKNESS + 0.5 * relief(j, i)) },
      ],
      pairs: [[0, 1]],
      frameCount: 500,
      poses: recordPoses(2, (frame) => {
        const angle = (2 * Math.PI * frame) / 500;
        return [
          [0, 0, 0, 0, 0, 0, 1],
          // A slow figure of eight that never lifts.
          [0.03 * Math.sin(angle), GAP, 0.02 * Math.sin(2 * angle), 0, 0, 0, 1],
        ];
      }),
    };
  },
};

/** The height of the common surface over a node of the grid: three waves and noise, the same every time. */
function createRelief(): (i: number, j: number) => number {
  const random = createRandom(11);
  const noise = Float64Array.from({ length: (QUADS + 1) ** 2 }, () => random.range(-NOISE, NOISE));
  return (i, j) => {
    const [u, v] = [(2 * Math.PI * i) / QUADS, (2 * Math.PI * j) / QUADS];
    const waves = Math.sin(2 * u + v) + Math.cos(3 * v - u) + Math.sin(4 * u - 2 * v);
    return (WAVES / 3) * waves + noise[i * (QUADS + 1) + j];
  };
}

type Height = (i: number, j: number) => number;

/** The closed slab between two heights over the same square grid. */
function buildSlab(bottom: Height, top: Height): Mesh {
  const side = QUADS + 1;
  const positions = new Float64Array(6 * side * side);
  const indices: number[] = [];
  const node = (sheet: number, i: number, j: number): number => sheet * side * side + i * side + j;
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      const [x, z] = [(i / QUADS - 0.5) * SIDE, (j / QUADS - 0.5) * SIDE];
      positions.set([x, bottom(i, j), z], 3 * node(0, i, j));
      positions.set([x, top(i, j), z], 3 * node(1, i, j));
    }
  }
  for (let i = 0; i < QUADS; i++) {
    for (let j = 0; j < QUADS; j++) {
      const corners = (sheet: number) => [
        node(sheet, i, j),
        node(sheet, i, j + 1),
        node(sheet, i + 1, j + 1),
        node(sheet, i + 1, j),
      ];
      const [a, b, c, d] = corners(0);
      indices.push(a, c, b, a, d, c);
      const [e, f, g, h] = corners(1);
      indices.push(e, f, g, e, g, h);
    }
    // The rim, side by side: from the grid's edge node k to k + 1, seen from outside.
    const edges: readonly [number, number, number, number][] = [
      [0, i + 1, 0, i],
      [QUADS, i, QUADS, i + 1],
      [i, 0, i + 1, 0],
      [i + 1, QUADS, i, QUADS],
    ];
    for (const [i0, j0, i1, j1] of edges) {
      const [a, b, c, d] = [node(0, i0, j0), node(0, i1, j1), node(1, i1, j1), node(1, i0, j0)];
      indices.push(a, c, b, a, d, c);
    }
  }
  return { positions, indices: Uint32Array.from(indices) };
}
