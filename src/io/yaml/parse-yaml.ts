// YAML as people write it in files of robots: nested lists and maps by indentation or in brackets, plain and quoted
// scalars, comments. Anchors, tags and texts over several lines are refused by line. Written here, as a package that reads
// all of YAML is larger than all readers of robots together.
import { NearfieldError } from '../../core/errors.js';

/** A value as JSON has it. */
export type YamlValue = null | boolean | number | string | YamlValue[] | { [key: string]: YamlValue };

/** Chosen: levels of nested lists and maps; a file with more is not one of a robot. */
const MAX_DEPTH = 64;

/** A line that says something, without its comment. */
interface Line {
  readonly number: number;
  readonly indent: number;
  readonly text: string;
}

/**
 * Reads the first document of a YAML text.
 * @throws NearfieldError with the line in `location`: `file-format`, or `unsupported` for what is not read.
 */
export function parseYaml(text: string): YamlValue {
  const reader = new BlockReader(splitLines(text));
  const value = reader.value(-1, 0);
  reader.assertEnd();
  return value;
}

function fail(line: number, message: string, code: 'file-format' | 'unsupported' | 'too-large' = 'file-format'): never {
  throw new NearfieldError(code, `line ${line}: ${message}.`, { line });
}

function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  for (const [i, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const number = i + 1;
    if (/^(---|\.\.\.)(\s|$)/.test(raw)) {
      if (lines.length > 0) break;
      const rest = raw.slice(3).trim();
      if (rest !== '' && !rest.startsWith('#')) fail(number, 'text follows "---"; put it on a line of its own');
      continue;
    }
    if (lines.length === 0 && raw.startsWith('%')) continue;
    const content = withoutComment(raw).trimEnd();
    const indent = content.length - content.trimStart().length;
    if (content.trim() === '') continue;
    if (content.slice(0, indent).includes('\t')) fail(number, 'a tab indents the line; give blanks');
    lines.push({ number, indent, text: content.slice(indent) });
  }
  return lines;
}

