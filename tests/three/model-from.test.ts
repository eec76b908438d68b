// Models of three.js objects against the vertices that three.js itself computes.
import {
  BatchedMesh,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  DodecahedronGeometry,
  ExtrudeGeometry,
  Float32BufferAttribute,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Line,
  LOD,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  OctahedronGeometry,
  PlaneGeometry,
  Points,
  Quaternion,
  Shape,
  SphereGeometry,
  TetrahedronGeometry,
  TorusGeometry,
  TorusKnotGeometry,
  Vector3,
} from 'three';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { measureDistance } from '../../src/proximity/queries.js';
import { modelFrom, poseFrom } from '../../src/three/index.js';
import { codeOf } from '../error-code.js';
import { morphed, skinned } from './sample-objects.js';
import { expectTraced } from './traced.js';

/** Parents that turn, scale unevenly and move, so that the world matrix of a turned child has shear. */
function below(object: Object3D): Object3D {
  const parent = new Group();
  parent.position.set(3, -2, 5);
  parent.rotation.set(0.4, -1.1, 0.7);
  parent.scale.set(2, 0.5, 1.5);
  object.rotation.set(-0.3, 0.8, 1.9);
  object.position.set(-0.4, 0.2, 0.9);
  parent.add(object);
  return object;
}

describe('poseFrom', () => {
  test('is rigid, and the model carries what it leaves out', () => {
    const mesh = below(new Mesh(new BoxGeometry(1, 2, 3), new MeshBasicMaterial()));
    const pose = poseFrom(mesh);
    expect(Math.hypot(pose[3], pose[4], pose[5], pose[6])).toBeCloseTo(1, 14);
    const origin = new Vector3().applyMatrix4(mesh.matrixWorld);
    expect(pose.slice(0, 3)).toEqual(origin.toArray());
    expectTraced(modelFrom(mesh));
  });

  test('of an object without scale is its position and quaternion', () => {
    const random = createRandom(4);
    const object = new Object3D();
    for (let i = 0; i < 20; i++) {
      object.quaternion.set(...random.rotation());
      object.position.set(random.normal(), random.normal(), random.normal());
      const pose = poseFrom(object);
      const turn = new Quaternion(pose[3], pose[4], pose[5], pose[6]);
      expect(Math.abs(turn.dot(object.quaternion))).toBeCloseTo(1, 12);
      expect(pose.slice(0, 3)).toEqual(object.position.toArray());
    }
  });

  test('brings the matrices of parents up to date', () => {
    const parent = new Group();
    const child = new Object3D();
    parent.add(child);
    parent.position.x = 7;
    child.position.x = 1;
    expect(poseFrom(child).slice(0, 3)).toEqual([8, 0, 0]);
  });

  test('refuses what is no object and matrices that are not finite', () => {
    expect(codeOf(() => poseFrom(new Vector3() as never))).toBe('bad-argument');
    expect(codeOf(() => poseFrom(null as never))).toBe('bad-argument');
    const object = new Object3D();
    object.position.x = Number.NaN;
    expect(codeOf(() => poseFrom(object))).toBe('non-finite');
  });
});

