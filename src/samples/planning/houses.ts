// A house of 100,000 triangles through which an arrow or a piano is carried, and a room with furniture for a music stand.
import type { Mesh } from '../../mesh/mesh.js';
import { joinMeshes, placeAt, placeMesh } from '../../mesh/place-mesh.js';
import { createPolygon } from '../../mesh/polygon/polygon.js';
import { triangulatePolygon } from '../../mesh/polygon/triangulate-polygon.js';
import { extrudePolygon } from '../../models/parts/extrude.js';
import { SurfaceBuilder } from '../../models/parts/surface-builder.js';
import { cylinder } from '../../models/primitives/cylinder.js';
import type { PlanProblem } from '../../planning/problem/plan-problem.js';
import { type Block, blockSolid } from './block-solid.js';
import { defineSample } from './sample.js';

/** Chosen: from floor to ceiling, in meters. */
const ROOM_HEIGHT = 2.7;

/** Chosen: the height of a door, in meters. */
const DOOR_HEIGHT = 2.2;

const houseParameters = {
  door: { default: 1.2, min: 0.7, max: 1.4, description: 'width of the doors, in meters' },
  spacing: {
    default: 0.153,
    min: 0.05,
    max: 100,
    description: 'of the grid on the walls, in meters: 100,000 triangles',
  },
} as const;

export const arrow = defineSample({
  name: 'arrow',
  title: 'Arrow through a house',
  description:
    'An arrow, which stands for the piano as in Hoff, Culver, Keyser, Lin and Manocha 2000, goes through four doors.',
  parameters: houseParameters,
  build: ({ door, spacing }): PlanProblem => {
    const outline = [-0.7, -0.12, 0.2, -0.12, 0.2, -0.35, 0.7, 0, 0.2, 0.35, 0.2, 0.12, -0.7, 0.12];
    return throughHouse('arrow', extrudePolygon(createPolygon([outline]), { depth: 0.3 }), door, spacing);
  },
});

export const piano = defineSample({
  name: 'piano',
  title: 'Piano through a house',
  description: 'A grand piano goes through four doors that are narrower than it is wide: it has to be tipped.',
  parameters: houseParameters,
  build: ({ door, spacing }): PlanProblem => throughHouse('piano', grandPiano(), door, spacing),
});

export const furniture = defineSample({
  name: 'furniture',
  title: 'Music stand among furniture',
  description: 'A music stand is carried through a room, upright; each piece of furniture is an obstacle of its own.',
  parameters: {},
  build: (): PlanProblem => ({
    robots: [
      {
        type: 'planar',
        plane: 'xz',
        name: 'music stand',
        mesh: musicStand(),
        bounds: { min: [0, 0, 0], max: [8, 0, 6] },
        start: placeAt([0.8, 0, 0.8]),
        goal: placeAt([7.2, 0, 5.2], [0, 1, 0], 2),
      },
    ],
    environment: [
      { mesh: blockSolid([[-0.2, 0, -0.2, 8.2, 2.5, 6.2]], { cut: [[0, 0, 0, 8, 2.5, 6]] }) },
      { mesh: table(1.8, 0.9, 0.1), pose: placeAt([2.6, 0, 2.2], [0, 1, 0], 0.4) },
      { mesh: chair(0.1), pose: placeAt([1.6, 0, 3.1], [0, 1, 0], 2.2) },
      { mesh: chair(0.1), pose: placeAt([3.9, 0, 1.6], [0, 1, 0], -1.2) },
      { mesh: sofa(0.1), pose: placeAt([2.3, 0, 5.3]) },
      { mesh: shelf(0.1), pose: placeAt([5, 0, 0.25]) },
      { mesh: sofa(0.1), pose: placeAt([5.2, 0, 3.4], [0, 1, 0], 1.5) },
      { mesh: table(0.8, 0.8, 0.1), pose: placeAt([6.7, 0, 2.5], [0, 1, 0], 0.7) },
      { mesh: roundTable(), pose: placeAt([4.2, 0, 5.3]) },
    ],
  }),
});

