// Motions of what callers sweep: mechanisms, robots, assemblies with keyframes.
import { nameValue } from '../core/check/check-options.js';
import { takePose } from '../core/check/check-pose.js';
import { checkedElsewhere, optionTable } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import * as pose from '../core/pose.js';
import { buildChain, readJointValues } from '../kinematics/robot/build-chain.js';
import type { ChainPlanRobot } from '../kinematics/robot/chain-description.js';
import type { PlanObstacle } from '../kinematics/validity/obstacle-description.js';
import { ProximityModel } from '../proximity/proximity-model.js';
import { buildMechanism } from './mechanism/build-mechanism.js';
import type { LoopClosure } from './mechanism/loop-closure.js';
import type { Mechanism } from './mechanism/mechanism-description.js';
import { JointMotion, type VariedValue } from './motion/joint-motion.js';
import { KeyframeMotion } from './motion/keyframe-motion.js';
import type { SweptMotion, SweptPair } from './motion/swept-motion.js';
import type { MovingAssembly, SweepOptions, SweepSubject } from './sweep-options.js';

/** Chosen: the most joints that are varied together; every one more takes many times as long. */
export const MAX_VARIED = 4;

/** A motion, and what belongs to its sweep. */
export interface BuiltMotion {
  readonly motion: SweptMotion;
  readonly loops: LoopClosure | null;
  /** The clearance that the subject itself wants. */
  readonly clearance: number;
}

/** A value that can be varied. */
interface FreeValue {
  readonly name: string;
  readonly value: number;
  readonly range: readonly [number, number];
}

function refuse(what: string): never {
  throw new NearfieldError('bad-argument', `${what}.`);
}

/** @throws NearfieldError for what cannot be swept. */
export function buildMotion(subject: SweepSubject, options: SweepOptions): BuiltMotion {
  switch (subject?.type) {
    case 'mechanism':
      return ofMechanism(subject, options);
    case 'chain':
      return ofChain(subject, options);
    case 'frames':
      return ofFrames(subject, options);
    default:
      return refuse(
        `What is swept is ${nameValue(subject)}; give a mechanism, a chain, or parts with keyframes: { type: 'mechanism' | 'chain' | 'frames', … }`,
      );
  }
}

function ofMechanism(mechanism: Mechanism, options: SweepOptions): BuiltMotion {
  const { chain, loops, free } = buildMechanism(mechanism);
  const at = new Float64Array(chain.size);
  const axes = chooseAxes(free, options, at);
  const obstacles = readObstacles(options.obstacles);
  const names = [...chain.links, ...obstacles].map(({ name }) => name);
  const allowed = new Map<string, number>();
  for (const { a, b, depth = Infinity } of mechanism.allowed ?? []) {
    for (const name of [a, b]) {
      if (!mechanism.parts.some((part) => part.name === name))
        refuse(`The mechanism allows the pair ${a}, ${b}, of which ${name} is no part; correct the name`);
    }
    if (!(depth >= 0)) refuse(`The mechanism allows the pair ${a}, ${b} the depth ${depth}; give a number from 0`);
    allowed.set(keyOf(a, b), depth);
  }
  const pairs = allPairs(names, chain.links.length, (a, b) => allowed.get(keyOf(a, b)) ?? 0);
  const motion = new JointMotion({ chain, obstacles, axes, at, loops, pairs: withoutIgnored(pairs, names, options) });
  return { motion, loops, clearance: mechanism.clearance ?? 0 };
}

function ofChain(robot: ChainPlanRobot, options: SweepOptions): BuiltMotion {
  const chain = buildChain(robot, robot.name ?? 'robot', 0);
  const at = Float64Array.from(readJointValues(robot, {}, 'configuration'));
  const free = chain.valueNames.map((name, value) => ({ name, value, range: chain.limits[value] }));
  const axes = chooseAxes(free, options, at);
  const obstacles = readObstacles(options.obstacles);
  const names = [...chain.links, ...obstacles].map(({ name }) => name);
  const pairs: SweptPair[] = chain.linkPairs.map(([a, b]) => ({ a, b, allowedDepth: 0 }));
  for (const [a, { isTested }] of chain.links.entries()) {
    for (let o = 0; o < obstacles.length && isTested; o++)
      pairs.push({ a, b: chain.links.length + o, allowedDepth: 0 });
  }
  const motion = new JointMotion({
    ...{ chain, obstacles, axes, at },
    loops: null,
    pairs: withoutIgnored(pairs, names, options),
  });
  return { motion, loops: null, clearance: 0 };
}

type AssemblyPart = MovingAssembly['parts'][number];

const PART = optionTable<AssemblyPart>('The keys')({
  name: checkedElsewhere<string>(),
  mesh: checkedElsewhere<AssemblyPart['mesh']>(),
  keys: checkedElsewhere<AssemblyPart['keys']>(),
});

