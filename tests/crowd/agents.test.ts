import { expect, test } from 'vitest';
import { pushAndSwap } from '../../src/agents/push-and-swap.js';
import { AgentWorld } from '../../src/crowd/agent-world.js';
import { findModel } from '../../src/models/catalogue.js';
import { planMotion } from '../../src/planning/plan-motion.js';
import { agentSample, createAgentWorld } from '../../src/samples/crowd/agent-scene.js';
import { blockSolid } from '../../src/samples/planning/block-solid.js';
import { runCrowd } from './random-crowds.js';
import { run } from './run-world.js';

const box = findModel('box')!;
const cube = box.build({ width: 0.4, height: 0.4, depth: 0.4 });
const bounds = { min: [-5, -5, -5], max: [5, 5, 5] } as const;
const at = (x: number, y = 0, z = 0) => [x, y, z, 0, 0, 0, 1] as const;

test('random crowds keep the wanted distance by brute force', () => {
  let near = 0;
  for (let seed = 1; seed <= 5; seed++) {
    const { slack, nearPairs } = runCrowd(seed, 100);
    expect(slack, `seed ${seed}`).toBeGreaterThan(-1e-9);
    near += nearPairs;
  }
  expect(near).toBeGreaterThan(300);
});

test('the same seed gives the same motion', () => {
  expect(runCrowd(3, 60).poses).toBe(runCrowd(3, 60).poses);
});

test('agents pass each other in a corridor with a bay by stepping back, and say who blocks whom without one', () => {
  // More of them, up to eight: npm run soak.
  for (const agents of [2, 3, 5]) {
    const world = createAgentWorld(agentSample('swap', { agents }));
    expect(run(world, 12_000)).toContain('shunt');
    expect(world.status, `${agents} agents`).toBe('arrived');
    const without = createAgentWorld(agentSample('swap', { agents, bay: 0 }));
    run(without, 12_000);
    expect(without.status, `${agents} agents without a bay`).toBe('stuck');
  }
  const closed = createAgentWorld(agentSample('swap', { agents: 2, bay: 0 }));
  const kinds = run(closed, 4000);
  expect(kinds).toContain('stuck');
  expect(kinds).not.toContain('shunt');
  expect(closed.status).toBe('stuck');
  const blocked = closed.agents.find(({ status }) => status === 'stuck')!;
  expect(blocked.blockedBy).toContain(blocked.name === 'agent 1' ? 'agent 2' : 'agent 1');
});

test('a crowd goes through a doorway', () => {
  const world = createAgentWorld(agentSample('doorway', { agents: 12 }));
  const kinds = run(world, 3000);
  expect(world.status).toBe('arrived');
  expect(kinds.filter((kind) => kind === 'arrived')).toHaveLength(12);
});

test('only agents that come near each other or an obstacle are measured', () => {
  const world = createAgentWorld(agentSample('doorway', { agents: 50 }));
  // People stand 0.2 m apart, and the walls are long: balls around them overlap all agents.
  let queries = 0;
  for (let i = 0; i < 4; i++) queries += world.step().distanceQueries;
  expect(queries).toBe(0);
});

test('a crowd gets to its goals where those that arrive first stand in the way of the others', () => {
  const scene = agentSample('doorway', { agents: 40 });
  // The first ones through the door have the goals next to it.
  const goals = scene.agents.map(({ goal }) => goal!).sort((a, b) => a[0] - b[0] || Math.abs(a[2]) - Math.abs(b[2]));
  const world = createAgentWorld({ ...scene, agents: scene.agents.map((agent, i) => ({ ...agent, goal: goals[i] })) });
  let hasComeBack = false;
  const arrived = new Set<string>();
  for (let i = 0; i < 4000 && world.status === 'moving'; i++) {
    world.step();
    for (const { name, status } of world.agents) {
      if (status === 'arrived') arrived.add(name);
      else if (arrived.has(name)) hasComeBack = true;
    }
  }
  expect(world.status).toBe('arrived');
  expect(hasComeBack).toBe(true);
  for (const [i, { pose }] of world.agents.entries()) {
    expect(Math.hypot(pose[0] - goals[i][0], pose[2] - goals[i][2])).toBeLessThanOrEqual(0.05);
  }
});

