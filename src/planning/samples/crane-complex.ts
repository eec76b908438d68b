// The crane complex: a tower crane carries a girder out of one bay of a plant and into another. After the scene of Foskey, Garber,
// Lin and Manocha (2001), whose model is not public.
import { createRandom } from '../../core/random.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import { type ProfilePoint, profileLine, revolve } from '../../mesh/models/parts/surface-of-revolution.js';
import type { ChainPlanRobot, PlanJoint, PlanObstacle, PlanProblem } from '../problem/plan-problem.js';
import { type Block, blockSolid } from './block-solid.js';
import { joinMeshes, placeAt, placeMesh } from './place-mesh.js';
import { defineSample } from './sample.js';

/** Heights and lengths of the crane, in meters. */
const JIB_HEIGHT = 22;
const JIB_LENGTH = 23;
const DEEPEST = 20.5;

/** The rope is in so many pieces, which the hoist draws apart. */
const ROPES = 4;

/** Where the bays are: angles about the tower. */
const BAY_ANGLES = [-0.9, 0.9 - 2 * Math.PI] as const;

/** Where things stand: angles about the tower, and distances from it. */
interface Layout {
  readonly bayDistances: readonly [number, number];
  /** Angle, distance, radius and height. */
  readonly vessels: readonly (readonly [number, number, number, number])[];
  /** Rows of columns that the load passes between: angle, and the distance of the gap. */
  readonly gates: readonly (readonly [number, number])[];
  /** Between the bays, on the short way round: the jib cannot pass over them. */
  readonly chimneys: readonly (readonly [number, number])[];
}

export const craneComplex = defineSample({
  name: 'crane-complex',
  title: 'Crane complex',
  description:
    'A tower crane lifts a girder out of a bay among pipes, turns past chimneys and vessels, and lowers it into another bay.',
  parameters: {
    gap: {
      default: 1.1,
      min: 0.7,
      max: 3,
      description: 'free width between the pipes over a bay, in meters; the girder has 0.5',
    },
    plant: {
      default: 0,
      min: 0,
      max: 9999,
      integer: true,
      description: 'another plant for each number: bays, vessels, rows of columns and chimneys are elsewhere',
    },
  },
  build: ({ gap, plant: number }): PlanProblem => {
    const hoist = JIB_HEIGHT - 3.2;
    const layout = layOut(number);
    const [from, to] = layout.bayDistances;
    return {
      robots: [
        {
          ...towerCrane(),
          start: [BAY_ANGLES[0], from, hoist, 0],
          goal: [BAY_ANGLES[1], to, hoist, Math.PI / 2],
        },
      ],
      environment: plant(gap, layout),
    };
  },
});

/** A tower crane: slewing jib, trolley, hoist with a rope, and a girder that turns on the hook. */
export function towerCrane(): ChainPlanRobot {
  const ropes = Array.from({ length: ROPES - 1 }, (_, i) => `rope ${i + 1}`);
  const piece = DEEPEST / ROPES;
  const rope = prism(0.05, 0.02, piece, 8);
  const links = [
    { name: 'tower', mesh: lattice([0, JIB_HEIGHT - 0.6], 1.6, 1) },
    { name: 'jib', mesh: jib() },
    {
      name: 'trolley',
      mesh: blockSolid([
        [-0.7, -0.5, -0.6, 0.7, -0.2, 0.6],
        [-0.3, -0.8, -0.3, 0.3, -0.4, 0.3],
      ]),
    },
    ...ropes.map((name) => ({ name, mesh: rope })),
    { name: 'hook', mesh: joinMeshes([prism(0.05, 0.5, piece, 8), revolve(HOOK, 20)]) },
    { name: 'girder', mesh: girder() },
  ];
  const hoist: Omit<PlanJoint, 'name' | 'child'> = {
    type: 'prismatic',
    parent: 'trolley',
    axis: [0, -1, 0],
    limits: [1.6, DEEPEST],
  };
  const joints: PlanJoint[] = [
    {
      name: 'slew',
      type: 'revolute',
      parent: 'tower',
      child: 'jib',
      axis: [0, 1, 0],
      origin: placeAt([0, JIB_HEIGHT, 0]),
      limits: [-5.9, 0.4],
    },
    { name: 'trolley', type: 'prismatic', parent: 'jib', child: 'trolley', axis: [1, 0, 0], limits: [3, 21] },
    { name: 'hoist', child: 'hook', ...hoist },
    ...ropes.map((child, i): PlanJoint => {
      return { name: child, child, ...hoist, mimic: { joint: 'hoist', factor: (i + 1) / ROPES } };
    }),
    { name: 'swivel', type: 'revolute', parent: 'hook', child: 'girder', axis: [0, 1, 0], limits: [-1.7, 1.7] },
  ];
  // The pieces of the rope lie within each other, and pass the jib.
  const inner = [...ropes, 'hook'];
  const ignore = inner.flatMap((a, i) => [
    [a, 'jib'] as const,
    [a, 'trolley'] as const,
    ...inner.slice(0, i).map((b) => [a, b] as const),
    ...(a === 'hook' ? [] : [[a, 'girder'] as const]),
  ]);
  return { type: 'chain', name: 'crane', links, joints, ignore };
}

