// Scenes that run: frames at the right times with the quantities of the contract, against closed forms of free motion.
import { describe, expect, test } from 'vitest';
import { animateFrames, readSimulationScene, type SceneDescription, simulateScene } from '../../src/dynamics/index.js';
import { readModel, writeModel } from '../../src/io/index.js';

const GRAVITY = -9.81;

async function run(scene: SceneDescription, steps: number, every = 1) {
  const simulation = await readSimulationScene(scene);
  return { simulation, ...simulateScene(simulation, { steps, every }) };
}

/** A box of 1 × 2 × 3 about its center, thrown and spinning about its first axis. */
const thrown = {
  name: 'thrown',
  shape: { box: [1, 2, 3] },
  pose: [0, 10, 0, 0, 0, 0, 1],
  mass: 6,
  velocity: [1, 2, 3],
  angularVelocity: [2, 0, 0],
};

describe('frames', () => {
  test('are taken at the start, at even counts of steps, and at the end', async () => {
    const { frames, steps, status, substeps, elements } = await run({ timestep: 0.1, bodies: [thrown] }, 7, 3);
    expect(frames.map(({ time }) => Number(time.toFixed(12)))).toEqual([0, 0.3, 0.6, 0.7]);
    expect({ steps, status, elements }).toEqual({ steps: 7, status: 'done', elements: 0 });
    expect(substeps).toBeGreaterThanOrEqual(1);
    expect((await run({ bodies: [thrown] }, 0)).frames).toHaveLength(1);
    expect((await run({ bodies: [thrown] }, 6, 3)).frames).toHaveLength(3);
  });

  test('hold pose, center of mass, velocities, energy and momentum of free motion', async () => {
    const scene = { timestep: 0.05, bodies: [thrown], probes: [{ body: 'thrown', point: [0, 11, 0] }] };
    const { frames } = await run(scene, 20);
    const inertia = (6 * (4 + 9)) / 12;
    for (const { time, bodies, energy, momentum, probes, contacts, worstPenetration, inverted } of frames) {
      const [{ pose, centerOfMass, velocity, angularVelocity }] = bodies;
      const center = [time, 10 + 2 * time + (GRAVITY * time ** 2) / 2, 3 * time];
      const half = time; // Half the angle of a turn at 2 rad/s.
      close(centerOfMass, center);
      close(velocity, [1, 2 + GRAVITY * time, 3]);
      close(angularVelocity as number[], [2, 0, 0]);
      close(pose, [...center, Math.sin(half), 0, 0, Math.cos(half)]);
      const kinetic = 0.5 * 6 * (1 + (2 + GRAVITY * time) ** 2 + 9) + 0.5 * inertia * 4;
      const gravitational = -6 * GRAVITY * center[1];
      expect(energy.kinetic).toBeCloseTo(kinetic, 9);
      expect(energy.gravitational).toBeCloseTo(gravitational, 9);
      expect(energy).toMatchObject({ elastic: 0, contact: 0 });
      expect(energy.total).toBeCloseTo(energy.kinetic + energy.gravitational, 9);
      close(momentum.linear, [6, 6 * (2 + GRAVITY * time), 18]);
      const [px, py, pz] = momentum.linear;
      const [x, y, z] = center;
      close(momentum.angular as number[], [y * pz - z * py + inertia * 2, z * px - x * pz, x * py - y * px]);
      close(probes[0], [center[0], center[1] + Math.cos(2 * half), center[2] + Math.sin(2 * half)]);
      expect({ contacts, worstPenetration, inverted }).toEqual({ contacts: 0, worstPenetration: 0, inverted: 0 });
    }
  });

  test('place the shape’s own frame, whose origin need not be the center of mass', async () => {
    // A unit cube of six tetrahedra with a corner at the origin: its center of mass is at (½, ½, ½).
    const corner = (i: number) => [i & 1, (i >> 1) & 1, (i >> 2) & 1];
    const positions = Array.from({ length: 8 }, (_, i) => corner(i));
    // The six paths from 000 to 111, one axis after another; half of these tetrahedra are inside out.
    const elements = [
      [1, 3],
      [1, 5],
      [2, 3],
      [2, 6],
      [4, 5],
      [4, 6],
    ].map(([a, b]) => [0, a, b, 7]);
    const scene: SceneDescription = {
      gravity: [0, 0, 0],
      timestep: 0.1,
      bodies: [
        { shape: { tetrahedra: { positions, elements } }, density: 2, angularVelocity: [0, 0, 1] },
        { shape: { tetrahedra: { positions, elements } }, pose: [5, 0, 0, 0, 0, 0, 1], fixed: true },
      ],
    };
    const { frames, simulation } = await run(scene, 10);
    const [{ bodies }, last] = [frames[0], frames[10]];
    close(bodies[0].centerOfMass, [0.5, 0.5, 0.5]);
    close(bodies[1].centerOfMass, [5.5, 0.5, 0.5]);
    close(last.bodies[0].centerOfMass, [0.5, 0.5, 0.5]);
    close(last.bodies[0].velocity, [0, 0, 0]);
    const [c, s] = [Math.cos(1), Math.sin(1)];
    close(last.bodies[0].pose.slice(0, 3), [0.5 - 0.5 * c + 0.5 * s, 0.5 - 0.5 * s - 0.5 * c, 0]);
    // A cube of mass 2: inertia 2/6 about its center.
    expect(last.energy.kinetic).toBeCloseTo(0.5 * (2 / 6), 10);
    expect(simulation.bodies.map(({ kind }) => kind)).toEqual(['dynamic', 'fixed']);
  });

  test('follow a path, with the velocity of the center of mass', async () => {
    const turned = (angle: number) => [Math.sin(angle / 2), Math.cos(angle / 2)];
    const at = (time: number, x: number, angle: number) => {
      const [z, w] = turned(angle);
      return { time, pose: [x, 0, 0, 0, 0, z, w] };
    };
    // Standing on y = 0: the center of mass of the letter is above the origin of its frame.
    const scene: SceneDescription = {
      timestep: 0.01,
      bodies: [{ shape: { model: 'letter-i' }, path: [at(0, 0, 0), at(1, 2, 1), at(2, 2, 1)] }],
    };
    const { frames } = await run(scene, 200);
    const center = frames[0].bodies[0].centerOfMass;
    expect(center[1]).toBeCloseTo(0.5, 6);
    const { pose, velocity, angularVelocity } = frames[50].bodies[0];
    close(pose, [1, 0, 0, 0, 0, ...turned(0.5)]);
    expect((angularVelocity as number[])[2]).toBeCloseTo(1, 6);
    // Within the step that was half a step ago: 2 along x, and the turning about the origin.
    expect(velocity[0]).toBeCloseTo(2 - 0.5 * Math.cos(0.5), 2);
    expect(velocity[1]).toBeCloseTo(-0.5 * Math.sin(0.5), 2);
    close(frames[200].bodies[0].pose, [2, 0, 0, 0, 0, ...turned(1)]);
    close(frames[200].bodies[0].velocity, [0, 0, 0]);
    expect(frames[200].energy.total).toBe(0);
  });
});

