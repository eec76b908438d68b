// Three orthographic views of a box, one along each axis: where a point is in the image, and how deep.

/** Scales of the axes of a view. Coordinates in the image run from 0 to the resolution, depths from 0 to 1. */
export interface ViewFrame {
  /** The axes across, up, and along the view. */
  readonly axes: readonly [number, number, number];
  /** Subtracted from the coordinates of these axes. */
  readonly origins: readonly [number, number, number];
  /** Then multiplied by these. */
  readonly scales: readonly [number, number, number];
  /** Then added: 1 for the depth of a view from the far side, whose scale is negative. */
  readonly depthOffset: number;
  readonly resolution: number;
}

/**
 * The view of a box along an axis.
 * @param fromFar whether depths count from the greater coordinates.
 */
export function viewAlong(axis: number, fromFar: boolean, box: ArrayLike<number>, resolution: number): ViewFrame {
  const axes = [(axis + 1) % 3, (axis + 2) % 3, axis] as const;
  const scaleOf = (along: number, length: number): number => {
    const scale = length / (box[along + 3] - box[along]);
    return scale < Infinity ? scale : 0;
  };
  const depth = scaleOf(axis, 1);
  return {
    axes,
    origins: [box[axes[0]], box[axes[1]], box[axis]],
    scales: [scaleOf(axes[0], resolution), scaleOf(axes[1], resolution), fromFar ? -depth : depth],
    depthOffset: fromFar ? 1 : 0,
    resolution,
  };
}
