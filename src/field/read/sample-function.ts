// A field sampled from a function of x, y and z.
import { NearfieldError } from '../../core/errors.js';
import { assertGridFrame, type Field, type GridFrame, gridNodeCount } from '../grid.js';

/**
 * The values of a function at the nodes of a grid. ±Infinity stands for "not computed", as in every field.
 * @throws NearfieldError `bad-argument` for an invalid grid or a value that is not a function, `non-finite` if the
 * function returns NaN.
 */
export function sampleFunction(frame: GridFrame, value: (x: number, y: number, z: number) => number): Field {
  assertGridFrame(frame);
  if (typeof value !== 'function') {
    throw new NearfieldError('bad-argument', 'The second argument is not a function; give one of x, y and z.');
  }
  const { spacing } = frame;
  const [nx, ny, nz] = frame.size;
  const [ox, oy, oz] = frame.origin;
  const values = new Float64Array(gridNodeCount(frame));
  let node = 0;
  for (let k = 0; k < nz; k++) {
    const z = oz + spacing * k;
    for (let j = 0; j < ny; j++) {
      const y = oy + spacing * j;
      for (let i = 0; i < nx; i++) {
        const x = ox + spacing * i;
        const sample = value(x, y, z);
        if (typeof sample !== 'number' || Number.isNaN(sample)) {
          throw new NearfieldError(
            'non-finite',
            `The function is ${sample} at (${x}, ${y}, ${z}); give a number there.`,
          );
        }
        values[node++] = sample;
      }
    }
  }
  return { origin: [ox, oy, oz], spacing, size: [nx, ny, nz], values };
}
