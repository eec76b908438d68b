// Scenes of elastic bodies against closed forms, as `nearfield simulate` reads and answers them.
import { describe, expect, test } from 'vitest';
import {
  animateFrames,
  readSimulationScene,
  type SceneDescription,
  type SimulationResult,
  simulateScene,
} from '../../src/dynamics/index.js';
import { writeModel } from '../../src/io/index.js';

const STILL = { gravity: [0, 0, 0] };

async function simulate(scene: object, steps: number, options: object = {}): Promise<SimulationResult> {
  const result = simulateScene(await readSimulationScene(JSON.stringify(scene)), { steps, ...options });
  expect(result).toMatchObject({ status: 'done', unsolved: 0 });
  return result;
}

/** A beam along x, held at x = 0. */
function beam(length: number, side: number, elastic: object, more: object = {}): object {
  return {
    shape: { box: [length, side, side] },
    pose: [length / 2, 0, 0, 0, 0, 0, 1],
    density: 1000,
    elastic,
    hold: [{ box: [0, -side, -side, 0, side, side] }],
    ...more,
  };
}

const endBox = (length: number, side: number): number[] => [length, -side, -side, length, side, side];
const last = <T>(list: readonly T[]): T => list[list.length - 1];

/** Tip of a square cantilever under an end load and under its weight: Timoshenko, with Cowper's shear coefficient. */
function tipOf(length: number, side: number, young: number, poisson: number, force: number, weight: number): number {
  const inertia = side ** 4 / 12;
  const shear = (young / (2 * (1 + poisson))) * ((10 * (1 + poisson)) / (12 + 11 * poisson)) * side ** 2;
  const bent = (force * length ** 3) / (3 * young * inertia) + (weight * length ** 3) / (8 * young * inertia);
  return bent + (force * length) / shear + (weight * length) / (2 * shear);
}

