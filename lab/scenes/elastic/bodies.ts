// Scenes of elastic bodies: play them, pull and pinch bodies, cut the view and see the deformed distance fields.
import type { Vec3 } from 'nearfield/core';
import { findElasticScene } from '../../../bench/scenarios/elastic/catalogue.js';
import { elasticCode } from '../../code/dynamics.js';
import type { Choice } from '../../controls.js';
import { ELASTIC_LOOKS } from '../../elastic-looks.js';
import { sliceControls } from '../../field-view.js';
import { defineScene } from '../../scene.js';
import { SIMULATION_CONTROLS } from '../../simulation-controls.js';
import type { ColorName } from '../../viewer/palette.js';
import type { CutPlane, View } from '../../viewer/view.js';
import type { ElasticAt, ElasticQuestion, OpenedElastic } from '../../worker/elastic-tasks.js';
import type { Pull } from '../../worker/live-elastic.js';

/** Steps that a scene may have: 20 seconds. All of them are kept. */
const LAST_STEP = 1200;
/** Overlaps deeper than this share of a mean edge are marked. */
const DEEP = 0.1;

const AXES = { off: null, x: 0, y: 1, z: 2 } as const;
const { play, once, reset, step, speed, run: runs } = SIMULATION_CONTROLS;

export default defineScene({
  title: 'Elastic bodies',
  chapter: 'Elastic bodies',
  rank: 1,
  summary:
    'A snake swallows an apple, coils up; a ball is pressed into a torus; soft letters fall among rigid ones. Play a scene, pull and pinch bodies, and cut the view to look inside.',
  picture: 'scene=snake-swallow&step=170&axis=z&view=12,12,1.1',
  opening: 'scene=snake-swallow&axis=z&view=12,12,1.1',
  formerly: Object.fromEntries(ELASTIC_LOOKS.map(({ scene }) => [`elastic/${scene}`, `scene=${scene}`])),
  motion: { playing: 'play', frame: 'step', speed: 'speed' },
  controls: {
    scene: {
      kind: 'choice',
      label: 'Scene',
      options: ELASTIC_LOOKS.map(({ scene, title }) => ({ value: scene as string, label: title })),
    },
    mode: {
      kind: 'choice',
      label: 'Steps',
      hint: 'of bounded cost, or to the tolerance of the solver',
      options: [
        { value: 'real-time', label: 'Real-time' },
        { value: 'converged', label: 'Converged' },
      ],
    },
    ...{ play, once, reset, step: { ...step, max: LAST_STEP }, speed },
    drag: {
      kind: 'choice',
      label: 'Dragging a body',
      options: [
        { value: 'pull', label: 'Pulls it' },
        { value: 'pinch', label: 'Pinches it' },
        { value: 'view', label: 'Turns the view' },
      ],
    },
    radius: {
      kind: 'slider',
      label: 'Taken around the pointer',
      hint: 'in edges of the surface',
      min: 0.5,
      max: 6,
      step: 0.5,
      initial: 2,
      visible: ({ drag }) => drag !== 'view',
    },
    stays: {
      kind: 'checkbox',
      label: 'What was pinched stays held',
      initial: false,
      visible: ({ drag }) => drag === 'pinch',
    },
    run: runs,
    // Counts how often a body was taken.
    pulls: { kind: 'slider', label: 'Pulls', min: 0, max: 1e6, step: 1, initial: 0, visible: () => false },
  },
  moreControls: ({ scene }) => lookControls(scene),
  follow: (changed: string) => (['scene', 'elements', 'mode', 'run'].includes(changed) ? { step: 0, play: false } : {}),

  code({ values, more, run }) {
    const question = questionOf(values, more);
    return elasticCode({ ...question, steps: values.step }, () => run('elasticParts', question));
  },

  async draw({ values, more, view, figures, curves, colors: colorBar, run, tell, set }) {
    const { colors } = lookOf(values.scene);
    const { duration } = findElasticScene(values.scene);
    const question = questionOf(values, more);
    const opened = await run('openElastic', question);
    view.frame(opened.box);
    const axis = AXES[more.axis as keyof typeof AXES];
    const plane = axis === null ? null : planeIn(opened.box, axis, more.at as number);
    const at = await run('stepElastic', {
      ...{ ...question, step: values.step, exact: !values.play, pulls: values.pulls },
      ...{ axis: axis ?? 0, at: plane === null ? null : plane.point[axis!] },
    });
    const take = (body: number): ((by: Vec3, from: Vec3) => void) => {
      let isTaken = false;
      return (by, from) => {
        const to = from.map((x, k) => x + by[k]) as Vec3;
        const kind = values.drag as Pull['kind'];
        tell('pullElastic', {
          pull: { body, from, to, kind, radius: values.radius * opened.edge, stays: values.stays },
        });
        // Only the last step can be changed.
        if (!isTaken && values.step < at.lastStep) set('step', at.lastStep);
        isTaken = true;
      };
    };
    const letGo = (): void => {
      tell('pullElastic', { pull: null });
      set('pulls', values.pulls + 1);
    };
    drawBodies(view, opened, at, plane, colors, values.drag === 'view' ? null : { take, letGo });

    figures('State', [
      { id: 'time', label: 'Time', value: at.time, unit: 's', decimals: 3 },
      ...at.measures.map(({ id, label, value }) => ({ id, label, value: 1000 * value, unit: 'mm', decimals: 1 })),
      {
        id: 'contacts',
        lead: 'Points of the bodies are in contact in this step.',
        label: 'Points in contact',
        value: at.contacts,
      },
      {
        id: 'penetration',
        label: 'Deepest overlap, at most',
        value: at.penetration === null ? null : 1000 * at.penetration,
        unit: 'mm',
        decimals: 3,
        tone: (at.penetration ?? 0) > DEEP * opened.edge ? 'bad' : 'good',
      },
      {
        id: 'inverted',
        label: 'Inverted elements',
        value: at.inverted,
        tone: at.inverted > 0 ? 'bad' : 'good',
      },
      { id: 'kinetic', label: 'Kinetic energy', value: at.kinetic[values.step], unit: 'J' },
      { id: 'elastic', label: 'Elastic energy', value: at.elastic[values.step], unit: 'J' },
      { id: 'contactEnergy', label: 'Energy of contact', value: at.contact[values.step], unit: 'J' },
    ]);
    if (at.cut !== null) {
      const { largest, meanError, maxError, samples } = at.cut;
      colorBar('Deformed distance field', {
        ...{ id: 'scale', label: 'Depth in the cut', scale: 'sequential', low: 0, high: largest, unit: 'm' },
      });
      figures('Field in the cut', [
        { id: 'largest', label: 'Largest depth', value: 1000 * largest, unit: 'mm', decimals: 2 },
        { id: 'meanError', label: 'Off the exact depth, mean', value: inEdges(meanError, opened), unit: 'edges' },
        { id: 'maxError', label: 'Off the exact depth, most', value: inEdges(maxError, opened), unit: 'edges' },
        { id: 'compared', label: 'Compared at points', value: samples === 0 ? null : samples },
      ]);
    }
    curves('Energy', {
      ...{ id: 'energy', label: 'Energies over time', unit: 'J', placeUnit: 's', even: true, at: values.step },
      places: Float64Array.from(at.kinetic, (_, i) => i / 60),
      chosen: (index) => set('step', index),
      curves: [
        { name: 'Kinetic', values: at.kinetic },
        { name: 'Elastic', values: at.elastic },
        { name: 'Contact', values: at.contact },
      ],
    });
    figures('Cost', [
      { id: 'step', label: 'This step', value: at.milliseconds, unit: 'ms', decimals: 1 },
      { id: 'median', label: 'Median of the last 60', value: at.median, unit: 'ms', decimals: 1 },
      {
        id: 'rate',
        label: 'Steps a second',
        value: at.median > 0 ? 1000 / at.median : null,
        decimals: 1,
        tone: at.median > 1000 / 30 ? 'bad' : 'good',
      },
      { id: 'build', label: 'Building the scene', value: opened.milliseconds, unit: 'ms', decimals: 0 },
    ]);
    figures('Scene', [
      { id: 'bodies', label: 'Elastic bodies', value: opened.bodies.length },
      { id: 'rigid', label: 'Rigid bodies', value: opened.rigidMeshes.length },
      { id: 'elements', label: 'Elements', value: opened.elements },
      { id: 'nodes', label: 'Nodes', value: opened.nodes },
      { id: 'edge', label: 'Mean edge of the surface', value: 1000 * opened.edge, unit: 'mm', decimals: 1 },
      { id: 'keyframes', label: 'Keyframes', value: opened.keyframes.length },
      { id: 'duration', label: 'Most of it is over after', value: duration, unit: 's', decimals: 1 },
    ]);
  },
});

