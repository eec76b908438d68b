import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readModel, writeModel } from '../../src/io/index.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import type { PlanResult } from '../../src/planning/index.js';
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
  writeFileSync(inFolder(name), typeof problem === 'string' ? problem : JSON.stringify(problem));
  return inFolder(name);
}

describe('plan', () => {
  test('prints the keys of the contract, and writes path and animation', async () => {
    const file = write('hole.json', PROBLEM);
    const result = runJson<PlanResult & { format: string; problem: string }>('plan', file, '-o', inFolder('path.glb'));
    expect(Object.keys(result).sort()).toEqual(
      [
        ...['format', 'version', 'problem', 'status', 'planner', 'seed', 'paths', 'times', 'length', 'turning'],
        ...['clearance', 'certified', 'milliseconds', 'preprocessMs', 'counters', 'proof'],
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

  test.each<[string, unknown, string]>([
    ['no JSON', '{', 'The problem is no JSON'],
    ['an unknown key', { ...PROBLEM, obstacles: [] }, 'has the unknown key "obstacles"'],
    ['a missing file', { ...PROBLEM, environment: [{ model: 'none.obj' }] }, 'environment[0].model'],
    ['a pose of six', { ...PROBLEM, robots: [{ ...ROBOT, start: [0, 0, 0, 0, 0, 1] }] }, 'robots[0].start'],
    [
      'what is not there yet',
      { ...PROBLEM, environment: [{ model: 'wall.obj', motion: [] }] },
      'environment[0].motion',
    ],
  ])('refuses %s in one line', (_, problem, message) => {
    const { code, stderr } = runCommand('plan', write('bad.json', problem));
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(message);
  });
});
