// Small scenes of rigid bodies with known answers: a stack, dominoes, an incline, a cradle; and the grates and tori of Kim,
// Otaduy, Lin and Manocha 2002 from their overlapping starts.
import { pose, quat } from 'nearfield/core';
import type { SceneBody, SceneDescription } from 'nearfield/dynamics';
import { penetrationBenchmarks } from '../penetration.js';
import { fixedAt, type RigidScene } from './rigid-scene.js';

function floor(side = 12): SceneBody {
  return fixedAt('floor', { box: [side, 0.5, side] }, [0, -0.25, 0]);
}

/** Ten boxes of 0.2 m on each other, a hair apart. */
export function boxStack(count = 10, side = 0.2): SceneDescription {
  return {
    bodies: [
      floor(4),
      ...Array.from({ length: count }, (_, i) => ({
        name: `box ${i}`,
        shape: { box: [side, side, side] },
        pose: [0, side * (i + 0.5), 0, 0, 0, 0, 1],
      })),
    ],
  };
}

/** Dominoes on a spiral; the first has been pushed. */
export function dominoes(count = 40): SceneDescription {
  const [height, width, thickness] = [0.5, 0.25, 0.06];
  const spacing = 0.22;
  let angle = 0;
  return {
    bodies: [
      floor(),
      ...Array.from({ length: count }, (_, i): SceneBody => {
        const radius = 3 - 0.2 * angle;
        // Faces along the way: the tangent of a circle of this radius.
        const turn = quat.fromAxisAngle([0, 1, 0], -angle);
        const at = pose.create([radius * Math.cos(angle), height / 2, radius * Math.sin(angle)], turn);
        angle += spacing / radius;
        const shape = { box: [width, height, thickness] };
        if (i > 0) return { name: `domino ${i}`, shape, pose: at };
        return { name: 'domino 0', shape, pose: at, angularVelocity: [3, 0, 0] };
      }),
    ],
  };
}

/** Boxes on a slope of 25 degrees: friction from far below the tangent of the slope to far above it. */
export function incline(degrees = 25): SceneDescription {
  const slope = (degrees * Math.PI) / 180;
  const turn = quat.fromAxisAngle([0, 0, 1], slope);
  const frictions = [0, 0.2, 0.4, 0.45, 0.48, 0.6, 0.8];
  const side = 0.4;
  const onSlope = (along: number, up: number, z: number): number[] => [
    along * Math.cos(slope) - up * Math.sin(slope),
    along * Math.sin(slope) + up * Math.cos(slope),
    z,
    ...turn,
  ];
  return {
    bodies: [
      // The friction of a pair is the geometric mean, so a slope of 1 leaves the square of each box's.
      { name: 'slope', shape: { box: [10, 0.5, 6] }, pose: onSlope(0, -0.25, 0), fixed: true, friction: 1 },
      ...frictions.map((friction, i) => ({
        name: `friction ${friction}`,
        shape: { box: [side, side, side] },
        pose: onSlope(3.5, side / 2, 0.7 * (i - (frictions.length - 1) / 2)),
        friction: friction ** 2,
      })),
    ],
  };
}

/** Newton's cradle: five balls on pins, the first lifted. */
export function cradle(count = 5): SceneDescription {
  const [radius, length] = [0.25, 2];
  const lifted = 0.6;
  const pinAt = (i: number): number => (2 * radius + 1e-4) * (i - (count - 1) / 2);
  return {
    bodies: Array.from({ length: count }, (_, i) => {
      const swing = i === 0 ? lifted : 0;
      const at = [pinAt(i) - length * Math.sin(swing), 3 - length * Math.cos(swing), 0, 0, 0, 0, 1];
      return { name: `ball ${i}`, shape: { sphere: radius }, pose: at, friction: 0, restitution: 1 };
    }),
    joints: Array.from({ length: count }, (_, i) => ({
      type: 'pin' as const,
      body: i,
      at: [pinAt(i), 3, 0],
      axis: [0, 0, 1],
    })),
  };
}

/** A pyramid of boxes, and a ball that hits it. */
export function pyramid(rows = 8): SceneDescription {
  const side = 0.4;
  const boxes = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: rows - row }, (_, i) => ({
      name: `box ${row}.${i}`,
      shape: { box: [side, side, side] },
      pose: [1.05 * side * (i - (rows - row - 1) / 2), side * (row + 0.5), 0, 0, 0, 0, 1],
    })),
  ).flat();
  return {
    bodies: [
      floor(16),
      ...boxes,
      { name: 'ball', shape: { sphere: 0.35 }, pose: [0, 1.2, 7, 0, 0, 0, 1], velocity: [0, 2, -14], density: 3000 },
    ],
  };
}

/** A pair of the penetration benchmarks, over a floor. */
function overlapping(name: 'interlocked-tori' | 'grates', height: number): SceneDescription {
  const { poseA, poseB } = penetrationBenchmarks.find((pair) => pair.name === name)!;
  const shapes =
    name === 'grates'
      ? [
          { model: 'grate-small', parameters: { bar: 0.6, gap: 1.1, overhang: 1.4, depth: 0.6 } },
          { model: 'grate-large', parameters: { bar: 0.5, gap: 1.2, overhang: 1, depth: 0.6 } },
        ]
      : [0, 1].map(() => ({ model: 'torus', parameters: { majorRadius: 1, minorRadius: 0.3 } }));
  return {
    bodies: [
      fixedAt('floor', { box: [30, 0.5, 30] }, [0, -0.25 - height, 0]),
      ...[poseA, poseB].map((at, i) => ({ name: `${name} ${i}`, shape: shapes[i], pose: [...at] })),
    ],
  };
}

export const exampleScenes: readonly RigidScene[] = [
  {
    name: 'tori',
    title: 'Interlocked tori from an overlap',
    description: 'Two linked tori start 0.5 m inside each other, part, and stay linked.',
    duration: 3,
    build: () => overlapping('interlocked-tori', 2),
  },
  {
    name: 'grates',
    title: 'Interlocked grates from an overlap',
    description: 'Two grates start 0.63 m inside each other; the bars find the openings.',
    duration: 3,
    build: () => overlapping('grates', 9),
  },
  {
    name: 'stack',
    title: 'A stack of ten boxes',
    description: 'Ten boxes of 0.2 m stand on each other.',
    duration: 5,
    build: () => boxStack(),
  },
  {
    name: 'dominoes',
    title: 'Dominoes',
    description: 'Forty dominoes on a spiral; the first has been pushed.',
    duration: 6,
    build: () => dominoes(),
  },
  {
    name: 'incline',
    title: 'Boxes on a slope',
    description: 'Boxes of different friction on a slope of 25°: those below tan 25° = 0.466 slide.',
    duration: 4,
    build: () => incline(),
  },
  {
    name: 'cradle',
    title: "Newton's cradle",
    description: 'Five balls on pins; the first was lifted.',
    duration: 10,
    build: () => cradle(),
  },
  {
    name: 'pyramid',
    title: 'A pyramid hit by a ball',
    description: 'A wall of 36 boxes in eight rows, and a ball that hits it.',
    duration: 5,
    build: () => pyramid(),
  },
];