describe('equilibrium', () => {
  test('a bar is drawn out by F L / E A', async () => {
    const loads = [{ box: endBox(1, 0.2), force: [3, 0, 0] }];
    const bodies = [beam(1, 0.2, { young: 1e5, poisson: 0, resolution: 5 }, { loads })];
    const probes = [{ body: 0, point: [1, 0, 0] }];
    const { frames, elements } = await simulate({ ...STILL, analysis: 'static', bodies, probes }, 1);
    const exact = (3 * 1) / (1e5 * 0.04);
    expect(elements).toBe(104);
    expect(frames[0].probes[0][0]).toBeCloseTo(1, 12);
    expect(Math.abs((frames[1].probes[0][0] - 1) / exact - 1)).toBeLessThan(2e-3);
    expect(frames[1].energy.elastic).toBeCloseTo((3 * exact) / 2, 5);
  });

  test.each([
    ['an end load', [0, 0, 0], 2],
    ['its weight', [0, -9.81, 0], 0],
  ])('a cantilever under %s comes near to Timoshenko as elements get smaller', async (_, gravity, force) => {
    const loads = [{ box: endBox(1, 0.1), force: [0, -force, 0] }];
    const weight = -gravity[1] * 1000 * 0.01;
    const exact = tipOf(1, 0.1, 1e8, 0.3, force, weight);
    const shares: number[] = [];
    for (const [resolution, element] of [
      [10, 'linear'],
      [20, 'linear'],
      [10, 'quadratic'],
    ] as const) {
      const bodies = [beam(1, 0.1, { young: 1e8, poisson: 0.3, resolution, element }, { loads })];
      const probes = [{ body: 0, point: [1, 0, 0] }];
      const { frames } = await simulate({ gravity, analysis: 'static', bodies, probes }, 1);
      shares.push(-frames[1].probes[0][1] / exact);
    }
    expect(shares[0]).toBeGreaterThan(0.5);
    expect(shares[1]).toBeGreaterThan(0.8);
    expect(1 - shares[1]).toBeLessThan(0.5 * (1 - shares[0]));
    expect(Math.abs(1 - shares[2])).toBeLessThan(0.02);
  });

  test('given tetrahedra pass the patch test', async () => {
    // A cube with a node inside that is off its middle: 12 elements, two on each face.
    const corner = (i: number): number[] => [i & 1, (i >> 1) & 1, (i >> 2) & 1];
    const positions = [...Array.from({ length: 8 }, (_, i) => corner(i)), [0.4, 0.55, 0.6]];
    const faces = [
      [0, 2, 6, 4],
      [1, 3, 7, 5],
      [0, 1, 5, 4],
      [2, 3, 7, 6],
      [0, 1, 3, 2],
      [4, 5, 7, 6],
    ];
    const elements = faces.flatMap(([a, b, c, d]) => [
      [a, b, c, 8],
      [a, c, d, 8],
    ]);
    const map = ([x, y, z]: readonly number[]): number[] => [1.1 * x + 0.2 * y, 0.9 * y - 0.1 * z, 1.05 * z + 0.3 * x];
    const nodes = [0, 1, 2, 3, 4, 5, 6, 7];
    const body = {
      shape: { tetrahedra: { positions, elements } },
      elastic: { young: 1e6, poisson: 0.3 },
      hold: [{ nodes, positions: nodes.map((node) => map(positions[node])) }],
    };
    const scene = { ...STILL, analysis: 'static', bodies: [body], probes: [{ body: 0, node: 8 }] };
    const result = await simulate(scene, 1, { nodes: true });
    expect(result.elements).toBe(12);
    expect(last(result.frames).inverted).toBe(0);
    map(positions[8]).forEach((value, k) => {
      expect(last(result.frames).probes[0][k]).toBeCloseTo(value, 9);
      expect(last(result.frames).bodies[0].nodes?.[8][k]).toBeCloseTo(value, 9);
    });
  });

  test('keyframes of holds lead through equilibria', async () => {
    const keyframes = [0, 1].map((time) => ({ time, offset: [0.1 * time, 0, 0] }));
    const hold = [{ box: [0, -1, -1, 0, 1, 1] }, { box: endBox(1, 0.2), keyframes }];
    const bodies = [beam(1, 0.2, { young: 1e5, poisson: 0, resolution: 5, strain: 'linear' }, { hold })];
    const scene = { ...STILL, analysis: 'static', timestep: 0.25, bodies, probes: [{ body: 0, point: [0.5, 0, 0] }] };
    const { frames } = await simulate(scene, 4);
    frames.forEach(({ probes, energy, time }) => {
      expect(probes[0][0]).toBeCloseTo(0.5 + 0.05 * time, 9);
      expect(energy.elastic).toBeCloseTo((1e5 * 0.04 * (0.1 * time) ** 2) / 2, 6);
    });
  });
});

