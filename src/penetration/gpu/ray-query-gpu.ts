// The image query on a GPU. It makes the sums of all pairs of pieces within the bound and follows the rays of six
// views: a few first, which lowers the bound, then all at full resolution. The nearest exits are read back, finished in
// double precision on the CPU and confirmed there; so single precision decides only which rays are examined.
import { NearfieldError } from '../../core/errors.js';
import { readBuffers } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { GpuFaults } from '../../gpu/faults.js';
import type { Separation } from '../separation.js';
import type { Solid } from '../solid.js';
import { CUBE_AXES, pixelCenter } from '../union/cube-views.js';
import type { LeafSums } from '../union/leaf-sums.js';
import { NodeBoxes } from '../union/node-boxes.js';
import { probeRays } from '../union/probe-rays.js';
import type { UnionRays } from '../union/union-rays.js';
import { CloseSums } from './close-sums-gpu.js';
import { ExitFinish, type ExitOffers } from './exit-finish-gpu.js';
import { GpuLeafPairs } from './leaf-pairs-gpu.js';
import { GpuMinkowskiPlanes, PLANE_SIZE, unitOfPair } from './minkowski-planes-gpu.js';
import { GpuRayExits, type TileExit } from './ray-exits-gpu.js';
import { uploadSolid } from './solid-gpu.js';

/** Chosen: rays along the side of the first views, which only lower the bound. */
const PROBE_RESOLUTION = 16;
/** Rounding: bounds below this share of the two models' radii are too close to the rounding of single precision. */
const SHALLOW = 1e-4;
/** Chosen: an exit within this many pixel widths of the best may lead to a better one. */
const NEAR_MISS = 4;
/** Chosen: exits finished after the probes. */
const MAX_PROBES_FINISHED = 1;
/** Chosen: exits finished after the other rays. Walks from neighboring exits may end apart. */
const MAX_FINISHED = 2;
/** Chosen: attempts to give each sum enough room for its planes. */
const MAX_ATTEMPTS = 8;

/** Where the time of a query went, in milliseconds. */
export interface GpuRayTimings {
  /** Uploading models not seen before, boxes, and the list of pairs. */
  cull: number;
  /** Writing commands and small buffers, in both rounds. */
  encode: number;
  /** Waiting for the sums, if the query waits in between; else 0, and the time is part of `probes`. */
  build: number;
  /** Waiting for the probes, including read-back. */
  probes: number;
  /** Waiting for the rays at full resolution, including read-back. */
  rays: number;
  /** Finishing exits on the CPU, in both rounds. */
  finish: number;
  /** Sums made on the device. */
  sums: number;
  /** The share of tiles at full resolution that were settled as a whole. */
  settled: number;
  /** Exits finished in double precision. */
  finished: number;
}

/** A query with its memory on the device. One call of {@link GpuRayQuery.run} at a time. */
export class GpuRayQuery {
  /** Timings of the last call of {@link run}. */
  timings: GpuRayTimings = noTimings();
  readonly #faults: GpuFaults;
  readonly #pairs = new GpuLeafPairs();
  readonly #planes: GpuMinkowskiPlanes;
  readonly #exits: GpuRayExits;
  readonly #finish = new ExitFinish();
  readonly #gpu: GpuDevice;
  readonly #timesBuild;

  /** @param timesBuild whether to wait between making sums and following rays, so that each is timed. */
  constructor(gpu: GpuDevice, timesBuild = false) {
    this.#gpu = gpu;
    this.#timesBuild = timesBuild;
    this.#faults = new GpuFaults(gpu);
    this.#planes = new GpuMinkowskiPlanes(gpu);
    this.#exits = new GpuRayExits(gpu);
  }

  /**
   * Whether the GPU can answer. It cannot where voids are possible, since their point tests run on the CPU only, nor
   * where the bound is too small for single precision; few sums are left then.
   */
  static suits(a: Solid, b: Solid, union: UnionRays, separation: Separation): boolean {
    return union.voids === null && separation.distance > SHALLOW * unitOfPair(a, b);
  }

