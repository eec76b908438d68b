import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../src/core/errors.js';
import { createRandom } from '../../src/core/random.js';
import { carrySurface } from '../../src/elastic/tetrahedra/embed-surface.js';
import { splitSurfaceElements } from '../../src/elastic/tetrahedra/inner-nodes.js';
import { stuffLattice } from '../../src/elastic/tetrahedra/stuff-lattice.js';
import { surfaceMesh, type TetrahedralMesh } from '../../src/elastic/tetrahedra/tetrahedral-mesh.js';
import { type TetrahedralizeOptions, tetrahedralizeMesh } from '../../src/elastic/tetrahedra/tetrahedralize-mesh.js';
import { BccLattice } from '../../src/mesh/implicit/bcc-lattice.js';
import { snapNodes } from '../../src/mesh/implicit/snap-nodes.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { findSelfIntersections } from '../../src/mesh/report/self-intersections.js';
import { findModel } from '../../src/models/catalogue.js';
import { machinedParts, turnPart } from '../generators/machined-parts.js';
import { distanceToMesh } from '../oracles/point-mesh-distance.js';
import { validateTetrahedra } from '../oracles/validate-tetrahedra.js';

const model = (name: string, parameters = {}): Mesh => findModel(name).build(parameters);
const part = (name: string): Mesh => {
  const found = machinedParts().find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no part ${name}`);
  return found.mesh;
};
const mapped = (mesh: Mesh, map: (x: number, y: number, z: number) => number[]): Mesh => ({
  positions: Float64Array.from(
    Array.from({ length: mesh.positions.length / 3 }, (_, i) =>
      map(mesh.positions[3 * i], mesh.positions[3 * i + 1], mesh.positions[3 * i + 2]),
    ).flat(),
  ),
  indices: mesh.indices,
});

/** What every conforming result must be, by the oracle. */
function expectSound(tetrahedra: TetrahedralMesh): ReturnType<typeof validateTetrahedra> {
  const facts = validateTetrahedra(tetrahedra.positions, tetrahedra.elements);
  expect(facts.faults).toEqual([]);
  expect(facts.minAngle).toBeGreaterThan(8.6);
  expect(facts.maxAngle).toBeLessThan(167.7);
  expect(facts.withoutInner).toBe(0);
  expect(findSelfIntersections(surfaceMesh(tetrahedra).mesh).count).toBe(0);
  return facts;
}

/** The largest distance of the vertices of one mesh from another, by brute force: a lower bound of the promised one. */
function farthestVertex(from: Mesh, to: Mesh): number {
  let farthest = 0;
  for (let i = 0; i < from.positions.length; i += 3) {
    const point = [from.positions[i], from.positions[i + 1], from.positions[i + 2]] as const;
    farthest = Math.max(farthest, distanceToMesh(to.positions, to.indices, point));
  }
  return farthest;
}

describe('isosurface stuffing', () => {
  test('keeps the angles of Labelle and Shewchuk for shapes at random places', () => {
    const random = createRandom(7);
    for (let round = 0; round < 12; round++) {
      const center = [random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)];
      const axis = random.direction();
      // A ball, a slab turned at random and a rod, joined: smooth, flat and sharp places, some thinner than a cell.
      const thick = random.range(0.03, 0.3);
      const shape = {
        lipschitz: 1,
        value(x: number, y: number, z: number): number {
          const [px, py, pz] = [x - center[0], y - center[1], z - center[2]];
          const along = px * axis[0] + py * axis[1] + pz * axis[2];
          const radius = Math.hypot(px, py, pz);
          const aside = Math.sqrt(Math.max(0, radius * radius - along * along));
          return Math.min(
            Math.max(radius - 0.8, -(radius - 0.5)),
            Math.max(Math.abs(along) - thick, aside - 1),
            Math.max(aside - 0.1, Math.abs(along) - 1.2),
          );
        },
      };
      const box = {
        min: [center[0] - 1.5, center[1] - 1.5, center[2] - 1.5] as const,
        max: [center[0] + 1.5, center[1] + 1.5, center[2] + 1.5] as const,
      };
      const lattice = new BccLattice(shape, { min: [...box.min], max: [...box.max] }, random.range(0.15, 0.3));
      lattice.sample();
      const { positions, elements } = stuffLattice(lattice, snapNodes(lattice));
      const facts = validateTetrahedra(positions, elements);
      expect(facts.faults).toEqual([]);
      expect(elements.length).toBeGreaterThan(2000);
      expect(facts.withoutInner).toBe(0);
      expect(facts.minAngle).toBeGreaterThan(10);
      expect(facts.maxAngle).toBeLessThan(165);
    }
  });
});

describe('tetrahedralizeMesh', () => {
  test('fills a box exactly where the size divides it', () => {
    const { mesh, report, distance } = tetrahedralizeMesh(model('box', { width: 3, height: 1, depth: 2 }), {
      size: 0.5,
    });
    const facts = expectSound(mesh);
    expect(facts.volume).toBeCloseTo(6, 12);
    expect(facts.minAngle).toBeCloseTo(45, 9);
    expect(facts.maxAngle).toBeCloseTo(90, 9);
    expect(report.volume).toBeCloseTo(6, 12);
    expect((report.dihedralAngles.min * 180) / Math.PI).toBeCloseTo(45, 9);
    expect(Math.max(distance?.toInput ?? 1, distance?.fromInput ?? 1)).toBeLessThan(0.04 * 0.5);
  });

  test.each([
    ['sphere', model('sphere'), 10, 2, 0.99],
    ['torus', model('torus'), 16, 0, 0.97],
    ['plate', part('plate'), 24, 2 - 2 * 4, 0.99],
    ['turned plate', turnPart(part('plate'), 0.6, [10, 20, 30]), 24, 2 - 2 * 4, 0.99],
    ['shaft', part('shaft'), 24, 2, 0.99],
  ])('%s: sound elements, its topology, and the promised distance', (_, mesh, along, euler, share) => {
    const spans = [0, 1, 2].map((axis) => {
      const values = mesh.positions.filter((_value, i) => i % 3 === axis);
      return Math.max(...values) - Math.min(...values);
    });
    const made = tetrahedralizeMesh(mesh, { size: Math.max(...spans) / along });
    const facts = expectSound(made.mesh);
    expect(facts.euler).toBe(euler);
    expect(made.topologyKept).toBe(true);
    expect(made.report.inverted).toBe(0);
    expect(made.report.volume).toBeCloseTo(facts.volume, 6);
    const volume = mesh.indices.reduce((sum, _id, i) => {
      if (i % 3 !== 0) return sum;
      const [a, b, c] = [0, 1, 2].map((k) => [
        ...mesh.positions.subarray(3 * mesh.indices[i + k], 3 * mesh.indices[i + k] + 3),
      ]);
      return (
        sum +
        (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) /
          6
      );
    }, 0);
    expect(facts.volume / Math.abs(volume)).toBeGreaterThan(share);
    expect(facts.volume / Math.abs(volume)).toBeLessThan(2 - share);
    const { toInput, fromInput } = made.distance ?? { toInput: 0, fromInput: 0 };
    expect(Math.max(toInput, fromInput)).toBeLessThan(0.6 * made.size);
    expect(farthestVertex(mesh, surfaceMesh(made.mesh).mesh)).toBeLessThanOrEqual(fromInput);
  });

  test('puts nodes into the corners and on the edges of a turned box, whose volume it keeps', () => {
    const box = turnPart(model('box', { width: 2, height: 1, depth: 1 }), 0.4);
    const plain = tetrahedralizeMesh(box, { size: 0.13, features: false });
    const made = tetrahedralizeMesh(box, { size: 0.13 });
    expectSound(plain.mesh);
    expectSound(made.mesh);
    for (let corner = 0; corner < box.positions.length; corner += 3) {
      let nearest = Infinity;
      for (let i = 0; i < made.mesh.positions.length; i += 3) {
        nearest = Math.min(
          nearest,
          Math.hypot(...[0, 1, 2].map((axis) => made.mesh.positions[i + axis] - box.positions[corner + axis])),
        );
      }
      expect(nearest).toBe(0);
    }
    expect(Math.abs(made.report.volume - 2)).toBeLessThan(0.002);
    expect(Math.abs(plain.report.volume - 2)).toBeGreaterThan(5 * Math.abs(made.report.volume - 2));
    expect(made.distance?.fromInput).toBeLessThan(0.5 * (plain.distance?.fromInput ?? 0));
  });

  test('does the same at other scales', () => {
    const shape = model('torus');
    const base = tetrahedralizeMesh(shape, { size: 0.125 });
    for (const scale of [2 ** -20, 2 ** 20]) {
      const made = tetrahedralizeMesh(
        mapped(shape, (x, y, z) => [scale * x, scale * y, scale * z]),
        { size: scale * 0.125 },
      );
      expect(made.mesh.elements).toEqual(base.mesh.elements);
      expect(made.report.dihedralAngles.min).toBeCloseTo(base.report.dihedralAngles.min, 9);
    }
  });

  test('says what is wrong and what to do', () => {
    const box = model('box');
    const open = { positions: box.positions, indices: box.indices.slice(3) };
    const code = (mesh: Mesh, options?: TetrahedralizeOptions): [string, string] => {
      try {
        tetrahedralizeMesh(mesh, options);
      } catch (error) {
        if (error instanceof NearfieldError) return [error.code, error.message];
        throw error;
      }
      return ['none', ''];
    };
    expect(code(open)[0]).toBe('open-mesh');
    expect(code(open)[1]).toContain('solidify');
    const twice = {
      positions: Float64Array.from([...box.positions, ...box.positions.map((x) => x + 0.25)]),
      indices: Uint32Array.from([...box.indices, ...box.indices.map((id) => id + box.positions.length / 3)]),
    };
    expect(code(twice)[0]).toBe('self-intersecting');
    expect(code(box, { size: 1e-4 })[0]).toBe('too-large');
    expect(code(box, { size: -1 })[0]).toBe('bad-argument');
    expect(code(box, { signal: { aborted: true } })[0]).toBe('aborted');
    // A plate of 0.12 with a size of 0.4: nothing fits, and the message has a size that does.
    const sheet = mapped(box, (x, y, z) => [x, 0.12 * y, z]);
    const [thin, message] = code(sheet, { size: 0.4 });
    expect([thin, message]).toEqual(['degenerate', expect.stringContaining('too thin')]);
    const needed = Number(/at most ([\d.e-]+)/.exec(message)?.[1]);
    expect(tetrahedralizeMesh(sheet, { size: needed }).topologyKept).toBe(true);
    // The wall between its pin and its corner is half a size thick and comes out with holes.
    expect(code(part('bracket'))[1]).toContain("topology: 'any'");
  });

  test('an embedded surface follows any affine motion of the lattice', () => {
    const shape = model('torus', { majorRadius: 1, minorRadius: 0.3 });
    const { mesh, embedding, fill, report } = tetrahedralizeMesh(shape, { size: 0.25, mode: 'embedded' });
    if (embedding === null || fill === null) throw new Error('no embedding');
    expect(report.inverted).toBe(0);
    expect(embedding.weights.every((weight) => weight >= -1e-12)).toBe(true);
    const carried = carrySurface(mesh, embedding, mesh.positions, new Float64Array(shape.positions.length));
    carried.forEach((value, i) => {
      expect(Math.abs(value - shape.positions[i])).toBeLessThan(1e-12);
    });
    const bend = (x: number, y: number, z: number) => [2 * x - y + 1, 0.5 * y + z, z - x];
    const moved = carrySurface(
      mesh,
      embedding,
      mapped({ ...shape, positions: mesh.positions }, bend).positions,
      carried,
    );
    const wanted = mapped(shape, bend).positions;
    moved.forEach((value, i) => {
      expect(Math.abs(value - wanted[i])).toBeLessThan(1e-11);
    });
    // The filled shares of all elements add up to the solid.
    const volume = 2 * Math.PI ** 2 * 0.3 ** 2;
    const { positions: p, elements: e } = mesh;
    let filled = 0;
    for (let i = 0; i < fill.length; i++) {
      const nodes = [...e.subarray(4 * i, 4 * i + 4)];
      filled += fill[i] * validateTetrahedra(p, nodes).volume;
    }
    expect(Math.abs(filled / volume - 1)).toBeLessThan(0.1);
  });

  test('gives elements between surface nodes an inner node', () => {
    // A cube of five tetrahedra: all nodes on the surface.
    const cube = {
      positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1),
      elements: Uint32Array.of(0, 1, 2, 4, 3, 2, 1, 7, 5, 4, 7, 1, 6, 7, 4, 2, 1, 4, 2, 7),
    };
    for (let e = 0; e < 20; e += 4) {
      if (validateTetrahedra(cube.positions, cube.elements.slice(e, e + 4)).volume < 0) {
        cube.elements.set([cube.elements[e + 3], cube.elements[e + 2]], e + 2);
      }
    }
    expect(validateTetrahedra(cube.positions, cube.elements).withoutInner).toBe(5);
    const split = splitSurfaceElements(cube);
    const facts = validateTetrahedra(split.positions, split.elements);
    expect(facts.faults).toEqual([]);
    expect(facts.withoutInner).toBe(0);
    expect(facts.volume).toBeCloseTo(1, 12);
    expect(facts.surfaceTriangles).toBe(12);
    expect(split.positions.slice(0, 24)).toEqual(cube.positions);
  });
});
