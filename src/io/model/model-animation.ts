import { nameValue } from '../../core/check/check-options.js';
import { assertPose } from '../../core/check/check-pose.js';
import { NearfieldError } from '../../core/errors.js';
import type { ModelFile } from './model-file.js';

/** How parts of a model move. Between two times a viewer moves them evenly. */
export interface ModelAnimation {
  readonly name?: string | undefined;
  /** In seconds, from 0 upward, each later than the one before. */
  readonly times: ArrayLike<number>;
  readonly tracks: readonly PartTrack[];
  /** Parts whose vertices move within them. */
  readonly shapes?: readonly PartShapes[] | undefined;
}

/** The shapes of one part of a model over time, as morph targets. Its mesh belongs to no other part. */
export interface PartShapes {
  /** Index of the part. */
  readonly part: number;
  /** From 0 upward, each later than the one before; between two of them vertices move evenly. */
  readonly times: ArrayLike<number>;
  /** For each time, three numbers for each vertex of the part's mesh. */
  readonly positions: readonly ArrayLike<number>[];
}

/** The poses of one part of a model, which take the place of its transform. */
export interface PartTrack {
  /** Index of the part. */
  readonly part: number;
  /** Seven numbers a time. */
  readonly poses: ArrayLike<number>;
}

/** Refuses an animation whose times do not grow, or whose tracks do not fit the times or the parts. */
export function assertAnimation(animation: ModelAnimation, model: ModelFile): void {
  const partCount = model.parts.length;
  const { times, tracks, shapes = [] } = animation ?? {};
  if (typeof times?.length !== 'number' || !Array.isArray(tracks)) {
    refuse(`The animation is ${nameValue(animation)}; give { times, tracks }.`);
  }
  assertTimes(times);
  const moved = new Set<number>();
  for (const [i, track] of tracks.entries()) {
    const { part, poses } = track ?? {};
    if (!Number.isInteger(part) || part < 0 || part >= partCount || moved.has(part)) {
      refuse(`Track ${i} of the animation moves part ${part}; give each of the ${partCount} parts at most one track.`);
    }
    moved.add(part);
    if (poses?.length !== 7 * times.length) {
      refuse(`Track ${i} of the animation has ${poses?.length} numbers; give seven for each of ${times.length} times.`);
    }
    for (let time = 0; time < times.length; time++) {
      assertPose(Array.prototype.slice.call(poses, 7 * time, 7 * time + 7), `part ${part} at time ${times[time]}`);
    }
  }
  assertShapes(shapes, model);
}

/** Refuses shapes that do not fit their mesh. */
function assertShapes(shapes: readonly PartShapes[], { parts, meshes }: ModelFile): void {
  if (!Array.isArray(shapes)) refuse(`The shapes of the animation are ${nameValue(shapes)}; give a list.`);
  const changed = new Set<number>();
  for (const [i, { part, times, positions }] of shapes.entries()) {
    if (!Number.isInteger(part) || part < 0 || part >= parts.length || changed.has(part)) {
      refuse(
        `Shapes ${i} of the animation are of part ${part}; give each of the ${parts.length} parts no more than one list.`,
      );
    }
    changed.add(part);
    assertTimes(times);
    const { meshIndex } = parts[part];
    if (parts.some((other, k) => k !== part && other.meshIndex === meshIndex)) {
      refuse(`Part ${part} changes its shape and shares its mesh with another; give it a mesh of its own.`);
    }
    const length = meshes[meshIndex].mesh.positions.length;
    if (positions?.length !== times.length || positions.some((shape: ArrayLike<number>) => shape.length !== length)) {
      refuse(`Shapes ${i} of the animation do not fit; give ${length} numbers for each of ${times.length} times.`);
    }
  }
}

function assertTimes(times: ArrayLike<number>): void {
  for (let i = 0; i < times.length; i++) {
    // The file holds times in single precision, so that is where they must differ.
    const before = i === 0 ? -1 : Math.fround(times[i - 1]);
    if (Number.isFinite(times[i]) && times[i] >= 0 && Math.fround(times[i]) > before) continue;
    refuse(`Time ${i} of the animation is ${times[i]}; give times from 0 upward, each later than the one before.`);
  }
  if (times.length === 0) refuse('The animation has no times; give at least one.');
}

function refuse(message: string): never {
  throw new NearfieldError('bad-argument', message);
}
