import { vec3 } from 'nearfield/core';
import { nurbsCode } from '../../code/pivot.js';
import type { Move } from '../../controls.js';
import { followHand } from '../../hand.js';
import { waysFrom } from '../../sample-lines.js';
import { defineScene } from '../../scene.js';
import type { ColorName } from '../../viewer/palette.js';
import { organsMoved, TESSELLATION_SHARE } from '../../worker/moved-organs.js';

/** Five seconds are a breath. */
const SECONDS_PER_FRAME = 1 / 30;
const BOX = { min: [-0.16, -0.16, -0.12], max: [0.16, 0.17, 0.12] } as const;
const SIZE = vec3.distance(BOX.min, BOX.max);
/** The length of a normal, in meters. */
const NORMAL = 0.008;
/** In the order of the scenario. */
const ORGANS: readonly { name: string; color: ColorName; opacity: number }[] = [
  { name: 'Diaphragm', color: 'hull', opacity: 0.45 },
  { name: 'Heart', color: 'clash', opacity: 0.45 },
  { name: 'Left ventricle', color: 'free', opacity: 1 },
  { name: 'Right ventricle', color: 'hop0', opacity: 1 },
  { name: 'Left atrium', color: 'free', opacity: 1 },
  { name: 'Right atrium', color: 'hop0', opacity: 1 },
  { name: 'Liver', color: 'hop3', opacity: 1 },
  { name: 'Stomach', color: 'near', opacity: 1 },
  { name: 'Spleen', color: 'hop1', opacity: 1 },
];

export default defineScene({
  title: 'Organs that breathe',
  chapter: 'PIVOT',
  rank: 3,
  summary:
    'Nine NURBS surfaces whose control points move with breath and heartbeat: the diaphragm presses on liver and spleen. In every frame near pairs are found, the surfaces are cut into triangles within a bound, and contacts are found. Drag an organ.',
  picture: 'frame=0&view=15,12,1.25',
  motion: { playing: 'play', frame: 'frame', speed: 'speed' },
  controls: {
    play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
    frame: { kind: 'slider', label: 'Frame', min: 0, max: 599, step: 1, initial: 0 },
    speed: { kind: 'slider', label: 'Frames per second', min: 1, max: 60, step: 1, initial: 30 },
    threshold: {
      kind: 'slider',
      label: 'Distance of contacts, mm',
      min: 0,
      max: 15,
      step: 0.5,
      initial: 2,
    },
    error: {
      kind: 'slider',
      label: 'Error bound, mm',
      hint: 'a quarter for the triangles, the rest for the samples',
      min: 0.5,
      max: 6,
      initial: 2,
      logarithmic: true,
    },
    wire: { kind: 'checkbox', label: 'Triangles', initial: false },
    drag: {
      kind: 'choice',
      label: 'Dragging an organ',
      options: [
        { value: 'move', label: 'Moves it' },
        { value: 'turn', label: 'Turns it' },
        { value: 'view', label: 'Turns the view' },
      ],
    },
    hand: { kind: 'moves', label: 'Moved by hand', bodies: ORGANS.map(({ name }) => name) },
  },

  code({ values }) {
    const { frame, hand, error, threshold } = values;
    const surfaces = () =>
      organsMoved({ time: frame * SECONDS_PER_FRAME, hand, size: SIZE }).map(({ surface }) => surface);
    return nurbsCode(surfaces, { error: error / 1000, share: TESSELLATION_SHARE, threshold: threshold / 1000 });
  },

  async draw({ values, view, figures, table, run, set }) {
    const began = performance.now();
    view.frame({ min: [...BOX.min], max: [...BOX.max] });
    const { hand, drag } = values;
    const answer = await run('askOrgans', {
      time: values.frame * SECONDS_PER_FRAME,
      hand,
      size: SIZE,
      error: values.error / 1000,
      threshold: values.threshold / 1000,
    });
    const { meshes, points, normals, distances, pairs } = answer;
    for (const [organ, mesh] of meshes.entries()) {
      const { color, opacity } = ORGANS[organ];
      const change = (move: Move): void => set('hand', hand.with(organ, move));
      view.addMesh(mesh, {
        shading: values.wire ? 'wireframe' : 'smooth',
        color,
        opacity,
        grip: drag === 'view' ? null : { drag, ...followHand(hand[organ], SIZE, change) },
      });
    }
    const [inside, outside]: [number[], number[]] = [[], []];
    distances.forEach((distance, k) => {
      (distance < 0 ? inside : outside).push(...points.subarray(3 * k, 3 * k + 3));
    });
    view.addPoints(Float64Array.from(outside), { color: 'probe', size: 3, onTop: true, name: 'Near' });
    view.addPoints(Float64Array.from(inside), { color: 'boundary', size: 3, onTop: true, name: 'Inside' });
    const ways = waysFrom(
      points,
      normals,
      distances.map(() => NORMAL),
    );
    view.addLines(ways, { color: 'reflex', width: 1, onTop: true, name: 'Normals' });
    figures('Time', [
      { id: 'query', label: 'All queries', value: answer.milliseconds, unit: 'ms', decimals: 1 },
      { id: 'median', label: `Median of ${answer.framesTimed} frames`, value: answer.median, unit: 'ms', decimals: 1 },
      { id: 'sweep', label: 'Of it, near pairs', value: answer.sweepMilliseconds, unit: 'ms', decimals: 1 },
      { id: 'triangles', label: 'Of it, triangles', value: answer.tessellationMilliseconds, unit: 'ms', decimals: 1 },
      { id: 'frame', label: 'Frame, but for rendering', value: performance.now() - began, unit: 'ms', decimals: 1 },
    ]);
    figures('Contacts', [
      {
        id: 'contacts',
        lead: 'Contacts between the organs in this frame.',
        label: 'Contacts',
        value: distances.length,
      },
      { id: 'inside', label: 'Of them inside', value: inside.length / 3 },
      { id: 'near', label: 'Near pairs', value: `${pairs.length} of ${(meshes.length * (meshes.length - 1)) / 2}` },
    ]);
    table('Near pairs', {
      columns: ['Organs', 'Contacts', 'Least, mm'],
      rows: pairs.map(({ a, b, contacts, least }) => ({
        id: `${a}-${b}`,
        cells: [
          `${ORGANS[a].name}, ${ORGANS[b].name.toLowerCase()}`,
          contacts,
          least === null ? null : Number((1000 * least).toFixed(2)),
        ],
        tone: least !== null && least < 0 ? 'bad' : undefined,
        current: false,
      })),
    });
    figures('Surfaces', [
      { id: 'patches', label: 'Bézier patches', value: answer.patches },
      { id: 'count', label: 'Triangles', value: meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0) },
    ]);
  },
});
