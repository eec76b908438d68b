// Two models that overlap: a benchmark, or any two models or files, each of which can be moved by hand.
import { type Box, box, type Pose, pose, type Quat, type Vec3, vec3 } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import type {
  PenetrationDescent,
  PenetrationImageQuery,
  PenetrationMethod,
  PenetrationResult,
} from 'nearfield/penetration';
import { penetrationBenchmarks, wrinkledTori } from '../bench/scenarios/penetration.js';
import type { Choice, FilePicker, Move, Moves, OpenedFile, Option, Values } from './controls.js';
import { type Figure, formatNumber, type Table } from './figures.js';
import { followHand, moveBody } from './hand.js';
import { followModel, loadModel, modelControls } from './model-choice.js';
import type { Stage } from './scene.js';
import { CURVE, type View } from './viewer/view.js';

const OWN = 'own';
const BODIES = ['A', 'B'] as const;
/** Room around the two models, as a fraction of their diagonal, so that the translation is visible too. */
const ROOM = 0.08;
/** The distance between the centers of two chosen models, as a fraction of the summed widths of their boxes along x. */
const APART = 0.3;

export const METHOD_OPTIONS: readonly { value: PenetrationMethod; label: string }[] = [
  { value: 'certified', label: 'Certified' },
  { value: 'image-space', label: 'Image space' },
];
export const QUERY_OPTIONS: readonly { value: PenetrationImageQuery; label: string }[] = [
  { value: 'rays', label: 'Rays' },
  { value: 'windows', label: 'Windows' },
];
export const DESCENT_OPTIONS: readonly { value: PenetrationDescent; label: string }[] = [
  { value: 'probes', label: 'By probes' },
  { value: 'levels', label: 'Level by level' },
];
const DRAG_OPTIONS = [
  { value: 'move', label: 'Moves it' },
  { value: 'turn', label: 'Turns it' },
  { value: 'view', label: 'Turns the view' },
] as const;

export interface PairValues {
  readonly pair: string;
  readonly modelA: string;
  readonly modelB: string;
  readonly fileA: OpenedFile | null;
  readonly fileB: OpenedFile | null;
  readonly hand: readonly Move[];
}

type Shown<C> = C & { readonly visible: (values: Values) => boolean };

export interface PairControls {
  readonly pair: Choice;
  readonly fileA: Shown<FilePicker>;
  readonly modelA: Shown<Choice>;
  readonly fileB: Shown<FilePicker>;
  readonly modelB: Shown<Choice>;
  readonly drag: Choice & { readonly options: typeof DRAG_OPTIONS };
  readonly hand: Moves;
}

/** The controls of a pair; give them these names, and the scene `followPair`. */
export function pairControls(initial: string = penetrationBenchmarks[0].name): PairControls {
  const visible = ({ pair }: Values): boolean => pair === OWN;
  const [ofA, ofB] = [modelControls('letter-e'), modelControls('torus')];
  const options: Option[] = [...penetrationBenchmarks, wrinkledTori].map(({ name, title }) => ({
    value: name,
    label: title,
  }));
  return {
    pair: {
      kind: 'choice',
      label: 'Pair',
      initial,
      options: [...options, { value: OWN, label: 'Two models or files of your choice' }],
    },
    fileA: { ...ofA.file, label: 'Open A…', visible },
    modelA: { ...ofA.model, label: 'Model A', visible },
    fileB: { ...ofB.file, label: 'Open B…', visible, hint: 'Files keep their coordinates; models overlap.' },
    modelB: { ...ofB.model, label: 'Model B', visible },
    drag: { kind: 'choice', label: 'Dragging a body', hint: 'Alt swaps moving and turning.', options: DRAG_OPTIONS },
    hand: { kind: 'moves', label: 'Moved by hand', bodies: BODIES },
  };
}

/** For a scene's `follow`. Another pair or another model starts without moves by hand. */
export function followPair(changed: string): Partial<PairValues> {
  const hand = BODIES.map((): Move => [0, 0, 0, 0, 0, 0]);
  if (changed === 'pair') return { hand };
  for (const body of BODIES) {
    const names = { [`file${body}`]: 'file', [`model${body}`]: 'model' };
    if (!(changed in names)) continue;
    const also = Object.entries(followModel(names[changed])).map(([name, value]) => [`${name}${body}`, value]);
    return { hand, pair: OWN, ...Object.fromEntries(also) };
  }
  return {};
}

