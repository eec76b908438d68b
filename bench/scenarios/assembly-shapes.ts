// The shapes of a plant: two hundred solids of about a thousand triangles each, in ten families of twenty sizes. All are
// extrusions, some of them bent or turned, so that they are closed and do not intersect themselves. Lengths in millimeters.
import { createPolygon, extrudePolygon, type Mesh } from 'nearfield/mesh';

/** A shape with the half-length of its axis, which is along z. */
export interface PlantShape {
  readonly name: string;
  readonly family: ShapeFamily;
  readonly mesh: Mesh;
  /** The shape reaches from −half to half along z. */
  readonly half: number;
  /** The largest distance from the z axis. */
  readonly radius: number;
}

/** The kinds of parts, in the order in which a plant uses them. */
export const SHAPE_FAMILIES = [
  'pipe',
  'long pipe',
  'elbow',
  'flange',
  'valve',
  'bolt',
  'beam',
  'bracket',
  'gear',
  'plate',
] as const;
export type ShapeFamily = (typeof SHAPE_FAMILIES)[number];

/** Shapes of one family. */
export const SIZES_A_FAMILY = 20;

/** Two hundred shapes: twenty sizes of each family, a family after the other. Always the same. */
export function plantShapes(): PlantShape[] {
  return SHAPE_FAMILIES.flatMap((family) =>
    Array.from({ length: SIZES_A_FAMILY }, (_, size): PlantShape => {
      const mesh = build[family](size);
      let half = 0;
      let radius = 0;
      for (let i = 0; i < mesh.positions.length; i += 3) {
        half = Math.max(half, Math.abs(mesh.positions[i + 2]));
        radius = Math.max(radius, Math.hypot(mesh.positions[i], mesh.positions[i + 1]));
      }
      return { name: `${family} ${size + 1}`, family, mesh, half, radius };
    }),
  );
}

/** The outer radius of a pipe: five nominal sizes, shared by what is mounted on it. */
export function pipeRadius(size: number): number {
  return [32, 48, 64, 96, 128][size % 5];
}

const build: Record<ShapeFamily, (size: number) => Mesh> = {
  pipe: (size) => tube(pipeRadius(size), 250 + 125 * Math.floor(size / 5)),
  'long pipe': (size) => tube(pipeRadius(size), 1000 + 500 * Math.floor(size / 5)),
  elbow: (size) => {
    const r = pipeRadius(size);
    const layers = 8;
    return bend(extrude([circle(r, 28), circle(0.85 * r, 28)], 1, layers), (2 + 0.25 * Math.floor(size / 5)) * r);
  },
  flange: (size) => {
    const r = pipeRadius(size);
    const holes = boltCircle(1.45 * r, 8, 0.12 * r, 12);
    return extrude([circle(1.75 * r, 64), circle(0.85 * r, 48), ...holes], 16 + 4 * Math.floor(size / 5));
  },
  valve: (size) => {
    const r = pipeRadius(size);
    const body = 1.3 + 0.2 * Math.floor(size / 5);
    return turn(
      [
        [1.75, -2],
        [1.75, -1.7],
        [1, -1.7],
        [1, -1.3],
        ...Array.from({ length: 13 }, (_, i) => {
          const angle = (Math.PI * (i + 1)) / 14;
          return [1 + (body - 1) * Math.sin(angle), -1.2 * Math.cos(angle)] as const;
        }),
        [1, 1.3],
        [1, 1.7],
        [1.75, 1.7],
        [1.75, 2],
      ],
      r,
      24,
    );
  },
  bolt: (size) => {
    const r = 4 + 2 * (size % 5);
    const length = 6 + 2 * Math.floor(size / 5);
    const threads = Array.from({ length: 14 }, (_, i) => [i % 2 === 0 ? 1 : 0.9, (length * (i + 1)) / 16] as const);
    return turn([[1.6, -1.6], [2, -1.4], [2, -0.2], [1.8, 0], [1, 0], ...threads, [0.8, length]], r, 24, 4);
  },
  beam: (size) => {
    const h = 60 + 20 * (size % 5);
    return extrude([filleted(iSection(h, 0.7 * h, 0.08 * h), 0.03 * h)], 2000 + 500 * Math.floor(size / 5), 8);
  },
  bracket: (size) => {
    const a = 60 + 20 * (size % 5);
    return extrude([filleted(angleSection(a, 0.12 * a), 0.05 * a)], 40 + 20 * Math.floor(size / 5), 16);
  },
  gear: (size) => {
    const r = 40 + 20 * (size % 5);
    const holes = boltCircle(0.55 * r, 6, 0.12 * r, 16);
    return extrude([toothed(r, 20 + Math.floor(size / 5)), circle(0.2 * r, 48), ...holes], 20 + 5 * (size % 4));
  },
  plate: (size) => {
    const w = 200 + 100 * (size % 5);
    const d = 160 + 80 * Math.floor(size / 5);
    const holes = Array.from({ length: 12 }, (_, i) =>
      circle(0.05 * Math.min(w, d), 20, w * (((i % 4) + 0.5) / 4 - 0.5), d * ((Math.floor(i / 4) + 0.5) / 3 - 0.5)),
    );
    return extrude([[-w / 2, -d / 2, w / 2, -d / 2, w / 2, d / 2, -w / 2, d / 2], ...holes], 12 + 4 * (size % 3));
  },
};

