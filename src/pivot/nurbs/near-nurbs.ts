// Which of several NURBS surfaces come near each other: sweep and prune over the boxes of their patches' control points,
// which hold the patches.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { SweepAndPrune } from '../../spatial/sweep-and-prune.js';
import { bezierPatches } from './bezier-patches.js';
import { assertNurbs, type NurbsSurface } from './nurbs-surface.js';

/** Surfaces that may come near each other. */
export interface NearNurbs {
  /** Numbers of surfaces, two per pair, the lower first, in order. */
  readonly pairs: Uint32Array;
  /** Pairs of patches of different surfaces whose boxes are near. */
  readonly patchPairs: number;
  /** Patches of all surfaces. */
  readonly patches: number;
}

/**
 * The pairs of surfaces with patches whose control boxes are at most `margin` apart along every axis. Surfaces that are
 * within that distance anywhere are among them. A surface deep inside another is not: nothing of the surfaces is near.
 * @throws NearfieldError for invalid surfaces and margins.
 */
export function findNearNurbs(surfaces: readonly NurbsSurface[], margin: number): NearNurbs {
  if (!(typeof margin === 'number' && margin >= 0 && margin < Infinity)) {
    throw new NearfieldError('bad-argument', `The margin is ${nameValue(margin)}; give a length of 0 or more.`);
  }
  if (!Array.isArray(surfaces)) {
    throw new NearfieldError('bad-argument', `The surfaces are ${nameValue(surfaces)}; give an array of them.`);
  }
  const sweep = new SweepAndPrune({ margin });
  const owners: number[] = [];
  const box = new Float64Array(6);
  for (const [number, surface] of surfaces.entries()) {
    assertNurbs(surface);
    for (const { net } of bezierPatches(surface)) {
      box.fill(Infinity, 0, 3).fill(-Infinity, 3);
      for (let o = 0; o < net.length; o += 4) {
        for (let axis = 0; axis < 3; axis++) {
          box[axis] = Math.min(box[axis], net[o + axis] / net[o + 3]);
          box[3 + axis] = Math.max(box[3 + axis], net[o + axis] / net[o + 3]);
        }
      }
      sweep.place(owners.length, box);
      owners.push(number);
    }
  }
  sweep.update();
  const found = new Set<number>();
  let patchPairs = 0;
  sweep.forEachPair((first, second) => {
    const [a, b] = [Math.min(owners[first], owners[second]), Math.max(owners[first], owners[second])];
    if (a === b) return;
    patchPairs++;
    found.add(a * surfaces.length + b);
  });
  const codes = [...found].sort((a, b) => a - b);
  const pairs = Uint32Array.from(codes.flatMap((code) => [Math.floor(code / surfaces.length), code % surfaces.length]));
  return { pairs, patchPairs, patches: owners.length };
}
