// AssemblyScript: the inner loops of elastic bodies. Triangular solves of a Cholesky factor in panels for x, y and z at once,
// in single precision; energy and forces of stable neo-Hookean elements, two at a time in double precision, the twin of
// material.ts; points in elements, by a grid; sums of vectors. Compile with `node scripts/build-kernel.mjs`.

/** Five numbers for each panel: its first row, columns, rows below its triangle, and where those rows and its values are. */
const PANEL: usize = 20;

// @ts-ignore: decorator
@inline function add(a: v128, b: v128): v128 { return f64x2.add(a, b); }
// @ts-ignore: decorator
@inline function sub(a: v128, b: v128): v128 { return f64x2.sub(a, b); }
// @ts-ignore: decorator
@inline function mul(a: v128, b: v128): v128 { return f64x2.mul(a, b); }
// @ts-ignore: decorator
@inline function all(value: f64): v128 { return f64x2.splat(value); }
// @ts-ignore: decorator
@inline function less(sum: v128, value: usize, vector: usize): v128 {
  return f32x4.sub(sum, f32x4.mul(v128.load32_splat(value), v128.load(vector)));
}

/**
 * Solves L Lᵀ x = b in place. Rows of the vector have four numbers, the last of them unused. The values of a panel are its
 * triangle and the rows below, row by row, all of the width of the panel; diagonal values are inverses.
 */
export function solve(panels: i32, table: usize, vector: usize, gathered: usize): void {
  for (let s = 0; s < panels; s++) {
    const panel = table + <usize>s * PANEL;
    const first = vector + (<usize>load<u32>(panel) << 4);
    const width = load<i32>(panel, 4);
    const below = load<i32>(panel, 8);
    let rows = <usize>load<u32>(panel, 12);
    let value = <usize>load<u32>(panel, 16);
    const row = <usize>width << 2;
    for (let i = 0; i < width; i++) {
      const own = first + (<usize>i << 4);
      let sum = v128.load(own);
      for (let j: usize = 0; j < <usize>i; j++) sum = less(sum, value + (j << 2), first + (j << 4));
      v128.store(own, f32x4.mul(sum, v128.load32_splat(value + (<usize>i << 2))));
      value += row;
    }
    let r = 0;
    for (; r + 3 < below; r += 4) {
      const a = vector + <usize>load<u32>(rows);
      const b = vector + <usize>load<u32>(rows, 4);
      const c = vector + <usize>load<u32>(rows, 8);
      const d = vector + <usize>load<u32>(rows, 12);
      let sumA = v128.load(a);
      let sumB = v128.load(b);
      let sumC = v128.load(c);
      let sumD = v128.load(d);
      const end = value + row;
      for (let from = first; value < end; value += 4, from += 16) {
        const known = v128.load(from);
        sumA = f32x4.sub(sumA, f32x4.mul(v128.load32_splat(value), known));
        sumB = f32x4.sub(sumB, f32x4.mul(v128.load32_splat(value + row), known));
        sumC = f32x4.sub(sumC, f32x4.mul(v128.load32_splat(value + 2 * row), known));
        sumD = f32x4.sub(sumD, f32x4.mul(v128.load32_splat(value + 3 * row), known));
      }
      v128.store(a, sumA);
      v128.store(b, sumB);
      v128.store(c, sumC);
      v128.store(d, sumD);
      value += 3 * row;
      rows += 16;
    }
    for (; r < below; r++) {
      const to = vector + <usize>load<u32>(rows);
      let sum = v128.load(to);
      const end = value + row;
      for (let from = first; value < end; value += 4, from += 16) sum = less(sum, value, from);
      v128.store(to, sum);
      rows += 4;
    }
  }
  for (let s = panels - 1; s >= 0; s--) {
    const panel = table + <usize>s * PANEL;
    const first = vector + (<usize>load<u32>(panel) << 4);
    const width = load<i32>(panel, 4);
    const below = load<i32>(panel, 8);
    const rows = <usize>load<u32>(panel, 12);
    const triangle = <usize>load<u32>(panel, 16);
    const row = <usize>width << 2;
    const rest = triangle + row * <usize>width;
    const end = gathered + (<usize>below << 4);
    for (let r: usize = 0; r < <usize>below; r++) {
      v128.store(gathered + (r << 4), v128.load(vector + <usize>load<u32>(rows + (r << 2))));
    }
    let j = 0;
    for (; j + 3 < width; j += 4) {
      const own = first + (<usize>j << 4);
      let a = v128.load(own);
      let b = v128.load(own, 16);
      let c = v128.load(own, 32);
      let d = v128.load(own, 48);
      let value = rest + (<usize>j << 2);
      for (let from = gathered; from < end; from += 16, value += row) {
        const known = v128.load(from);
        a = f32x4.sub(a, f32x4.mul(v128.load32_splat(value), known));
        b = f32x4.sub(b, f32x4.mul(v128.load32_splat(value, 4), known));
        c = f32x4.sub(c, f32x4.mul(v128.load32_splat(value, 8), known));
        d = f32x4.sub(d, f32x4.mul(v128.load32_splat(value, 12), known));
      }
      v128.store(own, a);
      v128.store(own, b, 16);
      v128.store(own, c, 32);
      v128.store(own, d, 48);
    }
    for (; j < width; j++) {
      const own = first + (<usize>j << 4);
      let sum = v128.load(own);
      let value = rest + (<usize>j << 2);
      for (let from = gathered; from < end; from += 16, value += row) sum = less(sum, value, from);
      v128.store(own, sum);
    }
    for (let i = width - 1; i >= 0; i--) {
      const own = first + (<usize>i << 4);
      const values = triangle + row * <usize>i;
      const known = f32x4.mul(v128.load(own), v128.load32_splat(values + (<usize>i << 2)));
      v128.store(own, known);
      for (let k: usize = 0; k < <usize>i; k++) {
        const to = first + (k << 4);
        v128.store(to, f32x4.sub(v128.load(to), f32x4.mul(v128.load32_splat(values + (k << 2)), known)));
      }
    }
  }
}

