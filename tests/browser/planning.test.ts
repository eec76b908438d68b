import { findModel } from 'nearfield/mesh';
import { agentSample, createAgentWorld, DeformableAgent, planMotion, planningSample } from 'nearfield/planning';
import { expect, test } from 'vitest';
import { BALL, BLOCK, blockPoses, squeezeOptions } from '../../lab/samples/squeeze.js';
import { useLab } from './use-lab.js';

const open = useLab();

test('the lab shows the path of the library, plays it, and plans anew when the goal is dragged', async () => {
  const page = await open('#/planning/paths?sample=hole&share=1.6');
  const result = planMotion(planningSample('hole', { share: 1.6 }));
  const shown = await page.figures('Path');
  expect(shown.status).toBe('found, proven');
  expect(Number(shown.length)).toBeCloseTo(result.length, 3);
  expect(Number(shown.least)).toBeLessThanOrEqual(Number(shown.most));
  expect(Number(shown.least) / result.clearance!.lower).toBeCloseTo(1, 3);
  expect(shown.waypoints).toBe(`${result.paths[0].poses.length}`);

  // In the middle of the path the brick is in the hole, at its ends it is not.
  await page.setSlider('frame', 0);
  const far = Number(await page.figure('Path', 'now'));
  await page.setSlider('frame', 120);
  expect(Number(await page.figure('Path', 'now'))).toBeLessThan(0.3 * far);

  const goal = await page.project([0, 0, 2]);
  await page.drag(goal, { x: goal.x + 60, y: goal.y + 30 });
  expect(await page.figure('Path', 'status')).toBe('found, proven');
  expect(Number(await page.figure('Path', 'length'))).not.toBeCloseTo(result.length, 3);
});

test('what is in the way is said: a hole too small with its proof, and a start in the wall', async () => {
  const page = await open('#/planning/paths?sample=hole&share=0.7');
  const shown = await page.figures('Path');
  expect(shown.status).toBe('none, proven');
  expect(Number(shown.proof)).toBeGreaterThan(0.105);
  // The start is moved by two meters, a share of the framed box, into the wall.
  const size = Math.hypot(6, 6, 4.3);
  const hand = [1.5 / size, 0, 2 / size, ...Array(15).fill(0)].map((x) => x.toFixed(4));
  const inWall = await open(`#/planning/paths?sample=hole&hand=${hand}`);
  expect(await inWall.figure('Path', 'status')).toBe('none: the start touches something');
});

test('a path follows furniture that moves, and what is far from it is kept', async () => {
  const page = await open('#/planning/live');
  const first = await page.figures('Repair');
  expect(await page.figure('Path', 'status')).toBe('found, proven');
  expect(Number(first.tested)).toBeGreaterThan(0);
  const length = await page.figure('Path', 'length');
  await page.setSlider('frame', 30);
  const next = await page.figures('Repair');
  expect(await page.figure('Path', 'status')).toBe('found, proven');
  expect(await page.figure('Path', 'length')).not.toBe(length);
  expect(Number(next.graphKept.replaceAll(',', ''))).toBeGreaterThan(100);
});

test('a roadmap of each sampler has its nodes in wide and narrow places', async () => {
  const page = await open('#/planning/roadmap?samples=100');
  const voronoi = await page.figures('Roadmap');
  expect(Number(voronoi.nodes)).toBeGreaterThan(Number(voronoi.narrow));
  expect(await page.figure('Query', 'status')).toBe('found, proven');
  await page.follow('#/planning/roadmap?samples=100&sampler=bridge');
  const bridge = await page.figures('Roadmap');
  expect(bridge.nodes).not.toBe(voronoi.nodes);
});

test('agents do in the lab what they do in the library, and who is stuck says by whom', async () => {
  const page = await open('#/planning/agents?agents=12&step=40');
  const world = createAgentWorld(agentSample('doorway', { agents: 12 }));
  const steps = Array.from({ length: 40 }, () => world.step());
  const shown = await page.figures('Agents');
  expect(Number(shown.interactions)).toBe(steps[39].interactions);
  expect(Number(shown.leastDistance)).toBeCloseTo(steps[39].leastDistance, 9);
  expect(Number(shown.leastSoFar)).toBeCloseTo(Math.min(...steps.map((step) => step.leastDistance)), 9);
  expect(Number(shown.leastSoFar)).toBeGreaterThanOrEqual(0.01);

  await page.follow('#/planning/agents?sample=swap&bay=0&step=700');
  expect(await page.figures('Agents')).toMatchObject({ stuck: '2', world: 'stuck', arrived: '0' });
  const rows = page.page.locator('[data-group="Who blocks whom"] tbody tr');
  expect(await rows.allTextContents()).toEqual(['agent 1agent 2, obstacle 4', 'agent 2agent 1, obstacle 4']);
});

