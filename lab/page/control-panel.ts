// Native form elements from a scene's declarations. An element stays the same while its declaration does, so that the
// focus is never lost when values change.
import type { Vec3 } from 'nearfield/core';
import {
  type Choice,
  type Control,
  type FilePicker,
  initialValue,
  type Move,
  type Moves,
  type Option,
  type Point,
  type SketchControl,
  type Slider,
  type Toggle,
  type Values,
} from '../controls.js';
import type { Sketch } from '../sketch.js';
import { element } from './element.js';

export interface ControlEvents {
  changed(name: string, value: unknown): void;
  pressed(name: string): void;
  opened(name: string, files: readonly File[]): void;
}

interface Row {
  /** What the element was made from, to tell whether it still fits. */
  readonly declaration: string;
  readonly node: HTMLElement;
  show(value: unknown): void;
}

/** Slider positions; fine enough for a panel of any width. */
const POSITIONS = 1000;

export class ControlPanel {
  #rows = new Map<string, Row>();

  constructor(
    readonly form: HTMLFormElement,
    readonly events: ControlEvents,
  ) {
    form.addEventListener('submit', (event) => event.preventDefault());
  }

  show(controls: Readonly<Record<string, Control>>, values: Values): void {
    const rows = new Map<string, Row>();
    for (const [name, control] of Object.entries(controls)) {
      const declaration = JSON.stringify(control);
      const old = this.#rows.get(name);
      const row = old?.declaration === declaration ? old : this.#build(name, control, declaration);
      row.show(values[name]);
      rows.set(name, row);
    }
    this.#rows = rows;
    const nodes = [...rows.values()].map((row) => row.node);
    if (nodes.length !== this.form.children.length || nodes.some((node, i) => node !== this.form.children[i])) {
      const focused = document.activeElement;
      this.form.replaceChildren(...nodes);
      if (focused instanceof HTMLElement && this.form.contains(focused)) focused.focus({ preventScroll: true });
    }
  }

  #build(name: string, control: Control, declaration: string): Row {
    const id = `control-${name}`;
    const changed = (value: unknown): void => this.events.changed(name, value);
    const [content, show] = this.#content(name, id, control, changed);
    const node = element('div', { class: `control control-${control.kind}`, 'data-control': name }, ...content);
    if (control.kind === 'slider' && control.hint !== undefined) node.title = control.hint;
    else if (control.hint !== undefined) {
      node.append(element('p', { class: 'hint', id: `${id}-hint` }, control.hint));
      node.querySelector('input, select, button, fieldset')?.setAttribute('aria-describedby', `${id}-hint`);
    }
    return { declaration, node, show };
  }

  #content(name: string, id: string, control: Control, changed: (value: unknown) => void): Content {
    switch (control.kind) {
      case 'choice':
        return control.options.length <= 4 || control.buttons
          ? segments(id, control, changed)
          : list(id, control, changed);
      case 'slider':
        return slider(id, control, changed);
      case 'checkbox': {
        const box = element('input', { type: 'checkbox', id });
        box.addEventListener('change', () => changed(box.checked));
        return [
          [element('label', { class: 'check', for: id }, box, control.label)],
          (value) => (box.checked = value === true),
        ];
      }
      case 'toggle':
        return toggle(id, control, changed);
      case 'point':
        return point(id, control, changed);
      case 'moves':
        return moves(id, control, changed);
      case 'sketch':
        return sketch(id, control, changed);
      case 'file':
        return picker(id, control, (files) => this.events.opened(name, files));
      case 'button': {
        const button = element('button', { type: 'button', id }, control.label);
        button.addEventListener('click', () => this.events.pressed(name));
        return [[button], () => {}];
      }
    }
  }
}

type Content = [nodes: HTMLElement[], show: (value: unknown) => void];

