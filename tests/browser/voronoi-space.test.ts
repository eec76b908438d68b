import { findModel } from 'nearfield/mesh';
import {
  computeSolidMedialAxis,
  computeSpaceGraph,
  computeSpaceSheets,
  computeSpaceVoronoiSync,
} from 'nearfield/voronoi';
import { describe, expect, test } from 'vitest';
import { SPACE_BOX, siteSet } from '../../lab/samples/space-sites.js';
import { useLab } from './use-lab.js';

/** Engines differ in the last bits of sines. */
const DIGITS = 6;

const open = useLab();

describe('Voronoi diagrams in space', () => {
  test('regions, sheets and lines have the figures of the library', async () => {
    const page = await open('#/voronoi/space?sites=points&sheets=yes&resolution=16&at=0.25');
    const sites = siteSet('points');
    const box = { min: [...SPACE_BOX.min], max: [...SPACE_BOX.max] } as typeof SPACE_BOX;
    const graph = computeSpaceGraph(sites, { box, resolution: 16 });
    expect(await page.figures('Boundaries')).toMatchObject({
      sheets: `${computeSpaceSheets(sites, { box, resolution: 16 }).sheets.length}`,
      edges: `${graph.edges.length}`,
      vertices: `${graph.vertices.filter(({ kind }) => kind === 'junction').length}`,
      status: 'yes',
    });
    const step = 3 / 320;
    const frame = {
      origin: [step / 2, step / 2, 0.25 * SPACE_BOX.max[2]] as [number, number, number],
      spacing: step,
      size: [320, 213, 1] as [number, number, number],
    };
    const { distances } = computeSpaceVoronoiSync(sites, { frame });
    expect(Number(await page.figure('Slice', 'farthest'))).toBeCloseTo(Math.max(...distances), DIGITS);
    const before = await page.figure('Slice', 'farthest');
    await page.setSlider('at', 0.9);
    expect(await page.figure('Slice', 'farthest')).not.toBe(before);
  });

  test('the medial axis of a letter has the figures of the library, and less of it is left at a larger angle', async () => {
    const page = await open('#/voronoi/medial-axis?model=letter-l&resolution=24&angle=60');
    const axis = computeSolidMedialAxis(findModel('letter-l').build(), { resolution: 24, minAngle: Math.PI / 3 });
    const shown = await page.figures('Medial axis');
    expect(shown.triangles).toBe(`${axis.indices.length / 3}`);
    expect(Number(shown.largest)).toBeCloseTo(Math.max(...axis.radii), DIGITS);
    await page.setSlider('angle', 120);
    expect(Number(await page.figure('Medial axis', 'triangles'))).toBeLessThan(axis.indices.length / 3);
  });
});
