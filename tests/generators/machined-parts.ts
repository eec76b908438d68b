// Parts as machine shops make them, in millimeters: plates with drilled holes, a bracket with fillets, a ribbed housing,
// a stepped shaft, a threaded rod, a gear. Closed solids with large flat faces; the variants have many nearly collinear
// and coplanar vertices, single precision as STL has it, or stand far from the origin.
import { createRandom } from '../../src/core/random.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { triangulatePolygon } from '../../src/mesh/polygon/triangulate-polygon.js';
import { loft } from '../../src/models/parts/loft.js';
import { type ProfilePoint, revolve } from '../../src/models/parts/surface-of-revolution.js';
import { mapPoints, weldExactly } from './surfaces.js';

export interface MachinedPart {
  readonly name: string;
  readonly mesh: Mesh;
}

type Point = readonly [x: number, y: number];

/** Flat faces across z and walls along it. Rings have the material on their left: outlines turn left, holes right. */
class Prisms {
  readonly #corners: number[] = [];

  cap(rings: readonly (readonly Point[])[], z: number, side: 'up' | 'down'): this {
    const points = rings.flat();
    const { triangles } = triangulatePolygon({ rings: rings.map((ring) => Float64Array.from(ring.flat())) });
    for (let i = 0; i < triangles.length; i += 3) {
      for (const k of side === 'up' ? [0, 1, 2] : [0, 2, 1]) this.#corners.push(...points[triangles[i + k]], z);
    }
    return this;
  }

  wall(ring: readonly Point[], low: number, high: number): this {
    ring.forEach(([ax, ay], i) => {
      const [bx, by] = ring[(i + 1) % ring.length];
      this.#corners.push(ax, ay, low, bx, by, low, bx, by, high, ax, ay, low, bx, by, high, ax, ay, high);
    });
    return this;
  }

  build(): Mesh {
    const positions = Float64Array.from(this.#corners);
    return weldExactly({ positions, indices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i) });
  }
}

/** Points of an arc, both ends included, in degrees; rising angles turn left. */
function arc(x: number, y: number, radius: number, from: number, to: number, steps: number): Point[] {
  return Array.from({ length: steps + 1 }, (_, i): Point => {
    const angle = ((from + ((to - from) * i) / steps) * Math.PI) / 180;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

const disk = (x: number, y: number, radius: number, segments: number): Point[] =>
  arc(x, y, radius, 0, 360, segments).slice(0, -1);
const hole = (ring: readonly Point[]): Point[] => ring.toReversed();
const rectangle = (x0: number, y0: number, x1: number, y1: number): Point[] => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
];

/** 120 × 80 × 12 with four holes through it, a blind hole, and one that is wider in its upper half. */
function plate(segments: number): Mesh {
  const outline = rectangle(0, 0, 120, 80);
  const through = [disk(12, 12, 4.5, segments), disk(108, 12, 4.5, segments), disk(108, 68, 4.5, segments)];
  const blind = disk(40, 45, 9, segments);
  const [wide, narrow] = [disk(80, 40, 11, segments), disk(80, 40, 6.6, segments)];
  const solid = new Prisms()
    .cap([outline, ...[...through, blind, wide].map(hole)], 12, 'up')
    .cap([outline, ...[...through, narrow].map(hole)], 0, 'down')
    .cap([blind], 5, 'up')
    .cap([wide, hole(narrow)], 6, 'up')
    .wall(outline, 0, 12)
    .wall(hole(blind), 5, 12)
    .wall(hole(wide), 6, 12)
    .wall(hole(narrow), 0, 6);
  for (const ring of through) solid.wall(hole(ring), 0, 12);
  return solid.build();
}

/** An angle of 60 × 50 × 40 with a fillet inside, a round corner outside and a hole for a pin. */
function bracket(segments: number): Mesh {
  const steps = Math.max(2, segments / 4);
  const outline: Point[] = [
    ...arc(8, 8, 8, 180, 270, steps),
    [60, 0],
    [60, 6],
    ...arc(14, 14, 8, 270, 180, steps),
    [6, 50],
    [0, 50],
  ];
  const pin = hole(disk(5.4, 5.4, 2.5, segments));
  return new Prisms()
    .cap([outline, pin], 40, 'up')
    .cap([outline, pin], 0, 'down')
    .wall(outline, 0, 40)
    .wall(pin, 0, 40)
    .build();
}

/** 240 × 160 × 60: walls of 5, a floor of 4, and ribs of 2 between the pockets, lower than the rim. */
function housing(): Mesh {
  const outline = rectangle(0, 0, 240, 160);
  const inside = rectangle(5, 5, 235, 155);
  const pockets: Point[][] = [];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 2; j++) pockets.push(rectangle(7 + 76 * i, 7 + 74 * j, 81 + 76 * i, 79 + 74 * j));
  }
  const solid = new Prisms()
    .cap([outline, hole(inside)], 60, 'up')
    .cap([outline], 0, 'down')
    .cap([inside, ...pockets.map(hole)], 36, 'up')
    .wall(outline, 0, 60)
    .wall(hole(inside), 36, 60);
  for (const pocket of pockets) solid.cap([pocket], 4, 'up').wall(hole(pocket), 4, 36);
  return solid.build();
}

