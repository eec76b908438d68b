// A mechanism over its whole motion: what gap each pair of parts keeps, proven, and where a wanted clearance fails.
import { type Pose, pose, quat, type Vec3, vec3 } from 'nearfield/core';
import type { SweepResult } from 'nearfield/sweep';
import { sweepCode } from '../../code/sweep.js';
import { formatNumber } from '../../figures.js';
import { findMechanism, MECHANISMS, type ShownJoint, type ShownMechanism } from '../../samples/mechanisms.js';
import { defineScene, type Stage } from '../../scene.js';
import type { View } from '../../viewer/view.js';
import { type FollowedPair, type OpenedMechanism, SWEEP_FRAMES } from '../../worker/sweep-tasks.js';

const DEGREE = Math.PI / 180;
/** The most pairs that a mechanism of the scene has. */
const MAX_PAIRS = 15;
/** Segments of the arc that shows the range. */
const ARC_STEPS = 48;
const LAST = SWEEP_FRAMES - 1;
const SENTENCES: Readonly<Record<SweepResult['verdict'], string>> = {
  holds: 'Every pair keeps the wanted clearance over the whole motion: proven, not sampled.',
  violated: 'Somewhere in the motion a pair is nearer than wanted: measured there.',
  undecided: 'No place is known where the clearance fails, but it is not proven everywhere.',
};
const FIRST = MECHANISMS[0];

interface Chosen {
  readonly sample: string;
  readonly joint: string;
  readonly from: number;
  readonly to: number;
  readonly reach: number;
  readonly clearance: number;
}

export default defineScene({
  title: 'Clearance in motion',
  chapter: 'Proximity',
  rank: 4,
  summary:
    'An engine, a landing gear and a robot arm over their whole motion: the least gap of every pair of parts, proven between all samples. Drag the ends of the range and set the clearance that you want.',
  picture: 'sample=landing-gear&to=75&frame=112&clearance=10&view=14,16,1.9',
  motion: { playing: 'play', frame: 'frame', speed: 'speed' },
  controls: {
    play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
    frame: { kind: 'slider', label: 'Along the motion', min: 0, max: LAST, step: 1, initial: 0 },
    speed: { kind: 'slider', label: 'Speed', hint: 'frames per second', min: 1, max: 240, step: 1, initial: 60 },
    sample: {
      kind: 'choice',
      label: 'Mechanism',
      options: MECHANISMS.map(({ sample, label }) => ({ value: sample, label })),
    },
    joint: {
      kind: 'choice',
      label: 'Joint',
      options: ['elbow', 'shoulder'].map((value) => ({ value, label: value })),
      visible: ({ sample }) => sample === 'arm',
    },
    from: { kind: 'slider', label: 'From, °', min: -160, max: 360, step: 1, initial: FIRST.joints[0].from },
    to: { kind: 'slider', label: 'To, °', min: -160, max: 360, step: 1, initial: FIRST.joints[0].to },
    reach: {
      kind: 'slider',
      label: 'The other joint, ± °',
      ...{ min: 0, max: 60, step: 1, initial: 0 },
      visible: ({ sample }) => sample === 'arm',
    },
    clearance: {
      kind: 'slider',
      label: 'Wanted clearance, mm',
      ...{ min: 0.01, max: 100, initial: FIRST.clearance, logarithmic: true },
    },
    pair: { kind: 'slider', label: 'Pair, most critical first', min: 1, max: MAX_PAIRS, step: 1, initial: 1 },
  },
  follow(changed, values) {
    const { clearance, joints } = findMechanism(values.sample);
    if (changed === 'sample' || changed === 'joint') {
      const { from, to } = joints.find(({ name }) => name === values.joint) ?? joints[0];
      return { from, to, pair: 1, frame: 0, ...(changed === 'sample' ? { clearance } : {}) };
    }
    if (changed === 'from' && values.from >= values.to) return { to: values.from + 1 };
    if (changed === 'to' && values.to <= values.from) return { from: values.to - 1 };
    return {};
  },

  code: ({ values }) => sweepCode(askedOf(values)),

  async draw(stage) {
    const { values, view, run, limit } = stage;
    const shown = findMechanism(values.sample);
    const opened = await run('openMechanism', { sample: shown.sample, vary: JSON.stringify(wholeOf(values)) });
    view.frame(opened.box);
    const { sample, vary, clearance } = askedOf(values);
    const asked = { sample, vary: JSON.stringify(vary), clearance };
    const result = await run('sweepMechanism', asked);
    limit('pair', Math.max(1, result.pairs.length));
    const pair = Math.min(values.pair, result.pairs.length) - 1;
    const joint = jointOf(values);
    const followed = await run('followSwept', { ...asked, pair, axis: joint.name });
    drawParts(view, opened, followed, { result, pair, frame: values.frame });
    drawRange(stage, opened, followed, joint);
    tellSweep(stage, result, shown);
    tellPair(stage, result, pair, followed);
  },
});

