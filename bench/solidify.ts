// Solids made of models with holes, by the resolution of the grid.
import { solidify } from 'nearfield/field';
import { findModel } from 'nearfield/mesh';
import { measure, milliseconds } from './measure.js';
import type { Suite } from './suite.js';

const MODELS = ['spoon', 'cup', 'bunny'];
const RESOLUTIONS = [24, 48];

export const solidifySuite: Suite = {
  name: 'solidify',
  title: 'Solids of open meshes',
  chapters: ['field'],
  async run({ quick, progress }) {
    const cases = MODELS.slice(0, quick ? 1 : undefined).flatMap((name) =>
      RESOLUTIONS.map((resolution) => ({ name, resolution })),
    );
    const rows = cases.map(({ name, resolution }, index) => {
      progress(index / cases.length, `${name}, ${resolution}`);
      const { positions, indices } = findModel(name).build();
      // One face is missing, so that the mesh is open.
      const open = { positions, indices: indices.slice(3) };
      const { mesh, distance } = solidify(open, { resolution });
      const [{ median }] = measure([{ name, run: () => solidify(open, { resolution }).mesh }], {
        rounds: quick ? 1 : 3,
        minimumMilliseconds: 1,
      });
      return [
        name,
        (open.indices.length / 3).toLocaleString('en-US'),
        `${resolution}`,
        (mesh.indices.length / 3).toLocaleString('en-US'),
        Math.max(distance.toInput, distance.fromInput).toPrecision(3),
        milliseconds(median),
      ];
    });
    return [
      {
        title: 'solidify',
        headings: [
          'model without one face',
          'triangles',
          'resolution',
          'triangles of the solid',
          'distance, at most',
          'ms',
        ],
        rows,
      },
    ];
  },
};
