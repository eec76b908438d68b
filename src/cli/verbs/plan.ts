import { dirname, isAbsolute, join } from 'node:path';
import { NearfieldError } from '../../core/errors.js';
import { partOfProgress } from '../../core/progress.js';
import { writeModel } from '../../io/model/write-model.js';
import { PLANNING_DEFAULTS } from '../../planning/defaults.js';
import { planMotion } from '../../planning/plan-motion.js';
import { animatePath } from '../../planning/problem/animate-path.js';
import { PLANNERS, type PlanProblem, type PlanResult } from '../../planning/problem/plan-problem.js';
import { readPlanProblem } from '../../planning/problem/read-plan-problem.js';
import { takeChoice, takeLength, takeNumber, takePositionals, takeString } from '../arguments.js';
import { assertWritable } from '../field/field-outputs.js';
import { extensionOf, loadMesh, nameFile, readBytes, saveBytes } from '../load-model.js';
import { labeled, readable } from '../table.js';
import type { Verb } from '../verb.js';

export const plan: Verb = {
  name: 'plan',
  summary: 'finds a motion of robots among obstacles, proven free of collisions, or proves that there is none',
  usage: 'plan PROBLEM.json [-o PATH.json|PATH.glb]',
  help: `PROBLEM.json is {"robots":[{"type":"rigid","model":"brick.obj","bounds":{"min","max"},"start":[…],"goal":[…]}],
"environment":[{"model":"wall.obj","pose":[…]}],"clearance":0}. A robot is "rigid", "planar" or a "chain" of links and joints;
poses are 7 numbers. docs/planning.md has all keys. The answer is solved, infeasible (with a proof), timeout, invalid-start
or invalid-goal.
  --planner P       ${PLANNERS.join(', ')} (default: that of the problem, else ${PLANNING_DEFAULTS.planner})
  --time S          give up after S seconds (default: that of the problem, else ${PLANNING_DEFAULTS.timeLimit})
  --seed N          the same seed gives the same path (default: that of the problem, else ${PLANNING_DEFAULTS.seed})
  --clearance C     the least distance wanted everywhere (default: that of the problem, else ${PLANNING_DEFAULTS.clearance})
  -o, --output F    F.json: what --json prints; F.glb: the motion as an animation

  nearfield plan hole.json --clearance 0.01 -o path.json
  nearfield plan hole.json -o path.glb --json | jq .clearance.lower`,
  options: {
    planner: { type: 'string' },
    time: { type: 'string' },
    seed: { type: 'string' },
    clearance: { type: 'string' },
    output: { type: 'string', short: 'o' },
  },
  async run(input) {
    const [path] = takePositionals(input, 'plan', ['PROBLEM']);
    const asked = takeString(input, 'planner') !== null;
    const planner = asked ? takeChoice(input, 'planner', PLANNERS) : undefined;
    const timeLimit = takeLength(input, 'time') ?? undefined;
    const clearance = takeLength(input, 'clearance') ?? undefined;
    const hasSeed = takeString(input, 'seed') !== null;
    const seed = hasSeed ? takeNumber(input, 'seed', 1, { min: 0, max: 2 ** 32 - 1, integer: true }) : undefined;
    const output = takeString(input, 'output');
    if (output !== null && !['glb', 'json'].includes(extensionOf(output))) {
      throw new NearfieldError('bad-argument', `${output}: paths are written as .json or .glb`);
    }
    if (output !== null) await assertWritable([], [output]);

    const text = new TextDecoder().decode(await readBytes(path));
    const folder = dirname(path);
    const named = <T>(work: Promise<T>): Promise<T> =>
      work.catch((error) =>
        nameFile(path, () => {
          throw error;
        }),
      );
    const read = await named(
      readPlanProblem(text, { loadMesh: (file) => loadMesh(isAbsolute(file) ? file : join(folder, file)) }),
    );
    const given = Object.entries({ planner, timeLimit, clearance, seed }).filter(([, value]) => value !== undefined);
    const problem: PlanProblem = { ...read, ...Object.fromEntries(given) };
    const result = await named(
      Promise.resolve().then(() => planMotion(problem, partOfProgress(input.progress, 0, 0.95))),
    );
    const json = {
      format: 'nearfield-plan-path',
      version: 1,
      problem: problem.name ?? null,
      ...result,
      // JSON has no infinity: a robot alone has no clearance to state.
      clearance: result.clearance?.upper === Infinity ? null : result.clearance,
    };
    if (output !== null && (result.status === 'solved' || extensionOf(output) === 'json')) {
      await saveBytes(output, extensionOf(output) === 'glb' ? await drawPath(problem, result) : encode(json));
    }
    return { json, text: describe(result, output) };
  },
};

async function drawPath(problem: PlanProblem, result: PlanResult): Promise<Uint8Array> {
  const { model, animation } = animatePath(problem, result);
  return writeModel(model, 'glb', { animation });
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`);
}

function describe(result: PlanResult, output: string | null): string {
  const { status, planner, paths, length, turning, clearance, milliseconds, counters, proof } = result;
  const rows: (readonly [string, string])[] = [
    ['status', status],
    ['planner', planner],
  ];
  if (status === 'solved') {
    rows.push(['waypoints', readable(paths[0].poses.length)]);
    rows.push(['length', readable(length)], ['turning', `${readable(turning)} rad`]);
    if (clearance !== null && clearance.upper < Infinity) {
      const place = `in edge ${clearance.segment + 1} at ${readable(clearance.t)}`;
      rows.push(['clearance', `${readable(clearance.lower)} proven, ${readable(clearance.upper)} had ${place}`]);
    }
  }
  if (proof !== null) {
    rows.push(['proof', `a ball of radius ${readable(proof.radius)} in ${proof.robot} cannot pass`]);
  }
  rows.push(['edges tested', readable(counters.edgesTested)], ['milliseconds', milliseconds.toFixed(0)]);
  if (output !== null && (status === 'solved' || extensionOf(output) === 'json')) rows.push(['written', output]);
  return labeled(rows);
}
