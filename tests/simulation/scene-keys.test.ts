// What scene files say beyond bodies, joints and probes: forces over time, filters, locks, surfaces of pairs, held bodies, parts
// and pieces, sheets, springs, and soft bodies in the plane. Against closed forms, or against a world made by hand.
import { describe, expect, test } from 'vitest';
import { createPlaneWorld } from '../../bench/scenarios/plane-worlds.js';
import { planeScene } from '../../lab/code/dynamics.js';
import {
  animateFrames,
  readSimulationScene,
  type SceneDescription,
  type SimulationFrame,
  simulateScene,
} from '../../src/dynamics/index.js';
import { findModel, type Mesh, massProperties } from '../../src/mesh/index.js';
import { checkScene } from '../../src/simulation/check-scene.js';

const at = (x: number, y: number, z: number) => [x, y, z, 0, 0, 0, 1];
const G = 9.81;

async function run(scene: SceneDescription, steps: number, loadMesh?: () => Mesh): Promise<SimulationFrame[]> {
  const simulation = await readSimulationScene(scene, { loadMesh });
  return [...simulateScene(simulation, { steps }).frames];
}

describe('forces', () => {
  const ball = { shape: { sphere: 1 }, mass: 2 };
  test('act from and to their times, to the part of a step', async () => {
    const frames = await run(
      {
        gravity: [0, 0, 0],
        timestep: 0.1,
        bodies: [ball],
        forces: [
          { body: 0, force: [4, 0, 0], from: 0.25, to: 0.55 },
          { body: 0, torque: [0, 0.8, 0] },
        ],
      },
      10,
    );
    const { velocity, angularVelocity } = frames[10].bodies[0];
    expect(velocity[0]).toBeCloseTo(4 * 0.3 * 0.5, 12);
    expect((angularVelocity as number[])[1]).toBeCloseTo(0.8 / (0.4 * 2), 12);
  });

  test('at a point turn the body, and the point goes along', async () => {
    const scene = (at: number[]): SceneDescription => ({
      gravity: [0, 0, 0],
      bodies: [{ shape: { box: [1, 1, 1] }, mass: 6, pose: [0, 2, 0, 0, 0, 0, 1] }],
      forces: [{ body: 0, force: [1, 0, 0], at }],
    });
    const [, one] = await run(scene([0, 2.5, 0]), 1);
    expect((one.bodies[0].angularVelocity as number[])[2]).toBeCloseTo(-0.5 / 60, 9);
    const none = await run(scene([0, 2, 0]), 30);
    expect((none[30].bodies[0].angularVelocity as number[])[2]).toBeCloseTo(0, 9);
  });

  test('act in the plane', async () => {
    const frames = await run(
      {
        dimension: 2,
        gravity: [0, 0],
        bodies: [{ shape: { circle: 1 }, mass: 2 }],
        forces: [{ body: 0, force: [0, 3], torque: 0.5, to: 0.5 }],
      },
      60,
    );
    expect(frames[60].bodies[0].velocity[1]).toBeCloseTo(0.75, 9);
    expect(frames[60].bodies[0].angularVelocity).toBeCloseTo(0.25, 9);
  });
});

test.each([2, 3] as const)(
  'bodies in dimension %i pass where their masks do not have each other, and through sensors',
  async (dimension) => {
    const place = (x: number, y: number) => (dimension === 3 ? at(x, y, 0) : [x, y, 0]);
    const floor =
      dimension === 3
        ? { box: [20, 1, 9] }
        : {
            polygon: [
              [-10, -0.5],
              [10, -0.5],
              [10, 0.5],
              [-10, 0.5],
            ],
          };
    const shape = dimension === 3 ? { sphere: 0.2 } : { circle: 0.2 };
    const frames = await run(
      {
        dimension,
        bodies: [
          { shape: floor, pose: place(0, 0), fixed: true, group: 2 },
          { shape, pose: place(-4, 1), mask: 1 },
          { shape, pose: place(0, 1), sensor: true },
          { shape, pose: place(4, 1), mask: 2 },
        ],
      },
      90,
    );
    const heights = frames[90].bodies.map(({ pose }) => pose[1]);
    expect(heights[1]).toBeLessThan(-3);
    expect(heights[2]).toBeLessThan(-3);
    expect(heights[3]).toBeCloseTo(0.7, 2);
  },
);

