// Reads the small languages inside SVG attributes: lists of numbers, path data, transforms. Each fault names its place.

const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const BLANKS = /[ \t\r\n\f]*/y;
const WORD = /[A-Za-z]+/y;

/** Called with what is wrong; throws. */
export type SvgFault = (message: string) => never;

/** A place in the text of an attribute. */
export class SvgScanner {
  readonly #text: string;
  readonly #fault: SvgFault;
  #at = 0;

  constructor(text: string, fault: SvgFault) {
    this.#text = text;
    this.#fault = fault;
    this.skipBlanks();
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The next character. */
  get next(): string {
    return this.#text[this.#at] ?? '';
  }

  skipBlanks(): void {
    BLANKS.lastIndex = this.#at;
    BLANKS.test(this.#text);
    this.#at = BLANKS.lastIndex;
  }

  /** Skips blanks with at most one comma among them; returns whether there was one. */
  skipComma(): boolean {
    this.skipBlanks();
    if (this.next !== ',') return false;
    this.#at++;
    this.skipBlanks();
    return true;
  }

  /** Whether a number may begin here. */
  get startsNumber(): boolean {
    return /[\d.+-]/.test(this.next);
  }

  /** A number. It ends where no longer one can be read, so that 1.5.5-3 is three. */
  number(): number {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) return this.fail('where a number is needed');
    const value = Number(match[0]);
    if (!Number.isFinite(value)) this.fail('which is beyond all numbers');
    this.#at = NUMBER.lastIndex;
    return value;
  }

  /** The flag of an arc: one character, which need not be followed by a separator. */
  flag(): boolean {
    const { next } = this;
    if (next !== '0' && next !== '1') this.fail('where 0 or 1 is needed, a flag of an arc');
    this.#at++;
    return next === '1';
  }

  /** Reads a word of letters; throws if no letter follows. */
  word(): string {
    WORD.lastIndex = this.#at;
    const match = WORD.exec(this.#text);
    if (match === null) return this.fail('where a word is needed');
    this.#at = WORD.lastIndex;
    return match[0];
  }

  /** One character. */
  take(): string {
    return this.#text[this.#at++] ?? '';
  }

  expect(character: string): void {
    if (this.next !== character) this.fail(`where "${character}" is needed`);
    this.#at++;
  }

  /** Numbers to the end, separated by blanks or commas. */
  numbers(): number[] {
    const values: number[] = [];
    let comma = false;
    while (!this.atEnd) {
      values.push(this.number());
      comma = this.skipComma();
    }
    if (comma) this.fail('after a comma, where a number is needed');
    return values;
  }

  /** Throws with the text at this place. */
  fail(why: string): never {
    const rest = this.#text.slice(this.#at, this.#at + 12);
    const found = rest === '' ? 'ends' : `has "${rest}"`;
    return this.#fault(`${found} at character ${this.#at + 1}, ${why}`);
  }
}
