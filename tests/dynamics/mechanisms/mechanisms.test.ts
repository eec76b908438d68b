// Mechanisms that contact alone holds together do at steps of a hundredth of a second what they do at a thousandth, and what
// geometry and energy say.
import { expect, test } from 'vitest';
import {
  createBolt,
  createChain,
  createGears,
  createGeneva,
  createPendulum,
  createPiston,
  createRow,
  createSlider,
  type Mechanism,
  pistonLift,
} from './mechanisms.js';

const LONG = 0.01;
const SHORT = 0.001;
const SECONDS = 0.12;

/** Runs a mechanism; says where it came to and the most energy that it gained above the least before. */
function run({ world, progress }: Mechanism, seconds: number): { readonly end: number; readonly growth: number } {
  let least = world.energy().total;
  let growth = 0;
  for (let step = Math.round(seconds / world.timestep); step > 0; step--) {
    world.step();
    const { total } = world.energy();
    growth = Math.max(growth, total - least);
    least = Math.min(least, total);
  }
  expect(world.worstPenetration()).toBeLessThan(1e-4);
  return { end: progress(), growth };
}

function runBoth(create: (options: { timestep: number }) => Mechanism, seconds = SECONDS) {
  return { long: run(create({ timestep: LONG }), seconds), short: run(create({ timestep: SHORT }), seconds) };
}

test('an arm swings on a pin in a hole, without friction', () => {
  const { long, short } = runBoth(createPendulum);
  expect(short.end).toBeLessThan(-0.45);
  expect(Math.abs(long.end - short.end)).toBeLessThan(0.01);
  // What lifting 0.26 kg by the gap at rest takes, a thousandth of the radius of the pin.
  expect(Math.max(long.growth, short.growth)).toBeLessThan(0.26 * 9.81 * 1e-3 * 0.051);
});

test('a crank moves a head up and down by a rod whose round end is caught in a socket', () => {
  const { long, short } = runBoth(createPiston);
  // The play of eye and socket.
  expect(Math.abs(long.end - pistonLift(SECONDS))).toBeLessThan(7e-4);
  expect(Math.abs(short.end - pistonLift(SECONDS))).toBeLessThan(7e-4);
});

test('a block slides in a slot as on a slope', () => {
  const { long, short } = runBoth(createSlider);
  const way = 0.5 * 9.81 * 0.5 * SECONDS * SECONDS;
  expect(Math.abs(long.end - way)).toBeLessThan(1e-4);
  expect(Math.abs(short.end - way)).toBeLessThan(1e-4);
  expect(Math.max(long.growth, short.growth)).toBeLessThan(1e-4);
});

test('a gear drives one of twice the teeth at half the speed', () => {
  const { long, short } = runBoth(createGears);
  // The play of the teeth, before which the driven gear does not turn, and between which it may.
  const play = 0.03;
  expect(Math.abs(long.end + (Math.PI * SECONDS) / 2)).toBeLessThan(play);
  expect(Math.abs(short.end + (Math.PI * SECONDS) / 2)).toBeLessThan(play);
});

test('a pin turns a wheel of four slots by a quarter', () => {
  const { long, short } = runBoth(createGeneva, 0.4);
  const play = 0.01;
  expect(Math.abs(long.end - short.end)).toBeLessThan(play);
  // The wheel has turned by most of a quarter.
  expect(short.end).toBeGreaterThan(1.4);
  expect(short.end).toBeLessThan(Math.PI / 2);
});

test('a chain of links with a heavy one at its end hangs', () => {
  const { long, short } = runBoth(createChain, 0.08);
  // Nine links fall by the play between them, 2 mm each.
  expect(Math.abs(long.end - 0.018)).toBeLessThan(1e-3);
  expect(Math.abs(long.end - short.end)).toBeLessThan(2e-4);
  expect(Math.max(long.growth, short.growth)).toBeLessThan(1e-3);
});

test('a bolt without friction turns down through a nut', () => {
  const { long, short } = runBoth(createBolt);
  // It falls a millimeter before its thread meets that of the nut, and then takes a turn for each 5 cm.
  expect(long.end).toBeGreaterThan(0.005);
  expect(short.end).toBeGreaterThan(0.005);
  // What lifting it by its gap at rest takes.
  expect(Math.max(long.growth, short.growth)).toBeLessThan(3e-4);
});

test.each([LONG, 1 / 60])(
  'a long row against a wall, hit by a heavy box, makes no energy at steps of %f s',
  (timestep) => {
    const mechanism = createRow({ timestep });
    const { world } = mechanism;
    const start = world.energy().total;
    let least = start;
    let growth = 0;
    for (let step = 0; step < 32; step++) {
      world.step();
      const { total } = world.energy();
      growth = Math.max(growth, total - least);
      least = Math.min(least, total);
    }
    // Impulses of the blow that begin later substeps would give half of its energy back, springs of soft contacts a thousandth.
    expect(least).toBeLessThan(0.3 * start);
    expect(growth).toBeLessThan(1e-9 * start);
  },
);
