import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { allNodes, type GridFrame, gridNodeCount, nodeIndex, nodePosition } from '../../../src/field/grid.js';
import { surfaceOf } from '../../../src/field/source/surface.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { createPolygon, locateInPolygon } from '../../../src/mesh/polygon/polygon.js';
import { MeshQuery } from '../../../src/mesh/query/mesh-query.js';
import { findModel } from '../../../src/models/catalogue.js';
import { gridRings } from '../../generators/polygons.js';
import { randomMesh } from '../../generators/random-meshes.js';
import {
  boxMesh,
  flipFaces,
  join,
  mapPoints,
  reversed,
  selectFaces,
  sphereGrid,
  torusGrid,
  toSoup,
} from '../../generators/surfaces.js';
import { distanceSquaredExactly } from '../../oracles/closest-point.js';
import { windingNumberBySum } from '../../oracles/winding-number.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

function insideOf(mesh: Mesh, frame: GridFrame): Uint8Array {
  const inside = new Uint8Array(gridNodeCount(frame)).fill(7);
  surfaceOf(mesh, frame).fillInside(frame, allNodes(frame), inside);
  return inside;
}

/** Whole coordinates only: on the surface by big integers, otherwise the sum of solid angles, rounded. */
function insideByOracle(mesh: Mesh, frame: GridFrame): Uint8Array {
  const inside = new Uint8Array(gridNodeCount(frame));
  const corners = (face: number) =>
    [0, 1, 2].map((corner) => [0, 1, 2].map((axis) => mesh.positions[3 * mesh.indices[3 * face + corner] + axis]));
  eachNode(frame, (node, point) => {
    let touches = false;
    for (let face = 0; face < mesh.indices.length / 3 && !touches; face++) {
      touches = distanceSquaredExactly(corners(face), point)[0] === 0n;
    }
    const winding = touches ? 1 : windingNumberBySum(mesh.positions, mesh.indices, point);
    expect(Math.abs(winding - Math.round(winding))).toBeLessThan(1e-6);
    inside[node] = Math.round(winding) >= 1 ? 1 : 0;
  });
  return inside;
}

function eachNode(frame: GridFrame, visit: (node: number, point: [number, number, number]) => void): void {
  for (let k = 0; k < frame.size[2]; k++) {
    for (let j = 0; j < frame.size[1]; j++) {
      for (let i = 0; i < frame.size[0]; i++) visit(nodeIndex(frame, i, j, k), nodePosition(frame, i, j, k));
    }
  }
}

function sum(values: Uint8Array): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Six times the signed volume of a tetrahedron. */
function sixVolumes(p: Float64Array): number {
  const [ux, uy, uz] = [p[3] - p[0], p[4] - p[1], p[5] - p[2]];
  const [vx, vy, vz] = [p[6] - p[0], p[7] - p[1], p[8] - p[2]];
  const [wx, wy, wz] = [p[9] - p[0], p[10] - p[1], p[11] - p[2]];
  return ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
}

/** Tetrahedra and boxes with whole corners: faces, edges and corners on rows and nodes are the rule. */
const wholeMesh: fc.Arbitrary<Mesh> = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 4 }), fc.integer())
  .map(([count, extent, seed]) => {
    const random = createRandom(seed);
    const parts: Mesh[] = [];
    for (let n = 0; n < count; n++) {
      const corner = () => [0, 1, 2].map(() => random.integer(extent + 1));
      if (random.next() < 0.3) {
        const low = corner();
        parts.push(
          boxMesh(
            low as [number, number, number],
            low.map((v) => v + 1 + random.integer(2)) as [number, number, number],
          ),
        );
      } else {
        const positions = Float64Array.from([corner(), corner(), corner(), corner()].flat());
        const outward = { positions, indices: Uint32Array.from([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]) };
        parts.push(sixVolumes(positions) >= 0 ? outward : reversed(outward));
      }
    }
    return parts.reduce((all, part) => join(all, part));
  });

const wholeFrame: GridFrame = { origin: [-1, -1, -1], spacing: 1, size: [8, 7, 9] };

