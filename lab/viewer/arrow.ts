// An arrow: a line as wide as asked for in pixels, and a cone at its end.
import { ConeGeometry, Group, Mesh, MeshBasicMaterial, type Plane, Vector3 } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';

export interface ArrowLook {
  readonly color: string;
  readonly width: number;
  readonly onTop: boolean;
  readonly clippingPlanes: Plane[];
}

/** The head's length in the view's units, and at most this share of a short arrow. */
const HEAD = 0.04;
const HEAD_SHARE = 0.45;

export function arrow({ color, width, onTop, clippingPlanes }: ArrowLook) {
  const shared = { color, depthTest: !onTop, transparent: true, clippingPlanes };
  const shaft = new LineSegments2(new LineSegmentsGeometry(), new LineMaterial({ ...shared, linewidth: width }));
  // A cone of height 1 whose tip is at the origin, pointing up.
  const head = new Mesh(new ConeGeometry(0.28, 1, 24).translate(0, -0.5, 0), new MeshBasicMaterial(shared));
  for (const part of [shaft, head]) part.renderOrder = onTop ? 2 : 1;
  const object = new Group();
  object.add(shaft, head);
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
      shaft.geometry.dispose();
      shaft.geometry = new LineSegmentsGeometry();
      shaft.geometry.setPositions([...from.toArray(), ...neck.toArray()]);
      head.position.copy(to);
      head.scale.setScalar(size);
      head.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), along);
    },
    dispose: (): void => {
      for (const part of [shaft, head]) {
        part.geometry.dispose();
        part.material.dispose();
      }
    },
  };
}