/** Bytes of two elements, and of what damps them. */
const ELEMENTS: usize = 192;
const RATES: usize = 304;

/** Two coordinates, of a node of either element. */
// @ts-ignore: decorator
@inline function pick(a: usize, b: usize, offset: usize): v128 {
  return v128.load_lane<f64>(b + offset, v128.load64_splat(a + offset), 1);
}

/** Adds three coordinates to those of a node, the first or second of each pair. */
// @ts-ignore: decorator
@inline function spread(to: usize, x: v128, y: v128, z: v128, lane: u8): void {
  const both = lane == 0 ? v128.shuffle<f64>(x, y, 0, 2) : v128.shuffle<f64>(x, y, 1, 3);
  v128.store(to, add(v128.load(to), both));
  store<f64>(to + 16, load<f64>(to + 16) + (lane == 0 ? f64x2.extract_lane(z, 0) : f64x2.extract_lane(z, 1)));
}

// @ts-ignore: decorator
@inline function sum3(a: v128, p: v128, b: v128, q: v128, c: v128, r: v128): v128 {
  return add(add(mul(a, p), mul(b, q)), mul(c, r));
}

/** y − log(1 + y). Near 0 by s = y / (2 + y): log(1 + y) = 2 artanh s, and y − 2 s = y² / (2 + y). */
// @ts-ignore: decorator
@inline function excessOfLog(y: v128): v128 {
  const whole = add(all(2), y);
  const s = f64x2.div(y, whole);
  const z = mul(s, s);
  if (f64x2.extract_lane(z, 0) > 0.04 || f64x2.extract_lane(z, 1) > 0.04) {
    const a = f64x2.extract_lane(y, 0);
    const b = f64x2.extract_lane(y, 1);
    return f64x2.replace_lane(f64x2.splat(a - NativeMath.log1p(a)), 1, b - NativeMath.log1p(b));
  }
  let sum = all(1.0 / 23.0);
  sum = add(mul(sum, z), all(1.0 / 21.0));
  sum = add(mul(sum, z), all(1.0 / 19.0));
  sum = add(mul(sum, z), all(1.0 / 17.0));
  sum = add(mul(sum, z), all(1.0 / 15.0));
  sum = add(mul(sum, z), all(1.0 / 13.0));
  sum = add(mul(sum, z), all(1.0 / 11.0));
  sum = add(mul(sum, z), all(1.0 / 9.0));
  sum = add(mul(sum, z), all(1.0 / 7.0));
  sum = add(mul(sum, z), all(1.0 / 5.0));
  sum = add(mul(sum, z), all(1.0 / 3.0));
  return sub(f64x2.div(mul(y, y), whole), mul(mul(all(2), mul(s, z)), sum));
}

