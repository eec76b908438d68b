// Lines as wide as asked for in pixels. Where a surface hides one it is cut off, drawn dashed and fainter, or shown alike.
import { GreaterDepth, Group, type Plane } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';

export interface LineLook {
  readonly color: string;
  readonly width: number;
  /** What becomes of the parts behind surfaces. */
  readonly hiding: 'hidden' | 'dashed' | 'shown';
  readonly clippingPlanes: Plane[];
  readonly dashScale: { value: number };
}

/** In the view's units at the usual distance. */
const DASH = 0.009;
const GAP = 0.007;
export const HIDDEN_OPACITY = 0.6;
/** How far a halo reaches beyond the line on each side, in pixels. */
const HALO = 1;

interface SegmentLook extends LineLook {
  /** A color for each end, linear; in the place of `color`. */
  readonly endColors: Float32Array | null;
  /** The color of a wider line below it; null for none. */
  readonly halo: string | null;
}

/** The materials for one line, those below first. */
export function lineMaterials({ color, width, hiding, clippingPlanes, dashScale }: LineLook, vertexColors = false) {
  // With what is transparent, after it: a line is seen through the veil of a slice.
  const shared = { color, vertexColors, linewidth: width, transparent: true, clippingPlanes };
  if (hiding === 'hidden') return [new LineMaterial(shared)];
  if (hiding === 'shown') return [new LineMaterial({ ...shared, depthTest: false })];
  const dashed = new LineMaterial({
    ...shared,
    depthFunc: GreaterDepth,
    depthWrite: false,
    dashed: true,
    dashSize: DASH,
    gapSize: GAP,
    opacity: HIDDEN_OPACITY,
  });
  dashed.uniforms.dashScale = dashScale;
  return [dashed, new LineMaterial({ ...shared, depthWrite: false })];
}

/** Separate segments, none at first. */
export function lines({ endColors, halo, ...look }: SegmentLook) {
  const below =
    halo === null
      ? []
      : [new LineMaterial({ color: halo, linewidth: look.width + 2 * HALO, transparent: true, depthWrite: false })];
  const materials = [...below, ...lineMaterials(look, endColors !== null)];
  const object = new Group();
  const parts = materials.map((material) => new LineSegments2(new LineSegmentsGeometry(), material));
  // Curves with a halo come first: it would cover other lines.
  for (const part of parts) part.renderOrder = look.hiding === 'hidden' ? 1 : halo === null ? 2 : 1.5;
  object.add(...parts);
  return {
    object,
    /** Six numbers a segment, in the view's units. */
    show: (segments: Float32Array): void => {
      parts[0].geometry.dispose();
      const geometry = new LineSegmentsGeometry();
      geometry.setPositions(segments);
      if (endColors !== null) geometry.setColors(endColors);
      for (const part of parts) part.geometry = geometry;
      if (look.hiding === 'dashed') parts[0].computeLineDistances();
    },
    dispose: (): void => {
      parts[0].geometry.dispose();
      for (const material of materials) material.dispose();
    },
  };
}
