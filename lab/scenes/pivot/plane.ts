import { PLANE_FRAMES } from '../../../bench/scenarios/plane.js';
import { planeCode } from '../../code/pivot.js';
import type { Control, Move } from '../../controls.js';
import type { Figure } from '../../figures.js';
import { PLANE_LOOKS, PLANE_SCENES, type PlaneSceneName } from '../../samples/plane-bodies.js';
import { defineScene } from '../../scene.js';
import { segmentsAt } from '../../site-outlines.js';
import type { ColorName } from '../../viewer/palette.js';
import type { View } from '../../viewer/view.js';
import type { PlaneAnswer, PlaneQuery, PlaneQuestion } from '../../worker/pivot-plane-tasks.js';

const LABELS: Readonly<Record<PlaneSceneName, string>> = {
  map: 'Map',
  gears: 'Gears',
  links: 'Links',
  cars: 'Cars',
  wavy: 'Wavy',
};
const QUERIES: readonly { value: PlaneQuery; label: string }[] = [
  { value: 'penetration', label: 'Depths' },
  { value: 'contacts', label: 'Contacts' },
  { value: 'volumes', label: 'Volumes' },
  { value: 'boundaries', label: 'Boundaries' },
];
/** How far pixels are above the plane, in diameters of bodies, so that a distance field does not hide them. */
const LIFT = 0.005;
const FILLS: readonly ColorName[] = ['surface', 'second', 'ghost', 'hull'];

