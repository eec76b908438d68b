// Reads words, numbers and lines from the bytes of a text file without creating strings. Numbers are correctly rounded:
// for digits up to 2^53 and powers of ten up to 22 one multiplication or division is enough (Clinger 1990); the rest go
// through Number(). Lines end with LF, CRLF or CR and are counted only for an error.
import { NearfieldError, type NearfieldErrorCode } from '../../core/errors.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';

/** Label: horizontal tab. */
const TAB = 0x09;

/** Label: line feed. */
const LF = 0x0a;

/** Label: carriage return. */
const CR = 0x0d;

/** Label: space. */
const SPACE = 0x20;

/** Label: the character #. */
const HASH = 0x23;

/** Label: the character +. */
const PLUS = 0x2b;

/** Label: the character −. */
const MINUS = 0x2d;

/** Label: the decimal point. */
const POINT = 0x2e;

/** Label: the character /. */
const SLASH = 0x2f;

/** Label: the digit 0. */
const ZERO = 0x30;

/** Label: the digit 9. */
const NINE = 0x39;

/** Label: the character \, which continues a line. */
const BACKSLASH = 0x5c;

/** Label: what reading returns beyond the last character. */
const END = -1;

/** Rounding: whole numbers up to this one are exact in double precision. */
const EXACT_INTEGERS = 2 ** 53;

/** Rounding: the powers of ten that are exact in double precision, up to 1e22. */
const EXACT_POWERS = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

/** Chosen: characters of a word that a message shows. */
const SHOWN_CHARACTERS = 24;

export interface TextSyntax {
  /** `#` starts a comment up to the end of the line. */
  readonly comments?: boolean;
  /** A backslash at the end of a line joins the next line to it. */
  readonly continuations?: boolean;
}

export class TextCursor {
  readonly bytes: Uint8Array;
  /** The next byte to read. */
  offset = 0;
  /** Where the last word begins. */
  wordStart = 0;
  readonly #comments: boolean;
  readonly #continuations: boolean;