test('bars and angled parts go through a doorway, although they hook into each other before it', () => {
  const scene = agentSample('doorway', { agents: 50 });
  const bar = blockSolid([[-0.25, -0.5, -0.1, 0.25, 0.5, 0.1]]);
  const angle = blockSolid([
    [-0.22, -0.5, -0.1, 0.22, 0.3, 0.1],
    [-0.22, -0.5, 0.1, -0.02, 0.3, 0.25],
  ]);
  const agents = scene.agents.map((agent, i) => ({ ...agent, mesh: i % 2 === 0 ? angle : bar }));
  const world = createAgentWorld({ ...scene, agents });
  let [least, slowed, steps] = [Infinity, 0, 0];
  for (; steps < 3000 && world.status === 'moving'; steps++) {
    const step = world.step();
    least = Math.min(least, step.leastDistance);
    slowed += step.slowed;
  }
  expect(world.status).toBe('arrived');
  expect(least).toBeGreaterThanOrEqual(0.01);
  // One motion that is refused and not found again slows most of the crowd down.
  expect(slowed / steps).toBeLessThan(1);
});

test('parts that fit through a door only if they are turned get through one after the other, and wider ones are stuck', () => {
  const scene = agentSample('doorway', { agents: 4, width: 0.5 });
  // 0.44 m by 0.4 m with a slot that others hook into; the door leaves 8 cm, of which 2 cm are wanted.
  const fork = blockSolid([
    [-0.22, -0.5, -0.2, 0.22, 0.3, -0.08],
    [-0.22, -0.5, -0.08, -0.1, 0.3, 0.2],
    [0.1, -0.5, -0.08, 0.22, 0.3, 0.2],
  ]);
  const turned = (x: number, z: number, angle: number) =>
    [x, 0, z, 0, Math.sin(angle / 2), 0, Math.cos(angle / 2)] as const;
  const forks = scene.agents.map((agent, i) => ({
    ...agent,
    mesh: fork,
    pose: turned(agent.pose[0], agent.pose[2], 1.3 * i),
  }));
  const world = createAgentWorld({ ...scene, agents: forks });
  expect(run(world, 4000)).toContain('detour');
  expect(world.status).toBe('arrived');
  const wide = box.build({ width: 0.58, height: 1, depth: 0.58 });
  const closed = createAgentWorld({ ...scene, agents: scene.agents.map((agent) => ({ ...agent, mesh: wide })) });
  expect(run(closed, 4000)).toContain('stuck');
  expect(closed.agents.map(({ status }) => status)).toEqual(['stuck', 'stuck', 'stuck', 'stuck']);
});

test('an obstacle that comes at an agent with nowhere to go is reported, and does not pass through it', () => {
  const world = new AgentWorld({ distance: 0.01 });
  const wall = box.build({ width: 0.2, height: 2, depth: 2 });
  const side = box.build({ width: 4, height: 2, depth: 0.2 });
  world.addObstacle({ mesh: wall, pose: at(-1) });
  world.addObstacle({ mesh: side, pose: at(0, 0, 0.4) });
  world.addObstacle({ mesh: side, pose: at(0, 0, -0.4) });
  const motion = [
    { time: 0, pose: at(2) },
    { time: 3, pose: at(-1) },
  ];
  world.addObstacle({ mesh: box.build({ width: 0.2, height: 2, depth: 0.55 }), motion });
  world.addAgent({ mesh: cube, plane: 'xz', bounds, pose: at(0), goal: at(1) });
  const events = [];
  for (let i = 0; i < 300 && world.status === 'moving'; i++) events.push(...world.step().events);
  expect(world.status).toBe('crushed');
  expect(events.at(-1)).toMatchObject({ kind: 'crushed', agents: ['agent 1'], by: ['obstacle 4'] });
  const before = world.time;
  world.step();
  expect(world.time).toBe(before);
  const [agent] = world.agents;
  expect(world.obstacles[3][0] - 0.1 - (agent.pose[0] + 0.2)).toBeGreaterThanOrEqual(0.01 - 1e-9);
});

test('an agent makes way for an obstacle that comes', () => {
  const world = new AgentWorld({ distance: 0.01 });
  const motion = [
    { time: 0, pose: at(2) },
    { time: 2, pose: at(-2) },
  ];
  world.addObstacle({ mesh: box.build({ width: 0.4, height: 0.4, depth: 0.4 }), motion });
  world.addAgent({ mesh: cube, plane: 'xz', bounds, pose: at(0, 0, 0.15), speed: { linear: 3 } });
  for (let i = 0; i < 180; i++) expect(world.step().status).not.toBe('crushed');
});

test('a part moved by hand stops where an agent cannot make way', () => {
  const world = new AgentWorld({ distance: 0.01 });
  world.addObstacle({ mesh: box.build({ width: 0.2, height: 2, depth: 2 }), pose: at(-0.35) });
  const part = world.addObstacle({ mesh: box.build({ width: 0.2, height: 2, depth: 2 }), pose: at(1) });
  world.addAgent({ mesh: cube, plane: 'xz', bounds: { min: [-5, 0, 0], max: [5, 0, 0] }, pose: at(0) });
  world.moveObstacle(part, at(-1));
  const kinds = new Set<string>();
  for (let i = 0; i < 60; i++) for (const { kind } of world.step().events) kinds.add(kind);
  expect(kinds).toContain('held');
  expect(world.obstacles[part][0]).toBeGreaterThan(0.1);
});

