import { NearfieldError } from '../../core/errors.js';

/** The coordinates in single precision, for formats that have no more. Throws if one does not fit. */
export function toSinglePrecision(positions: Float64Array, format: string): Float32Array<ArrayBuffer> {
  const single = Float32Array.from(positions);
  const wrong = single.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0) {
    const vertex = Math.floor(wrong / 3);
    throw new NearfieldError(
      'unsupported',
      `Vertex ${vertex} has the coordinate ${positions[wrong]}, too large for the single precision of ${format}; ` +
        'scale the model down or write PLY, OBJ or OFF.',
      { vertex },
    );
  }
  return single;
}
