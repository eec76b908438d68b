// AssemblyScript: searches over copied trees of oriented boxes, two children of a node at a time, one in each lane of a
// vector. The same operations in the same order as box-crossing.ts and box-nearest.ts, which are the reference.
// Compile with `node scripts/build-kernel.mjs`; box-kernel.ts has the layout of the memory. All in src/proximity/boxes.

/** Decides whether two triangles cross. */
@external("env", "cross")
declare function cross(triangleA: i32, triangleB: i32): i32;
/** Copies the children of a node of tree 0 or 1. Returns the address of their block, or 0 where memory ends. */
@external("env", "open")
declare function open(tree: i32, node: i32): i32;

/** B in A's frame and A in B's, row-major 3 x 4. */
const M: usize = 0;
const INVERSE: usize = 96;
/** The box that is not split, in the frame of the other tree: center, axes, half-lengths, radius. */
const PLACED: usize = 192;
/** The overlaps of the two children. */
const GAPS: usize = 320;
const TESTS: usize = 336;
const SLACK: usize = 344;
/** Pairs left on the stack when a search ends. */
const DEPTH: usize = 352;
/** Where the stack ends. */
const STACK_END: usize = 356;
const STACK: usize = 1024;

/** Places in a block. A node is the address of its block, plus its lane. */
const RADIUS: usize = 240;
const LINKS: usize = 256;

const NOT_FOUND = 0;
const FOUND = 1;
/** The stack or the memory is full; the pairs still to be searched are on the stack. */
const UNFINISHED = 2;

// @ts-ignore: decorator
@inline function add(a: v128, b: v128): v128 { return f64x2.add(a, b); }
// @ts-ignore: decorator
@inline function sub(a: v128, b: v128): v128 { return f64x2.sub(a, b); }
// @ts-ignore: decorator
@inline function mul(a: v128, b: v128): v128 { return f64x2.mul(a, b); }
// @ts-ignore: decorator
@inline function mag(a: v128): v128 { return f64x2.abs(a); }
// @ts-ignore: decorator
@inline function dot(x: v128, a: v128, y: v128, b: v128, z: v128, c: v128): v128 {
  return add(add(mul(x, a), mul(y, b)), mul(z, c));
}
/** a + b x + c y + d z, in this order. */
// @ts-ignore: decorator
@inline function reach(a: v128, b: v128, x: v128, c: v128, y: v128, d: v128, z: v128): v128 {
  return add(add(add(a, mul(b, x)), mul(c, y)), mul(d, z));
}
/** A size with the sign of another number. */
// @ts-ignore: decorator
@inline function signed(size: v128, like: v128): v128 { return v128.or(size, v128.and(like, f64x2.splat(-0.0))); }
/** Both lanes of a number of the placed box. */
// @ts-ignore: decorator
@inline function both(at: usize): v128 { return v128.load64_splat(PLACED + at); }

// @ts-ignore: decorator
@inline function invert(): void {
  for (let row: usize = 0; row < 3; row++) {
    for (let k: usize = 0; k < 3; k++) store<f64>(INVERSE + 8 * (4 * row + k), load<f64>(M + 8 * (4 * k + row)));
    store<f64>(
      INVERSE + 8 * (4 * row + 3),
      -(load<f64>(M + 8 * row) * load<f64>(M, 24) + load<f64>(M + 8 * (4 + row)) * load<f64>(M, 56) +
        load<f64>(M + 8 * (8 + row)) * load<f64>(M, 88)),
    );
  }
}

/** Where the first number of a node's box is; the next ones follow at every 16 bytes. */
// @ts-ignore: decorator
@inline function boxOf(node: i32): usize { return (node & ~1) + ((node & 1) << 3); }
// @ts-ignore: decorator
@inline function linkOf(node: i32): i32 { return load<i32>((node & ~1) + ((node & 1) << 2), LINKS); }

// @ts-ignore: decorator
@inline function placeCenter(m: usize, box: usize): void {
  const x = load<f64>(box), y = load<f64>(box, 16), z = load<f64>(box, 32);
  store<f64>(PLACED, load<f64>(m) * x + load<f64>(m, 8) * y + load<f64>(m, 16) * z + load<f64>(m, 24));
  store<f64>(PLACED, load<f64>(m, 32) * x + load<f64>(m, 40) * y + load<f64>(m, 48) * z + load<f64>(m, 56), 8);
  store<f64>(PLACED, load<f64>(m, 64) * x + load<f64>(m, 72) * y + load<f64>(m, 80) * z + load<f64>(m, 88), 16);
  store<f64>(PLACED, load<f64>(box, 240) + load<f64>(SLACK), 120);
}

