// Marches boxes of a grid: seeds and signs come from the surface, and the times around the boxes march in where they are
// to be seen. With one box around all nodes it is the whole field. Keeps the padded times and the plain values in step.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { FieldOptions } from '../distance-field.js';
import { allNodes, type GridFrame, gridNodeCount, type NodeBox } from '../grid.js';
import { fillDocumentBand, fillExactBand } from '../march/box-band.js';
import { ALIVE, FAR_AWAY, FastMarching, WALL } from '../march/fast-marching.js';
import { addBorderSeeds, leavesGrid } from '../march/grid-border.js';
import { DEFAULT_BAND_WIDTH, DEFAULT_BAND_WIDTH_WITH_SPEED } from '../march/march-field.js';
import { offerBeside } from '../march/march-from-band.js';
import type { Surface } from '../source/surface.js';
import { borderSlabs, forEachRow, IN_BOX, type MarchState, nodeAt, SEED } from './join-field.js';

/** The times and values of a grid, computed box by box. */
export class BoxMarch {
  readonly frame: GridFrame;
  /** By node of the grid, x fastest. */
  readonly values: Float64Array;
  /** How far from a triangle, or with the document's band from its box, it decides what the march starts from; a length. */
  readonly bandWidth: number;
  state: MarchState;
  readonly #options: FieldOptions;
  /** By node of the grid, as the surface fills it. */
  readonly #inside: Uint8Array;
  #surface: Surface;

  constructor(surface: Surface, frame: GridFrame, options: FieldOptions) {
    const { order = 2, maxDistance = Infinity, speed, band = 'exact' } = options;
    const { origin, spacing, size } = frame;
    this.frame = { origin: [...origin], spacing, size: [...size] };
    this.#options = options;
    const width = options.bandWidth ?? (speed ? DEFAULT_BAND_WIDTH_WITH_SPEED : DEFAULT_BAND_WIDTH);
    // An offer also depends on the seeds beside it, which a stencil sees.
    this.bandWidth = (band === 'document' ? 1 + order : width) * spacing;
    const marching = new FastMarching(this.frame, { order, speed });
    const padded = marching.tags.length;
    this.state = {
      frame: this.frame,
      order,
      marching,
      maxTime: maxDistance,
      side: -1,
      roles: new Uint8Array(padded),
      offers: band === 'document' ? new Float64Array(padded).fill(Infinity) : null,
    };
    this.values = new Float64Array(gridNodeCount(frame));
    this.#inside = new Uint8Array(this.values.length);
    this.#surface = surface;
  }

  /** Computes all nodes for a surface. */
  computeAll(surface: Surface, progress: ProgressOptions): void {
    const { sides = 'both' } = this.#options;
    this.#surface = surface;
    // The winding number of an open surface jumps away from it too, where |T| is smooth: such a march has no sides.
    this.state = { ...this.state, side: sides === 'both' || !surface.closed ? -1 : sides === 'inside' ? 1 : 0 };
    const { roles } = this.state;
    roles.fill(IN_BOX);
    this.#march([allNodes(this.frame)], false, progress);
    for (let node = 0; node < roles.length; node++) roles[node] &= ~IN_BOX;
  }

  /**
   * Computes the nodes of boxes, which are marked, for a surface that is closed if the last one was. `apart`: without
   * the times around the boxes.
   */
  compute(surface: Surface, boxes: readonly NodeBox[], apart: boolean, progress: ProgressOptions): void {
    this.#surface = surface;
    this.#march(boxes, apart, progress);
  }

