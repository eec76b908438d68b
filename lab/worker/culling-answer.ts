// What the page asks the tasks of the chapter Culling, and what they answer.
import type { CullMethod, CullResult } from 'nearfield/culling';
import type { Mesh } from 'nearfield/mesh';

/** Frames of a motion. */
export const CULLING_FRAMES = 240;

export type EnvironmentName = 'cylinders' | 'tori' | 'dragon' | 'breaking';

export interface EnvironmentInput {
  readonly environment: EnvironmentName;
  /** Cylinders, triangles of a torus, or triangles of the dragon. */
  readonly size: number;
  /** Of 'breaking'. */
  readonly fragments: number;
  readonly seed: number;
  /** The first frame in which the dragon is broken. */
  readonly breakFrame: number;
}

export interface FrameInput extends EnvironmentInput {
  readonly frame: number;
  readonly method: CullMethod;
  readonly resolution: number;
}

/**
 * What became of a triangle, from the first stage that dropped it to the last; pruned triangles of the last object, if it is
 * a body of its own, apart.
 */
export const FATES = ['prunedObjects', 'prunedTriangles', 'prunedOfLast', 'potential', 'meeting'] as const;
export type Fate = (typeof FATES)[number];

export interface CulledFrame {
  readonly result: Omit<CullResult, 'triangles'>;
  /** The triangles by what became of them. */
  readonly meshes: Readonly<Record<Fate, Mesh>>;
  /** Milliseconds of this frame: moving the vertices, culling with exact tests. */
  readonly moving: number;
  readonly culling: number;
  readonly median: number;
  readonly framesTimed: number;
  /** Milliseconds of culling by frame, NaN where it was not shown. */
  readonly times: Float64Array;
}
