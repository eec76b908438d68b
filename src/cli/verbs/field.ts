import type { Cluster } from '../../cluster/cluster.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress } from '../../core/progress.js';
import { denseField } from '../../field/any-field.js';
import { FIELD_DEFAULTS } from '../../field/field-options.js';
import { type FieldRange, layersOf, rangeOfField } from '../../field/files/field-layers.js';
import { drawField } from '../../field/files/field-picture.js';
import type { GridFrame } from '../../field/grid.js';
import { extractIsosurface } from '../../field/isosurface/isosurface.js';
import { writePng } from '../../io/image/write-png.js';
import { OUTPUT_FORMATS, type OutputFormat, writeModel } from '../../io/model/write-model.js';
import { type Mesh, triangleCount } from '../../mesh/mesh.js';
import { takeChoice, takeNumber, takePositionals, takeString } from '../arguments.js';
import { CLUSTER_HELP, CLUSTER_OPTIONS, withCluster } from '../cluster/open-cluster.js';
import {
  AGAINST_HELP,
  AGAINST_OPTIONS,
  type Comparison,
  compareField,
  takeComparison,
} from '../field/compare-field.js';
import {
  describeDifference,
  describeError,
  describeMethod,
  describeProbe,
  describeRange,
  describeUpdate,
} from '../field/describe-field.js';
import { paintDifferences } from '../field/field-difference-picture.js';
import { GRID_HELP, GRID_OPTIONS, gridFor, parseLength, takeGrid } from '../field/field-grid.js';
import {
  type AskedSlice,
  assertWritable,
  FIELD_OUTPUTS_HELP,
  type FieldOutput,
  parseOutput,
  parseSlice,
  saveField,
  takeTexts,
} from '../field/field-outputs.js';
import { loadSpeed } from '../field/field-speed.js';
import {
  type AskedField,
  type MadeField,
  METHOD_HELP,
  METHOD_OPTIONS,
  makeField,
  sliceOf,
  takeField,
} from '../field/make-field.js';
import { MOVE_HELP, MOVE_OPTIONS, type MovedField, makeMovedField, takeMove } from '../field/move-field.js';
import { type FieldProbe, PROBE_HELP, PROBE_OPTIONS, probeField, takeProbes } from '../field/probe-field.js';
import { extensionOf, loadMesh, nameFile, saveBytes } from '../load-model.js';
import { labeled, readable, readableVector } from '../table.js';
import type { Verb, VerbInput } from '../verb.js';

/** Chosen: files listed by name; if there are more, they are counted. */
const MAX_NAMED_FILES = 6;
/**
 * Proven: how far a sparse band must reach beyond an isosurface, in spacings: a cell's diagonal, 1.733, plus
 * rounding.
 */
const ISOSURFACE_ROOM = 1.75;

export const field: Verb = {
  name: 'field',
  summary: 'computes signed distances to a model at the nodes of a grid',
  usage: 'field MODEL [--resolution N] [--method M] [--order 1|2] [--box X0,Y0,Z0,X1,Y1,Z1] [-o F.npy]',
  help: `Distances are negative inside. An open model gets its sign from the winding number, with a warning.
${GRID_HELP}
${METHOD_HELP}
${CLUSTER_HELP}
                       (for --sparse: blocks of the field are the jobs)
${MOVE_HELP}
${AGAINST_HELP}
${PROBE_HELP}
${FIELD_OUTPUTS_HELP}
  --precision P        number type of .npy and .raw files: float32 (default) or float64
  --slice AXIS=POSITION   the plane shown in F.png and D.png (default: the middle of the z axis)
  --isolines H         the distance between isolines in F.png (default: one line, at the surface)
  --isosurface S.obj   write an isosurface as a model; the extension selects the format
  --level L            the distance of the isosurface (default 0); negative is inside
  --cap                close the isosurface where it reaches the box

  nearfield field part.stl --resolution 128 -o part.npy
  nearfield field part.stl --method fast-marching --order 2 --box -1,-1,-1,1,1,1 -o part.npy -o part.png --slice x=0
  nearfield field part.stl --method fast-marching --order 1 --against exact --difference error.png
  nearfield field part.stl --moved dented.stl --json | jq .update
  nearfield field part.stl --resolution 1000 --sparse --isosurface offset.stl --level 0.001
  nearfield field part.stl --resolution 4000 --sparse --isosurface offset.stl --cluster redis://queue.local:6379`,
  options: {
    ...GRID_OPTIONS,
    ...METHOD_OPTIONS,
    ...CLUSTER_OPTIONS,
    ...MOVE_OPTIONS,
    ...AGAINST_OPTIONS,
    ...PROBE_OPTIONS,
    output: { type: 'string', short: 'o', multiple: true },
    precision: { type: 'string' },
    slice: { type: 'string' },
    isolines: { type: 'string' },
    isosurface: { type: 'string' },
    level: { type: 'string' },
    cap: { type: 'boolean' },
  },
  async run(input) {
    const asked = takeAll(input);
    await assertWritable(
      [...asked.outputs.list, ...(asked.comparison?.output ? [asked.comparison.output] : [])],
      asked.surface === null ? [] : [asked.surface.path],
    );
    const computed = await withCluster(input, (cluster) =>
      computeAll(asked, cluster, partOfProgress(input.progress, 0, 0.85)),
    );
    const files = await saveAll(asked, computed, partOfProgress(input.progress, 0.85, 1));
    const { made, updated, compared, probed, offset } = computed;
    const { field, range, milliseconds } = made;
    return {
      json: {
        origin: field.origin,
        spacing: field.spacing,
        size: field.size,
        ...factsOf(made, asked.field),
        minimum: range.least,
        maximum: range.greatest,
        uncomputed: range.unknown,
        milliseconds,
        counters: made.counters,
        ...(updated !== null && { update: updated.update }),
        ...(compared !== null && { difference: compared.measured }),
        ...(probed.length > 0 && { probes: probed }),
        ...(offset !== null && { isosurface: { triangles: triangleCount(offset) } }),
        files,
      },
      text: labeled([
        ['model', asked.path],
        ['size', `${field.size.join(' × ')} nodes`],
        ['spacing', `${readable(field.spacing)} from ${readableVector(field.origin)}`],
        ['range', describeRange(range)],
        ['method', describeMethod(made, asked.field)],
        ['error', describeError(field.error)],
        ['closed', field.closed ? 'yes' : 'no'],
        ['milliseconds', milliseconds.toFixed(1)],
        ...(updated === null ? [] : describeUpdate(updated)),
        ...(compared === null ? [] : [['difference', describeDifference(compared)] as const]),
        ...probed.map((probe) => ['probe', describeProbe(probe)] as const),
        ...describeFiles(files),
      ]),
      warnings: warningsFor(asked.move?.path ?? asked.path, made),
    };
  },
};

