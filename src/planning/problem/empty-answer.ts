// What an answer says where nothing was found.
import type { PlanResult } from './plan-problem.js';

/** All of an answer that does not depend on how it was planned. */
export const EMPTY_ANSWER = {
  paths: [],
  times: null,
  length: 0,
  turning: 0,
  clearance: null,
  certified: false,
  proof: null,
  reason: null,
  collision: null,
} as const satisfies Partial<PlanResult>;
