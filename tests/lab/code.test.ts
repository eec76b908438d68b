// The code that scenes show for a view does run, as a program and as commands, and gives what the scene shows.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ViewCode } from '../../lab/code/view-code.js';
import {
  type Control,
  type Controls,
  type OpenedFile,
  readValue,
  writeInitial,
  writeValue,
} from '../../lab/controls.js';
import type { Figure, FigureValue } from '../../lab/figures.js';
import { packFiles } from '../../lab/file-bundle.js';
import type { Scene, Stage } from '../../lab/scene.js';
import type { AnyTask, TaskName } from '../../lab/worker/tasks.js';
import { runCommand } from '../cli/run-command.js';
import { CODE_CHECKS, type CodeCheck, wordValue } from './code-checks.js';

const scenes = import.meta.glob<Scene>('../../lab/scenes/*/*.ts', { import: 'default' });

interface Shown {
  readonly code: ViewCode;
  readonly figures: ReadonlyMap<string, FigureValue>;
  /** The figure that leads. */
  readonly lead: string | null;
}

async function loadScene(path: string): Promise<Scene> {
  return scenes[`../../lab/scenes/${path}.ts`]();
}

/** A scene at the query part of an address, drawn without a page: its tasks run here, and what it draws is dropped. */
async function openScene(path: string, query: URLSearchParams, files: Record<string, OpenedFile> = {}): Promise<Shown> {
  const scene = await loadScene(path);
  const { tasks } = await import('../../lab/worker/tasks.js');
  const read = (controls: Controls): Record<string, unknown> =>
    Object.fromEntries(Object.entries(controls).map(([name, control]) => [name, readValue(control, query.get(name))]));
  const values = { ...read(scene.controls), ...files };
  const more = read(scene.moreControls?.(values as never) ?? {});
  const figures = new Map<string, FigureValue>();
  let lead: string | null = null;
  const answers = new Map<string, unknown>();
  const nothing = (): void => {};
  const stage = {
    values,
    more,
    view: new Proxy({}, { get: () => nothing }),
    figures: (_: string, list: readonly Figure[]) => {
      for (const { id, value, lead: means } of list) {
        if (!figures.has(id)) figures.set(id, value);
        if (means !== undefined) lead ??= id;
      }
    },
    ...{ chart: nothing, curves: nothing, table: nothing, map: nothing, images: nothing, colors: nothing },
    ...{ limit: nothing, set: nothing, tell: nothing, tellUnit: nothing },
    run: async (task: TaskName, input: object) => {
      const key = `${task} ${JSON.stringify(input, (_, value) => (ArrayBuffer.isView(value) ? value.byteLength : value))}`;
      if (!answers.has(key)) answers.set(key, (tasks[task] as AnyTask)(input, {}, nothing));
      return answers.get(key);
    },
  } as unknown as Stage;
  await scene.draw(stage);
  return { code: await scene.code!(stage), figures, lead };
}

