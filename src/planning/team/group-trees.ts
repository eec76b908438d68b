// Trees of all robots of a group at once, which grow in turns: the last resort where no order of priority leads to a path.

import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { PlanTask } from '../planners/planner.js';
import { growTrees, type Sampler } from '../search/grow-trees.js';
import { RoadmapGraph } from '../search/roadmap.js';
import { shortenPath } from '../search/shorten.js';
import type { TeamMember } from './team-member.js';
import type { TeamScenes } from './team-scenes.js';
import { Track, timeOf } from './track.js';

/** Chosen: the count of samples between two looks at the work done. */
const TURNS = 10;

/** Chosen: the count of trials to make a path shorter. */
const SHORTEN_TRIALS = 40;

export class GroupTrees {
  readonly #scenes: TeamScenes;
  readonly #robots: readonly number[];
  readonly #scene: CollisionScene;
  readonly #roadmap: RoadmapGraph;
  readonly #sample: Sampler;
  readonly #from: number;
  readonly #to: number;
  /** Edges and distances so far. */
  #work = 0;

  constructor(scenes: TeamScenes, members: readonly TeamMember[]) {
    this.#scenes = scenes;
    this.#robots = members.map(({ index }) => index);
    this.#scene = scenes.group(this.#robots);
    this.#roadmap = new RoadmapGraph(this.#scene);
    this.#sample = (random, out) => {
      for (const member of members) member.sample(random, out);
    };
    const addEnd = (end: 'start' | 'goal'): number => {
      const q = new Float64Array(this.#scene.size);
      for (const member of members) {
        const { offset, size } = scenes.joint.robots[member.index];
        q.set(member[end].subarray(offset, offset + size), offset);
      }
      return this.#roadmap.add(q);
    };
    this.#from = addEnd('start');
    this.#to = addEnd('goal');
  }

  /** Grows the trees until they have taken the work given; the motions of all robots, if there are some that end by the horizon. */
  grow(work: number, { random, deadline }: PlanTask): readonly Track[] | null {
    const [scenes, roadmap, from, to] = [this.#scenes, this.#roadmap, this.#from, this.#to];
    let isJoined = false;
    while (!isJoined && this.#work < work && !deadline.isOver('Growing trees')) {
      const before = scenes.work;
      isJoined = growTrees(this.#scene, roadmap, [from, to], random, deadline, this.#sample, TURNS);
      this.#work += scenes.work - before;
    }
    if (!isJoined) return null;
    const short = shortenPath(this.#scene, roadmap.path(from, to), random, deadline, SHORTEN_TRIALS);
    const path = scenes.withTimes(this.#robots, short);
    if (timeOf(path[path.length - 1]) > scenes.horizon) return null;
    return this.#robots.map((r) => new Track(r, scenes.joint.robots[r], path, scenes.boxes[r]));
  }
}
