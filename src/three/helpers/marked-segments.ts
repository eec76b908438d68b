// Segments with a dot at both ends or at one, in the world frame: what the helpers for witnesses and contacts draw.
import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  type ColorRepresentation,
  LineBasicMaterial,
  LineSegments,
  Object3D,
  Points,
  PointsMaterial,
} from 'three';

/** Chosen: after the objects, which have 0, so that points inside or on a surface are seen. */
const RENDER_ORDER = 1;

/** Segments and dots that share no memory with the results; buffers grow and are otherwise kept. */
export class MarkedSegments extends Object3D {
  readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  readonly dots: Points<BufferGeometry, PointsMaterial>;

  /** @param dotSize in pixels. */
  constructor(color: ColorRepresentation, dotSize: number) {
    super();
    const look = { color, depthTest: false, toneMapped: false, transparent: true };
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial(look));
    this.dots = new Points(
      new BufferGeometry(),
      new PointsMaterial({ ...look, size: dotSize, sizeAttenuation: false }),
    );
    this.lines.renderOrder = RENDER_ORDER;
    this.dots.renderOrder = RENDER_ORDER;
    this.add(this.lines, this.dots);
    this.visible = false;
  }

  /** The buffers for `segments` segments and `dots` dots, three numbers a point; fill them and call `show`. */
  reserve(segments: number, dots: number): { lines: Float32Array; dots: Float32Array } {
    return { lines: reservePoints(this.lines, 2 * segments), dots: reservePoints(this.dots, dots) };
  }

  /** Shows what was written. */
  show(): void {
    for (const { geometry } of [this.lines, this.dots]) {
      geometry.attributes.position.needsUpdate = true;
      geometry.computeBoundingSphere();
    }
    this.visible = this.lines.geometry.drawRange.count > 0 || this.dots.geometry.drawRange.count > 0;
  }

  /** The color of lines and dots. */
  setColor(color: ColorRepresentation | Color): void {
    this.lines.material.color.set(color);
    this.dots.material.color.set(color);
  }

  /** Frees the memory on the GPU. */
  override dispose(): void {
    // Objects have it since r184.
    super.dispose?.();
    for (const part of [this.lines, this.dots]) {
      part.geometry.dispose();
      part.material.dispose();
    }
  }
}

/** An array for at least `count` points, which are all drawn; the others stay where they were and are not. */
function reservePoints(part: { geometry: BufferGeometry }, count: number): Float32Array {
  const position = part.geometry.getAttribute('position') as BufferAttribute | undefined;
  if (position === undefined || position.count < count) {
    // The renderer keeps buffers at their first size.
    part.geometry.dispose();
    part.geometry = new BufferGeometry();
    const room = Math.max(2 * (position?.count ?? 0), count, 2);
    part.geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * room), 3));
  }
  part.geometry.setDrawRange(0, count);
  return part.geometry.getAttribute('position').array as Float32Array;
}
