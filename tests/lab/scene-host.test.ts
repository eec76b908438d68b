// A scene that is closed is left: what it waited for, and what was begun in it, changes nothing in the scene after it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SceneEntry } from '../../lab/page/catalogue.js';
import { type LongWork, SceneHost, type SceneHostEvents } from '../../lab/page/scene-host.js';
import { defineScene, type Scene, type Stage } from '../../lab/scene.js';
import type { RunOptions, TaskRunner } from '../../lab/worker/task-runner.js';

vi.mock('../../lab/page/catalogue.js', () => ({ accepts: () => true, openingOf: () => new URLSearchParams() }));

/** What the page was told. */
interface Told {
  readonly errors: (Error | null)[];
  readonly opened: string[];
  readonly asked: (LongWork | null)[];
  changes: number;
  /** Draws that ended with nothing more to draw. */
  ends: number;
  /** Groups of figures shown. */
  groups: number;
}

interface Asked {
  readonly task: string;
  readonly options: RunOptions;
  resolve(output: unknown): void;
  reject(error: Error): void;
}

let frames: (() => void)[] = [];

beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', (number: number) => {
    if (number > 0) frames[number - 1] = () => {};
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A worker that answers nothing by itself. */
function silentRunner() {
  const asked: Asked[] = [];
  const run = (task: string, _: unknown, options: RunOptions = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      asked.push({ task, options, resolve, reject });
      options.signal?.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
    });
  return { asked, runner: { run } as unknown as TaskRunner };
}

function hostWith(runner: TaskRunner) {
  const told: Told = { errors: [], opened: [], asked: [], changes: 0, ends: 0, groups: 0 };
  const nothing = (): void => {};
  const events: SceneHostEvents = {
    ...{ drawBegins: nothing, chart: nothing, curves: nothing, table: nothing, map: nothing, images: nothing },
    ...{ colors: nothing, controls: nothing, progress: nothing, save: nothing },
    figures: () => void told.groups++,
    view: () => ({}) as ReturnType<SceneHostEvents['view']>,
    drawEnds: () => void told.ends++,
    ask: (work) => void told.asked.push(work),
    error: (error) => void told.errors.push(error),
    valuesChanged: () => void told.changes++,
    open: (path) => void told.opened.push(path),
  };
  return { told, host: new SceneHost(events, runner) };
}

function entryOf(draw: (stage: Stage<typeof CONTROLS>) => Promise<void>, press?: (stage: Stage) => Promise<void>) {
  const controls = { ...CONTROLS, go: { kind: 'button', label: 'Go', press: press ?? (async () => {}) } } as const;
  const motion = { playing: 'play', frame: 'step', speed: 'speed' } as const;
  const scene = defineScene({
    ...{ title: 'T', chapter: 'C', summary: 'S', motion, controls },
    draw: (stage) => draw(stage as unknown as Stage<typeof CONTROLS>),
  });
  return { path: 'c/t', scene: scene as unknown as Scene, picture: null, darkPicture: null } satisfies SceneEntry;
}

const CONTROLS = {
  play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
  step: { kind: 'slider', label: 'Step', min: 0, max: 100, step: 1, initial: 0 },
  speed: { kind: 'slider', label: 'Speed', min: 1, max: 60, step: 1, initial: 60 },
  file: { kind: 'file', label: 'File', accept: '.obj' },
} as const;

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

test('a scene that waits for an answer that never comes is left at once, and the next one is drawn', async () => {
  const { asked, runner } = silentRunner();
  const { told, host } = hostWith(runner);
  host.open(
    entryOf(async ({ run }) => void (await run('planeWaves', { name: 'gears' } as never))),
    new URLSearchParams('play=yes'),
  );
  await settled();
  expect([host.busy, host.isPlaying, told.ends, asked.length]).toEqual([true, true, 0, 1]);
  host.close();
  expect([host.busy, host.isPlaying, asked[0].options.signal?.aborted]).toEqual([false, false, true]);
  host.open(
    entryOf(async () => {}),
    new URLSearchParams(),
  );
  await settled();
  expect([host.busy, told.ends]).toEqual([false, 1]);
  // Nobody canceled anything here.
  expect(told.errors.filter((error) => error !== null)).toEqual([]);
});

test('a motion goes on by itself until its scene is closed', async () => {
  const { runner } = silentRunner();
  const { told, host } = hostWith(runner);
  host.open(
    entryOf(async () => {}),
    new URLSearchParams('play=yes'),
  );
  await settled();
  expect([host.isPlaying, told.ends, frames.length]).toEqual([true, 1, 1]);
  host.close();
  for (const frame of frames) frame();
  await settled();
  expect([host.isPlaying, told.ends]).toEqual([false, 1]);
});

test('a draw ends now and then while values keep changing, however long each takes', async () => {
  vi.useFakeTimers();
  try {
    const run = (_: string, __: unknown, { signal }: RunOptions = {}): Promise<unknown> =>
      new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
        setTimeout(() => resolve(null), 700);
      });
    const { told, host } = hostWith({ run } as unknown as TaskRunner);
    const draw = async ({ run: ask, values, figures }: Stage<typeof CONTROLS>): Promise<void> => {
      await ask('planeWaves', { name: 'gears', step: values.step } as never);
      figures('State', []);
    };
    host.open(entryOf(draw), new URLSearchParams());
    for (let time = 0; time < 20_000; time += 50) {
      host.set('step', (time / 50) % 100);
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(told.groups).toBeGreaterThan(5);
    expect(told.errors.filter((error) => error !== null)).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('a drag that outlives its scene, a file read too late and a press that ends later change nothing in the next', async () => {
  const { asked, runner } = silentRunner();
  const { told, host } = hostWith(runner);
  let stage: Stage<typeof CONTROLS> | null = null;
  let read: (bytes: ArrayBuffer) => void = () => {};
  const pressed = async ({ run, open }: Stage): Promise<void> => {
    await run('planeWaves', { name: 'gears' } as never);
    open('elsewhere', '');
  };
  host.open(
    entryOf(async (given) => {
      stage = given;
    }, pressed),
    new URLSearchParams(),
  );
  await settled();
  const file = { name: 'a.obj', arrayBuffer: () => new Promise<ArrayBuffer>((done) => (read = done)) };
  const reading = host.openFile('file', file as unknown as File);
  host.press('go');
  await settled();
  expect(asked.map(({ task }) => task)).toEqual(['planeWaves']);

  const values: unknown[] = [];
  host.open(
    entryOf(async (given) => void values.push({ ...given.values })),
    new URLSearchParams('step=7'),
  );
  await settled();
  const draws = values.length;
  stage!.set('step', 50);
  stage!.limit('step', 3);
  stage!.tell('holdPlaneBody', { held: null });
  stage!.open('elsewhere', '');
  read(new ArrayBuffer(4));
  await reading;
  await settled();
  expect(values.length).toBe(draws);
  expect(values.at(-1)).toMatchObject({ step: 7, file: null });
  expect([told.changes, told.opened, asked.length]).toEqual([0, [], 1]);
  expect(told.errors.filter((error) => error !== null)).toEqual([]);
});
