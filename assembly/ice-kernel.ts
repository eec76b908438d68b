// AssemblyScript: steps of ice growth in the plane and in space, four cells at a time in single precision. plane-step.ts
// and space-step.ts in src/ice/cpu are the same scheme in double precision and the reference. Compile with
// `node scripts/build-kernel.mjs`; src/ice/cpu/kernel-layout.ts has the layout of the memory.

/** The numbers of a run, one f32 or i32 each. */
const NX: usize = 0;
const NY: usize = 4;
const NZ: usize = 8;
/** Bytes from a row to the next, and from a layer to the next. */
const ROW: usize = 12;
const LAYER: usize = 16;
/** Addresses of the cell (0, 0, 0): phase and temperature before and after the step, and the room for growth or 0. */
const PHASE: usize = 20;
const PHASE_AFTER: usize = 24;
const HEAT: usize = 28;
const HEAT_AFTER: usize = 32;
const ROOM: usize = 36;
/** Bit 0: Karma and Rappel's reaction. Bit 1: the temperature is solved for afterwards. */
const MODEL: usize = 40;
const FOLD: usize = 44;
/** The hash of seed and step. */
const NOISE_KEY: usize = 48;
/** f32: see coefficients.ts for each. */
const COMPACT: usize = 64;
const CROSS: usize = 68;
const DELTA: usize = 72;
const DELTA_FOLD: usize = 76;
const TURN_RE: usize = 80;
const TURN_IM: usize = 84;
const REACTION: usize = 88;
const ALPHA: usize = 92;
const GAMMA: usize = 96;
const MELTING: usize = 100;
const LATENT: usize = 104;
const DIFFUSION: usize = 108;
const NOISE: usize = 112;
const COUPLING: usize = 116;
const STILL: usize = 120;
const AXIAL: usize = 124;

/** Three or four numbers for each corner of two rows (of two layers in space), each in its own run of SPAN bytes. */
const SPAN: usize = 160;
let corners: usize = 1024;

/** Says where the corners of a tile are kept: threads on the same memory have places of their own. */
export function useCorners(address: usize): void {
  corners = address;
}

/** What a tile did. */
const MOVED = 1;
/** All phases are 0, all are 1; without either they are mixed. */
const LIQUID = 2;
const SOLID = 4;

// @ts-ignore: decorator
@inline function add(a: v128, b: v128): v128 { return f32x4.add(a, b); }
// @ts-ignore: decorator
@inline function sub(a: v128, b: v128): v128 { return f32x4.sub(a, b); }
// @ts-ignore: decorator
@inline function mul(a: v128, b: v128): v128 { return f32x4.mul(a, b); }
// @ts-ignore: decorator
@inline function all(value: f32): v128 { return f32x4.splat(value); }
/** Four times a number of the run. */
// @ts-ignore: decorator
@inline function given(at: usize): v128 { return v128.load32_splat(at); }
// @ts-ignore: decorator
@inline function at(address: usize): v128 { return v128.load(address); }

/** A difference, or 0 if it is no larger than `still`: both cells see the same, so nothing is lost between them. */
// @ts-ignore: decorator
@inline function drop(difference: v128, still: v128): v128 {
  return v128.and(difference, f32x4.gt(f32x4.abs(difference), still));
}

/** The arctangent by Cephes' atanf (Moshier 1992): within 2e-7, and the same on every machine. */
// @ts-ignore: decorator
@inline function atan(x: v128): v128 {
  const sign = v128.and(x, all(-0.0));
  const size = f32x4.abs(x);
  const isLarge = f32x4.gt(size, all(2.414213562373095));
  const isMiddle = f32x4.gt(size, all(0.4142135623730950));
  const one = all(1);
  const top = v128.bitselect(all(-1), v128.bitselect(sub(size, one), size, isMiddle), isLarge);
  const bottom = v128.bitselect(size, v128.bitselect(add(size, one), one, isMiddle), isLarge);
  const base = v128.bitselect(all(1.5707963267948966), v128.and(all(0.7853981633974483), isMiddle), isLarge);
  const t = f32x4.div(top, bottom);
  const z = mul(t, t);
  let sum = sub(mul(all(8.05374449538e-2), z), all(1.38776856032e-1));
  sum = add(mul(sum, z), all(1.99777106478e-1));
  sum = sub(mul(sum, z), all(3.33329491539e-1));
  return v128.xor(add(base, add(mul(mul(sum, z), t), t)), sign);
}

