// Reads and writes model files for the command. Every error names the file.
import { existsSync, realpathSync } from 'node:fs';
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve as resolvePath, sep } from 'node:path';
import { NearfieldError } from '../core/errors.js';
import type { ProgressOptions } from '../core/progress.js';
import type { ModelFile } from '../io/model/model-file.js';
import { mergeModel } from '../io/model/model-file.js';
import { detectFormat, MODEL_FORMATS } from '../io/model/model-format.js';
import { readModel } from '../io/model/read-model.js';
import { CHORD_ERROR } from '../io/model/read-options.js';
import type { Mesh } from '../mesh/mesh.js';
import { takeNumber, takeString } from './arguments.js';
import { optionalPackages } from './optional-packages.js';
import { printWarning } from './print-warning.js';
import type { VerbInput } from './verb.js';

/**
 * Chosen: larger files are refused before they are read. This is near the limit of Node's buffers and of
 * JavaScript's strings.
 */
const MAX_FILE_BYTES = 2 ** 31;

/** How a model file is read. */
export interface LoadOptions extends ProgressOptions {
  /** As of `readModel`. */
  readonly chordError?: number | undefined;
  /** As of `readModel`. */
  readonly motion?: boolean | undefined;
}

/** The option of verbs that read curved surfaces as precisely as they are asked to. */
export const CHORD_OPTION = { 'chord-error': { type: 'string' } } as const;
export const CHORD_HELP = `  --chord-error E      how far triangles may be from the curved surfaces of STEP and IGES, in mm (default ${CHORD_ERROR})`;

/** The chord error that was asked for. */
export function takeChordError(input: VerbInput): number | undefined {
  return takeString(input, 'chord-error') === null ? undefined : takeNumber(input, 'chord-error', 0, { min: 1e-9 });
}

/** Reads a model file. Errors name the file, and so do the reader's warnings, which go to standard error. */
export async function loadModel(path: string, options: LoadOptions = {}): Promise<ModelFile> {
  const bytes = await readBytes(path);
  const folder = resolvePath(dirname(path));
  if (bytes.length > 0 && detectFormat(bytes, path) === null) {
    throw new NearfieldError(
      'file-format',
      `${path}: unknown format, by its extension and by its content; use one of .${MODEL_FORMATS.join(', .')}`,
      { file: path },
    );
  }
  try {
    const model = await readModel(bytes, {
      ...options,
      packages: optionalPackages,
      fileName: basename(path),
      resolve: (uri) => {
        const target = resolvePath(join(folder, decodeURIComponent(uri)));
        if (!target.startsWith(folder + sep)) {
          throw new NearfieldError(
            'unsupported',
            `the glTF refers to the file "${uri}" outside its own folder; put its buffers beside it or convert it to GLB.`,
          );
        }
        return readBytes(target);
      },
    });
    for (const warning of model.warnings ?? []) printWarning(`${path}: ${warning}`);
    return model;
  } catch (error) {
    throw error instanceof NearfieldError ? named(error, path) : error;
  }
}

/** Reads a model file as one mesh in the world frame. */
export async function loadMesh(path: string, progress: ProgressOptions = {}): Promise<Mesh> {
  const model = await loadModel(path, progress);
  return nameFile(path, () => mergeModel(model));
}

/** Runs `work` on the content of a file; its errors name the file. */
export function nameFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof NearfieldError ? named(error, path) : error;
  }
}

/** Writes a file, at once or part by part. After a failure no partial file is left. */
export async function saveBytes(
  path: string,
  bytes: Uint8Array | Generator<Uint8Array> | AsyncGenerator<Uint8Array>,
): Promise<void> {
  try {
    const file = await open(path, 'w');
    try {
      await writeFile(file, bytes);
    } catch (error) {
      if ((await file.stat()).isFile()) await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof NearfieldError) throw error;
    throw new NearfieldError('bad-argument', `${path}: cannot be written (${reason(error)})`, { file: path });
  }
}

/**
 * Refuses outputs, by the names of their options, that would overwrite an input or that are in a folder that is missing: before
 * hours of work, not after.
 */
export function assertOutputs(inputs: readonly string[], outputs: Readonly<Record<string, string | null>>): void {
  const given = Object.entries(outputs).filter((entry): entry is [string, string] => entry[1] !== null);
  const taken = new Map(inputs.map((path) => [identityOf(path), 'a model that is read']));
  for (const [name, path] of given) {
    const folder = dirname(resolvePath(path));
    if (!existsSync(folder)) {
      throw new NearfieldError('bad-argument', `--${name} is ${path}, but there is no folder ${folder}; make it first`);
    }
    const other = taken.get(identityOf(path));
    if (other !== undefined) {
      throw new NearfieldError('bad-argument', `--${name} is ${path}, which is ${other}; give another name`);
    }
    taken.set(identityOf(path), `the file of --${name}`);
  }
}

/** The path of a file without links; of one that does not exist, that of its folder with its name. */
function identityOf(path: string): string {
  const whole = resolvePath(path);
  if (existsSync(whole)) return realpathSync(whole);
  const folder = dirname(whole);
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(whole));
}

/** The file name's extension in lower case, without the dot. */
export function extensionOf(path: string): string {
  return extname(path).slice(1).toLowerCase();
}

/** The bytes of a file; errors name it. */
export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) {
      throw new NearfieldError(
        'too-large',
        `${path}: the file has ${size} bytes, more than the limit of 2 GiB; split it.`,
      );
    }
    return await readFile(path);
  } catch (error) {
    if (error instanceof NearfieldError) throw error;
    throw new NearfieldError('file-not-found', `${path}: cannot be read (${reason(error)})`, { file: path });
  }
}

function reason(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'no such file or folder; check the name';
    case 'EISDIR':
      return 'it is a folder; name a file';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'ENOSPC':
      return 'the disk is full';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

function named(error: NearfieldError, path: string): NearfieldError {
  const message = error.message.startsWith(path) ? error.message : `${path}: ${error.message}`;
  return new NearfieldError(error.code, message, { ...error.location, file: path });
}
