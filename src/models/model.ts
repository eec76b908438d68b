import { NearfieldError } from '../core/errors.js';
import type { Mesh } from '../mesh/mesh.js';

/** One numeric parameter of a procedural model. */
export interface ModelParameter {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** Counts are whole numbers. */
  readonly integer?: boolean;
  readonly description: string;
}

/** A procedural model: the same parameters give the same mesh, bit for bit. */
export interface ModelDefinition<Name extends string = string> {
  /** In kebab-case, as on the command line of `nearfield models`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Readonly<Record<Name, ModelParameter>>;
  /** Builds the mesh. Omitted parameters take their defaults; a value out of range throws. */
  build(parameters?: Partial<Record<Name, number>>): Mesh;
}

/** Fills in the defaults, throws for unknown or out-of-range parameters, then calls `build` with all of them. */
export function defineModel<Name extends string>(definition: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Readonly<Record<Name, ModelParameter>>;
  readonly build: (parameters: Record<Name, number>) => Mesh;
}): ModelDefinition<Name> {
  return {
    ...definition,
    build: (given = {}) => definition.build(checkParameters(`model ${definition.name}`, definition.parameters, given)),
  };
}

/** Lengths such as 1e-300 count as zero: their products would underflow in exact predicates. */
function snapToZero(value: number, range: number): number {
  return Math.abs(value) < 1e-12 * range ? 0 : value;
}

/**
 * All parameters: those given, and the defaults of the others.
 * @param owner what has them, for messages: "model cup".
 * @throws NearfieldError for unknown and out-of-range ones.
 */
export function checkParameters<Name extends string>(
  owner: string,
  parameters: Readonly<Record<Name, ModelParameter>>,
  given: Partial<Record<Name, number>>,
): Record<Name, number> {
  const names = Object.keys(parameters) as Name[];
  for (const name of Object.keys(given) as Name[]) {
    if (!names.includes(name)) {
      throw new NearfieldError(
        'bad-argument',
        `The ${owner} has no parameter "${name}"; it takes ${names.join(', ') || 'none'}.`,
      );
    }
  }
  return Object.fromEntries(
    names.map((name) => {
      const { default: fallback, min, max, integer } = parameters[name];
      const value = snapToZero(given[name] ?? fallback, max - min);
      if (!(value >= min && value <= max) || (integer && !Number.isInteger(value))) {
        throw new NearfieldError(
          'bad-argument',
          `The parameter ${name} of the ${owner} is ${value}; give a ${integer ? 'whole number' : 'number'} from ${min} to ${max}.`,
        );
      }
      return [name, value];
    }),
  ) as Record<Name, number>;
}
