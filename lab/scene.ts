// The shape of a scene. A file `scenes/<chapter>/<name>.ts` whose default export is `defineScene({…})` is in the lab,
// at the address `#/<chapter>/<name>`. docs/lab.md shows a whole one.
import type { ViewCode } from './code/view-code.js';
import type { Control, Controls, OpenedFile, ValuesOf } from './controls.js';
import type { Chart, ColorBar, Curves, Figure, ImageStrip, QuantityMap, Table } from './figures.js';
import type { View } from './viewer/view.js';
import type { TaskInput, TaskName, TaskOutput, TaskPart } from './worker/tasks.js';

export interface Scene<C extends Controls = Controls> {
  readonly title: string;
  /** Its heading in the gallery. */
  readonly chapter: string;
  /** Its place in the chapter: lower first, then by name. */
  readonly rank?: number;
  /** One or two sentences: what to see and what to try. */
  readonly summary: string;
  /** The query part of the address for the gallery's picture. */
  readonly picture?: string;
  /** The query that the scene opens with; by default that of the picture. For pictures that take long to simulate. */
  readonly opening?: string;
  /** Addresses that this scene had before, each with the query that shows the same here. */
  readonly formerly?: Readonly<Record<string, string>>;
  /** A scene in the plane z = 0, seen from the front; the box that it frames has no depth. */
  readonly flat?: boolean;
  readonly controls: C;
  /**
   * Names of controls that play a motion: while the toggle `playing` is pressed, the slider `frame` counts up, `speed`
   * times per second, and starts again after its end. If drawing is slower than that, frames are skipped.
   */
  readonly motion?: {
    readonly playing: keyof C & string;
    readonly frame: keyof C & string;
    readonly speed: keyof C & string;
  };
  /** Further controls that depend on the values of the first, such as the parameters of the chosen model. */
  moreControls?(values: ValuesOf<C>): Record<string, Control>;
  /** Called after the user changed a control; returns what else changes with it. */
  follow?(changed: keyof C, values: ValuesOf<C>): Partial<ValuesOf<C>>;
  /**
   * Draws the scene for the values of the stage; called again whenever one of them changes. Answers of `run` are
   * cached, so drawing the whole scene again costs only what has changed.
   */
  draw(stage: Stage<C>): Promise<void>;
  /** The TypeScript and the command that give what is shown. Answers that `draw` asked for cost nothing here. */
  code?(stage: Pick<Stage<C>, 'values' | 'more' | 'run'>): ViewCode | Promise<ViewCode>;
}

/** What a scene draws with. */
export interface Stage<C extends Controls = Controls> {
  readonly values: ValuesOf<C>;
  /** The values of `moreControls`. */
  readonly more: Readonly<Record<string, unknown>>;
  readonly view: View;
  /** A group of the panel's figures; groups appear in the order they are given. */
  figures(group: string, figures: readonly Figure[]): void;
  /** A curve among the figures, a group of its own. */
  chart(group: string, chart: Chart): void;
  /** Curves over a quantity among the figures, a group of its own. */
  curves(group: string, curves: Curves): void;
  /** Numbers over two quantities as a picture among the figures, a group of its own. */
  map(group: string, map: QuantityMap): void;
  /** A table among the figures, a group of its own. */
  table(group: string, table: Table): void;
  /** Images among the figures, a group of their own. */
  images(group: string, images: ImageStrip): void;
  /** The scale of a picture's colors among the figures, a group of its own. */
  colors(group: string, bar: ColorBar): void;
  /**
   * Runs a task in the worker, with a progress bar and a cancel button. The same task with the same input (numbers and
   * strings by value, everything else by identity) returns the same object while the scene is open. `hear` is called
   * with the parts that the task sends while it works, as long as this draw is the latest.
   */
  run<Name extends TaskName>(
    task: Name,
    input: TaskInput<Name>,
    hear?: (part: TaskPart<Name>) => void,
  ): Promise<TaskOutput<Name>>;
  /** Runs a task in the worker for what it changes there; nothing waits for it. For what the pointer does while a motion plays. */
  tell<Name extends TaskName>(task: Name, input: TaskInput<Name>): void;
  /** Tells how far a slider reaches for these values, such as the last level of a model; beyond it there is nothing. */
  limit(name: keyof C & string, max: number): void;
  /** Tells the unit of length, in meters, that the open file or the sample says; undefined where nobody says it. */
  tellUnit(meters: number | undefined): void;
  /** Changes a control as if the user had done it. */
  set<Name extends keyof C & string>(name: Name, value: ValuesOf<C>[Name]): void;
  /** Opens another scene, at the query part of an address, with a file that it takes. */
  open(path: string, query: string, file?: OpenedFile | null): void;
  /** Downloads a file. */
  save(fileName: string, bytes: Uint8Array): void;
}

export function defineScene<const C extends Controls>(scene: Scene<C>): Scene<C> {
  return scene;
}
