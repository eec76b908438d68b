// What the WebAssembly kernel and its TypeScript twins are compared on.
import type { Mesh } from '../../../src/mesh/mesh.js';
import { findModel } from '../../../src/models/catalogue.js';
import type { KernelLimits } from '../../../src/proximity/boxes/box-kernel.js';
import { randomSoup } from './random-boxes.js';

/** Pairs of meshes: smooth, with sharp corners, soups, one triangle, and triangles without area. */
export const MESHES: readonly (readonly [string, Mesh, Mesh])[] = [
  ['tori', findModel('bent-torus').build(), findModel('wrinkled-torus').build()],
  ['letters', findModel('letter-s').build(), findModel('box').build()],
  ['soups', randomSoup(60, 1, 1, 0), randomSoup(40, 2, 1, 0)],
  ['one triangle', randomSoup(1, 3, 1, 0), randomSoup(30, 4, 1, 0)],
  ['two triangles', randomSoup(1, 5, 1, 0), randomSoup(1, 6, 1, 0)],
  ['points and lines', degenerate(), randomSoup(30, 7, 1, 0)],
];

function degenerate(): Mesh {
  const mesh = randomSoup(20, 8, 1, 0);
  for (let i = 0; i < 90; i += 9) mesh.positions.copyWithin(i + 3, i, i + 3);
  for (let i = 0; i < 45; i += 9) mesh.positions.copyWithin(i + 6, i, i + 3);
  return mesh;
}

/** What may end a kernel before its search. */
export const LIMITS: readonly (readonly [string, KernelLimits])[] = [
  ['enough room', {}],
  ['one page for copies', { maxPages: 3 }],
  ['no page for copies', { maxPages: 2 }],
  ['a stack of one pair', { stackSize: 1 }],
  ['a stack of nine pairs', { stackSize: 9 }],
];
