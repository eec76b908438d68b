// The impulses of the contacts of a step, N s. The solvers change them; contacts of the same features inherit them.
import { growTo } from '../../core/grow-array.js';

export class ContactImpulses {
  /** Of this substep so far. */
  normal = new Float64Array(32);
  tangent = new Float64Array(32);
  /** Of the last substep: the next one starts with them. */
  startNormal = new Float64Array(32);
  startTangent = new Float64Array(32);
  /** The sum of the normal impulses over the step. */
  total = new Float64Array(32);

  /** Makes room for a contact and begins it without impulses of this step. */
  begin(c: number): void {
    if (c >= this.normal.length) for (const name of NAMES) this[name] = growTo(this[name], c + 1);
    this.total[c] = this.normal[c] = this.tangent[c] = 0;
    this.start(c, 0, 0);
  }

  /** Sets what the next substep of a contact starts with. */
  start(c: number, normal: number, tangent: number): void {
    this.startNormal[c] = normal;
    this.startTangent[c] = tangent;
  }

  /** Takes over what an earlier contact of the same features starts with, and its sum. */
  inherit(c: number, from: number): void {
    this.start(c, this.startNormal[from], this.startTangent[from]);
    this.total[c] = this.total[from];
  }

  /** Forgets the impulses of the substep so far. */
  reset(c: number): void {
    this.normal[c] = this.tangent[c] = 0;
  }

  /** Adds the normal impulse of the substep to the sum. */
  sum(c: number): void {
    this.total[c] += this.normal[c];
  }

  /** Ends a substep: its impulses start the next one. */
  finish(c: number): void {
    this.start(c, this.normal[c], this.tangent[c]);
    this.sum(c);
  }
}

const NAMES = ['normal', 'tangent', 'startNormal', 'startTangent', 'total'] as const;
