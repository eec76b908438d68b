// Single teeth as implicit shapes, in millimeters: crown up (+y), lip or cheek side forward (+z), x along the row; the
// tips of the cusps are near y = 0. A rounded rectangle whose sides follow the tooth's profile, topped by a relief
// of cones, one per cusp: the valleys between the cones are the tooth's grooves.
import type { ImplicitShape } from '../../mesh/implicit/implicit-shape.js';
import { smoothCut } from '../parts/implicit-combine.js';

/** A tooth's kind, its size along the row (`width`) and across it (`depth`), and the height of its crown. */
export interface Tooth {
  readonly kind: 'incisor' | 'canine' | 'premolar' | 'molar' | 'large-molar';
  readonly width: number;
  readonly depth: number;
  readonly height: number;
}

/** x and z as shares of half the width and depth, and how far the tip lies below the highest, millimeters. */
type Cusp = readonly [number, number, number];

interface Form {
  /** Half sizes along and across the row, as shares of width and depth, at five heights from tip to below the neck. */
  readonly along: readonly number[];
  readonly across: readonly number[];
  readonly cusps: readonly Cusp[];
  /** How steeply the relief falls from a cusp. */
  readonly slope: number;
}

const FORMS: Record<Tooth['kind'], Form> = {
  incisor: {
    along: [0.45, 0.5, 0.46, 0.39, 0.3],
    across: [0.13, 0.2, 0.31, 0.43, 0.45],
    cusps: [
      [-0.72, 0, 0.1],
      [-0.1, 0, 0],
      [0.6, 0, 0.15],
    ],
    slope: 0.3,
  },
  canine: {
    along: [0.34, 0.49, 0.47, 0.39, 0.32],
    across: [0.16, 0.28, 0.4, 0.47, 0.46],
    cusps: [[-0.06, 0, 0]],
    slope: 0.75,
  },
  premolar: {
    along: [0.4, 0.5, 0.48, 0.42, 0.36],
    across: [0.34, 0.44, 0.49, 0.46, 0.42],
    cusps: [
      [0, 0.5, 0],
      [0.05, -0.46, 0.6],
    ],
    slope: 0.6,
  },
  molar: {
    along: [0.42, 0.5, 0.49, 0.45, 0.4],
    across: [0.36, 0.46, 0.5, 0.47, 0.43],
    cusps: [
      [-0.46, 0.56, 0],
      [0.44, 0.54, 0.2],
      [-0.5, -0.52, 0.3],
      [0.42, -0.5, 0.5],
    ],
    slope: 0.58,
  },
  'large-molar': {
    along: [0.43, 0.5, 0.49, 0.45, 0.4],
    across: [0.36, 0.46, 0.5, 0.47, 0.43],
    cusps: [
      [-0.58, 0.54, 0.1],
      [0.06, 0.6, 0],
      [0.66, 0.36, 0.35],
      [-0.44, -0.54, 0.2],
      [0.4, -0.54, 0.35],
    ],
    slope: 0.58,
  },
};

/** Chosen: the heights of a form's five half sizes, as shares of the crown's height. */
const LEVELS = [0, 0.3, 0.6, 1, 1.6];

/** Chosen: the rounding of the crown's rim, in millimeters. */
const RIM = 1;

/** Chosen: the rounding of the cusps' tips, in millimeters. */
const TIP = 0.5;

export function crown(tooth: Tooth): ImplicitShape {
  const form = FORMS[tooth.kind];
  const top = occlusalSurface(tooth, form);
  // smoothCut needs what is taken away: everything above the relief.
  return smoothCut(sides(tooth, form), { lipschitz: top.lipschitz, value: (x, y, z) => -top.value(x, y, z) }, RIM);
}

/** A column, rounded in plan, whose half sizes follow the profile; it ends below the neck, inside the gum. */
function sides({ width, depth, height }: Tooth, form: Form): ImplicitShape {
  const along = form.along.map((share) => share * width);
  const across = form.across.map((share) => share * depth);
  const levels = LEVELS.map((share) => share * height);
  let steepest = 0;
  for (let i = 0; i + 1 < levels.length; i++) {
    const rise = levels[i + 1] - levels[i];
    steepest = Math.max(steepest, Math.hypot(along[i + 1] - along[i], across[i + 1] - across[i]) / rise);
  }
  const bottom = levels[levels.length - 1];
  return {
    lipschitz: Math.hypot(1, steepest),
    value: (x, y, z) => {
      const down = Math.min(bottom, Math.max(0, -y));
      let i = 0;
      while (i < levels.length - 2 && down > levels[i + 1]) i++;
      const t = (down - levels[i]) / (levels[i + 1] - levels[i]);
      const a = along[i] + t * (along[i + 1] - along[i]);
      const b = across[i] + t * (across[i + 1] - across[i]);
      const round = 0.75 * Math.min(a, b);
      const px = Math.abs(x) - a + round;
      const pz = Math.abs(z) - b + round;
      const plan = px > 0 && pz > 0 ? Math.sqrt(px * px + pz * pz) : Math.max(px, pz);
      return Math.max(plan - round, -y - bottom);
    },
  };
}

/** Below the highest of the cones that stand on the cusps. */
function occlusalSurface({ width, depth }: Tooth, form: Form): ImplicitShape {
  const { slope } = form;
  const scale = 1 / Math.hypot(1, slope);
  const cusps = form.cusps.map(([x, z, fall]) => [(x * width) / 2, (z * depth) / 2, fall]);
  return {
    lipschitz: 1,
    value: (x, y, z) => {
      let top = -Infinity;
      for (const [cx, cz, fall] of cusps) {
        const reach = Math.sqrt((x - cx) * (x - cx) + (z - cz) * (z - cz) + TIP * TIP) - TIP;
        top = Math.max(top, -fall - slope * reach);
      }
      return (y - top) * scale;
    },
  };
}
