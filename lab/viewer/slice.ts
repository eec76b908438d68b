// A rectangle of samples cut through space: signed distances and winding numbers as a picture with contour lines.
import { Color, DataTexture, DoubleSide, FloatType, RGFormat, ShaderMaterial } from 'three';
import type { Frame } from './frame.js';
import { PLACE_SHADER, type Rectangle, type SamplePlane, samplePlane } from './rectangle.js';

export interface Slice extends Rectangle {
  /** Row by row from the corner; negative inside. */
  readonly distances: Float32Array;
  readonly windingNumbers: Float32Array;
}

export interface SliceStyle {
  readonly shows: 'distance' | 'winding' | 'inside';
  /** World length from one contour to the next. */
  readonly spacing: number;
}

/** The slice as an object: what is inside is solid, what is outside a veil that lets lines behind it through. */
export function slicePlane(slice: Slice, style: SliceStyle, frame: Frame, colors: SliceColors): SamplePlane {
  const samples = sampleTexture(slice, frame);
  const materials = (['SOLID', 'VEIL'] as const).map((part) => sliceMaterial(part, samples, style, frame, colors));
  return samplePlane(slice, samples, materials, frame);
}

export interface SliceColors {
  readonly inside: string;
  readonly outside: string;
  readonly contour: string;
}

/** Signed distances in the view's units, and winding numbers. */
function sampleTexture({ columns, rows, distances, windingNumbers }: Slice, frame: Frame): DataTexture {
  const texels = new Float32Array(2 * columns * rows);
  for (let i = 0; i < columns * rows; i++) {
    texels[2 * i] = distances[i] / frame.size;
    texels[2 * i + 1] = windingNumbers[i];
  }
  const samples = new DataTexture(texels, columns, rows, RGFormat, FloatType);
  samples.needsUpdate = true;
  return samples;
}

function sliceMaterial(
  part: 'SOLID' | 'VEIL',
  samples: DataTexture,
  style: SliceStyle,
  frame: Frame,
  colors: SliceColors,
): ShaderMaterial {
  return new ShaderMaterial({
    side: DoubleSide,
    transparent: part === 'VEIL',
    depthWrite: part === 'SOLID',
    uniforms: {
      samples: { value: samples },
      inside: { value: new Color(colors.inside) },
      outside: { value: new Color(colors.outside) },
      contour: { value: new Color(colors.contour) },
      spacing: { value: style.spacing / frame.size },
    },
    defines: { [part]: '', [style.shows.toUpperCase()]: '' },
    vertexShader: PLACE_SHADER,
    fragmentShader: /* glsl */ `
      uniform sampler2D samples;
      uniform vec3 inside;
      uniform vec3 outside;
      uniform vec3 contour;
      uniform float spacing;
      varying vec2 place;

      // By hand: not every GPU filters textures of 32-bit floats, and 16 bits make the contours ragged.
      vec2 interpolate(vec2 at) {
        ivec2 last = textureSize(samples, 0) - 1;
        vec2 scaled = at * vec2(last);
        ivec2 low = min(ivec2(scaled), last - 1);
        vec2 part = scaled - vec2(low);
        vec2 bottom = mix(texelFetch(samples, low, 0).rg, texelFetch(samples, low + ivec2(1, 0), 0).rg, part.x);
        vec2 top = mix(texelFetch(samples, low + ivec2(0, 1), 0).rg, texelFetch(samples, low + 1, 0).rg, part.x);
        return mix(bottom, top, part.y);
      }

      // How much of a line one or two pixels wide there is at this distance from it.
      float line(float away, float change) {
        return 1.0 - smoothstep(0.4, 1.4, abs(away) / max(change, 1e-7));
      }

      void main() {
        vec2 sampled = interpolate(place);
        #ifdef WINDING
          float depth = 0.5 - sampled.g;
          float change = fwidth(sampled.g);
          // Between the tenths: winding numbers stay at 0 and 1 over wide areas.
          float strength = 0.45 * line(fract(10.0 * sampled.g) / 10.0 - 0.05, change);
          vec3 shown = mix(outside, inside, clamp(sampled.g, 0.0, 1.0));
        #else
          float depth = sampled.r;
          float change = fwidth(sampled.r);
          float strength = 0.0;
          #ifdef DISTANCE
            float nearest = sampled.r - spacing * floor(sampled.r / spacing + 0.5);
            strength = (depth < 0.0 ? 0.55 : 0.4) * line(nearest, change);
          #endif
          vec3 shown = depth < 0.0 ? inside : outside;
        #endif
        strength = max(strength, line(depth, change));
        shown = mix(shown, contour, strength);
        #ifdef SOLID
          if (depth > 0.0) discard;
          gl_FragColor = vec4(shown, 1.0);
        #else
          if (depth <= 0.0) discard;
          vec2 rim = min(place, 1.0 - place);
          gl_FragColor = vec4(shown, smoothstep(0.0, 0.06, min(rim.x, rim.y)) * mix(0.6, 1.0, strength));
        #endif
        #include <colorspace_fragment>
      }`,
  });
}