/** The line up to a "#" that begins it or follows a blank, outside of quotes. */
function withoutComment(line: string): string {
  for (let i = 0; i < line.length; i++) {
    const char = line[i];
    const begins = i === 0 || /[\s[{,:-]/.test(line[i - 1]);
    if (char === '#' && (i === 0 || /\s/.test(line[i - 1]))) return line.slice(0, i);
    if ((char === '"' || char === "'") && begins) {
      const end = endOfQuoted(line, i);
      if (end < 0) return line;
      i = end - 1;
    }
  }
  return line;
}

/** The place after a quoted text that begins at `from`; −1 where it does not end. */
function endOfQuoted(text: string, from: number): number {
  const quote = text[from];
  for (let i = from + 1; i < text.length; i++) {
    if (quote === '"' && text[i] === '\\') i++;
    else if (text[i] === quote && quote === "'" && text[i + 1] === "'") i++;
    else if (text[i] === quote) return i + 1;
  }
  return -1;
}

class BlockReader {
  readonly #lines: Line[];
  #at = 0;

  constructor(lines: Line[]) {
    this.#lines = lines;
  }

  assertEnd(): void {
    const line = this.#lines[this.#at];
    if (line !== undefined) fail(line.number, `"${line.text.slice(0, 40)}" is not indented as the lines before`);
  }

  /** The value in the lines that are indented by more than `outer`. */
  value(outer: number, depth: number): YamlValue {
    const line = this.#lines[this.#at];
    if (line === undefined || line.indent <= outer) return null;
    if (depth > MAX_DEPTH) fail(line.number, `lists and maps are nested deeper than ${MAX_DEPTH}`, 'too-large');
    if (isItem(line.text)) return this.#list(line.indent, depth);
    if (findColon(line.text) >= 0) return this.#map(line.indent, depth);
    return this.#inline(line.text, outer);
  }

  #list(indent: number, depth: number): YamlValue[] {
    const items: YamlValue[] = [];
    for (;;) {
      const line = this.#lines[this.#at];
      if (line === undefined || line.indent !== indent || !isItem(line.text)) return items;
      const rest = line.text.slice(1).trimStart();
      if (rest === '') {
        this.#at++;
        items.push(this.value(indent, depth + 1));
        continue;
      }
      // What follows the dash is as if it stood on a line of its own.
      this.#lines[this.#at] = { ...line, indent: indent + line.text.length - rest.length, text: rest };
      items.push(this.value(indent, depth + 1));
    }
  }

  #map(indent: number, depth: number): YamlValue {
    const map: { [key: string]: YamlValue } = {};
    for (;;) {
      const line = this.#lines[this.#at];
      if (line === undefined || line.indent !== indent || isItem(line.text)) return map;
      const colon = findColon(line.text);
      if (colon < 0) fail(line.number, `"${line.text.slice(0, 40)}" has no value; give "key: value"`);
      const key = `${readScalar(line.text.slice(0, colon).trim(), line.number)}`;
      if (Object.hasOwn(map, key)) fail(line.number, `the key "${key}" stands twice`);
      const rest = line.text.slice(colon + 1).trim();
      const value = rest === '' ? this.#below(indent, depth) : this.#inline(rest, indent);
      Object.defineProperty(map, key, { value, enumerable: true, writable: true, configurable: true });
    }
  }

  /** What stands below a key: lists may be indented as the key is. */
  #below(indent: number, depth: number): YamlValue {
    const next = this.#lines[++this.#at];
    const isList = next !== undefined && next.indent === indent && isItem(next.text);
    return isList ? this.#list(indent, depth + 1) : this.value(indent, depth + 1);
  }

  /** A scalar, or a list or map in brackets, which may go on over the next lines. */
  #inline(text: string, outer: number): YamlValue {
    const { number } = this.#lines[this.#at++];
    if (/^[|>][-+0-9]*$/.test(text))
      fail(number, 'a text over several lines is not read; put it in quotes', 'unsupported');
    if (!/^[[{]/.test(text)) {
      const next = this.#lines[this.#at];
      if (next !== undefined && next.indent > outer && /^["']/.test(text) && endOfQuoted(text, 0) < 0) {
        fail(number, 'a quoted text does not end in its line', 'unsupported');
      }
      return readScalar(text, number);
    }
    const flow = new FlowReader(text, number, () => this.#lines[this.#at++]);
    return flow.read();
  }
}

function isItem(text: string): boolean {
  return text === '-' || text.startsWith('- ');
}

/** The place of the colon after a key; −1 without a colon. */
function findColon(text: string): number {
  const from = /^["']/.test(text) ? endOfQuoted(text, 0) : 0;
  if (from < 0 || /^[[{]/.test(text)) return -1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === ':' && (i + 1 === text.length || text[i + 1] === ' ' || text[i + 1] === '\t')) return i;
  }
  return -1;
}

/** Lists and maps in brackets. */
class FlowReader {
  #text: string;
  #line: number;
  #at = 0;
  readonly #next: () => Line | undefined;

  constructor(text: string, line: number, next: () => Line | undefined) {
    this.#text = text;
    this.#line = line;
    this.#next = next;
  }

  read(): YamlValue {
    const value = this.#value(0);
    const rest = this.#text.slice(this.#at).trim();
    return rest === '' ? value : fail(this.#line, `"${rest.slice(0, 40)}" follows a closed bracket`);
  }

  #value(depth: number): YamlValue {
    if (depth > MAX_DEPTH) fail(this.#line, `lists and maps are nested deeper than ${MAX_DEPTH}`, 'too-large');
    const char = this.#peek();
    if (char === '[') return this.#list(depth);
    if (char === '{') return this.#map(depth);
    return readScalar(this.#word(), this.#line);
  }

  #list(depth: number): YamlValue[] {
    const items: YamlValue[] = [];
    this.#at++;
    while (this.#peek() !== ']') {
      items.push(this.#value(depth + 1));
      if (this.#peek() === ',') this.#at++;
      else if (this.#peek() !== ']') this.#refuse();
    }
    this.#at++;
    return items;
  }

  #map(depth: number): YamlValue {
    const map: { [key: string]: YamlValue } = {};
    this.#at++;
    while (this.#peek() !== '}') {
      this.#peek();
      const key = `${readScalar(this.#word(), this.#line)}`;
      if (this.#peek() !== ':') fail(this.#line, `"${key}" in braces has no value; give "key: value"`);
      this.#at++;
      const value = this.#value(depth + 1);
      if (Object.hasOwn(map, key)) fail(this.#line, `the key "${key}" stands twice`);
      Object.defineProperty(map, key, { value, enumerable: true, writable: true, configurable: true });
      if (this.#peek() === ',') this.#at++;
      else if (this.#peek() !== '}') this.#refuse();
    }
    this.#at++;
    return map;
  }

  #refuse(): never {
    return fail(this.#line, `"${this.#text.slice(this.#at, this.#at + 20)}" stands where a comma should`);
  }

  /** The next character that is no blank, on this or a later line. */
  #peek(): string {
    for (;;) {
      while (this.#at < this.#text.length && /\s/.test(this.#text[this.#at])) this.#at++;
      if (this.#at < this.#text.length) return this.#text[this.#at];
      const line = this.#next();
      if (line === undefined) return fail(this.#line, 'a bracket is not closed before the end of the file');
      this.#text = line.text;
      this.#line = line.number;
      this.#at = 0;
    }
  }

  #word(): string {
    const from = this.#at;
    if (/["']/.test(this.#text[from])) {
      const end = endOfQuoted(this.#text, from);
      if (end < 0) fail(this.#line, 'a quoted text does not end in its line');
      this.#at = end;
    } else {
      while (this.#at < this.#text.length && !/[,\]}]/.test(this.#text[this.#at])) {
        if (/^:(\s|$)/.test(this.#text.slice(this.#at, this.#at + 2))) break;
        this.#at++;
      }
    }
    return this.#text.slice(from, this.#at).trim();
  }
}

function readScalar(text: string, line: number): YamlValue {
  if (text.startsWith('"')) {
    if (endOfQuoted(text, 0) !== text.length) fail(line, `${text.slice(0, 40)} is no quoted text`);
    try {
      return JSON.parse(text) as string;
    } catch {
      return fail(line, `${text.slice(0, 40)} has an escape that is not read`, 'unsupported');
    }
  }
  if (text.startsWith("'")) {
    if (endOfQuoted(text, 0) !== text.length) fail(line, `${text.slice(0, 40)} is no quoted text`);
    return text.slice(1, -1).replaceAll("''", "'");
  }
  if (/^[&*!]/.test(text))
    fail(line, `"${text.slice(0, 40)}": anchors and tags are not read; write the value out`, 'unsupported');
  if (/^[%@`]/.test(text)) fail(line, `"${text[0]}" cannot begin a value; put it in quotes`);
  if (text === '' || /^(~|null|Null|NULL)$/.test(text)) return null;
  if (/^(true|True|TRUE)$/.test(text)) return true;
  if (/^(false|False|FALSE)$/.test(text)) return false;
  if (/^[-+]?\.(inf|Inf|INF)$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^\.(nan|NaN|NAN)$/.test(text)) return Number.NaN;
  if (/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text)) return Number(text);
  if (/^0(x[0-9a-fA-F]+|o[0-7]+)$/.test(text)) return Number(text);
  return text;
}
