// JSON in pieces: an answer with a million clashes is longer than a string can be.
import type { Writable } from 'node:stream';

/** Chosen: elements of a list in one piece; a longer list is cut. */
const PIECE = 4096;

/** Writes a value and a newline, the same characters as `JSON.stringify` gives. Long lists of an object go in pieces. */
export async function writeJson(stream: Writable, value: unknown): Promise<void> {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || !hasLongList(value)) {
    stream.write(`${JSON.stringify(value)}\n`);
    return;
  }
  let separator = '{';
  for (const [name, entry] of Object.entries(value)) {
    if (entry === undefined) continue;
    await put(stream, `${separator}${JSON.stringify(name)}:`);
    separator = ',';
    if (!isLong(entry)) {
      await put(stream, JSON.stringify(entry));
      continue;
    }
    for (let from = 0; from < entry.length; from += PIECE) {
      const piece = JSON.stringify(entry.slice(from, from + PIECE));
      await put(stream, `${from === 0 ? '[' : ','}${piece.slice(1, -1)}`);
    }
    await put(stream, ']');
  }
  stream.write('}\n');
}

function hasLongList(value: object): boolean {
  return Object.values(value).some(isLong);
}

function isLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > PIECE;
}

/** Waits while the reader is slower, so that pieces do not pile up in memory. */
async function put(stream: Writable, text: string): Promise<void> {
  if (stream.write(text)) return;
  await new Promise<void>((resolve) => {
    const go = (): void => {
      for (const event of ['drain', 'close', 'error']) stream.off(event, go);
      resolve();
    };
    for (const event of ['drain', 'close', 'error']) stream.once(event, go);
  });
}
