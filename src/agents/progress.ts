// The progress of an agent: how near it came to its goal and when, and what has been tried against standing still.

export class Progress {
  /** What has been tried against standing still. */
  attempts = 0;
  /** The count of paths that were planned for the agent meanwhile. */
  detours = 0;
  #best = Infinity;
  #since = 0;
  /** The least way to go ever. */
  #record = Infinity;
  #crowdedAt = -Infinity;

  /** The least way to go since the last start. */
  get best(): number {
    return this.#best;
  }

  /** The time since which the agent has not come nearer. */
  get since(): number {
    return this.#since;
  }

  /** The last time when another agent was near. */
  get crowdedAt(): number {
    return this.#crowdedAt;
  }

  /** Begins a new way: nothing is known of it. */
  begin(now: number): void {
    this.attempts = this.detours = 0;
    this.#record = Infinity;
    this.restart(now);
  }

  /** Gives the agent its time again on the way that it is on. */
  restart(now: number): void {
    this.#best = Infinity;
    this.#since = now;
  }

  /** Counts the attempts made so far, and waits for the next one to help. */
  retry(attempts: number, now: number): void {
    this.attempts = attempts;
    this.#since = now;
  }

  /** Follows a planned path: the way to go on it is compared with itself only. */
  follow(): void {
    this.#best = this.#record = Infinity;
  }

  /** Sees whether the agent is nearer than ever by `gain`. */
  breaksRecord(left: number, gain: number): boolean {
    if (!(left < this.#record - gain)) return false;
    this.#record = left;
    return true;
  }

  /**
   * Watches the way to go.
   * @param gain the agent makes progress if it comes nearer by this.
   * @param setback an agent that is farther by this was pushed back, and to come as near again counts.
   * @param isAside whether the agent steps aside for another one, so that where it is now counts.
   */
  watch(left: number, now: number, gain: number, setback: number, isAside: boolean): void {
    if (!(left < this.#best - gain || isAside || left > this.#best + setback)) return;
    this.#best = left;
    this.#since = now;
  }

  /** Says that another agent is near. */
  crowded(now: number): void {
    this.#crowdedAt = now;
  }
}