test('locks, damping, even motions and letGo reach the world', async () => {
  const shape = { box: [1, 1, 1] };
  const frames = await run(
    {
      timestep: 1 / 100,
      bodies: [
        { shape, pose: at(0, 0, 0), locks: ['y', 'rx', 'ry', 'rz'], velocity: [1, 0, 0] },
        { shape, pose: at(0, 0, 5), locks: ['y'], velocity: [1, 0, 0], damping: { linear: 1 } },
        { shape, pose: at(0, 0, 10), moves: { velocity: [0, 2, 0], until: 0.5 } },
        { shape, pose: at(0, 0, 15), fixed: true, letGo: 0.5 },
      ],
    },
    100,
  );
  const [locked, damped, moved, freed] = frames[100].bodies;
  expect(locked.pose.slice(0, 3)).toEqual([1, 0, 0].map((value) => expect.closeTo(value, 8)));
  expect(damped.velocity[0]).toBeCloseTo(Math.exp(-1), 8);
  expect(moved.pose[1]).toBeCloseTo(1, 9);
  expect(freed.pose[1]).toBeCloseTo(-0.5 * G * 0.25, 8);
});

test('the surface of a pair, and static friction', async () => {
  const floor = { name: 'floor', shape: { plane: 10 }, fixed: true };
  const box = { shape: { box: [1, 0.2, 1] }, pose: at(0, 0.1, 0), velocity: [1, 0, 0] };
  const scene = { timestep: 1 / 100, bodies: [floor, { ...box, name: 'box' }] };
  const last = async (more: object) => (await run({ ...scene, ...more }, 100))[100].bodies[1].pose[0];
  expect(await last({ surfaces: [{ bodies: ['floor', 'box'], friction: 0 }] })).toBeCloseTo(1, 4);
  expect(await last({ surfaces: [{ bodies: [0, 1], friction: 0.5 }] })).toBeCloseTo(1 / (2 * 0.5 * G), 2);
});

test('joints of two bodies let them collide where the scene says so; a spring and a distance', async () => {
  const bodies = [
    { shape: { box: [1, 1, 1] }, fixed: true },
    { shape: { sphere: 0.2 }, pose: at(0, 3, 0), mass: 1 },
  ];
  const joint = {
    type: 'spring',
    body: 1,
    other: 0,
    at: [0, 3, 0],
    to: [0, 0, 0],
    stiffness: 20,
    damping: 5,
    length: 0,
  } as const;
  const height = async (collide: boolean) =>
    (await run({ bodies, joints: [{ ...joint, collide }] }, 300))[300].bodies[1].pose[1];
  expect(await height(true)).toBeCloseTo(0.7, 2);
  expect(await height(false)).toBeCloseTo(-G / 20, 2);
  const rope = await run({ bodies, joints: [{ type: 'distance', body: 1, at: [0, 3, 0], to: [0, 5, 0] }] }, 60);
  expect(rope[60].bodies[1].pose[1]).toBeCloseTo(3, 8);
  expect(rope[60].energy.elastic).toBe(0);
});

test('shapes: a floor, scaled and mirrored models, and sheets of open meshes', async () => {
  const open: Mesh = {
    positions: Float64Array.of(-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1),
    indices: Uint32Array.of(0, 2, 1, 0, 3, 2),
  };
  const simulation = await readSimulationScene(
    {
      bodies: [
        { shape: { plane: 3 }, pose: at(0, -5, 0), fixed: true },
        { shape: { model: 'letter-f', scale: [-2, 1, 3] } },
        { shape: { file: 'sheet', thickness: 0.1, scale: 2 }, pose: at(9, 0, 0) },
      ],
    },
    { loadMesh: () => open },
  );
  const meshes = simulation.bodies.map(({ shape }) => (shape as { mesh: Mesh }).mesh);
  expect(massProperties(meshes[0]).volume).toBeCloseTo(6 * 6 * 3, 9);
  expect(massProperties(meshes[1]).volume).toBeCloseTo(6 * massProperties(findModel('letter-f').build()).volume, 9);
  expect(massProperties(meshes[2]).volume).toBeCloseTo(16 * 0.1, 9);
  await expect(
    readSimulationScene({ bodies: [{ shape: { file: 'sheet' } }] }, { loadMesh: () => open }),
  ).rejects.toThrow('thickness');
});

