// The first impact of an interval: of pairs that are to bounce or are too fast for the solver, and of pairs that the solver
// failed to hold.
import type { PlaneBodies } from '../body/plane-bodies.js';
import type { OutlineContacts } from '../outline/outline-contacts.js';
import { OVERLAP } from '../outline/outline-pair.js';
import { TimeOfImpact } from '../outline/time-of-impact.js';
import type { ContactSet } from './contact-set.js';
import { IMPACT } from './near-pairs.js';

/** Chosen: the gap at which impacts are resolved, in skins: so small that it does not show in bounces. */
export const IMPACT_GAP = 1e-3;

export class FirstImpact {
  /** The pair of the last impact found, or -1. */
  pair = -1;
  readonly #time = new TimeOfImpact();

  constructor(
    readonly bodies: PlaneBodies,
    readonly contacts: ContactSet,
    readonly query: OutlineContacts,
  ) {}

  /** The first time within h at which a pair comes to touch at the present velocities, or -1; {@link pair} says which. */
  find(h: number): number {
    const { pairs } = this.contacts;
    let first = -1;
    this.pair = -1;
    for (let pair = 0; pair < pairs.count; pair++) {
      const mode = pairs.mode[pair];
      if (mode > IMPACT) continue;
      const duration = first < 0 ? h : first;
      const motion = duration * pairs.closingBound(pair);
      const skin = pairs.skin[pair];
      if (pairs.open(pair) > motion + skin) continue;
      if (mode !== IMPACT && (motion < skin / 2 || !this.#failsToHold(pair, duration))) continue;
      // Pairs that the solver did not hold stop within the skin, where it does.
      const gap = mode === IMPACT ? IMPACT_GAP * skin : skin / 4;
      const time = this.#time.find(this.bodies, pairs.a[pair], pairs.b[pair], duration, gap, skin);
      if (mode !== IMPACT && time === 0) continue;
      if (time < 0 || (first >= 0 && time >= first)) continue;
      first = time;
      this.pair = pair;
    }
    return first;
  }

  /** Whether a pair that the solver is to keep apart overlaps after a time, but not now. */
  #failsToHold(pair: number, time: number): boolean {
    const { contacts, bodies, query } = this;
    if (contacts.pairs.state[pair] === OVERLAP) return false;
    const a = contacts.pairs.a[pair];
    const b = contacts.pairs.b[pair];
    bodies.placeAfter(a, time);
    bodies.placeAfter(b, time);
    if (!query.overlaps(bodies.placed[a], bodies.placed[b])) return false;
    bodies.place(a);
    bodies.place(b);
    return !query.overlaps(bodies.placed[a], bodies.placed[b]);
  }
}
