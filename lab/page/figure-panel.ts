// The panel of figures: groups of terms and values, each value in a <data> element that carries it unrounded.
import { type Figure, type FigureValue, formatFigure } from '../figures.js';
import { element } from './element.js';

export class FigurePanel {
  readonly #groups = new Map<string, HTMLElement>();
  #order: string[] = [];

  constructor(readonly host: HTMLElement) {}

  begin(): void {
    this.#order = [];
  }

  show(title: string, figures: readonly Figure[]): void {
    this.#order.push(title);
    const rows = figures.map((figure) => this.#row(figure));
    const list = element('dl', {}, ...rows);
    const old = this.#groups.get(title);
    if (old !== undefined) old.replaceChild(list, old.lastChild as Node);
    else this.#groups.set(title, element('section', { 'data-group': title }, element('h3', {}, title), list));
    this.#arrange([...this.#order, ...[...this.#groups.keys()].filter((name) => !this.#order.includes(name))]);
  }

  /** Drops the groups that were not shown since `begin`. */
  end(): void {
    for (const name of [...this.#groups.keys()]) if (!this.#order.includes(name)) this.#groups.delete(name);
    this.#arrange(this.#order);
  }

  clear(): void {
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
    return element('div', { 'data-figure': id }, element('dt', {}, label), shown);
  }
}

function exact(value: FigureValue): string {
  return value === null ? '' : typeof value === 'object' ? [...value].join(' ') : String(value);
}
