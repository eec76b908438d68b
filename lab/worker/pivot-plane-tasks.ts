// PIVOT in the plane: all pairs of a scene's bodies in a frame, what pixels found and what is exact.
import type { Mesh } from 'nearfield/mesh';
import { PlanePivot, PlaneScene, type PlaneShape } from 'nearfield/pivot';
import type { PlaneScenario } from '../../bench/scenarios/plane.js';
import { linearScaleColor } from '../color-scale.js';
import type { Move } from '../controls.js';
import { bodiesAt, fillOf, openPlaneScene, type PlaneSceneName, type ShownBody } from '../samples/plane-bodies.js';
import type { Picture } from '../viewer/picture.js';
import { insidePieces } from './inside-pieces.js';
import { RecentTimes } from './recent-times.js';

export type PlaneQuery = 'penetration' | 'contacts' | 'volumes' | 'boundaries';

export interface PlaneQuestion {
  readonly scene: PlaneSceneName;
  readonly frame: number;
  readonly hand: readonly Move[];
  readonly bends: readonly Move[];
  readonly query: PlaneQuery;
  /** Shares of the bodies' mean diameter. */
  readonly error: number;
  readonly threshold: number;
  /** Whether to compute the distance field where the deepest pair meets. */
  readonly field: boolean;
}

/** The pixels found, with what is known of each; x, y of points and vectors. */
interface Found {
  readonly count: number;
  readonly pairs: number;
  readonly points: Float64Array;
  /** From each point to the boundary of the other body; empty for pixels of which this is not asked. */
  readonly ways: Float64Array;
  /** Signed, negative inside; as `ways`. */
  readonly distances: Float64Array;
  /** The length of boundary in all pixels; of volumes, the area of all pixels. */
  readonly extent: number;
}

export interface ShownField {
  readonly picture: Picture;
  /** Short lines along the gradient, x, y of both ends each. */
  readonly gradients: Float64Array;
  readonly box: readonly [number, number, number, number];
}

export interface PlaneAnswer {
  readonly bodies: readonly ShownBody[];
  /** Of bodies that deform; null for rigid ones, and for those that cross themselves. */
  readonly fills: readonly (Mesh | null)[];
  readonly found: Found;
  /** The pixels as squares, colored by the distance. */
  readonly squares: Mesh;
  readonly squareColors: Float32Array | undefined;
  readonly error: number;
  readonly pixel: number;
  /** Parts of boundaries inside other bodies: segments, and their length. */
  readonly pieces: Float64Array;
  readonly exactLength: number;
  /** The largest difference between the depth of a pixel and that of the boundary it stands for. */
  readonly depthError: number;
  readonly field: ShownField | null;
  readonly milliseconds: number;
  readonly median: number;
  readonly framesTimed: number;
}

/** Lines along the gradient on the longer side of a field. */
const GRADIENTS = 28;
/** Room around the pixels of a field, as a share of a body's diameter. */
const FIELD_ROOM = 0.03;

let opened: PlaneScenario | null = null;
/** Kept from frame to frame for its memory. */
let asker = { error: 0, scene: new PlaneScene(), pivot: new PlanePivot() };
const times = new RecentTimes();

function askerFor(error: number): typeof asker {
  if (asker.error !== error) asker = { error, scene: new PlaneScene({ error }), pivot: new PlanePivot({ error }) };
  return asker;
}

function scenarioOf(scene: PlaneSceneName): PlaneScenario {
  if (opened?.name !== scene) opened = openPlaneScene(scene);
  return opened;
}

