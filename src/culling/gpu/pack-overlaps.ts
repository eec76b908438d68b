// The common parts of boxes of objects, as shaders read them.
import type { StructLayout } from '../../gpu/shader-layout.js';
import type { OverlapFilter } from '../overlap-filter.js';

/** Coordinates on a device are (x − origin) / unit. */
export interface DeviceFrame {
  readonly origin: Float64Array;
  readonly unit: number;
}

/**
 * The overlaps of each object, in the order of the filter: by pairs, for both of their objects.
 * @param pad added on all sides.
 * @param objectAlive if given, objects with a 0 get boxes that nothing reaches.
 */
export function packOverlaps(
  { objectPairs, overlaps, overlapStarts }: OverlapFilter,
  objectCount: number,
  { origin, unit }: DeviceFrame,
  { size, offsets }: StructLayout,
  pad: number,
  objectAlive: Uint8Array | null = null,
): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array((size / 4) * objectPairs.length);
  const floats = new Float32Array(words.buffer);
  const next = overlapStarts.slice(0, objectCount);
  for (let i = 0; i < objectPairs.length; i++) {
    const entry = next[objectPairs[i]]++;
    const at = (size / 4) * entry;
    const reachable = objectAlive === null || objectAlive[objectPairs[i]] === 1;
    for (let axis = 0; axis < 3; axis++) {
      const low = (overlaps[6 * entry + axis] - origin[axis]) / unit - pad;
      const high = (overlaps[6 * entry + 3 + axis] - origin[axis]) / unit + pad;
      floats[at + offsets.low / 4 + axis] = reachable ? low : Infinity;
      floats[at + offsets.high / 4 + axis] = reachable ? high : -Infinity;
    }
    words[at + offsets.other / 4] = objectPairs[i ^ 1];
    words[at + offsets.pair / 4] = i >> 1;
  }
  return words;
}

/** The box around all overlaps, in coordinates of the device; everything if the list is empty. */
export function regionOfOverlaps(
  { overlaps, overlapStarts }: OverlapFilter,
  objectCount: number,
  { origin, unit }: DeviceFrame,
): number[] {
  const end = 6 * overlapStarts[objectCount];
  const region = end === 0 ? [0, 0, 0, 1, 1, 1] : [1, 1, 1, 0, 0, 0];
  for (let o = 0; o < end; o += 6) {
    for (let axis = 0; axis < 3; axis++) {
      region[axis] = Math.min(region[axis], (overlaps[o + axis] - origin[axis]) / unit);
      region[axis + 3] = Math.max(region[axis + 3], (overlaps[o + 3 + axis] - origin[axis]) / unit);
    }
  }
  return region;
}
