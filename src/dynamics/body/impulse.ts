// Impulses on bodies at points of the world, and how points give way to them. Points and directions are single numbers, up
// to nine in a call: these functions run in inner loops, where an object a call would be allocated.
import type { Bodies } from './bodies.js';

/**
 * Gives a body an impulse at a point of the world; nothing happens to one that is not dynamic.
 * Takes scalars, for inner loops.
 */
export function pushBody(
  { center, velocity, angularVelocity, inverseMass, inverseInertia: j }: Bodies,
  body: number,
  px: number,
  py: number,
  pz: number,
  x: number,
  y: number,
  z: number,
): void {
  const m = inverseMass[body];
  if (m === 0) return;
  const v = 3 * body;
  velocity[v] += m * x;
  velocity[v + 1] += m * y;
  velocity[v + 2] += m * z;
  const rx = px - center[v];
  const ry = py - center[v + 1];
  const rz = pz - center[v + 2];
  const cx = ry * z - rz * y;
  const cy = rz * x - rx * z;
  const cz = rx * y - ry * x;
  const i = 6 * body;
  angularVelocity[v] += j[i] * cx + j[i + 1] * cy + j[i + 2] * cz;
  angularVelocity[v + 1] += j[i + 1] * cx + j[i + 3] * cy + j[i + 4] * cz;
  angularVelocity[v + 2] += j[i + 2] * cx + j[i + 4] * cy + j[i + 5] * cz;
}

/** Gives B an impulse at a point of the world, and A its opposite. Takes scalars, for inner loops. */
export function pushPair(
  bodies: Bodies,
  a: number,
  b: number,
  px: number,
  py: number,
  pz: number,
  x: number,
  y: number,
  z: number,
): void {
  pushBody(bodies, b, px, py, pz, x, y, z);
  pushBody(bodies, a, px, py, pz, -x, -y, -z);
}

/**
 * The velocity along a unit direction that a unit impulse along it gives a body at a point of the world.
 * Takes scalars, for inner loops.
 */
export function giveOfBody(
  { center, inverseMass, inverseInertia: j }: Bodies,
  body: number,
  px: number,
  py: number,
  pz: number,
  x: number,
  y: number,
  z: number,
): number {
  const rx = px - center[3 * body];
  const ry = py - center[3 * body + 1];
  const rz = pz - center[3 * body + 2];
  const cx = ry * z - rz * y;
  const cy = rz * x - rx * z;
  const cz = rx * y - ry * x;
  const i = 6 * body;
  return (
    inverseMass[body] +
    cx * (j[i] * cx + j[i + 1] * cy + j[i + 2] * cz) +
    cy * (j[i + 1] * cx + j[i + 3] * cy + j[i + 4] * cz) +
    cz * (j[i + 2] * cx + j[i + 4] * cy + j[i + 5] * cz)
  );
}

/**
 * The relative velocity along a unit direction that a unit impulse along it gives a point of two bodies.
 * Takes scalars, for inner loops.
 */
export function giveOfPair(
  bodies: Bodies,
  a: number,
  b: number,
  px: number,
  py: number,
  pz: number,
  x: number,
  y: number,
  z: number,
): number {
  return giveOfBody(bodies, a, px, py, pz, x, y, z) + giveOfBody(bodies, b, px, py, pz, x, y, z);
}

/** How bodies move, 3 numbers each. */
export type BodyMotions = Pick<Bodies, 'velocity' | 'angularVelocity' | 'center'>;

/** Writes the velocity of B relative to A at a point of the world. */
export function writeRelativeVelocity(
  { velocity: v, angularVelocity: w, center: c }: BodyMotions,
  a: number,
  b: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): void {
  const i = 3 * a;
  const j = 3 * b;
  const ax = x - c[i];
  const ay = y - c[i + 1];
  const az = z - c[i + 2];
  const bx = x - c[j];
  const by = y - c[j + 1];
  const bz = z - c[j + 2];
  out[0] = v[j] - v[i] + w[j + 1] * bz - w[j + 2] * by - w[i + 1] * az + w[i + 2] * ay;
  out[1] = v[j + 1] - v[i + 1] + w[j + 2] * bx - w[j] * bz - w[i + 2] * ax + w[i] * az;
  out[2] = v[j + 2] - v[i + 2] + w[j] * by - w[j + 1] * bx - w[i] * ay + w[i + 1] * ax;
}
