import type { Vec3 } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import { wayCode } from '../../code/voronoi.js';
import type { Move } from '../../controls.js';
import { flatMesh } from '../../flat-mesh.js';
import { NO_REGION } from '../../region-colors.js';
import {
  FLOOR_HEIGHT,
  FLOOR_WIDTH,
  FURNITURE,
  type Furniture,
  furnitureSite,
  ROUND,
  trackShift,
  WALLS,
  wallSites,
} from '../../samples/floor-plan.js';
import { defineScene } from '../../scene.js';
import { outlineOf, segmentsAt } from '../../site-outlines.js';

/** Moves by hand are in diagonals of the floor. */
const SIZE = Math.hypot(FLOOR_WIDTH, FLOOR_HEIGHT);
const CONTOUR = 0.2;
const CIRCLE_CORNERS = 48;
const MESHES = FURNITURE.map(meshOf);

const REASONS = {
  found: '',
  'start-blocked': 'The start is too near to something',
  'goal-blocked': 'The goal is too near to something',
  disconnected: 'No way is wide enough',
} as const;

export default defineScene({
  title: 'Floor plan with moving furniture',
  chapter: 'Voronoi',
  rank: 2,
  flat: true,
  summary:
    'The way between the two handles follows the Voronoi graph of walls and furniture, as far from them as can be (Hoff et al. 2000). Drag furniture and handles, or press play: the graph and the way follow at once.',
  picture: 'by=both&frame=70',
  motion: { playing: 'play', frame: 'frame', speed: 'speed' },
  controls: {
    by: {
      kind: 'choice',
      label: 'The best way is',
      hint: 'shortest; widest at its narrowest place; or short and wide',
      options: [
        { value: 'both', label: 'Both' },
        { value: 'length', label: 'Shortest' },
        { value: 'clearance', label: 'Widest' },
      ],
    },
    radius: {
      kind: 'slider',
      label: 'Radius of the walker',
      hint: 'narrower ways are not taken',
      min: 0,
      max: 0.6,
      step: 0.02,
      initial: 0.2,
    },
    play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
    frame: { kind: 'slider', label: 'Frame', min: 0, max: ROUND - 1, step: 1, initial: 0 },
    speed: { kind: 'slider', label: 'Frames per second', min: 1, max: 60, step: 1, initial: 30 },
    drag: {
      kind: 'choice',
      label: 'A drag on furniture',
      options: [
        { value: 'move', label: 'Moves it' },
        { value: 'turn', label: 'Turns it' },
      ],
    },
    shows: {
      kind: 'choice',
      label: 'The floor shows',
      options: [
        { value: 'regions', label: 'Regions' },
        { value: 'distances', label: 'Clearance' },
      ],
    },
    graph: { kind: 'checkbox', label: 'Graph', initial: true },
    contours: { kind: 'checkbox', label: 'Lines of equal distance', initial: true },
    start: {
      kind: 'point',
      flat: true,
      label: 'Start',
      hint: 'Or drag the handle in the view.',
      initial: [0.27, 0.06, 0.5],
    },
    goal: {
      kind: 'point',
      flat: true,
      label: 'Goal',
      hint: 'Or drag the handle in the view.',
      initial: [0.77, 0.9, 0.5],
    },
    resolution: {
      kind: 'slider',
      label: 'Resolution',
      hint: 'samples along the longer side',
      min: 64,
      max: 1024,
      step: 64,
      initial: 512,
    },
    hand: { kind: 'moves', label: 'Moved by hand', bodies: FURNITURE.map(({ name }) => name) },
  },

  code({ values }) {
    const { furniture, walls, start, goal } = layOut(values);
    const { by, radius } = values;
    return wayCode({ sites: [...walls, ...furniture], size: [FLOOR_WIDTH, FLOOR_HEIGHT], start, goal, by, radius });
  },

  async draw({ values, view, figures, colors, run, set }) {
    view.frame({ min: [0, 0, 0], max: [FLOOR_WIDTH, FLOOR_HEIGHT, 0] });
    const { places, furniture, walls, start, goal } = layOut(values);
    const { painted, found, path, pathMilliseconds } = await run('planFloor', {
      sites: [...walls, ...furniture],
      tints: [...walls.map(() => NO_REGION), ...furniture.map((_, i) => i)],
      resolution: values.resolution,
      start,
      goal,
      radius: values.radius,
      by: values.by,
    });
    const spacing = values.contours ? CONTOUR : 0;
    view.addRegions(painted.regions, { shows: values.shows, spacing });
    const { edges, vertices } = found.graph;
    if (values.graph) {
      const chains = edges.map(({ points }) => points);
      const color = values.shows === 'distances' ? 'paleIsoline' : 'isoline';
      view.addLines(segmentsAt(chains, 0), { color, width: 1.5, onTop: true, name: 'Graph' });
    }
    view.addLines(segmentsAt([path.points], 0), { color: 'graph', width: 5, onTop: true, name: 'The way' });
    const line = values.shows === 'distances' ? 'front' : 'site';
    view.addLines(segmentsAt(WALLS, 0), { color: line, width: 6, onTop: true, name: 'Walls' });
    FURNITURE.forEach((_, i) => {
      const [x, y, angle] = places[i];
      const change = (move: Move): void => set('hand', values.hand.with(i, move));
      const [dx, dy, , , , turned] = values.hand[i];
      view.addMesh(MESHES[i], {
        shading: 'unlit',
        color: 'furniture',
        pose: [x, y, 0, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
        grip: {
          drag: values.drag,
          moved: (by) => change([dx + by[0] / SIZE, dy + by[1] / SIZE, 0, 0, 0, turned]),
          // A drag to the right rolls about y; here it turns clockwise.
          turned: ([, qy, , w]) => change([dx, dy, 0, 0, 0, turned - 2 * Math.atan2(qy, w)]),
        },
      });
    });
    const outlines = furniture.flatMap((site) => outlineOf(site));
    view.addLines(segmentsAt(outlines, 0), { color: line, width: 1.5, onTop: true, name: 'Furniture' });
    const handle = (name: 'start' | 'goal', [x, y]: readonly [number, number]): void => {
      view.addLabel([x, y, 0], name);
      view.addHandle(
        [x, y, 0],
        ([px, py]) => set(name, [share(px / FLOOR_WIDTH), share(py / FLOOR_HEIGHT), 0.5]),
        [0, 0, 1],
      );
    };
    handle('start', start);
    handle('goal', goal);
    const reached = path.status === 'found';
    figures('The way', [
      { id: 'status', label: 'Way', value: reached ? 'found' : REASONS[path.status], tone: reached ? 'good' : 'bad' },
      { id: 'length', label: 'Length', value: reached ? path.length : null, unit: 'm' },
      {
        id: 'clearance',
        lead: 'From walls and furniture, all along the way.',
        label: 'Least clearance',
        value: reached ? path.leastClearance : null,
        unit: 'm',
      },
      { id: 'beeline', label: 'Straight line', value: Math.hypot(start[0] - goal[0], start[1] - goal[1]), unit: 'm' },
      { id: 'pathTime', label: 'Time of the way', value: pathMilliseconds, unit: 'ms', decimals: 1 },
    ]);
    figures('Graph', [
      { id: 'milliseconds', label: 'Time of the graph', value: found.milliseconds, unit: 'ms', decimals: 1 },
      { id: 'changed', label: 'Sites updated', value: found.changed },
      { id: 'vertices', label: 'Vertices', value: vertices.length },
      { id: 'edges', label: 'Edges', value: edges.length },
    ]);
    figures('Image', [
      { id: 'milliseconds', label: 'Time of the image', value: painted.milliseconds, unit: 'ms', decimals: 1 },
      { id: 'size', label: 'Samples along x and y', value: painted.size.join(' × ') },
    ]);
    if (values.shows === 'distances') {
      colors('Clearance', {
        id: 'scale',
        label: 'Distance to the nearest wall or piece',
        scale: 'sequential',
        low: 0,
        high: painted.regions.farthest,
        unit: 'm',
      });
    }
  },
});

interface FloorValues {
  readonly hand: readonly Move[];
  readonly frame: number;
  readonly start: Readonly<Vec3>;
  readonly goal: Readonly<Vec3>;
}

/** Where everything is, in meters. */
function layOut({ hand, frame, start, goal }: FloorValues) {
  const places = FURNITURE.map((piece, i) => placeOf(piece, hand[i], frame));
  const inMeters = ([x, y]: Readonly<Vec3>) => [x * FLOOR_WIDTH, y * FLOOR_HEIGHT] as const;
  return {
    places,
    furniture: FURNITURE.map((piece, i) => furnitureSite(piece, ...places[i])),
    walls: wallSites(),
    start: inMeters(start),
    goal: inMeters(goal),
  };
}

function placeOf(piece: Furniture, move: Move, frame: number): [number, number, number] {
  const [x, y, degrees] = piece.place;
  const [dx, dy] = trackShift(piece, frame);
  return [x + dx + SIZE * move[0], y + dy + SIZE * move[1], (degrees * Math.PI) / 180 + move[5]];
}

function meshOf({ shape }: Furniture): Mesh {
  const corners =
    typeof shape === 'number'
      ? Array.from({ length: CIRCLE_CORNERS }, (_, i) => {
          const angle = (2 * Math.PI * i) / CIRCLE_CORNERS;
          return [shape * Math.cos(angle), shape * Math.sin(angle)];
        })
      : shape;
  return flatMesh([Float64Array.from(corners.flat())]);
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}
