import type { CullStage } from 'nearfield/culling';
import { cullCode } from '../../code/culling.js';
import { defineScene } from '../../scene.js';
import { CULLING_FRAMES, type EnvironmentInput, type EnvironmentName } from '../../worker/culling-answer.js';

const STAGES: Readonly<Record<CullStage['name'], string>> = {
  input: 'All',
  boxes: 'Boxes overlap',
  geometry: 'Objects not fully visible',
  triangles: 'Triangles that may meet another object',
  pairs: 'Left for exact tests',
  exact: 'Meet',
};

/** The pruned triangles of the last object, by environment. */
const OTHERS: Readonly<Record<EnvironmentName, string>> = {
  cylinders: '',
  tori: 'Of the second torus',
  dragon: 'Of the bunny',
  breaking: 'Of the bunny',
};

export default defineScene({
  title: 'Deforming and breaking objects',
  chapter: 'Culling',
  rank: 1,
  summary:
    'Which of many objects collide, frame by frame, with nothing computed in advance: the four environments of Govindaraju, Redon, Lin and Manocha 2003. Colors and counts tell what each stage of culling leaves. Break the dragon: the set goes on as objects appear.',
  picture: 'environment=breaking&frame=48&dragon=60000&view=-50,16,1.0',
  opening: 'environment=breaking&view=-50,16,1.0',
  motion: { playing: 'play', frame: 'frame', speed: 'speed' },
  controls: {
    environment: {
      kind: 'choice',
      label: 'Environment',
      options: [
        { value: 'cylinders', label: 'Deforming cylinders' },
        { value: 'tori', label: 'Two deforming tori' },
        { value: 'dragon', label: 'Bunny and dragon' },
        { value: 'breaking', label: 'Breaking dragon' },
      ],
    },
    play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
    frame: { kind: 'slider', label: 'Frame', min: 0, max: CULLING_FRAMES - 1, step: 1, initial: 0 },
    speed: {
      kind: 'slider',
      label: 'Speed',
      hint: 'frames per second',
      min: 1,
      max: 120,
      step: 1,
      initial: 30,
      logarithmic: true,
    },
    break: {
      kind: 'button',
      label: 'Break it now',
      visible: ({ environment }) => environment === 'breaking',
      press({ values, set }) {
        set('breakFrame', values.frame);
        set('play', true);
      },
    },
    breakFrame: {
      kind: 'slider',
      label: 'Breaks at frame',
      min: 0,
      max: CULLING_FRAMES - 1,
      step: 1,
      initial: 30,
      visible: ({ environment }) => environment === 'breaking',
    },
    fragments: {
      kind: 'slider',
      label: 'Fragments, about',
      min: 4,
      max: 300,
      step: 1,
      logarithmic: true,
      initial: 60,
      visible: ({ environment }) => environment === 'breaking',
    },
    seed: {
      kind: 'slider',
      label: 'Seed',
      min: 1,
      max: 100,
      step: 1,
      initial: 1,
      visible: ({ environment }) => environment === 'breaking',
    },
    cylinders: {
      kind: 'slider',
      label: 'Cylinders',
      hint: 'of 200 triangles; 100 in the paper',
      min: 10,
      max: 400,
      step: 10,
      initial: 100,
      visible: ({ environment }) => environment === 'cylinders',
    },
    torus: {
      kind: 'slider',
      label: 'Triangles of a torus',
      hint: '20,000 in the paper',
      min: 500,
      max: 80_000,
      step: 500,
      logarithmic: true,
      initial: 5000,
      visible: ({ environment }) => environment === 'tori',
    },
    dragon: {
      kind: 'slider',
      label: 'Triangles of the dragon',
      hint: '250,000 in the paper; the bunny has a seventh',
      min: 30_000,
      max: 250_000,
      step: 10_000,
      initial: 30_000,
      visible: ({ environment }) => environment === 'dragon' || environment === 'breaking',
    },
    method: {
      kind: 'choice',
      label: 'Method',
      options: [
        { value: 'lbvh', label: 'Hierarchies (lbvh)' },
        { value: 'cullide', label: 'Visibility (cullide)' },
      ],
    },
    resolution: {
      kind: 'choice',
      label: 'Pixels along a side',
      initial: '128',
      buttons: true,
      options: ['32', '64', '128', '256', '512', '1024'].map((value) => ({ value, label: value })),
      visible: ({ method }) => method === 'cullide',
    },
    seeThrough: { kind: 'checkbox', label: 'See through what is pruned', initial: false },
  },

  code({ values, run }) {
    const { frame, method, resolution } = values;
    const objects = () => run('objectsAt', { ...environmentOf(values), frame });
    return cullCode({ method, resolution: Number(resolution) }, objects);
  },

  async draw({ values, view, figures, chart, table, run, set }) {
    const began = performance.now();
    const { frame, method } = values;
    const input = environmentOf(values);
    const { environment } = input;
    const { name, bounds } = await run('openEnvironment', input);
    const resolution = Number(values.resolution);
    const shown = await run('cullFrame', { ...input, frame, method, resolution });

    view.frame(bounds);
    const { result, meshes, times } = shown;
    const opacity = values.seeThrough ? 0.3 : 1;
    const looks = [
      { mesh: meshes.meeting, color: 'crossing', opacity: 1, name: 'Meet' },
      { mesh: meshes.potential, color: 'near', opacity: 1, name: 'Left for exact tests' },
      { mesh: meshes.prunedTriangles, color: 'second', opacity, name: 'Triangles pruned' },
      { mesh: meshes.prunedOfLast, color: 'ghost', opacity, name: OTHERS[environment] },
      { mesh: meshes.prunedObjects, color: 'unreached', opacity, name: 'Objects pruned' },
    ] as const;
    for (const { mesh, ...look } of looks) if (mesh.indices.length > 0) view.addMesh(mesh, look);

    const { stages, pairs, exactPairs, trianglePairs, potential, counters } = result;
    table('Left after each stage', {
      columns: ['Stage', 'Objects', 'Triangles'],
      rows: stages.map((stage) => ({
        id: stage.name,
        cells: [STAGES[stage.name], stage.objects, stage.triangles],
        current: false,
      })),
    });
    figures('Sets', [
      { id: 'objects', label: 'Objects', value: stages[0].objects },
      { id: 'potential', label: 'Objects that may collide', value: potential.length },
      { id: 'pairs', label: 'Pairs that may collide', value: pairs.length / 2 },
      {
        id: 'exactPairs',
        lead: 'Pairs of objects collide in this frame, by exact tests of what the culling left.',
        label: 'Pairs that collide',
        value: (exactPairs as Uint32Array).length / 2,
      },
      { id: 'trianglePairs', label: 'Pairs of triangles that meet', value: trianglePairs },
      { id: 'candidates', label: 'Pairs of triangles tested', value: counters.candidates },
    ]);
    figures('Time', [
      { id: 'culling', label: 'Culling with exact tests', value: shown.culling, unit: 'ms', decimals: 1 },
      { id: 'median', label: `Median of ${shown.framesTimed} frames`, value: shown.median, unit: 'ms', decimals: 1 },
      { id: 'moving', label: 'Moving the vertices', value: shown.moving, unit: 'ms', decimals: 1 },
      { id: 'frame', label: 'Whole frame, with drawing', value: performance.now() - began, unit: 'ms', decimals: 0 },
      { id: 'builds', label: 'Hierarchies built anew', value: counters.builds === 1 },
      ...(method === 'cullide' ? [{ id: 'fragments', label: 'Fragments drawn', value: counters.fragments }] : []),
    ]);
    chart('Time of culling over the frames', {
      id: 'times',
      label: 'Milliseconds of culling, frame by frame',
      values: times,
      unit: 'ms',
      at: frame,
      chosen: (at) => set('frame', at),
    });
    figures('Environment', [
      { id: 'name', label: 'Shown', value: name },
      { id: 'triangles', label: 'Triangles', value: stages[0].triangles },
    ]);
  },
});

interface EnvironmentValues {
  readonly environment: string;
  readonly cylinders: number;
  readonly torus: number;
  readonly dragon: number;
  readonly fragments: number;
  readonly seed: number;
  readonly breakFrame: number;
}

function environmentOf(values: EnvironmentValues): EnvironmentInput {
  const { cylinders, torus, dragon, fragments, seed, breakFrame } = values;
  const environment = values.environment as EnvironmentName;
  const size = { cylinders, tori: torus, dragon, breaking: dragon }[environment];
  return { environment, size, fragments, seed, breakFrame };
}
