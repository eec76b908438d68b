import { basename } from 'node:path';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import { partOfProgress } from '../../core/progress.js';
import { add, type ReadonlyVec3, type Vec3 } from '../../core/vec3.js';
import { FIELD_DEFAULTS } from '../../field/field-options.js';
import type { SolidifyOptions } from '../../field/solid/solidify.js';
import { BACKENDS, type Backend } from '../../gpu/choose-backend.js';
import type { ModelFile } from '../../io/model/model-file.js';
import { writeModel } from '../../io/model/write-model.js';
import { Budget } from '../../penetration/budget.js';
import {
  type GradientReason,
  type PenetrationGradient,
  penetrationGradient,
} from '../../penetration/gradient/penetration-gradient.js';
import { measurePenetration } from '../../penetration/measure-penetration.js';
import {
  PENETRATION_IMAGE_QUERIES,
  type PenetrationDescent,
  type PenetrationImageQuery,
} from '../../penetration/options.js';
import { preparePenetration } from '../../penetration/prepare-penetration.js';
import type { PenetrationLevel, PenetrationResult, PenetrationStatus } from '../../penetration/result.js';
import { prepareSolidWithin } from '../../penetration/solid.js';
import {
  type GeneralizedPenetration,
  measureGeneralizedPenetration,
} from '../../penetration/turning/generalized-penetration.js';
import { acquireDevice, BACKEND_HELP, BACKEND_OPTION, describeBackend } from '../acquire-device.js';
import { takeChoice, takeNumber, takePose, takePositionals, takeString } from '../arguments.js';
import { saveBytes } from '../load-model.js';
import { type LoadedModels, loadModels, type PrepareModel } from '../load-proximity.js';
import { OUTPUT_FORMATS_HELP, takeOutputFormat } from '../output-format.js';
import {
  type AskedPenetration,
  asksCertificate,
  PENETRATION_HELP,
  PENETRATION_OPTIONS,
  relativeGapOf,
  takePenetrationOptions,
} from '../penetration-options.js';
import { columns, labeled, readable, readableFeature, readableVector } from '../table.js';
import type { Answer, Verb, VerbInput } from '../verb.js';

/**
 * Chosen: the gradient is that of the shortest vector, so a vector must be within this relative gap of the shortest.
 */
const GRADIENT_GAP = 1e-6;