describe('in the plane', () => {
  test('frames hold the quantities of free motion, with numbers for what turns', async () => {
    // A rectangle whose corner is the origin of its frame.
    const polygon = [
      [0, 0],
      [2, 0],
      [2, 1],
      [0, 1],
    ];
    const body = { name: 'plate', shape: { polygon }, mass: 3, velocity: [1, 4], angularVelocity: 2 };
    const scene: SceneDescription = {
      dimension: 2,
      timestep: 0.05,
      bodies: [body],
      probes: [{ body: 'plate', point: [0, 0] }],
    };
    const { frames, simulation, substeps } = await run(scene, 20);
    expect(simulation.dimension).toBe(2);
    expect(substeps).toBeGreaterThanOrEqual(1);
    const inertia = (3 * (4 + 1)) / 12;
    for (const { time, bodies, energy, momentum, probes } of frames) {
      const [{ pose, centerOfMass, velocity, angularVelocity }] = bodies;
      const center = [1 + time, 0.5 + 4 * time + (GRAVITY * time ** 2) / 2];
      const [c, s] = [Math.cos(2 * time), Math.sin(2 * time)];
      close(centerOfMass, center);
      close(velocity, [1, 4 + GRAVITY * time]);
      expect(angularVelocity).toBeCloseTo(2, 9);
      const origin = [center[0] - c + 0.5 * s, center[1] - s - 0.5 * c];
      close(pose.slice(0, 2), origin);
      expect(Math.cos(pose[2])).toBeCloseTo(c, 9);
      close(probes[0], origin);
      expect(energy.kinetic).toBeCloseTo(1.5 * (1 + (4 + GRAVITY * time) ** 2) + 2 * inertia, 9);
      expect(energy.gravitational).toBeCloseTo(-3 * GRAVITY * center[1], 9);
      close(momentum.linear, [3, 3 * (4 + GRAVITY * time)]);
      const [px, py] = momentum.linear;
      expect(momentum.angular).toBeCloseTo(center[0] * py - center[1] * px + 2 * inertia, 9);
    }
    const { model, animation } = animateFrames(simulation.bodies, frames);
    expect(model.parts).toHaveLength(1);
    expect(animation.tracks[0].poses).toHaveLength(7 * 21);
  });

  test('bodies fall on each other, hang on pins and follow paths', async () => {
    const ground = {
      shape: {
        polygon: [
          [-9, -1],
          [9, -1],
          [9, 0],
          [-9, 0],
        ],
      },
      fixed: true,
    };
    const path = [0, 1].map((time) => ({ time, pose: [20 + 3 * time, 0, time] }));
    const scene: SceneDescription = {
      dimension: 2,
      bodies: [
        ground,
        { shape: { circle: 0.5 }, pose: [0, 0.6, 0] },
        { name: 'wheel', shape: { circle: 0.5 }, pose: [5, 3, 0] },
        { shape: { circle: 0.5 }, path },
      ],
      joints: [{ type: 'pin', body: 'wheel', at: [5, 3], speed: 2 }],
    };
    const { frames } = simulateScene(await readSimulationScene(scene, { sleeping: false }), { steps: 120, every: 30 });
    const last = frames.at(-1)!;
    expect(last.bodies[1].centerOfMass[1]).toBeCloseTo(0.5, 2);
    expect(last.contacts).toBeGreaterThan(0);
    expect(last.worstPenetration).toBeLessThan(1e-3);
    close(last.bodies[2].centerOfMass, [5, 3], 6);
    expect(last.bodies[2].angularVelocity).toBeCloseTo(2, 6);
    close(last.bodies[3].pose, [23, 0, 1], 9);
  });

  test.each<[string, SceneDescription, string]>([
    [
      'a polygon that crosses itself',
      {
        dimension: 2,
        bodies: [
          {
            shape: {
              polygon: [
                [0, 0],
                [1, 1],
                [1, 0],
                [0, 1],
              ],
            },
          },
        ],
      },
      'bodies[0].shape: ',
    ],
    [
      'a hinge',
      { dimension: 2, bodies: [{ shape: { circle: 1 } }], joints: [{ type: 'hinge', body: 0, at: [0, 0] }] },
      'joints[0].type is "hinge"; give "pin", "slider", "fixed", "distance".',
    ],
  ])('%s is refused', async (_, scene, words) => {
    await expect(readSimulationScene(scene)).rejects.toThrow(words);
  });
});

