import { Color, DoubleSide, Mesh, PlaneGeometry, ShaderMaterial } from 'three';

/** A faint square grid in the plane y = 0 that fades with the distance from its middle; lines every tenth of the view's unit. */
export function ground(color: string): Mesh<PlaneGeometry, ShaderMaterial> {
  const geometry = new PlaneGeometry(4, 4).rotateX(-Math.PI / 2);
  const material = new ShaderMaterial({
    side: DoubleSide,
    transparent: true,
    depthWrite: false,
    uniforms: { color: { value: new Color(color) } },
    vertexShader: /* glsl */ `
      varying vec2 place;
      void main() {
        place = position.xz;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 color;
      varying vec2 place;
      float lines(vec2 at) {
        vec2 nearest = abs(fract(at - 0.5) - 0.5) / fwidth(at);
        return 1.0 - min(min(nearest.x, nearest.y), 1.0);
      }
      void main() {
        float strength = max(0.35 * lines(10.0 * place), 0.6 * lines(2.0 * place));
        float fade = 1.0 - smoothstep(0.25, 1.25, length(place));
        if (strength * fade < 0.01) discard;
        gl_FragColor = vec4(color, strength * fade * fade);
        #include <colorspace_fragment>
      }`,
  });
  const grid = new Mesh(geometry, material);
  grid.renderOrder = -1;
  return grid;
}