  /**
   * Searches for exits nearer than the best and offers them. `leaves` and `union` share their sums, made when needed.
   * @returns How many rays were followed.
   * @throws NearfieldError `too-large` if the sums do not fit on the device; errors of the device pass through.
   */
  async run(
    a: Solid,
    b: Solid,
    placement: Float64Array,
    leaves: LeafSums,
    union: UnionRays,
    separation: Separation,
    resolution: number,
  ): Promise<number> {
    this.timings = noTimings();
    const timings = this.timings;
    let clock = performance.now();
    const lap = (phase: keyof GpuRayTimings): void => {
      const now = performance.now();
      timings[phase] += now - clock;
      clock = now;
    };
    const unit = unitOfPair(a, b);
    const boxes = new NodeBoxes(a, b, placement);
    const [gpuA, gpuB] = this.#faults.watch('Pieces', () => [uploadSolid(this.#gpu, a), uploadSolid(this.#gpu, b)]);
    const close = new CloseSums(leaves, placement, boxes, separation.size);
    const offers: ExitOffers = { close, union, separation, unit };
    const finish = (tiles: readonly TileExit[], size: number, nearMiss: number, most: number): void => {
      timings.finished += this.#finishExits(tiles, size, nearMiss, most, offers);
    };
    const listPairs = (): number => {
      this.#pairs.collect(a, b, gpuA, gpuB, boxes, separation.distance, unit);
      return this.#pairs.planeCount;
    };
    for (let attempt = 1; ; attempt++) {
      // If their sums do not fit, a few rays on the CPU lower the bound first.
      if (listPairs() > this.#mostPlanes) probeRays(leaves, union, separation);
      if (this.#pairs.planeCount > this.#mostPlanes && listPairs() > this.#mostPlanes) throw tooLarge();
      lap('cull');
      if (this.#pairs.count === 0) return 0;
      this.#faults.watch('Sums', () =>
        this.#submit((pass) => this.#planes.encode(pass, a, b, gpuA, gpuB, placement, this.#pairs)),
      );
      lap('encode');
      const { tiles, needed } = await this.#probe(separation.distance / unit, lap);
      if (needed === 0) {
        finish(this.#exits.listTiles(tiles), PROBE_RESOLUTION, 0, MAX_PROBES_FINISHED);
        lap('finish');
        break;
      }
      if (attempt === MAX_ATTEMPTS) throw tooLarge();
      this.#pairs.edgeRoom *= Math.max(2, needed / 16);
    }
    timings.sums = this.#pairs.count;
    const nearMiss = NEAR_MISS / resolution;
    this.#trace(resolution, (separation.distance / unit) * (1 + nearMiss));
    lap('encode');
    const [tiles] = await this.#read([this.#exits.tileExits]);
    lap('rays');
    const listed = this.#exits.listTiles(tiles);
    timings.settled = this.#exits.settled / this.#exits.tileCount;
    finish(listed, resolution, nearMiss, MAX_FINISHED);
    lap('finish');
    return CUBE_AXES.length * (PROBE_RESOLUTION ** 2 + resolution ** 2);
  }

  /** Follows the probes within a bound; `needed` is the room that the sums lacked. */
  async #probe(bound: number, lap: (phase: keyof GpuRayTimings) => void) {
    if (this.#timesBuild) {
      await this.#gpu.device.queue.onSubmittedWorkDone();
      lap('build');
    }
    this.#faults.watch('Probes', () =>
      this.#submit((pass) => this.#exits.encodeProbes(pass, this.#planes, PROBE_RESOLUTION, bound)),
    );
    lap('encode');
    const [tiles, shortage] = await this.#read([
      this.#exits.tileExits,
      { buffer: this.#planes.shortage.ensure(4), byteLength: 4 },
    ]);
    lap('probes');
    return { tiles, needed: new Uint32Array(shortage)[0] };
  }

  /** Frees the memory on the device; uploaded models stay. */
  destroy(): void {
    this.#planes.destroy();
    this.#exits.destroy();
  }

  /** The planes that fit into one buffer. */
  get #mostPlanes(): number {
    const { maxBufferSize, maxStorageBufferBindingSize } = this.#gpu.device.limits;
    return Math.min(maxBufferSize, maxStorageBufferBindingSize) / PLANE_SIZE;
  }

  #trace(resolution: number, bound: number): void {
    this.#faults.watch('Rays', () => this.#submit((pass) => this.#exits.encode(pass, this.#planes, resolution, bound)));
  }

  #submit(encode: (pass: GPUComputePassEncoder) => void): void {
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    encode(pass);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  #read(sources: readonly { buffer: GPUBuffer; byteLength: number }[]): Promise<ArrayBuffer[]> {
    return readBuffers(this.#gpu, this.#faults, 'Exits', sources);
  }

  /** Finishes the nearest exits, as long as they could improve the best; returns their count. */
  #finishExits(
    tiles: readonly TileExit[],
    resolution: number,
    nearMiss: number,
    most: number,
    offers: ExitOffers,
  ): number {
    const { separation, unit } = offers;
    let finished = 0;
    for (const { exit, view, column, row } of tiles) {
      if (finished === most || exit * unit > separation.distance * (1 + nearMiss)) break;
      const x = pixelCenter(column, resolution);
      const y = -pixelCenter(row, resolution);
      if (this.#finish.offer(offers, view, x, y, exit * unit)) finished++;
    }
    return finished;
  }
}

function noTimings(): GpuRayTimings {
  return { cull: 0, encode: 0, build: 0, probes: 0, rays: 0, finish: 0, sums: 0, settled: 0, finished: 0 };
}

function tooLarge(): NearfieldError {
  return new NearfieldError(
    'too-large',
    'The Minkowski sums of all pairs of pieces that overlap do not fit into one buffer of the GPU. ' +
      "Use backend 'cpu', which makes them a few at a time.",
  );
}
