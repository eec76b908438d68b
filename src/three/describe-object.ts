// The name of an object of three.js in messages, and the check that it is one.
import type { BufferGeometry, Object3D } from 'three';
import { NearfieldError } from '../core/errors.js';

/** Such as: the SkinnedMesh "hand". */
export function describeObject(object: Object3D | BufferGeometry): string {
  return object.name === '' ? `the ${object.type} without a name` : `the ${object.type} "${object.name}"`;
}

/** Whether a value is an Object3D, of whichever copy of three.js. */
export function isObject3D(value: unknown): value is Object3D {
  return (value as Object3D | null | undefined)?.isObject3D === true;
}

/** Refuses anything that is not an Object3D. */
export function assertObject3D(value: unknown, name: string): asserts value is Object3D {
  if (isObject3D(value)) return;
  throw new NearfieldError('bad-argument', `${name} is not an Object3D of three.js.`);
}
