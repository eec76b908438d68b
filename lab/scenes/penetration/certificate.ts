import { box, pose, quat, vec3 } from 'nearfield/core';
import { depthCode, pairSources } from '../../code/penetration.js';
import { surfaceOfCells } from '../../open-cells.js';
import { depthFigures, drawPairBeside, followPair, loadPair, pairControls, pairInput } from '../../penetration-pair.js';
import { defineScene, type Stage } from '../../scene.js';
import { CELL_STRIDE, type IntervalPart } from '../../worker/certificate-record.js';

/** The slider goes from the first step of any record to its last. */
const LAST = 60;
/** Room around the sphere of the first upper bound. */
const ROOM = 1.15;
/** From closer than this, the facets of the ball would be visible beside the cells. */
const BALL_IS_ROUND = 5;
const { drag: _, ...controls } = pairControls('grates');

export default defineScene({
  title: 'A certificate closing',
  chapter: 'Penetration',
  rank: 5,
  summary:
    'No translation inside the ball separates the models; the arrow does. The proof covers all directions, cell by cell. A cell that is not yet proven up to the length of the arrow is split, until the ball reaches the tip of the arrow. Press Play.',
  picture: 'pair=wrinkled-tori&step=5&view=16,18,1.15',
  opening: 'view=16,18,1.15',
  motion: { playing: 'play', frame: 'step', speed: 'speed' },
  controls: {
    ...controls,
    gap: {
      kind: 'choice',
      label: 'Gap wanted',
      hint: 'between the two bounds, as a fraction of the upper one',
      initial: '1e-5',
      options: [
        { value: '1e-1', label: '10 %' },
        { value: '1e-2', label: '1 %' },
        { value: '1e-3', label: '0.1 %' },
        { value: '1e-4', label: '0.01 %' },
        { value: '1e-5', label: '10 millionths' },
        { value: '1e-6', label: '1 millionth' },
      ],
    },
    play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
    step: {
      kind: 'slider',
      label: 'Step',
      hint: 'from the start of the proof to the last interval',
      min: 0,
      max: LAST,
      step: 1,
      initial: LAST,
    },
    speed: {
      kind: 'slider',
      label: 'Speed',
      hint: 'steps per second',
      min: 1,
      max: 60,
      step: 1,
      initial: 8,
      logarithmic: true,
    },
    place: {
      kind: 'choice',
      label: 'Cells drawn',
      options: [
        { value: 'sphere', label: 'On a sphere' },
        { value: 'reach', label: 'At their reach' },
        { value: 'cube', label: 'On the cube' },
      ],
    },
    against: {
      kind: 'choice',
      label: 'Charts over',
      options: [
        { value: 'cells', label: 'Cells' },
        { value: 'time', label: 'Time' },
      ],
    },
    zoom: {
      kind: 'slider',
      label: 'Zoom to the tip',
      hint: 'the last cells are small',
      min: 1,
      max: 10_000,
      initial: 1,
      logarithmic: true,
    },
    bodies: { kind: 'checkbox', label: 'The two bodies beside', initial: true },
    ball: { kind: 'checkbox', label: 'Ball of the lower bound', initial: true },
  },
  follow: followPair,

  async code({ values, run }) {
    const pair = await loadPair(values, run);
    return depthCode(pairSources(values, pair), pair, { method: 'certified', relativeGap: Number(values.gap) });
  },

  async draw(stage) {
    const { values, view, figures, run, set } = stage;
    const { place, against, zoom } = values;
    const pair = await loadPair(values, run);
    const parts: IntervalPart[] = [];
    const record = await run('certifyPair', { ...pairInput(pair), relativeGap: Number(values.gap) }, (part) => {
      parts.push(part);
      drawCharts(stage, parts, parts.length - 1, against);
    });
    const { result, steps } = record;
    const last = steps.length - 1;
    const shown = Math.round((values.step / LAST) * last);
    const { lower, upper, cells, milliseconds, open } = steps[shown];

    const reach = (ROOM * (place === 'cube' ? Math.SQRT2 : 1) * steps[0].upper || 1) / zoom;
    const middle = vec3.scale(result.vector, 1 - 1 / zoom);
    const translations = box.grow({ min: middle, max: middle }, reach);
    // Close to the tip there is no room for them.
    if (values.bodies && zoom === 1) await drawPairBeside(view, pair, translations, result, run);
    else view.frame(translations);
    if (values.ball && lower > 0 && zoom < BALL_IS_ROUND) {
      const sphere = await run('buildModel', { model: 'icosphere', radius: 1, subdivisions: 16 });
      const ball = { positions: sphere.positions.map((x) => lower * x), indices: sphere.indices };
      view.addMesh(ball, {
        color: 'ghost',
        shading: 'smooth',
        opacity: 0.5,
        name: 'Every shorter translation overlaps',
      });
    }
    if (open.length > 0) {
      const turn = pose.create([0, 0, 0], quat.normalize(pair.poses[0].slice(3) as [number, number, number, number]));
      const surface = surfaceOfCells(open, place, upper, { low: lower, high: upper, turn, zoom });
      view.addMesh(surface.mesh, { faceColors: surface.faceColors, opacity: 0.6 });
      view.addLines(surface.outlines, { color: 'contour', name: 'Cells left' });
      view.addPoints(surface.specks, { color: 'contour', size: 3 });
    }
    view.addPoints([0, 0, 0], { color: 'reflex', size: 8, onTop: true, name: 'The origin: A where it is' });
    view.addArrow([0, 0, 0], result.vector, { color: 'boundary', onTop: true, name: 'The way out' });
    view.addPoints([...result.vector], { color: 'boundary', size: 8, onTop: true });

    if (last > 0) {
      drawCharts(stage, steps, shown, against, (chosen) => set('step', Math.round((chosen / last) * LAST)));
    }
    figures('Step', [
      { id: 'step', label: 'Step', value: shown },
      { id: 'steps', label: 'Of', value: last },
      { id: 'stepLower', label: 'At least', value: lower, unit: 'm' },
      { id: 'stepUpper', label: 'At most', value: upper, unit: 'm' },
      { id: 'stepCells', label: 'Cells examined', value: cells },
      { id: 'stepOpen', label: 'Cells left', value: open.length / CELL_STRIDE },
      { id: 'stepMilliseconds', label: 'After', value: milliseconds, unit: 'ms', decimals: 1 },
    ]);
    figures('Answer', depthFigures(result));
  },
});

/** The interval and its width over the cells examined or the time. */
function drawCharts(
  { curves }: Pick<Stage, 'curves'>,
  steps: readonly IntervalPart[],
  at: number,
  against: 'cells' | 'time',
  chosen?: (at: number) => void,
): void {
  const over = {
    places: steps.map(({ cells, milliseconds }) => (against === 'cells' ? cells : milliseconds)),
    placeUnit: against === 'cells' ? 'cells' : 'ms',
    at,
    ...(chosen === undefined ? {} : { chosen }),
  };
  curves('Interval', {
    ...over,
    id: 'interval',
    label: 'The bounds of the depth',
    unit: 'm',
    curves: [
      { name: 'at least', values: steps.map(({ lower }) => lower) },
      { name: 'at most', values: steps.map(({ upper }) => upper) },
    ],
  });
  curves('Gap', {
    ...over,
    id: 'gap',
    label: 'The gap between the bounds, as a fraction of the upper one',
    logarithmic: true,
    curves: [{ name: 'gap', values: steps.map(({ lower, upper }) => (upper > 0 ? (upper - lower) / upper : 0)) }],
  });
}
