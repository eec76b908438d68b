// Plans several robots: each alone, groups by priorities in time, and trees of all robots of a group in turns with that. The tracks
// are then one path, whose edges are proven for all robots together.

import type { FoundPath, PlanTask } from '../planners/planner.js';
import type { PlannerName } from '../problem/plan-problem.js';
import { shortenPath } from '../search/shorten.js';
import type { TimedScene } from '../time/plan-in-time.js';
import { GroupTrees } from './group-trees.js';
import { mergeTracks } from './merge-tracks.js';
import { TeamMember } from './team-member.js';
import { TeamScenes } from './team-scenes.js';
import { type Group, TeamSearch } from './team-search.js';
import { timeOf } from './track.js';

/** Chosen: the share of the time for the robots alone, in the first of two passes. */
const ALONE_TIME = 0.4;

/** Chosen: the count of trials to make the way of one robot alone shorter. */
const SHORTEN_TRIALS = 40;

/**
 * Chosen: trees of this count of robots take as much work as priorities do; those of more robots, which hardly
 * succeed, take less.
 */
const TREE_ROBOTS = 2;

/**
 * Chosen: the edges and distances that trees of chains take before priorities: a timed roadmap of a chain takes far
 * more.
 */
const QUICK_WORK = 3000;

/** Chosen: where times count, robots without a limit of speed get faster after this count of trials. */
const PATIENT_TRIALS = 10;

/** Chosen: where obstacles move, priorities are given up after this share of the time. */
const TIMED_SHARE = 0.5;

/** Chosen: the factor by which these robots get faster. */
const HURRY = 2;

/** Plans one robot alone. Where obstacles move, configurations of the path end with their times. */
export type PlanAlone = (task: PlanTask, robot: number) => FoundPath;

/**
 * Searches a path for all robots.
 * @param timed null where times do not count; otherwise configurations of the path end with their times.
 */
export function planTeam(task: PlanTask, timed: TimedScene | null, planAlone: PlanAlone): FoundPath {
  const { scene, random, deadline, timeLimit } = task;
  const isLate = (): boolean => deadline.isOver('Planning robots together');
  const scenes = new TeamScenes(scene, task.timed, timed?.clock.horizon ?? Infinity, timed?.seconds ?? 1, isLate);
  const found = planMembers(task, scenes, planAlone);
  if ('path' in found) return found;
  const obstaclesMove = (task.timed?.moving.length ?? 0) > 0;
  const limit = deadline.within(obstaclesMove ? TIMED_SHARE * timeLimit : timeLimit);
  const isOver = (): boolean => limit.isOver('Planning robots together');
  const search = new TeamSearch(scenes, found.members, random, isOver);
  const trees = new Map<Group, GroupTrees>();
  let planner: PlannerName = 'prioritized';
  const growGroups = (workOf: (group: Group) => number): void => {
    for (const group of search.groups) {
      if (group.tracks !== null) continue;
      const own = trees.get(group) ?? new GroupTrees(scenes, group.members);
      trees.set(group, own);
      group.tracks = own.grow(workOf(group), task);
      // The planner of a part is not that of all.
      if (group.tracks !== null && search.groups.length === 1) planner = 'rrt-connect';
    }
  };
  if (!obstaclesMove && scene.robots.some(({ chain }) => chain !== null)) growGroups(() => QUICK_WORK);
  for (let trial = 1; !isOver(); trial++) {
    if (search.advance()) {
      const path = mergeTracks(scenes, search.tracks!);
      if (isProven(timed?.scene ?? scene, path)) {
        return { planner, path: timed === null ? path.map((q) => q.slice(0, -1)) : path, proof: null };
      }
      // An obstacle came to a goal before the last robot had arrived.
      search.joinAll(timeOf(path[path.length - 1]));
    }
    if (!obstaclesMove) growGroups(({ members, work }) => (TREE_ROBOTS / members.length) * work);
    if (timed === null || trial % PATIENT_TRIALS > 0) continue;
    timed.limits.hurry(HURRY);
    scenes.hurry(HURRY);
  }
  return { planner, path: null, proof: null };
}

/** All robots alone; where one has no path, a proof of that or nothing. */
function planMembers(
  task: PlanTask,
  scenes: TeamScenes,
  planAlone: PlanAlone,
): { readonly members: readonly TeamMember[] } | FoundPath {
  const { names, start, goal, random, deadline, timeLimit, timed } = task;
  const count = scenes.robotCount;
  const members: TeamMember[] = [];
  // What is hard for one robot must not keep others from a proof that they have no path.
  for (const share of [ALONE_TIME / count, 1]) {
    for (let r = 0; r < count; r++) {
      if (members[r] !== undefined) continue;
      const alone = scenes.alone[r];
      const found = planAlone(
        {
          ...task,
          scene: alone,
          names: [names[r]],
          start: start.slice(0, alone.size),
          goal: goal.slice(0, alone.size),
          deadline: share < 1 ? deadline.within(share * timeLimit) : deadline,
          timeLimit: share * timeLimit,
        },
        r,
      );
      if (found.proof !== null) return found;
      if (found.path === null) continue;
      const way =
        timed !== null && timed.moving.length > 0
          ? found.path.map((q) => scenes.widen(q.subarray(0, -1), timeOf(q)))
          : scenes.withTimes([r], shortenPath(alone, found.path, random, deadline, SHORTEN_TRIALS));
      members[r] = new TeamMember(scenes, r, way);
    }
  }
  for (let r = 0; r < count; r++) {
    if (members[r] === undefined) return { planner: 'prioritized', path: null, proof: null };
  }
  return { members };
}

/** Whether every edge is proven for all robots together. */
function isProven(scene: TimedScene['scene'], path: readonly Float64Array[]): boolean {
  for (let i = 1; i < path.length; i++) if (!scene.proves(path[i - 1], path[i])) return false;
  return true;
}
