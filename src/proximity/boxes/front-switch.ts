// Whether a search should begin from its front or from the roots: decided by what the two cost when last tried, in tests
// of boxes, so that the same calls always decide the same. A front pays where a frame moves little beside the distance.

/** Queries between two trials of the way that is not taken. */
const TRIAL_PERIOD = 64;
/** A front that was not used is out of date; the third search from it shows what it costs in use. */
const FRONT_TRIAL = 3;
/** Queries from a new front before the roots are tried for the first time. */
const FIRST_TRIAL = 6;

/** Chooses between the front and the roots for one kind of query. */
export class FrontSwitch {
  private frontCost = 0;
  private rootCost = Infinity;
  private countdown = FIRST_TRIAL;
  /** Searches from the front still to come in a trial of it. */
  private trial = 0;

  /** Whether the next search begins from the front. */
  get fromFront(): boolean {
    if (this.trial > 0) return true;
    const better = this.frontCost <= this.rootCost;
    return this.countdown > 0 ? better : !better;
  }

  /** Takes the cost of the search that {@link fromFront} chose. */
  record(cost: number): void {
    if (this.trial > 0) {
      if (--this.trial === 0) this.frontCost = cost;
      return;
    }
    const better = this.frontCost <= this.rootCost;
    if (this.countdown > 0) {
      this.countdown--;
      // A running mean: one frame is not like the next.
      if (better) this.frontCost += (cost - this.frontCost) / 4;
      else this.rootCost += (cost - this.rootCost) / 4;
      return;
    }
    this.countdown = TRIAL_PERIOD;
    if (better) this.rootCost = cost;
    else this.trial = FRONT_TRIAL - 1;
  }

  /** Forgets what searches cost. */
  reset(): void {
    this.frontCost = 0;
    this.rootCost = Infinity;
    this.countdown = FIRST_TRIAL;
    this.trial = 0;
  }
}
