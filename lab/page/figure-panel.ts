// The panel of figures: groups of terms and values, each value in a <data> element that carries it unrounded; and groups
// that are a chart, curves, a map, a table, images or a scale of colors.

import { meaningOf } from '../figure-meanings.js';
import {
  type Chart,
  type ColorBar,
  type Curves,
  type Figure,
  type FigureValue,
  formatFigure,
  type ImageStrip,
  type QuantityMap,
  type Table,
  type TableRow,
} from '../figures.js';
import { chartFigure } from './chart-figure.js';
import { colorBar } from './color-bar.js';
import { curvesFigure } from './curves-figure.js';
import { element } from './element.js';
import { imageStrip } from './image-strip.js';
import { mapFigure } from './map-figure.js';

export class FigurePanel {
  readonly #groups = new Map<string, HTMLElement>();
  #order: string[] = [];
  /** Whether this draw has shown its answer. */
  #led = false;
  /** Groups that the user opened or closed. */
  readonly #unfolded = new Map<string, boolean>();

  constructor(
    readonly host: HTMLElement,
    /** Where the answer stands. */
    readonly answer: HTMLElement,
  ) {}

  begin(): void {
    this.#order = [];
    this.#led = false;
  }

  showFigures(title: string, figures: readonly Figure[]): void {
    const lead = figures.find((figure) => figure.lead !== undefined);
    if (lead !== undefined && !this.#led) this.#showAnswer(lead);
    this.#show(title, element('dl', {}, ...figures.map((figure) => this.#row(figure))), true);
  }

  /** The answer of the scene, large, with what it means. */
  #showAnswer(figure: Figure): void {
    this.#led = true;
    const { label, value, unit, tone, lead } = figure;
    const number = element('data', { value: exact(value) }, formatFigure({ ...figure, decimals: undefined }, 4));
    const shown = element('p', { class: 'answer-value', 'data-tone': tone }, number);
    if (unit !== undefined && value !== null) shown.append(' ', element('span', { class: 'answer-unit' }, unit));
    this.answer.replaceChildren(
      element('p', { class: 'answer-label' }, label),
      shown,
      element('p', { class: 'answer-meaning' }, lead ?? ''),
    );
    this.answer.hidden = false;
  }

  showChart(title: string, chart: Chart): void {
    this.#show(title, chartFigure(chart));
  }

  showCurves(title: string, curves: Curves): void {
    this.#show(title, curvesFigure(curves));
  }

  showMap(title: string, map: QuantityMap): void {
    this.#show(title, mapFigure(map));
  }

  showImages(title: string, images: ImageStrip): void {
    this.#show(title, imageStrip(images));
  }

  showColors(title: string, bar: ColorBar): void {
    this.#show(title, colorBar(bar));
  }

  showTable(title: string, { columns, rows, note }: Table): void {
    const head = element('tr', {}, ...columns.map((column) => element('th', { scope: 'col' }, column)));
    const body = element('tbody', {}, ...rows.map(tableRow));
    const table = element('table', {}, element('thead', {}, head), body);
    this.#show(
      title,
      element('div', {}, table, ...(note === undefined ? [] : [element('p', { class: 'hint' }, note)])),
    );
  }

  /** Charts, tables and pictures are always open; figures fold, all but the first group. */
  #group(title: string, content: Element, folds: boolean): HTMLElement {
    if (!folds) return element('section', { 'data-group': title }, element('h3', {}, title), content);
    const open = this.#unfolded.get(title) ?? this.#order.indexOf(title) === 0;
    const body = element(
      'details',
      { open },
      element('summary', {}, element('h3', { class: 'fold-title' }, title)),
      content,
    );
    body.addEventListener('toggle', () => this.#unfolded.set(title, body.open));
    return element('section', { 'data-group': title }, body);
  }

  #show(title: string, content: Element, folds = false): void {
    // A draw may show a group again, as parts of an answer come in.
    if (!this.#order.includes(title)) this.#order.push(title);
    const old = this.#groups.get(title);
    if (old !== undefined) {
      const focused = document.activeElement?.closest<HTMLElement>('[data-row]');
      const row = focused && old.contains(focused) ? focused.dataset.row : undefined;
      const body = old.querySelector(':scope > details') ?? old;
      body.replaceChild(content, body.lastChild as Node);
      if (row !== undefined) content.querySelector<HTMLElement>(`[data-row="${row}"] button`)?.focus();
    } else this.#groups.set(title, this.#group(title, content, folds));
    this.#arrange([...this.#order, ...[...this.#groups.keys()].filter((name) => !this.#order.includes(name))]);
  }

  /** Drops the groups that were not shown since `begin`. */
  end(): void {
    for (const name of [...this.#groups.keys()]) if (!this.#order.includes(name)) this.#groups.delete(name);
    this.#arrange(this.#order);
    if (!this.#led) this.answer.hidden = true;
  }

  clear(): void {
    this.#unfolded.clear();
    this.#groups.clear();
    this.begin();
    this.end();
  }

  #arrange(names: readonly string[]): void {
    const nodes = names.map((name) => this.#groups.get(name) as HTMLElement);
    if (nodes.length === this.host.children.length && nodes.every((node, i) => node === this.host.children[i])) return;
    this.host.replaceChildren(...nodes);
  }

  #row(figure: Figure): HTMLElement {
    const { id, label, value, unit, tone } = figure;
    const data = element('data', { value: exact(value) }, formatFigure(figure));
    const shown = element('dd', { 'data-tone': tone }, data);
    if (unit !== undefined && value !== null) shown.append(' ', element('span', { class: 'unit' }, unit));
    return element('div', { 'data-figure': id, title: figure.about ?? meaningOf(id) }, element('dt', {}, label), shown);
  }
}

/** Where the row can be pressed, the first cell is the button; a press anywhere on the row counts. */
function tableRow({ id, cells, tone, current, press }: TableRow): HTMLElement {
  const [first, ...rest] = cells.map((value) => element('data', { value: exact(value) }, formatFigure({ value })));
  const button =
    press === undefined ? first : element('button', { type: 'button', 'aria-pressed': String(current) }, first);
  const row = element(
    'tr',
    { 'data-row': id, 'data-tone': tone, class: press === undefined ? 'still' : current ? 'current' : null },
    element('td', {}, button),
    ...rest.map((cell) => element('td', {}, cell)),
  );
  if (press !== undefined) row.addEventListener('click', press);
  return row;
}

function exact(value: FigureValue): string {
  return value === null ? '' : typeof value === 'object' ? Array.from(value).join(' ') : String(value);
}
