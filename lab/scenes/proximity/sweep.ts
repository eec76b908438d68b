// A mechanism over its whole motion: what gap each pair of parts keeps, proven, and where a wanted clearance fails.
import { NearfieldError, type Pose, pose, quat, type Vec3, vec3 } from 'nearfield/core';
import type { GapMap, SweepResult } from 'nearfield/sweep';
import { sweepCode, sweptFileCode } from '../../code/sweep.js';
import type { OpenedFile } from '../../controls.js';
import { formatNumber } from '../../figures.js';
import { MODEL_FILES } from '../../model-files.js';
import { metersOfUnit } from '../../page/file-unit.js';
import { findMechanism, MECHANISMS, type ShownJoint } from '../../samples/mechanisms.js';
import { defineScene, type Stage } from '../../scene.js';
import type { View } from '../../viewer/view.js';
import type { SubjectAxis } from '../../worker/read-subject.js';
import { type FollowedPair, type OpenedMechanism, type ShownSubject, SWEEP_FRAMES } from '../../worker/sweep-tasks.js';

const DEGREE = Math.PI / 180;
/** The most pairs that can be looked at. */
const MAX_PAIRS = 1000;
/** The most joints of a file that can be chosen from. */
const MAX_JOINTS = 1000;
/** Places along the other joint; 0 is where the pair is nearest. */
const ACROSS = 101;
/** Rows of the table. */
const ROWS = 100;
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
  readonly file: OpenedFile | null;
  readonly main: number;
  readonly second: number;
  readonly low: number;
  readonly high: number;
  readonly share: number;
  readonly across: number;
}

/** A joint that is varied, or the time, and how its values are written. */
interface Axis {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  /** All that it can do. */
  readonly whole: readonly [number, number];
  /** What a value is multiplied by to be shown. */
  readonly scale: number;
  readonly unit: string;
}

/** What is asked: one axis, perhaps a second one. */
interface Question {
  readonly axes: readonly [Axis, ...Axis[]];
  readonly unit: string | null;
  readonly clearance: number;
}

const isSample = ({ file }: Chosen): boolean => file === null;
const hasJoints = ({ file }: Chosen): boolean => file !== null && !file.name.toLowerCase().endsWith('.glb');

/** Sliders of files whose joints can be chosen. */
const OF_FILE = {
  kind: 'slider',
  visible: (values: object) => hasJoints(values as Chosen),
} as const;

