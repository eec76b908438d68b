// Joins boxes of new times to the old ones around them (Fisher and Lin 2001, section 4.4.2): checks the upwind gradient
// across the borders, propagates differences past them until they vanish, or blends old and new over some layers. A
// first-order field that solves its local equation at every node is the marched field: a local solution is monotone and
// depends only on lower times, so by induction over rising times no other field solves all equations.

import type { GridFrame, NodeBox } from '../grid.js';
import { WALL } from '../march/fast-marching.js';
import { borderSlabs, forEachRow, IN_BOX, type MarchState, nodeAt, SEED } from '../march/march-state.js';

/** Label: bit of a role: the node is in the queue of {@link spreadChanges}. */
const QUEUED = 4;

/** Nodes whose equations reach across a border, and the times that these gave before the recomputation. */
export interface Border {
  readonly nodes: Int32Array;
  /** `null` if the times at the nodes were solutions. */
  readonly before: Float64Array | null;
}

/**
 * The nodes whose equations reach across the borders of the boxes: as many layers outside as the order, and as many
 * inside when `within`. Call it with the boxes marked IN_BOX and not yet cleared. Second-order marches leave residues
 * at some nodes (up to 0.004 spacings where fronts meet); they are not discontinuities, so only changes count.
 */
export function findBorder(state: MarchState, boxes: readonly NodeBox[], within: boolean): Border {
  const { frame, roles, order } = state;
  const found: number[] = [];
  for (const box of boxes) {
    for (const slab of borderSlabs(frame, box, order, within)) {
      forEachRow(state, slab, (node, at, end) => {
        for (; at < end; at++, node++) {
          if (within || ((roles[node] & IN_BOX) === 0 && hasEquation(state, node))) found.push(node);
        }
      });
    }
  }
  const nodes = Int32Array.from(found);
  if (within || solvesExactly(state)) return { nodes, before: null };
  const before = new Float64Array(nodes.length);
  for (let n = 0; n < nodes.length; n++) before[n] = localTime(state, nodes[n]);
  return { nodes, before };
}

/** Whether marched times solve their local equations up to rounding, so that these need not be solved again. */
function solvesExactly({ order }: MarchState): boolean {
  return order === 1;
}

/** Whether an equation holds at a node: it is not a seed or a wall, and is on a marched side. */
function hasEquation(state: MarchState, node: number): boolean {
  return (
    (state.roles[node] & SEED) === 0 &&
    state.marching.tags[node] !== WALL &&
    (state.side < 0 || state.marching.inside[node] === state.side)
  );
}

/** The time of a node from its neighbors and the surface; Infinity above the limit. */
function localTime(state: MarchState, node: number): number {
  const solved = state.marching.solve(node);
  const time = state.offers === null ? solved : Math.min(solved, state.offers[node]);
  return time <= state.maxTime ? time : Infinity;
}

/** The difference of two times of a node; times above the limit count as the limit. */
function difference(state: MarchState, a: number, b: number): number {
  return a === b ? 0 : Math.abs(Math.min(a, state.maxTime) - Math.min(b, state.maxTime));
}

/** The largest change of a local solution at a border: 0 if old and new times join seamlessly. */
export function measureDiscontinuity(state: MarchState, border: Border): number {
  const { nodes, before } = border;
  const { times } = state.marching;
  let largest = 0;
  for (let n = 0; n < nodes.length; n++) {
    // Nodes within a box can have become seeds.
    if (!hasEquation(state, nodes[n])) continue;
    const change = difference(state, localTime(state, nodes[n]), before === null ? times[nodes[n]] : before[n]);
    if (change > largest) largest = change;
  }
  return largest;
}

/**
 * Propagates changes at a border from node to node, in rounds of rising times, until no local solution changes by more
 * than the tolerance. First-order times are then solutions everywhere, up to the tolerance per node.
 * @returns The nodes whose times changed, some more than once; `null` if that took more than `limit` changes: the
 * times are then unusable.
 */
