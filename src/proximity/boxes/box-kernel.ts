// Box searches in WebAssembly with SIMD, two children of a node at a time: 1.5 to 2.8 times as fast as in TypeScript. Its
// memory holds copies of the nodes that searches have visited. Answers and counters equal those of the TypeScript twins,
// which take over where the engine has no SIMD, a page forbids compiling, or memory or stack are full.
import type { PairQueue } from '../hulls/pair-queue.js';
import { KERNEL_CODE } from './box-kernel-code.js';
import { BOX_STRIDE, type BoxTree, UNOPENED } from './box-tree.js';

/** Decides whether two triangles cross, exactly. */
export interface CrossingTest {
  cross(triangleA: number, triangleB: number): boolean;
}

/** Measures two triangles. */
export interface NearTest {
  /** Returns the new threshold, beyond which pairs do not matter; negative to end the search. */
  judge(triangleA: number, triangleB: number): number;
}

/** Label: the end of a search that looked at everything. */
export const NOT_FOUND = 0;
/** Label: the end of a search whose test was true. */
export const FOUND = 1;
/**
 * Label: the end of a search for which memory or stack were too small: the kernel hands over the pairs that remain to
 * be searched.
 */
export const UNFINISHED = 2;

/**
 * Measured: making the kernel takes about 1 ms, as long as this many tests in TypeScript. A node is copied when it is
 * first visited, which takes as long as its test in TypeScript.
 */
const PRICE = 8000;

/** Layout: the address of the count of tests. All addresses are in bytes; assembly/box-kernel.ts has the same. */
const TESTS = 336;
/** Layout: the address of the rounding of coordinates. */
const SLACK = 344;
/** Layout: the address of the count of pairs on the stack. */
const DEPTH = 352;
/** Layout: the address of the end of the stack. */
const STACK_END = 356;
/** Layout: the address of the count of pairs that the queue may hold. */
const QUEUE_SIZE = 360;
/** Layout: the address of the count of pairs in the queue. */
const QUEUED = 364;
/** Layout: the address of the flag that no triangles have been measured yet. */
const PROBING = 368;
/** Layout: the address of the flag that the pair on top of the stack was taken from the queue. */
const FROM_QUEUE = 372;
/** Layout: the address of the threshold of a search for near triangles. */
const THRESHOLD = 376;
/** Layout: the address of the stack. */
const STACK = 1024;
/** Layout: the address of the queue. */
const QUEUE = 65_536;
/** Layout: the address of the first block of copied nodes. */
const FIRST_BLOCK = 131_072;
/** Layout: pairs with a bound, 16 bytes each, that the queue has room for. */
export const MAX_QUEUED = (FIRST_BLOCK - QUEUE) / 16;
/**
 * Layout: where a block has the links of its two nodes. A block holds two siblings: their boxes with numbers
 * interleaved, their links, and the nodes they are copies of. A copy is named by the address of its block plus 0 or 1.
 * Its link is the address of its children's block, 0 if they are not copied yet, or the complement of a triangle.
 */
const LINKS = 256;
/** Layout: where a block has the two nodes that it holds copies of. */
const ORIGINS = 264;
/** Layout: bytes of a block. */
const BLOCK = 272;
/** Layout: bytes of a page of memory: WebAssembly's unit. */
const PAGE = 65_536;
/** Layout: pages to start with: those before {@link FIRST_BLOCK}, and one for blocks. */
const FIRST_PAGES = 3;
/** Chosen: 512 MiB, for copies of both trees of two models of a million triangles. */
const MAX_PAGES = 8192;
/** Chosen: the largest number of pages to grow by at once, 16 MiB. */
const MAX_GROWTH = 256;

interface KernelExports {
  searchCrossing(rootA: number, rootB: number): number;
  searchNearest(rootA: number, rootB: number): number;
}

/** Limits of a kernel; tests set others. */
export interface KernelLimits {
  /** Tests in TypeScript before it is made. */
  readonly price?: number;
  /** Pages of 64 KiB; at least 3. */
  readonly maxPages?: number;
  /** Pairs with a bound on the stack of a search, which holds one for each level of both trees. */
  readonly stackSize?: number;
}

/** Runs the searches of one model with its partners. */
export class BoxKernel {
  /** Box tests made by the last search. */
  tests = 0;
  #earned = 0;
  readonly #price: number;
  #maxPages: number;
  readonly #stackEnd: number;
  /** Undefined until the kernel is made; null where the engine refuses. */
  #exports: KernelExports | null | undefined;
  #memory: WebAssembly.Memory | null = null;
  #numbers = new Float64Array(0);
  #integers = new Int32Array(0);
  /** Where the next block begins. */
  #end = FIRST_BLOCK;
  /** The copies of the roots. Trees are not kept alive: the space of those that are gone is reused at the next clearing. */
  #roots = new WeakMap<BoxTree, number>();
  /** Memory was full: all copies are dropped before the next search. */
  #isFull = false;
  #a: BoxTree | null = null;
  #b: BoxTree | null = null;
  #crossing: CrossingTest | null = null;
  #near: NearTest | null = null;

