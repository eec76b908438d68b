// A snake swallows an apple from a bowl of fruit: Fisher and Lin 2001, figure 6. Inner nodes of the jaws, of the tail and of
// the apple's core are held and moved by eight keyframes; the fruit is elastic, the bowl rigid.
import { pose, type Vec3, vec3 } from 'nearfield/core';
import { findModel, type Mesh } from 'nearfield/mesh';
import {
  buildWorld,
  type ElasticPart,
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
import { followPath, type ProfilePoint, roundEnd, type SnakePath, sweepProfile } from './snake-mesh.js';

const LENGTH = 0.95;
const GIRTH = 0.046;
/** Of the gullet, and how far it goes from the snout. */
const BORE = 0.021;
const GULLET = 0.36;
/** The straight part before the snout, which points down by this angle. */
const HEAD = 0.28;
const DOWN = 1.05;
/** The angle at which the body rises from the ground. */
const UP = 1.4;
/** The jaws: so far from the lips their inner nodes are held. */
const JAW = 0.035;
/** The part of the tail that is held, in meters. */
const HELD_TAIL = 0.12;

const ORANGE = 0.042;
const APPLE = 0.037;
/** From the axis of the bowl to the middles of three oranges, which nearly touch. */
const RING = 0.05;
const BOWL = { radius: 0.175, depth: 0.115, thickness: 0.03, segments: 24, rings: 6 };
const ORANGE_HEIGHT = 0.084;
const APPLE_AT: Vec3 = [0, 0.149, 0];

/**
 * What is moved at each keyframe, in meters: the head along its axis, both jaws apart, and the apple against the axis, into
 * the snake.
 */
const KEYFRAMES: readonly { readonly head: number; readonly open: number; readonly apple: number }[] = [
  { head: 0, open: 0, apple: 0 },
  { head: 0.03, open: 0.014, apple: 0 },
  { head: 0.08, open: 0.026, apple: 0 },
  { head: 0.08, open: 0.026, apple: 0.05 },
  { head: 0.06, open: 0.016, apple: 0.12 },
  { head: 0.03, open: 0.004, apple: 0.18 },
  { head: 0, open: 0, apple: 0.25 },
  { head: -0.02, open: 0, apple: 0.32 },
];
const SECONDS_PER_KEYFRAME = 0.75;
const ELEMENTS = 23_000;
const GRAVITY: Vec3 = [0, -9.81, 0];

export const swallowingSnake: ElasticScene = {
  name: 'snake-swallow',
  title: 'A snake swallows an apple',
  description: 'A snake takes an apple out of a bowl of fruit and swallows it whole: its mouth opens around the apple.',
  elements: ELEMENTS,
  realTimeElements: 5_500,
  duration: SECONDS_PER_KEYFRAME * KEYFRAMES.length,
  keyframes: KEYFRAMES.length,
  build(elements = ELEMENTS, options = {}) {
    const { snake, path } = hollowSnake();
    const lips = path(LENGTH);
    const axis = lips.forward;
    const apple = placed(findModel('apple').build({ radius: APPLE, segments: 32, rings: 25 }), pose.create(APPLE_AT));
    const oranges = [0, 1, 2].map((i) => {
      const angle = (2 * Math.PI * i) / 3;
      const at: Vec3 = [RING * Math.cos(angle), ORANGE_HEIGHT, RING * Math.sin(angle)];
      return placed(findModel('icosphere').build({ radius: ORANGE, subdivisions: 8 }), pose.create(at));
    });
    const size = sizeFor(volumeOf([snake, apple, ...oranges]), elements);
    const bowl = {
      shape: { model: 'bowl', parameters: BOWL },
      pose: pose.create([0, BOWL.depth / 2, 0]),
      ...{ fixed: true, friction: 0.3 },
    };
    const [snakeMesh, appleMesh] = [snake, apple].map((mesh) => elementsOf(mesh, size));

    const frames = (offset: (frame: (typeof KEYFRAMES)[number]) => Vec3) =>
      KEYFRAMES.map((frame, i) => ({ time: i * SECONDS_PER_KEYFRAME, offset: offset(frame) }));
    const inner = isInner(snakeMesh);
    const local = (x: number, y: number): [along: number, up: number] => {
      const from: Vec3 = [x - lips.point[0], y - lips.point[1], 0];
      return [vec3.dot(from, axis), vec3.dot(from, lips.left)];
    };
    const jaws = [1, -1].map((side) => ({
      nodes: nodesWhere(snakeMesh, (x, y, z, node) => {
        const [along, up] = local(x, y);
        return (
          along > -JAW && side * up > 0.5 * Math.abs(z) && side * up > 0 && Math.abs(up) < 2 * GIRTH && inner(node)
        );
      }),
      keyframes: frames(({ head, open }) => vec3.add(vec3.scale(axis, head), vec3.scale(lips.left, side * open))),
    }));
    const tail = nodesWhere(snakeMesh, (x, _, __, node) => x < path(HELD_TAIL).point[0] && inner(node));
    const core = nodesWhere(appleMesh, (x, y, z) => vec3.distance([x, y, z], APPLE_AT) < 0.5 * APPLE);
    const swallowed = frames((frame) => vec3.scale(axis, -frame.apple));
    const damping = { mass: 4, stiffness: 0.01 };
    const elastic: ElasticPart[] = [
      {
        name: 'snake',
        mesh: snakeMesh,
        material: { young: 2e4, poisson: 0.4, damping },
        friction: 0.05,
        holds: [...jaws, { nodes: tail, keyframes: KEPT }],
      },
      {
        name: 'apple',
        mesh: appleMesh,
        material: { young: 2e5, poisson: 0.4, damping },
        friction: 0.05,
        holds: [{ nodes: core, keyframes: swallowed }],
      },
      ...oranges.map((mesh, i) => ({
        name: `orange ${i + 1}`,
        mesh: elementsOf(mesh, size),
        material: { young: 1e5, poisson: 0.4, damping, gravity: GRAVITY },
        ...{ friction: 0.3, holds: [] },
      })),
    ];
    const built = buildWorld({ gravity: GRAVITY, rigid: [bowl], elastic }, options);
    const [snakeBody, appleBody] = built.bodies.map(({ body }) => body);
    const jawMiddle = (jaw: number): Vec3 => middleOf(snakeBody, jaws[jaw].nodes);
    return {
      ...built,
      keyframes: KEYFRAMES.map((_, i) => i * SECONDS_PER_KEYFRAME),
      box: { min: [-0.65, 0, -0.18], max: [0.18, 0.58, 0.18] },
      measures: [
        {
          id: 'swallowed',
          label: 'Apple behind the lips',
          now: () => {
            const lip = vec3.scale(vec3.add(jawMiddle(0), jawMiddle(1)), 0.5);
            return vec3.dot(vec3.subtract(lip, middleOf(appleBody, core)), axis) + JAW / 2;
          },
        },
        {
          id: 'mouth',
          label: 'Jaws apart',
          now: () => vec3.distance(jawMiddle(0), jawMiddle(1)),
        },
      ],
    };
  },
};

/** Lies on the ground, rises, and ends above the apple with its mouth towards it. */
function hollowSnake(): { readonly snake: Mesh; readonly path: (along: number) => SnakePath } {
  const rise = (from: number, to: number, t: number): number => {
    const s = Math.min(1, Math.max(0, (t - from) / (to - from)));
    return s * s * (3 - 2 * s);
  };
  const free = followPath(
    (along) => UP * rise(0.12, 0.3, along) - (UP + DOWN) * rise(0.36, LENGTH - HEAD, along),
    LENGTH,
  );
  // The mouth starts so far from the middle of the apple.
  const axis = free(LENGTH).forward;
  const target = vec3.subtract(APPLE_AT, vec3.scale(axis, 0.12));
  const shift = vec3.subtract(target, free(LENGTH).point);
  const path = (along: number): SnakePath => {
    const at = free(along);
    return { ...at, point: vec3.add(at.point, shift) };
  };
  const sections = 90;
  const tailEnd: ProfilePoint = [0.025, girthAt(0.025)];
  const outside = Array.from({ length: sections }, (_, i): ProfilePoint => {
    const along = 0.025 + ((LENGTH - 0.025) * (i + 1)) / (sections + 1);
    return [along, girthAt(along)];
  });
  const lip = girthAt(LENGTH);
  const insideSections = 36;
  const inside = Array.from({ length: insideSections }, (_, i): ProfilePoint => {
    const along = LENGTH - (GULLET * (i + 0.5)) / insideSections;
    return [along, boreAt(along)];
  });
  const bottom: ProfilePoint = [LENGTH - GULLET, boreAt(LENGTH - GULLET)];
  const middle = (lip + boreAt(LENGTH)) / 2;
  const profile = [
    [0, 0],
    ...roundEnd([0, 0], tailEnd, 5),
    ...outside,
    [LENGTH, lip],
    [LENGTH + 0.008, middle],
    [LENGTH, boreAt(LENGTH)],
    ...inside,
    ...roundEnd(bottom, [LENGTH - GULLET - BORE, 0], 4),
  ] as const;
  return { snake: sweepProfile(profile, path, 32), path };
}

/** The radius outside, so far from the tail. */
function girthAt(along: number): number {
  const tail = 0.5 + 0.5 * Math.sin((Math.PI / 2) * Math.min(1, along / 0.5));
  const head = Math.exp(-(((along - (LENGTH - 0.02)) / 0.06) ** 2));
  return GIRTH * tail * (1 + 0.12 * head);
}

/** The radius of the gullet, wider at the lips. */
function boreAt(along: number): number {
  return BORE * (1 + 0.25 * Math.exp(-(((LENGTH - along) / 0.03) ** 2)));
}
