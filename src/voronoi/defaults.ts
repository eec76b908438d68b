// The defaults of this chapter's options.

/** Used where an option is left out. */
export const VORONOI_DEFAULTS = {
  /** Of an image: samples along the longest side of the box. */
  resolution: 512,
  /** Of an image: exact distances per sample. */
  method: 'exact',
  /** The largest distance between a curve and the lines that replace it, as a share of the longest side of the box. */
  curveError: 1e-4,
  /** The default box is that of the sites, with this share of its longest side added on every side. */
  margin: 0.05,
  /** Of method 'mesh': how far the distance meshes may be from the true distances, in pixels. */
  meshError: 0.5,
  /** In space: nodes along the longest side of the box. */
  spaceResolution: 64,
  /** Of a graph: what boundaries separate. */
  between: 'objects',
  /** Of a graph: how far a chord of an edge may be from the boundary, as a share of the longest side of the box. */
  graphError: 1e-4,
  /** Of a medial axis: which side of the boundary. */
  side: 'inside',
  /** Of a graph: the most cells of the subdivision. A cell takes about 350 bytes. */
  maxCells: 2_000_000,
  /** Of graphs and sheets in space: nodes along the longest side of the box. */
  graphResolution: 32,
  /** Of the medial axis of a solid: the least angle between the directions to the two nearest points. */
  medialAngle: Math.PI / 4,
} as const;
