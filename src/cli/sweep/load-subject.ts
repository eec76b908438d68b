// What the verb sweep reads: mechanisms, robots, and assemblies with frames.
import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { NearfieldError } from '../../core/errors.js';
import type { Pose } from '../../core/pose.js';
import { readMjcf } from '../../kinematics/mjcf/read-mjcf.js';
import { readUrdf } from '../../kinematics/urdf/read-urdf.js';
import type { Keyframe } from '../../proximity/impact/motion.js';
import { readMechanism } from '../../sweep/mechanism/read-mechanism.js';
import type { SweepSubject } from '../../sweep/sweep-options.js';
import { loadAssembly } from '../clash/assembly.js';
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
    throw new NearfieldError('bad-argument', `--srdf goes with a URDF; ${file} is another kind of file`);
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
  if (frames === null)
    throw new NearfieldError('bad-argument', `${file} does not say how its parts move; give --frames FRAMES.json`);
  const { parts } = await loadAssembly([file], { unit });
  const keys = parseMoves(
    await textOf(frames),
    frames,
    parts.map(({ name }) => name),
  );
  return {
    type: 'frames',
    parts: parts.map(({ name, model, pose }) => ({
      name,
      mesh: model.mesh,
      keys: keys.get(name) ?? [{ time: 0, pose }],
    })),
  };
}

/**
 * The keys of parts: `{"frames":[{"time":0,"gear":[…]}, …]}` by name, or the answer of `simulate`, whose bodies are in the
 * order of the parts. Frames without a time are a second apart.
 */
export function parseMoves(text: string, file: string, names: readonly string[]): Map<string, Keyframe[]> {
  const refuse = (what: string): never => {
    throw new NearfieldError('file-format', `${file}: ${what}`, { file });
  };
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return refuse(`is not valid JSON (${(error as Error).message})`);
  }
  const frames = isRecord(document) ? document.frames : undefined;
  if (!Array.isArray(frames) || frames.length < 2)
    return refuse('has no list "frames" of at least two; give {"frames":[{"time":0,"part":[…]}, …]}');
  const keys = new Map<string, Keyframe[]>();
  for (const [i, frame] of frames.entries()) {
    if (!isRecord(frame)) return refuse(`frame ${i} is no object of placements by part`);
    const time = frame.time ?? i;
    if (typeof time !== 'number' || !Number.isFinite(time)) return refuse(`the time of frame ${i} is no number`);
    for (const [name, value] of placements(frame, i, names, refuse)) {
      if (!names.includes(name))
        return refuse(`frame ${i} moves ${name}, which is no part; the parts are ${names.join(', ')}`);
      const list = keys.get(name) ?? [];
      if (list.length > 0 && time <= list[list.length - 1].time)
        return refuse(`the time of frame ${i} is not after the last one`);
      list.push({ time, pose: placementOf(value, `frame ${i}, ${name}`, file) });
      keys.set(name, list);
    }
  }
  return keys;
}

function placements(
  frame: Record<string, unknown>,
  index: number,
  names: readonly string[],
  refuse: (what: string) => never,
): (readonly [string, unknown])[] {
  if (!Array.isArray(frame.bodies)) return Object.entries(frame).filter(([name]) => name !== 'time');
  if (frame.bodies.length !== names.length)
    return refuse(`frame ${index} has ${frame.bodies.length} bodies and the assembly ${names.length} parts`);
  return frame.bodies.map((body, i) => [names[i], isRecord(body) ? body.pose : undefined]);
}

function placementOf(value: unknown, where: string, file: string): Pose {
  try {
    return parsePlacement(value);
  } catch (error) {
    if (!(error instanceof NearfieldError)) throw error;
    throw new NearfieldError(error.code, `${file}: ${where}: ${error.message}`, { file });
  }
}
