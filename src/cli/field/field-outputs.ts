// The output files of a field, by extension: .npy and .raw for programs, .png with %d for a gray image per layer, .png
// for a picture of a slice. The first three have a .json file beside them.
import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { NearfieldError } from '../../core/errors.js';
import type { ProgressOptions } from '../../core/progress.js';
import { type FieldFileOptions, fieldNpyParts, fieldRawParts, rawHeaderOf } from '../../field/files/field-file.js';
import { headerOf } from '../../field/files/field-header.js';
import type { FieldLayers } from '../../field/files/field-layers.js';
import { writeFieldSlices } from '../../field/files/field-slices.js';
import { parseNumber } from '../arguments.js';
import { extensionOf, saveBytes } from '../load-model.js';
import type { VerbInput } from '../verb.js';

/** One -o option, and the JSON file beside it. */
export type FieldOutput =
  | { readonly kind: 'npy' | 'raw' | 'slices'; readonly path: string; readonly json: string }
  | { readonly kind: 'picture'; readonly path: string; readonly json: null };

/** The slice that a picture shows. */
export interface AskedSlice {
  readonly axis: 0 | 1 | 2;
  readonly position: number;
}

export const FIELD_OUTPUTS_HELP = `  -o, --output F       a file to write; may be repeated. The extension selects the format:
                       F.npy      NumPy array [z][y][x], negative inside; F.json: origin, spacing, size
                       F.raw      only the numbers, little-endian; F.json also has their type
                       F-%d.png   one 16-bit gray image per z; F.json also has low, high and the rounding error
                       F.png      a picture of one slice in color: blue inside, orange outside, y (or z) up`;

/** All values of an option that may be repeated. */
export function takeTexts(input: VerbInput, name: string): string[] {
  const given = input.values[name];
  return Array.isArray(given) ? given.filter((text) => typeof text === 'string') : [];
}

/** The kind of an output, by its file name. */
export function parseOutput(path: string): FieldOutput {
  const kind = outputKind(path);
  return kind === 'picture' ? { kind, path, json: null } : { kind, path, json: jsonBeside(path) };
}

/** Throws before the computation if an output cannot be written: its folder does not exist, or two outputs have one name. */
export async function assertWritable(outputs: readonly FieldOutput[], others: readonly string[]): Promise<void> {
  const names = outputs.flatMap(({ path, json }) => (json === null ? [path] : [path, json]));
  const taken = new Set<string>();
  for (const name of [...names, ...others]) {
    const whole = resolve(name);
    if (taken.has(whole)) {
      throw new NearfieldError('bad-argument', `${name}: two outputs have this name; give them different names`);
    }
    taken.add(whole);
    const wrong = await whyUnwritable(whole);
    if (wrong !== null) throw new NearfieldError('bad-argument', `${name}: cannot be written (${wrong})`);
  }
}

async function whyUnwritable(path: string): Promise<string | null> {
  const folder = await stat(dirname(path)).catch(() => null);
  if (folder === null) return 'no such folder; make it, or check the name';
  if (!folder.isDirectory()) return 'its folder is a file; check the name';
  const known = await stat(path).catch(() => null);
  if (known?.isDirectory()) return 'it is a folder; name a file';
  const allowed = await access(known === null ? dirname(path) : path, constants.W_OK).then(
    () => true,
    () => false,
  );
  return allowed ? null : 'permission denied';
}

/** axis=position, as in z=0.5. */
export function parseSlice(text: string): AskedSlice {
  const match = /^([xyz])=(.*)$/.exec(text);
  if (match === null) {
    throw new NearfieldError('bad-argument', `--slice is "${text}"; give an axis and a position on it, as in z=0.5`);
  }
  return { axis: 'xyz'.indexOf(match[1]) as 0 | 1 | 2, position: parseNumber(match[2], `the position of --slice`) };
}

/** Options of the files. */
export interface SaveOptions extends FieldFileOptions, ProgressOptions {
  /** Written into every JSON file. */
  readonly facts: Record<string, unknown>;
  /** The largest distance, for the rounding error of single precision. */
  readonly largest: number;
}

/** Writes an output and returns the paths of its files. `picture` is the PNG of a picture. */
export async function saveField(
  { kind, path, json }: FieldOutput,
  field: FieldLayers,
  picture: Uint8Array | null,
  options: SaveOptions,
): Promise<string[]> {
  const { precision, signal, onProgress } = options;
  switch (kind) {
    case 'npy':
      await saveBytes(path, fieldNpyParts(field, { precision }));
      return [path, await saveJson(json, { ...headerOf(field), ...options.facts, ...precisionOf(options) })];
    case 'raw':
      await saveBytes(path, fieldRawParts(field, { precision }));
      return [
        path,
        await saveJson(json, { ...rawHeaderOf(field, { precision }), ...options.facts, ...precisionOf(options) }),
      ];
    case 'slices': {
      const { slices, header } = await writeFieldSlices(field, { signal, onProgress });
      const paths = slices.map((_, k) => numbered(path, k, slices.length));
      for (const [k, name] of paths.entries()) await saveBytes(name, slices[k]);
      return [...paths, await saveJson(json, { ...header, ...options.facts })];
    }
    case 'picture':
      if (picture === null) throw new Error('The picture was not painted.');
      await saveBytes(path, picture);
      return [path];
  }
}

/** The number type and the error that it adds. */
function precisionOf({ precision = 'float32', largest }: SaveOptions) {
  return { dtype: precision, roundingError: precision === 'float32' ? largest * 2 ** -24 : 0 };
}

function outputKind(path: string): FieldOutput['kind'] {
  const ending = extensionOf(path);
  if (path.includes('%d') && ending !== 'png') {
    throw new NearfieldError('bad-argument', `${path}: only images are numbered with %d; use the extension .png`);
  }
  if (ending === 'npy' || ending === 'raw') return ending;
  if (ending === 'png') return path.includes('%d') ? 'slices' : 'picture';
  throw new NearfieldError(
    'bad-argument',
    `${path === '' ? 'the output has no name' : path}: no format has this extension; use .npy, .raw, -%d.png (one image per slice) or .png (a picture)`,
  );
}

function jsonBeside(path: string): string {
  return `${path.replace(/\.[^.]*$/, '').replace(/[-_.]?%d/, '')}.json`;
}

/** All names have the same length, so that they sort. */
function numbered(path: string, k: number, count: number): string {
  return path.replace('%d', String(k).padStart(String(count - 1).length, '0'));
}

async function saveJson(path: string, content: object): Promise<string> {
  await saveBytes(path, new TextEncoder().encode(`${JSON.stringify(content, null, 2)}\n`));
  return path;
}
