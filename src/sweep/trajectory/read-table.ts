// Trajectories as CSV: a column "time" in seconds, then positions by the names of joints; columns "NAME velocity" and "NAME
// acceleration" where they are known.
import { NearfieldError } from '../../core/errors.js';
import type { JointTrajectory } from './motion-trajectory.js';

export function readTable(text: string): JointTrajectory {
  const lines = text.split(/\r\n|\n|\r/);
  const rows = lines.map((line, i) => ({ number: i + 1, cells: line.trim() === '' ? [] : cellsOf(line) }));
  const [head, ...points] = rows.filter(({ cells }) => cells.length > 0);
  const names = head.cells.slice(1);
  const joints = names.filter((name) => name !== '' && !/ (velocity|acceleration)$/.test(name));
  if (joints.length === 0) fail(head.number, 'no column is named after a joint');
  const columnsOf = (suffix: string): number[] | null => {
    const found = joints.map((joint) => head.cells.indexOf(`${joint} ${suffix}`));
    if (found.every((column) => column < 0)) return null;
    const missing = found.indexOf(-1);
    return missing < 0
      ? found
      : fail(head.number, `there is no column "${joints[missing]} ${suffix}"; others have one`);
  };
  const [velocities, accelerations] = [columnsOf('velocity'), columnsOf('acceleration')];
  const positions = joints.map((joint) => head.cells.indexOf(joint));
  const read = points.map(({ number, cells }) => {
    if (cells.length !== head.cells.length)
      fail(number, `${cells.length} cells; the first line has ${head.cells.length}`);
    const value = (column: number): number => {
      const own = cells[column].trim() === '' ? Number.NaN : Number(cells[column]);
      return Number.isFinite(own) ? own : fail(number, `"${cells[column]}" is no finite number`);
    };
    return {
      time: value(0),
      positions: positions.map(value),
      velocities: velocities?.map(value),
      accelerations: accelerations?.map(value),
    };
  });
  if (read.length === 0) fail(head.number, 'no points follow');
  return { joints, points: read };
}

/** The cells of a line; quotes inside of quoted ones are doubled. */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:\s*"((?:[^"]|"")*)"\s*|([^,]*))/g)) {
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
  }
  return cells;
}

function fail(line: number, what: string): never {
  throw new NearfieldError('file-format', `line ${line}: ${what}.`, { line });
}
