import { box, type Vec3, vec3 } from 'nearfield/core';
import { compareFields, computeField, type FieldOptions, gridOverBox, sampleField } from 'nearfield/field';
import { writeModel } from 'nearfield/io';
import { findModel, type Mesh, MeshQuery } from 'nearfield/mesh';
import { describe, expect, test } from 'vitest';
import { useLab } from './use-lab.js';

/** Engines differ in the last bits of sines. */
const DIGITS = 9;

const open = useLab();

describe('the field explorer', () => {
  const torus = findModel('torus').build();
  const methods: { name: string; options: FieldOptions }[] = [
    { name: 'exact', options: { method: 'exact' } },
    { name: 'fast-marching-1', options: { method: 'fast-marching', order: 1 } },
    { name: 'fast-marching-2', options: { method: 'fast-marching', order: 2 } },
    { name: 'distance-transform', options: { method: 'distance-transform' } },
    { name: 'jump-flooding', options: { method: 'jump-flooding' } },
  ];

  test('shows the figures of the library for every method, each method others', async () => {
    const frame = gridAround(torus, 32, 0.2);
    const exact = await computeField(torus, frame, { method: 'exact' });
    const page = await open('#/fields/explorer?model=torus&resolution=32&method=exact');
    const largest: number[] = [];
    for (const { name, options } of methods) {
      if (name !== 'exact') await page.after(() => page.control('method').locator('select').selectOption(name));
      const field = await computeField(torus, frame, { ...options, backend: 'cpu' });
      const shown = await page.figures('Error');
      const expected = compareFields(field, exact);
      if (name === 'exact') {
        // Against a query at some of the nodes.
        expect(Number(shown.maxError)).toBeLessThan(1e-12);
        expect(Number(shown.compared)).toBeGreaterThan(4000);
      } else {
        expect(Number(shown.maxError)).toBeCloseTo(expected.max, DIGITS);
        expect(Number(shown.meanError)).toBeCloseTo(expected.mean, DIGITS);
        expect(Number(shown.compared)).toBe(expected.nodes);
      }
      expect(Number(shown.statedMax)).toBeCloseTo(field.error.max, DIGITS);
      expect(await page.figures('Grid')).toMatchObject({
        size: frame.size.join(' × '),
        nodes: `${exact.values.length}`,
      });
      expect(await page.figures('Field')).toMatchObject({ closed: 'true' });
      expect(Number(await page.figure('Field', 'milliseconds'))).toBeGreaterThan(0);
      expect(Number(await page.figure('Counters', 'marched'))).toBe(field.counters.marched);
      largest.push(expected.max);
    }
    const [, first, second, transform] = largest;
    expect(first).toBeGreaterThan(second);
    expect(Math.min(second, transform)).toBeGreaterThan(0);
  });

  test('the slice moves, its colors tell inside from outside, and the probe is true', async () => {
    const page = await open(
      '#/fields/explorer?model=torus&resolution=32&method=exact&isolines=no&axis=z&at=0.5&body=no&view=0,10,1.85',
    );
    const warm = (color: string) => Number.parseInt(color.slice(1, 3), 16) > Number.parseInt(color.slice(5, 7), 16);
    const { middle, tube } = ringOf(torus);
    // Across z through the middle the slice meets the tube of the torus, at its end it does not.
    expect(warm(await page.colorAt(tube))).toBe(true);
    expect(warm(await page.colorAt(middle))).toBe(false);
    await page.setSlider('at', 0.98);
    const shown = await page.figures('Probe');
    const place = point(shown.place);
    const query = new MeshQuery(torus);
    const frame = gridAround(torus, 32, 0.2);
    expect(place[2]).toBeCloseTo(frame.origin[2] + 0.98 * frame.spacing * (frame.size[2] - 1), 12);
    expect(Number(shown.distance)).toBeCloseTo(query.signedDistance(place), DIGITS);
    const field = await computeField(torus, frame, { method: 'exact' });
    expect(Number(shown.value)).toBeCloseTo(sampleField(field, place), DIGITS);
    expect(vec3.distance(point(shown.nearest), query.closestPoint(place)?.point ?? [0, 0, 0])).toBeLessThan(1e-9);
    expect(Number(shown.gradientLength)).toBeCloseTo(1, 1);
    expect(warm(await page.colorAt([...tube.slice(0, 2), place[2]] as Vec3))).toBe(false);
  });

  test('the probe is dragged over the slice and stays in it', async () => {
    const page = await open('#/fields/explorer?model=torus&resolution=24&method=exact&axis=z&at=0.5');
    const before = point(await page.figure('Probe', 'place'));
    const to: Vec3 = [before[0] + 0.3, before[1] - 0.2, before[2]];
    await page.drag(await page.project(before), await page.project(to));
    const after = point(await page.figure('Probe', 'place'));
    const { spacing } = gridAround(torus, 24, 0.2);
    expect(vec3.distance(after, to)).toBeLessThan(spacing);
    expect(after[2]).toBe(before[2]);
  });

  test('on the GPU the field is the same but for single precision', async () => {
    const page = await open('#/fields/explorer?model=torus&resolution=24&method=jump-flooding&gpu=yes');
    expect(await page.figures('Field')).toMatchObject({ backend: 'GPU', closed: 'true' });
    const shown = await page.figures('Error');
    expect(Number(shown.maxError)).toBeLessThanOrEqual(Number(shown.statedMax));
    expect(Number(shown.maxError)).toBeLessThan(1e-5);
  });

  test('the error in colors has a scale of its own, even or in ratios', async () => {
    const page = await open('#/fields/explorer?model=torus&resolution=32&shows=difference');
    const ends = () =>
      page.page.locator('.color-marks data').evaluateAll((marks) => marks.map((mark) => mark.getAttribute('value')));
    const most = (await page.figure('Error', 'maxError')) ?? '';
    expect(await ends()).toEqual(['0', `${Number(most) / 2}`, most]);
    await page.after(() => page.control('errorScale').locator('input[value="logarithmic"]').check());
    const [low, middle, high] = (await ends()).map(Number);
    expect(middle / low).toBeCloseTo(high / middle, 6);
  });

  test('an open file says so; its isosurface is drawn; arrows and isolines are there or not', async () => {
    const page = await open('#/fields/explorer?resolution=24');
    expect(await page.page.locator('#figures .hint').count()).toBe(0);
    const bowl = openCube();
    const text = new TextDecoder().decode(await writeModel(bowl, 'obj'));
    await page.after(() =>
      page
        .control('file')
        .locator('input')
        .setInputFiles({ name: 'open.obj', mimeType: 'text/plain', buffer: Buffer.from(text) }),
    );
    expect(await page.figure('Field', 'closed')).toBe('false');
    expect(await page.page.locator('#figures .hint').textContent()).toContain('open');
    const legend = () => page.page.locator('#legend').textContent();
    expect(await legend()).toContain('Isolines');
    expect(await legend()).not.toContain('Gradient');
    await page.after(() => page.control('arrows').locator('input').check());
    await page.after(() => page.control('surface').locator('input').check());
    expect(await legend()).toContain('Gradient');
    expect(await legend()).toContain('Isosurface at');
    expect(Number(await page.figure('Isosurface', 'isosurfaceTriangles'))).toBeGreaterThan(100);
    await page.after(() => page.control('isolines').locator('input').uncheck());
    expect(await legend()).not.toContain('Isolines');
  });
});

