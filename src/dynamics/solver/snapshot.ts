// A world's changing state as bytes: 8-byte numbers, so that every bit comes back.
import { NearfieldError } from '../../core/errors.js';
import type { Bodies } from '../body/bodies.js';
import type { Joint } from '../joint/joint.js';
import type { StepMethod } from '../step-method.js';
import type { Collision } from './collision.js';
import { KEPT } from './pair-table.js';
import type { Sleep } from './sleep.js';
import type { SubstepSolver } from './substep-solver.js';

/** Label: marks the bytes of a snapshot: 'nf' and the version of the layout. */
const MARK = 0x6e660004;
/** Layout: numbers of a pair before those of its points. */
const PAIR = 13;

/** What a snapshot is of. */
export interface SnapshotParts {
  readonly bodies: Bodies;
  readonly joints: readonly Joint[];
  readonly collision: Collision;
  readonly sleep: Sleep;
  readonly solver: SubstepSolver;
  readonly method: StepMethod;
  /** How often each slot was used before. */
  readonly generations: readonly number[];
  /** Whether a body may have had a kind then. */
  readonly mayHave: (slot: number, kind: number) => boolean;
}

/** Writes a snapshot. */
export function writeSnapshot(steps: number, parts: SnapshotParts): Uint8Array {
  const { bodies, joints, collision, sleep, solver, method, generations } = parts;
  const { count } = bodies;
  const values: number[] = [MARK, count, joints.length, steps, solver.lastLength];
  for (let i = 0; i < count; i++)
    values.push(bodies.kind[i], generations[i], sleep.timers[i] ?? 0, sleep.islands[i] ?? 0);
  for (const { values: array, width } of bodies.arrays()) for (let k = 0; k < width * count; k++) values.push(array[k]);
  for (const joint of joints) values.push(...joint.state());
  const pairs = collision.pairs.sorted();
  collision.save(values);
  values.push(pairs.length);
  for (const pair of pairs) {
    const { keptCount, kept, keptImpulses } = pair;
    const found: number[] = [];
    pair.manifold.save(found);
    values.push(pair.a, pair.b, pair.rest, pair.touching ? 1 : 0, pair.struck ? 1 : 0);
    values.push(pair.clearance, pair.turned, ...pair.apart, pair.heldFor, keptCount, found.length);
    for (let k = 0; k < 2 * keptCount; k++) values.push(kept[k]);
    for (let k = 0; k < KEPT * keptCount; k++) values.push(keptImpulses[k]);
    values.push(...found);
  }
  method.save?.(values);
  // Tells whether the end is there.
  values.push(MARK);
  return new Uint8Array(Float64Array.from(values).buffer);
}

/** Reads a snapshot into a world with the same bodies and joints; returns the number of steps made. */
export function readSnapshot(bytes: Uint8Array, parts: SnapshotParts): number {
  const { bodies, joints, collision, sleep, solver, method, generations, mayHave } = parts;
  const whole = bytes.byteLength % 8 === 0 ? new Float64Array(bytes.slice().buffer) : new Float64Array(0);
  const source = new Source(whole);
  const { count } = bodies;
  if (whole.length < 5 || source.next() !== MARK) {
    throw new NearfieldError('file-format', 'The bytes are no snapshot of a world; give what snapshot() returned.');
  }
  const isSame = source.next() === count && source.next() === joints.length;
  const steps = source.next();
  const lastLength = source.next();
  const states = Array.from({ length: isSame ? 4 * count : 0 }, () => source.next());
  for (let i = 0; i < states.length; i += 4) {
    if (!mayHave(i / 4, states[i]) || states[i + 1] !== generations[i / 4]) throw otherBodies();
  }
  if (!isSame) throw otherBodies();
  const arrays = bodies.arrays();
  const numbers = arrays.map(({ width }) => source.take(width * count));
  const jointStates = joints.map((joint) => source.take(joint.state().length));
  const moved = source.take(5 * count);
  const pairs = Array.from({ length: source.next() }, () => readPair(source, count));
  if (whole[whole.length - 1] !== MARK) throw truncated();
  // Everything is read: from here on nothing fails.
  solver.lastLength = lastLength;
  sleep.reserve(count);
  for (let i = 0; i < count; i++) {
    bodies.kind[i] = states[4 * i];
    sleep.timers[i] = states[4 * i + 2];
    sleep.islands[i] = states[4 * i + 3];
  }
  arrays.forEach(({ values }, i) => {
    values.set(numbers[i]);
  });
  joints.forEach((joint, i) => {
    joint.setState(jointStates[i]);
  });
  collision.pairs.clear();
  collision.load(moved);
  for (const pair of pairs) restorePair(collision, pair);
  method.load?.(whole, source.at);
  return steps;
}

/** A pair of bodies as a snapshot has it. */
type SavedPair = ReturnType<typeof readPair>;

function readPair(source: Source, count: number) {
  const [a, b, rest, touching, struck, clearance, turned, x, y, z, heldFor, kept, length] = source.take(PAIR);
  if (!(a >= 0 && b > a && b < count)) throw truncated();
  const [keys, impulses] = [source.take(2 * kept), source.take(KEPT * kept)];
  const found = source.take(length);
  const apart = [x, y, z];
  return { a, b, rest, touching, struck, clearance, turned, apart, heldFor, kept, keys, impulses, found };
}

function restorePair(collision: Collision, saved: SavedPair): void {
  const pair = collision.begin(saved.a, saved.b);
  pair.rest = saved.rest;
  pair.clearance = saved.clearance;
  pair.turned = saved.turned;
  pair.apart.set(saved.apart);
  pair.heldFor = saved.heldFor;
  pair.touching = saved.touching === 1;
  pair.struck = saved.struck === 1;
  pair.keptCount = saved.kept;
  pair.kept = Int32Array.from(saved.keys);
  pair.keptImpulses = Float64Array.from(saved.impulses);
  pair.manifold.load(saved.found, 0);
}

class Source {
  readonly #values: Float64Array;
  /** Where the next number is. */
  at = 0;

  constructor(values: Float64Array) {
    this.#values = values;
  }

  next(): number {
    if (this.at >= this.#values.length) throw truncated();
    return this.#values[this.at++];
  }

  take(count: number): Float64Array {
    const end = this.at + count;
    if (!(Number.isInteger(count) && count >= 0 && end <= this.#values.length)) throw truncated();
    const taken = this.#values.subarray(this.at, end);
    this.at = end;
    return taken;
  }
}

function truncated(): NearfieldError {
  return new NearfieldError('file-truncated', 'The snapshot ends early or is damaged; take it again.');
}

function otherBodies(): NearfieldError {
  return new NearfieldError(
    'bad-argument',
    'The snapshot is of a world with other bodies or joints; restore it in one with the same, added in the same order.',
  );
}