describe('the geometries of three.js', () => {
  const square = new Shape(
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0.5, 0.4],
      [0, 1],
    ].map(([x, y]) => ({ x, y })) as never,
  );
  const solids: [string, BufferGeometry, Vector3][] = [
    ['box', new BoxGeometry(1, 1, 1, 2, 3, 4), new Vector3()],
    ['box without index', new BoxGeometry().toNonIndexed(), new Vector3()],
    ['sphere', new SphereGeometry(1, 32, 16), new Vector3()],
    ['cylinder', new CylinderGeometry(1, 0.5, 2, 32, 3), new Vector3()],
    ['cone', new ConeGeometry(1, 2, 17), new Vector3()],
    ['capsule', new CapsuleGeometry(0.5, 1, 6, 12), new Vector3()],
    ['torus', new TorusGeometry(1, 0.3, 12, 40), new Vector3(1, 0, 0)],
    ['torus knot', new TorusKnotGeometry(1, 0.3, 64, 8), new Vector3(1.5, 0, 0)],
    ['tetrahedron', new TetrahedronGeometry(1), new Vector3()],
    ['octahedron', new OctahedronGeometry(1, 2), new Vector3()],
    ['icosahedron', new IcosahedronGeometry(1, 3), new Vector3()],
    ['dodecahedron', new DodecahedronGeometry(1), new Vector3()],
    ['extrusion', new ExtrudeGeometry(square, { depth: 1, bevelEnabled: false }), new Vector3(0.2, 0.2, 0.5)],
    ['extrusion with bevels', new ExtrudeGeometry(square, { depth: 1 }), new Vector3(0.2, 0.2, 0.5)],
  ];

  test.each(solids)('a %s is a solid that holds its inside', (_, geometry, inside) => {
    const { model, report } = modelFrom(geometry);
    expect(report.weldedVertices).toBeGreaterThan(0);
    expect(model.closed).toBe(true);
    expect(model.outward).toBe(true);
    expect(model.isInside(inside.toArray())).toBe(true);
    expect(model.isInside([9, 9, 9])).toBe(false);
  });

  test('a small box inside a large one is at distance 0', () => {
    const large = modelFrom(new Mesh(new BoxGeometry(10, 10, 10)));
    const small = modelFrom(new Mesh(new BoxGeometry(1, 1, 1)));
    expect(measureDistance(large.model, small.model, large.pose, small.pose)).toMatchObject({
      intersects: true,
      distance: 0,
    });
  });

  test('a plane stays open', () => {
    expect(modelFrom(new PlaneGeometry(1, 1, 3, 3)).model.closed).toBe(false);
  });

  test('welding can be limited to equal positions, and grow', () => {
    const sphere = new SphereGeometry(1, 16, 8);
    expect(modelFrom(sphere, { weldTolerance: 0 }).model.closed).toBe(false);
    expect(modelFrom(sphere).model.closed).toBe(true);
    const gap = new BoxGeometry(1, 1, 1);
    gap.attributes.position.setX(0, gap.attributes.position.getX(0) + 1e-4);
    expect(modelFrom(gap).model.closed).toBe(false);
    expect(modelFrom(gap, { weldTolerance: 1e-3 }).model.closed).toBe(true);
  });
});

describe('attributes', () => {
  const material = new MeshBasicMaterial();

  test('interleaved', () => {
    const box = new BoxGeometry(1, 2, 3);
    const { position } = box.attributes;
    const values = new Float32Array(8 * position.count);
    for (let i = 0; i < position.count; i++) {
      values.set([9, 9, position.getX(i), position.getY(i), position.getZ(i), 9, 9, 9], 8 * i);
    }
    const geometry = new BufferGeometry().setIndex(box.index);
    geometry.setAttribute('position', new InterleavedBufferAttribute(new InterleavedBuffer(values, 8), 3, 2) as never);
    const traced = modelFrom(below(new Mesh(geometry, material)));
    expectTraced(traced);
    expect(traced.model.closed).toBe(true);
  });

  test('normalized integers, with the scale that undoes it', () => {
    const sphere = new SphereGeometry(1, 24, 12);
    const quantized = Int16Array.from(sphere.attributes.position.array, (value) => Math.round(32767 * value));
    const geometry = new BufferGeometry().setIndex(sphere.index);
    geometry.setAttribute('position', new BufferAttribute(quantized, 3, true));
    const mesh = new Mesh(geometry, material);
    mesh.scale.setScalar(40);
    const traced = modelFrom(mesh);
    expectTraced(traced, 1e-4);
    expect(traced.model.closed).toBe(true);
    expect(traced.model.boxMax[0]).toBeCloseTo(40, 2);
    expect(traced.report.scaled).toBe(true);
  });

  test('draw ranges', () => {
    for (const geometry of [new BoxGeometry(), new BoxGeometry().toNonIndexed()]) {
      geometry.setDrawRange(6, 12);
      const traced = modelFrom(new Mesh(geometry, material));
      expect(traced.report.triangles).toBe(4);
      expect([0, 1, 2, 3].map((triangle) => traced.sourceOf(triangle).faceIndex)).toEqual([2, 3, 4, 5]);
      expectTraced(traced);
    }
  });

  test('groups count with several materials: a group without a material is not drawn, two passes count once', () => {
    const geometry = new BoxGeometry();
    const mesh = new Mesh(geometry, [material, material, material, material]);
    expect(modelFrom(mesh).report.triangles).toBe(8);
    mesh.material = Array.from({ length: 6 }, () => material);
    geometry.addGroup(0, 12, 1);
    const traced = modelFrom(mesh);
    expect(traced.report.triangles).toBe(12);
    expect(traced.model.closed).toBe(true);
    expectTraced(traced);
    expect(modelFrom(new Mesh(geometry, material)).report.triangles).toBe(12);
  });
});