test('a part of the cell goes where the hand drags it, and says when agents hold it', async () => {
  const page = await open('#/planning/agents?sample=cell&agents=4&step=2&view=0,80,1');
  const scene = agentSample('cell', { agents: 4 });
  const [x, y, z] = Array.from(scene.obstacles[0].pose!);
  const from = await page.project([x, y, z]);
  const free = await page.project([x, y, z - 1]);
  await page.drag(from, free);
  await page.after(() => page.control('once').locator('button').click());
  expect(await page.figure('Agents', 'held')).toBe('none');

  // It is there now, and taken again in an earlier step it goes on top of an agent, which does not let it.
  await page.setSlider('step', 1);
  const [agentX, , agentZ] = Array.from(scene.agents[0].pose);
  await page.drag(from, await page.project([agentX, y, agentZ]));
  await page.after(() => page.control('once').locator('button').click());
  expect(await page.figure('Agents', 'held')).toBe('machine 1');
  expect(Number(await page.figure('Agents', 'leastSoFar'))).toBeGreaterThanOrEqual(0.01);
  const row = page.page.locator('[data-group="Who blocks whom"] tbody tr');
  expect(await row.allTextContents()).toEqual(['machine 1agent 1, agent 3']);
});

test('an elastic ball squeezes through in the lab as in the library, and says why it is stuck', async () => {
  const page = await open('#/planning/squeeze?gap=0.42&step=360');
  const choice = { gap: 0.42, force: 600, young: 20_000 };
  const block = findModel('box').build(BLOCK);
  const agent = new DeformableAgent({
    ...squeezeOptions(choice),
    mesh: findModel('sphere').build(BALL),
    obstacles: blockPoses(choice).map((pose) => ({ mesh: block, pose })),
  });
  const forces: number[] = [];
  while (agent.status === 'moving' && forces.length < 360) forces.push(agent.step().force);
  const shown = await page.figures('Agent');
  expect(shown).toMatchObject({ status: 'arrived', insideOut: 'no element', penetration: '0' });
  expect(Number(shown.largestForce)).toBeCloseTo(Math.max(...forces), 6);
  expect(Number(shown.leastVolume)).toBeCloseTo(agent.leastVolume, 6);
  expect(Number(shown.leastVolume)).toBeLessThan(0.9);
  // It stays as it is at its end, and an earlier step is shown as it was.
  expect(Number(await page.figure('Now', 'time'))).toBeCloseTo(forces.length / 60, 9);
  await page.setSlider('step', 20);
  expect(await page.figure('Agent', 'status')).toBe('under way');
  expect(Number(await page.figure('Now', 'force'))).toBeCloseTo(forces[19], 6);
  // A narrower gap begins anew, is not tried, and the scene says why.
  await page.setSlider('gap', 0.2);
  expect(await page.figure('Agent', 'status')).toBe('under way');
  await page.after(() => page.control('once').locator('button').click());
  expect(await page.figures('Agent')).toMatchObject({ status: 'stuck', largestForce: '0', penetration: '0' });
  expect(await page.page.locator('.answer-meaning').textContent()).toMatch(/No passage of at least 0\.248 m was found/);
});

test('the arm goes where its gripper is dragged, and a goal out of reach is proven so', async () => {
  const far = [1, ...Array(23).fill(0)];
  const page = await open(`#/planning/arm-cell?hand=${far}`);
  const shown = await page.figures('Goal');
  expect(shown).toMatchObject({ status: 'none: out of reach, proven', solutions: '0', freeSolutions: '0' });
  expect(Number(shown.beyond)).toBeGreaterThan(1);
  // Up, and out of the shelf.
  const free = [-0.12, 0.1, 0, ...Array(21).fill(0)];
  await page.follow(`#/planning/arm-cell?hand=${free}`);
  expect(Number(await page.figure('Goal', 'freeSolutions'))).toBeGreaterThan(0);
  expect(await page.figure('Goal', 'status')).toBe('found, proven');
  expect(Number(await page.figure('Path', 'least'))).toBeGreaterThan(0);
});

test('the crane complex waits to be asked for its path', async () => {
  const page = await open('#/planning/paths?sample=crane-complex');
  expect(await page.figure('Path', 'status')).toBe('not planned yet: press Plan');
  expect(Number((await page.figure('Cost', 'triangles'))!)).toBeGreaterThan(50_000);
});
