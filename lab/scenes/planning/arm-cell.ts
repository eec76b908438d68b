import type { Pose } from 'nearfield/core';
import { planningSample } from 'nearfield/planning';
import { reachCode } from '../../code/planning.js';
import type { Move } from '../../controls.js';
import { followHand } from '../../hand.js';
import { PATH_STATUS } from '../../path-colors.js';
import { drawWays, widestShown } from '../../path-drawing.js';
import { dragControl, PLAYED, playControls } from '../../play-controls.js';
import { defineScene } from '../../scene.js';
import type { View } from '../../viewer/view.js';
import {
  type OpenedPlan,
  PATH_FRAMES,
  type PlannedPath,
  type ReachedTool,
  sizeOf,
} from '../../worker/planning-tasks.js';

const QUESTION = { sample: 'arm', parameters: '{}' };
const TOOL = 'gripper';
const OBSTACLES = planningSample('arm').environment.length;
/** The most solutions that are asked for. */
const MAX_SOLUTIONS = 8;

export default defineScene({
  title: 'An arm in a cell',
  chapter: 'Planning',
  rank: 5,
  summary:
    'Drag the gripper to where it is to be: joint values that bring it there are found, those that touch nothing first, and a proven path is planned. Drag the shelf and the boxes too. What no joint values reach is said, by a proof if it is too far.',
  picture: 'frame=150&view=-38,22,1.3',
  opening: 'view=-38,22,1.3',
  motion: PLAYED,
  controls: {
    ...playControls({ label: 'Along the path', frames: PATH_FRAMES, initial: 120, mostSpeed: 240, speed: 60 }),
    turned: {
      kind: 'choice',
      label: 'At the goal the gripper is',
      initial: 'any',
      options: [
        { value: 'any', label: 'Turned anyhow' },
        { value: 'so', label: 'Turned as shown' },
      ],
    },
    solution: { kind: 'slider', label: 'Solution', min: 1, max: MAX_SOLUTIONS, step: 1, initial: 1 },
    clearance: { kind: 'slider', label: 'Wanted clearance, m', min: 0, max: 0.03, step: 0.001, initial: 0 },
    timeLimit: { kind: 'slider', label: 'Time limit, s', min: 1, max: 60, step: 1, initial: 10 },
    drag: dragControl('Dragging the gripper or a body'),
    hand: {
      kind: 'moves',
      label: 'Moved by hand',
      bodies: ['Gripper', ...Array.from({ length: OBSTACLES }, (_, i) => `Obstacle ${i + 1}`)],
    },
  },
  follow(changed) {
    return changed === 'hand' || changed === 'turned' ? { solution: 1 } : {};
  },

  async code({ values, run }) {
    const { hand, clearance, timeLimit, solution } = values;
    const turned = values.turned === 'so';
    const tool = await run('reachTool', { ...QUESTION, link: TOOL, hand: JSON.stringify(hand), turned, clearance });
    const chosen = tool.free[Math.min(solution, tool.free.length) - 1];
    // The program finds the joint values at the goal itself.
    const { isMoved } = await run('writeProblem', { ...QUESTION, ...movedBy(hand, []) });
    const written = await run('writeProblem', { ...QUESTION, ...movedBy(hand, chosen ?? []) });
    const view = { link: TOOL, at: turned ? tool.at : tool.at.slice(0, 3), solution, isReached: chosen !== undefined };
    const settings = { planner: 'auto', clearance, seed: 1, timeLimit };
    return reachCode({ sample: QUESTION.sample, parameters: {}, isMoved, written }, view, settings);
  },

  async draw({ values, view, figures, chart, colors, run, set, limit }) {
    const { hand, clearance } = values;
    const opened = await run('openPlan', QUESTION);
    view.frame(opened.box);
    const turned = values.turned === 'so';
    const moves = JSON.stringify(hand);
    const tool = await run('reachTool', { ...QUESTION, link: TOOL, hand: moves, turned, clearance });
    limit('solution', Math.max(1, tool.free.length));
    const chosen = tool.free[Math.min(values.solution, tool.free.length) - 1];
    const planned =
      chosen === undefined
        ? null
        : await run('planPath', {
            ...QUESTION,
            planner: 'auto',
            clearance,
            seed: 1,
            timeLimit: values.timeLimit,
            ...movedBy(hand, chosen),
          });
    const size = sizeOf(opened.box);
    const gripOf = (body: number) => {
      if (values.drag === 'view') return null;
      return { drag: values.drag, ...followHand(hand[body], size, (move) => set('hand', hand.with(body, move))) };
    };
    for (const [i, { mesh }] of opened.obstacles.entries()) {
      view.addMesh(mesh, { pose: tool.obstacles[i], opacity: 0.35, grip: gripOf(1 + i) });
    }
    const isReached = chosen !== undefined;
    const gripper = opened.links[opened.links.length - 1].mesh;
    const look = isReached
      ? ({ color: 'original', name: 'Goal of the gripper' } as const)
      : ({ color: 'clash', name: 'Out of reach, or in the way' } as const);
    view.addMesh(gripper, { ...look, pose: placeOfGoal(planned, tool, opened), opacity: 0.85, grip: gripOf(0) });
    const isSolved = planned?.result.status === 'solved';
    const at = Math.min(values.frame, PATH_FRAMES - 1);
    drawArm(view, opened, tool.start, { color: 'ghost', opacity: 0.4, name: 'Start' });
    if (planned !== null && isSolved) {
      drawArm(view, opened, planned.goal, { color: 'original', opacity: 0.3 });
      drawArm(view, opened, planned.frames[at], { color: 'second', name: 'Arm' });
      drawWays(view, opened, planned, widestShown(planned));
    }

    const path = planned?.result ?? null;
    figures('Goal', [
      {
        id: 'status',
        lead: 'The whole path is proven free of collisions, or the answer says why no path was found.',
        label: 'Path to the goal',
        value: path === null ? wordOf(tool) : PATH_STATUS[path.status],
        tone: isSolved ? 'good' : 'bad',
      },
      { id: 'solutions', label: 'Joint values found', value: tool.result.solutions.length },
      { id: 'freeSolutions', label: 'That touch nothing', value: tool.free.length },
      { id: 'beyond', label: 'Out of reach by', value: beyond(tool), unit: 'm' },
      { id: 'off', label: 'Nearest found is off by', value: tool.result.nearest?.position ?? null, unit: 'm' },
      { id: 'reachMs', label: 'Time of the joint values', value: tool.milliseconds, unit: 'ms', decimals: 1 },
    ]);
    figures('Path', [
      { id: 'least', label: 'Clearance, at least', value: path?.clearance?.lower ?? null, unit: 'm' },
      { id: 'now', label: 'Clearance here', value: planned?.clearances[at] ?? null, unit: 'm' },
      { id: 'length', label: 'Length', value: isSolved ? path!.length : null, unit: 'm' },
      { id: 'waypoints', label: 'Waypoints', value: isSolved ? path!.paths[0].poses.length : null },
      { id: 'planMs', label: 'Time of the path', value: path?.milliseconds ?? null, unit: 'ms', decimals: 0 },
    ]);
    if (planned === null || !isSolved) return;
    chart('Clearance along the path', {
      id: 'clearance',
      label: 'Clearance',
      values: planned.clearances,
      unit: 'm',
      at,
      chosen: (place) => set('frame', place),
    });
    const high = widestShown(planned);
    colors('Clearance', { id: 'scale', label: 'Clearance of the path', scale: 'sequential', low: 0, high, unit: 'm' });
  },
});

