// Searches of two trees for near leaves in WebAssembly with SIMD, two children of a node at a time: three times as fast as in
// TypeScript. One kernel serves all pairs of a world; its memory holds copies of the trees. Answers equal those of the
// TypeScript twins, `NearLeaves` and `CrossingSearch`, which take over where the engine has no SIMD, a page forbids compiling,
// or memory is full.
import { KERNEL_CODE } from './contact-kernel-code.js';
import type { ContactFeatures } from './shape/contact-features.js';
import { type FeatureTree, NODE_STRIDE } from './shape/feature-tree.js';

/** Measured: making the kernel takes about 1 ms, as long as this many tests of boxes in TypeScript. */
const PRICE = 8000;
/** Layout: the address of the numbers that place B. All addresses are in bytes; assembly/contact-kernel.ts has the same. */
const FRAME = 0;
/** Layout: the address of the distance beyond which triangles are left out. */
const DISTANCE = 264;
/** Layout: the address of the pairs of items found. */
const ITEMS = 33_792;
/** Layout: the address of the first block of copied nodes. */
const FIRST_BLOCK = 65_536;
/** Layout: pairs of items that there is room for. */
const MAX_ITEMS = (FIRST_BLOCK - ITEMS) / 8;
/** Layout: levels of both trees together that the stack has room for. */
const MAX_LEVELS = 4000;
/**
 * Layout: bytes of a block: two siblings with numbers interleaved, their sizes, and their links, which are addresses of
 * children's blocks, or complements of items. A node is the address of its block plus 0 or 1.
 */
const BLOCK = 128;
/** Layout: where a block has the sizes of its nodes. */
const SIZES = 96;
/** Layout: where a block has the links of its nodes. */
const LINKS = 112;
/** Layout: numbers of a triangle: its corners and its plane. */
const TRIANGLE = 13;
/** Format: bytes of a page of memory. */
const PAGE = 65_536;
/** Layout: pages to start with: the one before {@link FIRST_BLOCK}, and one for blocks. */
const FIRST_PAGES = 2;
/** Chosen: 512 MiB. */
const MAX_PAGES = 8192;

interface KernelExports {
  begin(rootA: number, rootB: number): void;
  findMore(most: number, trianglesA: number, trianglesB: number): number;
  dropBeside(count: number, trianglesA: number, trianglesB: number): number;
}

/** Limits of a kernel; tests set others. */
export interface ContactKernelLimits {
  /** Tests in TypeScript before it is made. */
  readonly price?: number;
  /** Pages of 64 KiB; at least 2. */
  readonly maxPages?: number;
}

/** Runs searches, one at a time: each ends before the next begins. */
export class ContactKernel {
  /** Numbers that place B in the next search: its matrix, and what `NearLeaves` makes of it. */
  frame = new Float64Array(0);
  /** Pairs of items found last, of A and of B in turn. */
  items = new Int32Array(0);
  #earned = 0;
  readonly #price: number;
  readonly #maxPages: number;
  /** Undefined until the kernel is made; null where the engine refuses. */
  #exports: KernelExports | null | undefined;
  #memory: WebAssembly.Memory | null = null;
  #numbers = new Float64Array(0);
  #integers = new Int32Array(0);
  /** Where the next copy begins. */
  #end = FIRST_BLOCK;
  /** Where copies are; 0 for what there is no room for. */
  readonly #roots = new WeakMap<FeatureTree, number>();
  readonly #triangles = new WeakMap<ContactFeatures, number>();

  constructor({ price = PRICE, maxPages = MAX_PAGES }: ContactKernelLimits = {}) {
    this.#price = price;
    this.#maxPages = maxPages;
  }

  /** Counts tests made in TypeScript: the kernel is made once they cost as much. */
  earn(tests: number): void {
    this.#earned += tests;
  }

