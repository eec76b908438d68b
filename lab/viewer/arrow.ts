// An arrow: a line as wide as asked for in pixels, and a cone at its end.
import { ConeGeometry, GreaterDepth, Group, Mesh, MeshBasicMaterial, Vector3 } from 'three';
import { HIDDEN_OPACITY, type LineLook, lines } from './lines.js';

/** The head's length in the view's units, and at most this share of a short arrow. */
const HEAD = 0.04;
const HEAD_SHARE = 0.45;

export function arrow(look: LineLook) {
  const { color, hiding, clippingPlanes } = look;
  const shaft = lines({ ...look, endColors: null, halo: null });
  const shared = { color, transparent: true, clippingPlanes, depthTest: hiding !== 'shown' };
  const faint = { ...shared, depthFunc: GreaterDepth, depthWrite: false, opacity: HIDDEN_OPACITY };
  const materials = [...(hiding === 'dashed' ? [faint] : []), shared].map((use) => new MeshBasicMaterial(use));
  // A cone of height 1 whose tip is at the origin, pointing up.
  const cone = new ConeGeometry(0.28, 1, 24).translate(0, -0.5, 0);
  const head = new Group();
  for (const material of materials) {
    const part = new Mesh(cone, material);
    part.renderOrder = hiding === 'hidden' ? 1 : 2;
    head.add(part);
  }
  const object = new Group();
  object.add(shaft.object, head);
  return {
    object,
    /** Six numbers in the view's units: where it begins and where it ends. */
    show: (ends: ArrayLike<number>): void => {
      const from = new Vector3(ends[0], ends[1], ends[2]);
      const to = new Vector3(ends[3], ends[4], ends[5]);
      const along = to.clone().sub(from);
      const length = along.length();
      const size = Math.min(HEAD, HEAD_SHARE * length);
      along.normalize();
      const neck = to.clone().addScaledVector(along, -0.9 * size);
      shaft.show(Float32Array.of(...from.toArray(), ...neck.toArray()));
      head.position.copy(to);
      head.scale.setScalar(size);
      head.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), along);
    },
    dispose: (): void => {
      shaft.dispose();
      cone.dispose();
      for (const material of materials) material.dispose();
    },
  };
}
