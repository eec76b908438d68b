import { readFileSync } from 'node:fs';
import { buildHull, measureHull, mergeFacets } from 'nearfield/convex';
import type { Vec3 } from 'nearfield/core';
import {
  buildHierarchy,
  countNewFaces,
  type Decomposition,
  decomposeSurface,
  fractureSolid,
  nodeLevels,
  patchCount,
  pieceColor,
} from 'nearfield/decomposition';
import { mergeModel, readModel, writeModel } from 'nearfield/io';
import { createMesh, findModel, inspectMesh, type Mesh } from 'nearfield/mesh';
import { describe, expect, test } from 'vitest';
import type { LabPage } from './lab-page.js';
import { useLab } from './use-lab.js';

/** As in lab/viewer/palette.ts, written out so that a change there is noticed here. */
const HULL_EDGES = '#a3600f';
const ORIGINAL_FACE = '#3f9d4f';
const CONTAINED_FACE = '#e5c02e';
const FREE_FACE = '#cf3f36';
const REFLEX = '#10161c';

/** A prism over the letter L, its sides upright; (1, y, 1) is its inner edge. */
const ell = createMesh(
  [
    [0, 0, 0, 2, 0, 0, 2, 0, 1, 1, 0, 1, 1, 0, 2, 0, 0, 2],
    [0, 1, 0, 2, 1, 0, 2, 1, 1, 1, 1, 1, 1, 1, 2, 0, 1, 2],
  ].flat(),
  [
    [0, 1, 3, 1, 2, 3, 0, 3, 5, 3, 4, 5],
    [6, 9, 7, 7, 9, 8, 6, 11, 9, 9, 11, 10],
    ...Array.from({ length: 6 }, (_, i) => {
      const next = (i + 1) % 6;
      return [i, 6 + i, next, next, 6 + i, 6 + next];
    }),
  ].flat(),
);

const open = useLab();

test('the sample is sound', () => {
  expect(inspectMesh(ell)).toMatchObject({ closed: true, manifold: true, outward: true, selfIntersections: 0 });
});

describe('hull', () => {
  test('the figures are the library’s', async () => {
    const page = await open('#/convex/hull?model=box');
    const mesh = findModel('bent-torus').build();
    await openFile(page, 'bent-torus.obj', mesh);
    const hull = buildHull(mesh.positions);
    const shown = await page.figures('Hull');
    expect(shown).toMatchObject({
      vertices: `${hull.vertices.length}`,
      faces: `${hull.triangles.length / 3}`,
      facets: `${mergeFacets(hull).count}`,
    });
    const { volume } = measureHull(hull);
    expect(Number(shown.volume)).toBeCloseTo(volume, 12);
    expect(Number(shown.share)).toBeCloseTo((inspectMesh(mesh).volume ?? 0) / volume, 12);
  });

  test('is drawn around a dropped file', async () => {
    const page = await open('#/convex/hull?model=box');
    await openFile(page, 'ell.obj', ell);
    expect(await page.figures('Hull')).toMatchObject({ vertices: '10', faces: '16', facets: '7' });
    // The hull's edge across the notch, where the model itself has nothing.
    const notch: Vec3 = [1.5, 1, 1.5];
    // A thin line: its rim is blended.
    expect(difference(await page.colorAt(notch), HULL_EDGES)).toBeLessThan(40);
    await page.after(() => page.control('edges').locator('input').uncheck());
    expect(difference(await page.colorAt(notch), HULL_EDGES)).toBeGreaterThan(60);
  });
});

