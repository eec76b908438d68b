// Options and result of an update of a marched field.

import type { Box } from '../../core/box.js';
import {
  checkedElsewhere,
  numberFrom,
  oneOf,
  optionTable,
  PROGRESS_RULES,
  wholeNumber,
} from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { ProgressOptions } from '../../core/progress.js';
import type { FieldCounters } from '../distance-field.js';
import { FIELD_DEFAULTS } from '../field-options.js';
import type { NodeBox } from '../grid.js';

/** How to update. Tolerances are in spacings, or in the time that one spacing takes at speed 1. */
export interface UpdateOptions extends ProgressOptions {
  /**
   * Where to recompute. Boxes may extend past the grid; empty ones are ignored. Default: boxes around the nodes that
   * the movement can have changed. Boxes that are too small are detected, and then cost more than the default.
   */
  readonly boxes?: readonly Box[] | undefined;
  /** The most boxes made around what moved. Default `FIELD_DEFAULTS.update`. */
  readonly maxBoxes?: number | undefined;
  /**
   * What is known at the border of a box. 'old-values': the times outside march in. 'nothing': only the surface in the
   * box counts, as on the second grid of Fisher and Lin 2001. Default 'old-values'.
   */
  readonly border?: 'old-values' | 'nothing' | undefined;
  /**
   * How to treat differences at a border above `continuityTolerance`, up to `blendTolerance`. 'spread': they propagate
   * past the border until they vanish, which gives the field of a full computation. 'blend': old and new values are
   * mixed linearly inside the border, as Fisher and Lin 2001 do. Default 'spread', 'blend' with border 'nothing'.
   */
  readonly join?: 'spread' | 'blend' | undefined;
  /** The largest change of a local solution that counts as no change. Default `FIELD_DEFAULTS.update`. */
  readonly continuityTolerance?: number | undefined;
  /** Above this, everything is recomputed. Default `FIELD_DEFAULTS.update`. */
  readonly blendTolerance?: number | undefined;
  /** Layers of nodes that a blend uses. Default `FIELD_DEFAULTS.update`. */
  readonly blendLayers?: number | undefined;
}

const UPDATE_OPTIONS = optionTable<UpdateOptions>()({
  boxes: checkedElsewhere(),
  maxBoxes: wholeNumber(1, Infinity, FIELD_DEFAULTS.update.maxBoxes),
  border: oneOf(['old-values', 'nothing'], 'old-values'),
  join: checkedElsewhere(),
  continuityTolerance: numberFrom(0),
  blendTolerance: numberFrom(0, FIELD_DEFAULTS.update.blendTolerance),
  blendLayers: wholeNumber(1, Infinity, FIELD_DEFAULTS.update.blendLayers),
  ...PROGRESS_RULES,
});

/**
 * Why everything was recomputed. 'connectivity': the triangles differ from before, or vertices became equal or are no
 * longer equal. 'speed': at second order with varying speed, times depend so much on the order of acceptance that boxes
 * would not give those of a full computation; first order does not have this problem. 'open': the surface does not bound
 * a solid, so the sign can change anywhere. 'leaves-grid': triangles lie outside the grid, so that fronts enter through
 * its border. 'moved-outside': a triangle moved outside the given boxes. 'discontinuous': old and new differ too much at
 * a border, or spread changes did not vanish. 'accumulated': the same, counting the differences that earlier updates
 * left. 'most-nodes': the boxes hold most of the grid. 'incomplete': the previous computation was stopped midway.
 */
export type RecomputeReason =
  | 'connectivity'
  | 'speed'
  | 'open'
  | 'leaves-grid'
  | 'moved-outside'
  | 'discontinuous'
  | 'accumulated'
  | 'most-nodes'
  | 'incomplete';

/** What an update did. */
export interface FieldUpdate {
  /**
   * 'unchanged': nothing moved. 'joined' and 'recomputed': the field of a full computation. 'blended': close to it,
   * because this update or an earlier one since the last full computation mixed old and new values.
   */
  readonly status: 'unchanged' | 'joined' | 'blended' | 'recomputed';
  /** The boxes that were recomputed; they may overlap. */
  readonly boxes: readonly NodeBox[];
  /** The nodes in them, each counted once. */
  readonly nodes: number;
  /** Changes of nodes outside the boxes. */
  readonly spread: number;
  /** The largest change of a local solution at a border before it was treated; a time. */
  readonly discontinuity: number;
  /** `null` unless 'recomputed'. */
  readonly reason: RecomputeReason | null;
  /** What it cost, including a full computation. */
  readonly counters: FieldCounters;
}

/** {@link UpdateOptions} with the defaults filled in. */
export interface UpdateSettings {
  readonly maxBoxes: number;
  readonly border: 'old-values' | 'nothing';
  readonly join: 'spread' | 'blend';
  readonly continuityTolerance: number;
  readonly blendTolerance: number;
  readonly blendLayers: number;
}

/** Fills in the defaults; throws for values out of range. */
export function checkUpdateOptions(options: UpdateOptions): UpdateSettings {
  const { boxes, maxBoxes, border, blendTolerance, blendLayers, ...given } = UPDATE_OPTIONS.read(options);
  if (boxes !== undefined && !Array.isArray(boxes)) {
    throw new NearfieldError('bad-argument', 'The boxes of the update are not an array; give a list of boxes.');
  }
  const apart = border === 'nothing';
  const {
    join = apart ? 'blend' : 'spread',
    continuityTolerance = FIELD_DEFAULTS.update[apart ? 'apartContinuityTolerance' : 'continuityTolerance'],
  } = given;
  if (join !== 'blend' && (join !== 'spread' || apart)) {
    throw new NearfieldError(
      'bad-argument',
      `The join is '${join}' with the border '${border}'; give 'blend', or 'spread' with the border 'old-values'.`,
    );
  }
  return { border, maxBoxes, join, continuityTolerance, blendTolerance, blendLayers };
}
