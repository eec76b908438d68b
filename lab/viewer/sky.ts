// A soft shadow from above, on the ground and on bodies under others. What casts it is drawn once from the sun's side (depth,
// its square, and 1 for what casts) and blurred (variance shadow maps, Donnelly and Lauritzen 2006). The map does not depend
// on the camera: it is drawn anew only when the drawing changes, and costs one look-up a pixel otherwise.
import {
  type BufferGeometry,
  DoubleSide,
  FloatType,
  Matrix4,
  Mesh,
  NearestFilter,
  OrthographicCamera,
  PlaneGeometry,
  RGBAFormat,
  Scene,
  ShaderMaterial,
  type Texture,
  Vector2,
  Vector3,
  Vector4,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three';

/** What is drawn into the map only. */
const CASTERS = 1;
const SIDE = 512;
/** Half the side of the square that the map covers, in the view's units: a framed box reaches 0.5 from its middle. */
const REACH = 1.1;
/** To the sun: from above, to the right of the usual camera. */
const SUN = new Vector3(0.34, 1, 0.12).normalize();

/** What materials read; shared by all of them. */
export interface Sky {
  readonly skyMap: { value: Texture | null };
  /** From the view's coordinates to the map's: place and depth from 0 to 1. */
  readonly skyMatrix: { value: Matrix4 };
  readonly sun: { value: Vector3 };
  /** 1 where there is a map, else 0. */
  readonly skyShown: { value: number };
  /** The canvas in CSS pixels. */
  readonly canvasSize: { value: Vector2 };
  /** Dashes of hidden lines keep their size on the screen. */
  readonly dashScale: { value: number };
}

/** Without a shadow. */
export function clearSky(): Sky {
  return {
    skyMap: { value: null },
    skyMatrix: { value: new Matrix4() },
    sun: { value: SUN.clone() },
    skyShown: { value: 0 },
    canvasSize: { value: new Vector2(1, 1) },
    dashScale: { value: 1 },
  };
}

/** The share of the sun's light that reaches a place, from 0 to 1; for fragment shaders. */
export const SKY_SHADER = /* glsl */ `
  uniform highp sampler2D skyMap;
  uniform mat4 skyMatrix;
  uniform float skyShown;

  float sunlight(vec3 at) {
    if (skyShown == 0.0) return 1.0;
    vec3 placed = (skyMatrix * vec4(at, 1.0)).xyz;
    ivec2 last = textureSize(skyMap, 0) - 1;
    vec2 scaled = placed.xy * vec2(last);
    if (any(lessThan(scaled, vec2(0.0))) || any(greaterThanEqual(scaled, vec2(last)))) return 1.0;
    // By hand: not every GPU filters textures of 32-bit floats.
    ivec2 low = ivec2(scaled);
    vec2 part = scaled - vec2(low);
    vec3 bottom = mix(texelFetch(skyMap, low, 0).rgb, texelFetch(skyMap, low + ivec2(1, 0), 0).rgb, part.x);
    vec3 top = mix(texelFetch(skyMap, low + ivec2(0, 1), 0).rgb, texelFetch(skyMap, low + 1, 0).rgb, part.x);
    vec3 found = mix(bottom, top, part.y);
    // The share of the neighborhood that casts, and the depth of that share alone.
    float share = found.b;
    if (share < 0.01) return 1.0;
    vec2 moments = found.rg / share;
    float behind = placed.z - 0.012 - moments.x;
    if (behind <= 0.0) return 1.0;
    float variance = max(moments.y - moments.x * moments.x, 3e-5);
    // Light bleeds where two casters overlap: the first quarter counts as dark.
    float passed = clamp((variance / (variance + behind * behind) - 0.25) / 0.75, 0.0, 1.0);
    return 1.0 - share * (1.0 - passed);
  }`;

/** A twin of a surface that is drawn into the map alone. A veil casts in part: pixels of a fixed pattern. */
export function shadowCaster(geometry: BufferGeometry, opacity: number, cut: readonly number[] | null) {
  const material = new ShaderMaterial({
    side: DoubleSide,
    uniforms: { opacity: { value: opacity }, cut: { value: new Vector4(...(cut ?? [0, 0, 0, 1])) } },
    vertexShader: /* glsl */ `
      uniform vec4 cut;
      varying float beyondCut;
      void main() {
        vec4 placed = modelMatrix * vec4(position, 1.0);
        beyondCut = dot(cut.xyz, placed.xyz) - cut.w;
        gl_Position = projectionMatrix * viewMatrix * placed;
      }`,
    fragmentShader: /* glsl */ `
      uniform float opacity;
      varying float beyondCut;
      void main() {
        if (beyondCut > 0.0) discard;
        ivec2 at = ivec2(gl_FragCoord.xy) & 3;
        int rank = 4 * ((at.x ^ at.y) & 1) + 8 * (at.y & 1) + ((at.x ^ at.y) >> 1) + 2 * (at.y >> 1);
        if ((float(rank) + 0.5) / 16.0 > opacity) discard;
        gl_FragColor = vec4(gl_FragCoord.z, gl_FragCoord.z * gl_FragCoord.z, 1.0, 1.0);
      }`,
  });
  const caster = new Mesh(geometry, material);
  caster.layers.set(CASTERS);
  return caster;
}

/** Draws the map of a scene. */
export class SkyPainter {
  readonly #camera = new OrthographicCamera(-REACH, REACH, REACH, -REACH, 0, 4 * REACH);
  readonly #targets: readonly [WebGLRenderTarget, WebGLRenderTarget] | null;
  readonly #blur = blurMaterial();
  readonly #sheet = new Scene();

  constructor(
    readonly renderer: WebGLRenderer,
    readonly sky: Sky,
  ) {
    // Rare, but then there is no shadow.
    const able = renderer.extensions.has('EXT_color_buffer_float');
    this.#targets = able ? [mapTarget(), mapTarget()] : null;
    this.#camera.layers.set(CASTERS);
    this.#camera.position.copy(SUN).multiplyScalar(2 * REACH);
    this.#camera.up.set(0, 0, -1);
    this.#camera.lookAt(0, 0, 0);
    this.#camera.updateMatrixWorld();
    const toMap = new Matrix4().set(0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 1);
    sky.skyMatrix.value = toMap.multiply(this.#camera.projectionMatrix).multiply(this.#camera.matrixWorldInverse);
    const sheet = new Mesh(new PlaneGeometry(2, 2), this.#blur);
    sheet.layers.set(CASTERS);
    this.#sheet.add(sheet);
  }

  paint(scene: Scene): void {
    if (this.#targets === null) return;
    const [first, second] = this.#targets;
    const { renderer } = this;
    renderer.setClearColor(0x000000, 0);
    renderer.setRenderTarget(first);
    renderer.clear();
    renderer.render(scene, this.#camera);
    for (const [from, to, along] of [
      [first, second, [1, 0]],
      [second, first, [0, 1]],
    ] as const) {
      this.#blur.uniforms.source.value = from.texture;
      this.#blur.uniforms.along.value.set(...along);
      renderer.setRenderTarget(to);
      renderer.render(this.#sheet, this.#camera);
    }
    renderer.setRenderTarget(null);
    this.sky.skyMap.value = first.texture;
    this.sky.skyShown.value = 1;
  }

  /** No shadow until it is painted again. */
  clear(): void {
    this.sky.skyShown.value = 0;
  }
}

function mapTarget(): WebGLRenderTarget {
  return new WebGLRenderTarget(SIDE, SIDE, {
    type: FloatType,
    format: RGBAFormat,
    minFilter: NearestFilter,
    magFilter: NearestFilter,
  });
}

/** A Gaussian of 13 samples along a row or a column. */
function blurMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    depthTest: false,
    depthWrite: false,
    uniforms: { source: { value: null }, along: { value: new Vector2() } },
    vertexShader: /* glsl */ `
      void main() {
        gl_Position = vec4(position.xy, 0.0, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      uniform highp sampler2D source;
      uniform vec2 along;
      void main() {
        ivec2 last = textureSize(source, 0) - 1;
        vec3 sum = vec3(0.0);
        float total = 0.0;
        for (int i = -6; i <= 6; i++) {
          float weight = exp(-float(i * i) / 18.0);
          sum += weight * texelFetch(source, clamp(ivec2(gl_FragCoord.xy) + i * ivec2(along), ivec2(0), last), 0).rgb;
          total += weight;
        }
        gl_FragColor = vec4(sum / total, 1.0);
      }`,
  });
}