type Asked = ReturnType<typeof takeAll>;

/** All options, checked before any file is read. */
function takeAll(input: VerbInput) {
  const [path] = takePositionals(input, 'field', ['MODEL']);
  const field = takeField(input);
  const comparison = takeComparison(input, field);
  return {
    path,
    grid: takeGrid(input),
    field,
    move: takeMove(input, field),
    comparison,
    probes: takeProbes(input),
    outputs: takeOutputs(input, comparison?.output ?? null),
    precision: takeChoice(input, 'precision', ['float32', 'float64']),
    surface: takeSurface(input),
  };
}

interface Computed {
  readonly made: MadeField;
  /** The same field if it comes from an update. */
  readonly updated: MovedField | null;
  readonly compared: Comparison | null;
  readonly probed: readonly FieldProbe[];
  /** The isosurface. */
  readonly offset: Mesh | null;
}

async function computeAll(asked: Asked, cluster: Cluster | null, progress: ProgressOptions): Promise<Computed> {
  const { path, field, move, comparison, surface } = asked;
  const mesh = await loadMesh(path, partOfProgress(progress, 0, 0.05));
  const moved = move === null ? null : await loadMesh(move.path, partOfProgress(progress, 0.05, 0.1));
  const frame = nameFile(path, () => gridFor(asked.grid, moved === null ? [mesh] : [mesh, moved], field.sparse));
  const speed = field.speedFile === null ? undefined : await loadSpeed(field.speedFile, frame);
  const how = { ...field, speed, maxDistance: reachFor(asked, frame) };
  const part = partOfProgress(progress, 0.1, comparison === null ? 0.95 : 0.6);
  const updated = move === null || moved === null ? null : makeMovedField(mesh, moved, frame, how, move, part);
  const made = updated ?? (await makeField(mesh, frame, how, cluster, part));
  const shown = moved ?? mesh;
  const compared =
    comparison && compareField(denseField(made.field), shown, comparison, how, partOfProgress(progress, 0.6, 0.95));
  const probed = probeField(made, shown, asked.probes);
  const offset =
    surface && extractIsosurface(made.field, surface.level, { ...partOfProgress(progress, 0.95, 1), cap: surface.cap });
  if (surface !== null && offset?.indices.length === 0) {
    throw new NearfieldError(
      'bad-argument',
      `${path}: no value of the field is --level ${surface.level}; its range is ${describeRange(made.range)}`,
    );
  }
  return { made, updated, compared, probed, offset };
}

/** How far from the surface to compute. A sparse band reaches at least as far as its isosurface needs. */
function reachFor({ field, surface }: Asked, { spacing }: GridFrame): number | undefined {
  const { maxDistance } = field;
  if (!field.sparse || surface === null) return maxDistance;
  const needed = Math.abs(surface.level) + ISOSURFACE_ROOM * spacing;
  if (maxDistance === undefined) return Math.max(needed, FIELD_DEFAULTS.sparseBandWidth * spacing);
  if (maxDistance >= needed) return maxDistance;
  throw new NearfieldError(
    'bad-argument',
    `--max-distance is ${maxDistance}; the isosurface at ${surface.level} needs ${needed} in a sparse field. Raise it, or leave it out`,
  );
}

