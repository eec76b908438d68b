// Rectangles of samples in space: the plane that a texture of them lies on, drawn once by each of its materials.
import type { Vec3 } from 'nearfield/core';
import { BufferAttribute, BufferGeometry, type DataTexture, Group, type Material, Mesh } from 'three';
import type { Frame } from './frame.js';

export interface Rectangle {
  /** The place of the first sample, in the world, and the two edges from it to the last of its row and of its column. */
  readonly corner: Readonly<Vec3>;
  readonly across: Readonly<Vec3>;
  readonly up: Readonly<Vec3>;
  readonly columns: number;
  readonly rows: number;
}

export interface SamplePlane {
  readonly object: Group;
  dispose(): void;
}

/** Gives fragments their place in the rectangle: from (0, 0) at the first sample to (1, 1) at the last. */
export const PLACE_SHADER = /* glsl */ `
  varying vec2 place;
  void main() {
    place = uv;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

/** The plane owns the texture and the materials. */
export function samplePlane(
  { corner, across, up }: Rectangle,
  samples: DataTexture,
  materials: readonly Material[],
  frame: Frame,
): SamplePlane {
  const at = (s: number, t: number): Vec3 =>
    frame.toView([0, 1, 2].map((axis) => corner[axis] + s * across[axis] + t * up[axis]));
  const geometry = new BufferGeometry();
  const positions = new Float32Array([...at(0, 0), ...at(1, 0), ...at(1, 1), ...at(0, 1)]);
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('uv', new BufferAttribute(new Float32Array([0, 0, 1, 0, 1, 1, 0, 1]), 2));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  const object = new Group();
  for (const material of materials) object.add(new Mesh(geometry, material));
  return {
    object,
    dispose: () => {
      geometry.dispose();
      samples.dispose();
      for (const material of materials) material.dispose();
    },
  };
}
