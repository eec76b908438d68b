import { box } from 'nearfield/core';
import { hullCode } from '../../code/shapes.js';
import { chosenSource } from '../../code/view-code.js';
import { followModel, loadModel, modelControls } from '../../model-choice.js';
import { defineScene } from '../../scene.js';

export default defineScene({
  title: 'Convex hull',
  chapter: 'Convex',
  rank: 1,
  summary: 'The smallest convex solid around a model. Drop a file to see its hull and how much of it the model fills.',
  picture: 'model=dragon&view=35,18,1.2',
  controls: {
    ...modelControls('bent-torus'),
    opacity: { kind: 'slider', label: 'Opacity of the hull', min: 0, max: 1, step: 0.05, initial: 0.3 },
    edges: { kind: 'checkbox', label: 'Edges of the hull', initial: true },
  },
  follow: followModel,

  code: ({ values }) => hullCode(chosenSource(values)),

  async draw({ values, view, figures, run }) {
    const mesh = await loadModel(values, run);
    view.frame(box.ofPositions(mesh.positions));
    view.addMesh(mesh, { name: 'Model' });
    const hull = await run('buildHull', { mesh });
    if (hull.mesh !== null && values.opacity > 0) {
      view.addMesh(hull.mesh, { color: 'hull', opacity: values.opacity, name: 'Hull' });
    }
    if (values.edges) view.addLines(hull.edges, { color: 'hullEdges', width: 1.5 });
    figures('Hull', [
      { id: 'vertices', label: 'Vertices', value: hull.vertices },
      { id: 'faces', label: 'Faces, as triangles', value: hull.faces },
      { id: 'facets', label: 'Faces, flat ones merged', value: hull.facets },
      { id: 'volume', label: 'Volume', value: hull.volume, unit: 'm³' },
      {
        id: 'share',
        lead: 'The model fills this fraction of its convex hull.',
        label: 'Fraction the model fills',
        value: hull.share,
      },
      { id: 'milliseconds', label: 'Time', value: hull.milliseconds, unit: 'ms' },
    ]);
    figures('Model', [
      { id: 'vertices', label: 'Vertices', value: mesh.positions.length / 3 },
      { id: 'triangles', label: 'Triangles', value: mesh.indices.length / 3 },
    ]);
  },
});