/** Writes F of pairs of elements less the unit matrix, nine pairs of numbers each, into what damps them. */
export function gradients(pairs: i32, data: usize, x: usize, out: usize): void {
  for (let n = 0; n < pairs; n++, data += ELEMENTS, out += RATES) {
    for (let axis: usize = 0; axis < 3; axis++) {
      const from = x + (axis << 3);
      const o = pick(from + <usize>load<u32>(data, 160), from + <usize>load<u32>(data, 176), 0);
      const p = sub(pick(from + <usize>load<u32>(data, 164), from + <usize>load<u32>(data, 180), 0), o);
      const q = sub(pick(from + <usize>load<u32>(data, 168), from + <usize>load<u32>(data, 184), 0), o);
      const r = sub(pick(from + <usize>load<u32>(data, 172), from + <usize>load<u32>(data, 188), 0), o);
      const to = out + 48 * axis;
      v128.store(to, sum3(p, v128.load(data), q, v128.load(data, 48), r, v128.load(data, 96)));
      v128.store(to, sum3(p, v128.load(data, 16), q, v128.load(data, 64), r, v128.load(data, 112)), 16);
      v128.store(to, sum3(p, v128.load(data, 32), q, v128.load(data, 80), r, v128.load(data, 128)), 32);
      const own = to + (axis << 4);
      v128.store(own, sub(v128.load(own), all(1)));
    }
  }
}

/**
 * Replaces F less the unit matrix by the inverse of F, and writes the deformed volumes behind both gradients; −1 for elements
 * with less than `least` of their volume, or whose inverse is longer than `most`. Returns the number of those.
 */
export function invert(pairs: i32, data: usize, rates: usize, least: f64, most: f64): i32 {
  let flat = 0;
  for (let n = 0; n < pairs; n++, data += ELEMENTS, rates += RATES) {
    const f0 = add(v128.load(rates), all(1));
    const f1 = v128.load(rates, 16);
    const f2 = v128.load(rates, 32);
    const f3 = v128.load(rates, 48);
    const f4 = add(v128.load(rates, 64), all(1));
    const f5 = v128.load(rates, 80);
    const f6 = v128.load(rates, 96);
    const f7 = v128.load(rates, 112);
    const f8 = add(v128.load(rates, 128), all(1));
    const c0 = sub(mul(f4, f8), mul(f5, f7));
    const c1 = sub(mul(f5, f6), mul(f3, f8));
    const c2 = sub(mul(f3, f7), mul(f4, f6));
    const c3 = sub(mul(f2, f7), mul(f1, f8));
    const c4 = sub(mul(f0, f8), mul(f2, f6));
    const c5 = sub(mul(f1, f6), mul(f0, f7));
    const c6 = sub(mul(f1, f5), mul(f2, f4));
    const c7 = sub(mul(f2, f3), mul(f0, f5));
    const c8 = sub(mul(f0, f4), mul(f1, f3));
    const ratio = sum3(f0, c0, f1, c1, f2, c2);
    const square = add(add(sum3(c0, c0, c1, c1, c2, c2), sum3(c3, c3, c4, c4, c5, c5)), sum3(c6, c6, c7, c7, c8, c8));
    const bound = mul(all(most), ratio);
    const isGood = v128.and(f64x2.ge(ratio, all(least)), f64x2.le(square, mul(bound, bound)));
    flat += 2 - popcnt(i64x2.bitmask(isGood));
    const scale = f64x2.div(all(1), ratio);
    v128.store(rates, mul(c0, scale));
    v128.store(rates, mul(c3, scale), 16);
    v128.store(rates, mul(c6, scale), 32);
    v128.store(rates, mul(c1, scale), 48);
    v128.store(rates, mul(c4, scale), 64);
    v128.store(rates, mul(c7, scale), 80);
    v128.store(rates, mul(c2, scale), 96);
    v128.store(rates, mul(c5, scale), 112);
    v128.store(rates, mul(c8, scale), 128);
    v128.store(rates, v128.bitselect(mul(v128.load(data, 144), ratio), all(-1), isGood), 288);
  }
  return flat;
}

