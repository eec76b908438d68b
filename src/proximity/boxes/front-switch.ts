// Whether a search should begin from its front or from the roots: decided by what the two cost when last tried, in tests
// of boxes, so that the same calls always decide the same. A front pays where a frame moves little beside the distance.

/** Queries between two trials of the way that is not taken; twice as many after each trial that is lost, up to a limit. */
const TRIAL_PERIOD = 64;
const LONGEST_PERIOD = 1024;
/** A front that was not used is out of date; the third search from it shows what it costs in use. */
const FRONT_TRIAL = 3;
/** Queries from a new front, or from the roots, before the other way is tried for the first time. */
const FIRST_TRIAL = 6;

/** Chooses between the front and the roots for one kind of query. */
export class FrontSwitch {
  #frontCost = 0;
  #rootCost = 0;
  #countdown = 0;
  #period = 0;
  /** Searches from the front still to come in a trial of it. */
  #trial = 0;
  readonly #startsAtFront: boolean;
  readonly #leastCost: number;

  /**
   * @param startsAtFront the way that is taken until the other has been tried.
   * @param leastCost searches from the roots that cost less than this leave nothing to gain.
   */
  constructor(startsAtFront = true, leastCost = 0) {
    this.#startsAtFront = startsAtFront;
    this.#leastCost = leastCost;
    this.reset();
  }

  /** Whether the next search begins from the front. */
  get fromFront(): boolean {
    if (this.#trial > 0) return true;
    if (this.#rootCost < this.#leastCost) return false;
    const better = this.#frontCost <= this.#rootCost;
    return this.#countdown > 0 ? better : !better;
  }

  /** Takes the cost of the search that {@link fromFront} chose. */
  record(cost: number): void {
    if (this.#trial > 0) {
      if (--this.#trial === 0) {
        this.#frontCost = cost;
        this.#wait(cost <= this.#rootCost);
      }
      return;
    }
    if (this.#rootCost < this.#leastCost) {
      this.#rootCost += (cost - this.#rootCost) / 4;
      return;
    }
    const better = this.#frontCost <= this.#rootCost;
    if (this.#countdown > 0) {
      this.#countdown--;
      // A running mean: one frame is not like the next.
      if (better) this.#frontCost += (cost - this.#frontCost) / 4;
      else this.#rootCost += (cost - this.#rootCost) / 4;
      return;
    }
    if (better) {
      this.#rootCost = cost;
      this.#wait(cost < this.#frontCost);
    } else this.#trial = FRONT_TRIAL - 1;
  }

  /** Forgets what searches cost. */
  reset(): void {
    this.#frontCost = this.#startsAtFront ? 0 : Infinity;
    this.#rootCost = this.#startsAtFront ? Infinity : 0;
    this.#countdown = FIRST_TRIAL;
    this.#period = TRIAL_PERIOD;
    this.#trial = 0;
  }

  /** Sets when the next trial is, after one that was won or lost. */
  #wait(won: boolean): void {
    if (won) this.#period = TRIAL_PERIOD;
    this.#countdown = this.#period;
    if (!won) this.#period = Math.min(LONGEST_PERIOD, 2 * this.#period);
  }
}
