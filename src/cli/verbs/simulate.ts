import { dirname, isAbsolute, join } from 'node:path';
import { NearfieldError } from '../../core/errors.js';
import { partOfProgress } from '../../core/progress.js';
import { TIME_OF_CONTACT_METHODS } from '../../dynamics/impact/time-of-contact.js';
import { writeModel } from '../../io/model/write-model.js';
import { animateFrames } from '../../simulation/animate-frames.js';
import { SIMULATION_METHODS } from '../../simulation/check-scene.js';
import { readSimulationScene, type Simulation } from '../../simulation/read-simulation-scene.js';
import { simulateInPool } from '../../simulation/simulate-in-pool.js';
import { type SimulationResult, simulateScene } from '../../simulation/simulate-scene.js';
import type { SimulationFrame } from '../../simulation/simulation.js';
import { takeChoice, takeLength, takeNumber, takePositionals, takeString } from '../arguments.js';
import { answerFolder, assertNoCluster } from '../cluster/answer-folder.js';
import { CLUSTER_HELP, CLUSTER_OPTIONS } from '../cluster/open-cluster.js';
import { isFolder } from '../cluster/run-folder.js';
import { assertWritable } from '../field/field-outputs.js';
import { extensionOf, loadMesh, nameFile, readBytes, saveBytes } from '../load-model.js';
import { columns, labeled, readable, readableVector } from '../table.js';
import type { Verb, VerbInput } from '../verb.js';

/** Chosen: steps unless --steps says otherwise. */
const DEFAULT_STEPS = 300;
/**
 * Proven: bodies times frames of an answer. A state is about 400 characters of JSON, and a text has 512 million at
 * most.
 */
const MAX_STATES = 1e6;
/** Chosen: rows of the table for people. */
const MAX_ROWS = 20;

/** What goes before the keys of the scene. */
function takeMethods(input: VerbInput) {
  const has = (name: string): boolean => takeString(input, name) !== null;
  return {
    method: has('method') ? takeChoice(input, 'method', SIMULATION_METHODS) : undefined,
    timeOfContact: has('time-of-contact') ? takeChoice(input, 'time-of-contact', TIME_OF_CONTACT_METHODS) : undefined,
  };
}

