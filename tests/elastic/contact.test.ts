import { describe, expect, test } from 'vitest';
import * as pose from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import { ContactBody } from '../../src/elastic/contact/contact-body.js';
import { EDGES, IN_ELEMENT, IN_RIGID } from '../../src/elastic/contact/contact-set.js';
import { ContactTerm } from '../../src/elastic/contact/contact-term.js';
import { DeepestOverlap } from '../../src/elastic/contact/deepest-overlap.js';
import { FieldUpdate } from '../../src/elastic/contact/field-update.js';
import { FrictionTerm } from '../../src/elastic/contact/friction-term.js';
import { RigidObstacle } from '../../src/elastic/contact/rigid-obstacle.js';
import { RigidSolid } from '../../src/elastic/contact/rigid-solid.js';
import { splitSurfaceElements } from '../../src/elastic/tetrahedra/inner-nodes.js';
import type { TetrahedralMesh } from '../../src/elastic/tetrahedra/tetrahedral-mesh.js';
import { tetrahedralizeMesh } from '../../src/elastic/tetrahedra/tetrahedralize-mesh.js';
import { findModel } from '../../src/models/catalogue.js';
import { tetrahedraGrid } from '../generators/tetrahedra-grid.js';
import { estimateErrors } from '../oracles/depth-estimate.js';
import { distanceToMesh } from '../oracles/point-mesh-distance.js';
import { curvatureError, gradientError } from './term-derivatives.js';

const CONSTANTS = { stiffness: 1e5, friction: 0.5, selfCollision: true, distances: 'exact' } as const;

const ball = tetrahedralizeMesh(findModel('sphere').build({ radius: 1 }), { size: 0.45 }).mesh;
const cube = splitSurfaceElements(tetrahedraGrid([3, 3, 3], [1, 1, 1]));

/** Bodies one after the other, each moved, and a random displacement of all nodes. */
function setUp(
  meshes: readonly TetrahedralMesh[],
  moves: readonly (readonly number[])[],
  shake: number,
  obstacles: readonly RigidObstacle[] = [],
) {
  const random = createRandom(5);
  const bodies: ContactBody[] = [];
  const values: number[] = [];
  meshes.forEach((mesh, i) => {
    bodies.push(new ContactBody(mesh, CONSTANTS, values.length / 3));
    for (let k = 0; k < mesh.positions.length; k++) {
      values.push(mesh.positions[k] + moves[i][k % 3] + shake * random.range(-1, 1));
    }
  });
  for (const obstacle of obstacles) {
    if (obstacle.offset < 0) continue;
    obstacle.offset = values.length;
    values.push(...[0, 1, 2].map(() => 0.02 * random.range(-1, 1)), ...[0, 1, 2].map(() => 0.3 * random.range(-1, 1)));
  }
  const x = Float64Array.from(values);
  return { bodies, x, term: new ContactTerm(bodies, obstacles) };
}

function kindsOf(term: ContactTerm): Set<number> {
  return new Set(term.contacts.kind.subarray(0, term.contacts.count));
}

/** A free rigid body. */
function rigid(solid: RigidSolid, at: pose.ReadonlyPose): RigidObstacle {
  const obstacle = new RigidObstacle(solid, 0.5);
  obstacle.offset = 0;
  obstacle.begin(at, [at[0], at[1], at[2]]);
  return obstacle;
}

const rigidBox = (): RigidSolid => RigidSolid.solid(findModel('box').build({ width: 1, height: 1, depth: 1 }));

