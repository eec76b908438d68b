// One scene of rigid bodies run by us and by peers alike: the same meshes, poses and materials, no sleeping, processor time.
// Overlaps are measured by our depth on the true meshes, whatever a peer collides with.
import { type Pose, pose } from 'nearfield/core';
import { readSimulationScene, type SceneDescription, type SpaceSimulation } from 'nearfield/dynamics';
import { measurePenetrationSync } from 'nearfield/penetration';
import { ProximityModel, testIntersection } from 'nearfield/proximity';
import { processorTime } from './measure.js';
import { prismsOf } from './peers/dynamics/convex-prisms.js';
import type { DynamicsPeer, PeerBody, PeerWorld } from './peers/dynamics/dynamics-peer.js';
import { loadJolt } from './peers/dynamics/jolt.js';
import { loadRapierWorlds } from './peers/dynamics/rapier-world.js';

export interface SceneRun {
  readonly name: string;
  /** Processor time of each step, milliseconds. */
  readonly times: readonly number[];
  /** The deepest overlap at the end, from above, in meters. */
  readonly worst: number;
  /** Bodies that fell out of the scene. */
  readonly lost: number;
  /** Whether it ran out of patience before its last step. */
  readonly cut: boolean;
}

/** Bodies so far below everything at the start are lost, in meters. */
const LOST_BELOW = 5;

/** A translation that parts two bodies, without the proof that there is no shorter one: it bounds the depth from above. */
const DEPTH = { maxCells: 0 };

export const PEERS_MISSING =
  'Peers are used where they are installed: npm install --no-save --prefix bench/.peers jolt-physics@1.1.0 @dimforge/rapier3d-compat@0.21.0.';

/** The peers that are installed. */
export async function loadPeers(): Promise<DynamicsPeer[]> {
  const jolt = await loadJolt();
  return [...(jolt === null ? [] : [jolt]), ...(await loadRapierWorlds())];
}

/** What runs a scene: a peer, or null for us. */
export type DynamicsSystem = DynamicsPeer | null;

/**
 * Runs a scene with one system, for a count of steps or of seconds of processor time; null where the system cannot.
 * @param isJudged whether overlaps and losses are measured at the end.
 */
export async function runScene(
  scene: SceneDescription,
  steps: number,
  system: DynamicsSystem,
  maxSeconds: number,
  isJudged = true,
): Promise<SceneRun | null> {
  const judge = await openScene(scene);
  const world =
    system === null ? ourWorld(await openScene(scene)) : createPeer(system, peerBodies(scene, judge), scene);
  if (world === null) return null;
  return runWorld(system?.name ?? 'nearfield', world, judge, steps, maxSeconds, isJudged);
}

async function openScene(scene: SceneDescription): Promise<SpaceSimulation> {
  return (await readSimulationScene(scene, { sleeping: false })) as SpaceSimulation;
}

/** Null where a peer cannot collide these bodies. */
function createPeer(peer: DynamicsPeer, bodies: readonly PeerBody[], scene: SceneDescription): PeerWorld | null {
  try {
    return peer.create(bodies, scene.gravity ?? [0, -9.81, 0], scene.timestep ?? 1 / 60);
  } catch {
    return null;
  }
}

function ourWorld({ world, bodies }: SpaceSimulation): PeerWorld {
  return {
    step: () => world.step(),
    readPoses: (out) => {
      for (const [i, { id }] of bodies.entries()) out.set(world.poseOf(id), 7 * i);
    },
    free: () => {},
  };
}

function runWorld(
  name: string,
  world: PeerWorld,
  judge: SpaceSimulation,
  steps: number,
  maxSeconds: number,
  isJudged: boolean,
): SceneRun {
  const times: number[] = [];
  const begin = processorTime();
  while (times.length < steps && processorTime() - begin < 1000 * maxSeconds) {
    const start = processorTime();
    world.step();
    times.push(processorTime() - start);
  }
  const poses = new Float64Array(7 * judge.bodies.length);
  world.readPoses(poses);
  world.free();
  const state = isJudged ? judgePoses(judge, poses) : { worst: 0, lost: 0 };
  return { name, times, cut: times.length < steps, ...state };
}

/** How deep bodies overlap at the end, pair by pair, and how many have fallen out. */
function judgePoses({ bodies }: SpaceSimulation, poses: Float64Array): { worst: number; lost: number } {
  const poseAt = (i: number): Pose => [...poses.subarray(7 * i, 7 * i + 7)] as Pose;
  const still = bodies.map((_, i) => i).filter((i) => bodies[i].kind !== 'dynamic');
  const floor = Math.min(0, ...still.map((i) => poses[7 * i + 1]));
  const lost = bodies.filter(({ kind }, i) => {
    return kind === 'dynamic' && still.length > 0 && poses[7 * i + 1] < floor - LOST_BELOW;
  }).length;
  const models = new Map<unknown, ProximityModel>();
  const placed = bodies.flatMap(({ shape, kind }, i) => {
    if (!('mesh' in shape)) return [];
    const model = models.get(shape) ?? new ProximityModel(shape.mesh);
    models.set(shape, model);
    return [
      { model, pose: poseAt(i), middle: pose.transformPoint(poseAt(i), model.center), moves: kind === 'dynamic' },
    ];
  });
  let worst = 0;
  for (const [i, a] of placed.entries()) {
    for (const b of placed.slice(0, i)) {
      const apart = Math.hypot(...a.middle.map((value, k) => value - b.middle[k]));
      if ((!a.moves && !b.moves) || apart > a.model.radius + b.model.radius) continue;
      if (!testIntersection(a.model, b.model, a.pose, b.pose).intersects) continue;
      const { upper } = measurePenetrationSync(a.model, b.model, a.pose, b.pose, DEPTH);
      worst = Math.max(worst, upper ?? 0);
    }
  }
  return { worst, lost };
}

function peerBodies(scene: SceneDescription, { bodies, world }: SpaceSimulation): PeerBody[] {
  const known = new Map<unknown, PeerBody['pieces']>();
  return bodies.map(({ shape, kind, id }, i) => {
    const given = scene.bodies[i];
    const mesh = 'mesh' in shape ? shape.mesh : null;
    const pieces = known.get(shape) ?? piecesOf(given.shape, mesh);
    known.set(shape, pieces);
    return {
      mesh,
      radius: 'ball' in shape ? shape.ball : 0,
      pieces,
      pose: world.poseOf(id),
      fixed: kind !== 'dynamic',
      velocity: given.velocity ?? [0, 0, 0],
      angularVelocity: (given.angularVelocity as readonly number[] | undefined) ?? [0, 0, 0],
      density: given.density ?? 1000,
      friction: given.friction ?? 0.5,
      restitution: given.restitution ?? 0,
    };
  });
}

/** Exact prisms of letters, a box as it is, nothing for other shapes. */
function piecesOf(shape: SceneDescription['bodies'][number]['shape'], mesh: PeerBody['mesh']): PeerBody['pieces'] {
  if (mesh === null) return null;
  if ('box' in shape) return [Float32Array.from(mesh.positions)];
  return 'model' in shape && /^(letter|digit)-/.test(shape.model) ? prismsOf(mesh) : null;
}
