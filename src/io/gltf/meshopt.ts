// Decodes EXT_meshopt_compression and KHR_meshopt_compression: vertex data of versions 0 and 1, triangles and index
// sequences, and the filters of vertices. O(bytes). Source: Khronos Group, KHR_meshopt_compression, "Bitstream".

/** The modes of a compressed buffer view. */
export const MESHOPT_MODES = ['ATTRIBUTES', 'TRIANGLES', 'INDICES'] as const;

/** The filters of a compressed buffer view. */
export const MESHOPT_FILTERS = ['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR'] as const;

/** What a compressed buffer view holds. */
export interface MeshoptView {
  readonly mode: (typeof MESHOPT_MODES)[number];
  readonly filter: (typeof MESHOPT_FILTERS)[number];
  readonly count: number;
  /** Bytes of one element. */
  readonly stride: number;
}

/** Ends decoding with a message. */
type Fail = (message: string) => never;

/** Format: the largest block of vertices, in elements. */
const BLOCK_ELEMENTS = 256;

/** Format: the largest block of vertices, in bytes. */
const BLOCK_BYTES = 8192;

/** Format: elements of a group, which have one width of deltas. */
const GROUP_ELEMENTS = 16;

/** Format: the widths of deltas in bits, by the mode of a group: in version 0, and in version 1 by the control of a byte. */
const WIDTHS_0 = [0, 2, 4, 8];
const WIDTHS_1 = [
  [0, 1, 2, 4],
  [1, 2, 4, 8],
];

/** Format: a control of version 1 without groups: all deltas are zero. */
const ALL_ZERO = 2;

/** Format: a control of version 1 without groups: all deltas are whole bytes. */
const ALL_PLAIN = 3;

/** Format: the least bytes of the end of a stream of vertices, by version. */
const TAIL_BYTES = [32, 24];

/** Format: bytes of the table of codes at the end of a stream of triangles. */
const CODE_TABLE_BYTES = 16;

/** Format: bytes that an index sequence ends with. */
const SEQUENCE_TAIL_BYTES = 4;

/** Format: the four bytes of a channel follow those of the element before one by one. */
const BYTE_CHANNEL = 0;

/** Format: they follow as two numbers of 16 bits. */
const SHORT_CHANNEL = 1;

/** Format: they follow as one number of 32 bits, by exclusive or. */
const XOR_CHANNEL = 2;

/** The bytes of the view, `count · stride` of them. @param fail is called with what is wrong with the data. */
export function decodeMeshopt(source: Uint8Array, view: MeshoptView, fail: Fail): Uint8Array {
  if (view.mode === 'ATTRIBUTES') {
    const bytes = decodeVertices(source, view, fail);
    applyFilter(bytes, view);
    return bytes;
  }
  const ids = view.mode === 'TRIANGLES' ? decodeTriangles(source, view, fail) : decodeSequence(source, view, fail);
  return new Uint8Array((view.stride === 2 ? Uint16Array.from(ids) : ids).buffer);
}

