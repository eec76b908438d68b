// Whether a search should begin from its front or from the roots. Their last known costs, in box tests, decide, so that the
// same calls always decide the same. A front pays off where motion per frame is small compared with the distance.

/** Chosen: queries between two trials of the other way; doubled after each trial that failed. */
const TRIAL_PERIOD = 64;
/** Chosen: the largest number of queries between two trials. */
const MAX_PERIOD = 1024;
/**
 * Chosen: searches in a trial of the front. An unused front is out of date; the third search from it shows its cost in
 * use.
 */
const FRONT_TRIAL = 3;
/** Chosen: queries from a new front, or from the roots, before the other way is tried for the first time. */
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
  readonly #minCost: number;

  /**
   * @param startsAtFront the way to use until the other has been tried.
   * @param minCost searches from the roots that cost less than this leave nothing to gain.
   */
  constructor(startsAtFront = true, minCost = 0) {
    this.#startsAtFront = startsAtFront;
    this.#minCost = minCost;
    this.reset();
  }

  /** Whether the next search begins from the front. */
  get fromFront(): boolean {
    if (this.#trial > 0) return true;
    if (this.#rootCost < this.#minCost) return false;
    const better = this.#frontCost <= this.#rootCost;
    return this.#countdown > 0 ? better : !better;
  }

  /** Records the cost of the search that {@link fromFront} chose. */
  record(cost: number): void {
    if (this.#trial > 0) {
      if (--this.#trial === 0) {
        this.#frontCost = cost;
        this.#wait(cost <= this.#rootCost);
      }
      return;
    }
    if (this.#rootCost < this.#minCost) {
      this.#rootCost += (cost - this.#rootCost) / 4;
      return;
    }
    const better = this.#frontCost <= this.#rootCost;
    if (this.#countdown > 0) {
      this.#countdown--;
      // A running mean, because frames differ.
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

  /** Schedules the next trial, after a trial that succeeded or failed. */
  #wait(won: boolean): void {
    if (won) this.#period = TRIAL_PERIOD;
    this.#countdown = this.#period;
    if (!won) this.#period = Math.min(MAX_PERIOD, 2 * this.#period);
  }
}
