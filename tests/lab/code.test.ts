// The code that scenes show for a view does run, as a program and as commands, and gives what the scene shows.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ViewCode } from '../../lab/code/view-code.js';
import { type Controls, type OpenedFile, readValue } from '../../lab/controls.js';
import type { Figure } from '../../lab/figures.js';
import type { Scene, Stage } from '../../lab/scene.js';
import { type AnyTask, tasks } from '../../lab/worker/tasks.js';
import { runCommand } from '../cli/run-command.js';

const scenes = import.meta.glob<Scene>('../../lab/scenes/*/*.ts', { import: 'default' });

interface Shown {
  readonly code: ViewCode;
  readonly figures: ReadonlyMap<string, Figure['value']>;
}

/** A scene at the query part of an address, without a page: its tasks run here, and what it draws is dropped. */
async function openScene(path: string, query: string, draws: boolean, files: Record<string, OpenedFile> = {}) {
  const scene = await scenes[`../../lab/scenes/${path}.ts`]();
  const asked = new URLSearchParams(query);
  const read = (controls: Controls): Record<string, unknown> =>
    Object.fromEntries(Object.entries(controls).map(([name, control]) => [name, readValue(control, asked.get(name))]));
  const values = { ...read(scene.controls), ...files };
  const more = read(scene.moreControls?.(values as never) ?? {});
  const figures = new Map<string, Figure['value']>();
  const answers = new Map<string, unknown>();
  const nothing = (): void => {};
  const stage = {
    values,
    more,
    view: new Proxy({}, { get: () => nothing }),
    figures: (_: string, list: readonly Figure[]) => {
      for (const { id, value } of list) figures.set(id, value);
    },
    ...{ chart: nothing, curves: nothing, table: nothing, images: nothing, colors: nothing },
    ...{ limit: nothing, set: nothing, tell: nothing },
    run: async (task: keyof typeof tasks, input: object) => {
      const key = `${task} ${JSON.stringify(input, (_, value) => (ArrayBuffer.isView(value) ? value.byteLength : value))}`;
      if (!answers.has(key)) answers.set(key, (tasks[task] as AnyTask)(input, {}, nothing));
      return answers.get(key);
    },
  } as unknown as Stage;
  if (draws) await scene.draw(stage);
  return { code: await scene.code!(stage), figures } satisfies Shown;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-view-code-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let programs = 0;

/** What the program prints. File names are those of the test's folder. */
async function runProgram(source: string): Promise<string[]> {
  const target = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  const placed = source.replaceAll(/File\('/g, `File('${folder}/`);
  const { outputText } = ts.transpileModule(placed, { compilerOptions: target });
  const file = join(folder, `program-${programs++}.mjs`);
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

/** What the last command prints as JSON, after those before it. */
function runCommands(text: string): Record<string, unknown> {
  let last = '';
  for (const line of text.trim().split('\n')) {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, inQuotes, plain]) => inQuotes ?? plain);
    const isFile = (word: string): boolean => /\.(obj|stl|ply|glb|npy|png|html|bin)$/.test(word);
    const [name, ...args] = words.map((word) => (isFile(word) ? join(folder, word) : word));
    expect(name).toBe('nearfield');
    const { code, stdout, stderr } = runCommand(...args, '--json');
    expect(stderr.includes('nearfield:') && code !== 0 ? stderr : code, line).toBe(0);
    last = stdout;
  }
  return JSON.parse(last);
}

async function runBoth({ typescript, command, files = [] }: ViewCode) {
  for (const { name, bytes } of files) writeFileSync(join(folder, name), await bytes());
  const printed = typeof typescript === 'string' ? await runProgram(typescript) : null;
  if (printed !== null) expect(printed.length).toBeGreaterThan(0);
  return { printed, answer: typeof command === 'string' ? runCommands(command) : null };
}

const BOX = '# a box of the user\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n';

describe('the program and the command give the figure that the scene shows', () => {
  test('the distance of a spoon moved by hand to its cup', async () => {
    const hand = 'hand=0,0,0,0,0,0,0.02,0.3,0,0,0.2,0';
    const { code, figures } = await openScene('proximity/scenarios', `scenario=cup-spoon&frame=3&${hand}`, true);
    const { printed, answer } = await runBoth(code);
    expect(figures.get('distance')).toBeGreaterThan(0);
    expect(Number(printed?.[0])).toBeCloseTo(figures.get('distance') as number, 12);
    expect(answer?.distance).toBeCloseTo(figures.get('distance') as number, 9);
  });

  test('the depth of two boxes, one of them a file whose name has a blank', async () => {
    const file = { name: 'my part.obj', bytes: new TextEncoder().encode(BOX) };
    writeFileSync(join(folder, file.name), BOX);
    const query = 'pair=own&modelA=box&gap=1e-4&hand=0.01,0,0,0.1,0,0,0,0,0,0,0,0';
    const { code, figures } = await openScene('penetration/depth', query, true, { fileB: file });
    const { printed, answer } = await runBoth(code);
    expect(figures.get('depth')).toBeGreaterThan(0.01);
    expect(Number(printed?.[0].split(' ')[0])).toBeCloseTo(figures.get('depth') as number, 12);
    expect(answer?.depth).toBeCloseTo(figures.get('depth') as number, 9);
  });

  test('the value of a field at the probe', async () => {
    const query = 'model=box&resolution=16&method=fast-marching-1&band=triangle-boxes&room=0.3';
    const { code, figures } = await openScene('fields/explorer', query, true);
    const { printed, answer } = await runBoth(code);
    expect(Number(printed?.[0])).toBeCloseTo(figures.get('value') as number, 12);
    const wanted = expect.closeTo(figures.get('value') as number, 6);
    expect(answer?.probes).toEqual([expect.objectContaining({ value: wanted })]);
  });

  test('the time of an impact, and the share of a hull', async () => {
    const impact = await openScene('proximity/impact', 'aside=0.1&clearance=0.01', true);
    const ran = await runBoth(impact.code);
    expect(Number(ran.printed?.[0].split(' ')[1])).toBeCloseTo(impact.figures.get('time') as number, 9);
    expect(ran.answer?.time).toBeCloseTo(impact.figures.get('time') as number, 9);
    const hull = await openScene('convex/hull', 'model=letter-e', true);
    expect((await runBoth(hull.code)).printed?.[0].split(' ')[1]).toBe(String(hull.figures.get('share')));
  });
});

/** The other scenes, at values that cost little. */
const CHEAP: Readonly<Record<string, string>> = {
  'proximity/clash': 'clearance=0.002',
  'penetration/certificate': 'pair=touching-tori&gap=1e-1',
  'penetration/local-against-global': '',
  'penetration/minkowski-sums': 'pair=own&modelA=box&modelB=box',
  'penetration/depth': 'pair=own&modelA=box&modelB=letter-l&method=image-space&resolution=32',
  'proximity/scenarios': 'scenario=cup-spoon&query=contacts&tolerance=0.02&volume=boxes',
  'fields/explorer': 'model=box&resolution=16&method=exact',
  'fields/offset': 'model=box&distance=-0.05&hollow=yes&wall=0.1&resolution=12',
  'fields/solidify': 'resolution=12',
  'meshes/models': 'model=torus&majorSegments=12',
  'meshes/inspect': 'repair=yes&slice=off',
  'decomposition/patches': 'model=letter-e',
  'decomposition/hierarchy': 'model=letter-e&split=median',
  'decomposition/few-pieces': 'model=letter-l&concavity=0.1&most=4',
  'decomposition/fracture': 'model=box&fragments=5&strike=no&gap=0.01',
  'voronoi/medial-axis': 'model=box&resolution=16',
};

describe('the code of a view runs', () => {
  for (const [path, query] of Object.entries(CHEAP)) {
    test(path, async () => {
      const { code } = await openScene(path, query, false);
      const { printed, answer } = await runBoth(code);
      expect(printed !== null && (answer !== null || typeof code.command !== 'string')).toBe(true);
    });
  }

  test('where there is no command, it says why', async () => {
    const { code } = await openScene('decomposition/fracture', 'model=box&fragments=5', false);
    expect(code.command).toEqual({ because: expect.stringContaining('library') });
    expect((await runBoth(code)).printed?.[0]).toMatch(/^[4-9]$/);
  });

  test('every scene with code is run here', async () => {
    const run = new Set([...Object.keys(CHEAP), 'proximity/impact', 'convex/hull']);
    for (const [file, load] of Object.entries(scenes)) {
      const path = file.replace('../../lab/scenes/', '').replace('.ts', '');
      if ((await load()).code !== undefined) expect(run).toContain(path);
    }
  });
});
