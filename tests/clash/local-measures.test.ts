// What is measured of each overlap, against closed forms: thickness, way out, crossing curves, volume, and the floor of touches.
import { describe, expect, test } from 'vitest';
import { type AssemblyPart, buildAssembly } from '../../src/clash/assembly.js';
import { ClashGrader } from '../../src/clash/clash-grader.js';
import { findClashes } from '../../src/clash/find-clashes.js';
import { gradeClashes } from '../../src/clash/grade-clashes.js';
import { precisionOf } from '../../src/clash/measures/mesh-precision.js';
import * as pose from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import * as vec3 from '../../src/core/vec3.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { findModel } from '../../src/models/catalogue.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { testIntersection } from '../../src/proximity/queries.js';
import { boxMesh } from '../generators/surfaces.js';

const at = (x: number, y = 0, z = 0): pose.Pose => pose.create([x, y, z], [0, 0, 0, 1]);
const part = (name: string, mesh: Mesh, place = at(0)): AssemblyPart => ({
  name,
  model: new ProximityModel(mesh),
  pose: place,
});
const grade = (parts: readonly AssemblyPart[], options = {}) =>
  gradeClashes(parts, findClashes(parts).clashes, { maxMilliseconds: 0, ...options });

/** A closed prism over a regular polygon whose corners are on the circle, from z = −h to h. */
function prism(radius: number, h: number, sides: number, turn = 0): Mesh {
  const positions: number[] = [0, 0, -h, 0, 0, h];
  const indices: number[] = [];
  for (let i = 0; i < sides; i++) {
    const angle = (2 * Math.PI * (i + turn)) / sides;
    for (const z of [-h, h]) positions.push(radius * Math.cos(angle), radius * Math.sin(angle), z);
    const [p, q] = [2 + 2 * i, 2 + 2 * ((i + 1) % sides)];
    indices.push(0, q, p, 1, p + 1, q + 1, p, q, q + 1, p, q + 1, p + 1);
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** A mesh without some of its faces. */
const without = ({ positions, indices }: Mesh, faces: number): Mesh => ({
  positions,
  indices: indices.slice(3 * faces),
});

describe('boxes that overlap', () => {
  const box = boxMesh();
  const width = Math.max(...box.positions) - Math.min(...box.positions);
  const depth = 0.2 * width;
  const shift = 0.1 * width;

  test('have the volume, the thickness, the way out and the curve of the closed form', () => {
    const [clash] = grade([part('a', box), part('b', box, at(width - depth, shift, shift))]);
    const side = width - shift;
    expect(clash.volume!.lower).toBeLessThanOrEqual(depth * side * side);
    expect(clash.volume!.upper).toBeGreaterThanOrEqual(depth * side * side);
    expect(clash.volume!.upper - clash.volume!.lower).toBeLessThan(0.1 * depth * side * side);
    expect(vec3.length(clash.wayOut!)).toBeGreaterThanOrEqual(depth);
    expect(vec3.length(clash.wayOut!)).toBeLessThan(1.1 * depth);
    expect(clash.thickness!).toBeGreaterThanOrEqual(depth);
    expect(clash.thicknessLower!).toBeLessThanOrEqual(depth * (1 + 1e-12));
    expect(clash.thicknessLower!).toBeGreaterThan(0.5 * depth);
    // Where faces cross: two sides of each of the two rectangles, and what joins them.
    expect(clash.crossingLength).toBeCloseTo(4 * side + 2 * depth, 9);
    expect(clash.crossingSize).toBeCloseTo(side, 9);
  });

  test('have the same measures at any place, turn and scale', () => {
    const random = createRandom(3);
    const of = (scale: number, frame: pose.Pose) => {
      const scaled = { ...box, positions: box.positions.map((value) => scale * value) };
      const move = (place: pose.Pose): pose.Pose => pose.multiply(frame, place);
      const b = at(scale * (width - depth), scale * shift, scale * shift);
      return grade([part('a', scaled, move(at(0))), part('b', scaled, move(b))])[0];
    };
    const first = of(1, at(0));
    for (const scale of [1e-3, 1e3]) {
      const place = [0, 0, 0].map(() => scale * random.range(-3, 3)) as vec3.Vec3;
      const other = of(scale, pose.create(place, random.rotation()));
      expect(other.crossingLength / scale).toBeCloseTo(first.crossingLength, 6);
      expect(vec3.length(other.wayOut!) / scale).toBeCloseTo(vec3.length(first.wayOut!), 1);
      expect(other.volume!.lower / scale ** 3).toBeCloseTo(first.volume!.lower, 1);
    }
  });

  test('open ones have all but depth and volume, and the way out parts them', () => {
    const parts = [part('a', without(box, 1)), part('b', box, at(width - depth, shift, shift))];
    const [clash] = grade(parts);
    expect(clash).toMatchObject({ kind: 'penetrating', lower: null, upper: null, volume: null });
    expect(vec3.length(clash.wayOut!)).toBeLessThan(1.1 * depth);
    expect(clash.thicknessLower!).toBeGreaterThan(0.5 * depth);
    expect(clash.crossingLength).toBeGreaterThan(0);
    const moved = pose.create(clash.wayOut!, [0, 0, 0, 1]);
    expect(testIntersection(parts[0].model, parts[1].model, moved, parts[1].pose).intersects).toBe(false);
  });
});

describe('what counts as touching', () => {
  const [radius, sides] = [1, 48];
  const rise = radius * (1 - Math.cos(Math.PI / sides));

  test('facets of equal cylinders that are turned, by an estimate of how far they are from the cylinder', () => {
    const turned = [part('shaft', prism(radius, 2, sides)), part('bore', prism(radius, 1, sides, 0.5))];
    // One is in the other: they are concentric, and overlap by all of the bore.
    expect(grade(turned)[0].kind).not.toBe('touching');
    const side = [
      part('roll', prism(radius, 1, sides)),
      part('other', prism(radius, 1, sides, 0.5), at(2 * radius - 1.2 * rise)),
    ];
    const [clash] = grade(side);
    expect(clash).toMatchObject({ kind: 'touching', grade: 'touch', volume: null });
    expect(clash.floor).toBeGreaterThan(1.5 * rise);
    expect(clash.floor).toBeLessThan(3 * rise);
    // The answer says that the estimate made it a touch, and how large it is.
    expect(clash.touchBy).toBe('facets');
    expect(clash.floors).toMatchObject({ chord: 0 });
    expect(clash.floors.facets + Math.max(clash.floors.tolerance, clash.floors.rounding)).toBe(clash.floor);
    expect(clash.floors.facets).toBeGreaterThan(clash.thickness!);
    expect(Math.max(clash.floors.tolerance, clash.floors.rounding)).toBeLessThan(clash.thickness!);
    // A tolerance that is given counts alone, and beyond the facets nothing is a touch.
    expect(grade(side, { touchTolerance: 1e-9 })[0].grade).toBe('interference');
    expect(grade([side[0], { ...side[1], pose: at(2 * radius - 6 * rise) }])[0].kind).toBe('penetrating');
  });

  test('says which floor makes each touch, and none for what meets without one', () => {
    const width = Math.max(...boxMesh().positions) - Math.min(...boxMesh().positions);
    const boxes = (gap: number, facts: object): ReturnType<typeof grade> =>
      grade([
        { ...part('a', boxMesh()), ...facts },
        { ...part('b', boxMesh(), at(width + gap)), ...facts },
      ]);
    const rough = { precision: 1e-4 * width, chordError: 1e-3 * width };
    for (const gap of [-1.9e-3, -1.9e-4, -1e-7]) {
      const cause = gap < -1e-3 ? 'chord' : gap < -1e-6 ? 'rounding' : 'tolerance';
      const [clash] = boxes(gap * width, rough);
      expect(clash).toMatchObject({ kind: 'touching', touchBy: cause });
      expect(clash.floors).toMatchObject({ rounding: 2e-4 * width, chord: 2e-3 * width, facets: 0 });
      expect(clash.floor).toBeCloseTo(2.2e-3 * width, 12);
    }
    expect(boxes(0, {})[0]).toMatchObject({ kind: 'touching' });
    expect(boxes(-0.1 * width, rough)[0]).toMatchObject({ grade: 'interference', touchBy: null });
    // Beyond the tolerance nothing counts but what is given.
    const given = grade([part('a', boxMesh()), part('b', boxMesh(), at(0.99 * width))], {
      touchTolerance: 0.02 * width,
    });
    expect(given[0]).toMatchObject({
      touchBy: 'tolerance',
      floors: { tolerance: 0.02 * width, rounding: 0, chord: 0 },
    });
  });

  test('flat faces have no such floor', () => {
    const width = Math.max(...boxMesh().positions) - Math.min(...boxMesh().positions);
    const [clash] = grade([part('a', boxMesh()), part('b', boxMesh(), at(0.999 * width))]);
    expect(clash.kind).toBe('penetrating');
  });

  test('coordinates tell single precision, decimals and grids; dimensions of a design do not', () => {
    const random = createRandom(8);
    const of = (value: () => number): Mesh => ({
      positions: Float64Array.from({ length: 900 }, value),
      indices: Uint32Array.from({ length: 300 }, (_, i) => i),
    });
    const any = (): number => random.range(-50, 50);
    expect(precisionOf(of(any))).toBe(0);
    const single = precisionOf(of(() => Math.fround(any())));
    expect(single).toBeGreaterThan(4e-6);
    expect(single).toBeLessThan(8e-6);
    expect(precisionOf(of(() => Number(any().toFixed(3))))).toBe(1e-3);
    expect(precisionOf(of(() => Math.round(any()) / 4))).toBeLessThan(3e-6);
    let x = -1;
    const corner = (): number => (++x < 3 ? 0 : x < 6 ? 50 : random.integer(4096) * (50 / 4095));
    expect(precisionOf(of(() => Math.fround(corner())))).toBeCloseTo(50 / 4095, 4);
    expect(precisionOf(boxMesh())).toBe(0);
  });

  test('the precision of a file is the floor of its parts', () => {
    const random = createRandom(4);
    const rough = prism(10, 10, 150);
    const positions = rough.positions.map((value) => Number((value + 1e-4 * random.range(-1, 1)).toFixed(2)));
    const mesh = { name: 'm', mesh: { ...rough, positions } };
    const [only] = buildAssembly({
      format: 'obj',
      meshes: [mesh],
      parts: [{ name: 'p', meshIndex: 0, transform: identity() }],
    });
    expect(only.precision).toBe(0.01);
  });
});

test('equal parts in one place are duplicates and come first', () => {
  const parts = [part('a', boxMesh()), part('c', boxMesh(), at(0.5))];
  const twice = [...parts, { ...parts[0], name: 'a (2)' }];
  const graded = grade(twice);
  expect(graded.map(({ kind }) => kind)).toEqual(['duplicate', 'penetrating', 'penetrating']);
  const [{ certain, lower, upper, thickness, volume }] = graded;
  const { boxMin, boxMax } = parts[0].model;
  const sides = [0, 1, 2].map((k) => boxMax[k] - boxMin[k]);
  expect({ certain, lower, thickness }).toEqual({ certain: true, lower: 0, thickness: 0 });
  expect(upper).toBeCloseTo(Math.min(...sides), 6);
  for (const bound of [volume?.lower, volume?.upper]) expect(bound).toBeCloseTo(sides[0] * sides[1] * sides[2], 9);
});

test('the depth of a duplicate is not searched', () => {
  const one = part('a', findModel('cup').build());
  const grader = new ClashGrader([one, { ...one, name: 'b' }], findClashes([one, { ...one, name: 'b' }]).clashes, {});
  expect(grader.overlaps.map(({ kind }) => kind)).toEqual(['duplicate']);
  expect(grader.rounds().next()).toBeNull();
});

function identity(): Float64Array {
  return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
}
