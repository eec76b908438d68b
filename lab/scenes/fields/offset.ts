import { box } from 'nearfield/core';
import { offsetCode } from '../../code/fields.js';
import { chosenSource } from '../../code/view-code.js';
import { followModel, loadModel, modelControls } from '../../model-choice.js';
import { defineScene } from '../../scene.js';

export default defineScene({
  title: 'Grow, shrink, hollow',
  chapter: 'Fields',
  rank: 5,
  summary:
    'A solid grown or shrunk by a distance, or hollowed to a wall of one thickness, with proven bounds of the error. For clearances, molds and printed parts.',
  picture: 'model=letter-e&distance=0.06&view=30,20,1.9',
  controls: {
    ...modelControls('letter-e'),
    distance: {
      kind: 'slider',
      label: 'Distance',
      hint: 'share of the largest side',
      min: -0.1,
      max: 0.2,
      step: 0.01,
      initial: 0.05,
    },
    hollow: { kind: 'checkbox', label: 'Hollow it', initial: false },
    wall: {
      kind: 'slider',
      label: 'Wall',
      hint: 'share of the largest side',
      min: 0.02,
      max: 0.2,
      step: 0.01,
      initial: 0.05,
      visible: ({ hollow }) => hollow === true,
    },
    resolution: { kind: 'slider', label: 'Resolution', min: 12, max: 96, step: 4, initial: 40 },
  },
  follow: followModel,

  async code({ values, run }) {
    const side = Math.max(...box.size(box.ofPositions((await loadModel(values, run)).positions)));
    const { distance, hollow, wall, resolution } = values;
    return offsetCode(chosenSource(values), {
      distance: distance * side,
      shell: hollow ? wall * side : null,
      resolution,
    });
  },

  async draw({ values, view, figures, run }) {
    const { distance, hollow, wall, resolution } = values;
    const mesh = await loadModel(values, run);
    const bounds = box.ofPositions(mesh.positions);
    const side = Math.max(...box.size(bounds));
    const made = await run('offsetMesh', {
      mesh,
      distance: distance * side,
      shell: hollow ? wall * side : null,
      resolution,
    });
    const isInside = distance < 0;
    view.frame(isInside ? bounds : box.ofPositions(made.mesh.positions));
    view.addMesh(mesh, { color: 'second', name: 'Model', opacity: isInside ? 0.35 : 1 });
    view.addMesh(made.mesh, { name: 'Offset', opacity: isInside ? 1 : 0.4 });
    figures('Offset', [
      {
        id: 'distance',
        lead: 'The surface is moved by this much; the errors below are proven.',
        label: 'Distance',
        value: distance * side,
      },
      { id: 'inward', label: 'Error inward, at most', value: made.error.inward },
      { id: 'outward', label: 'Error outward, at most', value: made.error.outward },
      { id: 'spacing', label: 'Spacing of the grid', value: made.spacing },
      { id: 'triangles', label: 'Triangles', value: made.mesh.indices.length / 3 },
      { id: 'volume', label: 'Volume', value: made.volume },
      { id: 'milliseconds', label: 'Time', value: made.milliseconds, unit: 'ms' },
    ]);
  },
});
