// A raster state prepared for pixels: compare functions as sets of outcomes, and the stencil's test and operations,
// including masks and reference, as tables over the 256 values that can be stored.
import { assertState } from '../arguments.js';
import { type CompareFunction, RASTER_DEFAULTS, type RasterState, type StencilOperation } from '../raster.js';
import { CULL_BACK, CULL_FRONT, CULL_NONE } from './triangle-scan.js';

/**
 * Label: outcome of comparing a new value with the stored one, as a bit: a compare function is the set of those that
 * pass.
 */
export const LESS = 1;
/** Label: outcome of the comparison: equal. */
export const EQUAL = 2;
/** Label: outcome of the comparison: greater. */
export const GREATER = 4;
/** All outcomes. */
export const ALWAYS = LESS | EQUAL | GREATER;

const OUTCOMES: Readonly<Record<CompareFunction, number>> = {
  never: 0,
  less: LESS,
  equal: EQUAL,
  'less-equal': LESS | EQUAL,
  greater: GREATER,
  'not-equal': LESS | GREATER,
  'greater-equal': GREATER | EQUAL,
  always: ALWAYS,
};

const CULL_CODES = { none: CULL_NONE, front: CULL_FRONT, back: CULL_BACK } as const;

/** What happens to a pixel. */
export interface PixelTests {
  readonly cull: number;
  /** Which of {@link LESS}, {@link EQUAL}, {@link GREATER} pass the depth test. */
  readonly depthPasses: number;
  readonly depthWrite: boolean;
  readonly colorWrite: boolean;
  /** By stored stencil value: 1 if it passes its test. */
  readonly stencilPasses: Uint8Array;
  /** By stored stencil value: its new value if it fails, if only the depth fails, and if both pass. */
  readonly afterFail: Uint8Array;
  readonly afterDepthFail: Uint8Array;
  readonly afterPass: Uint8Array;
  /** Whether the stencil changes nothing, and whether it rejects nothing either. */
  readonly stencilKept: boolean;
  readonly stencilIdle: boolean;
  /** Whether neither depth nor color is written. */
  readonly stencilOnly: boolean;
  /** The new stencil value where the depth passes, if it is one value for all and nothing else changes; otherwise −1. */
  readonly stencilConstant: number;
}

/** Fills in the defaults and builds the tables. */
function preparePixelTests(given: RasterState): PixelTests {
  const state = { ...RASTER_DEFAULTS };
  for (const key of Object.keys(state) as (keyof RasterState)[]) {
    if (given[key] !== undefined) Object.assign(state, { [key]: given[key] });
  }
  const reference = state.stencilReference;
  const writeMask = state.stencilWriteMask;
  const stencilPasses = tabulate((stored) =>
    passes(state.stencilCompare, reference & state.stencilReadMask, stored & state.stencilReadMask) ? 1 : 0,
  );
  const after = (operation: StencilOperation) =>
    tabulate((stored) => (stored & ~writeMask) | (operate(operation, stored, reference) & writeMask));
  const afterFail = after(state.stencilFail);
  const afterDepthFail = after(state.stencilDepthFail);
  const afterPass = after(state.stencilPass);

  // Table entries for values that never occur do not matter.
  const depthPasses = OUTCOMES[state.depthCompare];
  const stencilAlways = stencilPasses.every((value) => value === 1);
  const failKept = afterFail.every((value, stored) => value === stored || stencilPasses[stored] === 1);
  const depthFailKept =
    depthPasses === ALWAYS || afterDepthFail.every((value, stored) => value === stored || stencilPasses[stored] === 0);
  const passKept = afterPass.every((value, stored) => value === stored || stencilPasses[stored] === 0);
  const stencilKept = failKept && depthFailKept && passKept;
  const isConstant = stencilAlways && depthFailKept && afterPass.every((value) => value === afterPass[0]);
  return {
    cull: CULL_CODES[state.cull],
    depthPasses,
    depthWrite: state.depthWrite,
    colorWrite: state.colorWrite,
    stencilPasses,
    afterFail,
    afterDepthFail,
    afterPass,
    stencilKept,
    stencilIdle: stencilKept && stencilAlways,
    stencilOnly: !state.depthWrite && !state.colorWrite,
    stencilConstant: isConstant ? afterPass[0] : -1,
  };
}

/** Tests by the state objects they were made from: many draws, few states. A changed object is prepared again. */
export class PixelTestCache {
  readonly #tests = new WeakMap<RasterState, { readonly state: RasterState; readonly tests: PixelTests }>();

  prepare(state: RasterState): PixelTests {
    const known = this.#tests.get(state);
    if (known !== undefined && isSame(known.state, state)) return known.tests;
    assertState(state);
    const tests = preparePixelTests(state);
    this.#tests.set(state, { state: { ...state }, tests });
    return tests;
  }
}

function isSame(a: RasterState, b: RasterState): boolean {
  return (
    a.cull === b.cull &&
    a.depthCompare === b.depthCompare &&
    a.depthWrite === b.depthWrite &&
    a.colorWrite === b.colorWrite &&
    a.stencilCompare === b.stencilCompare &&
    a.stencilReference === b.stencilReference &&
    a.stencilReadMask === b.stencilReadMask &&
    a.stencilWriteMask === b.stencilWriteMask &&
    a.stencilFail === b.stencilFail &&
    a.stencilDepthFail === b.stencilDepthFail &&
    a.stencilPass === b.stencilPass
  );
}

function tabulate(value: (stored: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, stored) => value(stored));
}

function passes(compare: CompareFunction, value: number, stored: number): boolean {
  return (OUTCOMES[compare] & (value < stored ? LESS : value > stored ? GREATER : EQUAL)) !== 0;
}

function operate(operation: StencilOperation, stored: number, reference: number): number {
  switch (operation) {
    case 'keep':
      return stored;
    case 'zero':
      return 0;
    case 'replace':
      return reference;
    case 'invert':
      return ~stored;
    case 'increment-clamp':
      return Math.min(stored + 1, 255);
    case 'decrement-clamp':
      return Math.max(stored - 1, 0);
    case 'increment-wrap':
      return stored + 1;
    case 'decrement-wrap':
      return stored - 1;
  }
}