test('bodies fall on each other in space, hang on pins and turn by motors', async () => {
  const scene: SceneDescription = {
    bodies: [
      { shape: { box: [9, 1, 9] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true },
      { shape: { box: [1, 1, 1] }, pose: [0, 0.6, 0, 0, 0, 0, 1] },
      { name: 'wheel', shape: { sphere: 0.5 }, pose: [5, 3, 0, 0, 0, 0, 1] },
    ],
    joints: [{ type: 'pin', body: 'wheel', at: [5, 3, 0], axis: [1, 0, 0], speed: 2 }],
  };
  const { frames } = await run(scene, 90, 30);
  const last = frames.at(-1)!;
  expect(last.bodies[1].centerOfMass[1]).toBeCloseTo(0.5, 2);
  expect(last.contacts).toBeGreaterThanOrEqual(3);
  expect(last.worstPenetration).toBeLessThan(1e-3);
  close(last.bodies[2].centerOfMass, [5, 3, 0], 6);
  expect((last.bodies[2].angularVelocity as number[])[0]).toBeCloseTo(2, 6);
  const box = last.bodies[1];
  expect(Math.hypot(...box.velocity)).toBeLessThan(1e-3);
});

describe('a run', () => {
  test('ends with the budget', async () => {
    const simulation = await readSimulationScene({ bodies: [thrown] });
    const result = simulateScene(simulation, { steps: 1e9, maxSeconds: 0.02 });
    expect(result.status).toBe('budget');
    // How many it did depends on the machine; the frames go as far as it came.
    expect(result.steps).toBeLessThan(1e9);
    expect(result.frames).toHaveLength(result.steps + 1);
    expect(result.frames.at(-1)!.time).toBeCloseTo(result.steps / 60, 9);
    expect(simulateScene(simulation, { steps: 5, maxSeconds: 0 }).status).toBe('budget');
  });

  test('reports progress, hands out frames, and stops when asked', async () => {
    const simulation = await readSimulationScene({ bodies: [thrown] });
    const fractions: number[] = [];
    const signal = { aborted: false };
    const times: number[] = [];
    const onProgress = (fraction: number) => {
      fractions.push(fraction);
      signal.aborted = fractions.length === 4;
    };
    const onFrame = ({ time }: { time: number }) => times.push(time);
    expect(() => simulateScene(simulation, { steps: 10, signal, onProgress, onFrame })).toThrow('caller');
    expect(fractions).toEqual([0, 0.1, 0.2, 0.3]);
    expect(times).toHaveLength(5);
  });

  test('goes on from where the last one ended', async () => {
    const once = await run({ bodies: [thrown] }, 20);
    const twice = await run({ bodies: [thrown] }, 8);
    const rest = simulateScene(twice.simulation, { steps: 12 });
    expect(rest.frames.at(-1)).toEqual(once.frames.at(-1));
  });

  test('measures its steps', async () => {
    const { msPerStep, milliseconds } = await run({ bodies: [thrown] }, 50);
    expect(msPerStep.median).toBeLessThanOrEqual(msPerStep.p95);
    expect(msPerStep.p95).toBeLessThanOrEqual(msPerStep.max);
    expect(50 * msPerStep.mean).toBeLessThanOrEqual(milliseconds);
  });

  test.each([
    [{ steps: -1 }, 'number of steps is -1'],
    [{ steps: 1.5 }, 'number of steps is 1.5'],
    [{ steps: 1, every: 0 }, 'steps between frames is 0'],
    [{ steps: 1, maxSeconds: Number.NaN }, 'maxSeconds is NaN'],
    [{ steps: 1, step: 2 }, "no 'step'"],
  ])('refuses %j', async (options, words) => {
    const simulation = await readSimulationScene({ bodies: [] });
    expect(() => simulateScene(simulation, options)).toThrow(words);
  });
});

describe('shapes of scenes', () => {
  test('are shared by the bodies that have the same', async () => {
    const shape = { model: 'letter-a', parameters: { height: 2 } };
    const { bodies } = await readSimulationScene({ bodies: [{ shape }, { shape: { ...shape } }, thrown] });
    expect(bodies[0].shape).toBe(bodies[1].shape);
    expect(bodies[2].shape).not.toBe(bodies[0].shape);
  });

  test('come from files through the caller', async () => {
    const asked: string[] = [];
    const mesh = {
      positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
      indices: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2),
    };
    const loadMesh = async (file: string) => {
      asked.push(file);
      return mesh;
    };
    const bodies = [{ shape: { file: 'a.obj' } }, { shape: { file: 'a.obj' } }, { shape: { file: 'b.obj' } }];
    const simulation = await readSimulationScene({ bodies }, { loadMesh });
    expect(asked).toEqual(['a.obj', 'b.obj']);
    close(simulation.frame().bodies[0].centerOfMass, [0.25, 0.25, 0.25]);
  });

  const open = { positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), indices: Uint32Array.of(0, 1, 2) };
  test.each<[string, SceneDescription, string]>([
    ['an open mesh', { bodies: [{ shape: { file: 'open.obj' } }] }, 'bodies[0].shape: The mesh'],
    ['an unknown model', { bodies: [{ shape: { model: 'teapot' } }] }, 'bodies[0].shape: there is no model "teapot"'],
    [
      'a parameter out of range',
      { bodies: [{ shape: { model: 'box', parameters: { width: -1 } } }] },
      'bodies[0].shape: The parameter width',
    ],
    [
      'flat tetrahedra',
      {
        bodies: [
          {
            shape: {
              tetrahedra: {
                positions: [
                  [0, 0, 0],
                  [1, 0, 0],
                  [0, 1, 0],
                  [1, 1, 0],
                ],
                elements: [[0, 1, 2, 3]],
              },
            },
          },
        ],
      },
      'bodies[0].shape: The tetrahedron of the nodes 0, 1, 2, 3 is flat',
    ],
  ])('are refused with their place: %s', async (_, scene, words) => {
    await expect(readSimulationScene(scene, { loadMesh: () => open })).rejects.toThrow(words);
  });

  test('in files cannot be read without a function for it', async () => {
    await expect(readSimulationScene({ bodies: [{ shape: { file: 'a.obj' } }] })).rejects.toThrow(
      'bodies[0].shape: the file "a.obj"',
    );
  });
});

