// A human head with neck, drawn in centimeters around the middle between the ears: x to the left ear, y up, z forward.
// Skull, jaw and muscles are a wide smooth union; eyes, nose, lips and ears are added and cut with small radii.
// The mesh is finest at the face (polygonizeZoomed).
import type { ImplicitShape } from '../../mesh/implicit/implicit-shape.js';
import { defineModel } from '../model.js';
import { displace, mirrorX, place, smoothCut, smoothUnion } from '../parts/implicit-combine.js';
import { noiseRelief } from '../parts/implicit-noise.js';
import { ellipsoid, halfSpace, sphere } from '../parts/implicit-primitives.js';
import { roundCone, smoothTube } from '../parts/implicit-tube.js';
import { polygonizeZoomed } from '../parts/polygonize-zoomed.js';
import { scaleMesh } from '../parts/scale-mesh.js';

function skull(): ImplicitShape {
  const cranium = smoothUnion(
    [ellipsoid([0, 4.6, -2.4], [7.3, 7.8, 8.4]), ellipsoid([0, 4.6, 1.6], [6.3, 6.9, 6.9])],
    3,
  );
  const face = ellipsoid([0, -1.2, 2.6], [5.7, 8.4, 6.2]);
  const muzzle = ellipsoid([0, -4.9, 5.6], [3.4, 3.2, 3.4]);
  const chin = ellipsoid([0, -9.1, 6.7], [2.2, 1.5, 1.7]);
  const jaw = mirrorX(
    smoothTube(
      [
        [5.5, -2.5, -0.4, 1.5],
        [5.2, -5.6, 0.4, 1.5],
        [3.8, -8, 3.4, 1.5],
        [1, -9.3, 6.2, 1.5],
      ],
      4,
    ),
  );
  const cheekbone = mirrorX(ellipsoid([4.3, -0.9, 5.4], [2.1, 1.5, 2.3]));
  const cheek = mirrorX(ellipsoid([3.3, -4.2, 3.6], [2.5, 3, 3]));
  const throat = roundCone([0, -4, -2.4], 5, [0, -18, -3.6], 5.8);
  return smoothUnion([cranium, face, muzzle, chin, jaw, cheekbone, cheek, throat], 2.2);
}

function neckMuscles(): ImplicitShape {
  return mirrorX(
    smoothTube(
      [
        [6, -2.6, -2.6, 0.9],
        [4.9, -8, -0.6, 1.05],
        [2.2, -13, 1.6, 0.9],
        [0.9, -18, 3, 0.8],
      ],
      5,
    ),
  );
}

function brow(): ImplicitShape {
  return mirrorX(
    smoothTube(
      [
        [0.9, 2.6, 8.3, 0.6],
        [2.6, 3.3, 8.1, 0.7],
        [4.6, 2.9, 6.6, 0.6],
        [5.6, 1.6, 5, 0.5],
      ],
      4,
    ),
  );
}

function nose(): ImplicitShape {
  const ridge = smoothTube(
    [
      [0, 2.6, 8.1, 0.75],
      [0, 0.8, 9.1, 0.75],
      [0, -1, 10.1, 0.85],
      [0, -1.75, 10.4, 1],
    ],
    4,
  );
  const wing = mirrorX(ellipsoid([1.15, -2.15, 9.6], [0.75, 0.75, 1]));
  const root = ellipsoid([0, -1.9, 9], [1.6, 1.2, 1.6]);
  return smoothUnion([ridge, wing, root], 0.7);
}

function nostrils(): ImplicitShape {
  return mirrorX(place(ellipsoid([0, 0, 0], [0.42, 0.75, 0.6]), [0.72, -3.05, 9.85], [0.3, 0, -0.2]));
}

/** Chosen: the center of one eye, in centimeters; the other is its mirror image. */
const EYE = [3.1, 1.25, 6.7] as const;

function eyeSocket(): ImplicitShape {
  return mirrorX(place(ellipsoid([0, 0, 0], [2.1, 1.5, 1.6]), [3.2, 1.25, 8.8], [0, 0.25, -0.06]));
}

/** The ball behind two lids with the gap between them cut. */
function eye(): ImplicitShape {
  const lids = place(ellipsoid([0, 0, 0], [1.95, 1.55, 1.85]), EYE, [0, 0.25, 0]);
  const gap = place(ellipsoid([0, 0, 0], [1.5, 0.6, 1.5]), [EYE[0] + 0.2, EYE[1] - 0.1, EYE[2] + 1.9], [0, 0.3, 0.06]);
  const ball = sphere([EYE[0], EYE[1], EYE[2] - 0.1], 1.32);
  return mirrorX(smoothUnion([smoothCut(lids, gap, 0.2), ball], 0.1));
}

