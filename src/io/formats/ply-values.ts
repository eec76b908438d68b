// The values after a PLY header, one by one: from text, where an element is a line, or from binary data.
import { NearfieldError, type NearfieldErrorCode } from '../../core/errors.js';
import { PLY_TYPE_BYTES, type PlyElement, type PlyHeader, type PlyType } from './ply-header.js';
import { TextCursor } from './text-cursor.js';

/** The interface of both encodings. Values are read in file order, between `beginElement` and `endElement`. */
export interface PlyValues {
  readonly offset: number;
  /** Throws if the rest of the file is too short for a declared count, before anything is allocated for it. */
  assertFits(element: PlyElement): void;
  beginElement(element: PlyElement): void;
  endElement(): void;
  read(type: PlyType, what: string): number;
  skip(type: PlyType, count: number): void;
  /** Fails with the line or the byte where the current element begins. */
  fail(code: NearfieldErrorCode, message: string): never;
}

export function openPlyValues(bytes: Uint8Array, header: PlyHeader): PlyValues {
  return header.encoding === 'ascii' ? new TextValues(bytes, header.bodyOffset) : new BinaryValues(bytes, header);
}

class TextValues implements PlyValues {
  readonly #cursor: TextCursor;
  #elementStart = 0;

  constructor(bytes: Uint8Array, offset: number) {
    this.#cursor = new TextCursor(bytes);
    this.#cursor.offset = offset;
  }

  get offset(): number {
    return this.#cursor.offset;
  }

  assertFits(element: PlyElement): void {
    // A value has at least a digit and a separator; only the last value may lack the separator.
    const needed = 2 * element.properties.length * element.count - 1;
    const left = this.#cursor.bytes.length - this.#cursor.offset;
    if (needed > left) failCount(element, left, { line: element.line });
  }

  beginElement(element: PlyElement): void {
    if (!this.#cursor.skipToWord()) {
      this.#cursor.fail(
        'file-truncated',
        `the file ends where a "${element.name}" should follow; it is truncated; copy it again`,
      );
    }
    this.#elementStart = this.#cursor.offset;
  }

  endElement(): void {
    if (!this.#cursor.atLineEnd()) {
      this.#cursor.fail('file-format', 'the line has more values than the header declares properties');
    }
    this.#cursor.nextLine();
  }

  read(_type: PlyType, what: string): number {
    return this.#cursor.readNumber(what);
  }

  skip(_type: PlyType, count: number): void {
    for (let i = 0; i < count; i++) {
      // Skipped words are not parsed, so a color or a normal may be "nan".
      if (!this.#cursor.skipWord()) this.#cursor.readNumber('a value');
    }
  }

  fail(code: NearfieldErrorCode, message: string): never {
    this.#cursor.fail(code, message, this.#elementStart);
  }
}

class BinaryValues implements PlyValues {
  readonly #view: DataView;
  readonly #littleEndian: boolean;
  #elementStart = 0;
  offset: number;

  constructor(bytes: Uint8Array, header: PlyHeader) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#littleEndian = header.encoding === 'binary_little_endian';
    this.offset = header.bodyOffset;
  }

  assertFits(element: PlyElement): void {
    // An empty list has only its length.
    let bytesEach = 0;
    for (const { type, countType } of element.properties) bytesEach += PLY_TYPE_BYTES[countType ?? type];
    const left = this.#view.byteLength - this.offset;
    if (bytesEach * element.count > left) failCount(element, left, { byte: this.#view.byteLength });
  }

  beginElement(): void {
    this.#elementStart = this.offset;
  }

  endElement(): void {}

  read(type: PlyType): number {
    const offset = this.offset;
    this.#advance(PLY_TYPE_BYTES[type]);
    switch (type) {
      case 'float32':
        return this.#view.getFloat32(offset, this.#littleEndian);
      case 'int32':
        return this.#view.getInt32(offset, this.#littleEndian);
      case 'uint8':
        return this.#view.getUint8(offset);
      case 'float64':
        return this.#view.getFloat64(offset, this.#littleEndian);
      case 'uint32':
        return this.#view.getUint32(offset, this.#littleEndian);
      case 'uint16':
        return this.#view.getUint16(offset, this.#littleEndian);
      case 'int16':
        return this.#view.getInt16(offset, this.#littleEndian);
      case 'int8':
        return this.#view.getInt8(offset);
    }
  }

  skip(type: PlyType, count: number): void {
    this.#advance(PLY_TYPE_BYTES[type] * count);
  }

  fail(code: NearfieldErrorCode, message: string): never {
    const byte = this.#elementStart;
    throw new NearfieldError(code, `byte ${byte}: ${message}.`, { byte });
  }

  #advance(length: number): void {
    this.offset += length;
    if (this.offset > this.#view.byteLength) {
      const byte = this.#view.byteLength;
      throw new NearfieldError(
        'file-truncated',
        `byte ${byte}: the file ends within the element that begins at byte ${this.#elementStart}; it is truncated; copy it again.`,
        { byte },
      );
    }
  }
}

function failCount(element: PlyElement, left: number, location: { line: number } | { byte: number }): never {
  const where = 'line' in location ? `line ${location.line}` : `byte ${location.byte}`;
  throw new NearfieldError(
    'file-truncated',
    `${where}: the header declares ${element.count} of "${element.name}", but only ${left} bytes are left for them; ` +
      'the count is wrong or the file is truncated.',
    location,
  );
}
