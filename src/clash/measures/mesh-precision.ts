// How precise the coordinates of a mesh are, judged by the coordinates: single precision, or a fixed count of decimals, as text
// files and scanners write them. Files of designs have round numbers too; so decimals count only where many different
// coordinates use all of them.
import type { Mesh } from '../../mesh/mesh.js';

/** Rounding: half a unit in the last place of a number in single precision, as a share of the number. */
const SINGLE = 2 ** -24;

/** Chosen: coordinates that are looked at; more would tell no more. */
const SAMPLES = 3000;

/** Chosen: different coordinates that there must be, so that the dimensions of a design are not taken for rounding. */
const MIN_DIFFERENT = 32;

/** Chosen: the share of coordinates that must use the last decimal. Of rounded ones nine in ten do. */
const USED = 0.6;

/** Chosen: more decimals than a file in single precision keeps. */
const MAX_DECIMALS = 7;

/** Chosen: the coarsest grid that is looked for, in bits. Coarser ones are found in regular meshes. */
const MIN_GRID_BITS = 10;
/** Chosen: the finest grid that is looked for, in bits; beyond that single precision is as coarse. */
const MAX_GRID_BITS = 20;
/** Chosen: a grid is told from rounding where its step is this many times the rounding. */
const MIN_STEP = 8;

/** Rounding: a number times a power of ten is off from a whole one by this, as a share of it. */
const WHOLE = 1e-11;

/** Twice the most that rounding moved a coordinate; 0 for coordinates in full precision. */
export function precisionOf({ positions }: Mesh): number {
  const step = Math.max(1, Math.floor(positions.length / SAMPLES));
  const different = new Set<number>();
  let largest = 0;
  let isSingle = true;
  for (let i = 0; i < positions.length; i += step) {
    different.add(positions[i]);
    largest = Math.max(largest, Math.abs(positions[i]));
    isSingle &&= Math.fround(positions[i]) === positions[i];
  }
  const single = isSingle && different.size >= MIN_DIFFERENT ? 2 * SINGLE * largest : 0;
  if (different.size < MIN_DIFFERENT) return 0;
  return Math.max(single, decimalsOf([...different], isSingle), gridOf(positions));
}

/**
 * The step of the grid on which compression put the vertices: 2^bits − 1 steps along the longest side of the box, as Draco
 * and quantized glTF have; 0 without one.
 */
function gridOf(positions: Float64Array): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  const sides = high.map((value, k) => value - low[k]);
  const axis = sides.indexOf(Math.max(...sides));
  const slack = 4 * SINGLE * Math.max(Math.abs(low[axis]), Math.abs(high[axis]));
  const stride = 3 * Math.max(1, Math.floor(positions.length / (3 * SAMPLES)));
  for (let bits = MIN_GRID_BITS; bits <= MAX_GRID_BITS; bits++) {
    const step = sides[axis] / (2 ** bits - 1);
    if (!(step > MIN_STEP * slack)) return 0;
    const used = new Set<number>();
    let isGrid = true;
    for (let i = axis; i < positions.length && isGrid; i += stride) {
      const place = (positions[i] - low[axis]) / step;
      used.add(Math.round(place));
      isGrid = Math.abs(place - Math.round(place)) * step <= slack;
    }
    if (isGrid && used.size >= MIN_DIFFERENT) return step;
  }
  return 0;
}

/** The unit of the last decimal that all coordinates keep to; 0 without one. */
function decimalsOf(values: readonly number[], isSingle: boolean): number {
  for (let decimals = 0; decimals <= MAX_DECIMALS; decimals++) {
    const unit = 10 ** decimals;
    if (!values.every((value) => isWhole(value, unit, isSingle))) continue;
    const used = values.filter((value) => !isWhole(value, unit / 10, isSingle)).length;
    return used >= USED * values.length ? 1 / unit : 0;
  }
  return 0;
}

/** Whether a number is a multiple of 1 / unit, as far as its digits tell. */
function isWhole(value: number, unit: number, isSingle: boolean): boolean {
  const scaled = value * unit;
  const slack = (isSingle ? 2 * SINGLE : WHOLE) * Math.abs(scaled);
  // Where the slack is as large as the unit, nothing can be told.
  return slack < 0.05 && Math.abs(scaled - Math.round(scaled)) <= slack;
}
