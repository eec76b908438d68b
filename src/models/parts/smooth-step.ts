/** 0 up to `from`, 1 from `to` on, and a cubic with level ends between them. */
export function smoothStep(from: number, to: number, x: number): number {
  const t = Math.min(Math.max((x - from) / (to - from), 0), 1);
  return t * t * (3 - 2 * t);
}