export const simulate: Verb = {
  name: 'simulate',
  summary: 'moves rigid and elastic bodies by their contacts, in space and in the plane',
  usage: 'simulate SCENE.json|FOLDER [--steps N] [--every K] [-o F.glb|F.json|FOLDER] [--cluster URL]',
  help: `SCENE.json is {"bodies":[{"shape":{"box":[1,1,1]},"pose":[0,2,0,0,0,0,1]}, …]} in meters, seconds and kilograms, Y up.
A body has name, shape, pose or instances, density or mass, velocity, angularVelocity, friction, staticFriction, restitution,
damping, locks, group, mask, sensor, split, fracture; it may be fixed, follow a path or move evenly (moves) until letGo. Shapes
are {"file"} and {"model","parameters"} with scale and thickness, {"box"}, {"sphere"}, {"plane"}, {"tetrahedra"}; in the plane
("dimension": 2) {"polygon","holes"} and {"circle"}. A body with "elastic": {"young": 1e6, "poisson": 0.3, "resolution": 16} is
elastic, with hold and loads; in the plane with {"waveSpeed","frequency","damping"}. The scene may have gravity, timestep,
method, substeps, analysis, start, joints, forces, surfaces and probes. docs/dynamics.md and docs/elastic.md have all keys.
  --steps N         steps of the scene's timestep (default ${DEFAULT_STEPS})
  --every K         keep a frame every K steps, besides the first and the last (default 1)
  --method M        ${SIMULATION_METHODS.join(', ')} (default: that of the scene)
  --time-of-contact T  how the method time-of-contact finds times of impacts: ${TIME_OF_CONTACT_METHODS.join(', ')}
                    (default: that of the scene)
  --max-seconds T   stop after T seconds, with the status "budget"
  --nodes           add the node positions of elastic bodies to the frames
  -o, --output F    F.glb: an animation for any viewer; F.json: what --json prints; for a FOLDER of scenes, a folder
${CLUSTER_HELP}

  nearfield simulate scene.json --steps 600 --every 10
  nearfield simulate scene.json --steps 600 --every 2 -o scene.glb --json | jq '.frames[-1].energy'`,
  options: {
    steps: { type: 'string' },
    every: { type: 'string' },
    method: { type: 'string' },
    'time-of-contact': { type: 'string' },
    'max-seconds': { type: 'string' },
    nodes: { type: 'boolean' },
    output: { type: 'string', short: 'o' },
    ...CLUSTER_OPTIONS,
  },
  async run(input) {
    const [path] = takePositionals(input, 'simulate', ['SCENE']);
    const steps = takeNumber(input, 'steps', DEFAULT_STEPS, { min: 0, integer: true });
    const every = takeNumber(input, 'every', 1, { min: 1, integer: true });
    const { method, timeOfContact } = takeMethods(input);
    const maxSeconds = takeLength(input, 'max-seconds') ?? undefined;
    const output = takeString(input, 'output');
    const nodes = input.values.nodes === true;
    if (await isFolder(path)) {
      const settings = { steps, every, nodes, maxSeconds, method, timeOfContact };
      return answerFolder(input, path, output, async (pool, file) => {
        const text = new TextDecoder().decode(await readBytes(file));
        const load = (name: string) => loadMesh(isAbsolute(name) ? name : join(dirname(file), name));
        return simulateInPool(pool, text, load, settings);
      });
    }
    assertNoCluster(input, path);
    if (output !== null && !['glb', 'json'].includes(extensionOf(output))) {
      throw new NearfieldError('bad-argument', `${output}: simulations are written as .glb or .json`);
    }
    if (output !== null) await assertWritable([], [output]);

    const text = new TextDecoder().decode(await readBytes(path));
    const folder = dirname(path);
    const simulation = await readSimulationScene(text, {
      method,
      timeOfContact,
      loadMesh: (file) => loadMesh(isAbsolute(file) ? file : join(folder, file)),
    }).catch((error) =>
      nameFile(path, () => {
        throw error;
      }),
    );
    assertFrames(path, countStates(simulation, nodes), Math.ceil(steps / every) + 1);
    const isDrawn = output !== null && extensionOf(output) === 'glb';
    const surfaces = new Map<number, Float64Array[]>();
    const result = simulateScene(simulation, {
      ...partOfProgress(input.progress, 0, output === null ? 1 : 0.95),
      ...{ steps, every, nodes, maxSeconds },
      onFrame: () => {
        if (isDrawn) noteSurfaces(simulation, surfaces);
      },
    });
    if (output !== null) {
      const { model, animation } = animateFrames(simulation.bodies, result.frames, surfaces);
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

/** Keeps where the vertices of elastic bodies are. */
function noteSurfaces(simulation: Simulation, surfaces: Map<number, Float64Array[]>): void {
  for (let i = 0; i < simulation.bodies.length; i++) {
    const surface = simulation.surfaceOf(i);
    if (surface === null) continue;
    const known = surfaces.get(i);
    if (known === undefined) surfaces.set(i, [surface]);
    else known.push(surface);
  }
}

/** Bodies, and nodes where they are printed: eight take the room of a body. */
function countStates({ bodies, nodesOf }: Simulation, nodes: boolean): number {
  if (!nodes) return bodies.length;
  return bodies.reduce((sum, _, i) => sum + 1 + Math.ceil((nodesOf(i)?.length ?? 0) / 8), 0);
}

/**
 * Chosen: a warning tells of motion that was left out beyond this share of the time. Bodies that come to rest leave
 * out less, which changes nothing.
 */
const SMALL_SHARE = 1e-3;

function warningsOf(result: SimulationResult, path: string, steps: number): string[] {
  const { status, steps: done, lostTime, unsolved, frames } = result;
  const warnings: string[] = [];
  if (status === 'budget') warnings.push(`${path}: the time ran out after ${done} of ${steps} steps`);
  if (status === 'diverged') {
    warnings.push(`${path}: numbers were no longer finite after ${done} steps; make the timestep smaller`);
  }
  if (unsolved > 0) {
    warnings.push(
      `${path}: ${unsolved} solutions of elastic bodies are not as accurate as they should be; make the timestep or the loads smaller`,
    );
  }
  if (lostTime > SMALL_SHARE * (frames.at(-1)?.time ?? 0)) {
    const lost = `${readable(lostTime)} s of motion left out`;
    warnings.push(`${path}: ${lost}, where steps had too many impacts; make the timestep smaller`);
  }
  return warnings;
}

/** Refuses an answer that would be too long for one JSON text. */
function assertFrames(path: string, states: number, frames: number): void {
  if (states * frames <= MAX_STATES) return;
  throw new NearfieldError('too-large', `${path}: ${frames} frames are too many to print; keep fewer with --every`);
}

function describe(
  { frames, steps, substeps, elements, status, milliseconds, msPerStep }: SimulationResult,
  output: string | null,
): string {
  const isElastic = frames.some(({ energy }) => energy.elastic !== 0);
  const stride = Math.max(1, Math.ceil((frames.length - 1) / (MAX_ROWS - 1)));
  const shown = frames.filter((_, i) => i % stride === 0 || i === frames.length - 1);
  const table = columns(
    [
      'time',
      'kinetic',
      'gravitational',
      ...(isElastic ? ['elastic'] : []),
      'contact',
      'total',
      'momentum',
      'contacts',
      'worst penetration',
      'local penetration',
    ],
    shown.map((frame) => [
      readable(frame.time),
      ...rowOf(frame, isElastic),
      readableVector(frame.momentum.linear),
      readable(frame.contacts),
      readable(frame.worstPenetration),
      readable(frame.localPenetration),
    ]),
  );
  const summary = labeled([
    ['status', status],
    ['steps', `${readable(steps)} of ${readable(substeps)} substeps`],
    ['bodies', readable(frames[0]?.bodies.length ?? 0)],
    ...(elements > 0 ? [['elements', readable(elements)] as const] : []),
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

function rowOf(
  { energy: { kinetic, gravitational, elastic, contact, total } }: SimulationFrame,
  isElastic: boolean,
): string[] {
  return [kinetic, gravitational, ...(isElastic ? [elastic] : []), contact, total].map(readable);
}
