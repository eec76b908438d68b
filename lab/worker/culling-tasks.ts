// Tasks of the chapter Culling. The environment opened last, and the query objects that follow its frames, stay here.
import { type Box, box, type ProgressOptions, reportProgress } from 'nearfield/core';
import { CollisionCuller } from 'nearfield/culling';
import type { Mesh } from 'nearfield/mesh';
import { type BreakingEnvironment, breakingDragon } from '../../bench/scenarios/breaking.js';
import {
  bunnyInDragon,
  type CullingEnvironment,
  deformingCylinders,
  deformingTori,
} from '../../bench/scenarios/culling.js';
import {
  CULLING_FRAMES,
  type CulledFrame,
  type EnvironmentInput,
  type EnvironmentName,
  FATES,
  type Fate,
  type FrameInput,
} from './culling-answer.js';

/** Frames in a second. */
const FRAME_RATE = 30;

/** How many of the last frames the median time is taken of. */
const RECENT = 30;

/** The count of frames between looks at the box of the whole motion. */
const BOX_STEP = 8;

interface Session {
  readonly key: string;
  readonly environment: CullingEnvironment;
  /** Of all frames, by when the dragon breaks. */
  readonly boxes: Map<number, Box>;
  settings: string;
  culler: CollisionCuller;
  /** Finds the triangles that are left for exact tests, for their color. */
  marker: CollisionCuller;
  recent: number[];
  times: Float64Array;
}

let session: Session | null = null;

export const cullingTasks = {
  /** The box of the whole motion. */
  openEnvironment(input: EnvironmentInput, options: ProgressOptions): { name: string; bounds: Box } {
    reportProgress(options, 0, 'making the models');
    const { environment, boxes } = sessionOf(input);
    const known = boxes.get(input.breakFrame);
    if (known !== undefined) return { name: environment.name, bounds: known };
    const bounds: Box = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
    for (let frame = 0; frame < CULLING_FRAMES; frame += BOX_STEP) {
      reportProgress(options, 0.5 + (0.5 * frame) / CULLING_FRAMES, 'looking at the motion');
      environment.moveTo(frame / FRAME_RATE);
      for (const { positions } of environment.objects) {
        const { min, max } = box.ofPositions(positions);
        for (let k = 0; k < 3; k++) {
          bounds.min[k] = Math.min(bounds.min[k], min[k]);
          bounds.max[k] = Math.max(bounds.max[k], max[k]);
        }
      }
    }
    boxes.set(input.breakFrame, bounds);
    return { name: environment.name, bounds };
  },

  /** The objects in a frame. */
  objectsAt({ frame, ...input }: EnvironmentInput & { frame: number }): readonly Mesh[] {
    const { environment } = sessionOf(input);
    environment.moveTo(frame / FRAME_RATE);
    return environment.objects.map(({ positions, indices }) => ({ positions: positions.slice(), indices }));
  },

  cullFrame(input: FrameInput, options: ProgressOptions): CulledFrame {
    reportProgress(options, 0, 'making the models');
    const held = sessionOf(input);
    prepareCullers(held, input);
    const { environment } = held;
    const start = performance.now();
    environment.moveTo(input.frame / FRAME_RATE);
    const moved = performance.now();
    const { triangles, ...result } = held.culler.cullSync(environment.objects);
    const culled = performance.now();
    held.recent = [...held.recent.slice(1 - RECENT), culled - moved];
    held.times[input.frame] = culled - moved;
    const left = held.marker.cullSync(environment.objects).triangles;
    return {
      result,
      meshes: splitByFate(
        environment.objects,
        result.potential,
        left as Uint32Array,
        triangles as Uint32Array,
        input.environment !== 'cylinders',
      ),
      moving: moved - start,
      culling: culled - moved,
      median: [...held.recent].sort((a, b) => a - b)[held.recent.length >> 1],
      framesTimed: held.recent.length,
      times: held.times,
    };
  },
};

function sessionOf({ environment, size, fragments, seed, breakFrame }: EnvironmentInput): Session {
  const isBreaking = environment === 'breaking';
  const key = [environment, size, ...(isBreaking ? [fragments, seed] : [])].join();
  if (session?.key !== key) {
    const made = isBreaking ? breakingDragon(size, { fragments, seed }) : makeEnvironment(environment, size);
    const culler = new CollisionCuller();
    const times = new Float64Array(0);
    session = { key, environment: made, boxes: new Map(), settings: '', culler, marker: culler, recent: [], times };
  }
  // Between two frames, so that no frame shows fragments that still touch all over.
  if (isBreaking) (session.environment as BreakingEnvironment).breakAt((breakFrame - 0.5) / FRAME_RATE);
  return session;
}

function makeEnvironment(environment: Exclude<EnvironmentName, 'breaking'>, size: number): CullingEnvironment {
  if (environment === 'cylinders') return deformingCylinders(size);
  return environment === 'tori' ? deformingTori(size) : bunnyInDragon(size);
}

/** Query objects are made again when their options change; times are compared for the same ones only. */
function prepareCullers(held: Session, { method, resolution, breakFrame }: FrameInput): void {
  const settings = [method, method === 'cullide' ? resolution : 0, breakFrame].join();
  if (settings === held.settings) return;
  held.settings = settings;
  held.culler = new CollisionCuller({ method, resolution, output: 'triangles' });
  held.marker = new CollisionCuller({ method, resolution, output: 'candidates' });
  held.recent = [];
  held.times = new Float64Array(CULLING_FRAMES).fill(NaN);
}

/** `left` and `meeting` are pairs of triangles as `CullResult.triangles` has them. */
function splitByFate(
  objects: readonly Mesh[],
  potential: Uint32Array,
  left: Uint32Array,
  meeting: Uint32Array,
  hasOther: boolean,
): Record<Fate, Mesh> {
  const fates = objects.map(({ indices }) => new Uint8Array(indices.length / 3));
  for (const object of potential) fates[object].fill(hasOther && object === objects.length - 1 ? 2 : 1);
  for (let i = 0; i < left.length; i += 2) fates[left[i]][left[i + 1]] = 3;
  for (let i = 0; i < meeting.length; i += 2) fates[meeting[i]][meeting[i + 1]] = 4;
  const meshes = FATES.map((_, fate): Mesh => {
    const positions: number[] = [];
    const indices: number[] = [];
    for (const [object, mesh] of objects.entries()) {
      const newIds = new Int32Array(mesh.positions.length / 3).fill(-1);
      for (let i = 0; i < mesh.indices.length; i++) {
        if (fates[object][Math.floor(i / 3)] !== fate) continue;
        const vertex = mesh.indices[i];
        if (newIds[vertex] < 0) {
          newIds[vertex] = positions.length / 3;
          positions.push(mesh.positions[3 * vertex], mesh.positions[3 * vertex + 1], mesh.positions[3 * vertex + 2]);
        }
        indices.push(newIds[vertex]);
      }
    }
    return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
  });
  return Object.fromEntries(FATES.map((fate, i) => [fate, meshes[i]])) as Record<Fate, Mesh>;
}
