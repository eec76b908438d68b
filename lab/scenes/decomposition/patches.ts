import { type Box, box, pose, vec3 } from 'nearfield/core';
import { DECOMPOSITION_METHODS } from 'nearfield/decomposition';
import { patchesCode } from '../../code/shapes.js';
import { chosenSource } from '../../code/view-code.js';
import { METHOD_LABELS, METHOD_OPTIONS } from '../../decomposition-methods.js';
import type { Figure } from '../../figures.js';
import { followModel, loadModel, modelControls } from '../../model-choice.js';
import { defineScene } from '../../scene.js';
import type { DecompositionCounts } from '../../worker/decomposition-tasks.js';

/** Beyond this many triangles, the comparison leaves out the global method, whose cost is quadratic. */
const GLOBAL_LIMIT = 3000;
/** The gap between models side by side, as a fraction of their width. */
const GAP = 0.15;

export default defineScene({
  title: 'Convex patches',
  chapter: 'Decomposition',
  rank: 1,
  summary:
    'A surface divided into convex patches. Each patch lies on the boundary of its convex hull, which meets the surface nowhere else. Compare two methods side by side, or draw the pieces apart.',
  picture: 'model=head&view=35,12,1.3',
  controls: {
    ...modelControls('wrinkled-torus'),
    method: { kind: 'choice', label: 'Method', options: METHOD_OPTIONS },
    beside: {
      kind: 'choice',
      label: 'Beside it',
      initial: 'none',
      options: [{ value: 'none', label: 'No other method' }, ...METHOD_OPTIONS],
    },
    shows: {
      kind: 'choice',
      label: 'Show',
      options: [
        { value: 'patches', label: 'Patches' },
        { value: 'pieces', label: 'Pieces' },
      ],
    },
    spread: { kind: 'slider', label: 'Drawn apart', min: 0, max: 2, step: 0.05, initial: 0 },
    reflex: { kind: 'checkbox', label: 'Reflex edges', initial: false },
    shading: {
      kind: 'choice',
      label: 'Shading',
      options: [
        { value: 'flat', label: 'Lit' },
        { value: 'unlit', label: 'Colors only' },
      ],
    },
    all: { kind: 'checkbox', label: 'Figures of every method', initial: false },
    save: {
      kind: 'button',
      label: 'Save the pieces as GLB',
      async press({ values, run, save }) {
        const mesh = await loadModel(values, run);
        save('pieces.glb', await run('writePieces', { mesh, method: values.method }));
      },
    },
  },
  follow: followModel,

  code: ({ values }) => patchesCode(chosenSource(values), values.method),

  async draw({ values, view, figures, run }) {
    const mesh = await loadModel(values, run);
    const bounds = box.ofPositions(mesh.positions);
    const methods = [values.method, ...(values.beside === 'none' ? [] : [values.beside])];
    const { room, step } = arrange(bounds, values.spread, methods.length);
    view.frame(room);
    const { reflexEdges } = await run('decompose', { mesh, method: values.method }).catch((error) => {
      // A mesh that is refused is still shown, below the error message.
      view.addMesh(mesh);
      throw error;
    });
    for (const [place, method] of methods.entries()) {
      const counts = await run('decompose', { mesh, method });
      const shown = await run('showPatches', { mesh, method, shows: values.shows, spread: values.spread });
      const shift = pose.create([place * step, 0, 0]);
      view.addMesh(shown.mesh, { faceColors: shown.faceColors, shading: values.shading, pose: shift });
      if (methods.length > 1) {
        const [x, , z] = box.center(bounds);
        view.addLabel([x + place * step, room.max[1], z], `${METHOD_LABELS[method]}: ${counts.pieces} pieces`);
      }
      figures(place === 0 ? METHOD_LABELS[method] : `Beside it: ${METHOD_LABELS[method]}`, countFigures(counts));
    }
    if (values.reflex && values.spread === 0) {
      view.addLines(await run('reflexEdges', { mesh }), { color: 'reflex', width: 2.5, name: 'Reflex edges' });
    }
    figures('Model', [
      { id: 'triangles', label: 'Triangles', value: mesh.indices.length / 3 },
      {
        id: 'reflexEdges',
        lead: 'Edges where the surface bends inward: a convex decomposition has to cut or part at them.',
        label: 'Reflex edges',
        value: reflexEdges,
      },
    ]);
    if (!values.all) return;
    const rest = DECOMPOSITION_METHODS.filter(
      (method) => !methods.includes(method) && (method !== 'global' || mesh.indices.length <= 3 * GLOBAL_LIMIT),
    );
    for (const method of rest) figures(METHOD_LABELS[method], countFigures(await run('decompose', { mesh, method })));
  },
});

function countFigures({ pieces, newFaces, reflexEdges, largestPatch, milliseconds }: DecompositionCounts): Figure[] {
  return [
    { id: 'pieces', label: 'Pieces', value: pieces },
    { id: 'newFaces', label: 'New faces', value: newFaces },
    { id: 'ratio', label: 'Pieces per reflex edge', value: reflexEdges === 0 ? null : pieces / reflexEdges },
    { id: 'largestPatch', label: 'Faces of the largest patch', value: largestPatch },
    { id: 'milliseconds', label: 'Time', value: milliseconds, unit: 'ms' },
  ];
}

/** Room for models side by side whose parts are drawn apart, and the step from one to the next. */
function arrange(bounds: Box, spread: number, count: number): { room: Box; step: number } {
  const middle = box.center(bounds);
  const half = vec3.scale(box.size(bounds), (1 + spread) / 2);
  const step = (2 + GAP) * half[0];
  const max = vec3.add(middle, half);
  max[0] += (count - 1) * step;
  return { room: { min: vec3.subtract(middle, half), max }, step };
}