function jointOf({ sample, joint }: Chosen): ShownJoint {
  const { joints } = findMechanism(sample);
  return joints.find(({ name }) => name === joint) ?? joints[0];
}

/** The range on show within what the joint can do, in degrees. */
function rangeOf(values: Chosen): readonly [number, number] {
  const { least, most } = jointOf(values);
  const from = Math.min(most - 1, Math.max(least, values.from));
  return [from, Math.min(most, Math.max(from + 1, values.to))];
}

function askedOf(values: Chosen) {
  const { sample, unit, joints } = findMechanism(values.sample);
  const main = jointOf(values);
  const [from, to] = rangeOf(values);
  const vary: Record<string, readonly [number, number]> = { [main.name]: [from * DEGREE, to * DEGREE] };
  const other = joints.find((joint) => joint !== main);
  if (other !== undefined && values.reach > 0) vary[other.name] = [-values.reach * DEGREE, values.reach * DEGREE];
  return { sample, vary, clearance: unit === 'mm' ? values.clearance : values.clearance / 1000 };
}

/** All that the joint can do: the view stays as it is while the range changes. */
function wholeOf(values: Chosen): Readonly<Record<string, readonly [number, number]>> {
  const { name, least, most } = jointOf(values);
  return { [name]: [least * DEGREE, most * DEGREE] };
}

function poseIn({ poses }: FollowedPair, bodies: number, frame: number, body: number): Pose {
  const start = 7 * (frame * bodies + body);
  return Array.from(poses.subarray(start, start + 7)) as Pose;
}

interface OnShow {
  readonly result: SweepResult;
  readonly pair: number;
  readonly frame: number;
}

function drawParts(
  view: View,
  { bodies }: OpenedMechanism,
  followed: FollowedPair,
  { result, pair, frame }: OnShow,
): void {
  const swept = result.pairs[pair];
  const fails = followed.gaps[frame] < result.clearance;
  for (const [body, { name, mesh }] of bodies.entries()) {
    const placed = { pose: poseIn(followed, bodies.length, frame, body) };
    if (name !== swept?.a && name !== swept?.b) view.addMesh(mesh, placed);
    else view.addMesh(mesh, { ...placed, name, color: name === swept.a ? 'bodyA' : fails ? 'clash' : 'bodyB' });
  }
  const ends = followed.nearest.subarray(6 * frame, 6 * frame + 6);
  if (Number.isNaN(ends[0])) return;
  view.addLines(ends, { color: 'probe', width: 2.5, onTop: true });
  view.addPoints(ends, { color: 'probe', size: 8, onTop: true, name: 'Nearest points' });
  view.addLabel([ends[3], ends[4], ends[5]], formatNumber(followed.gaps[frame], 3));
}

/** The range as an arc around the joint, with its ends to drag, and where the joint is. */
function drawRange(
  { values, view, set }: Pick<Stage, 'view'> & { readonly values: Chosen & { frame: number }; set: SetRange },
  { bodies }: OpenedMechanism,
  followed: FollowedPair,
  joint: ShownJoint,
): void {
  const { axis, zero, radius } = joint;
  const [from, to] = rangeOf(values);
  const numberOf = (name: string): number => bodies.findIndex((body) => body.name === name);
  const parent = poseIn(followed, bodies.length, values.frame, numberOf(joint.parent));
  const child = poseIn(followed, bodies.length, values.frame, numberOf(joint.child));
  const center: Vec3 = [child[0], child[1], child[2]];
  const pointAt = (angle: number): Vec3 => {
    const arm = quat.rotate(quat.fromAxisAngle(axis, angle), zero);
    return vec3.addScaled(center, pose.transformVector(parent, arm), radius);
  };
  const arc = Array.from({ length: ARC_STEPS + 1 }, (_, i) => pointAt((from + ((to - from) * i) / ARC_STEPS) * DEGREE));
  const segments = arc.slice(1).flatMap((end, i) => [...arc[i], ...end]);
  view.addLines(Float64Array.from(segments), {
    color: 'boundary',
    width: 2.5,
    onTop: true,
    name: 'Range of the joint',
  });
  const now = pointAt(followed.places[values.frame]);
  view.addLines(Float64Array.from([...center, ...now]), { color: 'boundary', width: 1.5, onTop: true });
  const angleOf = (point: Vec3, near: number): number => {
    const along = pose.transformVector(pose.invert(parent), vec3.subtract(point, center));
    const angle = Math.atan2(vec3.dot(along, vec3.cross(axis, zero)), vec3.dot(along, zero)) / DEGREE;
    const turned = Math.round(angle + 360 * Math.round((near - angle) / 360));
    return Math.min(joint.most, Math.max(joint.least, turned));
  };
  const normal = pose.transformVector(parent, axis);
  view.addHandle(arc[0], (point) => set('from', Math.min(to - 1, angleOf(point, from))), normal);
  view.addHandle(arc[ARC_STEPS], (point) => set('to', Math.max(from + 1, angleOf(point, to))), normal);
}

