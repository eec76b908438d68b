// Scenarios to play: bodies along a motion, a query of every pair in every frame, and bodies to drag.
import { type Pose, vec3 } from 'nearfield/core';
import type { BoundingVolume, Witness } from 'nearfield/proximity';
import { FRAME_COUNT } from '../../../bench/scenarios/scenario.js';
import { scenarioCode } from '../../code/proximity.js';
import type { Control, Move } from '../../controls.js';
import { type Figure, formatNumber } from '../../figures.js';
import { followHand, moveBody } from '../../hand.js';
import { dragControl } from '../../play-controls.js';
import { SCENARIOS, type ScenarioLook } from '../../scenario-looks.js';
import { defineScene } from '../../scene.js';
import type { ColorName } from '../../viewer/palette.js';
import { CURVE, type View } from '../../viewer/view.js';
import {
  leastDistance,
  type OpenedScenario,
  type PairAnswer,
  type ScenarioAnswer,
} from '../../worker/proximity-answer.js';

const QUERIES = [
  { value: 'intersection', label: 'Do they intersect?' },
  { value: 'tolerance', label: 'Are they within the tolerance?' },
  { value: 'distance', label: 'How far apart are they?' },
  { value: 'approximate', label: 'How far apart, to 10 %?' },
  { value: 'contacts', label: 'Where are they within the tolerance?' },
] as const;
const VOLUMES: readonly { value: BoundingVolume; label: string }[] = [
  { value: 'boxes', label: 'Boxes' },
  { value: 'hulls', label: 'Hulls' },
];