// @ts-ignore: decorator
@inline function placeAxes(m: usize, box: usize): void {
  const slack = load<f64>(SLACK);
  const m0 = load<f64>(m), m1 = load<f64>(m, 8), m2 = load<f64>(m, 16);
  const m4 = load<f64>(m, 32), m5 = load<f64>(m, 40), m6 = load<f64>(m, 48);
  const m8 = load<f64>(m, 64), m9 = load<f64>(m, 72), m10 = load<f64>(m, 80);
  let x = load<f64>(box, 48), y = load<f64>(box, 64), z = load<f64>(box, 80);
  store<f64>(PLACED, m0 * x + m1 * y + m2 * z, 24);
  store<f64>(PLACED, m4 * x + m5 * y + m6 * z, 32);
  store<f64>(PLACED, m8 * x + m9 * y + m10 * z, 40);
  x = load<f64>(box, 96); y = load<f64>(box, 112); z = load<f64>(box, 128);
  store<f64>(PLACED, m0 * x + m1 * y + m2 * z, 48);
  store<f64>(PLACED, m4 * x + m5 * y + m6 * z, 56);
  store<f64>(PLACED, m8 * x + m9 * y + m10 * z, 64);
  x = load<f64>(box, 144); y = load<f64>(box, 160); z = load<f64>(box, 176);
  store<f64>(PLACED, m0 * x + m1 * y + m2 * z, 72);
  store<f64>(PLACED, m4 * x + m5 * y + m6 * z, 80);
  store<f64>(PLACED, m8 * x + m9 * y + m10 * z, 88);
  store<f64>(PLACED, load<f64>(box, 192) + slack, 96);
  store<f64>(PLACED, load<f64>(box, 208) + slack, 104);
  store<f64>(PLACED, load<f64>(box, 224) + slack, 112);
}

/** Which of the two children are apart from the placed box by their spheres, as bits. */
// @ts-ignore: decorator
@inline function spheresApart(block: usize): i32 {
  const dx = sub(both(0), v128.load(block));
  const dy = sub(both(8), v128.load(block, 16));
  const dz = sub(both(16), v128.load(block, 32));
  const radii = add(v128.load(block, RADIUS), both(120));
  return i64x2.bitmask(f64x2.le(dot(dx, dx, dy, dy, dz, dz), mul(radii, radii))) ^ 3;
}

