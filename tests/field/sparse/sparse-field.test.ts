import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allNodes, type GridFrame, nodePosition } from '../../../src/field/grid.js';
import { extractIsosurface } from '../../../src/field/isosurface/isosurface.js';
import { extractSparseIsosurface } from '../../../src/field/isosurface/sparse-isosurface.js';
import { FieldSampler } from '../../../src/field/read/field-sampler.js';
import { sliceField } from '../../../src/field/read/slice-field.js';
import { computeSparseField } from '../../../src/field/sparse/compute-sparse-field.js';
import { BLOCK_VALUES, type SparseField } from '../../../src/field/sparse/sparse-field.js';
import { createMesh, type Mesh } from '../../../src/mesh/mesh.js';
import { box } from '../../../src/models/primitives/box.js';
import { icosphere } from '../../../src/models/primitives/icosphere.js';
import { sphere } from '../../../src/models/primitives/sphere.js';
import { torus } from '../../../src/models/primitives/torus.js';
import { sequence } from '../../generators/sequence.js';
import { join, reversed } from '../../generators/surfaces.js';
import { bruteDistance, sphereDistance } from '../../oracles/closed-form-fields.js';
import { windingByRay } from '../../oracles/mesh-distance.js';
import { windingNumberBySum } from '../../oracles/winding-number.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** The node against every triangle: distance in the band, side beyond it. */
function checkNode(field: SparseField, mesh: Mesh, i: number, j: number, k: number, isInside: boolean | null): boolean {
  const point = nodePosition(field, i, j, k);
  const distance = bruteDistance(mesh.positions, mesh.indices, point);
  const value = field.value(i, j, k);
  const band = field.bandWidth * field.spacing;
  const where = `node (${i}, ${j}, ${k}) at ${distance}`;
  const slack = 1e-13 * (1 + Math.max(...point.map(Math.abs)));
  if (distance > band + slack) expect(Math.abs(value), where).toBe(Infinity);
  else if (distance < band - slack)
    expect(Math.abs(Math.abs(value) - distance), where).toBeLessThan(field.error.max + slack);
  if (isInside !== null && distance > slack) expect(value < 0, where).toBe(isInside);
  return distance <= band;
}

function checkAll(
  field: SparseField,
  mesh: Mesh,
  inside: (point: number[]) => boolean,
): { band: number; inside: number } {
  const seen = { band: 0, inside: 0 };
  const [nx, ny, nz] = field.size;
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const isInside = inside(nodePosition(field, i, j, k));
        if (isInside) seen.inside++;
        if (checkNode(field, mesh, i, j, k, isInside)) seen.band++;
      }
    }
  }
  return seen;
}

const byRay =
  ({ positions, indices }: Mesh) =>
  ([x, y, z]: number[]): boolean =>
    windingByRay(positions, indices, x, y, z) >= 1;