/** Obstacles that were moved, and joint values at the goal. */
function movedBy(hand: readonly Move[], joints: readonly number[]) {
  // The arm has a start and a goal that are not moved by a pose.
  return { joints: JSON.stringify(joints), hand: JSON.stringify([hand[0], hand[0], ...hand.slice(1)]) };
}

/** Turned anyhow, the gripper is shown as the arm holds it. */
function placeOfGoal(planned: PlannedPath | null, tool: ReachedTool, { links }: OpenedPlan): Pose {
  if (planned === null) return tool.at;
  const last = links.length - 1;
  return Array.from(planned.goal.subarray(7 * last, 7 * last + 7)) as Pose;
}

function drawArm(view: View, { links }: OpenedPlan, poses: Float64Array, style: Parameters<View['addMesh']>[1]): void {
  for (const [i, { mesh }] of links.entries()) view.addMesh(mesh, { ...style, pose: poses.subarray(7 * i, 7 * i + 7) });
}

/** Why there is no goal for the joints. */
function wordOf({ result }: ReachedTool): string {
  if (result.status === 'unreachable') return 'none: out of reach, proven';
  if (result.status === 'not-found') return 'none: no joint values found';
  return 'none: all joint values found touch something';
}

function beyond({ result: { proof } }: ReachedTool): number | null {
  return proof === null ? null : Math.max(proof.distance - proof.most, proof.least - proof.distance);
}
