// A ball pressed into the hole of a torus that is too small for it: the bodies of Fisher and Lin 2001, table 2. And the two
// deforming cylinders after the slides of Lin 2003, made elastic: they bend along each other where those went through.
import { pose, quat, type Vec3, vec3 } from 'nearfield/core';
import type { ElasticBody } from 'nearfield/elastic';
import { findModel } from 'nearfield/mesh';
import {
  buildWorld,
  type ElasticScene,
  elementsOf,
  KEPT,
  middleOf,
  nodesWhere,
  placed,
  sizeFor,
  volumeOf,
} from './elastic-scene.js';

const MATERIAL = { young: 1e5, poisson: 0.4, damping: { mass: 2, stiffness: 0.01 } };

const BALL = 0.3;
const RING = { majorRadius: 0.32, minorRadius: 0.14 };
/** The ball touches the torus when its middle is so high. */
const TOUCH = Math.sqrt((BALL + RING.minorRadius) ** 2 - RING.majorRadius ** 2);
/** How far its core goes down from there, and back. */
const PRESSES = [-0.02, 0.1, 0.2, 0.3, 0.3, -0.02];
const SECONDS_PER_PRESS = 0.6;

export const pressedBallAndTorus: ElasticScene = {
  name: 'ball-torus',
  title: 'A ball is pressed into a torus',
  description:
    'The core of a ball is moved down through the hole of a torus, which is held by its own core, and up again.',
  elements: 10_000,
  realTimeElements: 4_000,
  duration: SECONDS_PER_PRESS * PRESSES.length,
  keyframes: PRESSES.length,
  build(elements = 10_000, options = {}) {
    const start: Vec3 = [0, TOUCH - PRESSES[0], 0];
    const ball = placed(findModel('icosphere').build({ radius: BALL, subdivisions: 12 }), pose.create(start));
    const torus = findModel('torus').build({ ...RING, majorSegments: 64, minorSegments: 32 });
    const size = sizeFor(volumeOf([ball, torus]), elements);
    const [ballMesh, torusMesh] = [ball, torus].map((mesh) => elementsOf(mesh, size));
    const fromRing = (x: number, y: number, z: number): number => Math.hypot(Math.hypot(x, z) - RING.majorRadius, y);
    const ringCore = nodesWhere(torusMesh, (x, y, z) => fromRing(x, y, z) < 0.3 * RING.minorRadius);
    const hole = nodesWhere(torusMesh, (x, _, z) => Math.hypot(x, z) < RING.majorRadius - 0.9 * RING.minorRadius);
    const core = nodesWhere(ballMesh, (x, y, z) => Math.hypot(x, y - start[1], z) < 0.3 * BALL);
    const keyframes = PRESSES.map((press, i) => ({
      time: i * SECONDS_PER_PRESS,
      offset: [0, PRESSES[0] - press, 0] as const,
    }));
    const common = { material: MATERIAL, friction: 0.2 };
    const elastic = [
      { name: 'ball', mesh: ballMesh, ...common, holds: [{ nodes: core, keyframes }] },
      { name: 'torus', mesh: torusMesh, ...common, holds: [{ nodes: ringCore, keyframes: KEPT }] },
    ];
    const built = buildWorld({ gravity: null, rigid: [], elastic }, options);
    const [ballBody, torusBody] = built.bodies.map(({ body }) => body);
    return {
      ...built,
      keyframes: keyframes.map(({ time }) => time),
      box: { min: [-0.5, -0.35, -0.5], max: [0.5, 0.7, 0.5] },
      measures: [
        { id: 'height', label: 'Ball above the torus', now: () => middleOf(ballBody, core)[1] },
        { id: 'hole', label: 'Hole, mean radius', now: () => meanRadius(torusBody, hole) },
      ],
    };
  },
};

const CYLINDER = { radius: 0.3, height: 1 };
const APART = 0.62;
/** The ends of the second cylinder: moved towards the first, and turned out of its way again. */
const PUSHES: readonly { readonly bottom: Vec3; readonly top: Vec3 }[] = [
  { bottom: [0, 0, 0], top: [0, 0, 0] },
  { bottom: [-0.1, 0, 0], top: [-0.1, 0, 0] },
  { bottom: [-0.18, 0, 0], top: [-0.18, 0, 0] },
  { bottom: [-0.18, 0, 0.2], top: [-0.18, 0, -0.2] },
  { bottom: [-0.2, 0, -0.1], top: [-0.05, 0, 0.25] },
  { bottom: [-0.05, 0, 0], top: [-0.2, 0, 0] },
  { bottom: [0, 0, 0], top: [0, 0, 0] },
];
const SECONDS_PER_PUSH = 0.6;

export const elasticCylinders: ElasticScene = {
  name: 'cylinders',
  title: 'Two elastic cylinders',
  description: 'Two cylinders are pushed into each other by their ends: they bend and flatten instead of overlapping.',
  elements: 10_000,
  realTimeElements: 4_000,
  duration: SECONDS_PER_PUSH * PUSHES.length,
  keyframes: PUSHES.length,
  build(elements = 10_000, options = {}) {
    const cylinder = findModel('cylinder').build({ ...CYLINDER, segments: 48, bands: 24, capRings: 6 });
    const second = placed(cylinder, pose.create([APART, 0, 0], quat.fromAxisAngle([0, 1, 0], 0.1)));
    const size = sizeFor(volumeOf([cylinder, second]), elements);
    const end = 0.5 * CYLINDER.height - 0.6 * size;
    const elastic = [cylinder, second].map((model, i) => {
      const mesh = elementsOf(model, size);
      const holds = ([-1, 1] as const).map((side) => ({
        nodes: nodesWhere(mesh, (x, y, z) => side * y > end && Math.hypot(x - i * APART, z) < 0.4 * CYLINDER.radius),
        keyframes: PUSHES.map(({ bottom, top }, k) => ({
          time: k * SECONDS_PER_PUSH,
          offset: i === 0 ? ([0, 0, 0] as const) : side === 1 ? top : bottom,
        })),
      }));
      return { name: i === 0 ? 'first' : 'second', mesh, material: MATERIAL, friction: 0.2, holds };
    });
    const built = buildWorld({ gravity: null, rigid: [], elastic }, options);
    const bodies = built.bodies.map(({ body }) => body);
    const middles = bodies.map(({ mesh }) => nodesWhere(mesh, (_, y) => Math.abs(y) < size));
    return {
      ...built,
      keyframes: PUSHES.map((_, k) => k * SECONDS_PER_PUSH),
      box: { min: [-0.5, -0.55, -0.5], max: [1, 0.55, 0.5] },
      measures: [
        {
          id: 'apart',
          label: 'Middles apart',
          now: () => vec3.distance(middleOf(bodies[0], middles[0]), middleOf(bodies[1], middles[1])),
        },
      ],
    };
  },
};

/** The mean distance of nodes from the Y axis. */
function meanRadius({ positions }: ElasticBody, nodes: readonly number[]): number {
  return nodes.reduce((sum, node) => sum + Math.hypot(positions[3 * node], positions[3 * node + 2]), 0) / nodes.length;
}