export function spreadChanges(state: MarchState, border: Border, tolerance: number, limit: number): number[] | null {
  const { marching, roles, order, frame } = state;
  const { times } = marching;
  const origin = marching.node(0, 0, 0);
  const steps = [1, marching.node(0, 1, 0) - origin];
  if (frame.size[2] > 1) steps.push(marching.node(0, 0, 1) - origin);
  const offsets = steps.flatMap((step) => (order === 1 ? [step, -step] : [step, -step, 2 * step, -2 * step]));
  const exact = solvesExactly(state);
  // If times are not solutions: the last local solution of each node near a change.
  const solutions = new Map<number, number>();
  if (border.before !== null)
    for (let n = 0; n < border.nodes.length; n++) solutions.set(border.nodes[n], border.before[n]);
  const changed: number[] = [];
  let round: number[] = [];
  const enqueue = (node: number, into: number[]) => {
    if ((roles[node] & QUEUED) !== 0 || !hasEquation(state, node)) return;
    roles[node] |= QUEUED;
    into.push(node);
  };
  for (const node of border.nodes) enqueue(node, round);
  while (round.length > 0) {
    const next: number[] = [];
    round.sort((a, b) => times[a] - times[b] || a - b);
    for (const node of round) {
      roles[node] &= ~QUEUED;
      const solution = localTime(state, node);
      const before = exact ? times[node] : (solutions.get(node) ?? solution);
      if (!(difference(state, solution, before) > tolerance)) continue;
      if (!exact) {
        solutions.set(node, solution);
        for (const offset of offsets) {
          const neighbor = node + offset;
          if (!solutions.has(neighbor) && hasEquation(state, neighbor)) {
            solutions.set(neighbor, localTime(state, neighbor));
          }
        }
      }
      const time = times[node] + (solution - before);
      setTime(state, node, exact || !Number.isFinite(time) ? solution : time);
      changed.push(node);
      for (const offset of offsets) enqueue(node + offset, next);
    }
    round = next;
    if (changed.length > limit) {
      for (const node of round) roles[node] &= ~QUEUED;
      return null;
    }
  }
  return changed;
}

function setTime(state: MarchState, node: number, time: number): void {
  if (time < Infinity) {
    state.marching.fix(node, time);
    return;
  }
  const at = nodeAt(state, node);
  state.marching.clear({ min: at, max: at });
}

/**
 * Mixes old and new values in the layers of the boxes next to their borders; the weight of new ones grows with every
 * layer inward. Seeds, nodes that changed sides and infinite values keep the new value.
 * @param values New values by node of the grid; written, and the times of the march with them.
 * @param old For each box its old values, x fastest.
 */
export function blendLayers(
  state: MarchState,
  boxes: readonly NodeBox[],
  values: Float64Array,
  old: readonly Float64Array[],
  layers: number,
): void {
  const { frame, marching, roles } = state;
  const [nx, ny] = frame.size;
  boxes.forEach((box, b) => {
    let o = 0;
    for (let k = box.min[2]; k <= box.max[2]; k++) {
      for (let j = box.min[1]; j <= box.max[1]; j++) {
        for (let i = box.min[0]; i <= box.max[0]; i++, o++) {
          const depth = depthInBoxes(frame, boxes, i, j, k);
          // In overlapping boxes, the first box that has the node blends it.
          if (depth > layers || firstWith(boxes, i, j, k) !== b) continue;
          const node = marching.node(i, j, k);
          const at = i + nx * (j + ny * k);
          const before = old[b][o];
          const now = values[at];
          if ((roles[node] & SEED) !== 0 || before < 0 !== now < 0) continue;
          if (!Number.isFinite(before) || !Number.isFinite(now)) continue;
          const weight = depth / (layers + 1);
          values[at] = before + weight * (now - before);
          marching.fix(node, Math.abs(values[at]));
        }
      }
    }
  });
}

/** How many layers a node lies inside the boxes, 1 at a border; faces on the border of the grid do not count. */
function depthInBoxes(frame: GridFrame, boxes: readonly NodeBox[], i: number, j: number, k: number): number {
  let deepest = 0;
  for (const box of boxes) {
    let depth = Infinity;
    for (let axis = 0; axis < 3; axis++) {
      const at = axis === 0 ? i : axis === 1 ? j : k;
      if (box.min[axis] > 0) depth = Math.min(depth, at - box.min[axis] + 1);
      else if (at < box.min[axis]) depth = 0;
      if (box.max[axis] < frame.size[axis] - 1) depth = Math.min(depth, box.max[axis] - at + 1);
    }
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function firstWith(boxes: readonly NodeBox[], i: number, j: number, k: number): number {
  return boxes.findIndex(
    ({ min, max }) => min[0] <= i && i <= max[0] && min[1] <= j && j <= max[1] && min[2] <= k && k <= max[2],
  );
}
