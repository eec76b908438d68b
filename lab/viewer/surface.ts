// Meshes as lit surfaces: a key light from the upper right, a fill and a rim that hang on the camera, light of the sky and
// a soft shadow from above that stay. Front and back of a face have colors of their own; a plane may cut the surface open.
import { box as boxes } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import { BufferAttribute, BufferGeometry, Color, DoubleSide, ShaderMaterial, Vector4 } from 'three';
import { cornerNormals } from './corner-normals.js';
import { Frame } from './frame.js';
import { outwardDirections, sharpEdges } from './outline.js';
import { SKY_SHADER, type Sky } from './sky.js';

/** Larger meshes have no lines along sharp edges: looking for them would take longer than a frame. */
const MAX_FOR_EDGES = 20_000;

export interface SurfaceGeometry {
  readonly frame: Frame;
  readonly triangles: BufferGeometry;
  /** Each edge once, for wireframes; made when first asked for. */
  edges(): BufferGeometry;
  /** Its sharp edges; null without sharp edges, or with too many triangles. */
  sharpEdges(): BufferGeometry | null;
  /** Gives `triangles` what a rim needs. */
  prepareRim(): void;
  dispose(): void;
}

/** A mesh on the GPU, in a frame of its own, so that it serves any view and any pose. */
export function surfaceGeometry(mesh: Mesh): SurfaceGeometry {
  const frame = new Frame(boxes.ofPositions(mesh.positions));
  const vertices = frame.toViewArray(mesh.positions);
  const { indices } = mesh;
  const corners = new Float32Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    corners[3 * i] = vertices[3 * indices[i]];
    corners[3 * i + 1] = vertices[3 * indices[i] + 1];
    corners[3 * i + 2] = vertices[3 * indices[i] + 2];
  }
  const triangles = new BufferGeometry();
  triangles.setAttribute('position', new BufferAttribute(corners, 3));
  triangles.setAttribute('normal', new BufferAttribute(cornerNormals(mesh), 3));
  let lines: BufferGeometry | null = null;
  let sharp: BufferGeometry | null = null;
  const linesOf = (edges: Uint32Array): BufferGeometry => {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(vertices, 3));
    geometry.setIndex(new BufferAttribute(edges, 1));
    return geometry;
  };
  return {
    frame,
    triangles,
    edges: () => {
      lines ??= linesOf(uniqueEdges(mesh));
      return lines;
    },
    sharpEdges: () => {
      if (indices.length > 3 * MAX_FOR_EDGES) return null;
      sharp ??= linesOf(sharpEdges(mesh));
      return sharp;
    },
    prepareRim: () => {
      if (!triangles.hasAttribute('outward')) triangles.setAttribute('outward', outwardDirections(mesh));
    },
    dispose: () => {
      triangles.dispose();
      lines?.dispose();
      sharp?.dispose();
    },
  };
}

function uniqueEdges({ positions, indices }: Mesh): Uint32Array {
  const count = positions.length / 3;
  const keys = new Float64Array(indices.length);
  for (let i = 0; i < indices.length; i++) {
    const a = indices[i];
    const b = indices[i % 3 === 2 ? i - 2 : i + 1];
    keys[i] = Math.min(a, b) * count + Math.max(a, b);
  }
  keys.sort();
  const edges: number[] = [];
  for (let i = 0; i < keys.length; i++) {
    if (i === 0 || keys[i] !== keys[i - 1]) edges.push(Math.floor(keys[i] / count), keys[i] % count);
  }
  return Uint32Array.from(edges);
}

/** A color a triangle, as three corners of that color. */
export function cornerColors(faceColors: Float32Array): BufferAttribute {
  const corners = new Float32Array(3 * faceColors.length);
  for (let i = 0; i < corners.length; i++) corners[i] = faceColors[3 * Math.floor(i / 9) + (i % 3)];
  return new BufferAttribute(corners, 3);
}

export interface SurfaceLook {
  readonly color: string;
  /** Each corner has a color of its own, which takes the place of the two others. */
  readonly ownColors: boolean;
  readonly backColor: string;
  /** Flat: a normal a face. Smooth: normals blended up to creases. Unlit: the color itself. */
  readonly shading: 'flat' | 'smooth' | 'unlit';
  readonly opacity: number;
  /** In the view's coordinates: what lies beyond normal · x > offset is cut away. */
  readonly cut: readonly [number, number, number, number] | null;
  /** Drawn over a surface in the same place. */
  readonly inFront: boolean;
}

