// The bodies of the five scenes of Hoff, Zaferakis, Lin and Manocha 2001, drawn anew with the paper's numbers of objects and
// lines, and where they start.
import { createRandom, type Random } from 'nearfield/core';

export const PLANE_SCENES = ['map', 'gears', 'links', 'cars', 'wavy'] as const;

export type PlaneSceneName = (typeof PLANE_SCENES)[number];

/** A body at the start, with a pose x, y, angle and a velocity vx, vy, spin. */
export interface PlaneStart {
  readonly ring: Float64Array;
  readonly pose: readonly [number, number, number];
  readonly velocity: readonly [number, number, number];
}

export interface PlaneLayout {
  readonly title: string;
  readonly starts: readonly PlaneStart[];
  /** The room in which it moves: x0, y0, x1, y1; null where nothing leaves. */
  readonly box: readonly [number, number, number, number] | null;
}

/** The bodies of a scene as they start; the same every time. */
export function layOutPlane(name: PlaneSceneName): PlaneLayout {
  return LAYOUTS[name]();
}

const LAYOUTS: Readonly<Record<PlaneSceneName, () => PlaneLayout>> = {
  /** Six large jagged regions that keep pressing against each other. */
  map: () => {
    const random = createRandom(719);
    const rings = [120, 120, 120, 120, 120, 119].map((count) => jagged(random, count, 1));
    const box = [-3.2, -2.15, 3.2, 2.15] as const;
    return {
      title: 'Six countries of 719 lines, in close contact',
      box,
      starts: inCells(rings, box, random, 0.4, 0.3),
    };
  },
  /** Gears with square teeth that drift and lock into each other now and then. */
  gears: () => {
    const random = createRandom(391);
    // 12 · 30 + 31 lines: seven or eight teeth of four lines each, and a few more on the hub.
    const rings = Array.from({ length: 13 }, (_, i) => gear(i === 12 ? 31 : 30, 1));
    const box = [-5, -4.2, 5, 4.2] as const;
    return { title: '13 gears of 391 lines', box, starts: inCells(rings, box, random, 0.7, 0.5) };
  },
  /** Chains of open hooks that hold one another. */
  links: () => {
    const random = createRandom(440);
    const starts = Array.from({ length: 15 }, (_, i): PlaneStart => {
      const [chain, place] = [Math.floor(i / 5), i % 5];
      return {
        ring: hook(i < 5 ? 30 : 29),
        pose: [3.4 * (chain - 1) + 1.08 * (place - 2), 1.08 * (place - 2), random.range(-0.02, 0.02)],
        velocity: [random.range(-0.25, 0.25), random.range(-0.25, 0.25), random.range(-0.3, 0.3)],
      };
    });
    return { title: '15 links of 440 lines in three chains', box: [-7, -3.6, 7, 3.6], starts };
  },
  /** Convex cars that bump. */
  cars: () => {
    const random = createRandom(266);
    const rings = Array.from({ length: 18 }, (_, i) => oval(i < 14 ? 15 : 14, 1, 0.8));
    const box = [-8.4, -6, 8.4, 6] as const;
    return { title: '18 cars of 266 lines', box, starts: inCells(rings, box, random, 2.4, 0.9) };
  },
  /** Two soft bodies that lean against each other. */
  wavy: () => ({
    title: 'Two deforming bodies of 200 lines',
    box: null,
    // The left one stands higher: the wave of the right one starts below it.
    starts: [1, -1].map((sign) => ({ ring: pillow(sign), pose: [0, 0.3 * sign, 0], velocity: [0, 0, 0] })),
  }),
};

/** Bodies in the cells of a grid, with seeded directions. */
function inCells(
  rings: readonly Float64Array[],
  box: readonly [number, number, number, number],
  random: Random,
  speed: number,
  spin: number,
): PlaneStart[] {
  const [width, height] = [box[2] - box[0], box[3] - box[1]];
  const columns = Math.ceil(Math.sqrt((rings.length * width) / height));
  const lines = Math.ceil(rings.length / columns);
  return rings.map((ring, i) => {
    const direction = random.range(0, 2 * Math.PI);
    const x = box[0] + (((i % columns) + 0.5) / columns) * width;
    const y = box[1] + ((Math.floor(i / columns) + 0.5) / lines) * height;
    return {
      ring,
      pose: [x, y, random.range(0, 2 * Math.PI)],
      velocity: [speed * Math.cos(direction), speed * Math.sin(direction), random.range(-spin, spin)],
    };
  });
}

