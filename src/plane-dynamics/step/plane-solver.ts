// The impulses of contacts and joints around an even motion (RATTLE, Andersen 1983): before it those that make the motion
// possible, after it those that make the velocities agree with contacts and joints.
import type { PlaneBodies } from '../body/plane-bodies.js';
import type { ContactSolver } from '../contact/contact-solver.js';
import type { PlaneJoint } from '../joint/plane-joint.js';

/** Chosen: rounds over the contacts of a world without joints. */
const MAX_ROUNDS = 30;
/** Chosen: rounds in a world with joints, which converge more slowly. */
const MAX_JOINT_ROUNDS = 60;
/** Chosen: rounds while bodies would be squeezed into each other. */
const MAX_SQUEEZED_ROUNDS = 1000;
/** Chosen: rounds between two looks at whether bodies would be squeezed. */
const SQUEEZE_LOOK = 16;
/** Chosen: a solve is repeated this often for what turning does to the gaps. */
const MAX_CORRECTIONS = 3;
/** Chosen: rounds end when joints change no speed by more than this, m/s. */
const JOINT_ERROR = 1e-10;
/** Chosen: rounds end when contacts change no speed by more than this, m/s, … */
const CONTACT_ERROR = 1e-6;
/** Chosen: … plus this share of the change of the first round. */
const CONTACT_SHARE = 1e-3;

export class PlaneSolver {
  /** The length of the last interval, s: its impulses start the next one in proportion. 0 before the first. */
  #lastLength = 0;
  /** The length of the interval that {@link before} began. */
  #length = 0;

  constructor(
    readonly bodies: PlaneBodies,
    readonly contacts: ContactSolver,
    readonly joints: readonly PlaneJoint[],
  ) {}

  /** Before the motion, after the first half of the forces. */
  before(h: number): void {
    const warmth = this.#warmth(h);
    this.#length = h;
    this.contacts.prepare(h, true, true, warmth);
    for (const joint of this.joints) if (joint.isFree(this.bodies)) joint.begin(this.bodies, warmth);
    this.#solve(h, h);
    for (let k = 0; k < MAX_CORRECTIONS && this.contacts.correct(h); k++) this.#solve(h, h);
  }

  /** After the motion and the second half of the forces. */
  after(h: number): void {
    this.contacts.prepare(h, false, false, this.#warmth(h));
    for (const joint of this.joints) if (joint.isFree(this.bodies)) joint.begin(this.bodies, 1);
    this.#solve(0, h);
    this.contacts.finish();
    this.#lastLength = this.#length;
  }

  #warmth(h: number): number {
    return this.#lastLength > 0 ? Math.min(1, h / this.#lastLength) : 0;
  }

  /** Solves joints and contacts in turn until neither changes speeds any more. */
  #solve(h: number, weight: number): void {
    const { joints, contacts, bodies } = this;
    let enough = 0;
    const most = joints.length > 0 ? MAX_JOINT_ROUNDS : MAX_ROUNDS;
    for (let round = 0; round < MAX_SQUEEZED_ROUNDS; round++) {
      let jointChange = 0;
      for (let k = 0; k < joints.length; k++) {
        if (joints[k].isFree(bodies)) jointChange = Math.max(jointChange, joints[k].solve(bodies, h, weight / 2));
      }
      const change = contacts.solve();
      if (round === 0) enough = CONTACT_SHARE * change + CONTACT_ERROR;
      if (round > 0 && change <= enough && jointChange < JOINT_ERROR) break;
      if (round + 1 >= most && (h === 0 || (round % SQUEEZE_LOOK === 0 && !contacts.isSqueezed(h)))) break;
    }
  }

  /** The length of the last interval, for snapshots. */
  get lastLength(): number {
    return this.#lastLength;
  }

  /** Takes over what a snapshot has. */
  restore(lastLength: number): void {
    this.#lastLength = lastLength;
  }
}
