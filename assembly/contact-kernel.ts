// AssemblyScript: pairs of leaves of two trees whose boxes are within a reach, two children of a node at a time, one in each
// lane of a vector; and triangles that a plane of one of them keeps apart. The same operations in the same order as
// near-leaves.ts and crossing-search.ts, which are the reference. Compile with `node scripts/build-kernel.mjs`;
// contact-kernel.ts in src/manifold has the layout of the memory.

/** B in A's frame, row-major 3 x 4. */
const M: usize = 0;
/** The absolute values of the rotation, by rows. */
const ABSOLUTE: usize = 96;
/** By how much boxes may be apart along the axes of A, and of B. */
const REACH: usize = 168;
/** Half of the way of B along the axes of A, and of B. */
const SHIFT: usize = 216;
/** Triangles farther apart than this are left out. */
const DISTANCE: usize = 264;
/** The end of the stack. */
const TOP: usize = 272;
const STACK: usize = 1024;
/** Where pairs of items go. */
const ITEMS: usize = 33792;

/** Places in a block: two siblings with numbers interleaved. A node is the address of its block plus its lane. */
const SIZES: usize = 96;
const LINKS: usize = 112;

/** Numbers of a triangle: its corners and its plane, in bytes. */
const TRIANGLE: usize = 104;
const PLANE: usize = 72;

// @ts-ignore: decorator
@inline function add(a: v128, b: v128): v128 { return f64x2.add(a, b); }
// @ts-ignore: decorator
@inline function mul(a: v128, b: v128): v128 { return f64x2.mul(a, b); }
// @ts-ignore: decorator
@inline function both(at: usize): v128 { return v128.load64_splat(at); }

/** Lanes whose boxes are not beyond the reach along one axis of A: its row of the matrix begins at `row`. */
// @ts-ignore: decorator
@inline function beyond(gap: v128, shift: usize, half: v128, r: usize, x: v128, s: usize, y: v128, t: usize, z: v128, reach: usize): v128 {
  const most = add(add(add(add(half, mul(both(r), x)), mul(both(s), y)), mul(both(t), z)), both(reach));
  return f64x2.gt(f64x2.abs(add(gap, both(shift))), most);
}

// @ts-ignore: decorator
@inline function row(at: usize, x: v128, y: v128, z: v128): v128 {
  return add(add(add(mul(both(at), x), mul(both(at + 8), y)), mul(both(at + 16), z)), both(at + 24));
}

// @ts-ignore: decorator
@inline function column(at: usize, x: v128, y: v128, z: v128): v128 {
  return add(add(mul(both(at), x), mul(both(at + 32), y)), mul(both(at + 64), z));
}

/** A number of two siblings, or of one node in both lanes. */
// @ts-ignore: decorator
@inline function pick(at: usize, splits: bool, offset: usize): v128 {
  return splits ? v128.load(at + offset) : v128.load64_splat(at + offset);
}

/**
 * Which of two pairs of boxes are near: bit by lane. The one that is split is given by its children's block, the other by
 * its block plus 8 times its lane.
 */
// @ts-ignore: decorator
@inline function near(a: usize, b: usize, splitsA: bool): i32 {
  const bx = pick(b, !splitsA, 0);
  const by = pick(b, !splitsA, 16);
  const bz = pick(b, !splitsA, 32);
  const hx = pick(b, !splitsA, 48);
  const hy = pick(b, !splitsA, 64);
  const hz = pick(b, !splitsA, 80);
  const ax = pick(a, splitsA, 48);
  const dx = f64x2.sub(row(M, bx, by, bz), pick(a, splitsA, 0));
  let out = beyond(dx, SHIFT, ax, ABSOLUTE, hx, ABSOLUTE + 8, hy, ABSOLUTE + 16, hz, REACH);
  if (i64x2.all_true(out)) return 0;
  const ay = pick(a, splitsA, 64);
  const dy = f64x2.sub(row(M + 32, bx, by, bz), pick(a, splitsA, 16));
  out = v128.or(out, beyond(dy, SHIFT + 8, ay, ABSOLUTE + 24, hx, ABSOLUTE + 32, hy, ABSOLUTE + 40, hz, REACH + 8));
  if (i64x2.all_true(out)) return 0;
  const az = pick(a, splitsA, 80);
  const dz = f64x2.sub(row(M + 64, bx, by, bz), pick(a, splitsA, 32));
  out = v128.or(out, beyond(dz, SHIFT + 16, az, ABSOLUTE + 48, hx, ABSOLUTE + 56, hy, ABSOLUTE + 64, hz, REACH + 16));
  if (i64x2.all_true(out)) return 0;
  const u = column(M, dx, dy, dz);
  out = v128.or(out, beyond(u, SHIFT + 24, hx, ABSOLUTE, ax, ABSOLUTE + 24, ay, ABSOLUTE + 48, az, REACH + 24));
  if (i64x2.all_true(out)) return 0;
  const v = column(M + 8, dx, dy, dz);
  out = v128.or(out, beyond(v, SHIFT + 32, hy, ABSOLUTE + 8, ax, ABSOLUTE + 32, ay, ABSOLUTE + 56, az, REACH + 32));
  const w = column(M + 16, dx, dy, dz);
  out = v128.or(out, beyond(w, SHIFT + 40, hz, ABSOLUTE + 16, ax, ABSOLUTE + 40, ay, ABSOLUTE + 64, az, REACH + 40));
  return ~i64x2.bitmask(out) & 3;
}

