// The triangles of a call on a device, in single precision: coordinates from 0 to 1 within the box of all objects. Ids are
// sent again only when they changed.
import type { GpuDevice } from '../../gpu/device.js';
import { BUFFER_USAGE } from '../../gpu/flags.js';
import type { CullScene } from '../cull-scene.js';
import type { GrowingBuffers } from './growing-buffers.js';

const { STORAGE, COPY_DST } = BUFFER_USAGE;

/** The buffers 'positions', 'corners' and 'objectOf'. */
export class GpuTriangles {
  /** Coordinates on the device are (x − origin) / unit, within 2⁻²⁴. */
  readonly origin = new Float64Array(3);
  unit = 1;
  readonly #gpu: GpuDevice;
  readonly #buffers: GrowingBuffers;
  #positions = new Float32Array(0);
  /** Vertices are numbered over all objects. */
  #corners = new Uint32Array(0);
  #objectOf = new Uint32Array(0);
  #sentVersion = -1;

  constructor(gpu: GpuDevice, buffers: GrowingBuffers) {
    this.#gpu = gpu;
    this.#buffers = buffers;
  }

  /** Sends the triangles of a scene with at least one object. */
  send(scene: CullScene): void {
    const { queue } = this.#gpu.device;
    const { objects, triangleCount } = scene;
    let vertices = 0;
    for (const { positions } of objects) vertices += positions.length / 3;
    this.#frame(scene);
    if (this.#positions.length < 3 * vertices) this.#positions = new Float32Array(Math.ceil(3.75 * vertices));
    if (this.#corners.length < 3 * triangleCount) {
      this.#corners = new Uint32Array(Math.ceil(3.75 * triangleCount));
      this.#objectOf = new Uint32Array(Math.ceil(1.25 * triangleCount));
      this.#sentVersion = -1;
    }
    this.#writePositions(scene);
    this.#buffers.reserve('positions', 12 * vertices, STORAGE | COPY_DST);
    const grown = [
      this.#buffers.reserve('corners', 12 * triangleCount, STORAGE | COPY_DST),
      this.#buffers.reserve('objectOf', 4 * triangleCount, STORAGE | COPY_DST),
    ];
    queue.writeBuffer(this.#buffers.get('positions'), 0, this.#positions, 0, 3 * vertices);
    if (this.#sentVersion === scene.idsVersion && !grown.includes(true)) return;
    this.#writeCorners(scene);
    queue.writeBuffer(this.#buffers.get('corners'), 0, this.#corners, 0, 3 * triangleCount);
    queue.writeBuffer(this.#buffers.get('objectOf'), 0, this.#objectOf, 0, triangleCount);
    this.#sentVersion = scene.idsVersion;
  }

  /** A unit that is a power of two, so that dividing by it is exact. */
  #frame({ boxes, objectCount }: CullScene): void {
    let extent = 0;
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity;
      let high = -Infinity;
      for (let o = axis; o < 6 * objectCount; o += 6) {
        low = Math.min(low, boxes[o]);
        high = Math.max(high, boxes[o + 3]);
      }
      this.origin[axis] = low;
      extent = Math.max(extent, high - low);
    }
    this.unit = extent > 0 ? 2 ** Math.ceil(Math.log2(extent)) : 1;
    if (this.unit < extent) this.unit *= 2;
  }

  #writePositions({ objects }: CullScene): void {
    const out = this.#positions;
    const [x, y, z] = this.origin;
    const scale = 1 / this.unit;
    let at = 0;
    for (const { positions } of objects) {
      for (let i = 0; i < positions.length; i += 3) {
        out[at++] = (positions[i] - x) * scale;
        out[at++] = (positions[i + 1] - y) * scale;
        out[at++] = (positions[i + 2] - z) * scale;
      }
    }
  }

  #writeCorners({ objects, firstTriangle }: CullScene): void {
    let firstVertex = 0;
    for (let object = 0; object < objects.length; object++) {
      const { positions, indices } = objects[object];
      const first = firstTriangle[object];
      for (let i = 0, at = 3 * first; i < indices.length; i++, at++) this.#corners[at] = firstVertex + indices[i];
      this.#objectOf.fill(object, first, firstTriangle[object + 1]);
      firstVertex += positions.length / 3;
    }
  }
}