describe('placed meshes', () => {
  const material = new MeshBasicMaterial();

  test('mirrored: faces are turned, the solid stays a solid', () => {
    const mesh = new Mesh(new TorusKnotGeometry(1, 0.3, 40, 8), material);
    mesh.scale.set(-1, 2, 1);
    below(mesh);
    const traced = modelFrom(mesh);
    expectTraced(traced);
    expect(traced.report).toMatchObject({ mirroredInstances: 1, scaled: true });
    expect(traced.model.outward).toBe(true);
  });

  test('trees: children under turned and scaled parents, mirrored and not', () => {
    const random = createRandom(11);
    const root = new Group();
    let parent: Object3D = root;
    for (let i = 0; i < 12; i++) {
      const child = new Mesh(new BoxGeometry(1 + random.next(), 1, 1), material);
      child.position.set(random.normal(), random.normal(), random.normal());
      child.quaternion.set(...random.rotation());
      child.scale.set(i % 3 === 0 ? -1.2 : 0.8, 0.7 + random.next(), 1.1);
      parent.add(child);
      parent = random.next() < 0.5 ? root : child;
    }
    below(root);
    const traced = modelFrom(root);
    expect(traced.report).toMatchObject({ meshes: 12, instances: 12, triangles: 144 });
    expect(traced.report.mirroredInstances).toBeGreaterThan(2);
    expectTraced(traced);
    expect(traced.model.closed).toBe(true);
  });

  test('instances, mirrored and hidden by a scale of zero among them', () => {
    const mesh = new InstancedMesh(new BoxGeometry(1, 2, 3), material, 7);
    const random = createRandom(3);
    for (let i = 0; i < 7; i++) {
      const scale = i === 4 ? new Vector3(0, 0, 0) : new Vector3(i === 2 ? -1 : 1, 0.5 + random.next(), 1);
      const place = new Vector3(5 * i, random.normal(), random.normal());
      mesh.setMatrixAt(i, new Matrix4().compose(place, new Quaternion(...random.rotation()), scale));
    }
    mesh.count = 6;
    const traced = modelFrom(below(mesh));
    expect(traced.report).toMatchObject({ meshes: 1, instances: 5, triangles: 60, mirroredInstances: 1 });
    expectTraced(traced, 1e-5);
    expect(traced.sourceOf(59)).toMatchObject({ mesh, instanceId: 5, faceIndex: 11 });
    expect(traced.model.closed).toBe(true);
  });

  test('batches: instances of several geometries, some hidden, one deleted', () => {
    const mesh = new BatchedMesh(8, 500, 2000, material);
    const box = mesh.addGeometry(new BoxGeometry(1, 2, 3));
    const sphere = mesh.addGeometry(new SphereGeometry(1, 8, 6));
    const ids = [box, sphere, sphere, box, sphere].map((geometry, i) => {
      const id = mesh.addInstance(geometry);
      mesh.setMatrixAt(id, new Matrix4().makeRotationX(i).setPosition(4 * i, 1, i));
      return id;
    });
    mesh.setVisibleAt(ids[1], false);
    mesh.deleteInstance(ids[0]);
    const traced = modelFrom(below(mesh));
    expect(traced.report.instances).toBe(3);
    expectTraced(traced, 1e-5);
    const last = traced.sourceOf(traced.report.triangles - 1);
    expect(last).toMatchObject({ mesh, instanceId: ids[4] });
    expect(traced.model.closed).toBe(true);
  });

  test.each(['attached', 'detached'] as const)('skinned in the current pose, %s', (bindMode) => {
    const { mesh } = skinned(bindMode);
    below(mesh);
    if (bindMode === 'detached') mesh.add(new Object3D());
    const traced = modelFrom(mesh);
    mesh.updateMatrixWorld(true);
    expectTraced(traced);
    expect(traced.model.closed).toBe(true);
    const rest = modelFrom(mesh.geometry).model;
    expect(traced.model.boxMax[0] - traced.model.boxMin[0]).not.toBeCloseTo(rest.boxMax[0] - rest.boxMin[0], 1);
  });

  test('skinned by bones that are elsewhere in the scene, and with weights that do not add up to 1', () => {
    const { mesh, bones } = skinned();
    const scene = new Group();
    scene.add(mesh, bones[0]);
    bones[0].position.x = 3;
    mesh.geometry.attributes.skinWeight.setX(5, 0.5);
    const traced = modelFrom(mesh);
    scene.updateMatrixWorld(true);
    expectTraced(traced);
  });

  test('bones that part a seam keep it open', () => {
    const { mesh } = skinned();
    const { position, skinWeight, skinIndex } = mesh.geometry.attributes;
    // The cap repeats the vertices of the side.
    const top = Array.from({ length: position.count }, (_, i) => i).filter((i) => position.getY(i) === 2);
    for (const vertex of top.slice(0, 9)) {
      skinIndex.setXYZW(vertex, 0, 0, 0, 0);
      skinWeight.setXYZW(vertex, 1, 0, 0, 0);
    }
    const traced = modelFrom(mesh);
    mesh.updateMatrixWorld(true);
    expectTraced(traced);
    expect(traced.model.closed).toBe(false);
  });

  test.each([true, false])('morphed, targets relative: %s', (relative) => {
    const traced = modelFrom(below(morphed(relative)));
    expectTraced(traced);
    expect(traced.model.closed).toBe(true);
  });

  test('instances with a morph of their own', () => {
    const single = morphed(true);
    const mesh = new InstancedMesh(single.geometry, material, 3);
    for (let i = 0; i < 3; i++) {
      mesh.setMatrixAt(i, new Matrix4().makeTranslation(5 * i, 0, 0));
      single.morphTargetInfluences![0] = i;
      mesh.setMorphAt(i, single);
    }
    const { model, report } = modelFrom(mesh);
    const heights = [0, 1, 2].map((i) => {
      let high = 0;
      for (let v = 0; v < model.mesh.positions.length; v += 3) {
        if (Math.abs(model.mesh.positions[v] - 5 * i) < 2) high = Math.max(high, model.mesh.positions[v + 1]);
      }
      return high;
    });
    expect(report.instances).toBe(3);
    expect(heights).toEqual([1, 2, 3]);
  });

  test('one surface that a loader split by material is joined, and closed', () => {
    const geometry = new BoxGeometry();
    const root = new Group();
    for (const { start, count } of geometry.groups) {
      const side = geometry.clone();
      side.setDrawRange(start, count);
      side.clearGroups();
      root.add(new Mesh(side, material));
    }
    const traced = modelFrom(below(root));
    expect(traced.report).toMatchObject({ meshes: 6, triangles: 12, weldedVertices: 16 });
    expect(traced.model.closed).toBe(true);
    expectTraced(traced);
  });

  test('the pair of a feature is traced to a mesh and a face', () => {
    const root = new Group();
    const near = new Mesh(new BoxGeometry(), material);
    near.position.x = 5;
    root.add(new Mesh(new BoxGeometry(), material), near);
    const a = modelFrom(root);
    const b = modelFrom(new Mesh(new SphereGeometry(1, 8, 6), material));
    const { witness } = measureDistance(a.model, b.model, a.pose, [9, 0.1, 0.2, 0, 0, 0, 1]);
    const source = a.sourceOf(witness!.featureA!);
    expect(source.mesh).toBe(near);
    // The faces of a box at +x.
    expect(source.faceIndex).toBeLessThan(2);
    expect(codeOf(() => a.sourceOf(24))).toBe('index-out-of-range');
    expect(codeOf(() => a.sourceOf({ kind: 'edge', vertices: [0, 15] }))).toBe('bad-argument');
  });
});

