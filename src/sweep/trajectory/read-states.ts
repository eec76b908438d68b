// Paths as OMPL prints them: as a matrix with the numbers of a state on each line, or in words with them in brackets, under a line
// that begins with "Geometric path". Times are not printed.
import { NearfieldError } from '../../core/errors.js';
import type { PathTrajectory } from './motion-trajectory.js';

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;

/** The states of a path of the only robot; null for other texts. */
export function readStates(text: string): PathTrajectory | null {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.trim());
  const isPrinted = lines.some((line) => /^Geometric path/i.test(line));
  const states: number[][] = isPrinted ? printedStates(lines) : [];
  for (const [i, line] of isPrinted ? [] : lines.entries()) {
    if (line === '') continue;
    const cells = line.split(/\s+/);
    if (!cells.every((cell) => new RegExp(`^${NUMBER.source}$`, 'i').test(cell))) return null;
    const state = cells.map(Number);
    if (states.length > 0 && state.length !== states[0].length) {
      throw new NearfieldError(
        'file-format',
        `line ${i + 1}: ${state.length} numbers; the states before it have ${states[0].length}.`,
        { line: i + 1 },
      );
    }
    states.push(state);
  }
  return states.length === 0 ? null : { paths: [{ poses: states }] };
}

/** Compound states have their parts on several lines, in one pair of brackets around them. */
function printedStates(lines: readonly string[]): number[][] {
  const states: number[][] = [];
  let depth = 0;
  let state: number[] = [];
  for (const line of lines) {
    if (/^Geometric path/i.test(line)) continue;
    const [opened, closed] = [line.split('[').length - 1, line.split(']').length - 1];
    const inner = line.replace(/^[^[]*\[/, '').replace(/Compound state|\w*State|\]/gi, ' ');
    if (depth + opened > 0) state.push(...(inner.match(NUMBER) ?? []).map(Number));
    depth += opened - closed;
    if (depth > 0 || state.length === 0) continue;
    states.push(state);
    state = [];
  }
  return states;
}
