// Rays through the hook give the intersections of three.js itself: same order, same fields, same values.
import {
  BackSide,
  BatchedMesh,
  BoxGeometry,
  BufferAttribute,
  DoubleSide,
  FrontSide,
  Group,
  InstancedMesh,
  type Intersection,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Quaternion,
  Raycaster,
  type Side,
  SphereGeometry,
  TorusKnotGeometry,
  Vector3,
} from 'three';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { accelerateRaycast } from '../../src/three/index.js';
import { morphed, skinned } from './sample-objects.js';

type FirstHit = Raycaster & { firstHitOnly?: boolean };

/** Rays from around an object through it; the share that hits is asserted by the caller. */
function* rays(count: number, radius: number, seed = 5): Generator<FirstHit> {
  const random = createRandom(seed);
  for (let i = 0; i < count; i++) {
    const raycaster = new Raycaster() as FirstHit;
    raycaster.ray.origin.fromArray(random.direction()).multiplyScalar(i % 5 === 0 ? 0.3 * radius : 2 * radius);
    const target = new Vector3(...random.direction()).multiplyScalar(0.8 * radius);
    raycaster.ray.direction.copy(target).sub(raycaster.ray.origin).normalize();
    yield raycaster;
  }
}

function expectSame(ours: Intersection[], theirs: Intersection[]): void {
  expect(ours.length).toBe(theirs.length);
  ours.forEach((hit, i) => {
    const other = theirs[i];
    expect(Object.keys(hit).sort()).toEqual(Object.keys(other).sort());
    expect(hit.object).toBe(other.object);
    expect([hit.faceIndex, hit.instanceId, hit.face!.a, hit.face!.b, hit.face!.c, hit.face!.materialIndex]).toEqual([
      other.faceIndex,
      other.instanceId,
      other.face!.a,
      other.face!.b,
      other.face!.c,
      other.face!.materialIndex,
    ]);
    expect(Math.abs(hit.distance - other.distance)).toBeLessThan(1e-9 * (1 + other.distance));
    expect(hit.point.distanceTo(other.point)).toBeLessThan(1e-9 * (1 + other.distance));
    expect(hit.face!.normal.distanceTo(other.face!.normal)).toBeLessThan(1e-9);
    expect(hit.barycoord!.distanceTo(other.barycoord!)).toBeLessThan(1e-6);
    if (other.uv) expect(hit.uv!.distanceTo(other.uv)).toBeLessThan(1e-6);
    if (other.uv1) expect(hit.uv1!.distanceTo(other.uv1)).toBeLessThan(1e-6);
    if (other.normal) expect(hit.normal!.distanceTo(other.normal)).toBeLessThan(1e-6);
  });
}

/** Compares all hits of many rays with and without the hook; returns how many rays hit. */
function compare(object: Object3D, radius: number, change?: (raycaster: Raycaster) => void): number {
  object.updateMatrixWorld(true);
  const cast = [...rays(60, radius)];
  for (const raycaster of cast) change?.(raycaster);
  const theirs = cast.map((raycaster) => raycaster.intersectObject(object));
  const restore = accelerateRaycast(object);
  const ours = cast.map((raycaster) => raycaster.intersectObject(object));
  restore();
  for (let i = 0; i < cast.length; i++) expectSame(ours[i], theirs[i]);
  return theirs.filter((hits) => hits.length > 0).length;
}

/** Between 30 and 100 % of the rays, so that hits and misses both count. */
function expectRepresentative(hits: number): void {
  expect(hits).toBeGreaterThan(15);
}

const knot = (): TorusKnotGeometry => new TorusKnotGeometry(1, 0.4, 48, 8);