describe('computeSparseField', () => {
  test('every node of the grid: exact in the band, the right side beyond it, sizes that are no multiple of 8', () => {
    for (const [mesh, frame] of [
      [icosphere.build({ subdivisions: 2 }), { origin: [-0.83, -0.71, -0.8], spacing: 0.07, size: [25, 21, 23] }],
      [box.build({}), { origin: [-1, -1, -1], spacing: 0.125, size: [17, 17, 17] }],
      // Far away, where coordinates have few digits left.
      [
        createMesh(
          icosphere.build({ subdivisions: 1 }).positions.map((x) => x + 2 ** 26),
          icosphere.build({ subdivisions: 1 }).indices,
        ),
        { origin: [2 ** 26 - 0.7, 2 ** 26 - 0.7, 2 ** 26 - 0.7], spacing: 0.09, size: [16, 16, 16] },
      ],
      [
        torus.build({ majorSegments: 8, minorSegments: 5 }),
        { origin: [-0.9, -0.4, -0.9], spacing: 0.09, size: [21, 10, 21] },
      ],
    ] as [Mesh, GridFrame][]) {
      const field = computeSparseField(mesh, frame, { bandWidth: 2 });
      expect(field).toMatchObject({ signed: true, closed: true, bandWidth: 2, size: frame.size });
      const seen = checkAll(field, mesh, byRay(mesh));
      expect(seen.inside).toBeGreaterThan(50);
      expect(field.counters.bandNodes).toBe(seen.band);
      expect(field.counters.bandNodes).toBeLessThan(frame.size[0] * frame.size[1] * frame.size[2]);
    }
  });

  test('a face through nodes, edges along rows: nodes on the surface are zero', () => {
    const field = computeSparseField(box.build({}), { origin: [-1, -1, -1], spacing: 0.25, size: [9, 9, 9] });
    expect(field.value(4, 4, 6)).toBe(0);
    expect(field.value(2, 2, 2)).toBe(0);
    expect(field.value(4, 4, 5)).toBe(-0.25);
    expect(field.value(4, 4, 7)).toBe(0.25);
    expect(field.value(4, 7, 7)).toBe(Math.fround(Math.SQRT1_2 / 2));
  });

  test('soups of random triangles, needles and points among them, over any part of them', () => {
    let finite = 0;
    let nodes = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1 }), fc.integer({ min: 1, max: 8 }), (seed, count) => {
        const random = sequence(seed);
        const positions = Array.from({ length: 9 * count }, () => 2 * random() - 0.5);
        if (count > 2) for (let c = 0; c < 3; c++) positions[3 + c] = positions[6 + c];
        if (count > 4) for (let c = 0; c < 6; c++) positions[12 + c] = positions[9 + (c % 3)];
        const mesh = createMesh(positions, Array.from(Array(3 * count).keys()));
        const frame: GridFrame = { origin: [0, 0, 0], spacing: 0.08, size: [13, 9, 11] };
        const bandWidth = 1.8 + 2 * random();
        const field = computeSparseField(mesh, frame, { bandWidth, sign: 'none' });
        expect(field.signed).toBe(false);
        for (let k = 0; k < 11; k++) {
          for (let j = 0; j < 9; j++) {
            for (let i = 0; i < 13; i++) {
              nodes++;
              if (checkNode(field, mesh, i, j, k, false)) finite++;
            }
          }
        }
      }),
      { numRuns: 12 * SOAK, seed: 8 },
    );
    expect(finite / nodes).toBeGreaterThan(0.3);
    expect(finite / nodes).toBeLessThan(0.9);
  });

  test('a solid with a cavity, and a solid in the cavity: the empty blocks of each are on the right side', () => {
    const ball = (radius: number) => icosphere.build({ radius, subdivisions: 4 });
    const mesh = join(ball(0.95), reversed(ball(0.6)), ball(0.3));
    const frame: GridFrame = { origin: [-1.0031, -1.0013, -1.0007], spacing: 2 / 99, size: [100, 100, 100] };
    const field = computeSparseField(mesh, frame, { bandWidth: 1.75 });
    expect(field.closed).toBe(true);
    const kinds = [0, 0, 0, 0];
    const random = sequence(5);
    for (let n = 0; n < 40_000; n++) {
      const [i, j, k] = [0, 0, 0].map(() => Math.floor(100 * random()));
      const value = field.value(i, j, k);
      const r = Math.hypot(...nodePosition(frame, i, j, k));
      // Between the facets and the ball through their corners.
      const isSure = [0.95, 0.6, 0.3].every((radius) => r > radius || r < 0.96 * radius);
      if (!isSure) continue;
      const isInside = r < 0.3 || (r > 0.6 && r < 0.95);
      expect(value < 0).toBe(isInside);
      if (Math.abs(value) === Infinity) kinds[r < 0.3 ? 0 : r < 0.6 ? 1 : r < 0.95 ? 2 : 3]++;
    }
    for (const count of kinds) expect(count).toBeGreaterThan(100);
    for (let n = 0; n < 150 * SOAK; n++) {
      const [i, j, k] = [0, 0, 0].map(() => Math.floor(100 * random()));
      checkNode(field, mesh, i, j, k, byRay(mesh)(nodePosition(frame, i, j, k)));
    }
  });

  test('thin shells: two sheets closer than a spacing keep both their sides', () => {
    const mesh = join(
      icosphere.build({ radius: 0.5, subdivisions: 2 }),
      reversed(icosphere.build({ radius: 0.49, subdivisions: 2 })),
    );
    const frame: GridFrame = { origin: [-0.61, -0.6, -0.62], spacing: 0.07, size: [18, 18, 18] };
    const field = computeSparseField(mesh, frame);
    const seen = checkAll(field, mesh, byRay(mesh));
    expect(seen.inside).toBeGreaterThan(0);
    expect(seen.inside).toBeLessThan(500);
  });

  test('grids wholly inside, wholly outside, and cut by the surface, which goes on beyond them on all sides', () => {
    const mesh = icosphere.build({ radius: 1, subdivisions: 3 });
    const inner = computeSparseField(mesh, { origin: [-0.2, -0.2, -0.2], spacing: 0.02, size: [20, 20, 20] });
    expect(inner.blockCount).toBe(0);
    expect(inner.toField(allNodes(inner)).values.every((value) => value === -Infinity)).toBe(true);
    expect(() => inner.toField({ min: [0.5, 0, 0], max: [1.5, 1, 1] })).toThrow(/whole numbers/);
    for (const origin of [
      [3, 0, 0],
      [-3, 0, 0],
      [0, 3, 0],
      [0, -3, 0],
      [0, 0, 3],
      [0, 0, -3],
    ] as const) {
      const outer = computeSparseField(mesh, { origin, spacing: 0.02, size: [10, 11, 12] });
      expect(outer.blockCount).toBe(0);
      expect(outer.toField(allNodes(outer)).values.every((value) => value === Infinity)).toBe(true);
    }
    for (const origin of [
      [0.6, 0.4, 0.1],
      [-1.1, -0.6, -0.5],
    ] as const) {
      const cut = computeSparseField(mesh, { origin, spacing: 0.04, size: [14, 14, 14] });
      const seen = checkAll(cut, mesh, byRay(mesh));
      expect(seen.inside).toBeGreaterThan(100);
      expect(seen.inside).toBeLessThan(14 ** 3 - 100);
    }
  });

  test('open meshes say so; in the band the sign is that of the winding number', () => {
    const whole = icosphere.build({ subdivisions: 2 });
    const mesh = createMesh(whole.positions, whole.indices.subarray(0, whole.indices.length - 30));
    const frame: GridFrame = { origin: [-0.7, -0.7, -0.7], spacing: 0.09, size: [16, 16, 16] };
    const field = computeSparseField(mesh, frame);
    expect(field.closed).toBe(false);
    let insides = 0;
    for (let k = 0; k < 16; k++) {
      for (let j = 0; j < 16; j++) {
        for (let i = 0; i < 16; i++) {
          const point = nodePosition(frame, i, j, k);
          const winding = windingNumberBySum(mesh.positions, mesh.indices, point);
          const inBlock = Number.isFinite(field.value(i, j, k));
          const sure = inBlock && Math.abs(winding - 0.5) > 1e-9;
          checkNode(field, mesh, i, j, k, sure ? winding > 0.5 : null);
          if (sure && winding > 0.5) insides++;
        }
      }
    }
    expect(insides).toBeGreaterThan(100);
  });

  test('scale and place do not matter', () => {
    const mesh = icosphere.build({ subdivisions: 2 });
    const frame: GridFrame = { origin: [-0.7, -0.7, -0.7], spacing: 0.0625, size: [23, 23, 23] };
    const field = computeSparseField(mesh, frame);
    for (const scale of [2 ** 20, 2 ** -20]) {
      const scaled = computeSparseField(
        { positions: mesh.positions.map((x) => scale * x), indices: mesh.indices },
        { ...frame, origin: [-0.7 * scale, -0.7 * scale, -0.7 * scale], spacing: 0.0625 * scale },
      );
      const values = field.toField(allNodes(field)).values;
      expect(scaled.toField(allNodes(field)).values).toEqual(values.map((value) => scale * value));
      expect(scaled.counters).toEqual(field.counters);
    }
    const shift = [1000, -300, 50];
    const moved = computeSparseField(
      { positions: mesh.positions.map((x, i) => x + shift[i % 3]), indices: mesh.indices },
      { ...frame, origin: [-0.7 + 1000, -0.7 - 300, -0.7 + 50] },
    );
    const random = sequence(17);
    for (let n = 0; n < 2000; n++) {
      const [i, j, k] = [0, 0, 0].map(() => Math.floor(23 * random()));
      const [a, b] = [field.value(i, j, k), moved.value(i, j, k)];
      if (Number.isFinite(a) && Number.isFinite(b)) expect(Math.abs(a - b)).toBeLessThan(1e-7);
      else expect(Math.sign(a)).toBe(Math.sign(b));
    }
  });

  test('what cannot be is refused; work can be watched and stopped', () => {
    const mesh = icosphere.build({ subdivisions: 1 });
    const frame: GridFrame = { origin: [-1, -1, -1], spacing: 0.1, size: [21, 21, 21] };
    expect(() => computeSparseField(mesh, { ...frame, size: [21, 21, 1] })).toThrow(/grid in space/);
    expect(() => computeSparseField(mesh, frame, { bandWidth: 1 })).toThrow(/√3 or more/);
    expect(() => computeSparseField(mesh, frame, { bandWidth: Infinity })).toThrow(/√3 or more/);
    expect(() => computeSparseField(mesh, frame, { sign: 'both' as never })).toThrow(/sign is 'both'/);
    expect(() => computeSparseField(mesh, { ...frame, size: [2 ** 14, 2 ** 14, 2] })).toThrow(/lower resolution/);
    expect(() => computeSparseField(createMesh([0, 0, 0], []), frame)).toThrow();
    expect(() => computeSparseField(mesh, frame, { signal: { aborted: true } })).toThrow(/Stopped/);
    const fractions: number[] = [];
    computeSparseField(mesh, frame, { onProgress: (fraction) => fractions.push(fraction) });
    expect(fractions.at(-1)).toBe(1);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  });
});