describe('derivatives of contact', () => {
  test('two balls: forces and stiffness are those of differences of the energy', () => {
    const { x, term } = setUp(
      [ball, ball],
      [
        [0, 0, 0],
        [1.2, 0.3, 0.2],
      ],
      0.02,
    );
    term.update(x);
    expect(term.countActive(x)).toBeGreaterThan(10);
    expect(gradientError(term, x)).toBeLessThan(1e-7);
    expect(curvatureError(term, x)).toBeLessThan(1e-6);
  });

  test('crossing edges of two boxes, of which no node is inside the other', () => {
    // One turned by 45° about x and one about z: ridge across ridge.
    const turn = (mesh: TetrahedralMesh, i: number, j: number, lift: number): TetrahedralMesh => {
      const positions = mesh.positions.slice();
      for (let at = 0; at < positions.length; at += 3) {
        const [p, q] = [positions[at + i] - 0.5, positions[at + j] - 0.5];
        positions[at + i] = (p - q) * Math.SQRT1_2;
        positions[at + j] = (p + q) * Math.SQRT1_2;
        positions[at + 1] += lift;
      }
      return { positions, elements: mesh.elements };
    };
    const coarse = splitSurfaceElements(tetrahedraGrid([1, 1, 1], [1, 1, 1]));
    const lower = turn(coarse, 1, 2, 0);
    const upper = turn(coarse, 1, 0, 1.35);
    for (let at = 0; at < upper.positions.length; at += 3) {
      upper.positions[at] += 0.43;
      upper.positions[at + 2] -= 0.48;
    }
    const { x, term, bodies } = setUp(
      [lower, upper],
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
      0.003,
    );
    term.update(x);
    for (const [a, b] of [bodies, [...bodies].reverse()]) {
      for (const own of a.surfaceNodes) {
        const at = 3 * (a.firstNode + own);
        expect(elementsAround(b, x, x.subarray(at, at + 3))).toEqual([]);
      }
    }
    expect(kindsOf(term)).toContain(EDGES);
    expect(term.countActive(x)).toBeGreaterThan(0);
    expect(gradientError(term, x)).toBeLessThan(1e-7);
  });

  test('against free rigid bodies: a box and a ball', () => {
    const obstacles = [
      rigid(rigidBox(), pose.create([1.25, 0.2, 0.1], [0.1, 0.3, 0.2, 0.9])),
      rigid(RigidSolid.ball(0.8), pose.create([-1.5, 0, 0.1])),
    ];
    const { x, term } = setUp([ball], [[0, 0, 0]], 0.02, obstacles);
    term.update(x);
    expect(kindsOf(term)).toContain(IN_RIGID);
    expect(kindsOf(term)).toContain(IN_ELEMENT);
    expect(gradientError(term, x)).toBeLessThan(1e-6);
  });
});