/** Uniform in [−1/2, 1/2) by cell and step: the finalizer of splitmix32 with the constants of core/random.ts. */
// @ts-ignore: decorator
@inline function noiseOf(cell: v128, key: v128): v128 {
  let h = v128.xor(i32x4.mul(cell, i32x4.splat(0x9e3779b1)), key);
  h = i32x4.mul(v128.xor(h, i32x4.shr_u(h, 16)), i32x4.splat(0x21f0aaad));
  h = i32x4.mul(v128.xor(h, i32x4.shr_u(h, 15)), i32x4.splat(0x735a2d97));
  h = v128.xor(h, i32x4.shr_u(h, 15));
  return sub(mul(f32x4.convert_i32x4_u(i32x4.shr_u(h, 8)), all(5.9604644775390625e-8)), all(0.5));
}

/** The push of the reaction, without p (1 − p): p − 1/2 + m, with noise. */
// @ts-ignore: decorator
@inline function push(p: v128, well: v128, heat: v128, cell: i32, model: i32): v128 {
  let m: v128;
  if (model & 1) m = mul(mul(given(COUPLING), heat), well);
  else m = mul(given(ALPHA), atan(mul(given(GAMMA), sub(given(MELTING), heat))));
  let sum = add(sub(p, all(0.5)), m);
  if (load<f32>(NOISE) != 0) {
    const cells = i32x4.add(i32x4.splat(cell), i32x4(0, 1, 2, 3));
    sum = add(sum, mul(given(NOISE), noiseOf(cells, given(NOISE_KEY))));
  }
  return sum;
}

/** A phase within `still` of 0 or 1 becomes 0 or 1. */
// @ts-ignore: decorator
@inline function settle(p: v128, still: v128): v128 {
  const rest = v128.andnot(p, f32x4.lt(f32x4.abs(p), still));
  const one = all(1);
  return v128.bitselect(one, rest, f32x4.lt(f32x4.abs(sub(one, p)), still));
}

/** The corners left of the cells of a row, between it and the row after it. */
function cornerRow(south: usize, north: usize, to: usize, count: i32, room: usize): void {
  const compact = given(COMPACT);
  const quarter = all(0.25);
  const fold = load<i32>(FOLD);
  const rooms: usize = load<usize>(ROOM) == 0 ? 0 : room;
  const row = load<usize>(ROW);
  for (let i = 0; i < count; i += 4) {
    const shift = (<usize>i) << 2;
    const p00 = at(south + shift - 4);
    const p10 = at(south + shift);
    const p01 = at(north + shift - 4);
    const p11 = at(north + shift);
    const gx = add(sub(p10, p00), sub(p11, p01));
    const gy = add(sub(p01, p00), sub(p11, p10));
    const square = add(mul(gx, gx), mul(gy, gy));
    let a: v128;
    let u: v128;
    let v: v128;
    if (fold == 0 || !v128.any_true(square)) {
      a = compact;
      u = mul(mul(quarter, a), gx);
      v = mul(mul(quarter, a), gy);
    } else {
      const length = f32x4.sqrt(square);
      // Without a gradient there is no direction: 0 · ∞ would be, so the reciprocal is 0 there.
      const inverse = v128.and(f32x4.div(all(-1), length), f32x4.gt(square, all(0)));
      const x = mul(gx, inverse);
      const y = mul(gy, inverse);
      // The unit normal as a complex number, to the power of the fold by squares and products.
      let re = x;
      let im = y;
      for (let bit = 30 - clz(fold); bit >= 0; bit--) {
        const square = sub(mul(re, re), mul(im, im));
        const cross = mul(re, im);
        re = square;
        im = add(cross, cross);
        if ((fold >> bit) & 1) {
          const next = sub(mul(re, x), mul(im, y));
          im = add(mul(re, y), mul(im, x));
          re = next;
        }
      }
      const turnRe = given(TURN_RE);
      const turnIm = given(TURN_IM);
      const c = add(mul(re, turnRe), mul(im, turnIm));
      const s = sub(mul(im, turnRe), mul(re, turnIm));
      const here = f32x4.gt(square, all(0));
      const e = add(all(1), v128.and(mul(given(DELTA), c), here));
      a = mul(mul(compact, e), e);
      const b = mul(mul(given(CROSS), e), v128.and(mul(given(DELTA_FOLD), s), here));
      u = add(mul(mul(quarter, a), gx), mul(b, gy));
      v = sub(mul(mul(quarter, a), gy), mul(b, gx));
    }
    if (rooms != 0) {
      const south = rooms + shift;
      const open = mul(mul(at(south - 4), at(south)), mul(at(south + row - 4), at(south + row)));
      const mask = f32x4.gt(open, all(0));
      a = v128.and(a, mask);
      u = v128.and(u, mask);
      v = v128.and(v, mask);
    }
    v128.store(to + shift, a);
    v128.store(to + shift + SPAN, u);
    v128.store(to + shift + 2 * SPAN, v);
  }
}

