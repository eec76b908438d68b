// The different models of parts, numbered: parts of equal shape share their model.
import type { ProximityModel } from '../proximity/proximity-model.js';
import type { AssemblyPart } from './assembly.js';

/** The different models of parts, in the order of the parts. */
export interface NumberedModels {
  readonly models: readonly ProximityModel[];
  /** The number of each part's model in `models`. */
  readonly shapeOf: Uint32Array;
}

/** Numbers the models of parts. */
export function numberModels(parts: readonly AssemblyPart[]): NumberedModels {
  const numbers = new Map<ProximityModel, number>();
  const shapeOf = Uint32Array.from(parts, ({ model }) => {
    const number = numbers.get(model) ?? numbers.size;
    numbers.set(model, number);
    return number;
  });
  return { models: [...numbers.keys()], shapeOf };
}
