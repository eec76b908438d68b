// Soft letters that fall into a tray with rigid ones, every second letter soft.
import { createRandom, pose, quat, type Vec3, vec3 } from 'nearfield/core';
import { RigidWorld } from 'nearfield/dynamics';
import { ElasticBody, ElasticWorld } from 'nearfield/elastic';
import { findModel, type Mesh } from 'nearfield/mesh';
import { tray } from '../bodies/rigid-scene.js';
import { type ElasticScene, elementsOf, type NamedBody, placed, sizeFor, volumeOf } from './elastic-scene.js';

const WORD = 'NEARFIELD';
const GRAVITY: Vec3 = [0, -9.81, 0];
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
    const rigid = new RigidWorld({ gravity: GRAVITY, timestep: options.timestep });
    const rigidMeshes: Mesh[] = [];
    for (const { shape, pose: at } of tray(FLOOR[0], FLOOR[1], 1.2)) {
      const sides = (shape as { box: Vec3 }).box;
      rigid.addBody({ shape: { box: sides }, pose: at!, fixed: true });
      rigidMeshes.push(findModel('box').build({ width: sides[0], height: sides[1], depth: sides[2] }));
    }
    const world = new ElasticWorld({ rigid, ...options });
    const letters = [...WORD].map((letter, i) => {
      const place: Vec3 = [
        APART * ((i % COLUMNS) - (COLUMNS - 1) / 2) + random.range(-0.05, 0.05),
        0.9 + 1.25 * Math.floor(i / COLUMNS),
        random.range(-0.3, 0.3),
      ];
      const turn = quat.fromAxisAngle(random.direction(), random.range(0, 0.9));
      const mesh = findModel(`letter-${letter.toLowerCase()}`).build({ depth: 0.3 });
      return {
        letter,
        mesh,
        isSoft: i % 2 === 0,
        at: pose.create(vec3.subtract(place, quat.rotate(turn, MIDDLE)), turn),
      };
    });
    const soft = letters.filter(({ isSoft }) => isSoft).map(({ mesh, at }) => placed(mesh, at));
    // Letters are thin: most of their elements are at the surface, where there are more.
    const size = Math.min(0.12, sizeFor(volumeOf(soft), 0.7 * elements));
    const bodies: NamedBody[] = [];
    for (const { letter, mesh, isSoft, at } of letters) {
      if (!isSoft) {
        rigid.addBody({ shape: { mesh }, pose: at, density: 300 });
        rigidMeshes.push(mesh);
        continue;
      }
      const body = new ElasticBody(elementsOf(placed(mesh, at), size), {
        ...{ young: 1e5, poisson: 0.4, density: 300, gravity: GRAVITY },
        damping: { mass: 0.2, stiffness: 0.005 },
      });
      world.addBody(body);
      bodies.push({ name: letter, body });
    }
    return {
      ...{ world, bodies, rigid, rigidMeshes, keyframes: [] },
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

function topOf({ positions }: ElasticBody): number {
  let top = -Infinity;
  for (let i = 1; i < positions.length; i += 3) top = Math.max(top, positions[i]);
  return top;
}