describe('friction', () => {
  test('its forces and stiffness are those of differences of its energy, and keep momentum', () => {
    const { x, term } = setUp(
      [ball, ball],
      [
        [0, 0, 0],
        [1.2, 0.3, 0.2],
      ],
      0.02,
    );
    const random = createRandom(6);
    // Some slide by less than the slack, some by more.
    const start = x.map((value) => value + 0.004 * random.range(-1, 1));
    const friction = new FrictionTerm(term, []);
    term.update(x);
    friction.lag(x);
    friction.begin(start, 0.003);
    expect(gradientError(friction, x)).toBeLessThan(1e-6);
    expect(curvatureError(friction, x)).toBeLessThan(1e-5);
    const g = new Float64Array(x.length);
    friction.evaluate(x, g);
    const sums = [0, 1, 2].map((axis) => g.reduce((sum, value, i) => (i % 3 === axis ? sum + value : sum), 0));
    const scale = g.reduce((sum, value) => sum + Math.abs(value), 0);
    for (const sum of sums) expect(Math.abs(sum)).toBeLessThan(1e-12 * scale);
  });

  test('a majorized matrix makes a parabola above its energy, which touches it', () => {
    const { x, term } = setUp(
      [ball, ball],
      [
        [0, 0, 0],
        [1.2, 0.3, 0.2],
      ],
      0.02,
    );
    const random = createRandom(9);
    const start = x.map((value) => value + 0.004 * random.range(-1, 1));
    const friction = new FrictionTerm(term, []);
    term.update(x);
    friction.lag(x);
    friction.begin(start, 0.003);
    const g = new Float64Array(x.length);
    const energy = friction.evaluate(x, g);
    friction.linearize(x, 'majorized');
    let closest = Infinity;
    for (let round = 0; round < 300; round++) {
      const size = 10 ** random.range(-6, 0);
      const v = Float64Array.from(x, () => size * random.range(-1, 1));
      const product = new Float64Array(x.length);
      friction.multiply(v, product);
      let parabola = energy;
      for (let i = 0; i < x.length; i++) parabola += v[i] * (g[i] + product[i] / 2);
      const above = parabola - friction.evaluate(x.map((value, i) => value + v[i]));
      expect(above).toBeGreaterThan(-1e-12 * energy);
      closest = Math.min(closest, above / energy);
    }
    expect(closest).toBeLessThan(1e-6);
  });

  test('against a free rigid body', () => {
    const obstacles = [rigid(rigidBox(), pose.create([1.25, 0.2, 0.1], [0.1, 0.3, 0.2, 0.9]))];
    const { x, term } = setUp([ball], [[0, 0, 0]], 0.02, obstacles);
    const random = createRandom(6);
    const start = x.map((value) => value + 0.004 * random.range(-1, 1));
    const friction = new FrictionTerm(term, obstacles);
    term.update(x);
    friction.lag(x);
    friction.begin(start, 0.003);
    for (let k = 0; k < 6; k++) x[obstacles[0].offset + k] += 0.01 * random.range(-1, 1);
    expect(gradientError(friction, x)).toBeLessThan(1e-6);
  });
});