/** Steps a tile of the plane and returns what it did. Without `withPhase` all phases around are 0, or all are 1. */
export function stepPlane(x0: i32, y0: i32, width: i32, height: i32, withPhase: i32): i32 {
  const row = load<usize>(ROW);
  const start = (<usize>y0) * row + ((<usize>x0) << 2);
  const phase = load<usize>(PHASE) + start;
  const after = load<usize>(PHASE_AFTER) + start;
  const heat = load<usize>(HEAT) + start;
  const heatAfter = load<usize>(HEAT_AFTER) + start;
  const room: usize = load<usize>(ROOM) == 0 ? 0 : load<usize>(ROOM) + start;
  const model = load<i32>(MODEL);
  const isImplicit = (model & 2) != 0;
  const still = given(STILL);
  const diffusion = given(DIFFUSION);
  const latent = given(LATENT);
  const nx = load<i32>(NX);
  const one = all(1);
  const zero = all(0);
  let changed = zero;
  let unlikeLiquid = zero;
  let unlikeSolid = zero;
  let low = corners;
  let high = corners + 3 * SPAN;
  // One corner more than cells: the last vector needs the one behind it.
  if (withPhase) cornerRow(phase - row, phase, low, width + 1, room == 0 ? 0 : room - row);
  for (let y = 0; y < height; y++) {
    const line = (<usize>y) * row;
    if (withPhase) cornerRow(phase + line, phase + line + row, high, width + 1, room == 0 ? 0 : room + line);
    for (let i = 0; i < width; i += 4) {
      const shift = (<usize>i) << 2;
      const cell = line + shift;
      const p = at(phase + cell);
      const t = at(heat + cell);
      let next = p;
      if (withPhase) {
        const l = low + shift;
        const h = high + shift;
        const aL0 = at(l);
        const aR0 = at(l + 4);
        const aL1 = at(h);
        const aR1 = at(h + 4);
        const east = mul(add(aR0, aR1), sub(at(phase + cell + 4), p));
        const west = mul(add(aL0, aL1), sub(at(phase + cell - 4), p));
        const north = mul(add(aL1, aR1), sub(at(phase + cell + row), p));
        const south = mul(add(aL0, aR0), sub(at(phase + cell - row), p));
        const alongX = sub(add(at(l + SPAN + 4), at(h + SPAN + 4)), add(at(l + SPAN), at(h + SPAN)));
        const alongY = sub(add(at(h + 2 * SPAN), at(h + 2 * SPAN + 4)), add(at(l + 2 * SPAN), at(l + 2 * SPAN + 4)));
        let change = add(add(add(east, west), add(north, south)), add(alongX, alongY));
        const well = mul(p, sub(one, p));
        if (v128.any_true(f32x4.ne(well, zero))) {
          const cellId = (y0 + y) * nx + x0 + i;
          change = add(change, mul(mul(given(REACTION), well), push(p, well, t, cellId, model)));
        }
        if (model & 1) {
          // The relaxation time follows the direction: the mean of the four corners.
          const mean = add(add(aL0, aR1), add(aR0, aL1));
          const weight = f32x4.div(mul(all(4), given(COMPACT)), mean);
          change = mul(change, v128.bitselect(weight, zero, f32x4.gt(mean, zero)));
        }
        if (room != 0) change = mul(change, at(room + cell));
        next = settle(add(p, change), still);
      }
      let warmer = mul(latent, sub(next, p));
      if (!isImplicit) {
        const east = drop(sub(at(heat + cell + 4), t), still);
        const west = drop(sub(at(heat + cell - 4), t), still);
        const north = drop(sub(at(heat + cell + row), t), still);
        const south = drop(sub(at(heat + cell - row), t), still);
        warmer = add(mul(diffusion, add(add(east, west), add(north, south))), warmer);
      }
      let warm = add(t, warmer);
      if (i + 4 > width) {
        // Behind the last cell of a row: keep what is there.
        const inside = i32x4.lt_s(i32x4.add(i32x4.splat(i), i32x4(0, 1, 2, 3)), i32x4.splat(width));
        next = v128.bitselect(next, p, inside);
        warm = v128.bitselect(warm, t, inside);
        unlikeLiquid = v128.or(unlikeLiquid, v128.and(f32x4.ne(next, zero), inside));
        unlikeSolid = v128.or(unlikeSolid, v128.and(f32x4.ne(next, one), inside));
      } else {
        unlikeLiquid = v128.or(unlikeLiquid, f32x4.ne(next, zero));
        unlikeSolid = v128.or(unlikeSolid, f32x4.ne(next, one));
      }
      changed = v128.or(changed, v128.or(f32x4.ne(next, p), f32x4.ne(warm, t)));
      v128.store(after + cell, next);
      v128.store(heatAfter + cell, warm);
    }
    const swap = low;
    low = high;
    high = swap;
  }
  return report(changed, unlikeLiquid, unlikeSolid);
}