export default defineScene({
  title: 'Proximity from images, in the plane',
  chapter: 'PIVOT',
  rank: 1,
  flat: true,
  summary:
    'The five scenes of Hoff, Zaferakis, Lin and Manocha 2001. Pixels inside two bodies carry the shortest way out. Raise the error and zoom in to see the pixels against the exact boundary; drag bodies, or bend the two of Wavy.',
  picture: 'scene=wavy&frame=215&error=0.006&field=yes&grips=no&view=0,0,1.1',
  motion: { playing: 'play', frame: 'frame', speed: 'speed' },
  controls: {
    scene: {
      kind: 'choice',
      label: 'Scene',
      buttons: true,
      options: PLANE_SCENES.map((value) => ({ value, label: LABELS[value] })),
    },
    play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
    frame: { kind: 'slider', label: 'Frame', min: 0, max: PLANE_FRAMES - 1, step: 1, initial: 303 },
    speed: { kind: 'slider', label: 'Frames per second', min: 1, max: 60, step: 1, initial: 30 },
    query: {
      kind: 'choice',
      label: 'Query',
      hint: 'of all pairs: penetrating points with depths and directions; contacts with normals; pixels in two volumes; pixels on two boundaries',
      options: QUERIES,
    },
    error: {
      kind: 'slider',
      label: 'Error bound',
      hint: 'as a share of a body’s diameter; half the diagonal of a pixel. The paper’s tables have 0.002.',
      min: 0.001,
      max: 0.05,
      initial: 0.01,
      logarithmic: true,
    },
    threshold: {
      kind: 'slider',
      label: 'Distance of contacts',
      hint: 'as a share of a body’s diameter',
      min: 0,
      max: 0.1,
      step: 0.005,
      initial: 0.03,
      visible: ({ query }) => query === 'contacts',
    },
    pixels: { kind: 'checkbox', label: 'Pixels', initial: true },
    vectors: { kind: 'checkbox', label: 'Vectors to the boundary', initial: true },
    exact: { kind: 'checkbox', label: 'Exact boundary inside', initial: true },
    field: {
      kind: 'checkbox',
      label: 'Distance field and gradients',
      hint: 'of one body of the deepest pair, around the pixels',
      initial: false,
    },
    drag: {
      kind: 'choice',
      label: 'A drag on a body',
      options: [
        { value: 'move', label: 'Moves it' },
        { value: 'turn', label: 'Turns it' },
      ],
    },
    grips: { kind: 'checkbox', label: 'Grips to bend', initial: true, visible: ({ scene }) => scene === 'wavy' },
  },
  moreControls({ scene }) {
    const name = scene as PlaneSceneName;
    const { bodies, grips } = PLANE_LOOKS[name];
    const names = Array.from({ length: bodies }, (_, i) => `${LABELS[name]} ${i + 1}`);
    const bends = names.flatMap((body) => grips.map((_, k) => `${body}, grip ${k + 1}`));
    return {
      hand: { kind: 'moves', label: 'Moved by hand', bodies: names },
      ...(bends.length > 0 && { bend: { kind: 'moves', label: 'Bent by hand', bodies: bends } as Control }),
    };
  },

  async code({ values, more, run }) {
    const scene = values.scene as PlaneSceneName;
    const { diameter } = await run('openPlane', { scene });
    const { bodies, error } = await run('askPlane', questionOf(values, more));
    return planeCode({ query: values.query as PlaneQuery, bodies, error, threshold: values.threshold * diameter });
  },

  async draw({ values, more, view, figures, colors, run, set }) {
    const began = performance.now();
    const scene = values.scene as PlaneSceneName;
    const hand = more.hand as readonly Move[];
    const bends = (more.bend ?? NO_BENDS) as readonly Move[];
    // The further controls are not among those that the type of `set` knows.
    const change = set as unknown as (name: 'hand' | 'bend', value: readonly Move[]) => void;
    const { reach } = PLANE_LOOKS[scene];
    view.frame({ min: [-1.5 * reach, -reach, 0], max: [1.5 * reach, reach, 0] });
    const opened = await run('openPlane', { scene });
    const query = values.query as PlaneQuery;
    const answer = await run('askPlane', questionOf(values, more));

    const size = opened.diameter;
    for (const [i, { pose, grips }] of answer.bodies.entries()) {
      const [dx, dy, , , , turned] = hand[i];
      const fill = answer.fills[i] ?? (answer.fills.length > 0 ? null : opened.fills[i]);
      const half = answer.fills.length > 0 ? 0 : pose[2] / 2;
      const place = answer.fills.length > 0 ? [0, 0] : pose;
      if (fill !== null) {
        view.addMesh(fill, {
          shading: 'unlit',
          color: FILLS[i % FILLS.length],
          opacity: 0.5,
          pose: [place[0], place[1], 0, 0, 0, Math.sin(half), Math.cos(half)],
          grip: {
            drag: values.drag,
            moved: (by) => change('hand', hand.with(i, [dx + by[0] / size, dy + by[1] / size, 0, 0, 0, turned])),
            // A drag to the right rolls about y; here it turns clockwise.
            turned: ([, qy, , w]) => change('hand', hand.with(i, [dx, dy, 0, 0, 0, turned - 2 * Math.atan2(qy, w)])),
          },
        });
      }
      const [c, s] = [Math.cos(pose[2]), Math.sin(pose[2])];
      for (const [k, [x, y]] of (values.grips ? grips : []).entries()) {
        const number = i * grips.length + k;
        const [bx, by] = bends[number];
        view.addHandle(
          [x, y, 0],
          ([px, py]) => {
            const [wx, wy] = [(px - x) / size, (py - y) / size];
            change('bend', bends.with(number, [bx + c * wx + s * wy, by - s * wx + c * wy, 0, 0, 0, 0]));
          },
          [0, 0, 1],
        );
      }
    }
    drawAnswer(view, answer, values, LIFT * size);
    figures('Time', [
      { id: 'query', label: 'Query, all pairs', value: answer.milliseconds, unit: 'ms', decimals: 3 },
      { id: 'median', label: `Median of ${answer.framesTimed} frames`, value: answer.median, unit: 'ms', decimals: 3 },
      { id: 'frame', label: 'Frame, but for rendering', value: performance.now() - began, unit: 'ms', decimals: 1 },
    ]);
    figures('Answer', answerFigures(answer, query));
    if (answer.field !== null) {
      const { low, high } = answer.field.picture;
      colors('Distance field', {
        id: 'scale',
        label: 'Distance from the boundary, negative inside',
        scale: 'diverging',
        low,
        high,
      });
    }
    figures('Scene', [
      { id: 'bodies', label: 'Bodies', value: answer.bodies.length },
      { id: 'lines', label: 'Lines', value: opened.lines },
      { id: 'diameter', label: 'Mean diameter', value: opened.diameter },
    ]);
  },
});

const NO_BENDS: readonly Move[] = [];

