// The two closest points of a result, and the segment between them.
import type { ColorRepresentation } from 'three';
import type { PenetrationResult } from '../../penetration/result.js';
import type { DistanceResult } from '../../proximity/result.js';
import { MarkedSegments } from './marked-segments.js';

/** Draws the witness of a distance: a line from A's closest point to B's. Add it to the scene: it is in the world frame. */
export class WitnessHelper extends MarkedSegments {
  override readonly type: string = 'WitnessHelper';

  /** @param dotSize in pixels. */
  constructor(color: ColorRepresentation = 0xff6a00, dotSize = 7) {
    super(color, dotSize);
  }

  /** Shows another result; nothing for null, or for a result without points. */
  update(result: DistanceResult | PenetrationResult | null): void {
    const points = result !== null && 'witness' in result ? result.witness : result;
    const shown = points !== null && points.pointA !== null && points.pointB !== null;
    const { lines, dots } = this.reserve(shown ? 1 : 0, shown ? 2 : 0);
    if (shown) {
      for (const buffer of [lines, dots]) {
        buffer.set(points.pointA!, 0);
        buffer.set(points.pointB!, 3);
      }
    }
    this.show();
  }
}
