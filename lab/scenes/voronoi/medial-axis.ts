import { box } from 'nearfield/core';
import { medialAxisCode } from '../../code/shapes.js';
import { chosenSource } from '../../code/view-code.js';
import { followModel, loadModel, modelControls } from '../../model-choice.js';
import { defineScene } from '../../scene.js';

export default defineScene({
  title: 'Medial axis of a solid',
  chapter: 'Voronoi',
  rank: 4,
  summary:
    'The places inside a solid that have two nearest points on its surface, as sheets colored by their distance from it. Raise the angle or the feature size to leave out what small details cause.',
  picture: 'view=30,16,1.35',
  controls: {
    ...modelControls('bunny'),
    resolution: {
      kind: 'slider',
      label: 'Resolution',
      hint: 'nodes along the longest side',
      min: 16,
      max: 96,
      step: 8,
      initial: 48,
    },
    angle: {
      kind: 'slider',
      label: 'Least angle',
      hint: 'degrees between the directions to the two nearest points',
      min: 5,
      max: 175,
      step: 5,
      initial: 90,
    },
    feature: {
      kind: 'slider',
      label: 'Least feature',
      hint: 'between the two nearest points, as a fraction of the longest side',
      min: 0,
      max: 0.3,
      step: 0.01,
      initial: 0,
    },
    solid: { kind: 'checkbox', label: 'Show the solid', initial: true },
  },

  follow: followModel,

  async code({ values, run }) {
    const longest = Math.max(...box.size(box.ofPositions((await loadModel(values, run)).positions)));
    const { resolution, angle, feature } = values;
    const options = { resolution, minAngle: (angle * Math.PI) / 180, minFeature: feature * longest };
    return medialAxisCode(chosenSource(values), options);
  },

  async draw({ values, view, figures, colors, run }) {
    const mesh = await loadModel(values, run);
    const bounds = box.ofPositions(mesh.positions);
    const longest = Math.max(...box.size(bounds));
    view.frame(bounds);
    if (values.solid) view.addMesh(mesh, { opacity: 0.15, shading: 'smooth', name: 'Solid' });
    const { axis, faceColors, largest, milliseconds } = await run('solidMedialAxis', {
      mesh,
      resolution: values.resolution,
      minAngle: (values.angle * Math.PI) / 180,
      minFeature: values.feature * longest,
    });
    view.addMesh(axis, { faceColors, name: 'Medial axis' });
    colors('Radius', { id: 'scale', label: 'Distance to the surface', scale: 'sequential', low: 0, high: largest });
    figures('Medial axis', [
      { id: 'triangles', label: 'Triangles', value: axis.indices.length / 3 },
      {
        id: 'largest',
        lead: 'The radius of the largest ball that fits inside the solid.',
        label: 'Largest ball inside, radius',
        value: largest,
      },
      { id: 'vertices', label: 'Vertices, each with two nearest points', value: axis.radii.length },
      { id: 'spacing', label: 'Spacing of the grid', value: axis.spacing },
      { id: 'error', label: 'Error of its rims', value: axis.error },
      { id: 'milliseconds', label: 'Time', value: milliseconds, unit: 'ms', decimals: 0 },
    ]);
  },
});
