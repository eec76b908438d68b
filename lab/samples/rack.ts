// A small assembly with clashes to find: a rack on posts, rings around the posts, a cup with a spoon through its wall,
// a pipe and a row of balls. Gaps are of millimeters; the ring around the second post is pushed into it.
import { pose, quat, type ReadonlyQuat, type Vec3 } from 'nearfield/core';
import type { ModelFile, ModelPart } from 'nearfield/io';
import { findModel, type Mesh } from 'nearfield/mesh';

/** Meters. */
const POST_RADIUS = 0.08;
const RING_HOLE = 0.15;

export function buildRack(): ModelFile {
  const meshes = new Map<string, Mesh>([
    ['plate', findModel('box').build({ width: 2.4, height: 0.1, depth: 1.4 })],
    ['post', findModel('cylinder').build({ radius: POST_RADIUS, height: 1, segments: 32, bands: 8, capRings: 3 })],
    ['ring', findModel('torus').build({ majorRadius: RING_HOLE + 0.05, minorRadius: 0.05 })],
    ['ball', findModel('sphere').build({ radius: 0.1 })],
    ['pipe', findModel('capsule').build({ radius: 0.06, length: 1.704 })],
    ['cup', findModel('cup').build()],
    ['spoon', findModel('spoon').build()],
  ]);
  const names = [...meshes.keys()];
  const parts: ModelPart[] = [];
  const place = (name: string, mesh: string, at: Vec3, rotation?: ReadonlyQuat): void => {
    parts.push({ name, meshIndex: names.indexOf(mesh), transform: pose.toMatrix4(pose.create(at, rotation)) });
  };
  const posts: readonly Vec3[] = [
    [-1, 0.608, -0.5],
    [1, 0.608, -0.5],
    [-1, 0.608, 0.5],
    [1, 0.608, 0.5],
  ];
  place('base', 'plate', [0, 0.05, 0]);
  place('shelf', 'plate', [0, 1.166, 0]);
  for (const [i, at] of posts.entries()) place(`post ${i + 1}`, 'post', at);
  place('ring, nearly touching', 'ring', [-1 + RING_HOLE - POST_RADIUS - 0.003, 0.35, -0.5]);
  place('ring, too far aside', 'ring', [1 - RING_HOLE + POST_RADIUS - 0.02, 0.35, -0.5]);
  place('ring, in the middle', 'ring', [-1, 0.35, 0.5]);
  for (let i = 0; i < 5; i++) place(`ball ${i + 1}`, 'ball', [-0.6 + 0.202 * i, 0.208, 0.52]);
  place('pipe', 'pipe', [0, 0.75, -0.5], quat.fromAxisAngle([0, 0, 1], Math.PI / 2));
  place('cup', 'cup', [0.2, 0.512, 0]);
  place('spoon', 'spoon', [0.55, 0.62, 0], quat.fromAxisAngle([0, 0, 1], 0.25));
  return { format: 'glb', meshes: names.map((name) => ({ name, mesh: meshes.get(name) as Mesh })), parts };
}
