// Mass, center of mass and principal moments of a body, from the solid that its shape bounds.
import { NearfieldError } from '../../core/errors.js';
import * as quat from '../../core/quat.js';
import { symmetricEigen } from '../../core/symmetric-eigen.js';
import type { Vec3 } from '../../core/vec3.js';
import type { CollisionShape } from '../../manifold/shape/collision-shape.js';
import { massProperties } from '../../mesh/report/mass-properties.js';
import { OUTWARD_SURFACE } from '../../proximity/model-parts.js';

/** What the motion of a body needs to know of its mass. */
export interface BodyMass {
  readonly mass: number;
  /** The center of mass in the frame of the shape. */
  readonly center: Vec3;
  /** The principal moments of inertia. Those of the first two axes are the closest, as their inverses go. */
  readonly principal: Vec3;
  /** Turns the principal axes into the frame of the shape. */
  readonly frame: quat.Quat;
}

/** How the mass is given: by density, or in all. */
export type MassChoice = { readonly density: number } | { readonly mass: number };

/** Mass properties of a shape. @throws NearfieldError where the shape bounds no solid. */
export function measureBodyMass(shape: CollisionShape, choice: MassChoice): BodyMass {
  if (shape.model === null) return ballMass(shape.ballRadius, choice);
  const solid = massProperties(shape.model.parts.get(OUTWARD_SURFACE).mesh);
  const density = 'density' in choice ? choice.density : choice.mass / solid.volume;
  const mass = 'mass' in choice ? choice.mass : density * solid.volume;
  const [x, y, z] = solid.inertia;
  const { values, vectors } = symmetricEigen(
    density * x[0],
    density * x[1],
    density * x[2],
    density * y[1],
    density * y[2],
    density * z[2],
  );
  assertMass(mass, values[2]);
  return { mass, center: solid.centerOfMass, ...orderAxes(values, vectors) };
}

function ballMass(radius: number, choice: MassChoice): BodyMass {
  const mass = 'mass' in choice ? choice.mass : (choice.density * 4 * Math.PI * radius ** 3) / 3;
  const moment = 0.4 * mass * radius * radius;
  assertMass(mass, moment);
  return { mass, center: [0, 0, 0], principal: [moment, moment, moment], frame: quat.identity() };
}

function assertMass(mass: number, leastMoment: number): void {
  if (mass > 0 && leastMoment > 0 && Number.isFinite(1 / mass) && Number.isFinite(1 / leastMoment)) return;
  throw new NearfieldError(
    'degenerate',
    `The body has mass ${mass} and a least moment of inertia of ${leastMoment}; both must be positive. Give a larger mass or density, or a shape of some thickness.`,
  );
}

/** Principal axes as a right-handed frame whose first two inverse moments are the closest; aligned where that is free. */
function orderAxes(values: Vec3, vectors: readonly [Vec3, Vec3, Vec3]): { principal: Vec3; frame: quat.Quat } {
  const [largest, middle, least] = values;
  const odd = 1 / middle - 1 / largest <= 1 / least - 1 / middle ? 2 : 0;
  const order = odd === 2 ? [0, 1, 2] : [1, 2, 0];
  // Moments that differ by rounding are equal: a cube then turns evenly.
  const principal = order.map((i) => values[i]) as Vec3;
  for (let i = 0; i < 2; i++) {
    if (Math.abs(principal[i] - principal[i + 1]) <= 1e-12 * largest) principal[i + 1] = principal[i];
  }
  const [a, b] = [vectors[order[0]], vectors[order[1]]];
  const c = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  return {
    principal,
    frame: quat.fromMatrix3([a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]]),
  };
}
