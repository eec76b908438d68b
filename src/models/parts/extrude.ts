// Solids from outlines: the polygon, drawn in x and y, becomes front and back, joined by walls along z. The rows of a
// wall share the outline's points, so there are no T-junctions. Triangles: 2(n + 2 holes − 2) + 2n × rows of quads.
import { labelled, needed, numberAbove, numberFrom, optionTable, wholeNumber } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { exactTurn } from '../../core/exact/orientation.js';
import { MESH_DEFAULTS } from '../../mesh/defaults.js';
import type { Mesh } from '../../mesh/mesh.js';
import { assertPolygon, type Polygon } from '../../mesh/polygon/polygon.js';
import { findRingCrossing } from '../../mesh/polygon/ring-crossing.js';
import { triangulatePolygon } from '../../mesh/polygon/triangulate-polygon.js';

/** The shape of an extrusion. */
export interface ExtrudeOptions {
  /** Thickness along z; the solid reaches from −depth/2 to depth/2. */
  readonly depth: number;
  /** Rows of quads in the straight part of the walls, from 1. */
  readonly layers?: number;
  /** Width and height of a 45° bevel around front and back, below half the depth; 0 for sharp edges. */
  readonly bevel?: number;
}

/** The default count of layers is that of `MESH_DEFAULTS`. */
const EXTRUDE_OPTIONS = optionTable<ExtrudeOptions>()({
  depth: needed({ ...numberAbove(0), expects: 'a positive length' }),
  layers: labelled('layers', wholeNumber(1, Infinity, MESH_DEFAULTS.extrude.layers), 'are'),
  // The depth is its limit.
  bevel: numberFrom(0, MESH_DEFAULTS.extrude.bevel),
});

/** One row of points around the solid: the outline moved inwards by `inset`, at height `z`. */
interface WallRow {
  readonly z: number;
  readonly inset: number;
}

/**
 * The solid of a polygon: closed, manifold, outward, with as many handles as the polygon has holes.
 * Without a bevel its volume is area × depth. Front and back are constrained Delaunay triangulations.
 * @throws NearfieldError as `assertPolygon` does, and when the bevel does not fit the outline.
 */
export function extrudePolygon(polygon: Polygon, options: ExtrudeOptions): Mesh {
  const { depth, layers, bevel } = EXTRUDE_OPTIONS.read(options, 'an extrusion');
  if (!(bevel < depth / 2)) {
    throw new NearfieldError(
      'bad-argument',
      `The bevel of an extrusion is ${bevel}; give a length from 0 to below half the depth, ${depth / 2}.`,
    );
  }
  const cap = bevel > 0 ? insetPolygon(polygon, bevel) : polygon;
  const { triangles } = triangulatePolygon(cap);

  const rows = wallRows(depth, layers, bevel);
  const pointCount = cap.rings.reduce((sum, ring) => sum + ring.length / 2, 0);
  const positions = new Float64Array(3 * pointCount * rows.length);
  const indices = new Uint32Array(2 * triangles.length + 6 * pointCount * (rows.length - 1));
  let at = 0;
  for (const { z, inset } of rows) {
    for (const ring of (inset > 0 ? cap : polygon).rings) {
      for (let i = 0; i < ring.length; i += 2) {
        positions[at++] = ring[i];
        positions[at++] = ring[i + 1];
        positions[at++] = z;
      }
    }
  }

  const front = pointCount * (rows.length - 1);
  for (let i = 0; i < triangles.length; i += 3) {
    indices.set([triangles[i], triangles[i + 2], triangles[i + 1]], i);
    indices.set([front + triangles[i], front + triangles[i + 1], front + triangles[i + 2]], triangles.length + i);
  }
  at = 2 * triangles.length;
  for (let row = 0; row + 1 < rows.length; row++) {
    let first = row * pointCount;
    for (const ring of cap.rings) {
      const count = ring.length / 2;
      for (let i = 0; i < count; i++) {
        const a = first + i;
        const b = first + ((i + 1) % count);
        // Diagonals in a checkerboard: no direction is favored.
        const quad =
          (row + i) % 2 === 0
            ? [a, b, b + pointCount, a, b + pointCount, a + pointCount]
            : [a, b, a + pointCount, b, b + pointCount, a + pointCount];
        indices.set(quad, at);
        at += 6;
      }
      first += count;
    }
  }
  return { positions, indices };
}

/** From back to front. */
function wallRows(depth: number, layers: number, bevel: number): WallRow[] {
  const rows: WallRow[] = [];
  if (bevel > 0) rows.push({ z: -depth / 2, inset: bevel });
  const straight = depth / 2 - bevel;
  for (let i = 0; i <= layers; i++) rows.push({ z: straight * ((2 * i) / layers - 1), inset: 0 });
  if (bevel > 0) rows.push({ z: depth / 2, inset: bevel });
  return rows;
}

/** The polygon with every side moved inwards by `distance`, corner by corner; throws where sides collide. */
function insetPolygon(polygon: Polygon, distance: number): Polygon {
  assertPolygon(polygon);
  const inset = { rings: polygon.rings.map((ring) => insetRing(ring, distance)) };
  const tooWide = new NearfieldError(
    'bad-argument',
    `A bevel of ${distance} is wider than the outline has room for; give a smaller one.`,
  );
  // Seen along z, the bevels cover the area between the old and the new rings exactly once when no ring crosses another
  // and every bevel triangle turns left. Then they cannot intersect.
  if (findRingCrossing([...polygon.rings, ...inset.rings]) !== null) throw tooWide;
  polygon.rings.forEach((ring, index) => {
    if (!bandTurnsLeft(ring, inset.rings[index])) throw tooWide;
  });
  return inset;
}

function insetRing(ring: Float64Array, distance: number): Float64Array {
  const moved = new Float64Array(ring.length);
  const count = ring.length;
  for (let i = 0; i < count; i += 2) {
    const [x, y] = [ring[i], ring[i + 1]];
    const before = (i + count - 2) % count;
    const after = (i + 2) % count;
    const inLength = Math.hypot(x - ring[before], y - ring[before + 1]);
    const outLength = Math.hypot(ring[after] - x, ring[after + 1] - y);
    // Left-hand normals of the two sides; their mitre keeps both sides parallel to where they were.
    const ux = -(y - ring[before + 1]) / inLength;
    const uy = (x - ring[before]) / inLength;
    const vx = -(ring[after + 1] - y) / outLength;
    const vy = (ring[after] - x) / outLength;
    const mitre = distance / (1 + ux * vx + uy * vy);
    moved[i] = x + mitre * (ux + vx);
    moved[i + 1] = y + mitre * (uy + vy);
  }
  return moved;
}

/** Whether the quads from each side of `ring` to its moved side split, either way, into triangles that turn left. */
function bandTurnsLeft(ring: Float64Array, moved: Float64Array): boolean {
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    const corners = [ring[i], ring[i + 1], ring[j], ring[j + 1], moved[j], moved[j + 1], moved[i], moved[i + 1]];
    for (let k = 0; k < 8; k += 2) {
      const [b, c] = [(k + 2) % 8, (k + 4) % 8];
      // NaN, from a side that folds straight back, fails here too.
      if (!(exactTurn(corners[k], corners[k + 1], corners[b], corners[b + 1], corners[c], corners[c + 1]) > 0))
        return false;
    }
  }
  return true;
}