function throughHouse(name: string, mesh: Mesh, door: number, spacing: number): PlanProblem {
  return {
    robots: [
      {
        type: 'rigid',
        name,
        mesh,
        bounds: { min: [0, 0, 0], max: [12, ROOM_HEIGHT, 9] },
        start: placeAt([2.4, 0.95, 2]),
        goal: placeAt([10.5, 0.95, 1.7], [0, 1, 0], 2),
      },
    ],
    environment: [{ mesh: house(door, spacing) }],
  };
}

/** Six rooms behind each other, with furniture: one solid with a hollow for each piece of air. */
function house(door: number, spacing: number): Mesh {
  const room = (x0: number, z0: number, x1: number, z1: number): Block => [x0, 0, z0, x1, ROOM_HEIGHT, z1];
  const opening = (x0: number, z0: number, x1: number, z1: number): Block => [x0, 0, z0, x1, DOOR_HEIGHT, z1];
  const walls = blockSolid([[-0.25, -0.2, -0.25, 12.25, ROOM_HEIGHT + 0.2, 9.25]], {
    cut: [
      ...[room(0, 0, 5, 5), room(0, 5.15, 5, 9), room(5.15, 0, 8.5, 4.5), room(5.15, 4.65, 8.5, 9)],
      ...[room(8.65, 0, 12, 4), room(8.65, 4.15, 12, 9)],
      opening(5, 1.6, 5.15, 1.6 + door),
      opening(1, 5, 1 + door, 5.15),
      opening(6.2, 4.5, 6.2 + door, 4.65),
      opening(8.5, 7 - door, 8.65, 7),
      opening(9.8, 4, 9.8 + door, 4.15),
    ],
    spacing,
  });
  const placed: readonly (readonly [Mesh, number, number, number])[] = [
    [table(1.6, 0.9, spacing), 2.6, 4.2, 0],
    [chair(spacing), 0.5, 4.4, 1],
    [shelf(spacing), 1.5, 0.25, 0],
    [sofa(spacing), 2.5, 8.4, 0],
    [roundTable(), 4.2, 6.5, 0],
    [shelf(spacing), 6.8, 0.25, 0],
    [roundTable(), 8, 3.9, 0],
    [table(0.7, 0.7, spacing), 5.7, 8.4, 0.3],
    [chair(spacing), 7.7, 8.5, 2],
    [sofa(spacing), 11.45, 7, Math.PI / 2],
    [table(1.2, 0.7, spacing), 9.6, 8.4, 0],
    [chair(spacing), 11.5, 3.4, 2.5],
    [roundTable(), 9.2, 3.4, 0],
  ];
  // Everything stands a millimeter above the floor: solids that touch would be none.
  return joinMeshes([
    walls,
    ...placed.map(([mesh, x, z, angle]) => placeMesh(mesh, placeAt([x, 1e-3, z], [0, 1, 0], angle))),
  ]);
}

/** Standing on the floor about the origin. */
function table(width: number, depth: number, spacing: number): Mesh {
  const [w, d] = [width / 2, depth / 2];
  const legs = [-1, 1].flatMap((i) => {
    return [-1, 1].map((k): Block => {
      const [x, z] = [i * (w - 0.06), k * (d - 0.06)];
      return [x - 0.04, 0, z - 0.04, x + 0.04, 0.72, z + 0.04];
    });
  });
  return blockSolid([[-w, 0.7, -d, w, 0.75, d], ...legs], { spacing });
}

function chair(spacing: number): Mesh {
  const legs = [-1, 1].flatMap((i) => {
    return [-1, 1].map((k): Block => [0.18 * i - 0.02, 0, 0.18 * k - 0.02, 0.18 * i + 0.02, 0.44, 0.18 * k + 0.02]);
  });
  return blockSolid([[-0.22, 0.42, -0.22, 0.22, 0.46, 0.22], [-0.22, 0.42, 0.18, 0.22, 0.95, 0.22], ...legs], {
    spacing,
  });
}

function sofa(spacing: number): Mesh {
  return blockSolid(
    [
      [-0.9, 0, -0.4, 0.9, 0.4, 0.4],
      [-0.9, 0, 0.2, 0.9, 0.85, 0.4],
      [-0.9, 0, -0.4, -0.72, 0.6, 0.4],
      [0.72, 0, -0.4, 0.9, 0.6, 0.4],
    ],
    { spacing },
  );
}

