// Tasks of the chapter Dynamics: a scene of rigid bodies in space, opened once and stepped as the page asks.
import {
  type Box,
  box as boxes,
  NearfieldError,
  type ProgressOptions,
  pose,
  reportProgress,
  type Vec3,
} from 'nearfield/core';
import {
  readSimulationScene,
  type SceneDescription,
  type SimulatedBody,
  type SimulatedShape,
  type SimulationMethod,
  type SpaceSimulation,
  type TimeOfContactMethod,
} from 'nearfield/dynamics';
import { mergeModel } from 'nearfield/io';
import { findModel, type Mesh } from 'nearfield/mesh';
import { findRigidScene } from '../../bench/scenarios/bodies/catalogue.js';
import {
  heapOfLetters,
  lettersIntoBowl,
  lettersOverFunnels,
  tangledLetters,
} from '../../bench/scenarios/bodies/letters.js';
import { LiveBodies } from './live-bodies.js';
import { readOpened } from './read-file.js';
import { median } from './recent-times.js';

/** Which scene, and how it is simulated. */
export interface BodiesQuestion {
  readonly scene: string;
  readonly method: SimulationMethod;
  /** How the method of times of contact finds them. */
  readonly times: TimeOfContactMethod;
  readonly timestep: number;
  /** Letters, where the scene has as many as one likes. */
  readonly count: number;
  /** A scene of JSON, or a model of which copies fall; null for the scene's own bodies. */
  readonly file: Uint8Array | null;
  readonly fileName: string;
  /** Counts how often the scene was begun anew. */
  readonly run: number;
}

/** What does not change while a scene runs. */
export interface OpenedBodies {
  readonly bodies: readonly {
    readonly name: string;
    readonly kind: SimulatedBody['kind'];
    readonly mesh: Mesh;
  }[];
  /** Around everything at the start. */
  readonly box: Box;
  readonly triangles: number;
  readonly milliseconds: number;
}

/** A scene at a step. */
export interface BodiesAt {
  /** Seven numbers a body. */
  readonly poses: Float64Array;
  readonly time: number;
  /** One number a step, up to the last that was simulated. */
  readonly kinetic: Float64Array;
  readonly gravitational: Float64Array;
  readonly contact: Float64Array;
  readonly linear: Float64Array;
  readonly angular: Float64Array;
  readonly milliseconds: number;
  readonly median: number;
  /** Of the last step simulated; null where an earlier one is shown. */
  readonly touching: Touching | null;
  readonly held: { readonly from: Vec3; readonly to: Vec3 } | null;
}

interface Touching {
  /** Three numbers each, on the second body. */
  readonly points: Float64Array;
  /** From the first body to the second. */
  readonly normals: Float64Array;
  /** Negative: so deep. */
  readonly separations: Float64Array;
  /** Of the contacts, or, where that was asked, a bound of the deepest overlap. */
  readonly worstPenetration: number;
}

/** Copies of a dropped model. */
const COPIES = 24;
const RECENT = 60;
/** Room above what stays, as a share of its width. */
const ROOM_ABOVE = 0.5;

/** Scenes with any number of letters. */
const COUNTED: Readonly<Record<string, ((count: number) => SceneDescription) | undefined>> = {
  'letters-funnels': lettersOverFunnels,
  'letters-bowl': lettersIntoBowl,
  'letters-tangle': tangledLetters,
};

let live: { readonly key: string; readonly bodies: LiveBodies } | null = null;

export const dynamicsTasks = {
  /** Reads the scene and builds its world. */
  async openBodies(question: BodiesQuestion, options: ProgressOptions): Promise<OpenedBodies> {
    const begin = performance.now();
    reportProgress(options, 0, 'building the scene');
    const { simulation } = await liveOf(question, true);
    const drawn = new Map<SimulatedShape, Mesh>();
    const bodies = simulation.bodies.map(({ name, kind, shape }) => {
      const mesh = drawn.get(shape) ?? drawShape(shape);
      drawn.set(shape, mesh);
      return { name, kind, mesh };
    });
    return {
      bodies,
      box: boxAround(simulation, bodies),
      triangles: bodies.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0),
      milliseconds: performance.now() - begin,
    };
  },

  /** The scene at a step: simulated to there, or as it was. `exact`: measures the deepest overlap, in some 20 ms. */
  async stepBodies(
    question: BodiesQuestion & { step: number; exact: boolean; branch: number },
    options: ProgressOptions,
  ): Promise<BodiesAt> {
    const bodies = await liveOf(question, false);
    const { step } = question;
    bodies.advanceTo(step, (fraction) => reportProgress(options, fraction, 'simulating'));
    const { record, simulation, held } = bodies;
    const recent = record.milliseconds.slice(1).slice(-RECENT);
    return {
      poses: record.poses[step],
      time: step * simulation.timestep,
      kinetic: Float64Array.from(record.kinetic),
      gravitational: Float64Array.from(record.gravitational),
      contact: Float64Array.from(record.contact),
      linear: Float64Array.from(record.linear),
      angular: Float64Array.from(record.angular),
      milliseconds: record.milliseconds[step],
      median: recent.length === 0 ? 0 : median(recent),
      touching: step === bodies.steps ? touchingOf(simulation, question.exact) : null,
      held,
    };
  },

  /** The scene as `nearfield simulate` reads it, and the mesh of which copies fall; null without one. */
  async describeBodies(question: BodiesQuestion): Promise<{ description: SceneDescription; mesh: Mesh | null }> {
    const { description, loadMesh } = await describeScene(question);
    return { description: { ...description, timestep: question.timestep }, mesh: loadMesh?.() ?? null };
  },

  /** Takes hold of a body as it is in a step, or lets go. */
  holdBody({ held, step }: { held: { body: number; from: Vec3; to: Vec3 } | null; step: number }): void {
    live?.bodies.hold(held, step);
  },
};

