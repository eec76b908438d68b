import type { GradedClash } from '../../clash/graded-clash.js';
import { readable } from '../table.js';

/** The depth of an overlap, as an interval where it is not known to four digits, or the distance; of a touch also the floor that makes it one. */
export function describeClash(clash: GradedClash): string {
  const { touchBy, floors } = clash;
  const words = describeLength(clash);
  return touchBy === null ? words : `${words}, ${touchBy} ${readable(floors[touchBy])}`;
}

function describeLength({ grade, lower, upper, distance, intersects }: GradedClash): string {
  if (!intersects) return readable(distance);
  if (lower === null || upper === null) return 'depth unknown';
  if (grade === 'touch') return upper === 0 ? 'touches' : `at most ${readable(upper)}`;
  return upper - lower <= 1e-3 * upper ? readable(upper) : `${readable(lower)} to ${readable(upper)}`;
}

/** The same with the unit of length; where the depth is unknown, how thick the overlap is. */
export function measureClash(clash: GradedClash, unit: string): string {
  const { intersects, upper, thickness, thicknessLower } = clash;
  if (!intersects || upper !== null || thickness === null || thicknessLower === null) {
    return `${describeClash(clash)} ${unit}`;
  }
  return `${readable(thicknessLower)} to ${readable(thickness)} ${unit} thick`;
}
