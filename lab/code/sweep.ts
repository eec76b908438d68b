// Code for the scene of sweeps: a sample of the library, and the same as a mechanism file with the meshes of its parts.
import { type Pose, pose } from 'nearfield/core';
import { writeModel } from 'nearfield/io';
import { type Mechanism, type MotionSample, motionSample, type SweepSubject } from 'nearfield/sweep';
import {
  type CodeFile,
  commandText,
  flag,
  type Imports,
  objectText,
  programText,
  quoted,
  READ_FILE,
  savedJson,
  type ViewCode,
  word,
} from './view-code.js';

export interface SweepView {
  readonly sample: MotionSample;
  readonly vary: Readonly<Record<string, readonly [number, number]>>;
  readonly clearance: number;
}

export function sweepCode({ sample, vary, clearance }: SweepView): ViewCode {
  const file = `${sample}.json`;
  const ranges = Object.entries(vary).map(([name, [low, high]]) => flag('vary', `${name}=${low}:${high}`));
  const mechanism = mechanismOf(motionSample(sample));
  return {
    typescript: programText(
      [{ 'nearfield/sweep': ['motionSample', 'sweep'] }],
      [
        `const result = sweep(motionSample(${quoted(sample)}), ${objectText({ vary, clearance })});`,
        'console.log(result.verdict, result.least?.lower, result.least?.upper);',
      ],
    ),
    command: commandText([], ['nearfield sweep', file, ...ranges, flag('clearance', clearance)].join(' ')),
    files: [savedJson(file, () => writtenOf(mechanism)), ...meshFiles(mechanism)].map((saved) => ({
      ...saved,
      only: 'command' as const,
    })),
  };
}

const MESHES = 'loadMesh: async (file) => mergeModel(await readModel(await readFile(file), { fileName: file }))';

/** A file that the user has, with its meshes beside it. */
export function sweptFileCode({
  file,
  vary,
  clearance,
}: Omit<SweepView, 'sample'> & { readonly file: string }): ViewCode {
  const ranges = Object.entries(vary).map(([name, [low, high]]) => rangeFlag(name, low, high));
  const varied = Object.keys(vary).length === 0 ? undefined : vary;
  const text = `await readFile(${quoted(file)}, 'utf8')`;
  const model = `await readModel(await readFile(${quoted(file)}), { fileName: ${quoted(file)}, motion: true })`;
  const [, kind] = /\.(\w+)$/.exec(file.toLowerCase()) ?? [];
  const robot = (reader: string, folders = ''): Reading => ({
    imports: { 'nearfield/io': ['mergeModel', 'readModel'], 'nearfield/planning': [reader] },
    line: `const { robot: subject } = await ${reader}(${text}, { ${folders}${MESHES} });`,
  });
  const mechanism: Reading = {
    imports: { 'nearfield/io': ['mergeModel', 'readModel'], 'nearfield/sweep': ['readMechanism'] },
    line: `const subject = await readMechanism(${text}, { ${MESHES} });`,
  };
  const moving: Reading = {
    imports: { 'nearfield/io': ['readModel'], 'nearfield/sweep': ['movingAssembly'] },
    line: `const subject = movingAssembly(${model});`,
  };
  const readings: Readonly<Record<string, Reading>> = {
    ...{ urdf: robot('readUrdf', 'packages: (name) => name, '), xml: robot('readMjcf'), json: mechanism },
  };
  const { imports, line } = readings[kind ?? ''] ?? moving;
  return {
    typescript: programText(
      [READ_FILE, imports, { 'nearfield/sweep': ['sweep'] }],
      [
        line,
        `const result = sweep(subject, ${objectText({ vary: varied, clearance })});`,
        'console.log(result.verdict, result.least?.lower, result.least?.upper);',
      ],
    ),
    command: commandText([], ['nearfield sweep', word(file), ...ranges, flag('clearance', clearance)].join(' ')),
  };
}

/** In quotes where the name has what a shell would read. */
function rangeFlag(name: string, low: number, high: number): string {
  const text = flag('vary', `${name}=${low}:${high}`);
  return /^[\w.=:+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

interface Reading {
  readonly imports: Imports;
  readonly line: string;
}

function fileOf(part: string): string {
  return `${part.replaceAll(' ', '-')}.obj`;
}

function meshFiles({ parts }: Mechanism): CodeFile[] {
  return parts.flatMap(({ name, mesh }) =>
    mesh === undefined ? [] : [{ name: fileOf(name), bytes: () => writeModel(mesh, 'obj') }],
  );
}

/** As a mechanism file has it. */
function writtenOf({ type: _, parts, ...rest }: Mechanism): object {
  return {
    format: 'nearfield-mechanism',
    version: 1,
    parts: parts.map(({ name, mesh, pose: placed }) => ({
      name,
      model: mesh === undefined ? undefined : fileOf(name),
      pose: placed,
    })),
    ...rest,
  };
}

/** A robot is a mechanism whose joined links may touch. */
function mechanismOf(subject: SweepSubject): Mechanism {
  if (subject.type === 'mechanism') return subject;
  if (subject.type !== 'chain') throw new Error('Samples are mechanisms and robots.');
  const places = new Map<string, Pose>([[subject.links[0].name, pose.identity()]]);
  const joints = subject.joints.map(({ name, type, parent, child, axis, origin, limits }) => {
    if (type !== 'revolute' && type !== 'prismatic' && type !== 'fixed') throw new Error(`No mechanism has ${type}.`);
    const placed = pose.multiply(places.get(parent)!, origin ?? pose.identity());
    places.set(child, placed);
    return { name, type, parent, child, axis, origin: placed, range: limits } as Mechanism['joints'][number];
  });
  const joined = subject.joints.map(({ parent: a, child: b }) => ({ a, b }));
  return {
    type: 'mechanism',
    parts: subject.links.map(({ name, mesh }) => ({ name, mesh, pose: places.get(name) })),
    joints,
    allowed: [...joined, ...(subject.ignore ?? []).map(([a, b]) => ({ a, b }))],
  };
}