  constructor({ price = PRICE, maxPages = MAX_PAGES, stackSize = Infinity }: KernelLimits = {}) {
    this.#price = price;
    this.#maxPages = maxPages;
    this.#stackEnd = Math.min(STACK + 16 * stackSize, QUEUE);
  }

  get bytes(): number {
    return this.#memory?.buffer.byteLength ?? 0;
  }

  /** Whether searches can run here; if not, their twins report what they did to {@link earn}. */
  get isReady(): boolean {
    if (this.#exports === undefined && this.#earned >= this.#price) this.#start();
    return this.#exports !== undefined && this.#exports !== null;
  }

  /** Counts tests made in TypeScript: the kernel is made once they cost as much. */
  earn(tests: number): void {
    this.#earned += tests;
  }

  /** As `BoxCrossing.search`; returns how it ended. */
  searchCrossing(a: BoxTree, b: BoxTree, m: Float64Array, slack: number, test: CrossingTest): number {
    const [rootA, rootB] = this.#begin(a, b, m, slack);
    // Without room for the roots, nothing is left on the stack, and nothing was searched.
    if (rootA === 0 || rootB === 0) return UNFINISHED;
    this.#crossing = test;
    try {
      return this.#exports!.searchCrossing(rootA, rootB);
    } finally {
      this.#finish();
    }
  }

  /** As `BoxNearest.search`, with a queue of at most `room` pairs, 0 for none; returns how it ended. */
  searchNearest(
    a: BoxTree,
    b: BoxTree,
    m: Float64Array,
    slack: number,
    threshold: number,
    room: number,
    test: NearTest,
  ): number {
    const [rootA, rootB] = this.#begin(a, b, m, slack);
    this.#numbers[THRESHOLD >> 3] = threshold;
    if (rootA === 0 || rootB === 0) return UNFINISHED;
    this.#integers[QUEUE_SIZE >> 2] = Math.min(room, MAX_QUEUED);
    this.#near = test;
    try {
      return this.#exports!.searchNearest(rootA, rootB);
    } finally {
      this.#finish();
    }
  }

  /** The threshold at the end of an unfinished search. */
  get threshold(): number {
    return this.#numbers[THRESHOLD >> 3];
  }

  /** Whether an unfinished search has not measured triangles yet. */
  get probing(): boolean {
    return this.#integers[PROBING >> 2] !== 0;
  }

  /** Whether the pair on top of the stack of an unfinished search was taken from the queue. */
  get fromQueue(): boolean {
    return this.#integers[FROM_QUEUE >> 2] !== 0;
  }

  /** Writes what an unfinished search for near triangles left on its stack and in its queue. */
  takeBounded(nodesA: Int32Array, nodesB: Int32Array, bounds: Float64Array, queue: PairQueue): void {
    const integers = this.#integers;
    for (let i = 0, at = STACK >> 2; i < this.depth; i++, at += 4) {
      nodesA[i] = this.#originOf(integers[at]);
      nodesB[i] = this.#originOf(integers[at + 1]);
      bounds[i] = this.#numbers[(at >> 1) + 1];
    }
    for (let i = 0, at = QUEUE >> 2; i < integers[QUEUED >> 2]; i++, at += 4) {
      queue.push(this.#numbers[(at >> 1) + 1], this.#originOf(integers[at]), this.#originOf(integers[at + 1]));
    }
  }

  /**
   * Writes the pairs of nodes that an unfinished search left on its stack, and returns their number: 0 if the search
   * could not begin at all.
   */
  takeStack(nodesA: Int32Array, nodesB: Int32Array): number {
    const integers = this.#integers;
    const depth = this.depth;
    for (let i = 0; i < depth; i++) {
      const at = (STACK >> 2) + 2 * i;
      nodesA[i] = this.#originOf(integers[at]);
      nodesB[i] = this.#originOf(integers[at + 1]);
    }
    return depth;
  }

  /** Pairs that an unfinished search left on its stack. */
  get depth(): number {
    return this.#integers[DEPTH >> 2];
  }

  #start(): void {
    this.#exports = null;
    try {
      const memory = new WebAssembly.Memory({ initial: FIRST_PAGES - 1, maximum: this.#maxPages });
      // The first memory that grows in a process makes V8 compile all code with typed arrays again, which took a crowd of 200 agents
      // steps of up to 75 ms: better now than when more is compiled.
      this.#view(memory);
      memory.grow(1);
      const imports = {
        env: {
          memory,
          cross: (triangleA: number, triangleB: number): number => Number(this.#crossing!.cross(triangleA, triangleB)),
          judge: (triangleA: number, triangleB: number): number => this.#near!.judge(triangleA, triangleB),
          open: (tree: number, copy: number): number => this.#open(tree === 0 ? this.#a! : this.#b!, copy),
        },
      };
      const code = Uint8Array.from(KERNEL_CODE.match(/../g)!, (byte) => Number.parseInt(byte, 16));
      const instance = new WebAssembly.Instance(new WebAssembly.Module(code), imports);
      this.#memory = memory;
      this.#view(memory);
      this.#integers[STACK_END >> 2] = this.#stackEnd;
      this.#exports = instance.exports as unknown as KernelExports;
    } catch {
      // No SIMD, a content security policy without 'wasm-unsafe-eval', or no memory: the twins answer.
    }
  }

  /** Writes what a search needs; returns the copies of the two roots, 0 where there is no room. */
  #begin(a: BoxTree, b: BoxTree, m: Float64Array, slack: number): [number, number] {
    if (this.#isFull) this.#clear();
    this.#a = a;
    this.#b = b;
    const rootA = this.#rootOf(a);
    const rootB = this.#rootOf(b);
    this.#numbers.set(m);
    this.#numbers[SLACK >> 3] = slack;
    this.#integers[DEPTH >> 2] = 0;
    this.#integers[QUEUED >> 2] = 0;
    this.#integers[FROM_QUEUE >> 2] = 0;
    this.tests = 0;
    return [rootA, rootB];
  }

  /** Lets go of the trees and tests, so that a model keeps none of its partners alive. */
  #finish(): void {
    this.tests = this.#integers[TESTS >> 2];
    this.#a = null;
    this.#b = null;
    this.#crossing = null;
    this.#near = null;
  }

  #clear(): void {
    this.#roots = new WeakMap();
    this.#end = FIRST_BLOCK;
    this.#isFull = false;
  }

  #rootOf(tree: BoxTree): number {
    const known = this.#roots.get(tree);
    if (known !== undefined) return known;
    const block = this.#allocate();
    if (block === 0) return 0;
    this.#copy(tree, 0, block, 0);
    this.#roots.set(tree, block);
    return block;
  }

  /** Copies the children of a copied node, whose own are made if nobody visited them before. */
  #open(tree: BoxTree, copy: number): number {
    const node = this.#originOf(copy);
    const second = tree.links[node] === UNOPENED ? tree.open(node) : tree.links[node];
    const block = this.#allocate();
    if (block === 0) return 0;
    this.#copy(tree, node + 1, block, 0);
    this.#copy(tree, second, block, 1);
    this.#integers[((copy & ~1) + LINKS) / 4 + (copy & 1)] = block;
    return block;
  }

