// Ice growth: a growth is kept from frame to frame and goes on while the question is one of its future; any other question
// grows it anew from the start, with the strokes at the steps at which they were painted.
import { NearfieldError, type ProgressOptions, partOfProgress } from 'nearfield/core';
import type { GpuDevice } from 'nearfield/gpu';
import {
  createIce,
  createIceOnModel,
  drawIce,
  type Ice,
  type IcePreset,
  type IceState,
  type IceStroke,
  type IceWork,
  iceMesh,
  measureIce,
} from 'nearfield/ice';
import { type PngImage, readPng, writeModel, writePng } from 'nearfield/io';
import type { Mesh } from 'nearfield/mesh';
import { coloredTiles } from '../samples/tiles.js';
import type { ColorImage } from '../viewer/image.js';
import type { Picture } from '../viewer/picture.js';
import { takeDevice } from './worker-device.js';

/** A stroke, and how many steps were done when it was painted. */
export interface TimedStroke extends IceStroke {
  readonly step: number;
}

export interface IceGrowthInput {
  readonly preset: string;
  /** Cells along a side; 0: what the device can do at once. */
  readonly size: number;
  readonly fold: number;
  /** In degrees. */
  readonly orientation: number;
  readonly delta: number;
  readonly latentHeat: number;
  readonly noise: number;
  readonly seed: number;
  readonly boundary: string;
  readonly backend: string;
  readonly steps: number;
  /** A JSON list of {@link TimedStroke}, earliest first. */
  readonly strokes: string;
  /** A stroke that is late by up to this many steps is painted when it comes, as while the ice plays. */
  readonly late: number;
}

export interface IceViewInput extends IceGrowthInput {
  readonly shows: string;
  /** A PNG file to lay below the ice; null: colored tiles. */
  readonly background: Uint8Array | null;
}

export interface FrostInput {
  readonly mesh: Mesh;
  readonly preset: string;
  readonly resolution: number;
  /** A share of the diagonal of the model. */
  readonly reach: number;
  readonly seeds: number;
  readonly seed: number;
  readonly backend: string;
  readonly steps: number;
}

/** Cells along a side with a GPU and without one. */
const SIZE_ON_GPU = 1024;
const SIZE_ON_CPU = 256;

interface Growth {
  readonly key: string;
  readonly ice: Ice;
  readonly where: string;
  painted: readonly TimedStroke[];
}

let plane: Growth | null = null;
let frost: (Growth & { readonly mesh: Mesh }) | null = null;
let lastBackground: { bytes: Uint8Array | null; image: PngImage } | null = null;

export const iceTasks = {
  /** The ice after some steps, to be shown. */
  async growIce(input: IceViewInput, options: ProgressOptions) {
    const { growth, state, milliseconds, work } = await growTo(input, options);
    const { ice } = growth;
    const [columns, rows] = state.size;
    const width = ice.spacing * (columns - 1);
    const height = ice.spacing * (rows - 1);
    const place = {
      corner: [state.origin[0], state.origin[1], 0],
      across: [width, 0, 0],
      up: [0, height, 0],
      columns,
      rows,
    } as const;
    const picture: Picture | null =
      input.shows === 'ice'
        ? null
        : {
            ...place,
            samples: Float32Array.from(input.shows === 'phase' ? state.phase : state.temperature),
            ...rangeOf(input.shows, state),
          };
    const image: ColorImage | null =
      input.shows === 'ice'
        ? { ...place, pixels: turnedRows(drawIce(state, { background: await backgroundOf(input.background) })) }
        : null;
    return {
      image,
      picture,
      side: ice.spacing * columns,
      size: columns,
      where: growth.where,
      precision: ice.precision,
      time: state.time,
      milliseconds,
      work,
      steps: state.steps,
      ...measureIce(state, ice.parameters),
    };
  },

  async savedIcePicture(input: IceViewInput, options: ProgressOptions): Promise<Uint8Array> {
    const { state } = await growTo(input, options);
    return writePng(drawIce(state, { background: await backgroundOf(input.background) }));
  },

  async savedIceMesh(input: IceGrowthInput, options: ProgressOptions): Promise<Uint8Array> {
    const { state } = await growTo(input, partOfProgress(options, 0, 0.5));
    return writeModel(iceMesh(state), 'glb');
  },

  /** Ice on a model after some steps. */
  async growFrost(input: FrostInput, options: ProgressOptions) {
    const { mesh, preset, resolution, reach, seeds, seed, backend, steps } = input;
    const key = JSON.stringify([preset, resolution, reach, seeds, seed, backend]);
    if (frost === null || frost.key !== key || frost.mesh !== mesh || frost.ice.steps > steps) {
      frost?.ice.free();
      frost = null;
      const { device, where } = await deviceFor(backend);
      const ice = await createIceOnModel(mesh, {
        ...partOfProgress(options, 0, 0.3),
        preset: preset as IcePreset,
        resolution,
        reach: reach * diagonalOf(mesh),
        seedCount: seeds,
        seed,
        device,
        backend: device === null ? 'cpu' : 'webgpu',
      });
      frost = { key, ice, where, painted: [], mesh };
    }
    const { ice, where } = frost;
    const start = performance.now();
    const wanted = steps - ice.steps;
    await ice.advance(wanted, partOfProgress(options, 0.3, 0.9));
    const milliseconds = performance.now() - start;
    const state = await ice.read();
    return {
      mesh: iceMesh(state),
      ...measureIce(state, ice.parameters),
      size: state.size,
      precision: ice.precision,
      where,
      steps: state.steps,
      stepped: wanted,
      milliseconds,
    };
  },
};

