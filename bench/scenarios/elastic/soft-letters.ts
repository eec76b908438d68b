// Soft letters that fall into a tray with rigid ones, every second letter soft.
import { createRandom, type Pose, pose, quat, type Vec3, vec3 } from 'nearfield/core';
import type { ElasticBody } from 'nearfield/elastic';
import { findModel, type Mesh } from 'nearfield/mesh';
import { tray } from '../bodies/rigid-scene.js';
import {
  buildWorld,
  type ElasticPart,
  type ElasticScene,
  elementsOf,
  placed,
  type RigidPart,
  sizeFor,
  volumeOf,
} from './elastic-scene.js';

const WORD = 'NEARFIELD';
const GRAVITY: Vec3 = [0, -9.81, 0];
const MATERIAL = {
  ...{ young: 1e5, poisson: 0.4, density: 300, gravity: GRAVITY },
  damping: { mass: 0.2, stiffness: 0.005 },
};
/** The middle of a letter of height 1. */
const MIDDLE: Vec3 = [0, 0.5, 0];
/** Letters of one layer, and how far apart their middles are: they do not touch at the start. */
const COLUMNS = 3;
const APART = 1.5;
/** At most other sizes the lattice joins the acute corners of a letter. */
const ELEMENTS = 5_000;
const FLOOR = [5, 3.4] as const;

export const softLetters: ElasticScene = {
  name: 'soft-letters',
  title: 'Soft letters among rigid ones',
  description: 'Letters fall into a tray, every second one soft. Each soft one bends under those above it.',
  elements: ELEMENTS,
  realTimeElements: ELEMENTS,
  duration: 4,
  keyframes: 0,
  build(elements = ELEMENTS, options = {}) {
    const random = createRandom(3);
    const rigid: RigidPart[] = tray(FLOOR[0], FLOOR[1], 1.2).map(({ shape, pose: at }) => ({
      ...{ shape: shape as { box: Vec3 }, pose: at!, fixed: true },
    }));
    const letters = [...WORD].map((letter, i) => {
      const place: Vec3 = [
        APART * ((i % COLUMNS) - (COLUMNS - 1) / 2) + random.range(-0.05, 0.05),
        0.9 + 1.25 * Math.floor(i / COLUMNS),
        random.range(-0.3, 0.3),
      ];
      const turn = quat.fromAxisAngle(random.direction(), random.range(0, 0.9));
      const shape = { model: `letter-${letter.toLowerCase()}`, parameters: { depth: 0.3 } };
      return {
        letter,
        shape,
        isSoft: i % 2 === 0,
        at: pose.create(vec3.subtract(place, quat.rotate(turn, MIDDLE)), turn),
      };
    });
    const soft = letters.filter(({ isSoft }) => isSoft).map(({ shape, at }) => letterAt(shape, at));
    // Letters are thin: most of their elements are at the surface, where there are more.
    const size = Math.min(0.12, sizeFor(volumeOf(soft), 0.7 * elements));
    const elastic: ElasticPart[] = [];
    for (const { letter, shape, isSoft, at } of letters) {
      if (isSoft) {
        const mesh = elementsOf(letterAt(shape, at), size);
        elastic.push({ name: letter, mesh, material: MATERIAL, holds: [] });
      } else rigid.push({ shape, pose: at, density: 300 });
    }
    const built = buildWorld({ gravity: GRAVITY, rigid, elastic }, options);
    const { bodies } = built;
    return {
      ...{ ...built, keyframes: [] },
      box: { min: [-FLOOR[0] / 2, 0, -FLOOR[1] / 2], max: [FLOOR[0] / 2, 3, FLOOR[1] / 2] },
      measures: [
        {
          id: 'height',
          label: 'Top of the soft letters',
          now: () => Math.max(...bodies.map(({ body }) => topOf(body))),
        },
      ],
    };
  },
};

function letterAt({ model, parameters }: { model: string; parameters: Record<string, number> }, at: Pose): Mesh {
  return placed(findModel(model).build(parameters), at);
}

function topOf({ positions }: ElasticBody): number {
  let top = -Infinity;
  for (let i = 1; i < positions.length; i += 3) top = Math.max(top, positions[i]);
  return top;
}
