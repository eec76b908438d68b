// Makes a body of a world in the plane from the options that callers give, and places it.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { DYNAMICS_DEFAULTS } from '../../dynamics/step-rules.js';
import { ElasticRing } from '../penalty/elastic-ring.js';
import { assertBodyOptions, assertPath, type PlaneBodyOptions, takeNumbers, takeShape } from '../plane-options.js';
import type { PlaneContext } from '../step/plane-context.js';
import { DYNAMIC, ELASTIC, KINEMATIC, STATIC } from './plane-bodies.js';
import { PlanePath } from './plane-path.js';

/** Adds a body. @param time of the world, for paths. @returns its number. */
export function addPlaneBody(context: PlaneContext, options: PlaneBodyOptions, time: number): number {
  const owner = options?.name === undefined ? 'the body' : `the body ${nameValue(options.name)}`;
  assertBodyOptions(options, owner);
  const { outline, elastic } = takeShape(options.shape, owner);
  if (options.path !== undefined) assertPath(options.path, owner);
  if (elastic !== null && options.path !== undefined) {
    throw new NearfieldError('bad-argument', `A path of ${owner} is given, but it is elastic; leave one of them out.`);
  }
  const pose = takeNumbers(options.pose ?? [0, 0, 0], 3, `pose of ${owner}`);
  const velocity = takeNumbers(options.velocity ?? [0, 0], 2, `velocity of ${owner}`);
  const [spin] = takeNumbers([options.angularVelocity ?? 0], 1, `angular velocity of ${owner}`);
  const { bodies } = context;
  const i = bodies.add(outline);
  bodies.names[i] = options.name ?? '';
  bodies.friction[i] = options.friction ?? DYNAMICS_DEFAULTS.friction;
  bodies.restitution[i] = options.restitution ?? DYNAMICS_DEFAULTS.restitution;
  bodies.group[i] = options.group ?? 1;
  bodies.mask[i] = options.mask ?? -1;
  bodies.isSensor[i] = options.sensor === true ? 1 : 0;
  const mass = options.mass ?? (options.density ?? DYNAMICS_DEFAULTS.density) * outline.area;
  bodies.mass[i] = mass;
  bodies.inertia[i] = (mass * outline.polarMoment) / outline.area;
  context.springs.add(i, elastic === null ? null : new ElasticRing(outline, mass, elastic, options.fixed === true));
  if (elastic !== null) {
    bodies.kind[i] = ELASTIC;
  } else if (options.path !== undefined) {
    bodies.kind[i] = KINEMATIC;
    bodies.paths[i] = new PlanePath(
      options.path.map(({ time: at, pose: there }) => ({ time: at, pose: Float64Array.from(there) })),
      outline.centerX,
      outline.centerY,
    );
  } else bodies.kind[i] = options.fixed === true ? STATIC : DYNAMIC;
  if (bodies.kind[i] === DYNAMIC || bodies.kind[i] === ELASTIC) {
    bodies.velocity.set(velocity, 2 * i);
    bodies.spin[i] = spin;
  }
  if (bodies.kind[i] === DYNAMIC) {
    bodies.inverseMass[i] = 1 / mass;
    bodies.inverseInertia[i] = 1 / bodies.inertia[i];
  }
  placePlaneBody(context, i, pose, time);
  return i;
}

/** Places a body by the pose of its shape; a soft one returns to its rest shape and moves on as a rigid body. */
export function placePlaneBody(
  { bodies, springs }: PlaneContext,
  i: number,
  pose: readonly number[],
  time: number,
): void {
  const outline = bodies.outlines[i];
  springs.invalidate();
  bodies.turn(i, pose[2]);
  const c = bodies.cosine[i];
  const s = bodies.sine[i];
  bodies.center[2 * i] = pose[0] + c * outline.centerX - s * outline.centerY;
  bodies.center[2 * i + 1] = pose[1] + s * outline.centerX + c * outline.centerY;
  const path = bodies.paths[i];
  if (path !== null) {
    path.moveTo(time);
    bodies.center[2 * i] = path.x;
    bodies.center[2 * i + 1] = path.y;
    bodies.turn(i, path.angle);
  }
  bodies.place(i);
  const ring = springs.rings[i];
  if (ring === null) return;
  const x = bodies.center[2 * i] + c * ring.offsetX - s * ring.offsetY;
  const y = bodies.center[2 * i + 1] + s * ring.offsetX + c * ring.offsetY;
  ring.place(x, y, pose[2], bodies.velocity[2 * i], bodies.velocity[2 * i + 1], bodies.spin[i]);
}
