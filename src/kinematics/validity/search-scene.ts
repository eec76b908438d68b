// What searches of trees and paths ask of a scene, and the same scene with more room around everything.
import type { CollisionScene } from './collision-scene.js';

/** What a search needs of a scene. */
export type SearchScene = Pick<
  CollisionScene,
  'robots' | 'size' | 'scale' | 'counters' | 'isFree' | 'proves' | 'interpolate' | 'separation'
>;

/** A scene in which only that is free which quick tests prove to keep a clearance. */
export class RoomyScene implements SearchScene {
  readonly robots: SearchScene['robots'];
  readonly size: number;
  readonly scale: number;
  readonly counters: SearchScene['counters'];
  readonly clearance: number;
  readonly #scene: CollisionScene;

  constructor(scene: CollisionScene, clearance: number) {
    this.#scene = scene;
    this.clearance = clearance;
    ({ robots: this.robots, size: this.size, scale: this.scale, counters: this.counters } = scene);
  }

  isFree(q: Float64Array): boolean {
    return this.#scene.isRoomy(q, this.clearance);
  }

  proves(a: Float64Array, b: Float64Array): boolean {
    return this.#scene.provesRoomy(a, b, this.clearance);
  }

  interpolate(a: Float64Array, b: Float64Array, t: number, out: Float64Array): void {
    this.#scene.interpolate(a, b, t, out);
  }

  separation(a: Float64Array, b: Float64Array): number {
    return this.#scene.separation(a, b);
  }
}
