import { expect, test } from 'vitest';
import { computeVoronoi, computeVoronoiSync } from '../../../src/voronoi/image/compute-voronoi.js';
import { randomPlaneSites } from '../../generators/plane-sites.js';
import { requestExpectedDevice } from '../../gpu/expected-device.js';
import { siteDistance } from '../site-distance.js';

test('distance meshes drawn by a GPU are within the stated error', async () => {
  const device = await requestExpectedDevice();
  const sites = randomPlaneSites(4, 40, ['point', 'segment', 'polygon', 'arc'], { weighted: true });
  const options = { box: [0, 0, 1, 0.7], resolution: 150 };
  const exact = computeVoronoiSync(sites, options);
  const { ids, distances, error, backend, spacing, width } = await computeVoronoi(sites, {
    ...options,
    method: 'mesh',
    backend: 'webgpu',
    device,
  });
  expect(backend).toBe('webgpu');
  let worst = 0;
  let wrong = 0;
  let ties = 0;
  for (let i = 0; i < ids.length; i++) {
    worst = Math.max(worst, Math.abs(distances[i] - exact.distances[i]));
    if (ids[i] === exact.ids[i]) continue;
    ties++;
    const distance = siteDistance(
      sites[ids[i]],
      ((i % width) + 0.5) * spacing[0],
      (Math.floor(i / width) + 0.5) * spacing[1],
    );
    if (!(distance - exact.distances[i] <= 2 * error)) wrong++;
  }
  expect(worst).toBeLessThanOrEqual(error);
  expect(wrong).toBe(0);
  expect(ties / ids.length).toBeLessThan(0.05);
});
