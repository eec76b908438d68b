// What the command line asks of a clash check, checked before any model is loaded.
import type { ClashRule } from '../../clash/clash-rules.js';
import type { IgnoredPair } from '../../clash/ignored-pairs.js';
import { NearfieldError } from '../../core/errors.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import type { BcfVersion } from '../../io/bcf/write-bcf.js';
import { takeNumber, takeString } from '../arguments.js';
import { assertOutputs, takeChordError } from '../load-model.js';
import { type ClashOutputs, takeClashOutputs } from '../report/clash-outputs.js';
import { type AskedLength, takeAskedLength, takeUnit } from '../units.js';
import type { VerbInput } from '../verb.js';
import { readIgnoredPairs } from './ignore-list.js';
import { readRules } from './rules-file.js';

/** Chosen: seconds for all depths together, unless --depth-seconds says otherwise. */
export const DEPTH_SECONDS = 60;
/** Chosen: threads; --workers refuses more. */
const MAX_WORKERS = 64;

export interface ClashRequest {
  readonly files: readonly string[];
  /** In the unit of the answer, or in one of its own. */
  readonly clearance: AskedLength;
  readonly touch: AskedLength | null;
  readonly chordError: number | undefined;
  /** Seconds for all depths together; 0: no depths are measured. */
  readonly depthSeconds: number;
  /** The file of --output: each clash is written there as soon as it is found, and none is kept. */
  readonly stream: string | null;
  readonly outputs: ClashOutputs;
  /** The outputs that are asked for, by the names of their options. */
  readonly written: readonly (readonly [name: string, path: string])[];
  readonly unit: string | null;
  /** Null: as many as there are cores. */
  readonly workers: number | null;
  readonly ignore: readonly IgnoredPair[];
  readonly rules: readonly ClashRule[];
  readonly bcfVersion: BcfVersion;
  /** A frames file, or `animation` for that of the models. */
  readonly frames: string | null;
  /** An earlier check: a file of --json or a BCF file. */
  readonly baseline: string | null;
  /** Solids are made of parts that bound none, for their depths. */
  readonly solidify: boolean;
  /** The exit code says whether nothing clashes. */
  readonly assert: boolean;
  /** The journal's file. */
  readonly journal: string | null;
}

export async function takeClashRequest(input: VerbInput): Promise<ClashRequest> {
  const files = input.positionals;
  if (files.length === 0) {
    throw new NearfieldError('bad-argument', 'clash takes FILE…, at least one model. See nearfield clash --help');
  }
  const clearance = takeAskedLength(input, 'clearance', MAX_COORDINATE) ?? { value: 0, unit: null };
  const touch = takeAskedLength(input, 'touch');
  const stream = takeString(input, 'output');
  const depthSeconds = takeNumber(input, 'depth-seconds', stream === null ? DEPTH_SECONDS : 0, { min: 0 });
  const outputs = takeClashOutputs(input);
  assertOutputs(files, { ...outputs, output: stream, resume: takeString(input, 'resume') });
  const written = Object.entries(outputs).filter((entry): entry is [string, string] => entry[1] !== null);
  if (written.length > 0 && stream !== null) {
    throw new NearfieldError(
      'bad-argument',
      `--${written[0][0]} needs all clashes at once, -o keeps none; give one of them`,
    );
  }
  return {
    ...{ files, clearance, touch, depthSeconds, stream, outputs, written },
    chordError: takeChordError(input),
    unit: takeUnit(input),
    workers: takeWorkers(input),
    ignore: await readIgnoredPairs(input),
    rules: await readRules(input),
    bcfVersion: takeBcfVersion(input),
    frames: takeFrames(input, stream),
    baseline: takeString(input, 'baseline'),
    solidify: input.values.solidify === true,
    assert: input.values.assert === true,
    journal: takeString(input, 'resume'),
  };
}

function takeFrames(input: VerbInput, stream: string | null): string | null {
  const frames = takeString(input, 'frames');
  if (frames === null || stream === null) return frames;
  throw new NearfieldError('bad-argument', '--frames needs all parts at once, -o keeps none; give one of them');
}

function takeBcfVersion(input: VerbInput): BcfVersion {
  const version = takeString(input, 'bcf-version') ?? '2.1';
  if (version === '2.1' || version === '3.0') return version;
  throw new NearfieldError('bad-argument', `--bcf-version is ${version}; give 2.1 or 3.0`);
}

function takeWorkers(input: VerbInput): number | null {
  return takeString(input, 'workers') === null
    ? null
    : takeNumber(input, 'workers', 1, { min: 1, max: MAX_WORKERS, integer: true });
}
