// Bodies in the plane for the chapter Dynamics: a world that is opened once and stepped as the page asks, with what was
// recorded of it: earlier steps are shown again, later ones are simulated.
import type { ProgressOptions, Vec3 } from 'nearfield/core';
import { reportProgress } from 'nearfield/core';
import type { PlaneHandle, PlaneMethod } from 'nearfield/dynamics';
import { PLANE_SCENES, type PlaneSceneName } from '../../bench/scenarios/plane-shapes.js';
import {
  createPlaneWorld,
  type PlaneSceneOptions,
  type PlaneSceneWorld,
  type PlaneWave,
} from '../../bench/scenarios/plane-worlds.js';
import { median } from './recent-times.js';

/** Which scene, and how it is simulated. */
export interface PlaneWorldQuestion {
  readonly scene: string;
  readonly method: PlaneMethod;
  readonly timestep: number;
  readonly restitution: number;
  readonly friction: number;
  /** Counts how often the scene was begun anew. */
  readonly run: number;
}

/** A body at a step, in the world. */
export interface PlaneWorldBody {
  readonly ring: Float64Array;
  readonly pose: readonly [number, number, number];
}

export interface PlaneWorldAt {
  readonly bodies: readonly PlaneWorldBody[];
  readonly time: number;
  /** One number a step, up to the last that was simulated. */
  readonly kinetic: Float64Array;
  readonly elastic: Float64Array;
  readonly contact: Float64Array;
  readonly linear: Float64Array;
  readonly angular: Float64Array;
  readonly milliseconds: number;
  readonly median: number;
  /** Of the last step simulated; null where an earlier one is shown. x, y each. */
  readonly touching: {
    readonly points: Float64Array;
    readonly normals: Float64Array;
    readonly separations: Float64Array;
    readonly worstPenetration: number;
  } | null;
  readonly held: { readonly from: Vec3; readonly to: Vec3 } | null;
}

interface Live {
  readonly key: string;
  readonly scene: PlaneSceneWorld;
  readonly steps: PlaneWorldBody[][];
  readonly kinetic: number[];
  readonly elastic: number[];
  readonly contact: number[];
  readonly linear: number[];
  readonly angular: number[];
  readonly milliseconds: number[];
  hold: {
    readonly body: number;
    readonly local: readonly [number, number];
    to: Vec3;
    readonly handle: PlaneHandle;
  } | null;
}

const RECENT = 60;
let live: Live | null = null;

export const planeDynamicsTasks = {
  /** The scene at a step: simulated to there, or as it was. */
  stepPlane(question: PlaneWorldQuestion & { step: number }, options: ProgressOptions): PlaneWorldAt {
    const { step, ...rest } = question;
    const key = JSON.stringify(rest);
    if (live?.key !== key) live = open(question, key);
    const { scene, steps, milliseconds } = live;
    const first = steps.length - 1;
    while (steps.length <= step) {
      reportProgress(options, (steps.length - 1 - first) / (step - first), 'simulating');
      const begin = performance.now();
      scene.world.step();
      record(live, performance.now() - begin);
    }
    const recent = milliseconds.slice(1).slice(-RECENT);
    return {
      bodies: steps[step],
      time: step * scene.world.timestep,
      kinetic: Float64Array.from(live.kinetic),
      elastic: Float64Array.from(live.elastic),
      contact: Float64Array.from(live.contact),
      linear: Float64Array.from(live.linear),
      angular: Float64Array.from(live.angular),
      milliseconds: milliseconds[step],
      median: recent.length === 0 ? 0 : median(recent),
      touching: step === steps.length - 1 ? touchingOf(scene) : null,
      held: heldOf(live),
    };
  },

  /** The waves that a scene starts with. */
  planeWaves({ name, ...options }: { name: PlaneSceneName } & PlaneSceneOptions): readonly PlaneWave[] {
    return createPlaneWorld(name, options).waves;
  },

  /** Takes hold of a body of the scene, or lets go. */
  holdPlaneBody({ held }: { held: { body: number; from: Vec3; to: Vec3 } | null }): void {
    if (live === null) return;
    if (held === null || live.hold?.body !== held.body) {
      live.hold?.handle.release();
      live.hold = null;
    }
    if (held === null) return;
    const { body, from, to } = held;
    const { world, ids } = live.scene;
    if (live.hold === null) {
      const [x, y, angle] = world.poseOf(ids[body]);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const [dx, dy] = [from[0] - x, from[1] - y];
      const local = [c * dx + s * dy, c * dy - s * dx] as const;
      live.hold = { body, local, to, handle: world.grab(ids[body], [from[0], from[1]]) };
    }
    live.hold.to = to;
    live.hold.handle.moveTo(to[0], to[1]);
  },
};

function open({ scene, method, timestep, restitution, friction }: PlaneWorldQuestion, key: string): Live {
  const overlap = scene === 'wavy-overlap';
  const name = overlap ? 'wavy' : (PLANE_SCENES.find((known) => known === scene) ?? 'gears');
  const made: Live = {
    key,
    scene: createPlaneWorld(name as PlaneSceneName, { method, timestep, restitution, friction, overlap }),
    steps: [],
    kinetic: [],
    elastic: [],
    contact: [],
    linear: [],
    angular: [],
    milliseconds: [],
    hold: null,
  };
  record(made, 0);
  return made;
}

function record(of: Live, milliseconds: number): void {
  const { world, ids, layout, name } = of.scene;
  of.steps.push(
    ids.map((id, i) =>
      name === 'wavy'
        ? { ring: world.nodesOf(id).slice(), pose: [0, 0, 0] }
        : { ring: layout.starts[i].ring, pose: world.poseOf(id) },
    ),
  );
  const { kinetic, elastic, contact } = world.energy();
  const { linear, angular } = world.momentum();
  of.kinetic.push(kinetic);
  of.elastic.push(elastic);
  of.contact.push(contact);
  of.linear.push(Math.hypot(...linear));
  of.angular.push(angular);
  of.milliseconds.push(milliseconds);
}

function touchingOf({ world }: PlaneSceneWorld): PlaneWorldAt['touching'] {
  const contacts = world.contacts();
  return {
    points: Float64Array.from(contacts.flatMap(({ point }) => point)),
    normals: Float64Array.from(contacts.flatMap(({ normal }) => normal)),
    separations: Float64Array.from(contacts, ({ separation }) => separation),
    worstPenetration: world.worstPenetration(),
  };
}

function heldOf({ hold, scene }: Live): PlaneWorldAt['held'] {
  if (hold === null) return null;
  const [x, y, angle] = scene.world.poseOf(scene.ids[hold.body]);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [lx, ly] = hold.local;
  return { from: [x + c * lx - s * ly, y + s * lx + c * ly, 0], to: hold.to };
}
