// The helpers hold what a result says, in the buffers that three.js draws, and free them.
import {
  BoxGeometry,
  type BufferGeometry,
  Color,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  SphereGeometry,
  Vector3,
} from 'three';
import { describe, expect, test } from 'vitest';
import type { Field } from '../../src/field/grid.js';
import type { ContactsResult } from '../../src/proximity/result.js';
import {
  ContactsHelper,
  FieldSliceHelper,
  LivePair,
  modelFrom,
  PenetrationHelper,
  WitnessHelper,
} from '../../src/three/index.js';

const material = new MeshBasicMaterial();

/** The points that are drawn. */
function drawn(geometry: BufferGeometry): Vector3[] {
  const { count } = geometry.drawRange;
  return Array.from({ length: count }, (_, i) => new Vector3().fromBufferAttribute(geometry.attributes.position, i));
}

function pairAt(x: number): LivePair {
  const b = new Mesh(new SphereGeometry(1, 16, 12), material);
  b.position.set(x, 0.2, 0.1);
  return new LivePair(new Mesh(new BoxGeometry(2, 2, 2), material), b);
}

/** Counts 'dispose' of a geometry or material. */
function disposals(...targets: { addEventListener(type: 'dispose', listener: () => void): void }[]): () => number {
  let count = 0;
  for (const target of targets) target.addEventListener('dispose', () => count++);
  return () => count;
}

describe('WitnessHelper', () => {
  test('draws the segment between the closest points, or nothing', () => {
    const helper = new WitnessHelper();
    expect(helper).toBeInstanceOf(Object3D);
    expect(helper.visible).toBe(false);
    const result = pairAt(3).distance();
    helper.update(result);
    expect(helper.visible).toBe(true);
    const [from, to] = drawn(helper.lines.geometry);
    expect(from.toArray().map(Math.fround)).toEqual(result.witness!.pointA.map(Math.fround));
    expect(from.distanceTo(to)).toBeCloseTo(result.distance!, 6);
    expect(drawn(helper.dots.geometry)).toEqual([from, to]);
    helper.update(pairAt(3).distance({ cutoff: 0.1 }));
    expect(helper.visible).toBe(false);
    helper.update(pairAt(1.5).penetration());
    expect(helper.visible).toBe(true);
    helper.update(null);
    expect(helper.visible).toBe(false);
    helper.setColor('red');
    expect(helper.lines.material.color).toEqual(new Color('red'));
    const count = disposals(helper.lines.geometry, helper.dots.geometry, helper.lines.material, helper.dots.material);
    helper.dispose();
    expect(count()).toBe(4);
  });
});

describe('ContactsHelper', () => {
  test('draws points on both and normals, of more contacts and of fewer', () => {
    const helper = new ContactsHelper(0.5);
    const { contacts, ...rest } = pairAt(2.5).contacts({ tolerance: 1 }) as ContactsResult;
    expect(contacts.length).toBeGreaterThan(0);
    const many = { ...rest, contacts: Array.from({ length: 9 }, () => contacts[0]) };
    for (const result of [{ ...rest, contacts: [contacts[0]] }, many, { ...rest, contacts: [contacts[0]] }]) {
      helper.update(result);
      expect(drawn(helper.dots.geometry)).toHaveLength(2 * result.contacts.length);
      const [from, to] = drawn(helper.lines.geometry);
      expect(to.sub(from).distanceTo(new Vector3(...contacts[0].normal).multiplyScalar(0.5))).toBeLessThan(1e-6);
    }
    helper.update({ ...rest, contacts: [] });
    expect(helper.visible).toBe(false);
  });
});

describe('PenetrationHelper', () => {
  test('draws an arrow as long as the depth, the way out', () => {
    const helper = new PenetrationHelper();
    expect(helper.visible).toBe(false);
    const result = pairAt(1.5).penetration();
    helper.update(result);
    helper.updateMatrixWorld(true);
    expect(helper.visible).toBe(true);
    expect(helper.position.toArray()).toEqual(result.pointA);
    // The tip of the cone is at its origin.
    const tip = new Vector3().applyMatrix4(helper.cone.matrixWorld);
    const end = new Vector3(...result.pointA!).add(new Vector3(...result.vector));
    expect(tip.distanceTo(end)).toBeLessThan(1e-9);
    helper.update(pairAt(4).penetration());
    expect(helper.visible).toBe(false);
    helper.dispose();
  });
});

describe('FieldSliceHelper', () => {
  /** The distance from the plane x = 0 with the origin off center, so that mixed-up axes would show. */
  const field: Field = {
    origin: [-1, -2, -3],
    spacing: 0.5,
    size: [5, 9, 13],
    values: Float64Array.from({ length: 5 * 9 * 13 }, (_, i) => -1 + 0.5 * (i % 5)),
  };

  test.each([0, 1, 2] as const)('lies in its plane, axis %i, between the outermost nodes', (axis) => {
    const helper = new FieldSliceHelper();
    expect(helper.visible).toBe(false);
    const at = [0.25, 0.3, 0.7][axis];
    helper.update(field, axis, at);
    const box = helper.geometry.boundingBox!;
    const low = new Vector3(-1, -2, -3).setComponent(axis, Math.fround(at));
    const high = new Vector3(1, 2, 3).setComponent(axis, Math.fround(at));
    expect(box.min).toEqual(low);
    expect(box.max).toEqual(high);
    expect(helper.visible).toBe(true);
  });

  test('shows inside blue and outside orange where they are', () => {
    const helper = new FieldSliceHelper();
    helper.update(field, 2, 0, { scale: 1 });
    const { data, width, height } = helper.material.map!.image as { data: Uint8Array; width: number; height: number };
    expect([width, height]).toEqual([5, 9]);
    for (let row = 0; row < height; row++) {
      const [r, , b] = data.subarray(4 * row * width);
      expect(b).toBeGreaterThan(r);
      const [r2, , b2] = data.subarray(4 * (row * width + width - 1));
      expect(r2).toBeGreaterThan(b2);
    }
    // The corner at the lowest x and y has the first texel at its center.
    const { position, uv } = helper.geometry.attributes;
    const corner = [0, 1, 2, 3].find((i) => position.getX(i) === -1 && position.getY(i) === -2)!;
    expect([uv.getX(corner), uv.getY(corner)]).toEqual([Math.fround(0.5 / width), Math.fround(0.5 / height)]);
    const count = disposals(helper.material.map!, helper.material, helper.geometry);
    helper.update(field, 1, 0);
    helper.dispose();
    expect(count()).toBe(3);
  });

  test('is no part of the model of an object that it is in', () => {
    const mesh = new Mesh(new BoxGeometry(), material);
    const helper = new FieldSliceHelper();
    helper.update(field, 2, 0);
    mesh.add(helper, new PenetrationHelper());
    expect(modelFrom(mesh).report.triangles).toBe(12);
  });
});