describe('SparseField', () => {
  const frame: GridFrame = { origin: [-0.72, -0.7, -0.71], spacing: 0.052, size: [29, 28, 27] };
  const mesh = icosphere.build({ subdivisions: 3 });
  const field = computeSparseField(mesh, frame);
  const dense = field.toField(allNodes(field));

  test('cuts out boxes and slices, and lists its blocks', () => {
    const cut = field.toField({ min: [3, -5, 8], max: [11, 4, 40] });
    expect([cut.size, cut.spacing]).toEqual([[9, 5, 19], 0.052]);
    expect(cut.origin).toEqual(nodePosition(frame, 3, 0, 8));
    expect(cut.values[2 + 9 * (3 + 5 * 7)]).toBe(field.value(5, 3, 15));
    for (const axis of [0, 1, 2] as const) expect(field.slice(axis, 9)).toEqual(sliceField(dense, axis, { node: 9 }));
    expect(() => field.slice(0, 29)).toThrow(/node 29/);
    expect(() => field.toField({ min: [30, 0, 0], max: [31, 1, 1] })).toThrow(/no nodes/);
    let blocks = 0;
    let known = 0;
    for (const { node, values } of field.blocks()) {
      blocks++;
      expect(values.length).toBe(BLOCK_VALUES);
      for (let n = 0; n < BLOCK_VALUES; n++) {
        const [i, j, k] = [node[0] + (n & 7), node[1] + ((n >> 3) & 7), node[2] + (n >> 6)];
        if (i >= 29 || j >= 28 || k >= 27) continue;
        expect(field.value(i, j, k)).toBe(values[n]);
        if (Number.isFinite(values[n])) known++;
      }
    }
    expect(blocks).toBe(field.blockCount);
    expect(known).toBe(field.counters.bandNodes);
    expect(known).toBe(dense.values.filter(Number.isFinite).length);
  });

  test('samples values and gradients as the dense field does', () => {
    const sampler = new FieldSampler(dense);
    const random = sequence(11);
    const gradient = [0, 0, 0];
    let known = 0;
    let far = 0;
    for (let n = 0; n < 4000; n++) {
      const point = [0, 1, 2].map(() => 1.6 * random() - 0.8) as [number, number, number];
      const value = field.sample(point);
      const expected = sampler.value(...point);
      if (Number.isFinite(value)) {
        known++;
        expect(value).toBeCloseTo(expected, 12);
        expect(value).toBeCloseTo(sphereDistance(0.5)(...point), 1);
      } else {
        expect(expected).toBeNaN();
        if (!Number.isNaN(value)) {
          far++;
          expect(value < 0).toBe(Math.hypot(...point) < 0.5);
        }
      }
      sampler.gradient(...point, gradient);
      const ours = field.gradient(point);
      for (let axis = 0; axis < 3; axis++) {
        if (Number.isNaN(gradient[axis])) expect(ours[axis]).toBeNaN();
        else expect(ours[axis]).toBeCloseTo(gradient[axis], 10);
      }
    }
    expect(known).toBeGreaterThan(500);
    expect(far).toBeGreaterThan(500);
    expect(field.sample(nodePosition(frame, 28, 27, 26))).toBe(Infinity);
    expect(field.sample([9, 0, 0])).toBeNaN();
    expect(() => field.sample([0, NaN, 0])).toThrow();
  });

  test('isosurfaces are those of the dense field, and closed', () => {
    for (const level of [0, -0.05]) {
      const ours = extractSparseIsosurface(field, level);
      const theirs = extractIsosurface(dense, level);
      expect(ours.indices.length).toBeGreaterThan(1000);
      expect(ours.indices.length).toBe(theirs.indices.length);
      const corners = ({ positions, indices }: Mesh) =>
        Array.from({ length: indices.length / 3 }, (_, face) =>
          [0, 1, 2]
            .map((c) => positions.subarray(3 * indices[3 * face + c], 3 * indices[3 * face + c] + 3).join(' '))
            .sort()
            .join(' '),
        ).sort();
      expect(corners(ours)).toEqual(corners(theirs));
      const edges = new Map<string, number>();
      for (let i = 0; i < ours.indices.length; i++) {
        const [a, b] = [ours.indices[i], ours.indices[i % 3 === 2 ? i - 2 : i + 1]];
        edges.set(`${a} ${b}`, (edges.get(`${a} ${b}`) ?? 0) + 1);
      }
      for (const edge of edges.keys()) expect(edges.get(edge.split(' ').reverse().join(' '))).toBe(1);
    }
    expect(() => extractSparseIsosurface(field, 0.07)).toThrow(/too far out/);
    expect(() => extractSparseIsosurface(field, NaN)).toThrow();
    expect(() => extractSparseIsosurface(field, 0, { cap: true })).toThrow(/leave `cap` out/);
  });
});

