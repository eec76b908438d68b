// The frame in which graphs are computed: the box has its center at the origin and its longest side from 1/2 to 1, so that
// tolerances are shares of the box. Scales are powers of two, so that only the translation rounds.
import type { PlaneBox } from '../sites/sites-box.js';

/** From the caller's coordinates to local ones and back. */
export class LocalFrame {
  readonly centerX: number;
  readonly centerY: number;
  /** The caller's length of a local length of 1. */
  readonly scale: number;
  readonly halfX: number;
  readonly halfY: number;

  constructor(box: PlaneBox) {
    const [x0, y0, x1, y1] = box;
    const width = x1 - x0;
    const height = y1 - y0;
    this.centerX = x0 + width / 2;
    this.centerY = y0 + height / 2;
    this.scale = 2 ** Math.ceil(Math.log2(Math.max(width, height)));
    this.halfX = width / 2 / this.scale;
    this.halfY = height / 2 / this.scale;
  }

  localX(x: number): number {
    return (x - this.centerX) / this.scale;
  }

  localY(y: number): number {
    return (y - this.centerY) / this.scale;
  }

  worldX(x: number): number {
    return x * this.scale + this.centerX;
  }

  worldY(y: number): number {
    return y * this.scale + this.centerY;
  }
}
