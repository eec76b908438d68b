// Typed arrays in shared memory.

/** A new array of zeros, in shared memory or not. */
export function makeNumbers(length: number, shared: boolean): Float64Array {
  return shared ? new Float64Array(new SharedArrayBuffer(8 * length)) : new Float64Array(length);
}

/** A new array of zeros, in shared memory or not. */
export function makeBytes(length: number, shared: boolean): Uint8Array {
  return shared ? new Uint8Array(new SharedArrayBuffer(length)) : new Uint8Array(length);
}

/** The array itself if its memory is shared already, otherwise a shared copy. */
export function shareNumbers(values: Float64Array): Float64Array {
  if (values.buffer instanceof SharedArrayBuffer) return values;
  const copy = makeNumbers(values.length, true);
  copy.set(values);
  return copy;
}

/** The array itself if its memory is shared already, otherwise a shared copy. */
export function shareIds(values: Uint32Array): Uint32Array {
  if (values.buffer instanceof SharedArrayBuffer) return values;
  const copy = new Uint32Array(new SharedArrayBuffer(4 * values.length));
  copy.set(values);
  return copy;
}