interface Grown {
  readonly growth: Growth;
  readonly state: IceState;
  readonly milliseconds: number;
  readonly work: IceWork;
}

async function growTo(input: IceGrowthInput, options: ProgressOptions): Promise<Grown> {
  const { steps, strokes: text, late, ...settings } = input;
  const { shows: _, background: __, ...growthSettings } = settings as Partial<IceViewInput>;
  const key = JSON.stringify(growthSettings);
  const strokes: TimedStroke[] = JSON.parse(text);
  const until = strokes.filter(({ step }) => step <= steps);
  const goesOn =
    plane !== null &&
    plane.key === key &&
    plane.ice.steps <= steps &&
    plane.painted.every((stroke, i) => JSON.stringify(stroke) === JSON.stringify(until[i])) &&
    until.slice(plane.painted.length).every(({ step }) => step >= plane!.ice.steps - late);
  if (!goesOn) {
    plane?.ice.free();
    plane = null;
    plane = await startGrowth(input, key);
  }
  const growth = plane!;
  const { ice } = growth;
  const from = ice.steps;
  const sum = { steps: 0, tiles: 0, computedTiles: 0, phaseTiles: 0 };
  const start = performance.now();
  const advanceTo = async (step: number): Promise<void> => {
    const share = (done: number): number => (steps === from ? 1 : (done - from) / (steps - from));
    const work = await ice.advance(step - ice.steps, partOfProgress(options, share(ice.steps), share(step)));
    for (const name of ['steps', 'tiles', 'computedTiles', 'phaseTiles'] as const) sum[name] += work[name];
  };
  for (const stroke of until.slice(growth.painted.length)) {
    if (stroke.step > ice.steps) await advanceTo(stroke.step);
    const { step: ___, ...plain } = stroke;
    ice.paint([plain]);
    growth.painted = [...growth.painted, stroke];
  }
  await advanceTo(steps);
  const milliseconds = performance.now() - start;
  return { growth, state: await ice.read(), milliseconds, work: sum };
}

async function startGrowth(input: IceGrowthInput, key: string): Promise<Growth> {
  const { device, where } = await deviceFor(input.backend);
  const size = input.size > 0 ? input.size : device === null ? SIZE_ON_CPU : SIZE_ON_GPU;
  const ice = await createIce({
    size: [size, size],
    preset: input.preset as IcePreset,
    parameters: {
      fold: input.fold,
      orientation: (input.orientation * Math.PI) / 180,
      delta: input.delta,
      latentHeat: input.latentHeat,
      noise: input.noise,
    },
    seed: input.seed,
    boundary: input.boundary as Ice['boundary'],
    device,
    backend: device === null ? 'cpu' : 'webgpu',
  });
  const smaller = device === null && input.size === 0 ? `, so only ${size}² cells` : '';
  return { key, ice, where: where + smaller, painted: [] };
}

/** A GPU if one is wanted and there is one that is not the CPU itself; and where the work is done, for people. */
async function deviceFor(backend: string): Promise<{ device: GpuDevice | null; where: string }> {
  if (backend === 'cpu') return { device: null, where: 'the CPU, as chosen' };
  try {
    const device = await takeDevice();
    if (backend === 'webgpu' || !device.isSoftware) return { device, where: device.name };
    return { device: null, where: 'the CPU: no GPU here' };
  } catch (error) {
    if (backend === 'auto' && error instanceof NearfieldError && error.code === 'no-gpu') {
      return { device: null, where: 'the CPU: no GPU here' };
    }
    throw error;
  }
}

async function backgroundOf(bytes: Uint8Array | null): Promise<PngImage> {
  if (lastBackground === null || lastBackground.bytes !== bytes) {
    const image = bytes === null ? coloredTiles() : await readPng(bytes);
    const pixels = image.pixels instanceof Uint8Array ? image.pixels : Uint8Array.from(image.pixels, (v) => v >> 8);
    lastBackground = { bytes, image: { ...image, pixels } };
  }
  return lastBackground.image;
}

/** From rows of three channels, the top first, to four channels, the bottom first. */
function turnedRows({ width, height, pixels }: PngImage): Uint8Array {
  const out = new Uint8Array(4 * width * height).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = 3 * ((height - 1 - y) * width + x);
      const to = 4 * (y * width + x);
      for (let channel = 0; channel < 3; channel++) out[to + channel] = pixels[from + channel];
    }
  }
  return out;
}

function rangeOf(shows: string, { temperature }: IceState): { low: number; high: number } {
  if (shows === 'phase') return { low: 0, high: 1 };
  let low = Infinity;
  let high = -Infinity;
  for (const value of temperature) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return { low, high: Math.max(high, low + 1e-6) };
}

function diagonalOf({ positions }: Mesh): number {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    min[i % 3] = Math.min(min[i % 3], positions[i]);
    max[i % 3] = Math.max(max[i % 3], positions[i]);
  }
  return Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}