test('a simulation becomes a model whose parts move', async () => {
  const scene: SceneDescription = {
    bodies: [
      thrown,
      { shape: { sphere: 0.5 }, pose: [3, 0, 0, 0, 0, 0, 1] },
      { name: 'ground', shape: { box: [9, 1, 9] }, pose: [0, -5, 0, 0, 0, 0, 1], fixed: true },
    ],
  };
  const { simulation, frames } = await run(scene, 4, 2);
  const { model, animation } = animateFrames(simulation.bodies, frames);
  expect(animation.times).toEqual(frames.map(({ time }) => time));
  expect(animation.tracks.map(({ part }) => part)).toEqual([0, 1]);
  close(Array.from(animation.tracks[0].poses).slice(-7), frames.at(-1)!.bodies[0].pose);
  const read = await readModel(await writeModel(model, 'glb', { animation }), { fileName: 'a.glb' });
  expect(read.parts.map(({ name }) => name)).toEqual(['thrown', 'body 1', 'ground']);
  expect(read.parts[2].transform[7]).toBe(-5);
  const ball = read.meshes[read.parts[1].meshIndex].mesh.positions;
  for (let i = 0; i < ball.length; i += 3) expect(Math.hypot(ball[i], ball[i + 1], ball[i + 2])).toBeCloseTo(0.5, 6);
});

function close(got: readonly number[], wanted: readonly number[], digits = 9): void {
  expect(got).toHaveLength(wanted.length);
  for (const [k, value] of got.entries()) expect(value, `${got} against ${wanted}`).toBeCloseTo(wanted[k], digits);
}
