// Forces and torques of a scene over time. A step or a part of one that a force begins or ends in has its share of it.
import type { CheckedForce } from './check-freedom.js';

/** Applies a force to a body: at a point given in the body's frame, or at the center of mass. */
export type ApplyForce = (body: number, force: readonly number[], torque: readonly number[], local: unknown) => void;

/** The forces of a scene. */
export class SceneForces {
  readonly #forces: readonly { readonly of: CheckedForce; readonly local: unknown }[];
  readonly #apply: ApplyForce;

  /** @param toLocal a point of the world at the start, in the frame of a body. */
  constructor(
    forces: readonly CheckedForce[],
    toLocal: (body: number, point: readonly number[]) => unknown,
    apply: ApplyForce,
  ) {
    this.#forces = forces.map((of) => ({ of, local: of.at === null ? null : toLocal(of.body, of.at) }));
    this.#apply = apply;
  }

  /** Applies what acts from a time on for `dt` seconds. */
  apply(time: number, dt: number): void {
    for (const { of, local } of this.#forces) {
      const share = (Math.min(of.to, time + dt) - Math.max(of.from, time)) / dt;
      if (!(share > 0)) continue;
      const scaled = (values: readonly number[]): number[] => values.map((value) => Math.min(1, share) * value);
      this.#apply(of.body, scaled(of.force), scaled(of.torque), local);
    }
  }
}