export default defineScene({
  title: 'Distance in motion',
  chapter: 'Proximity',
  rank: 2,
  summary:
    'How far apart bodies are in every frame of a motion, and where: a spoon in a cup, linked tori, rings on a peg, teeth. Play, or drag a body by hand, and read what each query costs.',
  picture: 'scenario=cup-spoon&frame=420&view=20,30,1.1,0.02,-0.1,0',
  formerly: Object.fromEntries(SCENARIOS.map(({ scenario: { name } }) => [`proximity/${name}`, `scenario=${name}`])),
  motion: { playing: 'play', frame: 'frame', speed: 'speed' },
  controls: {
    scenario: {
      kind: 'choice',
      label: 'Scenario',
      options: SCENARIOS.map(({ scenario: { name, title } }) => ({ value: name as string, label: title })),
    },
    play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
    frame: { kind: 'slider', label: 'Frame', min: 0, max: FRAME_COUNT - 1, step: 1, initial: 0 },
    speed: {
      kind: 'slider',
      label: 'Speed',
      hint: 'frames per second',
      min: 1,
      max: 240,
      step: 1,
      initial: 60,
      logarithmic: true,
    },
    query: { kind: 'choice', label: 'Query', initial: 'distance', options: QUERIES },
    volume: { kind: 'choice', label: 'Bounding volume', options: VOLUMES },
    pieceCaching: { kind: 'checkbox', label: 'Piece caching', initial: true },
    prioritySearch: { kind: 'checkbox', label: 'Priority directed search', initial: true },
    frontTracking: { kind: 'checkbox', label: 'Front tracking', initial: true },
    motionBounds: { kind: 'checkbox', label: 'Motion bounds', initial: true },
    drag: dragControl('Dragging a body'),
    points: { kind: 'checkbox', label: 'Closest points and contacts', initial: true },
    paint: { kind: 'checkbox', label: 'Color bodies that intersect or are near', initial: true },
  },

  moreControls: ({ scenario }) => lookControls(lookOf(scenario)),
  follow: (changed) => (changed === 'scenario' ? { frame: 0 } : {}),

  async code({ values, more, run }) {
    const { hand, tolerance } = more as { hand: readonly Move[]; tolerance: number };
    const { scenario, query, volume } = values;
    const opened = await run('openScenario', { scenario });
    const { bodies, pairs, frameCount } = opened;
    const poses = placeBodies(opened, Math.min(values.frame, frameCount - 1), hand);
    return scenarioCode({ scenario, query, volume, tolerance, bodies, poses, pairs });
  },

  async draw({ values, more, view, figures, chart, run, set }) {
    const { hand, tolerance, seeThrough } = more as { hand: readonly Move[]; tolerance: number; seeThrough: boolean };
    const moveHand = (moved: readonly Move[]): void => set('hand' as never, moved as never);
    const opened = await run('openScenario', { scenario: values.scenario });
    const { bounds, frameCount } = opened;
    const size = vec3.distance(bounds.min, bounds.max);
    const frame = Math.min(values.frame, frameCount - 1);
    const placed = placeBodies(opened, frame, hand);
    const byHand = hand.some((move) => move.some((value) => value !== 0));
    const { query, volume, pieceCaching, prioritySearch, frontTracking, motionBounds } = values;
    const answer = await run('askScenario', {
      scenario: values.scenario,
      query,
      tolerance,
      volume,
      pieceCaching,
      prioritySearch,
      frontTracking,
      motionBounds,
      poses: Float64Array.from(placed.flat()),
      frame: byHand ? -1 : frame,
    });

    view.frame(bounds);
    for (const [body, { mesh }] of opened.bodies.entries()) {
      const { drag } = values;
      const change = (move: Move): void => moveHand(hand.with(body, move));
      const own = answer.pairs.filter(({ a, b }) => a === body || b === body);
      const state = values.paint ? stateOf(own) : null;
      view.addMesh(mesh, {
        pose: placed[body],
        color: state?.color ?? (body === 0 ? 'bodyA' : 'bodyB'),
        shading: 'smooth',
        opacity: seeThrough ? 0.35 : 1,
        ...(state === null ? {} : { name: state.name }),
        grip: drag === 'view' ? null : { drag, ...followHand(hand[body], size, change) },
      });
    }
    view.addLines(answer.curves, { ...CURVE, name: 'Where surfaces cross' });
    if (values.points) drawWitnesses(view, answer.pairs, query === 'contacts', size);
    figures('Answer', answerFigures(answer, query, tolerance));
    if (query !== 'intersection' && query !== 'tolerance') {
      chart('Clearance over the frames', {
        id: 'clearance',
        label: 'Clearance',
        values: answer.clearance,
        unit: 'm',
        at: frame,
        chosen: (at) => set('frame', at),
      });
    }
    figures('Cost of this frame', costFigures(answer));
    const nearest = nearestWitness(answer.pairs);
    if (nearest !== null) {
      figures('Closest points', [
        { id: 'pointA', label: 'On A', value: nearest.pointA },
        { id: 'pointB', label: 'On B', value: nearest.pointB },
      ]);
    }
    figures('Models', [
      ...opened.bodies.map(({ name: label, mesh }, body) => ({
        id: `triangles${body}`,
        label: `Triangles, ${label}`,
        value: mesh.indices.length / 3,
      })),
      { id: 'pairs', label: 'Pairs of bodies', value: answer.pairs.length },
    ]);
  },
});

/** How a body stands to the others, by its pairs; null for apart. */
function stateOf(pairs: readonly PairAnswer[]): { color: ColorName; name: string } | null {
  if (pairs.some(({ intersects }) => intersects)) return { color: 'clash', name: 'Intersecting' };
  return pairs.some(({ within }) => within) ? { color: 'near', name: 'Within the tolerance' } : null;
}

/** Where the bodies are in a frame, moved by hand. */
function placeBodies({ bodies, poses, centers, bounds }: OpenedScenario, frame: number, hand: readonly Move[]): Pose[] {
  const size = vec3.distance(bounds.min, bounds.max);
  return bodies.map((_, body) => {
    const start = 7 * (frame * bodies.length + body);
    return moveBody([...poses.subarray(start, start + 7)] as Pose, centers[body], hand[body], size);
  });
}

function lookOf(name: string): ScenarioLook {
  return SCENARIOS.find(({ scenario }) => scenario.name === name) ?? SCENARIOS[0];
}

