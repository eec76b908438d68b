// A slice of a distance field as a picture in its plane.
import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DoubleSide,
  LinearFilter,
  Mesh,
  MeshBasicMaterial,
  SRGBColorSpace,
} from 'three';
import type { AnyField } from '../../field/any-field.js';
import { type FieldPictureOptions, paintField } from '../../field/files/field-picture.js';
import { type SliceNode, sliceField } from '../../field/read/slice-field.js';

/**
 * Draws a slice of a distance field: blue inside, orange outside, a line at the surface and, if asked for, at equal
 * distances. It is in the frame of the field: add it to the object whose mesh the field was computed from, or to the
 * scene for a field in the world frame.
 */
export class FieldSliceHelper extends Mesh<BufferGeometry, MeshBasicMaterial> {
  override readonly type: string = 'FieldSliceHelper';

  /** Nothing is drawn before the first update. */
  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(12), 3));
    geometry.setAttribute('uv', new BufferAttribute(new Float32Array(8), 2));
    geometry.setIndex([0, 1, 3, 0, 3, 2]);
    super(geometry, new MeshBasicMaterial({ side: DoubleSide, toneMapped: false }));
    this.visible = false;
  }

  /**
   * Shows a slice at a coordinate along an axis (0 is x), or at a layer of nodes; see `sliceField` for both and
   * `drawField` for the options.
   */
  update(field: AnyField, axis: 0 | 1 | 2, position: number | SliceNode, options?: FieldPictureOptions): void {
    const slice = sliceField(field, axis, position);
    const { width, height, pixels } = paintField(slice, options);
    const texels = new Uint8Array(4 * width * height);
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        // The first row of the picture is its top, that of a texture its bottom.
        const from = 3 * ((height - 1 - row) * width + column);
        const to = 4 * (row * width + column);
        for (let k = 0; k < 3; k++) texels[to + k] = pixels[from + k];
        texels[to + 3] = 255;
      }
    }
    const texture = new DataTexture(texels, width, height);
    texture.colorSpace = SRGBColorSpace;
    texture.magFilter = LinearFilter;
    texture.minFilter = LinearFilter;
    texture.needsUpdate = true;
    const { material } = this;
    material.map?.dispose();
    // A material that gets its first texture needs another shader.
    if (material.map === null) material.needsUpdate = true;
    material.map = texture;
    this.#place(slice, axis, width, height);
    this.visible = true;
  }

  /** Frees the memory on the GPU. */
  override dispose(): void {
    // Objects have it since r184.
    super.dispose?.();
    this.material.map?.dispose();
    this.material.dispose();
    this.geometry.dispose();
  }

  #place(slice: ReturnType<typeof sliceField>, axis: 0 | 1 | 2, width: number, height: number): void {
    const { position, uv } = this.geometry.attributes;
    const across = axis === 0 ? 1 : 0;
    const up = axis === 2 ? 1 : 2;
    for (let corner = 0; corner < 4; corner++) {
      const [i, j] = [corner & 1, corner >> 1];
      position.setComponent(corner, across, slice.origin[0] + i * slice.spacing * (slice.size[0] - 1));
      position.setComponent(corner, up, slice.origin[1] + j * slice.spacing * (slice.size[1] - 1));
      position.setComponent(corner, axis, slice.origin[2]);
      // The nodes at the rim are the centers of the outermost texels.
      uv.setXY(corner, (i * (width - 1) + 0.5) / width, (j * (height - 1) + 0.5) / height);
    }
    position.needsUpdate = true;
    uv.needsUpdate = true;
    this.geometry.computeBoundingSphere();
    this.geometry.computeBoundingBox();
  }
}
