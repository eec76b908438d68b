// Problems that ship with the library, for trials, tests, benchmarks and the lab.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { PlanProblem } from '../../planning/problem/plan-problem.js';
import { craneComplex } from './crane-complex.js';
import { arrow, furniture, piano } from './houses.js';
import { arm, crane, fourRobots } from './machines.js';
import { bentPipe, nails, screw } from './puzzles.js';
import type { PlanningSample, SampleDefinition } from './sample.js';
import { bay, crossing, twoArms } from './teams.js';
import { bugTrap, corridor, hole, maze, openSpace, sheets } from './walls.js';

const definitions: readonly SampleDefinition[] = [
  ...[openSpace, maze, sheets, corridor, bugTrap, hole, screw, nails, bentPipe],
  ...[arrow, piano, furniture, arm, crane, craneComplex, fourRobots, bay, crossing, twoArms],
];

/** The sample problems: names, what they are, and their parameters. */
export const planningSamples: readonly PlanningSample[] = definitions.map(({ build: _, ...sample }) => sample);

/**
 * One of `planningSamples`, ready for `planMotion`. Omitted parameters have their defaults.
 * @throws NearfieldError for unknown names, and parameters that are unknown or out of range.
 */
export function planningSample(name: string, parameters: Readonly<Record<string, number>> = {}): PlanProblem {
  const found = definitions.find((sample) => sample.name === name);
  if (found === undefined) {
    const names = definitions.map((sample) => sample.name).join(', ');
    throw new NearfieldError('bad-argument', `There is no sample "${name}"; the samples are ${names}.`);
  }
  if (parameters === null || typeof parameters !== 'object') {
    throw new NearfieldError('bad-argument', `The parameters are ${nameValue(parameters)}; give an object of numbers.`);
  }
  return found.build(parameters);
}