export interface LoadedPair {
  readonly meshes: readonly [Mesh, Mesh];
  /** Where the two are, moved by hand or not. */
  readonly poses: readonly [Pose, Pose];
  /** The box around both without moves by hand, and its size. */
  readonly bounds: Box;
  readonly size: number;
}

export async function loadPair(values: PairValues, run: Stage['run']): Promise<LoadedPair> {
  const { pair, fileA, fileB, modelA, modelB, hand } = values;
  if (pair !== OWN) return placePair(await run('buildPair', { pair }), hand);
  const meshA = await loadModel({ file: fileA, model: modelA }, run);
  const meshB = await loadModel({ file: fileB, model: modelB }, run);
  const here = pose.identity();
  return placePair({ meshA, meshB, poseA: here, poseB: fileA && fileB ? here : besideOf(meshA, meshB) }, hand);
}

interface BuiltPair {
  readonly meshA: Mesh;
  readonly meshB: Mesh;
  readonly poseA: Pose;
  readonly poseB: Pose;
}

export function placePair({ meshA, meshB, poseA, poseB }: BuiltPair, hand: readonly Move[]): LoadedPair {
  const around = boxAround([meshA, meshB], [poseA, poseB]);
  const bounds = box.grow(around, ROOM * box.diagonal(around));
  const size = box.diagonal(bounds);
  const move = (mesh: Mesh, place: Pose, body: number): Pose =>
    moveBody(place, box.center(box.ofPositions(mesh.positions)), hand[body], size);
  return { meshes: [meshA, meshB], poses: [move(meshA, poseA, 0), move(meshB, poseB, 1)], bounds, size };
}

/** Places B's center beside A's, so that the two overlap. */
function besideOf(meshA: Mesh, meshB: Mesh): Pose {
  const [a, b] = [meshA, meshB].map(({ positions }) => box.ofPositions(positions));
  const shift = vec3.subtract(box.center(a), box.center(b));
  shift[0] += APART * (box.size(a)[0] + box.size(b)[0]);
  return pose.create(shift);
}

function boxAround(meshes: readonly Mesh[], poses: readonly Pose[]): Box {
  const min: Vec3 = [Infinity, Infinity, Infinity];
  const max: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (const [body, { positions }] of meshes.entries()) {
    const placed: Vec3 = [0, 0, 0];
    for (let i = 0; i < positions.length; i += 3) {
      pose.transformPoint(poses[body], [positions[i], positions[i + 1], positions[i + 2]], placed);
      for (let k = 0; k < 3; k++) {
        min[k] = Math.min(min[k], placed[k]);
        max[k] = Math.max(max[k], placed[k]);
      }
    }
  }
  return { min, max };
}

/** The input of tasks for a pair. Poses are text, so that equal poses are equal input. */
export function pairInput({ meshes, poses }: LoadedPair) {
  return { meshA: meshes[0], meshB: meshes[1], poseA: poses[0].join(' '), poseB: poses[1].join(' ') };
}

interface BodyLook {
  readonly names?: readonly string[];
  readonly drag: 'move' | 'turn' | 'view';
  readonly hand: readonly Move[];
  readonly opacity: number;
}

/** Both bodies, which can be dragged. */
export function drawBodies(
  view: View,
  { meshes, poses, size }: LoadedPair,
  { names = BODIES, drag, hand, opacity }: BodyLook,
  change: (hand: readonly Move[]) => void,
): void {
  for (const [body, mesh] of meshes.entries()) {
    view.addMesh(mesh, {
      pose: poses[body],
      color: body === 0 ? 'bodyA' : 'bodyB',
      shading: 'smooth',
      opacity,
      name: names[body],
      grip: drag === 'view' ? null : { drag, ...followHand(hand[body], size, (move) => change(hand.with(body, move))) },
    });
  }
}

/** Room between the two bodies and what is drawn of their translations, as a fraction of the pair's box. */
const BESIDE = 0.15;
/** How large the two are drawn beside them, by the diagonals of the boxes. */
const BESIDE_SIZE = 0.9;

/**
 * For scenes of translations, which are around the origin: both bodies to the left of them, in a size that suits, with the
 * way out of A and the curves in which they cross. Frames both.
 */
