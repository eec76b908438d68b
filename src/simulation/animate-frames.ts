// A simulation as a model whose parts move, for GLB files. Balls are drawn as icospheres, plane bodies as thin plates; elastic
// bodies move with their best-fitting rotation and change their shape within it.
import { nameValue } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import * as pose from '../core/pose.js';
import type { ModelAnimation } from '../io/model/model-animation.js';
import type { LinearColor, ModelFile, ModelMesh } from '../io/model/model-file.js';
import type { Mesh } from '../mesh/mesh.js';
import type { Polygon } from '../mesh/polygon/polygon.js';
import { findModel } from '../models/catalogue.js';
import { extrudePolygon } from '../models/parts/extrude.js';
import type { BodyState, SimulatedBody, SimulatedShape } from './simulation.js';

/** Chosen: a drawn ball has 1,280 triangles and deviates from a true one by 0.3 % of the radius. */
const BALL_SUBDIVISIONS = 8;

/** Chosen: sides of a drawn disc. */
const DISC_SIDES = 48;

/** Chosen: thickness of a drawn plate, as a share of its size. */
const PLATE_DEPTH = 0.1;

/** Chosen: shapes of an elastic body; viewers hold a morph target for each, and interpolate frames between them. */
const MAX_SHAPES = 200;

const FIXED_COLOR: LinearColor = [0.4, 0.4, 0.42, 1];
/** Distinguishable with color blindness (Okabe and Ito 2008), in linear light. */
const COLORS: readonly LinearColor[] = [
  [0.79, 0.33, 0, 1],
  [0.09, 0.46, 0.81, 1],
  [0, 0.34, 0.17, 1],
  [0.6, 0.19, 0.39, 1],
  [0.87, 0.77, 0.05, 1],
  [0, 0.17, 0.45, 1],
  [0.67, 0.11, 0, 1],
];

/**
 * The bodies of a simulation as parts of a model, and their motion; `writeModel(model, 'glb', { animation })` writes them.
 * @param surfaces for each elastic body, by index, what `surfaceOf` gave in each frame; without it the body keeps its shape.
 */
export function animateFrames(
  bodies: readonly Pick<SimulatedBody, 'name' | 'shape' | 'kind'>[],
  frames: readonly { readonly time: number; readonly bodies: readonly Pick<BodyState, 'pose'>[] }[],
  surfaces: ReadonlyMap<number, readonly Float64Array[]> = new Map(),
): { model: ModelFile; animation: ModelAnimation } {
  if (!Array.isArray(bodies) || bodies.some((body) => typeof body?.shape !== 'object' || body.shape === null)) {
    throw new NearfieldError('bad-argument', `The bodies are ${nameValue(bodies)}; give those of a simulation.`);
  }
  if (!Array.isArray(frames) || frames.length === 0 || frames.some((f) => f?.bodies?.length !== bodies.length)) {
    throw new NearfieldError(
      'bad-argument',
      `The frames are ${nameValue(frames)}; give at least one, of the same simulation, as simulateScene returns.`,
    );
  }
  if (!(surfaces instanceof Map) || [...surfaces.values()].some((shapes) => shapes?.length !== frames.length)) {
    throw new NearfieldError(
      'bad-argument',
      `The surfaces are ${nameValue(surfaces)}; give a Map from the index of a body to one array for each frame.`,
    );
  }
  const shapes: NonNullable<ModelAnimation['shapes']>[number][] = [];
  const drawn = new Map<SimulatedShape, Mesh>();
  const meshes: ModelMesh[] = [];
  const parts: ModelFile['parts'][number][] = [];
  const tracks: ModelAnimation['tracks'][number][] = [];
  for (const [i, { name, shape, kind }] of bodies.entries()) {
    const bent = surfaces.get(i);
    const still = drawn.get(shape) ?? drawShape(shape);
    drawn.set(shape, still);
    let mesh = still;
    if (bent !== undefined) {
      const kept = frames.map((_, k) => k).filter((k) => k % Math.ceil(frames.length / MAX_SHAPES) === 0);
      const positions = kept.map((k) => inFrame(frames[k].bodies[i].pose, bent[k]));
      mesh = { positions: positions[0], indices: still.indices };
      shapes.push({ part: i, times: kept.map((k) => frames[k].time), positions });
    }
    const title = name === '' ? `body ${i}` : name;
    meshes.push({
      name: title,
      mesh,
      color: kind === 'dynamic' || kind === 'elastic' ? COLORS[i % COLORS.length] : FIXED_COLOR,
    });
    const poses = frames.map((frame) => inSpace(frame.bodies[i].pose));
    parts.push({ name: title, meshIndex: i, transform: pose.toMatrix4(poses[0]) });
    if (kind !== 'fixed') tracks.push({ part: i, poses: Float64Array.from(poses.flat()) });
  }
  return {
    model: { format: 'glb', meshes, parts },
    animation: { name: 'simulation', times: frames.map(({ time }) => time), tracks, shapes },
  };
}

/** Points of the world in the frame of a body. */
function inFrame(placed: readonly number[], points: Float64Array): Float64Array {
  const inverse = pose.invert(inSpace(placed));
  const out = new Float64Array(points.length);
  for (let i = 0; i < out.length; i += 3) {
    out.set(pose.transformPoint(inverse, [points[i], points[i + 1], points[i + 2]]), i);
  }
  return out;
}

/** A pose in the plane as one in space: x, y and the angle about z. */
function inSpace(placed: readonly number[]): pose.Pose {
  if (placed.length === 7) return [...placed] as pose.Pose;
  const [x, y, angle] = placed;
  return [x, y, 0, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
}

function drawShape(shape: SimulatedShape): Mesh {
  if ('mesh' in shape) return shape.mesh;
  if ('ball' in shape) {
    const { positions, indices } = findModel('icosphere').build({ radius: 1, subdivisions: BALL_SUBDIVISIONS });
    return { positions: positions.map((value) => shape.ball * value), indices };
  }
  const outline = 'polygon' in shape ? shape.polygon : discOutline(shape.circle);
  return plateOf(outline).plate;
}

/** What a polygon is drawn as. */
export interface Plate {
  readonly plate: Mesh;
  /** The number of the polygon's point at each vertex. */
  readonly nodeOf: Int32Array;
}

export function plateOf(outline: Polygon): Plate {
  const plate = extrudePolygon(outline, { depth: PLATE_DEPTH * sizeOf(outline) });
  const numbers = new Map<string, number>();
  for (const ring of outline.rings) {
    for (let i = 0; i < ring.length; i += 2) numbers.set(`${ring[i]} ${ring[i + 1]}`, numbers.size);
  }
  const { positions } = plate;
  const nodeOf = Int32Array.from({ length: positions.length / 3 }, (_, v) => {
    return numbers.get(`${positions[3 * v]} ${positions[3 * v + 1]}`) ?? 0;
  });
  return { plate, nodeOf };
}

function discOutline(radius: number): Polygon {
  const angles = Array.from({ length: DISC_SIDES }, (_, i) => (2 * Math.PI * i) / DISC_SIDES);
  return {
    rings: [Float64Array.from(angles.flatMap((angle) => [radius * Math.cos(angle), radius * Math.sin(angle)]))],
  };
}

/** The geometric mean of width and height. */
function sizeOf({ rings: [outer] }: Polygon): number {
  const along = (axis: number): number => {
    let [least, most] = [Infinity, -Infinity];
    for (let i = axis; i < outer.length; i += 2) {
      least = Math.min(least, outer[i]);
      most = Math.max(most, outer[i]);
    }
    return most - least;
  };
  return Math.sqrt(along(0) * along(1));
}
