// Floor plans: sections are where they are known to be, and pictures have what they should show.
import { describe, expect, test } from 'vitest';
import { sliceMesh } from '../../src/cli/plan/mesh-slice.js';
import { drawPath } from '../../src/cli/plan/path-picture.js';
import { planMotion } from '../../src/planning/index.js';
import { BRICK, boxes, holeProblem, mazeProblem } from '../planning/planning-scenes.js';

const area = (line: readonly (readonly [number, number])[]): number => {
  let sum = 0;
  for (let i = 1; i < line.length; i++) sum += line[i - 1][0] * line[i][1] - line[i][0] * line[i - 1][1];
  return Math.abs(sum / 2);
};

describe('sections', () => {
  test('of a turned brick are closed and have its section', () => {
    const turned = [1, 2, 0, 0, 0, Math.sin(0.3), Math.cos(0.3)];
    const [line, ...more] = sliceMesh(BRICK, turned, [0, 1, 2], 0.02);
    expect(more).toEqual([]);
    expect(line[0]).toEqual(line.at(-1));
    expect(area(line)).toBeCloseTo(0.5, 12);
    expect(sliceMesh(BRICK, turned, [0, 1, 2], 0.2)).toEqual([]);
  });

  test('of two boxes are two lines, of an open sheet one that is open', () => {
    const two = sliceMesh(boxes([0, 0, 0, 1, 1, 1], [2, 0, 0, 3, 2, 1]), [0, 0, 0, 0, 0, 0, 1], [0, 1, 2], 0.5);
    expect(two.map(area).sort()).toEqual([1, 2]);
    const sheet = { positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 0, 1), indices: Uint32Array.of(0, 1, 2) };
    const [line] = sliceMesh(sheet, [0, 0, 0, 0, 0, 0, 1], [0, 1, 2], 0.5);
    expect(line).toHaveLength(2);
  });
});

test('a path in the plane is drawn with walls, outlines and its clearance', () => {
  const problem = mazeProblem({ name: 'a < b' });
  const result = planMotion(problem);
  const picture = drawPath(problem, result);
  expect(picture).toMatch(/^<svg [^>]*>.*<\/svg>\n$/s);
  expect(picture).toContain('<title>a &lt; b</title>');
  expect(picture.match(/class="o"/g)!.length).toBe(5);
  expect(picture.match(/class="r"/g)!.length).toBe(41);
  expect(picture.match(/class="w"/g)!.length).toBe(240);
  expect(picture).not.toMatch(/NaN|Infinity|undefined/);
});

test('what does not move in a plane is refused', () => {
  const problem = holeProblem(2);
  expect(() => drawPath(problem, planMotion(problem))).toThrow(/shows planar robots/);
});
