// A colored image on a rectangle in space.
import {
  DataTexture,
  DoubleSide,
  LinearFilter,
  MeshBasicMaterial,
  RGBAFormat,
  SRGBColorSpace,
  UnsignedByteType,
} from 'three';
import type { Frame } from './frame.js';
import { type Rectangle, type SamplePlane, samplePlane } from './rectangle.js';

export interface ColorImage extends Rectangle {
  /** Red, green, blue and opacity as they are shown, row by row from the corner. */
  readonly pixels: Uint8Array;
}

/** A plane that shows other pixels of the same rectangle, as from frame to frame. */
export interface ImagePlane extends SamplePlane {
  show(image: ColorImage): void;
}

export function imagePlane(image: ColorImage, frame: Frame): ImagePlane {
  const texture = new DataTexture(image.pixels, image.columns, image.rows, RGBAFormat, UnsignedByteType);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = texture.minFilter = LinearFilter;
  // Farther back than surfaces: what lies on it covers it.
  const material = new MeshBasicMaterial({
    map: texture,
    side: DoubleSide,
    toneMapped: false,
    polygonOffset: true,
    polygonOffsetUnits: 400,
  });
  const plane = samplePlane(image, texture, [material], frame);
  return {
    ...plane,
    show: (shown) => {
      texture.image.data = shown.pixels;
      texture.needsUpdate = true;
    },
  };
}
