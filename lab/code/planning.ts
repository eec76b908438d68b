// Code for the scenes of planning: a sample problem as it is or as it was moved, a planner that is repaired, roadmaps, agents,
// an elastic agent.
import { writeModel } from 'nearfield/io';
import { planningSample, type WrittenProblem } from 'nearfield/planning';
import { BALL, BLOCK, blockPoses, type SqueezeChoice, squeezeOptions } from '../samples/squeeze.js';
import type { AgentMove } from '../worker/live-agents.js';
import {
  type CodeFile,
  commandText,
  flag,
  type Imports,
  jsonText,
  listText,
  objectText,
  programText,
  quoted,
  READ_FILE,
  savedJson,
  type ViewCode,
} from './view-code.js';

const PROBLEM = 'problem.json';

/** How a problem is planned. */
export interface PlanSettings {
  readonly planner: string;
  readonly clearance: number;
  readonly seed: number;
  readonly timeLimit: number;
}

/** A sample of the library, or the same moved by hand: then it is read from a file. The command reads a file anyway. */
interface PlannedProblem {
  readonly sample: string;
  readonly parameters: Readonly<Record<string, number>>;
  readonly isMoved: boolean;
  readonly written: WrittenProblem;
}

export function planCode(planned: PlannedProblem, settings: PlanSettings): ViewCode {
  const { imports, lines, files } = problemOf(planned);
  return {
    typescript: programText(
      [imports, { 'nearfield/planning': ['planMotion'] }],
      [
        ...lines,
        `const result = planMotion({ ...problem, ...${objectText(settings)} });`,
        'console.log(result.status, result.clearance?.lower, result.length);',
      ],
    ),
    command: planText(settings),
    files,
  };
}

export interface ReachView {
  readonly link: string;
  /** Where the link is to be; of three numbers, turned anyhow. */
  readonly at: readonly number[];
  /** Counts the free solutions from 1. */
  readonly solution: number;
  /** Whether a solution exists: then it is the goal of the problem. */
  readonly isReached: boolean;
}

export function reachCode(
  planned: PlannedProblem,
  { link, at, solution, isReached }: ReachView,
  settings: PlanSettings,
): ViewCode {
  const { imports, lines, files } = problemOf(planned);
  const goal = `{ link: ${quoted(link)}, ${at.length === 3 ? 'position' : 'pose'}: ${listText(at)} }`;
  return {
    typescript: programText(
      [imports, { 'nearfield/planning': ['planMotion', 'solveInverseKinematics', 'type JointValues'] }],
      [
        ...lines,
        'const [arm] = problem.robots;',
        "if (arm.type !== 'chain') throw new Error('The robot is no chain.');",
        'const { environment } = problem;',
        `const found = solveInverseKinematics(arm, ${goal}, {`,
        '  from: arm.start as JointValues,',
        '  environment,',
        `  clearance: ${settings.clearance},`,
        '});',
        'const free = found.solutions.filter(({ isFree }) => isFree);',
        `const chosen = free[Math.min(${solution}, free.length) - 1];`,
        `const settings = ${objectText(settings)} as const;`,
        'const result =',
        '  chosen && planMotion({ ...problem, ...settings, robots: [{ ...arm, goal: chosen.values }] });',
        'console.log(result?.status ?? found.status, found.solutions.length, free.length, result?.clearance?.lower);',
      ],
    ),
    command: isReached
      ? planText(settings)
      : { because: 'No joint values bring the gripper there without touching anything, so there is no path to plan.' },
    files: isReached ? files : files.filter(({ only }) => only !== 'command'),
  };
}

export interface RepairView {
  readonly sample: string;
  /** Where the obstacles are. */
  readonly obstacles: readonly (readonly number[])[];
  readonly start: readonly number[];
  readonly goal: readonly number[];
}

/** Repaired in every frame: the code moves the obstacles from where the sample has them. */
export function repairCode({ sample, obstacles, start, goal }: RepairView): ViewCode {
  const problem = planningSample(sample);
  const moved = obstacles.flatMap((at, i) => {
    const from = problem.environment[i].pose ?? [0, 0, 0, 0, 0, 0, 1];
    return at.some((value, k) => Math.abs(value - from[k]) > 1e-12) ? [i] : [];
  });
  return {
    typescript: programText(
      [{ 'nearfield/planning': ['VoronoiPlanner', 'planningSample'] }],
      [
        `const planner = new VoronoiPlanner(planningSample(${quoted(sample)}));`,
        '// The page has moved them frame by frame, and kept what it could of its last path.',
        ...moved.map((i) => `planner.moveObstacle(${i}, ${listText(obstacles[i])});`),
        `const result = planner.plan(${listText(start)}, ${listText(goal)});`,
        'console.log(result.status, result.clearance?.lower, result.length);',
      ],
    ),
    command: {
      because: 'The command plans anew and shortens its path; only the library repairs one while obstacles move.',
    },
  };
}

export interface RoadmapView {
  readonly sample: string;
  readonly sampler: string;
  readonly samples: number;
  readonly seed: number;
  readonly timeLimit: number;
}

