// Every task of the lab by name. A chapter keeps its tasks in a file of its own and adds them here; a task is a
// function of its input and of ProgressOptions, so most are one call of the library. A third argument, if it has one,
// sends the page a part of the answer ahead of the rest.
import type { ProgressOptions } from 'nearfield/core';
import { agentTasks } from './agent-tasks.js';
import { clashTasks } from './clash-tasks.js';
import { convexTasks } from './convex-tasks.js';
import { cullingTasks } from './culling-tasks.js';
import { decompositionTasks } from './decomposition-tasks.js';
import { dynamicsTasks } from './dynamics-tasks.js';
import { elasticTasks } from './elastic-tasks.js';
import { fieldTasks } from './field-tasks.js';
import { iceTasks } from './ice-tasks.js';
import { impactTasks } from './impact-tasks.js';
import { livePlanTasks } from './live-plan-tasks.js';
import { meshTasks } from './mesh-tasks.js';
import { penetrationTasks } from './penetration-tasks.js';
import { pieceTasks } from './piece-tasks.js';
import { pivotPlaneTasks } from './pivot-plane-tasks.js';
import { pivotSpaceTasks } from './pivot-space-tasks.js';
import { planeDynamicsTasks } from './plane-dynamics-tasks.js';
import { planningTasks } from './planning-tasks.js';
import { proximityTasks } from './proximity-tasks.js';
import { roadmapTasks } from './roadmap-tasks.js';
import { solidTasks } from './solid-tasks.js';
import { spaceTasks } from './space-tasks.js';
import { squeezeTasks } from './squeeze-tasks.js';
import { sweepTasks } from './sweep-tasks.js';
import { voronoiTasks } from './voronoi-tasks.js';

export const tasks = {
  ...meshTasks,
  ...convexTasks,
  ...decompositionTasks,
  ...pieceTasks,
  ...proximityTasks,
  ...clashTasks,
  ...impactTasks,
  ...fieldTasks,
  ...solidTasks,
  ...voronoiTasks,
  ...spaceTasks,
  ...penetrationTasks,
  ...pivotPlaneTasks,
  ...planeDynamicsTasks,
  ...pivotSpaceTasks,
  ...cullingTasks,
  ...dynamicsTasks,
  ...elasticTasks,
  ...iceTasks,
  ...planningTasks,
  ...livePlanTasks,
  ...roadmapTasks,
  ...agentTasks,
  ...squeezeTasks,
  ...sweepTasks,
};

export type TaskName = keyof typeof tasks;
export type TaskInput<Name extends TaskName> = Parameters<(typeof tasks)[Name]>[0];
export type TaskOutput<Name extends TaskName> = Awaited<ReturnType<(typeof tasks)[Name]>>;
/** What a task sends ahead of its answer; never where it sends nothing. */
export type TaskPart<Name extends TaskName> =
  Parameters<(typeof tasks)[Name]> extends [unknown, unknown, (part: infer Part) => void] ? Part : never;
/** A task whose input and output the messages between page and worker do not know. */
export type AnyTask = (input: unknown, options: ProgressOptions, onPart: (part: unknown) => void) => unknown;
