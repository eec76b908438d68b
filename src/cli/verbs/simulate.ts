import { dirname, isAbsolute, join } from 'node:path';
import { NearfieldError } from '../../core/errors.js';
import { partOfProgress } from '../../core/progress.js';
import { animateFrames } from '../../dynamics/scene/animate-frames.js';
import { SIMULATION_METHODS } from '../../dynamics/scene/check-scene.js';
import { readSimulationScene } from '../../dynamics/scene/read-simulation-scene.js';
import { type SimulationResult, simulateScene } from '../../dynamics/scene/simulate-scene.js';
import type { SimulationFrame } from '../../dynamics/scene/simulation.js';
import { writeModel } from '../../io/model/write-model.js';
import { takeChoice, takeLength, takeNumber, takePositionals, takeString } from '../arguments.js';
import { assertWritable } from '../field/field-outputs.js';
import { extensionOf, loadMesh, nameFile, readBytes, saveBytes } from '../load-model.js';
import { columns, labeled, readable, readableVector } from '../table.js';
import type { Verb } from '../verb.js';

const DEFAULT_STEPS = 300;
/** Bodies times frames: a state is about 400 characters of JSON, and a text may have 512 million. */
const MOST_STATES = 1e6;
/** Rows of the table for people. */
const MOST_ROWS = 20;

export const simulate: Verb = {
  name: 'simulate',
  summary: 'moves rigid bodies by their contacts, in space or in the plane',
  usage: 'simulate SCENE.json [--steps N] [--every K] [-o F.glb|F.json]',
  help: `SCENE.json is {"bodies":[{"shape":{"box":[1,1,1]},"pose":[0,2,0,0,0,0,1]}, …]} in meters, seconds and kilograms, Y up.
A body has name, shape, pose, density or mass, velocity, angularVelocity, friction, restitution, fixed or path. Shapes are
{"file"}, {"model","parameters"}, {"box"}, {"sphere"}, {"tetrahedra"}; in the plane ("dimension": 2) {"polygon","holes"} and
{"circle"}. The scene may have gravity, timestep, method, joints and probes. docs/dynamics.md has all keys.
  --steps N         steps of the scene's timestep (default ${DEFAULT_STEPS})
  --every K         keep a frame every K steps, besides the first and the last (default 1)
  --method M        ${SIMULATION_METHODS.join(', ')} (default: that of the scene)
  --max-seconds T   stop after T seconds, with the status "budget"
  --nodes           add the node positions of elastic bodies to the frames
  -o, --output F    F.glb: an animation for any viewer; F.json: what --json prints

  nearfield simulate scene.json --steps 600 --every 10
  nearfield simulate scene.json --steps 600 --every 2 -o scene.glb --json | jq '.frames[-1].energy'`,
  options: {
    steps: { type: 'string' },
    every: { type: 'string' },
    method: { type: 'string' },
    'max-seconds': { type: 'string' },
    nodes: { type: 'boolean' },
    output: { type: 'string', short: 'o' },
  },
  async run(input) {
    const [path] = takePositionals(input, 'simulate', ['SCENE']);
    const steps = takeNumber(input, 'steps', DEFAULT_STEPS, { min: 0, integer: true });
    const every = takeNumber(input, 'every', 1, { min: 1, integer: true });
    const asked = takeString(input, 'method') !== null;
    const method = asked ? takeChoice(input, 'method', SIMULATION_METHODS) : undefined;
    const maxSeconds = takeLength(input, 'max-seconds') ?? undefined;
    const output = takeString(input, 'output');
    if (output !== null && !['glb', 'json'].includes(extensionOf(output))) {
      throw new NearfieldError('bad-argument', `${output}: simulations are written as .glb or .json`);
    }
    if (output !== null) await assertWritable([], [output]);

    const text = new TextDecoder().decode(await readBytes(path));
    const folder = dirname(path);
    const simulation = await readSimulationScene(text, {
      method,
      loadMesh: (file) => loadMesh(isAbsolute(file) ? file : join(folder, file)),
    }).catch((error) =>
      nameFile(path, () => {
        throw error;
      }),
    );
    assertFrames(path, simulation.bodies.length, Math.ceil(steps / every) + 1);
    const result = simulateScene(simulation, {
      ...partOfProgress(input.progress, 0, output === null ? 1 : 0.95),
      steps,
      every,
      maxSeconds,
    });
    if (output !== null) {
      const { model, animation } = animateFrames(simulation.bodies, result.frames);
      await saveBytes(
        output,
        extensionOf(output) === 'glb'
          ? await writeModel(model, 'glb', { animation })
          : new TextEncoder().encode(`${JSON.stringify(result)}\n`),
      );
    }
    return {
      json: result,
      text: describe(result, output),
      warnings: warningsOf(result, path, steps),
    };
  },
};

/** Less than this share of the time is left out where bodies come to rest, and changes nothing. */
const LITTLE = 1e-3;

function warningsOf(result: SimulationResult, path: string, steps: number): string[] {
  const { status, steps: done, lostTime, frames } = result;
  const warnings: string[] = [];
  if (status === 'budget') warnings.push(`${path}: the time ran out after ${done} of ${steps} steps`);
  if (status === 'diverged') {
    warnings.push(`${path}: numbers were no longer finite after ${done} steps; make the timestep smaller`);
  }
  if (lostTime > LITTLE * (frames.at(-1)?.time ?? 0)) {
    const lost = `${readable(lostTime)} s of motion left out`;
    warnings.push(`${path}: ${lost}, where steps had too many impacts; make the timestep smaller`);
  }
  return warnings;
}

/** Refuses what would be too long for one JSON text. */
function assertFrames(path: string, bodies: number, frames: number): void {
  if (bodies * frames <= MOST_STATES) return;
  throw new NearfieldError(
    'too-large',
    `${path}: ${frames} frames of ${bodies} bodies are too many to print; keep fewer with --every`,
  );
}

function describe(
  { frames, steps, substeps, status, milliseconds, msPerStep }: SimulationResult,
  output: string | null,
): string {
  const stride = Math.max(1, Math.ceil((frames.length - 1) / (MOST_ROWS - 1)));
  const shown = frames.filter((_, i) => i % stride === 0 || i === frames.length - 1);
  const table = columns(
    ['time', 'kinetic', 'gravitational', 'contact', 'total', 'momentum', 'contacts', 'worst penetration'],
    shown.map((frame) => [
      readable(frame.time),
      ...rowOf(frame),
      readableVector(frame.momentum.linear),
      readable(frame.contacts),
      readable(frame.worstPenetration),
    ]),
  );
  const summary = labeled([
    ['status', status],
    ['steps', `${readable(steps)} of ${readable(substeps)} substeps`],
    ['bodies', readable(frames[0]?.bodies.length ?? 0)],
    ['frames', readable(frames.length)],
    ['milliseconds', milliseconds.toFixed(0)],
    [
      'a step takes',
      `${readable(msPerStep.mean)} ms, median ${readable(msPerStep.median)}, p95 ${readable(msPerStep.p95)}, at most ${readable(msPerStep.max)}`,
    ],
    ...(output === null ? [] : [['written', output] as const]),
  ]);
  return `${table}\n\n${summary}`;
}

function rowOf({ energy: { kinetic, gravitational, contact, total } }: SimulationFrame): string[] {
  return [kinetic, gravitational, contact, total].map(readable);
}
