// Penetrating points of two solids on a GPU. The device finds the samples and their nearest triangles in single
// precision; depths and directions are then computed from these triangles in double precision. A small part of the error
// bound pays for the rounding, and samples within rounding of the solid's surface are left out, so that the bound holds.
import { NearfieldError } from '../../core/errors.js';
import type { GridFrame } from '../../field/grid.js';
import { createBuffer, readBuffers } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { GpuFaults } from '../../gpu/faults.js';
import { BUFFER_USAGE } from '../../gpu/flags.js';
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import type { FrameSolid } from '../space/frame-solid.js';
import { frameOf, overlapRange, spacingFor } from '../space/lattice.js';
import type { PenetratingPoints, SpacePenetration } from '../space/space-result.js';
import { summarize } from '../space/summarize.js';
import { packCorners, thinHeightOf } from './gpu-solid.js';
import { AREA_UNIT, GpuPenetratingSamples, PENETRATING_SAMPLES_LAYOUT } from './penetrating-samples-gpu.js';

/**
 * Rounding: the share of the error that pays for single precision: coordinates are off by 2⁻¹¹ spacings, cells larger
 * by twice that.
 */
const ROUNDING_SHARE = 2 ** -6;
/**
 * Rounding: samples nearer to the surface than this many spacings are left out, because rounding may have put them
 * inside.
 */
const MIN_DEPTH = 2 ** -9;
/** Chosen: the share of the error that thin triangles may cost. */
const MAX_THIN_SHARE = 0.25;
const WHAT = 'Penetrating points';

/** The memory of queries on one device. */
export class GpuPenetration {
  readonly gpu: GpuDevice;
  readonly #inB: GpuPenetratingSamples;
  readonly #inA: GpuPenetratingSamples;
  readonly #corners: (GPUBuffer | null)[] = [null, null];
  #staging = new Float32Array(0);

  constructor(gpu: GpuDevice) {
    this.gpu = gpu;
    this.#inB = new GpuPenetratingSamples(gpu);
    this.#inA = new GpuPenetratingSamples(gpu);
  }

  /** @throws NearfieldError `too-large` or `unsupported` where the device or single precision does not suffice. */
  async run(a: FrameSolid, b: FrameSolid, error: number): Promise<SpacePenetration> {
    const thin = Math.max(thinHeightOf(a), thinHeightOf(b)) / 2;
    if (thin > MAX_THIN_SHARE * error) {
      throw new NearfieldError(
        'unsupported',
        "Some triangles are too thin for single precision within this error; use backend 'cpu' or a larger error.",
      );
    }
    const spacing = spacingFor(error * (1 - ROUNDING_SHARE) - thin);
    const range = overlapRange(a.min, a.max, b.min, b.max, 0, spacing);
    const frame = range === null ? null : frameOf(range, spacing);
    const nodes = frame === null ? 0 : frame.size[0] * frame.size[1] * frame.size[2];
    const [pointsA, pointsB] = frame === null ? [NO_POINTS, NO_POINTS] : await this.#find(a, b, frame);
    const counters = { nodes: 2 * nodes, boxesVisited: 0, trianglesMeasured: 0 };
    return { error, spacing, backend: 'webgpu', counters, ...summarize(pointsA, pointsB) };
  }

