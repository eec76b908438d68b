// Live pairs answer as fresh models do, and make models anew only when an object looks different in its own frame.
import {
  BoxGeometry,
  type BufferGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  SphereGeometry,
  TorusKnotGeometry,
  Vector3,
} from 'three';
import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../src/core/random.js';
import { measurePenetrationSync } from '../../src/penetration/measure-on-cpu.js';
import { measureDistance } from '../../src/proximity/queries.js';
import { LivePair, modelFrom, writeWitness } from '../../src/three/index.js';
import { codeOf } from '../error-code.js';
import { morphed, skinned } from './sample-objects.js';

const material = new MeshBasicMaterial();

function place(object: Object3D, random: Random, far: number): void {
  object.position.fromArray(random.direction()).multiplyScalar(far);
  object.quaternion.set(...random.rotation());
}

/** What models made from nothing say. */
function freshDistance(a: Object3D, b: Object3D): number | null {
  const [p, q] = [modelFrom(a), modelFrom(b)];
  return measureDistance(p.model, q.model, p.pose, q.pose).distance;
}

describe('LivePair', () => {
  test('keeps the models of objects that move as a whole, parents with scale and far places included', () => {
    const random = createRandom(8);
    const parent = new Group();
    parent.scale.set(3, 3, 3);
    const a = new Group();
    for (let i = 0; i < 4; i++) {
      const child = new Mesh(new BoxGeometry(), material);
      place(child, random, 2);
      child.scale.set(1, -2, 0.5);
      a.add(child);
    }
    const b = new Mesh(new TorusKnotGeometry(1, 0.3, 32, 6), material);
    parent.add(a);
    const pair = new LivePair(a, b);
    const meshes = [pair.a.model, pair.b.model];
    let apart = 0;
    for (let frame = 0; frame < 40; frame++) {
      place(parent, random, frame % 4 === 0 ? 1e5 : 6);
      place(a, random, 1);
      place(b, random, frame % 4 === 0 ? 1e5 : 6);
      const { distance } = pair.distance();
      const fresh = freshDistance(a, b)!;
      expect(Math.abs(distance! - fresh)).toBeLessThan(1e-9 * Math.max(1, fresh));
      if (distance! > 0) apart++;
    }
    expect(apart).toBeGreaterThan(12);
    expect(apart).toBeLessThan(40);
    expect([pair.a.version, pair.b.version]).toEqual([1, 1]);
    expect([pair.a.model, pair.b.model]).toEqual(meshes);
  });

  test('keeps its coherence while nothing changes: a still pair costs no more pairs of boxes', () => {
    const a = new Mesh(new TorusKnotGeometry(1, 0.3, 128, 16), material);
    const b = a.clone();
    b.position.x = 4;
    const pair = new LivePair(a, b, { pair: { volume: 'boxes' } });
    const first = pair.distance().counters.volumePairs;
    // The second query may build the front that the third one starts from.
    b.position.x = 4.001;
    pair.distance();
    b.position.x = 4.002;
    expect(pair.distance().counters.volumePairs).toBeLessThan(first / 2);
  });

  test('follows every kind of change, and rebuilds only the model that changed', () => {
    const bent = skinned();
    const shape = morphed(true);
    const many = new InstancedMesh(new BoxGeometry(), material, 2);
    many.setMatrixAt(0, new Matrix4());
    many.setMatrixAt(1, new Matrix4().makeTranslation(2, 0, 0));
    const plain = new Mesh<BufferGeometry>(new BoxGeometry(1, 1, 1, 2, 2, 2), material);
    const child = new Mesh(new SphereGeometry(0.5, 8, 6), material);
    const a = new Group();
    a.add(bent.mesh, shape, many, plain);
    const b = new Mesh(new BoxGeometry(), material);
    b.position.set(9, 3, 1);
    const pair = new LivePair(a, b);
    const { position } = plain.geometry.attributes;
    const moveVertex = (): void => {
      position.setX(0, 2);
      position.needsUpdate = true;
    };
    const changes: [string, () => void][] = [
      ['a bone turns', () => bent.bones[1].rotateX(0.3)],
      ['an influence', () => (shape.morphTargetInfluences![1] = 0.9)],
      ['an instance moves', () => many.setMatrixAt(1, new Matrix4().makeTranslation(3, 0, 0))],
      ['fewer instances', () => (many.count = 1)],
      ['a vertex moves', moveVertex],
      ['a draw range', () => plain.geometry.setDrawRange(0, 30)],
      ['another geometry', () => (plain.geometry = new SphereGeometry(1, 8, 6))],
      ['the index', () => plain.geometry.setIndex(Array.from(plain.geometry.index!.array).slice(3))],
      ['a child moves', () => (plain.position.y = -1)],
      ['a child comes', () => a.add(child)],
      ['a child goes', () => a.remove(bent.mesh)],
      ['the scale', () => a.scale.set(1, 1.25, 1)],
    ];
    let version = 1;
    for (const [name, change] of changes) {
      change();
      const { distance } = pair.distance();
      expect(pair.a.version, name).toBe(++version);
      expect(distance, name).toBeCloseTo(freshDistance(a, b)!, 9);
      pair.distance();
      expect(pair.a.version, name).toBe(version);
    }
    expect(pair.b.version).toBe(1);
  });

  test('small changes cannot add up unseen', () => {
    const a = new Mesh(new BoxGeometry(), material);
    const b = new Mesh(new BoxGeometry(), material);
    b.position.x = 5;
    const pair = new LivePair(a, b);
    for (let i = 0; i < 100; i++) {
      a.scale.x += 5e-10;
      pair.distance();
    }
    expect(pair.a.version).toBeGreaterThan(10);
    expect(pair.distance().distance).toBeCloseTo(4 - 25e-9, 10);
  });

  test('an object that cannot be read for a while is an error as long, and never an old answer', () => {
    const many = new InstancedMesh(new BoxGeometry(), material, 1);
    many.setMatrixAt(0, new Matrix4());
    const b = new Mesh(new BoxGeometry(), material);
    b.position.x = 5;
    const pair = new LivePair(many, b);
    many.count = 0;
    for (let i = 0; i < 2; i++) expect(codeOf(() => pair.distance())).toBe('empty-mesh');
    many.count = 1;
    expect(pair.distance().distance).toBe(4);
    const { position } = b.geometry.attributes;
    position.setX(0, Number.NaN);
    position.needsUpdate = true;
    for (let i = 0; i < 2; i++) expect(codeOf(() => pair.distance())).toBe('non-finite');
    position.setX(0, -2);
    position.needsUpdate = true;
    expect(pair.distance().distance).toBeLessThan(4);
  });

  test('answers all five queries as the models do', () => {
    const a = new Mesh(new BoxGeometry(2, 2, 2), material);
    const b = new Mesh(new SphereGeometry(1, 16, 12), material);
    a.scale.set(-1, 1, 1);
    const pair = new LivePair(a, b);
    b.position.set(1.5, 0.3, 0.2);
    expect(pair.intersects().intersects).toBe(true);
    const depth = pair.penetration();
    const [p, q] = [modelFrom(a), modelFrom(b)];
    const fresh = measurePenetrationSync(p.model, q.model, p.pose, q.pose);
    expect(depth.depth).toBeCloseTo(fresh.depth, 9);
    a.position.addScaledVector(new Vector3(...depth.vector), 1 + 1e-9);
    expect(pair.intersects().intersects).toBe(false);
    expect(pair.within(1e-6).within).toBe(true);
    a.position.set(0, 0, 0);
    b.position.set(2.5, 0, 0);
    expect(pair.within(0.4).within).toBe(false);
    expect(pair.contacts({ tolerance: 0.6 }).contacts.length).toBeGreaterThan(0);
    const [from, to] = [new Vector3(), new Vector3()];
    const result = pair.distance();
    expect(writeWitness(result, from, to)).toBe(true);
    expect(from.distanceTo(to)).toBeCloseTo(result.distance!, 12);
    expect(writeWitness(pair.distance({ cutoff: 0.1 }), from, to)).toBe(false);
    expect(writeWitness(null, from, to)).toBe(false);
    b.scale.setScalar(3);
    expect(pair.penetration().depth).toBeGreaterThan(1);
    expect(pair.b.version).toBe(2);
  });

  test('pairs share models, and refuse bad options when they are made', () => {
    const a = new Mesh(new BoxGeometry(), material);
    const shared = modelFrom(a);
    const b = new Mesh(new BoxGeometry(), material);
    b.position.x = 3;
    const pairs = [new LivePair(shared, b), new LivePair(shared, modelFrom(b))];
    a.scale.y = 2;
    for (const pair of pairs) expect(pair.distance().distance).toBeCloseTo(2, 12);
    expect(shared.version).toBe(2);
    expect(codeOf(() => new LivePair(a, b, { volume: 'boxes' } as never))).toBe('bad-argument');
    expect(codeOf(() => new LivePair(a, b, { pair: { volume: 'spheres' } as never }))).toBe('bad-argument');
    expect(codeOf(() => new LivePair(a, b, { penetration: { relativeGap: -1 } }))).toBe('bad-argument');
    expect(codeOf(() => new LivePair(a, new Group()))).toBe('empty-mesh');
  });
});
