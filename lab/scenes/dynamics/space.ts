import type { Vec3 } from 'nearfield/core';
import { type SimulationMethod, TIME_OF_CONTACT_METHODS, type TimeOfContactMethod } from 'nearfield/dynamics';
import { rigidScenes } from '../../../bench/scenarios/bodies/catalogue.js';
import { bodiesCode } from '../../code/dynamics.js';
import type { OpenedFile } from '../../controls.js';
import { MODEL_FILES } from '../../model-files.js';
import { defineScene } from '../../scene.js';
import { SIMULATION_CONTROLS } from '../../simulation-controls.js';
import type { ColorName } from '../../viewer/palette.js';
import type { View } from '../../viewer/view.js';
import type { BodiesAt, BodiesQuestion, OpenedBodies } from '../../worker/dynamics-tasks.js';

const COUNTED = ['letters-funnels', 'letters-bowl', 'letters-tangle'];
const METHODS: readonly { value: SimulationMethod; label: string }[] = [
  { value: 'auto', label: 'Auto' },
  { value: 'penalty', label: 'Penalty' },
  { value: 'time-of-contact', label: 'Time of contact' },
  { value: 'backtracking', label: 'Backtracking' },
];
const COLORS: readonly ColorName[] = ['surface', 'second', 'hull', 'ghost', 'near', 'hop1'];
/** Arrows of contacts, as a share of the scene's size. */
const ARROW = 0.012;
/** Deeper overlaps are marked, in meters. */
const DEEP = 1e-3;

export default defineScene({
  title: 'Rigid bodies',
  chapter: 'Dynamics',
  rank: 1,
  summary:
    'Bodies of any closed shape fall, touch and come to rest: the scenes of Kim, Otaduy, Lin and Manocha 2002, starts from deep overlap, and cases with known answers. Play, and drag a body to pull and throw it. Drop a model to let copies of it fall, or a scene of nearfield simulate.',
  picture: 'step=170&view=30,38,0.95,0,-0.13,0',
  opening: 'view=30,32,1.25',
  motion: { playing: 'play', frame: 'step', speed: 'speed' },
  controls: {
    scene: {
      kind: 'choice',
      label: 'Scene',
      initial: 'digits-bowl',
      options: rigidScenes.map(({ name, title }) => ({ value: name, label: title })),
    },
    count: {
      kind: 'slider',
      label: 'Letters',
      min: 5,
      max: 400,
      step: 5,
      initial: 200,
      visible: ({ scene, file }) => COUNTED.includes(scene as string) && file === null,
    },
    file: {
      kind: 'file',
      label: 'Open a model or a scene…',
      accept: `.json,${MODEL_FILES}`,
    },
    method: { kind: 'choice', label: 'Method', options: METHODS },
    times: {
      kind: 'choice',
      label: 'Times of impacts',
      options: TIME_OF_CONTACT_METHODS.map((value) => ({ value, label: value[0].toUpperCase() + value.slice(1) })),
      visible: ({ method }) => method === 'time-of-contact',
    },
    ...SIMULATION_CONTROLS,
    // Counts how often the past was changed by hand.
    branch: { kind: 'slider', label: 'Branch', min: 0, max: 1e6, step: 1, initial: 0, visible: () => false },
  },
  follow(changed) {
    if (changed === 'scene') return { step: 0, file: null };
    return ['count', 'file', 'method', 'times', 'timestep', 'run'].includes(changed) ? { step: 0 } : {};
  },

  code({ values, run }) {
    const { method, times, step, file } = values;
    const hasMesh = file !== null && !/\.json$/i.test(file.name);
    return bodiesCode({ method, times, steps: step, hasMesh }, () => run('describeBodies', questionOf(values)));
  },

  async draw({ values, view, figures, curves, run, tell, set }) {
    const { step } = values;
    const question = questionOf(values);
    const opened = await run('openBodies', question);
    view.frame(opened.box);
    const at = await run('stepBodies', { ...question, step, exact: !values.play, branch: values.branch });
    const take = (): void => {
      if (step < at.kinetic.length - 1) set('branch', values.branch + 1);
    };
    drawBodies(view, opened, at, (held) => tell('holdBody', { held, step }), take);
    if (values.contacts && at.touching !== null) drawContacts(view, at.touching, opened);

    const total = at.kinetic[step] + at.gravitational[step] + at.contact[step];
    figures('State', [
      { id: 'time', label: 'Time', value: at.time, unit: 's', decimals: 3 },
      {
        id: 'contacts',
        lead: 'Contact points carry the bodies in this step.',
        label: 'Contact points',
        value: at.touching === null ? null : at.touching.separations.length,
      },
      {
        id: 'penetration',
        label: values.play ? 'Deepest contact' : 'Deepest overlap, at most',
        value: at.touching === null ? null : 1000 * at.touching.worstPenetration,
        unit: 'mm',
        decimals: 3,
        tone: (at.touching?.worstPenetration ?? 0) > DEEP ? 'bad' : 'good',
      },
      { id: 'kinetic', label: 'Kinetic energy', value: at.kinetic[step], unit: 'J' },
      { id: 'total', label: 'Energy', value: total, unit: 'J' },
      { id: 'linear', label: 'Momentum', value: at.linear[step], unit: 'kg m/s' },
      { id: 'angular', label: 'Angular momentum', value: at.angular[step], unit: 'kg m²/s' },
    ]);
    const times = Float64Array.from(at.kinetic, (_, i) => i * question.timestep);
    const chosen = (index: number): void => set('step', index);
    const curve = { places: times, placeUnit: 's', even: true, at: step, chosen };
    const least = at.gravitational.reduce((a, b) => Math.min(a, b), Infinity);
    curves('Energy', {
      ...curve,
      id: 'energy',
      label: 'Energies over time, the gravitational one above its least',
      unit: 'J',
      curves: [
        { name: 'Kinetic', values: at.kinetic },
        { name: 'Gravitational', values: at.gravitational.map((value) => value - least) },
        { name: 'Total', values: at.kinetic.map((value, i) => value + at.gravitational[i] + at.contact[i] - least) },
      ],
    });
    curves('Momentum', {
      ...curve,
      id: 'momentum',
      label: 'Lengths of the momenta over time',
      unit: 'kg m/s, kg m²/s',
      curves: [
        { name: 'Linear', values: at.linear },
        { name: 'Angular', values: at.angular },
      ],
    });
    figures('Cost', [
      { id: 'step', label: 'This step', value: at.milliseconds, unit: 'ms', decimals: 2 },
      { id: 'median', label: 'Median of the last 60', value: at.median, unit: 'ms', decimals: 2 },
      { id: 'build', label: 'Building the scene', value: opened.milliseconds, unit: 'ms', decimals: 0 },
    ]);
    figures('Scene', [
      { id: 'bodies', label: 'Bodies', value: opened.bodies.length },
      { id: 'moving', label: 'That move', value: opened.bodies.filter(({ kind }) => kind === 'dynamic').length },
      { id: 'triangles', label: 'Triangles', value: opened.triangles },
    ]);
  },
});

