// A window of pixels to draw two shapes into, and their triangles in its clip space: what lies far outside is cut away in
// double precision, so that single precision is enough for the rest.
import type { EdgeSet } from '../plane/edge-set.js';

/** Chosen: corners of the polygon around an edge. */
const CORNERS = 16;
/**
 * Proven: the polygon around an edge is larger than its circle by this factor, 1.02, so that it contains all points
 * within the radius.
 */
const STRETCH = 1 / Math.cos(Math.PI / CORNERS);
/** Chosen: how far from the window shapes are cut, in windows. */
const CUT_MARGIN = 0.25;

/** A window: the lattice's pixels from (column0, row0), width × height of them. */
export interface ImageRegion {
  readonly column0: number;
  readonly row0: number;
  readonly width: number;
  readonly height: number;
  /** The side of a pixel. */
  readonly size: number;
}

/** Triangles in clip space, z = 0. */
export interface RegionTriangles {
  readonly positions: number[];
  readonly indices: number[];
}

/** Fans over the rings. A pixel is inside by the even-odd rule if an odd number of the triangles cover it. */
export function fanTriangles(shape: EdgeSet, region: ImageRegion): RegionTriangles {
  const triangles: RegionTriangles = { positions: [], indices: [] };
  for (let r = 0; r < shape.ringCount; r++) {
    let ring: number[] = [];
    for (let edge = shape.rings[r]; edge < shape.rings[r + 1]; edge++) {
      ring.push(clipX(shape.edges[4 * edge + 2], region), clipY(shape.edges[4 * edge + 3], region));
    }
    for (const axis of [0, 1] as const) for (const sign of [1, -1]) ring = cutRing(ring, axis, sign);
    addFan(triangles, ring);
  }
  return triangles;
}

/** Polygons around the edges, at the radius and a little more. */
export function boundaryTriangles(shape: EdgeSet, region: ImageRegion, radius: number): RegionTriangles {
  const triangles: RegionTriangles = { positions: [], indices: [] };
  const { edges } = shape;
  const left = region.column0 * region.size;
  const low = region.row0 * region.size;
  const [width, height] = [region.width * region.size, region.height * region.size];
  const reach = CUT_MARGIN * Math.max(width, height) + 2 * radius;
  for (let k = 0; k < 4 * shape.count; k += 4) {
    const [ax, ay] = [edges[k], edges[k + 1]];
    const [dx, dy] = [edges[k + 2] - ax, edges[k + 3] - ay];
    // The part of the edge near the window (Liang and Barsky 1984).
    let [from, to] = [0, 1];
    for (const [start, way, least, most] of [
      [ax, dx, left - reach, left + width + reach],
      [ay, dy, low - reach, low + height + reach],
    ]) {
      if (way === 0) {
        if (start < least || start > most) to = -1;
        continue;
      }
      from = Math.max(from, Math.min((least - start) / way, (most - start) / way));
      to = Math.min(to, Math.max((least - start) / way, (most - start) / way));
    }
    if (from > to) continue;
    const angle = Math.atan2(dy, dx);
    const ring: number[] = [];
    for (let i = 0; i < CORNERS; i++) {
      const isEnd = i < CORNERS / 2;
      const t = isEnd ? to : from;
      // From −90° + half a step on: the sides along the edge touch the radius.
      const turn = angle - Math.PI / 2 + (2 * Math.PI * (i + 0.5)) / CORNERS;
      ring.push(
        clipX(ax + t * dx + STRETCH * radius * Math.cos(turn), region),
        clipY(ay + t * dy + STRETCH * radius * Math.sin(turn), region),
      );
    }
    addFan(triangles, ring);
  }
  return triangles;
}

/** The whole window. */
export function coverTriangles(): RegionTriangles {
  const triangles: RegionTriangles = { positions: [], indices: [] };
  addFan(triangles, [-1, -1, 1, -1, 1, 1, -1, 1]);
  return triangles;
}

function addFan({ positions, indices }: RegionTriangles, ring: readonly number[]): void {
  const first = positions.length / 3;
  for (let i = 0; i < ring.length; i += 2) positions.push(ring[i], ring[i + 1], 0);
  for (let i = 2; 2 * i < ring.length; i++) indices.push(first, first + i - 1, first + i);
}

/**
 * The part of a ring on one side of a line beside the window (Sutherland and Hodgman 1974); keeps insides in the
 * window.
 */
function cutRing(ring: readonly number[], axis: 0 | 1, sign: number): number[] {
  const limit = 1 + 2 * CUT_MARGIN;
  const out: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    const here = limit - sign * ring[i + axis];
    const there = limit - sign * ring[j + axis];
    if (here >= 0) out.push(ring[i], ring[i + 1]);
    if (here >= 0 !== there >= 0) {
      const t = here / (here - there);
      out.push(ring[i] + t * (ring[j] - ring[i]), ring[i + 1] + t * (ring[j + 1] - ring[i + 1]));
    }
  }
  return out;
}

function clipX(x: number, { column0, width, size }: ImageRegion): number {
  return (2 * (x / size - column0)) / width - 1;
}

/** Row 0 of an image is at the top; y rises with the rows of the lattice, so it is turned over. */
function clipY(y: number, { row0, height, size }: ImageRegion): number {
  return 1 - (2 * (y / size - row0)) / height;
}