function questionOf(
  { scene, mode, run }: { scene: string; mode: string; run: number },
  more: Readonly<Record<string, unknown>>,
): ElasticQuestion {
  return { scene, elements: Number(more.elements), mode: mode as ElasticQuestion['mode'], run };
}

function lookOf(scene: string) {
  return ELASTIC_LOOKS.find((look) => look.scene === scene) ?? ELASTIC_LOOKS[0];
}

function lookControls(scene: string) {
  const { cut, hint } = lookOf(scene);
  const { elements, realTimeElements } = findElasticScene(scene);
  const middle = Math.round((elements + realTimeElements) / 2000) * 1000;
  const counts: Choice = {
    kind: 'choice',
    label: 'Elements, about',
    hint,
    options: [...new Set([realTimeElements, middle, elements])].map((count) => ({
      value: `${count}`,
      label: count.toLocaleString('en'),
    })),
  };
  const axis: Choice = {
    kind: 'choice',
    label: 'Cut across',
    initial: cut,
    options: [{ value: 'off', label: 'Nothing' }, ...sliceControls.axis.options],
  };
  const at = { ...sliceControls.at, label: 'Cut at', hint: 'from one side of the view’s box to the other' };
  return { elements: counts, axis, at };
}

function inEdges(error: number | null, { edge }: OpenedElastic): number | null {
  return error === null ? null : error / edge;
}