/** Which of the two children are apart from the placed box, as bits; `apart` are known to be. Writes their overlaps. */
function findGaps(block: usize, apart: i32): i32 {
  const zero = f64x2.splat(0);
  const slack = v128.load64_splat(SLACK);
  const dx = sub(both(0), v128.load(block));
  const dy = sub(both(8), v128.load(block, 16));
  const dz = sub(both(16), v128.load(block, 32));
  let x = v128.load(block, 48), y = v128.load(block, 64), z = v128.load(block, 80);
  const h0 = add(v128.load(block, 192), slack);
  const c00 = dot(x, both(24), y, both(32), z, both(40));
  const c01 = dot(x, both(48), y, both(56), z, both(64));
  const c02 = dot(x, both(72), y, both(80), z, both(88));
  const d00 = mag(c00), d01 = mag(c01), d02 = mag(c02);
  const t0 = dot(x, dx, y, dy, z, dz);
  let most = sub(mag(t0), reach(h0, d00, both(96), d01, both(104), d02, both(112)));
  apart |= i64x2.bitmask(f64x2.gt(most, zero));
  if (apart == 3) return 3;

  x = v128.load(block, 96); y = v128.load(block, 112); z = v128.load(block, 128);
  const h1 = add(v128.load(block, 208), slack);
  const c10 = dot(x, both(24), y, both(32), z, both(40));
  const c11 = dot(x, both(48), y, both(56), z, both(64));
  const c12 = dot(x, both(72), y, both(80), z, both(88));
  const d10 = mag(c10), d11 = mag(c11), d12 = mag(c12);
  const t1 = dot(x, dx, y, dy, z, dz);
  let gap = sub(mag(t1), reach(h1, d10, both(96), d11, both(104), d12, both(112)));
  apart |= i64x2.bitmask(f64x2.gt(gap, zero));
  if (apart == 3) return 3;
  most = f64x2.pmax(most, gap);

  x = v128.load(block, 144); y = v128.load(block, 160); z = v128.load(block, 176);
  const h2 = add(v128.load(block, 224), slack);
  const c20 = dot(x, both(24), y, both(32), z, both(40));
  const c21 = dot(x, both(48), y, both(56), z, both(64));
  const c22 = dot(x, both(72), y, both(80), z, both(88));
  const d20 = mag(c20), d21 = mag(c21), d22 = mag(c22);
  const t2 = dot(x, dx, y, dy, z, dz);
  gap = sub(mag(t2), reach(h2, d20, both(96), d21, both(104), d22, both(112)));
  apart |= i64x2.bitmask(f64x2.gt(gap, zero));
  if (apart == 3) return 3;
  most = f64x2.pmax(most, gap);

  gap = sub(mag(dot(both(24), dx, both(32), dy, both(40), dz)), reach(both(96), d00, h0, d10, h1, d20, h2));
  let over = f64x2.gt(gap, zero);
  most = f64x2.pmax(most, gap);
  gap = sub(mag(dot(both(48), dx, both(56), dy, both(64), dz)), reach(both(104), d01, h0, d11, h1, d21, h2));
  over = v128.or(over, f64x2.gt(gap, zero));
  most = f64x2.pmax(most, gap);
  gap = sub(mag(dot(both(72), dx, both(80), dy, both(88), dz)), reach(both(112), d02, h0, d12, h1, d22, h2));
  over = v128.or(over, f64x2.gt(gap, zero));
  most = f64x2.pmax(most, gap);
  apart |= i64x2.bitmask(over);
  if (apart == 3) return 3;

  const more = mul(f64x2.splat(2), slack);
  const g0 = both(96), g1 = both(104), g2 = both(112);
  over = f64x2.gt(mag(sub(mul(t2, c10), mul(t1, c20))), add(reach(mul(h1, d20), h2, d10, g1, d02, g2, d01), more));
  over = v128.or(over, f64x2.gt(mag(sub(mul(t2, c11), mul(t1, c21))), add(reach(mul(h1, d21), h2, d11, g0, d02, g2, d00), more)));
  over = v128.or(over, f64x2.gt(mag(sub(mul(t2, c12), mul(t1, c22))), add(reach(mul(h1, d22), h2, d12, g0, d01, g1, d00), more)));
  apart |= i64x2.bitmask(over);
  if (apart == 3) return 3;
  over = f64x2.gt(mag(sub(mul(t0, c20), mul(t2, c00))), add(reach(mul(h0, d20), h2, d00, g1, d12, g2, d11), more));
  over = v128.or(over, f64x2.gt(mag(sub(mul(t0, c21), mul(t2, c01))), add(reach(mul(h0, d21), h2, d01, g0, d12, g2, d10), more)));
  over = v128.or(over, f64x2.gt(mag(sub(mul(t0, c22), mul(t2, c02))), add(reach(mul(h0, d22), h2, d02, g0, d11, g1, d10), more)));
  apart |= i64x2.bitmask(over);
  if (apart == 3) return 3;
  over = f64x2.gt(mag(sub(mul(t1, c00), mul(t0, c10))), add(reach(mul(h0, d10), h1, d00, g1, d22, g2, d21), more));
  over = v128.or(over, f64x2.gt(mag(sub(mul(t1, c01), mul(t0, c11))), add(reach(mul(h0, d11), h1, d01, g0, d22, g2, d20), more)));
  over = v128.or(over, f64x2.gt(mag(sub(mul(t1, c02), mul(t0, c12))), add(reach(mul(h0, d12), h1, d02, g0, d21, g1, d20), more)));
  apart |= i64x2.bitmask(over);
  v128.store(GAPS, most);
  return apart;
}

