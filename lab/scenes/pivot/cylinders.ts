import { vec3 } from 'nearfield/core';
import { meshPivotCode } from '../../code/pivot.js';
import type { Move } from '../../controls.js';
import { followHand } from '../../hand.js';
import { waysFrom } from '../../sample-lines.js';
import { defineScene } from '../../scene.js';

const SECONDS_PER_FRAME = 1 / 30;
/** Of a cylinder's box. */
const DIAGONAL = Math.hypot(0.6, 1, 0.6);
/** Drawn around the cylinders wherever they are pushed. */
const BOX = { min: [-0.5, -0.5, -0.45], max: [1.0, 0.5, 0.45] } as const;
const SIZE = vec3.distance(BOX.min, BOX.max);

export default defineScene({
  title: 'Two deforming cylinders',
  chapter: 'PIVOT',
  rank: 2,
  summary:
    'All vertices of both cylinders move in every frame, and nothing is kept from frame to frame. Points of each surface inside the other carry the shortest way out. Push the second cylinder from contact to extreme penetration, or drag one.',
  picture: 'push=0.3&frame=40&view=10,18,1.35',
  motion: { playing: 'play', frame: 'frame', speed: 'speed' },
  controls: {
    push: {
      kind: 'slider',
      label: 'Pushed together, m',
      hint: 'from contact to extreme penetration',
      min: 0,
      max: 0.57,
      step: 0.01,
      initial: 0.15,
    },
    play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
    frame: { kind: 'slider', label: 'Frame', min: 0, max: 599, step: 1, initial: 0 },
    speed: { kind: 'slider', label: 'Frames per second', min: 1, max: 60, step: 1, initial: 30 },
    triangles: {
      kind: 'choice',
      label: 'Triangles of each',
      initial: '20000',
      options: [
        { value: '2000', label: '2,000' },
        { value: '8000', label: '8,000' },
        { value: '20000', label: '20,000' },
      ],
    },
    error: {
      kind: 'slider',
      label: 'Error bound',
      hint: 'as a share of a cylinder’s diagonal; half the diagonal of a cell',
      min: 0.005,
      max: 0.05,
      initial: 0.01,
      logarithmic: true,
    },
    vectors: { kind: 'checkbox', label: 'Ways out of the other', initial: true },
    common: { kind: 'checkbox', label: 'Where the surfaces meet', initial: true },
    check: { kind: 'checkbox', label: 'Compare with exact depths', hint: 'takes longer', initial: false },
    drag: {
      kind: 'choice',
      label: 'Dragging a cylinder',
      options: [
        { value: 'move', label: 'Moves it' },
        { value: 'turn', label: 'Turns it' },
        { value: 'view', label: 'Turns the view' },
      ],
    },
    hand: { kind: 'moves', label: 'Moved by hand', bodies: ['First', 'Second'] },
  },

  async code({ values, run }) {
    const question = questionOf(values);
    const { meshes } = await run('askCylinders', question);
    return meshPivotCode(meshes, question.error);
  },

  async draw({ values, view, figures, run, set }) {
    const began = performance.now();
    view.frame({ min: [...BOX.min], max: [...BOX.max] });
    const { hand, common, drag } = values;
    const answer = await run('askCylinders', questionOf(values));
    const { meshes, found, boundary, depthError } = answer;
    for (const [body, mesh] of meshes.entries()) {
      const change = (move: Move): void => set('hand', hand.with(body, move));
      view.addMesh(mesh, {
        shading: 'smooth',
        color: body === 0 ? 'surface' : 'second',
        opacity: 0.4,
        grip: drag === 'view' ? null : { drag, ...followHand(hand[body], SIZE, change) },
      });
    }
    for (const [points, color, name] of [
      [found.a, 'probe', 'First in second'],
      [found.b, 'crossing', 'Second in first'],
    ] as const) {
      view.addPoints(points.points, { color, size: 3, onTop: true, name });
      if (values.vectors)
        view.addLines(waysFrom(points.points, points.directions, points.depths), { color, width: 1.25, onTop: true });
    }
    if (boundary !== null) view.addPoints(boundary, { color: 'reflex', size: 3, onTop: true, name: 'Surfaces meet' });
    const sum = (areas: Float64Array): number => areas.reduce((total, area) => total + area, 0);
    figures('Time', [
      { id: 'query', label: 'Penetrating points', value: answer.milliseconds, unit: 'ms', decimals: 1 },
      { id: 'median', label: `Median of ${answer.framesTimed} frames`, value: answer.median, unit: 'ms', decimals: 1 },
      { id: 'frame', label: 'Frame, but for rendering', value: performance.now() - began, unit: 'ms', decimals: 1 },
    ]);
    figures('Answer', [
      {
        id: 'depth',
        lead: 'The deepest point of one cylinder is this far inside the other.',
        label: 'Largest depth',
        value: found.depth,
        unit: 'm',
      },
      { id: 'pointsA', label: 'Points, first in second', value: found.a.count },
      { id: 'pointsB', label: 'Points, second in first', value: found.b.count },
      { id: 'areaA', label: 'Area, first in second', value: sum(found.a.areas), unit: 'm²' },
      { id: 'areaB', label: 'Area, second in first', value: sum(found.b.areas), unit: 'm²' },
      ...(common ? [{ id: 'volume', label: 'Volume in common', value: answer.volume, unit: 'm³' }] : []),
      ...(depthError === null
        ? []
        : [
            {
              id: 'depthError',
              label: 'Depths off by at most',
              value: depthError,
              unit: 'm',
              tone: depthError <= found.error ? ('good' as const) : ('bad' as const),
            },
          ]),
      { id: 'error', label: 'Error bound', value: found.error, unit: 'm' },
      { id: 'spacing', label: 'Between samples', value: found.spacing, unit: 'm' },
    ]);
    figures('Cylinders', [
      { id: 'triangles', label: 'Triangles of each', value: meshes[0].indices.length / 3 },
      { id: 'nodes', label: 'Samples tested', value: found.counters.nodes },
      { id: 'measured', label: 'Triangles measured', value: found.counters.trianglesMeasured },
    ]);
  },
});

interface CylinderValues {
  readonly triangles: string;
  readonly frame: number;
  readonly push: number;
  readonly hand: readonly Move[];
  readonly error: number;
  readonly common: boolean;
  readonly check: boolean;
}

function questionOf({ triangles, frame, push, hand, error, common, check }: CylinderValues) {
  const time = frame * SECONDS_PER_FRAME;
  return { ...{ triangles: Number(triangles), time, push, hand, common, check }, size: SIZE, error: error * DIAGONAL };
}
