import type { Vec3 } from 'nearfield/core';
import type { PlaneMethod } from 'nearfield/dynamics';
import { layOutPlane, type PlaneSceneName } from '../../../bench/scenarios/plane-shapes.js';
import { PLANE_CHOICES } from '../../../bench/scenarios/plane-worlds.js';
import { planeBodiesCode } from '../../code/dynamics.js';
import { fillOf } from '../../samples/plane-bodies.js';
import { defineScene, type Stage } from '../../scene.js';
import { SIMULATION_CONTROLS } from '../../simulation-controls.js';
import { segmentsAt } from '../../site-outlines.js';
import type { ColorName } from '../../viewer/palette.js';
import type { View } from '../../viewer/view.js';
import type { PlaneWorldAt } from '../../worker/plane-dynamics-tasks.js';

const SCENES = [
  { value: 'gears', label: 'Gears' },
  { value: 'map', label: 'Map' },
  { value: 'links', label: 'Links' },
  { value: 'cars', label: 'Cars' },
  { value: 'wavy', label: 'Wavy' },
  { value: 'wavy-overlap', label: 'Wavy, from a deep overlap' },
];
const METHODS = [
  { value: 'paper', label: 'As in the paper' },
  { value: 'auto', label: 'Auto' },
  { value: 'penalty', label: 'Penalty' },
  { value: 'backtracking', label: 'Backtracking' },
  { value: 'time-of-contact', label: 'Time of contact' },
];
const FILLS: readonly ColorName[] = ['surface', 'second', 'ghost', 'hull'];
/** Lines of contacts, as a share of what is shown. */
const LINE = 0.02;

export default defineScene({
  title: 'Bodies in the plane',
  chapter: 'Dynamics',
  rank: 2,
  flat: true,
  summary:
    'The moving scenes of Hoff, Zaferakis, Lin and Manocha 2001: springs push overlaps out, cars bisect time and never overlap, waves run through soft bodies. Choose another method, and drag a body to pull and throw it.',
  picture: 'scene=gears&step=240',
  opening: 'scene=gears',
  motion: { playing: 'play', frame: 'step', speed: 'speed' },
  controls: {
    scene: { kind: 'choice', label: 'Scene', options: SCENES },
    method: { kind: 'choice', label: 'Method', options: METHODS },
    ...SIMULATION_CONTROLS,
    restitution: { kind: 'slider', label: 'Restitution', min: 0, max: 1, step: 0.05, initial: 1 },
    friction: { kind: 'slider', label: 'Friction', min: 0, max: 1, step: 0.05, initial: 0 },
  },
  follow(changed) {
    const isNew = ['scene', 'method', 'timestep', 'restitution', 'friction', 'run'].includes(changed);
    return isNew ? { step: 0 } : {};
  },

  code({ values, run }) {
    const { name, ...question } = questionOf(values);
    const options = { ...question, overlap: values.scene === 'wavy-overlap' };
    return planeBodiesCode(name, options, values.step, () => run('planeWaves', { name, ...options }));
  },

  async draw({ values, view, figures, curves, run, tell, set }) {
    const { scene, step } = values;
    const { name, ...question } = questionOf(values);
    const { timestep } = question;
    const { box, starts } = layOutPlane(name);
    const [x0, y0, x1, y1] = box ?? [-1.4, -1.4, 1.4, 1.4];
    view.frame({ min: [x0, y0, 0], max: [x1, y1, 0] });
    const at = await run('stepPlane', { ...question, scene, run: values.run, step });
    const size = Math.hypot(x1 - x0, y1 - y0);
    drawBodies(view, at, name === 'wavy', tell);
    if (box !== null) {
      view.addLines(segmentsAt([[x0, y0, x1, y0, x1, y1, x0, y1, x0, y0]], 0), {
        color: 'edges',
        width: 1.5,
        name: 'Walls',
      });
    }
    if (values.contacts && at.touching !== null) drawContacts(view, at.touching, LINE * size);

    const total = at.kinetic.map((value, i) => value + at.elastic[i] + at.contact[i]);
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
        label: 'Deepest overlap, at most',
        value: at.touching === null ? null : 1000 * at.touching.worstPenetration,
        unit: 'mm',
        decimals: 3,
      },
      { id: 'kinetic', label: 'Kinetic energy', value: at.kinetic[step], unit: 'J' },
      { id: 'total', label: 'Energy', value: total[step], unit: 'J' },
      {
        id: 'change',
        label: 'Change of energy since the start',
        value: 100 * (total[step] / total[0] - 1),
        unit: '%',
        decimals: 3,
      },
      { id: 'linear', label: 'Momentum', value: at.linear[step], unit: 'kg m/s' },
      { id: 'angular', label: 'Angular momentum', value: at.angular[step], unit: 'kg m²/s' },
    ]);
    const places = Float64Array.from(at.kinetic, (_, i) => i * timestep);
    const curve = { places, placeUnit: 's', even: true, at: step, chosen: (index: number): void => set('step', index) };
    curves('Energy', {
      ...curve,
      id: 'energy',
      label: 'Energies over time',
      unit: 'J',
      curves: [
        { name: 'Kinetic', values: at.kinetic },
        { name: 'Of soft bodies', values: at.elastic },
        { name: 'Of contacts', values: at.contact },
        { name: 'Total', values: total },
      ],
    });
    curves('Momentum', {
      ...curve,
      id: 'momentum',
      label: 'Momenta over time; walls change them',
      unit: 'kg m/s, kg m²/s',
      curves: [
        { name: 'Linear', values: at.linear },
        { name: 'Angular', values: at.angular },
      ],
    });
    figures('Cost', [
      { id: 'step', label: 'This step', value: at.milliseconds, unit: 'ms', decimals: 3 },
      { id: 'median', label: 'Median of the last 60', value: at.median, unit: 'ms', decimals: 3 },
    ]);
    figures('Scene', [
      { id: 'bodies', label: 'Bodies', value: starts.length },
      { id: 'lines', label: 'Lines', value: starts.reduce((sum, { ring }) => sum + ring.length / 2, 0) },
    ]);
  },
});