describe('large grids', () => {
  /** Blocks cost 2 KiB and come in pieces of 1,024; a region of the table costs 16 KiB. */
  function checkMemory(field: SparseField, area: number): void {
    // Blocks a band of thickness w passes through: at most area / 8² · (w / 8 + √3), in spacings, up to curvature.
    const blocks = (area / 64) * ((2 * field.bandWidth) / 8 + Math.sqrt(3));
    expect(field.blockCount).toBeLessThan(1.05 * blocks);
    const regions = field.blocksAlong.reduce((product, along) => product * Math.ceil(along / 16), 1);
    expect(field.byteLength).toBeLessThan(
      2048 * (field.blockCount + 1024) + 12 * field.blockCount + 16 * 1024 * regions + 65536,
    );
  }

  function checkSamples(field: SparseField, mesh: Mesh, count: number, radius: number): void {
    const random = sequence(23);
    let banded = 0;
    for (let n = 0; n < count; n++) {
      // Most nodes near the sphere, where there is something to be wrong.
      const direction = [0, 0, 0].map(() => random() - 0.5);
      const length = Math.hypot(...direction);
      const r = radius + (n % 4 === 0 ? 2 * (random() - 0.5) * radius : 8 * (random() - 0.5) * field.spacing);
      const [i, j, k] = direction.map((d, axis) =>
        Math.min(
          field.size[axis] - 1,
          Math.max(0, Math.round(((d / length) * r - field.origin[axis]) / field.spacing)),
        ),
      );
      if (checkNode(field, mesh, i, j, k, byRay(mesh)(nodePosition(field, i, j, k)))) banded++;
    }
    expect(banded / count).toBeGreaterThan(0.3);
    expect(banded / count).toBeLessThan(0.7);
  }

  test('1024³ nodes around a shell, of which a dense field would take 8 GiB', () => {
    const radius = SOAK > 1 ? 0.48 : 0.2;
    const mesh = sphere.build({ radius });
    const frame: GridFrame = { origin: [-0.5, -0.5, -0.5], spacing: 1 / 1023, size: [1024, 1024, 1024] };
    const field = computeSparseField(mesh, frame);
    checkMemory(field, 4 * Math.PI * (radius * 1023) ** 2);
    checkSamples(field, mesh, 200 * SOAK, radius);
    expect(field.value(512, 512, 512)).toBe(-Infinity);
    expect(field.value(0, 0, 0)).toBe(Infinity);
    expect(field.value(1023, 512, 512)).toBe(Infinity);
    expect(() => field.toField(allNodes(field))).toThrow(/more than/);
    const slice = field.slice(2, 512).values;
    for (let i = 0; i < 1024; i++) expect(slice[i + 1024 * 512]).toBe(field.value(i, 512, 512));
  });

  test('8192 by 8192 by 4096 nodes: the table stays small', () => {
    const mesh = sphere.build({ radius: 0.01 });
    const frame: GridFrame = { origin: [-0.5, -0.5, -0.25], spacing: 1 / 8192, size: [8192, 8192, 4096] };
    const field = computeSparseField(mesh, frame);
    expect(field.value(4096, 4096, 2048)).toBe(-Infinity);
    expect(field.byteLength).toBeLessThan(2 ** 24);
    checkSamples(field, mesh, 60, 0.01);
  });
});
