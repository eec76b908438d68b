// Bodies pressed as in Hertz's theory: a ball between two rigid plates, and a rigid ball in a layer.
import * as pose from '../../src/core/pose.js';
import { RigidWorld } from '../../src/dynamics/world.js';
import { ElasticBody } from '../../src/elastic/body/elastic-body.js';
import { splitSurfaceElements } from '../../src/elastic/tetrahedra/inner-nodes.js';
import { findSurface, type TetrahedralMesh } from '../../src/elastic/tetrahedra/tetrahedral-mesh.js';
import { tetrahedralizeMesh } from '../../src/elastic/tetrahedra/tetrahedralize-mesh.js';
import { ElasticWorld } from '../../src/elastic/world/elastic-world.js';
import { findModel } from '../../src/models/catalogue.js';
import { tetrahedraGrid } from '../generators/tetrahedra-grid.js';
import { ballForce, indentationForce } from '../oracles/hertz.js';

const [YOUNG, POISSON] = [1e6, 0.3];

/** A ball of radius 1 with smaller elements at its poles, up and down; and the node nearest to its center. */
function gradedBall(size: number): { readonly mesh: TetrahedralMesh; readonly center: number } {
  const { mesh } = tetrahedralizeMesh(findModel('sphere').build({ radius: 1 }), { size });
  const p = mesh.positions;
  const outer = new Set(findSurface(mesh).faces);
  let [center, least] = [0, Infinity];
  for (let i = 0; i < p.length; i += 3) {
    const across = Math.hypot(p[i], p[i + 2]);
    const angle = Math.atan2(across, p[i + 1]);
    const from = Math.hypot(across, p[i + 1]);
    if (from < least) [center, least] = [i / 3, from];
    const r = outer.has(i / 3) ? 1 : from;
    const turned = angle - 0.4 * r * r * Math.sin(2 * angle);
    const radius = r * (1 + 0.6 * (1 - r));
    const side = across > 0 ? (radius * Math.sin(turned)) / across : 0;
    p[i] *= side;
    p[i + 1] = radius * Math.cos(turned);
    p[i + 2] *= side;
  }
  return { mesh, center };
}

/**
 * A ball between plates that each come nearer by 0.03 radii: how much its force is above theory at the depth it is pressed by.
 * @param distance of a barrier; 0 for fields.
 */
export function pressBall(size: number, distance: number): number {
  const { mesh, center } = gradedBall(size);
  const rigid = new RigidWorld({ gravity: [0, 0, 0] });
  for (const sign of [1, -1]) {
    const path = [1.01 * distance, -0.03].map((gap, time) => ({ time, pose: pose.create([0, sign * (1.5 + gap), 0]) }));
    rigid.addBody({ shape: { box: [3, 1, 3] }, path });
  }
  const world = new ElasticWorld(distance > 0 ? { rigid, contact: 'barrier', barrierDistance: distance } : { rigid });
  const body = new ElasticBody(mesh, { young: YOUNG, poisson: POISSON });
  world.addBody(body, { selfCollision: false, stiffness: distance > 0 ? undefined : 100 * YOUNG });
  body.hold([center]);
  const { reached = 1 } = world.solveStatic(1, { tolerance: 1e-5 });
  if (reached < 1) return Number.NaN;
  const heights = Array.from(new Set(findSurface(mesh).faces), (node) => body.positions[3 * node + 1]);
  const depth = 1 - (Math.max(...heights) - Math.min(...heights)) / 2;
  const force = (world.forceOn(0).force[1] - world.forceOn(1).force[1]) / 2;
  return force / (YOUNG * ballForce(depth, POISSON)) - 1;
}

/** A rigid ball of radius 2 pressed into a layer by 0.02: how much its force is above theory at the depth of the dent. */
export function pressLayer(cells: number, distance: number): number {
  const grid = tetrahedraGrid([cells, cells / 2, cells], [2, 1, 2]);
  const p = grid.positions;
  // Finer towards the ball, which touches at the origin.
  for (let i = 0; i < p.length; i += 3) {
    for (const k of [0, 2]) p[i + k] = Math.sign(p[i + k] - 1) * Math.abs(p[i + k] - 1) ** 1.5;
    p[i + 1] = -((1 - p[i + 1]) ** 1.5);
  }
  const mesh = distance > 0 ? grid : splitSurfaceElements(grid);
  const rigid = new RigidWorld({ gravity: [0, 0, 0] });
  const path = [1.01 * distance, -0.02].map((gap, time) => ({ time, pose: pose.create([0, 2 + gap, 0]) }));
  rigid.addBody({ shape: { sphere: 2 }, path });
  const world = new ElasticWorld(distance > 0 ? { rigid, contact: 'barrier', barrierDistance: distance } : { rigid });
  const body = new ElasticBody(mesh, { young: YOUNG, poisson: POISSON });
  world.addBody(body, { selfCollision: false, stiffness: distance > 0 ? undefined : 100 * YOUNG });
  const nodes = Array.from({ length: mesh.positions.length / 3 }, (_, node) => node);
  body.hold(nodes.filter((node) => mesh.positions[3 * node + 1] < -0.999));
  const { reached = 1 } = world.solveStatic(1, { tolerance: 1e-5 });
  if (reached < 1) return Number.NaN;
  const pole = nodes.find((node) => Math.hypot(...mesh.positions.subarray(3 * node, 3 * node + 3)) < 1e-9)!;
  const depth = -body.positions[3 * pole + 1];
  return world.forceOn(0).force[1] / (YOUNG * indentationForce(2, depth, POISSON)) - 1;
}