describe('what counts', () => {
  const material = new MeshBasicMaterial();
  const box = (): Mesh => new Mesh(new BoxGeometry(), material);

  test('invisible children only on request, as for a Raycaster', () => {
    const root = new Group();
    const hidden = new Group();
    hidden.visible = false;
    hidden.add(box());
    root.add(box(), hidden);
    expect(modelFrom(root).report.triangles).toBe(24);
    expect(modelFrom(root, { visibleOnly: true }).report).toMatchObject({ triangles: 12, leftOut: 1 });
    expect(modelFrom(root, { filter: (object) => object !== hidden }).report.triangles).toBe(12);
  });

  test('lines, points, wide lines and helpers are left out; of levels of detail the finest counts', () => {
    const root = new Group();
    const wide = new LineSegments2(new LineSegmentsGeometry().setPositions([0, 0, 0, 1, 1, 1]));
    root.add(box(), new Line(new BoxGeometry()), new Points(new BoxGeometry()), wide);
    const lod = new LOD();
    lod.addLevel(new Mesh(new SphereGeometry(1, 16, 8), material), 0);
    lod.addLevel(new Mesh(new SphereGeometry(1, 4, 3), material), 10);
    root.add(lod);
    expect(modelFrom(root).report).toMatchObject({ meshes: 2, triangles: 12 + 16 * 14, leftOut: 3 });
  });

  test('objects without triangles are refused by name', () => {
    const lines = new Group();
    lines.name = 'wires';
    lines.add(new Line(new BoxGeometry()));
    expect(() => modelFrom(lines)).toThrow(/no triangles in the Group "wires"; 1 objects/);
    expect(codeOf(() => modelFrom(lines))).toBe('empty-mesh');
    expect(codeOf(() => modelFrom(new Group()))).toBe('empty-mesh');
    expect(codeOf(() => modelFrom(new BufferGeometry()))).toBe('empty-mesh');
    expect(codeOf(() => modelFrom(new Points(new BoxGeometry())))).toBe('empty-mesh');
    expect(codeOf(() => modelFrom({} as never))).toBe('bad-argument');
    expect(codeOf(() => modelFrom(new MeshBasicMaterial() as never))).toBe('bad-argument');
    expect(codeOf(() => modelFrom(box(), { visible: true } as never))).toBe('bad-argument');
    expect(codeOf(() => modelFrom(box(), null as never))).toBe('bad-argument');
    expect(codeOf(() => modelFrom(box(), { weldTolerance: 2 }))).toBe('bad-argument');
  });

  test('bad geometry is refused with the vertex', () => {
    const geometry = new BoxGeometry();
    geometry.name = 'crate';
    geometry.attributes.position.setY(7, Number.NaN);
    expect(() => modelFrom(geometry)).toThrow(/Vertex 7 of the BoxGeometry "crate" has the coordinate NaN/);
    const far = new BoxGeometry().setIndex([0, 1, 99]);
    expect(codeOf(() => modelFrom(far))).toBe('index-out-of-range');
    const flat = new BufferGeometry().setAttribute('position', new Float32BufferAttribute([0, 0, 1, 0, 0, 1], 2));
    expect(codeOf(() => modelFrom(flat))).toBe('bad-argument');
    const { mesh } = skinned();
    mesh.geometry.attributes.skinIndex.setX(3, 12);
    expect(codeOf(() => modelFrom(mesh))).toBe('index-out-of-range');
  });

  test('a geometry whose unused vertices are not finite is fine', () => {
    const geometry = new BoxGeometry();
    geometry.attributes.position.setY(23, Number.NaN);
    geometry.setDrawRange(0, 6);
    expect(modelFrom(geometry).report.triangles).toBe(2);
  });
});
