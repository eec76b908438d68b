// A clash check as a list of jobs: the pairs of parts whose boxes are near, gathered into equal questions, cut into
// jobs of about the same cost. Jobs may be answered in any order, by any thread or machine; each answer gives the
// clashes of its job.
import { takePose } from '../core/check/check-pose.js';
import { NearfieldError } from '../core/errors.js';
import * as pose from '../core/pose.js';
import { partOfProgress, reportProgress } from '../core/progress.js';
import type { Vec3 } from '../core/vec3.js';
import { triangleCount } from '../mesh/mesh.js';
import { cutByCost } from '../pool/run-jobs.js';
import { ANSWER_STRIDE, type ClashAnswer, type ClashJob } from '../proximity/batch/clash-job.js';
import type { VolumeChoice } from '../proximity/options.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import type { AssemblyPart } from './assembly.js';
import { hashMesh, hashNumbers, hashText } from './check-hash.js';
import { assertParts } from './check-parts.js';
import { type Clash, type ClashOptions, readClashOptions } from './clash.js';
import { type EqualPairs, gatherEqualPairs, RelativePoses } from './equal-pairs.js';
import { ignorePairs } from './ignored-pairs.js';
import { findNearPairs } from './near-pairs.js';
import { numberModels } from './number-models.js';

/** A part of every fingerprint. Raise its number when answers or jobs change. */
const FORMAT = 'nearfield clash check 1';

/**
 * The jobs of a clash check of parts as {@link buildAssembly} makes them. {@link streamClashes} runs them; so can a
 * queue of your own: `job` gives a job as plain data, `runClashJob` answers it, `clashesOf` places the answer.
 */
export class ClashCheck {
  /** Pairs whose boxes come within the clearance, each decided exactly. */
  readonly pairsTested: number;
  /** Pairs whose boxes come within the clearance, left out because of `ignore`. */
  readonly pairsIgnored: number;
  /** Different questions among the pairs: two shapes in one relative pose. */
  readonly questionCount: number;
  /** The different models of the parts, in the order of the parts. */
  readonly models: readonly ProximityModel[];
  readonly #parts: readonly AssemblyPart[];
  readonly #shapeOf: Uint32Array;
  readonly #clearance: number;
  readonly #volume: VolumeChoice;
  readonly #pairs: Uint32Array;
  readonly #poses: RelativePoses;
  readonly #equal: EqualPairs;
  /** The first question of each job, and the end of the last. */
  readonly #jobStarts: number[];