function questionOf(
  values: { scene: string; frame: number; query: string; error: number; threshold: number; field: boolean },
  more: Readonly<Record<string, unknown>>,
): PlaneQuestion {
  const { scene, frame, query, error, threshold, field } = values;
  return {
    ...{ scene: scene as PlaneSceneName, query: query as PlaneQuery, frame, error, threshold, field },
    hand: more.hand as readonly Move[],
    bends: (more.bend ?? NO_BENDS) as readonly Move[],
  };
}

interface Shown {
  readonly pixels: boolean;
  readonly vectors: boolean;
  readonly exact: boolean;
}

function drawAnswer(view: View, answer: PlaneAnswer, { pixels, vectors, exact }: Shown, lift: number): void {
  const { found, bodies, pieces, field } = answer;
  const { points, ways, distances } = found;
  const onTop = true;
  if (field !== null) {
    view.addPicture(field.picture, { scale: 'diverging' });
    const [x0, y0, x1, y1] = field.box;
    view.addLines(segmentsAt([[x0, y0, x1, y0, x1, y1, x0, y1, x0, y0]], 0), { color: 'edges', width: 1, onTop });
    view.addLines(raised(field.gradients), { color: 'isoline', width: 1, onTop, name: 'Gradients' });
  }
  if (pixels && found.count > 0) {
    const faceColors = answer.squareColors;
    const style = faceColors === undefined ? { color: 'inside' as const, name: 'Pixels' } : { faceColors };
    view.addMesh(answer.squares, { shading: 'unlit', opacity: 0.8, pose: [0, 0, lift, 0, 0, 0, 1], ...style });
  }
  view.addLines(
    segmentsAt(
      bodies.flatMap(({ outline }) => outline),
      0,
    ),
    { color: 'reflex', width: 1.25, onTop },
  );
  if (exact) view.addLines(raised(pieces), { color: 'crossing', width: 2.5, onTop, name: 'Boundary inside, exact' });
  if (vectors && ways.length > 0) {
    const name = 'Least signed distance';
    const arrows = new Float64Array(4 * found.count);
    for (let k = 0; k < found.count; k++) {
      const [x, y] = [points[2 * k], points[2 * k + 1]];
      arrows.set([x, y, x + ways[2 * k], y + ways[2 * k + 1]], 4 * k);
    }
    view.addLines(raised(arrows), { color: 'probe', width: 1.25, onTop, name: 'To the boundary' });
    const deepest = distances.reduce((best, distance, k) => (distance < distances[best] ? k : best), 0);
    view.addPoints([points[2 * deepest], points[2 * deepest + 1], 0], { color: 'boundary', size: 8, onTop, name });
  }
}

function answerFigures({ found, error, pixel, exactLength, depthError }: PlaneAnswer, query: PlaneQuery): Figure[] {
  const { count, pairs, distances, extent } = found;
  const least = distances.length > 0 ? distances.reduce((a, b) => Math.min(a, b)) : null;
  const shared: Figure[] = [
    { id: 'pairs', lead: 'Pairs of bodies meet in this frame.', label: 'Pairs that meet', value: pairs },
    { id: 'pixels', label: 'Pixels found', value: count },
  ];
  const bound: Figure[] = [
    { id: 'error', label: 'Error bound', value: error },
    { id: 'pixel', label: 'Side of a pixel', value: pixel },
  ];
  if (query === 'volumes') return [...shared, { id: 'area', label: 'Area in common', value: extent }, ...bound];
  if (query === 'boundaries') return [...shared, ...bound];
  if (query === 'contacts') {
    return [
      ...shared,
      { id: 'least', label: 'Least signed distance', value: least },
      { id: 'length', label: 'Boundary in contact', value: extent },
      ...bound,
    ];
  }
  return [
    ...shared,
    { id: 'depth', label: 'Largest depth', value: least === null ? 0 : -least },
    { id: 'length', label: 'Boundary inside, pixels', value: extent },
    { id: 'exactLength', label: 'Boundary inside, exact', value: exactLength },
    {
      id: 'depthError',
      label: 'Depths off by at most',
      value: depthError,
      tone: depthError <= error ? 'good' : 'bad',
    },
    ...bound,
  ];
}

/** Segments of x, y at z = 0. */
function raised(segments: Float64Array): Float64Array {
  const raisedSegments = new Float64Array(1.5 * segments.length);
  for (let i = 0; i < segments.length; i += 2) raisedSegments.set(segments.subarray(i, i + 2), 1.5 * i);
  return raisedSegments;
}