function extrude(rings: readonly (readonly number[])[], depth: number, layers = 1): Mesh {
  return extrudePolygon(createPolygon(rings), { depth, layers });
}

function tube(radius: number, length: number): Mesh {
  return extrude([circle(radius, 124), circle(0.85 * radius, 124)], length);
}

function circle(radius: number, count: number, x = 0, y = 0): number[] {
  return Array.from({ length: count }, (_, i) => (2 * Math.PI * i) / count).flatMap((angle) => [
    x + radius * Math.cos(angle),
    y + radius * Math.sin(angle),
  ]);
}

function boltCircle(radius: number, count: number, hole: number, sides: number): number[][] {
  return Array.from({ length: count }, (_, i) => (2 * Math.PI * (i + 0.5)) / count).map((angle) =>
    circle(hole, sides, radius * Math.cos(angle), radius * Math.sin(angle)),
  );
}

function toothed(radius: number, teeth: number): number[] {
  const steps = [
    [0, 1],
    [0.15, 1],
    [0.2, 1.06],
    [0.35, 1.12],
    [0.5, 1.06],
    [0.55, 1],
  ];
  return Array.from({ length: teeth }, (_, i) =>
    steps.flatMap(([at, reach]) => {
      const angle = (2 * Math.PI * (i + at)) / teeth;
      return [0.88 * reach * radius * Math.cos(angle), 0.88 * reach * radius * Math.sin(angle)];
    }),
  ).flat();
}

function iSection(h: number, w: number, t: number): number[][] {
  const [x, y, s] = [w / 2, h / 2, t / 2];
  return [
    [-x, -y],
    [x, -y],
    [x, t - y],
    [s, t - y],
    [s, y - t],
    [x, y - t],
    [x, y],
    [-x, y],
    [-x, y - t],
    [-s, y - t],
    [-s, t - y],
    [-x, t - y],
  ];
}

function angleSection(a: number, t: number): number[][] {
  return [
    [0, 0],
    [a, 0],
    [a, t],
    [t, t],
    [t, a],
    [0, a],
  ];
}

/** Every corner of a right angle replaced by an arc of four chords, which bulges as a fillet of that radius does. */
function filleted(corners: readonly number[][], radius: number): number[] {
  return corners.flatMap((corner, i) => {
    const toward = (other: number[]): number[] => {
      const length = Math.hypot(other[0] - corner[0], other[1] - corner[1]);
      return [(other[0] - corner[0]) / length, (other[1] - corner[1]) / length];
    };
    const u = toward(corners[(i + corners.length - 1) % corners.length]);
    const v = toward(corners[(i + 1) % corners.length]);
    return Array.from({ length: 5 }, (_, k) => (Math.PI * k) / 8).flatMap((angle) => {
      const [p, q] = [radius * (1 - Math.sin(angle)), radius * (1 - Math.cos(angle))];
      return [corner[0] + p * u[0] + q * v[0], corner[1] + p * u[1] + q * v[1]];
    });
  });
}

/** A solid of depth 1 along z bent into a quarter of a ring around an axis at x = −radius. */
function bend({ positions, indices }: Mesh, radius: number): Mesh {
  const bent = positions.slice();
  for (let i = 0; i < bent.length; i += 3) {
    const angle = (Math.PI / 2) * positions[i + 2];
    bent[i] = (radius + positions[i]) * Math.cos(angle) - radius;
    bent[i + 2] = (radius + positions[i]) * Math.sin(angle);
  }
  return { positions: bent, indices };
}

/**
 * A solid of revolution from a profile of radii and heights, both in units of `radius`. The points after
 * the first, up to before `sixSided`, are hexagonal: the head of a bolt. Centered along z.
 */
function turn(profile: readonly (readonly [number, number])[], radius: number, sides: number, sixSided = 0): Mesh {
  const layers = profile.length - 1;
  const { positions, indices } = extrude([circle(1, sides)], layers, layers);
  const middle = (profile[0][1] + profile[layers][1]) / 2;
  const turned = positions.slice();
  for (let i = 0; i < turned.length; i += 3) {
    const row = Math.round(positions[i + 2] + layers / 2);
    const angle = Math.atan2(positions[i + 1], positions[i]);
    const inSide = ((angle + 2 * Math.PI) % (Math.PI / 3)) - Math.PI / 6;
    const reach = row > 0 && row < sixSided ? Math.cos(Math.PI / 6) / Math.cos(inSide) : 1;
    turned[i] = radius * reach * profile[row][0] * positions[i];
    turned[i + 1] = radius * reach * profile[row][0] * positions[i + 1];
    turned[i + 2] = radius * (profile[row][1] - middle);
  }
  return { positions: turned, indices };
}
