// Strokes on the cells of a growth.
import { assertOptions, nameValue } from '../core/check/check-options.js';
import { checkedElsewhere, optionTable } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import type { GridFrame } from '../field/grid.js';
import type { IceStroke } from './ice.js';
import { finite } from './options.js';

const STROKE = optionTable<IceStroke>()({
  center: checkedElsewhere(),
  radius: checkedElsewhere(),
  to: checkedElsewhere(),
  phase: checkedElsewhere(),
  temperature: checkedElsewhere(),
  obstacle: checkedElsewhere(),
});

/** Fields to paint on, one number per cell; `room` is made when an obstacle is painted. */
export interface Canvas {
  readonly frame: GridFrame;
  readonly phase: Float32Array | Float64Array;
  readonly temperature: Float32Array | Float64Array;
  room: Uint8Array | null;
}

/** Throws for strokes that cannot be painted. */
export function assertStrokes(strokes: readonly IceStroke[]): void {
  if (!Array.isArray(strokes)) {
    throw new NearfieldError('bad-argument', `The strokes are ${nameValue(strokes)}; give an array of them.`);
  }
  for (const [index, stroke] of strokes.entries()) {
    const name = `stroke ${index}`;
    assertOptions(stroke, STROKE.names, `The values of ${name}`);
    point(stroke?.center, `center of ${name}`);
    if (stroke.to !== undefined) point(stroke.to, `end of ${name}`);
    if (!(finite(stroke.radius, `radius of ${name}`) >= 0)) {
      throw new NearfieldError('bad-argument', `The radius of ${name} is ${stroke.radius}; give a number from 0.`);
    }
    const { phase, temperature } = stroke;
    if (phase !== undefined && !(phase >= 0 && phase <= 1)) {
      throw new NearfieldError(
        'bad-argument',
        `The phase of ${name} is ${nameValue(phase)}; give a number from 0 to 1.`,
      );
    }
    if (temperature !== undefined) finite(temperature, `temperature of ${name}`);
  }
}

function point(values: readonly number[], name: string): void {
  if (!Array.isArray(values) || values.length < 2 || values.length > 3) {
    throw new NearfieldError('bad-argument', `The ${name} is ${nameValue(values)}; give two or three coordinates.`);
  }
  for (const value of values) finite(value, name);
}

/** Sets the cells with their centers in the strokes, which are checked already. */
export function paintCells(canvas: Canvas, strokes: readonly IceStroke[]): void {
  for (const stroke of strokes) paintOne(canvas, stroke);
}

/** Where a stroke is in cells: its ends, its radius, and the first and the last cell that it can set along each axis. */
export interface StrokeInCells {
  readonly from: number[];
  readonly to: number[];
  readonly radius: number;
  readonly low: number[];
  readonly high: number[];
}

export function strokeInCells({ origin, spacing, size }: GridFrame, stroke: IceStroke): StrokeInCells {
  const from = [0, 1, 2].map((axis) => ((stroke.center[axis] ?? 0) - origin[axis]) / spacing);
  const to = [0, 1, 2].map((axis) => (((stroke.to ?? stroke.center)[axis] ?? 0) - origin[axis]) / spacing);
  const radius = stroke.radius / spacing;
  const low = [0, 1, 2].map((axis) => Math.max(0, Math.ceil(Math.min(from[axis], to[axis]) - radius)));
  const high = [0, 1, 2].map((axis) => Math.min(size[axis] - 1, Math.floor(Math.max(from[axis], to[axis]) + radius)));
  // In the plane strokes have no height.
  if (size[2] === 1) {
    from[2] = to[2] = low[2] = high[2] = 0;
  }
  return { from, to, radius, low, high };
}

function paintOne(canvas: Canvas, stroke: IceStroke): void {
  const { size } = canvas.frame;
  const { from, to, radius, low, high } = strokeInCells(canvas.frame, stroke);
  const way = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const lengthSquared = way[0] ** 2 + way[1] ** 2 + way[2] ** 2;
  for (let k = low[2]; k <= high[2]; k++) {
    for (let j = low[1]; j <= high[1]; j++) {
      for (let i = low[0]; i <= high[0]; i++) {
        let x = i - from[0];
        let y = j - from[1];
        let z = k - from[2];
        if (lengthSquared > 0) {
          const share = Math.min(1, Math.max(0, (x * way[0] + y * way[1] + z * way[2]) / lengthSquared));
          x -= share * way[0];
          y -= share * way[1];
          z -= share * way[2];
        }
        if (x * x + y * y + z * z <= radius * radius) setCell(canvas, stroke, i + size[0] * (j + size[1] * k));
      }
    }
  }
}

function setCell(canvas: Canvas, { phase, temperature, obstacle }: IceStroke, cell: number): void {
  if (obstacle !== undefined && (obstacle || canvas.room !== null)) {
    canvas.room ??= new Uint8Array(canvas.phase.length).fill(1);
    canvas.room[cell] = obstacle ? 0 : 1;
  }
  if (phase !== undefined) canvas.phase[cell] = phase;
  if (canvas.room !== null && canvas.room[cell] === 0) canvas.phase[cell] = 0;
  if (temperature !== undefined) canvas.temperature[cell] = temperature;
}