interface BodiesValues {
  readonly scene: string;
  readonly count: number;
  readonly method: string;
  readonly times: string;
  readonly timestep: string;
  readonly file: OpenedFile | null;
  readonly run: number;
}

function questionOf({ scene, count, method, times, timestep, file, run }: BodiesValues): BodiesQuestion {
  return {
    ...{ scene, count: COUNTED.includes(scene) ? count : 0, run },
    ...{ method: method as SimulationMethod, times: times as TimeOfContactMethod, timestep: 1 / Number(timestep) },
    ...{ file: file?.bytes ?? null, fileName: file?.name ?? '' },
  };
}

interface Held {
  readonly body: number;
  readonly from: Vec3;
  readonly to: Vec3;
}

/** @param taken is called once a drag, after the first `hold`. */
function drawBodies(
  view: View,
  { bodies }: OpenedBodies,
  { poses, held }: BodiesAt,
  hold: (held: Held | null) => void,
  taken: () => void,
): void {
  for (const [i, { mesh, kind }] of bodies.entries()) {
    const moves = kind === 'dynamic';
    let isTaken = false;
    view.addMesh(mesh, {
      pose: poses.subarray(7 * i, 7 * i + 7),
      color: moves ? COLORS[i % COLORS.length] : 'ground',
      opacity: moves ? 1 : 0.45,
      grip: moves
        ? {
            drag: 'move',
            moved: (by, from) => {
              hold({ body: i, from, to: from.map((x, k) => x + by[k]) as Vec3 });
              if (!isTaken) taken();
              isTaken = true;
            },
            turned: () => {},
            released: () => hold(null),
          }
        : null,
    });
  }
  if (held !== null) view.addArrow(held.from, held.to, { color: 'probe', onTop: true, name: 'Pull' });
}

function drawContacts(
  view: View,
  touching: NonNullable<BodiesAt['touching']>,
  { box: { min, max } }: OpenedBodies,
): void {
  const { points, normals, separations } = touching;
  const length = ARROW * Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  const deep: number[] = [];
  const lines = new Float64Array(2 * points.length);
  for (let i = 0; i < separations.length; i++) {
    const point = points.subarray(3 * i, 3 * i + 3);
    if (-separations[i] > DEEP) deep.push(...point);
    lines.set(point, 6 * i);
    for (let k = 0; k < 3; k++) lines[6 * i + 3 + k] = point[k] + length * normals[3 * i + k];
  }
  if (separations.length > 0) {
    view.addPoints(points, { color: 'crossing', size: 5, onTop: true, name: 'Contacts' });
    view.addLines(lines, { color: 'probe', width: 1.5, onTop: true, name: 'Normals' });
  }
  if (deep.length > 0) view.addPoints(deep, { color: 'boundary', size: 10, onTop: true, name: 'Deeper than 1 mm' });
}