export default defineScene({
  title: 'Clearance in motion',
  chapter: 'Proximity',
  rank: 4,
  summary:
    'An engine, a landing gear and a robot arm over their whole motion: the least gap of every pair of parts, proven between all samples. Drag the ends of the range and set the clearance that you want. Drop a robot with its meshes (URDF, MJCF), an animated GLB or a mechanism (JSON).',
  picture: 'sample=landing-gear&to=75&frame=112&clearance=10&view=14,16,1.9',
  motion: { playing: 'play', frame: 'frame', speed: 'speed' },
  controls: {
    file: {
      kind: 'file',
      label: 'Open a mechanism…',
      hint: 'A URDF or MJCF robot, a mechanism (JSON): with its meshes, or as a folder dropped here. Or an animated GLB.',
      accept: '.urdf,.xml,.json,.glb',
      beside: `${MODEL_FILES},.srdf`,
    },
    back: {
      kind: 'button',
      label: 'Back to the samples',
      visible: ({ file }) => file !== null,
      press: ({ set }) => set('file', null),
    },
    play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
    frame: { kind: 'slider', label: 'Along the motion', min: 0, max: LAST, step: 1, initial: 0 },
    speed: { kind: 'slider', label: 'Speed', hint: 'frames per second', min: 1, max: 240, step: 1, initial: 60 },
    sample: {
      kind: 'choice',
      label: 'Mechanism',
      options: MECHANISMS.map(({ sample, label }) => ({ value: sample, label })),
      visible: (values) => isSample(values as unknown as Chosen),
    },
    joint: {
      kind: 'choice',
      label: 'Joint',
      options: ['elbow', 'shoulder'].map((value) => ({ value, label: value })),
      visible: ({ sample, file }) => sample === 'arm' && file === null,
    },
    from: {
      ...{ kind: 'slider', label: 'From, °', min: -160, max: 360, step: 1, initial: FIRST.joints[0].from },
      visible: (values) => isSample(values as unknown as Chosen),
    },
    to: {
      ...{ kind: 'slider', label: 'To, °', min: -160, max: 360, step: 1, initial: FIRST.joints[0].to },
      visible: (values) => isSample(values as unknown as Chosen),
    },
    reach: {
      kind: 'slider',
      label: 'The other joint, ± °',
      ...{ min: 0, max: 60, step: 1, initial: 0 },
      visible: ({ sample, file }) => sample === 'arm' && file === null,
    },
    main: { ...OF_FILE, label: 'Joint', min: 1, max: MAX_JOINTS, step: 1, initial: 1 },
    low: { ...OF_FILE, label: 'From, % of its range', min: 0, max: 99, step: 1, initial: 0 },
    high: { ...OF_FILE, label: 'To, % of its range', min: 1, max: 100, step: 1, initial: 100 },
    second: { ...OF_FILE, label: 'Second joint', hint: '0 for none', min: 0, max: MAX_JOINTS, step: 1, initial: 0 },
    share: {
      ...{ kind: 'slider', label: 'Of the range of the second, %', min: 1, max: 100, step: 1, initial: 100 },
      visible: (values) => hasJoints(values as unknown as Chosen) && (values.second as number) > 0,
    },
    across: {
      kind: 'slider',
      label: 'Along the other joint',
      hint: '0: where the pair is nearest',
      ...{ min: 0, max: ACROSS, step: 1, initial: 0 },
      visible: (values) => isOverTwo(values as unknown as Chosen),
    },
    clearance: {
      kind: 'slider',
      label: 'Wanted clearance, mm',
      ...{ min: 0.01, max: 100, initial: FIRST.clearance, logarithmic: true },
    },
    pair: { kind: 'slider', label: 'Pair, most critical first', min: 1, max: MAX_PAIRS, step: 1, initial: 1 },
  },
  follow(changed, values) {
    if (changed === 'file') return { main: 1, second: 0, low: 0, high: 100, across: 0, pair: 1, frame: 0 };
    if (changed === 'main' || changed === 'second') return { across: 0, pair: 1, frame: 0 };
    if (changed === 'low' && values.low >= values.high) return { high: values.low + 1 };
    if (changed === 'high' && values.high <= values.low) return { low: values.high - 1 };
    if (changed === 'pair') return { across: 0 };
    const { clearance, joints } = findMechanism(values.sample);
    if (changed === 'sample' || changed === 'joint') {
      const { from, to } = joints.find(({ name }) => name === values.joint) ?? joints[0];
      return { from, to, pair: 1, frame: 0, across: 0, ...(changed === 'sample' ? { clearance } : {}) };
    }
    if (changed === 'from' && values.from >= values.to) return { to: values.from + 1 };
    if (changed === 'to' && values.to <= values.from) return { from: values.to - 1 };
    return {};
  },

  async code({ values, more, run }) {
    const subject = await run('readMotion', sourceOf(values));
    const { axes, clearance } = questionOf(values, subject, more);
    const asked = { vary: varyOf(axes), clearance };
    return values.file === null
      ? sweepCode({ sample: findMechanism(values.sample).sample, ...asked })
      : sweptFileCode({ file: values.file.name, ...asked });
  },

  async draw(stage) {
    const { values, more, view, run, limit } = stage;
    const source = sourceOf(values);
    const subject = await run('readMotion', source);
    limit('main', subject.axes.length);
    limit('second', subject.axes.length);
    const question = questionOf(values, subject, more);
    const { axes, clearance } = question;
    const whole = Object.fromEntries(axes.slice(0, 1).flatMap(({ name, whole: range }) => [[name, range]]));
    const opened = await run('openMechanism', { ...source, vary: JSON.stringify(isTimed(axes) ? {} : whole) });
    view.frame(opened.box);
    const asked = { ...source, vary: JSON.stringify(varyOf(axes)), clearance };
    const result = await run('sweepMechanism', asked);
    limit('pair', Math.max(1, result.pairs.length));
    const pair = Math.min(values.pair, result.pairs.length) - 1;
    const [main, other] = axes;
    const across = other === undefined || values.across === 0 ? '' : JSON.stringify([other.name, shareOf(values)]);
    const followed = await run('followSwept', { ...asked, pair, axis: main.name, across });
    drawParts(view, opened, followed, { result, pair, frame: values.frame });
    if (values.file === null) drawRange(stage, opened, followed, jointOf(values));
    tellSweep(stage, result, question);
    if (pair < 0) return;
    tellPair(stage, { result, pair, followed, question });
    if (other !== undefined)
      tellMap(stage, await run('mapSwept', { ...asked, pair }), { result, pair, followed, question });
    tellPairs(stage, result, followed, question);
    tellJoints(stage, subject);
  },
});

function isTimed([{ name, unit }]: Question['axes']): boolean {
  return name === 'time' && unit === 's';
}

function varyOf(axes: Question['axes']): Readonly<Record<string, readonly [number, number]>> {
  return isTimed(axes) ? {} : Object.fromEntries(axes.map(({ name, low, high }) => [name, [low, high]]));
}

function isOverTwo({ file, sample, reach, second, main }: Chosen): boolean {
  return file === null ? sample === 'arm' && reach > 0 : second > 0 && second !== main;
}

