import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readTetrahedra } from '../../src/elastic/files/tetrahedra-files.js';
import { validateTetrahedra } from '../oracles/validate-tetrahedra.js';
import { runCommand } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'nearfield-'));
const inFolder = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

test('tetrahedralize writes a file and says how good its elements are', () => {
  runCommand('models', 'torus', '-o', inFolder('torus.obj'));
  const { code, stdout } = runCommand(
    ...['tetrahedralize', inFolder('torus.obj'), '--resolution', '12', '-o', inFolder('t.msh'), '--json'],
  );
  expect(code).toBe(0);
  const answer = JSON.parse(stdout);
  const { positions, elements } = readTetrahedra(readFileSync(inFolder('t.msh')));
  const facts = validateTetrahedra(positions, elements);
  expect(facts.faults).toEqual([]);
  expect(answer).toMatchObject({
    ...{ mode: 'conforming', format: 'msh', inverted: 0, topologyKept: true },
    ...{ nodes: positions.length / 3, elements: elements.length / 4, surfaceTriangles: facts.surfaceTriangles },
  });
  expect((answer.dihedralAngles.min * 180) / Math.PI).toBeCloseTo(facts.minAngle, 6);
  expect(answer.volume).toBeCloseTo(facts.volume, 9);
  expect(answer.distance.toInput).toBeLessThan(answer.size);
  const table = runCommand('tetrahedralize', inFolder('torus.obj'), '--size', '0.2', '--mode', 'embedded').stdout;
  expect(table).toContain('60.0° to 90.0°');
});

test('tetrahedralize refuses what it cannot do, in one line', () => {
  runCommand('models', 'torus', '-o', inFolder('torus.obj'));
  const refusal = (...args: string[]): string => {
    const { code, stderr } = runCommand('tetrahedralize', ...args);
    expect(code).toBe(2);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    return stderr;
  };
  expect(refusal()).toContain('MODEL');
  expect(refusal(inFolder('torus.obj'), '-o', inFolder('t.stl'))).toContain('.msh');
  expect(refusal(inFolder('torus.obj'), '--format', 'vtk')).toContain('-o');
  expect(refusal(inFolder('torus.obj'), '--size', '1', '--resolution', '3')).toContain('--resolution');
  expect(refusal(inFolder('torus.obj'), '--resolution', '1')).toContain('too thin');
  expect(refusal(inFolder('torus.obj'), '--mode', 'fast')).toContain('embedded');
});
