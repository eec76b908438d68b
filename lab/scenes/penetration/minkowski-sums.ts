import { type Box, type Vec3, vec3 } from 'nearfield/core';
import { depthCode, pairSources } from '../../code/penetration.js';
import type { Figure } from '../../figures.js';
import {
  depthFigures,
  drawPairBeside,
  followPair,
  joinBoxes,
  levelTable,
  loadPair,
  pairControls,
  pairInput,
} from '../../penetration-pair.js';
import { defineScene } from '../../scene.js';
import type { ColorName } from '../../viewer/palette.js';

/** In the order of the task's groups. */
const CLASSES: readonly (readonly [ColorName, string])[] = [
  ['original', 'Of the surfaces'],
  ['contained', 'Inside: never the way out'],
  ['free', 'Of joined pieces'],
];
const HOPS: readonly (readonly [ColorName, string])[] = [
  ['hop0', 'Around the origin'],
  ['hop1', '1 hop'],
  ['hop2', '2 hops'],
  ['hop3', '3 hops or more'],
  ['unreached', 'Reached by no ray'],
];
const { drag: _, ...controls } = pairControls('grates');

export default defineScene({
  title: 'Minkowski sums',
  chapter: 'Penetration',
  rank: 2,
  summary:
    'Each solid contains the translations of A for which two convex pieces intersect; their union, those for which the models do. The distance from the origin to the boundary of the union is the depth, the radius of the sphere.',
  picture: 'opacity=0.3&view=20,22,1.25',
  controls: {
    ...controls,
    level: {
      kind: 'slider',
      label: 'Level',
      hint: '0: the hulls of the whole models',
      min: 0,
      max: 16,
      step: 1,
      initial: 9,
    },
    colors: {
      kind: 'choice',
      label: 'Colored by',
      options: [
        { value: 'hops', label: 'Hops' },
        { value: 'class', label: 'Class of facet' },
      ],
    },
    opacity: { kind: 'slider', label: 'Opacity', min: 0.05, max: 1, step: 0.05, initial: 0.25 },
    cut: { kind: 'checkbox', label: 'Cut open through the origin', initial: false },
    bodies: { kind: 'checkbox', label: 'The two bodies beside', initial: true },
    sphere: { kind: 'checkbox', label: 'Sphere of the estimate', initial: true },
  },
  follow: followPair,

  async code({ values, run }) {
    const pair = await loadPair(values, run);
    const how = { method: 'image-space', descent: 'levels', query: 'rays', resolution: 256 } as const;
    return depthCode(pairSources(values, pair), pair, how);
  },

  async draw({ values, view, figures, table, limit, run, set }) {
    const { level, colors, opacity } = values;
    const pair = await loadPair(values, run);
    const input = { ...pairInput(pair), query: 'rays', resolution: 256 } as const;
    const result = await run('tracePair', input);
    const shown = await run('showSums', { ...input, level, colors });
    const around = sphereBox(shown.estimate);
    const translations = shown.bounds === null ? around : joinBoxes(shown.bounds, around);
    if (values.bodies) await drawPairBeside(view, pair, translations, result, run);
    else view.frame(translations);
    const cut = values.cut ? ({ normal: [0, 0, 1], point: [0, 0, 0] } as { normal: Vec3; point: Vec3 }) : null;
    for (const [group, mesh] of shown.groups.entries()) {
      if (mesh.indices.length === 0) continue;
      const [color, name] = (colors === 'class' ? CLASSES : HOPS)[group];
      view.addMesh(mesh, { color, name, opacity, cut });
    }
    if (values.sphere && shown.estimate > 0) {
      const sphere = await run('buildModel', { model: 'icosphere', radius: 1, subdivisions: 10 });
      const radius = shown.estimate;
      const ball = { positions: sphere.positions.map((x) => radius * x), indices: sphere.indices };
      view.addMesh(ball, { color: 'ghost', shading: 'smooth', opacity: 0.35, cut, name: 'Shorter than the estimate' });
    }
    view.addPoints([0, 0, 0], { color: 'reflex', size: 8, onTop: true, name: 'The origin: A where it is' });
    view.addArrow([0, 0, 0], shown.vector, { color: 'boundary', onTop: true, name: 'The way out' });
    view.addPoints([...shown.vector], { color: 'boundary', size: 8, onTop: true });
    const last = result.levels.at(-1)?.level ?? 0;
    limit('level', last);
    const groups = (colors === 'class' ? CLASSES : HOPS).map(
      ([id, label], group): Figure => ({ id, label, value: shown.groups[group].indices.length / 3 }),
    );
    figures('Level', [
      { id: 'level', label: 'Level', value: Math.min(level, last) },
      { id: 'sums', label: 'Minkowski sums', value: shown.sums },
      { id: 'drawn', label: 'Drawn', value: shown.drawn },
      { id: 'around', label: 'Around the origin', value: shown.around },
      { id: 'mostHops', label: 'Most hops', value: shown.mostHops },
      { id: 'estimate', label: 'Estimate', value: shown.estimate, unit: 'm' },
    ]);
    figures('Triangles drawn', groups);
    table(
      'Levels',
      levelTable(result, Math.min(level, last), (chosen) => set('level', chosen)),
    );
    figures('Answer', depthFigures(result));
  },
});

function sphereBox(radius: number): Box {
  const reach: Vec3 = radius > 0 ? [radius, radius, radius] : [1, 1, 1];
  return { min: vec3.scale(reach, -1), max: reach };
}
