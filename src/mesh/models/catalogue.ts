// Every procedural model by name: what `nearfield models` lists, the lab shows and the tests sweep.
import { NearfieldError } from '../../core/errors.js';
import { apple } from './apple.js';
import { bentTorus } from './bent-torus.js';
import { bowl } from './bowl.js';
import { box } from './box.js';
import { bunny } from './bunny.js';
import { capsule } from './capsule.js';
import { cone } from './cone.js';
import { cup } from './cup.js';
import { cylinder } from './cylinder.js';
import { dragon } from './dragon.js';
import { funnel } from './funnel.js';
import { grateLarge, grateSmall } from './grates.js';
import { head } from './head.js';
import { icosphere } from './icosphere.js';
import { digits, letters } from './letters.js';
import type { ModelDefinition } from './model.js';
import { octahedron } from './octahedron.js';
import { ramp } from './ramp.js';
import { snake } from './snake.js';
import { sphere } from './sphere.js';
import { spiralPeg } from './spiral-peg.js';
import { spoon } from './spoon.js';
import { teethLower, teethUpper } from './teeth.js';
import { tetrahedron } from './tetrahedron.js';
import { torus } from './torus.js';
import { wedge } from './wedge.js';
import { wrinkledTorus } from './wrinkled-torus.js';

/** The procedural models: simple solids, the documents' models, letters and digits, organic shapes. */
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
