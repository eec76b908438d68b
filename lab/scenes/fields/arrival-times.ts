import { type Vec3, vec3 } from 'nearfield/core';
import { extrudePolygon, type Mesh } from 'nearfield/mesh';
import { arrivalCode } from '../../code/fields.js';
import { formatNumber } from '../../figures.js';
import { grounds, PLANE_HEIGHT, PLANE_WIDTH } from '../../samples/grounds.js';
import { defineScene } from '../../scene.js';
import { START_RADIUS, speedsOf } from '../../worker/plane-march.js';

const WALL_HEIGHT = 0.05;
const NORMAL: Vec3 = [0, 0, 1];
/** The walls of a ground, standing on it; the same mesh from draw to draw. */
const standing = new Map<string, readonly Mesh[]>();

export default defineScene({
  title: 'Arrival times in the plane',
  chapter: 'Fields',
  rank: 3,
  summary:
    'Fast marching with a speed at every node. A front starts at one handle and spreads around walls and through slow ground; the colors show when it arrives. The line is the quickest path to the other handle. Drag either handle.',
  picture: 'ground=rooms&view=14,12,1.25',
  controls: {
    ground: {
      kind: 'choice',
      label: 'Ground',
      options: grounds.map(({ name, title }) => ({ value: name, label: title })),
    },
    start: {
      kind: 'point',
      flat: true,
      label: 'Start',
      hint: 'Or drag the handle in the view.',
      initial: [0.1, 0.2, 0.5],
    },
    goal: {
      kind: 'point',
      flat: true,
      label: 'Goal',
      hint: 'Or drag the handle in the view.',
      initial: [0.92, 0.75, 0.5],
    },
    order: {
      kind: 'choice',
      label: 'Order',
      initial: '2',
      options: [
        { value: '1', label: 'First' },
        { value: '2', label: 'Second' },
      ],
    },
    resolution: {
      kind: 'slider',
      label: 'Resolution',
      hint: 'nodes along the longer side',
      min: 32,
      max: 512,
      step: 16,
      initial: 256,
    },
    fronts: { kind: 'checkbox', label: 'Fronts', initial: true },
  },

  code({ values }) {
    const { ground, resolution } = values;
    const [start, goal] = [placeOf(values.start), placeOf(values.goal)];
    const order = values.order === '1' ? 1 : 2;
    const size = [PLANE_WIDTH, PLANE_HEIGHT] as const;
    return arrivalCode({ size, resolution, order, start, goal, radius: START_RADIUS }, () => {
      const { frame, values: speeds } = speedsOf(ground, resolution);
      return { values: speeds, size: frame.size };
    });
  },

  async draw({ values, view, figures, colors, run, set }) {
    view.frame({ min: [0, 0, 0], max: [PLANE_WIDTH, PLANE_HEIGHT, WALL_HEIGHT / 2] });
    for (const wall of wallsOf(values.ground)) view.addMesh(wall);
    const [start, goal] = [placeOf(values.start), placeOf(values.goal)];
    const march = await run('marchPlane', {
      ground: values.ground,
      order: values.order === '1' ? 1 : 2,
      resolution: values.resolution,
      startX: start[0],
      startY: start[1],
      goalX: goal[0],
      goalY: goal[1],
    });
    view.addPicture(march.picture, { scale: 'sequential' });
    if (values.fronts) view.addLines(march.fronts, { color: 'front', width: 1, name: 'Fronts' });
    view.addLines(march.way, { color: 'boundary', width: 4, onTop: true, name: 'The quickest way' });
    view.addLabel(start, 'start');
    view.addLabel(goal, Number.isFinite(march.arrival) ? `${formatNumber(march.arrival, 4)} s` : 'out of reach');
    view.addHandle(start, (moved) => set('start', sharesOf(moved)), NORMAL);
    view.addHandle(goal, (moved) => set('goal', sharesOf(moved)), NORMAL);
    colors('Arrival', {
      id: 'scale',
      label: 'When the front arrives',
      scale: 'sequential',
      low: 0,
      high: march.latest,
      unit: 's',
    });
    const reached = Number.isFinite(march.arrival);
    figures('The way', [
      {
        id: 'arrival',
        lead: 'The front reaches the goal after this time, the shortest of all ways.',
        label: 'The front arrives after',
        value: reached ? march.arrival : null,
        unit: 's',
      },
      { id: 'wayTime', label: 'The way takes', value: reached ? march.wayTime : null, unit: 's' },
      { id: 'wayLength', label: 'Its length is', value: reached ? march.wayLength : null, unit: 'm' },
      { id: 'beeline', label: 'Straight-line distance', value: vec3.distance(start, goal), unit: 'm' },
    ]);
    figures('March', [
      { id: 'milliseconds', label: 'Time', value: march.milliseconds, unit: 'ms', decimals: 1 },
      { id: 'size', label: 'Nodes along x and y', value: march.size.join(' × ') },
      { id: 'nodes', label: 'Nodes', value: march.nodes },
      { id: 'rate', label: 'Nodes per second', value: Math.round((1000 * march.nodes) / march.milliseconds) },
      { id: 'marched', label: 'Nodes marched', value: march.counters.marched },
      { id: 'updates', label: 'Local solutions', value: march.counters.updates },
      { id: 'secondOrderUpdates', label: 'of them second order', value: march.counters.secondOrderUpdates },
      { id: 'step', label: 'From front to front', value: march.step, unit: 's' },
    ]);
  },
});

function placeOf([x, y]: Readonly<Vec3>): Vec3 {
  return [x * PLANE_WIDTH, y * PLANE_HEIGHT, 0];
}

function sharesOf([x, y]: Readonly<Vec3>): Vec3 {
  const clamp = (share: number): number => Math.min(1, Math.max(0, share));
  return [clamp(x / PLANE_WIDTH), clamp(y / PLANE_HEIGHT), 0.5];
}

function wallsOf(ground: string): readonly Mesh[] {
  const known = standing.get(ground);
  if (known !== undefined) return known;
  const walls = grounds.find(({ name }) => name === ground)?.walls ?? [];
  const built = walls.map(([x0, y0, x1, y1]) =>
    extrudePolygon({ rings: [Float64Array.of(x0, y0, x1, y0, x1, y1, x0, y1)] }, { depth: WALL_HEIGHT }),
  );
  standing.set(ground, built);
  return built;
}
