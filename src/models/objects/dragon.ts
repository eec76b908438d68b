// A winged dragon with a scaly hide, drawn in decimeters: x to its left, y up from the ground, z forward. Tail, trunk
// and neck are one tube along a curve; a crest of spines follows it. Wings are plates between bones; no part is
// thinner than the lattice can hold, so the dragon stays in one piece at every size.
import { addScaled, cross, lerp, normalize, type Vec3 } from '../../core/vec3.js';
import type { ImplicitShape } from '../../mesh/implicit/implicit-shape.js';
import { polygonizeImplicit } from '../../mesh/implicit/polygonize-implicit.js';
import { defineModel } from '../model.js';
import { displace, mirrorX, place, smoothCut, smoothUnion } from '../parts/implicit-combine.js';
import { addReliefs, noiseRelief, scaleRelief } from '../parts/implicit-noise.js';
import { ellipsoid, plate, sphere } from '../parts/implicit-primitives.js';
import { roundCone, smoothTube, subdivideCurve, type TubePoint, tube } from '../parts/implicit-tube.js';
import { scaleMesh } from '../parts/scale-mesh.js';

/** Center and radius from the tip of the tail to the nape. */
const SPINE: readonly TubePoint[] = [
  [-3, 0.5, -2.6, 0.07],
  [-2.2, 0.32, -4, 0.15],
  [-0.6, 0.4, -4.9, 0.24],
  [0.9, 0.7, -4.3, 0.34],
  [1.1, 1.3, -3, 0.48],
  [0.45, 1.9, -1.7, 0.74],
  [0, 2.15, -0.4, 0.95],
  [0, 2.3, 0.9, 0.98],
  [0, 2.65, 1.9, 0.72],
  [0, 3.35, 2.5, 0.5],
  [0, 4.2, 2.75, 0.42],
  [0, 5, 2.95, 0.38],
  [0, 5.55, 3.5, 0.4],
];

/** `thinnest` is the least radius the lattice holds. */
function trunk(thinnest: number): ImplicitShape {
  const curve = subdivideCurve(SPINE, 6).map(([x, y, z, r]): TubePoint => [x, y, z, Math.max(r, thinnest)]);
  const belly = ellipsoid([0, 1.85, 0.3], [0.85, 0.85, 1.7]);
  const shoulder = mirrorX(place(ellipsoid([0, 0, 0], [0.4, 0.62, 0.5]), [0.68, 2.75, 1.15], [0, 0, -0.7]));
  return smoothUnion([tube(curve), belly, shoulder], 0.5);
}

/** Spines along the back, tall over the shoulders and on the neck, small towards the tail. */
function crest(thinnest: number): ImplicitShape {
  const curve = subdivideCurve(SPINE, 4);
  const spines: ImplicitShape[] = [];
  for (let i = 2; i + 1 < curve.length; i++) {
    const [x, y, z, r] = curve[i];
    const before = curve[i - 1];
    const after = curve[i + 1];
    const along = normalize([after[0] - before[0], after[1] - before[1], after[2] - before[2]]);
    // Up, square to the curve.
    const side = normalize(cross([0, 1, 0], along));
    const up = cross(along, side);
    const height = r + 0.18 + 0.3 * Math.min(1, r);
    const root = addScaled([x, y, z], up, 0.7 * r);
    const tip = addScaled(addScaled([x, y, z], up, height), along, -0.14 - 0.1 * r);
    spines.push(roundCone(root, Math.max(thinnest, 0.09 + 0.1 * r), tip, Math.max(0.6 * thinnest, 0.02)));
  }
  return smoothUnion(spines, 0.04);
}

/** Skull, snout and jaw with hollows for the eyes. */
function face(): ImplicitShape {
  const skull = ellipsoid([0, 5.65, 3.95], [0.5, 0.44, 0.62]);
  const snout = smoothTube(
    [
      [0, 5.7, 4.1, 0.4],
      [0, 5.6, 4.7, 0.31],
      [0, 5.42, 5.35, 0.25],
    ],
    3,
  );
  const jaw = smoothTube(
    [
      [0, 5.35, 3.85, 0.32],
      [0, 5.05, 4.4, 0.2],
      [0, 4.86, 5.1, 0.14],
    ],
    3,
  );
  const brow = mirrorX(roundCone([0.24, 5.98, 4.55], 0.11, [0.48, 6.05, 3.8], 0.17));
  const nostril = mirrorX(ellipsoid([0.14, 5.62, 5.4], [0.12, 0.1, 0.13]));
  const solid = smoothUnion([smoothUnion([skull, snout, jaw], 0.22), brow, nostril], 0.1);
  return smoothCut(solid, mirrorX(ellipsoid([0.56, 5.74, 4.34], [0.24, 0.17, 0.24])), 0.06);
}

