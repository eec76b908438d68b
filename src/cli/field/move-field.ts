// A marched field whose model moves: the field of the model as it was, its update to the model as it is, and beside it a
// full field of that, to compare with.
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
export const MOVE_HELP = `  --moved MODEL2       the model with its vertices moved: its field, by updating that of MODEL where it can have changed
                       (fast-marching); tells what the update did, beside a full field of MODEL2
  --update-box X0,Y0,Z0,X1,Y1,Z1   where to compute anew; may be given more than once (default: found from what moved)
  --update-border B    at the border of these boxes: old-values (default) march in, or nothing does`;

/** Below this, what is timed is done twice. */
const QUICK_MILLISECONDS = 3000;

/** How the model moved. */
export interface AskedMove {
  readonly path: string;
  readonly boxes: readonly Box[] | undefined;
  readonly border: 'old-values' | 'nothing';
}

/** What an update did, in lengths. */
export interface MeasuredUpdate extends Omit<FieldUpdate, 'boxes'> {
  /** From the first node to the last of each box. */
  readonly boxes: readonly Box[];
  readonly milliseconds: number;
  /** Of a full field of the moved model. */
  readonly fullMilliseconds: number;
  /** From that full field. */
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
    '--update-box and --update-border are for --moved MODEL2; name a model, or leave them out',
  );
}

/**
 * The field of the moved mesh; its milliseconds and counters are those of the field before it moved. What is done quickly
 * is done twice and the second told: else an update, which comes first, would pay for the compiler and a full field not.
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
