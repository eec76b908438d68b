// An explicit step of a tile of space in double precision: as plane-step.ts, with eight corners of a cell and ε = ε̄ (1 + δ Re((n_x +
// i n_y)^j e^(−i j θ₀)) + axial · n_z²), which for normals in the plane z = 0 is that of the plane. The reference of
// assembly/ice-kernel.ts and of ice-space.wgsl. O(cells), one layer of corners at a time.
import type { IceCoefficients } from '../coefficients.js';
import { dropped, pushOf, type StepFields, settled, TileReport } from './plane-step.js';

/**
 * Writes the compact weight and the flux of the corners before each cell, between the layers at `below` and above it.
 * The loop over corners keeps the values of its neighbors in locals.
 */
function cornerLayer(
  fields: StepFields,
  c: IceCoefficients,
  below: number,
  to: number,
  width: number,
  height: number,
): void {
  const { phase: p, room, corners, layout } = fields;
  const { row, layer } = layout;
  const span = width * height;
  const isDirected = c.fold > 0 || c.axial !== 0;
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const at = below + (j - 1) * row + i - 1;
      const p000 = p[at];
      const p100 = p[at + 1];
      const p010 = p[at + row];
      const p110 = p[at + row + 1];
      const p001 = p[at + layer];
      const p101 = p[at + layer + 1];
      const p011 = p[at + layer + row];
      const p111 = p[at + layer + row + 1];
      const gx = p100 - p000 + (p110 - p010) + (p101 - p001 + (p111 - p011));
      const gy = p010 - p000 + (p110 - p100) + (p011 - p001 + (p111 - p101));
      const gz = p001 - p000 + (p101 - p100) + (p011 - p010 + (p111 - p110));
      const square = gx * gx + gy * gy + gz * gz;
      let a = c.compact;
      let u = c.share * a * gx;
      let v = c.share * a * gy;
      let w = c.share * a * gz;
      if (isDirected && square > 0) {
        const length = Math.sqrt(square);
        const x = -gx / length;
        const y = -gy / length;
        const z = -gz / length;
        // The power before the last: its real and imaginary parts are the derivatives.
        let re = c.turnRe;
        let im = -c.turnIm;
        for (let n = 1; n < c.fold; n++) {
          const next = re * x - im * y;
          im = re * y + im * x;
          re = next;
        }
        const dx = c.deltaFold * re;
        const dy = -c.deltaFold * im;
        const dz = 2 * c.axial * z;
        const along = dx * x + dy * y + dz * z;
        const e = 1 + c.delta * (re * x - im * y) + c.axial * z * z;
        a = c.compact * e * e;
        const b = c.cross * e * length;
        u = c.share * a * gx - b * (dx - along * x);
        v = c.share * a * gy - b * (dy - along * y);
        w = c.share * a * gz - b * (dz - along * z);
      }
      const lower = room === null ? 1 : room[at] * room[at + 1] * room[at + row] * room[at + row + 1];
      const up = at + layer;
      const upper = room === null ? 1 : room[up] * room[up + 1] * room[up + row] * room[up + row + 1];
      if (lower * upper === 0) {
        a = 0;
        u = 0;
        v = 0;
        w = 0;
      }
      const corner = to + j * width + i;
      corners[corner] = a;
      corners[corner + span] = u;
      corners[corner + 2 * span] = v;
      corners[corner + 3 * span] = w;
    }
  }
}

/**
 * Steps a tile and returns what it did; see `stepPlane`. The loop over cells keeps the values of its neighbors in
 * locals.
 */
export function stepSpace(
  fields: StepFields,
  c: IceCoefficients,
  [x0, y0, z0]: readonly number[],
  [width, height, depth]: readonly number[],
  withPhase: boolean,
): number {
  const { layout, phase, phaseAfter, heat, heatAfter, room, corners: k, still, isImplicit } = fields;
  const [nx, ny] = layout.size;
  const { row, layer } = layout;
  const first = layout.first + z0 * layer + y0 * row + x0;
  const n = width + 1;
  const span = n * (height + 1);
  const report = new TileReport();
  let low = 0;
  let high = 4 * span;
  if (withPhase) cornerLayer(fields, c, first - layer, low, n, height + 1);
  for (let z = 0; z < depth; z++) {
    if (withPhase) cornerLayer(fields, c, first + z * layer, high, n, height + 1);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const cell = first + z * layer + y * row + x;
        const p = phase[cell];
        const t = heat[cell];
        let next = p;
        if (withPhase) {
          const l = low + y * n + x;
          const h = high + y * n + x;
          const sides =
            (k[l + 1] + k[l + n + 1] + (k[h + 1] + k[h + n + 1])) * (phase[cell + 1] - p) +
            (k[l] + k[l + n] + (k[h] + k[h + n])) * (phase[cell - 1] - p) +
            ((k[l + n] + k[l + n + 1] + (k[h + n] + k[h + n + 1])) * (phase[cell + row] - p) +
              (k[l] + k[l + 1] + (k[h] + k[h + 1])) * (phase[cell - row] - p)) +
            ((k[h] + k[h + 1] + (k[h + n] + k[h + n + 1])) * (phase[cell + layer] - p) +
              (k[l] + k[l + 1] + (k[l + n] + k[l + n + 1])) * (phase[cell - layer] - p));
          const lu = l + span;
          const hu = h + span;
          const lv = lu + span;
          const hv = hu + span;
          const lw = lv + span;
          const hw = hv + span;
          const alongX =
            k[lu + 1] + k[lu + n + 1] + (k[hu + 1] + k[hu + n + 1]) - (k[lu] + k[lu + n] + (k[hu] + k[hu + n]));
          const alongY =
            k[lv + n] + k[lv + n + 1] + (k[hv + n] + k[hv + n + 1]) - (k[lv] + k[lv + 1] + (k[hv] + k[hv + 1]));
          const alongZ =
            k[hw] + k[hw + 1] + (k[hw + n] + k[hw + n + 1]) - (k[lw] + k[lw + 1] + (k[lw + n] + k[lw + n + 1]));
          let change = sides + (alongX + alongY + alongZ);
          change += c.reaction * pushOf(p, t, c, ((z0 + z) * ny + y0 + y) * nx + x0 + x, fields.noiseKey);
          if (c.coupling !== 0) {
            const mean = k[l] + k[l + 1] + (k[l + n] + k[l + n + 1]) + (k[h] + k[h + 1] + (k[h + n] + k[h + n + 1]));
            change = mean > 0 ? (change * 8 * c.compact) / mean : 0;
          }
          if (room !== null) change *= room[cell];
          next = settled(p + change, still);
        }
        let warmer = c.latentHeat * (next - p);
        if (!isImplicit) {
          warmer +=
            c.diffusion *
            (dropped(heat[cell + 1] - t, still) +
              dropped(heat[cell - 1] - t, still) +
              (dropped(heat[cell + row] - t, still) + dropped(heat[cell - row] - t, still)) +
              (dropped(heat[cell + layer] - t, still) + dropped(heat[cell - layer] - t, still)));
        }
        const warm = t + warmer;
        phaseAfter[cell] = next;
        heatAfter[cell] = warm;
        if (next !== p || warm !== t) report.moved = true;
        if (next !== 0) report.liquid = false;
        if (next !== 1) report.solid = false;
      }
    }
    const swap = low;
    low = high;
    high = swap;
  }
  return report.state(c.noise !== 0);
}
