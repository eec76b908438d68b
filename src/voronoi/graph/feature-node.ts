// Elements of sites with the features they were cut into, and the nodes where features end.
import type { CutElement } from './cut-elements.js';

/** What boundaries separate. */
export type BoundaryKind = 'objects' | 'sites' | 'features';

/** A place where open features end, or a point site. */
export interface FeatureNode {
  readonly x: number;
  readonly y: number;
  readonly weightClass: number;
  /** Twice the open feature, plus 1 where it ends in its last point. */
  readonly ends: number[];
  /** Elements that are points here. */
  readonly points: PlacedElement[];
  /** Its vertex feature, or -1 where an open feature is nearer everywhere. */
  vertex: number;
  touched: boolean;
}

/** An element in use, with its features. */
export interface PlacedElement extends CutElement {
  readonly id: number;
  /** Its open features. */
  readonly pieces: number[];
  /** The nodes of its ends, cuts and joints. */
  readonly nodes: number[];
}
