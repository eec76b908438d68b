import { NearfieldError } from '../../core/errors.js';
import { partOfProgress } from '../../core/progress.js';
import { CollisionCuller, CULLING_DEFAULTS } from '../../culling/collision-culler.js';
import type { CullResult } from '../../culling/cull-result.js';
import { BACKENDS } from '../../gpu/choose-backend.js';
import { mergeModel } from '../../io/model/model-file.js';
import type { Mesh } from '../../mesh/mesh.js';
import { acquireDevice, BACKEND_HELP, BACKEND_OPTION, describeBackend } from '../acquire-device.js';
import { takeChoice, takeNumber } from '../arguments.js';
import { loadModel, nameFile } from '../load-model.js';
import { columns, labeled, readable } from '../table.js';
import type { Answer, Verb, VerbInput } from '../verb.js';

/** Chosen: pairs that are printed without --json. */
const PAIRS_SHOWN = 30;

export const cull: Verb = {
  name: 'cull',
  summary: 'finds which of many objects may collide, and whose surfaces meet',
  usage: 'cull FILE… [--method cullide|lbvh] [--resolution N]',
  help: `Every part of the files is an object, in their order: the parts and instances of a GLB; an STL or OBJ file is one.
Any meshes will do, open or closed. Objects meet if their surfaces have a point in common; one inside another does not meet it.
  --method M           lbvh (default): hierarchies of boxes; cullide: visibility in three views (Govindaraju et al. 2003)
  --resolution N       of cullide: pixels along each side of a view, at most 4096 (default ${CULLING_DEFAULTS.resolution})
  --self               also objects whose surface meets itself (lbvh)
${BACKEND_HELP};
                       (default: cpu)

  nearfield cull a.stl b.stl c.stl
  nearfield cull gearbox.glb --method cullide --resolution 1024 --json | jq .exactPairs`,
  options: {
    method: { type: 'string' },
    resolution: { type: 'string' },
    self: { type: 'boolean' },
    ...BACKEND_OPTION,
  },
  async run(input) {
    const method = takeChoice(input, 'method', ['auto', 'cullide', 'lbvh']);
    const resolution = takeNumber(input, 'resolution', CULLING_DEFAULTS.resolution, {
      min: 1,
      max: 4096,
      integer: true,
    });
    const backend = takeChoice(input, 'backend', ['cpu', ...BACKENDS.filter((word) => word !== 'cpu')]);
    const selfCollision = input.values.self === true;
    const { objects, names } = await loadObjects(input);
    const device = await acquireDevice(backend);
    try {
      const culler = new CollisionCuller({ method, resolution, selfCollision, backend, device });
      const start = performance.now();
      const result = await culler.cull(objects);
      const milliseconds = performance.now() - start;
      const deviceName = result.backend === 'webgpu' ? (device?.name ?? null) : null;
      return describeCulling({ result, names, resolution, selfCollision, deviceName, milliseconds });
    } finally {
      device?.device.destroy();
    }
  },
};

/** The result of a culling, with what the answer says beside it. */
interface Culled {
  readonly result: CullResult;
  /** The names of the objects. */
  readonly names: readonly string[];
  readonly resolution: number;
  readonly selfCollision: boolean;
  readonly deviceName: string | null;
  readonly milliseconds: number;
}

function describeCulling({ result, names, resolution, selfCollision, deviceName, milliseconds }: Culled): Answer {
  const exactPairs = pairsOf(result.exactPairs!);
  return {
    json: {
      potential: [...result.potential],
      pairs: pairsOf(result.pairs),
      exactPairs,
      trianglePairs: result.trianglePairs,
      stages: result.stages,
      method: result.method,
      resolution: result.method === 'cullide' ? resolution : null,
      ...(selfCollision && { selfColliding: [...result.selfColliding!] }),
      counters: result.counters,
      backend: result.backend,
      ...(result.fallback !== undefined && { fallback: result.fallback }),
      device: deviceName,
      names,
      milliseconds,
    },
    text: [
      labeled([
        ['objects', readable(names.length)],
        ['may collide', `${readable(result.potential.length)}, in ${readable(result.pairs.length / 2)} pairs`],
        ['collide', `${readable(exactPairs.length)} pairs, ${readable(result.trianglePairs ?? 0)} pairs of triangles`],
        ...(selfCollision ? [['meet themselves', readable(result.selfColliding!.length)] as const] : []),
        ['method', result.method],
        ['computed on', describeBackend(deviceName, result.fallback)],
        ['milliseconds', milliseconds.toFixed(1)],
      ]),
      '',
      columns(
        ['stage', 'objects', 'triangles'],
        result.stages.map((stage) => [stage.name, readable(stage.objects), readable(stage.triangles)]),
      ),
      ...(exactPairs.length === 0
        ? []
        : [
            '',
            columns(
              ['object', 'meets'],
              exactPairs.slice(0, PAIRS_SHOWN).map(([a, b]) => [names[a], names[b]]),
            ),
          ]),
      ...(exactPairs.length > PAIRS_SHOWN
        ? [`… and ${readable(exactPairs.length - PAIRS_SHOWN)} more pairs: --json has them all`]
        : []),
    ].join('\n'),
  };
}

/** The parts of all files in the world frame, with their names. */
async function loadObjects({ positionals, progress }: VerbInput): Promise<{ objects: Mesh[]; names: string[] }> {
  if (positionals.length === 0) {
    throw new NearfieldError('bad-argument', 'cull takes FILE…, at least one model. See nearfield cull --help');
  }
  const objects: Mesh[] = [];
  const names: string[] = [];
  for (const [index, file] of positionals.entries()) {
    const share = 0.9 / positionals.length;
    const model = await loadModel(file, partOfProgress(progress, index * share, (index + 1) * share));
    if (model.parts.length === 0) nameFile(file, () => mergeModel(model));
    for (const part of model.parts) {
      objects.push(nameFile(file, () => mergeModel({ ...model, parts: [part] })));
      names.push(model.parts.length === 1 ? file : `${file}: ${part.name}`);
    }
  }
  return { objects, names };
}

function pairsOf(numbers: Uint32Array): [number, number][] {
  return Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i], numbers[2 * i + 1]]);
}
