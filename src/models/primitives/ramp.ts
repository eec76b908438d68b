import { NearfieldError } from '../../core/errors.js';
import type { Vec3 } from '../../core/vec3.js';
import { defineModel } from '../model.js';
import { SurfaceBuilder } from '../parts/surface-builder.js';

/** Chosen: side walls lower than this, in meters, are left out. */
const MIN_WALL = 0.005;

/** A sloping slab: 16 × segments + 12 triangles with side walls, 8 × segments + 4 without. */
export const ramp = defineModel({
  name: 'ramp',
  title: 'Ramp',
  description: 'A sloping slab that rises along +X, between two side walls; a wallHeight of 0 leaves them out.',
  parameters: {
    length: { default: 1, min: 0.1, max: 10, description: 'size along X, in meters' },
    width: { default: 0.5, min: 0.1, max: 10, description: 'size along Z, walls included, in meters' },
    rise: { default: 0.4, min: 0, max: 10, description: 'how much higher the far end is, in meters' },
    thickness: { default: 0.04, min: 0.02, max: 1, description: 'vertical thickness of the slab, in meters' },
    wallHeight: { default: 0.08, min: 0, max: 1, description: 'height of the walls above the slab, in meters' },
    wallThickness: { default: 0.04, min: 0.02, max: 1, description: 'thickness of the walls, in meters' },
    segments: { default: 4, min: 1, max: 500, integer: true, description: 'segments along the slope' },
  },
  build: ({ length, width, rise, thickness, wallHeight, wallThickness, segments }) => {
    const walled = wallHeight >= MIN_WALL;
    if (walled && wallThickness > 0.45 * width) {
      throw new NearfieldError(
        'bad-argument',
        `The ramp's walls leave no way between them; make wallThickness at most ${0.45 * width} or wallHeight 0.`,
      );
    }
    const edge = width / 2;
    const inner = edge - wallThickness;
    // The cross-section as [height above the slab, z], counter-clockwise seen from the high end.
    const wall = [
      [wallHeight, -edge],
      [wallHeight, -inner],
      [0, -inner],
    ];
    const left = walled ? wall : [[0, -edge]];
    const top = [...left, ...left.map(([y, z]) => [y, -z]).reverse()];
    const section = [[-thickness, -edge], ...top, [-thickness, edge]];

    const surface = new SurfaceBuilder();
    const loops = Array.from({ length: segments + 1 }, (_, i) => {
      const t = i / segments - 0.5;
      return surface.addVertices(section.map(([y, z]): Vec3 => [t * length, t * rise + y, z]));
    });
    for (let i = 0; i < segments; i++) surface.addBand(loops[i], loops[i + 1], i, 'alternating');
    addEnd(surface, loops[segments]);
    addEnd(surface, loops[0].toReversed());
    return surface.build();
  },
});

/** Closes a section of four corners, or one of eight: base, left wall, right wall. */
function addEnd(surface: SurfaceBuilder, loop: readonly number[]): void {
  if (loop.length === 4) {
    surface.addQuad(loop[0], loop[1], loop[2], loop[3]);
    return;
  }
  surface.addQuad(loop[0], loop[3], loop[4], loop[7]);
  surface.addQuad(loop[0], loop[1], loop[2], loop[3]);
  surface.addQuad(loop[4], loop[5], loop[6], loop[7]);
}