test('instances are bodies of their own, by numbered names', async () => {
  const link = { name: 'link', shape: { sphere: 0.1 }, instances: [at(0, 0, 0), at(1, 0, 0), at(2, 0, 0)] };
  const { bodies } = await readSimulationScene({ bodies: [link], probes: [{ body: 'link 3', point: [2, 0, 0] }] });
  expect(bodies.map(({ name }) => name)).toEqual(['link 1', 'link 2', 'link 3']);
  expect(new Set(bodies.map(({ shape }) => shape)).size).toBe(1);
});

test('a mesh splits into its parts, each with its own motion', async () => {
  const one = findModel('box').build();
  const both: Mesh = {
    positions: Float64Array.of(...one.positions, ...one.positions.map((value, i) => value + (i % 3 === 0 ? 3 : 0))),
    indices: Uint32Array.of(...one.indices, ...one.indices.map((index) => index + one.positions.length / 3)),
  };
  const scene = { bodies: [{ name: 'pair', shape: { file: 'x' }, angularVelocity: [0, 1, 0], split: true }] };
  const frames = await run({ ...scene, gravity: [0, 0, 0] }, 60, () => both);
  expect(frames[0].bodies.map(({ centerOfMass }) => centerOfMass[0])).toEqual([0, 3].map((x) => expect.closeTo(x, 9)));
  // Each turns about its own center.
  expect(frames[60].bodies[1].centerOfMass[0]).toBeCloseTo(3, 6);
});

describe('a body that breaks', () => {
  const scene: SceneDescription = {
    gravity: [0, 0, 0],
    bodies: [
      {
        shape: { box: [1, 1, 1] },
        mass: 1,
        angularVelocity: [0, 0.3, 0.1],
        fracture: { impulse: 5, pieces: 6, seed: 3 },
      },
      { shape: { sphere: 0.2 }, mass: 4, pose: at(-3, 0, 0), velocity: [12, 0, 0] },
    ],
  };
  test('moves as a whole until it is hit, then its pieces go on; momentum and mass stay', async () => {
    const simulation = await readSimulationScene(scene);
    const frames = simulateScene(simulation, { steps: 60 }).frames;
    expect(simulation.bodies.length).toBeGreaterThan(4);
    const pieces = simulation.bodies.length - 1;
    const poses = (frame: SimulationFrame) => frame.bodies.slice(0, pieces).map(({ pose }) => pose.join(' '));
    expect(new Set(poses(frames[5])).size).toBe(1);
    expect(new Set(poses(frames[60])).size).toBe(pieces);
    for (let k = 0; k < 3; k++) {
      const momentum = frames[60].momentum.linear[k];
      // Cracks have no mass: that of the whole loses what their width is of it.
      expect(Math.abs(momentum - frames[0].momentum.linear[k])).toBeLessThan(0.02 * 48);
    }
    expect(frames[60].energy.total).toBeLessThanOrEqual(frames[0].energy.total * (1 + 1e-9));
  });

  test('stays whole below its impulse', async () => {
    const frames = await run(
      { ...scene, bodies: [{ ...scene.bodies[0], fracture: { impulse: 500 } }, scene.bodies[1]] },
      60,
    );
    expect(new Set(frames[60].bodies.slice(0, -1).map(({ pose }) => pose.join(' '))).size).toBe(1);
  });
});

