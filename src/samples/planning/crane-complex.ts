// The crane complex: a tower crane carries a girder out of one bay of a plant and into another. After the scene of Foskey, Garber,
// Lin and Manocha (2001), whose model is not public.
import { createRandom } from '../../core/random.js';
import type { Vec3 } from '../../core/vec3.js';
import type { PlanObstacle } from '../../kinematics/validity/obstacle-description.js';
import type { Mesh } from '../../mesh/mesh.js';
import { joinMeshes, placeAt, placeMesh } from '../../mesh/place-mesh.js';
import { type ProfilePoint, profileLine, revolve } from '../../models/parts/surface-of-revolution.js';
import type { PlanProblem } from '../../planning/problem/plan-problem.js';
import { blockSolid } from './block-solid.js';
import { defineSample } from './sample.js';
import { towerCrane } from './tower-crane.js';

/** Chosen: the height of the jib above the ground, in meters. */
const JIB_HEIGHT = 22;

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
          ...towerCrane({
            height: JIB_HEIGHT,
            scale: 1,
            jib: [-7, 23],
            load: 3,
            slew: [-5.9, 0.4],
            trolley: [3, 21],
            hoist: [1.6, 20.5],
            swivel: [-1.7, 1.7],
          }),
          start: [BAY_ANGLES[0], from, hoist, 0],
          goal: [BAY_ANGLES[1], to, hoist, Math.PI / 2],
        },
      ],
      environment: plant(gap, layout),
    };
  },
});

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
