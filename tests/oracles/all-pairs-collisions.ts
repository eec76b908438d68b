// Which objects collide, by testing every triangle of one against every triangle of the other.
import { trianglesMeet } from './triangles-meet.js';

interface Soup {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

export interface Collisions {
  /** 'i j' with i < j. */
  readonly objectPairs: Set<string>;
  /** 'i a j b': triangle a of object i and triangle b of object j. */
  readonly trianglePairs: Set<string>;
}

/** All collisions of different objects. */
export function collideAllPairs(objects: readonly Soup[]): Collisions {
  const objectPairs = new Set<string>();
  const trianglePairs = new Set<string>();
  for (let i = 0; i < objects.length; i++) {
    for (let j = i + 1; j < objects.length; j++) {
      const [p, q] = [objects[i], objects[j]];
      for (let a = 0; a < p.indices.length; a += 3) {
        for (let b = 0; b < q.indices.length; b += 3) {
          const [a0, a1, a2] = [0, 1, 2].map((k) => 3 * p.indices[a + k]);
          const [b0, b1, b2] = [0, 1, 2].map((k) => 3 * q.indices[b + k]);
          if (areApart(p.positions, a0, a1, a2, q.positions, b0, b1, b2)) continue;
          if (!trianglesMeet(p.positions, a0, a1, a2, q.positions, b0, b1, b2)) continue;
          objectPairs.add(`${i} ${j}`);
          trianglePairs.add(`${i} ${a / 3} ${j} ${b / 3}`);
        }
      }
    }
  }
  return { objectPairs, trianglePairs };
}

/** Whether an axis separates the corners. */
function areApart(
  p: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  q: Float64Array,
  b0: number,
  b1: number,
  b2: number,
): boolean {
  for (let k = 0; k < 3; k++) {
    if (Math.max(p[a0 + k], p[a1 + k], p[a2 + k]) < Math.min(q[b0 + k], q[b1 + k], q[b2 + k])) return true;
    if (Math.max(q[b0 + k], q[b1 + k], q[b2 + k]) < Math.min(p[a0 + k], p[a1 + k], p[a2 + k])) return true;
  }
  return false;
}