/** A soft body of 100 lines: 77 points along the side that faces the other one, the others around the back. */
function pillow(sign: number): Float64Array {
  const [count, along] = [100, 77];
  const ring = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const isFront = i < along;
    const s = isFront ? i / (along - 1) : (i - along + 1) / (count - along + 1);
    // The fronts overlap by a little at rest, so that they keep in touch.
    const x = isFront ? 0.02 : 0.02 - 1.1 * Math.sin(Math.PI * s) ** 0.4;
    const y = isFront ? 1 - 2 * s : -1 + 2 * s;
    // From top to bottom along the front is clockwise; the other way round is not.
    const at = 2 * (count - 1 - i);
    ring[at] = sign * x;
    ring[at + 1] = sign * y;
  }
  return ring;
}

function jagged(random: Random, count: number, radius: number): Float64Array {
  const waves = [2, 3, 5, 7].map((k) => ({ k, size: random.range(0.05, 0.2) / k, phase: random.range(0, 7) }));
  const ring = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const angle = (2 * Math.PI * i) / count;
    const swell = waves.reduce((sum, { k, size, phase }) => sum + size * Math.sin(k * angle + phase), 0.88);
    const reach = radius * (swell + random.range(-0.035, 0.035));
    ring[2 * i] = reach * Math.cos(angle);
    ring[2 * i + 1] = reach * Math.sin(angle);
  }
  return ring;
}

function gear(count: number, radius: number): Float64Array {
  const teeth = Math.floor(count / 4);
  const points: number[] = [];
  for (let tooth = 0; tooth < teeth; tooth++) {
    for (const [share, reach] of [
      [0, 0.82],
      [0.5, 0.82],
      [0.55, 1],
      [0.95, 1],
    ]) {
      const angle = (2 * Math.PI * (tooth + share)) / teeth;
      points.push(radius * reach * Math.cos(angle), radius * reach * Math.sin(angle));
    }
    // The lines beyond whole teeth divide the gaps of the first ones.
    if (tooth < count % 4) {
      const angle = (2 * Math.PI * (tooth + 0.25)) / teeth;
      points.splice(points.length - 6, 0, radius * 0.82 * Math.cos(angle), radius * 0.82 * Math.sin(angle));
    }
  }
  return Float64Array.from(points);
}

function oval(count: number, width: number, height: number): Float64Array {
  const ring = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const angle = (2 * Math.PI * i) / count;
    const round = (Math.abs(Math.cos(angle)) ** 4 + Math.abs(Math.sin(angle)) ** 4) ** -0.25;
    ring[2 * i] = 0.85 * width * round * Math.cos(angle);
    ring[2 * i + 1] = 0.85 * height * round * Math.sin(angle);
  }
  return ring;
}

/** An S of two open hooks: the one on the right holds the one on the left of the next link. */
function hook(count: number): Float64Array {
  // A bar along x with a thick arc at each end, as the outline of a bent stroke.
  const half = Math.floor(count / 2);
  const points: number[] = [];
  for (let i = 0; i < count; i++) {
    const isBack = i >= half;
    const s = isBack ? 1 - (i - half) / (count - half - 1) : i / (half - 1);
    const [x, y, nx, ny] = stroke(s);
    const width = isBack ? -0.09 : 0.09;
    points.push(x + width * nx, y + width * ny);
  }
  return Float64Array.from(points);
}

/** The middle line of a link: an arc, a bar, an arc turned the other way; with its normal. */
function stroke(s: number): [number, number, number, number] {
  const radius = 0.36;
  if (s > 0.4 && s < 0.6) {
    const t = (s - 0.4) / 0.2;
    return [-0.55 + 1.1 * t, 0, 0, -1];
  }
  const isRight = s >= 0.6;
  const turn = isRight ? (s - 0.6) / 0.4 : (0.4 - s) / 0.4;
  const angle = 1.15 * Math.PI * turn - Math.PI / 2;
  const sign = isRight ? 1 : -1;
  const [c, n] = [Math.cos(angle), Math.sin(angle)];
  return [sign * (0.55 + radius * c), sign * (radius + radius * n), c, n];
}