/** The place along the other joint as a share of its range. */
function shareOf({ across }: Chosen): number {
  return (across - 1) / (ACROSS - 1);
}

function sourceOf({ sample, file }: Chosen) {
  const { name, bytes, beside } = file ?? { name: '', bytes: null, beside: null };
  return { sample: findMechanism(sample).sample, name, bytes, beside: beside ?? null };
}

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

function questionOf(values: Chosen, subject: ShownSubject, more: Readonly<Record<string, unknown>>): Question {
  // What the user says of the unit of a file counts more than what its format says.
  const unit = subject.unit;
  const meters = metersOfUnit((more.unit as string | undefined) ?? unit);
  const clearance = meters === undefined || meters === 0.001 ? values.clearance : values.clearance / (1000 * meters);
  return { axes: values.file === null ? sampleAxes(values) : fileAxes(values, subject), unit, clearance };
}

function sampleAxes(values: Chosen): Question['axes'] {
  const { joints } = findMechanism(values.sample);
  const main = jointOf(values);
  const [from, to] = rangeOf(values);
  const axisOf = ({ name, least, most }: ShownJoint, low: number, high: number): Axis => ({
    ...{ name, low: low * DEGREE, high: high * DEGREE, scale: 1 / DEGREE, unit: '°' },
    whole: [least * DEGREE, most * DEGREE],
  });
  const other = joints.find((joint) => joint !== main);
  const first = axisOf(main, from, to);
  if (other === undefined || values.reach === 0) return [first];
  return [first, axisOf(other, -values.reach, values.reach)];
}