/**
 * Adds the derivative of the energy to `out` and returns the energy. Two elements have 192 bytes: the gradients of their
 * last three shape functions, both elements side by side, their volumes, and where their nodes are in the vectors.
 */
export function forces(pairs: i32, data: usize, x: usize, out: usize, mu: f64, lambda: f64): f64 {
  return sumForces(pairs, data, 0, x, out, mu, lambda, 0, 0, false);
}

/**
 * The same with the potential of viscosity, ½ w (μ (L + Lᵀ) : L + λ (tr L)²) with L = (F − G) H. Two elements have 304 bytes
 * more: H, the inverse of F in the shape that is damped, G, the F that they are damped towards, less the unit matrix, and w.
 */
export function dampedForces(
  pairs: i32, data: usize, rates: usize, x: usize, out: usize,
  mu: f64, lambda: f64, viscousMu: f64, viscousLambda: f64,
): f64 {
  return sumForces(pairs, data, rates, x, out, mu, lambda, viscousMu, viscousLambda, true);
}

// @ts-ignore: decorator
@inline function sumForces(
  pairs: i32, data: usize, rates: usize, x: usize, out: usize,
  mu: f64, lambda: f64, viscousMu: f64, viscousLambda: f64, isDamped: bool,
): f64 {
  let energy = all(0);
  const one = all(1);
  const shear = all(0.75 * mu);
  for (let n = 0; n < pairs; n++, data += ELEMENTS, rates += RATES) {
    const a0 = <usize>load<u32>(data, 160);
    const b0 = <usize>load<u32>(data, 164);
    const c0 = <usize>load<u32>(data, 168);
    const d0 = <usize>load<u32>(data, 172);
    const a1 = <usize>load<u32>(data, 176);
    const b1 = <usize>load<u32>(data, 180);
    const c1 = <usize>load<u32>(data, 184);
    const d1 = <usize>load<u32>(data, 188);
    const ux = v128.load(data);
    const uy = v128.load(data, 16);
    const uz = v128.load(data, 32);
    const vx = v128.load(data, 48);
    const vy = v128.load(data, 64);
    const vz = v128.load(data, 80);
    const wx = v128.load(data, 96);
    const wy = v128.load(data, 112);
    const wz = v128.load(data, 128);
    const volume = v128.load(data, 144);
    // F row by row, less the unit matrix on the diagonal.
    let o = pick(x + a0, x + a1, 0);
    let p = sub(pick(x + b0, x + b1, 0), o);
    let q = sub(pick(x + c0, x + c1, 0), o);
    let r = sub(pick(x + d0, x + d1, 0), o);
    const fa = sub(sum3(p, ux, q, vx, r, wx), one);
    const fb = sum3(p, uy, q, vy, r, wy);
    const fc = sum3(p, uz, q, vz, r, wz);
    o = pick(x + a0, x + a1, 8);
    p = sub(pick(x + b0, x + b1, 8), o);
    q = sub(pick(x + c0, x + c1, 8), o);
    r = sub(pick(x + d0, x + d1, 8), o);
    const fd = sum3(p, ux, q, vx, r, wx);
    const fe = sub(sum3(p, uy, q, vy, r, wy), one);
    const ff = sum3(p, uz, q, vz, r, wz);
    o = pick(x + a0, x + a1, 16);
    p = sub(pick(x + b0, x + b1, 16), o);
    q = sub(pick(x + c0, x + c1, 16), o);
    r = sub(pick(x + d0, x + d1, 16), o);
    const fg = sum3(p, ux, q, vx, r, wx);
    const fh = sum3(p, uy, q, vy, r, wy);
    const fi = sub(sum3(p, uz, q, vz, r, wz), one);

    const trace = add(add(fa, fe), fi);
    let square = sum3(fa, fa, fe, fe, fi, fi);
    square = add(add(square, sum3(fb, fb, fc, fc, fd, fd)), sum3(ff, ff, fg, fg, fh, fh));
    // Cofactors of F less those of the unit matrix.
    const ei = sub(mul(fe, fi), mul(ff, fh));
    const ai = sub(mul(fa, fi), mul(fc, fg));
    const ae = sub(mul(fa, fe), mul(fb, fd));
    const fgd = sub(mul(ff, fg), mul(fd, fi));
    const dhe = sub(mul(fd, fh), mul(fe, fg));
    const minors = add(add(ei, ai), ae);
    const det = sum3(fa, ei, fb, fgd, fc, dhe);
    const change = add(add(trace, minors), det);
    const excess = add(add(trace, trace), square);
    let density = mul(all(0.5 * mu), excessOfLog(mul(all(0.25), excess)));
    density = add(density, mul(all(mu), sub(mul(all(0.375), square), mul(all(0.75), add(minors, det)))));
    density = add(density, mul(all(0.5 * lambda), mul(change, change)));
    energy = add(energy, mul(volume, density));

    // Weights of F, of its cofactors, and of both unit matrices, times the volume.
    const scale = f64x2.div(mul(all(0.25 * mu), excess), add(all(4), excess));
    const byF = mul(volume, add(shear, scale));
    const pressure = mul(all(lambda), change);
    const byC = mul(volume, sub(pressure, shear));
    const unit = mul(volume, add(scale, pressure));
    let pa = add(add(mul(byF, fa), mul(byC, add(add(fe, fi), ei))), unit);
    let pe = add(add(mul(byF, fe), mul(byC, add(add(fa, fi), ai))), unit);
    let pi = add(add(mul(byF, fi), mul(byC, add(add(fa, fe), ae))), unit);
    let pb = add(mul(byF, fb), mul(byC, sub(fgd, fd)));
    let pc = add(mul(byF, fc), mul(byC, sub(dhe, fg)));
    let pd = add(mul(byF, fd), mul(byC, sub(sub(mul(fc, fh), mul(fb, fi)), fb)));
    let pf = add(mul(byF, ff), mul(byC, sub(sub(mul(fb, fg), mul(fa, fh)), fh)));
    let pg = add(mul(byF, fg), mul(byC, sub(sub(mul(fb, ff), mul(fc, fe)), fc)));
    let ph = add(mul(byF, fh), mul(byC, sub(sub(mul(fc, fd), mul(fa, ff)), ff)));

    if (isDamped) {
      const h0 = v128.load(rates);
      const h1 = v128.load(rates, 16);
      const h2 = v128.load(rates, 32);
      const h3 = v128.load(rates, 48);
      const h4 = v128.load(rates, 64);
      const h5 = v128.load(rates, 80);
      const h6 = v128.load(rates, 96);
      const h7 = v128.load(rates, 112);
      const h8 = v128.load(rates, 128);
      const weight = v128.load(rates, 288);
      let g0 = sub(fa, v128.load(rates, 144));
      let g1 = sub(fb, v128.load(rates, 160));
      let g2 = sub(fc, v128.load(rates, 176));
      const xx = sum3(g0, h0, g1, h3, g2, h6);
      const xy = sum3(g0, h1, g1, h4, g2, h7);
      const xz = sum3(g0, h2, g1, h5, g2, h8);
      g0 = sub(fd, v128.load(rates, 192));
      g1 = sub(fe, v128.load(rates, 208));
      g2 = sub(ff, v128.load(rates, 224));
      const yx = sum3(g0, h0, g1, h3, g2, h6);
      const yy = sum3(g0, h1, g1, h4, g2, h7);
      const yz = sum3(g0, h2, g1, h5, g2, h8);
      g0 = sub(fg, v128.load(rates, 240));
      g1 = sub(fh, v128.load(rates, 256));
      g2 = sub(fi, v128.load(rates, 272));
      const zx = sum3(g0, h0, g1, h3, g2, h6);
      const zy = sum3(g0, h1, g1, h4, g2, h7);
      const zz = sum3(g0, h2, g1, h5, g2, h8);
      const m = mul(weight, all(viscousMu));
      const rate = add(add(xx, yy), zz);
      const swell = mul(mul(weight, all(viscousLambda)), rate);
      const twice = add(m, m);
      const sx = add(mul(twice, xx), swell);
      const sy = add(mul(twice, yy), swell);
      const sz = add(mul(twice, zz), swell);
      const xySum = add(xy, yx);
      const yzSum = add(yz, zy);
      const zxSum = add(zx, xz);
      const txy = mul(m, xySum);
      const tyz = mul(m, yzSum);
      const tzx = mul(m, zxSum);
      const work = add(sum3(sx, xx, sy, yy, sz, zz), sum3(txy, xySum, tyz, yzSum, tzx, zxSum));
      energy = add(energy, mul(all(0.5), work));
      pa = add(pa, sum3(sx, h0, txy, h1, tzx, h2));
      pb = add(pb, sum3(sx, h3, txy, h4, tzx, h5));
      pc = add(pc, sum3(sx, h6, txy, h7, tzx, h8));
      pd = add(pd, sum3(txy, h0, sy, h1, tyz, h2));
      pe = add(pe, sum3(txy, h3, sy, h4, tyz, h5));
      pf = add(pf, sum3(txy, h6, sy, h7, tyz, h8));
      pg = add(pg, sum3(tzx, h0, tyz, h1, sz, h2));
      ph = add(ph, sum3(tzx, h3, tyz, h4, sz, h5));
      pi = add(pi, sum3(tzx, h6, tyz, h7, sz, h8));
    }

    const bx = sum3(pa, ux, pb, uy, pc, uz);
    const by = sum3(pd, ux, pe, uy, pf, uz);
    const bz = sum3(pg, ux, ph, uy, pi, uz);
    const cx = sum3(pa, vx, pb, vy, pc, vz);
    const cy = sum3(pd, vx, pe, vy, pf, vz);
    const cz = sum3(pg, vx, ph, vy, pi, vz);
    const dx = sum3(pa, wx, pb, wy, pc, wz);
    const dy = sum3(pd, wx, pe, wy, pf, wz);
    const dz = sum3(pg, wx, ph, wy, pi, wz);
    const ax = f64x2.neg(add(add(bx, cx), dx));
    const ay = f64x2.neg(add(add(by, cy), dy));
    const az = f64x2.neg(add(add(bz, cz), dz));
    spread(out + a0, ax, ay, az, 0);
    spread(out + b0, bx, by, bz, 0);
    spread(out + c0, cx, cy, cz, 0);
    spread(out + d0, dx, dy, dz, 0);
    spread(out + a1, ax, ay, az, 1);
    spread(out + b1, bx, by, bz, 1);
    spread(out + c1, cx, cy, cz, 1);
    spread(out + d1, dx, dy, dz, 1);
  }
  return f64x2.extract_lane(energy, 0) + f64x2.extract_lane(energy, 1);
}

