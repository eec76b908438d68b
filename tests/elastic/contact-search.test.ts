import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { ContactBody } from '../../src/elastic/contact/contact-body.js';
import { ContactSearch } from '../../src/elastic/contact/contact-search.js';
import { ContactSet, IN_ELEMENT, NODES } from '../../src/elastic/contact/contact-set.js';
import { ElementSearch } from '../../src/elastic/contact/element-search.js';
import { tetrahedraGrid } from '../generators/tetrahedra-grid.js';

const CONSTANTS = { stiffness: 1, friction: 0.5, selfCollision: true, distances: 'exact' } as const;

/** Bodies one after the other in one vector. */
function place(bodies: readonly ContactBody[], moves: readonly ((p: Float64Array) => Float64Array)[]): Float64Array {
  return Float64Array.from(bodies.flatMap(({ mesh }, i) => [...moves[i](mesh.positions)]));
}

/** A bar bent into a ring whose ends overlap, with noise. */
function ring(positions: Float64Array, seed: number): Float64Array {
  const random = createRandom(seed);
  const out = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const [angle, radius] = [(positions[i] / 24) * 2.5 * Math.PI, 3 + positions[i + 1] + 0.05 * positions[i]];
    out.set([radius * Math.cos(angle), radius * Math.sin(angle), -positions[i + 2]], i);
  }
  return out.map((value) => value + random.range(-0.05, 0.05));
}

test.each([1, 2, 3, 4])('the grid finds for each node the element that the hierarchies find, seed %d', (seed) => {
  const random = createRandom(seed);
  const shift = [random.range(2.5, 3.5), random.range(-0.7, 0.7), random.range(-0.7, 0.7)];
  // A coarse body and a fine one: cells are those of the body that is searched.
  const meshes = [tetrahedraGrid([24, 2, 2], [24, 2, 2]), tetrahedraGrid([5, 5, 5], [1.5, 1.5, 1.5])];
  const first = new ContactBody(meshes[0], CONSTANTS);
  const second = new ContactBody(meshes[1], CONSTANTS, meshes[0].positions.length / 3);
  const bodies = [first, second];
  const x = place(bodies, [(p) => ring(p, seed), (p) => p.map((value, i) => value + shift[i % 3])]);
  const found = new ContactSet();
  new ContactSearch(bodies, []).find(x, found, 0);
  const pairs = new Set<string>();
  for (let i = 0; i < found.count; i++) {
    if (found.kind[i] === IN_ELEMENT) pairs.add(found.nodes.slice(NODES * i, NODES * (i + 1)).join(' '));
  }
  const wanted = new Set<string>();
  const search = new ElementSearch(meshes[0].positions.length / 3);
  for (const body of bodies) {
    body.fit(x);
    for (const intruder of bodies) {
      for (const own of intruder.surfaceNodes) {
        const node = intruder.firstNode + own;
        const [px, py, pz] = x.subarray(3 * node, 3 * node + 3);
        const element = search.find(body, x, px, py, pz, intruder === body ? own : -1);
        if (element < 0) continue;
        const corners = body.mesh.elements.slice(4 * element, 4 * element + 4).map((k) => body.firstNode + k);
        wanted.add([node, ...corners].join(' '));
      }
    }
  }
  expect(pairs).toEqual(wanted);
  expect(wanted.size).toBeGreaterThan(30);
});

test('nodes that all fall into one place are found, and do not overflow the room for pairs', () => {
  const mesh = tetrahedraGrid([4, 4, 4], [1, 1, 1]);
  const big = new ContactBody(mesh, CONSTANTS);
  const small = new ContactBody(mesh, { ...CONSTANTS, selfCollision: false }, mesh.positions.length / 3);
  const x = place([big, small], [(p) => p, (p) => p.map(() => 0.31)]);
  const found = new ContactSet();
  new ContactSearch([big, small], []).find(x, found, 0);
  let inside = 0;
  for (let i = 0; i < found.count; i++) if (found.nodes[NODES * i] >= mesh.positions.length / 3) inside++;
  expect(inside).toBe(small.surfaceNodes.length);
});
