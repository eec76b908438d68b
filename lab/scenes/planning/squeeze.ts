// An elastic agent that squeezes itself through a gap narrower than it is, or is stuck before it and says why.
import { squeezeCode } from '../../code/planning.js';
import { formatNumber } from '../../figures.js';
import { BALL, type SqueezeChoice } from '../../samples/squeeze.js';
import { defineScene } from '../../scene.js';
import { SIMULATION_CONTROLS } from '../../simulation-controls.js';
import type { ColorName } from '../../viewer/palette.js';
import { SQUEEZE_STATUS, type SqueezeAt } from '../../worker/squeeze-tasks.js';

/** Steps that the scene may have: six seconds. It arrives or is stuck well before. */
const LAST_STEP = 360;
/** Steps that a motion which plays stays at its end, before it begins again. */
const HOLD = 60;
const WIDTH = 2 * BALL.radius;
const LOOKS: Readonly<Record<SqueezeAt['status'], { color: ColorName; name: string }>> = {
  moving: { color: 'bodyA', name: 'Ball, under way' },
  arrived: { color: 'original', name: 'Ball, arrived' },
  stuck: { color: 'clash', name: 'Ball, stuck' },
};
const { play, once, step: steps, speed } = SIMULATION_CONTROLS;

export default defineScene({
  title: 'A soft body through a narrow gap',
  chapter: 'Planning',
  rank: 6,
  summary:
    'An elastic ball pushes itself through a gap narrower than it is. Make the gap narrower, the ball stiffer or its force smaller until it is stuck: it says why, and every step is proven to have no overlap.',
  picture: 'gap=0.36&step=46&view=12,68,1.15',
  opening: 'view=12,60,1.4',
  motion: { playing: 'play', frame: 'step', speed: 'speed' },
  controls: {
    ...{ play, once },
    reset: {
      kind: 'button',
      label: 'Reset',
      press({ set }) {
        set('play', false);
        set('step', 0);
      },
    },
    step: { ...steps, max: LAST_STEP },
    speed,
    gap: {
      kind: 'slider',
      label: 'Gap, m',
      hint: `the ball has ${WIDTH} m at rest`,
      ...{ min: 0.2, max: 0.6, step: 0.01, initial: 0.4 },
    },
    force: {
      kind: 'slider',
      label: 'Largest force, N',
      hint: 'of the ball on itself',
      ...{ min: 20, max: 2000, step: 1, initial: 600, logarithmic: true },
    },
    stiffness: {
      kind: 'slider',
      label: 'Stiffness, kPa',
      hint: 'Young’s modulus',
      ...{ min: 5, max: 200, step: 1, initial: 20, logarithmic: true },
    },
    rest: { kind: 'checkbox', label: 'As wide as at rest', initial: false },
  },
  follow: (changed: string) => (['gap', 'force', 'stiffness'].includes(changed) ? { step: 0 } : {}),

  code: ({ values }) => squeezeCode({ ...choiceOf(values), steps: values.step }),

  async draw({ values, view, figures, curves, run, limit, set }) {
    const choice = choiceOf(values);
    const opened = await run('openSqueeze', choice);
    view.frame({ min: [-1, -0.35, -0.8], max: [1, 0.35, 0.8] });
    const at = await run('stepSqueeze', { ...choice, step: values.step });
    limit('step', at.ended === null ? LAST_STEP : Math.min(LAST_STEP, at.ended + HOLD));

    for (const [i, pose] of opened.blocks.entries()) {
      view.addMesh(opened.block, { pose, color: 'ground', opacity: 0.35, ...(i === 0 && { name: 'Wall' }) });
    }
    view.addMesh(at.surface, { ...LOOKS[at.status], shading: 'smooth' });
    if (values.rest) {
      const pose = [...at.center, 0, 0, 0, 1];
      view.addMesh(opened.ball, { pose, color: 'ghost', opacity: 0.3, name: 'As wide as at rest' });
    }
    view.addPoints(opened.goal, { color: 'probe', size: 9, onTop: true, name: 'Goal' });
    view.addLines(segmentsOf(at.way), { color: 'boundary', width: 2, onTop: true, name: 'Way of its center' });

    const isInverted = at.leastVolume <= 0;
    figures('Agent', [
      {
        id: 'status',
        label: 'The ball is',
        value: SQUEEZE_STATUS[at.status],
        lead: meaningOf(at, choice, values.step === 0 && !values.play),
        about: 'Whether it is under way, has arrived, or makes no progress.',
        ...(at.status === 'moving' ? {} : { tone: at.status === 'arrived' ? 'good' : 'bad' }),
      },
      { id: 'largestForce', label: 'Largest force used', value: at.largestForce, unit: 'N', decimals: 1 },
      {
        id: 'leastVolume',
        label: 'Least element volume, rest is 1',
        value: at.leastVolume,
        decimals: 3,
        tone: isInverted ? 'bad' : 'good',
      },
      {
        id: 'insideOut',
        label: 'Turned inside out',
        value: isInverted ? 'yes: squeezed too far' : 'no element',
        tone: isInverted ? 'bad' : 'good',
      },
      {
        id: 'penetration',
        label: 'Deepest overlap, proven',
        value: 1000 * at.penetration,
        unit: 'mm',
        about: 'In no step so far is an overlap with the wall or with itself deeper than this.',
        tone: at.penetration > 0 ? 'bad' : 'good',
      },
    ]);
    figures('Now', [
      { id: 'time', label: 'Time', value: at.time, unit: 's', decimals: 2 },
      {
        id: 'force',
        label: 'Pushes itself with',
        value: at.forces[shownStep(at, values.step)],
        unit: 'N',
        decimals: 1,
      },
      {
        id: 'contactForce',
        label: 'Walls push back with',
        value: at.contactForces[shownStep(at, values.step)],
        unit: 'N',
        decimals: 1,
      },
      { id: 'bodySpeed', label: 'Speed', value: at.speed, unit: 'm/s', decimals: 2 },
      { id: 'left', label: 'Left of the way', value: at.left, unit: 'm', decimals: 3 },
      { id: 'converged', label: 'Forces balanced', value: at.converged, tone: at.converged ? 'good' : 'bad' },
    ]);
    curves('Forces', {
      ...{ id: 'forces', label: 'Forces over time', unit: 'N', placeUnit: 's', even: true },
      at: shownStep(at, values.step),
      places: Float64Array.from(at.forces, (_, i) => i / 60),
      chosen: (index) => set('step', index),
      curves: [
        { name: 'Of the ball', values: at.forces },
        { name: 'Of the walls', values: at.contactForces },
      ],
    });
    figures('Body', [
      { id: 'gapShare', label: 'Gap', value: (100 * choice.gap) / WIDTH, unit: '% of its width', decimals: 0 },
      { id: 'narrowest', label: 'Tries gaps down to', value: opened.narrowest, unit: 'm', decimals: 3 },
      { id: 'mass', label: 'Mass', value: opened.mass, unit: 'kg', decimals: 2 },
      { id: 'surfaceDistance', label: 'Off the mesh at rest', value: 1000 * opened.surfaceDistance, unit: 'mm' },
      { id: 'triangles', label: 'Triangles', value: opened.triangles },
    ]);
    figures('Cost', [
      { id: 'step', label: 'This step', value: at.milliseconds, unit: 'ms', decimals: 1 },
      { id: 'median', label: 'Median of the last 60', value: at.median, unit: 'ms', decimals: 1 },
      { id: 'build', label: 'Building the scene', value: opened.milliseconds, unit: 'ms', decimals: 0 },
    ]);
  },
});

