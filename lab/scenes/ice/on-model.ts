import { box } from 'nearfield/core';
import { writeModel } from 'nearfield/io';
import { BACKEND_CONTROL } from '../../backend-control.js';
import { frostCode } from '../../code/ice.js';
import { chosenSource } from '../../code/view-code.js';
import { followModel, loadModel, modelControls } from '../../model-choice.js';
import { defineScene } from '../../scene.js';

export default defineScene({
  title: 'Frost on a model',
  chapter: 'Ice',
  rank: 2,
  summary:
    'Ice that grows from seeds on the surface of a model, in a layer around it that its distance field bounds. Play, or move the slider; save the ice as a mesh.',
  picture: 'model=torus&frame=40&view=30,25,1.5',
  opening: 'model=torus&view=30,25,1.5',
  motion: { playing: 'play', frame: 'frame', speed: 'speed' },
  controls: {
    ...modelControls('torus'),
    play: { kind: 'toggle', label: 'Grow', pressedLabel: 'Pause' },
    frame: { kind: 'slider', label: 'Frame', hint: '10 steps each', min: 0, max: 199, step: 1, initial: 25 },
    speed: { kind: 'slider', label: 'Frames per second', min: 1, max: 30, step: 1, initial: 10 },
    preset: {
      kind: 'choice',
      label: 'Kind of ice',
      options: [
        { value: 'dendritic', label: 'Dendritic' },
        { value: 'plate', label: 'Plate' },
        { value: 'isotropic', label: 'Isotropic' },
      ],
    },
    reach: {
      kind: 'slider',
      label: 'Thickest',
      hint: 'share of the model’s diagonal',
      min: 0.02,
      max: 0.3,
      step: 0.01,
      initial: 0.1,
    },
    seeds: { kind: 'slider', label: 'Seeds', min: 1, max: 200, step: 1, initial: 24 },
    seed: { kind: 'slider', label: 'Seed of chance', min: 1, max: 100, step: 1, initial: 1 },
    resolution: {
      kind: 'slider',
      label: 'Resolution',
      hint: 'cells along the longest side',
      min: 24,
      max: 128,
      step: 4,
      initial: 56,
    },
    backend: BACKEND_CONTROL,
    save: {
      kind: 'button',
      label: 'Save the ice (GLB)',
      press: async ({ values, run, save }) => {
        const mesh = await loadModel(values, run);
        const grown = await run('growFrost', questionOf(mesh, values));
        save('frost.glb', await writeModel(grown.mesh, 'glb'));
      },
    },
  },
  follow: followModel,

  async code({ values, run }) {
    const mesh = await loadModel(values, run);
    const { mesh: _, ...question } = questionOf(mesh, values);
    const { precision } = await run('growFrost', questionOf(mesh, values));
    return frostCode(chosenSource(values), { ...question, single: precision === 'float32' });
  },

  async draw({ values, view, figures, run }) {
    const mesh = await loadModel(values, run);
    const bounds = box.ofPositions(mesh.positions);
    view.frame(box.grow(bounds, values.reach * box.diagonal(bounds)));
    view.addMesh(mesh, { color: 'bodyA', name: 'Model' });
    const grown = await run('growFrost', questionOf(mesh, values));
    view.addMesh(grown.mesh, { shading: 'smooth', opacity: 0.75, name: 'Ice' });
    const { extent, milliseconds, stepped } = grown;
    figures('Ice', [
      { id: 'triangles', label: 'Triangles', value: grown.mesh.indices.length / 3 },
      {
        id: 'solidFraction',
        lead: 'Of the grid around the model is ice, as a fraction.',
        label: 'Solid fraction of the grid',
        value: grown.solidFraction,
      },
      { id: 'extent', label: 'Extent', value: extent === null ? null : box.size(extent) },
      { id: 'energy', label: 'Free energy', value: grown.freeEnergy },
    ]);
    figures('Speed', [
      { id: 'where', label: 'Computed on', value: grown.where },
      { id: 'size', label: 'Cells', value: grown.size.join(' × ') },
      { id: 'steps', label: 'Steps', value: grown.steps },
      {
        id: 'rate',
        label: 'Steps per second',
        value: stepped === 0 ? null : Math.round((1000 * stepped) / Math.max(milliseconds, 0.01)),
      },
    ]);
  },
});

// biome-ignore lint/suspicious/noExplicitAny: the values of this scene's controls, as buttons and draw have them
function questionOf(mesh: Awaited<ReturnType<typeof loadModel>>, values: any) {
  const { preset, resolution, reach, seeds, seed, backend, frame } = values;
  return { mesh, preset, resolution, reach, seeds, seed, backend, steps: 10 * frame };
}
