// Jump flooding (Rong and Tan 2006): sites are passed on to neighbors at halving distances, so that after log2(n) passes
// nearly every node knows its nearest site. O(nodes · log n), for planar and spatial grids; twin of jump-flood-gpu.ts.
import { assertNumbers } from '../../core/check/check-array.js';
import { checkedElsewhere, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { FIELD_DEFAULTS } from '../field-options.js';
import type { GridSize } from '../grid.js';

/** 'jfa': steps n/2, n/4, … 1. '1+jfa' adds a step of 1 before them, 'jfa+1' after them; both have fewer errors. */
export type JumpFloodVariant = 'jfa' | '1+jfa' | 'jfa+1';

/**
 * The nodes that a node reads in a pass. 'all': the nodes one step away along every axis, 27 including itself in space.
 * 'axes': the nearest of three along y, then of three of these along z, then of three of those along x; a third of
 * the work, with more errors. In the plane, where little is saved, both mean 'all'.
 */
export type FloodNeighbors = 'all' | 'axes';

/** How to flood sites. */
export interface JumpFloodOptions extends ProgressOptions {
  /** Default `FIELD_DEFAULTS.jumpFloodVariant`. */
  readonly variant?: JumpFloodVariant | undefined;
  /** Default 'all'. */
  readonly neighbors?: FloodNeighbors | undefined;
}

export const FLOOD_OPTIONS = optionTable<JumpFloodOptions>()({
  variant: checkedElsewhere(),
  neighbors: checkedElsewhere(),
  ...PROGRESS_RULES,
});

/** The site of each node: nearly always the nearest one, always an existing one. */
export interface JumpFloodResult {
  /** By node: the node of its site, −1 if there are no sites at all. */
  readonly nearest: Int32Array;
  /** By node: the squared distance to that site in spacings², a whole number, or Infinity. */
  readonly distancesSquared: Float64Array;
  /** Passes made. */
  readonly passes: number;
}

/** Proven: nodes along a side of a grid in the plane, whose positions are packed into 32 bits. */
const MAX_FLOOD_SIDE_PLANE = 16384;
/** Proven: nodes along a side in space: 10 bits of a position for each axis. */
const MAX_FLOOD_SIDE_SPACE = 1024;
/**
 * Proven: marks a planar node without a site. 4x = 0xe001 is not a multiple of 4. For sides up to 4096 it is farther
 * from every node than all sites, and 16 times the square does not overflow: (0xe001 − 4 · 4095)² > 2 · (4 · 4095)²,
 * 0xe001² + (4 · 4095)² < 2³².
 */
const NO_SITE_PLANE = 0xe001;
/** Proven: marks a node in space without a site: z, with two bits above its ten, is farther than all sites. */
const NO_SITE_SPACE = 0xffffffff;

/**
 * Floods sites. In a pass of step s every node compares its own site with those of the nodes ±s away along each axis,
 * and takes the nearest; among equally near ones the first in the order of the nodes, x running fastest.
 * @param sites one number per node: −1 for none, anything else for a site.
 * @throws NearfieldError `bad-argument` or `too-large` for a grid that cannot be flooded.
 */
export function jumpFlood(size: GridSize, sites: Int32Array, options: JumpFloodOptions = {}): JumpFloodResult {
  FLOOD_OPTIONS.assert(options);
  const steps = floodSteps(size, options.variant);
  assertFloodable(size, sites);
  const isByAxes = floodsByAxes(size, options.neighbors);
  const flat = size[2] === 1;
  let source = packSites(size, sites);
  let target = new Uint32Array(source.length);
  steps.forEach((step, pass) => {
    reportProgress(options, pass / steps.length, 'jump flooding');
    if (flat) floodPlane(source, target, size, step);
    else if (!isByAxes) floodSpace(source, target, size, step);
    else {
      floodAlong(1, source, target, size, step);
      floodAlong(2, target, source, size, step);
      floodAlong(0, source, target, size, step);
    }
    [source, target] = [target, source];
  });
  return unpackSites(size, source, steps.length);
}

/** The steps of all passes. */
export function floodSteps(size: GridSize, variant: JumpFloodVariant = FIELD_DEFAULTS.jumpFloodVariant): number[] {
  if (variant !== 'jfa' && variant !== '1+jfa' && variant !== 'jfa+1') {
    throw new NearfieldError(
      'bad-argument',
      `The variant of jump flooding is ${String(variant)}; give 'jfa', '1+jfa' or 'jfa+1'.`,
    );
  }
  assertNumbers(size as unknown as number[], 3, 'nodes along the axes');
  const steps: number[] = variant === '1+jfa' ? [1] : [];
  for (let step = 2 ** Math.ceil(Math.log2(Math.max(...size))) / 2; step >= 1; step /= 2) steps.push(step);
  if (variant === 'jfa+1') steps.push(1);
  return steps;
}

/** Whether passes go axis by axis. Throws for unknown neighbors. */
export function floodsByAxes(size: GridSize, neighbors: FloodNeighbors = 'all'): boolean {
  if (neighbors !== 'all' && neighbors !== 'axes') {
    throw new NearfieldError(
      'bad-argument',
      `The neighbors of jump flooding are ${String(neighbors)}; give 'all' or 'axes'.`,
    );
  }
  return neighbors === 'axes' && size[2] > 1;
}

/** Throws for grids too large for packed positions, and for sites that do not fit the grid. */
export function assertFloodable(size: GridSize, sites: { readonly length: number }): void {
  assertNumbers(size as unknown as number[], 3, 'nodes along the axes');
  assertNumbers(sites as ArrayLike<number>, 0, 'sites');
  const [nx, ny, nz] = size;
  const most = nz === 1 ? MAX_FLOOD_SIDE_PLANE : MAX_FLOOD_SIDE_SPACE;
  for (let axis = 0; axis < 3; axis++) {
    if (!Number.isInteger(size[axis]) || size[axis] < 1) {
      throw new NearfieldError(
        'bad-argument',
        `The grid has ${size[axis]} nodes along ${'xyz'[axis]}; give a whole number from 1.`,
      );
    }
    if (size[axis] > most) {
      throw new NearfieldError(
        'too-large',
        `The grid has ${size[axis]} nodes along ${'xyz'[axis]}; jump flooding takes ${MAX_FLOOD_SIDE_PLANE} in the ` +
          `plane and ${MAX_FLOOD_SIDE_SPACE} in space. Use a coarser grid, or distanceTransform.`,
      );
    }
  }
  if (sites.length !== nx * ny * nz) {
    throw new NearfieldError(
      'bad-argument',
      `There are ${sites.length} numbers of sites on ${nx * ny * nz} nodes; give one per node, −1 for none.`,
    );
  }
}

/** Packs positions of sites: in the plane 4y above 4x with 16 bits each, in space z above y above x with 10 bits each. */
export function packSites(size: GridSize, sites: Int32Array): Uint32Array<ArrayBuffer> {
  const [nx, ny, nz] = size;
  const flat = nz === 1;
  const packed = new Uint32Array(sites.length).fill(flat ? NO_SITE_PLANE : NO_SITE_SPACE);
  for (let k = 0, node = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      const row = flat ? j << 18 : (k << 20) | (j << 10);
      for (let i = 0; i < nx; i++, node++) if (sites[node] !== -1) packed[node] = row | (flat ? i << 2 : i);
    }
  }
  return packed;
}

