// Samplers that know nothing of space: uniform, Gaussian (Boor, Overmars and van der Stappen 1999) and the bridge test (Hsu,
// Jiang, Reif and Sun 2003).
import type { Random } from '../../core/random.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import { BLOCKED, type ConfigurationSampler, NOTHING } from './sampler.js';

/**
 * Chosen: this share of the samples is uniform: open space would have none otherwise (Hsu et al. 2003). The bridge
 * test rarely finds free pairs, so there it is the share of all that are drawn.
 */
const UNIFORM_SHARE = 1 / 6;

/** Chosen: the mean distance of the two configurations of a pair, as a share of the size of the largest link. */
const SPREAD = 1;

/** Every configuration within the bounds is as likely. */
export class UniformSampler implements ConfigurationSampler {
  readonly name: ConfigurationSampler['name'] = 'uniform';
  readonly companions: readonly Float64Array[] = [];
  protected readonly scene: CollisionScene;

  constructor(scene: CollisionScene) {
    this.scene = scene;
  }

  draw(random: Random, out: Float64Array): number {
    for (const robot of this.scene.robots) robot.sample(random, out);
    return this.scene.isFree(out) ? 0 : BLOCKED;
  }

  obstacleMoved(): void {
    // Nothing is known of obstacles.
  }
}

/** Samples by tests of pairs, among uniform ones. */
abstract class PairSampler extends UniformSampler {
  protected readonly other: Float64Array;
  readonly #near: NearbySampler;
  /** Samples counted so far, and the uniform ones among them. */
  #count = 0;
  #uniform = 0;
  /** Whether those that are not free count. */
  protected abstract readonly countsAll: boolean;

  constructor(scene: CollisionScene) {
    super(scene);
    this.#near = new NearbySampler(scene);
    this.other = new Float64Array(scene.size);
  }

  override draw(random: Random, out: Float64Array): number {
    const isUniform = this.#uniform <= UNIFORM_SHARE * this.#count;
    const first = super.draw(random, out);
    const known = isUniform ? first : this.drawPair(random, out, first === BLOCKED);
    if (known >= 0 || this.countsAll) {
      this.#count++;
      if (isUniform) this.#uniform++;
    }
    return known;
  }

  /** Writes the second of a pair to `other`; returns whether it is free. */
  protected drawOther(random: Random, q: Float64Array): boolean {
    this.#near.draw(random, q, SPREAD * this.scene.scale, this.other);
    return this.scene.isFree(this.other);
  }

  protected abstract drawPair(random: Random, out: Float64Array, isBlocked: boolean): number;
}

/** A free configuration that has a blocked one near it: samples lie along obstacles. */
export class GaussianSampler extends PairSampler {
  override readonly name = 'gaussian';
  protected readonly countsAll = false;

  protected drawPair(random: Random, out: Float64Array, isBlocked: boolean): number {
    if (this.drawOther(random, out) !== isBlocked) return NOTHING;
    if (isBlocked) out.set(this.other);
    return 0;
  }
}

/** The middle between two blocked configurations, if it is free: samples lie in narrow passages. */
export class BridgeSampler extends PairSampler {
  override readonly name = 'bridge';
  protected readonly countsAll = true;

  protected drawPair(random: Random, out: Float64Array, isBlocked: boolean): number {
    if (!isBlocked || this.drawOther(random, out)) return NOTHING;
    this.scene.interpolate(out, this.other, 0.5, out);
    return this.scene.isFree(out) ? 0 : NOTHING;
  }
}

/** Configurations around a given one. */
export class NearbySampler {
  readonly #scene: CollisionScene;
  readonly #motion: Float64Array;

  constructor(scene: CollisionScene) {
    this.#scene = scene;
    this.#motion = new Float64Array(Math.max(...scene.robots.map(({ freedoms }) => freedoms)));
  }

  /** Writes a configuration that is a normal deviation away in each freedom, in meters. */
  draw(random: Random, q: Float64Array, deviation: number, out: Float64Array): void {
    for (const robot of this.#scene.robots) {
      for (let k = 0; k < robot.freedoms; k++) this.#motion[k] = deviation * random.normal();
      robot.moveBy(q, this.#motion, out);
    }
  }
}
