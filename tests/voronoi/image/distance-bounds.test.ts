// Bounds of tiles against the largest distance of their samples, from the sites' definitions.
import { expect, test } from 'vitest';
import { makeCandidates } from '../../../src/voronoi/image/candidates.js';
import { DistanceBounds } from '../../../src/voronoi/image/distance-bounds.js';
import { sampleCoordinates } from '../../../src/voronoi/image/image-frame.js';
import { planeElements } from '../../../src/voronoi/sites/plane-elements.js';
import { randomPlaneSites } from '../../generators/plane-sites.js';
import { nearestSite } from '../site-distance.js';

const LEAF = 4;

for (const [name, box] of [
  ['in the box', [0, 0, 1, 0.7]],
  ['far from the box', [5, 5, 6, 5.7]],
] as const) {
  for (const weighted of [false, true]) {
    test(`no sample is beyond the bound of its tile: ${weighted ? 'weighted ' : ''}sites ${name}`, () => {
      const sites = randomPlaneSites(9, 60, ['point', 'segment', 'arc', 'circle'], { weighted });
      const candidates = makeCandidates(planeElements(sites, 1e-4), box);
      const xs = sampleCoordinates(box[0], (box[2] - box[0]) / 100, 100);
      const ys = sampleCoordinates(box[1], (box[3] - box[1]) / 70, 70);
      const bounds = new DistanceBounds(candidates, xs, ys, 128, LEAF);
      expect(bounds.smallest).toBe(16);
      for (let side = bounds.smallest; side <= 128; side *= 2) {
        let [sum, tight] = [0, 0];
        for (let top = 0; top < 70; top += side) {
          for (let left = 0; left < 100; left += side) {
            let largest = -Infinity;
            for (const y of ys.slice(top, top + side)) {
              for (const x of xs.slice(left, left + side)) {
                largest = Math.max(largest, nearestSite(sites, x, y).distance);
              }
            }
            const bound = bounds.of(left, top, side);
            expect(bound).toBeGreaterThanOrEqual(largest);
            sum += bound - largest;
            tight++;
          }
        }
        // A bound that says nothing would pass too: half the diagonal of a cell is what it may lose.
        expect(sum / tight).toBeLessThan(0.25);
      }
    });
  }
}

test('tiles smaller than the grid, and images of one cell, have no bound', () => {
  const xs = sampleCoordinates(0, 0.25, 4);
  const candidates = makeCandidates(planeElements([{ type: 'point', at: [0.5, 0.5] }], 1), [0, 0, 1, 1]);
  const bounds = new DistanceBounds(candidates, xs, xs, 4, 4);
  expect(bounds.of(0, 0, 4)).toBe(Infinity);
});
