import type { Pose } from 'nearfield/core';
import { PLANNERS, type PlannerName, planningSample, planningSamples } from 'nearfield/planning';
import { planCode } from '../../code/planning.js';
import type { Control, Move } from '../../controls.js';
import { followHand } from '../../hand.js';
import { parameterSliders } from '../../parameter-sliders.js';
import { PATH_STATUS } from '../../path-colors.js';
import { drawWays, widestShown } from '../../path-drawing.js';
import { dragControl, PLAYED, playControls } from '../../play-controls.js';
import { defineScene } from '../../scene.js';
import { MAX_DRAGGED, type MovedQuestion, PATH_FRAMES, sizeOf } from '../../worker/planning-tasks.js';

/** Samples whose robot has joints. */
const CHAINS = ['arm', 'crane', 'crane-complex'];
/** Samples that take long to plan: they are not planned before that is asked for. In seconds. */
const SLOW: Readonly<Record<string, number>> = { 'crane-complex': 60 };
/** Too short to find anything: start, goal and obstacles are placed. */
const PLACED_ONLY = 1e-3;
const PLANNER_LABELS: Readonly<Record<string, string>> = { auto: 'Auto', prm: 'PRM', 'rrt-connect': 'RRT-Connect' };
/** Copies of the robot along its path. */
const COPIES = 14;
/** Names of what can be dragged, by sample: building one may take a moment. */
const NAMES = new Map<string, readonly string[]>();

export default defineScene({
  title: 'Paths that are proofs',
  chapter: 'Planning',
  rank: 1,
  summary:
    'A piano through a house, a brick through a hole hardly larger than itself, bent nails, a crane: every edge of a path is proven free of collisions, not sampled. Drag start, goal and obstacles; the color of the path is its clearance.',
  picture: 'sample=furniture&frame=120&copies=yes&view=35,38,1.4',
  opening: 'sample=furniture&copies=yes&view=35,38,1.4',
  motion: PLAYED,
  controls: {
    sample: {
      kind: 'choice',
      label: 'Problem',
      initial: 'hole',
      options: planningSamples.map(({ name, title }) => ({ value: name as string, label: title })),
    },
    plan: {
      kind: 'toggle',
      label: 'Plan: it takes some 10 s',
      pressedLabel: 'Planned',
      visible: ({ sample }) => SLOW[sample as string] !== undefined,
    },
    ...playControls({ label: 'Along the path', frames: PATH_FRAMES, initial: 60, mostSpeed: 240, speed: 60 }),
    planner: {
      kind: 'choice',
      label: 'Planner',
      options: PLANNERS.map((name) => ({ value: name as string, label: labelOf(name) })),
    },
    clearance: { kind: 'slider', label: 'Wanted clearance, m', min: 0, max: 0.2, step: 0.001, initial: 0 },
    seed: { kind: 'slider', label: 'Seed', min: 1, max: 100, step: 1, initial: 1 },
    timeLimit: { kind: 'slider', label: 'Time limit, s', min: 1, max: 60, step: 1, initial: 10 },
    drag: dragControl('Dragging a body'),
    copies: { kind: 'checkbox', label: 'Robot all along the path', initial: false },
    seeThrough: { kind: 'checkbox', label: 'See through obstacles', initial: true },
  },
  moreControls({ sample }) {
    const definition = planningSamples.find(({ name }) => name === sample);
    return {
      ...parameterSliders(definition?.parameters ?? {}),
      ...jointSliders(sample),
      hand: { kind: 'moves', label: 'Moved by hand', bodies: namesOf(sample) },
    };
  },
  follow(changed, { sample, timeLimit }) {
    if (changed === 'plan') return { timeLimit: Math.max(timeLimit, SLOW[sample] ?? 0) };
    return changed === 'sample' ? { frame: 60, plan: false, timeLimit: SLOW[sample] ?? 10 } : {};
  },

  async code({ values, more, run }) {
    const { sample, planner, clearance, seed, timeLimit } = values;
    const { question, parameters } = questionOf(sample, more);
    const { isMoved, ...written } = await run('writeProblem', question);
    return planCode({ sample, parameters, isMoved, written }, { planner, clearance, seed, timeLimit });
  },

  async draw({ values, more, view, figures, chart, colors, run, set }) {
    const { sample, frame } = values;
    const hand = more.hand as readonly Move[];
    // The further controls are not among those that the type of `set` knows.
    const change = set as unknown as (name: 'hand', value: readonly Move[]) => void;
    const { question } = questionOf(sample, more);
    const opened = await run('openPlan', { sample, parameters: question.parameters });
    view.frame(opened.box);
    const isAsked = SLOW[sample] === undefined || values.plan;
    const planned = await run('planPath', {
      ...question,
      planner: values.planner as PlannerName,
      clearance: values.clearance,
      seed: values.seed,
      timeLimit: isAsked ? values.timeLimit : PLACED_ONLY,
    });
    const size = sizeOf(opened.box);
    const gripOf = (body: number) => {
      if (values.drag === 'view' || body >= hand.length) return null;
      return { drag: values.drag, ...followHand(hand[body], size, (move) => change('hand', hand.with(body, move))) };
    };
    const firstObstacle = hand.length - Math.min(opened.obstacles.length, MAX_DRAGGED);
    for (const [i, { mesh }] of opened.obstacles.entries()) {
      const opacity = values.seeThrough ? 0.35 : 1;
      view.addMesh(mesh, { pose: planned.obstacles[i], opacity, grip: gripOf(firstObstacle + i) });
    }
    const { result, frames } = planned;
    const isSolved = result.status === 'solved';
    const at = Math.min(frame, PATH_FRAMES - 1);
    for (const [i, { mesh, robot }] of opened.links.entries()) {
      const placed = (poses: Float64Array): Pose => [...poses.subarray(7 * i, 7 * i + 7)] as Pose;
      const grip = (end: number) => (opened.isRigid[robot] ? gripOf(2 * robot + end) : null);
      const start = result.status === 'invalid-start' ? 'clash' : 'ghost';
      const goal = result.status === 'invalid-goal' ? 'clash' : 'original';
      view.addMesh(mesh, { pose: placed(planned.start), color: start, opacity: 0.5, grip: grip(0), name: 'Start' });
      view.addMesh(mesh, { pose: placed(planned.goal), color: goal, opacity: 0.5, grip: grip(1), name: 'Goal' });
      if (!isSolved) continue;
      view.addMesh(mesh, { pose: placed(frames[at]), color: 'second', name: 'Robot' });
      if (!values.copies) continue;
      for (let k = 1; k < COPIES; k++) {
        const copy = frames[Math.round((k * (PATH_FRAMES - 1)) / COPIES)];
        view.addMesh(mesh, { pose: placed(copy), color: 'second', opacity: 0.3 });
      }
    }
    const most = widestShown(planned);
    if (isSolved) drawWays(view, opened, planned, most);

    const { clearance, counters } = result;
    const tone = isSolved || result.status === 'infeasible' ? 'good' : 'bad';
    const isWaiting = !isAsked && result.status === 'timeout';
    figures('Path', [
      isWaiting
        ? { id: 'status', label: 'Path', value: 'not planned yet: press Plan' }
        : { id: 'status', label: 'Path', value: PATH_STATUS[result.status], tone },
      {
        id: 'least',
        lead: 'From everything, all along the path: proven, not sampled.',
        label: 'Clearance, at least',
        value: clearance?.lower ?? null,
        unit: 'm',
      },
      { id: 'most', label: 'Clearance, at most', value: clearance?.upper ?? null, unit: 'm' },
      { id: 'length', label: 'Length', value: isSolved ? result.length : null, unit: 'm' },
      { id: 'turning', label: 'Turning', value: isSolved ? (result.turning * 180) / Math.PI : null, unit: '°' },
      { id: 'waypoints', label: 'Waypoints', value: isSolved ? result.paths[0].poses.length : null },
      { id: 'now', label: 'Clearance here', value: planned.clearances[at] ?? null, unit: 'm' },
      { id: 'proof', label: 'Ball that cannot pass, radius', value: result.proof?.radius ?? null, unit: 'm' },
    ]);
    if (isSolved) {
      chart('Clearance along the path', {
        id: 'clearance',
        label: 'Clearance',
        values: planned.clearances,
        unit: 'm',
        at,
        chosen: (place) => set('frame', place),
      });
      colors('Clearance', {
        id: 'scale',
        label: 'Clearance of the path',
        scale: 'sequential',
        low: 0,
        high: most,
        unit: 'm',
      });
    }
    figures('Cost', [
      { id: 'milliseconds', label: 'Time', value: result.milliseconds, unit: 'ms', decimals: 0 },
      { id: 'planner', label: 'Planner', value: labelOf(result.planner) },
      { id: 'edges', label: 'Edges tested', value: counters.edgesTested },
      { id: 'configurations', label: 'Configurations tested', value: counters.configurationsTested },
      { id: 'queries', label: 'Distance queries', value: counters.distanceQueries },
      { id: 'triangles', label: 'Triangles', value: opened.triangles },
    ]);
  },
});

