// The way out of a penetration: an arrow as long as the depth.
import { ArrowHelper, type ColorRepresentation, Vector3 } from 'three';
import type { PenetrationResult } from '../../penetration/result.js';

/** Chosen: the length of the arrow's head, as a share of the arrow's. */
const HEAD_LENGTH = 0.2;

/** Chosen: the width of the head, as a share of the arrow's length. */
const HEAD_WIDTH = 0.1;

/**
 * Draws the shortest translation that separates A from B, from the point of A that will touch B last. Add it to the
 * scene: it is in the world frame.
 */
export class PenetrationHelper extends ArrowHelper {
  override readonly type: string = 'PenetrationHelper';
  readonly #direction = new Vector3();

  constructor(color: ColorRepresentation = 0xd6006c) {
    super(new Vector3(0, 0, 1), new Vector3(), 1, color);
    for (const material of [this.line.material, this.cone.material].flat()) material.depthTest = false;
    this.line.renderOrder = 1;
    this.cone.renderOrder = 1;
    this.visible = false;
  }

  /** Shows another result; nothing for null or a depth of zero. */
  update(result: PenetrationResult | null): void {
    this.visible = result !== null && result.direction !== null;
    if (result === null || result.direction === null) return;
    const { depth } = result;
    if (result.pointA !== null) this.position.fromArray(result.pointA);
    this.setDirection(this.#direction.fromArray(result.direction));
    this.setLength(depth, HEAD_LENGTH * depth, HEAD_WIDTH * depth);
  }
}
