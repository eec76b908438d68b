import { box } from 'nearfield/core';
import { findModel, models } from 'nearfield/mesh';
import { reportCode } from '../../code/shapes.js';
import { modelSource } from '../../code/view-code.js';
import { parameterSliders } from '../../parameter-sliders.js';
import { reportFigures } from '../../report-figures.js';
import { PARAMETER_RANGES } from '../../samples/parameter-ranges.js';
import { defineScene } from '../../scene.js';

export default defineScene({
  title: 'Procedural models',
  chapter: 'Meshes',
  rank: 2,
  summary: 'The shapes that tests, benchmarks and scenes use. Change a parameter and read the report.',
  picture: 'model=dragon&triangles=60000&shading=smooth&view=35,18,1.15',
  controls: {
    model: {
      kind: 'choice',
      label: 'Model',
      initial: 'wrinkled-torus',
      options: models.map(({ name, title }) => ({ value: name as string, label: title, group: groupOf(name) })),
    },
    shading: {
      kind: 'choice',
      label: 'Shading',
      options: [
        { value: 'flat', label: 'Flat' },
        { value: 'smooth', label: 'Smooth' },
        { value: 'wireframe', label: 'Edges' },
      ],
    },
  },

  moreControls: ({ model }) => parameterSliders(findModel(model).parameters, PARAMETER_RANGES[model]),

  code: ({ values, more }) => reportCode(modelSource(values.model, more as Record<string, number>)),

  async draw({ values, more, view, figures, run }) {
    const mesh = await run('buildModel', { model: values.model, ...more });
    view.frame(box.ofPositions(mesh.positions));
    view.addMesh(mesh, { shading: values.shading });
    const { report } = await run('inspect', { mesh });
    for (const [group, list] of reportFigures(report)) figures(group, list);
  },
});

function groupOf(name: string): string {
  return /^(letter|digit)-/.test(name) ? 'Letters and digits' : 'Shapes';
}
