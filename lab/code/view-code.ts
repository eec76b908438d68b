// Code for a view: the TypeScript and the command that give what a scene shows. What every chapter's code is made of: where
// a mesh comes from, numbers, names of files.
import { type Pose, pose } from 'nearfield/core';
import { writeModel } from 'nearfield/io';
import type { Mesh } from 'nearfield/mesh';
import type { OpenedFile } from '../controls.js';

export interface ViewCode {
  readonly typescript: string | Missing;
  readonly command: string | Missing;
  /** Files that the code reads and nobody has yet: the page offers to save them. */
  readonly files?: readonly CodeFile[];
}

/** Why the view has no code. */
export interface Missing {
  readonly because: string;
}

export interface CodeFile {
  readonly name: string;
  /** Where only one of the two reads it. */
  readonly only?: 'typescript' | 'command';
  bytes(): Promise<Uint8Array>;
}

/** Where a mesh comes from. */
export interface Source {
  /** The name of its file in the command. */
  readonly file: string;
  /** The TypeScript expression of the mesh. */
  readonly expression: string;
  readonly imports: Imports;
  /** The command that writes the file, if one does. */
  readonly command?: string;
  readonly saved?: CodeFile;
}

/** Imported names by module. */
export type Imports = Readonly<Record<string, readonly string[]>>;

/** A procedural model of the library; parameters at their defaults may be left out. */
export function modelSource(model: string, parameters: Readonly<Record<string, number>> = {}, name = model): Source {
  const entries = Object.entries(parameters);
  const set = entries.map(([key, value]) => ` --set ${key}=${value}`).join('');
  return {
    file: `${name}.obj`,
    expression: `findModel(${quoted(model)}).build(${entries.length === 0 ? '' : objectText(parameters)})`,
    imports: { 'nearfield/mesh': ['findModel'] },
    command: `nearfield models ${model} -o ${name}.obj${set}`,
  };
}

/** A file that the user has. */
export function fileSource(name: string): Source {
  return {
    file: name,
    expression: `mergeModel(${readText(name)})`,
    imports: { 'node:fs/promises': ['readFile'], 'nearfield/io': ['mergeModel', 'readModel'] },
  };
}

/** A mesh of the lab's own, which the page saves. */
export function savedSource(name: string, mesh: Mesh): Source {
  const file = `${name}.obj`;
  return { ...fileSource(file), saved: { name: file, bytes: () => writeModel(mesh, 'obj') } };
}

/** What the controls of model-choice.ts have chosen. */
export function chosenSource({ file, model }: { file: OpenedFile | null; model: string }): Source {
  return file === null ? modelSource(model) : fileSource(file.name);
}

/** Several meshes in one file, in their order; GLB has single precision. */
export function savedParts(name: string, parts: () => Promise<readonly SavedPart[]>): CodeFile {
  const bytes = async (): Promise<Uint8Array> => {
    const list = await parts();
    const meshes = [...new Set(list.map(({ mesh }) => mesh))];
    const at = new Map(list.map((part) => [part.mesh, part.name]));
    return writeModel(
      {
        format: 'glb',
        meshes: meshes.map((mesh) => ({ name: at.get(mesh) ?? '', mesh })),
        parts: list.map((part) => ({
          name: part.name,
          meshIndex: meshes.indexOf(part.mesh),
          transform: pose.toMatrix4(part.pose ?? pose.identity()),
        })),
      },
      'glb',
    );
  };
  return { name, bytes };
}

interface SavedPart {
  readonly name: string;
  readonly mesh: Mesh;
  readonly pose?: Pose;
}

/** Data of the lab's own as JSON, which the page saves; typed arrays become lists. */
export function savedJson(name: string, data: () => unknown): CodeFile {
  const write = (_: string, value: unknown): unknown =>
    ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value;
  return { name, bytes: async () => new TextEncoder().encode(`${JSON.stringify(await data(), write)}\n`) };
}

/** The expression of a JSON file. */
export function jsonText(name: string): string {
  return `JSON.parse(await readFile(${quoted(name)}, 'utf8'))`;
}

/** What a program that reads files imports. */
export const READ_FILE: Imports = { 'node:fs/promises': ['readFile'] };

/** The expression of a file as it is read. */
export function readText(name: string): string {
  return `await readModel(await readFile(${quoted(name)}), { fileName: ${quoted(name)} })`;
}

/** The program of imports, then of lines. */
export function programText(imports: readonly Imports[], lines: readonly string[]): string {
  const names = new Map<string, Set<string>>();
  for (const [module, list] of imports.flatMap((one) => Object.entries(one)))
    names.set(module, new Set([...(names.get(module) ?? []), ...list]));
  const isOurs = (module: string): number => (module.startsWith('node:') ? 0 : 1);
  const modules = [...names].sort(([a], [b]) => isOurs(a) - isOurs(b) || (a < b ? -1 : 1));
  const heads = modules.map(([module, list]) => `import { ${[...list].sort().join(', ')} } from ${quoted(module)};`);
  return `${[...heads, '', ...lines].join('\n')}\n`;
}

/** The lines that write the sources' files, then the last ones. */
export function commandText(sources: readonly Source[], ...lines: readonly string[]): string {
  const written = sources.flatMap(({ command }) => (command === undefined ? [] : [command]));
  return `${[...new Set(written), ...lines].join('\n')}\n`;
}

export function filesOf(sources: readonly Source[]): readonly CodeFile[] {
  return sources.flatMap(({ saved }) => (saved === undefined ? [] : [saved]));
}

/** A flag with its value; the equals sign lets a value begin with a minus. */
export function flag(name: string, value: string | number | ArrayLike<number>): string {
  return `--${name}=${typeof value === 'object' ? Array.from(value, plain).join(',') : value}`;
}

export function listText(values: ArrayLike<number>): string {
  return `[${Array.from(values, plain).join(', ')}]`;
}

/** An object of numbers, texts, lists and nested objects; undefined values are left out. */
export function objectText(object: object): string {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return `{ ${entries.map(([key, value]) => `${/^\w+$/.test(key) ? key : quoted(key)}: ${valueText(value)}`).join(', ')} }`;
}

/** A number, a text, a list, typed or not, or an object, as TypeScript writes it. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return plain(value);
  if (ArrayBuffer.isView(value)) return listText(value as Float64Array);
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  return typeof value === 'object' && value !== null ? objectText(value) : String(value);
}

export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A word of a command line, in quotes where it needs them. */
export function word(text: string): string {
  if (/^[\w./=+-]+$/.test(text) && !text.startsWith('-')) return text;
  return `'${(text.startsWith('-') ? `./${text}` : text).replaceAll("'", `'\\''`)}'`;
}

function plain(value: number): string {
  return String(value === 0 ? 0 : value);
}
