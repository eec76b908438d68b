// Outlines of plates and bars that mechanisms are made of.
import type { Mesh } from '../../mesh/mesh.js';
import { joinMeshes } from '../../mesh/place-mesh.js';
import { extrudePolygon } from '../../models/parts/extrude.js';

/** Chosen: corners of a full circle. */
const CORNERS = 64;

/** A circle, counter-clockwise; clockwise for a hole. */
export function circle(radius: number, x = 0, y = 0, isHole = false): Float64Array {
  return Float64Array.from({ length: 2 * CORNERS }, (_, i) => {
    const angle = ((isHole ? -2 : 2) * Math.PI * (i >> 1)) / CORNERS;
    return i % 2 === 0 ? x + radius * Math.cos(angle) : y + radius * Math.sin(angle);
  });
}

/** Around two circles on the x axis: a bar with round ends. */
export function roundBar(length: number, first: number, second: number): Float64Array {
  const lean = Math.acos((first - second) / length);
  const points: number[] = [];
  const arc = (x: number, radius: number, from: number, to: number): void => {
    for (let i = 0; i <= CORNERS / 2; i++) {
      const angle = from + ((to - from) * i) / (CORNERS / 2);
      points.push(x + radius * Math.cos(angle), radius * Math.sin(angle));
    }
  };
  arc(length, second, -lean, lean);
  arc(0, first, lean, 2 * Math.PI - lean);
  return Float64Array.from(points);
}

/** A polygon of points. */
export function outline(...points: readonly (readonly [number, number])[]): Float64Array {
  return Float64Array.from(points.flat());
}

/** A solid of an outline with holes, from one height to another. */
export function slab(rings: readonly Float64Array[], from: number, to: number): Mesh {
  const { positions, indices } = extrudePolygon({ rings }, { depth: to - from });
  return { positions: positions.map((value, i) => (i % 3 === 2 ? value + from : value)), indices };
}

/** Several solids as one part. */
export function together(...meshes: readonly Mesh[]): Mesh {
  return joinMeshes(meshes);
}
