import { type Pose, pose, quat, vec3 } from 'nearfield/core';
import { impactCode } from '../../code/proximity.js';
import { formatNumber } from '../../figures.js';
import { defineScene } from '../../scene.js';

/** Frames from the start of the motion to its end. */
const FRAMES = 240;
const AXIS = vec3.normalize([0.2, 0.3, 1]);

/** Where the spoon is: from above to below on a straight line, turning evenly. */
function placeAt(t: number, aside: number, turn: number): Pose {
  return pose.create([aside, 1.1 - 2 * t, 0], quat.fromAxisAngle(AXIS, ((turn * Math.PI) / 180) * t));
}

export default defineScene({
  title: 'Time of impact',
  chapter: 'Proximity',
  rank: 3,
  summary:
    'A spoon falls through a cup, turning. When it first touches is proven for the whole motion, not for samples of it; a motion that stays clear has its least clearance proven too.',
  picture: 'frame=60&view=25,14,0.9',
  motion: { playing: 'play', frame: 'frame', speed: 'speed' },
  controls: {
    play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
    frame: { kind: 'slider', label: 'Time', hint: `of ${FRAMES}`, min: 0, max: FRAMES, step: 1, initial: 0 },
    speed: { kind: 'slider', label: 'Speed', hint: 'frames per second', min: 1, max: 240, step: 1, initial: 60 },
    aside: { kind: 'slider', label: 'Aside, m', min: -1.5, max: 1.5, step: 0.01, initial: 0 },
    turn: { kind: 'slider', label: 'Turn', hint: 'degrees', min: 0, max: 170, step: 1, initial: 90 },
    clearance: { kind: 'slider', label: 'Clearance, m', min: 0, max: 0.3, step: 0.005, initial: 0 },
    impact: { kind: 'checkbox', label: 'Where they meet', initial: true },
  },

  code: ({ values: { aside, turn, clearance } }) =>
    impactCode({ from: placeAt(0, aside, turn), to: placeAt(1, aside, turn), clearance }),

  async draw({ values, view, figures, run }) {
    const { frame, aside, turn, clearance } = values;
    const { cup, spoon } = await run('openFall', { into: 'cup' });
    const t = frame / FRAMES;
    const place = placeAt(t, aside, turn);
    const from = placeAt(0, aside, turn);
    const to = placeAt(1, aside, turn);
    const found = await run('findImpact', { from, to, clearance });
    const { distance } = await run('measureFall', { place });
    view.frame({ min: [-1.2, -1.2, -1], max: [1.2, 1.4, 1] });
    view.addMesh(cup, { name: 'Cup', opacity: 0.6 });
    const beyond = found.upper !== null && t > found.upper;
    view.addMesh(spoon, { pose: place, color: beyond ? 'clash' : 'second', name: 'Spoon' });
    view.addLines(Float64Array.from([...from.slice(0, 3), ...to.slice(0, 3)]), { color: 'boundary', width: 1.5 });
    const shown = found.witness ?? found.least?.witness ?? null;
    const at = found.time ?? found.least?.time ?? null;
    if (values.impact && shown !== null && at !== null) {
      const name = found.impact ? 'At the impact' : 'At the least clearance';
      view.addMesh(spoon, { pose: placeAt(at, aside, turn), color: 'near', opacity: 0.35, name });
      const ends = Float64Array.from([...shown.pointA, ...shown.pointB]);
      view.addLines(ends, { color: 'probe', width: 2.5, onTop: true });
      view.addPoints(ends, { color: 'probe', size: 8, onTop: true, name: 'Nearest points' });
      view.addLabel(shown.pointB, found.impact ? `t = ${formatNumber(at, 4)}` : formatNumber(shown.distance, 4));
    }
    figures('Motion', [
      { id: 'impact', label: 'Impact', value: found.impact, ...(found.impact ? { tone: 'bad' } : {}) },
      {
        id: 'time',
        lead: 'The moment of the first touch, as a fraction of the motion. No earlier touch is possible: that is proven.',
        label: 'Time of impact',
        value: found.time,
      },
      { id: 'bracket', label: 'Known to', value: found.upper === null ? null : found.upper - found.lower },
      { id: 'leastLower', label: 'Clearance, at least', value: found.least?.lower ?? null, unit: 'm' },
      { id: 'leastUpper', label: 'Clearance, at most', value: found.least?.upper ?? null, unit: 'm' },
      { id: 'leastTime', label: 'Least at time', value: found.least?.time ?? null },
    ]);
    figures('Now', [
      { id: 'now', label: 'Time', value: t },
      { id: 'distance', label: 'Distance', value: distance, unit: 'm' },
    ]);
    figures('Cost', [
      { id: 'volumePairs', label: 'Pairs of boxes in motion', value: found.counters.volumePairs },
      { id: 'trianglePairs', label: 'Pairs of triangles in motion', value: found.counters.trianglePairs },
      { id: 'queries', label: 'Queries at single times', value: found.counters.queries },
      { id: 'milliseconds', label: 'Time', value: found.milliseconds, unit: 'ms' },
    ]);
  },
});
