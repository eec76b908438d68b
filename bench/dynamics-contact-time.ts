// The time of contact by each way of choosing trials: random throws of spinning meshes and balls, in short and in long steps.
import { createRandom, type Random } from 'nearfield/core';
import {
  CollisionShape,
  type MovingShape,
  TIME_OF_CONTACT_METHODS,
  type TimeOfContact,
  timeOfContact,
} from 'nearfield/dynamics';
import { findModel } from 'nearfield/mesh';
import { measure, milliseconds } from './measure.js';
import type { BenchTable, SuiteContext } from './suite.js';

/** How far the thrown shape moves in a step, in lengths of the shapes, and how far both turn, rad. */
const STEPS = [
  { name: 'short steps', way: 0.1, turn: 0.1 },
  { name: 'long steps', way: 1, turn: 2 },
] as const;
/** Trials end at a gap of this share of the size. */
const TOLERANCE = 1e-6;

export function contactTimeTable({ quick, progress }: SuiteContext): BenchTable {
  const rows: string[][] = [];
  for (const { name, way, turn } of STEPS) {
    progress(0.98, `time of contact, ${name}`);
    const throws = createThrows(quick ? 12 : 100, way, turn);
    for (const method of TIME_OF_CONTACT_METHODS) {
      const options = { method, tolerance: TOLERANCE };
      const results = throws.map(([a, b]) => timeOfContact(a, b, options));
      const found = results.filter(({ status }) => status === 'contact');
      const run = (): number => throws.reduce((sum, [a, b]) => sum + timeOfContact(a, b, options).lower, 0);
      const [{ median }] = measure([{ name: method, run }], { rounds: quick ? 1 : 3, minimumMilliseconds: 1 });
      const counts = found.map(({ iterations }) => iterations);
      rows.push([
        name,
        method,
        `${found.length} of ${throws.length}`,
        method === 'certified' ? '' : mean(counts).toFixed(1),
        method === 'certified' ? '' : `${Math.max(...counts)}`,
        mean(found.map(({ depths }) => depths)).toFixed(1),
        milliseconds(median / throws.length),
      ]);
    }
  }
  return {
    title: 'Time of contact: trials until the gap is at most 1e-6 of the size',
    headings: ['throws', 'method', 'contacts', 'trials, mean', 'trials, most', 'depths, mean', 'ms a throw'],
    rows,
    notes: [
      'Letters, tori, thin plates and balls that overlap at the end of the step. Kim, Otaduy, Lin and Manocha 2002 claim that the cubic ' +
        'takes fewer trials. Each that overlaps takes a depth, which costs far more than a distance.',
    ],
  };
}

/** Throws of one shape at another that are apart at the start and overlap at the end. */
function createThrows(count: number, way: number, turn: number): (readonly [MovingShape, MovingShape])[] {
  const random = createRandom(5);
  const shapes = [
    CollisionShape.solid(findModel('letter-a').build({})),
    CollisionShape.solid(findModel('torus').build({ majorSegments: 16, minorSegments: 8 })),
    CollisionShape.solid(findModel('box').build({ width: 1, height: 0.05, depth: 1 })),
    CollisionShape.ball(0.3),
  ];
  const throws: (readonly [MovingShape, MovingShape])[] = [];
  for (let trial = 0; throws.length < count && trial < 100 * count; trial++) {
    const pair = [0, 1].map(() => createMoving(shapes[random.integer(shapes.length)], random, turn));
    const [x, y, z] = random.direction();
    const away = random.range(0.3, 1.5);
    const a: MovingShape = { ...pair[0], pose: [away * x, away * y, away * z, ...random.rotation()] };
    const thrown: MovingShape = { ...a, velocity: [-way * x, -way * y, -way * z] };
    if (isThrow(timeOfContact(thrown, pair[1], { method: 'bisection', maxIterations: 1 })))
      throws.push([thrown, pair[1]]);
  }
  return throws;
}

function createMoving(shape: CollisionShape, random: Random, turn: number): MovingShape {
  const [x, y, z] = random.direction();
  return { shape, pose: [0, 0, 0, ...random.rotation()], angularVelocity: [turn * x, turn * y, turn * z] };
}

function isThrow({ status, upper }: TimeOfContact): boolean {
  return status !== 'overlap' && status !== 'clear' && upper !== null;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
