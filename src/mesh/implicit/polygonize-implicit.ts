// The surface of an implicit shape as triangles, by isosurface stuffing (Labelle and Shewchuk 2007): sample a
// body-centered cubic lattice near the surface, move close nodes onto it, march the tetrahedra. Closed, manifold and
// without self-intersections by construction. About four triangles per spacing²; O(surface) time and memory.

import type { Box } from '../../core/box.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../mesh.js';
import { nextHalfEdge } from '../topology/half-edges.js';
import { BccLattice } from './bcc-lattice.js';
import type { ImplicitShape } from './implicit-shape.js';
import { marchTetrahedra } from './march-tetrahedra.js';
import { snapNodes } from './snap-nodes.js';

/**
 * Triangulates the surface of `shape` inside `box` on a lattice of cells of width `spacing`. Features thinner than a
 * cell may vanish or break up; the fragments stay in the mesh as separate components. Angles are 17° or more, except
 * in a few triangles where the surface is finer than the lattice.
 * @returns a closed, manifold mesh without self-intersections, counter-clockwise seen from outside. It has no
 * triangles when the shape has no surface in the box.
 * @throws NearfieldError `bad-argument` for an empty box, a spacing that is not positive, or a surface with gaps since
 * the shape changes faster than its `lipschitz` says; `open-mesh` when the surface leaves the box; `non-finite` when
 * the shape has no value; `too-large` for too many cells.
 */
export function polygonizeImplicit(shape: ImplicitShape, box: Box, spacing: number, options?: ProgressOptions): Mesh {
  if (!(spacing > 0) || !Number.isFinite(spacing)) {
    throw new NearfieldError('bad-argument', `The spacing is ${spacing}; give a positive number.`);
  }
  if (!(shape.lipschitz > 0)) {
    throw new NearfieldError('bad-argument', `The shape's lipschitz is ${shape.lipschitz}; a distance has 1.`);
  }
  for (let axis = 0; axis < 3; axis++) {
    if (!(box.min[axis] < box.max[axis]) || !Number.isFinite(box.max[axis] - box.min[axis])) {
      throw new NearfieldError(
        'bad-argument',
        `The box to polygonize goes from ${box.min[axis]} to ${box.max[axis]} along ${'xyz'[axis]}; give finite bounds, lower first.`,
      );
    }
  }
  const lattice = new BccLattice(shape, box, spacing);
  lattice.sample(partOfProgress(options, 0, 0.7));
  assertInside(lattice, box);
  reportProgress(options, 0.7, 'moving lattice nodes');
  const nodes = snapNodes(lattice);
  reportProgress(options, 0.85, 'marching tetrahedra');
  const mesh = marchTetrahedra(lattice, nodes);
  assertClosed(mesh);
  reportProgress(options, 1, 'marching tetrahedra');
  return mesh;
}

/** Nodes beyond the box must be outside the shape. */
function assertInside(lattice: BccLattice, box: Box): void {
  const { values, nodeCount } = lattice;
  for (let node = 0; node < nodeCount; node++) {
    if (!(values[node] < 0)) continue;
    for (let axis = 0; axis < 3; axis++) {
      const x = lattice.origin[axis] + lattice.step * lattice.coordinate(node, axis);
      if (x < box.min[axis] || x > box.max[axis]) {
        throw new NearfieldError(
          'open-mesh',
          `The shape reaches out of the box to polygonize, at ${'xyz'[axis]} = ${x}; make the box larger.`,
        );
      }
    }
  }
}

/**
 * Samples are skipped where the Lipschitz bound rules out the surface; where the bound is false, the surface has gaps.
 * Each edge adds a hash with the sign of its direction. The sum is zero for a closed mesh, and for an open one with
 * probability 2⁻³².
 */
function assertClosed({ indices }: Mesh): void {
  let sum = 0;
  for (let i = 0; i < indices.length; i++) {
    const a = indices[i];
    const b = indices[nextHalfEdge(i)];
    const low = Math.min(a, b);
    let hash = Math.imul(low + 0x9e3779b9, 0x85ebca6b) ^ Math.imul(a + b - low, 0xc2b2ae35);
    hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f);
    hash ^= hash >>> 13;
    sum = (sum + (a < b ? hash : -hash)) | 0;
  }
  if (sum !== 0) {
    throw new NearfieldError(
      'bad-argument',
      'The surface has gaps: the shape changes faster than its lipschitz says. Give a larger lipschitz.',
    );
  }
}
