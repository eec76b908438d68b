// Ehmann and Lin 2001, section 8.2, scenarios 3 and 4: a fixed spiral peg with three bent tori on it. The large ones ride
// around the whole coil like nuts on a bolt, the small ones are threaded on the rod itself.
import { type Pose, pose, quat, type Vec3, vec3 } from 'nearfield/core';
import { findModel } from 'nearfield/mesh';
import { type RattleOptions, type RattlingBody, rattle } from './rattle.js';
import { type Helix, helixField, helixPoint, helixTangent, ringBalls } from './ring-balls.js';
import { FRAME_COUNT, type Scenario, type ScenarioDefinition } from './scenario.js';

const HELIX: Helix = { height: 0.87, coilRadius: 0.2, turns: 5 };
/** How much wider rod and tubes are in the simulation than in their meshes. */
const MARGIN = 0.001;
/** The peg against each torus, and the tori among themselves. */
const PAIRS = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
] as const;

interface Tori {
  readonly rodRadius: number;
  readonly majorRadius: number;
  readonly minorRadius: number;
  readonly bend: number;
  readonly starts: readonly Pose[];
  readonly motion: RattleOptions;
}

export const spiralPegLargeTori: ScenarioDefinition = {
  name: 'spiral-peg-large-tori',
  title: 'Spiral peg, large tori',
  description: 'Three bent tori around the coil of a fixed spiral peg, sliding up and down it and into each other.',
  build: () =>
    buildScenario(spiralPegLargeTori, {
      rodRadius: 0.065,
      majorRadius: 0.37,
      minorRadius: 0.06,
      bend: 0.4,
      starts: [-0.25, 0, 0.25].map((y) => pose.create([0, y, 0])),
      motion: {
        force: (time, body, [, y]) => [
          0.9 * Math.sin(2.1 * time + 2 * body),
          0.6 * Math.sin(1.5 * time + 0.7 * body) - 20 * beyond(y, 0.2),
          0.9 * Math.sin(1.7 * time + 1.3 * body),
        ],
        bounce: 0.6,
        drag: 0.8,
      },
    }),
};

export const spiralPegSmallTori: ScenarioDefinition = {
  name: 'spiral-peg-small-tori',
  title: 'Spiral peg, small tori',
  description: 'Three bent tori threaded on the rod of a fixed spiral peg, running along it.',
  build: () =>
    buildScenario(spiralPegSmallTori, {
      // A thinner rod, so that there is room for a ring between two turns.
      rodRadius: 0.045,
      majorRadius: 0.088,
      minorRadius: 0.022,
      bend: 0.2,
      starts: [0.25, 0.5, 0.75].map((t) => {
        const center = helixPoint(HELIX, t);
        return pose.create(center, turnFromY(helixTangent(HELIX, center)));
      }),
      motion: {
        force: (time, body, position) => {
          const along = 0.5 * Math.sin(1.1 * time + body) - 30 * beyond(position[1], 0.32);
          const across: Vec3 = [0.4 * Math.sin(3 * time), 0.4 * Math.sin(2 * time + body), 0.4 * Math.cos(3 * time)];
          return vec3.addScaled(across, helixTangent(HELIX, position), along);
        },
        bounce: 0.6,
        drag: 0.6,
      },
    }),
};

function buildScenario({ name, title }: ScenarioDefinition, tori: Tori): Scenario {
  const { rodRadius, majorRadius, minorRadius, bend, starts, motion } = tori;
  const torus = findModel('bent-torus').build({ majorRadius, minorRadius, bend });
  const balls = ringBalls(majorRadius, minorRadius + MARGIN, bend);
  const peg: RattlingBody = {
    balls: new Float64Array(),
    field: helixField(HELIX, rodRadius + MARGIN, minorRadius + 2 * MARGIN),
    start: pose.identity(),
    fixed: true,
    gyration: 1,
  };
  const rings = starts.map((start): RattlingBody => ({ balls, start, gyration: 0.8 * majorRadius }));
  return {
    name,
    title,
    bodies: [
      { name: 'spiral peg', mesh: findModel('spiral-peg').build({ rodRadius }) },
      ...starts.map((_, index) => ({ name: `torus ${index + 1}`, mesh: torus })),
    ],
    pairs: PAIRS,
    frameCount: FRAME_COUNT,
    poses: rattle([peg, ...rings], PAIRS, motion),
  };
}

/** How far a height lies beyond the given one, up or down; 0 between. */
function beyond(y: number, limit: number): number {
  return y - Math.min(limit, Math.max(-limit, y));
}

function turnFromY(direction: Vec3): quat.Quat {
  const axis = vec3.cross([0, 1, 0], direction);
  return quat.fromAxisAngle(vec3.normalize(axis), Math.atan2(vec3.length(axis), direction[1]));
}
