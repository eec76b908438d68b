// Makes an instance of assembly/elastic-kernel.ts with a memory of its own.
import { KERNEL_CODE } from './elastic-kernel-code.js';

/** Format: bytes of a page of WebAssembly memory. */
const PAGE = 65_536;

interface KernelExports {
  solve(panels: number, table: number, vector: number, gathered: number): void;
  forces(pairs: number, data: number, x: number, out: number, mu: number, lambda: number): number;
  gradients(pairs: number, data: number, x: number, out: number): void;
  invert(pairs: number, data: number, rates: number, least: number, most: number): number;
  /** Takes scalars: the signature is that of WebAssembly. */
  dampedForces(
    pairs: number,
    data: number,
    rates: number,
    x: number,
    out: number,
    mu: number,
    lambda: number,
    viscousMu: number,
    viscousLambda: number,
  ): number;
  /** Takes scalars: the signature is that of WebAssembly. */
  pointsInElements(
    from: number,
    to: number,
    elements: number,
    x: number,
    grid: number,
    nx: number,
    ny: number,
    nz: number,
    starts: number,
    points: number,
    total: number,
    out: number,
    room: number,
    found: number,
  ): number;
  largest(n: number, a: number): number;
  gather(n: number, order: number, scales: number, from: number, to: number, shrink: number): void;
  scatter(n: number, order: number, scales: number, from: number, to: number, grow: number): void;
  dot(n: number, a: number, b: number): number;
  addScaled(n: number, out: number, a: number, weight: number, b: number): number;
  combine(n: number, out: number, a: number, b: number, weight: number): void;
}

export interface ElasticKernel {
  readonly memory: ArrayBuffer;
  readonly exports: KernelExports;
}

/** Null where the engine has no SIMD, a page forbids compiling, or there is no memory. */
export function createKernel(bytes: number): ElasticKernel | null {
  try {
    const memory = new WebAssembly.Memory({ initial: Math.max(2, Math.ceil(bytes / PAGE)) });
    const code = Uint8Array.from(KERNEL_CODE.match(/../g)!, (byte) => Number.parseInt(byte, 16));
    const instance = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } });
    return { memory: memory.buffer, exports: instance.exports as unknown as KernelExports };
  } catch {
    return null;
  }
}
