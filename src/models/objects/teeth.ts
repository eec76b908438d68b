// Two rows of teeth that bite together: crowns on an elliptic arch, a gum under them, and fine noise all over, as a
// scan of a plaster cast has it. The upper row is hollowed by the lower one grown by a clearance, so that the rows
// face each other over a thin, nearly parallel gap where they meet and never touch at rest.
import type { Box } from '../../core/box.js';
import { createRandom } from '../../core/random.js';
import type { ImplicitShape } from '../../mesh/implicit/implicit-shape.js';
import { polygonizeImplicit } from '../../mesh/implicit/polygonize-implicit.js';
import type { Mesh } from '../../mesh/mesh.js';
import { defineModel, type ModelParameter } from '../model.js';
import { displace, place, smoothCut, smoothUnion } from '../parts/implicit-combine.js';
import { addReliefs, noiseRelief } from '../parts/implicit-noise.js';
import { ellipsoid, halfSpace } from '../parts/implicit-primitives.js';
import { type TubePoint, tube } from '../parts/implicit-tube.js';
import { scaleMesh } from '../parts/scale-mesh.js';
import { crown, type Tooth } from './tooth-crowns.js';

interface Row {
  /** From the middle to the back; the other side is the mirror image. */
  readonly teeth: readonly Tooth[];
  /** Half-axes of the arch across and forward, millimeters. */
  readonly arch: readonly [number, number];
  /** Height of the highest cusps over the bite plane: of the front teeth and of the others. */
  readonly reach: readonly [number, number];
}

const LOWER: Row = {
  teeth: [
    { kind: 'incisor', width: 5.4, depth: 5.8, height: 8.8 },
    { kind: 'incisor', width: 5.9, depth: 6, height: 8.8 },
    { kind: 'canine', width: 6.9, depth: 7.4, height: 9.4 },
    { kind: 'premolar', width: 7, depth: 7.8, height: 8 },
    { kind: 'premolar', width: 7.2, depth: 8.3, height: 7.8 },
    { kind: 'large-molar', width: 11, depth: 10.3, height: 7.4 },
    { kind: 'molar', width: 10.4, depth: 10, height: 7.2 },
  ],
  arch: [22.6, 42.6],
  reach: [1, 0.9],
};

const UPPER: Row = {
  teeth: [
    { kind: 'incisor', width: 8.6, depth: 7, height: 10.2 },
    { kind: 'incisor', width: 6.8, depth: 6.2, height: 9.4 },
    { kind: 'canine', width: 7.6, depth: 7.9, height: 9.8 },
    { kind: 'premolar', width: 7.1, depth: 9, height: 8.4 },
    { kind: 'premolar', width: 6.9, depth: 9, height: 8 },
    { kind: 'molar', width: 10.3, depth: 11, height: 7.4 },
    { kind: 'molar', width: 9.8, depth: 10.8, height: 7.2 },
  ],
  arch: [25, 46],
  reach: [2.4, 1.4],
};

/** Chosen: how far the gum's edge is below the bite plane, in millimeters. */
const GUM = 7.2;

/** Chosen: how far the flat base is below the bite plane, in millimeters. */
const BASE = 15.5;

/**
 * Proven: the gap between the smooth rows where they meet, as a value of the lower row's function, which changes by up
 * to 1.18 per millimeter. Noise takes at most 1.3 · roughness from either side, so for any seeds and roughnesses at
 * least (0.5 − 2.6 · 0.16) / 1.18 = 0.07 mm remain between the surfaces; the defaults leave 0.3 mm.
 */
const CLEARANCE = 0.5;