/** 180 long: steps with a fillet, a groove and chamfers, turned about y. */
function shaft(segments: number): Mesh {
  const profile: ProfilePoint[] = [
    [0, 0],
    [14, 0],
    [15, 1],
    [15, 40],
    [13.5, 40],
    [13.5, 43],
    [15, 43],
    [15, 70],
    ...arc(29, 70, 6, 180, 90, Math.max(2, segments / 4)).map(([x, y]): ProfilePoint => [x, y + 1]),
    [40, 77],
    [40, 95],
    [22, 95],
    [22, 178],
    [20, 180],
    [0, 180],
  ];
  return revolve(profile, segments);
}

/** A rod 18 long and 10 across with a thread of 1.5 from turn to turn. */
function rod(segments: number): Mesh {
  const perPitch = 4;
  const rings = Array.from({ length: 1 + 12 * perPitch }, (_, j) => {
    const y = (1.5 * j) / perPitch;
    return Array.from({ length: segments }, (_, i): [number, number, number] => {
      const turn = i / segments;
      const phase = (j / perPitch - turn + 1) % 1;
      const radius = 5 - 0.9 * Math.min(1, Math.max(0, 2.5 * Math.abs(2 * phase - 1) - 0.75));
      return [radius * Math.cos(2 * Math.PI * turn), y, -radius * Math.sin(2 * Math.PI * turn)];
    });
  });
  return loft(rings, { start: [0, 0, 0], end: [0, rings.at(-1)![0][1], 0] });
}

/** A wheel of 18 straight teeth with a bore and its keyway. */
function gear(segments: number): Mesh {
  const outline: Point[] = [];
  for (let tooth = 0; tooth < 18; tooth++) {
    for (const [share, radius] of [
      [0, 40],
      [0.28, 40],
      [0.38, 47],
      [0.62, 47],
      [0.72, 40],
    ]) {
      outline.push(arc(0, 0, radius, 20 * (tooth + share), 360, 1)[0]);
    }
  }
  const bore: Point[] = [...arc(0, 0, 12, 20, 340, segments), [15, 12 * Math.sin(-Math.PI / 9)]];
  bore.push([15, 12 * Math.sin(Math.PI / 9)]);
  return new Prisms()
    .cap([outline, hole(bore)], 20, 'up')
    .cap([outline, hole(bore)], 0, 'down')
    .wall(outline, 0, 20)
    .wall(hole(bore), 0, 20)
    .build();
}

/** The parts as modelled; `segments` is the number of sides of a round hole, a multiple of four. */
export function machinedParts(segments = 8): MachinedPart[] {
  return [
    { name: 'plate', mesh: plate(segments) },
    { name: 'bracket', mesh: bracket(segments) },
    { name: 'housing', mesh: housing() },
    { name: 'shaft', mesh: shaft(segments) },
    { name: 'threaded rod', mesh: rod(segments) },
    { name: 'gear', mesh: gear(segments) },
  ];
}

