// The files a field goes to, by their endings: .npy and .raw for programs, .png with %d for a grey image a layer, .png
// for a picture of a slice. The first three have a .json beside them.
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

/** One -o, and the JSON beside it. */
export type FieldOutput =
  | { readonly kind: 'npy' | 'raw' | 'slices'; readonly path: string; readonly json: string }
  | { readonly kind: 'picture'; readonly path: string; readonly json: null };

/** Where a picture's slice lies. */
export interface AskedSlice {
  readonly axis: 0 | 1 | 2;
  readonly position: number;
}

export const FIELD_OUTPUTS_HELP = `  -o, --output F       may be given more than once. By its ending:
                       F.npy      NumPy array [z][y][x], negative inside; F.json: origin, spacing, size
                       F.raw      the same numbers alone, low byte first; F.json also tells their type
                       F-%d.png   a 16-bit grey image for each z; F.json also tells low, high and the rounding error
                       F.png      a picture of one slice in colour: blue inside, orange outside, y (or z) up`;

/** All that was given for an option that may be given more than once. */
export function takeTexts(input: VerbInput, name: string): string[] {
  const given = input.values[name];
  return Array.isArray(given) ? given.filter((text) => typeof text === 'string') : [];
}

/** What an output is, by its name. */
export function parseOutput(path: string): FieldOutput {
  const kind = outputKind(path);
  return kind === 'picture' ? { kind, path, json: null } : { kind, path, json: jsonBeside(path) };
}

/** Refuses before the work what could not be written after it: a file in no folder, two of one name. */
export async function assertWritable(outputs: readonly FieldOutput[], others: readonly string[]): Promise<void> {
  const names = outputs.flatMap(({ path, json }) => (json === null ? [path] : [path, json]));
  const taken = new Set<string>();
  for (const name of [...names, ...others]) {
    const whole = resolve(name);
    if (taken.has(whole)) {
      throw new NearfieldError('bad-argument', `${name}: two outputs would write it; give them different names`);
    }
    taken.add(whole);
    const wrong = await whyUnwritable(whole);
    if (wrong !== null) throw new NearfieldError('bad-argument', `${name}: cannot be written (${wrong})`);
  }
}

async function whyUnwritable(path: string): Promise<string | null> {
  const folder = await stat(dirname(path)).catch(() => null);
  if (folder === null) return 'there is no such folder; make it, or check the name';
  if (!folder.isDirectory()) return 'what should be its folder is a file; check the name';
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

/** How the files are written. */
export interface SaveOptions extends FieldFileOptions, ProgressOptions {
  /** Goes into every JSON. */
  readonly facts: Record<string, unknown>;
  /** The largest distance, for what single precision rounds off. */
  readonly largest: number;
}

/** Writes an output, and returns the paths of its files. `picture` is the file of a picture. */
export async function saveField(
  { kind, path, json }: FieldOutput,
  field: FieldLayers,
  picture: Uint8Array | null,
  options: SaveOptions,
): Promise<string[]> {
  switch (kind) {
    case 'npy':
      await saveBytes(path, fieldNpyParts(field, options));
      return [path, await saveJson(json, { ...headerOf(field), ...options.facts, ...precisionOf(options) })];
    case 'raw':
      await saveBytes(path, fieldRawParts(field, options));
      return [
        path,
        await saveJson(json, { ...rawHeaderOf(field, options), ...options.facts, ...precisionOf(options) }),
      ];
    case 'slices': {
      const { slices, header } = await writeFieldSlices(field, options);
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

/** What the error grows by when the numbers are written. */
function precisionOf({ precision = 'float32', largest }: SaveOptions) {
  return { dtype: precision, roundingError: precision === 'float32' ? largest * 2 ** -24 : 0 };
}

function outputKind(path: string): FieldOutput['kind'] {
  const ending = extensionOf(path);
  if (path.includes('%d') && ending !== 'png') {
    throw new NearfieldError('bad-argument', `${path}: only images are numbered by %d; let it end in .png`);
  }
  if (ending === 'npy' || ending === 'raw') return ending;
  if (ending === 'png') return path.includes('%d') ? 'slices' : 'picture';
  throw new NearfieldError(
    'bad-argument',
    `${path === '' ? 'the output has no name' : path}: no format is known by that ending; name it .npy, .raw, -%d.png (a slice each) or .png (a picture)`,
  );
}

function jsonBeside(path: string): string {
  return `${path.replace(/\.[^.]*$/, '').replace(/[-_.]?%d/, '')}.json`;
}

/** All names as long as the last, so that they sort. */
function numbered(path: string, k: number, count: number): string {
  return path.replace('%d', String(k).padStart(String(count - 1).length, '0'));
}

async function saveJson(path: string, content: object): Promise<string> {
  await saveBytes(path, new TextEncoder().encode(`${JSON.stringify(content, null, 2)}\n`));
  return path;
}