function planeIn({ min, max }: OpenedElastic['box'], axis: 0 | 1 | 2, share: number): CutPlane {
  const normal: Vec3 = [0, 0, 0];
  normal[axis] = 1;
  const point: Vec3 = [0, 0, 0];
  point[axis] = min[axis] + share * (max[axis] - min[axis]);
  return { normal, point };
}

interface Hand {
  take(body: number): (by: Vec3, from: Vec3) => void;
  letGo(): void;
}

function drawBodies(
  view: View,
  { bodies, rigidMeshes, rigidMoves }: OpenedElastic,
  { surfaces, poses, pulled, cut }: ElasticAt,
  plane: CutPlane | null,
  colors: readonly ColorName[],
  hand: Hand | null,
): void {
  for (const [i, mesh] of rigidMeshes.entries()) {
    const look = rigidMoves[i] ? ({ color: 'unreached' } as const) : ({ color: 'ground', opacity: 0.3 } as const);
    view.addMesh(mesh, { pose: poses.subarray(7 * i, 7 * i + 7), ...look, cut: plane });
  }
  for (const [i, mesh] of surfaces.entries()) {
    view.addMesh(mesh, {
      ...{ shading: 'smooth', color: colors[i % colors.length], cut: plane },
      ...(bodies.length < 4 && { name: bodies[i] }),
      grip: hand === null ? null : { drag: 'move', moved: hand.take(i), turned: () => {}, released: hand.letGo },
    });
  }
  if (cut !== null) {
    view.addPicture(cut.picture, { scale: 'sequential' });
    view.addLines(cut.isolines, { color: 'paleIsoline', width: 1, name: 'Equal depth' });
  }
  if (pulled !== null) view.addArrow(pulled.from, pulled.to, { color: 'probe', onTop: true, name: 'Pull' });
}
