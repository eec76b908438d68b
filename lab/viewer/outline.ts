// The outline of a body: its back, drawn a little larger in a dark color, so that a rim of it shows; and lines along its
// sharp edges. Both are drawn with the surface and need no pass over the image.
import type { Mesh } from 'nearfield/mesh';
import {
  BackSide,
  BufferAttribute,
  type BufferGeometry,
  type Color,
  ShaderMaterial,
  Mesh as ThreeMesh,
  Vector4,
} from 'three';
import { faceNormals } from './corner-normals.js';
import type { Sky } from './sky.js';

/** Faces that meet at a larger angle have a line between them: cos 35°. */
const SHARP_COSINE = 0.82;
/** In CSS pixels. */
const RIM_WIDTH = 1.4;

/** Four bytes a corner: where its vertex would move if the body grew. */
export function outwardDirections({ positions, indices }: Mesh): BufferAttribute {
  const faces = faceNormals({ positions, indices });
  const sums = new Float64Array(positions.length);
  for (let i = 0; i < indices.length; i++) {
    const face = 4 * Math.floor(i / 3);
    for (let k = 0; k < 3; k++) sums[3 * indices[i] + k] += faces[face + k] * faces[face + 3];
  }
  const corners = new Int8Array(4 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    const o = 3 * indices[i];
    const length = Math.hypot(sums[o], sums[o + 1], sums[o + 2]) || 1;
    for (let k = 0; k < 3; k++) corners[4 * i + k] = Math.round((127 * sums[o + k]) / length);
  }
  return new BufferAttribute(corners, 4, true);
}

export interface RimLook {
  readonly color: Color;
  readonly cut: readonly number[] | null;
}

/** The rim; the geometry has the directions as `outward`. */
export function rim(geometry: BufferGeometry, { color, cut }: RimLook, sky: Sky): ThreeMesh {
  const material = new ShaderMaterial({
    side: BackSide,
    // Behind the back of the surface itself, which is visible where a body is open.
    polygonOffset: true,
    polygonOffsetUnits: 700,
    uniforms: {
      color: { value: color },
      width: { value: RIM_WIDTH },
      canvasSize: sky.canvasSize,
      cut: { value: new Vector4(...(cut ?? [0, 0, 0, 1])) },
    },
    vertexShader: /* glsl */ `
      attribute vec4 outward;
      uniform vec2 canvasSize;
      uniform float width;
      uniform vec4 cut;
      varying float beyondCut;
      void main() {
        vec4 placed = modelMatrix * vec4(position, 1.0);
        beyondCut = dot(cut.xyz, placed.xyz) - cut.w;
        gl_Position = projectionMatrix * viewMatrix * placed;
        vec2 aside = (normalMatrix * outward.xyz).xy;
        float length_ = length(aside);
        if (length_ > 1e-4) gl_Position.xy += aside / length_ * (2.0 * width * gl_Position.w) / canvasSize;
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 color;
      varying float beyondCut;
      void main() {
        if (beyondCut > 0.0) discard;
        gl_FragColor = vec4(color, 1.0);
        #include <colorspace_fragment>
      }`,
  });
  return new ThreeMesh(geometry, material);
}

/** Pairs of vertices: edges between faces at a sharp angle, and edges of one face only. */
export function sharpEdges(mesh: Mesh): Uint32Array {
  const { positions, indices } = mesh;
  const count = positions.length / 3;
  const faces = faceNormals(mesh);
  const corners = indices.length;
  /** The corner at which an edge that one face has shown so far starts. */
  const open = new Map<number, number>();
  const found: number[] = [];
  for (let i = 0; i < corners; i++) {
    const a = indices[i];
    const b = indices[i % 3 === 2 ? i - 2 : i + 1];
    const key = Math.min(a, b) * count + Math.max(a, b);
    const other = open.get(key);
    if (other === undefined) {
      open.set(key, i);
      continue;
    }
    open.delete(key);
    const [p, q] = [4 * Math.floor(other / 3), 4 * Math.floor(i / 3)];
    const cosine = faces[p] * faces[q] + faces[p + 1] * faces[q + 1] + faces[p + 2] * faces[q + 2];
    if (cosine < SHARP_COSINE) found.push(a, b);
  }
  for (const i of open.values()) found.push(indices[i], indices[i % 3 === 2 ? i - 2 : i + 1]);
  return Uint32Array.from(found);
}