/** Bytes of a point in the grid: three coordinates, where its node is in the vector, and its number. */
const POINT: usize = 32;
/** Bytes of an element among the four places of its nodes and which of them is inside: 4 for none, 5 where no face is outside. */
const CORNERS: usize = 20;
/** How far barycentric coordinates may be off by rounding, and how far points may be beside a face (element-search.ts). */
const SLACK: f64 = 1e-9;
const BESIDE: f64 = -0.1 - SLACK;

// @ts-ignore: decorator
@inline function cellOf(value: f64, cells: i32): i32 {
  // Compared as numbers: far outside they do not fit integers.
  return value < 0 ? 0 : value >= <f64>cells ? cells - 1 : <i32>value;
}

/**
 * Finds points in elements, or just outside of a face on the surface, by a grid: writes pairs of element and point until there
 * is no room, their number to `found`, and returns the element to go on with.
 * @param grid low corner of the grid (3 f64), cells per meter (f64), high corner (3 f64), and the reach (f64).
 * @param starts of each cell, x fastest, and one more; points lie in the order of cells, `total` of them, which have room.
 */
export function pointsInElements(
  from: i32, to: i32, elements: usize, x: usize, grid: usize, nx: i32, ny: i32, nz: i32,
  starts: usize, points: usize, total: i32, out: usize, room: i32, found: usize,
): i32 {
  const lowX = load<f64>(grid);
  const lowY = load<f64>(grid, 8);
  const lowZ = load<f64>(grid, 16);
  const perMeter = load<f64>(grid, 24);
  const highX = load<f64>(grid, 32);
  const highY = load<f64>(grid, 40);
  const highZ = load<f64>(grid, 48);
  const reach = load<f64>(grid, 56);
  let count = 0;
  let e = from;
  for (; e < to && count + total <= room; e++) {
    const own = elements + <usize>e * CORNERS;
    const na = load<u32>(own);
    const nb = load<u32>(own, 4);
    const nc = load<u32>(own, 8);
    const nd = load<u32>(own, 12);
    const inner = load<u32>(own, 16);
    const a = x + <usize>na;
    const b = x + <usize>nb;
    const c = x + <usize>nc;
    const d = x + <usize>nd;
    const margin = inner < 5 ? reach : 0;
    const pa = v128.load(a);
    const pb = v128.load(b);
    const pc = v128.load(c);
    const pd = v128.load(d);
    const low = sub(f64x2.pmin(f64x2.pmin(pa, pb), f64x2.pmin(pc, pd)), all(margin));
    const high = add(f64x2.pmax(f64x2.pmax(pa, pb), f64x2.pmax(pc, pd)), all(margin));
    const az = load<f64>(a, 16);
    const bz = load<f64>(b, 16);
    const cz = load<f64>(c, 16);
    const dz = load<f64>(d, 16);
    const x0 = f64x2.extract_lane(low, 0);
    const x1 = f64x2.extract_lane(high, 0);
    const y0 = f64x2.extract_lane(low, 1);
    const y1 = f64x2.extract_lane(high, 1);
    const z0 = min(min(az, bz), min(cz, dz)) - margin;
    const z1 = max(max(az, bz), max(cz, dz)) + margin;
    if (x0 > highX || y0 > highY || z0 > highZ || x1 < lowX || y1 < lowY || z1 < lowZ) continue;
    const i0 = cellOf((x0 - lowX) * perMeter, nx);
    const i1 = cellOf((x1 - lowX) * perMeter, nx);
    const j0 = cellOf((y0 - lowY) * perMeter, ny);
    const j1 = cellOf((y1 - lowY) * perMeter, ny);
    const k0 = cellOf((z0 - lowZ) * perMeter, nz);
    const k1 = cellOf((z1 - lowZ) * perMeter, nz);
    let isReady = false;
    // Gradients of the barycentric coordinates of b, c and d, times the six volumes of the element.
    let bx: f64 = 0, by: f64 = 0, bw: f64 = 0, cx: f64 = 0, cy: f64 = 0, cw: f64 = 0, dx: f64 = 0, dy: f64 = 0, dw: f64 = 0, six: f64 = 0;
    const ax = f64x2.extract_lane(pa, 0);
    const ay = f64x2.extract_lane(pa, 1);
    for (let k = k0; k <= k1; k++) {
      for (let j = j0; j <= j1; j++) {
        const row = starts + (<usize>((k * ny + j) * nx) << 2);
        let point = points + <usize>load<u32>(row + (<usize>i0 << 2)) * POINT;
        const end = points + <usize>load<u32>(row + (<usize>(i1 + 1) << 2)) * POINT;
        for (; point < end; point += POINT) {
          const px = load<f64>(point);
          const py = load<f64>(point, 8);
          const pz = load<f64>(point, 16);
          if (px < x0 || px > x1 || py < y0 || py > y1 || pz < z0 || pz > z1) continue;
          const node = load<u32>(point, 24);
          if (node == na || node == nb || node == nc || node == nd) continue;
          if (!isReady) {
            isReady = true;
            const ux = f64x2.extract_lane(pb, 0) - ax;
            const uy = f64x2.extract_lane(pb, 1) - ay;
            const uz = bz - az;
            const vx = f64x2.extract_lane(pc, 0) - ax;
            const vy = f64x2.extract_lane(pc, 1) - ay;
            const vz = cz - az;
            const wx = f64x2.extract_lane(pd, 0) - ax;
            const wy = f64x2.extract_lane(pd, 1) - ay;
            const wz = dz - az;
            bx = vy * wz - vz * wy;
            by = vz * wx - vx * wz;
            bw = vx * wy - vy * wx;
            cx = wy * uz - wz * uy;
            cy = wz * ux - wx * uz;
            cw = wx * uy - wy * ux;
            dx = uy * vz - uz * vy;
            dy = uz * vx - ux * vz;
            dw = ux * vy - uy * vx;
            six = ux * bx + uy * by + uz * bw;
          }
          if (!(six > 0)) continue;
          const mx = px - ax;
          const my = py - ay;
          const mz = pz - az;
          const t = mx * bx + my * by + mz * bw;
          const u = mx * cx + my * cy + mz * cw;
          const v = mx * dx + my * dy + mz * dw;
          const s = six - t - u - v;
          const rounding = -SLACK * six;
          if (!(s >= rounding && t >= rounding && u >= rounding && v >= rounding)) {
            if (inner > 4) continue;
            const beside = BESIDE * six;
            if (inner == 4) {
              if (<i32>(s < beside) + <i32>(t < beside) + <i32>(u < beside) + <i32>(v < beside) > 1) continue;
            } else {
              if (inner != 0 && s < beside) continue;
              if (inner != 1 && t < beside) continue;
              if (inner != 2 && u < beside) continue;
              if (inner != 3 && v < beside) continue;
              const below = inner == 0 ? s : inner == 1 ? t : inner == 2 ? u : v;
              const gx = inner == 0 ? bx + cx + dx : inner == 1 ? bx : inner == 2 ? cx : dx;
              const gy = inner == 0 ? by + cy + dy : inner == 1 ? by : inner == 2 ? cy : dy;
              const gz = inner == 0 ? bw + cw + dw : inner == 1 ? bw : inner == 2 ? cw : dw;
              if (below < 0 && below * below > (1 + SLACK) * reach * reach * (gx * gx + gy * gy + gz * gz)) continue;
            }
          }
          store<u32>(out, e);
          store<u32>(out, load<u32>(point, 28), 4);
          out += 8;
          count++;
        }
      }
    }
  }
  store<i32>(found, count);
  return e;
}