export async function drawPairBeside(
  view: View,
  pair: LoadedPair,
  around: Box,
  { vector, pointA }: { readonly vector: Vec3; readonly pointA: Vec3 | null },
  run: Stage['run'],
): Promise<void> {
  const { bounds, meshes, poses } = pair;
  const scale = (BESIDE_SIZE * box.diagonal(around)) / box.diagonal(bounds);
  const size = vec3.scale(box.size(bounds), scale);
  const goal: Vec3 = [
    around.min[0] - BESIDE * size[0] - 0.5 * size[0],
    // On the same ground.
    around.min[1] + 0.5 * size[1],
    0.5 * (around.min[2] + around.max[2]),
  ];
  const shift = vec3.subtract(goal, vec3.scale(box.center(bounds), scale));
  const placed = (point: Vec3): Vec3 => vec3.addScaled(shift, point, scale);
  view.frame(joinBoxes(around, { min: placed(bounds.min), max: placed(bounds.max) }));
  for (const [body, mesh] of meshes.entries()) {
    const color = body === 0 ? 'bodyA' : 'bodyB';
    view.addMesh(mesh, {
      pose: pose.create(placed(poses[body].slice(0, 3) as Vec3), poses[body].slice(3) as Quat),
      scale,
      color,
      shading: 'smooth',
      opacity: 0.45,
      name: BODIES[body],
    });
  }
  const curves = await run('crossPair', pairInput(pair));
  view.addLines(
    curves.map((x, i) => scale * x + shift[i % 3]),
    { ...CURVE, name: 'Where the surfaces cross' },
  );
  if (pointA === null) return;
  view.addArrow(placed(pointA), placed(vec3.add(pointA, vector)), { color: 'boundary', onTop: true });
}

export function joinBoxes(a: Box, b: Box): Box {
  return {
    min: a.min.map((value, k) => Math.min(value, b.min[k])) as Vec3,
    max: a.max.map((value, k) => Math.max(value, b.max[k])) as Vec3,
  };
}

/** Bounds that differ by less than this fraction are equal up to rounding. */
const EXACT = 1e-9;

/** What the depth is worth. */
function meaningOf({ depth, lower, upper, status }: PenetrationResult): string {
  if (depth === 0) return 'They do not overlap.';
  if (status === 'upper-estimate') return 'A translation this long separates them; a shorter one may do.';
  const gap = formatNumber((100 * (upper - lower)) / upper, 2);
  return upper - lower < EXACT * upper
    ? 'The shortest translation that separates them, exactly.'
    : `The shortest translation that separates them, proven within ${gap} %.`;
}

export function depthFigures(result: PenetrationResult): Figure[] {
  const { intersects, depth, lower, upper, status, vector, levels, cells, milliseconds } = result;
  const proven = status !== 'upper-estimate';
  return [
    { id: 'depth', label: 'Depth', value: depth, unit: 'm', lead: meaningOf(result) },
    { id: 'status', label: 'Status', value: status, ...(status === 'budget' ? { tone: 'bad' } : {}) },
    { id: 'lower', label: 'At least', value: proven ? lower : null, unit: 'm' },
    { id: 'upper', label: 'At most', value: upper, unit: 'm' },
    { id: 'gap', label: 'Gap', value: proven && upper > 0 ? (upper - lower) / upper : null },
    { id: 'cells', label: 'Cells', value: cells },
    { id: 'intersects', label: 'Intersect', value: intersects, ...(intersects ? { tone: 'bad' } : {}) },
    { id: 'vector', label: 'A moves by', value: vector },
    { id: 'levels', label: 'Levels', value: levels.length },
    { id: 'milliseconds', label: 'Time', value: milliseconds, unit: 'ms', decimals: 1 },
  ];
}

/** Table 2 of Kim, Otaduy, Lin and Manocha 2002, for this pair. */
export function levelTable({ levels }: PenetrationResult, at?: number, choose?: (level: number) => void): Table {
  const short = (value: number): number => Number(value.toPrecision(3));
  return {
    columns: ['Level', 'Culled', 'Sums', 'Sum ms', 'Query ms', 'Depth'],
    rows: levels.map(({ level, cullRatio, sums, cullMilliseconds, sumMilliseconds, queryMilliseconds, estimate }) => ({
      id: `${level}`,
      cells: [
        level,
        `${formatNumber(100 * cullRatio, 3)} %`,
        sums,
        short(cullMilliseconds + sumMilliseconds),
        short(queryMilliseconds),
        Number(estimate.toPrecision(4)),
      ],
      current: level === at,
      ...(choose === undefined ? {} : { press: () => choose(level) }),
    })),
    ...(levels.length === 0 ? { note: 'There are no levels.' } : {}),
  };
}
