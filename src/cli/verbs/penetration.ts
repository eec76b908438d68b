import { basename } from 'node:path';
import * as pose from '../../core/pose.js';
import { partOfProgress } from '../../core/progress.js';
import { add, type ReadonlyVec3, type Vec3 } from '../../core/vec3.js';
import type { ModelFile } from '../../io/model-file.js';
import { writeModel } from '../../io/write-model.js';
import { measurePenetration } from '../../penetration/measure-penetration.js';
import { type Descent, IMAGE_QUERIES } from '../../penetration/options.js';
import type { PenetrationLevel, PenetrationResult, PenetrationStatus } from '../../penetration/result.js';
import { preparePenetration } from '../../penetration/solid.js';
import { acquireDevice, BACKEND_HELP, BACKEND_OPTION, BACKENDS } from '../acquire-device.js';
import { takeChoice, takePose, takePositionals, takeString } from '../arguments.js';
import { saveBytes } from '../load-model.js';
import { type LoadedModels, loadModels } from '../load-proximity.js';
import { OUTPUT_FORMATS_HELP, outputFormat } from '../output-format.js';
import { PENETRATION_HELP, PENETRATION_OPTIONS, takePenetrationOptions } from '../penetration-options.js';
import { columns, labelled, readable, readableFeature, readableVector } from '../table.js';
import type { Verb } from '../verb.js';

export const penetration: Verb = {
  name: 'penetration',
  summary: 'how deep two solids overlap: the shortest translation of A that parts them',
  usage: 'penetration A B [--pose-a P] [--pose-b P] [--resolution N] [--backend B] [-o SEPARATED]',
  help: `Both models must be closed, with faces that look outward and do not cross. Points and vectors are in the world frame.
The depth is global: the shortest way out in any direction, however the surfaces cross. The vector is confirmed by an
exact test: A moved by it no longer intersects B. Unless both are convex, a still shorter way may have been overlooked.
  --pose-a P, --pose-b P   where the models stand: tx,ty,tz,qx,qy,qz,qw (default: as in their files)
${PENETRATION_HELP}
  --query Q            how the views are made: rays (default), or windows, drawn with depth and stencil
${BACKEND_HELP}
  -o, --output OUT     writes both models as they stand with A moved out; .glb keeps them apart
${OUTPUT_FORMATS_HELP}

  nearfield penetration bolt.stl bracket.stl
  nearfield penetration a.obj b.obj --pose-b 0.2,0,0,0,0,0,1 --resolution 512 -o apart.glb
  nearfield penetration a.obj b.obj --backend cpu --json | jq .vector`,
  options: {
    'pose-a': { type: 'string' },
    'pose-b': { type: 'string' },
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
    const query = takeChoice(input, 'query', IMAGE_QUERIES);
    const asked = takePenetrationOptions(input, query);
    const backend = takeChoice(input, 'backend', BACKENDS);
    const output = takeString(input, 'output');
    const format = output === null ? null : outputFormat(output, takeString(input, 'format'));
    const models = await loadModels(pathA, pathB, preparePenetration, partOfProgress(input.progress, 0, 0.5));
    const gpu = await acquireDevice(backend);
    let result: PenetrationResult;
    try {
      result = await measurePenetration(models.a, models.b, poseA, poseB, {
        ...partOfProgress(input.progress, 0.5, 1),
        ...asked,
        query,
        backend: gpu === null ? 'cpu' : 'webgpu',
        device: gpu ?? undefined,
      });
    } finally {
      gpu?.device.destroy();
    }
    if (output !== null && format !== null) {
      const separated = placeApart([pathA, pathB], models, poseA, poseB, result.vector);
      await saveBytes(output, await writeModel(separated, format));
    }
    const device = result.backend === 'webgpu' && gpu !== null ? gpu.name : null;
    const { preprocessMs } = models;
    return {
      json: {
        ...result,
        query,
        descent: asked.descent,
        ...(device !== null && { device }),
        preprocessMs,
        ...(output !== null && { output }),
      },
      text: [
        labelled([
          ['A', pathA],
          ['B', pathB],
          ['intersects', result.intersects ? 'yes' : 'no'],
          ['depth', `${readable(result.depth)}: ${describeStatus(result)}`],
          ...describeWayOut(result),
          ['method', `${result.method} by ${query} and ${DESCENT_WORDS[asked.descent]}, on ${device ?? 'the CPU'}`],
          ['milliseconds', `${result.milliseconds.toFixed(1)}, after ${preprocessMs.toFixed(1)} to prepare`],
          ...(output === null ? [] : [['output', output] as const]),
        ]),
        ...(result.levels.length === 0 ? [] : ['', levelTable(result.levels)]),
      ].join('\n'),
    };
  },
};

/** What a coordinate may be off by, as a share of the largest. */
const ROUNDING = 1e-12;

const STATUS_WORDS: Record<PenetrationStatus, string> = {
  separate: 'the models do not overlap',
  exact: 'exact, both models are convex',
  certified: 'certified: no shorter way out than the lower bound',
  budget: 'the budget was spent before the gap was closed; the interval holds all the same',
  'upper-estimate': 'an upper estimate; this far parts the models, a shorter way may too',
};

const DESCENT_WORDS: Record<Descent, string> = {
  probes: 'probes',
  levels: 'descent by levels',
  none: 'all pairs of pieces',
};

function describeStatus({ status, intersects }: PenetrationResult): string {
  return status === 'separate' && intersects ? 'the models only touch' : STATUS_WORDS[status];
}

function describeWayOut({ vector, direction, pointA, featureA, pointB, featureB }: PenetrationResult) {
  if (direction === null) return [];
  const rows: [string, string][] = [
    ['vector', `${describeVector(vector)} moves A out of B`],
    ['direction', describeVector(direction)],
  ];
  // The pair that touches when A has come out; both are given as the models stand now.
  if (pointA !== null) rows.push(['point of A', `${describeVector(pointA)} ${readableFeature(featureA)}`]);
  if (pointB !== null) rows.push(['comes to', `${describeVector(pointB)} ${readableFeature(featureB)} of B`]);
  return rows;
}

/** For people, parts of a vector that are only rounding are zero. */
function describeVector(vector: Vec3): string {
  const noise = ROUNDING * Math.max(...vector.map(Math.abs));
  return readableVector(vector.map((value) => (Math.abs(value) <= noise ? 0 : value)));
}

/** The rows of the document's Table 2. */
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

/** Both models where they stand, with A moved by the vector. */
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
