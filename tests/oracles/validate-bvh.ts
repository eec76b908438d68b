import type { Bvh } from '../../src/spatial/bvh.js';

/** Checks the structure of a hierarchy over `boxes` and throws the first fault found. */
export function validateBvh(bvh: Bvh, boxes: Float64Array, leafSize: number): void {
  const count = boxes.length / 6;
  assert(bvh.itemCount === count, `itemCount is ${bvh.itemCount}, not ${count}`);
  assert(bvh.nodeBoxes.length === 6 * bvh.nodeCount, 'nodeBoxes has the wrong length');
  assert(bvh.nodeCount <= Math.max(0, 2 * count - 1), 'there are more nodes than a binary tree can have');
  const seen = new Set(bvh.items);
  assert(bvh.items.length === count && seen.size === count, 'items is no permutation');
  for (let slot = 0; slot < count; slot++) {
    assert(bvh.items[slot] < count, `slot ${slot} holds the item ${bvh.items[slot]}`);
    for (let k = 0; k < 6; k++) {
      assert(bvh.slotBoxes[6 * slot + k] === boxes[6 * bvh.items[slot] + k], `slot ${slot} has the wrong box`);
    }
  }
  if (count === 0) {
    assert(bvh.nodeCount === 0 && bvh.depth === 0, 'an empty tree has nodes');
    return;
  }
  assert(bvh.nodeFirst[0] === 0 && bvh.nodeItems[0] === count, 'the root does not hold all items');
  const visited = new Uint8Array(bvh.nodeCount);
  let depth = 0;
  const pending = [{ node: 0, level: 1 }];
  while (pending.length > 0) {
    const { node, level } = pending.pop()!;
    assert(visited[node] === 0, `node ${node} has two parents`);
    visited[node] = 1;
    depth = Math.max(depth, level);
    const first = bvh.nodeFirst[node];
    const items = bvh.nodeItems[node];
    assert(items > 0, `node ${node} is empty`);
    for (let axis = 0; axis < 3; axis++) {
      let min = Infinity;
      let max = -Infinity;
      for (let slot = first; slot < first + items; slot++) {
        min = Math.min(min, boxes[6 * bvh.items[slot] + axis]);
        max = Math.max(max, boxes[6 * bvh.items[slot] + axis + 3]);
      }
      assert(bvh.nodeBoxes[6 * node + axis] === min, `node ${node} is not tight below`);
      assert(bvh.nodeBoxes[6 * node + axis + 3] === max, `node ${node} is not tight above`);
    }
    const left = bvh.nodeLeft[node];
    if (left === 0) {
      assert(items <= leafSize, `leaf ${node} has ${items} items`);
      continue;
    }
    assert(left > node && left + 1 < bvh.nodeCount, `node ${node} has the left child ${left}`);
    assert(bvh.nodeFirst[left] === first, `node ${node} and its left child begin apart`);
    assert(bvh.nodeFirst[left + 1] === first + bvh.nodeItems[left], `the children of ${node} leave a gap`);
    assert(bvh.nodeItems[left] + bvh.nodeItems[left + 1] === items, `the children of ${node} lose items`);
    pending.push({ node: left, level: level + 1 }, { node: left + 1, level: level + 1 });
  }
  assert(!visited.includes(0), 'a node is not reachable');
  assert(depth === bvh.depth, `depth is ${bvh.depth}, not ${depth}`);
}

function assert(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}