function shelf(spacing: number): Mesh {
  const cut = Array.from({ length: 5 }, (_, i): Block => [-0.67, 0.05 + 0.4 * i, -0.17, 0.67, 0.42 + 0.4 * i, 0.2]);
  return blockSolid([[-0.7, 0, -0.2, 0.7, 2.05, 0.2]], { cut, spacing });
}

function roundTable(): Mesh {
  const mesh = cylinder.build({ radius: 0.35, height: 0.55, segments: 40, bands: 10, capRings: 6 });
  return placeMesh(mesh, placeAt([0, 0.275, 0]));
}

/** Crossed feet, a post and a tilted desk, 1.3 m high; the origin is on the floor. */
function musicStand(): Mesh {
  return blockSolid([
    [-0.3, 0.01, -0.03, 0.3, 0.05, 0.03],
    [-0.03, 0.01, -0.3, 0.03, 0.05, 0.3],
    [-0.02, 0.01, -0.02, 0.02, 0.95, 0.02],
    [-0.25, 0.9, -0.05, 0.25, 0.93, 0.1],
    [-0.25, 0.9, -0.05, 0.25, 1.3, -0.02],
  ]);
}

/** Chosen: the height of the underside of a grand piano's case above the floor, in meters. */
const CASE_BOTTOM = 0.55;

/** Chosen: the height of the lid of the piano above the floor, in meters. */
const LID = 0.95;

/** A grand piano 1.45 m wide and 1.5 m long, on three legs; the origin is in the middle of its box. */
function grandPiano(): Mesh {
  const outline: number[] = [-0.72, -0.75, 0.72, -0.75, 0.72, -0.2];
  // The bent side: from the treble end in to the waist and round the tail.
  const bent = [0.7, -0.05, 0.62, 0.08, 0.5, 0.18, 0.36, 0.26, 0.24, 0.36, 0.16, 0.48, 0.1, 0.6];
  const tail = Array.from({ length: 9 }, (_, i) => {
    const angle = (Math.PI * (i + 0.5)) / 9;
    return [-0.31 + 0.4 * Math.cos(angle), 0.6 + 0.15 * Math.sin(angle)];
  });
  outline.push(...bent, ...tail.flat(), -0.72, 0.55);
  const leg = (x: number, y: number): number[] => {
    return [x - 0.06, y - 0.06, x - 0.06, y + 0.06, x + 0.06, y + 0.06, x + 0.06, y - 0.06];
  };
  const polygon = createPolygon([outline, leg(-0.58, -0.6), leg(0.58, -0.6), leg(-0.3, 0.55)]);
  const middle = LID / 2;
  const surface = new SurfaceBuilder();
  // Drawn in x and −z, so that heights are along y.
  const loopAt = (ring: Float64Array, height: number): number[] => {
    return Array.from({ length: ring.length / 2 }, (_, i) => {
      return surface.addVertex([ring[2 * i], height - middle, -ring[2 * i + 1]]);
    });
  };
  const [side, ...legs] = polygon.rings;
  const top = loopAt(side, LID);
  const bottom = [side, ...legs].map((ring) => loopAt(ring, CASE_BOTTOM));
  const addCap = (rings: readonly Float64Array[], vertices: readonly number[], isUp: boolean): void => {
    const { triangles } = triangulatePolygon({ rings });
    for (let i = 0; i < triangles.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => vertices[triangles[i + k]]);
      if (isUp) surface.addTriangle(a, b, c);
      else surface.addTriangle(a, c, b);
    }
  };
  addCap([side], top, true);
  addCap(polygon.rings, bottom.flat(), false);
  surface.addBand(bottom[0], top, 0, 'parallel');
  for (const [i, ring] of legs.entries()) {
    const feet = loopAt(ring, 0);
    // Rings of holes are clockwise; the foot's own outline runs the other way.
    surface.addBand(bottom[i + 1], feet, 0, 'parallel');
    const outward = createPolygon([ring]).rings[0];
    addCap([outward], feet.toReversed(), false);
  }
  return surface.build();
}