  /** Frees the buffers on the device. */
  destroy(): void {
    this.#inA.destroy();
    this.#inB.destroy();
    for (const buffer of this.#corners) buffer?.destroy();
    this.#corners.fill(null);
  }

  async #find(a: FrameSolid, b: FrameSolid, frame: GridFrame): Promise<[PenetratingPoints, PenetratingPoints]> {
    const { device } = this.gpu;
    const faults = new GpuFaults(this.gpu);
    const sides = [this.#inB, this.#inA];
    faults.watch(WHAT, () => {
      const surfaceA = { solid: a, corners: this.#upload(0, a, frame) };
      const surfaceB = { solid: b, corners: this.#upload(1, b, frame) };
      this.#inB.prepare(frame, surfaceA, surfaceB);
      this.#inA.prepare(frame, surfaceB, surfaceA);
      const encoder = device.createCommandEncoder();
      for (const side of sides) side.encodeFind(encoder);
      device.queue.submit([encoder.finish()]);
    });
    const totals = await readBuffers(
      this.gpu,
      faults,
      WHAT,
      sides.map(({ rows }) => ({ buffer: rows, byteLength: 4 })),
    );
    const counts = totals.map((bytes) => new Uint32Array(bytes)[0]);
    const found = sides.filter((_, n) => counts[n] > 0);
    if (found.length === 0) return [NO_POINTS, NO_POINTS];
    faults.watch(WHAT, () => {
      const encoder = device.createCommandEncoder();
      for (const side of found) side.encodeMeasure(encoder, counts[sides.indexOf(side)]);
      device.queue.submit([encoder.finish()]);
    });
    const { size } = PENETRATING_SAMPLES_LAYOUT.structs.Sample;
    const bytes = await readBuffers(
      this.gpu,
      faults,
      WHAT,
      found.map((side) => ({ buffer: side.samples, byteLength: size * counts[sides.indexOf(side)] })),
    );
    const pointsOf = (side: GpuPenetratingSamples, solid: FrameSolid): PenetratingPoints => {
      const n = found.indexOf(side);
      return n < 0 ? NO_POINTS : finish(new Uint32Array(bytes[n]), solid, frame);
    };
    return [pointsOf(this.#inB, b), pointsOf(this.#inA, a)];
  }

  #upload(side: 0 | 1, solid: FrameSolid, frame: GridFrame): GPUBuffer {
    const length = 9 * solid.count;
    if (this.#staging.length < length) this.#staging = new Float32Array(length);
    packCorners(solid, frame, this.#staging);
    let buffer = this.#corners[side];
    if (buffer === null || buffer.size < 4 * length) {
      buffer?.destroy();
      buffer = createBuffer(this.gpu, 4 * length, BUFFER_USAGE.STORAGE | BUFFER_USAGE.COPY_DST, 'corners');
      this.#corners[side] = buffer;
    }
    this.gpu.device.queue.writeBuffer(buffer, 0, this.#staging, 0, length);
    return buffer;
  }
}

const NO_POINTS: PenetratingPoints = {
  count: 0,
  points: new Float64Array(0),
  depths: new Float64Array(0),
  directions: new Float64Array(0),
  areas: new Float64Array(0),
  triangles: new Uint32Array(0),
};

/** Depths and directions in double precision. */
function finish(words: Uint32Array, solid: FrameSolid, frame: GridFrame): PenetratingPoints {
  const { origin, spacing, size } = frame;
  const [nx, ny] = size;
  const total = words.length / 4;
  const points = new Float64Array(3 * total);
  const depths = new Float64Array(total);
  const directions = new Float64Array(3 * total);
  const areas = new Float64Array(total);
  const triangles = new Uint32Array(total);
  const point = new TrianglePoint();
  const least = MIN_DEPTH * spacing;
  const unit = (spacing * spacing) / AREA_UNIT;
  let count = 0;
  for (let n = 0; n < total; n++) {
    const node = words[4 * n];
    const triangle = words[4 * n + 2];
    const row = Math.floor(node / nx);
    const x = origin[0] + spacing * (node - nx * row);
    const y = origin[1] + spacing * (row % ny);
    const z = origin[2] + spacing * Math.floor(row / ny);
    nearestOnTriangle(solid.triangles, 9 * triangle, x, y, z, point);
    const depth = Math.sqrt(point.distanceSquared);
    if (depth < least) continue;
    points[3 * count] = x;
    points[3 * count + 1] = y;
    points[3 * count + 2] = z;
    depths[count] = depth;
    const dx = point.x - x;
    const dy = point.y - y;
    const dz = point.z - z;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    directions[3 * count] = dx / length;
    directions[3 * count + 1] = dy / length;
    directions[3 * count + 2] = dz / length;
    areas[count] = unit * words[4 * n + 1];
    triangles[count++] = triangle;
  }
  return {
    count,
    points: points.subarray(0, 3 * count),
    depths: depths.subarray(0, count),
    directions: directions.subarray(0, 3 * count),
    areas: areas.subarray(0, count),
    triangles: triangles.subarray(0, count),
  };
}