function segments(id: string, control: Choice, changed: (value: unknown) => void): Content {
  const radios = control.options.map(({ value }) =>
    element('input', { type: 'radio', name: id, id: `${id}-${value}`, value }),
  );
  const labels = control.options.map((option, i) =>
    element('label', { class: 'segment' }, radios[i], element('span', {}, option.label)),
  );
  for (const radio of radios) radio.addEventListener('change', () => changed(radio.value));
  const group = element('fieldset', { class: 'segments' }, element('legend', {}, control.label), ...labels);
  const show = (value: unknown): void => {
    for (const radio of radios) radio.checked = radio.value === value;
  };
  return [[group], show];
}

function list(id: string, control: Choice, changed: (value: unknown) => void): Content {
  const select = element('select', { id }, ...groupOptions(control.options));
  select.addEventListener('change', () => changed(select.value));
  return [[element('label', { for: id }, control.label), select], (value) => (select.value = String(value))];
}

/** Options that share a `group` stand under it. */
function groupOptions(options: readonly Option[]): HTMLElement[] {
  const made: HTMLElement[] = [];
  for (const { value, label, group } of options) {
    const option = element('option', { value }, label);
    const last = made[made.length - 1];
    if (group === undefined) made.push(option);
    else if (last instanceof HTMLOptGroupElement && last.label === group) last.append(option);
    else made.push(element('optgroup', { label: group }, option));
  }
  return made;
}

function slider(id: string, control: Slider, changed: (value: unknown) => void): Content {
  const { min, max, step, logarithmic } = control;
  const toPosition = (value: number): number =>
    POSITIONS * (logarithmic ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min));
  const toValue = (position: number): number => {
    const share = position / POSITIONS;
    const value = logarithmic ? min * (max / min) ** share : min + (max - min) * share;
    const rounded = step === undefined ? Number(value.toPrecision(3)) : Math.round(value / step) * step;
    return Math.min(max, Math.max(min, Number(rounded.toPrecision(12))));
  };
  const stepped = step !== undefined && !logarithmic;
  const range = element('input', {
    type: 'range',
    id,
    ...(stepped ? { min, max, step } : { min: 0, max: POSITIONS, step: 'any' }),
  });
  const number = element('input', {
    type: 'number',
    min,
    max,
    step: step ?? 'any',
    'aria-label': `${control.label}, exact value`,
  });
  const show = (value: unknown): void => {
    if (document.activeElement !== number) number.value = String(Number((value as number).toPrecision(6)));
    if (document.activeElement !== range || Number(range.value) !== value) {
      const position = stepped ? (value as number) : toPosition(value as number);
      if (Math.abs(Number(range.value) - position) > 1e-9) range.value = String(position);
    }
    range.setAttribute('aria-valuetext', number.value);
  };
  range.addEventListener('input', () => changed(stepped ? Number(range.value) : toValue(Number(range.value))));
  if (!stepped) {
    range.addEventListener('keydown', (event) => {
      const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[
        event.key
      ];
      if (direction === undefined) return;
      event.preventDefault();
      const value = toValue(Number(range.value));
      const next = toValue(Math.min(POSITIONS, Math.max(0, toPosition(value) + 10 * direction)));
      // Where counts are small, one position may round back to the same count.
      changed(
        next === value && step !== undefined ? Math.min(max, Math.max(min, value + Math.sign(direction) * step)) : next,
      );
    });
  }
  number.addEventListener('change', () => {
    const value = number.valueAsNumber;
    if (Number.isFinite(value)) changed(Math.min(max, Math.max(min, step ? Math.round(value / step) * step : value)));
  });
  return [[element('label', { for: id }, control.label), range, number], show];
}

function toggle(id: string, control: Toggle, changed: (value: unknown) => void): Content {
  const button = element('button', { type: 'button', id, class: 'primary', 'aria-pressed': 'false' });
  button.addEventListener('click', () => changed(button.getAttribute('aria-pressed') !== 'true'));
  return [
    [button],
    (value) => {
      button.setAttribute('aria-pressed', String(value));
      button.textContent = value === true ? control.pressedLabel : control.label;
    },
  ];
}

