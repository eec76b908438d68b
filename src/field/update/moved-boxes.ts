// Which triangles moved between two states of a surface, and a few axis-aligned boxes around them: a binary tree of boxes
// built top-down (Fisher and Lin 2001, section 4.4.1), always splitting the node that loses the most empty volume. Every
// box holds the old and the new place of its triangles. O(n) for n triangles, O(m) per split of m moved ones.

/** The triangles that moved. */
export interface MovedTriangles {
  /** Their numbers, ascending. */
  readonly triangles: Uint32Array;
  /** Six numbers each, minimum first: the box of the old and the new corners together. */
  readonly boxes: Float64Array;
}

/**
 * Compares two states of a surface triangle by triangle, exactly.
 * @param before Nine numbers per triangle.
 * @param after The same triangles in the same order.
 */
export function findMovedTriangles(before: Float64Array, after: Float64Array): MovedTriangles {
  const count = before.length / 9;
  const triangles = new Uint32Array(count);
  let moved = 0;
  for (let t = 0, o = 0; t < count; t++, o += 9) {
    for (let c = o; c < o + 9; c++) {
      if (before[c] !== after[c]) {
        triangles[moved++] = t;
        break;
      }
    }
  }
  const boxes = new Float64Array(6 * moved);
  for (let m = 0, o = 0; m < moved; m++, o += 6) {
    const corner = 9 * triangles[m];
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity;
      let high = -Infinity;
      for (let c = corner + axis; c < corner + 9; c += 3) {
        low = Math.min(low, before[c], after[c]);
        high = Math.max(high, before[c], after[c]);
      }
      boxes[o + axis] = low;
      boxes[o + 3 + axis] = high;
    }
  }
  return { triangles: triangles.slice(0, moved), boxes };
}

/** Chosen: candidate cuts of a box along each axis. */
const BINS = 16;

/** A node of the tree: items `order[start]` up to before `order[end]`, and what splitting it would save. */
interface TreeNode {
  readonly start: number;
  readonly end: number;
  readonly box: Float64Array;
  /** Volume that the two halves do not cover; 0 if no cut saves any. */
  saving: number;
  axis: number;
  cut: number;
}

/**
 * At most `maxBoxes` boxes that together hold all the given boxes. A box is measured with `margin` around it, which is
 * its real cost of use, so boxes closer to each other than that stay one.
 * @param boxes Six numbers each, minimum first.
 * @returns Six numbers per box; empty for no boxes.
 */
export function coverBoxes(boxes: Float64Array, maxBoxes: number, margin: number): Float64Array {
  const count = boxes.length / 6;
  if (count === 0) return new Float64Array(0);
  const order = Uint32Array.from({ length: count }, (_, item) => item);
  const leaves = [makeNode(boxes, order, 0, count, margin)];
  while (leaves.length < maxBoxes) {
    let best = 0;
    for (let l = 1; l < leaves.length; l++) if (leaves[l].saving > leaves[best].saving) best = l;
    const node = leaves[best];
    if (node.saving <= 0) break;
    const middle = partition(boxes, order, node);
    leaves[best] = makeNode(boxes, order, node.start, middle, margin);
    leaves.push(makeNode(boxes, order, middle, node.end, margin));
  }
  const cover = new Float64Array(6 * leaves.length);
  for (let l = 0; l < leaves.length; l++) cover.set(leaves[l].box, 6 * l);
  return cover;
}

function emptyBox(): Float64Array {
  return Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
}

function include(into: Float64Array, boxes: Float64Array, offset: number): void {
  for (let axis = 0; axis < 3; axis++) {
    if (boxes[offset + axis] < into[axis]) into[axis] = boxes[offset + axis];
    if (boxes[offset + 3 + axis] > into[3 + axis]) into[3 + axis] = boxes[offset + 3 + axis];
  }
}

/** Whether the box is still empty. */
function isHollow(box: Float64Array): boolean {
  return !(box[0] <= box[3]);
}

function volume(box: Float64Array, margin: number): number {
  return (box[3] - box[0] + 2 * margin) * (box[4] - box[1] + 2 * margin) * (box[5] - box[2] + 2 * margin);
}

function makeNode(boxes: Float64Array, order: Uint32Array, start: number, end: number, margin: number): TreeNode {
  const box = emptyBox();
  for (let s = start; s < end; s++) include(box, boxes, 6 * order[s]);
  const node: TreeNode = { start, end, box, saving: 0, axis: 0, cut: 0 };
  const whole = volume(box, margin);
  for (let axis = 0; axis < 3; axis++) {
    if (!(box[3 + axis] > box[axis])) continue;
    const bins = Array.from({ length: BINS }, emptyBox);
    for (let s = start; s < end; s++) include(bins[binOf(boxes, order[s], box, axis)], boxes, 6 * order[s]);
    const above = new Float64Array(BINS);
    const suffix = emptyBox();
    for (let b = BINS - 1; b > 0; b--) {
      include(suffix, bins[b], 0);
      above[b] = isHollow(suffix) ? -1 : volume(suffix, margin);
    }
    const prefix = emptyBox();
    for (let b = 0; b < BINS - 1; b++) {
      include(prefix, bins[b], 0);
      // A cut with all items on one side is not a cut.
      if (above[b + 1] < 0 || isHollow(prefix)) continue;
      const saving = whole - volume(prefix, margin) - above[b + 1];
      if (saving > node.saving) {
        node.saving = saving;
        node.axis = axis;
        node.cut = b;
      }
    }
  }
  return node;
}

/** The bin of an item's middle along an axis of the node's box. */
function binOf(boxes: Float64Array, item: number, box: Float64Array, axis: number): number {
  const middle = boxes[6 * item + axis] / 2 + boxes[6 * item + 3 + axis] / 2;
  const bin = Math.floor((BINS * (middle - box[axis])) / (box[3 + axis] - box[axis]));
  return Math.min(BINS - 1, Math.max(0, bin));
}

/** Moves the items up to the node's cut to the front of its range; returns where the others begin. */
function partition(boxes: Float64Array, order: Uint32Array, node: TreeNode): number {
  let middle = node.start;
  for (let s = node.start; s < node.end; s++) {
    const item = order[s];
    if (binOf(boxes, item, node.box, node.axis) > node.cut) continue;
    order[s] = order[middle];
    order[middle++] = item;
  }
  return middle;
}
