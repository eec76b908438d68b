// A sitting rabbit, drawn in centimeters: x to its left, y up from the ground, z forward. A wide smooth union for the
// body, smaller radii for head, ears and paws, and two sizes of noise for the fur.
import type { ImplicitShape } from '../../mesh/implicit/implicit-shape.js';
import { polygonizeImplicit } from '../../mesh/implicit/polygonize-implicit.js';
import { defineModel } from '../model.js';
import { displace, mirrorX, place, smoothCut, smoothUnion } from '../parts/implicit-combine.js';
import { addReliefs, noiseRelief } from '../parts/implicit-noise.js';
import { ellipsoid, halfSpace, sphere } from '../parts/implicit-primitives.js';
import { roundCone, smoothTube } from '../parts/implicit-tube.js';
import { scaleMesh } from '../parts/scale-mesh.js';

function body(): ImplicitShape {
  const trunk = smoothTube(
    [
      [0, 4.4, -4.2, 4],
      [0, 5.4, -1.4, 4.6],
      [0, 6, 1.6, 3.7],
      [0, 7.6, 3.4, 2.7],
    ],
    5,
  );
  const haunch = mirrorX(place(ellipsoid([0, 0, 0], [1.9, 3.3, 3.8]), [3.6, 3.5, -2.4], [0.25, 0.12, 0.1]));
  const chest = ellipsoid([0, 5.6, 3.4], [3, 3.2, 2.4]);
  return smoothUnion([smoothUnion([trunk, chest], 2), haunch], 0.9);
}

function paws(): ImplicitShape {
  const foreleg = roundCone([1.7, 4.8, 4], 1.4, [1.65, 0.9, 5.7], 0.9);
  const forepaw = ellipsoid([1.7, 0.75, 6.3], [0.95, 0.85, 1.5]);
  const hindPaw = ellipsoid([4.2, 0.8, 0.9], [1.25, 0.95, 3.2]);
  return mirrorX(smoothUnion([foreleg, forepaw, hindPaw], 0.6));
}

function headAndEars(): ImplicitShape {
  const skull = ellipsoid([0, 11, 5], [2.7, 2.6, 3.2]);
  const muzzle = ellipsoid([0, 10.1, 7.3], [1.7, 1.5, 1.5]);
  const cheek = mirrorX(ellipsoid([1.3, 9.9, 6.3], [1.5, 1.5, 1.6]));
  const pout = mirrorX(ellipsoid([0.62, 9.85, 8.35], [0.75, 0.75, 0.6]));
  const solid = smoothUnion([smoothUnion([skull, muzzle, cheek], 1.4), pout], 0.4);
  const socketed = smoothCut(solid, mirrorX(sphere([2.7, 11.6, 6.9], 0.95)), 0.4);
  const mouth = mirrorX(roundCone([0, 10.3, 9.2], 0.14, [0.9, 9.1, 8.8], 0.14));
  const nose = ellipsoid([0, 10.75, 8.75], [0.5, 0.36, 0.36]);
  const eye = mirrorX(sphere([1.85, 11.6, 6.35], 0.82));
  return smoothUnion([smoothUnion([smoothCut(socketed, mouth, 0.2), ear()], 0.8), smoothUnion([nose, eye], 0.1)], 0.12);
}

/** A long leaf, hollowed in front, leaning back and out. */
function ear(): ImplicitShape {
  const leaf = ellipsoid([0, 3.6, 0], [1.35, 4.4, 1.1]);
  const hollow = ellipsoid([0, 3.9, 1.1], [0.9, 3.4, 0.9]);
  return mirrorX(place(smoothCut(leaf, hollow, 0.3), [1.3, 12.4, 3.9], [-0.42, 0.4, -0.3]));
}

function bunnyShape(): ImplicitShape {
  const tail = sphere([0, 3.4, -8.3], 1.7);
  const all = smoothUnion([smoothUnion([body(), headAndEars()], 1), paws(), tail], 0.5);
  return smoothCut(all, halfSpace([0, 1, 0], 0), 0.4);
}

/** Measured on the default rabbit: the cell width that gives the default count, in centimeters. */
const SPACING = 0.29;

/** Chosen: the default count of triangles, that of its famous namesake. */
const TRIANGLES = 35_000;

/** Definition: the shape is drawn in centimeters, the mesh is in meters. */
const CENTIMETER = 0.01;

export const bunny = defineModel({
  name: 'bunny',
  title: 'Bunny',
  description: 'A sitting rabbit with long ears, paws, tail and fur.',
  parameters: {
    triangles: {
      default: TRIANGLES,
      min: 5_000,
      max: 300_000,
      integer: true,
      description: 'About how many triangles the rabbit has; within a few percent from half the default up.',
    },
    fur: { default: 0.12, min: 0, max: 0.25, description: 'Height of the fur, centimeters.' },
    seed: { default: 1, min: 0, max: 2 ** 31, integer: true, description: 'Which fur.' },
  },
  build: ({ triangles, fur, seed }) => {
    const shape = displace(
      bunnyShape(),
      addReliefs(
        noiseRelief({ seed, amplitude: 0.6 * fur, wavelength: 0.7 }),
        noiseRelief({ seed: seed + 1, amplitude: fur, wavelength: 1.9 }),
      ),
    );
    const box = { min: [-7, -1, -11], max: [7, 22, 11] } as const;
    const mesh = polygonizeImplicit(
      shape,
      { min: [...box.min], max: [...box.max] },
      SPACING * Math.sqrt(TRIANGLES / triangles),
    );
    return scaleMesh(mesh, CENTIMETER);
  },
});
