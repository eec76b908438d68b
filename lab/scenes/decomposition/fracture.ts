import { box, type Vec3 } from 'nearfield/core';
import { fractureCode } from '../../code/shapes.js';
import { chosenSource } from '../../code/view-code.js';
import { followModel, loadModel, modelControls } from '../../model-choice.js';
import { defineScene } from '../../scene.js';

export default defineScene({
  title: 'A solid breaks',
  chapter: 'Decomposition',
  rank: 4,
  summary:
    'A solid broken along the Voronoi cells of random points. Every fragment is a closed mesh, and together they have the volume of the solid. Drag the handle to strike elsewhere, and draw the fragments apart.',
  picture: 'model=cup&spread=0.5&cracks=yes&view=30,24,1.7',
  controls: {
    ...modelControls('cup'),
    fragments: { kind: 'slider', label: 'Cells', min: 1, max: 400, step: 1, logarithmic: true, initial: 32 },
    seed: { kind: 'slider', label: 'Seed', min: 1, max: 100, step: 1, initial: 1 },
    strike: { kind: 'checkbox', label: 'Struck at a point', initial: true },
    impact: {
      kind: 'point',
      label: 'Struck at',
      hint: 'Or drag the round handle in the view.',
      initial: [0.2, 0.6, 0.8],
      visible: ({ strike }) => strike === true,
    },
    radius: {
      kind: 'slider',
      label: 'Radius',
      hint: 'share of the largest side',
      min: 0.05,
      max: 1,
      step: 0.05,
      initial: 0.3,
      visible: ({ strike }) => strike === true,
    },
    gap: {
      kind: 'slider',
      label: 'Width of the cracks',
      hint: 'share of the largest side',
      min: 0,
      max: 0.05,
      step: 0.001,
      initial: 0,
    },
    spread: { kind: 'slider', label: 'Drawn apart', min: 0, max: 3, step: 0.05, initial: 0.4 },
    cracks: { kind: 'checkbox', label: 'Color the cracks', initial: false },
  },
  follow: followModel,

  async code({ values, run }) {
    const bounds = box.ofPositions((await loadModel(values, run)).positions);
    const sides = box.size(bounds);
    const side = Math.max(...sides);
    const { fragments, seed, gap, radius, strike } = values;
    const point = values.impact.map((share, k) => bounds.min[k] + share * sides[k]);
    const impact = strike ? { point, radius: radius * side } : null;
    return fractureCode(chosenSource(values), { fragments, seed, gap: gap * side, impact });
  },

  async draw({ values, view, figures, run, set }) {
    const mesh = await loadModel(values, run);
    const bounds = box.ofPositions(mesh.positions);
    const sides = box.size(bounds);
    const side = Math.max(...sides);
    const [x, y, z] = values.impact.map((share, k) => bounds.min[k] + share * sides[k]);
    const made = await run('showFracture', {
      mesh,
      fragments: values.fragments,
      seed: values.seed,
      x,
      y,
      z,
      radius: values.strike ? values.radius * side : 0,
      gap: values.gap * side,
      spread: values.spread,
    });
    view.frame(box.ofPositions(made.mesh.positions));
    if (values.cracks) {
      view.addMesh(made.surface, { color: 'second', name: 'Surface of the solid' });
      view.addMesh(made.cracks, { color: 'clash', name: 'Cracks' });
    } else {
      view.addMesh(made.mesh, { faceColors: made.faceColors });
    }
    if (values.strike) {
      view.addHandle([x, y, z], (moved) => {
        const shares = moved.map((value, k) => Math.min(1, Math.max(0, (value - bounds.min[k]) / (sides[k] || 1))));
        set('impact', shares as Vec3);
      });
    }

    figures('Fragments', [
      {
        id: 'fragments',
        lead: 'Fragments, which together have the volume of the solid.',
        label: 'Fragments',
        value: made.fragments,
      },
      { id: 'largest', label: 'Largest, share of the volume', value: made.largest / made.volume },
      { id: 'smallest', label: 'Smallest', value: made.smallest / made.volume },
      { id: 'triangles', label: 'Triangles', value: made.mesh.indices.length / 3 },
      { id: 'crackTriangles', label: 'Of them on cracks', value: made.cracks.indices.length / 3 },
      { id: 'milliseconds', label: 'Time', value: made.milliseconds, unit: 'ms', decimals: 1 },
    ]);
    figures('Volume', [
      { id: 'volume', label: 'Of the solid', value: made.volume },
      { id: 'sum', label: 'Of all fragments', value: made.sum },
      { id: 'lost', label: 'Lost, share', value: Math.abs(1 - made.sum / made.volume) },
    ]);
    figures('Model', [{ id: 'modelTriangles', label: 'Triangles', value: mesh.indices.length / 3 }]);
  },
});
