// What an options object must be: an object with no names but those of its options. A misspelled name would otherwise
// change nothing, in silence.
import { NearfieldError } from '../errors.js';

/** Every name of an options interface; the compiler refuses a list with one missing or one too many. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Refuses options that are not an object, or that have a name which is not in the list. Options may be left out.
 * @param what the subject of the message, in the plural.
 */
export function assertOptions<Options extends object>(
  options: Options | undefined,
  names: OptionNames<Options>,
  what = 'The options',
): void {
  if (options === undefined) return;
  if (options === null || typeof options !== 'object' || Array.isArray(options)) {
    throw new NearfieldError('bad-argument', `${what} are ${nameValue(options)}; give an object, or leave them out.`);
  }
  for (const name in options) if (names[name] !== true) refuseName(name, Object.keys(names), what);
}

/** A value as a message shows it. Any value: a template literal throws for some. */
export function nameValue(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (ArrayBuffer.isView(value) && 'length' in value) return `an array of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

function refuseName(name: string, known: readonly string[], what: string): never {
  const changes = known.map((other) => editDistance(name.toLowerCase(), other.toLowerCase()));
  const least = Math.min(...changes);
  const hint = least <= 1 + name.length / 4 ? ` did you mean '${known[changes.indexOf(least)]}'?` : '';
  throw new NearfieldError(
    'bad-argument',
    `${what} have no '${name}';${hint} ${hint === '' ? 'there are' : 'There are'} ${known.join(', ')}.`,
  );
}

/** The number of letters to insert, delete or replace (Wagner and Fischer 1974). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}