interface PlaneValues {
  readonly scene: string;
  readonly method: string;
  readonly timestep: string;
  readonly restitution: number;
  readonly friction: number;
}

function questionOf({ scene, method, timestep, restitution, friction }: PlaneValues) {
  const name = (scene === 'wavy-overlap' ? 'wavy' : scene) as PlaneSceneName;
  const chosen = method === 'paper' ? PLANE_CHOICES[name].method : (method as PlaneMethod);
  return { name, method: chosen, timestep: 1 / Number(timestep), restitution, friction };
}

function drawBodies(view: View, { bodies, held }: PlaneWorldAt, isSoft: boolean, tell: Stage['tell']): void {
  for (const [i, { ring, pose }] of bodies.entries()) {
    const [x, y, angle] = pose;
    const fill = fillOf([ring]);
    if (fill !== null) {
      view.addMesh(fill, {
        shading: 'unlit',
        color: FILLS[i % FILLS.length],
        opacity: 0.6,
        pose: [x, y, 0, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
        grip: isSoft
          ? null
          : {
              drag: 'move',
              moved: (by, from) =>
                tell('holdPlaneBody', { held: { body: i, from, to: from.map((value, k) => value + by[k]) as Vec3 } }),
              turned: () => {},
              released: () => tell('holdPlaneBody', { held: null }),
            },
      });
    }
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const placed = new Float64Array(ring.length + 2);
    for (let k = 0; k < placed.length; k += 2) {
      const [px, py] = [ring[k % ring.length], ring[(k + 1) % ring.length]];
      placed[k] = x + c * px - s * py;
      placed[k + 1] = y + s * px + c * py;
    }
    view.addLines(segmentsAt([placed], 0), { color: 'reflex', width: 1.25, onTop: true });
  }
  if (held !== null) view.addArrow(held.from, held.to, { color: 'probe', onTop: true, name: 'Pull' });
}

/** Points with lines along the normals; where bodies overlap, as long as the depth. */
function drawContacts(
  view: View,
  { points, normals, separations }: NonNullable<PlaneWorldAt['touching']>,
  length: number,
): void {
  const count = separations.length;
  if (count === 0) return;
  const places = new Float64Array(3 * count);
  const lines = new Float64Array(6 * count);
  for (let k = 0; k < count; k++) {
    const way = separations[k] < 0 ? separations[k] : length;
    const [x, y] = [points[2 * k], points[2 * k + 1]];
    places.set([x, y, 0], 3 * k);
    lines.set([x, y, 0, x + way * normals[2 * k], y + way * normals[2 * k + 1], 0], 6 * k);
  }
  view.addPoints(places, { color: 'crossing', size: 4, onTop: true, name: 'Contacts' });
  view.addLines(lines, { color: 'probe', width: 1.5, onTop: true, name: 'Normals and depths' });
}
