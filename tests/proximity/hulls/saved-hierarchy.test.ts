// A model accepts a saved hierarchy of hulls of the same mesh, and no other.
import { describe, expect, test } from 'vitest';
import { decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import { buildHierarchy } from '../../../src/decomposition/hierarchy/build-hierarchy.js';
import { readHierarchy, writeHierarchy } from '../../../src/decomposition/hierarchy/hierarchy-file.js';
import { findModel } from '../../../src/models/catalogue.js';
import { measurePenetrationSync } from '../../../src/penetration/measure-on-cpu.js';
import { hullsOf } from '../../../src/proximity/hulls/model-hulls.js';
import { Pair } from '../../../src/proximity/pair.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';

const IDENTITY = [0, 0, 0, 0, 0, 0, 1] as const;
const mesh = findModel('letter-s').build();
const saved = writeHierarchy(buildHierarchy(decomposeSurface(mesh, { coverFlatPatches: true })));

describe('a saved hierarchy', () => {
  test('is taken in place of a new one; pairs start with it, and answers are those of one made here', () => {
    const given = new ProximityModel(mesh, { hierarchy: readHierarchy(saved) });
    const made = new ProximityModel(mesh);
    expect(given.hullsReady).toBe(true);
    expect(hullsOf(given).mesh).toBe(mesh);
    expect(hullsOf(given)).toEqual(hullsOf(made));
    const [pair, other] = [new Pair(given, given), new Pair(made, made)];
    expect(pair.volume).toBe('hulls');
    for (let frame = 0; frame < 50; frame++) {
      const at = [1.2 + 0.02 * frame, 0.3, 0.1, 0, 0, Math.sin(0.1 * frame), Math.cos(0.1 * frame)] as const;
      expect(pair.distance(IDENTITY, at)).toEqual(other.distance(IDENTITY, at));
    }
    const overlapping = [0.2, 0.1, 0.05, 0, 0, 0, 1] as const;
    const depths = [given, made].map((model) => {
      const { lower, upper, vector } = measurePenetrationSync(model, model, IDENTITY, overlapping, { maxCells: 500 });
      return { lower, upper, vector };
    });
    expect(depths[0]).toEqual(depths[1]);
  });

  test('is refused for another mesh', () => {
    const hierarchy = readHierarchy(saved);
    expect(() => new ProximityModel(findModel('letter-a').build(), { hierarchy })).toThrow(/another mesh/);
    const moved = { positions: mesh.positions.slice(), indices: mesh.indices };
    moved.positions[7] += 1e-12;
    expect(() => new ProximityModel(moved, { hierarchy })).toThrow(/another mesh.*differ at 7/);
    const turned = { positions: mesh.positions, indices: mesh.indices.slice() };
    turned.indices.reverse();
    expect(() => new ProximityModel(turned, { hierarchy })).toThrow(/another mesh/);
    expect(() => new ProximityModel(mesh, { hierarchy: {} as never })).toThrow(/not a hierarchy/);
  });

  test('of a solid is refused where a flat piece covers a bay of its patch', () => {
    // The front of an L or an S is one flat patch with bays, unless flat patches are cut.
    const plain = buildHierarchy(decomposeSurface(mesh));
    expect(() => new ProximityModel(mesh, { hierarchy: plain })).toThrow(/coverFlatPatches/);
    for (const name of ['torus', 'letter-o', 'box', 'cup']) {
      const solid = findModel(name).build();
      const hierarchy = buildHierarchy(decomposeSurface(solid, { coverFlatPatches: true }));
      expect(new ProximityModel(solid, { hierarchy }).hullsReady).toBe(true);
    }
  });
});