type SetRange = (name: 'from' | 'to' | 'frame' | 'pair', value: number) => void;
type Telling = Pick<Stage, 'figures' | 'curves' | 'table'> & {
  readonly values: Chosen & { frame: number };
  set: SetRange;
};

function tellSweep({ figures }: Telling, result: SweepResult, { unit }: ShownMechanism): void {
  const { verdict, least, clearance } = result;
  figures('Sweep', [
    {
      id: 'verdict',
      lead: SENTENCES[verdict],
      label: 'The clearance',
      value: verdict,
      about: 'Whether every pair keeps the wanted clearance at every place of the motion.',
      ...(verdict === 'undecided' ? {} : { tone: verdict === 'holds' ? 'good' : 'bad' }),
    },
    { id: 'leastLower', label: 'Least gap, at least', value: least?.lower ?? null, unit },
    { id: 'leastUpper', label: 'Least gap, at most', value: least?.upper ?? null, unit },
    { id: 'wanted', label: 'Wanted clearance', value: clearance, unit, about: 'What every pair is to keep.' },
    { id: 'pairs', label: 'Pairs near each other', value: result.pairs.length },
    {
      ...{ id: 'culled', label: 'Pairs farther apart', value: result.culled.pairs },
      about: 'Pairs that boxes keep apart: proven.',
    },
    { id: 'queries', label: 'Distances measured', value: result.queries },
    { id: 'milliseconds', label: 'Time', value: result.milliseconds, unit: 'ms', decimals: 0 },
  ]);
}

function tellPair(stage: Telling, result: SweepResult, pair: number, followed: FollowedPair): void {
  const { figures, curves, table, values, set } = stage;
  const { unit } = findMechanism(values.sample);
  const joint = jointOf(values);
  const { frame } = values;
  const degrees = followed.places.map((value) => value / DEGREE);
  const swept = result.pairs[pair];
  if (swept === undefined) return;
  const frameOf = (number: number): number => {
    const at = (result.pairs[number].at as Readonly<Record<string, number>>)[joint.name];
    const [low, high] = [followed.places[0], followed.places[LAST]];
    return Math.min(LAST, Math.max(0, Math.round((LAST * (at - low)) / (high - low))));
  };
  curves('Gap of the pair', {
    id: 'gap',
    label: `Gap of ${swept.a} and ${swept.b}`,
    ...{ places: degrees, placeUnit: '°', unit, even: true, at: frame },
    curves: [{ name: 'gap', values: followed.gaps }],
    band: { lower: followed.lower.map((value) => Math.max(value, swept.lower)), upper: followed.upper },
    level: { name: 'wanted', value: result.clearance },
    chosen: (place) => set('frame', place),
  });
  figures('Pair', [
    { id: 'parts', label: 'Parts', value: `${swept.a} – ${swept.b}`, about: 'The pair that is drawn in colors.' },
    { id: 'place', label: joint.name, value: degrees[frame], unit: '°', about: 'Where the joint is on show.' },
    { id: 'now', label: 'Gap here', value: followed.gaps[frame], unit },
    {
      id: 'depth',
      label: 'Deepest found',
      value: swept.depth?.lower ?? null,
      unit,
      about: 'Proven where it was found.',
    },
  ]);
  table('Pairs', {
    columns: ['Pair', 'Gap, at least', 'at most'],
    rows: result.pairs.map(({ a, b, lower, upper, verdict }, i) => ({
      id: `${i}`,
      cells: [`${a} – ${b}`, lower, upper],
      tone: verdict === 'violated' ? 'bad' : undefined,
      current: i === pair,
      press: () => {
        set('pair', i + 1);
        set('frame', frameOf(i));
      },
    })),
    note: `In ${unit}. Press one to see it where it is nearest.`,
  });
}
