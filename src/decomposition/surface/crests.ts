// The distance of each face from the nearest reflex edge, in steps over the dual graph (Ehmann and Lin 2001, section
// 4.1): a breadth-first search from all reflex edges at once. Faces far from any are the crests, where patches start.
import type { Surface } from './surface.js';

/** Hops of each face: 0 at a reflex edge; faces that reach none get the number of faces. */
export function countHops(surface: Surface): Int32Array {
  const faces = surface.faceCount;
  const { twin } = surface.adjacency;
  const hops = new Int32Array(faces).fill(faces);
  const queue = new Int32Array(faces);
  let end = 0;
  for (let face = 0; face < faces; face++) {
    if (surface.isReflex(3 * face) || surface.isReflex(3 * face + 1) || surface.isReflex(3 * face + 2)) {
      hops[face] = 0;
      queue[end++] = face;
    }
  }
  for (let head = 0; head < end; head++) {
    const face = queue[head];
    for (let h = 3 * face; h < 3 * face + 3; h++) {
      if (twin[h] < 0) continue;
      const beside = Math.floor(twin[h] / 3);
      if (hops[beside] === faces) {
        hops[beside] = hops[face] + 1;
        queue[end++] = beside;
      }
    }
  }
  return hops;
}

/** The faces from the most hops to the fewest; ties by number. */
export function orderByCrest(surface: Surface): Uint32Array {
  const hops = countHops(surface);
  const faces = Uint32Array.from(hops.keys());
  return faces.sort((a, b) => hops[b] - hops[a] || a - b);
}