/** The state that a scene opens in, with some values changed, each to what a user can set. */
async function stateOf(path: string, changes: string): Promise<URLSearchParams> {
  const { opening, picture, controls, moreControls } = await loadScene(path);
  const query = new URLSearchParams(opening ?? picture ?? '');
  for (const [name, value] of new URLSearchParams(changes)) query.set(name, value);
  const values = Object.fromEntries(
    Object.entries(controls).map(([name, control]) => [name, readValue(control, query.get(name))]),
  );
  const all: Record<string, Control> = { ...controls, ...moreControls?.(values as never) };
  for (const [name, text] of new URLSearchParams(changes)) {
    expect(Object.keys(all), path).toContain(name);
    const value = readValue(all[name], text);
    expect(writeValue(all[name], value) ?? writeInitial(all[name]), `${path}: ${name}`).toBe(text);
  }
  return query;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-view-code-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The programs that were run, by file. */
const programs = new Map<string, string>();

/** What the program prints. File names are those of the test's folder. */
async function runProgram(source: string): Promise<string[]> {
  const target = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  const placed = source.replaceAll(/File\(('|\w)/g, (_, first) =>
    first === "'" ? `File('${folder}/` : `File('${folder}/' + ${first}`,
  );
  const { outputText } = ts.transpileModule(placed, { compilerOptions: target });
  const file = join(folder, `program-${programs.size}.mjs`);
  programs.set(file.replace('.mjs', '.ts'), source);
  writeFileSync(file, outputText);
  const printed: string[] = [];
  const log = vi
    .spyOn(console, 'log')
    .mockImplementation((...values) => void printed.push(values.map(String).join(' ')));
  try {
    await import(/* @vite-ignore */ file);
  } finally {
    log.mockRestore();
  }
  return printed;
}

/** What the commands print as JSON, but for those that only write a model. */
function runCommands(text: string): unknown[] {
  const lines = text.trim().split('\n');
  const answers = lines.map((line) => {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, inQuotes, plain]) => inQuotes ?? plain);
    const isFile = (word: string): boolean => /\.(obj|stl|ply|glb|npy|png|html|bin|json|svg)$/.test(word);
    const placed = words.map((word) => {
      const [, flag = '', name] = /^(--\w+=)?(.*)$/.exec(word)!;
      return isFile(name) ? `${flag}${join(folder, name)}` : word;
    });
    const [name, ...args] = placed;
    expect(name).toBe('nearfield');
    const { code, stdout, stderr } = runCommand(...args, '--json');
    expect(stderr.includes('nearfield:') && code !== 0 ? stderr : code, line).toBe(0);
    return { isModel: args[0] === 'models', answer: JSON.parse(stdout) };
  });
  return answers.flatMap(({ isModel, answer }) => (isModel ? [] : [answer]));
}

async function runBoth({ typescript, command, files = [] }: ViewCode) {
  for (const { name, bytes } of files) writeFileSync(join(folder, name), await bytes());
  const printed = typeof typescript === 'string' ? await runProgram(typescript) : [];
  expect(printed.length).toBeGreaterThan(0);
  return {
    words: printed.flatMap((line) => line.split(' ')),
    answers: typeof command === 'string' ? runCommands(command) : null,
  };
}

/** Results of floating point that were computed by the same steps: the last digits may differ where a file was in between. */
function expectSame(value: unknown, figure: FigureValue | undefined, name: string): void {
  if (typeof figure !== 'number' || typeof value !== 'number') return void expect(value, name).toEqual(figure);
  expect(Math.abs(value - figure), `${name}: ${value} and ${figure}`).toBeLessThanOrEqual(1e-9 * Math.abs(figure));
}

/** What the program and the command gave, figure by figure, with what the scene shows; returns what was compared. */
async function compareCode(check: CodeCheck, { code, figures, lead }: Shown, where: string) {
  const { words, answers } = await runBoth(code);
  const told = new Map<string, unknown>();
  for (const [i, id] of check.prints.entries()) if (id !== null) told.set(id, wordValue(words[i]));
  for (const [id, value] of Object.entries(check.fromWords?.(words, figures) ?? {})) told.set(id, value);
  for (const [id, value] of told) expectSame(value, figures.get(id), `${where}: the program's ${id}`);
  expect(told.size, where).toBeGreaterThan(0);
  if (check.leadIsNot === undefined && lead !== null && figures.get(lead) !== null)
    expect([...told.keys()], where).toContain(lead);
  if (answers !== null) {
    expect(check.answers, `${where} has a command`).toBeDefined();
    const answered = check.answers!(answers.at(-1), answers);
    for (const [id, value] of Object.entries(answered))
      expectSame(value, figures.get(id), `${where}: the command's ${id}`);
  }
  return { shown: JSON.stringify([...told.keys()].map((id) => figures.get(id))), hasCommand: answers !== null };
}