describe('accelerateRaycast', () => {
  test.each([FrontSide, BackSide, DoubleSide] as Side[])('side %i, placed, scaled and mirrored', (side) => {
    const mesh = new Mesh(knot(), new MeshBasicMaterial({ side }));
    expectRepresentative(compare(mesh, 1.5));
    mesh.position.set(0.2, -0.1, 0.3);
    mesh.rotation.set(1, 2, 3);
    mesh.scale.set(-1, 1.4, 0.8);
    expectRepresentative(compare(mesh, 1.5));
  });

  test('near and far', () => {
    const mesh = new Mesh(knot(), new MeshBasicMaterial({ side: DoubleSide }));
    mesh.scale.setScalar(1.1);
    const hits = compare(mesh, 1.5, (raycaster) => {
      raycaster.near = 1.6;
      raycaster.far = 3.1;
    });
    expect(hits).toBeGreaterThan(10);
    expect(hits).toBeLessThan(60);
  });

  test('without index, with two sets of texture coordinates, within a draw range', () => {
    const geometry = knot().toNonIndexed();
    geometry.setAttribute('uv1', new BufferAttribute(Float32Array.from(geometry.attributes.uv.array), 2));
    geometry.setDrawRange(30, 1200);
    expectRepresentative(compare(new Mesh(geometry, new MeshBasicMaterial({ side: DoubleSide })), 1.5));
  });

  test('groups with materials of different sides, one drawn twice', () => {
    const geometry = new BoxGeometry(2, 2, 2, 3, 3, 3);
    geometry.addGroup(0, 54, 1);
    const sides = [FrontSide, BackSide, DoubleSide, FrontSide, BackSide, DoubleSide];
    const mesh = new Mesh(
      geometry,
      sides.map((side) => new MeshBasicMaterial({ side })),
    );
    expectRepresentative(compare(mesh, 1.5));
  });

  test('instances', () => {
    const mesh = new InstancedMesh(new SphereGeometry(0.5, 12, 8), new MeshBasicMaterial(), 9);
    const random = createRandom(2);
    for (let i = 0; i < 9; i++) {
      const at = new Vector3(...random.direction()).multiplyScalar(1.2);
      const scale = i === 3 ? new Vector3() : new Vector3(1, 0.5 + random.next(), 1);
      mesh.setMatrixAt(i, new Matrix4().compose(at, new Quaternion(...random.rotation()), scale));
    }
    mesh.rotation.x = 0.5;
    expectRepresentative(compare(mesh, 1.5));
  });

  test('skinned and morphed, in a tree', () => {
    const root = new Group();
    const { mesh, bones } = skinned();
    root.add(mesh, morphed(true), morphed(false));
    root.scale.set(0.6, 0.6, 0.6);
    root.updateMatrixWorld(true);
    // three.js keeps the sphere of the first pose that it saw.
    mesh.computeBoundingSphere();
    expectRepresentative(compare(root, 1.5));
    const restore = accelerateRaycast(root);
    const [raycaster] = rays(1, 1.5);
    raycaster.intersectObject(root);
    bones[1].rotation.z = -0.7;
    root.updateMatrixWorld(true);
    mesh.computeBoundingSphere();
    const cast = [...rays(40, 1.5, 9)];
    const ours = cast.map((ray) => ray.intersectObject(root));
    restore();
    cast.forEach((ray, i) => {
      expectSame(ours[i], ray.intersectObject(root));
    });
  });

  test('the first hit only', () => {
    const mesh = new Mesh(knot(), new MeshBasicMaterial({ side: DoubleSide }));
    const boxes = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 2);
    boxes.setMatrixAt(0, new Matrix4());
    boxes.setMatrixAt(1, new Matrix4().makeTranslation(0.5, 0.1, 0.07));
    for (const object of [mesh, boxes]) {
      object.updateMatrixWorld(true);
      const cast = [...rays(60, 1.5)];
      const theirs = cast.map((raycaster, i) => {
        raycaster.near = i % 2 === 0 ? 0 : 1.5;
        return raycaster.intersectObject(object);
      });
      const restore = accelerateRaycast(object);
      cast.forEach((raycaster, i) => {
        raycaster.firstHitOnly = true;
        expectSame(raycaster.intersectObject(object), theirs[i].slice(0, 1));
      });
      restore();
    }
  });

  test('follows the geometry, keeps what has its own raycast, and is taken back', () => {
    const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
    const deaf = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
    deaf.raycast = () => {};
    const batch = new BatchedMesh(1, 30, 60, new MeshBasicMaterial());
    const root = new Group().add(mesh, deaf, batch);
    const standard = mesh.raycast;
    const restore = accelerateRaycast(root);
    expect(mesh.raycast).not.toBe(standard);
    expect(batch.raycast).toBe(BatchedMesh.prototype.raycast);
    const raycaster = new Raycaster(new Vector3(5, 0.1, 0.2), new Vector3(-1, 0, 0));
    expect(raycaster.intersectObject(root)[0].distance).toBeCloseTo(4.5, 12);
    const { position } = mesh.geometry.attributes;
    for (let i = 0; i < position.count; i++) position.setX(i, 2 * position.getX(i));
    position.needsUpdate = true;
    expect(raycaster.intersectObject(root)).toHaveLength(1);
    expect(raycaster.intersectObject(root)[0].distance).toBeCloseTo(4, 12);
    position.setX(0, Number.NaN);
    position.needsUpdate = true;
    for (let i = 0; i < 2; i++) expect(() => raycaster.intersectObject(root)).toThrow(/Vertex 0/);
    position.setX(0, 1);
    position.needsUpdate = true;
    mesh.geometry.setDrawRange(0, 0);
    expect(raycaster.intersectObject(root)).toEqual([]);
    restore();
    expect(mesh.raycast).toBe(standard);
    expect(Object.hasOwn(mesh, 'raycast')).toBe(false);
  });
});