  #march(boxes: readonly NodeBox[], apart: boolean, progress: ProgressOptions): void {
    const { marching, maxTime } = this.state;
    const around = this.#setAsideAround(boxes, apart);
    try {
      for (const box of boxes) {
        marching.clear(box);
        this.#fillInside(box);
        marching.counters.triangleDistances += this.#fillBand(box);
      }
      for (const box of boxes) this.#fixBand(box);
      for (const box of boxes) this.#start(box);
      reportProgress(progress, 0, 'march');
      marching.march(maxTime, progress);
    } finally {
      for (let n = 0; n < around.nodes.length; n++) {
        const node = around.nodes[n];
        marching.tags[node] = FAR_AWAY;
        if (around.tags[n] === ALIVE) marching.fix(node, around.times[n]);
        else marching.tags[node] = around.tags[n];
      }
    }
    for (const box of boxes) {
      forEachRow(this.state, box, (node, at, end) => {
        for (; at < end; at++, node++) this.values[at] = this.#valueOf(node, at);
      });
    }
  }

  /** Brings the values of some nodes, given by padded index, in step with their times. */
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
    const { sign = 'winding', sides = 'both' } = this.#options;
    const { closed } = this.#surface;
    const inside = closed ? marching.inside[node] : this.#inside[at];
    let time = marching.tags[node] === ALIVE && marching.times[node] <= maxTime ? marching.times[node] : Infinity;
    if (!closed && sides !== 'both' && (sides === 'inside') !== (inside === 1) && !this.#isInBand(node)) {
      time = Infinity;
    }
    return inside === 1 && sign === 'winding' ? -time : time;
  }

  #isInBand(node: number): boolean {
    const { roles, offers } = this.state;
    return (roles[node] & SEED) !== 0 || (offers !== null && offers[node] < Infinity);
  }

  /** Marks the nodes of boxes; returns how many there are. */
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

  #fillInside(box: NodeBox): void {
    const { sign = 'winding', sides = 'both' } = this.#options;
    if (this.#surface.closed || sign === 'winding' || sides !== 'both') {
      this.#surface.fillInside(this.frame, box, this.#inside);
    }
  }

  #fillBand(box: NodeBox): number {
    const { frame, values } = this;
    const surface = this.#surface;
    const computed =
      this.state.offers === null
        ? fillExactBand(surface, frame, this.bandWidth, box, values)
        : fillDocumentBand(surface, frame, box, values);
    return computed + (leavesGrid(surface, frame) ? addBorderSeeds(surface, frame, box, values) : 0);
  }

  /**
   * Prepares the nodes around the boxes for a march, and returns how they were. Those with a time in the layers that the
   * march sees are offered it again, so that they are accepted in turn with the nodes of the boxes, as they would be
   * in a march over the whole grid: second order looks at what was accepted so far. `apart`, they are not to be seen.
   * Those without a time are not to be reached. The march may lower a time; what it was comes back afterwards.
   */
  #setAsideAround(boxes: readonly NodeBox[], apart: boolean): { nodes: number[]; tags: number[]; times: number[] } {
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

  /** Hands the band, unsigned distances in the values of a box, to the march. */
  #fixBand(box: NodeBox): void {
    const { marching, roles, offers, side } = this.state;
    const { values } = this;
    const { speed } = this.#options;
    const inside = this.#surface.closed ? this.#inside : null;
    forEachRow(this.state, box, (node, at, end) => {
      for (; at < end; at++, node++) {
        const distance = values[at];
        // A node on the surface belongs to no side; it counts as outside.
        const isInside = inside !== null && distance > 0 ? inside[at] : 0;
        marching.inside[node] = isInside;
        roles[node] &= ~SEED;
        if (offers !== null) offers[node] = Infinity;
        if (distance === Infinity) continue;
        marching.counters.bandNodes++;
        const time = speed === undefined ? distance : distance / speed[at];
        if (offers !== null && (side < 0 || side === isInside)) {
          offers[node] = time;
        } else {
          roles[node] |= SEED;
          if (time < Infinity) marching.fix(node, time);
        }
      }
    });
  }

  /** Offers the nodes of a box what its band and the seeds beside it give them. */
  #start(box: NodeBox): void {
    const { marching, roles, offers, side, frame } = this.state;
    const { tags, inside } = marching;
    forEachRow(this.state, box, (node, at, end) => {
      for (; offers !== null && at < end; at++, node++) {
        if (offers[node] < Infinity && offerBeside(marching, node, offers[node])) roles[node] |= SEED;
      }
    });
    forEachRow(this.state, growNodeBox(frame, box, 1), (node, at, end) => {
      for (; at < end; at++, node++) {
        if ((roles[node] & SEED) === 0 || tags[node] !== ALIVE) continue;
        if (side < 0 || inside[node] === side) marching.updateNeighbors(node);
      }
    });
  }
}

/** The box with `layers` more nodes on every side, as far as the grid goes. */
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