describe('the program and the command print the figures on show', () => {
  for (const [path, check] of Object.entries(CODE_CHECKS)) {
    test(path, async () => {
      const seen: string[] = [];
      const commands: boolean[] = [];
      for (const state of check.states) {
        if (check.isKept) vi.resetModules();
        const shown = await openScene(path, await stateOf(path, state));
        const { shown: figures, hasCommand } = await compareCode(check, shown, `${path}?${state}`);
        seen.push(figures);
        commands.push(hasCommand);
      }
      // Code that ignored the values would print the same again.
      expect(new Set(seen).size).toBeGreaterThan(1);
      if (check.answers !== undefined) expect(commands).toContain(true);
    });
  }

  test('of two boxes, one of them a file whose name has a blank', async () => {
    const file = { name: 'my part.obj', bytes: new TextEncoder().encode(BOX) };
    writeFileSync(join(folder, file.name), BOX);
    const query = new URLSearchParams('pair=own&modelA=box&gap=1e-4&hand=0.01,0,0,0.1,0,0,0,0,0,0,0,0');
    const shown = await openScene('penetration/depth', query, { fileB: file });
    await compareCode(CODE_CHECKS['penetration/depth'], shown, 'a file of the user');
    expect(shown.figures.get('depth')).toBeGreaterThan(0.01);
  });

  test('of a mechanism of the user with its meshes, over two joints whose names are no words', async () => {
    const joint = (name: string, child: string, x: number) => ({
      ...{ name, type: 'revolute', parent: 'frame', child, range: [-1, 1], origin: [x, 0, 0, 0, 0, 0, 1] },
    });
    const mechanism = {
      ...{ format: 'nearfield-mechanism', version: 1, unit: 'mm' },
      parts: [
        { name: 'frame' },
        ...['left', 'right'].map((name, i) => ({ name, model: 'vane.obj', pose: [2 * i, 0, 0, 0, 0, 0, 1] })),
      ],
      joints: [joint('turn-left', 'left', 0), joint('turn-right', 'right', 2)],
    };
    const bytes = new TextEncoder().encode(JSON.stringify(mechanism));
    const vane = { name: 'vane.obj', bytes: new TextEncoder().encode(BOX) };
    for (const { name, bytes: own } of [vane, { name: 'vanes.json', bytes }]) writeFileSync(join(folder, name), own);
    const file = { name: 'vanes.json', bytes, beside: packFiles([{ ...vane, name: 'parts/vane.obj' }]) };
    const shown = await openScene('proximity/sweep', new URLSearchParams('second=2&clearance=0.1'), { file });
    await compareCode(CODE_CHECKS['proximity/sweep'], shown, 'a mechanism');
    expect(shown.figures.get('verdict')).toBe('holds');
    expect(shown.figures.get('leastUpper')).toBeLessThan(1);
    const alone = openScene('proximity/sweep', new URLSearchParams(), {
      file: { name: 'vanes.json', bytes: bytes.slice() },
    });
    await expect(alone).rejects.toThrow(/vane\.obj is not among the files that were opened/);
  });
});

const BOX = '# a box of the user\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n';

test('the programs have no type errors', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  for (const [file, source] of programs) writeFileSync(file, source);
  const program = ts.createProgram([...programs.keys()], {
    ...{ strict: true, noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.ES2022 },
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    paths: { 'nearfield/*': [join(root, 'dist/*/index.d.ts')] },
  });
  const errors = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, ' ');
    return `${text}\n${programs.get(file?.fileName ?? '') ?? file?.fileName}`;
  });
  expect(programs.size).toBeGreaterThan(2 * Object.keys(CODE_CHECKS).length);
  expect(errors).toEqual([]);
});

test('every scene of the catalogue has code, and its code is run here', async () => {
  const paths = Object.keys(scenes).map((file) => file.replace('../../lab/scenes/', '').replace('.ts', ''));
  expect(Object.keys(CODE_CHECKS).sort()).toEqual(paths.sort());
  for (const path of paths) expect((await loadScene(path)).code, path).toBeTypeOf('function');
});
