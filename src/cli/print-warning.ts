import { onOneLine } from './table.js';

/** Prints one line on standard error, over a progress bar if there is one. */
export function printWarning(warning: string): void {
  process.stderr.write(`${process.stderr.isTTY ? '\r\x1b[2K' : ''}nearfield: warning: ${onOneLine(warning)}\n`);
}
