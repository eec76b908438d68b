import { BufferAttribute, BufferGeometry, Color, Points, ShaderMaterial } from 'three';

export function pointGeometry(positions: Float32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  return geometry;
}

/** Round points of one size on the screen, none at first. */
export function roundPoints(look: {
  color: string;
  size: number;
  onTop: boolean;
  pixelRatio: number;
}): Points<BufferGeometry, ShaderMaterial> {
  const material = new ShaderMaterial({
    transparent: true,
    depthTest: !look.onTop,
    uniforms: { color: { value: new Color(look.color) }, size: { value: look.size * look.pixelRatio } },
    vertexShader: /* glsl */ `
      uniform float size;
      void main() {
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        gl_PointSize = size + 2.0;
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 color;
      uniform float size;
      void main() {
        float fromRim = 0.5 * size - length(gl_PointCoord - 0.5) * (size + 2.0);
        if (fromRim < -1.0) discard;
        gl_FragColor = vec4(color, smoothstep(-0.5, 0.5, fromRim));
        #include <colorspace_fragment>
      }`,
  });
  return new Points(pointGeometry(new Float32Array()), material);
}