describe('soft bodies in the plane', () => {
  test.each(['gears', 'map', 'links', 'cars', 'wavy'] as const)(
    'the scene %s as a file goes as the world does',
    async (name) => {
      const { world, waves } = createPlaneWorld(name, {});
      const simulation = await readSimulationScene(JSON.stringify(planeScene(name, {}, waves)), { sleeping: false });
      expect(simulation.dimension).toBe(2);
      for (let step = 0; step < 20; step++) {
        world.step();
        simulation.step();
      }
      expect((simulation.world as typeof world).readPoses()).toEqual(world.readPoses());
      expect(simulation.frame().energy).toEqual(world.energy());
    },
  );

  test('a wave runs through, nodes and drawn surfaces follow it, and a deep overlap parts', async () => {
    const { waves } = createPlaneWorld('wavy');
    const simulation = await readSimulationScene(planeScene('wavy', {}, waves));
    const surfaces = new Map<number, Float64Array[]>(simulation.bodies.map((_, i) => [i, []]));
    const { frames } = simulateScene(simulation, {
      steps: 40,
      every: 10,
      nodes: true,
      onFrame: () => {
        for (const [i, list] of surfaces) list.push(simulation.surfaceOf(i)!);
      },
    });
    const [first, last] = [frames[0].bodies[1].nodes!, frames.at(-1)!.bodies[1].nodes!];
    expect(Math.max(...first.map(([x, y], i) => Math.hypot(x - last[i][0], y - last[i][1])))).toBeGreaterThan(0.03);
    const drawn = surfaces.get(1)!.at(-1)!;
    for (const [x, y] of last) {
      const isDrawn = drawn.some((value, i) => i % 3 === 0 && Math.hypot(value - x, drawn[i + 1] - y) < 1e-12);
      expect(isDrawn).toBe(true);
    }
    expect(animateFrames(simulation.bodies, frames, surfaces).animation.shapes).toHaveLength(2);

    const apart = await readSimulationScene(planeScene('wavy', { overlap: true }, []));
    const before = apart.frame();
    for (let step = 0; step < 300; step++) apart.step();
    const after = apart.frame();
    expect(before.worstPenetration).toBeGreaterThan(0.1);
    expect(after.worstPenetration).toBeLessThan(0.01);
    expect(after.momentum.linear).toEqual(before.momentum.linear.map((value) => expect.closeTo(value as number, 9)));
  });
});

test('local and global penetration stand apart for a captive part', async () => {
  // A rod through a ring of four blocks, 1 mm into one of them: the way out of all of them together is the rod's length.
  const u: number[][] = [
    [-1, 0],
    [1, 0],
    [1, 1],
    [0.501, 1],
    [0.501, 0.2],
    [-0.5, 0.2],
    [-0.5, 1],
    [-1, 1],
  ];
  const scene: SceneDescription = {
    dimension: 2,
    gravity: [0, 0],
    bodies: [
      { shape: { polygon: u }, fixed: true },
      {
        shape: {
          polygon: [
            [-0.5, 0.21],
            [0.5, 0.21],
            [0.5, 0.9],
            [-0.502, 0.9],
          ],
        },
      },
    ],
  };
  const [frame] = await run(scene, 0);
  expect(frame.localPenetration).toBeGreaterThan(1.9e-3);
  expect(frame.localPenetration).toBeLessThan(2.3e-3);
  const solid = (w: number, h: number, d: number, x: number, y: number) => ({
    shape: { box: [w, h, d] },
    pose: at(x, y, 0),
  });
  const [space] = await run({ bodies: [{ ...solid(1, 1, 1, 0, 0), fixed: true }, solid(0.6, 1, 0.6, 0, 0.9)] }, 0);
  expect(space.localPenetration).toBeGreaterThan(0.0999);
  // An upper bound; flat faces take more of the search than it may spend.
  expect(space.localPenetration).toBeLessThan(0.135);
  expect(space.worstPenetration).toBeCloseTo(0.1, 6);
});

test.each([2, 3] as const)('a body on a path through a fixed one overlaps it, in dimension %i', async (dimension) => {
  const place = (x: number) => (dimension === 3 ? at(x, 0, 0) : [x, 0, 0]);
  const shape =
    dimension === 3
      ? { box: [1, 1, 1] }
      : {
          polygon: [
            [-0.5, -0.5],
            [0.5, -0.5],
            [0.5, 0.5],
            [-0.5, 0.5],
          ],
        };
  const path = [
    { time: 0, pose: place(-2) },
    { time: 1, pose: place(0.25) },
  ];
  const frames = await run(
    {
      dimension,
      bodies: [
        { shape, fixed: true },
        { shape, path },
      ],
    },
    60,
  );
  expect(frames[0].worstPenetration).toBe(0);
  expect(frames[60].worstPenetration).toBeCloseTo(0.75, 2);
});

