// Which nodes of a planar grid lie inside a polygon, exactly: signed crossings of the rows along x with the edges,
// decided by exact turns (Shewchuk 1997). A row through a corner counts as if it lay at y + ε. Nodes on the outline are
// inside. O(rows the edges reach + nodes of the box).

import { exactTurn } from '../../core/exact/orientation.js';
import type { GridFrame, NodeBox } from '../grid.js';
import { COORDINATE_ROUNDING } from './coordinate-rounding.js';
import { clampNode, firstNodeFrom, lastNodeUpTo } from './node-range.js';

/** Writes 1 for the nodes of `box` inside closed rings of edges or on them, 0 for its other nodes. Edges: nine numbers as triangles (a, b, b). */
export function fillInsideOutline(
  edges: Float64Array,
  count: number,
  frame: GridFrame,
  box: NodeBox,
  inside: Uint8Array,
): void {
  const { origin, spacing, size } = frame;
  const [minI, minJ, k] = box.min;
  const [maxI, maxJ, maxK] = box.max;
  if (maxI < minI || maxJ < minJ || maxK < k) return;
  const [originX, originY] = origin;
  const rowLength = maxI - minI + 2;
  const steps = new Int32Array(rowLength * (maxJ - minJ + 1));
  const touched = new Uint8Array(steps.length);
  for (let o = 0; o < 9 * count; o += 9) {
    const ax = edges[o];
    const ay = edges[o + 1];
    const bx = edges[o + 3];
    const by = edges[o + 4];
    const minX = Math.min(ax, bx);
    const maxX = Math.max(ax, bx);
    const pad = spacing + COORDINATE_ROUNDING * Math.max(-minX, maxX);
    const sign = by > ay ? 1 : -1;
    const last = lastNodeUpTo(originY, spacing, minJ, maxJ, Math.max(ay, by));
    for (let j = firstNodeFrom(originY, spacing, minJ, maxJ, Math.min(ay, by)); j <= last; j++) {
      const y = originY + spacing * j;
      const row = rowLength * (j - minJ) - minI;
      // Where the edge meets the row: the whole of a level edge, otherwise one point up to rounding.
      const crossing = Math.min(maxX, Math.max(minX, ax + ((y - ay) / (by - ay)) * (bx - ax)));
      const low = (ay === by ? minX : crossing) - pad;
      const high = (ay === by ? maxX : crossing) + pad;
      const end = lastNodeUpTo(originX, spacing, minI, maxI, high);
      for (let i = firstNodeFrom(originX, spacing, minI, maxI, low); i <= end; i++) {
        const x = originX + spacing * i;
        if (x >= minX && x <= maxX && exactTurn(ax, ay, bx, by, x, y) === 0) touched[row + i] = 1;
      }
      if (ay <= y === by <= y) continue;
      let i = clampNode(Math.ceil((crossing - originX) / spacing), minI, maxI);
      // Left of an upward edge, or right of a downward one, means before it.
      while (i > minI && sign * exactTurn(ax, ay, bx, by, originX + spacing * (i - 1), y) <= 0) i--;
      while (i <= maxI && sign * exactTurn(ax, ay, bx, by, originX + spacing * i, y) > 0) i++;
      if (i > minI) steps[row + i] += sign;
    }
  }
  for (let j = minJ; j <= maxJ; j++) {
    const row = rowLength * (j - minJ) - minI;
    const out = size[0] * (j + size[1] * k);
    let winding = 0;
    for (let i = maxI; i >= minI; i--) {
      winding += steps[row + i + 1];
      inside[out + i] = winding > 0 || touched[row + i] ? 1 : 0;
    }
  }
}
