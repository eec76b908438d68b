// A solid that moves and breaks, twice over, while another swings through it: the fourth environment of Govindaraju, Redon,
// Lin and Manocha 2003. Fragments drift apart and turn; objects appear where there was one.
import { box, createRandom, type Pose, pose, quat, type Random, type Vec3, vec3 } from 'nearfield/core';
import { fractureSolid } from 'nearfield/decomposition';
import { findModel, type Mesh } from 'nearfield/mesh';
import { type CullingEnvironment, swingThrough } from './culling.js';

/** The array `objects` stays the same one; `moveTo` changes what it holds. The last one is the body that strikes. */
export interface BreakingEnvironment extends CullingEnvironment {
  /** When the solid breaks, in seconds; its fragments break again `SECOND_BREAK` later. */
  breakAt(time: number): void;
}

export interface BreakingOptions {
  /** About how many fragments there are at the end. */
  readonly fragments: number;
  readonly seed: number;
}

/** Seconds from the first break to the second. */
export const SECOND_BREAK = 0.2;

/** A piece of the solid, and how it moves within the piece that it broke off. */
interface Piece {
  /** In the frame of the solid. */
  readonly mesh: Mesh;
  readonly center: Vec3;
  /** In the first second, if nothing slowed it down. */
  readonly drift: Vec3;
  readonly axis: Vec3;
  readonly spin: number;
  readonly parts: readonly Piece[];
}

/** Speeds fall to a third in this many seconds. */
const SLOWING = 0.9;

/** A bunny of about a seventh of the dragon's triangles swings through the dragon, which breaks. */
export function breakingDragon(dragonTriangles = 250_000, options: Partial<BreakingOptions> = {}): BreakingEnvironment {
  const dragon = findModel('dragon').build({ triangles: dragonTriangles });
  const bunny = findModel('bunny').build({ triangles: Math.max(5000, Math.round(0.14 * dragonTriangles)) });
  const { fragments = 60, seed = 1 } = options;
  const count = (mesh: Mesh): string => (mesh.indices.length / 3).toLocaleString('en-US');
  const name = `bunny of ${count(bunny)} and breaking dragon of ${count(dragon)}`;
  return breakingSolid(name, dragon, bunny, { fragments, seed });
}

/** Any closed mesh that breaks, and a body that swings through it. */
export function breakingSolid(name: string, solid: Mesh, striker: Mesh, options: BreakingOptions): BreakingEnvironment {
  const bounds = box.ofPositions(solid.positions);
  const middle = box.center(bounds);
  const size = Math.max(...box.size(bounds));
  const random = createRandom(options.seed);
  const still: Piece = { mesh: solid, center: middle, drift: [0, 0, 0], axis: [0, 1, 0], spin: 0, parts: [] };
  const coarse = Math.max(2, Math.round(Math.sqrt(options.fragments)));
  const pieces = breakPiece(still, middle, coarse, 0.3 * size, random).map((piece, _, { length }) => {
    const parts = breakPiece(piece, piece.center, Math.round(options.fragments / length), 0.12 * size, random);
    return { ...piece, parts };
  });
  const whole: Piece = { ...still, parts: pieces };
  const swing = swingThrough(striker, solid);
  const moving: Mesh = { positions: striker.positions.slice(), indices: striker.indices };
  const placed = new Map<Piece, Mesh>();
  const objects: Mesh[] = [];
  let breakTime = 1;

  /** Adds what a piece is at a time: itself, or its parts. */
  const add = (piece: Piece, place: Pose, time: number, breakTimes: readonly number[]): void => {
    const [next, ...later] = breakTimes;
    if (next !== undefined && time >= next && piece.parts.length > 1) {
      for (const part of piece.parts) add(part, pose.multiply(place, motionOf(part, time - next)), time, later);
      return;
    }
    const object = placed.get(piece) ?? { ...piece.mesh, positions: new Float64Array(piece.mesh.positions.length) };
    placed.set(piece, object);
    movePositions(piece.mesh.positions, place, object.positions);
    objects.push(object);
  };
  const moveTo = (time: number): void => {
    objects.length = 0;
    add(whole, wayOf(middle, size, time), time, [breakTime, breakTime + SECOND_BREAK]);
    const from = striker.positions;
    for (let i = 0; i < from.length; i += 3) swing(moving.positions, i, from[i], from[i + 1], from[i + 2], time);
    objects.push(moving);
  };
  moveTo(0);
  return {
    name,
    objects,
    moveTo,
    breakAt: (time) => {
      breakTime = time;
    },
  };
}

/** The way of the whole solid: it sways and turns. */
function wayOf(middle: Vec3, size: number, time: number): Pose {
  const turn = turnAbout(middle, [0, 1, 0], 0.3 * Math.sin(0.7 * time));
  return pose.multiply(pose.create([0.06 * size * Math.sin(0.9 * time), 0, 0]), turn);
}

/** Fragments that fly away from a point; none if the piece is to stay whole. */
function breakPiece({ mesh }: Piece, from: Vec3, cells: number, speed: number, random: Random): Piece[] {
  if (cells < 2) return [];
  const { fragments } = fractureSolid(mesh, { fragments: cells, seed: random.integer(2 ** 31) });
  return fragments.map((fragment) => {
    const center = box.center(box.ofPositions(fragment.mesh.positions));
    const away = vec3.subtract(center, from);
    const length = vec3.length(away);
    const drift = vec3.scale(away, (speed * random.range(0.4, 1)) / (length > 0 ? length : 1));
    const axis: Vec3 = [random.normal(), random.normal(), random.normal()];
    return { mesh: fragment.mesh, center, drift, axis: vec3.normalize(axis), spin: random.range(-1.5, 1.5), parts: [] };
  });
}

/** How a piece has moved some seconds after it broke off. */
function motionOf({ center, drift, axis, spin }: Piece, seconds: number): Pose {
  const way = SLOWING * (1 - Math.exp(-seconds / SLOWING));
  return pose.multiply(pose.create(vec3.scale(drift, way)), turnAbout(center, axis, spin * way));
}

function turnAbout(center: Vec3, axis: Vec3, angle: number): Pose {
  const rotation = quat.fromAxisAngle(axis, angle);
  return pose.create(vec3.subtract(center, quat.rotate(rotation, center)), rotation);
}

function movePositions(from: Float64Array, place: Pose, to: Float64Array): void {
  const m = pose.toMatrix4(place);
  for (let i = 0; i < from.length; i += 3) {
    const [x, y, z] = [from[i], from[i + 1], from[i + 2]];
    to[i] = m[0] * x + m[1] * y + m[2] * z + m[3];
    to[i + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
    to[i + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
  }
}
