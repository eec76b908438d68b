// How a sweep is asked.
import {
  checkedElsewhere,
  flag,
  numberAbove,
  numberFrom,
  numberWithin,
  optionTable,
} from '../core/check/option-table.js';
import type { ProgressOptions } from '../core/progress.js';
import type { ChainPlanRobot } from '../kinematics/robot/chain-description.js';
import type { PlanObstacle } from '../kinematics/validity/obstacle-description.js';
import type { Mesh } from '../mesh/mesh.js';
import type { Keyframe } from '../proximity/impact/motion.js';
import type { Mechanism } from './mechanism/mechanism-description.js';

/** What sweeps assume where nothing is said. */
export const SWEEP_DEFAULTS = {
  /** The clearance wanted of every pair, in meters or the unit of the parts. */
  clearance: 0,
  /** The relative width of the interval of a least gap to aim for. */
  gapError: 0.02,
  /** The share of the range of a joint, or of the time, to which ends of stretches are told apart. */
  resolution: 1 / 2048,
} as const;

/** A part of an assembly that moves by keyframes. */
export interface MovingPart {
  readonly name: string;
  readonly mesh: Mesh;
  /** Where it is when, in ascending order of time; one key for a part at rest. Between keys it goes straight and turns evenly. */
  readonly keys: readonly Keyframe[];
}

/** Parts that move by keyframes, on one clock. */
export interface MovingAssembly {
  readonly type: 'frames';
  readonly parts: readonly MovingPart[];
}

/** What is swept: parts on pins and slides, a robot, or an assembly with keyframes. */
export type SweepSubject = Mechanism | ChainPlanRobot | MovingAssembly;

/** How a sweep is asked. */
export interface SweepOptions extends ProgressOptions {
  /** Joints to vary, with their ranges; null for the range that the joint has. Default: all that have one, up to four. */
  readonly vary?: Readonly<Record<string, readonly [number, number] | null>> | undefined;
  /** Values of joints that are not varied. Default: 0, or the limit next to it. */
  readonly at?: Readonly<Record<string, number>> | undefined;
  /** The gap wanted of every pair everywhere. Default: that of the mechanism, or 0: parts must not touch. */
  readonly clearance?: number | undefined;
  /** Surroundings, at rest. */
  readonly obstacles?: readonly PlanObstacle[] | undefined;
  /** Pairs of parts, by name, that are not tested. */
  readonly ignore?: readonly (readonly [string, string])[] | undefined;
  /** The relative width of the interval of a least gap to aim for. Default `SWEEP_DEFAULTS.gapError`. */
  readonly gapError?: number | undefined;
  /** Ends of stretches along one axis are told apart to this share of its range. Default `SWEEP_DEFAULTS.resolution`. */
  readonly resolution?: number | undefined;
  /** Whether the depth of parts that meet is measured where they overlap deepest, of what was looked at. Default true. */
  readonly depth?: boolean | undefined;
  /** Pairs that stay farther apart are not listed. Default: twice the clearance, or 1 % of the size of everything. */
  readonly within?: number | undefined;
  /** Processor time; what is open then is undecided. Default: no limit. */
  readonly maxSeconds?: number | undefined;
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const SWEEP_OPTIONS = optionTable<SweepOptions>()({
  vary: { expects: 'ranges by the names of joints', accepts: isRecord },
  at: { expects: 'values by the names of joints', accepts: isRecord },
  clearance: {
    expects: 'a finite number from 0',
    accepts: (value) => typeof value === 'number' && value >= 0 && value < Infinity,
  },
  obstacles: {
    expects: 'a list of { mesh, pose }',
    accepts: (value) => Array.isArray(value) && value.every(isRecord),
  },
  ignore: {
    expects: 'a list of pairs of names',
    accepts: (value) => Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2),
  },
  gapError: numberWithin(0, 1, SWEEP_DEFAULTS.gapError),
  resolution: numberWithin(1e-9, 0.5, SWEEP_DEFAULTS.resolution),
  depth: flag(true),
  within: numberFrom(0),
  maxSeconds: numberAbove(0),
  signal: checkedElsewhere(),
  onProgress: checkedElsewhere(),
});