/** The largest absolute value of an even number of them. */
export function largest(n: i32, a: usize): f64 {
  let most = all(0);
  for (const end = a + (<usize>n << 3); a < end; a += 16) most = f64x2.pmax(most, f64x2.abs(v128.load(a)));
  return max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1));
}

/** Writes rows of three numbers, each times its scale and `shrink`, in an order and single precision. Rows of `from` are at `order`. */
export function gather(n: i32, order: usize, scales: usize, from: usize, to: usize, shrink: f64): void {
  for (let i = 0; i < n; i++, order += 4, scales += 8, to += 16) {
    const at = from + <usize>load<u32>(order);
    const scale = load<f64>(scales) * shrink;
    v128.store64_lane(to, f32x4.demote_f64x2_zero(mul(v128.load(at), all(scale))), 0);
    store<f32>(to, <f32>(load<f64>(at, 16) * scale), 8);
  }
}

/** The way back. */
export function scatter(n: i32, order: usize, scales: usize, from: usize, to: usize, grow: f64): void {
  for (let i = 0; i < n; i++, order += 4, scales += 8, from += 16) {
    const at = to + <usize>load<u32>(order);
    const scale = load<f64>(scales) * grow;
    v128.store(at, mul(f64x2.promote_low_f32x4(v128.load(from)), all(scale)));
    store<f64>(at, <f64>load<f32>(from, 8) * scale, 16);
  }
}

