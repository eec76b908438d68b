// The two grates of the catalogue as boxes in integers, from their dimensions alone: bars that reach over the crossings.
import type { IntegerBox } from './box-union.js';

function grate(columns: number, rows: number, bar: number, gap: number, overhang: number, depth: number): IntegerBox[] {
  const low = (count: number, i: number) => ((2 * i - count + 1) * (bar + gap) - bar) / 2;
  const right = low(columns, columns - 1) + bar;
  const top = low(rows, rows - 1) + bar + overhang;
  const boxes: IntegerBox[] = [];
  for (let i = 0; i < columns; i++) {
    boxes.push([low(columns, i), -top, -depth / 2, low(columns, i) + bar, top, depth / 2]);
  }
  for (let j = 0; j < rows; j++) boxes.push([-right, low(rows, j), -depth / 2, right, low(rows, j) + bar, depth / 2]);
  return boxes;
}

/** `unit` is the length of 1, in meters. */
export const grateBoxes = {
  small: { boxes: grate(5, 4, 12, 32, 28, 12), unit: 0.005 },
  large: { boxes: grate(7, 7, 10, 24, 20, 12), unit: 0.005 },
} as const;
