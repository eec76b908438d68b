// Meshes of others through every verb of the command. Each run ends with an answer (0) or one clear line that says what
// is wrong with the input (2), within a limit on its processor time; none crashes, hangs or ends in a fault of ours.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { box } from '../../src/core/index.js';
import { mergeModel, readModel } from '../../src/io/index.js';
import { findOthersMeshes } from './others-meshes.js';

/** Seconds of processor time, for each run of the command. */
const LIMIT = Number(process.env.NEARFIELD_SOAK_SECONDS ?? 60);

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-soak-'));
  const built = await runLimited([join(root, 'scripts/build.mjs'), '--library', '--if-stale'], 600);
  expect(built.code, built.stderr).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A verb's arguments for a model; `shift` is a quarter of its box, for a second copy that overlaps it. */
type Arguments = (model: string, out: string, shift: readonly number[]) => string[];
const pose = (shift: readonly number[], share = 1): number[] => [...shift.map((v) => v * share), 0, 0, 0, 1];

const verbs: Record<string, Arguments> = {
  info: (model) => [model],
  hull: (model, out) => [model, '-o', `${out}.stl`],
  decompose: (model, out) => [model, '--hierarchy', `${out}.bin`, '-o', `${out}.glb`],
  measure: (model, _, shift) => [model, model, '--pose-b', pose(shift, 5).join(), '--contacts'],
  replay: (model, out, shift) => {
    const frames = Array.from({ length: 8 }, (_, k) => ({ A: pose([0, 0, 0]), B: pose(shift, 6 - k) }));
    writeFileSync(`${out}.json`, JSON.stringify({ frames }));
    return [model, model, `${out}.json`, '--query', 'distance', '-o', `${out}.html`];
  },
  clash: (model, out) => [model, model, '--report', `${out}.html`],
  penetration: (model, out, shift) => [model, model, '--pose-b', pose(shift).join(), ...BUDGET, '-o', `${out}.glb`],
  field: (model, out) => [model, '--resolution', '32', '--backend', 'cpu', '-o', `${out}.npy`],
  repair: (model, out) => [model, '-o', `${out}.ply`],
  convert: (model, out) => [model, `${out}.obj`],
  separate: (model, out) => [model, model, '--rounds', '1', '-o', `${out}.glb`],
};
/** The search for a certificate ends by itself at a number of cells, which may take hours: here it ends sooner. */
const BUDGET = ['--max-milliseconds', `${250 * LIMIT}`];

describe.concurrent.each(Object.keys(verbs))('%s', (verb) => {
  test.each(findOthersMeshes().map((path) => [basename(path), path]))('%s', async (name, path) => {
    const out = join(folder, `${verb}-${name}`);
    const args = verbs[verb](path, out, await quarterOf(path));
    const { code, stdout, stderr } = await runLimited([join(root, 'dist/cli/main.js'), verb, ...args], LIMIT);
    const errors = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('nearfield: warning: '));
    const said = `nearfield ${verb} ${args.join(' ')} ended with ${code}: ${stderr.slice(0, 2000)}`;
    expect([0, 2], said).toContain(code);
    expect(errors.length, said).toBe(code === 0 ? 0 : 1);
    if (code === 0) expect(stdout, said).not.toBe('');
  });
});

interface Outcome {
  /** The exit code, or the signal that ended it: SIGXCPU or SIGKILL beyond the limit. */
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runLimited(args: readonly string[], seconds: number): Promise<Outcome> {
  const limited = ['-c', 'ulimit -t "$0" && exec "$@"', `${seconds}`, process.execPath, ...args];
  const child = spawn('sh', limited, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => (stdout += data));
  child.stderr.on('data', (data) => (stderr += data));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? signal, stdout, stderr }));
  });
}

/** A quarter of the sides of a model's box; of those of a cube for a file that cannot be read. */
async function quarterOf(path: string): Promise<readonly number[]> {
  const model = await readModel(readFileSync(path), { fileName: basename(path) }).catch(() => null);
  if (model === null) return [0.25, 0.25, 0.25];
  const { min, max } = box.ofPositions(mergeModel(model).positions);
  return max.map((high, axis) => (high - min[axis]) / 4);
}