/** Whether triangles below two roots cross. */
export function searchCrossing(rootA: i32, rootB: i32): i32 {
  invert();
  let tests = 1;
  store<i32>(TESTS, 1);
  store<i32>(DEPTH, 0);
  // The block of a root has nothing in its second lane.
  placeCenter(M, boxOf(rootB));
  if (spheresApart(rootA) & 1) return NOT_FOUND;
  placeAxes(M, boxOf(rootB));
  if (findGaps(rootA, 2) & 1) return NOT_FOUND;
  const end: usize = load<u32>(STACK_END);
  let top = STACK;
  store<i32>(top, rootA);
  store<i32>(top, rootB, 4);
  top += 8;
  while (top > STACK) {
    top -= 8;
    const nodeA = load<i32>(top), nodeB = load<i32>(top, 4);
    const linkA = linkOf(nodeA), linkB = linkOf(nodeB);
    if ((linkA & linkB) < 0) {
      if (cross(~linkA, ~linkB)) {
        store<i32>(TESTS, tests);
        return FOUND;
      }
      continue;
    }
    const boxA = boxOf(nodeA), boxB = boxOf(nodeB);
    const splitsA = linkB < 0 || (linkA >= 0 && load<f64>(boxA, RADIUS) >= load<f64>(boxB, RADIUS));
    let first = splitsA ? linkA : linkB;
    if (first == 0) first = open(i32(!splitsA), splitsA ? nodeA : nodeB);
    if (first == 0 || top + 16 > end) {
      store<i32>(TESTS, tests);
      store<i32>(DEPTH, i32((top + 8 - STACK) >> 3));
      return UNFINISHED;
    }
    tests += 2;
    const frame = splitsA ? M : INVERSE;
    const whole = splitsA ? boxB : boxA;
    placeCenter(frame, whole);
    let apart = spheresApart(first);
    if (apart == 3) continue;
    placeAxes(frame, whole);
    apart = findGaps(first, apart);
    if (apart == 3) continue;
    if (apart == 0) {
      const deeper = load<f64>(GAPS) <= load<f64>(GAPS, 8) ? 0 : 1;
      store<i32>(top, splitsA ? first + 1 - deeper : nodeA);
      store<i32>(top, splitsA ? nodeB : first + 1 - deeper, 4);
      store<i32>(top, splitsA ? first + deeper : nodeA, 8);
      store<i32>(top, splitsA ? nodeB : first + deeper, 12);
      top += 16;
    } else {
      const child = first + (apart & 1);
      store<i32>(top, splitsA ? child : nodeA);
      store<i32>(top, splitsA ? nodeB : child, 4);
      top += 8;
    }
  }
  store<i32>(TESTS, tests);
  return NOT_FOUND;
}

/** Where the queue of pairs begins, and the most pairs in it. */
const QUEUE: usize = 65536;
const QUEUE_SIZE: usize = 360;
/** Pairs left in the queue when a search ends, and whether the first triangles are still to be found. */
const QUEUED: usize = 364;
const PROBING: usize = 368;
/** Whether the pair on top of the stack was taken from the queue. */
const FROM_QUEUE: usize = 372;
/** Pairs beyond this cannot change the answer. */
const THRESHOLD: usize = 376;
/** As in box-nearest.ts. */
const MIN_SINE_SQUARED: f64 = 0.01;

/** Measures two triangles. Returns the new threshold, negative to end the search. */
@external("env", "judge")
declare function judge(triangleA: i32, triangleB: i32): f64;

/**
 * Which of the two children are farther from the placed box than the threshold, as bits. Writes lower bounds on the
 * distances of the others: see src/proximity/boxes/box-nearest.ts.
 */