function point(id: string, control: Point, changed: (value: unknown) => void): Content {
  let current: Readonly<Vec3> = control.initial;
  const axes = control.flat ? ['x', 'y'] : ['x', 'y', 'z'];
  const ranges = axes.map((axis, i) => {
    const range = element('input', { type: 'range', id: `${id}-${axis}`, min: 0, max: 1, step: 0.005 });
    range.addEventListener('input', () => {
      changed(current.map((value, j) => (i === j ? Number(range.value) : value)));
    });
    return range;
  });
  const rows = ranges.map((range, i) =>
    element('div', { class: 'axis' }, element('label', { for: range.id }, 'xyz'[i]), range),
  );
  const group = element('fieldset', {}, element('legend', {}, control.label), ...rows);
  return [
    [group],
    (value) => {
      current = value as Vec3;
      ranges.forEach((range, i) => {
        if (Math.abs(Number(range.value) - current[i]) > 0.0025) range.value = String(current[i]);
      });
    },
  ];
}

/** Sliders for each body, folded away, and one button that puts all of them back. */
function moves(id: string, control: Moves, changed: (value: unknown) => void): Content {
  const zero = initialValue(control) as readonly Move[];
  let current = zero;
  const ranges: HTMLInputElement[] = [];
  const bodies = control.bodies.map((name, body) => {
    const rows = ['x', 'y', 'z', 'turn x', 'turn y', 'turn z'].map((label, i) => {
      const most = i < 3 ? 1 : 3.15;
      const range = element('input', { type: 'range', id: `${id}-${body}-${i}`, min: -most, max: most, step: 0.005 });
      range.addEventListener('input', () => {
        const move = current[body].map((value, j) => (i === j ? Number(range.value) : value));
        changed(current.map((other, j) => (j === body ? move : other)));
      });
      ranges.push(range);
      return element('div', { class: 'axis' }, element('label', { for: range.id }, label), range);
    });
    return element('details', {}, element('summary', {}, name), ...rows);
  });
  const back = element('button', { type: 'button' }, 'Put back');
  back.addEventListener('click', () => changed(zero));
  const group = element('fieldset', { id }, element('legend', {}, control.label), ...bodies, back);
  return [
    [group],
    (value) => {
      current = value as readonly Move[];
      current.flat().forEach((number, i) => {
        if (Math.abs(Number(ranges[i].value) - number) > 0.0025) ranges[i].value = String(number);
      });
      back.disabled = current.flat().every((number) => number === 0);
    },
  ];
}

/** Buttons that remove all shapes or bring the first ones back. */
function sketch(id: string, control: SketchControl, changed: (value: unknown) => void): Content {
  const clear = element('button', { type: 'button' }, 'Clear');
  const again = element('button', { type: 'button' }, 'Start again');
  clear.addEventListener('click', () => changed({ shapes: [], open: -1 }));
  again.addEventListener('click', () => changed(control.initial));
  return [
    [element('fieldset', { id, class: 'sketch' }, element('legend', {}, control.label), clear, again)],
    (value) => (clear.disabled = (value as Sketch).shapes.length === 0),
  ];
}

function picker(id: string, control: FilePicker, opened: (files: File[]) => void): Content {
  const several = control.beside !== undefined;
  const accept = several ? `${control.accept},${control.beside}` : control.accept;
  const input = element('input', { type: 'file', id, accept, multiple: several });
  const name = element('span', { class: 'file-name' });
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])];
    if (files.length > 0) opened(files);
    // The same file may be picked again after it changed on the disk.
    input.value = '';
  });
  return [
    [
      element(
        'label',
        { class: 'file', for: id },
        element('span', { class: 'file-label' }, control.label),
        name,
        input,
      ),
    ],
    (value) => (name.textContent = (value as { name: string } | null)?.name ?? ''),
  ];
}