export const penetration: Verb = {
  name: 'penetration',
  summary: 'measures how deep two solids overlap: the shortest translation of A that separates them',
  usage: 'penetration A B [--pose-a P] [--pose-b P] [--relative-gap G] [--method M] [--backend B] [-o SEPARATED]',
  help: `Both models must be closed, oriented outward and without self-intersections. Points and vectors are in the world frame.
The depth is global: the shortest translation in any direction. An exact test confirms that A, moved by the vector, no
longer intersects B. It is proven that no translation shorter than the lower bound separates them.
  --pose-a P, --pose-b P   poses of the models: tx,ty,tz,qx,qy,qz,qw (default: as in their files)
  --solidify           measure solids near models that bound none; the interval then includes their error
  --solid-resolution N  nodes of the grid of --solidify along the longest side (default ${FIELD_DEFAULTS.solid.resolution})
  --generalized        also bound the depth when A may rotate too: an upper bound, found by search
  --gradient           also compute how the depth changes as either model moves or rotates, where that is unique;
                       the relative gap is then ${GRADIENT_GAP} unless given
${PENETRATION_HELP}
  --query Q            how the views are rendered: rays (default), or windows, drawn with depth and stencil buffers
for both methods:
${BACKEND_HELP};
                       certified runs on the CPU. Without --method, webgpu selects image-space
  -o, --output OUT     write both models, with A moved by the vector; .glb keeps them as separate parts
${OUTPUT_FORMATS_HELP}

  nearfield penetration bolt.stl bracket.stl
  nearfield penetration a.obj b.obj --pose-b 0.2,0,0,0,0,0,1 --relative-gap 1e-6 -o apart.glb
  nearfield penetration a.obj b.obj --json | jq '.lower, .upper, .vector'`,
  options: {
    'pose-a': { type: 'string' },
    'pose-b': { type: 'string' },
    solidify: { type: 'boolean' },
    'solid-resolution': { type: 'string' },
    generalized: { type: 'boolean' },
    gradient: { type: 'boolean' },
    ...PENETRATION_OPTIONS,
    query: { type: 'string' },
    ...BACKEND_OPTION,
    output: { type: 'string', short: 'o' },
    format: { type: 'string' },
  },
  async run(input) {
    const [pathA, pathB] = takePositionals(input, 'penetration', ['A', 'B']);
    const poseA = takePose(input, 'pose-a');
    const poseB = takePose(input, 'pose-b');
    const { query, backend, asked } = takeQuestion(input);
    const output = takeString(input, 'output');
    const format = takeOutputFormat(input, output);
    const solidify = takeSolidify(input);
    const { maxMilliseconds = Infinity } = asked;
    // The budget holds for the preparation too, and begins after the files have been read.
    let budget: Budget | undefined;
    const prepare: PrepareModel = (model, progress) => {
      if (solidify !== false) return;
      if (maxMilliseconds === Infinity) preparePenetration(model, progress);
      else prepareSolidWithin(model, (budget ??= new Budget(maxMilliseconds, progress)));
    };
    const models = await loadModels(pathA, pathB, prepare, partOfProgress(input.progress, 0, 0.5));
    const gpu = asked.method === 'certified' ? null : await acquireDevice(backend);
    let result: PenetrationResult;
    try {
      result = await measurePenetration(models.a, models.b, poseA, poseB, {
        ...partOfProgress(input.progress, 0.5, 0.7),
        ...asked,
        solidify,
        ...(budget !== undefined && { maxMilliseconds: budget.left }),
        query,
        backend: gpu === null ? 'cpu' : backend,
        device: gpu ?? undefined,
      });
    } finally {
      gpu?.device.destroy();
    }
    const generalized = input.values.generalized
      ? measureGeneralizedPenetration(models.a, models.b, poseA, poseB, {
          ...partOfProgress(input.progress, 0.7, 0.9),
          ...asked,
        })
      : null;
    const gradient = input.values.gradient
      ? penetrationGradient(result, poseA, poseB, models.a, models.b, partOfProgress(input.progress, 0.9, 1))
      : null;
    if (output !== null && format !== null) {
      const separated = placeApart([pathA, pathB], models, poseA, poseB, result.vector);
      await saveBytes(output, await writeModel(separated, format));
    }
    const device = result.backend === 'webgpu' && gpu !== null ? gpu.name : null;
    const { preprocessMs } = models;
    return describeDepth({ pathA, pathB, asked, query, result, generalized, gradient, device, preprocessMs, output });
  },
};

/** A measured depth, with what was asked. */
interface MeasuredDepth {
  readonly pathA: string;
  readonly pathB: string;
  readonly asked: AskedPenetration;
  readonly query: PenetrationImageQuery;
  readonly result: PenetrationResult;
  readonly generalized: GeneralizedPenetration | null;
  readonly gradient: PenetrationGradient | null;
  /** The GPU's name. */
  readonly device: string | null;
  readonly preprocessMs: number;
  readonly output: string | null;
}