/** The crowns of a row on their arch, over a gum with a flat base. Crowns point up (+y), the front teeth are at +z. */
function rowShape(row: Row): ImplicitShape {
  const [across, forward] = row.arch;
  const at = (angle: number) => [across * Math.sin(angle), forward * Math.cos(angle) - 24] as const;
  const outward = (angle: number) => Math.atan2(Math.sin(angle) / across, Math.cos(angle) / forward);
  // Teeth of a real row are never quite in line: the same small offsets every time.
  const random = createRandom(row.teeth[0].width * 1000);
  const crowns: ImplicitShape[] = [];
  const gums: ImplicitShape[] = [];
  let end = 0;
  for (const side of [-1, 1]) {
    end = 0;
    for (const [i, tooth] of row.teeth.entries()) {
      const middle = walk(row.arch, end, tooth.width / 2);
      end = walk(row.arch, middle, tooth.width / 2);
      const lift = row.reach[i < 3 ? 0 : 1] + random.range(-0.2, 0.1);
      const fault = [random.range(-0.04, 0.04), random.range(-0.05, 0.05), random.range(-0.03, 0.03)];
      const lean = i < 3 ? 0.12 : 0;
      const [x, z] = at(middle);
      // Drawn a little wider than its place, so that neighbors touch.
      const shape = crown({ ...tooth, width: 1.04 * tooth.width });
      const oriented = side < 0 ? mirrorShape(shape) : shape;
      crowns.push(place(oriented, [side * x, lift, z], [lean + fault[0], side * outward(middle) + fault[1], fault[2]]));
      // The gum rises between two teeth.
      const [px, pz] = at(end);
      const papilla = ellipsoid([0, 0, 0], [1.5, 3.4, 0.3 * tooth.depth]);
      if (i + 1 < row.teeth.length) gums.push(place(papilla, [side * px, -GUM, pz], [0, side * outward(end), 0]));
    }
  }
  gums.push(place(ellipsoid([0, 0, 0], [1.5, 3.4, 0.3 * row.teeth[0].depth]), [0, -GUM, at(0)[1]]));
  const steps = 28;
  const arch = (height: number, front: number, back: number): ImplicitShape =>
    tube(
      Array.from({ length: 2 * steps + 1 }, (_, i): TubePoint => {
        const angle = ((i - steps) / steps) * end;
        const [x, z] = at(angle);
        return [x, height, z, front + (back - front) * Math.abs(Math.sin(angle))];
      }),
    );
  gums.push(arch(-GUM - 3.2, 3.5, 5.2), arch(-BASE, 4.6, 6));
  return smoothCut(smoothUnion([...crowns, smoothUnion(gums, 2.5)], 0.6), halfSpace([0, 1, 0], -BASE), 3);
}

function mirrorShape(shape: ImplicitShape): ImplicitShape {
  return { lipschitz: shape.lipschitz, value: (x, y, z) => shape.value(-x, y, z) };
}

/** The angle on the arch `length` further along it than `angle`. */
function walk(arch: readonly [number, number], angle: number, length: number): number {
  const steps = 32;
  for (let i = 0; i < steps; i++) {
    angle += length / steps / Math.hypot(arch[0] * Math.cos(angle), arch[1] * Math.sin(angle));
  }
  return angle;
}

/** Crowns down, hollowed by the lower row grown by the clearance. */
function upperShape(): ImplicitShape {
  const grown = displace(rowShape(LOWER), { lipschitz: 0, value: () => CLEARANCE });
  return smoothCut(place(rowShape(UPPER), [0, 0, 0], [0, 0, Math.PI]), grown, 0.25);
}

/** Chosen: the box that a row is polygonized in, in millimeters. */
const BOX: Box = { min: [-36, -18, -40], max: [36, 18, 30] };

function buildRow(shape: ImplicitShape, spacing: number, parameters: { roughness: number; seed: number }): Mesh {
  const { roughness, seed } = parameters;
  const rough = displace(
    shape,
    addReliefs(
      noiseRelief({ seed, amplitude: roughness, wavelength: 0.9 }),
      noiseRelief({ seed: seed + 1, amplitude: 0.3 * roughness, wavelength: 4 }),
    ),
  );
  return scaleMesh(polygonizeImplicit(rough, BOX, spacing), MILLIMETER);
}

/** Definition: the shape is drawn in millimeters, the mesh is in meters. */
const MILLIMETER = 0.001;

/** Chosen: the largest height of the noise, in millimeters; {@link CLEARANCE} depends on it. */
const MAX_ROUGHNESS = 0.16;

function rowParameters(triangles: number, seed: number) {
  return {
    triangles: {
      default: triangles,
      min: 10_000,
      max: 200_000,
      integer: true,
      description: 'About how many triangles the row has; within a few percent from half the default up.',
    },
    roughness: {
      default: 0.15,
      min: 0,
      max: MAX_ROUGHNESS,
      description: 'Height of the noise on the surface, millimeters.',
    },
    seed: { default: seed, min: 0, max: 2 ** 31, integer: true, description: 'Which noise.' },
  } satisfies Record<string, ModelParameter>;
}

/** Measured on the default lower row: the cell width that gives the default count, in millimeters. */
const LOWER_SPACING = 0.744;

/** Measured on the default upper row: the cell width that gives the default count, in millimeters. */
const UPPER_SPACING = 0.721;

export const teethLower = defineModel({
  name: 'teeth-lower',
  title: 'Lower teeth',
  description: 'Fourteen lower teeth on a gum arch, rough as a scan; bites into teeth-upper with both at their origin.',
  parameters: rowParameters(40_180, 1),
  build: (p) => buildRow(rowShape(LOWER), LOWER_SPACING * Math.sqrt(40_180 / p.triangles), p),
});

export const teethUpper = defineModel({
  name: 'teeth-upper',
  title: 'Upper teeth',
  description: 'Fourteen upper teeth on a gum arch, rough as a scan; fits over teeth-lower with both at their origin.',
  parameters: rowParameters(47_339, 3),
  build: (p) => buildRow(upperShape(), UPPER_SPACING * Math.sqrt(47_339 / p.triangles), p),
});