function decodeVertices(source: Uint8Array, { count, stride }: MeshoptView, fail: Fail): Uint8Array {
  const version = source[0] & 0x0f;
  if ((source[0] & 0xf0) !== 0xa0 || version > 1) fail('compressed vertices must begin with 0xa0 or 0xa1');
  const tail = stride + (version === 0 ? 0 : stride / 4);
  const end = source.length - Math.max(tail, TAIL_BYTES[version]);
  if (end < 1) fail('the compressed vertices end too early');
  const last = source.slice(source.length - tail, source.length - tail + stride);
  const channels = version === 0 ? new Uint8Array(stride / 4) : source.subarray(source.length - stride / 4);
  const blockElements = Math.min(Math.floor(BLOCK_BYTES / stride) & -GROUP_ELEMENTS, BLOCK_ELEMENTS);
  const deltas = new Uint8Array(blockElements * stride);
  const target = new Uint8Array(count * stride);
  const words = new DataView(target.buffer);
  const before = new DataView(last.buffer);
  let at = 1;
  for (let first = 0; first < count; first += blockElements) {
    const elements = Math.min(count - first, blockElements);
    const controls = at;
    if (version === 1) at += stride / 4;
    for (let byte = 0; byte < stride; byte++) {
      const control = version === 0 ? -1 : (source[controls + (byte >> 2)] >> (2 * (byte & 3))) & 3;
      at = readDeltas(source, at, deltas.subarray(byte * blockElements, (byte + 1) * blockElements), elements, control);
    }
    if (at > end) fail('the compressed vertices end too early');
    for (let element = 0; element < elements; element++) {
      const to = (first + element) * stride;
      for (let byte = 0; byte < stride; byte += 4) {
        const delta = (k: number): number => deltas[(byte + k) * blockElements + element];
        const channel = channels[byte >> 2];
        if ((channel & 3) === BYTE_CHANNEL) {
          for (let k = 0; k < 4; k++) last[byte + k] += unzigzag(delta(k));
        } else if ((channel & 3) === SHORT_CHANNEL) {
          for (let k = 0; k < 4; k += 2) {
            const step = unzigzag(delta(k) | (delta(k + 1) << 8));
            before.setUint16(byte + k, before.getUint16(byte + k, true) + step, true);
          }
        } else if ((channel & 3) === XOR_CHANNEL) {
          const change = delta(0) | (delta(1) << 8) | (delta(2) << 16) | (delta(3) << 24);
          const turn = channel >> 4;
          const turned = (change >>> turn) | (turn === 0 ? 0 : change << (32 - turn));
          before.setUint32(byte, before.getUint32(byte, true) ^ turned, true);
        } else {
          fail('a channel of the compressed vertices has an unknown mode');
        }
        words.setUint32(to + byte, before.getUint32(byte, true), true);
      }
    }
  }
  if (at !== end) fail('the compressed vertices have bytes left over');
  return target;
}

/** Reads the deltas of one byte of all elements of a block; returns where they end. @param control −1 for version 0. */
function readDeltas(source: Uint8Array, start: number, deltas: Uint8Array, elements: number, control: number): number {
  deltas.fill(0);
  if (control === ALL_ZERO) return start;
  if (control === ALL_PLAIN) {
    deltas.set(source.subarray(start, start + elements));
    return start + elements;
  }
  const groups = Math.ceil(elements / GROUP_ELEMENTS);
  const widths = control < 0 ? WIDTHS_0 : WIDTHS_1[control];
  let at = start + Math.ceil(groups / 4);
  for (let group = 0; group < groups; group++) {
    const width = widths[(source[start + (group >> 2)] >> (2 * (group & 3))) & 3];
    const to = group * GROUP_ELEMENTS;
    if (width === 8) deltas.set(source.subarray(at, at + GROUP_ELEMENTS), to);
    if (width === 8) at += GROUP_ELEMENTS;
    if (width === 0 || width === 8) continue;
    // Narrow deltas first; those that do not fit have all bits set, and follow as whole bytes.
    const narrow = at;
    const tooWide = (1 << width) - 1;
    at += 2 * width;
    for (let i = 0; i < GROUP_ELEMENTS; i++) {
      const bit = i * width;
      const shift = width === 1 ? bit & 7 : 8 - width - (bit & 7);
      const delta = (source[narrow + (bit >> 3)] >> shift) & tooWide;
      deltas[to + i] = delta === tooWide ? source[at++] : delta;
    }
  }
  return at;
}

function unzigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}

/** Numbers of seven bits a byte, the low ones first. */
class VarintReader {
  at: number;
  /** The number read last, to which the next one is a difference. */
  last = 0;
  readonly #source: Uint8Array;
  readonly #end: number;
  readonly #fail: Fail;

  constructor(source: Uint8Array, start: number, end: number, fail: Fail) {
    this.at = start;
    this.#source = source;
    this.#end = end;
    this.#fail = fail;
  }

  byte(): number {
    if (this.at >= this.#end) this.#fail('the compressed indices end too early');
    return this.#source[this.at++];
  }

  number(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    return this.#fail('a compressed index is longer than five bytes');
  }

  /** The index that differs from the last one by the next number. */
  index(): number {
    this.last = (this.last + unzigzag(this.number())) >>> 0;
    return this.last;
  }
}

/** The latest 16 values; 0 is the last one. */
class Latest {
  readonly #values = new Uint32Array(16);
  #end = 0;

  push(value: number): void {
    this.#values[this.#end++ & 15] = value;
  }

