// What the verb sweep reads: mechanisms, robots, and assemblies with frames.
import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { AssemblyPart } from '../../clash/assembly.js';
import type { AssemblyMotion } from '../../clash/moving-clashes.js';
import { NearfieldError } from '../../core/errors.js';
import { readMjcf } from '../../kinematics/mjcf/read-mjcf.js';
import { readUrdf } from '../../kinematics/urdf/read-urdf.js';
import { readMechanism } from '../../sweep/mechanism/read-mechanism.js';
import type { SweepSubject } from '../../sweep/sweep-options.js';
import { loadAssembly } from '../clash/assembly.js';
import { readPartFrames } from '../clash/part-frames.js';
import { readJson } from '../clash/rules-file.js';
import { extensionOf, loadMesh, readBytes } from '../load-model.js';
import { printWarning } from '../print-warning.js';
import { isRecord, parsePlacement } from '../replay/frames-file.js';

/** Files that describe one subject. */
export interface SubjectFiles {
  readonly file: string;
  readonly srdf: string | null;
  readonly frames: string | null;
  readonly unit: string | null;
}

/** @throws NearfieldError that names the file. */
export async function loadSubject(files: SubjectFiles): Promise<SweepSubject> {
  const { file, srdf, frames } = files;
  const kind = extensionOf(file);
  if (srdf !== null && kind !== 'urdf')
    throw new NearfieldError('bad-argument', `--srdf goes with a URDF; ${file} is none`);
  const moves = kind === 'json' || kind === 'urdf' || kind === 'xml';
  if (moves && frames !== null)
    throw new NearfieldError(
      'bad-argument',
      `--frames goes with an assembly such as a GLB; ${file} has joints of its own`,
    );
  if (kind === 'json') return loadMechanism(file);
  if (kind === 'urdf') return loadUrdf(file, srdf);
  if (kind === 'xml') return loadMjcf(file);
  return loadMoving(files);
}

async function textOf(file: string): Promise<string> {
  return new TextDecoder().decode(await readBytes(file));
}

function beside(file: string): (name: string) => string {
  return (name) => (isAbsolute(name) ? name : join(dirname(file), name));
}

async function named<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof NearfieldError) || error.message.includes(file)) throw error;
    throw new NearfieldError(error.code, `${file}: ${error.message}`, { file });
  }
}

async function loadMechanism(file: string): Promise<SweepSubject> {
  const place = beside(file);
  return named(file, readMechanism(await textOf(file), { loadMesh: (name) => loadMesh(place(name)) }));
}

async function loadUrdf(file: string, srdf: string | null): Promise<SweepSubject> {
  const place = beside(file);
  const { robot, warnings } = await named(
    file,
    readUrdf(await textOf(file), {
      loadMesh: (name) => loadMesh(place(name)),
      packages: (name) => findPackage(name, file),
      srdf: srdf === null ? undefined : await textOf(srdf),
    }),
  );
  for (const warning of warnings) printWarning(`${file}: ${warning}`);
  return robot;
}

async function loadMjcf(file: string): Promise<SweepSubject> {
  const place = beside(file);
  const loadText = async (name: string): Promise<string> => textOf(place(name));
  const { robot, warnings } = await named(
    file,
    readMjcf(await textOf(file), { loadMesh: (name) => loadMesh(place(name)), loadText }),
  );
  for (const warning of warnings) printWarning(`${file}: ${warning}`);
  return robot;
}

/** The folder of a package: one of this name that contains the URDF, or lies beside one that does. */
function findPackage(name: string, urdf: string): string | undefined {
  for (let folder = dirname(resolve(urdf)); ; folder = dirname(folder)) {
    if (basename(folder) === name) return folder;
    const next = join(folder, name);
    if (existsSync(next)) return next;
    if (dirname(folder) === folder) return undefined;
  }
}

async function loadMoving({ file, frames, unit }: SubjectFiles): Promise<SweepSubject> {
  const { parts, motion: own } = await loadAssembly([file], { unit, motion: frames === null });
  const motion = frames === null ? own : await readFrames(frames, parts);
  if (motion === null)
    throw new NearfieldError('bad-argument', `${file} does not say how its parts move; give --frames FRAMES.json`);
  const { times, poses } = motion;
  return {
    type: 'frames',
    parts: parts.map(({ name, model, pose }, part) => {
      const keys = poses[part]?.map((placed, i) => ({ time: times[i], pose: placed })) ?? [{ time: 0, pose }];
      return { name, mesh: model.mesh, keys };
    }),
  };
}

/** A frames file by the names of parts, or the answer of `simulate`, whose bodies are in the order of the parts. */
async function readFrames(file: string, parts: readonly AssemblyPart[]): Promise<AssemblyMotion> {
  const answer: unknown = await readJson(file);
  const frames = isRecord(answer) && Array.isArray(answer.frames) ? answer.frames : [];
  if (!isRecord(frames[0]) || !Array.isArray(frames[0].bodies)) return readPartFrames(file, parts);
  const refuse = (what: string): never => {
    throw new NearfieldError('file-format', `${file}: ${what}`, { file });
  };
  const states = frames.map((frame: unknown, i) => {
    const { time, bodies } = isRecord(frame) ? frame : refuse(`frame ${i} is not an object`);
    if (typeof time !== 'number' || !Array.isArray(bodies)) return refuse(`frame ${i} has no time or no bodies`);
    if (bodies.length !== parts.length)
      return refuse(`frame ${i} has ${bodies.length} bodies, and the assembly has ${parts.length} parts`);
    return { time, poses: bodies.map((body: unknown) => parsePlacement(isRecord(body) ? body.pose : undefined)) };
  });
  return {
    times: states.map(({ time }) => time),
    poses: parts.map((_, part) => states.map(({ poses }) => poses[part])),
  };
}