function describeDepth(measured: MeasuredDepth): Answer {
  const { pathA, pathB, asked, query, result, generalized, gradient, device, preprocessMs, output } = measured;
  return {
    json: {
      ...result,
      gap: relativeGapOf(result),
      ...(asked.method === 'image-space' && { query, descent: asked.descent }),
      ...(generalized !== null && { generalized: withoutTranslational(generalized) }),
      ...(gradient !== null && { gradient }),
      ...(device !== null && { device }),
      preprocessMs,
      ...(output !== null && { output }),
    },
    text: [
      labeled([
        ['A', pathA],
        ['B', pathB],
        ['intersects', result.intersects ? 'yes' : 'no'],
        ['depth', `${readable(result.depth)}: ${describeStatus(result)}`],
        ...describeInterval(result),
        ...describeSolidified(result),
        ...describeWayOut(result),
        ...(generalized === null ? [] : [describeGeneralized(generalized)]),
        ...(gradient === null ? [] : describeGradient(gradient)),
        ['method', `${describeMethod(asked, query)}, on ${describeBackend(device, result.fallback)}`],
        ['milliseconds', `${result.milliseconds.toFixed(1)}, after ${preprocessMs.toFixed(1)} to prepare`],
        ...(output === null ? [] : [['output', output] as const]),
      ]),
      ...(result.levels.length === 0 ? [] : ['', levelTable(result.levels)]),
    ].join('\n'),
  };
}

function takeQuestion(input: VerbInput): { query: PenetrationImageQuery; backend: Backend; asked: AskedPenetration } {
  const query = takeChoice(input, 'query', PENETRATION_IMAGE_QUERIES);
  const backend = takeChoice(input, 'backend', BACKENDS);
  const given = input.values.query === undefined ? [] : ['--query'];
  if (backend === 'webgpu' && !asksCertificate(input)) given.push('--backend webgpu');
  const usualGap = input.values.gradient ? GRADIENT_GAP : undefined;
  return { query, backend, asked: takePenetrationOptions(input, { query, given }, usualGap) };
}

/** Rounding: the error of a coordinate, relative to the largest one. */
const COORDINATE_ROUNDING = 1e-12;

const STATUS_WORDS: Record<PenetrationStatus, string> = {
  separate: 'the models do not overlap',
  exact: 'exact, both models are convex',
  certified: 'certified, with a proven lower bound',
  budget: 'the interval is proven, but the budget ended before it was as narrow as requested',
  'upper-estimate': 'an upper estimate; it separates the models, but a shorter translation may too',
};

const DESCENT_WORDS: Record<PenetrationDescent, string> = {
  probes: 'probes',
  levels: 'descent by levels',
  none: 'all pairs of pieces',
};

function describeStatus({ status, intersects }: PenetrationResult): string {
  return status === 'separate' && intersects ? 'the models only touch' : STATUS_WORDS[status];
}

function describeInterval(result: PenetrationResult): [string, string][] {
  const { status, lower, upper, cells } = result;
  if (status !== 'certified' && status !== 'budget') return [];
  const percent = `${readable(Number((100 * relativeGapOf(result)).toPrecision(2)))} %`;
  return [
    ['interval', `${readable(lower)} to ${readable(upper)}, a gap of ${percent}`],
    ['cells', `${readable(cells)} examined`],
  ];
}

function describeMethod(asked: AskedPenetration, query: PenetrationImageQuery): string {
  const { method, descent } = asked;
  return descent === undefined ? method : `${method} by ${query} and ${DESCENT_WORDS[descent]}`;
}

/** Leaves out the shortest translation, which the answer has already. */
function withoutTranslational({ depth, pose, rotation, translation, evaluations, status }: GeneralizedPenetration) {
  return { depth, pose, rotation, translation, evaluations, status };
}

function describeGeneralized({ depth, rotation, status }: GeneralizedPenetration): [string, string] {
  const degrees = (Math.hypot(...rotation) * 180) / Math.PI;
  const how = status === 'rotation' ? `rotated by ${readable(degrees)}°` : 'no rotation was found that needs less';
  return ['turned too', status === 'separate' ? '0' : `at most ${readable(depth)}: ${how}`];
}

const REASON_WORDS: Record<GradientReason, string> = {
  touching: 'the models only touch',
  'several-vectors': 'another translation is as short',
  'several-contacts': 'the contacts after the translation do not determine the effect of a rotation',
  budget: 'too many cells would have to be examined',
};

