// scikit-fmm, SciPy and OpenVDB beside us, as one Python process held to one core, so that its turns and ours alternate.
// Whatever is not installed is left out, and the benchmark says so.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Field, GridFrame } from 'nearfield/field';
import { readNpy, writeNpy } from 'nearfield/io';
import type { Mesh } from 'nearfield/mesh';
import source from './field-driver.py?raw';

export interface PeerVersions {
  readonly skfmm?: string;
  readonly scipy?: string;
  readonly pyopenvdb?: string;
}

export interface PeerField {
  readonly milliseconds: number;
  readonly values: Float64Array;
}

export interface PeerBand {
  readonly milliseconds: number;
  readonly nodes: number;
  readonly bytes: number;
}

/** The Python packages, found and started; to be closed. */
export class PythonFields {
  readonly versions: PeerVersions;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;
  readonly #folder: string;

  private constructor(python: string, folder: string, versions: PeerVersions) {
    this.#folder = folder;
    this.versions = versions;
    const [command, args] = onOneCore(python, join(folder, 'driver.py'));
    this.#process = spawn(command, args);
    this.#process.stderr.resume();
    this.#answers = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /** Null where there is no Python with any of the packages. */
  static find(): PythonFields | null {
    const folder = mkdtempSync(join(tmpdir(), 'nearfield-python-'));
    writeFileSync(join(folder, 'driver.py'), source);
    // A Python of one's own comes first in the path and often lacks what the system's packages bring: the one with most
    // of the packages is taken.
    const found = ['python3', '/usr/bin/python3'].flatMap((python) => {
      const input = '{"operation":"versions"}\n';
      const { status, stdout } = spawnSync(python, [join(folder, 'driver.py')], { input, encoding: 'utf8' });
      return status === 0 ? [{ python, versions: JSON.parse(stdout) as PeerVersions }] : [];
    });
    const packages = ({ versions }: (typeof found)[number]): number => Object.keys(versions).length;
    const best = found.sort((a, b) => packages(b) - packages(a))[0];
    if (best !== undefined && packages(best) > 0) return new PythonFields(best.python, folder, best.versions);
    rmSync(folder, { recursive: true });
    return null;
  }

  /** scikit-fmm's signed distance from the zero of a field, which it finds by itself. */
  async march(field: Field, order: 1 | 2): Promise<PeerField> {
    const { spacing, size, values } = field;
    this.#write('field.npy', writeNpy(values, [...size].reverse()));
    return this.#field({ operation: 'march', field: this.#at('field.npy'), spacing, order });
  }

  /** SciPy's distances, in spacings, from the nodes whose site is not 0. */
  async transform({ size }: Pick<GridFrame, 'size'>, sites: Uint8Array): Promise<PeerField> {
    this.#write('sites.npy', writeNpy(sites, [...size].reverse()));
    return this.#field({ operation: 'transform', sites: this.#at('sites.npy') });
  }

  /** OpenVDB's narrow band of a mesh, `width` spacings to each side. */
  async band(mesh: Mesh, spacing: number, width: number): Promise<PeerBand> {
    this.#write('points.npy', writeNpy(mesh.positions, [mesh.positions.length / 3, 3]));
    this.#write('triangles.npy', writeNpy(mesh.indices, [mesh.indices.length / 3, 3]));
    const [points, triangles] = [this.#at('points.npy'), this.#at('triangles.npy')];
    return this.#ask({ operation: 'band', points, triangles, spacing, width });
  }

  close(): void {
    this.#process.stdin.end();
    rmSync(this.#folder, { recursive: true });
  }

  async #field(request: object): Promise<PeerField> {
    const out = this.#at('out.npy');
    const { milliseconds } = await this.#ask<{ milliseconds: number }>({ ...request, out });
    return { milliseconds, values: Float64Array.from(readNpy(readFileSync(out)).values) };
  }

  async #ask<T>(request: object): Promise<T> {
    this.#process.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error('the Python driver ended early');
    const answer = JSON.parse(value);
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  }

  #at(name: string): string {
    return join(this.#folder, name);
  }

  #write(name: string, bytes: Uint8Array): void {
    writeFileSync(this.#at(name), bytes);
  }
}

/** OpenVDB takes all cores it sees; Linux can show it one. */
function onOneCore(python: string, driver: string): [string, string[]] {
  const { status } = spawnSync('taskset', ['-c', '0', 'true']);
  return status === 0 ? ['taskset', ['-c', '0', python, driver]] : [python, [driver]];
}