function ofFrames({ parts }: MovingAssembly, options: SweepOptions): BuiltMotion {
  if (!Array.isArray(parts) || parts.length === 0) refuse('The assembly has no parts; give a list');
  if (options.vary !== undefined || options.at !== undefined)
    refuse('An assembly with keyframes has no joints; leave out "vary" and "at"');
  const models = new Map<unknown, ProximityModel>();
  const modelOf = (name: string, mesh: MovingAssembly['parts'][number]['mesh']): ProximityModel => {
    const known = models.get(mesh);
    if (known !== undefined) return known;
    const made = makeModel(`part ${name}`, mesh);
    models.set(mesh, made);
    return made;
  };
  const bodies = parts.map((part) => {
    PART.assert(part, `the part ${part?.name}`);
    const { name, mesh, keys } = part;
    if (!Array.isArray(keys) || keys.length === 0)
      refuse(`The part ${name} has no keys; give { time, pose } at least once`);
    for (const [i, key] of keys.entries()) takePose(key?.pose, `keyframe ${i} of the part ${name}`);
    return { name, model: modelOf(name, mesh), keys };
  });
  for (const { name, pose: placed, model } of readObstacles(options.obstacles))
    bodies.push({ name, model, keys: [{ time: 0, pose: placed }] });
  const names = bodies.map(({ name }) => name);
  const pairs = withoutIgnored(
    allPairs(names, parts.length, () => 0),
    names,
    options,
  );
  return { motion: new KeyframeMotion(bodies, pairs), loops: null, clearance: 0 };
}

function makeModel(what: string, mesh: ConstructorParameters<typeof ProximityModel>[0]): ProximityModel {
  try {
    return new ProximityModel(mesh);
  } catch (error) {
    if (!(error instanceof NearfieldError)) throw error;
    throw new NearfieldError(error.code, `${what}: ${error.message}`, error.location);
  }
}

function readObstacles(obstacles: readonly PlanObstacle[] = []) {
  return obstacles.map(({ name, mesh, pose: placed, motion }, i) => {
    const own = name ?? `obstacle ${i + 1}`;
    if (motion !== undefined) refuse(`The obstacle ${own} moves; surroundings of a sweep stand still`);
    const at = placed === undefined ? pose.identity() : takePose(placed, `obstacle ${own}`);
    return { name: own, model: makeModel(`obstacle ${own}`, mesh), pose: at };
  });
}

/** Pairs of the first bodies with all that follow. */
function allPairs(names: readonly string[], moving: number, allowance: (a: string, b: string) => number): SweptPair[] {
  const pairs: SweptPair[] = [];
  for (let a = 0; a < moving; a++) {
    for (let b = a + 1; b < names.length; b++) {
      const allowedDepth = allowance(names[a], names[b]);
      if (allowedDepth < Infinity) pairs.push({ a, b, allowedDepth });
    }
  }
  return pairs;
}

function keyOf(a: string, b: string): string {
  return JSON.stringify([a, b].sort());
}

function withoutIgnored(
  pairs: readonly SweptPair[],
  names: readonly string[],
  { ignore = [] }: SweepOptions,
): SweptPair[] {
  const ignored = new Set<string>();
  for (const [a, b] of ignore) {
    for (const name of [a, b]) {
      if (!names.includes(name))
        refuse(`"ignore" names ${nameValue(name)}, which is no part; the parts are ${names.join(', ')}`);
    }
    ignored.add(keyOf(a, b));
  }
  return pairs.filter(({ a, b }) => !ignored.has(keyOf(names[a], names[b])));
}

/** The joints that are varied; values of others are written. */
function chooseAxes(free: readonly FreeValue[], { vary, at = {} }: SweepOptions, values: Float64Array): VariedValue[] {
  const known = `those that move are ${free.map(({ name }) => name).join(', ')}`;
  for (const [name, value] of Object.entries(at)) {
    const own = free.find((other) => other.name === name);
    if (own === undefined) refuse(`"at" names the joint ${name}, which cannot be set; ${known}`);
    if (!Number.isFinite(value)) refuse(`The value of the joint ${name} is ${nameValue(value)}; give a number`);
    values[own.value] = value;
  }
  for (const name of Object.keys(vary ?? {})) {
    if (!free.some((other) => other.name === name))
      refuse(`"vary" names the joint ${name}, which cannot be varied; ${known}`);
    if (at[name] !== undefined) refuse(`The joint ${name} is varied and set; give it once`);
  }
  const chosen = free.filter(({ name, range }) =>
    vary === undefined ? at[name] === undefined && range[0] < range[1] : Object.hasOwn(vary, name),
  );
  if (chosen.length === 0) refuse('Nothing is varied; give a joint with a range');
  if (chosen.length > MAX_VARIED)
    refuse(
      `${chosen.length} joints are varied; name up to ${MAX_VARIED} of them by "vary", and set the others by "at"; ${known}`,
    );
  return chosen.map(({ name, value, range }) => {
    const [low, high] = vary?.[name] ?? range;
    if (!(Number.isFinite(low) && Number.isFinite(high) && low < high))
      refuse(`The range of the joint ${name} is ${low} to ${high}; give two numbers, the smaller one first`);
    return { name, value, low, high };
  });
}
