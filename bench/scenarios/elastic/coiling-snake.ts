// A snake whose head is drawn to its tail, so that it coils up: Fisher and Lin 2001, figure 5. Inner nodes of head and tail
// are held, and those of the head moved from keyframe to keyframe.
import { pose, quat, type Vec3, vec3 } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import {
  buildWorld,
  type ElasticScene,
  elementsOf,
  isInner,
  KEPT,
  middleOf,
  nodesWhere,
  placed,
  sizeFor,
  volumeOf,
} from './elastic-scene.js';
import { followPath, type ProfilePoint, roundEnd, sweepProfile } from './snake-mesh.js';

const LENGTH = 1.9;
/** It winds from side to side: the angle, in radians, and the count of windings. */
const WINDING = 0.95;
const WINDINGS = 2;
/** Of the neck; the head is broader and the tail thinner. */
const GIRTH = 0.055;
/** How much of head and tail is held, in meters. */
const HELD = 0.1;

/** Where the head goes, from where it was, in meters. */
const WAY: readonly Vec3[] = [
  [0, 0, 0],
  [-0.2, 0, 0],
  [-0.4, 0, 0],
  [-0.6, 0.01, 0],
  [-0.75, 0.03, -0.04],
  [-0.9, 0.05, -0.08],
  [-1.05, 0.05, -0.12],
  [-1.15, 0.04, -0.12],
];
const SECONDS_PER_KEYFRAME = 0.5;
const ELEMENTS = 14_000;

export const coilingSnake: ElasticScene = {
  name: 'snake-coil',
  title: 'A snake coils up',
  description: 'The head of a snake is drawn to its tail; the body coils up and meets itself.',
  elements: ELEMENTS,
  realTimeElements: 5_000,
  duration: SECONDS_PER_KEYFRAME * WAY.length,
  keyframes: WAY.length,
  build(elements = ELEMENTS, options = {}) {
    const model = windingSnake();
    const mesh = elementsOf(model, sizeFor(volumeOf([model]), elements));
    const inner = isInner(mesh);
    const ends = model.positions.filter((_, i) => i % 3 === 0);
    const [tail, snout] = [Math.min(...ends), Math.max(...ends)];
    const tailNodes = nodesWhere(mesh, (x, _, __, node) => x < tail + HELD && inner(node));
    const headNodes = nodesWhere(mesh, (x, _, __, node) => x > snout - HELD && inner(node));
    const keyframes = WAY.map((offset, i) => ({ time: i * SECONDS_PER_KEYFRAME, offset }));
    const material = { young: 1e5, poisson: 0.4, damping: { mass: 2, stiffness: 0.01 } };
    const holds = [
      { nodes: tailNodes, keyframes: KEPT },
      { nodes: headNodes, keyframes },
    ];
    const parts = { gravity: null, rigid: [], elastic: [{ name: 'snake', mesh, material, friction: 0.1, holds }] };
    const built = buildWorld(parts, { timestep: 1 / 60, ...options });
    const [{ body }] = built.bodies;
    return {
      ...built,
      keyframes: keyframes.map(({ time }) => time),
      box: { min: [tail, -0.15, -0.35], max: [snout, 0.3, 0.35] },
      measures: [
        {
          id: 'headToTail',
          label: 'Head to tail',
          now: () => vec3.distance(middleOf(body, headNodes), middleOf(body, tailNodes)),
        },
      ],
    };
  },
};

function windingSnake(): Mesh {
  const path = followPath((along) => WINDING * Math.cos((2 * Math.PI * WINDINGS * along) / LENGTH), LENGTH);
  const sections = 160;
  const body = Array.from({ length: sections - 1 }, (_, i): ProfilePoint => {
    const along = 0.02 + ((LENGTH - 0.07) * (i + 1)) / sections;
    return [along, girthAt(along / LENGTH)];
  });
  const neck: ProfilePoint = [LENGTH - 0.05, girthAt(1 - 0.05 / LENGTH)];
  const profile = [
    [0, 0],
    ...roundEnd([0, 0], [0.02, girthAt(0.02 / LENGTH)], 4),
    ...body,
    neck,
    ...roundEnd(neck, [LENGTH, 0], 6),
  ] as const;
  // Winds over the ground: up is +Y.
  const laid = pose.create([0, 0, 0], quat.fromAxisAngle([1, 0, 0], -Math.PI / 2));
  const snake = placed(sweepProfile(profile, path, 24), laid);
  const middle = path(LENGTH).point[0] / 2;
  return { positions: snake.positions.map((x, i) => (i % 3 === 0 ? x - middle : x)), indices: snake.indices };
}

/** The radius of the body at `t` from the tail to the snout. */
function girthAt(t: number): number {
  const tail = 0.55 + 0.45 * Math.sin((Math.PI / 2) * Math.min(1, t / 0.45));
  const neck = Math.exp(-(((t - 0.9) / 0.03) ** 2));
  const head = Math.exp(-(((t - 0.96) / 0.03) ** 2));
  return GIRTH * tail * (1 - 0.15 * neck + 0.15 * head);
}
