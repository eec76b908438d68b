import { NearfieldError } from '../../core/errors.js';
import { partOfProgress } from '../../core/progress.js';
import { BACKENDS } from '../../gpu/choose-backend.js';
import { createIce } from '../../ice/create-ice.js';
import type { Ice, IceState, IceWork } from '../../ice/ice.js';
import { measureIce } from '../../ice/measure-ice.js';
import type { IceOptions } from '../../ice/options.js';
import { ICE_DEFAULTS } from '../../ice/options.js';
import { ICE_PRESETS, type IceParameters, type IcePreset } from '../../ice/parameters.js';
import { iceMesh } from '../../ice/shape/ice-mesh.js';
import { createIceOnModel } from '../../ice/shape/ice-on-model.js';
import { drawIce } from '../../ice/shape/ice-picture.js';
import type { PngImage } from '../../io/image/png-image.js';
import { readPng } from '../../io/image/read-png.js';
import { writePng } from '../../io/image/write-png.js';
import { writeModel } from '../../io/model/write-model.js';
import type { Mesh } from '../../mesh/mesh.js';
import { acquireDevice, BACKEND_HELP, BACKEND_OPTION, describeBackend } from '../acquire-device.js';
import { takeChoice, takeNumber, takePositionals, takeString } from '../arguments.js';
import { assertWritable } from '../field/field-outputs.js';
import { extensionOf, loadMesh, nameFile, readBytes, saveBytes } from '../load-model.js';
import { openPool } from '../open-pool.js';
import { outputFormat } from '../output-format.js';
import { labeled, readable } from '../table.js';
import type { Answer, Verb, VerbInput } from '../verb.js';

const PRESETS = Object.keys(ICE_PRESETS) as IcePreset[];
/** Chosen: cells along a side unless --size says otherwise. */
const DEFAULT_SIZE = 256;
/** Chosen: cells along a side; the library refuses grids that are too large together. */
const MAX_SIZE = 16_384;
/** Chosen: steps unless --steps says otherwise. */
const DEFAULT_STEPS = 2000;
/** Chosen: threads; --workers refuses more. */
const MAX_WORKERS = 256;

