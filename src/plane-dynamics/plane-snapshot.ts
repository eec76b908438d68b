// The state of a world in the plane as bytes and back: everything that the next step depends on.
import { nameValue } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import type { ContactEvents } from './contact/contact-events.js';
import type { PlaneContext } from './step/plane-context.js';
import type { PlaneStepMethod } from './step/plane-step-method.js';

/** Label: marks the bytes of a snapshot: 'plane' and the version of the layout. */
const MAGIC = 0x706c616e6502;

/** What a snapshot is of. */
export interface SnapshotParts {
  readonly context: PlaneContext;
  readonly events: ContactEvents;
  readonly method: PlaneStepMethod;
}

export function saveState({ context, events, method }: SnapshotParts, steps: number): Uint8Array {
  const { bodies, joints, springs, sleeping, solver, contacts, collision } = context;
  const { count } = bodies;
  const values: number[] = [MAGIC, count, joints.length, steps];
  for (let i = 0; i < count; i++) {
    values.push(bodies.kind[i], bodies.angle[i], bodies.spin[i], bodies.torque[i], bodies.asleep[i], bodies.still[i]);
    for (const pairs of [bodies.center, bodies.velocity, bodies.force]) values.push(pairs[2 * i], pairs[2 * i + 1]);
    for (let k = 0; k < 3; k++) values.push(sleeping.anchors[3 * i + k] ?? 0);
    const ring = springs.rings[i];
    if (ring !== null) values.push(ring.x, ring.y, ring.angle, ...ring.positions, ...ring.velocities);
  }
  for (const joint of joints) values.push(joint.isRemoved ? 1 : 0, joint.speed, ...joint.impulses);
  values.push(solver.lastLength, ...contacts.memory.save(), ...collision.recovery.save());
  values.push(events.touching.length, ...events.touching);
  method.save?.(values);
  // Tells whether the end is there.
  values.push(MAGIC);
  return new Uint8Array(Float64Array.from(values).buffer);
}

/** Takes over a snapshot. @returns the number of steps made. */
export function loadState(bytes: Uint8Array, { context, events, method }: SnapshotParts): number {
  const { bodies, joints, springs, sleeping, solver, contacts, collision } = context;
  const { rings } = springs;
  if (!(bytes instanceof Uint8Array) || bytes.length % 8 !== 0 || bytes.length < 32) refuse(nameValue(bytes));
  const values = new Float64Array(bytes.slice().buffer);
  if (values[0] !== MAGIC) refuse('something else');
  if (values[1] !== bodies.count || values[2] !== joints.length) {
    refuse(`of ${values[1]} bodies and ${values[2]} joints, this world has ${bodies.count} and ${joints.length}`);
  }
  let size = 4;
  for (let i = 0; i < bodies.count; i++) size += 15 + (rings[i] === null ? 0 : 3 + 2 * rings[i]!.positions.length);
  if (values.length < size + 7 * joints.length + 4 || values[values.length - 1] !== MAGIC) refuse('cut off');
  let at = 4;
  for (let i = 0; i < bodies.count; i++) {
    bodies.kind[i] = values[at];
    bodies.turn(i, values[at + 1]);
    bodies.spin[i] = values[at + 2];
    bodies.torque[i] = values[at + 3];
    bodies.asleep[i] = values[at + 4];
    bodies.still[i] = values[at + 5];
    at += 6;
    for (const pairs of [bodies.center, bodies.velocity, bodies.force]) {
      pairs[2 * i] = values[at++];
      pairs[2 * i + 1] = values[at++];
    }
    if (sleeping.anchors.length < 3 * bodies.count) sleeping.anchors = new Float64Array(3 * bodies.count);
    for (let k = 0; k < 3; k++) sleeping.anchors[3 * i + k] = values[at++];
    bodies.place(i);
    const ring = rings[i];
    if (ring === null) continue;
    ring.x = values[at];
    ring.y = values[at + 1];
    ring.angle = values[at + 2];
    const count = ring.positions.length;
    ring.positions.set(values.subarray(at + 3, at + 3 + count));
    ring.velocities.set(values.subarray(at + 3 + count, at + 3 + 2 * count));
    at += 3 + 2 * count;
    ring.evaluate();
  }
  for (const joint of joints) {
    joint.isRemoved = values[at] === 1;
    joint.speed = values[at + 1];
    joint.impulses.set(values.subarray(at + 2, at + 7));
    at += 7;
  }
  solver.restore(values[at]);
  contacts.clear();
  at += 1 + contacts.memory.load(values, at + 1);
  at += collision.recovery.load(values, at);
  const touching = values[at];
  events.touching = Array.from(values.subarray(at + 1, at + 1 + touching));
  method.load?.(values, at + 1 + touching);
  springs.find();
  return values[3];
}

function refuse(what: string): never {
  throw new NearfieldError(
    'bad-argument',
    `The snapshot is ${what}; give the bytes that snapshot() returned for a world with the same bodies and joints.`,
  );
}