function describeGradient({ unique, reason, translationA, rotationA }: PenetrationGradient): [string, string][] {
  const rows: [string, string][] = [
    ['gradient', reason === null || unique ? 'unique' : `not unique: ${REASON_WORDS[reason]}`],
    ['moving A', describeVector(translationA)],
  ];
  if (rotationA !== null) rows.push(['turning A', `${describeVector(rotationA)} per radian`]);
  return rows;
}

function describeWayOut({ vector, direction, pointA, featureA, pointB, featureB }: PenetrationResult) {
  if (direction === null) return [];
  const rows: [string, string][] = [
    ['vector', `${describeVector(vector)} moves A out of B`],
    ['direction', describeVector(direction)],
  ];
  // The pair of points that touch once A has moved; both are given for the current poses.
  if (pointA !== null) rows.push(['point of A', `${describeVector(pointA)} ${readableFeature(featureA)}`]);
  if (pointB !== null) rows.push(['comes to', `${describeVector(pointB)} ${readableFeature(featureB)} of B`]);
  return rows;
}

/** For people: components that are only rounding error are shown as zero. */
function describeVector(vector: Vec3): string {
  const noise = COORDINATE_ROUNDING * Math.max(...vector.map(Math.abs));
  return readableVector(vector.map((value) => (Math.abs(value) <= noise ? 0 : value)));
}

/** The rows of Table 2 of Kim, Otaduy, Lin and Manocha 2002. */
function levelTable(levels: readonly PenetrationLevel[]): string {
  return columns(
    ['level', 'pairs', 'culled %', 'sums', 'cull ms', 'sum ms', 'query ms', 'estimate'],
    levels.map(({ level, pairs, cullRatio, sums, cullMilliseconds, sumMilliseconds, queryMilliseconds, estimate }) => [
      String(level),
      readable(pairs),
      (100 * cullRatio).toFixed(1),
      readable(sums),
      cullMilliseconds.toFixed(2),
      sumMilliseconds.toFixed(2),
      queryMilliseconds.toFixed(2),
      readable(estimate),
    ]),
  );
}

/** The options of solidify, or false without --solidify. */
function takeSolidify(input: VerbInput): SolidifyOptions | false {
  const { resolution: usual, maxResolution: max } = FIELD_DEFAULTS.solid;
  const resolution = takeNumber(input, 'solid-resolution', usual, { min: 4, max, integer: true });
  if (input.values.solidify !== true) {
    if (input.values['solid-resolution'] === undefined) return false;
    throw new NearfieldError('bad-argument', '--solid-resolution is for --solidify; give both or leave it out');
  }
  for (const name of ['generalized', 'gradient']) {
    if (input.values[name] !== true) continue;
    throw new NearfieldError('bad-argument', `--${name} needs models that are solids; leave it or --solidify out`);
  }
  return { resolution };
}

/** What --solidify measured in place of the models. */
function describeSolidified({ solidified }: PenetrationResult): [string, string][] {
  if (solidified === undefined) return [];
  const { errorA, errorB } = solidified;
  return [['solids', `within ${readable(errorA)} of A and ${readable(errorB)} of B; the interval includes this`]];
}

/** Both models at their poses, with A moved by the vector. */
function placeApart(
  paths: readonly [string, string],
  { a, b }: LoadedModels,
  poseA: pose.Pose,
  poseB: pose.Pose,
  vector: ReadonlyVec3,
): ModelFile {
  const [tx, ty, tz, ...rotation] = poseA;
  const moved: pose.Pose = [...add([tx, ty, tz], vector), ...rotation];
  const [nameA, nameB] = paths.map((path) => basename(path));
  return {
    format: 'glb',
    meshes: [
      { name: nameA, mesh: a.mesh, color: [0.05, 0.3, 0.65, 1] },
      { name: nameB, mesh: b.mesh, color: [0.8, 0.35, 0.05, 1] },
    ],
    parts: [
      { name: nameA, meshIndex: 0, transform: pose.toMatrix4(moved) },
      { name: nameB, meshIndex: 1, transform: pose.toMatrix4(poseB) },
    ],
  };
}
