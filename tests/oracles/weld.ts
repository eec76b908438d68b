/** For each point the lowest one it can be reached from in steps of at most `reach`, by comparing all pairs. */
export function lowestWithinReach(points: readonly (readonly number[])[], reach: number): number[] {
  const label = points.map((_, i) => i);
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 0; i < points.length; i++) {
      for (let j = 0; j < points.length; j++) {
        const distance = Math.sqrt(points[i].reduce((sum, value, axis) => sum + (value - points[j][axis]) ** 2, 0));
        if (distance <= reach && label[j] < label[i]) {
          label[i] = label[j];
          changed = true;
        }
      }
    }
  }
  return label;
}
