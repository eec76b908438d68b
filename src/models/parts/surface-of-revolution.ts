import type { Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import { loft } from './loft.js';

/** A point of a profile: distance from the Y axis, height. */
export type ProfilePoint = readonly [radius: number, height: number];

/**
 * Turns a profile about the Y axis. The profile runs counter-clockwise in the (radius, height) half-plane: up along
 * the outside, down along the inside. One that starts and ends on the axis (radius exactly 0) closes there; any other
 * is joined end to start and leaves a hole around the axis. The surface is free of self-intersection when the profile
 * is: between two neighboring half-planes it is the profile's linear image. Triangles: 2 × segments × points off the axis.
 */
export function revolve(profile: readonly ProfilePoint[], segments: number): Mesh {
  const first = profile[0];
  const last = profile[profile.length - 1];
  const onAxis = first[0] === 0 && last[0] === 0;
  const rings = (onAxis ? profile.slice(1, -1) : profile).map((point) => parallelCircle(point, segments));
  return loft(rings, onAxis ? { start: [0, first[1], 0], end: [0, last[1], 0] } : 'joined');
}

/** The regular polygon that a profile point sweeps, right-handed about +Y, its first corner on the +X side. */
export function parallelCircle([radius, height]: ProfilePoint, segments: number): Vec3[] {
  return Array.from({ length: segments }, (_, j): Vec3 => {
    const angle = (2 * Math.PI * j) / segments;
    return [radius * Math.cos(angle), height, -radius * Math.sin(angle)];
  });
}

/** `count` points from `from` (left out) to `to` (included), evenly spaced. */
export function profileLine(from: ProfilePoint, to: ProfilePoint, count: number): ProfilePoint[] {
  return Array.from({ length: count }, (_, i): ProfilePoint => {
    const t = (i + 1) / count;
    return t === 1 ? to : [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t];
  });
}