// @ts-ignore: decorator
@inline function report(changed: v128, unlikeLiquid: v128, unlikeSolid: v128): i32 {
  const isLiquid = !v128.any_true(unlikeLiquid);
  const isSolid = !v128.any_true(unlikeSolid);
  // Noise moves a mixed tile even if it did not this time.
  const isMixed = !isLiquid && !isSolid && load<f32>(NOISE) != 0;
  return (v128.any_true(changed) || isMixed ? MOVED : 0) | (isLiquid ? LIQUID : 0) | (isSolid ? SOLID : 0);
}

/** Bytes of one number of the corners of a layer of a tile, and of all four: up to nine rows. */
const PLATE: usize = 9 * SPAN;

/** The corners before the cells of a row, between the rows at `below` and before it and those of the next layer. */
function cornerRowInSpace(below: usize, to: usize, count: i32, room: usize): void {
  const compact = given(COMPACT);
  const eighth = all(0.125);
  const fold = load<i32>(FOLD);
  const isDirected = fold != 0 || load<f32>(AXIAL) != 0;
  const row = load<usize>(ROW);
  const layer = load<usize>(LAYER);
  for (let i = 0; i < count; i += 4) {
    const shift = (<usize>i) << 2;
    const north = below + shift;
    const south = north - row;
    const p000 = at(south - 4);
    const p100 = at(south);
    const p010 = at(north - 4);
    const p110 = at(north);
    const p001 = at(south + layer - 4);
    const p101 = at(south + layer);
    const p011 = at(north + layer - 4);
    const p111 = at(north + layer);
    const gx = add(add(sub(p100, p000), sub(p110, p010)), add(sub(p101, p001), sub(p111, p011)));
    const gy = add(add(sub(p010, p000), sub(p110, p100)), add(sub(p011, p001), sub(p111, p101)));
    const gz = add(add(sub(p001, p000), sub(p101, p100)), add(sub(p011, p010), sub(p111, p110)));
    const square = add(add(mul(gx, gx), mul(gy, gy)), mul(gz, gz));
    let a = compact;
    let u = mul(mul(eighth, a), gx);
    let v = mul(mul(eighth, a), gy);
    let w = mul(mul(eighth, a), gz);
    if (isDirected && v128.any_true(square)) {
      const here = f32x4.gt(square, all(0));
      const length = f32x4.sqrt(square);
      const inverse = v128.and(f32x4.div(all(-1), length), here);
      const x = mul(gx, inverse);
      const y = mul(gy, inverse);
      const z = mul(gz, inverse);
      // The power before the last: its real and imaginary parts are the derivatives.
      let re = given(TURN_RE);
      let im = f32x4.neg(given(TURN_IM));
      for (let n = 1; n < fold; n++) {
        const next = sub(mul(re, x), mul(im, y));
        im = add(mul(re, y), mul(im, x));
        re = next;
      }
      const deltaFold = given(DELTA_FOLD);
      const axial = given(AXIAL);
      const dx = mul(deltaFold, re);
      const dy = f32x4.neg(mul(deltaFold, im));
      const dz = mul(add(axial, axial), z);
      const along = add(add(mul(dx, x), mul(dy, y)), mul(dz, z));
      const wave = mul(given(DELTA), sub(mul(re, x), mul(im, y)));
      const e = add(add(all(1), wave), mul(mul(axial, z), z));
      a = mul(mul(compact, e), e);
      const b = mul(mul(given(CROSS), e), length);
      u = sub(mul(mul(eighth, a), gx), mul(b, sub(dx, mul(along, x))));
      v = sub(mul(mul(eighth, a), gy), mul(b, sub(dy, mul(along, y))));
      w = sub(mul(mul(eighth, a), gz), mul(b, sub(dz, mul(along, z))));
    }
    if (room != 0) {
      const low = room + shift;
      const high = low + layer;
      const lower = mul(mul(at(low - 4), at(low)), mul(at(low - row - 4), at(low - row)));
      const upper = mul(mul(at(high - 4), at(high)), mul(at(high - row - 4), at(high - row)));
      const mask = f32x4.gt(mul(lower, upper), all(0));
      a = v128.and(a, mask);
      u = v128.and(u, mask);
      v = v128.and(v, mask);
      w = v128.and(w, mask);
    }
    v128.store(to + shift, a);
    v128.store(to + shift + PLATE, u);
    v128.store(to + shift + 2 * PLATE, v);
    v128.store(to + shift + 3 * PLATE, w);
  }
}

