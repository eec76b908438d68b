// Pairs of models of which some poses intersect and some do not: 500 seeded random poses at which about 20, 50 or 80 % of
// the pairs intersect, and motions that pass in and out of contact. The hit rates are asserted in tests/bench.
import { createRandom, type Pose, quat, type Vec3, vec3 } from 'nearfield/core';
import { findModel, type Mesh } from 'nearfield/mesh';
import { FRAME_COUNT, recordPoses, type Scenario, type ScenarioBody, type ScenarioDefinition } from './scenario.js';
import { slabs } from './slabs.js';

/** About which share of the poses intersects, in percent. */
export const HIT_RATES = [20, 50, 80] as const;
export type HitRate = (typeof HIT_RATES)[number];

interface MixedPair {
  readonly name: string;
  readonly title: string;
  readonly bodies: () => readonly [ScenarioBody, ScenarioBody];
  /**
   * The radius of the ball that the second body's center is spread over, about the first's: found by bisection for
   * each of {@link HIT_RATES}.
   */
  readonly spread: Readonly<Record<HitRate, number>>;
  /** How far the second body swings away from the first and back: about half of the frames intersect. */
  readonly swing: number;
}

const PAIRS: readonly MixedPair[] = [
  {
    name: 'tori',
    title: 'Tori',
    bodies: () => [model('wrinkled-torus'), model('bent-torus')],
    spread: { 20: 1.24, 50: 0.957, 80: 0.764 },
    swing: 1.37,
  },
  {
    name: 'peg-torus',
    title: 'Peg and torus',
    bodies: () => [model('spiral-peg'), model('bent-torus')],
    spread: { 20: 1.26, 50: 0.971, 80: 0.777 },
    swing: 1.43,
  },
  {
    name: 'slabs',
    title: 'Slabs',
    bodies: () => slabs.build().bodies as [ScenarioBody, ScenarioBody],
    spread: { 20: 1.42, 50: 1, 80: 0.789 },
    swing: 1.36,
  },
  {
    name: 'bunny-dragon',
    title: 'Bunny and dragon',
    bodies: () => [model('bunny', { triangles: 20_000 }), model('dragon', { triangles: 30_000 })],
    spread: { 20: 0.639, 50: 0.452, 80: 0.235 },
    swing: 0.797,
  },
  {
    name: 'grate-cylinder',
    title: 'Grate and cylinder',
    bodies: () => [model('grate-large'), model('cylinder')],
    spread: { 20: 1.44, 50: 1.21, 80: 0.82 },
    swing: 1.76,
  },
];

/** Random poses, at about each hit rate. */
export const mixedPoses: readonly (ScenarioDefinition & { readonly hitRate: HitRate })[] = PAIRS.flatMap((pair) =>
  HIT_RATES.map((hitRate, index) => ({
    hitRate,
    name: `mixed-${pair.name}-${hitRate}`,
    title: `${pair.title}, ${hitRate} %`,
    description: `Random poses, about ${hitRate} % of which intersect.`,
    build() {
      const random = createRandom(100 + index);
      const radius = pair.spread[hitRate];
      return createScenario(this, pair, () => {
        const distance = radius * Math.cbrt(random.next());
        return [vec3.scale(random.direction(), distance), random.rotation()];
      });
    },
  })),
);

/** Motions in and out of contact. */
export const mixedMotions: readonly ScenarioDefinition[] = PAIRS.map((pair) => ({
  name: `mixed-${pair.name}-motion`,
  title: `${pair.title}, in and out`,
  description: 'One body swings away from the other and back into it, turning.',
  build() {
    return createScenario(this, pair, (frame) => {
      const angle = (2 * Math.PI * frame) / FRAME_COUNT;
      // Four swings, each in another direction.
      const distance = (pair.swing * (1 - Math.cos(4 * angle))) / 2;
      const direction = vec3.normalize([Math.cos(angle), 0.4 + Math.sin(2 * angle), Math.sin(angle)]);
      const turn = quat.multiply(quat.fromAxisAngle([0, 1, 0], 2 * angle), quat.fromAxisAngle([1, 0, 0], 3 * angle));
      return [vec3.scale(direction, distance), turn];
    });
  },
}));

function createScenario(
  { name, title }: ScenarioDefinition,
  pair: MixedPair,
  place: (frame: number) => readonly [Vec3, quat.Quat],
): Scenario {
  const bodies = pair.bodies();
  const [centerA, centerB] = bodies.map(({ mesh }) => middleOf(mesh));
  return {
    name,
    title,
    bodies,
    pairs: [[0, 1]],
    frameCount: FRAME_COUNT,
    poses: recordPoses(2, (frame): Pose[] => {
      const [offset, turn] = place(frame);
      const [x, y, z] = vec3.subtract(vec3.add(centerA, offset), quat.rotate(turn, centerB));
      return [
        [0, 0, 0, 0, 0, 0, 1],
        [x, y, z, ...turn],
      ];
    }),
  };
}

function model(name: string, parameters?: Record<string, number>): ScenarioBody {
  return { name, mesh: findModel(name).build(parameters) };
}

/** The middle of the box around a mesh. */
function middleOf({ positions }: Mesh): Vec3 {
  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return vec3.scale(vec3.add(low, high), 0.5);
}