export const pivotPlaneTasks = {
  /** What a scene is, and its bodies as meshes in their own coordinates. */
  openPlane({ scene }: { scene: PlaneSceneName }) {
    const { bodies, lines, diameter } = scenarioOf(scene);
    return { lines, diameter, fills: bodies.map(({ rings }) => fillOf(rings)) };
  },

  /** All pairs of a frame. */
  askPlane(question: PlaneQuestion): PlaneAnswer {
    const { scene, query } = question;
    const scenario = scenarioOf(scene);
    const bodies = bodiesAt(scenario, question.frame, question.hand, question.bends);
    const error = question.error * scenario.diameter;
    askerFor(error);
    const start = performance.now();
    const found = findPixels(bodies, query, error, question.threshold * scenario.diameter);
    const milliseconds = performance.now() - start;
    const { median, count } = times.add([scene, query, error, question.threshold].join(' '), milliseconds);
    const pixel = Math.SQRT2 * error;
    const meeting = pairsOf(bodies, error);
    const pieces = meeting.flatMap(([a, b]) => [
      ...insidePieces(bodies[a].outline, bodies[b].outline),
      ...insidePieces(bodies[b].outline, bodies[a].outline),
    ]);
    return {
      bodies,
      fills: scene === 'wavy' ? bodies.map(({ outline }) => fillOf(outline.map((ring) => ring.slice(0, -2)))) : [],
      found,
      squares: squaresOf(found.points, pixel),
      squareColors: colorsOf(found.distances),
      error,
      pixel,
      pieces: Float64Array.from(pieces),
      exactLength: lengthOf(pieces),
      depthError: query === 'penetration' ? depthErrorOf(bodies, error) : 0,
      field: question.field ? fieldOf(bodies, error, FIELD_ROOM * scenario.diameter) : null,
      milliseconds,
      median,
      framesTimed: count,
    };
  },
};

function findPixels(bodies: readonly ShownBody[], query: PlaneQuery, error: number, threshold: number): Found {
  if (query === 'volumes' || query === 'boundaries') return findMeetings(bodies, query, error);
  const { scene } = askerFor(error);
  const answer = query === 'penetration' ? scene.penetration(shapesOf(bodies)) : null;
  const touching = answer === null ? scene.contacts(shapesOf(bodies), threshold) : null;
  const { count, points, lengths, pairCount } = answer ?? touching!;
  const ways = (answer?.directions ?? touching!.normals).slice(0, 2 * count);
  const distances = touching?.distances.slice(0, count) ?? answer!.depths.slice(0, count).map((depth) => -depth);
  // Normals point to the other body's inside, so those of points inside it point away from its boundary.
  for (let i = 0; i < 2 * count; i++) ways[i] *= answer === null ? distances[i >> 1] : -distances[i >> 1];
  const extent = lengths.subarray(0, count).reduce((sum, length) => sum + length, 0);
  return { count, pairs: pairCount, points: points.slice(0, 2 * count), ways, distances, extent };
}

/** Pair by pair: what two bodies have in common. */
function findMeetings(bodies: readonly ShownBody[], query: 'volumes' | 'boundaries', error: number): Found {
  const { pivot } = askerFor(error);
  const shapes = shapesOf(bodies);
  const all: number[] = [];
  let [pairs, extent] = [0, 0];
  for (let a = 0; a < shapes.length; a++) {
    for (let b = a + 1; b < shapes.length; b++) {
      const kind = query === 'volumes' ? 'volume-volume' : 'boundary-boundary';
      const { count, points, area } = pivot.intersect(shapes[a], shapes[b], kind);
      for (let i = 0; i < 2 * count; i++) all.push(points[i]);
      if (count > 0) pairs++;
      extent += area;
    }
  }
  const none = new Float64Array(0);
  const points = Float64Array.from(all);
  return { count: points.length / 2, pairs, points, ways: none, distances: none, extent };
}

function shapesOf(bodies: readonly ShownBody[]): PlaneShape[] {
  return bodies.map(({ rings, pose }) => ({ rings, pose }));
}

/** The pairs that penetrate or touch. */
function pairsOf(bodies: readonly ShownBody[], error: number): [number, number][] {
  const { pairs, pairCount } = askerFor(error).scene.contacts(shapesOf(bodies), 0);
  return Array.from({ length: pairCount }, (_, k) => [pairs[2 * k], pairs[2 * k + 1]]);
}