// @ts-ignore: decorator
@inline function linkOf(node: usize): i32 { return load<i32>((node & ~7) + LINKS + ((node & 1) << 2)); }
// @ts-ignore: decorator
@inline function sizeOf(node: usize): f64 { return load<f64>((node & ~7) + SIZES + ((node & 1) << 3)); }
/** Where the numbers of one node begin. */
// @ts-ignore: decorator
@inline function numbersOf(node: usize): usize { return (node & ~7) + ((node & 1) << 3); }

/** Begins a search at two roots, which are single nodes in the first lanes of their blocks. */
export function begin(rootA: usize, rootB: usize): void {
  // The lanes of the block of a root are equal.
  if ((near(rootA, rootB, true) & 1) == 0) {
    store<usize>(TOP, STACK);
    return;
  }
  store<usize>(STACK, rootA);
  store<usize>(STACK, rootB, 4);
  store<usize>(TOP, STACK + 8);
}

/**
 * Goes on with a search until `most` pairs of items are found. Returns how many they are.
 * @param trianglesA and trianglesB 0, or where the triangles are that the items name: pairs that a plane keeps apart by more
 * than the distance are left out.
 */
export function findMore(most: i32, trianglesA: usize, trianglesB: usize): i32 {
  let top = load<usize>(TOP);
  let count = 0;
  while (top > STACK && count < most) {
    top -= 8;
    const nodeA = load<usize>(top);
    const nodeB = load<usize>(top, 4);
    const linkA = linkOf(nodeA);
    const linkB = linkOf(nodeB);
    if (linkA < 0 && linkB < 0) {
      if (trianglesA != 0 && areBeside(trianglesA + <usize>~linkA * TRIANGLE, trianglesB + <usize>~linkB * TRIANGLE)) {
        continue;
      }
      const to = ITEMS + (<usize>count << 3);
      store<i32>(to, ~linkA);
      store<i32>(to, ~linkB, 4);
      count++;
      continue;
    }
    if (linkB < 0 || (linkA >= 0 && sizeOf(nodeA) >= sizeOf(nodeB))) {
      const children = <usize>linkA;
      const found = near(children, numbersOf(nodeB), true);
      if ((found & 2) != 0) {
        store<usize>(top, children + 1);
        store<usize>(top, nodeB, 4);
        top += 8;
      }
      if ((found & 1) != 0) {
        store<usize>(top, children);
        store<usize>(top, nodeB, 4);
        top += 8;
      }
    } else {
      const children = <usize>linkB;
      const found = near(numbersOf(nodeA), children, false);
      if ((found & 2) != 0) {
        store<usize>(top, nodeA);
        store<usize>(top, children + 1, 4);
        top += 8;
      }
      if ((found & 1) != 0) {
        store<usize>(top, nodeA);
        store<usize>(top, children, 4);
        top += 8;
      }
    }
  }
  store<usize>(TOP, top);
  return count;
}

/** Leaves out of `count` pairs of items those that a plane of a triangle keeps apart. Returns how many remain. */
export function dropBeside(count: i32, trianglesA: usize, trianglesB: usize): i32 {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const from = ITEMS + (<usize>i << 3);
    const a = load<i32>(from);
    const b = load<i32>(from, 4);
    if (areBeside(trianglesA + <usize>a * TRIANGLE, trianglesB + <usize>b * TRIANGLE)) continue;
    const to = ITEMS + (<usize>kept << 3);
    store<i32>(to, a);
    store<i32>(to, b, 4);
    kept++;
  }
  return kept;
}

// @ts-ignore: decorator
@inline function m(i: usize): f64 { return load<f64>(M + (i << 3)); }
/** A coordinate of a point placed in A's frame. */
// @ts-ignore: decorator
@inline function placed(at: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(at) * x + load<f64>(at, 8) * y + load<f64>(at, 16) * z + load<f64>(at, 24);
}

/** Whether the plane of one of two triangles shows that they are farther apart than the distance. */
function areBeside(a: usize, b: usize): bool {
  const distance = load<f64>(DISTANCE);
  let nx = load<f64>(a, PLANE);
  let ny = load<f64>(a, PLANE + 8);
  let nz = load<f64>(a, PLANE + 16);
  let offset = load<f64>(a, PLANE + 24);
  let over = 0;
  let under = 0;
  for (let k: usize = 0; k < 72; k += 24) {
    const x = load<f64>(b + k);
    const y = load<f64>(b + k, 8);
    const z = load<f64>(b + k, 16);
    const height = nx * placed(M, x, y, z) + ny * placed(M + 32, x, y, z) + nz * placed(M + 64, x, y, z) - offset;
    over += <i32>(height > distance);
    under += <i32>(height < -distance);
  }
  if (over == 3 || under == 3) return true;
  const x = load<f64>(b, PLANE);
  const y = load<f64>(b, PLANE + 8);
  const z = load<f64>(b, PLANE + 16);
  nx = m(0) * x + m(1) * y + m(2) * z;
  ny = m(4) * x + m(5) * y + m(6) * z;
  nz = m(8) * x + m(9) * y + m(10) * z;
  offset = load<f64>(b, PLANE + 24) + nx * m(3) + ny * m(7) + nz * m(11);
  over = 0;
  under = 0;
  for (let k: usize = 0; k < 72; k += 24) {
    const height = nx * load<f64>(a + k) + ny * load<f64>(a + k, 8) + nz * load<f64>(a + k, 16) - offset;
    over += <i32>(height > distance);
    under += <i32>(height < -distance);
  }
  return over == 3 || under == 3;
}