  /**
   * @throws NearfieldError for an invalid option, a part without model or pose, or `too-large` when more than 2^25 pairs
   * come near.
   */
  constructor(given: readonly AssemblyPart[], options: ClashOptions = {}) {
    assertParts(given);
    const { clearance, volume, ignore } = readClashOptions(options);
    this.#clearance = clearance;
    this.#volume = volume;
    const parts = given.map(({ name, model, pose: given }, index) => ({
      name,
      model,
      pose: takePose(given, `part ${index}`),
    }));
    this.#parts = parts;
    const { models, shapeOf } = numberModels(parts);
    this.models = models;
    this.#shapeOf = shapeOf;
    const isIgnored = ignorePairs(
      parts.map(({ name }) => name),
      ignore,
    );
    const near = findNearPairs(parts, clearance, partOfProgress(options, 0, 0.6));
    this.#pairs = ignore.length === 0 ? near : filterPairs(near, (a, b) => !isIgnored(a, b));
    this.pairsTested = this.#pairs.length / 2;
    this.pairsIgnored = (near.length - this.#pairs.length) / 2;
    reportProgress(options, 0.6, 'equal pairs');
    this.#poses = new RelativePoses(parts, this.#shapeOf, this.#pairs);
    this.#equal = gatherEqualPairs(this.#poses, this.models.length);
    this.questionCount = this.#equal.count;
    this.#jobStarts = this.#cutJobs();
    reportProgress(options, 1, 'equal pairs');
  }

  get jobCount(): number {
    return this.#jobStarts.length - 1;
  }

  /** A job as plain data, with the models that it refers to, as numbers in {@link models}. */
  job(index: number): { readonly models: readonly number[]; readonly job: ClashJob } {
    const [from, to] = this.#questionsOf(index);
    const places = new Map<number, number>();
    const models = new Uint32Array(2 * (to - from));
    const poses = new Float64Array(7 * (to - from));
    for (let question = from; question < to; question++) {
      const pair = this.#firstPair(question);
      this.#poses.write(pair, poses, 7 * (question - from));
      for (const which of [0, 1] as const) {
        const shape = this.#poses.shapeOf(pair, which);
        const place = places.get(shape) ?? places.size;
        places.set(shape, place);
        models[2 * (question - from) + which] = place;
      }
    }
    return { models: [...places.keys()], job: { clearance: this.#clearance, volume: this.#volume, models, poses } };
  }

  /**
   * The clashes of a job from its answer, by their shapes, then by question, then in the order of the parts.
   * @throws NearfieldError for what is not an answer to this job.
   */
  clashesOf(index: number, answer: ClashAnswer): Clash[] {
    const [from, to] = this.#questionsOf(index);
    assertAnswer(answer, to - from, this.#clearance);
    const { members, starts } = this.#equal;
    const clashes: Clash[] = [];
    for (const [i, question] of answer.questions.entries()) {
      const at = ANSWER_STRIDE * i;
      for (let k = starts[from + question]; k < starts[from + question + 1]; k++) {
        clashes.push(this.#place(members[k], answer.values.subarray(at, at + ANSWER_STRIDE)));
      }
    }
    return clashes;
  }

  /** The pairs of a job: how much of {@link pairsTested} it decides. */
  pairsOf(index: number): number {
    const [from, to] = this.#questionsOf(index);
    return this.#equal.starts[to] - this.#equal.starts[from];
  }

  /** A SHA-256 for each of {@link models}: of its positions and indices. */
  modelHashes(): Promise<string[]> {
    return Promise.all(this.models.map(({ mesh }) => hashMesh(mesh)));
  }

  /** A SHA-256 of everything that jobs and clashes depend on, so that answers of another check can be told apart. */
  async fingerprint(): Promise<string> {
    const poses = new Float64Array(7 * this.#parts.length);
    for (const [i, part] of this.#parts.entries()) poses.set(part.pose, 7 * i);
    const head = [FORMAT, this.#clearance, this.#volume, this.#parts.length, ...(await this.modelHashes())].join('\n');
    const digests = [hashText(head), ...[this.#shapeOf, poses, this.#pairs].map(hashNumbers)];
    return hashText((await Promise.all(digests)).join('\n'));
  }

  #questionsOf(index: number): [number, number] {
    if (!Number.isInteger(index) || index < 0 || index >= this.jobCount) {
      throw new NearfieldError('index-out-of-range', `There is no job ${index}; the check has ${this.jobCount}.`);
    }
    return [this.#jobStarts[index], this.#jobStarts[index + 1]];
  }

  #firstPair(question: number): number {
    return this.#equal.members[this.#equal.starts[question]];
  }

  #cutJobs(): number[] {
    const roots = this.models.map(({ mesh }) => Math.sqrt(triangleCount(mesh)));
    return cutByCost(this.questionCount, (question) => {
      const pair = this.#firstPair(question);
      return roots[this.#poses.shapeOf(pair, 0)] + roots[this.#poses.shapeOf(pair, 1)];
    });
  }

  #place(pair: number, values: Float64Array): Clash {
    const swapped = this.#poses.isSwapped(pair);
    const frame = this.#parts[this.#poses.partOf(pair, 0)].pose;
    const vector = (at: number): Vec3 => [values[at], values[at + 1], values[at + 2]];
    const points = [pose.transformPoint(frame, vector(1)), pose.transformPoint(frame, vector(4))];
    const intersects = values[0] === 0;
    const normal = intersects ? null : pose.transformVector(frame, vector(7));
    return {
      a: this.#pairs[2 * pair],
      b: this.#pairs[2 * pair + 1],
      intersects,
      distance: values[0],
      pointA: points[swapped ? 1 : 0],
      pointB: points[swapped ? 0 : 1],
      normal: normal !== null && swapped ? [0 - normal[0], 0 - normal[1], 0 - normal[2]] : normal,
    };
  }
}

function filterPairs(pairs: Uint32Array, keeps: (a: number, b: number) => boolean): Uint32Array {
  const kept = new Uint32Array(pairs.length);
  let count = 0;
  for (let i = 0; i < pairs.length; i += 2) {
    if (!keeps(pairs[i], pairs[i + 1])) continue;
    kept[count++] = pairs[i];
    kept[count++] = pairs[i + 1];
  }
  return kept.slice(0, count);
}

/** Refuses what cannot be the answer to a job of `count` questions. */
function assertAnswer(answer: ClashAnswer, count: number, clearance: number): void {
  const { questions, values } = answer ?? {};
  const isAnswer =
    questions instanceof Uint32Array &&
    values instanceof Float64Array &&
    values.length === ANSWER_STRIDE * questions.length &&
    questions.every((question, i) => question < count && (i === 0 || question > questions[i - 1])) &&
    values.every((value, i) => Number.isFinite(value) && (i % ANSWER_STRIDE > 0 || (value >= 0 && value <= clearance)));
  if (isAnswer) return;
  throw new NearfieldError(
    'bad-argument',
    'The answer is not that of this job; give what runClashJob returned for it.',
  );
}