/** The block of the hook. */
const HOOK: readonly ProfilePoint[] = [
  [0, -0.1],
  [0.12, -0.1],
  [0.3, 0.05],
  [0.3, 0.3],
  [0.12, 0.45],
  [0, 0.45],
];

/** A bar about y from a height on. */
function prism(radius: number, bottom: number, length: number, sides: number): Mesh {
  return revolve(
    [
      [0, bottom],
      [radius, bottom],
      [radius, bottom + length],
      [0, bottom + length],
    ],
    sides,
  );
}

/** A girder of I section under the hook, with slings' lugs. */
function girder(): Mesh {
  return blockSolid([
    [-3, -0.75, -0.25, 3, -0.67, 0.25],
    [-3, -0.7, -0.04, 3, -0.3, 0.04],
    [-3, -0.33, -0.25, 3, -0.25, 0.25],
    [-0.3, -0.3, -0.1, 0.3, -0.15, 0.1],
  ]);
}

/** A mast of four posts with frames between. */
function lattice([bottom, top]: readonly [number, number], width: number, spacing: number): Mesh {
  const [half, post] = [width / 2, 0.12];
  const blocks: Block[] = [];
  for (const x of [-half, half - post]) {
    for (const z of [-half, half - post]) blocks.push([x, bottom, z, x + post, top, z + post]);
  }
  for (let y = bottom; y <= top - post; y += spacing) {
    for (const side of [-half, half - post]) {
      blocks.push([-half, y, side, half, y + post, side + post], [side, y, -half, side + post, y + post, half]);
    }
  }
  return blockSolid(blocks);
}

/** Jib, counter-jib with its weight, and cabin in one. */
function jib(): Mesh {
  const blocks: Block[] = [];
  const chord = 0.12;
  for (const z of [-0.7, 0.58]) {
    blocks.push([-7, 0, z, JIB_LENGTH, chord, z + chord], [-5, 1, z, JIB_LENGTH - 1, 1 + chord, z + chord]);
    for (let x = -5; x < JIB_LENGTH - 1; x += 1.5) blocks.push([x, 0, z, x + chord, 1 + chord, z + chord]);
  }
  for (let x = -5; x < JIB_LENGTH - 1; x += 1.5) {
    blocks.push([x, 0, -0.7, x + chord, chord, 0.7], [x, 1, -0.7, x + chord, 1 + chord, 0.7]);
  }
  blocks.push([-7, 0, -0.7, -5.4, 1.6, 0.7], [1.1, -1.7, 0.65, 2.4, 0.1, 1.8], [-0.9, -0.35, -0.7, 0.9, 0.1, 0.7]);
  return blockSolid(blocks);
}

/** The plant: bays of pipes over pits, racks, vessels, chimneys and tanks. Solids of one mesh do not touch. */
function plant(gap: number, { bayDistances, vessels: upright, gates, chimneys: tall }: Layout): PlanObstacle[] {
  const ground = blockSolid([[-26, -1, -26, 26, -0.02, 26]]);
  const pipes = [...BAY_ANGLES.flatMap((angle, i) => bay(angle, bayDistances[i], gap)), ...racks()];
  const vessels = upright.map(([angle, distance, radius, height]) => standing(vessel(radius, height), angle, distance));
  const columns = gates.flatMap(([angle, opening]) => {
    const places = Array.from({ length: 10 }, (_, i) => 4 + 2 * i).filter((distance) => distance !== opening);
    return places.map((distance) => standing(vessel(0.45, JIB_HEIGHT - 1.1), angle, distance));
  });
  const chimneys = tall.map(([angle, distance]) => standing(vessel(0.9, 26), angle, distance));
  const tanks = TANKS.map(([angle, distance, radius]) => standing(ball(radius), angle, distance));
  return [
    ground,
    joinMeshes(pipes),
    joinMeshes(vessels),
    joinMeshes(columns),
    joinMeshes(chimneys),
    joinMeshes(tanks),
  ].map((mesh) => ({ mesh }));
}

/** The layout of a plant; that of number 0 is even. */
function layOut(number: number): Layout {
  const random = createRandom(number);
  const vary = (by: number): number => (number === 0 ? 0 : random.range(-by, by));
  return {
    bayDistances: [14 + vary(1), 14 + vary(1)],
    vessels: [-1.5, -2.6, -3.7, -4.85].flatMap((angle, i) => {
      const row = [
        [angle, 8.5, 1.3, 13 + i],
        [angle + 0.05, 13, 1.1, 15.5 - i],
        [angle - 0.05, 18.5, 1.5, 11 + i],
      ] as const;
      return row.map(([at, distance, radius, height]) => {
        return [at + vary(0.08), distance + vary(0.4), radius * (1 + vary(0.12)), height + vary(2)] as const;
      });
    }),
    gates: [-2.05, -3.14, -4.25].map((angle, i) => {
      return [angle + vary(0.08), number === 0 ? 8 + 8 * (i % 2) : 6 + 2 * random.integer(6)] as const;
    }),
    chimneys: [
      [vary(0.1), 9 + vary(1)],
      [0.12 + vary(0.1), 17 + vary(1)],
    ],
  };
}

