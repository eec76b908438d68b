import { byId } from './element.js';
import type { Progress } from './scene-host.js';

/** What is quicker than this shows no bar: a flash would only disturb. */
const DELAY_MS = 150;

/** The bar at the foot of the view, with the stage at work and a cancel button. */
export class ProgressStrip {
  readonly #stage = byId('progress-stage');
  readonly #percent = byId('progress-percent');
  readonly #bar = byId<HTMLProgressElement>('progress-bar');
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    readonly strip: HTMLElement,
    cancel: () => void,
  ) {
    byId('cancel').addEventListener('click', cancel);
  }

  show(progress: Progress | null): void {
    if (progress === null) {
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#timer = null;
      this.strip.hidden = true;
      return;
    }
    const stage = progress.stage === '' ? 'working' : progress.stage;
    this.#stage.textContent = `${stage[0].toUpperCase()}${stage.slice(1)}…`;
    this.#percent.textContent = `${Math.round(100 * progress.fraction)} %`;
    this.#bar.value = progress.fraction;
    this.#timer ??= setTimeout(() => {
      this.strip.hidden = false;
    }, DELAY_MS);
  }
}
