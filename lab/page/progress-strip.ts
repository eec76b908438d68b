import { byId } from './element.js';
import type { Progress } from './scene-host.js';

/** What is quicker than this shows no bar: a flash would only disturb. */
const DELAY_MS = 150;
/** The rate of progress is that of the last seconds: a stage that was quick says nothing of the next. */
const WINDOW_MS = 4000;
/** From here on the strip tells the time, and warns of work that takes longer than the other. */
const TELL_MS = 2000;
const LONG_MS = 10_000;

/** The bar at the foot of the view: the stage at work, how long it has taken, how long it will at its present rate. */
export class ProgressStrip {
  readonly #stage = byId('progress-stage');
  readonly #time = byId('progress-time');
  readonly #bar = byId<HTMLProgressElement>('progress-bar');
  #timer: ReturnType<typeof setTimeout> | null = null;
  #clock: ReturnType<typeof setInterval> | null = null;
  #began = 0;
  #recent: { readonly at: number; readonly fraction: number }[] = [];

  constructor(
    readonly strip: HTMLElement,
    cancel: () => void,
  ) {
    byId('cancel').addEventListener('click', cancel);
  }

  show(progress: Progress | null): void {
    if (progress === null) {
      if (this.#timer !== null) clearTimeout(this.#timer);
      if (this.#clock !== null) clearInterval(this.#clock);
      this.#timer = null;
      this.#clock = null;
      this.strip.hidden = true;
      return;
    }
    const now = performance.now();
    if (this.#timer === null) this.#begin(now);
    const last = this.#recent[this.#recent.length - 1];
    // Another task begins at 0.
    if (last !== undefined && progress.fraction < last.fraction) this.#recent = [];
    this.#recent.push({ at: now, fraction: progress.fraction });
    while (this.#recent.length > 2 && now - this.#recent[1].at > WINDOW_MS) this.#recent.shift();
    const stage = progress.stage === '' ? 'working' : progress.stage;
    this.#stage.textContent = `${stage[0].toUpperCase()}${stage.slice(1)}…`;
    this.#bar.value = progress.fraction;
  }

  #begin(now: number): void {
    this.#began = now;
    this.#recent = [];
    this.#time.textContent = '';
    this.strip.classList.remove('long');
    this.#timer = setTimeout(() => {
      this.strip.hidden = false;
    }, DELAY_MS);
    this.#clock = setInterval(() => this.#tellTime(), 500);
  }

  #tellTime(): void {
    const now = performance.now();
    const taken = now - this.#began;
    if (taken < TELL_MS) return;
    const [first] = this.#recent;
    const last = this.#recent[this.#recent.length - 1];
    const rate = last === undefined ? 0 : (last.fraction - first.fraction) / (now - first.at);
    const left = rate > 0 ? (1 - last.fraction) / rate : null;
    const known = left !== null && last.fraction > 0.02;
    this.#time.textContent = `${seconds(taken)}${known ? `, about ${seconds(left)} left` : ''}`;
    this.strip.classList.toggle('long', taken > LONG_MS || (known && left > LONG_MS));
  }
}

/** An estimate in words: a figure of two digits would claim too much. */
export function roughTime(estimate: number): string {
  if (estimate < 90) return `about ${Math.max(5, 5 * Math.round(estimate / 5))} seconds`;
  const minutes = Math.round(estimate / 60);
  return minutes < 2 ? 'about 2 minutes' : `about ${minutes} minutes`;
}

function seconds(ms: number): string {
  const whole = Math.max(1, Math.round(ms / 1000));
  return whole < 90 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}
