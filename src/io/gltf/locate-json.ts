// Finds a position in a JSON text, for errors: the first syntax error, or the value at a path. JSON.parse gives neither
// portably. A recursive descent over the bytes (RFC 8259), run only after an error.

export type JsonPath = readonly (string | number)[];

/** Chosen: levels of nesting that are followed; glTF needs about ten. */
const MAX_DEPTH = 500;

/** The byte of the first syntax error; the length of the text if it ends too early, or if nothing is wrong. */
export function locateJsonFault(bytes: Uint8Array): number {
  const scanner = new JsonScanner(bytes, null);
  scanner.scanDocument();
  return scanner.offset;
}

/** The first byte of the value at `path`, or of its nearest ancestor that the text has. */
export function locateJsonValue(bytes: Uint8Array, path: JsonPath): number {
  const scanner = new JsonScanner(bytes, path);
  scanner.scanDocument();
  return scanner.found;
}

class JsonScanner {
  offset = 0;
  /** Where the deepest value on the path begins. Of equal keys the last counts, as for JSON.parse. */
  found = 0;
  #foundDepth = -1;
  readonly #bytes: Uint8Array;
  readonly #path: JsonPath | null;

  constructor(bytes: Uint8Array, path: JsonPath | null) {
    this.#bytes = bytes;
    this.#path = path;
  }

  scanDocument(): boolean {
    if (!this.#scanValue(0, this.#path !== null)) return false;
    this.#skipBlanks();
    return this.offset === this.#bytes.length;
  }

  /** Each scan returns false at an error and leaves `offset` there. `onPath`: the path matches so far. */
  #scanValue(depth: number, onPath: boolean): boolean {
    this.#skipBlanks();
    if (onPath && depth <= this.#path!.length && depth >= this.#foundDepth) {
      this.found = this.offset;
      this.#foundDepth = depth;
    }
    if (depth > MAX_DEPTH) return false;
    const character = String.fromCharCode(this.#bytes[this.offset] ?? 0);
    if (character === '{') return this.#scanMembers(depth, onPath, '}');
    if (character === '[') return this.#scanMembers(depth, onPath, ']');
    if (character === '"') return this.#scanString();
    return this.#scanLiteral();
  }

  #scanMembers(depth: number, onPath: boolean, closing: '}' | ']'): boolean {
    this.offset++;
    if (this.#take(closing)) return true;
    for (let index = 0; ; index++) {
      let key: string | number = index;
      if (closing === '}') {
        this.#skipBlanks();
        const start = this.offset;
        if (this.#bytes[start] !== 0x22 || !this.#scanString()) return false;
        key = JSON.parse(this.#text(start, this.offset)) as string;
        if (!this.#take(':')) return false;
      }
      if (!this.#scanValue(depth + 1, onPath && this.#path![depth] === key)) return false;
      if (this.#take(closing)) return true;
      if (!this.#take(',')) return false;
    }
  }

  #scanString(): boolean {
    const bytes = this.#bytes;
    for (let i = this.offset + 1; i < bytes.length; i++) {
      if (bytes[i] === 0x22) {
        this.offset = i + 1;
        return true;
      }
      const escaped = bytes[i] === 0x5c ? /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(this.#text(i, i + 6)) : null;
      if (bytes[i] < 0x20 || (bytes[i] === 0x5c && escaped === null)) {
        this.offset = i;
        return false;
      }
      if (escaped !== null) i += escaped[0].length - 1;
    }
    this.offset = bytes.length;
    return false;
  }

  #scanLiteral(): boolean {
    let end = this.offset;
    while (end < this.#bytes.length && /[\w.+-]/.test(String.fromCharCode(this.#bytes[end]))) end++;
    const literal = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
    const valid = literal.test(this.#text(this.offset, end));
    // A literal cut off by the end of the text is a truncation, not an error at its start.
    if (valid || end === this.#bytes.length) this.offset = end;
    return valid;
  }

  #take(character: string): boolean {
    this.#skipBlanks();
    if (this.#bytes[this.offset] !== character.charCodeAt(0)) return false;
    this.offset++;
    return true;
  }

  #skipBlanks(): void {
    const bytes = this.#bytes;
    let byte = bytes[this.offset];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++this.offset];
  }

  #text(start: number, end: number): string {
    return new TextDecoder().decode(this.#bytes.slice(start, end));
  }
}