describe('partial update', () => {
  test('a bump in the hand: the field is joined, with fewer nodes and no difference', async () => {
    const page = await open('#/fields/partial-update?resolution=40');
    const before = point(await page.figure('Update', 'hand'));
    const from = await page.project(before);
    await page.drag(from, { x: from.x - 30, y: from.y - 12 });
    expect(vec3.distance(before, point(await page.figure('Update', 'hand')))).toBeGreaterThan(0.02);
    const shown = await page.figures('Update');
    expect(shown.status).toBe('joined');
    expect(Number(shown.updated)).toBeGreaterThan(0);
    expect(Number(shown.updated)).toBeLessThan(0.6 * Number(shown.nodes));
    expect(Number(await page.figure('Against a full field', 'inSpacings'))).toBeLessThan(0.01);
    expect(await page.page.locator('#legend').textContent()).toContain('Computed anew');
  });

  test('a box too small is noticed, and all is computed anew', async () => {
    const page = await open('#/fields/partial-update?resolution=32&boxes=small');
    expect(await page.figures('Update')).toMatchObject({
      status: 'recomputed',
      reason: 'something moved outside the boxes',
    });
    expect(Number(await page.figure('Against a full field', 'maxDifference'))).toBeLessThan(1e-12);
    expect(await page.page.locator('#legend').textContent()).not.toContain('Computed anew');
  });
});

describe('arrival times in the plane', () => {
  test('the way takes as long as the front, and a road is worth a detour', async () => {
    const page = await open('#/fields/arrival-times?ground=rooms&resolution=128');
    const rooms = await page.figures('The way');
    expect(Number(rooms.wayTime) / Number(rooms.arrival)).toBeCloseTo(1, 1);
    expect(Number(rooms.wayLength)).toBeGreaterThan(1.2 * Number(rooms.beeline));
    await page.after(() => page.control('ground').locator('input[value="road"]').check());
    const road = await page.figures('The way');
    expect(Number(road.arrival)).toBeLessThan(Number(road.beeline));
    expect(Number(road.wayLength)).toBeGreaterThan(Number(road.beeline));
  });
});

function gridAround(mesh: Mesh, resolution: number, room: number) {
  const bounds = box.ofPositions(mesh.positions);
  return gridOverBox(box.grow(bounds, room * Math.max(...box.size(bounds))), resolution);
}

/** The middle of a torus about its hole's axis, and a place on the circle in the middle of its tube, both in z = 0. */
function ringOf(mesh: Mesh): { middle: Vec3; tube: Vec3 } {
  const { max } = box.ofPositions(mesh.positions);
  // The tube is as thick as the torus is high.
  return { middle: [0, 0, 0], tube: [max[0] - max[1], 0, 0] };
}

/** Five sides of a cube. */
function openCube(): Mesh {
  const { positions, indices } = findModel('box').build();
  return { positions, indices: indices.slice(6) };
}

function point(text: string | null): Vec3 {
  return (text ?? '').split(' ').map(Number) as Vec3;
}
