import { box, vec3 } from 'nearfield/core';
import type { SplitRule } from 'nearfield/decomposition';
import { hierarchyCode } from '../../code/shapes.js';
import { chosenSource } from '../../code/view-code.js';
import { METHOD_OPTIONS } from '../../decomposition-methods.js';
import { followModel, loadModel, modelControls } from '../../model-choice.js';
import { defineScene } from '../../scene.js';

const RULES: readonly { value: SplitRule; label: string }[] = [
  { value: 'midpoint', label: 'Midpoint' },
  { value: 'median', label: 'Median' },
  { value: 'mean', label: 'Mean' },
  { value: 'gap', label: 'Gap' },
];

export default defineScene({
  title: 'Hierarchy of hulls',
  chapter: 'Decomposition',
  rank: 2,
  summary:
    'A tree of convex hulls over the convex pieces, level by level from the hull of the whole model. Green faces belong to the surface, yellow ones lie inside it, red ones were added where pieces were joined.',
  picture: 'model=head&level=5&spread=0.6&view=35,12,1.5',
  opening: 'model=letter-e&view=35,12,1.5',
  controls: {
    ...modelControls('bent-torus'),
    level: {
      kind: 'slider',
      label: 'Level',
      hint: '0 is the hull of the whole model; leaves above the level stay visible',
      min: 0,
      max: 24,
      step: 1,
      initial: 3,
    },
    spread: { kind: 'slider', label: 'Drawn apart', min: 0, max: 2, step: 0.05, initial: 0.5 },
    method: { kind: 'choice', label: 'Decomposed', options: METHOD_OPTIONS },
    split: { kind: 'choice', label: 'Split at', options: RULES },
    shading: {
      kind: 'choice',
      label: 'Shading',
      options: [
        { value: 'flat', label: 'Lit' },
        { value: 'wireframe', label: 'Edges' },
        { value: 'unlit', label: 'Colors only' },
      ],
    },
  },
  follow: followModel,

  code: ({ values }) => hierarchyCode(chosenSource(values), values),

  async draw({ values, view, figures, limit, run }) {
    const { method, split, level, spread, shading } = values;
    const mesh = await loadModel(values, run);
    const bounds = box.ofPositions(mesh.positions);
    const middle = box.center(bounds);
    const half = vec3.scale(box.size(bounds), (1 + spread) / 2);
    view.frame({ min: vec3.subtract(middle, half), max: vec3.add(middle, half) });
    const counts = await run('buildHierarchy', { mesh, method, split }).catch((error) => {
      // A mesh that is refused is still shown, below the error message.
      view.addMesh(mesh);
      throw error;
    });
    limit('level', counts.lastLevel);
    const shown = await run('showLevel', { mesh, method, split, level, spread });
    const classes = [
      ['original', 'Faces of the surface'],
      ['contained', 'Faces inside the model'],
      ['free', 'Faces added between pieces'],
    ] as const;
    for (const [color, name] of classes) {
      if (shown[color].indices.length > 0) view.addMesh(shown[color], { color, name, shading });
    }
    figures('Level', [
      { id: 'level', label: 'Level', value: Math.min(level, counts.lastLevel) },
      {
        id: 'hulls',
        lead: 'Convex hulls at this level contain the model between them.',
        label: 'Hulls',
        value: shown.hulls,
      },
      ...classes.map(([id, label]) => ({ id, label, value: shown[id].indices.length / 3 })),
    ]);
    figures('Hierarchy', [
      { id: 'nodes', label: 'Hulls', value: counts.nodes },
      { id: 'lastLevel', label: 'Last level', value: counts.lastLevel },
      { id: 'faces', label: 'Faces of all hulls', value: counts.faces },
      { id: 'storedFaces', label: 'Faces stored', value: counts.storedFaces },
      { id: 'size', label: 'Size per triangle', value: counts.bytesPerTriangle / 1024, unit: 'kB' },
      { id: 'milliseconds', label: 'Time', value: counts.milliseconds, unit: 'ms' },
    ]);
    figures('Model', [{ id: 'triangles', label: 'Triangles', value: mesh.indices.length / 3 }]);
  },
});
