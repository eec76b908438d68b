// Mechanisms whose least gaps are known in closed form.
import { boxMesh } from '../../src/kinematics/urdf/outer-shapes.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import type { Mechanism } from '../../src/sweep/mechanism/mechanism-description.js';

/** Where a slider-crank's pin of the piston is. */
export function sliderPlace(crank: number, rod: number, angle: number): number {
  return crank * Math.cos(angle) + Math.sqrt(rod ** 2 - (crank * Math.sin(angle)) ** 2);
}

/** A crank, a rod and a piston of 2 × 2 × 2 that moves towards a head, whose near face is at `head`. */
export function sliderCrank(crank: number, rod: number, range: readonly [number, number], head: number): Mechanism {
  const reach = crank + rod;
  return {
    type: 'mechanism',
    parts: [
      { name: 'crank', mesh: bar(crank, 0.2), pose: [0, 0, 3, 0, 0, 0, 1] },
      { name: 'rod', mesh: bar(rod, 0.2), pose: [crank, 0, 4, 0, 0, 0, 1] },
      { name: 'piston', mesh: boxMesh([2, 2, 2]), pose: [reach, 0, 0, 0, 0, 0, 1] },
      { name: 'head', mesh: boxMesh([1, 4, 4]), pose: [head + 0.5, 0, 0, 0, 0, 0, 1] },
    ],
    joints: [
      { name: 'turn', type: 'revolute', parent: 'head', child: 'crank', range },
      { name: 'swing', type: 'revolute', parent: 'crank', child: 'rod', origin: [crank, 0, 0, 0, 0, 0, 1] },
      {
        name: 'slide',
        type: 'prismatic',
        parent: 'head',
        child: 'piston',
        axis: [1, 0, 0],
        origin: [reach, 0, 0, 0, 0, 0, 1],
      },
    ],
    loops: [{ a: 'rod', b: 'piston', at: [reach, 0, 0], type: 'pin' }],
    allowed: [
      { a: 'rod', b: 'piston' },
      { a: 'rod', b: 'head' },
      { a: 'crank', b: 'head' },
    ],
  };
}

/** A bar from the origin along x. */
export function bar(length: number, width: number): Mesh {
  const { positions, indices } = boxMesh([length, width, width]);
  return { positions: positions.map((value, i) => (i % 3 === 0 ? value + length / 2 : value)), indices };
}
