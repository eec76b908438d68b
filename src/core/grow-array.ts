// Arrays that grow: the old values in a larger array.

type Growing = Uint8Array | Int8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** Copies an array to the beginning of a larger one and returns that. */
export function copyInto<Values extends Growing>(from: Values, larger: Values): Values {
  larger.set(from);
  return larger;
}

/** The same values in an array twice as long. */
export function doubled(from: Int32Array): Int32Array<ArrayBuffer> {
  return copyInto<Int32Array<ArrayBuffer>>(from as Int32Array<ArrayBuffer>, new Int32Array(2 * from.length));
}

/** The array itself if it has room for `length` values, otherwise its values in one at least twice as long. */
export function growTo<Values extends Growing>(from: Values, length: number): Values {
  if (from.length >= length) return from;
  const Kind = from.constructor as new (length: number) => Values;
  return copyInto(from, new Kind(Math.max(length, 2 * from.length)));
}
