// What scenes of planned paths draw alike: the way of each robot, colored by its clearance.
import { pose } from 'nearfield/core';
import { pathColors } from './path-colors.js';
import type { View } from './viewer/view.js';
import type { OpenedPlan, PlannedPath } from './worker/planning-tasks.js';

/** The clearance that has the last color. Narrow places show their differences: what is far wider than most of the path is one color. */
export function widestShown({ clearances }: PlannedPath): number {
  const sorted = clearances.filter((value) => value < Infinity).sort();
  return sorted.length === 0 ? 0 : Math.min(sorted[sorted.length - 1], 4 * sorted[sorted.length >> 1]);
}

/** The way of the middle of each robot's last link, colored by the clearance. */
export function drawWays(view: View, { links }: OpenedPlan, { frames, clearances }: PlannedPath, most: number): void {
  const endColors = pathColors(clearances, most);
  for (const [i, { center, robot }] of links.entries()) {
    if (links[i + 1]?.robot === robot) continue;
    const points = frames.map((poses) => pose.transformPoint(poses.subarray(7 * i, 7 * i + 7), center));
    const segments = points.slice(1).flatMap((point, k) => [...points[k], ...point]);
    view.addLines(segments, { endColors, width: 5, onTop: true });
  }
}
