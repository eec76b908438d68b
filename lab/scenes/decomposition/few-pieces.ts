import { box } from 'nearfield/core';
import { piecesCode } from '../../code/shapes.js';
import { chosenSource } from '../../code/view-code.js';
import { followModel, loadModel, modelControls } from '../../model-choice.js';
import { defineScene } from '../../scene.js';

export default defineScene({
  title: 'Few convex pieces',
  chapter: 'Decomposition',
  rank: 3,
  summary:
    'A solid covered by a few convex pieces, as physics engines want them, with a proven bound on how far they stick out. Choose how close they must be, or how few.',
  picture: 'model=letter-e&spread=0.3&view=30,20,2',
  controls: {
    ...modelControls('letter-e'),
    concavity: {
      kind: 'slider',
      label: 'Concavity, at most',
      hint: 'share of the largest side',
      min: 0.005,
      max: 0.2,
      logarithmic: true,
      initial: 0.03,
    },
    most: { kind: 'slider', label: 'Pieces, at most', min: 1, max: 64, step: 1, initial: 32 },
    spread: { kind: 'slider', label: 'Drawn apart', min: 0, max: 2, step: 0.05, initial: 0.2 },
    original: { kind: 'checkbox', label: 'Show the model', initial: false },
  },
  follow: followModel,

  async code({ values, run }) {
    const side = Math.max(...box.size(box.ofPositions((await loadModel(values, run)).positions)));
    const options = { maxConcavity: values.concavity * side, maxPieces: values.most };
    return piecesCode(chosenSource(values), options);
  },

  async draw({ values, view, figures, run }) {
    const mesh = await loadModel(values, run);
    const bounds = box.ofPositions(mesh.positions);
    const side = Math.max(...box.size(bounds));
    const made = await run('decomposeSolid', {
      mesh,
      maxConcavity: values.concavity * side,
      maxPieces: values.most,
      spread: values.spread,
    });
    view.frame(box.ofPositions(made.mesh.positions));
    view.addMesh(made.mesh, { faceColors: made.faceColors, opacity: values.original ? 0.5 : 1, name: 'Pieces' });
    if (values.original) view.addMesh(mesh, { name: 'Model' });
    figures('Pieces', [
      { id: 'pieces', lead: 'Convex pieces cover the whole solid.', label: 'Pieces', value: made.pieces },
      {
        id: 'concavity',
        label: 'Largest concavity, at most',
        value: made.concavity,
        tone: made.concavity <= made.maxConcavity ? 'good' : 'bad',
      },
      { id: 'overshoot', label: 'Out of the model, at most', value: made.overshoot },
      { id: 'covers', label: 'They cover the', value: made.covers },
      { id: 'milliseconds', label: 'Time', value: made.milliseconds, unit: 'ms' },
    ]);
    figures('Model', [{ id: 'triangles', label: 'Triangles', value: mesh.indices.length / 3 }]);
  },
});
