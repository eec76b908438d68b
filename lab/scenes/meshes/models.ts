import { box } from 'nearfield/core';
import { findModel, type ModelParameter, models } from 'nearfield/mesh';
import type { Slider } from '../../controls.js';
import { reportFigures } from '../../report-figures.js';
import { defineScene } from '../../scene.js';

export default defineScene({
  title: 'Procedural models',
  chapter: 'Meshes',
  rank: 1,
  summary: 'The shapes that tests, benchmarks and scenes use. Change a parameter and read the report.',
  picture: 'model=dragon&shading=smooth&view=35,18,1.3',
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

  moreControls: ({ model }) => {
    const parameters = Object.entries(findModel(model).parameters);
    return Object.fromEntries(parameters.map(([name, parameter]) => [name, sliderOf(name, parameter)]));
  },

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

function sliderOf(name: string, { min, max, default: initial, integer, description }: ModelParameter): Slider {
  const words = name.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return {
    kind: 'slider',
    label: words[0].toUpperCase() + words.slice(1),
    hint: description,
    min,
    max,
    initial,
    logarithmic: min > 0 && max / min > 30,
    ...(integer ? { step: 1 } : {}),
  };
}