export const ice: Verb = {
  name: 'ice',
  summary: 'grows ice by a phase field, in the plane, in space or on a model',
  usage: 'ice --preset P [--size N] [--steps N] [--seed S] -o F.png',
  help: `  --preset P           ${PRESETS.join(', ')} (default dendritic)
  --size N             cells along each side, of a model along its longest (default ${DEFAULT_SIZE}, in space and on a model 64)
  --steps N            steps (default ${DEFAULT_STEPS}). Steps of the presets are about ${ICE_PRESETS.dendritic.timestep} long; --json says
  --seed S             of the noise (default ${ICE_DEFAULTS.seed}). The same seed gives the same bytes on the CPU
  --depth N            cells along z: grow in space
  --model MODEL        grow on the surface of a closed model
  --fold J             preferred directions; --anisotropy D their strength, below 1; --orientation A the first, in degrees
  --latent-heat K      larger values branch more; --noise A starts side branches
  --temperature T      at the start (default: the preset's; the ice melts at 1)
  --boundary B         no-flux (default), fixed (walls keep the temperature) or periodic
  --scheme S           explicit (default) or semi-implicit: the temperature implicitly, with steps twice as long
  --no-band            compute still tiles too: the same result, slower
${BACKEND_HELP}
                       (default: cpu)
  --workers N          threads on the CPU (default 1): the same result on several cores
  -o, --output F       F.png: a picture; F.obj, F.stl, F.ply, F.off or F.glb: a closed mesh. May be repeated
  --over F.png         what lies below the ice in pictures, seen refracted

  nearfield ice --preset dendritic --size 512 --steps 4000 -o snow.png
  nearfield ice --model cup.stl --steps 1500 -o frost.glb`,
  options: {
    preset: { type: 'string' },
    size: { type: 'string' },
    steps: { type: 'string' },
    seed: { type: 'string' },
    depth: { type: 'string' },
    model: { type: 'string' },
    fold: { type: 'string' },
    anisotropy: { type: 'string' },
    orientation: { type: 'string' },
    'latent-heat': { type: 'string' },
    noise: { type: 'string' },
    temperature: { type: 'string' },
    boundary: { type: 'string' },
    scheme: { type: 'string' },
    'no-band': { type: 'boolean' },
    ...BACKEND_OPTION,
    workers: { type: 'string' },
    output: { type: 'string', short: 'o', multiple: true },
    over: { type: 'string' },
  },
  async run(input) {
    const asked = takeAll(input);
    await assertWritable([], asked.outputs);
    const background = asked.over === null ? undefined : await loadBackground(asked.over);
    const device = await acquireDevice(asked.growth.backend ?? 'cpu');
    const pool = openPool(asked.workers);
    try {
      const growth = { ...asked.growth, device, pool };
      const growing = await start(asked, growth, input);
      const started = performance.now();
      const work = await growing.advance(asked.steps, partOfProgress(input.progress, 0.1, 0.95));
      const state = await growing.read();
      const milliseconds = performance.now() - started;
      const meshes = asked.outputs.filter((path) => extensionOf(path) !== 'png');
      const mesh = meshes.length === 0 ? null : iceMesh(state);
      for (const path of asked.outputs) {
        if (mesh !== null && meshes.includes(path)) {
          await saveBytes(path, await writeModel(mesh, outputFormat(path, null)));
        } else await saveBytes(path, await writePng(drawIce(state, { background })));
      }
      const gpuName = growing.backend === 'webgpu' ? (device?.name ?? null) : null;
      return describeGrowth({ asked, growing, state, work, mesh, gpuName, milliseconds });
    } finally {
      pool?.close();
      device?.device.destroy();
    }
  },
};

/** A growth that has ended. */
interface Grown {
  readonly asked: Asked;
  readonly growing: Ice;
  readonly state: IceState;
  readonly work: IceWork;
  /** Of the ice, if a model file was asked for. */
  readonly mesh: Mesh | null;
  readonly gpuName: string | null;
  readonly milliseconds: number;
}

function describeGrowth({ asked, growing, state, work, mesh, gpuName, milliseconds }: Grown): Answer {
  const figures = measureIce(state, growing.parameters);
  const share = work.tiles === 0 ? 0 : work.computedTiles / work.tiles;
  return {
    json: {
      solidFraction: figures.solidFraction,
      steps: growing.steps,
      milliseconds,
      stepsPerSecond: milliseconds > 0 ? (1000 * asked.steps) / milliseconds : null,
      time: state.time,
      timestep: growing.timestep,
      size: growing.size,
      spacing: growing.spacing,
      freeEnergy: figures.freeEnergy,
      heat: figures.heat,
      extent: figures.extent,
      parameters: growing.parameters,
      scheme: growing.scheme,
      boundary: growing.boundary,
      precision: growing.precision,
      workers: Math.max(1, growing.workers),
      backend: growing.backend,
      ...(growing.fallback !== undefined && { fallback: growing.fallback }),
      ...(gpuName !== null && { device: gpuName }),
      work,
      ...(mesh !== null && {
        mesh: { vertices: mesh.positions.length / 3, triangles: mesh.indices.length / 3 },
      }),
      files: asked.outputs,
    },
    text: labeled([
      ['solid fraction', readable(figures.solidFraction)],
      ['size', `${growing.size.map(readable).join(' × ')} cells of ${readable(growing.spacing)}`],
      ['steps', `${readable(growing.steps)} of ${readable(growing.timestep)}, ${growing.scheme}`],
      ['computed', `${readable(Math.round(1000 * share) / 10)} % of the tiles`],
      ['on', describeBackend(gpuName, growing.fallback) + (growing.workers > 1 ? `, ${growing.workers} threads` : '')],
      ['milliseconds', milliseconds.toFixed(1)],
      ...(mesh === null ? [] : [['triangles', readable(mesh.indices.length / 3)] as const]),
      ...(asked.outputs.length > 0 ? [['files', asked.outputs.join(' ')] as const] : []),
    ]),
  };
}