function lips(): ImplicitShape {
  const upper = mirrorX(
    smoothTube(
      [
        [0, -4.95, 9.05, 0.5],
        [0.6, -4.8, 9.05, 0.58],
        [1.5, -5.05, 8.5, 0.48],
        [2.5, -5.4, 7.6, 0.2],
      ],
      4,
    ),
  );
  const lower = mirrorX(
    smoothTube(
      [
        [0, -6.2, 8.75, 0.72],
        [0.9, -6.12, 8.6, 0.66],
        [1.6, -5.85, 8.1, 0.42],
        [2.4, -5.55, 7.4, 0.2],
      ],
      4,
    ),
  );
  return smoothUnion([upper, lower], 0.15);
}

function mouthGap(): ImplicitShape {
  return mirrorX(
    smoothTube(
      [
        [0, -5.5, 9.75, 0.32],
        [0.9, -5.45, 9.5, 0.3],
        [1.9, -5.5, 8.6, 0.28],
        [2.5, -5.55, 8, 0.22],
      ],
      4,
    ),
  );
}

/** Drawn flat in its own plane (x back, y up, z out of the head), then leaned against the head. */
function ear(): ImplicitShape {
  const bowl = ellipsoid([0.1, 0.2, -0.7], [1.75, 2.9, 1.1]);
  const rim = smoothTube(
    [
      [-0.9, 0.3, 0, 0.4],
      [-1.2, 1.7, 0.3, 0.42],
      [-0.2, 2.9, 0.45, 0.48],
      [1.3, 2.5, 0.55, 0.48],
      [1.9, 0.8, 0.5, 0.46],
      [1.35, -1, 0.3, 0.44],
      [0.3, -2.4, 0.1, 0.5],
    ],
    5,
  );
  const lobe = ellipsoid([-0.2, -2.6, 0], [0.85, 1, 0.5]);
  const ridge = smoothTube(
    [
      [0.2, 1.5, 0.1, 0.32],
      [0.85, 0.5, 0.3, 0.36],
      [0.55, -0.9, 0.25, 0.38],
      [-0.4, -1.6, 0.2, 0.36],
    ],
    4,
  );
  const tragus = ellipsoid([-1.05, -0.5, 0.2], [0.5, 0.75, 0.5]);
  const concha = ellipsoid([-0.25, -0.25, 0.6], [0.85, 1.15, 0.95]);
  const disc = ellipsoid([0.3, 0.5, 0], [1.65, 2.4, 0.62]);
  const solid = smoothCut(smoothUnion([bowl, disc], 0.3), concha, 0.3);
  const folded = smoothUnion([solid, rim, lobe, ridge, tragus], 0.35);
  return mirrorX(place(folded, [7.05, 0.1, -1.2], [0, Math.PI / 2 - 0.5, -0.12]));
}

function headShape(): ImplicitShape {
  const fleshed = smoothUnion([skull(), neckMuscles(), brow()], 1.1);
  const socketed = smoothCut(fleshed, eyeSocket(), 0.9);
  const featured = smoothUnion([socketed, nose(), lips()], 0.6);
  const opened = smoothCut(featured, smoothUnion([mouthGap(), nostrils()], 0.1), 0.3);
  const seeing = smoothUnion([opened, eye()], 0.25);
  return smoothCut(smoothUnion([seeing, ear()], 0.5), halfSpace([0, 1, 0], -14.5), 1.2);
}

/** Measured on the default head: the cell width at the face that gives the default count, in centimeters. */
const SPACING = 0.2997;

/** Chosen: the default count of triangles. */
const TRIANGLES = 21_764;

/** Definition: the shape is drawn in centimeters, the mesh is in meters. */
const CENTIMETER = 0.01;

export const head = defineModel({
  name: 'head',
  title: 'Head',
  description: 'A human head on its neck: a smooth skull, finer eyes, nose, lips and ears.',
  parameters: {
    triangles: {
      default: TRIANGLES,
      min: 8_000,
      max: 200_000,
      integer: true,
      description: 'About how many triangles the head has; within a few percent from half the default up.',
    },
    roughness: {
      default: 0.015,
      min: 0,
      max: 0.15,
      description: 'Height of the unevenness of the skin, centimeters.',
    },
    seed: { default: 1, min: 0, max: 2 ** 31, integer: true, description: 'Which unevenness.' },
  },
  build: ({ triangles, roughness, seed }) => {
    const shape = displace(headShape(), noiseRelief({ seed, amplitude: roughness, wavelength: 1.4 }));
    const mesh = polygonizeZoomed(
      shape,
      { min: [-10, -17, -13], max: [10, 14, 14] },
      SPACING * Math.sqrt(TRIANGLES / triangles),
      { pole: [0, -1, 33], radius: 24 },
    );
    return scaleMesh(mesh, CENTIMETER);
  },
});
