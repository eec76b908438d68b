// An animated model as an assembly with keyframes.
import { buildAssembly } from '../clash/assembly.js';
import { nameValue } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import { splitPlacement } from '../core/split-placement.js';
import type { ModelFile } from '../io/model/model-file.js';
import type { MovingAssembly } from './sweep-options.js';

/**
 * The parts of a model with its motion, to sweep: of a glTF file that was read with `motion: true`.
 * @throws NearfieldError for a model without motion.
 */
export function movingAssembly(model: ModelFile): MovingAssembly {
  const motion = model?.motion;
  if (motion === undefined) {
    throw new NearfieldError(
      'bad-argument',
      `The model is ${nameValue(model)}, which has no motion; give a glTF file with an animation, read with motion: true.`,
    );
  }
  return {
    type: 'frames',
    parts: buildAssembly(model).map(({ name, model: { mesh }, pose }, part) => {
      const keys = motion.transforms[part]?.map((matrix, i) => ({
        time: motion.times[i],
        pose: splitPlacement(matrix).pose,
      }));
      return { name, mesh, keys: keys ?? [{ time: 0, pose }] };
    }),
  };
}