describe('momentum', () => {
  test('forces and moments of contact sum to zero to rounding', () => {
    const obstacles = [rigid(rigidBox(), pose.create([1.25, 0.2, 0.1], [0.1, 0.3, 0.2, 0.9]))];
    const { x, term, bodies } = setUp(
      [ball, cube],
      [
        [0, 0, 0],
        [-1.3, -0.4, -0.5],
      ],
      0.02,
      obstacles,
    );
    term.update(x);
    const g = new Float64Array(x.length);
    obstacles[0].wrench.fill(0);
    term.evaluate(x, g);
    const nodes = bodies.reduce((sum, { mesh }) => sum + mesh.positions.length, 0);
    const { wrench, center } = obstacles[0];
    const force = [wrench[0], wrench[1], wrench[2]];
    const moment = [wrench[3], wrench[4], wrench[5]];
    let scale = 0;
    const addAt = (p: ArrayLike<number>, f: ArrayLike<number>): void => {
      for (let axis = 0; axis < 3; axis++) {
        const [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
        moment[axis] += p[j] * f[k] - p[k] * f[j];
      }
    };
    addAt(center, force);
    for (let i = 0; i < nodes; i += 3) {
      addAt(x.subarray(i, i + 3), g.subarray(i, i + 3));
      for (let axis = 0; axis < 3; axis++) {
        force[axis] += g[i + axis];
        scale += Math.abs(g[i + axis]);
      }
    }
    expect(scale).toBeGreaterThan(100);
    for (const value of [...force, ...moment]) expect(Math.abs(value)).toBeLessThan(1e-12 * scale);
  });
});

describe('the deformed distance field', () => {
  test('is the distance at the nodes, and 0 on the surface', () => {
    const body = new ContactBody(ball, CONSTANTS, 0);
    for (let node = 0; node < body.depths.length; node++) {
      const p = ball.positions.subarray(3 * node, 3 * node + 3);
      const exact = distanceToMesh(ball.positions, body.faces, [p[0], p[1], p[2]]);
      expect(Math.abs(body.depths[node] - exact)).toBeLessThan(1e-12);
    }
  });

  test('marched distances are near the exact ones', () => {
    const exact = new ContactBody(ball, CONSTANTS, 0);
    const marched = new ContactBody(ball, { ...CONSTANTS, distances: 'fast-marching' }, 0);
    for (const node of exact.surfaceNodes) expect(marched.depths[node]).toBe(0);
    exact.depths.forEach((depth, node) => {
      expect(Math.abs(marched.depths[node] - depth)).toBeLessThan(0.02);
    });
  });
});

describe('the estimate of depth', () => {
  test('against the exact depth in a deformed ball: the error by the size of elements', () => {
    // Bent and stretched by some 10 %: nothing for which the field would be found anew.
    const bend = ([x, y, z]: readonly number[]): [number, number, number] => [
      x + 0.08 * y * y,
      1.08 * y - 0.05 * x * z,
      0.94 * z + 0.06 * Math.sin(2 * x),
    ];
    const { shallow, all } = estimateErrors(ball, bend, 400, 3);
    // Two of a hundred edges where nodes touch, a tenth of an edge at any depth, on the average.
    expect(shallow).toBeLessThan(0.02);
    expect(all).toBeLessThan(0.1);
  });

  test('is found anew where the field is stretched too far', () => {
    const { x, term, bodies } = setUp(
      [ball, cube],
      [
        [0, 0, 0],
        [-0.5, 2.2, -0.5],
      ],
      0,
    );
    // The ball three times as high: depths along y are three times those of the rest shape.
    for (let i = 1; i < ball.positions.length; i += 3) x[i] *= 3;
    term.update(x);
    expect(term.countActive(x)).toBeGreaterThan(3);
    const update = new FieldUpdate(bodies);
    const before = bodies[0].depths.slice();
    for (let step = 0; step < 3; step++) expect(update.update(term, x)).toBeGreaterThan(3);
    let changed = 0;
    bodies[0].depths.forEach((depth, node) => {
      if (depth === before[node]) return;
      changed++;
      const exact = distanceToMesh(x, bodies[0].faces, [x[3 * node], x[3 * node + 1], x[3 * node + 2]]);
      expect(Math.abs(depth - exact)).toBeLessThan(1e-12);
    });
    expect(changed).toBeGreaterThan(3);
    bodies[0].surfaceNodes.forEach((node) => {
      expect(bodies[0].depths[node]).toBe(0);
    });
  });
});

describe('the deepest overlap', () => {
  test('is bounded from above, and closely', () => {
    const { x, bodies } = setUp(
      [ball, cube],
      [
        [0, 0, 0],
        [0.5, 0.1, -0.4],
      ],
      0.01,
    );
    const bound = new DeepestOverlap(bodies, []).measure(x);
    // From many points of both surfaces, by brute force.
    const random = createRandom(2);
    let deepest = 0;
    for (const [a, b] of [bodies, [...bodies].reverse()]) {
      for (let i = 0; i < 400; i++) {
        const f = 3 * random.integer(a.faces.length / 3);
        const [u, v] = [random.next(), random.next()];
        const weights = u + v < 1 ? [u, v, 1 - u - v] : [1 - u, 1 - v, u + v - 1];
        const p = [0, 1, 2].map((k) =>
          weights.reduce((sum, w, c) => sum + w * x[3 * (a.firstNode + a.faces[f + c]) + k], 0),
        ) as [number, number, number];
        if (elementsAround(b, x, p).length === 0) continue;
        deepest = Math.max(deepest, distanceToMesh(x.subarray(3 * b.firstNode), b.faces, p));
      }
    }
    expect(deepest).toBeGreaterThan(0.2);
    expect(bound).toBeGreaterThanOrEqual(deepest);
    expect(bound).toBeLessThan(1.1 * deepest);
  });
});

describe('the search', () => {
  test('finds the nodes inside elements, all of them, with their element', () => {
    const { x, term, bodies } = setUp(
      [ball, cube],
      [
        [0, 0, 0],
        [0.2, 0.1, -0.4],
      ],
      0.02,
    );
    term.update(x);
    const found = new Map<number, number[]>();
    for (let i = 0; i < term.contacts.count; i++) {
      found.set(term.contacts.nodes[5 * i], Array.from(term.contacts.nodes.subarray(5 * i + 1, 5 * i + 5)));
    }
    let inside = 0;
    for (const [a, b] of [bodies, [...bodies].reverse()]) {
      for (const own of a.surfaceNodes) {
        const node = a.firstNode + own;
        const element = elementsAround(b, x, x.subarray(3 * node, 3 * node + 3));
        if (element.length === 0) continue;
        inside++;
        expect(element.map(String)).toContain(String(found.get(node)));
      }
    }
    expect(inside).toBeGreaterThan(10);
  });

  test('is what trying all nodes and elements gives, in a body that winds and presses on itself', () => {
    const bar = splitSurfaceElements(tetrahedraGrid([30, 2, 2], [15, 1, 1]));
    const { x, term, bodies } = setUp([bar], [[0, 0, 0]], 0);
    expect(bodies[0].clusters.count).toBeGreaterThan(3);
    const random = createRandom(4);
    let [all, inside] = [0, 0];
    // From straight to a turn and a half of a circle, whose ends lie in each other.
    for (const share of [0.95, 1]) {
      for (let i = 0; i < x.length; i += 3) {
        const angle = (bar.positions[i] * share * 2 * Math.PI) / 13;
        const radius = 13 / (2 * Math.PI * share) + bar.positions[i + 1] - 0.5;
        x[i] = radius * Math.sin(angle) + 0.02 * random.range(-1, 1);
        x[i + 1] = radius * Math.cos(angle) + 0.02 * random.range(-1, 1);
        x[i + 2] = bar.positions[i + 2] + 0.02 * random.range(-1, 1) + 0.03 * bar.positions[i];
      }
      term.begin();
      term.update(x);
      const found = new Map<number, string>();
      for (let i = 0; i < term.contacts.count; i++) {
        if (term.contacts.kind[i] !== IN_ELEMENT) continue;
        found.set(term.contacts.nodes[5 * i], String(term.contacts.nodes.subarray(5 * i + 1, 5 * i + 5)));
      }
      const wanted = bruteForce(bodies[0], x);
      expect(found.size).toBe(wanted.size);
      for (const [node, { nodes, isInside }] of wanted) {
        expect(found.get(node)).toBe(String(nodes));
        inside += isInside ? 1 : 0;
      }
      all += wanted.size;
    }
    expect(all).toBeGreaterThan(40);
    expect(inside).toBeGreaterThan(20);
    expect(all - inside).toBeGreaterThan(20);
  });

  test('a body at rest does not touch itself, one folded over does', () => {
    const bar = splitSurfaceElements(tetrahedraGrid([20, 2, 2], [10, 1, 1]));
    const { x, term } = setUp([bar], [[0, 0, 0]], 0);
    term.update(x);
    expect(term.countActive(x)).toBe(0);
    // A turn and a half of a circle of this radius: the ends lie in each other.
    for (let i = 0; i < x.length; i += 3) {
      const [angle, radius] = [bar.positions[i] / 1.4, 1.4 + bar.positions[i + 1] - 0.5];
      x[i] = radius * Math.sin(angle);
      x[i + 1] = radius * Math.cos(angle);
    }
    term.update(x);
    expect(term.countActive(x)).toBeGreaterThan(5);
  });
});

/** Nodes of the elements that hold a point, by the signs of four volumes. */
function elementsAround({ mesh, firstNode }: ContactBody, x: Float64Array, p: ArrayLike<number>): number[][] {
  const volume = (corners: readonly (readonly number[])[]): number => {
    const [u, v, w] = [1, 2, 3].map((k) => corners[k].map((value, axis) => value - corners[0][axis]));
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
  };
  const found: number[][] = [];
  for (let e = 0; e < mesh.elements.length; e += 4) {
    const first = 3 * (firstNode + mesh.elements[e]);
    if (Math.hypot(x[first] - p[0], x[first + 1] - p[1], x[first + 2] - p[2]) > 1) continue;
    const nodes = Array.from(mesh.elements.subarray(e, e + 4), (node) => firstNode + node);
    const corners = nodes.map((node) => Array.from(x.subarray(3 * node, 3 * node + 3)));
    const isInside = corners.every(
      (_, k) => volume(corners.map((corner, i) => (i === k ? [p[0], p[1], p[2]] : corner))) > 0,
    );
    if (isInside) found.push(nodes);
  }
  return found;
}

/**
 * For each node of the surface the element that holds it best, or the face it is just outside of, of those that share no
 * node with an element around it.
 */
function bruteForce(
  { mesh, faces, reach }: ContactBody,
  x: Float64Array,
): Map<number, { readonly nodes: number[]; readonly isInside: boolean }> {
  const elements = Array.from({ length: mesh.elements.length / 4 }, (_, e) =>
    Array.from(mesh.elements.subarray(4 * e, 4 * e + 4)),
  );
  const surface = new Set(faces);
  const outer = new Set(
    Array.from({ length: faces.length / 3 }, (_, f) =>
      String(Array.from(faces.subarray(3 * f, 3 * f + 3)).sort((a, b) => a - b)),
    ),
  );
  const at = (node: number): number[] => Array.from(x.subarray(3 * node, 3 * node + 3));
  const minus = (a: readonly number[], b: readonly number[]): number[] => a.map((value, k) => value - b[k]);
  const cross = (a: readonly number[], b: readonly number[]): number[] => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const boxes = elements.map((nodes) => {
    const q = nodes.map(at);
    const values = [0, 1, 2].map((k) => q.map((corner) => corner[k]));
    return [...values.map((own) => Math.min(...own)), ...values.map((own) => Math.max(...own))];
  });
  const rings = new Map<number, Set<number>>();
  for (const nodes of elements) {
    for (const node of nodes) rings.set(node, new Set([...(rings.get(node) ?? []), ...nodes]));
  }
  const found = new Map<number, { nodes: number[]; isInside: boolean }>();
  for (const node of surface) {
    const p = at(node);
    const ring = rings.get(node)!;
    let best = -1;
    for (const [e, nodes] of elements.entries()) {
      const box = boxes[e];
      if ([0, 1, 2].some((k) => p[k] < box[k] - reach || p[k] > box[3 + k] + reach)) continue;
      if (nodes.some((corner) => ring.has(corner))) continue;
      const q = nodes.map(at);
      const six = (a: number[], b: number[], c: number[], d: number[]): number =>
        dot(minus(b, a), cross(minus(c, a), minus(d, a)));
      const whole = six(q[0], q[1], q[2], q[3]);
      const u = [0, 1, 2, 3].map((k) => {
        const [a, b, c, d] = q.map((corner, i) => (i === k ? p : corner));
        return six(a, b, c, d) / whole;
      });
      let score = Math.min(...u) >= 0 ? 2 + Math.min(...u) : -1;
      for (let k = 0; k < 4 && score < 0; k++) {
        const face = nodes.filter((_, i) => i !== k);
        if (!outer.has(String([...face].sort((a, b) => a - b))) || u.some((value, i) => i !== k && value < -0.1))
          continue;
        const [a, b, c] = face.map(at);
        const normal = cross(minus(b, a), minus(c, a));
        const outside = (-u[k] * Math.abs(dot(normal, minus(q[k], a)))) / Math.hypot(...normal);
        if (outside <= reach) score = u[k] >= 0 ? 0 : 1 - outside / reach;
      }
      if (!(score > best)) continue;
      best = score;
      found.set(node, { nodes, isInside: score >= 2 });
    }
  }
  return found;
}
