// Files that a clash check reads beside models: rules, and the answer of an earlier check.
import type { ClashRule } from '../../clash/clash-rules.js';
import { NearfieldError } from '../../core/errors.js';
import { type ReadTopic, readBcf } from '../../io/bcf/read-bcf.js';
import { takeString } from '../arguments.js';
import { readBytes } from '../load-model.js';
import { isRecord } from '../replay/frames-file.js';
import type { VerbInput } from '../verb.js';

/** Format: a ZIP archive begins so. */
const ZIP_MARK = [0x50, 0x4b];

/**
 * The rules of --rules: a list, or an object with the list as `rules` and a table of classes as `matrix`, which counts before
 * the rules. Their values are checked where they are used.
 */
export async function readRules(input: VerbInput): Promise<readonly ClashRule[]> {
  const path = takeString(input, 'rules');
  if (path === null) return [];
  const json = await readJson(path);
  if (Array.isArray(json)) return json as ClashRule[];
  const { rules = [], matrix = {}, ...others } = isRecord(json) ? json : { rules: null };
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw refuse(path, `has "${unknown}"; the keys are "rules" and "matrix"`);
  if (Array.isArray(rules) && isRecord(matrix)) return [...readMatrix(path, matrix), ...(rules as ClashRule[])];
  throw refuse(path, 'give a list of rules, such as [{"a": "bolt*", "b": "plate", "allow": 0.1}]');
}

/** Rules from {"IfcPipe*": {"IfcWall": 0.05, "IfcSlab": "ignore", "IfcBeam": {"allow": 0.01}}}: a number is a clearance. */
function readMatrix(path: string, matrix: Record<string, unknown>): ClashRule[] {
  return Object.entries(matrix).flatMap(([a, row]) => {
    if (!isRecord(row)) throw refuse(path, `the row "${a}" of the matrix is not an object of classes`);
    return Object.entries(row).map(([b, cell]): ClashRule => {
      const pair = { a, b, by: 'class', optional: true } as const;
      if (cell === 'ignore') return { ...pair, ignore: true };
      if (typeof cell === 'number') return { ...pair, clearance: cell };
      if (isRecord(cell)) return { ...pair, ...(cell as Partial<ClashRule>) };
      throw refuse(
        path,
        `the matrix has ${JSON.stringify(cell)} for "${a}" and "${b}"; give a clearance, "ignore" or a rule`,
      );
    });
  });
}

function refuse(path: string, what: string): NearfieldError {
  return new NearfieldError('file-format', `${path}: ${what}`, { file: path });
}

/** An earlier check. */
export interface Baseline {
  /** The ids of its clashes. */
  readonly ids: readonly string[];
  /** Its topics, where it is a BCF file. */
  readonly topics: readonly ReadTopic[];
}

/** An earlier check, from its answer with --json, or from its BCF file, which people may have worked on since. */
export async function readBaseline(path: string): Promise<Baseline> {
  const bytes = await readBytes(path);
  if (bytes[0] === ZIP_MARK[0] && bytes[1] === ZIP_MARK[1]) {
    const topics = (await readBcf(bytes, { fileName: path })).topics.filter(({ type }) => type === 'Clash');
    // A topic that is closed is solved, unless the clash is still there.
    return { ids: topics.filter(({ status }) => !/^closed$/i.test(status)).map(({ guid }) => guid), topics };
  }
  const { clashes } = ((await readJson(path)) ?? {}) as { clashes?: unknown };
  const ids = Array.isArray(clashes) ? clashes.map((clash) => (clash as { id?: unknown } | null)?.id) : null;
  if (ids?.every((id) => typeof id === 'string')) return { ids: ids as string[], topics: [] };
  throw new NearfieldError(
    'file-format',
    `${path}: not the answer of nearfield clash --json, whose clashes have ids, nor its BCF file`,
    { file: path },
  );
}

/** The content of a JSON file. */
export async function readJson(path: string): Promise<unknown> {
  const bytes = await readBytes(path);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new NearfieldError('file-format', `${path}: not JSON (${(error as Error).message})`, { file: path });
  }
}