describe('motion', () => {
  const vibrating = (damping: object | number, resolution = 10): object => ({
    ...STILL,
    start: 'static',
    bodies: [
      beam(
        1,
        0.1,
        { young: 1e7, poisson: 0, damping, resolution },
        {
          loads: [{ box: endBox(1, 0.1), force: [0, -0.5, 0], until: 0 }],
        },
      ),
    ],
    probes: [{ body: 0, point: [1, 0, 0] }],
  });
  /** Times where the tip passes its place at rest. */
  const crossings = ({ frames }: SimulationResult): number[] =>
    frames.flatMap(({ time, probes: [[, y]] }, i) => {
      const before = frames[i - 1]?.probes[0][1] ?? y;
      return before < 0 === y < 0 ? [] : [time - (y / (y - before)) * (time - frames[i - 1].time)];
    });

  test('an undamped beam keeps its energy, its frequency and its amplitude', async () => {
    const result = await simulate(vibrating(0), 100);
    const tip = result.frames.map(({ probes: [[, y]] }) => y);
    const energies = result.frames.map(({ energy }) => energy.total);
    for (const energy of energies) expect(Math.abs(energy / energies[0] - 1)).toBeLessThan(1e-6);
    const times = crossings(result);
    expect(times.length).toBeGreaterThan(5);
    const frequency = (times.length - 1) / (2 * (last(times) - times[0]));
    // Elements that bend too little vibrate faster, by the root of what they are too stiff.
    const stiffer = tipOf(1, 0.1, 1e7, 0, 0.5, 0) / -tip[0];
    const exact = (1.875104 ** 2 / (2 * Math.PI)) * Math.sqrt((1e7 * 0.1 ** 2) / 12 / 1000);
    expect(Math.abs(frequency / (exact * Math.sqrt(stiffer)) - 1)).toBeLessThan(0.02);
    // The tip also moves by the next vibration, with 3 % of the amplitude.
    expect(Math.max(...tip.slice(-40).map(Math.abs))).toBeGreaterThan(0.97 * -tip[0]);
  });

  test.each([{ mass: 1 }, { stiffness: 0.01 }])('damping %j has the decay of Rayleigh', async (damping) => {
    const result = await simulate({ ...vibrating(damping), timestep: 1 / 100, solver: { substeps: 1 } }, 150);
    const times = crossings(result);
    const omega = (Math.PI * (times.length - 1)) / (last(times) - times[0]);
    const rate = ((damping.mass ?? 0) + (damping.stiffness ?? 0) * omega ** 2) / 2;
    // Energies at the same phase, a whole number of half periods apart; the first has other vibrations in it too.
    const energyAt = (time: number): number => {
      const after = result.frames.findIndex((frame) => frame.time >= time);
      const [a, b] = [result.frames[after - 1], result.frames[after]];
      const share = (time - a.time) / (b.time - a.time);
      return Math.exp((1 - share) * Math.log(a.energy.total) + share * Math.log(b.energy.total));
    };
    const [from, to] = [times[2], last(times)];
    expect(Math.abs(Math.log(energyAt(from) / energyAt(to)) / (2 * rate * (to - from)) - 1)).toBeLessThan(0.03);
  });

  test('a spinning body that falls keeps what it must', async () => {
    const body = {
      shape: { box: [0.2, 0.1, 0.1] },
      pose: [1, 2, 3, 0, 0, 0, 1],
      ...{ mass: 2, velocity: [1, 2, 0], angularVelocity: [1, 5, 2] },
      elastic: { young: 1e5, resolution: 4 },
    };
    const { frames } = await simulate({ bodies: [body] }, 30);
    const [first, end] = [frames[0], last(frames)];
    const t = end.time;
    [1 + t, 2 + 2 * t - (9.81 * t ** 2) / 2, 3].forEach((exact, k) => {
      expect(Math.abs(end.bodies[0].centerOfMass[k] - exact)).toBeLessThan(1e-10);
    });
    expect(first.bodies[0].pose).toEqual([1, 2, 3, 0, 0, 0, 1].map((value) => expect.closeTo(value, 12)));
    [1, 5, 2].forEach((value, k) => {
      expect((first.bodies[0].angularVelocity as number[])[k]).toBeCloseTo(value, 9);
    });
    expect(Math.abs(end.energy.total / first.energy.total - 1)).toBeLessThan(1e-6);
    // About its own center the angular momentum stays.
    const spins = [first, end].map(({ bodies: [{ centerOfMass: c, velocity: v }], momentum }) =>
      [0, 1, 2].map((k) => {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        return (momentum.angular as number[])[k] - 2 * (c[i] * v[j] - c[j] * v[i]);
      }),
    );
    spins[0].forEach((value, k) => {
      expect(Math.abs(spins[1][k] - value)).toBeLessThan(1e-9);
    });
  });

  test('balls that overlap by half a diameter part slowly, with momenta to 1e-9', async () => {
    const ball = (x: number): object => ({
      shape: { sphere: 0.1 },
      pose: [x, 0.1 * x, 0, 0, 0, 0, 1],
      elastic: { young: 1e5, resolution: 4 },
    });
    const { frames } = await simulate({ ...STILL, bodies: [ball(0), ball(0.1)] }, 20);
    expect(frames[0].worstPenetration).toBeGreaterThan(0.08);
    expect(last(frames).worstPenetration).toBe(0);
    for (const { bodies, momentum } of frames) {
      for (const { velocity } of bodies) expect(Math.hypot(...velocity)).toBeLessThan(3);
      expect(Math.hypot(...momentum.linear)).toBeLessThan(1e-9);
      expect(Math.hypot(...(momentum.angular as number[]))).toBeLessThan(1e-9);
    }
  });

  test('a block comes to rest on a rigid floor, and a rigid ball between its nodes', async () => {
    const bodies = [
      { shape: { box: [2, 0.5, 2] }, pose: [0, -0.25, 0, 0, 0, 0, 1], fixed: true },
      {
        shape: { box: [0.4, 0.2, 0.4] },
        pose: [0, 0.1, 0, 0, 0, 0, 1],
        elastic: { young: 1e5, poisson: 0, resolution: 2, damping: { mass: 10, stiffness: 0.01 } },
      },
      { shape: { sphere: 0.05 }, pose: [0.1, 0.26, 0.05, 0, 0, 0, 1], mass: 1 },
    ];
    const { frames } = await simulate({ bodies, solver: { substeps: 2 } }, 30, { every: 30 });
    const { bodies: states, contacts, worstPenetration, energy } = last(frames);
    expect(states[1].centerOfMass[1]).toBeGreaterThan(0.095);
    expect(states[1].centerOfMass[1]).toBeLessThan(0.1);
    expect(Math.hypot(...states[1].velocity)).toBeLessThan(0.05);
    expect(states[2].centerOfMass[1]).toBeGreaterThan(0.2);
    expect(contacts).toBeGreaterThan(4);
    expect(worstPenetration).toBeLessThan(0.02);
    expect(energy.elastic).toBeGreaterThan(0);
  });
});