export function surfaceMaterial(look: SurfaceLook, sky: Sky): ShaderMaterial {
  const material = new ShaderMaterial({
    side: DoubleSide,
    transparent: look.opacity < 1,
    depthWrite: look.opacity === 1,
    polygonOffset: true,
    // Pushed back by about half a hundredth of the view so that lines and highlights on the surface win. The same for every
    // slope: pushed by its slope, a face at the outline would let the back of the model through.
    polygonOffsetUnits: look.inFront ? 100 : 200,
    uniforms: {
      color: { value: new Color(look.color) },
      backColor: { value: new Color(look.backColor) },
      opacity: { value: look.opacity },
      cut: { value: new Vector4(...(look.cut ?? [0, 0, 0, 1])) },
      skyMap: sky.skyMap,
      skyMatrix: sky.skyMatrix,
      skyShown: sky.skyShown,
      sun: sky.sun,
    },
    defines: {
      [look.shading.toUpperCase()]: '',
      ...(look.ownColors && { OWN_COLORS: '' }),
      ...(look.opacity < 1 && { VEIL: '' }),
    },
    vertexShader: /* glsl */ `
      #ifdef OWN_COLORS
        attribute vec3 ownColor;
        varying vec3 seenColor;
      #endif
      uniform vec4 cut;
      varying vec3 placedPosition;
      varying vec3 seenPosition;
      varying vec3 seenNormal;
      varying float beyondCut;
      void main() {
        #ifdef OWN_COLORS
          seenColor = ownColor;
        #endif
        vec4 placed = modelMatrix * vec4(position, 1.0);
        beyondCut = dot(cut.xyz, placed.xyz) - cut.w;
        placedPosition = placed.xyz;
        vec4 seen = viewMatrix * placed;
        seenPosition = seen.xyz;
        seenNormal = normalMatrix * normal;
        gl_Position = projectionMatrix * seen;
      }`,
    fragmentShader: /* glsl */ `
      #ifdef OWN_COLORS
        varying vec3 seenColor;
      #endif
      uniform vec3 color;
      uniform vec3 backColor;
      uniform float opacity;
      uniform vec3 sun;
      varying vec3 placedPosition;
      varying vec3 seenPosition;
      varying vec3 seenNormal;
      varying float beyondCut;
      ${SKY_SHADER}
      void main() {
        if (beyondCut > 0.0) discard;
        #ifdef OWN_COLORS
          vec3 base = seenColor;
        #else
          vec3 base = gl_FrontFacing ? color : backColor;
        #endif
        #ifdef UNLIT
          vec3 lit = base;
        #else
          #ifdef FLAT
            vec3 n = normalize(cross(dFdx(seenPosition), dFdy(seenPosition)));
          #else
            vec3 n = normalize(seenNormal) * (gl_FrontFacing ? 1.0 : -1.0);
          #endif
          vec3 toEye = normalize(-seenPosition);
          float above = 0.5 + 0.5 * dot(n, viewMatrix[1].xyz);
          float toSun = dot(n, (viewMatrix * vec4(sun, 0.0)).xyz);
          // Faces that look away from the sun have no shadow of another on them.
          float shade = mix(1.0, sunlight(placedPosition), 0.7 * smoothstep(-0.05, 0.35, toSun));
          float key = max(dot(n, vec3(0.44, 0.73, 0.52)), 0.0);
          float fill = max(dot(n, vec3(-0.80, 0.12, 0.58)), 0.0);
          float rim = pow(1.0 - max(dot(n, toEye), 0.0), 3.0);
          float gloss = pow(max(dot(n, normalize(vec3(0.44, 0.73, 0.52) + toEye)), 0.0), 40.0);
          vec3 light = mix(vec3(0.15, 0.14, 0.14), vec3(0.34, 0.37, 0.42), above) * mix(0.7, 1.0, shade)
            + vec3(1.02, 0.98, 0.91) * key * shade + vec3(0.20, 0.25, 0.34) * fill;
          vec3 lit = base * light + vec3(0.16) * gloss * shade + vec3(0.16, 0.18, 0.21) * rim * above;
        #endif
        float shown = opacity;
        #if defined(VEIL) && !defined(UNLIT)
          // A veil is denser where it is seen from the side, as glass is: its outline shows.
          float side = 1.0 - abs(dot(normalize(seenNormal), normalize(seenPosition)));
          shown = mix(opacity, min(1.0, opacity + 0.45), side * side * side);
        #endif
        gl_FragColor = vec4(lit, shown);
        #include <colorspace_fragment>
      }`,
  });
  return material;
}
