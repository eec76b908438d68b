// Makes a joint of a world in the plane from the options that callers give.
import { NearfieldError } from '../../core/errors.js';
import { ELASTIC, type PlaneBodies } from '../body/plane-bodies.js';
import { type PlaneJointOptions, takeNumbers } from '../plane-options.js';
import { PlaneJoint } from './plane-joint.js';

/** @param options checked, of bodies that are there. */
export function createPlaneJoint(bodies: PlaneBodies, options: PlaneJointOptions): PlaneJoint {
  const b = options.bodyA;
  const a = options.bodyB ?? -1;
  for (const i of [a, b]) {
    if (i < 0 || bodies.kind[i] !== ELASTIC) continue;
    throw new NearfieldError('unsupported', `${bodies.nameOf(i)} is elastic; joints hold rigid bodies.`);
  }
  if (a === b) throw new NearfieldError('bad-argument', `${bodies.nameOf(a)} is joined to itself; give two bodies.`);
  const [x, y] = takeNumbers(options.at, 2, 'place of the joint');
  const [toX, toY] = options.type === 'distance' ? takeNumbers(options.to!, 2, 'point of the joint') : [x, y];
  const joint = new PlaneJoint(options.type, a, b);
  [joint.bx, joint.by] = bodies.toLocal(b, x, y);
  [joint.ax, joint.ay] = a >= 0 ? bodies.toLocal(a, toX, toY) : [toX, toY];
  joint.turn = bodies.angle[b] - (a >= 0 ? bodies.angle[a] : 0);
  joint.length = Math.hypot(x - toX, y - toY);
  if (options.type === 'slider') {
    const [ux, uy] = takeNumbers(options.axis!, 2, 'axis of the slider');
    const length = Math.hypot(ux, uy);
    const c = a >= 0 ? bodies.cosine[a] : 1;
    const s = a >= 0 ? bodies.sine[a] : 0;
    joint.ux = (c * ux + s * uy) / length;
    joint.uy = (c * uy - s * ux) / length;
  }
  if (options.motor !== undefined) {
    joint.speed = options.motor.speed;
    joint.mostTorque = options.motor.torque ?? Infinity;
  }
  if (options.limits !== undefined) {
    joint.low = options.limits[0];
    joint.high = options.limits[1];
  }
  return joint;
}