describe('surfaceOf', () => {
  test('finds the nodes inside solids with corners, edges and faces on the rows', () => {
    let nodes = 0;
    let insides = 0;
    fc.assert(
      fc.property(wholeMesh, (mesh) => {
        const frame = { ...wholeFrame, spacing: 1 };
        const inside = insideOf(mesh, frame);
        expect(surfaceOf(mesh, frame).closed).toBe(true);
        expect(inside).toEqual(insideByOracle(mesh, frame));
        nodes += inside.length;
        insides += sum(inside);
      }),
      { numRuns: 40 * SOAK },
    );
    expect(insides / nodes).toBeGreaterThan(0.01);
  });

  test('does so between the nodes too, where only some rows meet the edges', () => {
    fc.assert(
      fc.property(wholeMesh, fc.constantFrom(0, 1, 2), (mesh, axis) => {
        // Rows on whole coordinates across one axis and halves across the others: a frame of whole numbers scaled by 2.
        const doubled = { positions: mesh.positions.map((value) => 2 * value), indices: mesh.indices };
        const origin: [number, number, number] = [-1, -1, -1];
        origin[axis] = -2;
        const frame: GridFrame = { origin, spacing: 2, size: [7, 7, 7] };
        expect(insideOf(doubled, frame)).toEqual(insideByOracle(doubled, frame));
      }),
      { numRuns: 25 * SOAK },
    );
  });

  test.each(['grate-small', 'torus', 'bunny', 'letter-a', 'cup', 'snake'])('says what MeshQuery says of %s', (name) => {
    const mesh = findModel(name).build({}) as Mesh;
    const query = new MeshQuery(mesh);
    const { box } = surfaceOf(mesh, wholeFrame);
    const spacing = Math.max(...box.max.map((high, axis) => high - box.min[axis])) / 16;
    const frame: GridFrame = { origin: [box.min[0] - spacing, box.min[1], box.min[2]], spacing, size: [19, 18, 18] };
    const inside = insideOf(mesh, frame);
    let hits = 0;
    eachNode(frame, (node, point) => {
      expect(inside[node]).toBe(query.isInside(point) ? 1 : 0);
      hits += inside[node];
    });
    expect(hits).toBeGreaterThan(0);
  });

  test('counts solids that overlap or cross themselves as one, and turns those inside out', () => {
    const pair = join(boxMesh([0, 0, 0], [3, 3, 3]), boxMesh([1, 1, 1], [4, 4, 5]));
    const one = insideOf(pair, wholeFrame);
    expect(sum(one)).toBe(64 + 80 - 27);
    const hollow = join(boxMesh([0, 0, 0], [4, 4, 4]), reversed(boxMesh([1, 1, 1], [3, 3, 3])));
    expect(sum(insideOf(hollow, wholeFrame))).toBe(124);
    expect(sum(insideOf(reversed(hollow), wholeFrame))).toBe(124);
    expect(sum(insideOf(reversed(boxMesh([0, 0, 0], [4, 4, 4])), wholeFrame))).toBe(125);
  });

  test('writes the same in any box, and nothing outside of it', () => {
    const random = createRandom(11);
    const solid = torusGrid(7, 9);
    const open = selectFaces(solid, (face) => face % 11 !== 0);
    const whole = join(boxMesh([-2, -2, -1], [2, 1, 1]), boxMesh([0, 0, 0], [2, 2, 1]));
    const frame: GridFrame = { origin: [-3, -3, -1], spacing: 0.5, size: [13, 12, 5] };
    let insides = 0;
    for (const mesh of [solid, open, whole]) {
      const surface = surfaceOf(mesh, frame);
      const all = new Uint8Array(gridNodeCount(frame));
      surface.fillInside(frame, allNodes(frame), all);
      insides += sum(all);
      for (let round = 0; round < 25; round++) {
        const min = frame.size.map((n) => random.integer(n)) as [number, number, number];
        const max = frame.size.map((n, axis) => Math.min(n - 1, min[axis] + random.integer(6) - 1)) as typeof min;
        const part = new Uint8Array(gridNodeCount(frame)).fill(9);
        surface.fillInside(frame, { min, max }, part);
        for (let k = 0; k < 5; k++) {
          for (let j = 0; j < 12; j++) {
            for (let i = 0; i < 13; i++) {
              const node = nodeIndex(frame, i, j, k);
              const within = [i, j, k].every((n, axis) => n >= min[axis] && n <= max[axis]);
              expect(part[node]).toBe(within ? all[node] : 9);
            }
          }
        }
      }
    }
    expect(insides / (3 * gridNodeCount(frame))).toBeGreaterThan(0.1);
  });

  test('does not depend on how corners are shared, on scale or on the order of the axes', () => {
    fc.assert(
      fc.property(wholeMesh, fc.constantFrom(2 ** -20, 2 ** 20), (mesh, scale) => {
        const inside = insideOf(mesh, wholeFrame);
        expect(insideOf(toSoup(mesh), wholeFrame)).toEqual(inside);
        const scaled = mapPoints(mesh, (p) => p.map((value) => value * scale));
        expect(insideOf(scaled, { ...wholeFrame, origin: [-scale, -scale, -scale], spacing: scale })).toEqual(inside);
        const turned = insideOf(
          mapPoints(mesh, ([x, y, z]) => [z, x, y]),
          { ...wholeFrame, size: [9, 8, 7] },
        );
        for (let node = 0; node < inside.length; node++) {
          const i = node % 8;
          const j = Math.floor(node / 8) % 7;
          expect(turned[Math.floor(node / 56) + 9 * (i + 8 * j)]).toBe(inside[node]);
        }
      }),
      { numRuns: 40 * SOAK },
    );
  });

  test.each([
    ['a third of its faces', (face: number) => face < 200],
    ['every seventh face', (face: number) => face % 7 === 0],
    ['one face in forty', (face: number) => face % 40 === 0],
  ])('says what MeshQuery says of a torus without %s', (_, isMissing) => {
    const mesh = selectFaces(torusGrid(14, 20), (face) => !isMissing(face));
    const frame: GridFrame = { origin: [-3, -3, -1], spacing: 0.25, size: [25, 25, 9] };
    const query = new MeshQuery(mesh);
    const inside = insideOf(mesh, frame);
    eachNode(frame, (node, point) => {
      expect(inside[node]).toBe(query.isInside(point) ? 1 : 0);
    });
    expect(sum(inside) / gridNodeCount(frame)).toBeGreaterThan(0.05);
  });

  test('says what MeshQuery says of open meshes and soups', () => {
    let insides = 0;
    let nodes = 0;
    let opens = 0;
    const frame: GridFrame = { origin: [-1.5, -1.25, -1], spacing: 0.25, size: [12, 10, 9] };
    fc.assert(
      fc.property(randomMesh, (mesh) => {
        const surface = surfaceOf(mesh, frame);
        if (surface.closed) return;
        opens++;
        const query = new MeshQuery(mesh);
        const inside = insideOf(mesh, frame);
        eachNode(frame, (node, point) => {
          expect(inside[node]).toBe(query.isInside(point) ? 1 : 0);
        });
        insides += sum(inside);
        nodes += inside.length;
      }),
      { numRuns: 40 * SOAK },
    );
    expect(opens).toBeGreaterThan(15 * SOAK);
    expect(insides / nodes).toBeGreaterThan(0.001);
  });

  test('finds the nodes in polygons, corners and edges on the rows', () => {
    const frame: GridFrame = { origin: [-0.5, 0, 2], spacing: 0.5, size: [16, 14, 1] };
    let insides = 0;
    let nodes = 0;
    fc.assert(
      fc.property(gridRings, (ring) => {
        let polygon = null;
        try {
          polygon = createPolygon([ring]);
        } catch {
          return;
        }
        const inside = new Uint8Array(gridNodeCount(frame));
        const surface = surfaceOf(polygon, frame);
        surface.fillInside(frame, allNodes(frame), inside);
        eachNode(frame, (node, [x, y]) => {
          expect(inside[node]).toBe(locateInPolygon(polygon, x, y) === 'outside' ? 0 : 1);
        });
        const part = new Uint8Array(gridNodeCount(frame)).fill(9);
        surface.fillInside(frame, { min: [7, 5, 0], max: [15, 13, 0] }, part);
        expect(part.every((value, node) => value === 9 || value === inside[node])).toBe(true);
        expect(part.filter((value) => value !== 9).length).toBe(9 * 9);
        insides += sum(inside);
        nodes += inside.length;
      }),
      { numRuns: 200 * SOAK },
    );
    expect(nodes).toBeGreaterThan(20 * SOAK * gridNodeCount(frame));
    expect(insides / nodes).toBeGreaterThan(0.07);
  });

  test('is closed where faces can be turned so that every directed edge is balanced', () => {
    const isClosed = (mesh: Mesh) => surfaceOf(mesh, wholeFrame).closed;
    const ball = sphereGrid(3);
    expect(isClosed(ball)).toBe(true);
    expect(isClosed(toSoup(ball))).toBe(true);
    expect(isClosed(reversed(ball))).toBe(true);
    expect(isClosed(selectFaces(ball, (face) => face !== 3))).toBe(false);
    expect(isClosed(flipFaces(ball, (face) => face === 3))).toBe(true);
    expect(isClosed(join(ball, ball))).toBe(true);
    // A triangle without area is its own balance.
    expect(isClosed({ positions: ball.positions, indices: Uint32Array.from([...ball.indices, 0, 1, 1]) })).toBe(true);
  });

  test('keeps segments as triangles that queries accept, and refuses what it cannot measure', () => {
    const frame: GridFrame = { origin: [0, 0, 3], spacing: 1, size: [4, 4, 1] };
    const square = createPolygon([[0, 0, 2, 0, 2, 2, 0, 2]]);
    const surface = surfaceOf(square, frame);
    expect(surface.count).toBe(4);
    expect([...surface.triangles.subarray(0, 9)]).toEqual([0, 0, 3, 2, 0, 3, 2, 0, 3]);
    expect(surface.box).toEqual({ min: [0, 0, 3], max: [2, 2, 3] });
    expect(surface.query().closestPoint([3, 1, 3])).toMatchObject({ distance: 1, triangle: 1, point: [2, 1, 3] });
    expect(() => surfaceOf(square, { ...frame, size: [4, 4, 2] })).toThrowError(/plane/);
    expect(() => surfaceOf({ rings: [] }, frame)).toThrowError(/rings/);
    expect(() => surfaceOf({} as Mesh, frame)).toThrowError(/mesh or a polygon/);
    expect(() => surfaceOf(boxMesh(), { ...frame, spacing: 0 })).toThrowError(/spacing/);
  });
});
