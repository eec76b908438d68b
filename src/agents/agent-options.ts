// What callers give a world of agents: agents, obstacles and constraints, as plain objects.
import { checkedElsewhere, numberWithin, optionTable } from '../core/check/option-table.js';
import type { Pose, ReadonlyPose } from '../core/pose.js';
import type { ReadonlyVec3 } from '../core/vec3.js';
import type { RobotBounds } from '../kinematics/robot/body-robot.js';
import type { PlanarAxes } from '../kinematics/robot/planar-robot.js';
import type { SpeedLimit } from '../kinematics/robot/speed-limits.js';
import type { Mesh } from '../mesh/mesh.js';
import type { Keyframe } from '../proximity/impact/motion.js';

/** A body that moves by itself. */
export interface AgentOptions {
  /** Default: 'agent 1' and so on. Names differ. */
  readonly name?: string | undefined;
  readonly mesh: Mesh;
  /** Where it is at first. */
  readonly pose: ReadonlyPose;
  /** Where its origin may be. */
  readonly bounds: RobotBounds;
  /** The plane that it moves in; it turns about the plane's normal. Default: it moves and turns freely in space. */
  readonly plane?: PlanarAxes | undefined;
  /** Default: it stays where it is, and makes way. */
  readonly goal?: ReadonlyPose | undefined;
  /** It has arrived when its origin is as near to the goal, in meters. Default: a thousandth of its size. */
  readonly tolerance?: number | undefined;
  /** At most so fast: meters and radians a second. Default 1 and 2. */
  readonly speed?: SpeedLimit | undefined;
  /** Where agents push, one with twice the priority makes way half as far. Default 1. */
  readonly priority?: number | undefined;
}

/** What agents must not touch. */
export interface AgentObstacleOptions {
  readonly mesh: Mesh;
  /** Default: at the origin. */
  readonly pose?: ReadonlyPose | undefined;
  /** In place of the pose: keys in ascending order of time. Nothing stops it. */
  readonly motion?: readonly Keyframe[] | undefined;
}

/** What agents have to respect besides their goals; they are named. */
export type AgentConstraint =
  | {
      /** Hard: the meshes stay as far apart. */
      readonly type: 'apart';
      readonly agents: readonly [string, string];
      readonly distance: number;
    }
  | {
      /** Hard: the straight line between the middles of two agents stays as far from obstacles. Default 0. */
      readonly type: 'sight';
      readonly agents: readonly [string, string];
      readonly distance?: number | undefined;
    }
  | {
      /** A ball joint: a point of each, in its own frame. They may touch. What is left of the error is reported. */
      readonly type: 'joint';
      readonly agents: readonly [string, string];
      readonly points: readonly [ReadonlyVec3, ReadonlyVec3];
    }
  | {
      /** Soft: the agent stays as near to another one as wanted, between their middles. */
      readonly type: 'follow';
      readonly agent: string;
      readonly leader: string;
      readonly distance: number;
    }
  | {
      /** Soft: the middle of the agent follows points, an estimated path, before it heads for its goal. */
      readonly type: 'path';
      readonly agent: string;
      readonly points: readonly ReadonlyVec3[];
    };

/** How a world of agents works. */
export interface AgentWorldOptions {
  /** Bodies stay as far apart, in meters. Default 0. */
  readonly distance?: number | undefined;
  /** Of a step, in seconds. Default 1/60. */
  readonly timeStep?: number | undefined;
  readonly seed?: number | undefined;
}

/**
 * 'moving', 'arrived', or 'stuck': nothing that was tried brings it on. An agent without a goal is 'arrived' where it is.
 */
export type AgentStatus = 'moving' | 'arrived' | 'stuck';

/** Where an agent is and how it fares. */
export interface AgentState {
  readonly name: string;
  readonly pose: Pose;
  readonly status: AgentStatus;
  /** What it follows: the potential of its goal, a path, or a plan to pass others with stepping back. */
  readonly mode: 'potential' | 'path' | 'shunting';
  /** Agents and obstacles that hold it back, by name. */
  readonly blockedBy: readonly string[];
}

/** Something that happened in a step. */
export interface AgentEvent {
  /**
   * 'arrived'; 'detour': a local minimum or a jam is left along a planned path; 'yield': priorities were drawn anew; 'shunt': a deadlock is
   * resolved by stepping back; 'stuck'; 'held': a part moved by hand cannot go on; 'crushed': an obstacle comes and there is nowhere
   * to go.
   */
  readonly kind: 'arrived' | 'detour' | 'yield' | 'shunt' | 'stuck' | 'held' | 'crushed';
  readonly time: number;
  /** Whom it concerns, by name. */
  readonly agents: readonly string[];
  /** Who is in the way, by name. */
  readonly by: readonly string[];
}

/**
 * 'moving'; 'arrived': all have; 'stuck': no agent that has not arrived makes progress; 'crushed': time stands still, because an obstacle would
 * run into an agent that has nowhere to go.
 */
export type AgentWorldStatus = 'moving' | 'arrived' | 'stuck' | 'crushed';

/** What a step did. */
export interface AgentStep {
  readonly time: number;
  readonly status: AgentWorldStatus;
  readonly events: readonly AgentEvent[];
  /** Pairs of bodies near each other, whose distance took part in the motion. */
  readonly interactions: number;
  /** The least distance of these; Infinity for an empty list. */
  readonly leastDistance: number;
  /** Exact distances, motions proven triangle by triangle, and agents that were slowed down because theirs was not proven. */
  readonly distanceQueries: number;
  readonly exactProofs: number;
  readonly slowed: number;
  /** The largest error of a joint, in meters. */
  readonly jointError: number;
}

/** What a world of agents assumes where nothing is said. */
export const AGENT_DEFAULTS = {
  distance: 0,
  timeStep: 1 / 60,
  /** Meters and radians a second. */
  linear: 1,
  angular: 2,
  /** An agent has arrived within this share of its size. */
  tolerance: 1e-3,
  /** For one search of a path out of a local minimum. */
  searchSeconds: 5,
} as const;

export const AGENT_OPTIONS = optionTable<AgentOptions>('Agents')({
  // These rows are checked with the name of the agent in front.
  name: checkedElsewhere<string>(),
  mesh: checkedElsewhere<AgentOptions['mesh']>(),
  pose: checkedElsewhere<AgentOptions['pose']>(),
  bounds: checkedElsewhere<AgentOptions['bounds']>(),
  plane: checkedElsewhere<NonNullable<AgentOptions['plane']>>(),
  goal: checkedElsewhere<NonNullable<AgentOptions['goal']>>(),
  tolerance: checkedElsewhere<number>(),
  speed: checkedElsewhere<NonNullable<AgentOptions['speed']>>(),
  priority: checkedElsewhere<number>(1),
});

export const AGENT_OBSTACLE_OPTIONS = optionTable<AgentObstacleOptions>('Obstacles')({
  mesh: checkedElsewhere<AgentObstacleOptions['mesh']>(),
  pose: checkedElsewhere<NonNullable<AgentObstacleOptions['pose']>>(),
  motion: checkedElsewhere<NonNullable<AgentObstacleOptions['motion']>>(),
});

export const AGENT_WORLD_OPTIONS = optionTable<AgentWorldOptions>()({
  distance: numberWithin(0, Number.MAX_VALUE, AGENT_DEFAULTS.distance),
  timeStep: numberWithin(1e-9, 1e9, AGENT_DEFAULTS.timeStep),
  seed: numberWithin(0, 2 ** 32 - 1, 1),
});
