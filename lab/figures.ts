// The figures a scene shows and how numbers are written.
import type { ReadonlyVec3 } from 'nearfield/core';
import type { ScaleName } from './color-scale.js';

export type FigureValue = string | number | boolean | ReadonlyVec3 | null;

export interface Figure {
  /** Unique in its group; tests and style sheets find the figure by it. */
  readonly id: string;
  readonly label: string;
  /** Null is shown as a dash: the figure is not defined for this shape. */
  readonly value: FigureValue;
  readonly unit?: string;
  /** The most digits after the decimal point; default: five significant digits. */
  readonly decimals?: number;
  /** Whether the value is good or bad. */
  readonly tone?: 'good' | 'bad';
  /** The answer of the scene: shown large, with this sentence on what it means. The first one counts. */
  readonly lead?: string;
  /** What the figure is, in a sentence; by default that of lab/figure-meanings.ts. */
  readonly about?: string;
}

/** A curve over whole numbers from 0. */
export interface Chart {
  readonly id: string;
  /** What the curve shows, for screen readers. */
  readonly label: string;
  /** NaN where unknown. */
  readonly values: ArrayLike<number>;
  readonly unit?: string;
  /** The number that is on show. */
  readonly at: number;
  /** Called with the number that the user pointed at. */
  chosen?(at: number): void;
}

/** Curves over a quantity, such as time, known at some places of it. */
export interface Curves {
  readonly id: string;
  /** What the curves show, for screen readers. */
  readonly label: string;
  /** Where along the quantity the values are known, in rising order. */
  readonly places: ArrayLike<number>;
  readonly placeUnit: string;
  readonly curves: readonly { readonly name: string; readonly values: ArrayLike<number> }[];
  readonly unit?: string;
  /** A logarithmic vertical scale; by default it is linear from 0. */
  readonly logarithmic?: boolean;
  /** Even along the quantity, and nothing filled. */
  readonly even?: boolean;
  /** Filled between both, such as what is proven of a curve. */
  readonly band?: { readonly lower: ArrayLike<number>; readonly upper: ArrayLike<number> };
  /** A value that curves are compared with, as a dashed line. */
  readonly level?: { readonly name: string; readonly value: number };
  /** The number of the place that is on show. */
  readonly at: number;
  /** Called with the number of the place nearest to where the user pointed. */
  chosen?(at: number): void;
}

/** Numbers over two quantities, with the curve on which they have a certain value. */
export interface QuantityMap {
  readonly id: string;
  /** What it shows, for screen readers. */
  readonly label: string;
  /** Along the picture, and upwards. */
  readonly axes: readonly [MapAxis, MapAxis];
  readonly columns: number;
  readonly rows: number;
  /** In the middles of cells, row by row from the lowest. */
  readonly values: ArrayLike<number>;
  readonly unit?: string;
  /** The value of the curve. */
  readonly level: { readonly name: string; readonly value: number };
  /** The place on show. */
  readonly at: readonly [number, number];
  /** Called with the place that the user pointed at. */
  chosen?(x: number, y: number): void;
}

export interface MapAxis {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly unit: string;
}

/** Square images of numbers, side by side in one scale of colors. */
export interface ImageStrip {
  readonly id: string;
  /** What they show, for screen readers. */
  readonly label: string;
  /** One name per image. */
  readonly names: readonly string[];
  /** Pixels along a side. */
  readonly resolution: number;
  /** Image by image, row by row from the top; values that are not finite are transparent. */
  readonly values: Float32Array;
  /** The ends of the scale. */
  readonly low: number;
  readonly high: number;
  readonly unit?: string;
  /** A pixel to mark with a ring. */
  readonly mark: { readonly image: number; readonly column: number; readonly row: number } | null;
}

/** The scale of colors that a picture in the view is painted in. */
export interface ColorBar {
  readonly id: string;
  /** What the colors mean. */
  readonly label: string;
  readonly scale: ScaleName;
  /** The values at the ends; the middle of a diverging scale is 0, and each half is linear. */
  readonly low: number;
  readonly high: number;
  readonly unit?: string;
  /** Equal steps are equal ratios. */
  readonly logarithmic?: boolean;
  /** A sentence below the scale. */
  readonly note?: string;
}

/** Rows that can be pressed, or only read. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  /** A line beneath, such as how many rows were left out. */
  readonly note?: string;
}

export interface TableRow {
  /** Unique in its table. */
  readonly id: string;
  readonly cells: readonly FigureValue[];
  readonly tone?: 'good' | 'bad' | undefined;
  readonly current: boolean;
  press?(): void;
}

const wholeNumbers = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

export function formatFigure(
  { value, decimals }: { readonly value: FigureValue; readonly decimals?: number | undefined },
  digits = 5,
): string {
  if (value === null) return '–';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  // Adding 0 makes −0 plain zero.
  if (typeof value === 'number')
    return formatNumber(decimals === undefined ? value : Number(value.toFixed(decimals)) + 0, digits);
  // Components that are tiny compared with the largest are rounding errors.
  const noise = 1e-12 * Math.max(...Array.from(value).map(Math.abs));
  return Array.from(value)
    .map((coordinate) => formatNumber(Math.abs(coordinate) < noise ? 0 : coordinate, 4))
    .join('  ');
}

/** Whole numbers in groups of three, others rounded to significant digits; a true minus sign. */
export function formatNumber(value: number, digits = 5): string {
  return plainNumber(value, digits).replaceAll('-', '−').replace('e+', 'e');
}

/** Smaller than this is a rounding error of shapes of any size that people have: 1e-17 reads as 0. */
const NOISE = 1e-15;

function plainNumber(value: number, digits: number): string {
  if (Math.abs(value) < NOISE) return '0';
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return wholeNumbers.format(value);
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e7) return String(Number(value.toPrecision(digits)));
  return Number.isFinite(value) ? value.toExponential(digits - 1) : String(value);
}
