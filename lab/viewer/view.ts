// What a scene can draw. All coordinates are the world's, in double precision.
import type { Box, Quat, ReadonlyPose, ReadonlyVec3, Vec3 } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import type { ColorImage } from './image.js';
import type { ColorName } from './palette.js';
import type { Picture, PictureStyle } from './picture.js';
import type { RegionStyle, Regions } from './regions.js';
import type { Slice, SliceStyle } from './slice.js';

export interface View {
  /** Fits the view to a box. A box other than the last clears what an earlier call of `draw` left. */
  frame(box: Box): void;
  addMesh(mesh: Mesh, style?: MeshStyle): void;
  /** Separate segments, six numbers each. */
  addLines(segments: ArrayLike<number>, style?: LineStyle): void;
  addPoints(positions: ArrayLike<number>, style?: PointStyle): void;
  /** From one point to another, with a head at the second; nothing where they are the same. */
  addArrow(from: ReadonlyVec3, to: ReadonlyVec3, style?: LineStyle): void;
  addSlice(slice: Slice, style: SliceStyle & Named): void;
  /** Numbers on a rectangle, in a scale of colors. */
  addPicture(picture: Picture, style: PictureStyle): void;
  /** A colored image on a rectangle. */
  addImage(image: ColorImage): void;
  /** The regions of a Voronoi diagram on a rectangle. */
  addRegions(regions: Regions, style: RegionStyle): void;
  /** Text beside a point. */
  addLabel(point: ReadonlyVec3, text: string): void;
  /**
   * A round handle that the pointer drags; `moved` is called with its new position. It moves in the plane through it with
   * the given normal, or in the plane that faces the camera.
   */
  addHandle(point: ReadonlyVec3, moved: (point: Vec3) => void, normal?: ReadonlyVec3): void;
  /** Lets the pointer draw in the plane through the point with the normal; handles come first. */
  addSheet(point: ReadonlyVec3, normal: ReadonlyVec3, pen: Pen): void;
}

/** What the pointer does on a sheet. */
export interface Pen {
  /** The look of the pointer over the view, as CSS calls it. */
  readonly cursor: string;
  /**
   * Takes a press at a point of the sheet; null leaves it to the camera.
   * @param reach how far a person may miss something there: some pixels, as a length.
   */
  press(point: Vec3, reach: number): Stroke | null;
}

/** What follows a press until the pointer is let go. */
export interface Stroke {
  moved(point: Vec3): void;
  released?(): void;
}

export interface Named {
  /** The name in the legend; without it there is no entry. */
  readonly name?: string;
}

/** Cuts away what lies on the side of the plane that its normal points to. */
export interface CutPlane {
  readonly normal: Vec3;
  readonly point: Vec3;
}

export interface MeshStyle extends Named {
  readonly color?: ColorName;
  /** A color for each triangle, linear red, green and blue from 0 to 1; in the place of `color`, on both sides. */
  readonly faceColors?: Float32Array;
  /** Wireframe: every edge drawn on the surface. Unlit: the flat color. */
  readonly shading?: 'flat' | 'smooth' | 'wireframe' | 'unlit';
  readonly opacity?: number;
  readonly cut?: CutPlane | null;
  readonly pose?: ReadonlyPose;
  /** Its size in the world, about its own origin; the pose comes after it. Default: 1. */
  readonly scale?: number;
  /** Drawn over a surface in the same place. */
  readonly inFront?: boolean;
  /** Lets the pointer take hold of the surface. */
  readonly grip?: Grip | null;
}

/** What a drag on a surface does. Both functions receive the whole motion since the start of the drag. */
export interface Grip {
  /** A drag moves it in the plane that faces the camera, or turns it about its center; with Alt the other of the two. */
  readonly drag: 'move' | 'turn';
  /** @param from the point that was taken. */
  moved(by: Vec3, from: Vec3): void;
  turned(rotation: Quat): void;
  /** The pointer let go. */
  released?(): void;
}

export interface LineStyle extends Named {
  readonly color?: ColorName;
  /** A color for each end of each segment, linear red, green and blue from 0 to 1; in the place of `color`. */
  readonly endColors?: Float32Array;
  /** In pixels. */
  readonly width?: number;
  /** Not hidden by surfaces: dashed behind them. */
  readonly onTop?: boolean;
  /** A wider line of a light color below it, so that it is seen on any color. Not for arrows. */
  readonly halo?: boolean;
  readonly cut?: CutPlane | null;
}

/** The curves in which two bodies cross, as reports draw them. */
export const CURVE = { color: 'boundary', width: 1.75, halo: true, onTop: true } as const satisfies LineStyle;

export interface PointStyle extends Named {
  readonly color?: ColorName;
  /** Diameter in pixels. */
  readonly size?: number;
  readonly onTop?: boolean;
}
