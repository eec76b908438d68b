// What the scene of sweeps opens: a robot with its meshes, a mechanism, or an animated model.
import { type Pose, type ProgressOptions, pose } from 'nearfield/core';
import { mergeModel } from 'nearfield/io';
import type { Mesh } from 'nearfield/mesh';
import { readMjcf, readUrdf } from 'nearfield/planning';
import { type MotionSample, motionSample, movingAssembly, readMechanism, type SweepSubject } from 'nearfield/sweep';
import { type BundledFile, findBundled, unpackFiles } from '../file-bundle.js';
import { readOpened } from './read-file.js';

/** A sample, or a file with those that it names. */
export interface AskedSubject {
  readonly sample: MotionSample;
  readonly name: string;
  readonly bytes: Uint8Array | null;
  readonly beside: Uint8Array | null;
}

/** A value that can be varied. */
export interface SubjectAxis {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly kind: 'turn' | 'slide' | 'time';
}

export interface Subject {
  readonly subject: SweepSubject;
  readonly axes: readonly SubjectAxis[];
  /** The name of the unit of length; null where nobody says it. */
  readonly unit: string | null;
  /** Where its world is in the view. */
  readonly world: Pose;
}

/** Robots have z up, the view y. */
const UPRIGHT: Pose = [0, 0, 0, -Math.SQRT1_2, 0, 0, Math.SQRT1_2];

/** Definition: the range of a joint that turns without end. */
const WHOLE_TURN: readonly [number, number] = [-Math.PI, Math.PI];

const opened = new WeakMap<Uint8Array, Promise<Subject>>();

export async function subjectOf(asked: AskedSubject, options: ProgressOptions): Promise<Subject> {
  const { bytes, sample } = asked;
  if (bytes === null) {
    const subject = motionSample(sample);
    const unit = sample === 'engine' ? 'mm' : 'm';
    return { subject, axes: axesOf(subject), unit, world: sample === 'arm' ? UPRIGHT : pose.identity() };
  }
  const known = opened.get(bytes) ?? readSubject(asked, bytes, options);
  opened.set(bytes, known);
  return known;
}

async function readSubject(
  { name, beside }: AskedSubject,
  bytes: Uint8Array,
  options: ProgressOptions,
): Promise<Subject> {
  const files = unpackFiles(beside);
  const loadMesh = meshLoader(files, options);
  const text = (): string => new TextDecoder().decode(bytes);
  const done = (subject: SweepSubject, unit: string | null, world: Pose): Subject => {
    return { subject, axes: axesOf(subject), unit, world };
  };
  if (/\.urdf$/i.test(name)) {
    const srdf = files.find((file) => /\.srdf$/i.test(file.name));
    const { robot } = await readUrdf(text(), {
      ...{ loadMesh, packages: (folder: string) => folder },
      srdf: srdf && new TextDecoder().decode(srdf.bytes),
    });
    return done(robot, 'm', UPRIGHT);
  }
  if (/\.xml$/i.test(name)) {
    const loadText = (file: string): string => new TextDecoder().decode(findBundled(files, file).bytes);
    const { robot } = await readMjcf(text(), { loadMesh, loadText });
    return done(robot, 'm', UPRIGHT);
  }
  if (/\.json$/i.test(name)) {
    const mechanism = await readMechanism(text(), { loadMesh });
    const { unit } = JSON.parse(text()) as { unit?: string };
    return done(mechanism, unit ?? null, pose.identity());
  }
  const model = await readOpened(bytes, { fileName: name, motion: true, ...options });
  return done(movingAssembly(model), 'm', pose.identity());
}

/** Each file is read once, whatever calls for it. */
export function meshLoader(files: readonly BundledFile[], options: ProgressOptions): (name: string) => Promise<Mesh> {
  const read = new Map<BundledFile, Promise<Mesh>>();
  return (name) => {
    const file = findBundled(files, name);
    const known =
      read.get(file) ??
      readOpened(file.bytes, { fileName: lastOf(file.name), ...options }).then((model) => mergeModel(model));
    read.set(file, known);
    return known;
  };
}

function lastOf(name: string): string {
  return name.split(/[/:]/).at(-1) ?? name;
}

function axesOf(subject: SweepSubject): SubjectAxis[] {
  if (subject.type === 'frames') {
    const times = subject.parts.flatMap(({ keys }) => keys.map(({ time }) => time));
    return [{ name: 'time', low: Math.min(...times), high: Math.max(...times), kind: 'time' }];
  }
  const coupled = subject.type === 'mechanism' ? (subject.couplings ?? []).map(({ joint }) => joint) : [];
  return subject.joints.flatMap((joint): SubjectAxis[] => {
    const endless = joint.type === 'continuous' ? WHOLE_TURN : undefined;
    const range = ('range' in joint ? joint.range : 'limits' in joint ? joint.limits : undefined) ?? endless;
    const follows = coupled.includes(joint.name) || ('mimic' in joint && joint.mimic !== undefined);
    if (range === undefined || follows || joint.type === 'fixed') return [];
    const kind = joint.type === 'prismatic' ? 'slide' : 'turn';
    return [{ name: joint.name, low: range[0], high: range[1], kind }];
  });
}
