// Our own queries as contestants: what each option of a pair makes of a scenario.
import type { Pose } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import {
  findContacts,
  measureDistance,
  Pair,
  type PairOptions,
  ProximityModel,
  prepareModel,
  testIntersection,
  testTolerance,
} from 'nearfield/proximity';
import { cpuMicroseconds, type FrameContestant } from './proximity-contest.js';
import { posesAt, type Scenario } from './scenarios/scenario.js';

/** A question, with what it takes besides the poses. Answers are 0 or 1, a distance, or a count of contacts. */
export type Question =
  | { readonly query: 'intersects' }
  | { readonly query: 'within'; readonly tolerance: number }
  | { readonly query: 'distance'; readonly relativeError?: number }
  | { readonly query: 'contacts'; readonly tolerance: number };

/** A scenario made ready: one model a mesh, poses as the calls take them. */
export interface PreparedScenario {
  readonly scenario: Scenario;
  readonly models: ReadonlyMap<Mesh, ProximityModel>;
  /** By frame, then by body. */
  readonly poses: readonly (readonly Pose[])[];
}

export function prepareScenario(scenario: Scenario): PreparedScenario {
  const models = new Map<Mesh, ProximityModel>();
  for (const { mesh } of scenario.bodies) {
    if (!models.has(mesh)) models.set(mesh, new ProximityModel(mesh));
  }
  return {
    scenario,
    models,
    poses: Array.from({ length: scenario.frameCount }, (_, frame) => posesAt(scenario, frame)),
  };
}

/** Pairs that keep what they can from frame to frame, as the options say. */
export function coherentContestant(
  name: string,
  prepared: PreparedScenario,
  question: Question,
  options: PairOptions = {},
): FrameContestant {
  const { scenario } = prepared;
  // What pairs over 'auto' cost once they have moved to hulls.
  for (const { mesh } of scenario.bodies) prepareModel(prepared.models.get(mesh)!, options.volume ?? 'auto');
  const pairs = scenario.pairs.map(([a, b]) => new Pair(modelOf(prepared, a), modelOf(prepared, b), options));
  const ask = askPair(question);
  return {
    name,
    frames: scenario.frameCount,
    reset: () => {
      for (const pair of pairs) pair.reset();
    },
    pass: (answers) => timePass(prepared, answers, (index, a, b) => ask(pairs[index], a, b)),
  };
}

/** The calls without memory. */
export function statelessContestant(name: string, prepared: PreparedScenario, question: Question): FrameContestant {
  const { scenario } = prepared;
  const models = scenario.pairs.map(([a, b]) => [modelOf(prepared, a), modelOf(prepared, b)] as const);
  const ask = askStateless(question);
  return {
    name,
    frames: scenario.frameCount,
    pass: (answers) => timePass(prepared, answers, (index, a, b) => ask(models[index][0], models[index][1], a, b)),
  };
}

function modelOf({ scenario, models }: PreparedScenario, body: number): ProximityModel {
  return models.get(scenario.bodies[body].mesh)!;
}

function timePass(
  { scenario: { pairs, frameCount }, poses }: PreparedScenario,
  answers: Float64Array,
  ask: (pair: number, a: Pose, b: Pose) => number,
): number {
  let next = 0;
  const start = cpuMicroseconds();
  for (let frame = 0; frame < frameCount; frame++) {
    for (let pair = 0; pair < pairs.length; pair++) {
      answers[next++] = ask(pair, poses[frame][pairs[pair][0]], poses[frame][pairs[pair][1]]);
    }
  }
  return cpuMicroseconds() - start;
}

function askPair(question: Question): (pair: Pair, a: Pose, b: Pose) => number {
  switch (question.query) {
    case 'intersects':
      return (pair, a, b) => Number(pair.intersects(a, b).intersects);
    case 'within':
      return (pair, a, b) => Number(pair.within(a, b, question.tolerance).within);
    case 'distance': {
      const { query: _, ...options } = question;
      return (pair, a, b) => pair.distance(a, b, options).distance!;
    }
    case 'contacts': {
      const { query: _, ...options } = question;
      return (pair, a, b) => pair.contacts(a, b, options).contacts.length;
    }
  }
}

function askStateless(question: Question): (ma: ProximityModel, mb: ProximityModel, a: Pose, b: Pose) => number {
  switch (question.query) {
    case 'intersects':
      return (ma, mb, a, b) => Number(testIntersection(ma, mb, a, b).intersects);
    case 'within':
      return (ma, mb, a, b) => Number(testTolerance(ma, mb, a, b, question.tolerance).within);
    case 'distance': {
      const { query: _, ...options } = question;
      return (ma, mb, a, b) => measureDistance(ma, mb, a, b, options).distance!;
    }
    case 'contacts': {
      const { query: _, ...options } = question;
      return (ma, mb, a, b) => findContacts(ma, mb, a, b, options).contacts.length;
    }
  }
}
