// Code for this view: the TypeScript and the command that give what the scene shows, to copy, and the files they read.
import type { CodeFile, Missing, ViewCode } from '../code/view-code.js';
import { copyText } from './copy-button.js';
import { element } from './element.js';
import { saveFile } from './save-file.js';

type Language = 'typescript' | 'command';

export class CodePanel {
  #language: Language = 'typescript';
  #code: ViewCode | null = null;
  /** Of the files on offer. */
  #names: readonly string[] = [];
  readonly #text = element('pre', { tabindex: '0', 'aria-label': 'Code for this view' });
  readonly #files = element('p', { class: 'code-files' });
  readonly #copy = element('button', { type: 'button', class: 'tool copy' }, 'Copy');
  readonly #tabs = new Map<Language, HTMLButtonElement>();

  /** @param make the code of what is shown; null for none */
  constructor(
    readonly host: HTMLDetailsElement,
    readonly make: () => Promise<ViewCode | null>,
  ) {
    for (const [language, label] of [
      ['typescript', 'TypeScript'],
      ['command', 'Command'],
    ] as const) {
      const tab = element('button', { type: 'button', class: 'tool', 'aria-pressed': 'false' }, label);
      tab.addEventListener('click', () => {
        this.#language = language;
        this.#show();
      });
      this.#tabs.set(language, tab);
    }
    this.#copy.addEventListener('click', () => void copyText(this.#text.textContent ?? '', this.#copy));
    const row = element('div', { class: 'code-tools' }, ...this.#tabs.values(), this.#copy);
    host.append(row, this.#text, this.#files);
    host.addEventListener('toggle', () => void this.refresh());
  }

  /** Shows the code of what is on show now, if the panel is open. */
  async refresh(): Promise<void> {
    if (!this.host.open || this.host.hidden) return;
    // A view that has changed meanwhile, or that failed, is told by its own draw.
    const code = await this.make().catch(() => null);
    if (code === null) return;
    this.#code = code;
    this.#show();
  }

  /** Another scene: with code or without. */
  reset(hasCode: boolean): void {
    this.host.hidden = !hasCode;
    this.#code = null;
    this.#show();
  }

  #show(): void {
    for (const [language, tab] of this.#tabs) tab.setAttribute('aria-pressed', String(language === this.#language));
    const shown: string | Missing = this.#code?.[this.#language] ?? '';
    const text = typeof shown === 'string' ? shown : shown.because;
    this.#copy.hidden = typeof shown !== 'string';
    if (this.#text.textContent !== text) this.#text.textContent = text;
    const isRead = ({ only = this.#language }: CodeFile): boolean =>
      typeof shown === 'string' && only === this.#language;
    const files = (this.#code?.files ?? []).filter(isRead);
    this.#files.hidden = files.length === 0;
    // Buttons stay while a motion plays: one that is replaced under the pointer cannot be pressed.
    const names = files.map(({ name }) => name);
    if (names.join() === this.#names.join()) return;
    this.#names = names;
    const all = names.length > SEVERAL ? [this.#saveButton(`all ${names.length} files`, names)] : [];
    this.#files.replaceChildren('It reads ', ...all, ...names.map((name) => this.#saveButton(name, [name])));
  }

  #saveButton(what: string, names: readonly string[]): HTMLButtonElement {
    const button = element('button', { type: 'button', class: 'tool' }, `Save ${what}`);
    button.addEventListener('click', async () => {
      const files = this.#code?.files?.filter(({ name }) => names.includes(name)) ?? [];
      for (const { name, bytes } of files) saveFile(name, await bytes());
    });
    return button;
  }
}

/** More files than that are saved by one button, too. */
const SEVERAL = 2;
