// The time of impact along straight flights with a turn: flights that hit and that miss, from near and from far.
import { box, createRandom, type Pose, pose, quat } from 'nearfield/core';
import { findModel } from 'nearfield/mesh';
import { type Motion, ProximityModel, timeOfImpact } from 'nearfield/proximity';
import { measure, milliseconds } from './measure.js';
import type { Suite } from './suite.js';

const PAIRS = [
  ['spoon', 'cup'],
  ['wrinkled-torus', 'wrinkled-torus'],
  ['bunny', 'bunny'],
] as const;

/** Where flights begin and by how much their paths miss the middle, as shares of the size of both. */
const FLIGHTS = [
  { name: 'hit from near', from: 1.2, aside: 0 },
  { name: 'hit from far', from: 20, aside: 0 },
  { name: 'past, closely', from: 1.2, aside: 0.5 },
  { name: 'past, from far', from: 20, aside: 5 },
];

export const impactSuite: Suite = {
  name: 'impact',
  title: 'Time of impact',
  chapters: ['proximity'],
  async run({ quick, progress }) {
    const cases = PAIRS.slice(0, quick ? 1 : undefined).flatMap((pair) => FLIGHTS.map((flight) => ({ pair, flight })));
    const rows = cases.map(({ pair, flight }, index) => {
      progress(index / cases.length, `${pair.join(', ')}: ${flight.name}`);
      const meshes = pair.map((name) => findModel(name).build());
      const [a, b] = meshes.map((mesh) => new ProximityModel(mesh));
      const size = meshes.reduce((sum, mesh) => sum + Math.hypot(...box.size(box.ofPositions(mesh.positions))) / 2, 0);
      const motions = flights(quick ? 4 : 16, flight.from * size, flight.aside * size);
      const results = motions.map((motion) => timeOfImpact(a, b, motion));
      const [{ median }] = measure(
        [{ name: flight.name, run: () => motions.reduce((sum, motion) => sum + timeOfImpact(a, b, motion).lower, 0) }],
        { rounds: quick ? 1 : 3, minimumMilliseconds: 1 },
      );
      return [
        pair.join(', '),
        flight.name,
        `${results.filter(({ impact }) => impact).length} of ${motions.length}`,
        milliseconds(median / motions.length),
      ];
    });
    return [{ title: 'timeOfImpact', headings: ['models', 'flights', 'impacts', 'ms a flight'], rows }];
  },
};

/** The second body flies past the first from one side to the other, and turns. */
function flights(count: number, from: number, aside: number): Motion[] {
  const random = createRandom(11);
  const turn = () =>
    quat.fromAxisAngle([random.range(-1, 1), random.range(-1, 1), random.range(0.1, 1)], random.range(0, 3));
  return Array.from({ length: count }, () => {
    const at = (x: number): Pose => pose.create([x, aside, 0], turn());
    return { a: pose.create([0, 0, 0], turn()), b: { from: at(-from), to: at(from) } };
  });
}