/** Every part as modelled, remeshed, turned, as an STL file has it, and all of that far from the origin. */
export function machinedVariants(segments = 8): MachinedPart[] {
  return machinedParts(segments).flatMap(({ name, mesh }, i) => {
    const turned = turnPart(mesh, 0.3 + i);
    // Small parts twice: each round makes about three and a half triangles of one.
    const remeshed = remesh(mesh, 11 + i, mesh.indices.length < 1000 ? 2 : 1);
    return [
      { name, mesh },
      { name: `${name}, remeshed`, mesh: remeshed },
      { name: `${name}, turned`, mesh: turned },
      { name: `${name}, as STL`, mesh: toSingle(turned) },
      { name: `${name}, remeshed and turned, as STL, far away`, mesh: toSingle(turnPart(remeshed, 0.3 + i, FAR)) },
    ];
  });
}

const FAR: readonly number[] = [2100, -1300, 700];

/** Turned about a slanted axis by an angle in radians, then moved: no face stays exactly flat. */
export function turnPart(mesh: Mesh, angle: number, to: readonly number[] = [0, 0, 0]): Mesh {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [c2, s2] = [Math.cos(0.7 * angle), Math.sin(0.7 * angle)];
  return mapPoints(mesh, ([x, y, z]) => {
    const [u, v] = [c * x - s * y, s * x + c * y];
    return [to[0] + u, to[1] + c2 * v - s2 * z, to[2] + s2 * v + c2 * z];
  });
}

/** Coordinates rounded to single precision, equal vertices welded: what a reader makes of an STL file. */
export function toSingle(mesh: Mesh): Mesh {
  return weldExactly({ positions: mesh.positions.map(Math.fround), indices: mesh.indices });
}

/**
 * The same surface with more vertices, irregularly: edges are split somewhere near their middle, on both sides, and
 * some faces get a vertex inside. What was straight or flat stays so up to rounding.
 */
export function remesh(mesh: Mesh, seed: number, rounds: number): Mesh {
  const random = createRandom(seed);
  let { positions, indices } = mesh;
  for (let round = 0; round < rounds; round++) {
    const points = Array.from(positions);
    const faces: number[] = [];
    const between = (...vertices: number[]): number => {
      const weights = vertices.map(() => random.range(1, 2));
      const sum = weights.reduce((total, weight) => total + weight, 0);
      for (let k = 0; k < 3; k++) {
        points.push(vertices.reduce((total, vertex, i) => total + (weights[i] / sum) * positions[3 * vertex + k], 0));
      }
      return points.length / 3 - 1;
    };
    /** The vertex within an edge, -1 where it is left whole. */
    const splits = new Map<string, number>();
    const splitOf = (a: number, b: number): number => {
      const [low, high] = a < b ? [a, b] : [b, a];
      const key = `${low} ${high}`;
      if (!splits.has(key)) splits.set(key, random.next() < 0.5 ? between(low, high) : -1);
      return splits.get(key)!;
    };
    for (let i = 0; i < indices.length; i += 3) {
      const corners = [...indices.subarray(i, i + 3)];
      const ring = corners.flatMap((a, k) => {
        const split = splitOf(a, corners[(k + 1) % 3]);
        return split < 0 ? [a] : [a, split];
      });
      // From a vertex inside no fan has a flat triangle; without one the fan begins at the first vertex within an edge.
      const first = ring.findIndex((vertex) => !corners.includes(vertex));
      if (first < 0 && random.next() < 0.6) faces.push(...corners);
      else if (ring.length > 4 || first < 0) {
        const center = between(...corners);
        for (let k = 0; k < ring.length; k++) faces.push(center, ring[k], ring[(k + 1) % ring.length]);
      } else {
        for (let k = 1; k + 1 < ring.length; k++) {
          faces.push(ring[first], ring[(first + k) % ring.length], ring[(first + k + 1) % ring.length]);
        }
      }
    }
    positions = Float64Array.from(points);
    indices = Uint32Array.from(faces);
  }
  return { positions, indices };
}