function findBounds(block: usize, frame: usize, whole: usize): i32 {
  const limit = v128.load64_splat(THRESHOLD);
  placeCenter(frame, whole);
  const dx = sub(both(0), v128.load(block));
  const dy = sub(both(8), v128.load(block, 16));
  const dz = sub(both(16), v128.load(block, 32));
  const far = add(add(v128.load(block, RADIUS), both(120)), limit);
  let beyond = i64x2.bitmask(f64x2.gt(dot(dx, dx, dy, dy, dz, dz), mul(far, far)));
  if (beyond == 3) return 3;

  placeAxes(frame, whole);
  const zero = f64x2.splat(0);
  const slack = v128.load64_splat(SLACK);
  const most = mul(limit, limit);
  let x = v128.load(block, 48), y = v128.load(block, 64), z = v128.load(block, 80);
  const h0 = add(v128.load(block, 192), slack);
  const c00 = dot(x, both(24), y, both(32), z, both(40));
  const c01 = dot(x, both(48), y, both(56), z, both(64));
  const c02 = dot(x, both(72), y, both(80), z, both(88));
  const t0 = dot(x, dx, y, dy, z, dz);
  let out0 = sub(mag(t0), h0);
  let gap0 = f64x2.pmax(sub(out0, dot(mag(c00), both(96), mag(c01), both(104), mag(c02), both(112))), zero);
  x = v128.load(block, 96); y = v128.load(block, 112); z = v128.load(block, 128);
  const h1 = add(v128.load(block, 208), slack);
  const c10 = dot(x, both(24), y, both(32), z, both(40));
  const c11 = dot(x, both(48), y, both(56), z, both(64));
  const c12 = dot(x, both(72), y, both(80), z, both(88));
  const t1 = dot(x, dx, y, dy, z, dz);
  let out1 = sub(mag(t1), h1);
  let gap1 = f64x2.pmax(sub(out1, dot(mag(c10), both(96), mag(c11), both(104), mag(c12), both(112))), zero);
  x = v128.load(block, 144); y = v128.load(block, 160); z = v128.load(block, 176);
  const h2 = add(v128.load(block, 224), slack);
  const c20 = dot(x, both(24), y, both(32), z, both(40));
  const c21 = dot(x, both(48), y, both(56), z, both(64));
  const c22 = dot(x, both(72), y, both(80), z, both(88));
  const t2 = dot(x, dx, y, dy, z, dz);
  let out2 = sub(mag(t2), h2);
  let gap2 = f64x2.pmax(sub(out2, dot(mag(c20), both(96), mag(c21), both(104), mag(c22), both(112))), zero);
  let square = dot(gap0, gap0, gap1, gap1, gap2, gap2);
  beyond |= i64x2.bitmask(f64x2.gt(square, most));
  if (beyond == 3) return 3;

  let s0 = signed(gap0, t0), s1 = signed(gap1, t1), s2 = signed(gap2, t2);
  let along = f64x2.div(
    sub(
      dot(gap0, out0, gap1, out1, gap2, out2),
      dot(
        mag(dot(s0, c00, s1, c10, s2, c20)), both(96),
        mag(dot(s0, c01, s1, c11, s2, c21)), both(104),
        mag(dot(s0, c02, s1, c12, s2, c22)), both(112),
      ),
    ),
    f64x2.sqrt(square),
  );
  beyond |= i64x2.bitmask(f64x2.gt(along, limit));
  if (beyond == 3) return 3;
  // Not a number where there are no gaps: then the first is kept.
  let bound = f64x2.pmax(zero, along);

  const u0 = dot(both(24), dx, both(32), dy, both(40), dz);
  const u1 = dot(both(48), dx, both(56), dy, both(64), dz);
  const u2 = dot(both(72), dx, both(80), dy, both(88), dz);
  out0 = sub(mag(u0), both(96));
  out1 = sub(mag(u1), both(104));
  out2 = sub(mag(u2), both(112));
  gap0 = f64x2.pmax(sub(out0, dot(mag(c00), h0, mag(c10), h1, mag(c20), h2)), zero);
  gap1 = f64x2.pmax(sub(out1, dot(mag(c01), h0, mag(c11), h1, mag(c21), h2)), zero);
  gap2 = f64x2.pmax(sub(out2, dot(mag(c02), h0, mag(c12), h1, mag(c22), h2)), zero);
  square = dot(gap0, gap0, gap1, gap1, gap2, gap2);
  beyond |= i64x2.bitmask(f64x2.gt(square, most));
  if (beyond == 3) return 3;
  s0 = signed(gap0, u0); s1 = signed(gap1, u1); s2 = signed(gap2, u2);
  along = f64x2.div(
    sub(
      dot(gap0, out0, gap1, out1, gap2, out2),
      dot(
        mag(dot(s0, c00, s1, c01, s2, c02)), h0,
        mag(dot(s0, c10, s1, c11, s2, c12)), h1,
        mag(dot(s0, c20, s1, c21, s2, c22)), h2,
      ),
    ),
    f64x2.sqrt(square),
  );
  beyond |= i64x2.bitmask(f64x2.gt(along, limit));
  if (beyond == 3) return 3;
  bound = f64x2.pmax(bound, along);

  square = add(mul(c10, c10), mul(c20, c20));
  const reached = reach(mul(h1, mag(c20)), h2, mag(c10), both(104), mag(c02), both(112), mag(c01));
  along = f64x2.div(
    sub(sub(mag(sub(mul(t2, c10), mul(t1, c20))), reached), mul(f64x2.splat(2), slack)),
    f64x2.sqrt(square),
  );
  // Nothing where the long axes are nearly parallel.
  along = v128.and(along, f64x2.gt(square, f64x2.splat(MIN_SINE_SQUARED)));
  v128.store(GAPS, f64x2.pmax(bound, along));
  return beyond | i64x2.bitmask(f64x2.gt(along, limit));
}