  #copy(tree: BoxTree, node: number, block: number, lane: number): void {
    const { boxes, links } = tree;
    const numbers = this.#numbers;
    let to = block / 8 + lane;
    const end = BOX_STRIDE * (node + 1);
    for (let from = BOX_STRIDE * node; from < end; from++) {
      numbers[to] = boxes[from];
      to += 2;
    }
    const link = links[node];
    this.#integers[(block + LINKS) / 4 + lane] = Math.min(link, 0);
    this.#integers[(block + ORIGINS) / 4 + lane] = node;
  }

  #originOf(copy: number): number {
    return this.#integers[((copy & ~1) + ORIGINS) / 4 + (copy & 1)];
  }

  /** The address of a new block, or 0 if memory is full. */
  #allocate(): number {
    const block = this.#end;
    if (block + BLOCK > this.#numbers.byteLength && !this.#grow()) {
      this.#isFull = true;
      return 0;
    }
    this.#end += BLOCK;
    return block;
  }

  #grow(): boolean {
    const memory = this.#memory!;
    const pages = memory.buffer.byteLength / PAGE;
    const more = Math.min(pages, MAX_GROWTH, this.#maxPages - pages);
    if (more <= 0) return false;
    try {
      memory.grow(more);
    } catch {
      this.#maxPages = pages;
      return false;
    }
    this.#view(memory);
    return true;
  }

  #view({ buffer }: WebAssembly.Memory): void {
    this.#numbers = new Float64Array(buffer);
    this.#integers = new Int32Array(buffer);
  }
}
