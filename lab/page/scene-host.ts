// Runs the open scene: holds its values, calls `draw` when they change, caches the answers of tasks, and shows progress
// and errors. Only one draw runs at a time; a slow draw is abandoned for the next one.
import { NearfieldError } from 'nearfield/core';
import type { ViewCode } from '../code/view-code.js';
import {
  type Control,
  type Controls,
  type FilePicker,
  initialValue,
  type OpenedFile,
  readValue,
  type Slider,
  type ValuesOf,
  writeInitial,
  writeValue,
} from '../controls.js';
import type { Chart, ColorBar, Curves, Figure, ImageStrip, QuantityMap, Table } from '../figures.js';
import { packFiles } from '../file-bundle.js';
import type { Stage } from '../scene.js';
import type { View } from '../viewer/view.js';
import { type Estimate, estimateTask, LONG_SECONDS, learnPace } from '../worker/estimates.js';
import { stoppedError, type TaskRunner } from '../worker/task-runner.js';
import type { TaskInput, TaskName, TaskOutput, TaskPart } from '../worker/tasks.js';
import { accepts, openingOf, type SceneEntry } from './catalogue.js';
import { isModelFile, unitName, unitOf } from './file-unit.js';

/** While values keep changing, a draw that is younger than this may finish; an older one is abandoned. */
const PATIENCE_MS = 250;
/** Each draw that is abandoned doubles the patience with the next, up to this: else a slow one would never finish. */
const LONGEST_PATIENCE_MS = 16_000;
/** A tab that was suspended does not catch up. */
const LONGEST_STEP_MS = 250;
/** Cached answers; the least recently used is dropped first. */
const ANSWERS_KEPT = 16;

interface Answer {
  readonly task: TaskName;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Promise<unknown>;
  readonly stop: AbortController;
  settled: boolean;
  /** Not begun: it waits for a press. */
  held: boolean;
  /** The last draw that asked for it. */
  wantedBy: number;
}

export interface Progress {
  readonly fraction: number;
  readonly stage: string;
}

/** Work that waits for a press, as it takes long. */
export interface LongWork extends Estimate {
  start(): void;
}

export interface SceneHostEvents {
  /** Where the draw's shapes and figures go. */
  readonly view: () => View;
  drawBegins(): void;
  drawEnds(): void;
  figures(group: string, figures: readonly Figure[]): void;
  chart(group: string, chart: Chart): void;
  curves(group: string, curves: Curves): void;
  table(group: string, table: Table): void;
  map(group: string, map: QuantityMap): void;
  images(group: string, images: ImageStrip): void;
  colors(group: string, bar: ColorBar): void;
  /** The controls on show and their values. */
  controls(controls: Readonly<Record<string, Control>>, values: Readonly<Record<string, unknown>>): void;
  /** Null when nothing is being computed. */
  progress(progress: Progress | null): void;
  /** Asks whether to begin work that takes long; null when there is nothing to ask. */
  ask(work: LongWork | null): void;
  error(error: Error | null): void;
  valuesChanged(): void;
  open(path: string, query: string, file: OpenedFile | null): void;
  save(fileName: string, bytes: Uint8Array): void;
}

/** Thrown into a draw that a newer one has replaced, or whose scene is closed, to end it. */
class Superseded extends Error {}

export class SceneHost {
  #entry: SceneEntry | null = null;
  /** Counts how often a scene was closed: what was begun before that, such as the reading of a file, no longer counts. */
  #closings = 0;
  #values: Record<string, unknown> = {};
  /** The further controls that #values was made for. */
  #more: Record<string, Control> = {};
  #answers: Answer[] = [];
  #draw = 0;
  #drawing: Promise<void> | null = null;
  #drawBegan = 0;
  #patience = PATIENCE_MS;
  #again: ReturnType<typeof setTimeout> | null = null;
  #failed: Error | null = null;
  /** The animation frame requested by a playing motion, 0 for none; and its last time and fraction of a frame. */
  #tick = 0;
  #tickedAt: number | null = null;
  #partOfFrame = 0;
  #paused = false;
  /** What waits for a press. */
  #waiting: LongWork[] = [];
  /** The largest values of sliders that the scene has told. */
  #limits: Record<string, number> = {};
  /** The unit that the open file, or the sample, says; null where none is told. */
  #toldUnit: string | null = null;