  constructor(bytes: Uint8Array, syntax: TextSyntax = {}) {
    this.bytes = bytes;
    this.#comments = syntax.comments ?? false;
    this.#continuations = syntax.continuations ?? false;
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.offset = 3;
    if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
      this.fail('file-format', 'the text is encoded as UTF-16; save it as UTF-8');
    }
  }

  get atFileEnd(): boolean {
    return this.offset >= this.bytes.length;
  }

  /** Moves to the next word of this line; returns true at the end of the line. */
  atLineEnd(): boolean {
    this.#skipBlanks();
    const byte = this.#byteAt(this.offset);
    return byte === END || isLineBreak(byte) || (byte === HASH && this.#comments);
  }

  /** Moves to the next word on this line or a later one; returns false if the file ends first. */
  skipToWord(): boolean {
    while (this.atLineEnd()) {
      if (this.atFileEnd) return false;
      this.nextLine();
    }
    return true;
  }

  /** Moves past the next line break, or to the end of the file. */
  nextLine(): void {
    const { bytes } = this;
    const end = bytes.length;
    let i = this.offset;
    let comment = false;
    for (; i < end; i++) {
      const byte = bytes[i];
      if (byte === LF) break;
      if (byte === CR) {
        if (this.#byteAt(i + 1) === LF) i++;
        break;
      }
      if (byte === HASH) comment = this.#comments;
      else if (byte === BACKSLASH && !comment) i = this.#continuationEnd(i) - 1;
    }
    this.offset = Math.min(i + 1, end);
  }

  /** The next word of this line, '' at the line's end. */
  readWord(): string {
    if (this.atLineEnd()) return '';
    this.wordStart = this.offset;
    this.offset = this.#wordEnd(this.offset);
    return this.text(this.wordStart, this.offset);
  }

  /** Moves past the next word of this line; returns false at the end of the line. */
  skipWord(): boolean {
    if (this.atLineEnd()) return false;
    this.offset = this.#wordEnd(this.offset);
    return true;
  }

  /** The rest of the line, trimmed. `#` is part of it, because names contain it. */
  readRestOfLine(): string {
    this.#skipBlanks();
    const start = this.offset;
    let end = start;
    while (end < this.bytes.length && !isLineBreak(this.bytes[end])) end++;
    this.offset = end;
    return this.text(start, end).trim();
  }

  /** The next number of this line; `what` names it in the error if it is missing. */
  readNumber(what: string): number {
    this.#skipBlanks();
    const { bytes } = this;
    const end = bytes.length;
    const start = this.offset;
    let i = start;
    let byte = i < end ? bytes[i] : END;
    const negative = byte === MINUS;
    if (negative || byte === PLUS) byte = ++i < end ? bytes[i] : END;

    let mantissa = 0;
    let exponent = 0;
    const digitsStart = i;
    while (byte >= ZERO && byte <= NINE) {
      mantissa = mantissa * 10 + (byte - ZERO);
      byte = ++i < end ? bytes[i] : END;
    }
    let digits = i - digitsStart;
    if (byte === POINT) {
      const fractionStart = ++i;
      byte = i < end ? bytes[i] : END;
      while (byte >= ZERO && byte <= NINE) {
        mantissa = mantissa * 10 + (byte - ZERO);
        byte = ++i < end ? bytes[i] : END;
      }
      exponent = fractionStart - i;
      digits -= exponent;
    }
    if (digits === 0) this.#failNumber(start, what);
    if ((byte | 0x20) === 0x65) {
      byte = ++i < end ? bytes[i] : END;
      const negativeExponent = byte === MINUS;
      if (negativeExponent || byte === PLUS) byte = ++i < end ? bytes[i] : END;
      const exponentStart = i;
      let written = 0;
      while (byte >= ZERO && byte <= NINE) {
        written = written * 10 + (byte - ZERO);
        byte = ++i < end ? bytes[i] : END;
      }
      if (i === exponentStart) this.#failNumber(start, what);
      exponent += negativeExponent ? -written : written;
    }
    if (!this.#endsWord(byte)) this.#failNumber(start, what);
    this.offset = i;

    let value: number;
    if (mantissa < EXACT_INTEGERS && exponent >= -22 && exponent <= 22) {
      value = exponent < 0 ? mantissa / EXACT_POWERS[-exponent] : mantissa * EXACT_POWERS[exponent];
    } else {
      value = Number(this.text(digitsStart, i));
    }
    return negative ? -value : value;
  }

  /** A number that is finite and small enough for a mesh. */
  readCoordinate(what: string): number {
    const value = this.readNumber(what);
    if (!(Math.abs(value) <= MAX_COORDINATE)) {
      this.fail(
        'non-finite',
        `${what} is ${value}; coordinates must be at most ${MAX_COORDINATE}: scale the model down`,
      );
    }
    return value;
  }

  /** The next whole number of this line. With `slashEnds` a `/` may follow it, as in an OBJ face. */
  readInteger(what: string, slashEnds = false): number {
    this.#skipBlanks();
    const { bytes } = this;
    const end = bytes.length;
    const start = this.offset;
    let i = start;
    let byte = i < end ? bytes[i] : END;
    const negative = byte === MINUS;
    if (negative || byte === PLUS) byte = ++i < end ? bytes[i] : END;
    const digitsStart = i;
    let value = 0;
    while (byte >= ZERO && byte <= NINE) {
      value = value * 10 + (byte - ZERO);
      byte = ++i < end ? bytes[i] : END;
    }
    if (i === digitsStart || !(this.#endsWord(byte) || (slashEnds && byte === SLASH))) {
      this.#failNumber(start, what, 'a whole number');
    }
    this.offset = i;
    return negative ? -value : value;
  }

  /** A whole number from 0; counts in headers. */
  readCount(what: string): number {
    const start = this.offset;
    const value = this.readInteger(what);
    if (value < 0) this.fail('file-format', `${what} is ${value}; a count cannot be negative`, start);
    return value;
  }

  /** The file's text between two offsets. */
  text(start: number, end: number): string {
    if (end - start > 64) return new TextDecoder().decode(this.bytes.slice(start, end));
    let text = '';
    for (let i = start; i < end; i++) {
      if (this.bytes[i] > 0x7f) return new TextDecoder().decode(this.bytes.slice(start, end));
      text += String.fromCharCode(this.bytes[i]);
    }
    return text;
  }

  /** The 1-based number of the line that contains `offset`. */
  lineAt(offset: number): number {
    const { bytes } = this;
    let line = 1;
    for (let i = 0; i < offset && i < bytes.length; i++) {
      if (bytes[i] === LF || (bytes[i] === CR && bytes[i + 1] !== LF)) line++;
    }
    return line;
  }

  fail(code: NearfieldErrorCode, message: string, at = this.offset): never {
    const line = this.lineAt(at);
    throw new NearfieldError(code, `line ${line}: ${message}.`, { line });
  }

  /** Throws because something is missing at the cursor: the file is truncated if it ends here, else malformed. */
  failMissing(what: string): never {
    if (!this.skipToWord()) {
      this.fail('file-truncated', `the file ends where ${what} should follow; it is truncated; copy it again`);
    }
    this.fail('file-format', `expected ${what}, found "${this.#shownWord(this.offset)}"`);
  }

  #failNumber(start: number, what: string, kind = 'a number'): never {
    this.offset = start;
    if (this.atLineEnd()) {
      if (this.atFileEnd) {
        this.fail('file-truncated', `the file ends where ${what} should follow; it is truncated; copy it again`);
      }
      this.fail('file-format', `the line ends where ${what} should follow; complete or remove it`);
    }
    const word = this.#shownWord(start);
    if (/^[+-]?(nan|inf|\d+\.#(ind|inf|qnan|snan))/i.test(word)) {
      this.fail('non-finite', `${what} is "${word}"; coordinates must be finite, so repair or remove it`, start);
    }
    this.fail('file-format', `${what} is "${word}", which is not ${kind}`, start);
  }

  #shownWord(start: number): string {
    const end = this.#wordEnd(start);
    const text = this.text(start, Math.min(end, start + SHOWN_CHARACTERS));
    // Control characters would break the one-line message.
    return `${text.replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?')}${end - start > SHOWN_CHARACTERS ? '…' : ''}`;
  }

  #wordEnd(start: number): number {
    let i = start;
    for (let byte = this.#byteAt(i); byte !== END && !isBlank(byte) && !isLineBreak(byte); byte = this.#byteAt(++i)) {
      if (byte === BACKSLASH && this.#continuationEnd(i) > i + 1) break;
    }
    return i;
  }

  #skipBlanks(): void {
    const { bytes } = this;
    const end = bytes.length;
    let i = this.offset;
    while (i < end) {
      const byte = bytes[i];
      if (byte > SPACE && byte !== BACKSLASH) break;
      if (isBlank(byte)) i++;
      else if (byte === BACKSLASH && this.#continuationEnd(i) > i + 1) i = this.#continuationEnd(i);
      else break;
    }
    this.offset = i;
  }

  /** The offset after the line break that the backslash at `offset` escapes; `offset + 1` if it escapes none. */
  #continuationEnd(offset: number): number {
    if (!this.#continuations) return offset + 1;
    const next = this.#byteAt(offset + 1);
    if (next === CR) return this.#byteAt(offset + 2) === LF ? offset + 3 : offset + 2;
    return next === LF ? offset + 2 : offset + 1;
  }

  #endsWord(byte: number): boolean {
    return byte <= SPACE || (byte === HASH && this.#comments) || (byte === BACKSLASH && this.#continuations);
  }

  #byteAt(offset: number): number {
    return offset < this.bytes.length ? this.bytes[offset] : END;
  }
}

function isBlank(byte: number): boolean {
  // Vertical tab and form feed count as blanks too.
  return byte === SPACE || byte === TAB || byte === 0x0b || byte === 0x0c;
}

function isLineBreak(byte: number): boolean {
  return byte === LF || byte === CR;
}
