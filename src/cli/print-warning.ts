import { onOneLine } from './table.js';

/** One line on standard error, in the place of a progress bar that is there. */
export function printWarning(warning: string): void {
  process.stderr.write(`${process.stderr.isTTY ? '\r\x1b[2K' : ''}nearfield: warning: ${onOneLine(warning)}\n`);
}
