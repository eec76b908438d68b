import { Color, DoubleSide, Mesh, PlaneGeometry, ShaderMaterial } from 'three';
import { SKY_SHADER, type Sky } from './sky.js';

/**
 * A faint square grid in the plane y = 0 that fades with the distance from its middle, and the shadow on it; lines every
 * tenth of the view's unit. `glow` is how much of the ground shows between the lines, so that a shadow is seen in the dark.
 */
export function ground(
  look: { readonly color: string; readonly shadow: string; readonly glow: number },
  sky: Sky,
): Mesh<PlaneGeometry, ShaderMaterial> {
  const geometry = new PlaneGeometry(4, 4).rotateX(-Math.PI / 2);
  const material = new ShaderMaterial({
    side: DoubleSide,
    transparent: true,
    depthWrite: false,
    uniforms: {
      color: { value: new Color(look.color) },
      shadow: { value: new Color(look.shadow) },
      glow: { value: look.glow },
      skyMap: sky.skyMap,
      skyMatrix: sky.skyMatrix,
      skyShown: sky.skyShown,
    },
    vertexShader: /* glsl */ `
      varying vec2 place;
      varying vec3 placed;
      void main() {
        place = position.xz;
        placed = (modelMatrix * vec4(position, 1.0)).xyz;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 color;
      uniform vec3 shadow;
      uniform float glow;
      varying vec2 place;
      varying vec3 placed;
      ${SKY_SHADER}
      float lines(vec2 at) {
        vec2 nearest = abs(fract(at - 0.5) - 0.5) / fwidth(at);
        return 1.0 - min(min(nearest.x, nearest.y), 1.0);
      }
      void main() {
        float strength = max(0.35 * lines(10.0 * place), 0.6 * lines(2.0 * place));
        float fade = 1.0 - smoothstep(0.25, 1.25, length(place));
        float lit = sunlight(placed);
        float grid = max(strength, glow * lit) * fade * fade;
        float dark = 0.42 * (1.0 - lit) * fade;
        float alpha = grid + dark - grid * dark;
        if (alpha < 0.01) discard;
        gl_FragColor = vec4(mix(color, shadow, dark / (grid + dark)), alpha);
        #include <colorspace_fragment>
      }`,
  });
  const grid = new Mesh(geometry, material);
  grid.renderOrder = -1;
  return grid;
}