function fileAxes(values: Chosen, { axes, unit }: ShownSubject): Question['axes'] {
  const { main, second, low, high, share } = values;
  const part = ({ name, kind, ...whole }: SubjectAxis, from: number, to: number): Axis => {
    const at = (percent: number): number => whole.low + ((whole.high - whole.low) * percent) / 100;
    const units = { turn: '°', slide: unit ?? 'units', time: 's' };
    return {
      ...{ name, low: at(from), high: at(to), whole: [whole.low, whole.high], unit: units[kind] },
      scale: kind === 'turn' ? 1 / DEGREE : 1,
    };
  };
  const numberOf = (value: number): number => Math.min(axes.length, value) - 1;
  if (axes.length === 0) throw new NearfieldError('bad-argument', 'Nothing moves: no joint has a range.');
  if (axes[0].kind === 'time') return [part(axes[0], 0, 100)];
  const first = part(axes[numberOf(main)], Math.min(low, high - 1), high);
  if (second === 0 || numberOf(second) === numberOf(main)) return [first];
  return [first, part(axes[numberOf(second)], 50 - share / 2, 50 + share / 2)];
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

type SetRange = (name: 'from' | 'to' | 'frame' | 'pair' | 'across' | 'main', value: number) => void;
type Telling = Pick<Stage, 'figures' | 'curves' | 'table' | 'map'> & {
  readonly values: Chosen & { frame: number; pair: number };
  set: SetRange;
};

interface Told {
  readonly result: SweepResult;
  readonly pair: number;
  readonly followed: FollowedPair;
  readonly question: Question;
}

/** A figure's unit where there is one. */
function inUnit({ unit }: Question): { readonly unit?: string } {
  return unit === null ? {} : { unit };
}

function tellSweep({ figures }: Telling, result: SweepResult, question: Question): void {
  const { verdict, least, clearance } = result;
  const unit = inUnit(question);
  figures('Sweep', [
    {
      id: 'verdict',
      lead: SENTENCES[verdict],
      label: 'The clearance',
      value: verdict,
      about: 'Whether every pair keeps the wanted clearance at every place of the motion.',
      ...(verdict === 'undecided' ? {} : { tone: verdict === 'holds' ? 'good' : 'bad' }),
    },
    { id: 'leastLower', label: 'Least gap, at least', value: least?.lower ?? null, ...unit },
    { id: 'leastUpper', label: 'Least gap, at most', value: least?.upper ?? null, ...unit },
    { id: 'wanted', label: 'Wanted clearance', value: clearance, ...unit, about: 'What every pair is to keep.' },
    { id: 'pairs', label: 'Pairs near each other', value: result.pairs.length },
    {
      ...{ id: 'culled', label: 'Pairs farther apart', value: result.culled.pairs },
      about: 'Pairs that boxes keep apart: proven.',
    },
    { id: 'queries', label: 'Distances measured', value: result.queries },
    { id: 'milliseconds', label: 'Time', value: result.milliseconds, unit: 'ms', decimals: 0 },
  ]);
}

function tellPair({ figures, curves, values, set }: Telling, { result, pair, followed, question }: Told): void {
  const [{ name, scale, unit: placeUnit }] = question.axes;
  const unit = inUnit(question);
  const { frame } = values;
  const places = followed.places.map((value) => value * scale);
  const swept = result.pairs[pair];
  curves('Gap of the pair', {
    id: 'gap',
    label: `Gap of ${swept.a} and ${swept.b}`,
    ...{ places, placeUnit, ...unit, even: true, at: frame },
    curves: [{ name: 'gap', values: followed.gaps }],
    band: { lower: followed.lower.map((value) => Math.max(value, swept.lower)), upper: followed.upper },
    level: { name: 'wanted', value: result.clearance },
    chosen: (place) => set('frame', place),
  });
  figures('Pair', [
    { id: 'parts', label: 'Parts', value: `${swept.a} – ${swept.b}`, about: 'The pair that is drawn in colors.' },
    { id: 'place', label: name, value: places[frame], unit: placeUnit, about: 'Where the motion is on show.' },
    { id: 'now', label: 'Gap here', value: followed.gaps[frame], ...unit },
    {
      ...{ id: 'depth', label: 'Deepest found', value: swept.depth?.lower ?? null, ...unit },
      about: 'Proven where it was found.',
    },
  ]);
}

/** The gap over both joints; a press there sets both. */
function tellMap({ map, values, set }: Telling, gaps: GapMap, { result, pair, followed, question }: Told): void {
  const [main, other] = question.axes as readonly [Axis, Axis];
  const { a, b } = result.pairs[pair];
  const inMap = gaps.axes.map((name) => (name === main.name ? main : other));
  const placeIn = ({ name, scale }: Axis): number =>
    scale *
    (name === main.name
      ? followed.places[values.frame]
      : ((followed.at as Readonly<Record<string, number>>)[name] ?? 0));
  const shareAt = ({ low, high, scale }: Axis, value: number): number =>
    Math.min(1, Math.max(0, (value / scale - low) / (high - low)));
  const [x, y] = inMap.map(({ name, low, high, scale, unit }) => ({
    name,
    low: low * scale,
    high: high * scale,
    unit,
  }));
  map('Gap over both joints', {
    id: 'map',
    label: `Gap of ${a} and ${b} over ${main.name} and ${other.name}`,
    axes: [x, y],
    ...{ columns: gaps.columns, rows: gaps.rows, values: gaps.gaps, ...inUnit(question) },
    level: { name: 'wanted', value: result.clearance },
    at: [placeIn(inMap[0]), placeIn(inMap[1])],
    chosen: (...place) => {
      const at = (axis: Axis): number => shareAt(axis, place[inMap.indexOf(axis)]);
      set('across', 1 + Math.round(at(other) * (ACROSS - 1)));
      set('frame', Math.round(at(main) * LAST));
    },
  });
}

function tellPairs(
  { table, values, set }: Telling,
  result: SweepResult,
  followed: FollowedPair,
  question: Question,
): void {
  const [{ name }] = question.axes;
  const frameOf = (number: number): number => {
    const { at } = result.pairs[number];
    const value = typeof at === 'number' ? at : at[name];
    const [low, high] = [followed.places[0], followed.places[LAST]];
    return Math.min(LAST, Math.max(0, Math.round((LAST * (value - low)) / (high - low))));
  };
  const { unit } = question;
  const more = result.pairs.length - ROWS;
  table('Pairs', {
    columns: ['Pair', 'Gap, at least', 'at most'],
    rows: result.pairs.slice(0, ROWS).map(({ a, b, lower, upper, verdict }, i) => ({
      id: `${i}`,
      cells: [`${a} – ${b}`, lower, upper],
      tone: verdict === 'violated' ? 'bad' : undefined,
      current: i === Math.min(values.pair, result.pairs.length) - 1,
      press: () => {
        set('pair', i + 1);
        set('frame', frameOf(i));
      },
    })),
    note: `${unit === null ? '' : `In ${unit}. `}Press one to see it where it is nearest.${more > 0 ? ` ${more} more pairs.` : ''}`,
  });
}

/** The joints of a file, to choose from. */
function tellJoints({ table, values, set }: Telling, { axes }: ShownSubject): void {
  if (!hasJoints(values)) return;
  const shown = (value: number, kind: SubjectAxis['kind']): number => (kind === 'turn' ? value / DEGREE : value);
  table('Joints', {
    columns: ['Joint', 'From', 'To'],
    rows: axes.map(({ name, low, high, kind }, i) => ({
      id: name,
      cells: [`${i + 1}  ${name}`, shown(low, kind), shown(high, kind)],
      current: i + 1 === values.main || i + 1 === values.second,
      press: () => set('main', i + 1),
    })),
    note: 'Press one to vary it; others are at 0, or at the limit next to it. A second one is set by its number.',
  });
}