type Asked = ReturnType<typeof takeAll>;

function takeAll(input: VerbInput) {
  takePositionals(input, 'ice', []);
  const preset = takeChoice(input, 'preset', PRESETS);
  const model = takeString(input, 'model');
  const hasDepth = takeString(input, 'depth') !== null;
  if (model !== null && hasDepth) {
    throw new NearfieldError('bad-argument', '--depth is for growth without a model; leave it or --model out');
  }
  const parameters: { -readonly [Name in keyof IceParameters]?: IceParameters[Name] } = {};
  for (const [option, name, range] of [
    ['fold', 'fold', { min: 0, max: 64, integer: true }],
    ['anisotropy', 'delta', { min: 0, max: 0.999 }],
    ['latent-heat', 'latentHeat', {}],
    ['noise', 'noise', { min: 0, max: 0.999 }],
  ] as const) {
    if (takeString(input, option) !== null) parameters[name] = takeNumber(input, option, 0, range);
  }
  if (takeString(input, 'orientation') !== null) {
    parameters.orientation = (takeNumber(input, 'orientation', 0, { min: -360, max: 360 }) * Math.PI) / 180;
  }
  const size = takeNumber(input, 'size', model !== null || hasDepth ? ICE_DEFAULTS.modelResolution : DEFAULT_SIZE, {
    min: 1,
    max: MAX_SIZE,
    integer: true,
  });
  const growth: Omit<IceOptions, 'size' | 'device' | 'pool'> = {
    preset,
    parameters,
    seed: takeNumber(input, 'seed', ICE_DEFAULTS.seed, { min: 0, max: 2 ** 32 - 1, integer: true }),
    temperature:
      takeString(input, 'temperature') === null
        ? undefined
        : takeNumber(input, 'temperature', 0, { min: -1e6, max: 1e6 }),
    boundary: takeChoice(input, 'boundary', ['no-flux', 'fixed', 'periodic']),
    scheme: takeChoice(input, 'scheme', ['explicit', 'semi-implicit']),
    band: input.values['no-band'] !== true,
    backend: takeChoice(input, 'backend', ['cpu', ...BACKENDS.filter((name) => name !== 'cpu')]),
  };
  const given = input.values.output;
  const outputs = Array.isArray(given) ? given.filter((path) => typeof path === 'string') : [];
  for (const path of outputs) if (extensionOf(path) !== 'png') outputFormat(path, null);
  return {
    model,
    size,
    depth: hasDepth ? takeNumber(input, 'depth', 0, { min: 2, max: MAX_SIZE, integer: true }) : null,
    steps: takeNumber(input, 'steps', DEFAULT_STEPS, { min: 0, max: 1e9, integer: true }),
    growth,
    outputs,
    over: takeString(input, 'over'),
    workers: takeNumber(input, 'workers', 1, { min: 1, max: MAX_WORKERS, integer: true }),
  };
}

async function start(asked: Asked, growth: Omit<IceOptions, 'size'>, input: VerbInput): Promise<Ice> {
  const { model, size, depth } = asked;
  if (model === null) return createIce({ ...growth, size: depth === null ? [size, size] : [size, size, depth] });
  const mesh = await loadMesh(model, partOfProgress(input.progress, 0, 0.02));
  return createIceOnModel(mesh, { ...growth, resolution: size, ...partOfProgress(input.progress, 0.02, 0.1) });
}

async function loadBackground(path: string): Promise<PngImage> {
  const bytes = await readBytes(path);
  const image = await readPng(bytes).catch((reason) =>
    nameFile(path, () => {
      throw reason;
    }),
  );
  if (image.pixels instanceof Uint8Array) return image;
  return { ...image, pixels: Uint8Array.from(image.pixels, (value) => value >> 8) };
}