  constructor(
    readonly events: SceneHostEvents,
    readonly runner: TaskRunner,
  ) {}

  get isOpen(): boolean {
    return this.#entry !== null;
  }

  get busy(): boolean {
    return this.#drawing !== null || this.#again !== null;
  }

  /** Whether the motion of the scene goes on after what is being drawn. */
  get isPlaying(): boolean {
    const motion = this.#entry?.scene.motion;
    return motion !== undefined && this.#values[motion.playing] === true && this.#failed === null && !this.#paused;
  }

  /** Opens a scene with the values that the query gives, and with a file for the first control that takes it. */
  open(entry: SceneEntry, query: URLSearchParams, file: OpenedFile | null = null): void {
    this.close();
    this.#entry = entry;
    this.#readQuery(query);
    const [control] = file === null ? [] : this.#fileControls(file.name);
    if (control !== undefined) {
      this.#values[control] = file;
      const { unit } = this.#controls();
      if (unit !== undefined) this.#values.unit = readValue(unit, query.get('unit'));
    }
    this.#showControls();
    this.#start();
  }

  /** Takes over the values of another address of the same scene. */
  readQuery(query: URLSearchParams): void {
    const files = Object.entries(this.#controls()).filter(([, control]) => control.kind === 'file');
    const kept = Object.fromEntries(files.map(([name]) => [name, this.#values[name]]));
    this.#readQuery(query);
    Object.assign(this.#values, kept);
    this.#showControls();
    this.redraw();
  }

  close(): void {
    this.#closings++;
    this.#draw++;
    if (this.#again !== null) clearTimeout(this.#again);
    this.#again = null;
    this.#patience = PATIENCE_MS;
    cancelAnimationFrame(this.#tick);
    this.#tick = 0;
    this.#tickedAt = null;
    this.#drawing = null;
    for (const answer of this.#answers) answer.stop.abort();
    this.#answers = [];
    this.#limits = {};
    this.#toldUnit = null;
    this.#entry = null;
    this.#values = {};
    this.#more = {};
    this.events.progress(null);
    this.events.error(null);
  }

  /** Starts the motion of the scene, if it has one. */
  play(): void {
    const motion = this.#entry?.scene.motion;
    if (motion !== undefined && this.#values[motion.playing] !== true) this.set(motion.playing, true);
  }

  togglePlay(): void {
    const motion = this.#entry?.scene.motion;
    if (motion !== undefined) this.set(motion.playing, this.#values[motion.playing] !== true);
  }

  /** Holds a motion that plays, without changing its values. */
  pause(): void {
    this.#paused = true;
    cancelAnimationFrame(this.#tick);
    this.#tick = 0;
    this.#tickedAt = null;
  }

  resume(): void {
    this.#paused = false;
    if (!this.busy) this.#awaitTick();
  }

  set(name: string, value: unknown): void {
    this.#values = { ...this.#values, [name]: value };
    Object.assign(this.#values, this.#entry?.scene.follow?.(name, this.#values as ValuesOf<Controls>));
    this.#refreshMore();
    this.#refreshUnit(name);
    this.#showControls();
    this.events.valuesChanged();
    this.redraw();
  }

  press(name: string): void {
    const control = this.#controls()[name];
    if (control?.kind !== 'button') return;
    // A pressed button runs to its end, even if another draw begins meanwhile.
    const closings = this.#closings;
    const pressed = async (): Promise<void> => control.press(this.#stage(Infinity));
    pressed().catch((error) => this.#failSince(closings, error));
  }

  /** @param beside files that came with it. */
  async openFile(name: string, file: File, beside: readonly File[] = []): Promise<void> {
    const closings = this.#closings;
    const read = async (one: File) => ({ name: one.name, bytes: new Uint8Array(await one.arrayBuffer()) });
    try {
      const alone: OpenedFile = await read(file);
      const others = await Promise.all(beside.filter((other) => other !== file).map(read));
      const opened = others.length === 0 ? alone : { ...alone, beside: packFiles(others) };
      if (closings === this.#closings) this.set(name, opened);
    } catch (error) {
      this.#failSince(closings, error);
    }
  }

  /** Files picked together: the control takes one of its kind, and the others along with it. */
  async openPicked(name: string, files: readonly File[]): Promise<void> {
    const control = this.#controls()[name];
    if (control?.kind !== 'file') return;
    // A single file is read whatever its name ends with: what reads it says best what is wrong.
    const chosen = mainFile(control, files) ?? (files.length === 1 ? files[0] : undefined);
    if (chosen === undefined) {
      const names = files.map((file) => file.name).join(', ');
      const wanted = control.accept.replaceAll(',', ', ');
      const error = new NearfieldError('bad-argument', `${names}: none of them is one of ${wanted}.`);
      this.#failSince(this.#closings, error);
    } else await this.openFile(name, chosen, control.beside === undefined ? [] : files);
  }

  /** Whether the open scene has a control for one of the files. */
  takes(files: readonly File[]): boolean {
    return files.some(({ name }) => this.#fileControls(name).length > 0);
  }

  /** Files dropped on the page go to the controls of their kind that have none yet, then to the first. */
  async openDropped(files: readonly File[]): Promise<void> {
    const whole = Object.entries(this.#controls()).find(
      ([, control]) =>
        control.kind === 'file' && control.beside !== undefined && mainFile(control, files) !== undefined,
    );
    if (whole !== undefined) return this.openPicked(whole[0], files);
    const filled = new Set<string>();
    for (const file of files) {
      const names = this.#fileControls(file.name).filter((name) => !filled.has(name));
      const name = names.find((candidate) => this.#values[candidate] === null) ?? names[0];
      if (name === undefined) continue;
      filled.add(name);
      await this.openFile(name, file);
    }
  }

  /** The code of what is shown; null if the scene has none. */
  async code(): Promise<ViewCode | null> {
    const now = this.#stage(this.#draw);
    // Its files may be saved after the view has moved on.
    const later = this.#stage(Infinity);
    let isMade = false;
    const run: Stage['run'] = (task, input) => (isMade ? later : now).run(task, input);
    const code = (await this.#entry?.scene.code?.({ ...now, run })) ?? null;
    isMade = true;
    return code;
  }

  writeQuery(query: URLSearchParams): void {
    for (const [name, control] of Object.entries(this.#controls())) {
      const text = writeValue(control, this.#values[name]);
      if (text !== null) query.set(name, text);
    }
    if (this.servedFile !== null) query.set('open', this.servedFile);
    if (query.size > 0 || this.#entry === null) return;
    // An address without a query opens the picture: where all is as it begins, one value says so.
    const opening = openingOf(this.#entry);
    const told = Object.entries(this.#controls()).find(([name]) => opening.has(name));
    if (told !== undefined) query.set(told[0], writeInitial(told[1]));
  }

  /** The name of the open file that came from the server; null for none. */
  get servedFile(): string | null {
    const values = Object.values(this.#values) as (OpenedFile | null)[];
    return values.find((value) => value?.served === true)?.name ?? null;
  }

  /** Stops what is being computed. */
  cancel(): void {
    for (const answer of this.#answers) if (!answer.settled) answer.stop.abort();
  }

  redraw(): void {
    if (this.#entry === null) return;
    if (this.#drawing === null) {
      this.#start();
      return;
    }
    if (this.#again !== null) return;
    const wait = Math.max(0, this.#patience - (performance.now() - this.#drawBegan));
    this.#again = setTimeout(() => {
      this.#again = null;
      this.#patience = Math.min(2 * this.#patience, LONGEST_PATIENCE_MS);
      this.#start();
    }, wait);
  }

  #start(): void {
    const entry = this.#entry;
    if (entry === null) return;
    const draw = ++this.#draw;
    this.#drawBegan = performance.now();
    this.#failed = null;
    this.events.error(null);
    this.events.drawBegins();
    const done = entry.scene.draw(this.#stage(draw)).catch((error) => this.#fail(error, draw));
    this.#drawing = done.then(() => this.#finish(draw));
  }

  #finish(draw: number): void {
    if (draw !== this.#draw) return;
    this.#drawing = null;
    this.#patience = PATIENCE_MS;
    for (const answer of this.#answers) if (!answer.settled && answer.wantedBy < draw) answer.stop.abort();
    if (this.#again !== null) {
      // Values changed meanwhile, but this draw was quick enough to finish first.
      clearTimeout(this.#again);
      this.#again = null;
      this.#start();
      return;
    }
    this.events.drawEnds();
    this.#awaitTick();
  }

  /** Goes on with a motion that plays, at the next display frame after what is drawn. */
  #awaitTick(): void {
    if (!this.isPlaying) {
      this.#tickedAt = null;
      return;
    }
    if (this.#tick === 0) this.#tick = requestAnimationFrame((now) => this.#advance(now));
  }

  #advance(now: number): void {
    this.#tick = 0;
    const scene = this.#entry?.scene;
    // A draw under way ends in a tick of its own.
    if (scene?.motion === undefined || this.busy) return;
    const { frame, speed } = scene.motion;
    const elapsed = this.#tickedAt === null ? 0 : Math.min(LONGEST_STEP_MS, now - this.#tickedAt);
    this.#tickedAt = now;
    this.#partOfFrame += (elapsed / 1000) * (this.#values[speed] as number);
    const steps = Math.floor(this.#partOfFrame);
    this.#partOfFrame -= steps;
    if (steps === 0) {
      this.#awaitTick();
      return;
    }
    const { min, max } = this.#controls()[frame] as Slider;
    const next = min + (((this.#values[frame] as number) - min + steps) % (max - min + 1));
    this.#values = { ...this.#values, [frame]: next };
    this.#showControls();
    this.#start();
  }

  /** Shortens a slider. A value beyond its end counts as the end, which the scene shows already. */
  #limit(name: string, max: number): void {
    if (this.#limits[name] === max) return;
    this.#limits = { ...this.#limits, [name]: max };
    if ((this.#values[name] as number) > max) this.#values = { ...this.#values, [name]: max };
    this.#showControls();
  }

  /** Names the unit that a file says. One that the person has chosen stays. */
  #tellUnit(meters: number | undefined): void {
    const told = unitName(meters);
    if (told === this.#toldUnit) return;
    const before = this.#controls().unit;
    this.#toldUnit = told;
    const now = this.#controls().unit;
    if (before === undefined || now === undefined) return;
    if (this.#values.unit === initialValue(before)) this.#values = { ...this.#values, unit: initialValue(now) };
    this.#showControls();
  }

  #fail(error: unknown, draw = this.#draw): void {
    if (error instanceof Superseded || draw !== this.#draw) return;
    this.#failed = error instanceof Error ? error : new Error(String(error));
    this.events.error(this.#failed);
  }

  /** A failure of what was begun before the scene may have been closed. */
  #failSince(closings: number, error: unknown): void {
    if (closings === this.#closings) this.#fail(error);
  }

  #stage(draw: number): Stage {
    const closings = this.#closings;
    const isOpen = (): boolean => closings === this.#closings;
    const assertCurrent = (): void => {
      if (draw < this.#draw || !isOpen()) throw new Superseded();
    };
    const all = this.#values;
    const names = Object.keys(this.#entry?.scene.controls ?? {});
    return {
      values: Object.fromEntries(names.map((name) => [name, all[name]])),
      more: Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name))),
      view: guard(this.events.view(), assertCurrent),
      figures: (group, figures) => {
        assertCurrent();
        this.events.figures(group, figures);
      },
      chart: (group, chart) => {
        assertCurrent();
        this.events.chart(group, chart);
      },
      curves: (group, curves) => {
        assertCurrent();
        this.events.curves(group, curves);
      },
      table: (group, table) => {
        assertCurrent();
        this.events.table(group, table);
      },
      map: (group, map) => {
        assertCurrent();
        this.events.map(group, map);
      },
      images: (group, images) => {
        assertCurrent();
        this.events.images(group, images);
      },
      colors: (group, bar) => {
        assertCurrent();
        this.events.colors(group, bar);
      },
      run: (task, input, hear) => {
        assertCurrent();
        const output = this.#answer(task, input, draw, hear).finally(assertCurrent);
        // If the scene fails before it awaits this answer, only the scene's own error is reported.
        output.catch(() => {});
        return output;
      },
      tell: (task, input) => {
        if (isOpen()) this.runner.run(task, input).catch((error) => this.#failSince(closings, error));
      },
      limit: (name: string, max: number) => {
        if (isOpen()) this.#limit(name, max);
      },
      tellUnit: (meters: number | undefined) => {
        if (isOpen()) this.#tellUnit(meters);
      },
      set: (name: string, value: unknown) => {
        if (isOpen()) this.set(name, value);
      },
      open: (path, query, file) => {
        if (isOpen()) this.events.open(path, query, file ?? null);
      },
      save: (fileName, bytes) => this.events.save(fileName, bytes),
    } as Stage;
  }

  #answer<Name extends TaskName>(
    task: Name,
    input: TaskInput<Name>,
    draw: number,
    hear?: (part: TaskPart<Name>) => void,
  ): Promise<TaskOutput<Name>> {
    const record = input as Readonly<Record<string, unknown>>;
    const known = this.#answers.find((answer) => answer.task === task && sameInput(answer.input, record));
    if (known !== undefined) {
      known.wantedBy = Math.max(known.wantedBy, draw);
      this.#answers = [...this.#answers.filter((answer) => answer !== known), known];
      return known.output as Promise<TaskOutput<Name>>;
    }
    // The worker runs one task at a time, so tasks that only earlier draws need are stopped.
    for (const answer of this.#answers) if (!answer.settled && answer.wantedBy < this.#draw) answer.stop.abort();
    const stop = new AbortController();
    const report = (fraction: number, stage: string): void => {
      if (this.#answers.find((other) => !other.settled && !other.held) === answer)
        this.events.progress({ fraction, stage });
    };
    const onPart = (part: unknown): void => {
      if (draw === this.#draw) hear?.(part as TaskPart<Name>);
    };
    const estimate = estimateTask(task, input);
    const isLong = estimate !== null && estimate.seconds > LONG_SECONDS;
    const begin = async (): Promise<TaskOutput<Name>> => {
      if (isLong) answer.held = false;
      this.events.progress({ fraction: 0, stage: '' });
      const start = performance.now();
      const made = await this.runner.run(task, input, { signal: stop.signal, onProgress: report, onPart });
      if (estimate !== null) learnPace(estimate, (performance.now() - start) / 1000);
      return made;
    };
    const output = isLong ? this.#permit(estimate, stop.signal).then(begin) : begin();
    const answer: Answer = { task, input: record, output, stop, settled: false, held: isLong, wantedBy: draw };
    this.#answers = [...this.#answers.slice(-ANSWERS_KEPT), answer];
    const settle = (): void => {
      answer.settled = true;
      if (this.#answers.every((other) => other.settled || other.held)) this.events.progress(null);
    };
    output.then(settle, () => {
      this.#answers = this.#answers.filter((other) => other !== answer);
      settle();
    });
    return output;
  }

  /** Resolves when the person wants the work to begin; a stop ends the wait. */
  #permit(estimate: Estimate, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== work);
        this.events.ask(this.#waiting[0] ?? null);
      };
      const work: LongWork = {
        ...estimate,
        start: () => {
          leave();
          resolve();
        },
      };
      const stopped = (): void => {
        leave();
        reject(stoppedError());
      };
      signal.addEventListener('abort', stopped, { once: true });
      this.#waiting.push(work);
      this.events.ask(this.#waiting[0]);
    });
  }

  #controls(): Record<string, Control> {
    const controls: Record<string, Control> = {};
    for (const [name, control] of Object.entries({ ...this.#entry?.scene.controls, ...this.#more })) {
      const limit = this.#limits[name];
      controls[name] = control.kind === 'slider' && limit !== undefined ? { ...control, max: limit } : control;
      // Beneath the file that it is about.
      const file = this.#values[name] as OpenedFile | null;
      if (control.kind === 'file' && file && isModelFile(file.name)) controls.unit = unitOf(file.name, this.#toldUnit);
    }
    return controls;
  }

  /** The name of the unit of length: that of the opened file, that of the sample, else the lab's own. */
  get unit(): string {
    return (this.#values.unit as string | undefined) ?? this.#toldUnit ?? 'm';
  }

  /** The file controls that take a file of this name. */
  #fileControls(fileName: string): string[] {
    return Object.entries(this.#controls()).flatMap(([name, control]) =>
      control.kind === 'file' && accepts(control.accept, fileName) ? [name] : [],
    );
  }

  #readQuery(query: URLSearchParams): void {
    const scene = this.#entry?.scene;
    const read = (controls: Readonly<Record<string, Control>>): Record<string, unknown> =>
      Object.fromEntries(
        Object.entries(controls).map(([name, control]) => [name, readValue(control, query.get(name))]),
      );
    this.#values = read(scene?.controls ?? {});
    this.#more = scene?.moreControls?.(this.#values as ValuesOf<Controls>) ?? {};
    Object.assign(this.#values, read(this.#more));
  }

  /** After a change: further controls with the same declaration keep their values, others are reset. */
  #refreshMore(): void {
    const scene = this.#entry?.scene;
    const more = scene?.moreControls?.(this.#values as ValuesOf<Controls>) ?? {};
    for (const name of Object.keys(this.#more)) if (!(name in more)) delete this.#values[name];
    for (const [name, control] of Object.entries(more)) {
      if (JSON.stringify(control) !== JSON.stringify(this.#more[name])) this.#values[name] = initialValue(control);
    }
    this.#more = more;
  }

  /** A file brings its unit along; without one lengths are meters. */
  #refreshUnit(changed: string): void {
    if (this.#controls()[changed]?.kind === 'file') this.#toldUnit = null;
    const { unit } = this.#controls();
    if (unit?.kind !== 'choice') delete this.#values.unit;
    else if (this.#values.unit === undefined || this.#controls()[changed]?.kind === 'file')
      this.#values.unit = initialValue(unit);
  }

  #showControls(): void {
    const shown = Object.entries(this.#controls()).filter(
      ([, control]) => (control as { visible?: (values: object) => boolean }).visible?.(this.#values) ?? true,
    );
    this.events.controls(Object.fromEntries(shown), this.#values);
  }
}

/** The file that the control is for: of several the one whose ending it names first. */
function mainFile({ accept }: FilePicker, files: readonly File[]): File | undefined {
  for (const ending of accept.split(',')) {
    const found = files.find(({ name }) => accepts(ending, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function sameInput(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.is(a[name], b[name]));
}

/** The same view, silent for a draw that has been superseded. */
function guard(view: View, assertCurrent: () => void): View {
  return new Proxy(view, {
    get: (target, name) => {
      const member = target[name as keyof View] as (...args: unknown[]) => void;
      return (...args: unknown[]) => {
        assertCurrent();
        member.apply(target, args);
      };
    },
  });
}
