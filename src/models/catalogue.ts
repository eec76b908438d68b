// Every procedural model by name: what `nearfield models` lists, the lab shows and the tests sweep.
import { NearfieldError } from '../core/errors.js';
import { digits, letters } from './letters/letters.js';
import type { ModelDefinition } from './model.js';
import { apple } from './objects/apple.js';
import { bentTorus } from './objects/bent-torus.js';
import { bowl } from './objects/bowl.js';
import { bunny } from './objects/bunny.js';
import { cup } from './objects/cup.js';
import { dragon } from './objects/dragon.js';
import { funnel } from './objects/funnel.js';
import { grateLarge, grateSmall } from './objects/grates.js';
import { head } from './objects/head.js';
import { snake } from './objects/snake.js';
import { spiralPeg } from './objects/spiral-peg.js';
import { spoon } from './objects/spoon.js';
import { teethLower, teethUpper } from './objects/teeth.js';
import { wrinkledTorus } from './objects/wrinkled-torus.js';
import { box } from './primitives/box.js';
import { capsule } from './primitives/capsule.js';
import { cone } from './primitives/cone.js';
import { cylinder } from './primitives/cylinder.js';
import { icosphere } from './primitives/icosphere.js';
import { octahedron } from './primitives/octahedron.js';
import { ramp } from './primitives/ramp.js';
import { sphere } from './primitives/sphere.js';
import { tetrahedron } from './primitives/tetrahedron.js';
import { torus } from './primitives/torus.js';
import { wedge } from './primitives/wedge.js';

/** The procedural models: simple solids, the benchmark models of the papers, letters and digits, organic shapes. */
export const models: readonly ModelDefinition[] = [
  box,
  tetrahedron,
  octahedron,
  sphere,
  icosphere,
  capsule,
  cone,
  cylinder,
  wedge,
  torus,
  wrinkledTorus,
  bentTorus,
  spiralPeg,
  cup,
  spoon,
  grateSmall,
  grateLarge,
  bowl,
  funnel,
  ramp,
  apple,
  snake,
  teethLower,
  teethUpper,
  head,
  bunny,
  dragon,
  ...letters,
  ...digits,
];

/** The model of that name. */
export function findModel(name: string): ModelDefinition {
  const found = models.find((model) => model.name === name);
  if (found === undefined) {
    throw new NearfieldError(
      'bad-argument',
      `there is no model "${name}"; the models are ${models.map((model) => model.name).join(', ')}`,
    );
  }
  return found;
}