describe('refusals', () => {
  const box = { shape: { box: [1, 1, 1] } };
  const disc = { shape: { circle: 1 } };
  const two = [box, box];
  test.each<[object, string]>([
    [{ bodies: two, forces: [{ body: 0 }] }, 'forces[0] has no "force" and no "torque"'],
    [{ bodies: [{ ...box, fixed: true }], forces: [{ body: 0, force: [1, 0, 0] }] }, 'never moves by forces'],
    [{ bodies: two, forces: [{ body: 0, force: [1, 0, 0], from: 1, to: 1 }] }, 'forces[0].to is 1, not after 1'],
    [{ bodies: two, surfaces: [{ bodies: [0] }] }, 'surfaces[0].bodies is a list of 1'],
    [{ bodies: two, surfaces: [{ bodies: [1, 1] }] }, 'names one body twice'],
    [{ bodies: [{ ...box, locks: ['q'] }] }, 'bodies[0].locks[0] is "q"'],
    [{ bodies: [{ ...box, letGo: 1 }] }, 'bodies[0].letGo is for a body that is held'],
    [{ bodies: [{ ...box, fixed: true, moves: {} }] }, 'bodies[0].moves is given and the body is fixed'],
    [{ bodies: [{ ...box, moves: {}, velocity: [1, 0, 0] }] }, 'although it is moved'],
    [{ bodies: [{ ...box, staticFriction: 0.1 }] }, 'less than the friction 0.5'],
    [{ bodies: [{ ...box, group: 0.5 }] }, 'bodies[0].group is 0.5'],
    [{ bodies: [{ ...box, fracture: {} }] }, 'bodies[0].fracture has no "impulse"'],
    [{ bodies: [{ ...box, fixed: true, fracture: { impulse: 1 } }] }, 'is for one body that is free'],
    [{ bodies: [{ shape: { sphere: 1 }, fracture: { impulse: 1 } }] }, 'does not come apart'],
    [{ bodies: [{ ...box, split: true }], probes: [{ body: 0, point: [0, 0, 0] }] }, 'comes apart'],
    [{ bodies: [{ shape: { box: [1, 1, 1], scale: 2 } }] }, 'shape.scale is for meshes'],
    [{ bodies: [{ shape: { model: 'box', scale: 0 } }] }, 'shape.scale has a 0'],
    [{ bodies: [{ shape: { model: 'box', thickness: 0 } }] }, 'shape.thickness is 0'],
    [{ bodies: [{ ...box, instances: [] }] }, 'bodies[0].instances is empty'],
    [{ bodies: [{ ...box, pose: at(0, 0, 0), instances: [at(0, 0, 0)] }] }, 'are poses of copies'],
    [{ bodies: two, joints: [{ type: 'distance', body: 0, at: [0, 0, 0] }] }, 'joints[0] has no "to"'],
    [{ bodies: two, joints: [{ type: 'spring', body: 0, at: [0, 0, 0], to: [1, 0, 0] }] }, 'has no "stiffness"'],
    [{ bodies: two, joints: [{ type: 'ball', body: 0, at: [0, 0, 0], length: 1 }] }, 'length is not for a ball joint'],
    [{ bodies: two, stiffness: 3 }, 'stiffness is for scenes in the plane'],
    [{ bodies: two, substeps: 0 }, 'substeps is 0'],
    [{ dimension: 2, bodies: [{ ...disc, locks: ['x'] }] }, 'locks is for scenes in space'],
    [{ dimension: 2, bodies: [disc, disc], surfaces: [] }, 'surfaces is for scenes in space'],
    [
      { dimension: 2, bodies: [{ ...disc, elastic: { waveSpeed: 1, frequency: 1 } }] },
      'is for polygons, not for a circle',
    ],
    [
      {
        dimension: 2,
        bodies: [
          {
            shape: {
              polygon: [
                [0, 0],
                [1, 0],
                [0, 1],
              ],
            },
            elastic: { waveSpeed: 1, frequency: 1, nodes: [[0, 0]] },
          },
        ],
      },
      'give one [x, y] for each of the 3 points',
    ],
  ])('%#: %j', (scene, message) => {
    expect(() => checkScene(scene)).toThrow(message);
  });
});
