// Tubes: a ring carried along a curve by frames that turn as little as possible (double reflection, Wang, Jüttler,
// Zheng and Liu 2008). On a closed curve the angle left over after one round is spread evenly over the stations.

import { add, addScaled, cross, dot, normalize, scale, subtract, type Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import { loft } from './loft.js';
import type { Diagonals } from './surface-builder.js';

/** A right-handed frame at one station of a path: normal × binormal = tangent. */
export interface PathFrame {
  readonly origin: Vec3;
  readonly tangent: Vec3;
  readonly normal: Vec3;
  readonly binormal: Vec3;
}

/** The point of a ring in its frame: offsets along the normal and the binormal. */
export type SectionPoint = readonly [alongNormal: number, alongBinormal: number];

export interface TubeOptions {
  /** The last station joins the first; otherwise the center of the first and of the last ring closes the ends. */
  readonly closed: boolean;
  readonly sides: number;
  /** Direction of the first normal, at least roughly across the path. */
  readonly normal: Vec3;
  /** Where a side of a station lies; counter-clockwise in the (normal, binormal) plane. */
  readonly section: (station: number, side: number) => SectionPoint;
  readonly diagonals?: Diagonals;
  /** Points that close an open tube instead of the ends of its path. */
  readonly tips?: { readonly start: Vec3; readonly end: Vec3 };
}

/** Triangles: 2 × stations × sides. */
export function sweepTube(path: readonly Vec3[], options: TubeOptions): Mesh {
  const { closed, sides, section, diagonals, tips } = options;
  const rings = pathFrames(path, closed, options.normal).map((frame, station) =>
    Array.from({ length: sides }, (_, side) => pointInFrame(frame, section(station, side))),
  );
  return loft(rings, closed ? 'joined' : (tips ?? { start: path[0], end: path[path.length - 1] }), diagonals);
}

export function pointInFrame(frame: PathFrame, [alongNormal, alongBinormal]: SectionPoint): Vec3 {
  return addScaled(addScaled(frame.origin, frame.normal, alongNormal), frame.binormal, alongBinormal);
}

/** The point of a circle at `angle` from the normal. */
export function circleSection(radius: number, angle: number): SectionPoint {
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/** Frames of least rotation along a path of at least three points. */
export function pathFrames(path: readonly Vec3[], closed: boolean, firstNormal: Vec3): PathFrame[] {
  const tangents = pathTangents(path, closed);
  const normals = [orthogonalize(firstNormal, tangents[0])];
  for (let i = 1; i < path.length; i++) {
    normals.push(transport(normals[i - 1], path[i - 1], tangents[i - 1], path[i], tangents[i]));
  }
  if (closed) {
    const end = path.length - 1;
    const carried = transport(normals[end], path[end], tangents[end], path[0], tangents[0]);
    const excess = Math.atan2(dot(cross(normals[0], carried), tangents[0]), dot(normals[0], carried));
    for (let i = 1; i < path.length; i++) {
      normals[i] = turn(normals[i], tangents[i], (-excess * i) / path.length);
    }
  }
  return path.map((origin, i) => ({
    origin,
    tangent: tangents[i],
    normal: normals[i],
    binormal: cross(tangents[i], normals[i]),
  }));
}

/** Second-order differences: central inside, one-sided at the ends of an open path. */
function pathTangents(path: readonly Vec3[], closed: boolean): Vec3[] {
  const count = path.length;
  const oneSided = (a: Vec3, b: Vec3, c: Vec3): Vec3 => subtract(scale(subtract(b, a), 4), subtract(c, a));
  return path.map((_, i) => {
    if (!closed && i === 0) return normalize(oneSided(path[0], path[1], path[2]));
    if (!closed && i === count - 1) {
      return normalize(scale(oneSided(path[count - 1], path[count - 2], path[count - 3]), -1));
    }
    return normalize(subtract(path[(i + 1) % count], path[(i + count - 1) % count]));
  });
}

function transport(normal: Vec3, from: Vec3, fromTangent: Vec3, to: Vec3, toTangent: Vec3): Vec3 {
  const chord = subtract(to, from);
  const normalMirrored = reflect(normal, chord);
  const tangentMirrored = reflect(fromTangent, chord);
  return orthogonalize(reflect(normalMirrored, subtract(toTangent, tangentMirrored)), toTangent);
}

/** `a` mirrored in the plane through the origin across `direction`. */
function reflect(a: Vec3, direction: Vec3): Vec3 {
  const square = dot(direction, direction);
  return square > 0 ? addScaled(a, direction, (-2 * dot(a, direction)) / square) : a;
}

function orthogonalize(a: Vec3, tangent: Vec3): Vec3 {
  return normalize(addScaled(a, tangent, -dot(a, tangent)));
}

/** `a`, at right angles to `axis`, turned about it. */
function turn(a: Vec3, axis: Vec3, angle: number): Vec3 {
  return add(scale(a, Math.cos(angle)), scale(cross(axis, a), Math.sin(angle)));
}
