// A marched field of a model that moves: the field before the move, its update to the moved model, and for comparison a
// full field of the moved model.
import type { Box } from '../../core/box.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress } from '../../core/progress.js';
import type { FieldOptions } from '../../field/distance-field.js';
import { type GridFrame, nodePosition } from '../../field/grid.js';
import type { FieldUpdate, UpdateOptions } from '../../field/update/field-update.js';
import { MarchedField } from '../../field/update/marched-field.js';
import type { Mesh } from '../../mesh/mesh.js';
import { takeChoice, takeString } from '../arguments.js';
import type { Verb, VerbInput } from '../verb.js';
import { type MeasuredDifference, measureDifference } from './compare-field.js';
import { parseBox } from './field-grid.js';
import { takeTexts } from './field-outputs.js';
import { type AskedField, describeField, type MadeField } from './make-field.js';

export const MOVE_OPTIONS: Verb['options'] = {
  moved: { type: 'string' },
  'update-box': { type: 'string', multiple: true },
  'update-border': { type: 'string' },
};
export const MOVE_HELP = `  --moved MODEL2       MODEL with its vertices moved. Its field is MODEL's field, updated where that can have changed
                       (fast-marching); reports what the update did, compared with a full field of MODEL2
  --update-box X0,Y0,Z0,X1,Y1,Z1   where to recompute; may be repeated (default: found from the vertices that moved)
  --update-border B    at the border of these boxes: old-values (default) march in, or nothing: none do`;

/** Chosen: work that takes less time than this is timed a second time, when the compiler has seen it. */
const QUICK_MILLISECONDS = 3000;

/** How the model moved. */
export interface AskedMove {
  readonly path: string;
  readonly boxes: readonly Box[] | undefined;
  readonly border: 'old-values' | 'nothing';
}

/** What an update did; its boxes are in the units of the model. */
export interface MeasuredUpdate extends Omit<FieldUpdate, 'boxes'> {
  /** From the first node to the last of each box. */
  readonly boxes: readonly Box[];
  readonly milliseconds: number;
  /** The time of a full field of the moved model. */
  readonly fullMilliseconds: number;
  /** The difference from that full field. */
  readonly difference: MeasuredDifference;
}

export interface MovedField extends MadeField {
  readonly update: MeasuredUpdate;
}

export function takeMove(input: VerbInput, { band, sides }: AskedField): AskedMove | null {
  const path = takeString(input, 'moved');
  const boxes = takeTexts(input, 'update-box').map((text) => parseBox(text, '--update-box'));
  const border = takeChoice(input, 'update-border', ['old-values', 'nothing']);
  if (path !== null) {
    if (band === 'triangle-boxes' && sides === 'both') {
      throw new NearfieldError(
        'bad-argument',
        '--moved starts from --band triangle-boxes on one side only; give --sides inside or outside',
      );
    }
    return { path, boxes: boxes.length === 0 ? undefined : boxes, border };
  }
  if (boxes.length === 0 && input.values['update-border'] === undefined) return null;
  throw new NearfieldError(
    'bad-argument',
    '--update-box and --update-border need --moved MODEL2; add it, or leave them out',
  );
}

/**
 * The field of the moved mesh; its milliseconds and counters are those of the field before the move. Quick work is done
 * twice and the second run counts: otherwise the update, which runs first, would alone pay for compilation.
 */
export function makeMovedField(
  mesh: Mesh,
  moved: Mesh,
  frame: GridFrame,
  { order, band, bandWidth, sides, sign, maxDistance, speed }: AskedField,
  { boxes, border }: AskedMove,
  progress: ProgressOptions,
): MovedField {
  const options = { order, band, bandWidth, sides, sign, maxDistance, speed };
  const work = (part: ProgressOptions) => updateOnce(mesh, moved, frame, options, { boxes, border }, part);
  const first = work(partOfProgress(progress, 0, 0.5));
  const { marched, full, counters, update, times } =
    first.times.all < QUICK_MILLISECONDS ? work(partOfProgress(progress, 0.5, 1)) : first;
  return {
    ...describeField({ ...marched.snapshot(), counters }, null, times.before),
    update: {
      ...update,
      boxes: update.boxes.map(({ min, max }) => ({
        min: nodePosition(frame, ...min),
        max: nodePosition(frame, ...max),
      })),
      milliseconds: times.update,
      fullMilliseconds: times.full,
      difference: measureDifference(marched.field, full.field),
    },
  };
}

function updateOnce(
  mesh: Mesh,
  moved: Mesh,
  frame: GridFrame,
  options: FieldOptions,
  how: UpdateOptions,
  progress: ProgressOptions,
) {
  const start = performance.now();
  const marched = new MarchedField(mesh, frame, { ...options, ...partOfProgress(progress, 0, 0.4) });
  const counters = { ...marched.field.counters };
  const made = performance.now();
  const update = marched.update(moved, { ...how, ...partOfProgress(progress, 0.4, 0.6) });
  const updated = performance.now();
  const full = new MarchedField(moved, frame, { ...options, ...partOfProgress(progress, 0.6, 1) });
  const end = performance.now();
  const times = { before: made - start, update: updated - made, full: end - updated, all: end - start };
  return { marched, full, counters, update, times };
}