test('an elastic body becomes morph targets of a GLB file', async () => {
  const scene = { bodies: [beam(1, 0.2, { young: 1e5, resolution: 5 })] } as unknown as SceneDescription;
  const simulation = await readSimulationScene(scene);
  const shapes: Float64Array[] = [];
  const onFrame = (): void => void shapes.push(simulation.surfaceOf(0)!);
  const { frames } = simulateScene(simulation, { steps: 4, onFrame });
  const { model, animation } = animateFrames(simulation.bodies, frames, new Map([[0, shapes]]));
  const bytes = Buffer.from(await writeModel(model, 'glb', { animation }));
  const json = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString());
  expect(json.meshes[0].primitives[0].targets).toHaveLength(4);
  expect(json.meshes[0].weights).toEqual([0, 0, 0, 0]);
  const channel = json.animations[0].channels.find(
    (own: { target: { path: string } }) => own.target.path === 'weights',
  );
  const { input, output } = json.animations[0].samplers[channel.sampler];
  expect([json.accessors[input].count, json.accessors[output].count]).toEqual([5, 20]);
});

test.each([
  [{ node: 9999 }, 'probes[0].node is 9999; the body has nodes 0 to'],
  [{ point: [9, 9, 9] }, 'probes[0].point: The point is outside of the body at rest'],
])('a probe that is not in the body is refused: %j', async (at, words) => {
  const scene = { bodies: [beam(1, 0.2, { young: 1e5, resolution: 5 })], probes: [{ body: 0, ...at }] };
  await expect(readSimulationScene(JSON.stringify(scene))).rejects.toThrow(words);
});

test('a start that overlaps is refused by barriers, with the bodies it is about', async () => {
  const bodies = [0, 0.1].map((x) => ({
    shape: { box: [1, 0.2, 0.2] },
    pose: [x, 0, 0, 0, 0, 0, 1],
    density: 1000,
    elastic: { young: 1e5, resolution: 3 },
  }));
  const simulation = await readSimulationScene(JSON.stringify({ solver: { contact: 'barrier' }, bodies }));
  expect(() => simulateScene(simulation, { steps: 1 })).toThrow(/Elastic body 0 .*Elastic body 1/);
});