/** Compares the depth of every pixel with that of the nearest point of the boundary it is a pixel of. */
function depthErrorOf(bodies: readonly ShownBody[], error: number): number {
  const shapes = shapesOf(bodies);
  const answer = askerFor(error).scene.penetration(shapes);
  const { pivot } = askerFor(error);
  let most = 0;
  for (let pair = 0; pair < answer.pairCount; pair++) {
    const end = pair + 1 < answer.pairCount ? answer.starts[pair + 1] : answer.count;
    for (const side of [0, 1]) {
      const own = answer.pairs[2 * pair + side];
      const other = answer.pairs[2 * pair + 1 - side];
      const chosen: number[] = [];
      for (let k = answer.starts[pair]; k < end; k++) if (answer.objects[k] === own) chosen.push(k);
      const feet = Float64Array.from(chosen.flatMap((k) => [answer.points[2 * k], answer.points[2 * k + 1]]));
      const distances = new Float64Array(chosen.length);
      const gradients = new Float64Array(2 * chosen.length);
      pivot.distances(shapes[own], feet, distances, gradients);
      for (let i = 0; i < feet.length; i++) feet[i] -= distances[i >> 1] * gradients[i];
      pivot.distances(shapes[other], feet, distances);
      chosen.forEach((k, i) => {
        most = Math.max(most, Math.abs(answer.depths[k] + distances[i]));
      });
    }
  }
  return most;
}

/** The field of the second body of the pair with the deepest pixel, around the pixels of that pair. */
function fieldOf(bodies: readonly ShownBody[], error: number, room: number): ShownField | null {
  const shapes = shapesOf(bodies);
  const { count, pairCount, starts, pairs, depths, points } = askerFor(error).scene.penetration(shapes);
  if (count === 0) return null;
  let deepest = 0;
  for (let k = 1; k < count; k++) if (depths[k] > depths[deepest]) deepest = k;
  let pair = 0;
  while (pair + 1 < pairCount && starts[pair + 1] <= deepest) pair++;
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let k = starts[pair]; k < (pair + 1 < pairCount ? starts[pair + 1] : count); k++) {
    for (const axis of [0, 1]) {
      box[axis] = Math.min(box[axis], points[2 * k + axis] - room);
      box[2 + axis] = Math.max(box[2 + axis], points[2 * k + axis] + room);
    }
  }
  const field = askerFor(error).pivot.field(shapes[pairs[2 * pair + 1]], box);
  const { width, height, pixel, origin, values } = field;
  const step = Math.max(box[2] - box[0], box[3] - box[1]) / GRADIENTS;
  const gradients: number[] = [];
  for (let y = box[1] + step / 2; y < box[3]; y += step) {
    for (let x = box[0] + step / 2; x < box[2]; x += step) {
      const [gx, gy] = field.gradient(x, y);
      gradients.push(x, y, x + 0.7 * step * gx, y + 0.7 * step * gy);
    }
  }
  const picture = {
    corner: [origin[0], origin[1], 0] as const,
    across: [(width - 1) * pixel, 0, 0] as const,
    up: [0, (height - 1) * pixel, 0] as const,
    columns: width,
    rows: height,
    samples: Float32Array.from(values),
    low: values.reduce((least, value) => Math.min(least, value), 0),
    high: values.reduce((most, value) => Math.max(most, value), 0),
  };
  return { picture, gradients: Float64Array.from(gradients), box };
}

/** A square a pixel, two triangles each. */
function squaresOf(points: Float64Array, pixel: number): Mesh {
  const count = points.length / 2;
  const positions = new Float64Array(12 * count);
  const indices = new Uint32Array(6 * count);
  const half = pixel / 2;
  for (let k = 0; k < count; k++) {
    const [x, y] = [points[2 * k], points[2 * k + 1]];
    positions.set([x - half, y - half, 0, x + half, y - half, 0, x + half, y + half, 0, x - half, y + half, 0], 12 * k);
    indices.set([4 * k, 4 * k + 1, 4 * k + 2, 4 * k, 4 * k + 2, 4 * k + 3], 6 * k);
  }
  return { positions, indices };
}

/** From dark at the boundary to bright where it is deepest or farthest; two triangles a pixel. */
function colorsOf(distances: Float64Array): Float32Array | undefined {
  if (distances.length === 0) return undefined;
  const most = distances.reduce((largest, distance) => Math.max(largest, Math.abs(distance)), 0);
  const colors = new Float32Array(6 * distances.length);
  distances.forEach((distance, k) => {
    const color = linearScaleColor(most === 0 ? 0 : Math.abs(distance) / most);
    colors.set([...color, ...color], 6 * k);
  });
  return colors;
}

function lengthOf(segments: readonly number[]): number {
  let length = 0;
  for (let i = 0; i < segments.length; i += 4) {
    length += Math.hypot(segments[i + 2] - segments[i], segments[i + 3] - segments[i + 1]);
  }
  return length;
}
