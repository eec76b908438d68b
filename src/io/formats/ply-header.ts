// The header of a PLY file: which elements follow, how many, and the properties of each.
// Source: Turk 1994, The PLY Polygon File Format.
import { TextCursor } from './text-cursor.js';

export type PlyEncoding = 'ascii' | 'binary_little_endian' | 'binary_big_endian';

export type PlyType = 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'float32' | 'float64';

export interface PlyProperty {
  readonly name: string;
  readonly type: PlyType;
  /** The type of a list's length; null for a scalar. */
  readonly countType: PlyType | null;
}

export interface PlyElement {
  readonly name: string;
  readonly count: number;
  readonly properties: PlyProperty[];
  /** The line of its declaration, for errors. */
  readonly line: number;
}

export interface PlyHeader {
  readonly encoding: PlyEncoding;
  readonly elements: readonly PlyElement[];
  /** The first byte after the header. */
  readonly bodyOffset: number;
}

export const PLY_TYPE_BYTES: Readonly<Record<PlyType, number>> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  float64: 8,
};

const OLD_TYPE_NAMES: Readonly<Record<string, PlyType>> = {
  char: 'int8',
  uchar: 'uint8',
  short: 'int16',
  ushort: 'uint16',
  int: 'int32',
  uint: 'uint32',
  float: 'float32',
  double: 'float64',
};

export function readPlyHeader(bytes: Uint8Array): PlyHeader {
  const cursor: TextCursor = new TextCursor(bytes);
  if (cursor.readWord() !== 'ply' || !cursor.atLineEnd()) {
    cursor.fail('file-format', 'a PLY file begins with the line "ply"; this file is not PLY or is damaged', 0);
  }
  cursor.nextLine();
  let encoding: PlyEncoding | null = null;
  const elements: PlyElement[] = [];
  for (;;) {
    if (!cursor.skipToWord()) {
      cursor.fail(
        'file-truncated',
        'the file ends within its header, before "end_header"; it is truncated; copy it again',
      );
    }
    const start = cursor.offset;
    const keyword = cursor.readWord();
    if (keyword === 'end_header') break;
    if (!endsInLineBreak(cursor)) {
      cursor.fail('file-truncated', 'the file ends within a line of its header; it is truncated; copy it again', start);
    }
    if (keyword === 'format') encoding = readEncoding(cursor);
    else if (keyword === 'element') elements.push(readElement(cursor, elements));
    else if (keyword === 'property') readProperty(cursor, elements.at(-1));
    else if (keyword !== 'comment' && keyword !== 'obj_info') {
      cursor.fail('file-format', `"${keyword.slice(0, 24)}" is not a keyword of a PLY header`, start);
    }
    cursor.nextLine();
  }
  if (encoding === null)
    cursor.fail('file-format', 'the header has no "format" line; add one, such as "format ascii 1.0"');
  return { encoding, elements, bodyOffset: bodyOffset(cursor) };
}

function endsInLineBreak({ bytes, offset }: TextCursor): boolean {
  while (offset < bytes.length && bytes[offset] !== 0x0a && bytes[offset] !== 0x0d) offset++;
  return offset < bytes.length;
}

/** Binary data may begin with any byte, so the break after "end_header" is assumed to be that of the lines before. */
function bodyOffset(cursor: TextCursor): number {
  const { bytes } = cursor;
  while (bytes[cursor.offset] === 0x20 || bytes[cursor.offset] === 0x09) cursor.offset++;
  const firstBreak = bytes.findIndex((byte) => byte === 0x0a || byte === 0x0d);
  const length = bytes[firstBreak] === 0x0d && bytes[firstBreak + 1] === 0x0a ? 2 : 1;
  const following = bytes[cursor.offset];
  if (following !== undefined && following !== 0x0a && following !== 0x0d) {
    cursor.fail('file-format', 'a line break must follow "end_header"');
  }
  // Mixed line breaks: LF alone although the first line ends with CRLF.
  return Math.min(bytes.length, cursor.offset + (following === 0x0a ? 1 : length));
}

function readEncoding(cursor: TextCursor): PlyEncoding {
  const start = cursor.offset;
  const encoding = cursor.readWord();
  if (encoding !== 'ascii' && encoding !== 'binary_little_endian' && encoding !== 'binary_big_endian') {
    cursor.fail(
      'file-format',
      `the format is "${encoding.slice(0, 24)}"; it must be ascii, binary_little_endian or binary_big_endian`,
      start,
    );
  }
  const version = cursor.readWord();
  if (version !== '1.0')
    cursor.fail('unsupported', `the format's version is "${version.slice(0, 24)}"; only 1.0 is supported`, start);
  return encoding;
}

function readElement(cursor: TextCursor, before: readonly PlyElement[]): PlyElement {
  const start = cursor.offset;
  const name = cursor.readWord();
  if (name === '') cursor.fail('file-format', 'the element has no name');
  if (before.some((element) => element.name === name)) {
    cursor.fail('file-format', `the element "${name}" is declared twice`, start);
  }
  return { name, count: cursor.readCount(`the count of "${name}"`), properties: [], line: cursor.lineAt(start) };
}

function readProperty(cursor: TextCursor, element: PlyElement | undefined): void {
  if (element === undefined) cursor.fail('file-format', 'a property comes before the first element');
  let type = cursor.readWord();
  let countType: PlyType | null = null;
  if (type === 'list') {
    countType = readType(cursor, cursor.readWord());
    type = cursor.readWord();
  }
  const valueType = readType(cursor, type);
  const name = cursor.readWord();
  if (name === '') cursor.fail('file-format', 'the property has no name');
  element.properties.push({ name, type: valueType, countType });
}

function readType(cursor: TextCursor, name: string): PlyType {
  if (Object.hasOwn(PLY_TYPE_BYTES, name)) return name as PlyType;
  if (Object.hasOwn(OLD_TYPE_NAMES, name)) return OLD_TYPE_NAMES[name];
  const known = [...Object.keys(OLD_TYPE_NAMES), ...Object.keys(PLY_TYPE_BYTES)].join(', ');
  cursor.fail('file-format', `the property has the type "${name.slice(0, 24)}"; the types are ${known}`);
}