function choiceOf({ gap, force, stiffness }: { gap: number; force: number; stiffness: number }): SqueezeChoice {
  return { gap, force, young: 1000 * stiffness };
}

/** After its end it stays as it is. */
function shownStep({ ended }: SqueezeAt, step: number): number {
  return Math.min(step, ended ?? step);
}

/** What the state means, in a sentence or two. */
function meaningOf(
  { status, reason, leastVolume }: SqueezeAt,
  { gap, force }: SqueezeChoice,
  isWaiting: boolean,
): string {
  if (status === 'stuck') return `${reason} That is no proof that there is no way.`;
  const narrower =
    gap < WIDTH ? `a gap of ${formatNumber((100 * gap) / WIDTH, 3)} % of its width` : 'a gap wider than it';
  if (status === 'moving') {
    if (isWaiting) return `Press Play: it pushes itself through ${narrower}, with at most ${force} N.`;
    return `It pushes itself towards its goal with at most ${force} N, through ${narrower}.`;
  }
  const through = `Its center of mass is at the goal: it went through ${narrower}.`;
  return leastVolume > 0
    ? through
    : `${through} But elements were turned inside out: it was squeezed beyond what its material means.`;
}

/** The segments between points in a row. */
function segmentsOf(points: Float64Array): Float64Array {
  const count = Math.max(0, points.length / 3 - 1);
  return Float64Array.from({ length: 6 * count }, (_, i) => points[3 * Math.floor(i / 6) + (i % 6)]);
}