// Vectors have a multiple of four numbers.

/** The sum of products. */
export function dot(n: i32, a: usize, b: usize): f64 {
  let s = all(0);
  let t = all(0);
  for (const end = a + (<usize>n << 3); a < end; a += 32, b += 32) {
    s = add(s, mul(v128.load(a), v128.load(b)));
    t = add(t, mul(v128.load(a, 16), v128.load(b, 16)));
  }
  s = add(s, t);
  return f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
}

/** Adds a multiple of a vector; returns the product of the result with another. */
export function addScaled(n: i32, out: usize, a: usize, weight: f64, b: usize): f64 {
  const w = all(weight);
  let s = all(0);
  let t = all(0);
  for (const end = out + (<usize>n << 3); out < end; out += 32, a += 32, b += 32) {
    const p = add(v128.load(out), mul(w, v128.load(a)));
    const q = add(v128.load(out, 16), mul(w, v128.load(a, 16)));
    v128.store(out, p);
    v128.store(out, q, 16);
    s = add(s, mul(p, v128.load(b)));
    t = add(t, mul(q, v128.load(b, 16)));
  }
  s = add(s, t);
  return f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
}

/** Writes a + weight · b. */
export function combine(n: i32, out: usize, a: usize, b: usize, weight: f64): void {
  const w = all(weight);
  for (const end = out + (<usize>n << 3); out < end; out += 16, a += 16, b += 16) {
    v128.store(out, add(v128.load(a), mul(w, v128.load(b))));
  }
}
