// Routes for a simulation of agents, by the Voronoi diagram of the obstacles: paths, and places to stand beside each other.
import type { AgentRoutes, ParkingGraph } from '../../agents/agent-routes.js';
import { Deadline } from '../../core/deadline.js';
import { NearfieldError } from '../../core/errors.js';
import type { Random } from '../../core/random.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import { buildParkingGraph } from '../guide/parking-places.js';
import { VoronoiSearch } from '../guide/voronoi-search.js';
import { searchOnce } from './plan-voronoi.js';

/** Chosen: places are farther apart than robots need by this factor. */
const SPARE = 1.05;

export class VoronoiRoutes implements AgentRoutes {
  readonly #seconds: number;

  /** @param seconds for one search of a path. */
  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  findDetour(
    scene: CollisionScene,
    start: Float64Array,
    goal: Float64Array,
    random: Random,
  ): readonly Float64Array[] | null {
    const deadline = new Deadline(this.#seconds);
    const names = scene.robots.map(({ name }) => name);
    const problem = { scene, names, start, goal, linkGoals: [], timed: null, notes: [] };
    return searchOnce(new VoronoiSearch(scene), { ...problem, random, deadline, timeLimit: this.#seconds }).path;
  }

  findPlaces(scene: CollisionScene): ParkingGraph | null {
    try {
      const { task, guide } = new VoronoiSearch(scene);
      const spacing = SPARE * (2 * task.body.radius + scene.clearance);
      return buildParkingGraph(guide.graph, task.body.halfWidth + scene.clearance, spacing);
    } catch (error) {
      if (error instanceof NearfieldError) return null;
      throw error;
    }
  }
}
