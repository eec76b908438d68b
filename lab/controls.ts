// The controls that a scene may declare, as plain data. page/control-panel.ts creates native form elements from them.
import type { Vec3 } from 'nearfield/core';
import type { Stage } from './scene.js';
import { readSketch, type Sketch, writeSketch } from './sketch.js';

interface Labeled {
  readonly label: string;
  /** A sentence shown beneath the control. */
  readonly hint?: string;
}

export interface Option {
  readonly value: string;
  readonly label: string;
  /** Consecutive options with the same group are listed under that heading. */
  readonly group?: string;
}

/** A choice of one option: up to four options are a row of buttons, more are a drop-down list unless `buttons` is set. */
export interface Choice extends Labeled {
  readonly kind: 'choice';
  readonly options: readonly Option[];
  /** Default: the first option. */
  readonly initial?: string;
  readonly buttons?: boolean;
}

export interface Slider extends Labeled {
  readonly kind: 'slider';
  readonly min: number;
  readonly max: number;
  readonly initial: number;
  /** Without it the slider is continuous. */
  readonly step?: number;
  /** Equal steps of the slider are equal ratios of the value; for ranges over several powers of ten. */
  readonly logarithmic?: boolean;
}

export interface Checkbox extends Labeled {
  readonly kind: 'checkbox';
  readonly initial: boolean;
}

/** A button that stays pressed. */
export interface Toggle extends Labeled {
  readonly kind: 'toggle';
  readonly pressedLabel: string;
}

/** Three coordinates, each from 0 to 1; a handle in the view may move them too. */
export interface Point extends Labeled {
  readonly kind: 'point';
  readonly initial: Readonly<Vec3>;
  /** Only x and y can be changed. */
  readonly flat?: boolean;
}

/** A translation in diagonals of the framed box, then a rotation vector in radians. */
export type Move = readonly [number, number, number, number, number, number];

/** How bodies are moved by hand: one move per body, relative to its place in the scene. */
export interface Moves extends Labeled {
  readonly kind: 'moves';
  readonly bodies: readonly string[];
}

/** Sites that the user draws in the view; the panel clears them and brings the first ones back. */
export interface SketchControl extends Labeled {
  readonly kind: 'sketch';
  readonly initial: Sketch;
}

/** A file that the user picks, or drops anywhere on the page. */
export interface FilePicker extends Labeled {
  readonly kind: 'file';
  /** File extensions, as in `.obj,.stl`. */
  readonly accept: string;
  /** Extensions of further files that this one may name, picked or dropped with it: meshes of a robot. */
  readonly beside?: string;
}

export interface OpenedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What came with it, packed by file-bundle.ts; none where nothing did. */
  readonly beside?: Uint8Array | null;
  /** Whether it came from the lab's server, so that an address can name it. */
  readonly served?: boolean;
}

export interface Button extends Labeled {
  readonly kind: 'button';
  // biome-ignore lint/suspicious/noExplicitAny: their types depend on the controls that this button is one of
  press(stage: Omit<Stage, 'values'> & { readonly values: any }): Promise<void> | void;
}

export type Control = Choice | Slider | Checkbox | Toggle | Point | Moves | SketchControl | FilePicker | Button;
export type Controls = Readonly<Record<string, Control & { readonly visible?: (values: Values) => boolean }>>;
export type Values = Readonly<Record<string, unknown>>;

export type ValueOf<C> = C extends { kind: 'choice'; options: readonly { value: infer V }[] }
  ? V
  : C extends { kind: 'slider' }
    ? number
    : C extends { kind: 'checkbox' | 'toggle' }
      ? boolean
      : C extends { kind: 'point' }
        ? Readonly<Vec3>
        : C extends { kind: 'moves' }
          ? readonly Move[]
          : C extends { kind: 'sketch' }
            ? Sketch
            : C extends { kind: 'file' }
              ? OpenedFile | null
              : never;

export type ValuesOf<C> = { readonly [Name in keyof C]: ValueOf<C[Name]> };

export function initialValue(control: Control): unknown {
  switch (control.kind) {
    case 'choice':
      return control.initial ?? control.options[0].value;
    case 'slider':
    case 'checkbox':
    case 'point':
    case 'sketch':
      return control.initial;
    case 'toggle':
      return false;
    case 'moves':
      return control.bodies.map((): Move => [0, 0, 0, 0, 0, 0]);
    case 'file':
    case 'button':
      return null;
  }
}

const FARTHEST_MOVE = 1000;

/** The value as written in the address; null for files, buttons and initial values, which are not written. */
export function writeValue(control: Control, value: unknown): string | null {
  if (control.kind === 'file' || control.kind === 'button') return null;
  if (control.kind === 'sketch') return writeSketchValue(control.initial, value as Sketch);
  const text = writeAny(value);
  return text === writeAny(initialValue(control)) ? null : text;
}

/** The initial value as written in the address. */
export function writeInitial(control: Control): string {
  return writeAny(initialValue(control));
}

/** Longer addresses break in some programs that pass links on. */
const LONGEST_SKETCH = 4000;

function writeSketchValue(initial: Sketch, value: Sketch): string | null {
  const text = writeSketch(value);
  return text === writeSketch(initial) || text.length > LONGEST_SKETCH ? null : text;
}

/** Parses a value of the address; returns the initial value if the text is invalid. */
export function readValue(control: Control, text: string | null): unknown {
  const initial = initialValue(control);
  if (text === null) return initial;
  switch (control.kind) {
    case 'choice':
      return control.options.some((option) => option.value === text) ? text : initial;
    case 'slider': {
      const number = text.trim() === '' ? Number.NaN : Number(text);
      return Number.isFinite(number) ? Math.min(control.max, Math.max(control.min, number)) : initial;
    }
    case 'checkbox':
    case 'toggle':
      return text === 'yes' ? true : text === 'no' ? false : initial;
    case 'point': {
      const numbers = text.split(',').map(Number);
      return numbers.length === 3 && numbers.every((n) => n >= 0 && n <= 1) ? numbers : initial;
    }
    case 'moves': {
      const numbers = text.split(',').map(Number);
      const sound = numbers.length === 6 * control.bodies.length && numbers.every((n) => Math.abs(n) <= FARTHEST_MOVE);
      return sound ? control.bodies.map((_, body) => numbers.slice(6 * body, 6 * body + 6)) : initial;
    }
    case 'sketch':
      return readSketch(text) ?? initial;
    default:
      return initial;
  }
}

function writeAny(value: unknown): string {
  if (Array.isArray(value)) return value.flat().map(shortest).join(',');
  return typeof value === 'boolean'
    ? value
      ? 'yes'
      : 'no'
    : typeof value === 'number'
      ? shortest(value)
      : String(value);
}

function shortest(value: number): string {
  return String(Number(value.toPrecision(6)));
}
