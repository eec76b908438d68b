// A marched field while it is computed: the march, and the role of each node.
import type { GridFrame, NodeBox } from '../grid.js';
import type { FastMarching } from './fast-marching.js';

/** Label: bit of a role: the node's time comes from the surface, and no equation holds there. */
export const SEED = 1;
/** Label: bit of a role: the node is in a box that is being recomputed. */
export const IN_BOX = 2;

/** A marched field and the roles of its nodes. Arrays by node are padded like those of the march. */
export interface MarchState {
  readonly frame: GridFrame;
  readonly order: 1 | 2;
  readonly marching: FastMarching;
  /** Times above this are Infinity. */
  readonly maxTime: number;
  /** The marched side, coded like `inside`; −1 for both. */
  readonly side: number;
  /** By node: bits of {@link SEED} and {@link IN_BOX}. */
  readonly roles: Uint8Array;
  /** By node: a time offered by the surface, which a lower local solution replaces; `null` if all are fixed. */
  readonly offers: Float64Array | null;
}

/** Calls back for every row of a box: the padded index of its first node, the plain index of that, and the end index. */
export function forEachRow(
  { frame, marching }: Pick<MarchState, 'frame' | 'marching'>,
  box: NodeBox,
  visit: (node: number, at: number, end: number) => void,
): void {
  const [nx, ny] = frame.size;
  for (let k = box.min[2]; k <= box.max[2]; k++) {
    for (let j = box.min[1]; j <= box.max[1]; j++) {
      const row = nx * (j + ny * k);
      visit(marching.node(box.min[0], j, k), row + box.min[0], row + box.max[0] + 1);
    }
  }
}

/** The node of the grid at a padded index. */
export function nodeAt({ marching, frame }: MarchState, padded: number): [number, number, number] {
  const origin = marching.node(0, 0, 0);
  const strideY = marching.node(0, 1, 0) - origin;
  const strideZ = marching.node(0, 0, 1) - origin;
  const offset = padded - origin;
  const k = frame.size[2] > 1 ? Math.floor(offset / strideZ) : 0;
  const inSlice = offset - k * strideZ;
  const j = Math.floor(inSlice / strideY);
  return [inSlice - j * strideY, j, k];
}

/** The layers next to the faces of a box, and inside them too if `within`; a face on the border of the grid has none. */
export function borderSlabs(frame: GridFrame, box: NodeBox, layers: number, within: boolean): NodeBox[] {
  const slabs: NodeBox[] = [];
  for (let axis = 0; axis < 3; axis++) {
    const low = box.min[axis];
    const high = box.max[axis];
    const last = frame.size[axis] - 1;
    const slab = (from: number, to: number) => {
      const min: [number, number, number] = [...box.min];
      const max: [number, number, number] = [...box.max];
      min[axis] = from;
      max[axis] = to;
      slabs.push({ min, max });
    };
    if (low > 0) slab(Math.max(0, low - layers), within ? Math.min(high, low + layers - 1) : low - 1);
    if (high < last) slab(within ? Math.max(low, high - layers + 1) : high + 1, Math.min(last, high + layers));
  }
  return slabs;
}