/** Eyes, horns, the spikes behind the jaw, and teeth: what has no scales on the head. */
function headgear(thinnest: number): ImplicitShape {
  const eye = mirrorX(sphere([0.34, 5.74, 4.28], 0.17));
  const horn = mirrorX(
    smoothTube(
      [
        [0.26, 5.9, 3.75, 0.19],
        [0.48, 6.3, 3.2, 0.15],
        [0.62, 6.5, 2.5, 0.1],
        [0.6, 6.9, 1.9, Math.max(thinnest, 0.035)],
      ],
      5,
    ),
  );
  const jowl = mirrorX(
    smoothUnion(
      [
        roundCone([0.36, 5.5, 3.8], 0.14, [0.82, 5.5, 3.2], Math.max(thinnest, 0.03)),
        roundCone([0.3, 5.25, 3.8], 0.12, [0.68, 5.05, 3.3], Math.max(thinnest, 0.03)),
      ],
      0.03,
    ),
  );
  const teeth = mirrorX(
    smoothUnion(
      [0, 1, 2, 3].map((i) => {
        const z = 4.75 + 0.18 * i;
        const x = 0.2 - 0.02 * i;
        const lip = 5.6 - 0.28 * (z - 4.7) - 0.2;
        return roundCone(
          [x, lip, z],
          Math.max(thinnest, 0.06),
          [x, lip - 0.17, z + 0.02],
          Math.max(0.7 * thinnest, 0.02),
        );
      }),
      0.02,
    ),
  );
  return smoothUnion([eye, horn, jowl, teeth], 0.02);
}

/** A leg through its joints, a foot with three toes and claws. */
function leg(joints: readonly TubePoint[], thinnest: number): ImplicitShape {
  const limb = smoothTube(joints, 4);
  const [x, , z, r] = joints[joints.length - 1];
  const toes: ImplicitShape[] = [];
  for (const spread of [-0.55, 0, 0.55]) {
    const dx = Math.sin(spread);
    const dz = Math.cos(spread);
    const knuckle: Vec3 = [x + 0.3 * dx, 0.17, z + 0.3 * dz];
    const end: Vec3 = [x + 0.55 * dx, 0.12, z + 0.55 * dz];
    const claw: Vec3 = [x + 0.82 * dx, 0.06, z + 0.82 * dz];
    toes.push(
      smoothUnion([roundCone([x, r, z], r, knuckle, 0.15), roundCone(knuckle, 0.15, end, 0.12)], 0.03),
      roundCone(end, 0.1, claw, Math.max(thinnest, 0.03)),
    );
  }
  return smoothUnion([limb, smoothUnion(toes, 0.04)], 0.12);
}

function legs(thinnest: number): ImplicitShape {
  const hind = leg(
    [
      [0.62, 1.95, -0.75, 0.62],
      [1.2, 1.15, -0.1, 0.42],
      [1.25, 0.62, -0.95, 0.25],
      [1.25, 0.26, -0.6, 0.22],
    ],
    thinnest,
  );
  const fore = leg(
    [
      [0.6, 2.05, 1.4, 0.5],
      [1.15, 1.25, 0.95, 0.32],
      [1.1, 0.62, 1.5, 0.22],
      [1.1, 0.24, 1.7, 0.2],
    ],
    thinnest,
  );
  return mirrorX(smoothUnion([hind, fore], 0.1));
}

