// The contacts of two objects: the points on both, and the normals.
import type { ColorRepresentation } from 'three';
import type { ContactsResult } from '../../proximity/result.js';
import { MarkedSegments } from './marked-segments.js';

/** Draws contacts: a dot on each object, and the normal from A towards B. Add it to the scene: it is in the world frame. */
export class ContactsHelper extends MarkedSegments {
  override readonly type: string = 'ContactsHelper';
  /** The length at which normals are drawn, in units of the scene. */
  normalLength: number;

  /** @param dotSize in pixels. */
  constructor(normalLength = 0.2, color: ColorRepresentation = 0x00a36c, dotSize = 6) {
    super(color, dotSize);
    this.normalLength = normalLength;
  }

  /** Shows other contacts; nothing for null or for objects that intersect. */
  update(result: ContactsResult | null): void {
    const contacts = result?.contacts ?? [];
    const { lines, dots } = this.reserve(contacts.length, 2 * contacts.length);
    contacts.forEach(({ pointA, pointB, normal }, i) => {
      dots.set(pointA, 6 * i);
      dots.set(pointB, 6 * i + 3);
      lines.set(pointA, 6 * i);
      for (let k = 0; k < 3; k++) lines[6 * i + 3 + k] = pointA[k] + this.normalLength * normal[k];
    });
    this.show();
  }
}