const TANKS: readonly (readonly [number, number, number])[] = [
  [-0.35, 21, 2.4],
  [0.4, 21.5, 2.2],
  [0.32, 6.5, 1.6],
  [-0.3, 6.5, 1.5],
];

function standing(mesh: Mesh, angle: number, distance: number): Mesh {
  return placeMesh(mesh, placeAt([distance * Math.cos(angle), 0, -distance * Math.sin(angle)], [0, 1, 0], angle));
}

/** An upright vessel with a dome, a skirt and flanges. */
function vessel(radius: number, height: number): Mesh {
  const dome = Array.from({ length: 8 }, (_, i): ProfilePoint => {
    const angle = (Math.PI / 2) * ((i + 1) / 8);
    return [radius * Math.cos(angle), height - 0.5 * radius + 0.5 * radius * Math.sin(angle)];
  });
  dome[7] = [0, height];
  const wall: ProfilePoint[] = [];
  for (const y of [0.3, 0.6].map((share) => share * height)) {
    wall.push([radius, y], [1.12 * radius, y + 0.05], [1.12 * radius, y + 0.25], [radius, y + 0.3]);
  }
  return revolve(
    [[0, 0], ...profileLine([0, 0], [1.1 * radius, 0], 2), [1.1 * radius, 0.8], [radius, 0.9], ...wall, ...dome],
    28,
  );
}

function ball(radius: number): Mesh {
  const profile = Array.from({ length: 21 }, (_, i): ProfilePoint => {
    const angle = Math.PI * (i / 20 - 0.5);
    return [i % 20 === 0 ? 0 : radius * Math.cos(angle), 1.2 * radius + radius * Math.sin(angle)];
  });
  return revolve(profile, 28);
}

/** A pipe between two points at the same height, with flanges. */
function pipe(from: Vec3, to: Vec3, radius: number): Mesh {
  const [dx, dy, dz] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const length = Math.hypot(dx, dy, dz);
  const profile: ProfilePoint[] = [
    [0, 0],
    [radius, 0],
  ];
  const parts = Math.max(3, Math.round(length / 2));
  for (let i = 1; i < parts; i++) {
    const y = (i / parts) * length;
    profile.push([radius, y - 0.12], [1.25 * radius, y - 0.1], [1.25 * radius, y + 0.1], [radius, y + 0.12]);
  }
  profile.push([radius, length], [0, length]);
  const mesh = revolve(profile, 18);
  // From y to the direction, which lies level or upright.
  if (dx === 0 && dz === 0) return placeMesh(mesh, placeAt(from));
  const axis: Vec3 = [dz / length, 0, -dx / length];
  return placeMesh(mesh, placeAt(from, axis, Math.PI / 2));
}

/**
 * Three layers of pipes over a bay, with a gap for the girder through all of them: the first and the last across the jib or along it,
 * one between that shortens the gap. Posts carry them.
 */
function bay(angle: number, distance: number, gap: number): Mesh[] {
  const isAlong = angle === BAY_ANGLES[0];
  const parts: Mesh[] = [];
  const add = (
    along: readonly [number, number],
    across: readonly [number, number],
    height: number,
    radius: number,
  ): void => {
    const [from, to] = [
      [along[0], height, across[0]],
      [along[1], height, across[1]],
    ] as [Vec3, Vec3];
    parts.push(pipe(from, to, radius));
  };
  const radius = 0.25;
  for (const height of [4, 7.4, 10.8]) {
    for (let i = 0; i < 4; i++) {
      const at = gap / 2 + 1.25 * radius + 0.95 * i;
      add([-5, 5], [at, at], height, radius);
      add([-5, 5], [-at, -at], height, radius);
    }
  }
  for (const height of [5.7, 9.1]) {
    for (const at of [3.6, 4.6]) {
      add([at, at], [-4.2, 4.2], height, radius);
      add([-at, -at], [-4.2, 4.2], height, radius);
    }
  }
  for (const x of [-5.6, 5.6]) for (const z of [-4.8, 4.8]) parts.push(pipe([x, 0, z], [x, 12.5, z], 0.3));
  const place = placeAt(
    [distance * Math.cos(angle), 0, -distance * Math.sin(angle)],
    [0, 1, 0],
    angle + (isAlong ? 0 : Math.PI / 2),
  );
  return parts.map((mesh) => placeMesh(mesh, place));
}

/** Racks of pipes on the far side, under the load. */
function racks(): Mesh[] {
  const parts: Mesh[] = [];
  for (const [i, height] of [3, 6, 9].entries()) {
    for (let k = 0; k < 3; k++) {
      const z = 2.2 + 0.9 * k;
      parts.push(
        pipe([-23 + i, height, z], [-18.8, height, z], 0.22),
        pipe([-23 + i, height, -z], [-18.8, height, -z], 0.22),
      );
    }
  }
  return parts;
}