describe('patches', () => {
  const unlit = 'shading=unlit&view=35,40,2';

  test('the figures of two methods side by side, and of all, are the library’s', async () => {
    const page = await open('#/decomposition/patches?model=box&beside=dfs&all=yes');
    const mesh = findModel('grate-small').build();
    await openFile(page, 'grate.obj', mesh);
    const expectCounts = async (group: string, method: Decomposition['method']): Promise<void> => {
      const decomposition = decomposeSurface(mesh, { method });
      expect([group, await page.figures(group)]).toMatchObject([
        group,
        { pieces: `${patchCount(decomposition)}`, newFaces: `${countNewFaces(decomposition)}` },
      ]);
      expect(await page.figure('Model', 'reflexEdges')).toBe(`${decomposition.reflexEdges}`);
    };
    await expectCounts('Breadth first from crests', 'bfs-crests');
    await expectCounts('Beside it: Depth first', 'dfs');
    await expectCounts('Breadth first', 'bfs');
    expect(await page.page.locator('#stage .labels').textContent()).toContain('pieces');
  });

  test('faces have the colors of their patches, together and apart, and concave edges their own', async () => {
    const page = await open(`#/decomposition/patches?model=box&reflex=yes&${unlit}`);
    await openFile(page, 'ell.obj', ell);
    expect(await page.figure('Model', 'reflexEdges')).toBe('1');
    expect(await page.colorAt([1, 0.6, 1])).toBe(REFLEX);
    const decomposition = decomposeSurface(ell);
    expect(patchCount(decomposition)).toBeGreaterThan(1);
    // The four faces of the top, which nothing hides.
    const top = [4, 5, 6, 7];
    for (const face of top) await expectColor(page, centroid(ell, face), decomposition.patchOfFace[face]);
    const colors = new Set(decomposition.patchOfFace);
    expect(colors.size).toBe(patchCount(decomposition));
    await page.setSlider('spread', 1);
    for (const face of top) {
      const patch = decomposition.patchOfFace[face];
      const { patchStart, patchFaces } = decomposition;
      const vertices = new Set(
        [...patchFaces.subarray(patchStart[patch], patchStart[patch + 1])].flatMap((f) => [
          ...ell.indices.subarray(3 * f, 3 * f + 3),
        ]),
      );
      const mean = meanOf([...vertices].map((vertex) => pointOf(ell, vertex)));
      const moved = centroid(ell, face).map((x, k) => x + mean[k] - [1, 0.5, 1][k]) as Vec3;
      await expectColor(page, moved, patch);
    }
  });

  test('a model without a decomposition is shown, with a word on why', async () => {
    const page = await open('#/decomposition/patches?model=box');
    const crossed = createMesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, -1, 0.3, 0.2, 1, 0.2, 0.3, 1], [0, 1, 2, 3, 4, 5]);
    await openFile(page, 'crossed.obj', crossed);
    expect(await page.page.locator('#notice').textContent()).toContain('cross');
  });

  test('the pieces can be saved', async () => {
    const page = await open('#/decomposition/patches?model=letter-l');
    const [download] = await Promise.all([
      page.page.waitForEvent('download'),
      page.control('save').locator('button').click(),
    ]);
    const model = await readModel(readFileSync(await download.path()), { fileName: 'pieces.glb' });
    expect(`${model.parts.length}`).toBe(await page.figure('Breadth first from crests', 'pieces'));
    expect(mergeModel(model).indices.length).toBeGreaterThan(0);
  });

  test('long work can be canceled', async () => {
    const page = await open('#/decomposition/patches?model=box');
    await page.cancelWork('#/decomposition/patches?model=dragon');
    expect(await page.page.locator('#notice').textContent()).toContain('Canceled');
  });
});

