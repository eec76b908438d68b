// A Voronoi diagram as a picture: a color for each region, lines of equal distance, darker near the sites. Colors and
// distances are interpolated between samples, so that lines stay sharp however coarse the samples are.
import {
  DataTexture,
  DoubleSide,
  FloatType,
  NearestFilter,
  RedFormat,
  RGBAFormat,
  ShaderMaterial,
  SRGBColorSpace,
  UnsignedByteType,
  Vector3,
} from 'three';
import { linearStops } from '../color-scale.js';
import { regionPalette } from '../region-colors.js';
import type { Frame } from './frame.js';
import { PLACE_SHADER, type Rectangle, type SamplePlane, samplePlane } from './rectangle.js';

/** Samples are the centers of pixels that fill the rectangle. */
export interface Regions extends Rectangle {
  /** Row by row from the corner: the color of the region, 255 for none. */
  readonly colors: Uint8Array;
  readonly distances: Float32Array;
  /** The largest finite distance. */
  readonly farthest: number;
}

export interface RegionStyle {
  readonly shows: 'regions' | 'distances';
  /** The distance from one line of equal distance to the next; 0 for none. */
  readonly spacing: number;
}

/** A plane that shows other samples of the same rectangle, as from frame to frame. */
export interface RegionPlane extends SamplePlane {
  show(regions: Regions): void;
}

export function regionPlane(regions: Rectangle, { shows, spacing }: RegionStyle, frame: Frame): RegionPlane {
  const { columns, rows } = regions;
  const samples = columns * rows;
  const indices = new DataTexture(new Uint8Array(samples), columns, rows, RedFormat, UnsignedByteType);
  indices.unpackAlignment = 1;
  const nearest = new Float32Array(samples);
  const distances = new DataTexture(nearest, columns, rows, RedFormat, FloatType);
  const palette = new DataTexture(regionPalette(), 256, 1, RGBAFormat, UnsignedByteType);
  palette.colorSpace = SRGBColorSpace;
  for (const texture of [indices, distances, palette]) texture.magFilter = texture.minFilter = NearestFilter;
  palette.needsUpdate = true;
  const stops = linearStops('sequential').map((color) => new Vector3(...color));
  const material = new ShaderMaterial({
    side: DoubleSide,
    polygonOffset: true,
    // Farther back than surfaces: what lies on the sheet covers it.
    polygonOffsetUnits: 400,
    uniforms: {
      indices: { value: indices },
      distances: { value: distances },
      palette: { value: palette },
      stops: { value: stops },
      farthest: { value: 1 },
      spacing: { value: spacing },
    },
    defines: { STOPS: stops.length, ...(shows === 'distances' && { DISTANCES: '' }) },
    vertexShader: PLACE_SHADER,
    fragmentShader: /* glsl */ `
      uniform sampler2D indices;
      uniform sampler2D distances;
      uniform sampler2D palette;
      uniform vec3 stops[STOPS];
      uniform float farthest;
      uniform float spacing;
      varying vec2 place;

      vec3 colorAt(ivec2 at) {
        return texelFetch(palette, ivec2(int(texelFetch(indices, at, 0).r * 255.0 + 0.5), 0), 0).rgb;
      }

      void main() {
        ivec2 size = textureSize(indices, 0);
        vec2 scaled = clamp(place * vec2(size) - 0.5, vec2(0.0), vec2(size - 1));
        ivec2 first = clamp(ivec2(scaled), ivec2(0), max(size - 2, ivec2(0)));
        ivec2 last = min(first + 1, size - 1);
        vec2 part = scaled - vec2(first);
        float d = mix(
          mix(texelFetch(distances, first, 0).r, texelFetch(distances, ivec2(last.x, first.y), 0).r, part.x),
          mix(texelFetch(distances, ivec2(first.x, last.y), 0).r, texelFetch(distances, last, 0).r, part.x),
          part.y);
        bool none = d > 1e29;
        #ifdef DISTANCES
          float along = clamp(d / farthest, 0.0, 1.0) * float(STOPS - 1);
          int from = min(int(along), STOPS - 2);
          vec3 shown = none ? vec3(0.85) : mix(stops[from], stops[from + 1], along - float(from));
        #else
          vec3 shown = mix(
            mix(colorAt(first), colorAt(ivec2(last.x, first.y)), part.x),
            mix(colorAt(ivec2(first.x, last.y)), colorAt(last), part.x),
            part.y);
          // A little darker near the site, like a valley.
          shown *= none ? 1.0 : mix(0.8, 1.04, smoothstep(0.0, 0.55, d / farthest));
        #endif
        if (spacing > 0.0 && !none) {
          float level = d / spacing;
          float line = abs(fract(level - 0.5) - 0.5) / max(fwidth(level), 1e-6);
          // Lines that run together are left out: they would only be gray.
          float strength = (1.0 - smoothstep(0.4, 1.4, line)) * (1.0 - smoothstep(0.2, 0.5, fwidth(level)));
          #ifdef DISTANCES
            shown = mix(shown, vec3(1.0), 0.35 * strength * step(0.5, level));
          #else
            shown *= 1.0 - 0.3 * strength * step(0.5, level);
          #endif
        }
        gl_FragColor = vec4(shown, 1.0);
        #include <colorspace_fragment>
      }`,
  });
  const plane = samplePlane(regions, indices, [material], frame);
  return {
    object: plane.object,
    show: (shown) => {
      indices.image.data = shown.colors;
      // Not every GPU keeps infinite texels.
      for (let i = 0; i < samples; i++) nearest[i] = Math.min(shown.distances[i], 1e30);
      indices.needsUpdate = distances.needsUpdate = true;
      material.uniforms.farthest.value = shown.farthest || 1;
    },
    dispose: () => {
      plane.dispose();
      distances.dispose();
      palette.dispose();
    },
  };
}
