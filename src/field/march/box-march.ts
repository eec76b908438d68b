// The march of all fields (Fisher and Lin 2001, section 4), over boxes of a grid: seeds and signs come from a band, and
// the times around the boxes march in unless they are hidden. One box around all nodes gives the whole field. Keeps the
// padded times and the plain values in sync.
import { checkedElsewhere, flag, oneOf, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { FieldCounters, FieldSides } from '../distance-field.js';
import { allNodes, type Field, type GridFrame, gridNodeCount, type NodeBox } from '../grid.js';
import type { BandSource } from './band-source.js';
import { ALIVE, FAR_AWAY, FastMarching, WALL } from './fast-marching.js';
import { borderSlabs, forEachRow, IN_BOX, type MarchState, nodeAt, SEED } from './march-state.js';

/** Options of a march from a band. */
export interface BandMarchOptions extends ProgressOptions {
  /** Default 2. */
  readonly order?: 1 | 2 | undefined;
  /** The speed F by node; 1 everywhere if omitted. */
  readonly speed?: Float64Array | undefined;
  /** Which side is marched; the other keeps only its band. Default 'both'. */
  readonly sides?: FieldSides | undefined;
  /** Times above this stay ±Infinity. Default: no limit. */
  readonly maxTime?: number | undefined;
  /**
   * Whether times of the band on the marched side are only offered: a lower local solution replaces them. Those of the
   * other side are always fixed. For one side at a time. Default false.
   */
  readonly offered?: boolean | undefined;
}

export const BAND_MARCH_OPTIONS = optionTable<BandMarchOptions>()({
  order: checkedElsewhere(),
  speed: checkedElsewhere(),
  sides: oneOf(['inside', 'outside', 'both']),
  maxTime: checkedElsewhere(),
  offered: flag(),
  ...PROGRESS_RULES,
});

/** Options of a march; signed by default. */
export interface BoxMarchOptions extends BandMarchOptions {
  readonly sign?: 'winding' | 'none' | undefined;
}

/** A marched field and what it cost. */
export interface MarchedTimes extends Field {
  readonly counters: FieldCounters;
}

/**
 * The field of all nodes.
 * @throws NearfieldError `bad-argument` for an empty band.
 */
export function marchAll(frame: GridFrame, source: BandSource, options: BoxMarchOptions): MarchedTimes {
  const march = new BoxMarch(frame, options);
  march.computeAll(source, options);
  const { values, state } = march;
  const { counters } = state.marching;
  if (counters.bandNodes === 0) {
    throw new NearfieldError('bad-argument', 'The band is empty: there is nothing to march from.');
  }
  const { origin, spacing, size } = frame;
  return { origin, spacing, size, values, counters };
}

/** The state of the nodes around boxes before a march. */
interface SetAside {
  readonly nodes: number[];
  readonly tags: number[];
  readonly times: number[];
}

/** The times and values of a grid, computed box by box. */
export class BoxMarch {
  readonly frame: GridFrame;
  /** By node of the grid, x fastest. */
  readonly values: Float64Array;
  state: MarchState;
  readonly #sides: FieldSides;
  readonly #signed: boolean;
  /** By node of the grid, filled from the band. */
  readonly #inside: Uint8Array;
  /** Whether the last band has sides. */
  #closed = true;
  /** Whether nothing has been marched yet. */
  #fresh = true;

  constructor(frame: GridFrame, options: BoxMarchOptions) {
    const { order = 2, maxTime = Infinity, speed, sides = 'both', offered = false } = options;
    const { origin, spacing, size } = frame;
    this.frame = { origin: [...origin], spacing, size: [...size] };
    this.#sides = sides;
    this.#signed = options.sign !== 'none';
    const marching = new FastMarching(this.frame, { order, speed });
    const padded = marching.tags.length;
    this.state = {
      frame: this.frame,
      order,
      marching,
      maxTime,
      side: -1,
      roles: new Uint8Array(padded),
      offers: offered ? new Float64Array(padded).fill(Infinity) : null,
    };
    this.values = new Float64Array(gridNodeCount(frame));
    this.#inside = new Uint8Array(this.values.length);
  }

  /** Computes all nodes. */
  computeAll(source: BandSource, progress: ProgressOptions): void {
    const sides = this.#sides;
    this.state = { ...this.state, side: sides === 'both' || !source.closed ? -1 : sides === 'inside' ? 1 : 0 };
    this.#march(source, [allNodes(this.frame)], null, progress);
  }

  /**
   * Computes the nodes of boxes, which are marked, from a band that is closed if the last one was. `apart`: ignores the
   * times around the boxes.
   */
  compute(source: BandSource, boxes: readonly NodeBox[], apart: boolean, progress: ProgressOptions): void {
    this.#march(source, boxes, this.#setAsideAround(boxes, apart), progress);
  }

  #march(source: BandSource, boxes: readonly NodeBox[], around: SetAside | null, progress: ProgressOptions): void {
    const { marching, maxTime } = this.state;
    this.#closed = source.closed;
    try {
      const hasSides = source.closed || this.#signed || this.#sides !== 'both';
      for (const box of boxes) {
        if (!this.#fresh) marching.clear(box);
        if (hasSides) source.fillInside(box, this.#inside);
      }
      this.#fresh = false;
      reportProgress(progress, 0, 'band');
      for (const box of boxes) marching.counters.triangleDistances += source.fillTimes(box, this.values);
      for (const box of boxes) this.#fixBand(box);
      for (const box of boxes) this.#start(box);
      reportProgress(progress, 0, 'march');
      marching.march(maxTime, progress);
    } finally {
      if (around !== null) this.#putBack(around);
    }
    for (const box of boxes) this.#readBox(box);
  }

  /** Updates the values of a box from its times. */
  #readBox(box: NodeBox): void {
    if (!this.#closed) {
      forEachRow(this.state, box, (node, at, end) => {
        for (; at < end; at++, node++) this.values[at] = this.#valueOf(node, at);
      });
      return;
    }
    const { marching, maxTime } = this.state;
    const { tags, times, inside } = marching;
    const { values } = this;
    const signed = this.#signed;
    forEachRow(this.state, box, (node, at, end) => {
      for (; at < end; at++, node++) {
        const time = tags[node] === ALIVE && times[node] <= maxTime ? times[node] : Infinity;
        values[at] = signed && inside[node] === 1 ? -time : time;
      }
    });
  }

  /** Updates the values of some nodes, given by padded index, from their times. */
  readNodes(nodes: readonly number[]): void {
    const [nx, ny] = this.frame.size;
    for (const node of nodes) {
      const [i, j, k] = nodeAt(this.state, node);
      const at = i + nx * (j + ny * k);
      this.values[at] = this.#valueOf(node, at);
    }
  }

  #valueOf(node: number, at: number): number {
    const { marching, maxTime } = this.state;
    const sides = this.#sides;
    const inside = this.#closed ? marching.inside[node] : this.#inside[at];
    let time = marching.tags[node] === ALIVE && marching.times[node] <= maxTime ? marching.times[node] : Infinity;
    if (!this.#closed && sides !== 'both' && (sides === 'inside') !== (inside === 1) && !this.#isInBand(node)) {
      time = Infinity;
    }
    return inside === 1 && this.#signed ? -time : time;
  }

  #isInBand(node: number): boolean {
    const { roles, offers } = this.state;
    return (roles[node] & SEED) !== 0 || (offers !== null && offers[node] < Infinity);
  }

  /** Marks the nodes of boxes; returns their number. */
  mark(boxes: readonly NodeBox[]): number {
    const { roles } = this.state;
    let nodes = 0;
    for (const box of boxes) {
      forEachRow(this.state, box, (node, at, end) => {
        for (; at < end; at++, node++) {
          if ((roles[node] & IN_BOX) !== 0) continue;
          roles[node] |= IN_BOX;
          nodes++;
        }
      });
    }
    return nodes;
  }

  unmark(boxes: readonly NodeBox[]): void {
    const { roles } = this.state;
    for (const box of boxes) {
      forEachRow(this.state, box, (node, at, end) => {
        for (; at < end; at++, node++) roles[node] &= ~IN_BOX;
      });
    }
  }

  /** Whether all nodes of a box are marked. */
  isMarked(box: NodeBox): boolean {
    const { marching, roles } = this.state;
    for (let k = box.min[2]; k <= box.max[2]; k++) {
      for (let j = box.min[1]; j <= box.max[1]; j++) {
        const row = marching.node(0, j, k);
        for (let node = row + box.min[0]; node <= row + box.max[0]; node++) {
          if ((roles[node] & IN_BOX) === 0) return false;
        }
      }
    }
    return true;
  }

  /** A copy of the values of a box, x fastest. */
  valuesIn(box: NodeBox): Float64Array {
    const parts: number[] = [];
    forEachRow(this.state, box, (_, at, end) => {
      for (; at < end; at++) parts.push(this.values[at]);
    });
    return Float64Array.from(parts);
  }

  /**
   * Prepares the nodes around the boxes for a march, and returns their previous state. Nodes with a time, in the layers
   * that the march reads, are offered it again, so that they are accepted in turn with the nodes of the boxes, as in a
   * march over the whole grid: second order reads what was accepted so far. If `apart`, they are hidden. Nodes without
   * a time cannot be reached. The march may lower a time; its old value is restored afterwards.
   */
  #setAsideAround(boxes: readonly NodeBox[], apart: boolean): SetAside {
    const { marching, roles, order, frame } = this.state;
    const nodes: number[] = [];
    const tags: number[] = [];
    const times: number[] = [];
    const setAside = (node: number, tag: number) => {
      nodes.push(node);
      tags.push(tag);
      times.push(marching.times[node]);
      marching.tags[node] = WALL;
    };
    for (const box of boxes) {
      for (const slab of borderSlabs(frame, box, order, false)) {
        forEachRow(this.state, slab, (node, at, end) => {
          for (; at < end; at++, node++) {
            if (marching.tags[node] !== ALIVE || (roles[node] & IN_BOX) !== 0) continue;
            if (apart || (roles[node] & SEED) === 0) setAside(node, ALIVE);
          }
        });
      }
    }
    const known = nodes.length;
    for (const box of boxes) {
      forEachRow(this.state, growNodeBox(frame, box, order + 1), (node, at, end) => {
        for (; at < end; at++, node++) {
          if (marching.tags[node] < ALIVE && (roles[node] & IN_BOX) === 0) setAside(node, marching.tags[node]);
        }
      });
    }
    if (apart) return { nodes, tags, times };
    for (let n = 0; n < known; n++) {
      marching.tags[nodes[n]] = FAR_AWAY;
      marching.times[nodes[n]] = Infinity;
      marching.offer(nodes[n], times[n]);
    }
    return { nodes, tags, times };
  }

  #putBack({ nodes, tags, times }: SetAside): void {
    const { marching } = this.state;
    for (let n = 0; n < nodes.length; n++) {
      const node = nodes[n];
      marching.tags[node] = FAR_AWAY;
      if (tags[n] === ALIVE) marching.fix(node, times[n]);
      else marching.tags[node] = tags[n];
    }
  }

  /** Passes the band, unsigned times in the values of a box, to the march. */
  #fixBand(box: NodeBox): void {
    const { marching, roles, offers, side } = this.state;
    const { values } = this;
    const inside = this.#closed ? this.#inside : null;
    let bandNodes = 0;
    forEachRow(this.state, box, (node, at, end) => {
      for (; at < end; at++, node++) {
        const time = values[at];
        // A node on the surface has no side; it counts as outside.
        const isInside = inside !== null && time > 0 ? inside[at] : 0;
        marching.inside[node] = isInside;
        roles[node] &= ~SEED;
        if (offers !== null) offers[node] = Infinity;
        if (!(time < Infinity)) continue;
        bandNodes++;
        if (offers !== null && (side < 0 || side === isInside)) {
          offers[node] = time;
        } else {
          roles[node] |= SEED;
          marching.fix(node, time);
        }
      }
    });
    marching.counters.bandNodes += bandNodes;
  }

  /** Offers the nodes of a box the times from its band and the seeds next to it. */
  #start(box: NodeBox): void {
    const { marching, roles, offers, side, frame } = this.state;
    const { tags, inside } = marching;
    if (offers !== null) {
      forEachRow(this.state, box, (node, at, end) => {
        for (; at < end; at++, node++) {
          if (offers[node] < Infinity && offerBeside(marching, node, offers[node])) roles[node] |= SEED;
        }
      });
    }
    forEachRow(this.state, growNodeBox(frame, box, 1), (node, at, end) => {
      for (; at < end; at++, node++) {
        if ((roles[node] & SEED) === 0 || tags[node] !== ALIVE) continue;
        if (side < 0 || inside[node] === side) marching.updateNeighbors(node);
      }
    });
  }
}

/**
 * Offers a node of the band its time, corrected by the fixed times across the surface, so that the outcome does not
 * depend on which neighbor is accepted first. If these would put the node itself across the surface, it is fixed:
 * offered distances are to one triangle of several. Returns whether it was fixed.
 */
function offerBeside(marching: FastMarching, node: number, time: number): boolean {
  const solved = marching.solve(node);
  if (solved < 0) {
    marching.fix(node, time);
    return true;
  }
  marching.offer(node, Math.min(time, solved));
  return false;
}

/** The box with `layers` more nodes on every side, clipped to the grid. */
function growNodeBox({ size }: GridFrame, { min, max }: NodeBox, layers: number): NodeBox {
  return {
    min: [Math.max(0, min[0] - layers), Math.max(0, min[1] - layers), Math.max(0, min[2] - layers)],
    max: [
      Math.min(size[0] - 1, max[0] + layers),
      Math.min(size[1] - 1, max[1] + layers),
      Math.min(size[2] - 1, max[2] + layers),
    ],
  };
}