  at(age: number): number {
    return this.#values[(this.#end - 1 - age) & 15];
  }
}

function decodeTriangles(source: Uint8Array, { count }: MeshoptView, fail: Fail): Uint32Array {
  if (source[0] !== 0xe0 && source[0] !== 0xe1) fail('compressed triangles must begin with 0xe0 or 0xe1');
  const version = source[0] & 0x0f;
  const triangles = count / 3;
  const table = source.length - CODE_TABLE_BYTES;
  if (1 + triangles > table) fail('the compressed triangles end too early');
  const reader = new VarintReader(source, 1 + triangles, table, fail);
  const edgesFrom = new Latest();
  const edgesTo = new Latest();
  const vertices = new Latest();
  const ids = new Uint32Array(count);
  let next = 0;
  const isNear = (code: number): boolean => version === 0 || code < 13;
  const pushEdge = (from: number, to: number): void => {
    edgesFrom.push(from);
    edgesTo.push(to);
  };
  /** A vertex by four bits: a new one, one of the latest, or one that is written out. */
  const vertexOf = (code: number, mayBeWritten: boolean): number => {
    if (code === 0) return next++;
    return mayBeWritten && code === 15 ? reader.index() : vertices.at(code - 1);
  };
  for (let triangle = 0; triangle < triangles; triangle++) {
    const code = source[1 + triangle];
    const [high, low] = [code >> 4, code & 15];
    let [a, b, c] = [0, 0, 0];
    if (high < 15) {
      // Shares an edge with an earlier triangle.
      a = edgesFrom.at(high);
      b = edgesTo.at(high);
      if (low === 0) c = next++;
      else if (low < 15 && isNear(low)) c = vertices.at(low);
      else if (low === 13 || low === 14) c = reader.last = (reader.last + (low === 13 ? -1 : 1)) >>> 0;
      else c = reader.index();
      if (low === 0 || low === 15 || !isNear(low)) vertices.push(c);
      pushEdge(c, b);
      pushEdge(a, c);
    } else {
      const isShort = low < 14;
      const pair = isShort ? source[table + low] : reader.byte();
      if (!isShort && pair === 0) next = 0;
      const [second, third] = [pair >> 4, pair & 15];
      a = low === 15 ? reader.index() : next++;
      b = vertexOf(second, !isShort);
      c = vertexOf(third, !isShort);
      vertices.push(a);
      if (second === 0 || (!isShort && second === 15)) vertices.push(b);
      if (third === 0 || (!isShort && third === 15)) vertices.push(c);
      pushEdge(b, a);
      pushEdge(c, b);
      pushEdge(a, c);
    }
    ids.set([a, b, c], 3 * triangle);
  }
  if (reader.at !== table) fail('the compressed triangles have bytes left over');
  return ids;
}

function decodeSequence(source: Uint8Array, { count }: MeshoptView, fail: Fail): Uint32Array {
  if (source[0] !== 0xd0 && source[0] !== 0xd1) fail('compressed indices must begin with 0xd0 or 0xd1');
  const end = source.length - SEQUENCE_TAIL_BYTES;
  const reader = new VarintReader(source, 1, end, fail);
  const last = [0, 0];
  const ids = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const value = reader.number();
    const which = value & 1;
    last[which] = (last[which] + unzigzag(value >>> 1)) >>> 0;
    ids[i] = last[which];
  }
  if (reader.at !== end) fail('the compressed indices have bytes left over');
  return ids;
}

/** Undoes the filter of vertices in place. Colors and normals are not geometry: their filters are left as they are. */
function applyFilter(bytes: Uint8Array, { filter, count, stride }: MeshoptView): void {
  if (filter === 'QUATERNION') {
    const values = new Int16Array(bytes.buffer);
    for (let i = 0; i < 4 * count; i += 4) {
      const largest = values[i + 3] & 3;
      const scale = Math.SQRT1_2 / (values[i + 3] | 3);
      const [x, y, z] = [values[i] * scale, values[i + 1] * scale, values[i + 2] * scale];
      const w = Math.sqrt(Math.max(0, 1 - x * x - y * y - z * z));
      [x, y, z, w].forEach((value, k) => {
        values[i + ((largest + 1 + k) & 3)] = Math.round(32767 * value);
      });
    }
  } else if (filter === 'EXPONENTIAL') {
    const words = new Int32Array(bytes.buffer);
    const values = new Float32Array(bytes.buffer);
    for (let i = 0; i < (count * stride) / 4; i++) {
      const word = words[i];
      values[i] = ((word << 8) >> 8) * 2 ** (word >> 24);
    }
  }
}