function lookControls({ tolerance, bodies, seeThrough, hint }: ScenarioLook): Record<string, Control> {
  return {
    tolerance: {
      kind: 'slider',
      label: 'Tolerance, m',
      min: tolerance / 100,
      max: tolerance * 100,
      initial: tolerance,
      logarithmic: true,
    },
    hand: { kind: 'moves', label: 'Moved by hand', bodies, hint },
    seeThrough: { kind: 'checkbox', label: 'See through the bodies', initial: seeThrough },
  };
}

function drawWitnesses(view: View, pairs: readonly PairAnswer[], contacts: boolean, size: number): void {
  const witnesses = pairs.flatMap((pair) => pair.witnesses);
  const onTop = true;
  const between = witnesses.flatMap(({ pointA, pointB }) => [...pointA, ...pointB]);
  view.addLines(Float64Array.from(between), { color: 'probe', width: 2.5, onTop });
  const name = contacts ? 'Contacts' : 'Closest points';
  view.addPoints(Float64Array.from(between), { color: 'probe', size: 8, onTop, name });
  if (contacts) {
    const normals = witnesses.flatMap(({ pointA, normal }) =>
      normal === null ? [] : [...pointA, ...vec3.addScaled(pointA, normal, 0.05 * size)],
    );
    view.addLines(Float64Array.from(normals), { color: 'boundary', width: 2, onTop, name: 'Normals, from A to B' });
  }
  const nearest = nearestWitness(pairs);
  if (nearest !== null) view.addLabel(nearest.pointB, formatNumber(nearest.distance, 4));
}

function nearestWitness(pairs: readonly PairAnswer[]): Witness | null {
  const [first, ...rest] = pairs.flatMap((pair) => pair.witnesses);
  return rest.reduce((least, one) => (one.distance < least.distance ? one : least), first) ?? null;
}

function answerFigures({ pairs }: ScenarioAnswer, query: string, tolerance: number): Figure[] {
  const tells = (of: (pair: PairAnswer) => boolean | null): boolean | null =>
    pairs.some((pair) => of(pair) === true) ? true : pairs.every((pair) => of(pair) === null) ? null : false;
  const intersects = tells((pair) => pair.intersects);
  const distance = leastDistance(pairs);
  return [
    { id: 'intersects', label: 'Intersect', value: intersects, ...(intersects ? { tone: 'bad' } : {}) },
    ...(query === 'tolerance' || query === 'contacts'
      ? [{ id: 'within', label: `Within ${formatNumber(tolerance, 3)} m`, value: tells((pair) => pair.within) }]
      : []),
    {
      id: 'distance',
      lead: 'Between the two bodies that are nearest to each other in this frame.',
      label: 'Distance',
      value: distance,
      unit: 'm',
    },
    ...(query === 'approximate'
      ? [{ id: 'error', label: 'Too large by at most', value: Math.max(...pairs.map(({ error }) => error)), unit: 'm' }]
      : []),
    ...(query === 'contacts'
      ? [{ id: 'contacts', label: 'Contacts', value: pairs.reduce((sum, pair) => sum + pair.witnesses.length, 0) }]
      : []),
  ];
}

function costFigures({ counters, microseconds, medianMicroseconds, framesTimed }: ScenarioAnswer): Figure[] {
  return [
    { id: 'frontSize', label: 'Front', value: counters.frontSize, unit: 'pairs' },
    { id: 'frontSkipped', label: 'Skipped: motion too small', value: counters.frontSkipped, unit: 'pairs' },
    { id: 'volumePairs', label: 'Pairs of volumes', value: counters.volumePairs },
    { id: 'trianglePairs', label: 'Pairs of triangles', value: counters.trianglePairs },
    { id: 'marchSteps', label: 'Steps of marching', value: counters.marchSteps },
    { id: 'insideTests', label: 'Points tested for inside', value: counters.insideTests },
    { id: 'microseconds', label: 'Time', value: microseconds, unit: 'µs', decimals: 0 },
    { id: 'median', label: `Median of ${framesTimed} frames`, value: medianMicroseconds, unit: 'µs', decimals: 0 },
  ];
}
