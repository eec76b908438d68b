// The speeds of fast marching, from a NumPy file.
import { NearfieldError } from '../../core/errors.js';
import type { GridFrame } from '../../field/grid.js';
import { readNpy } from '../../io/array/npy.js';
import { nameFile, readBytes } from '../load-model.js';

/** One speed per node of a grid, from an array [z][y][x]. */
export async function loadSpeed(path: string, frame: GridFrame): Promise<Float64Array> {
  const bytes = await readBytes(path);
  return nameFile(path, () => {
    const { values, shape } = readNpy(bytes);
    const wanted = [...frame.size].reverse();
    if (shape.join() !== wanted.join()) {
      throw new NearfieldError(
        'bad-argument',
        `The speeds have the shape (${shape.join(', ')}); the grid's [z][y][x] is (${wanted.join(', ')}). Give one speed per node.`,
      );
    }
    const wrong = values.findIndex((speed) => !(speed >= 0 && speed < Infinity));
    if (wrong >= 0) {
      const [nz, ny, nx] = wanted;
      const index = [Math.floor(wrong / (nx * ny)) % nz, Math.floor(wrong / nx) % ny, wrong % nx];
      throw new NearfieldError(
        'bad-argument',
        `The speed at [${index.join('][')}] is ${values[wrong]}; give finite numbers of at least 0.`,
      );
    }
    return Float64Array.from(values);
  });
}
