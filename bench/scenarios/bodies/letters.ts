// Letters and digits that fall: the scenes of Kim, Otaduy, Lin and Manocha 2002, section 7.2, and heaps of any size for
// the cost against the number of bodies. Letters are 1 m high and have 250 triangles on average.
import { createRandom, type Pose, pose, quat, type Random, type Vec3, vec3 } from 'nearfield/core';
import type { SceneBody, SceneDescription } from 'nearfield/dynamics';
import { models } from 'nearfield/mesh';
import { fixedAt, type RigidScene, tray } from './rigid-scene.js';

const CHARACTERS = models.map(({ name }) => name).filter((name) => /^(letter|digit)-/.test(name));
const DIGITS = CHARACTERS.filter((name) => name.startsWith('digit'));
/** The middle of a letter of height 1. */
const MIDDLE: Vec3 = [0, 0.5, 0];
/** Letters whose middles are so far apart never touch, however they are turned. */
const APART = 1.55;

/** Letters with their middles on a grid, in layers of columns × columns, turned at random. */
function lettersAbove(count: number, columns: number, bottom: number, random: Random, names = CHARACTERS): SceneBody[] {
  return Array.from({ length: count }, (_, i): SceneBody => {
    const layer = Math.floor(i / columns ** 2);
    const [row, column] = [Math.floor(i / columns) % columns, i % columns];
    const middle: Vec3 = [
      APART * (column - (columns - 1) / 2),
      bottom + APART * (layer + 0.5),
      APART * (row - (columns - 1) / 2),
    ];
    return letterAt(names[i % names.length], i, middle, random.rotation());
  });
}

function letterAt(model: string, index: number, middle: Vec3, turn: readonly number[]): SceneBody {
  const rotation = turn as [number, number, number, number];
  const placed: Pose = pose.create(vec3.subtract(middle, quat.rotate(rotation, MIDDLE)), rotation);
  return { name: `${model.slice(-1).toUpperCase()} ${index}`, shape: { model }, pose: placed };
}

/** Letters fall through two funnels and down two ramps into a tray. */
export function lettersOverFunnels(count = 200, seed = 1): SceneDescription {
  const random = createRandom(seed);
  // A ramp rises along +x; letters slide down it towards −x. Turned about y, towards +x.
  const turned = quat.fromAxisAngle([0, 1, 0], Math.PI);
  const ramp = {
    model: 'ramp',
    parameters: { length: 9, width: 6, rise: 4.5, wallHeight: 1, wallThickness: 0.3, thickness: 0.3 },
  };
  const funnel = (mouthRadius: number, coneHeight: number) => ({
    model: 'funnel',
    parameters: {
      mouthRadius,
      spoutRadius: 2.3,
      coneHeight,
      spoutLength: 1,
      thickness: 0.3,
      segments: 24,
      coneBands: 2,
      spoutBands: 1,
    },
  });
  return {
    bodies: [
      // Deep enough for letters that tumble over the side of a ramp, 13 m up.
      ...tray(22, 18, 3),
      ...[
        fixedAt('upper funnel', funnel(6.5, 4), [2, 18.5, 0]),
        fixedAt('upper ramp', ramp, [0.5, 12, 0]),
        fixedAt('lower funnel', funnel(4.5, 2.5), [-5.5, 8, 0]),
        fixedAt('lower ramp', ramp, [-3.5, 2.2, 0], turned),
      ].map((slide): SceneBody => ({ ...slide, friction: 0.1 })),
      ...lettersAbove(count, 6, 21.5, random).map((letter) => moved(letter, 2)),
    ],
  };
}

/** Letters fall into a bowl of 176 triangles. */
export function lettersIntoBowl(count = 200, seed = 1): SceneDescription {
  const bowl = { model: 'bowl', parameters: { radius: 6, depth: 5, thickness: 0.5 } };
  return {
    bodies: [fixedAt('bowl', bowl, [0, 0, 0]), ...lettersAbove(count, 5, 2.5, createRandom(seed))],
  };
}

/** Ten digits fall into a bowl of 176 triangles, from one column. */
export function digitsIntoBowl(seed = 1): SceneDescription {
  const bowl = { model: 'bowl', parameters: { radius: 2, depth: 1.4, thickness: 0.2 } };
  return {
    bodies: [fixedAt('bowl', bowl, [0, 0, 0]), ...lettersAbove(10, 1, 1, createRandom(seed), DIGITS)],
  };
}

/** Letters whose middles are at random in a box of 2 m³: most overlap several others. Nothing pulls them apart. */
export function tangledLetters(count = 40, seed = 1): SceneDescription {
  const random = createRandom(seed);
  const half = Math.cbrt(2) / 2;
  const place = (): Vec3 => [random.range(-half, half), random.range(-half, half), random.range(-half, half)];
  return {
    gravity: [0, 0, 0],
    bodies: Array.from({ length: count }, (_, i) =>
      letterAt(CHARACTERS[i % CHARACTERS.length], i, place(), random.rotation()),
    ),
  };
}

/** Letters fall into a tray whose floor grows with their number: the heap is about as high for any. */
export function heapOfLetters(count: number, seed = 1): SceneDescription {
  const columns = Math.max(2, Math.ceil(Math.sqrt(count / 4)));
  const side = APART * columns;
  return {
    bodies: [...tray(side, side, 4), ...lettersAbove(count, columns, 0.3, createRandom(seed))],
  };
}

function moved(body: SceneBody, x: number): SceneBody {
  const [first, ...rest] = body.pose!;
  return { ...body, pose: [first + x, ...rest] };
}

export const letterScenes: readonly RigidScene[] = [
  {
    name: 'letters-funnels',
    title: '200 letters over funnels and ramps',
    description: '200 letters and digits fall through two funnels and down two ramps into a tray.',
    duration: 20,
    build: lettersOverFunnels,
  },
  {
    name: 'letters-bowl',
    title: '200 letters into a bowl',
    description: '200 letters and digits fall into a bowl of 176 triangles.',
    duration: 10,
    build: lettersIntoBowl,
  },
  {
    name: 'digits-bowl',
    title: 'Ten digits into a bowl',
    description: 'Ten digits fall into a bowl of 176 triangles, and some interlock.',
    duration: 6,
    build: digitsIntoBowl,
  },
  {
    name: 'letters-tangle',
    title: '40 letters tangled in 2 m³',
    description: '40 letters start inside one another, without gravity. They part slowly; no energy is made.',
    duration: 5,
    build: tangledLetters,
  },
];