/** The simulation of a question; `anew`: from its start. */
async function liveOf(question: BodiesQuestion, anew: boolean): Promise<LiveBodies> {
  const { scene, method, times, timestep, count, file, fileName, run } = question;
  const key = JSON.stringify([scene, method, times, timestep, count, fileName, file?.length, run]);
  if (live?.key === key && !(anew && live.bodies.steps > 0)) return live.bodies;
  const { description, loadMesh } = await describeScene(question);
  const opened = await readSimulationScene(
    { ...description, timestep },
    {
      method,
      timeOfContact: method === 'time-of-contact' ? times : undefined,
      loadMesh,
    },
  );
  live = { key, bodies: new LiveBodies(opened as SpaceSimulation) };
  return live.bodies;
}

async function describeScene({ scene, count, file, fileName }: BodiesQuestion): Promise<{
  description: SceneDescription;
  loadMesh?: () => Mesh;
}> {
  if (file === null) {
    const letters = COUNTED[scene];
    return { description: letters === undefined ? findRigidScene(scene).build() : letters(count) };
  }
  if (/\.json$/i.test(fileName)) {
    const description = JSON.parse(new TextDecoder().decode(file)) as SceneDescription;
    if (description.bodies?.some((body) => body?.elastic !== undefined)) {
      throw new NearfieldError('unsupported', `${fileName} has elastic bodies; run it with nearfield simulate.`);
    }
    if (description.dimension !== 2) return { description };
    throw new NearfieldError('unsupported', `${fileName} is a scene in the plane; drop one in space.`);
  }
  const mesh = toLetterSize(mergeModel(await readOpened(file, { fileName })));
  const heap = heapOfLetters(COPIES);
  const bodies = heap.bodies.map((body) => (body.fixed === true ? body : { ...body, shape: { file: fileName } }));
  return { description: { ...heap, bodies }, loadMesh: () => mesh };
}

/** As large as a letter and placed as one, so that copies do not touch at the start. */
function toLetterSize({ positions, indices }: Mesh): Mesh {
  const { min, max } = boxes.ofPositions(positions);
  const scale = 1.4 / Math.max(Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]), Number.MIN_VALUE);
  const middle = [0, 0.5, 0];
  const moved = positions.map((value, i) => scale * (value - (min[i % 3] + max[i % 3]) / 2) + middle[i % 3]);
  return { positions: moved, indices };
}

function drawShape(shape: SimulatedShape): Mesh {
  if ('mesh' in shape) return shape.mesh;
  if (!('ball' in shape)) throw new Error('a shape of the plane in space');
  const { positions, indices } = findModel('icosphere').build({ radius: 1, subdivisions: 10 });
  return { positions: positions.map((value) => shape.ball * value), indices };
}

/** Around what stays, with room above it for what falls, or around everything. */
function boxAround(simulation: SpaceSimulation, bodies: OpenedBodies['bodies']): Box {
  const still = boxOf(simulation, bodies, (kind) => kind !== 'dynamic');
  const moving = boxOf(simulation, bodies, (kind) => kind === 'dynamic');
  if (still === null || moving === null) return still ?? moving ?? { min: [-1, -1, -1], max: [1, 1, 1] };
  const { min, max } = still;
  const room = ROOM_ABOVE * Math.hypot(max[0] - min[0], max[2] - min[2]);
  return { min, max: [max[0], Math.max(max[1], Math.min(moving.max[1], max[1] + room)), max[2]] };
}

function boxOf(
  { world, bodies: ids }: SpaceSimulation,
  bodies: OpenedBodies['bodies'],
  wanted: (kind: string) => boolean,
): Box | null {
  const corners = bodies.flatMap(({ mesh, kind }, i) => {
    if (!wanted(kind)) return [];
    const { min, max } = boxes.ofPositions(mesh.positions);
    const placed = world.poseOf(ids[i].id);
    return Array.from({ length: 8 }, (_, corner) => {
      const point = [0, 1, 2].map((k) => ((corner >> k) & 1 ? max[k] : min[k])) as Vec3;
      return pose.transformPoint(placed, point);
    }).flat();
  });
  return corners.length === 0 ? null : boxes.ofPositions(corners);
}

function touchingOf({ world, frame }: SpaceSimulation, exact: boolean): Touching {
  const contacts = world.contacts();
  return {
    points: Float64Array.from(contacts.flatMap(({ point }) => [...point])),
    normals: Float64Array.from(contacts.flatMap(({ normal }) => [...normal])),
    separations: Float64Array.from(contacts, ({ separation }) => separation),
    worstPenetration: exact
      ? frame().worstPenetration
      : contacts.reduce((most, { separation }) => Math.max(most, -separation), 0),
  };
}