/** The problem as it was moved, and the parameters of the sample. */
function questionOf(sample: string, more: Readonly<Record<string, unknown>>) {
  const names = Object.keys(planningSamples.find(({ name }) => name === sample)?.parameters ?? {});
  const parameters = Object.fromEntries(names.map((name) => [name, more[name] as number]));
  const question: MovedQuestion = {
    sample,
    parameters: JSON.stringify(parameters),
    joints: JSON.stringify(Object.keys(jointSliders(sample)).map((name) => more[name])),
    hand: JSON.stringify(more.hand),
  };
  return { question, parameters };
}

function labelOf(planner: string): string {
  return PLANNER_LABELS[planner] ?? planner[0].toUpperCase() + planner.slice(1);
}

function namesOf(sample: string): readonly string[] {
  const known = NAMES.get(sample);
  if (known !== undefined) return known;
  const { robots, environment } = planningSample(sample);
  const names = [
    ...robots.flatMap(({ name = 'Robot' }) => [`Start of ${name}`, `Goal of ${name}`]),
    ...environment.slice(0, MAX_DRAGGED).map((_, i) => `Obstacle ${i + 1}`),
  ];
  NAMES.set(sample, names);
  return names;
}

/** Joint values at the goal. */
function jointSliders(sample: string): Record<string, Control> {
  if (!CHAINS.includes(sample)) return {};
  const [robot] = planningSample(sample).robots;
  if (robot.type !== 'chain') return {};
  const moving = robot.joints.filter(({ type, mimic }) => type !== 'fixed' && mimic === undefined);
  return Object.fromEntries(
    moving.map(({ name, type, limits = [0, 0] }, i): [string, Control] => [
      `goal ${name}`,
      {
        kind: 'slider',
        label: `Goal of ${name}, ${type === 'prismatic' ? 'm' : 'radians'}`,
        min: limits[0],
        max: limits[1],
        initial: (robot.goal as readonly number[])[i],
      },
    ]),
  );
}