/** Arm, four fingers, and skin between them that hangs in at its free edge. */
function wings(thinnest: number): ImplicitShape {
  const shoulder: Vec3 = [0.45, 2.85, 1.2];
  const elbow: Vec3 = [1.7, 4.1, 0.5];
  const wrist: Vec3 = [2.5, 5.6, 1.2];
  const tips: Vec3[] = [
    [5.3, 6, -0.4],
    [5, 4.4, -1.9],
    [3.7, 3, -3],
    [1.9, 2.5, -2.9],
  ];
  const flank: Vec3 = [0.55, 2.3, -1.2];
  const skin = Math.max(thinnest, 0.035);
  const bones: ImplicitShape[] = [
    tube([
      [...shoulder, 0.26],
      [...elbow, 0.18],
      [...wrist, 0.16],
    ]),
    roundCone(wrist, 0.13, [2.55, 6.15, 1.45], Math.max(thinnest, 0.03)),
  ];
  const sheets: ImplicitShape[] = [];
  const edge = [...tips, flank];
  for (let i = 0; i < tips.length; i++) {
    // Fingers bow outwards a little.
    const knuckle = lerp(wrist, tips[i], 0.45);
    knuckle[1] += 0.22;
    bones.push(
      smoothTube(
        [
          [...wrist, 0.14],
          [...knuckle, 0.1],
          [...tips[i], Math.max(thinnest, 0.03)],
        ],
        4,
      ),
    );
    const from = i < tips.length - 1 ? wrist : elbow;
    const slack = lerp(lerp(edge[i], edge[i + 1], 0.5), from, 0.26);
    const next = i + 1 < tips.length ? lerp(wrist, tips[i + 1], 0.45) : flank;
    if (i + 1 < tips.length) {
      next[1] += 0.22;
      sheets.push(plate(wrist, knuckle, next, skin), plate(knuckle, slack, next, skin));
      sheets.push(plate(knuckle, edge[i], slack, skin), plate(next, slack, edge[i + 1], skin));
    } else {
      sheets.push(plate(wrist, knuckle, elbow, skin), plate(knuckle, slack, elbow, skin));
      sheets.push(plate(knuckle, edge[i], slack, skin), plate(elbow, slack, flank, skin));
      sheets.push(plate(elbow, flank, shoulder, skin));
    }
  }
  return mirrorX(smoothUnion([smoothUnion(bones, 0.06), smoothUnion(sheets, 0.03)], 0.06));
}

function tailBlade(thinnest: number): ImplicitShape {
  const half = Math.max(1.3 * thinnest, 0.06);
  const blade = smoothUnion(
    [plate([0, 0, -0.1], [0.42, 0, 0.35], [0, 0, 1.1], half), plate([0, 0, -0.1], [-0.42, 0, 0.35], [0, 0, 1.1], half)],
    0.03,
  );
  return place(blade, [-3, 0.5, -2.6], [-0.2, -0.35, 0.3]);
}

function dragonShape(thinnest: number, scales: number, seed: number): ImplicitShape {
  const large = addReliefs(
    scaleRelief({ seed, amplitude: scales, size: 0.2 }),
    noiseRelief({ seed: seed + 1, amplitude: 0.4 * scales, wavelength: 0.6 }),
  );
  const small = scaleRelief({ seed: seed + 2, amplitude: 0.5 * scales, size: 0.13 });
  const fine = noiseRelief({ seed: seed + 3, amplitude: 0.2 * scales, wavelength: 0.25 });
  const hide = displace(smoothUnion([trunk(thinnest), legs(thinnest)], 0.3), large);
  const head = smoothUnion([displace(face(), small), headgear(thinnest)], 0.03);
  const skin = displace(wings(thinnest), fine);
  return smoothUnion([smoothUnion([hide, head], 0.12), skin, crest(thinnest), tailBlade(thinnest)], 0.08);
}

/** Measured on the default dragon: the cell width that gives the default count, in decimeters. */
const SPACING = 0.0505;

/** Chosen: the default count of triangles, that of its famous namesake. */
const TRIANGLES = 250_000;

/** Definition: the shape is drawn in decimeters, the mesh is in meters. */
const DECIMETER = 0.1;

export const dragon = defineModel({
  name: 'dragon',
  title: 'Dragon',
  description: 'A winged dragon with horns, a crest of spines, claws and a scaly hide.',
  parameters: {
    triangles: {
      default: TRIANGLES,
      min: 30_000,
      max: 1_000_000,
      integer: true,
      description: 'About how many triangles the dragon has; within a few percent from half the default up.',
    },
    scales: { default: 0.04, min: 0, max: 0.06, description: 'Height of the scales, decimeters.' },
    seed: { default: 1, min: 0, max: 2 ** 31, integer: true, description: 'Which scales.' },
  },
  build: ({ triangles, scales, seed }) => {
    const spacing = SPACING * Math.sqrt(TRIANGLES / triangles);
    const shape = dragonShape(0.75 * spacing, scales, seed);
    const mesh = polygonizeImplicit(shape, { min: [-6, -0.5, -6], max: [6, 8, 6.5] }, spacing);
    return scaleMesh(mesh, DECIMETER);
  },
});