/** The result from packed positions. */
export function unpackSites(size: GridSize, packed: Uint32Array, passes: number): JumpFloodResult {
  const [nx, ny, nz] = size;
  const flat = nz === 1;
  const none = flat ? NO_SITE_PLANE : NO_SITE_SPACE;
  const nearest = new Int32Array(packed.length);
  const distancesSquared = new Float64Array(packed.length);
  for (let k = 0, node = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, node++) {
        const site = packed[node];
        if (site === none) {
          nearest[node] = -1;
          distancesSquared[node] = Infinity;
          continue;
        }
        const x = flat ? (site & 0xffff) >>> 2 : site & 0x3ff;
        const y = flat ? site >>> 18 : (site >>> 10) & 0x3ff;
        const z = flat ? 0 : site >>> 20;
        nearest[node] = x + nx * (y + ny * z);
        distancesSquared[node] = (x - i) * (x - i) + (y - j) * (y - j) + (z - k) * (z - k);
      }
    }
  }
  return { nearest, distancesSquared, passes };
}

function floodPlane(source: Uint32Array, target: Uint32Array, [nx, ny]: GridSize, step: number): void {
  for (let j = 0, node = 0; j < ny; j++) {
    const top = j >= step ? -step : 0;
    const bottom = j + step < ny ? step : 0;
    for (let i = 0; i < nx; i++, node++) {
      const left = i >= step ? -step : 0;
      const right = i + step < nx ? step : 0;
      let best = NO_SITE_PLANE;
      let least = Infinity;
      for (let dj = top; dj <= bottom; dj += step) {
        for (let di = left; di <= right; di += step) {
          const site = source[node + di + nx * dj];
          if (site === NO_SITE_PLANE) continue;
          const dx = ((site & 0xffff) >>> 2) - i;
          const dy = (site >>> 18) - j;
          const distance = dx * dx + dy * dy;
          if (distance >= least) continue;
          least = distance;
          best = site;
        }
      }
      target[node] = best;
    }
  }
}

