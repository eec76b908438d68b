// The answers of a clash check on disk, so that a stopped run can go on. A file begins with a line that names the check by its
// fingerprint; each finished job adds a record with a CRC-32. Whatever stops a run can only cut off the last record, which is
// then dropped. Little-endian: four numbers of 32 bits (mark, job, count, CRC of what follows),
// then the questions of the answer (32 bits each) and its values (64 bits each).
import { closeSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { crc32 } from '../../core/crc32.js';
import { NearfieldError } from '../../core/errors.js';
import { ANSWER_STRIDE, type ClashAnswer } from '../../proximity/batch/clash-job.js';

const TITLE = 'nearfield clash journal 1';
/** Definition of the file: the first four bytes of a record, "1BOJ". */
const MARK = 0x4a4f4231;
/** Layout: bytes of the four numbers that begin a record. */
const RECORD_HEAD = 16;
/** Layout: bytes of the answer to one question. */
const BYTES_A_QUESTION = 4 + 8 * ANSWER_STRIDE;

interface Stored {
  readonly offset: number;
  readonly count: number;
}

/** The journal of one check. The caller closes it. */
export class ClashJournal {
  readonly #path: string;
  readonly #file: number;
  readonly #jobs = new Map<number, Stored>();
  #end = 0;
  /** Bytes behind the last whole record, which were cut off. */
  readonly droppedBytes: number = 0;

  /**
   * Opens the journal of a check, or begins one if the file does not exist or is empty.
   * @throws NearfieldError for a file that is not a journal, or belongs to another check; the file stays as it is.
   */
  constructor(path: string, fingerprint: string, jobCount: number) {
    this.#path = path;
    const title = Buffer.from(`${TITLE} ${fingerprint}\n`);
    this.#file = openFile(path);
    try {
      const size = statSync(path).size;
      const head = this.#read(0, Math.min(size, title.length));
      if (size < title.length && title.subarray(0, size).equals(head)) {
        // A new file, or one whose first line was cut off.
        ftruncateSync(this.#file, 0);
        this.#write(title);
        return;
      }
      if (!title.equals(head)) throw this.#refuse(head);
      this.#end = title.length;
      while (this.#takeRecord(size, jobCount));
      this.droppedBytes = size - this.#end;
      if (this.droppedBytes > 0) ftruncateSync(this.#file, this.#end);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Number of jobs whose answers it has. */
  get jobsDone(): number {
    return this.#jobs.size;
  }

  /** The answer of a job, or null if it is not there. */
  answer(job: number): ClashAnswer | null {
    const stored = this.#jobs.get(job);
    if (stored === undefined) return null;
    return decode(this.#read(stored.offset, stored.count * BYTES_A_QUESTION), stored.count);
  }

  /** Adds the answer of a job, unless it is there. */
  add(job: number, answer: ClashAnswer): void {
    if (this.#jobs.has(job)) return;
    const { questions, values } = answer;
    const bytes = Buffer.alloc(RECORD_HEAD + questions.length * BYTES_A_QUESTION);
    bytes.writeUInt32LE(MARK, 0);
    bytes.writeUInt32LE(job, 4);
    bytes.writeUInt32LE(questions.length, 8);
    for (const [i, question] of questions.entries()) bytes.writeUInt32LE(question, RECORD_HEAD + 4 * i);
    const first = RECORD_HEAD + 4 * questions.length;
    for (const [i, value] of values.entries()) bytes.writeDoubleLE(value, first + 8 * i);
    bytes.writeUInt32LE(crc32(bytes.subarray(RECORD_HEAD)), 12);
    const offset = this.#end + RECORD_HEAD;
    this.#write(bytes);
    this.#jobs.set(job, { offset, count: questions.length });
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Takes the next record; false if the file ends before it is whole. */
  #takeRecord(size: number, jobCount: number): boolean {
    const offset = this.#end + RECORD_HEAD;
    if (offset > size) return false;
    const head = this.#read(this.#end, RECORD_HEAD);
    const [mark, job, count, crc] = [0, 4, 8, 12].map((at) => head.readUInt32LE(at));
    const length = count * BYTES_A_QUESTION;
    if (mark !== MARK || job >= jobCount || offset + length > size) return false;
    if (crc32(this.#read(offset, length)) !== crc) return false;
    this.#jobs.set(job, { offset, count });
    this.#end = offset + length;
    return true;
  }

  #refuse(head: Buffer): NearfieldError {
    const reason = head.toString('latin1').startsWith(TITLE)
      ? 'the journal of another check: the parts, their places, --clearance or the ignored pairs differ'
      : 'not a journal of clash --resume';
    return new NearfieldError('bad-argument', `${this.#path}: ${reason}; name another file, or delete this one`, {
      file: this.#path,
    });
  }

  #read(offset: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    let done = 0;
    while (done < length) {
      const count = readSync(this.#file, bytes, done, length - done, offset + done);
      if (count === 0) throw unusable(this.#path, 'it became shorter while it was read');
      done += count;
    }
    return bytes;
  }

  #write(bytes: Buffer): void {
    try {
      let done = 0;
      while (done < bytes.length) {
        done += writeSync(this.#file, bytes, done, bytes.length - done, this.#end + done);
      }
    } catch (error) {
      throw unusable(this.#path, (error as Error).message);
    }
    this.#end += bytes.length;
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(path, (error as Error).message);
  }
  try {
    return openSync(path, 'wx+');
  } catch (error) {
    throw unusable(path, (error as Error).message);
  }
}

function unusable(path: string, reason: string): NearfieldError {
  return new NearfieldError('bad-argument', `${path}: cannot be used as a journal (${reason})`, { file: path });
}

function decode(bytes: Buffer, count: number): ClashAnswer {
  const questions = new Uint32Array(count);
  const values = new Float64Array(ANSWER_STRIDE * count);
  for (let i = 0; i < count; i++) questions[i] = bytes.readUInt32LE(4 * i);
  for (let i = 0; i < values.length; i++) values[i] = bytes.readDoubleLE(4 * count + 8 * i);
  return { questions, values };
}
