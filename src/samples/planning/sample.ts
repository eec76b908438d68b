import { checkParameters, type ModelParameter } from '../../models/model.js';
import type { PlanProblem } from '../../planning/problem/plan-problem.js';

/** A problem that ships with the library: the same parameters give the same problem. */
export interface PlanningSample {
  /** In kebab-case. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, ModelParameter>>;
}

/** A sample and how it is made. */
export interface SampleDefinition extends PlanningSample {
  build(parameters?: Readonly<Record<string, number>>): PlanProblem;
}

/** Fills in the defaults, throws for unknown or out-of-range parameters, then calls `build` with all of them. */
export function defineSample<Name extends string>(definition: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Readonly<Record<Name, ModelParameter>>;
  readonly build: (parameters: Record<Name, number>) => PlanProblem;
}): SampleDefinition {
  return {
    ...definition,
    build: (given = {}) => ({
      name: definition.name,
      ...definition.build(
        checkParameters(`sample ${definition.name}`, definition.parameters, given as Partial<Record<Name, number>>),
      ),
    }),
  };
}