function floodSpace(source: Uint32Array, target: Uint32Array, [nx, ny, nz]: GridSize, step: number): void {
  for (let k = 0, node = 0; k < nz; k++) {
    const low = k >= step ? -step : 0;
    const high = k + step < nz ? step : 0;
    for (let j = 0; j < ny; j++) {
      const top = j >= step ? -step : 0;
      const bottom = j + step < ny ? step : 0;
      for (let i = 0; i < nx; i++, node++) {
        const left = i >= step ? -step : 0;
        const right = i + step < nx ? step : 0;
        let best = NO_SITE_SPACE;
        let least = Infinity;
        for (let dk = low; dk <= high; dk += step) {
          for (let dj = top; dj <= bottom; dj += step) {
            for (let di = left; di <= right; di += step) {
              const site = source[node + di + nx * (dj + ny * dk)];
              if (site === NO_SITE_SPACE) continue;
              const dx = (site & 0x3ff) - i;
              const dy = ((site >>> 10) & 0x3ff) - j;
              const dz = (site >>> 20) - k;
              const distance = dx * dx + dy * dy + dz * dz;
              if (distance >= least) continue;
              least = distance;
              best = site;
            }
          }
        }
        target[node] = best;
      }
    }
  }
}

/** The nearest of each node's own site and those one step before and after it along one axis. As a case of `floodSpace` it took half as long again. */
function floodAlong(axis: 0 | 1 | 2, source: Uint32Array, target: Uint32Array, size: GridSize, step: number): void {
  const [nx, ny, nz] = size;
  const jump = step * [1, nx, nx * ny][axis];
  const count = size[axis];
  for (let k = 0, node = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, node++) {
        const place = axis === 0 ? i : axis === 1 ? j : k;
        const low = place >= step ? node - jump : node;
        const high = place + step < count ? node + jump : node;
        let best = NO_SITE_SPACE;
        let least = Infinity;
        for (let neighbor = low; neighbor <= high; neighbor += jump) {
          const site = source[neighbor];
          if (site === NO_SITE_SPACE) continue;
          const dx = (site & 0x3ff) - i;
          const dy = ((site >>> 10) & 0x3ff) - j;
          const dz = (site >>> 20) - k;
          const distance = dx * dx + dy * dy + dz * dz;
          if (distance >= least) continue;
          least = distance;
          best = site;
        }
        target[node] = best;
      }
    }
  }
}
