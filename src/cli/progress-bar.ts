import type { WriteStream } from 'node:tty';
import type { ProgressOptions } from '../core/progress.js';

export interface ProgressBar extends Pick<ProgressOptions, 'onProgress'> {
  clear(): void;
}

/** A progress bar on one line of a terminal, redrawn at most 12 times per second. Does nothing without a terminal. */
export function progressBar(stream: WriteStream): ProgressBar {
  if (!stream.isTTY) return { clear: () => {} };
  const width = 24;
  let drawnAt = 0;
  let drawn = false;
  return {
    onProgress: (fraction, stage) => {
      const now = performance.now();
      if (now - drawnAt < 80) return;
      drawnAt = now;
      drawn = true;
      const done = Math.round(width * Math.min(1, Math.max(0, fraction)));
      const percent = `${Math.round(100 * fraction)}`.padStart(3);
      stream.write(`\r\x1b[2K${'█'.repeat(done)}${'░'.repeat(width - done)} ${percent} % ${stage}`);
    },
    clear: () => {
      if (drawn) stream.write('\r\x1b[2K');
    },
  };
}
