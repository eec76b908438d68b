// The scenes in space against the library's exact proximity queries, over frames in which every vertex moves.
import { describe, expect, test } from 'vitest';
import { CYLINDER_SCENES, createCylinders } from '../../../bench/scenarios/cylinders.js';
import { organsAt } from '../../../bench/scenarios/organs.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { MeshQuery } from '../../../src/mesh/query/mesh-query.js';
import { tessellateNurbs } from '../../../src/pivot/nurbs/tessellate-nurbs.js';
import { SpacePivot } from '../../../src/pivot/space/space-pivot.js';
import type { PenetratingPoints } from '../../../src/pivot/space/space-result.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import { measureDistance } from '../../../src/proximity/queries.js';

const HERE = [0, 0, 0, 0, 0, 0, 1];
const exactly = (a: Mesh, b: Mesh) => measureDistance(new ProximityModel(a), new ProximityModel(b), HERE, HERE);

/** The depths of samples, and the deepest vertex of the surface, by a hierarchy. */
function checkDepths(samples: PenetratingPoints, surface: Mesh, solid: Mesh, error: number): number {
  const query = new MeshQuery(solid);
  const area = samples.areas.reduce((sum, each) => sum + each, 0);
  for (let n = 0; n < samples.count; n += 7) {
    const point = samples.points.subarray(3 * n, 3 * n + 3);
    expect(query.isInside(point)).toBe(true);
    expect(query.closestPoint(point)!.distance).toBeCloseTo(samples.depths[n], 12);
  }
  let deepest = 0;
  for (let n = 0; n < surface.positions.length; n += 3) {
    const point = surface.positions.subarray(n, n + 3);
    if (query.isInside(point)) deepest = Math.max(deepest, query.closestPoint(point)!.distance);
  }
  const depth = samples.depths.reduce((most, each) => Math.max(most, each), 0);
  if (deepest > error) expect(depth).toBeGreaterThanOrEqual(deepest - error);
  return area;
}

describe('two deforming cylinders', () => {
  test.each(CYLINDER_SCENES)('in %s', (scene) => {
    const cylindersAt = createCylinders(scene, 1500);
    const pivot = new SpacePivot({ error: 0.02 });
    for (const time of [0, 0.7, 1.9]) {
      const [a, b] = cylindersAt(time);
      const found = pivot.penetrationSync(a, b);
      expect(found.intersects).toBe(true);
      expect(exactly(a, b).intersects).toBe(true);
      expect(pivot.separationSync(a, b).intersects).toBe(true);
      const [inB, inA] = [checkDepths(found.a, a, b, 0.02), checkDepths(found.b, b, a, 0.02)];
      if (scene === 'penetration') expect(Math.min(inA, inB)).toBeGreaterThan(0.4);
      expect(found.depth).toBeGreaterThan(scene === 'penetration' ? 0.15 : 0.005);
    }
  });
});

describe('organs', () => {
  test('are as far apart as the exact queries say', () => {
    const pivot = new SpacePivot({ error: 0.002 });
    let apart = 0;
    let pairs = 0;
    const meshes = organsAt(1).map(({ surface }) => tessellateNurbs(surface, { error: 0.001 }));
    for (let i = 0; i < meshes.length; i++) {
      for (let j = i + 1; j < meshes.length; j++) {
        const truth = exactly(meshes[i], meshes[j]);
        const exact = pivot.separationSync(meshes[i], meshes[j], { exact: true });
        const sampled = pivot.separationSync(meshes[i], meshes[j]);
        pairs++;
        expect([exact.intersects, sampled.intersects]).toEqual([truth.intersects, truth.intersects]);
        if (truth.intersects) continue;
        apart++;
        expect(exact.distance).toBeCloseTo(truth.distance!, 12);
        expect(Math.abs(sampled.distance - truth.distance!)).toBeLessThanOrEqual(0.002);
      }
    }
    expect(apart / pairs).toBeGreaterThan(0.4);
    expect(apart / pairs).toBeLessThan(0.95);
  });
});