describe('hierarchy', () => {
  test('the figures are the library’s, level by level', async () => {
    const page = await open('#/decomposition/hierarchy?model=box&level=0&split=median');
    const mesh = findModel('bent-torus').build();
    await openFile(page, 'bent-torus.obj', mesh);
    const decomposition = decomposeSurface(mesh);
    const hierarchy = buildHierarchy(decomposition, { split: 'median' });
    const levels = nodeLevels(hierarchy);
    expect(await page.figures('Hierarchy')).toMatchObject({
      nodes: `${2 * patchCount(decomposition) - 1}`,
      faces: `${hierarchy.nodeFaces.length}`,
      storedFaces: `${hierarchy.faceClasses.length}`,
      lastLevel: `${Math.max(...levels)}`,
    });
    for (const level of [1, 4]) {
      await page.setSlider('level', level);
      const counts = [0, 0, 0];
      let hulls = 0;
      for (const [node, own] of levels.entries()) {
        if (own !== level && !(own < level && hierarchy.nodePieces[node] >= 0)) continue;
        hulls++;
        const faces = hierarchy.nodeFaces.subarray(hierarchy.faceStart[node], hierarchy.faceStart[node + 1]);
        for (const face of faces) counts[hierarchy.faceClasses[face]]++;
      }
      const [original, contained, free] = counts.map(String);
      expect(await page.figures('Level')).toEqual({ level: `${level}`, hulls: `${hulls}`, original, contained, free });
    }
  });

  test('faces have the color of their class', async () => {
    const page = await open('#/decomposition/hierarchy?model=box&level=0&spread=0&shading=unlit&view=35,40,2');
    await openFile(page, 'ell.obj', ell);
    // At the root the top is the surface's own, and what closes the notch was made by joining pieces.
    expect(await page.colorAt([0.4, 1, 0.3])).toBe(ORIGINAL_FACE);
    expect(await page.colorAt([1.5, 0.6, 1.5])).toBe(FREE_FACE);
    // Below the root the pieces show the faces that lie inside the solid.
    await page.setSlider('level', 24);
    expect(await page.colorAt([1.5, 0.6, 1.5])).not.toBe(FREE_FACE);
    expect(await page.figure('Level', 'free')).toBe('0');
    expect(await page.figure('Level', 'original')).toBe('20');
    // A patch of an open box is closed by faces that lie in nothing but its own piece.
    await page.setSlider('level', 0);
    const { positions, indices } = findModel('box').build();
    const top = [0, 1, 2].map((k) => Math.max(...positions.filter((_, i) => i % 3 === k)));
    const isTop = (face: number): boolean =>
      [0, 1, 2].every((corner) => positions[3 * indices[3 * face + corner] + 1] === top[1]);
    const openBox = { positions, indices: indices.filter((_, i) => !isTop(Math.floor(i / 3))) };
    expect(openBox.indices.length).toBe(30);
    await openFile(page, 'open.obj', openBox);
    expect(await page.colorAt([0.3 * top[0], top[1], 0.2 * top[2]])).toBe(CONTAINED_FACE);
  });
});

describe('fracture', () => {
  test('the fragments are the library’s and have the volume of the solid', async () => {
    const page = await open('#/decomposition/fracture?model=box&fragments=7&seed=3&strike=no&cracks=yes');
    await openFile(page, 'ell.obj', ell);
    const { fragments } = fractureSolid(ell, { fragments: 7, seed: 3 });
    const cracks = fragments.reduce((sum, { isCrack }) => sum + isCrack.filter((is) => is === 1).length, 0);
    expect(await page.figures('Fragments')).toMatchObject({
      fragments: `${fragments.length}`,
      crackTriangles: `${cracks}`,
    });
    expect(Number(await page.figure('Volume', 'volume'))).toBeCloseTo(3, 12);
    expect(Number(await page.figure('Volume', 'lost'))).toBeLessThan(1e-14);
    // Drawn farther apart it is the same fracture; with a gap some of the volume is lost.
    await page.setSlider('spread', 1);
    expect(await page.figure('Fragments', 'fragments')).toBe(`${fragments.length}`);
    await page.setSlider('gap', 0.02);
    expect(Number(await page.figure('Volume', 'lost'))).toBeGreaterThan(0.01);
  });
});

/** Files rather than models where figures are compared: engines differ in the last bits of sines. */
async function openFile(page: LabPage, name: string, mesh: Mesh): Promise<void> {
  const buffer = Buffer.from(await writeModel(mesh, 'obj'));
  await page.after(() =>
    page.control('file').locator('input').setInputFiles({ name, mimeType: 'application/octet-stream', buffer }),
  );
}
/** The screen's eight bits may round either way. */
async function expectColor(page: LabPage, point: Vec3, patch: number): Promise<void> {
  const shown = await page.colorAt(point);
  const wanted = `#${pieceColor(patch)
    .slice(0, 3)
    .map((linear) => Math.round(toScreen(linear)).toString(16).padStart(2, '0'))
    .join('')}`;
  expect([patch, shown, wanted, difference(shown, wanted) <= 1]).toEqual([patch, shown, wanted, true]);
}

/** The largest difference of a channel between two colors. */
function difference(a: string, b: string): number {
  const channel = (color: string, at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
  return Math.max(...[1, 3, 5].map((at) => Math.abs(channel(a, at) - channel(b, at))));
}

/** A linear channel as the screen's 0 to 255. */
function toScreen(linear: number): number {
  return 255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);
}

function pointOf({ positions }: Mesh, vertex: number): Vec3 {
  return [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];
}

function centroid(mesh: Mesh, face: number): Vec3 {
  return meanOf([0, 1, 2].map((corner) => pointOf(mesh, mesh.indices[3 * face + corner])));
}

function meanOf(points: readonly Vec3[]): Vec3 {
  return [0, 1, 2].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length) as Vec3;
}
