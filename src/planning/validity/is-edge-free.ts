// Whether an edge is proven free. One that is not mostly meets something at its end or in its middle, which is told sooner than by a
// proof that goes as far as it can.
import type { CollisionScene } from './collision-scene.js';

/** @param a which is free. */
export function isEdgeFree(scene: CollisionScene, a: Float64Array, b: Float64Array): boolean {
  if (!scene.isFree(b)) return false;
  const middle = new Float64Array(scene.size);
  scene.interpolate(a, b, 0.5, middle);
  return scene.isFree(middle) && scene.advance(a, b) === 1;
}
