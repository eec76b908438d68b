// How a marched field is updated, and what an update says about itself.
import type { Box } from '../../core/box.js';
import { NearfieldError } from '../../core/errors.js';
import type { ProgressOptions } from '../../core/progress.js';
import { FIELD_DEFAULTS } from '../defaults.js';
import type { FieldCounters } from '../distance-field.js';
import type { NodeBox } from '../grid.js';

/** How an update is done. Tolerances are in spacings, or in the time that one spacing takes at speed 1. */
export interface UpdateOptions extends ProgressOptions {
  /**
   * Where to compute anew; may reach past the grid, empty ones count for nothing. Default: boxes around the nodes that
   * what moved can have changed. Boxes that are too small are noticed, and cost more than none.
   */
  readonly boxes?: readonly Box[] | undefined;
  /** The most boxes that are made around what moved. Default `FIELD_DEFAULTS.update`. */
  readonly maxBoxes?: number | undefined;
  /**
   * What is known at the border of a box. 'old-values': the times outside, which march in. 'nothing': only the
   * surface in the box counts, as on the second grid of Fisher and Lin 2001. Default 'old-values'.
   */
  readonly border?: 'old-values' | 'nothing' | undefined;
  /**
   * What is done about differences at a border above `continuityTolerance`, up to `blendTolerance`. 'spread': they are
   * carried on past the border until they vanish, which gives the field of a full computation. 'blend': old and new
   * are mixed linearly inside the border, as Fisher and Lin 2001 do. Default 'spread', 'blend' with border 'nothing'.
   */
  readonly join?: 'spread' | 'blend' | undefined;
  /** The largest change of a local solution that counts as none. Default `FIELD_DEFAULTS.update`. */
  readonly continuityTolerance?: number | undefined;
  /** Above this, everything is recomputed. Default `FIELD_DEFAULTS.update`. */
  readonly blendTolerance?: number | undefined;
  /** Layers of nodes that a blend takes. Default `FIELD_DEFAULTS.update`. */
  readonly blendLayers?: number | undefined;
}

/**
 * Why everything was recomputed. 'connectivity': other triangles than before, or vertices that
 * were equal are so no more, or others have become so. 'speed': of second order at speeds that vary, times depend so much
 * on the order of acceptance that boxes would not give those of a full computation; first order has no such need. 'open': where the surface bounds no
 * solid, the sign can change anywhere. 'leaves-grid': triangles lie outside the grid, so that fronts come in through its
 * border. 'moved-outside': a triangle moved outside the boxes given. 'discontinuous': old and
 * new differ too much at a border, or what was carried on did not vanish. 'accumulated': with the differences that
 * earlier updates left they would. 'most-nodes': the boxes hold most of the grid. 'incomplete': the computation before
 * was stopped midway.
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
   * 'unchanged': nothing moved. 'joined' and 'recomputed': the field of a full computation. 'blended': near it, because
   * this update or one since the last full computation mixed old and new values.
   */
  readonly status: 'unchanged' | 'joined' | 'blended' | 'recomputed';
  /** The boxes that were recomputed; they may overlap. */
  readonly boxes: readonly NodeBox[];
  /** The nodes in them, each counted once. */
  readonly nodes: number;
  /** Changes of nodes outside the boxes. */
  readonly spread: number;
  /** The largest change of a local solution at a border before anything was done about it; a time. */
  readonly discontinuity: number;
  /** `null` unless 'recomputed'. */
  readonly reason: RecomputeReason | null;
  /** What it cost, a full computation included. */
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

/** Fills in the defaults; refuses what is out of range. */
export function checkUpdateOptions(options: UpdateOptions): UpdateSettings {
  const {
    border = 'old-values',
    maxBoxes = FIELD_DEFAULTS.update.maxBoxes,
    blendTolerance = FIELD_DEFAULTS.update.blendTolerance,
  } = options;
  if (options.boxes !== undefined && !Array.isArray(options.boxes)) {
    throw new NearfieldError('bad-argument', 'The boxes of the update are no array; give a list of boxes.');
  }
  if (border !== 'old-values' && border !== 'nothing') {
    throw new NearfieldError('bad-argument', `The border is '${border}'; give 'old-values' or 'nothing'.`);
  }
  const {
    join = border === 'nothing' ? 'blend' : 'spread',
    continuityTolerance = border === 'nothing'
      ? FIELD_DEFAULTS.update.apartContinuityTolerance
      : FIELD_DEFAULTS.update.continuityTolerance,
    blendLayers: layers = FIELD_DEFAULTS.update.blendLayers,
  } = options;
  if (join !== 'blend' && (join !== 'spread' || border === 'nothing')) {
    throw new NearfieldError(
      'bad-argument',
      `The join is '${join}' with the border '${border}'; give 'blend', or 'spread' with the border 'old-values'.`,
    );
  }
  for (const [name, count] of [
    ['maxBoxes', maxBoxes],
    ['blendLayers', layers],
  ] as const) {
    if (!Number.isInteger(count) || count < 1) {
      throw new NearfieldError('bad-argument', `The option ${name} is ${count}; give a whole number from 1.`);
    }
  }
  for (const [name, tolerance] of [
    ['continuityTolerance', continuityTolerance],
    ['blendTolerance', blendTolerance],
  ] as const) {
    if (!(tolerance >= 0)) {
      throw new NearfieldError('bad-argument', `The option ${name} is ${tolerance}; give a number of spacings from 0.`);
    }
  }
  return { border, maxBoxes, join, continuityTolerance, blendTolerance, blendLayers: layers };
}
