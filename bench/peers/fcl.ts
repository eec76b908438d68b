// FCL beside us: its driver is compiled into the system's temporary folder when a compiler and the library are there, and
// then runs as a process that makes one pass over a scenario's frames at a time, so that its passes and ours alternate.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Mesh } from 'nearfield/mesh';
import type { Scenario } from '../scenarios/scenario.js';
import { compileDriver, type PeerDriver } from './compile-driver.js';
import source from './fcl-driver.cpp?raw';

/** The compiled driver, or the reason why it is missing. */
export type FclDriver = PeerDriver;

export function buildFclDriver(): FclDriver {
  const flags = spawnSync('pkg-config', ['--cflags', '--libs', 'fcl', 'eigen3'], { encoding: 'utf8' });
  if (flags.status !== 0) return { missing: 'FCL (Debian: libfcl-dev) is not installed and was left out.' };
  return compileDriver('FCL', 'fcl-driver', source, flags.stdout.trim().split(/\s+/));
}

export interface FclPass {
  readonly microseconds: number;
  /** Frame by frame, pair by pair: 0 or 1, the distance, or the deepest contact's depth and unit normal from A to B. */
  readonly results: readonly number[];
}

/** One scenario in FCL's hands. */
export class FclScene {
  /** By mesh, in the order in which the bodies name them. */
  readonly models: Promise<readonly { readonly buildMilliseconds: number; readonly bytes: number }[]>;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;
  readonly #folder: string;

  constructor(driver: string, scenario: Scenario) {
    this.#folder = mkdtempSync(join(tmpdir(), 'nearfield-fcl-'));
    const scene = join(this.#folder, 'scene.bin');
    writeFileSync(scene, encodeScene(scenario));
    this.#process = spawn(driver, [scene]);
    this.#process.stderr.resume();
    this.#answers = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
    this.models = this.#readLine();
  }

  async pass(query: 'collide' | 'distance' | 'contact' | 'manager', relativeError = 0): Promise<FclPass> {
    await this.models;
    this.#process.stdin.write(query === 'distance' ? `distance ${relativeError}\n` : `${query}\n`);
    return this.#readLine();
  }

  close(): void {
    this.#process.stdin.end();
    rmSync(this.#folder, { recursive: true });
  }

  async #readLine<T>(): Promise<T> {
    const { value, done } = await this.#answers.next();
    if (done) throw new Error('the FCL driver ended early');
    return JSON.parse(value);
  }
}

/**
 * Little-endian: counts of meshes, bodies, pairs and frames as uint32; each mesh as its counts of vertices and triangles
 * (uint32), coordinates (float64) and ids (uint32); the mesh of each body and the bodies of each pair (uint32); poses (float64).
 */
function encodeScene({ bodies, pairs, frameCount, poses }: Scenario): Uint8Array {
  const meshes = listMeshes(bodies);
  const parts: (Uint32Array | Float64Array)[] = [
    Uint32Array.of(meshes.length, bodies.length, pairs.length, frameCount),
  ];
  for (const { positions, indices } of meshes) {
    parts.push(Uint32Array.of(positions.length / 3, indices.length / 3), positions, indices);
  }
  parts.push(
    Uint32Array.from(bodies, ({ mesh }) => meshes.indexOf(mesh)),
    Uint32Array.from(pairs.flat()),
    poses.subarray(0, 7 * bodies.length * frameCount),
  );
  return Buffer.concat(parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)));
}

/** The different meshes of some bodies, in the order of their first use. */
export function listMeshes(bodies: readonly { readonly mesh: Mesh }[]): Mesh[] {
  return [...new Set(bodies.map(({ mesh }) => mesh))];
}