// @ts-ignore: decorator
@inline function put(at: usize, nodeA: i32, nodeB: i32, bound: f64): void {
  store<i32>(at, nodeA);
  store<i32>(at, nodeB, 4);
  store<f64>(at, bound, 8);
}

/** Adds a pair to a queue of `size`: as PairQueue does. */
function enqueue(size: i32, nodeA: i32, nodeB: i32, bound: f64): void {
  let at = size;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const from = QUEUE + (<usize>parent << 4);
    if (load<f64>(from, 8) <= bound) break;
    v128.store(QUEUE + (<usize>at << 4), v128.load(from));
    at = parent;
  }
  put(QUEUE + (<usize>at << 4), nodeA, nodeB, bound);
}

/** Removes the first pair of a queue, of which `last` remain. */
function dequeue(last: i32): void {
  const moved = QUEUE + (<usize>last << 4);
  const bound = load<f64>(moved, 8);
  let at = 0;
  while (true) {
    let child = 2 * at + 1;
    if (child >= last) break;
    if (child + 1 < last && load<f64>(QUEUE + (<usize>(child + 1) << 4), 8) < load<f64>(QUEUE + (<usize>child << 4), 8)) child++;
    const from = QUEUE + (<usize>child << 4);
    if (load<f64>(from, 8) >= bound) break;
    v128.store(QUEUE + (<usize>at << 4), v128.load(from));
    at = child;
  }
  v128.store(QUEUE + (<usize>at << 4), v128.load(moved));
}

/** Judges pairs of triangles below two roots, the nearest boxes first, until none is within the threshold. */
export function searchNearest(rootA: i32, rootB: i32): i32 {
  invert();
  let tests = 1;
  const room = load<i32>(QUEUE_SIZE);
  const end: usize = load<u32>(STACK_END);
  let probing = i32(room > 0);
  let queued = 0;
  let top = STACK;
  store<i32>(TESTS, 1);
  if (findBounds(rootA, M, boxOf(rootB)) & 1) return NOT_FOUND;
  put(top, rootA, rootB, load<f64>(GAPS));
  if (probing) {
    enqueue(0, rootA, rootB, load<f64>(GAPS));
    queued = 1;
  } else top += 16;
  while (true) {
    let fromQueue = 0;
    if (top > STACK) top -= 16;
    else {
      if (queued == 0) break;
      v128.store(top, v128.load(QUEUE));
      dequeue(--queued);
      fromQueue = probing;
    }
    const bound = load<f64>(top, 8);
    if (bound > load<f64>(THRESHOLD)) continue;
    const nodeA = load<i32>(top), nodeB = load<i32>(top, 4);
    const linkA = linkOf(nodeA), linkB = linkOf(nodeB);
    if ((linkA & linkB) < 0) {
      probing = 0;
      const threshold = judge(~linkA, ~linkB);
      if (threshold < 0) break;
      store<f64>(THRESHOLD, threshold);
      continue;
    }
    const boxA = boxOf(nodeA), boxB = boxOf(nodeB);
    const splitsA = linkB < 0 || (linkA >= 0 && load<f64>(boxA, RADIUS) >= load<f64>(boxB, RADIUS));
    let first = splitsA ? linkA : linkB;
    if (first == 0) first = open(i32(!splitsA), splitsA ? nodeA : nodeB);
    if (first == 0 || top + 32 > end) {
      top += 16;
      store<i32>(TESTS, tests);
      store<i32>(DEPTH, i32((top - STACK) >> 4));
      store<i32>(QUEUED, queued);
      store<i32>(PROBING, probing);
      store<i32>(FROM_QUEUE, fromQueue);
      return UNFINISHED;
    }
    tests += 2;
    const beyond = findBounds(first, splitsA ? M : INVERSE, splitsA ? boxB : boxA);
    if (beyond == 3) continue;
    const bound1 = load<f64>(GAPS), bound2 = load<f64>(GAPS, 8);
    // The farther child first: the nearer one is on top of it.
    let lane = i32(beyond == 1 || (beyond == 0 && bound1 <= bound2));
    for (let left = i32(beyond == 0); left >= 0; left--) {
      const child = first + lane;
      const at = splitsA ? child : nodeA, to = splitsA ? nodeB : child;
      const value = lane ? bound2 : bound1;
      lane = 1 - lane;
      if (fromQueue && queued < room) enqueue(queued++, at, to, value);
      else {
        put(top, at, to, value);
        top += 16;
      }
    }
  }
  store<i32>(TESTS, tests);
  return NOT_FOUND;
}
