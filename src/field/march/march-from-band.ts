// Fast marching from times that are known near the surface: fixes or offers them, marches the sides asked for, and reads
// the signed times back.
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { FieldCounters, FieldSides } from '../distance-field.js';
import { assertGridFrame, type Field, type GridFrame, gridNodeCount } from '../grid.js';
import { ALIVE, FastMarching, type MarchOptions } from './fast-marching.js';

/** How {@link marchFromBand} marches. */
export interface BandMarchOptions extends ProgressOptions {
  /** Default 2. */
  readonly order?: 1 | 2 | undefined;
  /** The speed F by node; 1 everywhere when left out. */
  readonly speed?: Float64Array | undefined;
  /** Which side is marched; on the other one only the band stays. Default 'both'. */
  readonly sides?: FieldSides | undefined;
  /** Times above this stay ±Infinity. Default: no limit. */
  readonly maxTime?: number | undefined;
  /**
   * Whether times of the band on the side that is marched are only offered: a lower local solution replaces them.
   * Those of the other side are fixed in any case. For one side at a time. Default false.
   */
  readonly offered?: boolean | undefined;
}

/** A marched field and what it cost. */
export interface MarchedTimes extends Field {
  readonly counters: FieldCounters;
}

/**
 * Marches from known times. `band` has a number a node, negative inside: the time where it is finite; +Infinity or NaN
 * where it is to be found outside, −Infinity where it is to be found inside. Every grid edge that crosses the surface
 * must have both ends in the band, or the march leaks to the other side.
 * @throws NearfieldError `bad-argument` for arrays that do not fit the grid or an empty band.
 */
export function marchFromBand(frame: GridFrame, band: Float64Array, options: BandMarchOptions = {}): MarchedTimes {
  const { order = 2, speed, sides = 'both', maxTime = Infinity, offered = false } = options;
  assertGridFrame(frame);
  if (band.length !== gridNodeCount(frame)) {
    throw new NearfieldError('bad-argument', `The band has ${band.length} values on ${gridNodeCount(frame)} nodes.`);
  }
  const marching = new FastMarching(frame, { order, speed } satisfies MarchOptions);
  const insideMarched = sides !== 'outside';
  const outsideMarched = sides !== 'inside';
  let bandNodes = 0;
  forEachRow(frame, marching, (row, from, to) => {
    for (let i = from; i < to; i++) {
      const value = band[i];
      const node = row + i - from;
      const isInside = value < 0;
      if (isInside) marching.inside[node] = 1;
      const time = isInside ? -value : value;
      if (!(time < Infinity)) continue;
      bandNodes++;
      if (!offered || !(isInside ? insideMarched : outsideMarched)) marching.fix(node, time);
    }
  });
  if (bandNodes === 0) throw new NearfieldError('bad-argument', 'The band is empty: there is nothing to march from.');
  marching.counters.bandNodes = bandNodes;
  reportProgress(options, 0, 'march');
  const forEachMarched = (visit: (node: number, time: number) => void): void => {
    forEachRow(frame, marching, (row, from, to) => {
      for (let i = from; i < to; i++) {
        const value = band[i];
        if (value < 0 ? insideMarched && value > -Infinity : outsideMarched && value < Infinity) {
          visit(row + i - from, Math.abs(value));
        }
      }
    });
  };
  if (offered) forEachMarched((node, time) => offerBeside(marching, node, time));
  forEachMarched((node) => {
    if (marching.tags[node] === ALIVE) marching.updateNeighbors(node);
  });
  marching.march(maxTime, options);
  const values = new Float64Array(band.length);
  forEachRow(frame, marching, (row, from, to) => {
    for (let i = from; i < to; i++) {
      const node = row + i - from;
      const time = marching.tags[node] === ALIVE && marching.times[node] <= maxTime ? marching.times[node] : Infinity;
      values[i] = marching.inside[node] === 1 ? -time : time;
    }
  });
  const { origin, spacing, size } = frame;
  return { origin, spacing, size, values, counters: marching.counters };
}

/**
 * Offers a node of the band what the fixed times across the surface make of its own, so that the outcome does not depend
 * on which neighbour is accepted first. Where those would put the node itself across the surface, it is fixed: the
 * document's distances are to one triangle of several. Returns whether it is.
 */
export function offerBeside(marching: FastMarching, node: number, time: number): boolean {
  const solved = marching.solve(node);
  if (solved < 0) {
    marching.fix(node, time);
    return true;
  }
  marching.offer(node, Math.min(time, solved));
  return false;
}

/** Calls back for each row along x: the padded index of its first node, the index of that and the one past its last. */
function forEachRow(
  frame: GridFrame,
  marching: FastMarching,
  visit: (row: number, from: number, to: number) => void,
): void {
  const [nx, ny, nz] = frame.size;
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      const from = nx * (j + ny * k);
      visit(marching.node(0, j, k), from, from + nx);
    }
  }
}
