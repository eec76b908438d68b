// A rectangle of numbers in space as a picture, in a scale of colors. The numbers are interpolated before they become
// colors, so that the place where they change sign is a sharp line however coarse the samples are.
import { DataTexture, DoubleSide, FloatType, RedFormat, ShaderMaterial, Vector3 } from 'three';
import { linearStops, type ScaleName } from '../color-scale.js';
import type { Frame } from './frame.js';
import { PLACE_SHADER, type Rectangle, type SamplePlane, samplePlane } from './rectangle.js';

export interface Picture extends Rectangle {
  /** Row by row from the corner; NaN is left clear. */
  readonly samples: Float32Array;
  /** The samples that the ends of the scale stand for; the middle of a diverging one stands for 0. */
  readonly low: number;
  readonly high: number;
}

export interface PictureStyle {
  readonly scale: ScaleName;
  /** Of a diverging scale, what is shown: below 0, above 0, or both. Default: both. */
  readonly part?: 'below' | 'above' | 'both';
}

/** What stands for NaN in the texture: GPUs need not keep NaN. */
const CLEAR = 3e38;
const VEIL_OPACITY = 0.62;

export function picturePlane(
  picture: Picture,
  { scale, part: shown = 'both' }: PictureStyle,
  frame: Frame,
): SamplePlane {
  const texels = picture.samples.map((sample) => (Number.isNaN(sample) ? CLEAR : sample));
  const samples = new DataTexture(texels, picture.columns, picture.rows, RedFormat, FloatType);
  samples.needsUpdate = true;
  // What is below 0 is solid; what is above is a veil, so that a model behind it is seen.
  const halves = (
    [
      ['SOLID', 'below'],
      ['VEIL', 'above'],
    ] as const
  ).filter(([, half]) => shown === 'both' || shown === half);
  const parts = scale === 'diverging' ? halves.map(([part]) => part) : (['WHOLE'] as const);
  const materials = parts.map((part) => pictureMaterial(part, samples, picture, scale));
  return samplePlane(picture, samples, materials, frame);
}

function pictureMaterial(
  part: 'SOLID' | 'VEIL' | 'WHOLE',
  samples: DataTexture,
  { low, high }: Picture,
  scale: ScaleName,
): ShaderMaterial {
  const stops = linearStops(scale).map((color) => new Vector3(...color));
  return new ShaderMaterial({
    side: DoubleSide,
    transparent: part === 'VEIL',
    depthWrite: part !== 'VEIL',
    // Pushed back a little, less than surfaces are: lines in the same plane are to be seen.
    polygonOffset: true,
    polygonOffsetUnits: 50,
    uniforms: { samples: { value: samples }, stops: { value: stops }, low: { value: low }, high: { value: high } },
    defines: {
      [part]: '',
      STOPS: stops.length,
      VEIL_OPACITY: VEIL_OPACITY.toFixed(2),
      ...(scale === 'diverging' && { DIVERGING: '' }),
    },
    vertexShader: PLACE_SHADER,
    fragmentShader: /* glsl */ `
      uniform sampler2D samples;
      uniform vec3 stops[STOPS];
      uniform float low;
      uniform float high;
      varying vec2 place;

      float sampleAt(ivec2 at) {
        return texelFetch(samples, at, 0).r;
      }

      void main() {
        // By hand: not every GPU filters textures of 32-bit floats.
        ivec2 last = textureSize(samples, 0) - 1;
        vec2 scaled = place * vec2(last);
        ivec2 first = clamp(ivec2(scaled), ivec2(0), last - 1);
        vec2 part = scaled - vec2(first);
        float a = sampleAt(first);
        float b = sampleAt(first + ivec2(1, 0));
        float c = sampleAt(first + ivec2(0, 1));
        float d = sampleAt(first + 1);
        if (max(max(a, b), max(c, d)) > 1e38) discard;
        float value = mix(mix(a, b, part.x), mix(c, d, part.x), part.y);
        #ifdef DIVERGING
          // Two scales that meet in 0: the colors below it come first.
          float share = value < 0.0 ? -value / low : value / high;
          int half_ = STOPS / 2;
          float along = clamp(abs(share), 0.0, 1.0) * float(half_ - 1);
          int from = min(int(along), half_ - 2);
          int near = share < 0.0 ? half_ - 1 - from : half_ + from;
          int beyond = share < 0.0 ? near - 1 : near + 1;
          vec3 shown = mix(stops[near], stops[beyond], along - float(from));
        #else
          float share = high > low ? (value - low) / (high - low) : 0.0;
          float along = clamp(share, 0.0, 1.0) * float(STOPS - 1);
          int from = min(int(along), STOPS - 2);
          vec3 shown = mix(stops[from], stops[from + 1], along - float(from));
        #endif
        #ifdef SOLID
          if (share >= 0.0) discard;
        #endif
        #ifdef VEIL
          if (share < 0.0) discard;
          gl_FragColor = vec4(shown, VEIL_OPACITY);
        #else
          gl_FragColor = vec4(shown, 1.0);
        #endif
        #include <colorspace_fragment>
      }`,
  });
}
