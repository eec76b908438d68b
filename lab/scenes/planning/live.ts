import { type Pose, pose } from 'nearfield/core';
import { planningSample } from 'nearfield/planning';
import { repairCode } from '../../code/planning.js';
import { linearScaleColor } from '../../color-scale.js';
import type { Move } from '../../controls.js';
import { followHand } from '../../hand.js';
import { PATH_STATUS, pathColors } from '../../path-colors.js';
import { dragControl, PLAYED, playControls } from '../../play-controls.js';
import { defineScene } from '../../scene.js';
import { LIVE_ROUND } from '../../worker/live-plan-tasks.js';
import { sizeOf } from '../../worker/planning-tasks.js';

const PIECES = planningSample('furniture').environment.length;
const NAMES = ['Start', 'Goal', 'Room', ...Array.from({ length: PIECES - 1 }, (_, i) => `Piece ${i + 1}`)];
/** Rooms in meters that have the last color. */
const WIDE = 1.2;

export default defineScene({
  title: 'Planning while furniture moves',
  chapter: 'Planning',
  rank: 2,
  summary:
    'A music stand among furniture that moves (Hoff et al. 2000): the Voronoi graph, the roadmap and the path are repaired in every frame, only where something changed. Drag furniture, start and goal while it plays.',
  picture: 'frame=120&view=35,48,1.3',
  opening: 'view=35,48,1.3',
  motion: PLAYED,
  controls: {
    ...playControls({ label: 'Frame', frames: LIVE_ROUND, initial: 0, mostSpeed: 120, speed: 30 }),
    drag: dragControl('Dragging a body'),
    along: { kind: 'slider', label: 'Along the path', min: 0, max: 1, step: 0.01, initial: 0.5 },
    graph: { kind: 'checkbox', label: 'Voronoi graph', initial: true },
    hand: { kind: 'moves', label: 'Moved by hand', bodies: NAMES },
  },

  async code({ values: { frame, hand }, run }) {
    const { obstacles, start, goal } = await run('planLive', { frame, hand: JSON.stringify(hand) });
    return repairCode({ sample: 'furniture', obstacles, start, goal });
  },

  async draw({ values, view, figures, chart, colors, run, set }) {
    const { frame, hand } = values;
    const opened = await run('openPlan', { sample: 'furniture', parameters: '{}' });
    view.frame(opened.box);
    const live = await run('planLive', { frame, hand: JSON.stringify(hand) });
    const size = sizeOf(opened.box);
    const gripOf = (body: number) => {
      if (values.drag === 'view') return null;
      return { drag: values.drag, ...followHand(hand[body], size, (move: Move) => set('hand', hand.with(body, move))) };
    };
    for (const [i, { mesh }] of opened.obstacles.entries()) {
      const isRoom = i === 0;
      view.addMesh(mesh, { pose: live.obstacles[i], opacity: isRoom ? 0.2 : 0.8, grip: isRoom ? null : gripOf(2 + i) });
    }
    const [{ mesh, center }] = opened.links;
    const { result, frames, clearances } = live;
    const isSolved = result.status === 'solved';
    view.addMesh(mesh, { pose: live.start, color: 'ghost', opacity: 0.6, grip: gripOf(0), name: 'Start' });
    view.addMesh(mesh, { pose: live.goal, color: 'original', opacity: 0.6, grip: gripOf(1), name: 'Goal' });
    if (values.graph) {
      const shares = Array.from(live.rooms, (room) => linearScaleColor(Math.min(1, room / WIDE)));
      const endColors = Float32Array.from(shares.flatMap((color) => [...color, ...color]));
      view.addLines(live.graph, { endColors, width: 1.5, onTop: true });
    }
    if (isSolved) {
      const place = frames[Math.round(values.along * (frames.length - 1))];
      view.addMesh(mesh, { pose: [...place] as Pose, color: 'second', name: 'Music stand' });
      const points = frames.map((at) => pose.transformPoint(at, center));
      const segments = points.slice(1).flatMap((point, k) => [...points[k], ...point]);
      view.addLines(segments, { endColors: pathColors(clearances, WIDE), width: 5, onTop: true });
    }
    const { repair, clearance } = result;
    figures('Path', [
      { id: 'status', label: 'Path', value: PATH_STATUS[result.status], tone: isSolved ? 'good' : 'bad' },
      {
        id: 'least',
        lead: 'From everything, all along the path, while the furniture moves: proven.',
        label: 'Clearance, at least',
        value: clearance?.lower ?? null,
        unit: 'm',
      },
      { id: 'length', label: 'Length', value: isSolved ? result.length : null, unit: 'm' },
      { id: 'waypoints', label: 'Waypoints', value: isSolved ? result.paths[0].poses.length : null },
    ]);
    figures('Repair', [
      { id: 'graphMs', label: 'Time of the graph', value: live.graphMs, unit: 'ms', decimals: 1 },
      { id: 'planMs', label: 'Time of the path', value: live.planMs, unit: 'ms', decimals: 1 },
      { id: 'graphKept', label: 'Edges of the graph kept', value: repair.graphKept },
      { id: 'graphMade', label: 'Edges of the graph made anew', value: repair.graphMade },
      { id: 'pathKept', label: 'Edges of the path kept', value: repair.pathKept },
      { id: 'proofsKept', label: 'Proofs that still hold', value: repair.proofsKept },
      { id: 'retested', label: 'Proofs made again in part', value: repair.retested },
      { id: 'tested', label: 'Proofs made anew', value: repair.tested },
    ]);
    if (isSolved) {
      chart('Clearance along the path', {
        id: 'clearance',
        label: 'Clearance',
        values: clearances,
        unit: 'm',
        at: Math.round(values.along * (clearances.length - 1)),
        chosen: (place) => set('along', place / (clearances.length - 1)),
      });
    }
    colors('Room', { id: 'scale', label: 'Room and clearance', scale: 'sequential', low: 0, high: WIDE, unit: 'm' });
  },
});