function cornerLayer(below: usize, to: usize, width: i32, height: i32, room: usize): void {
  const row = load<usize>(ROW);
  for (let j = 0; j <= height; j++) {
    const line = (<usize>j) * row;
    cornerRowInSpace(below + line, to + (<usize>j) * SPAN, width + 1, room == 0 ? 0 : room + line);
  }
}

/** The sum of two neighbors. */
// @ts-ignore: decorator
@inline function two(address: usize, step: usize): v128 { return add(at(address), at(address + step)); }

/** Steps a tile of space and returns what it did; see stepPlane. */
export function stepSpace(
  x0: i32, y0: i32, z0: i32, width: i32, height: i32, depth: i32, withPhase: i32,
): i32 {
  const row = load<usize>(ROW);
  const layer = load<usize>(LAYER);
  const start = (<usize>z0) * layer + (<usize>y0) * row + ((<usize>x0) << 2);
  const phase = load<usize>(PHASE) + start;
  const after = load<usize>(PHASE_AFTER) + start;
  const heat = load<usize>(HEAT) + start;
  const heatAfter = load<usize>(HEAT_AFTER) + start;
  const room: usize = load<usize>(ROOM) == 0 ? 0 : load<usize>(ROOM) + start;
  const model = load<i32>(MODEL);
  const isImplicit = (model & 2) != 0;
  const still = given(STILL);
  const diffusion = given(DIFFUSION);
  const latent = given(LATENT);
  const nx = load<i32>(NX);
  const ny = load<i32>(NY);
  const one = all(1);
  const zero = all(0);
  let changed = zero;
  let unlikeLiquid = zero;
  let unlikeSolid = zero;
  let low = corners;
  let high = corners + 4 * PLATE;
  if (withPhase) cornerLayer(phase - layer, low, width, height, room == 0 ? 0 : room - layer);
  for (let z = 0; z < depth; z++) {
    const plate = (<usize>z) * layer;
    if (withPhase) cornerLayer(phase + plate, high, width, height, room == 0 ? 0 : room + plate);
    for (let y = 0; y < height; y++) {
      for (let i = 0; i < width; i += 4) {
        const shift = (<usize>i) << 2;
        const cell = plate + (<usize>y) * row + shift;
        const p = at(phase + cell);
        const t = at(heat + cell);
        let next = p;
        if (withPhase) {
          const l = low + (<usize>y) * SPAN + shift;
          const h = high + (<usize>y) * SPAN + shift;
          const east = mul(add(two(l + 4, SPAN), two(h + 4, SPAN)), sub(at(phase + cell + 4), p));
          const west = mul(add(two(l, SPAN), two(h, SPAN)), sub(at(phase + cell - 4), p));
          const north = mul(add(two(l + SPAN, 4), two(h + SPAN, 4)), sub(at(phase + cell + row), p));
          const south = mul(add(two(l, 4), two(h, 4)), sub(at(phase + cell - row), p));
          const upSum = add(two(h, 4), two(h + SPAN, 4));
          const downSum = add(two(l, 4), two(l + SPAN, 4));
          const up = mul(upSum, sub(at(phase + cell + layer), p));
          const down = mul(downSum, sub(at(phase + cell - layer), p));
          const lu = l + PLATE;
          const hu = h + PLATE;
          const lv = lu + PLATE;
          const hv = hu + PLATE;
          const lw = lv + PLATE;
          const hw = hv + PLATE;
          const alongX = sub(add(two(lu + 4, SPAN), two(hu + 4, SPAN)), add(two(lu, SPAN), two(hu, SPAN)));
          const alongY = sub(add(two(lv + SPAN, 4), two(hv + SPAN, 4)), add(two(lv, 4), two(hv, 4)));
          const alongZ = sub(add(two(hw, 4), two(hw + SPAN, 4)), add(two(lw, 4), two(lw + SPAN, 4)));
          let change = add(
            add(add(add(east, west), add(north, south)), add(up, down)),
            add(add(alongX, alongY), alongZ),
          );
          const well = mul(p, sub(one, p));
          if (v128.any_true(f32x4.ne(well, zero))) {
            const cellId = ((z0 + z) * ny + y0 + y) * nx + x0 + i;
            change = add(change, mul(mul(given(REACTION), well), push(p, well, t, cellId, model)));
          }
          if (model & 1) {
            const mean = add(upSum, downSum);
            const weight = f32x4.div(mul(all(8), given(COMPACT)), mean);
            change = mul(change, v128.bitselect(weight, zero, f32x4.gt(mean, zero)));
          }
          if (room != 0) change = mul(change, at(room + cell));
          next = settle(add(p, change), still);
        }
        let warmer = mul(latent, sub(next, p));
        if (!isImplicit) {
          const east = drop(sub(at(heat + cell + 4), t), still);
          const west = drop(sub(at(heat + cell - 4), t), still);
          const north = drop(sub(at(heat + cell + row), t), still);
          const south = drop(sub(at(heat + cell - row), t), still);
          const up = drop(sub(at(heat + cell + layer), t), still);
          const down = drop(sub(at(heat + cell - layer), t), still);
          warmer = add(mul(diffusion, add(add(add(east, west), add(north, south)), add(up, down))), warmer);
        }
        let warm = add(t, warmer);
        if (i + 4 > width) {
          // Behind the last cell of a row: keep what is there.
          const inside = i32x4.lt_s(i32x4.add(i32x4.splat(i), i32x4(0, 1, 2, 3)), i32x4.splat(width));
          next = v128.bitselect(next, p, inside);
          warm = v128.bitselect(warm, t, inside);
          unlikeLiquid = v128.or(unlikeLiquid, v128.and(f32x4.ne(next, zero), inside));
          unlikeSolid = v128.or(unlikeSolid, v128.and(f32x4.ne(next, one), inside));
        } else {
          unlikeLiquid = v128.or(unlikeLiquid, f32x4.ne(next, zero));
          unlikeSolid = v128.or(unlikeSolid, f32x4.ne(next, one));
        }
        changed = v128.or(changed, v128.or(f32x4.ne(next, p), f32x4.ne(warm, t)));
        v128.store(after + cell, next);
        v128.store(heatAfter + cell, warm);
      }
    }
    const swap = low;
    low = high;
    high = swap;
  }
  return report(changed, unlikeLiquid, unlikeSolid);
}