/** Writes all outputs and returns their paths. Pictures are painted first, before any file is written. */
async function saveAll(asked: Asked, computed: Computed, progress: ProgressOptions): Promise<string[]> {
  const { field, outputs, comparison, surface, precision } = asked;
  const { made, compared, offset } = computed;
  const picture = outputs.list.some(({ kind }) => kind === 'picture')
    ? await drawField(sliceOf(made.field, outputs.slice), { isolines: outputs.isolines })
    : null;
  const differencePicture =
    compared !== null && comparison?.output?.kind === 'picture'
      ? await writePng(paintDifferences(sliceOf(compared.differences, outputs.slice), compared.measured.max))
      : null;
  const files: string[] = [];
  const how = { ...progress, precision };
  for (const output of outputs.list) {
    const facts = factsOf(made, field);
    files.push(
      ...(await saveField(output, layersOf(made.field), picture, { ...how, facts, largest: largestOf(made.range) })),
    );
  }
  if (compared !== null && comparison?.output) {
    const layers = layersOf(compared.differences);
    const facts = { method: field.method, order: field.marchOrder, against: compared.measured.against };
    const largest = largestOf(rangeOfField(layers));
    files.push(...(await saveField(comparison.output, layers, differencePicture, { ...how, facts, largest })));
  }
  if (surface !== null && offset !== null) {
    await saveBytes(surface.path, await writeModel(offset, surface.format));
    files.push(surface.path);
  }
  return files;
}

function largestOf({ least, greatest }: FieldRange): number {
  return Math.max(0, -least, greatest);
}

interface AskedOutputs {
  readonly list: readonly FieldOutput[];
  readonly slice: AskedSlice | null;
  readonly isolines: number | undefined;
}

function takeOutputs(input: VerbInput, difference: FieldOutput | null): AskedOutputs {
  const list = takeTexts(input, 'output').map(parseOutput);
  const slice = takeString(input, 'slice');
  const isolines = takeString(input, 'isolines');
  const draws = list.some(({ kind }) => kind === 'picture');
  if (slice !== null && !draws && difference?.kind !== 'picture') {
    throw new NearfieldError(
      'bad-argument',
      '--slice is for a picture; add -o F.png or --difference D.png, or leave it out',
    );
  }
  if (isolines !== null && !draws) {
    throw new NearfieldError('bad-argument', '--isolines is for a picture; add -o F.png, or leave it out');
  }
  return {
    list,
    slice: slice === null ? null : parseSlice(slice),
    isolines: isolines === null ? undefined : parseLength(isolines, '--isolines'),
  };
}

interface AskedSurface {
  readonly path: string;
  readonly level: number;
  readonly cap: boolean;
  readonly format: OutputFormat;
}

function takeSurface(input: VerbInput): AskedSurface | null {
  const path = takeString(input, 'isosurface');
  const level = takeNumber(input, 'level', 0);
  const cap = input.values.cap === true;
  if (path === null) {
    if (input.values.level === undefined && !cap) return null;
    throw new NearfieldError('bad-argument', '--level and --cap need --isosurface S.obj; add it, or leave them out');
  }
  if (cap && input.values.sparse) {
    throw new NearfieldError(
      'bad-argument',
      '--cap needs values on the whole box, which --sparse omits; leave one out',
    );
  }
  const format = OUTPUT_FORMATS.find((candidate) => candidate === extensionOf(path));
  if (format === undefined) {
    throw new NearfieldError(
      'bad-argument',
      `${path}: no format has this extension; use .obj, .stl, .ply, .off or .glb`,
    );
  }
  return { path, level, cap, format };
}

function factsOf({ field, fallback, device }: MadeField, asked: AskedField) {
  const { signed, closed, error } = field;
  return {
    method: asked.method,
    order: asked.marchOrder,
    sides: asked.sides,
    signed,
    closed,
    error,
    sparse: asked.sparse,
    backend: device === null ? 'cpu' : 'webgpu',
    ...(fallback !== undefined && { fallback }),
    ...(device !== null && { device }),
    ...(asked.speedFile !== null && { speed: asked.speedFile }),
  };
}

function warningsFor(path: string, { field: { signed, closed } }: MadeField): string[] {
  if (closed || !signed) return [];
  return [
    `${path} is open or not consistently oriented: the sign comes from the winding number and jumps across the holes; ` +
      'repair the model, or use --sign none',
  ];
}

function describeFiles(files: readonly string[]): [string, string][] {
  if (files.length === 0) return [];
  const named = files.length <= MAX_NAMED_FILES ? files : [files[0], '…', ...files.slice(-2)];
  return [['files', named.length < files.length ? `${files.length}: ${named.join(' ')}` : named.join(' ')]];
}
