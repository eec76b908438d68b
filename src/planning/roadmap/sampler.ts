// Where the configurations of a roadmap come from.
import type { Random } from '../../core/random.js';

/** The samplers by name. */
export const SAMPLERS = ['uniform', 'gaussian', 'bridge', 'voronoi'] as const;
/** One of the samplers. */
export type SamplerName = (typeof SAMPLERS)[number];

/** Label: the answer of {@link ConfigurationSampler.draw} for a configuration that is not free. */
export const BLOCKED = -1;

/** Label: the answer of {@link ConfigurationSampler.draw} where it found no configuration. */
export const NOTHING = -2;

/** A source of configurations for a scene. */
export interface ConfigurationSampler {
  readonly name: SamplerName;
  /**
   * Draws once, and writes a configuration. Returns how far everything is known to be away from it, 0 or more, if it is free;
   * `BLOCKED` if the obstacle `scene.blocker` is in its way; `NOTHING` if this attempt fails.
   */
  draw(random: Random, out: Float64Array): number;
  /** Configurations that edges from the last free sample may lead to, as far as they are proven. */
  readonly companions: readonly Float64Array[];
  /** To be called after an obstacle has moved between two boxes. */
  obstacleMoved(index: number, before: Float64Array, after: Float64Array): void;
}
