// What a simulation of agents asks a planner: ways around obstacles that no agent sees from where it stands. The chapter above
// answers (planning/planners/voronoi-routes).
import type { Random } from '../core/random.js';
import type { Vec3 } from '../core/vec3.js';
import type { CollisionScene } from '../kinematics/validity/collision-scene.js';

export interface AgentRoutes {
  /** A path between two configurations of the only robot of a scene; null if none was found in time. */
  findDetour(
    scene: CollisionScene,
    start: Float64Array,
    goal: Float64Array,
    random: Random,
  ): readonly Float64Array[] | null;

  /** Places where robots as large as the only one of a scene can stand beside each other; null without a diagram. */
  findPlaces(scene: CollisionScene): ParkingGraph | null;
}

/** Places, and ways between them that pass no other place too near. */
export interface ParkingGraph {
  readonly points: readonly Vec3[];
  /** How far apart robots stand. */
  readonly spacing: number;
  readonly neighbors: readonly (readonly number[])[];
  /** By edge, as `a * points.length + b`: the points from a to b. */
  readonly ways: ReadonlyMap<number, readonly Vec3[]>;
}
