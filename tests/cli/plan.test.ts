import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readModel, writeModel } from '../../src/io/index.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { type PlanResult, planningSample, writePlanProblem } from '../../src/planning/index.js';
import { BRICK, boxes, wallWithHole } from '../planning/planning-scenes.js';
import { runCommand, runJson } from './run-command.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);

const ROBOT = {
  name: 'brick',
  type: 'rigid',
  model: 'brick.obj',
  bounds: { min: [-3, -3, -3], max: [3, 3, 3] },
  start: [0, 0, -2, 0, 0, 0, 1],
  goal: [0, 0, 2, 0, 0, 0, 1],
};
const PROBLEM = {
  format: 'nearfield-plan-problem',
  version: 1,
  name: 'hole',
  unit: 'm',
  robots: [ROBOT],
  environment: [{ model: 'wall.obj', pose: [0, 0, 0, 0, 0, 0, 1] }],
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-plan-'));
  const save = async (name: string, mesh: Mesh): Promise<void> => {
    writeFileSync(inFolder(`${name}.obj`), await writeModel(mesh, 'obj'));
  };
  await save('brick', BRICK);
  await save('wall', wallWithHole(1.6));
  await save('bar', boxes([0, -0.05, -0.05, 1, 0.05, 0.05]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, problem: unknown): string {
  mkdirSync(dirname(inFolder(name)), { recursive: true });
  writeFileSync(inFolder(name), typeof problem === 'string' ? problem : JSON.stringify(problem));
  return inFolder(name);
}

describe('plan', () => {
  test('the planner constraint simulates robots as agents, and proves what they did', () => {
    const bounds = { min: [-3, -3, 0], max: [3, 3, 0] };
    const agent = { type: 'planar', plane: 'xy', model: 'bar.obj', bounds };
    const robots = [
      { ...agent, name: 'a', start: [-2.5, 0.3, 0, 0, 0, 0, 1], goal: [1, 0.3, 0, 0, 0, 0, 1] },
      { ...agent, name: 'b', start: [1, -0.3, 0, 0, 0, 0, 1], goal: [-2.5, -0.3, 0, 0, 0, 0, 1] },
    ];
    const file = write('agents.json', { ...PROBLEM, name: 'agents', robots, environment: [], clearance: 0.02 });
    const result = runJson<PlanResult>('plan', file, '--planner', 'constraint', '--seed', '2');
    expect(result).toMatchObject({ status: 'solved', planner: 'constraint', certified: true, seed: 2 });
    expect(result.paths.map(({ robot }) => robot)).toEqual(['a', 'b']);
    expect(result.clearance!.lower).toBeGreaterThanOrEqual(0.02);
    const odd = runCommand('plan', write('odd.json', { ...PROBLEM, planner: 'constraint', elastic: true }));
    expect(odd.code).not.toBe(0);
    expect(odd.stderr).toContain('elastic');
  });

  test('prints the keys of the contract, and writes path and animation', async () => {
    const file = write('hole.json', PROBLEM);
    const result = runJson<PlanResult & { format: string; problem: string }>('plan', file, '-o', inFolder('path.glb'));
    expect(Object.keys(result).sort()).toEqual(
      [
        ...['format', 'version', 'problem', 'status', 'planner', 'seed', 'paths', 'times', 'length', 'turning'],
        ...[
          'clearance',
          'certified',
          'milliseconds',
          'preprocessMs',
          'counters',
          'proof',
          'reason',
          'collision',
          'notes',
        ],
      ].sort(),
    );
    expect(result).toMatchObject({ format: 'nearfield-plan-path', problem: 'hole', status: 'solved', proof: null });
    expect(Object.keys(result.clearance!)).toEqual(['lower', 'upper', 'segment', 't']);
    expect(Object.keys(result.counters)).toEqual([
      ...['samples', 'configurationsTested', 'edgesTested', 'distanceQueries', 'vertices', 'edges'],
    ]);
    const { parts } = await readModel(readFileSync(inFolder('path.glb')));
    expect(parts.map(({ name }) => name)).toEqual(['brick', 'environment 1']);

    const again = runJson<PlanResult>('plan', file, '-o', inFolder('path.json'), '--seed', '1');
    expect(again.paths).toEqual(result.paths);
    expect(JSON.parse(readFileSync(inFolder('path.json'), 'utf8'))).toEqual(again);
  });

  test('plans among obstacles that move, with times that the animation has too', async () => {
    const motion = [
      { time: 0, pose: [0, 0, 0.5, 0, 0, 0, 1] },
      { time: 3, pose: [0, 0, 0.5, 0, 0, 0, 1] },
      { time: 4, pose: [2.5, 0, 0.5, 0, 0, 0, 1] },
    ];
    const problem = {
      ...PROBLEM,
      robots: [{ ...ROBOT, speed: { linear: 1, angular: 2 } }],
      environment: [...PROBLEM.environment, { model: 'brick.obj', motion }],
      horizon: 20,
    };
    const result = runJson<PlanResult>('plan', write('timed.json', problem), '-o', inFolder('timed.glb'));
    expect(result.status).toBe('solved');
    expect(result.times).toHaveLength(result.paths[0].poses.length);
    expect(result.times![0]).toBe(0);
    expect(result.times!.at(-1)).toBeLessThanOrEqual(20);
    const { parts } = await readModel(readFileSync(inFolder('timed.glb')));
    expect(parts.map(({ name }) => name)).toEqual(['brick', 'environment 2', 'environment 1']);
  });

  test('plans for a chain, whose path is joint values', () => {
    const joint = { type: 'revolute', axis: [0, 0, 1], limits: [-3, 3] };
    const chain = {
      name: 'arm',
      type: 'chain',
      links: [{ name: 'base' }, { name: 'upper', model: 'bar.obj' }, { name: 'lower', model: 'bar.obj' }],
      joints: [
        { name: 'shoulder', parent: 'base', child: 'upper', ...joint },
        { name: 'elbow', parent: 'upper', child: 'lower', origin: [1, 0, 0, 0, 0, 0, 1], ...joint },
      ],
      start: [-1, 0],
      goal: [1, 0],
    };
    const post = [{ model: 'brick.obj', pose: [2, 0, 0, 0, 0, 0, 1] }];
    const result = runJson<PlanResult>('plan', write('arm.json', { robots: [chain], environment: post }));
    expect(result.status).toBe('solved');
    const [{ poses }] = result.paths;
    expect(poses[0]).toEqual([-1, 0]);
    expect(poses.at(-1)).toEqual([1, 0]);
    expect(result.clearance!.lower).toBeGreaterThan(0);
    // Straight it would pass through the brick.
    expect(poses.length).toBeGreaterThan(2);
  });

  test.each(['sheets', 'maze'])('solves the sample %s, written as files', async (name) => {
    const { text, meshes } = writePlanProblem(planningSample(name));
    for (const [file, mesh] of meshes) writeFileSync(inFolder(file), await writeModel(mesh, 'obj'));
    const result = runJson<PlanResult & { problem: string }>('plan', write(`${name}.json`, text));
    expect(result).toMatchObject({ status: 'solved', certified: true, problem: name });
  });

  test('takes robots from URDF files, with packages beside them and goals of links', async () => {
    mkdirSync(inFolder('reach_description/meshes'), { recursive: true });
    mkdirSync(inFolder('reach_description/urdf'));
    const mesh = boxes([0, -0.05, -0.05, 1, 0.05, 0.05]);
    writeFileSync(inFolder('reach_description/meshes/bar.stl'), await writeModel(mesh, 'stl'));
    const shape =
      '<collision><geometry><mesh filename="package://reach_description/meshes/bar.stl"/></geometry></collision>';
    const hinge = (name: string, parent: string, child: string, x: number): string =>
      `<joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/>
        <origin xyz="${x} 0 0"/><axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>`;
    const urdf = `<robot name="reach"><link name="a"/><link name="b">${shape}</link><link name="c">${shape}</link>
      ${hinge('shoulder', 'a', 'b', 0)}${hinge('elbow', 'b', 'c', 1.1)}</robot>`;
    write('reach_description/urdf/reach.urdf', urdf);
    const robot = {
      urdf: 'reach_description/urdf/reach.urdf',
      start: { shoulder: -1 },
      goal: { link: 'c', position: [0, 1.5, 0], point: [1, 0, 0] },
    };
    const environment = [{ model: 'bar.obj', pose: [1.2, 1.2, 0, 0, 0, 0, 1] }];
    const file = write('reach.json', { robots: [robot], environment });
    const result = runJson<PlanResult>('plan', file, '-o', inFolder('reach.glb'));
    expect(result).toMatchObject({ status: 'solved', certified: true });
    const [shoulder, elbow] = result.paths[0].poses.at(-1)!;
    expect(1.1 * Math.cos(shoulder) + Math.cos(shoulder + elbow)).toBeCloseTo(0, 8);
    expect(1.1 * Math.sin(shoulder) + Math.sin(shoulder + elbow)).toBeCloseTo(1.5, 8);
    const { meshes, parts } = await readModel(readFileSync(inFolder('reach.glb')));
    expect(parts.map(({ name }) => name)).toEqual(['reach b', 'reach c', 'environment 1']);
    expect(meshes.length).toBeGreaterThan(0);
    write('far/reach.urdf', urdf);
    const far = write('far.json', { robots: [{ ...robot, urdf: 'far/reach.urdf' }], environment });
    expect(runCommand('plan', far, '--package', `reach_description=${inFolder('reach_description')}`).code).toBe(0);
    const broken = write('broken.json', { robots: [{ ...robot, urdf: 'reach.json' }], environment });
    expect(runCommand('plan', broken).stderr).toContain('robots[0].urdf: ');
    expect(runCommand('plan', far, '--package', 'reach').stderr).toContain('give NAME=FOLDER');
  });

  test('answers several queries from one roadmap', () => {
    const { start, goal, ...robot } = ROBOT;
    const queries = [
      { start, goal },
      { start: goal, goal: [1, 0, -2, 0, 0, 0, 1] },
      { start, goal: [2, 0, 0, 0, 0, 0, 1] },
    ];
    const file = write('queries.json', { ...PROBLEM, robots: [robot], queries });
    const result = runJson<{ answers: PlanResult[] }>('plan', file, '-o', inFolder('answers.json'));
    expect(Object.keys(result).sort()).toEqual(['answers', 'format', 'problem', 'version']);
    expect(result.answers.map(({ status }) => status)).toEqual(['solved', 'solved', 'invalid-goal']);
    expect(result.answers[1].paths[0].poses.at(-1)).toEqual([1, 0, -2, 0, 0, 0, 1]);
    expect(JSON.parse(readFileSync(inFolder('answers.json'), 'utf8'))).toEqual(result);
    expect(runCommand('plan', file, '-o', inFolder('answers.glb')).stderr).toContain('are written as .json');
  });

  test.each<[string, unknown, string]>([
    ['no JSON', '{', 'The problem is no JSON'],
    ['an unknown key', { ...PROBLEM, obstacles: [] }, 'has the unknown key "obstacles"'],
    ['a missing file', { ...PROBLEM, environment: [{ model: 'none.obj' }] }, 'environment[0].model'],
    ['a query without a goal', { ...PROBLEM, queries: [{ start: ROBOT.start }] }, 'queries[0] has no "goal"'],
    ['a pose of six', { ...PROBLEM, robots: [{ ...ROBOT, start: [0, 0, 0, 0, 0, 1] }] }, 'robots[0].start'],
    [
      'a motion without keys',
      { ...PROBLEM, environment: [{ model: 'wall.obj', motion: [] }] },
      'environment[0].motion has no keyframes',
    ],
    ['a speed of 0', { ...PROBLEM, robots: [{ ...ROBOT, speed: { linear: 0 } }] }, 'robots[0].speed.linear is 0'],
    ['a name given twice', { ...PROBLEM, robots: [ROBOT, ROBOT] }, 'two robots have the name'],
    ['a horizon of 0', { ...PROBLEM, horizon: 0 }, 'horizon is 0'],
  ])('refuses %s in one line', (_, problem, message) => {
    const { code, stderr } = runCommand('plan', write('bad.json', problem));
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(message);
  });
});
