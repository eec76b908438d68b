// AssemblyScript: the inner loops of elastic bodies. Triangular solves of a Cholesky factor in panels for x, y and z at once,
// in single precision; energy and forces of stable neo-Hookean elements, two at a time in double precision, the twin of
// material.ts. Compile with `node scripts/build-kernel.mjs`.

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

/** Two coordinates, of a node of either element. */
// @ts-ignore: decorator
@inline function pick(positions: usize, a: usize, b: usize): v128 {
  return v128.load_lane<f64>(positions + b, v128.load64_splat(positions + a), 1);
}

// @ts-ignore: decorator
@inline function spread(to: usize, value: f64): void {
  store<f64>(to, load<f64>(to) + value);
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

/**
 * Adds the derivative of the energy to `out` and returns the energy. Two elements have 192 bytes: the gradients of their
 * last three shape functions, both elements side by side, their volumes, and where their nodes are in the vectors.
 */
export function forces(pairs: i32, data: usize, x: usize, out: usize, mu: f64, lambda: f64): f64 {
  let energy = all(0);
  const one = all(1);
  const shear = all(0.75 * mu);
  for (let n = 0; n < pairs; n++, data += 192) {
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
    let o = pick(x, a0, a1);
    let p = sub(pick(x, b0, b1), o);
    let q = sub(pick(x, c0, c1), o);
    let r = sub(pick(x, d0, d1), o);
    const fa = sub(add(add(mul(p, ux), mul(q, vx)), mul(r, wx)), one);
    const fb = add(add(mul(p, uy), mul(q, vy)), mul(r, wy));
    const fc = add(add(mul(p, uz), mul(q, vz)), mul(r, wz));
    o = pick(x + 8, a0, a1);
    p = sub(pick(x + 8, b0, b1), o);
    q = sub(pick(x + 8, c0, c1), o);
    r = sub(pick(x + 8, d0, d1), o);
    const fd = add(add(mul(p, ux), mul(q, vx)), mul(r, wx));
    const fe = sub(add(add(mul(p, uy), mul(q, vy)), mul(r, wy)), one);
    const ff = add(add(mul(p, uz), mul(q, vz)), mul(r, wz));
    o = pick(x + 16, a0, a1);
    p = sub(pick(x + 16, b0, b1), o);
    q = sub(pick(x + 16, c0, c1), o);
    r = sub(pick(x + 16, d0, d1), o);
    const fg = add(add(mul(p, ux), mul(q, vx)), mul(r, wx));
    const fh = add(add(mul(p, uy), mul(q, vy)), mul(r, wy));
    const fi = sub(add(add(mul(p, uz), mul(q, vz)), mul(r, wz)), one);

    const trace = add(add(fa, fe), fi);
    let square = add(add(mul(fa, fa), mul(fe, fe)), mul(fi, fi));
    square = add(add(add(square, mul(fb, fb)), mul(fc, fc)), mul(fd, fd));
    square = add(add(add(square, mul(ff, ff)), mul(fg, fg)), mul(fh, fh));
    // Cofactors of F less those of the unit matrix.
    const ei = sub(mul(fe, fi), mul(ff, fh));
    const ai = sub(mul(fa, fi), mul(fc, fg));
    const ae = sub(mul(fa, fe), mul(fb, fd));
    const fgd = sub(mul(ff, fg), mul(fd, fi));
    const dhe = sub(mul(fd, fh), mul(fe, fg));
    const minors = add(add(ei, ai), ae);
    const det = add(add(mul(fa, ei), mul(fb, fgd)), mul(fc, dhe));
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
    const pa = add(add(mul(byF, fa), mul(byC, add(add(fe, fi), ei))), unit);
    const pe = add(add(mul(byF, fe), mul(byC, add(add(fa, fi), ai))), unit);
    const pi = add(add(mul(byF, fi), mul(byC, add(add(fa, fe), ae))), unit);
    const pb = add(mul(byF, fb), mul(byC, sub(fgd, fd)));
    const pc = add(mul(byF, fc), mul(byC, sub(dhe, fg)));
    const pd = add(mul(byF, fd), mul(byC, sub(sub(mul(fc, fh), mul(fb, fi)), fb)));
    const pf = add(mul(byF, ff), mul(byC, sub(sub(mul(fb, fg), mul(fa, fh)), fh)));
    const pg = add(mul(byF, fg), mul(byC, sub(sub(mul(fb, ff), mul(fc, fe)), fc)));
    const ph = add(mul(byF, fh), mul(byC, sub(sub(mul(fc, fd), mul(fa, ff)), ff)));

    for (let axis: usize = 0; axis < 3; axis++) {
      const s = axis == 0 ? pa : axis == 1 ? pd : pg;
      const t = axis == 0 ? pb : axis == 1 ? pe : ph;
      const u = axis == 0 ? pc : axis == 1 ? pf : pi;
      const b = add(add(mul(s, ux), mul(t, uy)), mul(u, uz));
      const c = add(add(mul(s, vx), mul(t, vy)), mul(u, vz));
      const d = add(add(mul(s, wx), mul(t, wy)), mul(u, wz));
      const a = add(add(b, c), d);
      const to = out + (axis << 3);
      spread(to + a0, -f64x2.extract_lane(a, 0));
      spread(to + b0, f64x2.extract_lane(b, 0));
      spread(to + c0, f64x2.extract_lane(c, 0));
      spread(to + d0, f64x2.extract_lane(d, 0));
      spread(to + a1, -f64x2.extract_lane(a, 1));
      spread(to + b1, f64x2.extract_lane(b, 1));
      spread(to + c1, f64x2.extract_lane(c, 1));
      spread(to + d1, f64x2.extract_lane(d, 1));
    }
  }
  return f64x2.extract_lane(energy, 0) + f64x2.extract_lane(energy, 1);
}