export function roadmapCode({ sample, samples, ...settings }: RoadmapView): ViewCode {
  return {
    typescript: programText(
      [{ 'nearfield/planning': ['Roadmap', 'planningSample', 'type RigidPlanRobot'] }],
      [
        `const problem = planningSample(${quoted(sample)});`,
        `const roadmap = new Roadmap({ ...problem, ...${objectText(settings)} }, { samples: ${samples} });`,
        'const { start, goal } = problem.robots[0] as RigidPlanRobot;',
        'const result = roadmap.query(start!, goal!);',
        'console.log(result.status, result.clearance?.lower, result.length);',
      ],
    ),
    command: { because: 'The command makes as many samples as a path takes; only the library takes their number.' },
  };
}

export interface AgentView {
  readonly sample: string;
  readonly parameters: Readonly<Record<string, number>>;
  readonly steps: number;
  readonly timeStep: string;
  /** What the hand did. */
  readonly moves: readonly AgentMove[];
}

const MOVES = 'moves.json';

export function agentCode({ sample, parameters, steps, timeStep, moves }: AgentView): ViewCode {
  const isMoved = moves.length > 0;
  const scene = `{ ...agentSample(${quoted(sample)}, ${objectText(parameters)}), timeStep: ${timeStep} }`;
  return {
    typescript: programText(
      [isMoved ? READ_FILE : {}, { 'nearfield/planning': ['agentSample', 'createAgentWorld'] }],
      [
        `const world = createAgentWorld(${scene});`,
        ...(isMoved ? [`const moves = ${jsonText(MOVES)}; // what the hand moved, and after which step`] : []),
        'let least = Infinity;',
        `for (let step = 0; step < ${steps}; step++) {`,
        ...(isMoved
          ? ['  for (const move of moves) if (move.step === step) world.moveObstacle(move.obstacle, move.to);']
          : []),
        '  least = Math.min(least, world.step().leastDistance);',
        '}',
        "const arrived = world.agents.filter(({ status }) => status === 'arrived');",
        'console.log(arrived.length, least); // and the least distance so far',
      ],
    ),
    command: { because: 'The command plans paths; worlds of agents are in the library.' },
    ...(isMoved && { files: [savedJson(MOVES, () => moves)] }),
  };
}

export function squeezeCode({ steps, ...choice }: SqueezeChoice & { readonly steps: number }): ViewCode {
  const { pose, goal, bounds, material, force } = squeezeOptions(choice);
  return {
    typescript: programText(
      [{ 'nearfield/mesh': ['findModel'], 'nearfield/planning': ['DeformableAgent'] }],
      [
        `const mesh = findModel('box').build(${objectText(BLOCK)});`,
        'const agent = new DeformableAgent({',
        `  mesh: findModel('sphere').build(${objectText(BALL)}),`,
        `  pose: ${listText(pose)},`,
        `  goal: ${listText(goal)},`,
        `  bounds: ${objectText(bounds)},`,
        '  obstacles: [',
        ...blockPoses(choice).map((at) => `    { mesh, pose: ${listText(at)} },`),
        '  ],',
        `  material: ${objectText(material)},`,
        `  force: ${force},`,
        '});',
        'let [largest, overlap] = [0, agent.worstPenetration()];',
        `for (let step = 0; step < ${steps} && agent.status === 'moving'; step++) {`,
        '  largest = Math.max(largest, agent.step().force);',
        '  overlap = Math.max(overlap, agent.worstPenetration());',
        '}',
        'console.log(agent.status, largest, agent.leastVolume, overlap, agent.reason);',
      ],
    ),
    command: { because: 'The command plans paths of poses, which an elastic body does not have.' },
  };
}

/** The variable `problem`. */
function problemOf({ sample, parameters, isMoved, written }: PlannedProblem): {
  imports: Imports;
  lines: string[];
  files: CodeFile[];
} {
  if (!isMoved) {
    const given = Object.keys(parameters).length === 0 ? '' : `, ${objectText(parameters)}`;
    return {
      imports: { 'nearfield/planning': ['planningSample'] },
      lines: [`const problem = planningSample(${quoted(sample)}${given});`],
      files: filesOf(written, 'command'),
    };
  }
  return {
    imports: {
      ...READ_FILE,
      'nearfield/io': ['mergeModel', 'readModel'],
      'nearfield/planning': ['readPlanProblem'],
    },
    lines: [
      `const problem = await readPlanProblem(await readFile(${quoted(PROBLEM)}, 'utf8'), {`,
      '  loadMesh: async (fileName) => mergeModel(await readModel(await readFile(fileName), { fileName })),',
      '});',
    ],
    files: filesOf(written),
  };
}

function filesOf({ text, meshes }: WrittenProblem, only?: 'command'): CodeFile[] {
  const files: CodeFile[] = [
    { name: PROBLEM, bytes: async () => new TextEncoder().encode(text) },
    ...[...meshes].map(([name, mesh]) => ({ name, bytes: () => writeModel(mesh, 'obj') })),
  ];
  return only === undefined ? files : files.map((file) => ({ ...file, only }));
}

function planText({ planner, clearance, seed, timeLimit }: PlanSettings): string {
  const flags = Object.entries({ planner, clearance, seed, time: timeLimit }).map(([name, value]) => flag(name, value));
  return commandText([], ['nearfield plan', PROBLEM, ...flags, '-o path.json'].join(' '));
}