test('a guide and a visitor never lose sight of each other, and joints hold', () => {
  const world = createAgentWorld(agentSample('escort'));
  let error = 0;
  const kinds: string[] = [];
  for (let i = 0; i < 1500 && world.status === 'moving'; i++) {
    const step = world.step();
    error = Math.max(error, step.jointError);
    for (const { kind } of step.events) kinds.push(kind);
    if (i % 10 !== 0) continue;
    const [guide, visitor] = world.agents;
    // Walls are blocks that reach as high as the agents: a line that crosses one has a sample inside.
    for (let k = 0; k <= 200; k++) {
      const [x, z] = [0, 2].map((c) => guide.pose[c] + (k / 200) * (visitor.pose[c] - guide.pose[c]));
      const inCross = Math.abs(x) < 0.1 && !(Math.abs(z) > 1 && Math.abs(z) < 2.6);
      const inBar = Math.abs(z) < 0.1 && !(Math.abs(x) > 1 && Math.abs(x) < 2.6);
      expect(inCross || inBar).toBe(false);
    }
  }
  expect(error).toBeLessThan(0.02);
  expect(world.status).toBe('arrived');
  expect(kinds.filter((kind) => kind === 'arrived')).toHaveLength(3);
  // The way of the farther carrier is 7.5 m; a beam that brakes its carriers makes that minutes.
  expect(world.time).toBeLessThan(7.5 / 0.9);
});

test('tokens change places at a node with three neighbors, and not on a path', () => {
  expect(pushAndSwap([[1], [0, 2], [1]], [0, 1], [1, 0])).toBeNull();
  const neighbors = [[1], [0, 2], [1, 3, 5], [2, 4], [3], [2]];
  const moves = pushAndSwap(neighbors, [1, 3], [3, 1])!;
  const places = [1, 3];
  for (const { token, from, to } of moves) {
    expect(places[token]).toBe(from);
    expect(neighbors[from]).toContain(to);
    expect(places).not.toContain(to);
    places[token] = to;
  }
  expect(places).toEqual([3, 1]);
});

test('the planner constraint proves what its agents did', () => {
  const mesh = box.build({ width: 0.6, height: 0.2, depth: 0.2 });
  const wall = { mesh: box.build({ width: 0.2, height: 3, depth: 1 }) };
  const planar = { type: 'planar' as const, plane: 'xy' as const, mesh, bounds: { min: [-3, -3, 0], max: [3, 3, 0] } };
  const robots = [
    { ...planar, name: 'a', start: at(-2, 0.3), goal: at(2, 0) },
    { ...planar, name: 'b', start: at(2, -0.4), goal: at(-2, -0.4) },
  ];
  const result = planMotion({ robots, environment: [wall], clearance: 0.02, planner: 'constraint' });
  expect(result).toMatchObject({ status: 'solved', planner: 'constraint', certified: true });
  expect(result.clearance!.lower).toBeGreaterThanOrEqual(0.02);
  const rigid = {
    type: 'rigid' as const,
    mesh,
    bounds: { min: [-3, -3, -3], max: [3, 3, 3] },
    start: at(-2),
    goal: at(2),
  };
  const space = planMotion({ robots: [rigid], environment: [wall], planner: 'constraint' });
  expect(space).toMatchObject({ status: 'solved', certified: true });
  const motion = [
    { time: 0, pose: at(0) },
    { time: 4, pose: at(0, 4) },
  ];
  const speed = { linear: 1, angular: 2 };
  const environment = [{ mesh: wall.mesh, motion }];
  const timed = planMotion({ robots: [{ ...robots[0], speed }], environment, horizon: 20, planner: 'constraint' });
  expect(timed).toMatchObject({ status: 'solved', certified: true });
});

test('what is no world is refused', () => {
  const world = new AgentWorld();
  world.addAgent({ mesh: cube, bounds, pose: at(0) });
  expect(() => new AgentWorld({ distance: NaN })).toThrow(/distance/);
  expect(() => world.addAgent({ mesh: cube, bounds, pose: at(0.1) })).toThrow(/agent 2 is 0 from agent 1/);
  expect(() => world.addAgent({ mesh: cube, bounds, pose: at(9) })).toThrow(/outside/);
  expect(() => world.addConstraint({ type: 'apart', agents: ['agent 1', 'agent 9'], distance: 1 })).toThrow(/agent 9/);
  expect(() => world.moveObstacle(0, at(0))).toThrow(/no obstacle/);
  expect(() => agentSample('nowhere')).toThrow(/nowhere/);
});