  /** The copy of the root of a tree; 0 where searches must be made in TypeScript. */
  rootOf(tree: FeatureTree): number {
    if (this.#exports === undefined && this.#earned >= this.#price) this.#start();
    if (this.#exports === undefined || this.#exports === null) return 0;
    const known = this.#roots.get(tree);
    if (known !== undefined) return known;
    const root = this.#copyTree(tree);
    this.#roots.set(tree, root);
    return root;
  }

  /** The copy of the triangles of a solid; 0 where there is no room for it. */
  trianglesOf(features: ContactFeatures): number {
    const known = this.#triangles.get(features);
    if (known !== undefined) return known;
    const triangles = this.#copyTriangles(features);
    this.#triangles.set(features, triangles);
    return triangles;
  }

  /** Begins a search at two roots, with the {@link frame} as it is. */
  begin(rootA: number, rootB: number): void {
    this.#exports!.begin(rootA, rootB);
  }

  /**
   * Finds more pairs of items, at most as many as there is room for; returns how many.
   * @param trianglesA and trianglesB copies of triangles: pairs that a plane keeps apart by more than `distance` are left out;
   * 0 to leave out none.
   */
  findMore(most: number, trianglesA = 0, trianglesB = 0, distance = 0): number {
    this.#numbers[DISTANCE >> 3] = distance;
    return this.#exports!.findMore(Math.min(most, MAX_ITEMS), trianglesA, trianglesB);
  }

  /** Whether it has the triangles of two solids. */
  hasTriangles(a: ContactFeatures, b: ContactFeatures): boolean {
    return (this.#triangles.get(a) ?? 0) !== 0 && (this.#triangles.get(b) ?? 0) !== 0;
  }

  /** Writes those of some pairs of triangles to {@link items} that no plane keeps apart; returns how many. At most {@link MAX_ITEMS}. */
  dropBeside(
    bInA: Float64Array,
    pairs: Int32Array,
    count: number,
    a: ContactFeatures,
    b: ContactFeatures,
    distance: number,
  ): number {
    const { items, frame } = this;
    for (let k = 0; k < 12; k++) frame[k] = bInA[k];
    for (let i = 0; i < 2 * count; i++) items[i] = pairs[i];
    this.#numbers[DISTANCE >> 3] = distance;
    return this.#exports!.dropBeside(count, this.#triangles.get(a)!, this.#triangles.get(b)!);
  }

  #start(): void {
    this.#exports = null;
    try {
      const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: this.#maxPages });
      const code = Uint8Array.from(KERNEL_CODE.match(/../g)!, (byte) => Number.parseInt(byte, 16));
      const instance = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } });
      this.#memory = memory;
      this.#view(memory);
      this.#exports = instance.exports as unknown as KernelExports;
    } catch {
      // No SIMD, a content security policy without 'wasm-unsafe-eval', or no memory: the twins answer.
    }
  }

  #view({ buffer }: WebAssembly.Memory): void {
    this.#numbers = new Float64Array(buffer);
    this.#integers = new Int32Array(buffer);
    this.frame = this.#numbers.subarray(FRAME, DISTANCE >> 3);
    this.items = this.#integers.subarray(ITEMS >> 2, FIRST_BLOCK >> 2);
  }

  /** The address of some more bytes, 0 if memory is full. */
  #allocate(bytes: number): number {
    const at = this.#end;
    const memory = this.#memory!;
    const missing = Math.ceil((at + bytes - memory.buffer.byteLength) / PAGE);
    if (missing > 0) {
      const pages = memory.buffer.byteLength / PAGE;
      const more = Math.min(Math.max(missing, pages), this.#maxPages - pages);
      if (more < missing) return 0;
      try {
        memory.grow(more);
      } catch {
        return 0;
      }
      this.#view(memory);
    }
    this.#end = at + BLOCK * Math.ceil(bytes / BLOCK);
    return at;
  }

  #copyTree({ boxes, links }: FeatureTree): number {
    if (links.length === 0 || levelsOf(links) > MAX_LEVELS / 2) return 0;
    // A node and its next sibling share a block; the root is in both lanes of its own.
    const root = this.#allocate(BLOCK * (1 + (links.length - 1) / 2));
    if (root === 0) return 0;
    const places = new Int32Array(links.length);
    places[0] = root;
    let next = root + BLOCK;
    for (let node = 0; node < links.length; node++) {
      if (links[node] < 0) continue;
      places[links[node]] = next;
      places[links[node] + 1] = next + 1;
      next += BLOCK;
    }
    for (let node = 0; node < links.length; node++) {
      const link = links[node] < 0 ? links[node] : places[links[node]];
      this.#copyNode(boxes, node, places[node], link);
    }
    this.#copyNode(boxes, 0, root + 1, this.#integers[(root + LINKS) >> 2]);
    return root;
  }

  #copyNode(boxes: Float64Array, node: number, place: number, link: number): void {
    const lane = place & 1;
    const block = place - lane;
    const from = NODE_STRIDE * node;
    for (let k = 0; k < NODE_STRIDE; k++) this.#numbers[(block >> 3) + 2 * k + lane] = boxes[from + k];
    this.#numbers[((block + SIZES) >> 3) + lane] = boxes[from + 3] + boxes[from + 4] + boxes[from + 5];
    this.#integers[((block + LINKS) >> 2) + lane] = link;
  }

  #copyTriangles({ positions, corners, trianglePlanes }: ContactFeatures): number {
    const count = corners.length / 3;
    const address = this.#allocate(8 * TRIANGLE * count);
    if (address === 0) return 0;
    const numbers = this.#numbers;
    for (let t = 0; t < count; t++) {
      const to = (address >> 3) + TRIANGLE * t;
      for (let c = 0; c < 9; c++) numbers[to + c] = positions[3 * corners[3 * t + Math.floor(c / 3)] + (c % 3)];
      for (let k = 0; k < 4; k++) numbers[to + 9 + k] = trianglePlanes[4 * t + k];
    }
    return address;
  }
}

/** Levels of a tree, whose children come after their parents. */
function levelsOf(links: Int32Array): number {
  const levels = new Int32Array(links.length).fill(1);
  let most = 1;
  for (let node = 0; node < links.length; node++) {
    if (links[node] < 0) continue;
    levels[links[node]] = levels[links[node] + 1] = levels[node] + 1;
    most = Math.max(most, levels[node] + 1);
  }
  return most;
}
